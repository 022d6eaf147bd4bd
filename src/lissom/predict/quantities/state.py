"""State: the motion of joints and channels at instants, as quantities see it."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...protocol import DrivenRobot
from ...spline import SplinePath
from ..data.motion import Motion
from ..data.phases import Phases

ORDERS = 4  # q, qd, qdd, qddd: always part of a motion


@dataclass(frozen=True, eq=False)
class State:
    """Motion of n columns at K instants: of joints, and of channels where a problem has them.

    Attributes:
        rates: q, qd, qdd and qddd, each (K, n); higher derivatives follow where a quantity of the problem depends on them.
        s: the instants as fractions of the duration (K,), for quantities that depend on them; None where they are not known. Of
            phases with free durations each has its share of the splines instead of its share of the time.
        left: (K,), which instants where phases meet belong to the phase before; None for none.
        durations: (K,), of the clock of each instant [s], see `Phases`; None where they are not known.
    """

    rates: Sequence[np.ndarray]
    s: np.ndarray | None = None
    left: np.ndarray | None = None
    durations: np.ndarray | None = None

    def __len__(self) -> int:
        own = self.rates
        return own.instants if isinstance(own, Taken) else len(own[0])

    def inputs(self, robot: DrivenRobot) -> tuple[np.ndarray, ...]:
        """Return the last inputs of a robot's path tasks; they are searched once."""
        kept = vars(self).get("_inputs")
        if kept is None:
            kept = robot.path_inputs(self.rates[0])
            object.__setattr__(self, "_inputs", kept)
        return kept  # type: ignore[no-any-return]

    def part(self, columns: np.ndarray) -> State:
        """Return the motion of some of the columns, the same object for the same columns; all of them are this state."""
        own = vars(self)
        kept = own.setdefault("_parts", {})
        key = columns.tobytes()
        found = kept.get(key)
        if found is None:
            found = kept[key] = self._part(columns)
        return found  # type: ignore[no-any-return]

    def _part(self, columns: np.ndarray) -> State:
        own = vars(self)
        taken = self.rates if isinstance(self.rates, Taken) else Taken(self.rates)
        if _neighbors(columns.tobytes()) == slice(0, taken.columns):
            return self
        if "_whole" in own:  # of a part: of the whole, so that inputs of robots are searched once
            return own["_whole"].part(own["_columns"][columns])  # type: ignore[no-any-return]
        found = State(taken.part(columns), self.s, self.left, self.durations)
        vars(found).update(_whole=self, _columns=columns)
        return found

    @classmethod
    def along(cls, motion: Motion | SplinePath, t: np.ndarray, orders: int = ORDERS, phases: Phases | None = None) -> State:
        """Return a motion, or a path of joints, at times (K,) [s], with so many derivatives, q counted; `phases` are its own."""
        t = np.asarray(t, dtype=float)
        whole = Motion(motion) if isinstance(motion, SplinePath) else motion
        s = t / motion.duration
        clock = np.clip(np.searchsorted(whole.ends, s, side="right") - 1, 0, len(whole.ends) - 2)
        place = s if phases is None else whole.moved(s, phases.clock_ends, back=True)
        return cls(whole.rates(t, orders), place, durations=whole.durations[clock])


class Taken(Sequence[np.ndarray]):
    """Rates of some instants and columns, without gaps in memory, each taken when it is first asked for.

    Args:
        whole: rates, each (K, n).
        rows, which: instants and columns; None for all.
    """

    def __init__(self, whole: Sequence[np.ndarray], rows: np.ndarray | None = None, which: np.ndarray | None = None) -> None:
        self.whole, self.rows, self.which = whole, rows, which
        self.instants = len(whole[0]) if rows is None else len(rows)
        self.columns = whole[0].shape[1] if which is None else len(which)
        self._slice = None if which is None else _neighbors(which.tobytes())
        self._known: dict[int, np.ndarray] = {}

    def __len__(self) -> int:
        return len(self.whole)

    def __getitem__(self, order: Any) -> Any:
        found = self._known.get(order)
        if found is None:
            if isinstance(order, slice):
                return tuple(self[k] for k in range(*order.indices(len(self))))
            found = self.whole[order] if self.rows is None else self.whole[order].take(self.rows, axis=0)
            if self.which is not None:
                near = self._slice
                found = found.take(self.which, axis=1) if near is None else np.ascontiguousarray(found[:, near])
            self._known[order] = found
        return found

    def part(self, columns: np.ndarray) -> Taken:
        """Return some of the columns."""
        return Taken(self.whole, self.rows, columns if self.which is None else self.which[columns])


@functools.lru_cache(1000)
def _neighbors(which: bytes) -> slice | None:
    """Return columns, given as bytes, as a slice where they follow each other: that is cheaper to take."""
    own = np.frombuffer(which, dtype=int)
    return slice(int(own[0]), int(own[-1]) + 1) if len(own) and (np.diff(own) == 1).all() else None
