"""A closed robot along a path of its coordinates, for prediction, timing and control (`protocol.py`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..algorithms.closed import motion as tasks
from ..algorithms.dynamics import energy, momentum
from ..arrays import Positions
from ..compiler.run import as_array
from ..compiler.task import Task
from ..locks import once_property
from ..protocol import PathTask
from ..robot.along_path import MOTIONS, PLACES
from ..robot.base import RobotBase, task_key
from ..wrench import Wrenches
from .simulation import ClosedSimulation
from .trajectory import ClosedTrajectory

TASKS = {
    "torque": PathTask(tasks.torque, weight=2),
    "torque_rate": PathTask(tasks.torque_rate, changing=True),
    "power": PathTask(tasks.power),
    "joint_wrench": PathTask(tasks.joint_wrench, weight=2),
    "joint_wrench_rate": PathTask(tasks.joint_wrench_rate, changing=True),
    "kinetic_energy": PathTask(tasks.moving, {"inner": energy.kinetic_energy}, loaded=False, weight=2),
    "momentum": PathTask(tasks.moving, {"inner": momentum.momentum}, loaded=False, weight=1),
    **{name: PathTask(tasks.place, {"inner": maker}, loaded=False) for name, maker in PLACES.items()},
    **{name: PathTask(tasks.moving, {"inner": maker}, False, weight) for name, (maker, weight) in MOTIONS.items()},
    "regularity": PathTask(tasks.regularity, loaded=False),
}


class ClosedAlongPath(ClosedSimulation):
    """Functions of a closed robot along a path of its coordinates."""

    @property
    def path_columns(self) -> tuple[str, ...]:
        """Names of the columns of a path: the active joints."""
        return self.joint_names

    @property
    def path_order(self) -> int:
        """Highest derivative of a path that torques depend on: 2."""
        return 2

    @property
    def path_quantities(self) -> tuple[str, ...]:
        """Names that `path_task` knows."""
        return tuple(TASKS)

    def path_task(self, name: str, **options: Any) -> PathTask:
        """Return a quantity as a function of a path; `options` are those of its maker: link, point, joint, ..."""
        if name == "regularity":
            options["at_home"] = self._regularity_at_home
        return TASKS[name]._replace(options={"plan": self.plan, **TASKS[name].options, **options})

    def path_inputs(self, q: np.ndarray) -> tuple[np.ndarray, ...]:
        """Return the configurations of the tree (K, nq of the tree) at coordinates (K, nq); NaN out of reach."""
        start = np.tile(self.home_tree_q(), (len(q), 1))
        solved = self._newton().from_home(np.ascontiguousarray(q), self.coordinates(start), start)
        return (np.where(solved.good[:, None], solved.q, np.nan),)

    def path_function(self, maker: Callable[..., Task], shape: tuple[int, ...], **options: Any) -> Callable[..., np.ndarray]:
        """Return the compiled function of a path task, or of derivatives of one: of its arguments and out=.

        Where the loops do not close its result is NaN, and solvers shorten their step.
        """
        key = "path", *task_key(maker, options)
        quick = self._quick_calls.get(key)
        if quick is None:
            quick = self._built_in(key, RobotBase._function(self, maker, shape, **options), maker, missing="nan")
        return quick

    def path_state(self, rates: Sequence[np.ndarray], *, external: Wrenches | None = None) -> tuple[np.ndarray, ...]:
        """Return q, qd and qdd (..., nv): a path and its first two derivatives."""
        return tuple(rates[:3])

    def path_torques(self, rates: Sequence[np.ndarray], *, external: Wrenches | None = None) -> np.ndarray:
        """Return tau (..., n_active), given a path and its first two derivatives."""
        q, qd, qdd, *_ = rates
        return self.inverse_dynamics(q, qd, qdd, external=external)

    def path_torque_rates(self, rates: Sequence[np.ndarray], *, external: Wrenches | None = None) -> np.ndarray:
        """Return the rates of tau (..., n_active), given a path and its first three derivatives."""
        q, qd, qdd, qddd, *_ = rates
        return self.torque_rates(q, qd, qdd, qddd, external=external)

    def path_at(self, q: np.ndarray) -> np.ndarray:
        """Return the columns of a path (..., n) at coordinates: these themselves."""
        return q

    def reachable(self, q: np.ndarray) -> np.ndarray:
        """Return whether the loops can be closed (K,) at coordinates (K, nq), on the branch of home."""
        return np.isfinite(self.path_inputs(q)[0]).all(axis=1)

    def at_rest(self, q: Positions, *, external: Wrenches | None = None) -> np.ndarray:
        """Return coordinates (..., nq) at which the robot can be held still: q itself, if its loops close there."""
        found = as_array(q, "q", self.nq, self.name)
        self.closure(found)
        return found

    def expect_reach(self, q: np.ndarray) -> None:
        """Raise StateError where the loops cannot be closed at coordinates q (nq,)."""
        self.closure(q)

    def poses_along(self, q: np.ndarray) -> np.ndarray:
        """Return the poses of all links (K, n_links, 4, 4) along a motion of the coordinates (K, nq)."""
        return self.tree.link_poses(self.follow(q).tree_q)

    def as_trajectory(
        self,
        t: np.ndarray,
        q: np.ndarray,
        qd: np.ndarray,
        qdd: np.ndarray,
        tau: np.ndarray,
        *,
        external: Wrenches | None = None,
    ) -> ClosedTrajectory:
        """Return a motion as a trajectory of this robot, its tree included: t (T,), q (T, nq), qd, qdd (T, nv) and tau."""
        tree_q, tree_qd, tree_qdd = self.tree_motion(None, qd, qdd, tree_q=self.follow(q).tree_q)
        along = np.zeros_like(tree_qd)
        along[:, list(self.plan.active)] = tau
        forces = self.tree_dynamics(tree_q, tree_qd, along, external=external)[1]
        more: Any = {"tree_q": tree_q, "tree_qd": tree_qd, "tree_qdd": tree_qdd, "forces": forces, "external": external}
        return ClosedTrajectory(self, t, q, qd, qdd, tau, **more)  # type: ignore[arg-type]

    @once_property
    def _regularity_at_home(self) -> float:
        """The measure of regularity at home, the reference for all others."""
        plain = tasks.regularity(self.model, self.plan)
        return float(plain.evaluate([self.home()[None], self.home_tree_q()[None]])[0][0, 0])
