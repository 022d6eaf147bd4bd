"""Neighbors: some cases are solved first, and the others begin with the motion of the nearest of them.

Which ones come first, and where each of the others begins, follows from the values of the cases alone: not from what is done
already, from the number of workers or from the order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ..errors import StateError
from .design import Case, begun_name
from .job import Row
from .refine import Between

FIRST = 1000  # cases at most: each costs a look at all others
DIGITS = 12  # of a distance; those that agree in them are equal


def check_neighbors(count: int, base: str, startable: bool, motions: bool) -> None:
    """Raise StateError where cases of a study cannot begin with motions of others."""
    if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= FIRST:
        raise StateError(f"neighbors is {count!r}, expected how many cases are solved first, a whole number from 1 to {FIRST}")
    if not startable:
        raise StateError(f"neighbors: a {base} does not begin with another's motion; expected a motion problem or a walk")
    if not motions:
        raise StateError("neighbors: cases begin with motions that are kept; leave out 'motions: false'")


def plan(cases: Sequence[Case], count: int) -> tuple[list[Case], dict[str, Case]]:
    """Return all cases, and by the names of those that begin with a motion, the case whose motion it is.

    The first case is the one nearest to the middle of all, each further one that farthest from those before. Numbers count as
    shares of their ranges, texts that differ as a whole range. A case that begins with a motion is another case, by name, than
    one that does not.
    """
    order = sorted(range(len(cases)), key=lambda k: cases[k].id)
    x = _coordinates([cases[k] for k in order])
    chosen = [int(np.argmin(_distances(x, 0.5 * (x.min(axis=0) + x.max(axis=0)))))]
    distance = _distances(x, x[chosen[0]])
    nearest = np.full(len(order), chosen[0])
    while len(chosen) < min(count, len(order)):
        own = distance.copy()
        own[chosen] = -1.0
        chosen.append(int(np.argmax(own)))
        new = _distances(x, x[chosen[-1]])
        nearest[new < distance] = chosen[-1]
        distance = np.minimum(distance, new)
    found, starts = list(cases), {}
    for k in set(range(len(order))) - set(chosen):
        first = cases[order[nearest[k]]]
        found[order[k]] = named = begin_with(cases[order[k]], first)
        starts[named.id] = first
    return found, starts


def _coordinates(cases: Sequence[Case]) -> np.ndarray:
    """Return cases as points (N, D)."""
    columns: list[np.ndarray] = []
    for name in cases[0].values:
        own = [case.values[name] for case in cases]
        if any(isinstance(value, str) for value in own):
            columns += [np.array([value == kind for value in own]) * 0.5**0.5 for kind in sorted({str(value) for value in own})]
        else:
            numbers = np.array(own, dtype=float)
            columns.append((numbers - numbers.min()) / (np.ptp(numbers) or 1.0))
    return np.stack(columns, axis=1)


def _distances(x: np.ndarray, point: np.ndarray) -> np.ndarray:
    return np.round(((x - point) ** 2).sum(axis=1), DIGITS)  # type: ignore[no-any-return]


def begin_between(found: Sequence[Between], rows: Mapping[str, Row]) -> tuple[list[Case], dict[str, Case]]:
    """Return cases of refinement, and by their names the one of their two ends that each begins with, as `plan` does.

    It is the first one that succeeded: refinement waits for all rows of earlier rounds, so that these are the same for everyone.
    """
    cases, starts = [], {}
    for new in found:
        first = next((end for end in new.ends if rows[end.id].success), None)
        cases.append(new.case if first is None else begin_with(new.case, first))
        if first is not None:
            starts[cases[-1].id] = first
    return cases, starts


def begin_with(case: Case, first: Case) -> Case:
    """Return a case under the name that it has where it begins with the motion of another."""
    return replace(case, id=begun_name(case.id, first.id))


def split(cases: Sequence[Case], starts: Mapping[str, Case]) -> tuple[list[Case], list[Case]]:
    """Return the cases that are solved first, and those that begin with their motions."""
    return [case for case in cases if case.id not in starts], [case for case in cases if case.id in starts]
