"""ClosedBase: a closed robot, its tree, its plan, and how its functions are evaluated."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..algorithms.closed.assembled import from_home
from ..algorithms.closed.closure import Plan
from ..arrays import Positions, TreePositions
from ..compiler.backend import Backend
from ..compiler.run import Function, as_array
from ..doubts import known_doubts
from ..errors import ModelError, SingularityError, StateError
from ..locks import lazy_property, once_property
from ..memory import FEWER, check_result, samples_of
from ..model import Model
from ..model.names import coordinate_names, velocity_names
from ..robot import Robot
from ..robot.base import task_key
from ..robot.entry import TaskMaker
from .assembly import assemble, start_configuration
from .constraints import Constraints
from .everyday import ClosedEveryday
from .mobility import Analysis, Mobility, analyze
from .newton import Newton
from .plan import make_plan
from .singular import Singularity, judge

OPEN = 1e-6  # residual of a given configuration, in lengths of the robot, beyond which its loops are open
Posture = Any  # {joint: coordinates}, or all coordinates of the tree


class ClosedBase(ClosedEveryday):
    """Base class of ClosedRobot.

    Args:
        model: with loops, and the names of its active joints.
        active: names of the active joints, in the place of the model's.
        backend: "llvm" or "numpy", as for `Robot`.
        posture: where to begin assembling: {joint: coordinates}, or all coordinates of the tree; None takes the model's.
        closure_tolerance: gap that loops may have [m], for linkages with rounded lengths; None takes the model's.
    """

    def __init__(
        self,
        model: Model,
        *,
        backend: Backend | str | None = None,
        posture: Posture = None,
        closure_tolerance: float | None = None,
        active: Sequence[str] | None = None,
    ) -> None:
        changes = {"active": active, "closure_tolerance": closure_tolerance}
        changes = {name: value for name, value in changes.items() if value is not None}
        if changes and isinstance(model, Model):
            with known_doubts():
                model = model.replace(**changes)
        super().__init__(model, backend=backend)
        if not model.loops:
            raise ModelError(f"{model.name!r} has no loops; lissom.Robot(model) is for trees")
        self._posture = posture

    @property
    def _choices(self) -> dict[str, Any]:
        return {**super()._choices, "posture": self._posture}

    @once_property
    def tree(self) -> Robot:
        """The tree that remains when the loops are cut: a Robot with all coordinates."""
        with known_doubts():
            return Robot(self.model.without_loops(), backend=self._chosen_backend)

    @once_property
    def constraints(self) -> Constraints:
        """The equations of the loops, for analysis."""
        return Constraints(self.model, self.backend)

    @once_property
    def _assembled(self) -> np.ndarray:
        """A configuration of the tree that closes the loops, near the posture, whose given coordinates are kept if possible."""
        posture = self.model.posture if self._posture is None else self._posture
        start = start_configuration(self.model, posture)
        names = velocity_names(self.model)
        held = [names.index(name) for name in self.model.active or ()]
        try:
            found = assemble(self.constraints, start, held)
        except StateError:
            found = assemble(self.constraints, start)
        return self._with_slack_drives(found, posture)

    def _with_slack_drives(self, q: np.ndarray, posture: Posture) -> np.ndarray:
        """Put motors behind springs where the springs are at rest, except for those that the posture gives."""
        if not self.model.elastic_motors or not (posture is None or isinstance(posture, Mapping | tuple)):
            return q
        slack, names = self.tree._unstretched(q), coordinate_names(self.model)
        placed = [names.index(name) for name in dict(posture or ()) if name in names]
        slack[placed] = q[placed]
        return slack

    @once_property
    def analysis(self) -> Analysis:
        """Ranks of the equations, at home and around it."""
        return analyze(self.constraints, self._assembled)

    @once_property
    def plan(self) -> Plan:
        """How the closure is solved."""
        return make_plan(self.constraints, self.analysis, self._assembled)

    def mobility(self) -> Mobility:
        """Return the number of loops, equations and degrees of freedom, with redundant equations named."""
        return self.analysis.mobility

    def home(self) -> np.ndarray:
        """Return the coordinates (nq,) of the configuration assembled first."""
        return self.coordinates(self._assembled)

    def home_tree_q(self) -> np.ndarray:
        """Return that configuration of the tree (nq of the tree,)."""
        return self._assembled.copy()

    def neutral(self) -> np.ndarray:
        """Return the coordinates of `home`: zero may be out of reach."""
        return self.home()

    def coordinates(self, tree_q: TreePositions) -> np.ndarray:
        """Return the coordinates (..., nq) of configurations of the tree."""
        found = as_array(tree_q, "tree_q", self.model.nq, self.name)
        check_result(math.prod(found.shape[:-1]), 2 * self.nq, f"the coordinates of {self.name!r}", FEWER)
        if not np.isfinite(found).all():
            raise StateError("tree_q is not finite")
        return self._coordinates.of(found)

    @lazy_property
    def _tree_sizes(self) -> tuple[int, int]:
        return self.model.nq, self.model.nv

    def _newton(self) -> Newton:
        from ..algorithms.closed import kinematics as tasks

        function = self._function(tasks.newton_step, (sum(self._tree_sizes),), given=self.plan.coordinates)

        def step(target: np.ndarray, q: np.ndarray) -> np.ndarray:
            with np.errstate(all="ignore"):
                return function([q, target], missing="nan")  # type: ignore[no-any-return]

        return Newton(step, self.model.nq, self.constraints.column_units, self._coordinates)

    def _function(self, maker: TaskMaker, shape: tuple[int, ...], **options: Any) -> Function:
        key = task_key(maker, options)
        function = self._functions.get(key)
        if function is None:
            plan = options.pop("plan", None) or self.plan  # a simulation may choose other velocities
            function = Function(self.model, maker(self.model, plan, **options), shape, self.backend, self._describe)
        return self._functions.setdefault(key, function)

    def _describe(self, argument: str, entry: int) -> str:
        if argument == "q":
            return f"coordinate {coordinate_names(self.model)[entry]!r} of the tree"
        names = {"tau": self.torque_names, "target": self.coordinate_names}.get(argument, self.velocity_names)
        return f"joint {names[entry]!r}" if argument in ("qd", "qdd", "tau", "target") else "given in the call"

    def _run(
        self, maker: TaskMaker, arguments: Sequence[Any], shape: tuple[int, ...], out: Any = None, **options: Any
    ) -> np.ndarray:
        """Evaluate a task of the tree's configuration; at a singular pose, raise an error that explains it."""
        function = self._function(maker, shape, **options)
        try:
            return function(arguments, out)  # type: ignore[no-any-return]
        except SingularityError:
            raise
        except StateError as error:
            self._explain(arguments, error)
            raise

    def _from_home(self, maker: TaskMaker | None, arguments: Sequence[Any], shape: tuple[int, ...], **options: Any) -> np.ndarray:
        """Evaluate a task at coordinates, closure included, in one program; NaN too far from home."""
        key = ("from home", maker, *sorted(options.items()))
        quick = self._quick_calls.get(key)
        if quick is None:
            home = tuple(float(x) for x in self._assembled)
            task = from_home(self.model, self.plan, home, maker, **options)
            function = Function(self.model, task, shape, self.backend, self._describe)
            quick = self._built_in(key, function, from_home, missing="nan")
        return quick(*arguments)

    def _explain(self, state: Sequence[Any], error: StateError) -> None:
        """Raise a SingularityError if a configuration among the arguments is singular."""
        if not str(error).startswith("the result"):
            return
        lead = np.broadcast_shapes(*(x.shape[:-1] for x in state))
        table = np.broadcast_to(state[0], (*lead, state[0].shape[-1])).reshape(-1, state[0].shape[-1])
        for k, q in enumerate(table):
            found = judge(self.constraints, self.plan, q)
            if found.kind != "none":
                at = tuple(int(i) for i in np.unravel_index(k, lead)) if lead else None
                where = "" if at is None else f" of sample {at}"
                text = ", ".join(f"{x:.6g}" for x in self.coordinates(q))
                raise SingularityError(
                    f"the pose{where} is singular at {', '.join(self.coordinate_names)} = {text}: {found}", found, at
                )

    def singularity(
        self, q: Positions | None = None, *, near: TreePositions | None = None, tree_q: TreePositions | None = None
    ) -> Singularity:
        """Return how close one pose is to a singular one, and the motion concerned."""
        return judge(self.constraints, self.plan, self._one(self._tree(q, tree_q, near)))

    def _one(self, q: np.ndarray) -> np.ndarray:
        if q.ndim != 1:
            raise StateError(f"expected one configuration, got shape {q.shape}")
        return q

    def _tree(self, q: Any, tree_q: Any, near: Any) -> np.ndarray:
        """Return configurations of the tree: given ones, or those that close the loops at coordinates q."""
        if tree_q is None:
            if q is None:
                raise StateError("give coordinates q, or tree_q=, a configuration of the tree that closes the loops")
            return self.closure(q, near=near)  # type: ignore[attr-defined,no-any-return]
        found = self._closing(tree_q, "tree_q")
        if q is not None:
            wanted = as_array(q, "q", self.nq, self.name)
            check_result(samples_of([wanted]), 2 * self.nq, f"coordinates of {self.name!r}", FEWER)
            try:
                np.broadcast_shapes(wanted.shape[:-1], found.shape[:-1])
            except ValueError:
                shapes = f"q {wanted.shape}, tree_q {found.shape}"
                raise StateError(f"the leading axes of {shapes} do not fit together (NumPy's broadcasting rules)") from None
            if not self._coordinates.agree(wanted, found, 1e-8 * max(1.0, self.constraints.length)):
                raise StateError("tree_q= is not the configuration at coordinates q; leave one of the two out (q=None)")
        return found

    def _closing(self, x: Any, name: str) -> np.ndarray:
        """Return the caller's configurations of the tree; raise if one does not close the loops."""
        found = as_array(x, name, self.model.nq, self.name)
        check_result(samples_of([found]), 2 * self.model.nq, f"configurations of {self.name!r}", FEWER)
        table = found.reshape(-1, self.model.nq)
        error = self.constraints.error(table)
        # values that are not finite are named later, with their joint
        if np.nan_to_num(error, nan=0.0).max(initial=0.0) > max(OPEN * self.constraints.length, self.constraints.tolerance):
            gaps = self.constraints.by_loop(table[int(np.nanargmax(error))])
            loop, (length, angle) = max(gaps.items(), key=lambda item: sum(item[1]))
            raise StateError(
                f"{name}= does not close the loops: loop {loop!r} is open by {length:.3g} m and {angle:.3g} rad; "
                "closure(q) and assemble(q, posture) find one"
            )
        return found
