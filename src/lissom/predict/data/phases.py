"""Phases: parts of a motion, one after the other, each with a name and a duration that is given or found.

Where all durations are given, boundaries are knots of one spline and the whole duration is the only clock. Where one is free,
every phase has a clock of its own: an unknown duration.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import StateError, suggest


@dataclass(frozen=True, eq=False)
class Phases:
    """The phases of a problem; one without a name where none were given.

    Attributes:
        names: of the P phases.
        lower, upper: their shortest and longest durations (P,) [s]; equal where a duration is given.
        ends: where they begin and end on the splines of the problem (P + 1,), from 0 to 1.
        smooth: highest order of the derivatives of the path that are continuous at boundaries.
    """

    names: tuple[str, ...] = ("",)
    lower: tuple[float, ...] = ()
    upper: tuple[float, ...] = ()
    ends: tuple[float, ...] = (0.0, 1.0)
    smooth: int = 0

    def __len__(self) -> int:
        return len(self.names)

    @property
    def named(self) -> bool:
        """Whether a problem was given phases."""
        return self.names != ("",)

    @property
    def free(self) -> bool:
        """Whether every phase has a clock of its own."""
        return len(self) > 1 and self.lower != self.upper

    @property
    def clocks(self) -> int:
        """Number of unknown durations."""
        return len(self) if self.free else 1

    @property
    def clock_ends(self) -> np.ndarray:
        """Where clocks begin and end on the splines (clocks + 1,)."""
        return np.array(self.ends if self.free else (0.0, 1.0))

    def number(self, name: Any) -> int:
        """Return the number of a phase."""
        if not self.named:
            raise StateError(f"there is no phase {name!r}: the problem has no phases; give them first, problem.phases({{...}})")
        if name not in self.names:
            raise StateError(f"no phase {name!r}; {suggest(str(name), self.names)}")
        return self.names.index(name)

    def chosen(self, during: Any) -> tuple[int, ...] | None:
        """Return the numbers of phases by one name or several, in their order; None for all the time."""
        if during is None:
            return None
        listed = [during] if isinstance(during, str) else list(during) if isinstance(during, Sequence) else [during]
        if not listed:
            raise StateError("during is empty; leave during= out for all phases")
        numbers = [self.number(name) for name in listed]
        for name, number in zip(listed, numbers, strict=True):
            if numbers.count(number) > 1:
                raise StateError(f"during names the phase {name!r} twice")
        return tuple(sorted(numbers)) if len(numbers) < len(self) else None

    def run(self, during: Any) -> tuple[int, int] | None:
        """Return the first phase of a run of neighbors and the one after its last; None for all phases."""
        numbers = self.chosen(during)
        if numbers is None:
            return None
        if numbers[-1] - numbers[0] != len(numbers) - 1:
            missing = next(k for k in range(numbers[0], numbers[-1]) if k not in numbers)
            raise StateError(
                f"during names {', '.join(repr(self.names[k]) for k in numbers)}, between which {self.names[missing]!r} is "
                "missing: expected phases one after the other; make one for each run"
            )
        return numbers[0], numbers[-1] + 1

    def split(self, duration: float) -> np.ndarray:
        """Return durations of the clocks (clocks,) [s] that add up to one: each as far between its bounds as all together."""
        if not self.free:
            return np.array([duration])
        low, high = np.array(self.lower), np.array(self.upper)
        share = np.clip((duration - low.sum()) / (high - low).sum(), 0.0, 1.0)
        return low + share * (high - low)

    def words(self, number: int) -> str:
        """Return the name and duration of a phase in words."""
        low, high = self.lower[number], self.upper[number]
        return f"{self.names[number]}: {low:g} s" if low == high else f"{self.names[number]}: {low:g} to {high:g} s"
