"""Adaptive refinement: more cases where a response changes most, in rounds that each wait for the one before."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..errors import StateError, suggest
from .design import Case, Design, name_case
from .job import Row
from .parameters import MOST, Parameter, Value

NEIGHBORS = 2  # per parameter: pairs of a case with so many near ones are looked at
NOTABLE = 1e-3  # change of the response, as a share of its range


@dataclass(frozen=True)
class Between:
    """A new case halfway between two others, its ends."""

    case: Case
    ends: tuple[Case, Case]


@dataclass(frozen=True)
class Refinement:
    """More cases halfway between neighbors whose responses differ most, or of which one failed.

    Attributes:
        response: whose changes count.
        count: of new cases in a round.
        rounds: of them.
        least: distance of neighbors, as a share of the range of every parameter, below which nothing is put between them.
    """

    response: str
    count: int = 10
    rounds: int = 3
    least: float = 0.01

    def check(self, parameters: Mapping[str, Parameter], responses: Sequence[str]) -> None:
        """Raise StateError where a study cannot be refined so."""
        if responses and self.response not in responses:
            raise StateError(f"refine: no response {self.response!r}; {suggest(self.response, responses)}")
        for name, value in (("count", self.count), ("rounds", self.rounds)):
            if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 100_000:
                raise StateError(f"refine: {name} is {value!r}, expected a whole number from 1 to 100000")
        if self.count * self.rounds > MOST:
            raise StateError(f"refine: {self.count} cases in {self.rounds} rounds are too many, expected {MOST} together at most")
        if not isinstance(self.least, (int, float)) or not 0 < self.least < 1:
            raise StateError(f"refine: least is {self.least!r}, expected a share between 0 and 1")
        if not parameters:
            raise StateError("refine: only parameters with values of their own can be refined, not those of a table")

    def more(self, design: Design, cases: Sequence[Case], rows: Mapping[str, Row], base: str) -> list[Between]:
        """Return new cases; the same for the same rows, whoever computed them."""
        names = [name for name in design.parameters if all(isinstance(case.values[name], float) for case in cases)]
        if not names:
            raise StateError("refine: no parameter has numbers alone")
        known = [case for case in cases if case.id in rows]
        if len(known) < 2:
            return []
        x = np.array([[case.values[name] for name in names] for case in known], dtype=float)
        low, span = x.min(axis=0), np.ptp(x, axis=0)
        varied = span > 0
        if not varied.any():
            return []
        u = ((x - low) / np.where(varied, span, 1.0))[:, varied]
        y = np.array([rows[case.id].responses.get(self.response, math.nan) for case in known])
        others = [tuple(value for key, value in case.values.items() if key not in names) for case in known]
        found: list[Between] = []
        taken = {_at(case.values) for case in cases}
        for _, a, b in sorted(self._pairs(u, y, others)):
            if len(found) >= self.count:
                break
            values = dict(known[a].values)
            for name in np.array(names)[varied]:
                values[str(name)] = 0.5 * (float(known[a].values[name]) + float(known[b].values[name]))
            if _at(values) not in taken and all(rule(values) for rule in design.where):
                taken.add(_at(values))
                case = name_case(len(cases) + len(found), values, design.seed, base)
                found.append(Between(case, (known[a], known[b])))
        return found

    def _pairs(self, u: np.ndarray, y: np.ndarray, others: Sequence[tuple[Value, ...]]) -> list[tuple[float, int, int]]:
        """Return neighbors that agree in all else, with how much their responses differ, negative: the most first when sorted."""
        from scipy.spatial import cKDTree

        good = np.isfinite(y)
        scale = float(np.ptp(y[good])) if good.any() else 0.0
        found: dict[tuple[int, int], float] = {}
        for kind in dict.fromkeys(others):
            own = np.array([k for k, other in enumerate(others) if other == kind])
            near = cKDTree(u[own]).query(u[own], k=min(1 + NEIGHBORS * u.shape[1], len(own)))[1].reshape(len(own), -1)
            for a, b in ((int(own[k]), int(own[m])) for k, row in enumerate(near) for m in row if m != k):
                distance = float(np.abs(u[a] - u[b]).max())
                if distance < self.least or not (good[a] or good[b]):
                    continue
                change = abs(y[a] - y[b]) / scale if good[a] and good[b] and scale > 0 else float(good[a] != good[b])
                if change > NOTABLE:
                    found[min(a, b), max(a, b)] = change * distance
        return [(-size, a, b) for (a, b), size in found.items()]


def _at(values: Mapping[str, Value]) -> tuple[tuple[str, Value], ...]:
    """Return values so that they can be looked for: the name of a case says where it begins, too."""
    return tuple(sorted(values.items()))
