"""The documentation site: its list of pages is complete. `make docs` itself checks links."""

import base64
import html
import importlib.util
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

TOP = Path(__file__).parents[2]


def _pages(entry):
    if isinstance(entry, str):
        return [entry]
    children = entry if isinstance(entry, list) else entry.values()
    return [page for child in children for page in _pages(child)]


def test_every_page_is_in_the_navigation_of_the_site_once():
    listed = _pages(yaml.safe_load((TOP / "mkdocs.yml").read_text(encoding="utf-8"))["nav"])
    docs = TOP / "docs"
    pages = [path.relative_to(docs) for path in (*docs.rglob("*.md"), *(docs / "notebooks").glob("*.ipynb"))]
    assert sorted(listed) == sorted(page.with_suffix(".md").as_posix() for page in pages)


def _hook(name):
    """A module of tools/ that the site runs."""
    specification = importlib.util.spec_from_file_location(f"site_{name}", TOP / "tools" / f"{name}.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def notebooks():
    """The hook of the site that makes pages of notebooks."""
    return _hook("notebooks")


def test_links_out_of_the_site_become_text_with_a_path_where_it_says_more():
    page = SimpleNamespace(file=SimpleNamespace(src_uri="usage/page.md"))
    text = "[a](../../tools/a.py) [tools/a.py](../../tools/a.py) [`tools/a.py`](../../tools/a.py) [b](../b.md) ![c](../../c.png)"
    found = _hook("site").on_page_markdown(text, page=page)
    assert found == "a (`tools/a.py`) tools/a.py `tools/a.py` [b](../b.md) ![c](../../c.png)"


def test_an_executed_notebook_becomes_a_page_with_files_beside_it(notebooks):
    view = '<p>"robot" & more</p>'
    frame = f'<div><iframe srcdoc="{html.escape(view)}" title="robot"></iframe></div>'
    picture = {"data": {"image/png": base64.b64encode(b"picture").decode()}, "metadata": {"image/png": {"width": 300}}}
    outputs = [
        {"output_type": "stream", "name": "stdout", "text": "a < b\n"},
        {"output_type": "display_data", "data": {"text/html": frame, "text/plain": "..."}},
        {"output_type": "execute_result", **picture},
        {"output_type": "execute_result", "data": {"text/html": "<table>\n\n<tr></tr></table>", "text/plain": "..."}},
    ]
    cells = [{"cell_type": "markdown", "source": "# Title\n\nText."}, {"cell_type": "code", "source": "f()", "outputs": outputs}]
    page, files = notebooks.converted(cells, "name")
    assert files == {"name/view-1.html": view.encode(), "name/figure-2.png": b"picture"}
    assert page.startswith("# Title\n\n*A notebook: `docs/notebooks/name.ipynb`.") and "```python\nf()\n```" in page
    assert "a &lt; b" in page and 'src="name/figure-2.png" width="300"' in page
    assert '<iframe src="name/view-1.html" loading="lazy" title="robot"></iframe>' in page and "srcdoc" not in page
    assert '<div class="output"><table>\n<tr></tr></table></div>' in page


def test_links_to_notebooks_lead_to_their_pages(notebooks):
    text = "[a](notebooks/1-a.ipynb) [b](2-b.ipynb) [c](../notebooks/3-c.ipynb#x) [d](other.md) `1-a.ipynb`"
    found = notebooks.on_page_markdown(text)
    assert found == "[a](notebooks/1-a.md) [b](2-b.md) [c](../notebooks/3-c.md#x) [d](other.md) `1-a.ipynb`"


def test_the_index_of_the_search_is_written_as_a_script_that_pages_from_disk_may_run(tmp_path):
    docs, site = tmp_path / "docs", tmp_path / "site"
    (site / "search").mkdir(parents=True)
    docs.mkdir()
    (docs / "gallery.md").write_text('# Gallery\n\n```python\nopen("made", "w").close()\n```\n')
    (site / "search" / "search_index.json").write_text('{"docs": []}')
    _hook("site").on_post_build(config={"docs_dir": docs, "site_dir": site})
    assert (site / "search" / "search_index.js").read_text() == 'var __index = {"docs": []}'
    assert (site / "gallery" / "made").exists()
    listed = yaml.safe_load((TOP / "mkdocs.yml").read_text(encoding="utf-8"))["extra"]["polyfills"]
    assert [(TOP / "docs" / name).exists() for name in listed] == [True]
