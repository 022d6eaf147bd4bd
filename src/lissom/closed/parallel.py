"""ParallelRobot: a platform on legs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..algorithms.closed import kinematics as closed_kinematics
from ..algorithms.closed import platform
from ..algorithms.closed.closure import Plan
from ..algorithms.loads import chain
from ..arrays import Accelerations, DriveTorques, Positions, TreePositions, Velocities
from ..compiler.backend import Backend
from ..compiler.run import as_array
from ..errors import ModelError, StateError
from ..locks import lazy_property, once_property
from ..manifold import configuration_difference, integrate_configuration
from ..model import Joint, JointKind, LoopKind, Model
from ..tree import lump
from ..wrench import Wrenches
from .assembly import assemble
from .base import Posture
from .constraints import CLOSED
from .measures import Measures
from .mobility import freedom
from .newton import FAR, PIECES
from .plan import make_plan


class ParallelRobot(Measures):
    """A platform on legs (Khalil 2010, section 5): a ClosedRobot that also knows the pose of its platform.

    The platform has its own joints at the base, one floating or planar joint or some prismatic ones, whose coordinates
    are its pose x. Legs are branches of the tree, each closed by one loop on the platform.

    Args:
        model: with loops, and the names of its active joints.
        platform: name of the link that the legs carry.
        backend, posture, closure_tolerance, active: as for ClosedRobot.
    """

    def __init__(
        self,
        model: Model,
        platform: str = "platform",
        *,
        backend: Backend | str | None = None,
        posture: Posture = None,
        closure_tolerance: float | None = None,
        active: Sequence[str] | None = None,
    ) -> None:
        super().__init__(model, backend=backend, posture=posture, closure_tolerance=closure_tolerance, active=active)
        model.link(platform)  # a wrong name raises
        self.platform = platform
        assert self.platform_joints  # raises if the link is not a platform

    @property
    def _choices(self) -> dict[str, Any]:
        return {**super()._choices, "platform": self.platform}

    @lazy_property
    def platform_joints(self) -> tuple[Joint, ...]:
        """Joints between the base and the platform."""
        model, link = self.model, self.platform
        found: list[Joint] = []
        carrier = {joint.child: joint for joint in model.joints}
        while link != model.base:
            if carrier[link].kind is not JointKind.FIXED:
                found.insert(0, carrier[link])
            link = carrier[link].parent
        ends = {end for loop in model.loops for end in (loop.first, loop.second)}
        if not found or self.platform not in ends:
            raise ModelError(f"link {self.platform!r} is not a platform: it must move, and loops must end on it")
        return tuple(found)

    @lazy_property
    def _platform_slices(self) -> tuple[np.ndarray, np.ndarray]:
        """Where the coordinates and velocities of the platform are among those of the tree."""
        names = {joint.name for joint in self.platform_joints}
        q: list[int] = []
        v: list[int] = []
        for place in self.model.layout:
            if place.joint.name in names:
                q += range(place.q.start, place.q.stop)
                v += range(place.v.start, place.v.stop)
        return np.array(q), np.array(v)

    @once_property
    def plan(self) -> Plan:
        """How the closure is solved: along the velocities of the platform, so that each leg is solved on its own."""
        found = make_plan(self.constraints, self.analysis, self._assembled)
        chosen = tuple(int(k) for k in self._platform_slices[1])
        if len(chosen) != len(found.coordinates):
            raise ModelError(
                f"the platform {self.platform!r} has {len(chosen)} velocities at its own joints, and the robot "
                f"{freedom(len(found.coordinates))}; give the platform joints for the motion that the legs allow, or "
                "use ClosedRobot"
            )
        return replace(found, independent=chosen)

    def home_pose(self) -> np.ndarray:
        """Return the pose x of the platform at home."""
        return self._assembled[self._platform_slices[0]]

    def platform_pose(
        self, q: Positions | None, *, near: TreePositions | None = None, tree_q: TreePositions | None = None
    ) -> np.ndarray:
        """Return the pose x of the platform (..., nx) at coordinates q: direct kinematics, on the branch of `near`."""
        return self._tree(q, tree_q, near)[..., self._platform_slices[0]]

    def leg_configuration(self, x: Positions, *, near: TreePositions | None = None) -> np.ndarray:
        """Return the configuration of the tree (..., nq of the tree) with the platform at x (..., nx): inverse kinematics.

        Args:
            x: poses of the platform.
            near: a configuration of the tree (nq of the tree,) that closes the loops; legs follow the platform from there, on its
                branch. None is home.
        """
        start = self._assembled if near is None else self._one(self._closing(near, "near"))
        x = as_array(x, "x", len(self._platform_slices[0]), self.name)
        lead, wanted = x.shape[:-1], x.reshape(-1, x.shape[-1])
        found, good = self._legs(wanted, start)
        if good.all():
            return found.reshape(*lead, self.model.nq)
        k = int(np.flatnonzero(~good)[0])
        where = f" of sample {tuple(int(i) for i in np.unravel_index(k, lead))}" if lead else ""
        raise StateError(self._why_apart(wanted[k], start, where))

    def _legs(self, wanted: np.ndarray, start: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return configurations with the platform at poses (N, nx), and whether its legs followed it there from `start`."""
        places, own = self._platform_slices
        bad = np.argwhere(~np.isfinite(wanted))
        if len(bad):
            raise StateError(
                f"the pose of the platform has {wanted[tuple(bad[0])]} in sample {int(bad[0][0])}; it must be finite"
            )
        target = np.tile(start, (len(wanted), 1))
        target[:, places] = wanted
        way = np.zeros((len(wanted), self.model.nv))
        way[:, own] = configuration_difference(self.model, start, target)[:, own]
        found, good = np.tile(start, (len(wanted), 1)), np.zeros(len(wanted), dtype=bool)
        for pieces in PIECES:
            left = np.flatnonzero(~good)
            at, alive = np.tile(start, (len(left), 1)), np.ones(len(left), dtype=bool)
            for k in range(1, pieces + 1):
                moved = integrate_configuration(self.model, np.tile(start, (len(left), 1)), way[left] * (k / pieces))
                at[:, places] = moved[:, places] if k < pieces else wanted[left]
                at, calm = self._settle(at)
                alive &= calm
                if not alive.any():
                    break
            alive &= self.constraints.error(at) <= max(1e2 * CLOSED * self.constraints.length, self.constraints.tolerance)
            good[left], found[left[alive]] = alive, at[alive]
            if good.all():
                break
        return found, good

    def _settle(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Let the legs follow the platform; return the configurations, and whether no leg jumped to another branch."""
        function = self._function(closed_kinematics.dependent_step, (self.model.nq + self.model.nv,))
        q, calm = np.ascontiguousarray(q), np.ones(len(q), dtype=bool)
        for _ in range(12):
            found = function([q], missing="nan")
            q = np.where(np.isfinite(found[:, : self.model.nq]), found[:, : self.model.nq], q)
            with np.errstate(invalid="ignore"):
                sizes = np.abs(found[:, self.model.nq :] / self.constraints.column_units).max(axis=1)
                calm &= sizes < FAR
                if not (sizes > 1e-8).any():
                    break
        return q, calm

    def _why_apart(self, wanted: np.ndarray, start: np.ndarray, where: str) -> str:
        target = start.copy()
        target[self._platform_slices[0]] = wanted
        try:
            assemble(self.constraints, target, [int(k) for k in self._platform_slices[1]])
        except StateError as error:
            return f"the legs do not reach the platform{where}: {error}"
        return (
            f"the legs do not follow the platform{where} on a straight line: in between one of them is out of reach, or "
            "so stretched or folded that it could change its branch; give near=, a configuration of the tree from which "
            "they can"
        )

    def leg_coordinates(self, x: Positions, *, near: TreePositions | None = None) -> np.ndarray:
        """Return the coordinates q (..., nq) with the platform at poses x (..., nx); `near` as in `leg_configuration`."""
        return self.coordinates(self.leg_configuration(x, near=near))

    def platform_jacobian(
        self, q: Positions | None = None, *, near: TreePositions | None = None, tree_q: TreePositions | None = None
    ) -> np.ndarray:
        """Return J_p (..., nx, nq): velocities of the platform along its own joints are J_p qd (60)."""
        return self.velocity_matrix(q, near=near, tree_q=tree_q)[..., self._platform_slices[1], :]

    def platform_inverse_dynamics(
        self,
        x: Positions,
        xd: Velocities,
        xdd: Accelerations,
        *,
        external: Wrenches | None = None,
        tree_q: TreePositions | None = None,
    ) -> np.ndarray:
        """Return the torques of the active joints, given the motion of the platform (66); by platform and legs.

        Args:
            x: poses of the platform (..., nx); None where `tree_q` gives them.
            xd, xdd: its velocities and accelerations (..., n), along its own joints.
            external: wrenches on links.
            tree_q: configurations of the tree, if known.
        """
        self._need_balls()
        state = [self._place(x, tree_q), *(as_array(v, name, self.nv, self.name) for name, v in (("xd", xd), ("xdd", xdd)))]
        loads, options = self._loads(external, None)
        return self._run(platform.platform_inverse_dynamics, [*state, *loads], (len(self.torque_names),), **options)

    def platform_forward_dynamics(
        self,
        x: Positions,
        xd: Velocities,
        tau: DriveTorques,
        *,
        external: Wrenches | None = None,
        tree_q: TreePositions | None = None,
    ) -> np.ndarray:
        """Return the acceleration of the platform (..., n) under torques of the active joints; by platform and legs."""
        self._need_balls()
        forces = as_array(tau, "tau", len(self.torque_names), self.name)
        state = [self._place(x, tree_q), as_array(xd, "xd", self.nv, self.name), forces]
        loads, options = self._loads(external, None)
        return self._run(platform.platform_forward_dynamics, [*state, *loads], (self.nv,), **options)

    def _place(self, x: Any, tree_q: Any) -> np.ndarray:
        return self.leg_configuration(x) if tree_q is None else as_array(tree_q, "tree_q", self.model.nq, self.name)

    def _need_balls(self) -> None:
        if self.plan.gaps:
            raise ModelError(
                "this method needs loops that close exactly; use inverse_dynamics and forward_dynamics for robots with a closure "
                "tolerance"
            )
        tree = lump(self.model)
        for loop in self.model.loops:
            lengths = {
                len({b.iv + k for b in map(tree.bodies.__getitem__, chain(tree, tree.places[link][0])) for k in range(b.kind.nv)})
                for link in (loop.first, loop.second)
            }
            if loop.kind is not LoopKind.SPHERICAL or not lengths <= {3, self.nv}:
                raise ModelError(
                    f"loop {loop.name!r} is not a ball joint between a leg of three velocities and the platform, as this method "
                    "needs; use inverse_dynamics and forward_dynamics"
                )
