"""Forces of contacts along a motion that was found, which balance it at all times.

Forces are splines that balance the undriven joints at knots. Between these a little is missing, since what they balance is no
spline. The smallest change of the forces of the contacts that hold at an instant makes the rows of the undriven joints vanish:
    A df = -tau_u    A = d tau_u / d f    df = -A' (A A')^-1 tau_u
Where fewer forces act than there are such rows, as in flight, what is left is the motion's own.
Symbols: tau_u torques of undriven joints [N or N m] | f forces [N].
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..data.joints import path_names
from ..quantities.by_name import Quantities
from ..quantities.quantity import Quantity
from ..quantities.state import ORDERS, State

if TYPE_CHECKING:
    from ...protocol import DrivenRobot
    from ..problem.description import Description
    from .prediction import Prediction

RANK = 1e-9  # share of the largest singular value below which forces cannot balance a row


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
    told = prediction.description
    splines = {channel.name: prediction.channels[channel.name] for channel in told.channels if channel.load is not None}
    touching = {channel.name for channel in told.channels if channel.touch is not None}
    found = {name: np.array(spline.at(t)) for name, spline in splines.items()}
    free = undriven_columns(told.robot, told.undriven)
    none = np.zeros(len(t))
    if not touching or not free:
        return Balance(found, none, none)
    torque = prediction._loaded_torque
    n = prediction.path.points.shape[1]
    path = [prediction.path.rate(t, order) for order in range(ORDERS)]
    alive = np.concatenate(
        [
            np.broadcast_to(_alive(prediction, name, t)[:, None] & (name in touching), found[name].shape)
            for name in torque.channels
        ],
        axis=1,
    )
    entries = np.concatenate([found[name] for name in torque.channels], axis=1)
    A = np.array(torque.derivatives(_state(path, entries))[0][:, free, n:]) * alive[:, None, :]
    start, left = entries.copy(), none
    for _ in range(2):  # it is linear: the second time takes what rounding left
        tau = torque.values(_state(path, entries))[:, free]
        inverse = np.linalg.pinv(A, rcond=RANK)
        entries = entries - (inverse @ tau[..., None])[..., 0]
    left = np.abs(torque.values(_state(path, entries))[:, free]).max(axis=1)
    ends = np.cumsum([found[name].shape[1] for name in torque.channels])[:-1]
    loads = dict(zip(torque.channels, np.split(entries, ends, axis=1), strict=True))
    return Balance(loads, np.abs(entries - start).max(axis=1, initial=0.0), left)


def _alive(prediction: Prediction, name: str, t: np.ndarray) -> np.ndarray:
    """Return whether a channel lives at times (K,)."""
    basis = prediction.channels[name].basis
    return basis.inside(t / prediction.duration) if hasattr(basis, "inside") else np.ones(len(t), dtype=bool)


def _state(path: list[np.ndarray], entries: np.ndarray) -> State:
    still = np.zeros_like(entries)
    return State(tuple(np.concatenate([rate, still if k else entries], axis=1) for k, rate in enumerate(path)))
