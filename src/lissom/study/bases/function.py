"""A Python function as a base: from Python itself, or named by a file where the user allows that."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import inspect
import math
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import FileError, StateError, suggest
from ..parameters import Value
from .base import Base, Ran
from .files import ran_prediction


class Function(Base):
    """A function of the parameters by their names, and of `seed` where it has such an argument.

    Args:
        function: returns a number, numbers by name, or a motion: a Prediction, a Gait or a Trajectory.
    """

    kind = "function"
    moves = True

    def __init__(self, function: Callable[..., Any]) -> None:
        if not callable(function):
            raise StateError(f"a study runs a function or a base of lissom.study, got {function!r}")
        self.function = function
        parameters = _parameters(function)
        self.seeded = "seed" in parameters

    def digest(self) -> Any:
        """Return its name, and its source where there is one: another source makes other cases."""
        module, name = getattr(self.function, "__module__", ""), getattr(self.function, "__qualname__", repr(type(self.function)))
        try:
            source = hashlib.sha256(inspect.getsource(self.function).encode()).hexdigest()
        except (OSError, TypeError):
            source = ""
        return ["function", "" if module == "__main__" else module, name, source]

    def check(self, names: Any) -> None:
        """Raise a StateError where the function does not take the parameters of the study, or needs others."""
        parameters = _parameters(self.function)
        if not parameters or any(p.kind is p.VAR_KEYWORD for p in parameters.values()):
            return
        named = [n for n, p in parameters.items() if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
        for name in names:
            if name not in named and name != "repeat":
                raise StateError(f"the function has no argument {name!r}; {suggest(name, named)}")
        for name, p in parameters.items():
            if p.default is p.empty and name in named and name not in names and name != "seed":
                raise StateError(f"the function needs an argument {name!r}, which is no parameter of the study")

    def run(self, values: Mapping[str, Value], seed: int) -> Ran:
        """Call the function."""
        given: dict[str, Any] = dict(values)
        if "repeat" in given and "repeat" not in _parameters(self.function):
            del given["repeat"]
        if self.seeded:
            given["seed"] = seed
        return as_ran(self.function(**given))

    def robot(self, values: Mapping[str, Value]) -> Any:
        """Raise a StateError: a function does not say which robot its motions are of."""
        raise StateError("motions of a function are read with the robot that it made: results.motion(case, robot=...)")


def as_ran(found: Any) -> Ran:
    """Return what became of a call that returned this."""
    prediction = getattr(found, "prediction", found)
    if hasattr(prediction, "limit_tolerance") and hasattr(prediction, "success"):
        return ran_prediction(found, prediction)
    if hasattr(found, "qdd") and hasattr(found, "status"):
        good = found.status.value in ("finished", "event")
        return Ran(found, good, found.status.value, "" if good else found.message)
    if isinstance(found, Mapping):
        return Ran({str(name): _number(value, str(name)) for name, value in found.items()})
    return Ran({"value": _number(found, "value")})


def load_function(text: str, folder: Path) -> Callable[..., Any]:
    """Return the function "module:name" or "file.py:name"; files are named from a folder.

    Raises:
        FileError: there is none.
    """
    module, colon, name = text.rpartition(":")
    if not colon or not module or not name:
        raise FileError(f"function {text!r}: expected module:name, or file.py:name")
    try:
        if module.endswith(".py"):
            found = _from_file((folder / module).resolve())
        else:
            found = importlib.import_module(module)
    except ImportError as error:
        raise FileError(f"function {text!r}: {error}") from None
    function = getattr(found, name, None)
    if not callable(function):
        known = [n for n, value in vars(found).items() if callable(value) and not n.startswith("_")]
        raise FileError(f"function {text!r}: no function {name!r} there; {suggest(name, known)}")
    return function  # type: ignore[no-any-return]


class NamedFunction(Function):
    """A function that a file names: processes load it by its name."""

    def __init__(self, text: str, folder: str) -> None:
        self.text, self.folder = text, folder
        super().__init__(load_function(text, Path(folder)))

    def __reduce__(self) -> Any:
        return NamedFunction, (self.text, self.folder)


def _from_file(file: Path) -> Any:
    name = f"lissom_study_{hashlib.sha256(str(file).encode()).hexdigest()[:12]}"
    if name in sys.modules:
        return sys.modules[name]
    if not file.is_file():
        raise ImportError(f"no file {file}")
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _parameters(function: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    try:
        return inspect.signature(function).parameters
    except (TypeError, ValueError):  # built in
        return {}


def _number(value: Any, name: str) -> float:
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        array = np.full(2, math.nan)
    if array.size != 1:
        kind = type(value).__name__
        raise StateError(f"the function returned {name} of type {kind}; expected a number, numbers by name, or a motion")
    return float(array.reshape(()))
