"""Forces of contacts along a motion that was found, which balance it at all times.

Forces are splines that balance the undriven joints at knots. Between these a little is missing, since what they balance is no
spline. A change of the forces of the contacts that hold at an instant makes the rows of the undriven joints vanish, the smallest
one in a norm that keeps them pushing within their friction (`data/friction.py`):
    A df = -tau_u    A = d tau_u / d f    df = -W A' (A W A')^-1 tau_u
Where fewer forces act than there are such rows, as in flight, what is left is the motion's own. Forces on robots with motors
behind springs stay as they are, since motors would have to follow the rates of a change.
Symbols: tau_u torques of undriven joints [N or N m] | f forces [N] | W freedom of each point's force.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..data.channels import Channel
from ..data.joints import path_names
from ..data.part import AnyPath, PartBasis
from ..problem.undriven import weight_of
from ..quantities.by_name import Quantities
from ..quantities.quantity import Quantity
from ..quantities.state import ORDERS, State

if TYPE_CHECKING:
    from ...protocol import DrivenRobot
    from ..problem.description import Description
    from .prediction import Prediction

RANK = 1e-9  # share of the largest singular value below which forces cannot balance a row
NEAREST = 1e-3  # distance of a force from a face that counts at least, as a share of the weight


class Balance(NamedTuple):
    """Loads at K instants.

    Attributes:
        loads: entries (K, size) of the channels that are loads, by name; forces of contacts are corrected.
        change: largest change of an entry of a force (K,) [N].
        left: largest torque of an undriven joint that is left (K,) [N or N m].
    """

    loads: dict[str, np.ndarray]
    change: np.ndarray
    left: np.ndarray


def loaded_torque(description: Description) -> Quantity:
    """Return the torques of a problem's robot, as a quantity of its path and of its loads."""
    quantities = Quantities(description.robot, description.external)
    for channel in description.channels:
        if channel.load is not None:
            quantities = quantities.with_channel(channel, ())
    return quantities.get("torque")


def undriven_columns(robot: DrivenRobot, names: tuple[str, ...]) -> list[int]:
    """Return the columns of a path by name."""
    every = path_names(robot)
    return [every.index(name) for name in names]


def balance(prediction: Prediction, t: Any) -> Balance:
    """Return the loads at times t (K,) [s]."""
    description = prediction.description
    splines = {channel.name: prediction.channels[channel.name] for channel in description.channels if channel.load is not None}
    touching = {channel.name for channel in description.channels if channel.touch is not None}
    found = {name: np.array(spline.at(t)) for name, spline in splines.items()}
    free = undriven_columns(description.robot, description.undriven)
    none = np.zeros(len(t))
    if not touching or not free:
        return Balance(found, none, none)
    if description.robot.n_elastic:  # motors would have to follow the rates of a correction
        return Balance(found, none, np.abs(prediction.imbalance(t)).max(axis=1))
    torque = prediction._loaded_torque
    path = [prediction.path.rate(t, order) for order in range(ORDERS)]
    start = np.concatenate([found[name] for name in torque.channels], axis=1)
    entries, left = balanced(
        torque, description.channels, splines, free, path, start, t / prediction.duration, weight_of(description.robot)
    )
    ends = np.cumsum([found[name].shape[1] for name in torque.channels])[:-1]
    loads = dict(zip(torque.channels, np.split(entries, ends, axis=1), strict=True))
    return Balance(loads, np.abs(entries - start).max(axis=1, initial=0.0), left)


def balanced(
    torque: Quantity,
    channels: Sequence[Channel],
    splines: Mapping[str, AnyPath],
    free: Sequence[int],
    path: Sequence[np.ndarray],
    entries: np.ndarray,
    s: np.ndarray,
    weight: float,
) -> tuple[np.ndarray, np.ndarray]:
    """Return entries of loads (K, size) whose contacts balance the undriven columns, and the largest row that is left (K,).

    Args:
        torque: torques as a quantity of the path and of loads.
        channels: of the motion.
        splines: of these channels, by name.
        free: undriven columns by number.
        path: the path and its rates (K, n).
        entries: of the loads of `torque`, in its order.
        s: the instants, as fractions of the duration (K,).
        weight: of the robot [N].
    """
    known, n = {channel.name: channel for channel in channels}, path[0].shape[1]
    J = np.array(torque.derivatives(_state(path, entries))[0][:, free, n:])
    if not (np.isfinite(J).all() and np.isfinite(entries).all()):  # of a search that failed: nothing to correct
        return entries, np.full(len(entries), np.inf)
    A, weighted, freedoms, at = np.zeros_like(J), np.zeros_like(J), [], 0
    for name in torque.channels:
        channel, size = known[name], len(known[name].labels)
        if channel.touch is not None and channel.friction is not None:
            alive = _alive(splines[name].basis, s)[:, None, None]
            step = len(channel.touch.components)
            for k in range(at, at + size, step):
                own = slice(k, k + step)
                L = np.linalg.cholesky(channel.friction.freedom(channel.touch.components, entries[:, own], NEAREST * weight))
                A[:, :, own] = J[:, :, own] * alive
                weighted[:, :, own] = A[:, :, own] @ L
                freedoms.append((own, L))
        at += size

    def missing() -> np.ndarray:
        return torque.values(_state(path, entries))[:, free]

    change = -(np.linalg.pinv(weighted, rcond=RANK) @ missing()[..., None])
    entries = entries.copy()
    for own, L in freedoms:
        entries[:, own] += (L @ change[:, own])[..., 0]
    # it is linear: the second time, with all forces alike, takes what rounding left
    entries = entries - (np.linalg.pinv(A, rcond=RANK) @ missing()[..., None])[..., 0]
    return entries, np.abs(missing()).max(axis=1)


def _alive(basis: object, s: np.ndarray) -> np.ndarray:
    """Return whether a channel lives at instants (K,)."""
    return basis.inside(s) if isinstance(basis, PartBasis) else np.ones(len(s), dtype=bool)


def _state(path: Sequence[np.ndarray], entries: np.ndarray) -> State:
    still = np.zeros_like(entries)
    return State(tuple(np.concatenate([rate, still if k else entries], axis=1) for k, rate in enumerate(path)))
