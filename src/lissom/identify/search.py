"""Search of an exciting motion: the nonlinear program of a motion problem, with information as its objective.

Limits and their exact derivatives are those of the prediction engine (`predict/transcription`), at the instants of its grid. Its
control points P are linear in the numbers that are sought, P = A z (`shapes.py`), so that g(A z) has the Jacobian J A. IPOPT
approximates second derivatives.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from ..errors import ConvergenceError, IdentificationError, StateError
from ..nlp import Nlp, ipopt
from ..nlp.status import Status
from ..predict import MotionProblem
from ..predict.data.motion import Motion
from ..predict.transcription.of_problem import transcribed
from ..predict.transcription.transcription import Transcription
from ..spline import SplinePath
from .information import Information
from .shapes import Splines, Waves

PER_WAVE = 12  # samples of information per shortest wave
PER_SPAN = 3  # of splines
OPTIONS: dict[str, Any] = {
    "mu_strategy": "adaptive",
    "bound_relax_factor": 0.0,
    "limited_memory_max_history": 12,
    "acceptable_tol": 1e-3,
    "acceptable_obj_change_tol": 1e-4,  # the logarithm of a size: digits beyond matter to nobody
    "acceptable_iter": 5,
}
KEPT = 0.02  # share of its scale by which a limit may be missed between instants; shares of limits leave more room
SHRUNK = 12  # times that a first motion is halved
SHARES = (0.98, 0.95, 0.9, 0.85, 0.8, 0.7, 0.6, 0.5)  # of a motion that misses limits between instants
POINTS = (4, 8)  # instants per span of the grid on which limits are kept, at first and where they are missed between


class Found(NamedTuple):
    """What a search found.

    Attributes:
        z: numbers of the motion (count, n).
        value: of the criterion.
        missed: the largest violation of a limit, as a share of its scale.
        message: how the solver ended.
    """

    z: np.ndarray
    value: float
    missed: float
    message: str

    @property
    def usable(self) -> bool:
        """Whether the motion keeps its limits, whether or not it is the best one."""
        return math.isfinite(self.value) and self.missed <= KEPT


class Search:
    """The program of a problem with a shape.

    Attributes:
        t: times of the samples of information.
    """

    def __init__(self, problem: MotionProblem, shape: Waves | Splines, A: np.ndarray, information: Information) -> None:
        self.problem, self.shape, self.information = problem, shape, information
        self.n, self.T = problem.n, shape.duration
        count = PER_WAVE * shape.harmonics if isinstance(shape, Waves) else PER_SPAN * shape.basis.spans
        self.t = self.T * (np.arange(count) + 0.5) / count
        self.B = shape.matrices(self.t)
        self.A = sparse.csr_matrix(sparse.kron(sparse.csr_matrix(A), sparse.eye(self.n)))
        self.nothing = Motion(SplinePath(A @ np.zeros((shape.count, self.n)), self.T, basis=problem.basis))
        self.program = self._on_grid(POINTS[0])

    def solve(self, z: np.ndarray, iterations: int, tolerance: float, progress: Any) -> Found:
        """Return the motion found from z: on a finer grid where limits are missed between instants, and smaller if still so."""
        z, missed = self._within(z), math.inf
        for points in POINTS:
            self.program = self._on_grid(points)
            solved = ipopt.solve(
                self._nlp(), z.ravel(), tolerance=tolerance, iterations=iterations, options=OPTIONS, progress=progress
            )
            z = solved.x.reshape(self.shape.count, self.n)
            missed = self.missed(z)
            if missed <= KEPT or not math.isfinite(missed) or solved.status is Status.INTERRUPTED:
                break
        still, whole = self._still(z), z
        for share in SHARES:
            if missed <= KEPT:
                break
            z = still + share * (whole - still)
            missed = self.missed(z)
        return Found(z, self.value(z), missed if math.isfinite(missed) else math.inf, solved.message)

    def _within(self, z: np.ndarray) -> np.ndarray:
        """Return z; of closed robots, which do not reach everywhere, moved towards its middle until it keeps the limits."""
        if not self.information.rows.closed:
            return z
        still, (low, high) = self._still(z), self.program.bounds()
        for _ in range(SHRUNK):
            self._evaluate(z.ravel())
            g = self.program.constraints(self._last)
            if ((low <= g) & (g <= high)).all() and np.isfinite(self.value(z)):
                return z
            z = still + 0.5 * (z - still)
        raise IdentificationError("motions about the middle are out of reach however small they are; give start=, a place within")

    def _still(self, z: np.ndarray) -> np.ndarray:
        """Return the numbers of rest in the middle of a motion."""
        still = np.zeros_like(z)
        if isinstance(self.shape, Waves):
            still[0] = (self.B[0] @ z).mean(axis=0)
        else:
            still[:] = z[0]
        return still

    def value(self, z: np.ndarray) -> float:
        """Return the criterion at z."""
        try:
            return self.information.value(self.state(z))
        except (ConvergenceError, StateError):
            if not self.information.rows.closed:
                raise
            return math.nan  # out of reach of a closed robot: a shorter step

    def _on_grid(self, points_per_span: int) -> Transcription:
        problem = self.problem.copy()
        problem.points_per_span = points_per_span
        return transcribed(problem, self.nothing, problem.parts)

    def missed(self, z: np.ndarray) -> float:
        """Return the largest violation of a limit, as a share of its scale, at more instants than a search looks at."""
        program = self._on_grid(POINTS[-1] + 2)
        x = self._points(program, z.ravel())
        program.evaluate(x)
        g, (low, high) = program.constraints(x), program.bounds()
        return float(max(np.max(low - g, initial=0.0), np.max(g - high, initial=0.0)))

    def _points(self, program: Transcription, z: np.ndarray) -> np.ndarray:
        return np.concatenate([self.A @ z, [self.T], np.zeros(len(program.parts.peaks))])

    def _nlp(self) -> Nlp:
        program, size = self.program, self.A.shape[0]
        low, high = program.bounds()
        rows, columns = program.jacobian_structure()
        own = columns < size
        A, shape = self.A, (program.rows, size)
        free = isinstance(self.shape, Splines)
        bound = (program.lower[:size], program.upper[:size])  # of control points: the ends
        if not free and (np.isfinite(bound[0]) | np.isfinite(bound[1])).any():
            raise StateError("waves begin and end where they show most; a start or an end of the problem is for splines")
        pattern = sparse.csr_matrix((np.ones(own.sum()), (rows[own], columns[own])), shape=shape) @ abs(A)
        place = sparse.coo_matrix(pattern)
        where = place.row * A.shape[1] + place.col

        def jacobian(z: np.ndarray) -> np.ndarray:
            J = sparse.csr_matrix((program.jacobian(self._last)[own], (rows[own], columns[own])), shape=shape)
            product = sparse.coo_matrix(J @ A)
            values = np.zeros(len(where))
            values[np.searchsorted(ordered, product.row * A.shape[1] + product.col)] = product.data
            return values[back]

        order = np.argsort(where)
        ordered, back = where[order], np.argsort(order)
        return Nlp(
            n=A.shape[1],
            objective=self.value,
            gradient=self._gradient,
            lower=bound[0] if free else -np.inf,
            upper=bound[1] if free else np.inf,
            m=program.rows,
            constraints=lambda z: program.constraints(self._last),
            constraint_lower=low,
            constraint_upper=high,
            jacobian_structure=(place.row, place.col),
            jacobian=jacobian,
            evaluate=self._evaluate,
        )

    def _evaluate(self, z: np.ndarray) -> None:
        self._last = self._points(self.program, z)
        self.program.evaluate(self._last)

    def state(self, z: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return q, qd and qdd (N, n) at the samples of information."""
        own = z.reshape(self.shape.count, self.n)
        q, qd, qdd = (B @ own for B in self.B)
        return q, qd, qdd

    def _gradient(self, z: np.ndarray) -> np.ndarray:
        try:
            slopes = self.information.gradient(self.state(z))
        except (ConvergenceError, StateError):
            if not self.information.rows.closed:
                raise
            return np.full(len(z), math.nan)
        return np.asarray(sum(B.T @ slope for B, slope in zip(self.B, slopes, strict=True))).ravel()
