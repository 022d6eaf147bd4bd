import runpy
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.py"))
# two seconds and more: with `make test-all`
LONG = tuple(f"{k:02}_" for k in (4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16, 17, 18, 19, 20, 21, 29, 31, 32, 33, 34, 35, 36))


def marked(path):
    return pytest.param(path, id=path.stem, marks=[pytest.mark.slow] if path.name.startswith(LONG) else [])


@pytest.mark.parametrize("path", [marked(path) for path in EXAMPLES])
def test_every_example_runs(path, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", [str(path)])
    runpy.run_path(str(path), run_name="__main__")
    assert capsys.readouterr().out


def test_examples_are_short_and_have_a_title():
    for path in EXAMPLES:
        lines = path.read_text().splitlines()
        assert lines[0].startswith('"""') and len(lines) < 80, path
