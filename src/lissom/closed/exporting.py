"""ClosedExporting: functions of a closed robot as source code, with the closure of its loops inside or left to the caller."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ..algorithms.closed import assembled
from ..compiler.program import Port
from ..errors import StateError, is_choice, suggest
from ..export.gather import Source
from ..export.meanings import of_function
from ..robot.exporting import Exporting
from .base import ClosedBase

CLOSURES = ("home", "given")
AWAY = 0.05  # spread of the coordinates about home at which exported code is checked [rad or m]
SMALL_SINGLE = 3e-4  # of single precision; see `assembled.SMALL`: the next step would be the square of this one
_HOME = (
    "The loops are closed by Newton's method in {steps} steps from home, the configuration assembled first. Where the first step "
    "is longer than {far:g} (radians, or lengths of the robot), or the last one not small, the results are not a number: further "
    "from home, follow the closure yourself and use code with closure='given'."
)
_GIVEN = "The loops are not closed here: tree_q must close them, as the function closure and lissom's closure(q) find it."


class ClosedExporting(ClosedBase, Exporting):
    """Source code of the functions of a closed robot."""

    @property
    def _exportable(self) -> tuple[str, ...]:
        return (*self.functions, "closure")

    def export(
        self,
        functions: str | Sequence[str],
        path: str | os.PathLike[str],
        *,
        closure: str = "home",
        **how: Any,
    ) -> tuple[Path, ...]:
        """Write functions as source code that needs no lissom; see `Robot.export`.

        Args:
            functions: of `functions`, or "closure": the configuration of the tree at coordinates q.
            path: the folder for the files.
            closure: "home" closes the loops inside of every function, by Newton's method from the home configuration: results
                are not a number where q is too far from it. "given" takes a configuration of the tree that closes the loops in
                the place of q.
            **how: language, options and all else as in `Robot.export`.
        """
        return super().export(functions, path, closure=closure, **how)

    def _sources(
        self, names: Sequence[str], values: Mapping[str, Any], precision: str
    ) -> dict[str, tuple[Source, Mapping[str, Any]]]:
        closure = values.get("closure", "home")
        if not is_choice(closure, CLOSURES):
            raise StateError(f"no closure {closure!r}; {suggest(str(closure), CLOSURES)}")
        rest = {key: value for key, value in values.items() if key != "closure"}
        found = super()._sources(names, rest, precision)
        if closure == "home":
            return found
        if "closure" in names:
            raise StateError("the function 'closure' computes what closure='given' takes as input; export it separately")
        return {name: (self._given(source), own) for name, (source, own) in found.items()}

    def _source(self, name: str, values: Mapping[str, Any], precision: str) -> Source:
        home = tuple(float(x) for x in self._assembled)
        small = assembled.SMALL if precision == "double" else SMALL_SINGLE
        remark = _HOME.format(steps=assembled.STEPS, far=assembled.FAR)
        if name == "closure":
            task = assembled.from_home(self.model, self.plan, home, small=small)
            meaning = "The coordinates of all joints of the tree, which close the loops [rad or m]."
            return Source(task, {}, (self.model.nq,), None, meaning, (remark,), self._near_home)
        entry = self._entry(name)
        options = entry.choose(self, {**entry.assumed(self), **values}).options
        assert entry.shape is not None
        task = assembled.from_home(self.model, self.plan, home, entry.maker, small=small, **options)
        meaning = of_function(self, name, entry.maker)
        return Source(
            task, {"maker": entry.maker, **options}, entry.shape(self, options), None, meaning, (remark,), self._near_home
        )

    def _given(self, source: Source) -> Source:
        """Return a function of the configuration of the tree."""
        options = {key: value for key, value in source.options.items() if key != "maker"}
        task = source.options["maker"](self.model, self.plan, **options)
        # the text names its inputs by their order
        task = replace(task, inputs=(Port("tree_q", task.inputs[0].size), *task.inputs[1:]))

        def configurations(rng: np.random.Generator, n: int) -> np.ndarray:
            return self.closure(self._near_home(rng, n))  # type: ignore[attr-defined,no-any-return]

        return source._replace(task=task, options=options, remarks=(_GIVEN,), configurations=configurations)

    def _near_home(self, rng: np.random.Generator, n: int) -> np.ndarray:
        """Return random coordinates near home."""
        q = self.home() + AWAY * rng.normal(size=(n, self.nq))
        return self._target(q)  # type: ignore[attr-defined,no-any-return]
