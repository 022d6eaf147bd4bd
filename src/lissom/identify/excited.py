"""Excited: whether a motion shows all base parameters, and which ones it does not."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..errors import IdentificationError
from ..one_thread import one_thread
from ..parameters import BaseParameters, independent
from .filtering import Filtered
from .identification import known_torques
from .rows import Rows

SHARE = 1e-6  # of a column that has to be independent of the others
STILL = 1e-3  # range [rad or m] below which a joint counts as at rest
MANY = 8  # parameters named in a message
WEAK = 0.1  # of the torques of ordinary motion: uncertainty from which on a parameter counts as weakly excited


def check_excitation(rows: Rows, base: BaseParameters, W: np.ndarray, motions: Sequence[Filtered]) -> None:
    """Raise IdentificationError, naming parameters, where the columns W (N, rows, b) of base parameters are not independent."""
    flat = W.reshape(-1, W.shape[2])
    if len(flat) < W.shape[2]:
        raise IdentificationError(f"{len(flat)} equations do not determine {W.shape[2]} base parameters; record longer")
    size = np.linalg.norm(flat, axis=0)
    names = base.expressions
    still = _still(rows, motions)
    lost = {k for k in range(len(base)) if size[k] <= 1e-12 * size.max()}
    # what only a joint at rest would show is noise of its sensor
    own = {name for joint in still for name in _drive_names(joint)}
    lost |= {k for k in range(len(base)) if base.names[base.columns[k]] in own}
    left = [k for k in range(len(base)) if k not in lost]
    with one_thread(len(left) or 1):
        R = np.asarray(np.linalg.qr(flat[:, left] / size[left], mode="r")) if left else np.zeros((0, 0))
    kept, _, _ = independent(R, range(len(left)), SHARE)
    lost |= set(left) - {left[k] for k in kept}
    if not lost:
        return
    some = [names[k] for k in sorted(lost)]
    listed = "; ".join(some[:MANY]) + (f"; and {len(some) - MANY} more" if len(some) > MANY else "")
    rest = f" Joints at rest: {', '.join(still)}." if still else ""
    raise IdentificationError(
        f"the motion shows {len(base) - len(lost)} of {len(base)} base parameters; these cannot be identified from it: {listed}."
        f"{rest} Move all joints, at different speeds (lissom.identify.excite finds a motion), or hold parameters at the model's "
        "values with known=[...]",
        some,
    )


def weak(base: BaseParameters, values: np.ndarray, errors: np.ndarray, rows: Rows) -> tuple[int, ...]:
    """Return base parameters whose uncertainty (b,) changes the torques of ordinary motion notably.

    That is: their part of torques at random states, with twice their standard error, is more than a tenth of all torques, those
    of parameters that are held included.
    """
    states = [x[:60] for x in rows._random(1, base.columns)]
    Y = rows.columns(base.columns, *states)
    torque = np.sqrt(((Y @ values + known_torques(rows, states)) ** 2).mean(axis=0))
    part = 2.0 * errors * np.sqrt((Y**2).mean(axis=0))
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(part > 0, part / np.maximum(torque, 1e-300)[:, None], 0.0)
    return tuple(np.flatnonzero(share.max(axis=0) > WEAK).tolist())


def _still(rows: Rows, motions: Sequence[Filtered]) -> list[str]:
    """Return the names of velocities along which nothing moves."""
    most = np.zeros(len(rows.names))
    for motion in motions:
        way = motion.data.robot.difference(np.broadcast_to(motion.q[0], motion.q.shape), motion.q)
        most = np.maximum(most, np.abs(way).max(axis=0))
    return [name for name, size in zip(rows.names, most, strict=True) if size < STILL]


def _drive_names(joint: str) -> tuple[str, ...]:
    return tuple(f"{joint}.{what}" for what in ("rotor_inertia", "viscous", "coulomb", "stiffness", "damping"))
