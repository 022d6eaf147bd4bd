"""Loads along a motion: constant wrenches, those of channels and forces of contacts, as one wrench for each link."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...algorithms.contacts.ground_split import reaction_entries
from ...algorithms.contacts.loads import Touch
from ...protocol import DrivenRobot
from ...wrench import Wrench
from ..data.channels import Channel
from ..data.motion import Motion
from ..quantities.by_name import Quantities
from ..quantities.quantity import Quantity
from ..quantities.state import ORDERS, State

if TYPE_CHECKING:
    from ..problem.description import Description
    from .prediction import Prediction


class Reaction(NamedTuple):
    """Force [N] and couple [N m] of the ground on a link, at a point (K, 3) [m], and where its pressure acts, in the world."""

    link: str
    force: np.ndarray
    couple: np.ndarray
    at: np.ndarray
    pressure: np.ndarray


Acting = tuple[np.ndarray, np.ndarray, np.ndarray]  # force, moment and the point where they act, along the world's axes


def external_along(
    robot: DrivenRobot,
    external: Mapping[str, Wrench] | None,
    channels: Sequence[Channel],
    values: Callable[[str], np.ndarray],
    q: Callable[[], np.ndarray],
    more: Sequence[tuple[str, Wrench]] = (),
) -> Mapping[str, Wrench] | None:
    """Return the external wrenches on links at some times, with leading axes (...).

    Args:
        robot: the robot.
        external: constant wrenches.
        channels: unknown functions of time, some of which are loads.
        values: entries (..., size) of a channel by its name.
        q: coordinates of the robot (..., nq) at these times; asked for where wrenches of one link have to be added up.
        more: further wrenches on links.
    """
    listed: list[tuple[str, Wrench]] = [*(external or {}).items(), *more]
    touches: list[tuple[Touch, np.ndarray]] = []
    for channel in channels:
        if channel.link is not None:
            listed.append((channel.link, channel.wrench(values(channel.name))))
        elif channel.touch is not None:
            touches.append((channel.touch, values(channel.name)))
    links = [link for link, _ in listed]
    if not touches and len(set(links)) == len(links):
        return dict(listed) or None
    poses = link_places(robot, q())
    found: dict[str, list[Acting]] = {}
    for link, wrench in listed:
        R, p = poses[link]
        turn = R if wrench.axes == "link" else np.eye(3)
        force, moment = _turned(turn, wrench.force), _turned(turn, wrench.moment)
        found.setdefault(link, []).append((force, moment, _turned(R, wrench.point) + p))
    for touch, entries in touches:
        for force, place in zip(*forces_in_world(touch, entries, poses), strict=True):
            found.setdefault(touch.link, []).append((force, np.zeros(3), place))
            if touch.surface is not None:
                found.setdefault(touch.surface, []).append((-force, np.zeros(3), place))
    return {link: _added(acting, poses[link][1]) for link, acting in found.items()}


def forces_in_world(
    touch: Touch, entries: np.ndarray, poses: Mapping[str, tuple[np.ndarray, np.ndarray]]
) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Return the force (..., 3) [N] at every point of a contact, along the world's axes, and where it acts [m]."""
    own = np.zeros((*entries.shape[:-1], len(touch.points), 3))
    own[..., list(touch.components)] = entries.reshape(*entries.shape[:-1], len(touch.points), -1)
    axes = np.array(touch.axes)
    A = axes if touch.surface is None else poses[touch.surface][0] @ axes
    R, p = poses[touch.link]
    return [_turned(A, own[..., k, :]) for k in range(len(touch.points))], [_turned(R, x) + p for x in touch.points]


def link_places(robot: DrivenRobot, q: np.ndarray) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return rotation (..., 3, 3) and origin (..., 3) of every link, given coordinates of the robot (..., nq)."""
    every = robot.poses_along(q.reshape(-1, q.shape[-1])).reshape(*q.shape[:-1], -1, 4, 4)
    return {name: (every[..., k, :3, :3], every[..., k, :3, 3]) for k, name in enumerate(robot.link_names)}


def loaded_quantities(description: Description) -> Quantities:
    """Return the quantities of a motion's robot under its loads."""
    quantities = Quantities(description.robot, description.external)
    for channel in description.channels:
        quantities = quantities.with_channel(channel, ())
    return quantities


def reaction_state(prediction: Prediction, t: np.ndarray, quantity: Quantity) -> State:
    """Return the motion of a prediction at times (K,) as a quantity of the reaction of the ground sees it."""
    description = prediction.description
    assert description.ground is not None
    channels = {name: prediction.channels[name] for name in quantity.channels}
    return State.along(Motion(prediction.path, channels, prediction.ends), t, ORDERS, description.ground.timing)


def ground_reactions(prediction: Prediction, t: np.ndarray) -> list[Reaction]:
    """Return the ground reactions on supports at times (K,), along the axes of the world; see `contacts/ground_split.py`."""
    description = prediction.description
    assert description.ground is not None
    ground = description.ground.ground
    whole = loaded_quantities(description).with_ground(description.ground).reaction()
    y = whole.values(reaction_state(prediction, t, whole))
    places = reaction_entries(description.robot.model, ground)
    axes, origin, found = np.array(ground.axes), np.array(ground.origin), []
    for k, link in enumerate(ground.links):
        force = y[:, places["force"]][:, 3 * k : 3 * k + 3]
        couple, anchor = (y[:, places["pressure"]][:, 8 * k + 3 * j : 8 * k + 3 * j + 3] for j in range(2))
        pressure = np.concatenate([y[:, places["pressure"]][:, 8 * k + 6 : 8 * k + 8], anchor[:, 2:]], axis=1)
        at, under = (x @ axes.T + origin for x in (anchor, pressure))
        found.append(Reaction(link, force @ axes.T, couple @ axes.T, at, under))
    return found


def _turned(R: np.ndarray, x: object) -> np.ndarray:
    return (R @ np.asarray(x, dtype=float)[..., None])[..., 0]  # type: ignore[no-any-return]


def _added(acting: Sequence[Acting], origin: np.ndarray) -> Wrench:
    """Return the sum of wrenches, about the origin of a link, along the world's axes."""
    force = sum(f for f, _, _ in acting)
    moment = sum(m + np.cross(p - origin, f) for f, m, p in acting)
    force, moment = np.broadcast_arrays(force, moment)
    return Wrench(force, moment, axes="world")
