"""Refinement of instants: limits that are broken between instants are enforced there too, until they hold at all times.

An exchange method of semi-infinite programming (Hettich and Kortanek 1993): solve on some instants, find the peaks beyond the
bounds, add them to the instants, solve again from there. The peaks shrink with the square of the distance of instants; where
that does not suffice, the knots are doubled so that the motion can keep the limits.
"""

from __future__ import annotations

import numpy as np

from ..problem.check import MOST_REFINED
from .run import Found, Instants, Run

ROUNDS = 6  # with more instants, on one spline
DOUBLINGS = 1  # of the knots, where rounds do not suffice
WORTH = 0.1  # share of the tolerance from which a peak gets an instant
APART = 0.02  # share of the distance of instants below which two are the same
MOST = 8  # parts into which the interval between two instants is divided at once


def mend(run: Run, tolerance: float) -> None:
    """Solve again in rounds until the limits hold; the run's best motion keeps them, or breaks them least."""
    assert run.best is not None
    now = run.best
    for doubling in range(DOUBLINGS + 1):
        for _ in range(ROUNDS):
            if run.best.broken <= tolerance or run.stopped:
                return
            more = more_instants(now, tolerance)
            if _same(more, now.added):
                break  # equations at knots have as many rows as they may, and contacts hold there: only more knots help
            now = run.solve(now.motion, more, now)
            if not now.good:
                break
            run.add(now, better=now.broken < run.best.broken)
        if run.best.broken <= tolerance or run.stopped or doubling == DOUBLINGS:
            return
        if 2 * len(run.best.motion.path.points) > MOST_REFINED:
            return
        now = run.solve(run.best.motion.refined(), run.best.added)
        if not now.good:
            return
        run.add(now, better=now.broken < run.best.broken)


def more_instants(found: Found, tolerance: float) -> dict[int, np.ndarray]:
    """Return the instants added so far, and more of them where peaks are beyond bounds, the more the higher they are.

    Between instants at a distance h, a smooth function that keeps to a bound there rises above it by about c h^2. Intervals
    with a peak are divided so that this is below the tolerance, and those beside them in two where positions alone are limited.
    """
    grid, basis = np.unique(found.transcription.grid.s), found.transcription.basis
    apart = APART / (len(grid) - 1)
    added = dict(found.added)
    for number, (s, height) in found.findings.peaks.items():
        have = np.unique(np.concatenate([grid, added.get(number, np.zeros(0))]))
        new: list[float] = []
        smooth = found.problem.parts.limits[number].quantity.orders == (0,)  # others have most peaks at knots
        for x, size in zip(s, height, strict=True):
            if not WORTH * tolerance < size < np.inf:
                continue
            near = np.abs(have - x) < apart
            if not near.any():
                k = int(np.searchsorted(have, x))
                parts = min(MOST, int(np.ceil(np.sqrt(2.0 * size / tolerance))))
                new += [x] if parts <= 2 else np.linspace(have[k - 1], have[k], parts + 1)[1:-1].tolist()
                if smooth:  # a peak that may not be here moves next door
                    beside = have[max(k - 2, 0) : k + 2]
                    new += [float(y) for y in 0.5 * (beside[1:] + beside[:-1]) if not have[k - 1] < y < have[k]]
            elif not (basis.place(have[near])[0] == basis.place(np.array(x))[0]).any():
                new.append(x)  # at a knot, but on its left, where quantities that jump have another value
        if new:
            added[number] = np.unique(np.concatenate([added.get(number, np.zeros(0)), new]))
    return added


def _same(one: Instants, two: Instants) -> bool:
    keys = {key for some in (one, two) for key in some if len(some[key])}
    return all(np.array_equal(one.get(key, ()), two.get(key, ())) for key in keys)
