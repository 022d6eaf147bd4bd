"""The package from outside: what `import lissom` gives, and what it leaves for later."""

import importlib
import inspect
import tomllib
import typing
from dataclasses import is_dataclass
from pathlib import Path

import pytest

import lissom

PUBLIC = (
    "",
    "closed",
    "control",
    "fatigue",
    "gait",
    "geometry",
    "identify",
    "nlp",
    "osim",
    "predict",
    "read",
    "robots",
    "simulate",
    "spline",
    "tasks",
    "timing",
    "view",
    "write",
)
OPTIONAL = ("Figure", "DataFrame", "csr_matrix")  # classes of other packages, which are imported when they are needed


def public(name):
    return importlib.import_module(f"lissom.{name}".rstrip("."))


def callables():
    """Yield the functions and classes of the public packages, and the functions of those classes, by name."""
    for name in PUBLIC:
        for key in dir(package := public(name)):
            value = getattr(package, key)
            if key.startswith("_") or not callable(value) or not value.__module__.startswith("lissom"):
                continue
            plain = inspect.isclass(value) and not is_dataclass(value) and inspect.isfunction(value.__init__)
            yield f"{package.__name__}.{key}", value.__init__ if plain else value
            for own, part in inspect.getmembers(value, inspect.isroutine) if inspect.isclass(value) else ():
                part = getattr(part, "__func__", part)
                if not own.startswith("_") and inspect.isfunction(part) and part.__module__.startswith("lissom"):
                    yield f"{package.__name__}.{key}.{own}", part


@pytest.mark.sweep(1)
@pytest.mark.parametrize("name", ["read", "view", "write"])
def test_subpackages_are_imported_when_first_asked_for(python, name):
    text = f"import sys, lissom; assert 'lissom.{name}' not in sys.modules, 'too early'\n"
    text += f"assert '{name}' in dir(lissom); print(lissom.{name}.__name__, 'lissom.{name}' in sys.modules)"
    assert python(text) == f"lissom.{name} True"


def test_what_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'lissom' has no attribute 'reed'"):
        lissom.reed  # noqa: B018


@pytest.mark.parametrize("name", PUBLIC)
def test_dir_lists_public_names_only(name):
    package = public(name)
    names = [key for key in dir(package) if not key.startswith("_")]
    assert not {"annotations", "TYPE_CHECKING", "Callable", "Path", "np", "os", "BORROWED", "arrays"} & {*names}
    assert all(getattr(package, key) is not None for key in names)
    for key, value in ((key, getattr(package, key)) for key in names):
        if callable(value):
            assert getattr(value, "__module__", "lissom").startswith("lissom"), key


def test_types_of_all_public_functions_can_be_asked_for():
    wrong, count = [], 0
    for name, function in callables():
        count += 1
        try:
            assert isinstance(typing.get_type_hints(function), dict)
        except NameError as error:
            if error.name not in OPTIONAL:
                wrong.append(f"{name}: {error}")
    assert count > 400
    assert not wrong
    assert typing.get_type_hints(lissom.load)["return"] == lissom.Robot | lissom.ClosedRobot


def test_type_checkers_are_told_of_the_annotations():
    assert (Path(lissom.__file__).parent / "py.typed").exists()


def test_the_version_is_the_one_of_the_project_and_of_the_citation():
    root = Path(__file__).parents[1]
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == lissom.__version__
    assert f"\nversion: {lissom.__version__}\n" in (root / "CITATION.cff").read_text(encoding="utf-8")
