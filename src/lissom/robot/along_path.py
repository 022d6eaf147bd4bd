"""A tree along a path of its joints, for prediction, timing and control (`protocol.py`).

Of a robot with elastic drives the path is that of the joints; the motion of the motors follows from its higher derivatives. Of
floating, spherical and planar joints the path has one column per velocity (`algorithms/derivatives/chart.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..algorithms.contacts import ground_split
from ..algorithms.derivatives import chart
from ..algorithms.derivatives.tasks import inverse_dynamics_derivatives
from ..algorithms.dynamics import energy, inverse_dynamics, momentum, path_tasks
from ..algorithms.elastic import path_tasks as elastic
from ..algorithms.elastic.links import link_places
from ..algorithms.elastic.motors import drive_deflections, elastic_inverse_dynamics, refuse_entangled
from ..algorithms.kinematics import clearances, points_and_distances, task_space
from ..algorithms.rates import tasks as rates_tasks
from ..compiler.task import Task
from ..errors import StateError
from ..locks import lazy_property
from ..model import names
from ..protocol import PathTask
from ..simulate.trajectory import Trajectory
from ..wrench import Wrench
from .elastic import DriveMotion, ElasticDrives
from .kinematics import Kinematics
from .path_entries import path_entries
from .rates import Rates
from .sensitivities import Sensitivities

PLACES: dict[str, Callable[..., Task]] = {
    "link_position": points_and_distances.point_position,
    "link_rotation": points_and_distances.link_rotation,
    "distance_squared": points_and_distances.distance_squared,
    "swing_product": points_and_distances.swing_product,
    "squared_distances": clearances.squared_distances,
    "segment_ends": clearances.segment_ends,
    "center_of_mass": momentum.center_of_mass,
    "orientation": task_space.orientation,
    "link_pose": task_space.link_pose,
    "tilt": task_space.tilt,
}
# functions of velocities and accelerations of joints, not of motors, with their weights
MOTIONS: dict[str, tuple[Callable[..., Task], int]] = {
    "link_velocity": (task_space.point_velocity, 1),
    "speed_squared": (task_space.speed_squared, 2),
    "link_acceleration": (task_space.point_acceleration, 2),
    "center_of_mass_velocity": (momentum.center_of_mass_velocity, 1),
}
RIGID = {
    "torque_rate": PathTask(rates_tasks.joint_torque_rates, changing=True),
    "power": PathTask(path_tasks.power),
    "joint_wrench": PathTask(path_tasks.joint_wrench),
    "joint_wrench_rate": PathTask(rates_tasks.joint_wrench_rate, changing=True),
    "kinetic_energy": PathTask(energy.kinetic_energy, loaded=False),
    "momentum": PathTask(momentum.momentum, loaded=False, weight=1),
    **{name: PathTask(maker, loaded=False, weight=weight) for name, (maker, weight) in MOTIONS.items()},
    **{name: PathTask(maker, loaded=False) for name, maker in PLACES.items()},
}
# reactions of the ground, which need a description of it: for motion problems
GROUND = {
    "ground_reaction": PathTask(ground_split.ground_reaction),
    "ground_power": PathTask(ground_split.ground_power),
    "ground_wrench": PathTask(ground_split.ground_wrench),
}
# weights: springs deflect with qdd, motors follow, and their torques need its second derivative
SPRING, TORQUE = 2, 4
ELASTIC = {
    "torque": PathTask(elastic.motor_forces, weight=TORQUE),
    "torque_rate": PathTask(elastic.motor_torque_rates, weight=TORQUE + 1),
    "power": PathTask(elastic.motor_power, weight=TORQUE + SPRING + 1),
    "joint_wrench": PathTask(elastic.with_motors, {"inner": path_tasks.joint_wrench, "loaded": True}, weight=TORQUE),
    "joint_wrench_rate": PathTask(
        elastic.with_motors, {"inner": rates_tasks.joint_wrench_rate, "loaded": True, "changing": True}, weight=TORQUE + 1
    ),
    "kinetic_energy": PathTask(elastic.with_motors, {"inner": energy.kinetic_energy, "loaded": False}, weight=2 * (SPRING + 1)),
    "momentum": PathTask(elastic.with_motors, {"inner": momentum.momentum, "loaded": False}, weight=SPRING + 1),
    **{name: PathTask(elastic.of_joints, {"inner": maker}, False, weight) for name, (maker, weight) in MOTIONS.items()},
    "deflection": PathTask(drive_deflections, weight=SPRING),
    "motor_position": PathTask(elastic.motor_rate, {"order": 0}, weight=SPRING),
    "motor_velocity": PathTask(elastic.motor_rate, {"order": 1}, weight=SPRING + 1),
    **{name: PathTask(elastic.of_joints, {"inner": maker}, loaded=False) for name, maker in PLACES.items()},
}
# theta, its rates and tau together, which results ask for
DRIVES = {"drive_motion": PathTask(elastic_inverse_dynamics)}


class AlongPath(Rates, Sensitivities, Kinematics, ElasticDrives):
    """Functions of a robot along a path of its joints."""

    @lazy_property
    def _charted(self) -> bool:
        return chart.is_charted(self.model)

    @lazy_property
    def path_columns(self) -> tuple[str, ...]:
        """Names of the columns of a path: of joints, with a suffix where one has several; without motors behind springs.

        A floating joint has "base_x", "base_y", "base_z" [m] and "base_rx", "base_ry", "base_rz" [rad], the rotation vector r
        whose exponential is its rotation; a spherical one r alone, a planar one "x", "y" and "angle".
        """
        return names.path_columns(self.model)[: self.link_nv]

    @property
    def path_order(self) -> int:
        """Highest derivative of a path that torques depend on: 2, and 4 with motors behind springs."""
        return TORQUE if self.n_elastic else 2

    @property
    def path_quantities(self) -> tuple[str, ...]:
        """Names that `path_task` knows.

        Raises:
            ModelError: a path does not determine the motion of motors behind springs; the message says why.
        """
        if not self.n_elastic:
            return ("torque", *RIGID)
        refuse_entangled(self.model)
        return tuple(ELASTIC)

    def path_task(self, name: str, **options: Any) -> PathTask:
        """Return a quantity as a function of a path; `options` are those of its maker: link, point, joint, ..."""
        if name == "torque" and not self.n_elastic:
            # joints on different branches do not affect each other
            makers = (inverse_dynamics.inverse_dynamics, inverse_dynamics_derivatives)
            maker, analytic = (chart.charted_torques, chart.charted_torque_derivatives) if self._charted else makers
            return PathTask(maker, weight=2, derivatives=analytic, entries=self.derivatives_entries)
        task = ({**ELASTIC, **DRIVES} if self.n_elastic else {**RIGID, **GROUND})[name]
        entries = path_entries(self.model, name, self.link_nv, options)
        if entries is None and not self.n_elastic and name in ("torque_rate", "power"):
            entries = self.derivatives_entries
        task = task._replace(entries=entries)
        if self._charted:
            return task._replace(maker=chart.charted, options={"robot_task": task.maker, **task.options, **options})
        return task._replace(options={**task.options, **options})

    def path_inputs(self, q: np.ndarray) -> tuple[np.ndarray, ...]:
        """Return nothing: path tasks of a tree have no inputs other than the path and wrenches."""
        return ()

    def path_function(self, maker: Callable[..., Task], shape: tuple[int, ...], **options: Any) -> Callable[..., np.ndarray]:
        """Return the compiled function of a path task, or of derivatives of one: of its arguments and out=."""
        return self._quick(maker, shape, **options)

    def path_state(self, rates: Sequence[np.ndarray], *, external: Mapping[str, Wrench] | None = None) -> tuple[np.ndarray, ...]:
        """Return q (..., nq), qd and qdd (..., nv) of joints and motors, given a path and its derivatives up to `path_order`."""
        if not self.n_elastic:
            return self.joint_state(rates[:3])
        drives = self._driven(rates, external)
        motors = (drives.theta, drives.theta_rate, drives.theta_acceleration)
        return tuple(np.concatenate(both, axis=-1) for both in zip(self.joint_state(rates[:3]), motors, strict=True))

    def path_torques(self, rates: Sequence[np.ndarray], *, external: Mapping[str, Wrench] | None = None) -> np.ndarray:
        """Return tau (..., nv), given a path and its derivatives up to `path_order`; zero at joints behind springs."""
        if self.n_elastic:
            return self._driven(rates, external).tau
        q, qd, qdd = self.joint_state(rates[:3])
        return self.inverse_dynamics(q, qd, qdd, external=external)

    def path_torque_rates(self, rates: Sequence[np.ndarray], *, external: Mapping[str, Wrench] | None = None) -> np.ndarray:
        """Return the rates of tau (..., nv), given a path and its derivatives up to one more than `path_order`."""
        if self.n_elastic:
            q, qd, qdd, qddd, *higher = self.joint_state(rates[:6])
            return self.elastic_torque_rates(q, qd, qdd, qddd, higher[0], higher[1], external=external)
        q, qd, qdd, qddd = self.joint_state(rates[:4])
        return self.torque_rates(q, qd, qdd, qddd, external=external)

    def path_at(self, q: np.ndarray) -> np.ndarray:
        """Return the columns of a path (..., n) at coordinates of the joints (..., nq); rotations of at most half a turn."""
        q = self._expect_turns(self._of_joints(q, "q", self.nq - self.n_elastic), "q")  # type: ignore[attr-defined]
        if not self._charted:
            return q
        return np.concatenate([at.kind.traits.to_path(q[..., at.q]) for at in link_places(self.model)], axis=-1)

    def joint_state(self, rates: Sequence[np.ndarray]) -> tuple[np.ndarray, ...]:
        """Return q, qd, qdd, ... of the joints, without motors behind springs, given a path and as many of its derivatives."""
        if not isinstance(rates, Sequence | np.ndarray) or isinstance(rates, str):
            raise StateError(f"rates must be a list of arrays: a path and its derivatives; got {type(rates).__name__}")
        if not self._charted:
            return tuple(rates)
        if len(rates) == 1:  # one output
            return (self._function(chart.robot_state, (self.nq - self.n_elastic,), order=0)(list(rates)),)
        return self._function(chart.robot_state, (), order=len(rates) - 1)(list(rates))  # type: ignore[no-any-return]

    def _driven(self, rates: Sequence[np.ndarray], external: Mapping[str, Wrench] | None) -> DriveMotion:
        q, qd, qdd, qddd, qdddd = self.joint_state(rates[:5])
        return self.elastic_inverse_dynamics(q, qd, qdd, qddd, qdddd, external=external)

    def reachable(self, q: np.ndarray) -> np.ndarray:
        """Return whether the robot can be at coordinates (K, nq): everywhere."""
        return np.ones(len(q), dtype=bool)

    def expect_reach(self, q: np.ndarray) -> None:
        """Do nothing: a tree can be anywhere."""

    def poses_along(self, q: np.ndarray) -> np.ndarray:
        """Return the poses of all links (K, n_links, 4, 4) along a motion (K, nq)."""
        return self.link_poses(q)

    def as_trajectory(
        self,
        t: np.ndarray,
        q: np.ndarray,
        qd: np.ndarray,
        qdd: np.ndarray,
        tau: np.ndarray,
        *,
        external: Mapping[str, Wrench] | None = None,
    ) -> Trajectory:
        """Return a motion as a trajectory of this robot: t (T,), q (T, nq), qd, qdd and tau (T, nv)."""
        return Trajectory(self, t, q, qd, qdd, tau, external=external)  # type: ignore[arg-type]
