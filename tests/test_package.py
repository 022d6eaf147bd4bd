"""The package from outside: what `import lissom` gives, and what it leaves for later."""

import tomllib
from pathlib import Path

import pytest

import lissom


@pytest.mark.parametrize("name", ["read", "view", "write"])
def test_subpackages_are_imported_when_first_asked_for(python, name):
    text = f"import sys, lissom; assert 'lissom.{name}' not in sys.modules, 'too early'\n"
    text += f"assert '{name}' in dir(lissom); print(lissom.{name}.__name__, 'lissom.{name}' in sys.modules)"
    assert python(text) == f"lissom.{name} True"


def test_what_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'lissom' has no attribute 'reed'"):
        lissom.reed  # noqa: B018


def test_type_checkers_are_told_of_the_annotations():
    assert (Path(lissom.__file__).parent / "py.typed").exists()


def test_the_version_is_the_one_of_the_project_and_of_the_citation():
    root = Path(__file__).parents[1]
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == lissom.__version__
    assert f"\nversion: {lissom.__version__}\n" in (root / "CITATION.cff").read_text(encoding="utf-8")
