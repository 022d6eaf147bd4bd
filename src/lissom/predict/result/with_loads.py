"""Forces of contacts and other loads of a prediction, at any time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...arrays import Times
from ...errors import StateError, suggest
from ...locks import lazy_property
from ...wrench import Wrench
from ..problem.description import Description
from .contact_forces import Balance, balance, loaded_torque
from .loads import external_along, forces_in_world, ground_reactions, link_places

if TYPE_CHECKING:
    from ...view.scene.arrows import Force
    from ..quantities.quantity import Quantity

SUFFIX = "_force"  # of the channel of a contact's forces
FORCE_AXES = ("surface", "world")
CHECKS = 16  # instants between knots at which forces are compared with their splines


class Correction(NamedTuple):
    """How far the forces of contacts are from their splines between knots.

    Attributes:
        change: largest change of a force [N] that makes the torques of undriven joints vanish.
        left: largest torque of an undriven joint [N or N m] that no force of a contact can take, as in flight.
    """

    change: float
    left: float


class WithLoads:
    """What `Prediction` knows of loads."""

    description: Description

    def contact_forces(self, t: Times, *, axes: str = "surface") -> dict[str, np.ndarray]:
        """Return the forces of every contact by its name (..., points, 3) [N] at times, zero while it does not hold.

        Of a split ground, those on every link that may stand on it, as one point.

        They balance the undriven joints at all times; `force_correction` says how far they are from the problem's splines.

        Args:
            t: times [s].
            axes: "surface" for t1, t2, n of the surface, or "world".
        """
        if axes not in FORCE_AXES:
            raise StateError(f"no axes {axes!r} of contact forces; {suggest(str(axes), FORCE_AXES)}")
        times = np.asarray(t, dtype=float)
        if self.description.ground is not None:
            turn = np.eye(3) if axes == "world" else np.array(self.description.ground.ground.axes)
            every = ground_reactions(self, times.ravel())  # type: ignore[arg-type]
            return {one.link: (one.force @ turn).reshape(*times.shape, 1, 3) for one in every}
        loads = self._balance(times).loads
        found = {}
        for channel in self.description.channels:
            if channel.touch is None:
                continue
            entries, touch = loads[channel.name], channel.touch
            if axes == "world":
                poses = link_places(self.description.robot, self._coordinates(times.ravel()))
                parts, _ = forces_in_world(touch, entries, poses)
                own = np.stack(parts, axis=-2)
            else:
                own = np.zeros((len(entries), len(touch.points), 3))
                own[..., list(touch.components)] = entries.reshape(len(entries), len(touch.points), -1)
            found[channel.name.removesuffix(SUFFIX)] = own.reshape(*times.shape, len(touch.points), 3)
        return found

    def replay(self, t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        """Return the torques of drives and loads together (nv,) [N m or N] at a time and a state, for `robot.simulate`.

        External wrenches, channels that push and forces of contacts act at the links where they are at q: with
        `robot.simulate(q0, qd0, prediction.duration, prediction.replay)` the robot moves as predicted, without a ground.
        """
        robot, t = self.description.robot, float(np.clip(t, 0.0, self.path.duration))
        external = self._external(t)
        pushed = 0.0 if external is None else robot.gravity_torques(q) - robot.gravity_torques(q, external=external)
        return np.asarray(self.torques(t) + pushed)

    @lazy_property
    def force_correction(self) -> Correction:
        """How far forces are from their splines, between knots: the largest change, and what no force can balance."""
        ends = np.unique(self.path.basis.span_ends)
        s = (ends[:-1, None] + np.diff(ends)[:, None] * (np.arange(CHECKS) + 0.5) / CHECKS).ravel()
        found = self._balance(s * self.path.duration)
        return Correction(float(found.change.max(initial=0.0)), float(found.left.max(initial=0.0)))

    def _balance(self, times: np.ndarray) -> Balance:
        return balance(self, times.ravel())  # type: ignore[arg-type]

    @lazy_property
    def _loaded_torque(self) -> Quantity:
        return loaded_torque(self.description)

    def _external(self, t: Times, contacts: bool = True) -> Mapping[str, Wrench] | None:
        """Return the external wrenches at times: constant ones, those of channels, and forces of contacts, unless left out."""
        description, times = self.description, np.asarray(t, dtype=float)
        channels = [channel for channel in description.channels if contacts or channel.touch is None]
        if description.ground is not None and contacts:
            return external_along(
                description.robot, description.external, (), _none, lambda: self._coordinates(times), self._supports(times)
            )
        if all(channel.load is None for channel in channels):
            return description.external
        loads = self._balance(times).loads

        def values(name: str) -> np.ndarray:
            return loads[name].reshape(*times.shape, -1)

        return external_along(description.robot, description.external, channels, values, lambda: self._coordinates(times))

    def _supports(self, times: np.ndarray) -> list[tuple[str, Wrench]]:
        """Return the wrenches of a split ground at times, at the origins of its links."""
        poses, found = link_places(self.description.robot, self._coordinates(times.ravel())), []
        for one in ground_reactions(self, times.ravel()):  # type: ignore[arg-type]
            moment = one.couple + np.cross(one.at - poses[one.link][1], one.force)
            force, moment = (x.reshape(*times.shape, 3) for x in (one.force, moment))
            found.append((one.link, Wrench(force, moment, axes="world")))
        return found

    def _coordinates(self, t: np.ndarray) -> np.ndarray:
        """Return coordinates of the robot (..., nq); motors behind springs are not loaded here."""
        return self.description.robot.path_state(self._rates(t))[0]

    def _ground_forces(self, t: np.ndarray) -> list[Force]:
        """Return the force of every contact on its link at times (K,), where the pressure acts, to be drawn."""
        from ...view.scene.arrows import Force

        if self.description.ground is not None:
            every = ground_reactions(self, t)  # type: ignore[arg-type]
            return [Force(f"force of the ground on {one.link}", one.pressure, one.force) for one in every]
        if all(channel.touch is None for channel in self.description.channels):
            return []
        poses, loads, found = link_places(self.description.robot, self._coordinates(t)), self._balance(t).loads, []
        for channel in self.description.channels:
            if channel.touch is not None:
                forces, places = forces_in_world(channel.touch, loads[channel.name], poses)
                F, x = np.stack(forces, axis=1), np.stack(places, axis=1)
                size = np.linalg.norm(F, axis=2, keepdims=True)
                share = np.where(size.sum(axis=1, keepdims=True) > 0, size, 1.0)
                at = (share * x).sum(axis=1) / share.sum(axis=1)
                found.append(Force(f"force of contact {channel.name.removesuffix(SUFFIX)}", at, F.sum(axis=1)))
        return found

    if TYPE_CHECKING:
        path: Any

        def torques(self, t: Any) -> np.ndarray:
            """Return joint torques."""

        def _rates(self, t: Any, more: int = 0) -> list[np.ndarray]: ...


def _none(name: str) -> np.ndarray:
    raise AssertionError(f"no channel {name!r} is a load")
