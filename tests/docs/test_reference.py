"""The reference lists every public class and function."""

import importlib
import importlib.util
import inspect
import re
from pathlib import Path

import pytest

from lissom import MissingExtraError

PAGES = Path(__file__).parents[2] / "docs" / "reference"
DIRECTIVE = re.compile(r"^::: (\S+)$", re.MULTILINE)
PUBLIC = ("", "closed", "control", "gait", "geometry", "identify", "nlp", "osim", "predict", "read", "robots", "simulate")
PUBLIC += ("spline", "tasks", "timing", "view", "work", "write")


def _resolved(path):
    """What the site finds by a path: a module before a function of the same name in its package."""
    parts = path.split(".")
    for k in range(len(parts), 0, -1):
        name = ".".join(parts[:k])
        try:
            found = importlib.import_module(name)
        except ModuleNotFoundError:
            continue
        for part in parts[k:]:
            found = getattr(found, part)
        return found
    raise ModuleNotFoundError(path)


def _listed():
    """Objects by identity, of all pages; of a package, the names that are no modules of it."""
    for page in sorted(PAGES.glob("*.md")):
        for path in DIRECTIVE.findall(page.read_text(encoding="utf-8")):
            try:
                found = _resolved(path)
            except MissingExtraError:  # lissom.torch and lissom.jax, whose libraries are not installed here
                continue
            if not inspect.ismodule(found):
                yield id(found)
                continue
            assert hasattr(found, "__all__"), f"{page.name}: {path} is a module without __all__; name the function in it"
            yield from (id(getattr(found, n)) for n in found.__all__ if importlib.util.find_spec(f"{path}.{n}") is None)


@pytest.mark.parametrize("package", PUBLIC)
def test_public_classes_and_functions_are_in_the_reference(package):
    module = importlib.import_module(f"lissom.{package}".rstrip("."))
    names = getattr(module, "__all__", None) or [n for n in dir(module) if not n.startswith("_")]
    public = {n: getattr(module, n) for n in names}
    listed = set(_listed())
    assert public
    missing = [n for n, each in public.items() if (inspect.isclass(each) or inspect.isroutine(each)) and id(each) not in listed]
    assert not missing, f"add a line `::: lissom.{package}...` to a page of docs/reference for {', '.join(missing)}"
