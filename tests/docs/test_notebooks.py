"""The tutorials in docs/notebooks: executed without errors and warnings, with figures and 3-D views; stored without outputs."""

import importlib.util
import os
import re
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]
NOTEBOOKS = sorted((TOP / "docs" / "notebooks").glob("*.ipynb"))
QUICK = "5-base-parameters"
each = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)

lacking = [name for name in ("nbclient", "ipykernel") if importlib.util.find_spec(name) is None]
in_kernel = pytest.mark.skipif(bool(lacking), reason=f"{' and '.join(lacking)} not installed: no notebook is executed")


def read(path):
    import nbformat

    return nbformat.reads(path.read_text(encoding="utf-8"), 4)


@in_kernel
@pytest.mark.parametrize(
    "path", [pytest.param(path, id=path.stem, marks=() if path.stem == QUICK else pytest.mark.slow) for path in NOTEBOOKS]
)
def test_a_tutorial_runs_without_warnings_and_shows_figures_and_views(path, tmp_path):
    import nbclient

    notebook = read(path)
    environment = {**os.environ, "PYTHONPATH": str(TOP / "src"), "LISSOM_LIVE": "0"}
    folder = {"metadata": {"path": str(tmp_path)}}
    nbclient.NotebookClient(notebook, timeout=100, kernel_name="python3", resources=folder).execute(env=environment)
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert [output.text for output in outputs if output.output_type == "stream" and output.name == "stderr"] == []
    data = [output.data for output in outputs if "data" in output]
    assert any("image/png" in each for each in data)
    assert any("<iframe" in each.get("text/html", "") for each in data)
    plain = [each["text/plain"] for each in data if set(each) == {"text/plain"}]
    assert not any(re.search(r" at 0x[0-9a-f]+>|LiveView|<Axes", text) for text in plain)
    assert list(tmp_path.iterdir()) == []


def test_there_are_six_tutorials():
    assert len(NOTEBOOKS) == 6


@each
def test_a_tutorial_is_stored_without_outputs(path):
    notebook = read(path)
    for cell in notebook.cells:
        assert not cell.get("outputs") and cell.get("execution_count") is None and cell.metadata == {}
    assert set(notebook.metadata) == {"kernelspec", "language_info"} and notebook.metadata.kernelspec.name == "python3"
    assert notebook.metadata.language_info == {"name": "python"}
    assert path.stat().st_size < 20_000


@each
def test_a_tutorial_begins_with_its_title_and_leads_to_pages_that_exist(path):
    texts = [cell.source for cell in read(path).cells if cell.cell_type == "markdown"]
    assert texts[0].startswith("# ") and sum(text.startswith("# ") for text in texts) == 1
    links = re.findall(r"\]\(([^)#]+)", "\n".join(texts))
    assert links and all((path.parent / link).is_file() for link in links)


@each
def test_code_of_a_tutorial_fits_the_page(path):
    lines = [line for cell in read(path).cells if cell.cell_type == "code" for line in cell.source.split("\n")]
    assert max(map(len, lines)) <= 80
