"""Calls the functions of a program for a solver: results are checked, counted and timed; errors are kept for later.

No exception may pass through a solver's code, so an error is kept, every later call fails at once, and the error is raised when
the solver has returned.
"""

from __future__ import annotations

import math
from time import perf_counter
from typing import Any

import numpy as np

from ..errors import NlpError
from .problem import Array, Nlp
from .solution import Evaluations

NAMES = ("objective", "gradient", "constraints", "jacobian", "hessian")


class Evaluator:
    """The functions of one program during one solution.

    Attributes:
        x: the current point, read-only; None before the first.
        value: f at the last x where it was evaluated, `value_x`.
        error: the exception that a function raised, or None.
        failing: name of the function that raised it.
        trouble: a sentence about the last result that was not finite, or "".
    """

    def __init__(self, nlp: Nlp) -> None:
        self.nlp = nlp
        self.x: Array | None = None
        self.value = math.nan
        self.value_x: Array | None = None
        self.error: BaseException | None = None
        self.failing = self.trouble = ""
        self.points = self.not_finite = 0
        self.seconds = 0.0
        self.counts = dict.fromkeys(NAMES, 0)
        self.functions = {name: getattr(nlp, name) for name in NAMES}
        self.shapes = {
            "gradient": (nlp.n,),
            "constraints": (nlp.m,),
            "jacobian": nlp.jacobian_structure[0].shape,
            "hessian": nlp.hessian_structure[0].shape,
        }

    def objective(self, x: Array, new: bool) -> float | None:
        """Return f, or None if it is not finite or raised an error."""
        if self.error is not None:
            return None
        started = perf_counter()
        try:
            here = self._move(x, new)
            self.counts["objective"] += 1
            value = float(self.functions["objective"](here))
        except BaseException as error:
            self._keep("objective", error)
            return None
        finally:
            self.seconds += perf_counter() - started
        if not math.isfinite(value):
            self._complain("objective", "", value)
            return None
        self.value, self.value_x = value, here
        return value

    def fill(self, name: str, x: Array, new: bool, out: Array, *arguments: Any) -> bool:
        """Write the result of the function `name` into `out`; return False if it is not finite or an error was raised."""
        if self.error is not None:
            return False
        started = perf_counter()
        try:
            here = self._move(x, new)
            self.counts[name] += 1
            result = self.functions[name](here, *arguments)
            if type(result) is not np.ndarray:
                result = np.asarray(result, dtype=float)
            if result.shape != self.shapes[name]:
                raise NlpError(f"{name} returned shape {result.shape}, expected {self.shapes[name]}: one number per {_of(name)}")
            out[:] = result
        except BaseException as error:
            self._keep(name, error)
            return False
        finally:
            self.seconds += perf_counter() - started
        finite = np.isfinite(out)
        if np.logical_and.reduce(finite):  # as .all(), with less overhead
            return True
        bad = finite.argmin()
        self._complain(name, self._place(name, int(bad)), out[bad])
        return False

    def evaluations(self) -> Evaluations:
        """Return the counts so far."""
        return Evaluations(self.points, **self.counts, not_finite=self.not_finite, seconds=self.seconds)

    def _move(self, x: Array, new: bool) -> Array:
        if not new and self.x is not None:
            return self.x
        # a copy: functions may keep x, and solvers write the next point into the same memory
        self.x = None
        here = x.copy()
        here.setflags(write=False)
        self.points += 1
        if self.nlp.evaluate is not None:
            self.nlp.evaluate(here)
        self.x = here
        return here

    def _keep(self, name: str, error: BaseException) -> None:
        self.error, self.failing = error, name

    def _complain(self, name: str, place: str, value: float) -> None:
        self.not_finite += 1
        self.trouble = f"the last was {name}{place} = {value}, after {self.points} points"

    def _place(self, name: str, entry: int) -> str:
        if name in ("gradient", "constraints"):
            return f"[{entry}]"
        rows, columns = getattr(self.nlp, name + "_structure")
        return f"[{entry}] in row {rows[entry]}, column {columns[entry]}"


def _of(name: str) -> str:
    return {"gradient": "variable", "constraints": "constraint"}.get(name, f"entry of {name}_structure")
