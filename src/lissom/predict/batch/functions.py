"""Functions of many decision vectors of one motion problem at once, for solvers, samplers and learning of your own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...arrays import ArrayLike
from ...compiler.backend import Backend
from ...compiler.cuda.arrays import on_card
from ...compiler.cuda.backend import CUDA
from ...errors import StateError, suggest
from ...locks import Lock
from ...spline import SplinePath
from ..data.motion import Motion, idle
from ..problem.problem import MotionProblem
from ..result.prediction import Prediction
from ..transcription.of_problem import transcribed, unknowns_of
from . import card, host
from .plan import Plan
from .recorded import NAMES, Recorded
from .tape import Block


class BatchFunctions:
    """Functions of decision vectors x (..., n) of one motion problem, all at once: as `problem.functions()` returns them.

        minimize f(x)   subject to   lower <= x <= upper,   constraint_lower <= g(x) <= constraint_upper

    x are the control points of the path (m, joints), row by row, those of channels, the durations of the clocks [s] and the
    largest entries that are minimized; functions are those that `problem.solve` gives the solver. NumPy arrays give NumPy arrays.
    On a card, arrays of the card give arrays of the card, in columns where x is; what is not finite stays in the results.

    Args:
        problem: the motion problem, whose later changes do not count.
        backend: None for that of the problem's robot; "cuda" or `lissom.CUDA(...)` for a card.

    Attributes:
        n, m: numbers of unknowns and of constraints.
        lower, upper: bounds of the unknowns (n,).
        constraint_lower, constraint_upper: bounds of the constraints (m,).
        jacobian_structure: rows and columns of the numbers of `jacobian`; those at the same place are added.
    """

    def __init__(self, problem: MotionProblem, backend: Backend | str | None = None) -> None:
        problem = problem.copy()
        robot = problem.robot
        chosen = robot.backend if backend is None else robot.to(backend).backend  # type: ignore[attr-defined]
        self.problem = problem
        self._still = idle(
            SplinePath(np.zeros((problem.basis.count, problem.n)), 1.0, basis=problem.basis), problem.channels, problem.timing
        )
        of = self._of = transcribed(problem, self._still, problem.parts)
        self.n, self.m, self.lower, self.upper = len(of.lower), of.rows, of.lower, of.upper
        self.constraint_lower, self.constraint_upper = of.bounds()
        self.jacobian_structure = of.jacobian_structure()
        self._recorded = Recorded(of)
        self._plans: dict[tuple[str, ...], Plan] = {}
        self._lock = Lock()
        self._card: card.Card | None = None
        if isinstance(chosen, CUDA):
            if robot.path_inputs(np.zeros((1, problem.n))):
                raise StateError("batches of problems of closed robots are computed on the processor: problem.functions()")
            self._card = card.Card(robot if backend is None else robot.to(chosen), chosen)  # type: ignore[attr-defined]

    def __repr__(self) -> str:
        where = "the processor" if self._card is None else f"cuda:{self._card.backend.device}"
        return f"<BatchFunctions of {self.problem.name!r}: {self.n} unknowns, {self.m} constraints, on {where}>"

    def unknowns(self, motion: SplinePath | Prediction) -> np.ndarray:
        """Return x (n,) of a path, or of a prediction of this problem with as many control points; within the bounds."""
        path = motion.path if isinstance(motion, Prediction) else motion
        if path.points.shape != self._still.path.points.shape or path.degree != self._still.path.degree:
            raise StateError(
                f"the path has control points {path.points.shape} and degree {path.degree}, expected "
                f"{self._still.path.points.shape} and {self._still.path.degree}, as the problem"
            )
        if isinstance(motion, Prediction):
            return unknowns_of(self._of, motion.motion)
        durations = self.problem.timing.split(path.duration)
        points = np.concatenate([path.points.ravel(), self._still.points[path.points.size :]])
        return unknowns_of(self._of, self._still.with_points(points, durations))

    def path(self, x: ArrayLike) -> SplinePath:
        """Return the path of unknowns (n,)."""
        own = self._arrays(x, "x", self.n)
        if own.ndim != 1:
            raise StateError(f"x has shape {own.shape}, expected ({self.n},): the path of one vector")
        motion: Motion = self._still.with_points(own[: self._of.size], own[self._of.size : self._of.peaks_at])
        return motion.path

    def objective(self, x: Any) -> Any:
        """Return f (...)."""
        return self.evaluate(x, "objective")[0]

    def gradient(self, x: Any) -> Any:
        """Return df/dx (..., n)."""
        return self.evaluate(x, "gradient")[0]

    def constraints(self, x: Any) -> Any:
        """Return g (..., m)."""
        return self.evaluate(x, "constraints")[0]

    def jacobian(self, x: Any) -> Any:
        """Return the numbers of dg/dx in the order of `jacobian_structure`."""
        return self.evaluate(x, "jacobian")[0]

    def jacobian_product(self, x: Any, direction: Any) -> Any:
        """Return dg/dx direction (..., m), given directions (..., n)."""
        return self.evaluate(x, "jacobian_product", direction=direction)[0]

    def lagrangian_gradient(self, x: Any, multipliers: Any, factor: float = 1.0) -> Any:
        """Return factor df/dx + multipliers . dg/dx (..., n), given multipliers (..., m)."""
        return self.evaluate(x, "lagrangian_gradient", multipliers=multipliers, factor=factor)[0]

    def hessian_product(self, x: Any, direction: Any, multipliers: Any, factor: float = 1.0) -> Any:
        """Return the second derivatives of factor f + multipliers . g times directions (..., n)."""
        return self.evaluate(x, "hessian_product", direction=direction, multipliers=multipliers, factor=factor)[0]

    def evaluate(
        self, x: Any, *names: str, direction: Any = None, multipliers: Any = None, factor: float = 1.0
    ) -> tuple[Any, ...]:
        """Return several functions at once, by their names: what they have in common is computed once.

        Args:
            x: unknowns (..., n).
            names: "objective", "gradient", "constraints", "jacobian", "jacobian_product", "lagrangian_gradient" and
                "hessian_product".
            direction: (..., n), of products.
            multipliers: (..., m), of the Lagrangian.
            factor: of the objective in it.
        """
        plan = self._plan(names)
        recorded = self._recorded
        given = {recorded.x: ("x", x)}
        for block, name, value in ((recorded.d, "direction", direction), (recorded.multipliers, "multipliers", multipliers)):
            if block.number in plan.used:
                if value is None:
                    raise StateError(f"{' and '.join(names)} needs {name}=, an array (..., {block.size})")
                given[block] = name, value
        if not np.isfinite(factor):
            raise StateError(f"factor is {factor}, expected a finite number")
        there = any(on_card(value) for _, value in given.values())
        if self._card is None:
            if there:
                raise StateError("x is on a card, and these functions on the processor: take problem.functions('cuda')")
            return self._on_host(plan, given, factor)
        views = {
            block: self._card.view(value if on_card(value) else self._copied(value, name, block), name, block.size)
            for block, (name, value) in given.items()
        }
        leads = {views[block].lead for block in given}
        if len(leads) > 1:
            raise StateError(f"on a card all arrays have the same leading axes, got {', '.join(map(str, sorted(leads)))}")
        found: Sequence[Any] = self._card.run(plan, views, (recorded.factor, float(factor)))
        if not there:
            found = [y.copy_to_host().astype(float) for y in found]
        return tuple(y[..., 0] if name == "objective" else y for name, y in zip(names, found, strict=True))

    def _copied(self, value: Any, name: str, block: Block) -> Any:
        assert self._card is not None
        return self._card.backend.array(self._arrays(value, name, block.size))

    def _on_host(self, plan: Plan, given: Mapping[Block, tuple[str, Any]], factor: float) -> tuple[Any, ...]:
        recorded = self._recorded
        arrays = {block: self._arrays(value, name, block.size) for block, (name, value) in given.items()}
        try:
            lead = np.broadcast_shapes(*(a.shape[:-1] for a in arrays.values()))
        except ValueError:
            told = ", ".join(f"{given[block][0]} {a.shape}" for block, a in arrays.items())
            raise StateError(f"the leading axes of {told} do not fit together (NumPy's broadcasting rules)") from None
        rows = {block: np.broadcast_to(a, (*lead, a.shape[-1])).reshape(-1, a.shape[-1]) for block, a in arrays.items()}
        count = len(rows[recorded.x])
        rows[recorded.factor] = np.full((count, 1), float(factor))
        found = host.run(plan, {block: a for block, a in rows.items() if block.number in plan.used}, count)
        shapes = [() if block == recorded.objective else (block.size,) for block in plan.outputs]
        shaped = [y.reshape((*lead, *own)) for y, own in zip(found, shapes, strict=True)]
        return tuple(y if y.shape else float(y) for y in shaped)

    def _arrays(self, value: Any, name: str, size: int) -> np.ndarray:
        try:
            found = np.asarray(value, dtype=float)
        except (TypeError, ValueError) as error:
            raise StateError(f"{name} is not an array of numbers: {error}") from None
        if not found.ndim or found.shape[-1] != size:
            raise StateError(f"{name} has shape {found.shape}, expected (..., {size})")
        return found

    def _plan(self, names: tuple[str, ...]) -> Plan:
        with self._lock:
            if names not in self._plans:
                if not names:
                    raise StateError(f"name the functions: {', '.join(NAMES)}")
                for name in names:
                    if name not in NAMES:
                        raise StateError(f"no function {name!r}; {suggest(str(name), NAMES)}")
                plan = Plan(self._recorded, [self._recorded.block(name) for name in names])
                if self._card is not None:
                    self._card.expect(plan)
                self._plans[names] = plan
            return self._plans[names]
