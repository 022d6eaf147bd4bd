"""WithPhases: how a problem is divided into phases, the knots of its path in each, and the bounds of their durations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from ...errors import StateError, suggest
from ...protocol import DrivenRobot
from ...spline.basis import Basis
from ...spline.check import integer
from ..data.phases import Phases
from ..quantities.by_name import Quantities
from .check import refuse_size, two_times
from .parts import Equation, Parts

ROUNDING = 1e-9  # share of a duration by which sums of durations may differ from it


def new_phases(durations: Any, smooth: Any, spans: Any, basis: Basis) -> tuple[Phases, Basis]:
    """Return the phases of a problem and the basis of its path, after checks; `basis` has uniform knots."""
    if not isinstance(durations, Mapping) or not durations:
        raise StateError(
            f"phases are {durations!r:.100}, expected durations [s] by name, such as {{'lift': 0.2, 'carry': (0.5, 2)}}"
        )
    for name in durations:
        if not isinstance(name, str) or not name.strip():
            raise StateError(f"the name of a phase is {name!r}, expected text")
    pairs = []
    for name, duration in durations.items():
        try:
            pairs.append(two_times(duration))
        except StateError as error:
            raise StateError(f"phase {name!r}: {error}") from None
    order = integer(basis.degree - 1 if smooth is None else smooth, "smooth", 1, most=basis.degree - 1)
    nominal = np.sqrt([low * high for low, high in pairs])
    ends = np.concatenate([[0.0], np.cumsum(nominal)]) / nominal.sum()
    ends[-1] = 1.0
    counts = _spans(tuple(durations), spans, basis, nominal)
    lower, upper = (tuple(pair[k] for pair in pairs) for k in range(2))
    phases = Phases(tuple(durations), lower, upper, tuple(ends.tolist()), order)
    breaks, joins = [0.0], []
    for k, count in enumerate(counts):
        breaks += (ends[k] + (ends[k + 1] - ends[k]) * np.arange(1, count) / count).tolist() + [float(ends[k + 1])]
        joins += [basis.degree - 1] * (count - 1) + [0 if phases.free else order]
    return phases, Basis.with_breaks(breaks, basis.degree, joins[:-1])


def _spans(names: tuple[str, ...], given: Any, basis: Basis, nominal: np.ndarray) -> list[int]:
    """Return spans of every phase: as given, or those of the basis shared out by nominal durations, one each at least."""
    if given is not None:
        if not isinstance(given, Mapping):
            raise StateError(f"spans are {given!r:.100}, expected a number of spans for each phase, by name")
        for name in given:
            if name not in names:
                raise StateError(f"spans: no phase {name!r}; {suggest(str(name), names)}")
        if missing := [name for name in names if name not in given]:
            raise StateError(f"spans has no number for phase {missing[0]!r}; give one for each of {', '.join(names)}")
        return [integer(given[name], f"spans of {name!r}", 1, most=1000) for name in names]
    total = max(basis.spans, len(names))
    share = nominal / nominal.sum() * total
    counts = np.maximum(np.floor(share).astype(int), 1)
    while counts.sum() < total:  # the largest remainder first
        counts[int(np.argmax(share - counts))] += 1
    while counts.sum() > total:
        most = np.where(counts > 1, counts - share, -np.inf)
        counts[int(np.argmax(most))] -= 1
    return [int(count) for count in counts]


def met_duration(phases: Phases, given: tuple[float, float] | None) -> tuple[float, float]:
    """Return the bounds of the whole duration [s]; StateError where the phases cannot add up to the one given."""
    low, high = sum(phases.lower), sum(phases.upper)
    if given is None:
        return low, high
    if low > given[1] * (1 + ROUNDING) or high < given[0] * (1 - ROUNDING):
        asked = f"{given[0]:g} s" if given[0] == given[1] else f"{given[0]:g} to {given[1]:g} s"
        total = f"{low:g} s" if low == high else f"{low:g} to {high:g} s"
        raise StateError(
            f"the phases do not add up: together they take {total}, the duration of the problem is {asked}; change a phase's "
            "duration, or leave out duration="
        )
    if low == high:
        return low, high
    return max(low, given[0]), min(high, given[1])


class WithPhases:
    """The phases of a motion problem."""

    basis: Basis
    quantities: Quantities
    parts: Parts
    goals: list[str]
    points_per_span: int
    duration: tuple[float, float]
    duration_given: bool
    timing: Phases
    n: int
    robot: DrivenRobot

    def phases(
        self,
        durations: Mapping[str, float | Sequence[float]],
        *,
        smooth: int | None = None,
        spans: Mapping[str, int] | None = None,
    ) -> Self:
        """Divide the motion into phases; before limits, goals and channels, which may name them.

        Args:
            durations: of every phase by name, in their order: a number [s], or (shortest, longest). The duration of the problem
                is their sum.
            smooth: highest order of the path's derivatives that are continuous where phases meet: 1 for velocities, 2 for
                accelerations too; None for all that the path has elsewhere, and for 3 with motors behind springs, whose
                velocities follow from the jerk, so that it is the least there.
            spans: of the splines in every phase, by name; None shares out those of the control points by duration.
        """
        if self.timing.named:
            raise StateError("the problem has phases already; make another problem for others")
        if self.parts.limits or self.goals or self.quantities.channels:
            raise StateError("phases come before limits, goals and channels, which depend on them: call phases first")
        least = self.robot.path_order - 1
        if self.robot.n_elastic and smooth is None:
            smooth = least
        timing, basis = new_phases(durations, smooth, spans, self.basis)
        if timing.smooth < least:
            raise StateError(
                f"smooth is {smooth}, but robot {self.robot.name!r} has motors behind springs, whose velocities follow from the "
                f"jerk: where it jumps, they would; expected {least} or more"
            )
        duration = met_duration(timing, self.duration if self.duration_given else None)
        refuse_size(basis, self.points_per_span, self.n)
        self.timing, self.basis, self.duration = timing, basis, duration
        return self

    def clock_bounds(self) -> tuple[Any, Any]:
        """Return lower and upper bounds of the unknown durations [s]."""
        return (np.array(self.timing.lower), np.array(self.timing.upper)) if self.timing.free else self.duration

    def sum_of_durations(self, size: int) -> list[Equation]:
        """Return the bounds of the whole duration, where those of phases do not imply them; durations follow `size` unknowns."""
        timing, (low, high) = self.timing, self.duration
        if not timing.free or (low <= sum(timing.lower) and high >= sum(timing.upper)):
            return []
        return [Equation(size + np.arange(len(timing)), np.ones(len(timing)), low, high, "duration")]
