"""The search of the documentation site, opened from disk in a real browser."""

from pathlib import Path

import pytest

from support.browser import Browser, missing

SHIM = Path(__file__).parents[2] / "docs" / "search-from-disk.js"
PAGE = """<!doctype html><body><script src="shim.js"></script><script>
const worker = new Worker("folder/worker.js"), heard = [];
worker.addEventListener("message", (event) => heard.push(event.data));
worker.postMessage({ term: 20 });
</script>"""
WORKER = 'addEventListener("message", async (event) => postMessage({ found: event.data.term + 1 }));'


@pytest.mark.skipif(bool(missing()), reason=str(missing()))
def test_a_worker_of_a_page_from_disk_answers(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "worker.js").write_text(WORKER)
    (tmp_path / "shim.js").write_text(SHIM.read_text(encoding="utf-8"))
    (tmp_path / "page.html").write_text(PAGE)
    with Browser(400, 300) as browser:
        browser.open(tmp_path / "page.html")
        assert browser.wait("heard[0]", 20) == {"found": 21}
        browser.run("worker.postMessage({ term: 1 })")
        browser.wait("heard.length === 2", 20)
        assert browser.console() == []
