"""Motions that repeat: what is equal, mirrored or shifted between the two ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from ...arrays import EntryValues
from ...errors import StateError, suggest
from ...protocol import DrivenRobot
from ...spline.basis import Basis
from ..data.joints import path_names
from ..data.phases import Phases
from ..quantities.by_name import LINEAR
from .ends import between_ends, repeating
from .parts import BothEnds, Equation, Parts, Sum


class WithRepetition:
    """What is equal at both ends of a motion problem."""

    robot: DrivenRobot
    basis: Basis
    parts: Parts
    timing: Phases

    def same_at_both_ends(
        self, *names: str, pairs: Sequence[Sequence[Any]] | None = None, shift: EntryValues | None = None
    ) -> Self:
        """Make position, velocity or acceleration at the end equal to that at the start, for repeating motions.

        Args:
            names: "position", "velocity", "acceleration"; of a robot with elastic drives "jerk" and "snap" too; all for none.
            pairs: (at the start, at the end, sign), for motions that repeat mirrored: joint(end) = sign * joint(start). A joint,
                or a sum of joints: ("hip", "knee"), or with factors {"hip": 1.0, "knee": -0.5}. None: each with itself.
            shift: by how much positions at the end are beyond sign * those at the start [rad or m], such as a step's length: by
                the name of the joint at the end, or one number per pair. Velocities and accelerations are not shifted.
        """
        joints, known = path_names(self.robot), repeating(self.robot)
        every = [_pair(joints, each) for each in ([(j, j, 1.0) for j in joints] if pairs is None else pairs)]
        shifts = _shifts(joints, every, shift)
        for name in names or known:
            if name not in known:
                raise StateError(f"no {name!r} at both ends; {suggest(str(name), known)}")
        if shifts.any() and names and "position" not in names:
            raise StateError(f"shift= is one of positions, but {', '.join(names)} are equal at both ends; add 'position'")
        for name in names or known:
            order = LINEAR.index(name)
            for (start, end, sign), by in zip(every, shifts, strict=True):
                ends = BothEnds(order, start, end, sign, 0.0 if order else float(by))
                self.parts.equations.append(between_ends(self.basis, joints, ends))
        return self

    def repeats(self) -> list[BothEnds]:
        """Return the derivatives that are equal at both ends and not linear in the unknowns: several durations count."""
        return [e.ends for e in self.parts.equations if e.ends is not None and self._several(e)]

    def _several(self, equation: Equation) -> bool:
        return self.timing.free and equation.ends is not None and equation.ends.order > 0


def _pair(joints: Sequence[str], pair: Any) -> tuple[Sum, Sum, float]:
    """Return a pair of sums of joints, and the sign."""
    if isinstance(pair, str) or not isinstance(pair, Sequence) or len(pair) != 3 or pair[2] not in (1, -1):
        raise StateError(f"pair {pair!r}: expected (joint at the start, joint at the end, sign), the sign 1.0 or -1.0")
    return _sum(joints, pair[0]), _sum(joints, pair[1]), float(pair[2])


def _sum(joints: Sequence[str], given: Any) -> Sum:
    """Return numbers and factors of joints: a name, several names, or a mapping of names to factors."""
    one = {given: 1.0} if isinstance(given, str) else given
    factors = one if isinstance(one, Mapping) else dict.fromkeys(one, 1.0) if isinstance(one, Sequence) else {}
    if not factors or (not isinstance(one, Mapping) and len(factors) < len(one)):
        raise StateError(f"a sum of joints is {given!r}, expected a joint, joints (each once), or factors by joint")
    for name, factor in factors.items():
        if name not in joints:
            raise StateError(f"no joint {name!r} with its own coordinates; {suggest(str(name), joints)}")
        if isinstance(factor, str | bool) or np.ndim(factor) or not np.isfinite(factor) or factor == 0.0:
            raise StateError(f"factor of joint {name!r} in a sum is {factor!r}, expected a number that is not zero")
    return tuple((joints.index(name), float(factor)) for name, factor in factors.items())


def _shifts(joints: Sequence[str], pairs: Sequence[tuple[Sum, Sum, float]], given: Any) -> np.ndarray:
    """Return the shift of every pair."""
    if given is None:
        return np.zeros(len(pairs))
    if isinstance(given, Mapping):
        places = {joints[end[0][0]]: k for k, (_, end, _) in enumerate(pairs) if len(end) == 1}
        for name in given:
            if name not in places:
                raise StateError(f"shift: no pair whose joint at the end is {name!r}; {suggest(str(name), places)}")
        found = np.zeros(len(pairs))
        found[[places[name] for name in given]] = list(given.values())
        given = found
    try:
        shifts = np.atleast_1d(np.asarray(given, dtype=float))
    except (TypeError, ValueError):
        shifts = np.full(1, np.nan)
    if shifts.shape != (len(pairs),) or not np.isfinite(shifts).all():
        raise StateError(
            f"shift is {given!r}, expected the finite shifts of {len(pairs)} pairs, or shifts by the names of joints at the end"
        )
    return shifts
