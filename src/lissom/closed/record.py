"""Problem and record of a closed robot's simulation: configurations and velocities of the tree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ..algorithms.closed import forward as closed_forward
from ..algorithms.closed.closure import Plan
from ..algorithms.closed.hybrid import active_torques
from ..errors import LissomError, SimulationError
from ..simulate.problem import Problem
from ..simulate.record import Record, failure
from .stiff import ClosedSlopes, ClosedStages
from .trajectory import ClosedTrajectory

if TYPE_CHECKING:
    from ..simulate.events import Watch
    from ..simulate.status import Status
    from .robot import ClosedRobot


@dataclass(frozen=True, eq=False)
class ClosedProblem(Problem):
    """A simulation of a closed robot.

    `q0` and `qd0` are those of the tree, and close the loops; controllers and events see the coordinates.
    """

    @property
    def closed(self) -> ClosedRobot:
        """The mechanism."""
        return cast("ClosedRobot", self.robot)

    @property
    def sizes(self) -> tuple[int, int, int]:
        """Numbers of coordinates and velocities of the tree, and of torques of active joints."""
        return self.closed.model.nq, self.closed.model.nv, len(self.closed.torque_names)

    def integrated(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the first state as it is integrated: the configuration of the tree, and the independent velocities."""
        return self.q0, self.qd0[..., list(self.closed.plan.independent)]

    def stages(self, copies: int) -> ClosedStages:  # type: ignore[override]
        """Return the rates of several copies of the state, each at its own time."""
        return ClosedStages(self, self.closed.plan, copies)

    def slopes(self) -> ClosedSlopes:  # type: ignore[override]
        """Return the derivatives of the rates of the state."""
        return ClosedSlopes(self, self.closed.plan)

    def shown(self, q: np.ndarray, qd: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return coordinates and their velocities, of those of the tree."""
        return self.closed.coordinates(q), qd[..., list(self.closed.plan.coordinates)]

    def why_of_tree(self, q: np.ndarray, qd: np.ndarray, given: np.ndarray) -> str:
        """Return why the motion cannot continue from a configuration and velocities of the tree."""
        if "torque_known" in self.options:
            return ""
        try:
            self.closed.forward_dynamics(None, qd[..., list(self.closed.plan.coordinates)], given, tree_q=q)
        except LissomError as error:
            return str(error)
        return ""

    def why(self, q: np.ndarray, qd: np.ndarray, given: np.ndarray) -> str:
        """Return nothing: coordinates alone do not determine the branch."""
        return ""


class ClosedRecord(Record):
    """Stored states; accelerations and loop-closure forces are computed at the end, along suitable velocities.

    Attributes:
        plans: of each sample the states by the plan along whose velocities they are known best.
        states: what is noted for the samples to come.
        switches: how often it was changed on the way.
    """

    problem: ClosedProblem

    def __init__(self, problem: ClosedProblem) -> None:
        super().__init__(problem)
        plan = problem.closed.plan
        self.states: Mapping[Plan, np.ndarray] = {plan: np.arange(problem.n)}
        self.plans: dict[int, Mapping[Plan, np.ndarray]] = {}
        self.switches = 0
        self.forces = np.empty((len(self.t), *problem.lead, len(plan.rows)))

    def add(self, t: float, q: np.ndarray, qd: np.ndarray, given: Any = np.nan) -> None:
        """Store a state of the tree, and its given torques."""
        self.plans[self.count] = self.states
        super().add(t, q, qd, given)

    def finish(self) -> SimulationError | None:
        """Compute accelerations of the tree and loop-closure forces of the samples that are not done."""
        problem, robot = self.problem, self.problem.closed
        todo, nv, n = range(self.done, self.count), robot.model.nv, problem.n
        rows: dict[Plan, list[np.ndarray]] = {}  # of tables with a row for each state of each sample
        for k in todo:
            for plan, states in self.plans.get(k, self.states).items():
                rows.setdefault(plan, []).append(k * n + states)
        tables = [x.reshape(-1, x.shape[-1]) for x in (self.q, self.qd, self.tau, self.qdd, self.forces)]
        loads = [x.reshape(n, -1) for x in problem.extra]
        known, options = problem.options.get("torque_known"), {k: x for k, x in problem.options.items() if k != "torque_known"}
        for plan, parts in rows.items():
            own = np.concatenate(parts)
            q, v, tau = (x[own] for x in tables[:3])
            pushes = [x[own % n] for x in loads]
            if known is not None:  # samples hold what was given
                torques = robot._function(active_torques, tau.shape[1:], plan=plan, **problem.options)
                tau = tables[2][own] = torques([q, v, tau, *pushes], missing="nan")
            along = np.zeros((len(own), nv))
            along[:, list(plan.active)] = tau
            shape = (nv + len(plan.rows),)
            function = robot._function(closed_forward.tree_dynamics, shape, plan=plan, **options)
            found = function([q, v, along, *pushes], missing="nan")
            tables[3][own], tables[4][own] = found[:, :nv], found[:, nv:]
        good = [bool(np.isfinite(self.qdd[k]).all() and np.isfinite(self.forces[k]).all()) for k in todo]
        first, self.done = self.done, self.count
        if all(good):
            return None
        k = self.count = self.done = first + good.index(False)
        return failure(problem, float(self.t[k]), *problem.shown(self.q[k], self.qd[k]), self.tau[k])

    def trajectory(self, status: Status, message: str, watch: Watch) -> ClosedTrajectory:
        """Return the stored samples as a trajectory."""
        robot, problem = self.problem.closed, self.problem
        t, tree_q, tree_qd, tree_qdd, tau, forces = (
            x[: self.count] for x in (self.t, self.q, self.qd, self.qdd, self.tau, self.forces)
        )
        q, qd = problem.shown(tree_q, tree_qd)
        qdd = tree_qdd[..., list(robot.plan.coordinates)]
        said = (tuple(watch.found), watch.unfired(), problem.method, problem.choice, problem.external)
        more: dict[str, Any] = {"tree_q": tree_q, "tree_qd": tree_qd, "tree_qdd": tree_qdd, "forces": forces}
        more["switches"] = self.switches
        return ClosedTrajectory(robot, t, q, qd, qdd, tau, status, message, *said, **more)
