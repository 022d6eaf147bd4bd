"""Assembly: a configuration of the tree that closes all loops, from any start.

Levenberg and Marquardt's method on all rows at once, along the velocities of the tree, so that quaternions stay normalized.
Where it ends without closure, or with a joint reversed, it starts again nearby. Equations of loops are often redundant, and loops
have to close to rounding: singular values are cut, where `least_squares.py` forms J'J, which would lose half of the digits.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..algorithms.closed.coordinates import inside
from ..errors import StateError
from ..manifold import integrate_configuration
from ..model.loop import checked_posture
from ..model.model import Model
from ..one_thread import one_thread
from .constraints import LARGEST, Constraints

STARTS = 24
WORK = 50_000  # entries of Jacobians and residuals that starts may have together, counting those of one step of each


def assemble(constraints: Constraints, start: np.ndarray, held: Sequence[int] = ()) -> np.ndarray:
    """Return a configuration (nq,) that closes the loops, near `start`.

    Args:
        constraints: the loops.
        start: configuration of the tree to begin with.
        held: velocities whose coordinates stay as they are.

    Raises:
        StateError: nothing was found; the message names the loop that stays open, and by how much.
    """
    model = constraints.model
    free = np.array(sorted(inside(model).difference(held)), dtype=int)
    rng = np.random.default_rng(0)
    best, best_error = start, np.inf
    # of a hundred loops each start takes seconds
    rows = len(constraints.row_units)
    for attempt in range(max(1, min(STARTS, WORK // (rows * (model.nv + 8) + 1)))):
        q = start
        if attempt:
            push = np.zeros(model.nv)
            push[free] = rng.normal(size=len(free)) * constraints.column_units[free] * min(0.1 * 2 ** (attempt / 3), 1.5)
            q = integrate_configuration(model, start, push)
        if not np.isfinite(q).all():
            break
        q = levenberg(constraints, q, free)
        error = float(constraints.error(q))
        if error < best_error:
            best, best_error = q, error
        if error <= constraints.tolerance:
            if not constraints.flipped(q):
                return q
            best_error = np.inf
    raise StateError(_why_open(constraints, best))


def rounded_up(x: float) -> float:
    """Return a little more than x, with one digit."""
    digit = 10.0 ** math.floor(math.log10(x))
    return float(f"{math.ceil(1.05 * x / digit) * digit:.0e}")


def advice_of_tolerance(tolerance: float) -> str:
    """Return advice on how to accept loops that stay open by that much [m]."""
    return (
        f"where lengths are rounded, closure_tolerance={rounded_up(tolerance):g} [m] accepts it (in lissom.load, ClosedRobot or "
        "YAML; --closure-tolerance on the command line)"
    )


def levenberg(constraints: Constraints, q: np.ndarray, free: np.ndarray, steps: int = 100) -> np.ndarray:
    """Return where the method arrives."""
    model, rows, columns = constraints.model, constraints.row_units, constraints.column_units[free]
    damping = 1e-4
    r = constraints.residual(q) / rows
    for _ in range(steps):
        J = constraints.scaled(q)[:, free]
        if not np.isfinite(J).all():  # far away, where nothing closes
            return q
        with one_thread(max(J.shape)):
            U, s, Vt = np.linalg.svd(J, full_matrices=False)
        small = s > 1e-10 * max(float(s[0]), 1e-300) if len(s) else s > 0
        while True:
            step = np.zeros(model.nv)
            factor = np.where(small, s / (s**2 + damping), 0.0)
            step[free] = -(Vt.T @ (factor * (U.T @ r))) * columns
            largest = np.abs(step / constraints.column_units).max(initial=0.0)
            if largest > 0.7:  # a turn of more than that leads anywhere
                step *= 0.7 / largest
            trial = integrate_configuration(model, q, step)
            if not np.isfinite(trial).all():
                return q
            new = constraints.residual(trial) / rows
            if new @ new < r @ r or damping > 1e8:
                break
            damping *= 8.0
        if not new @ new < r @ r:
            return q
        q, r, damping = trial, new, max(damping / 20.0, 1e-18)
        if np.abs(r).max() < 1e-15:
            return q
    return q


def start_configuration(model: Model, posture: Any) -> np.ndarray:
    """Return a configuration of the tree: zero except for joints whose coordinates `posture` gives."""
    found = np.array(model.layout.neutral)
    if posture is None:
        return found
    if not isinstance(posture, Mapping | tuple):
        try:
            found = np.asarray(posture, dtype=float)
        except (TypeError, ValueError):
            found = np.zeros((0, 0))
        if found.shape != (model.nq,) or not np.isfinite(found).all():
            got = f"shape {found.shape}" if found.shape != (0, 0) else repr(posture)[:60]
            raise StateError(
                f"a posture is {{joint: coordinate}}, or all {model.nq} coordinates of the tree as finite numbers; got {got}"
            )
        return found.copy()
    for name, values in checked_posture(posture, model):
        found[model.layout.of(name).q] = values
    return found


def _why_open(constraints: Constraints, q: np.ndarray) -> str:
    model = constraints.model
    flipped = constraints.flipped(q)
    gaps = constraints.by_loop(q)
    loop, (length, angle) = max(gaps.items(), key=lambda item: item[1][0] + item[1][1] * constraints.length)
    open_by = f"{length:.3g} m" + (f" and {angle:.3g} rad" if angle > 1e-12 else "")
    text = f"the loops of {model.name!r} cannot be closed here: loop {loop!r} stays open by {open_by} at best"
    if flipped and length + angle < 1e-6:
        text = f"the loops of {model.name!r} close only with the axis of loop {flipped[0]!r} reversed"
    text += "; check the lengths of its links, or start from another posture"
    error = float(constraints.error(q))
    return f"{text}; {advice_of_tolerance(error)}" if not flipped and error < LARGEST / 2 * constraints.length else text
