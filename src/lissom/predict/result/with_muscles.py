"""WithMuscleForces: forces of muscles along a prediction, and what joints carry with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ...arrays import Times
from ...errors import StateError
from ...wrench import Wrench
from ..problem.description import Description
from ..problem.problem import MotionProblem
from ..quantities.muscles import MuscleQuantities
from ..quantities.state import ORDERS, State

if TYPE_CHECKING:
    from ..data.motion import Motion


class WithMuscleForces:
    """What `Prediction` knows of muscles."""

    problem: MotionProblem | Description

    def of_muscles(self, name: str, t: Times, **options: Any) -> np.ndarray:
        """Return a quantity of the problem's muscles (..., entries) at times, such as "muscle_force" or "metabolic_power"."""
        problem, _ = self._with_muscles()
        if name not in problem.quantities.further:
            raise StateError(f"muscles have no {name!r}; expected {', '.join(problem.quantities.further)}")
        times = np.asarray(t, dtype=float)
        quantity = problem.quantities.get(name, **options)
        orders = max(ORDERS, max(quantity.orders) + 1)
        state = State.along(self.motion, times.ravel(), orders, problem.timing)
        values = quantity.values(state.part(problem.columns.of(quantity)))
        return values.reshape(*times.shape, quantity.size)

    def muscle_forces(self, t: Times) -> np.ndarray:
        """Return the forces of muscles along their tendons (..., muscles) [N] at times."""
        return self.of_muscles("muscle_force", t)

    def joint_reactions(self, t: Times, *, axes: str = "world") -> np.ndarray:
        """Return force [N] and moment [N m] through every joint (..., joints, 6) at times, with the pulls of muscles.

        It is what bones and ligaments carry, on the child of each joint; `axes` as in `Robot.joint_wrenches`.
        """
        _, found = self._with_muscles()
        times = np.asarray(t, dtype=float)
        q, qd, qdd = self.coordinates(times)
        return found.muscles.joint_reactions(q, qd, qdd, self.muscle_forces(times), self._external(times), axes=axes)

    def _with_muscles(self) -> tuple[MotionProblem, MuscleQuantities]:
        problem = self.problem
        found = problem.muscles if isinstance(problem, MotionProblem) else None
        if found is None:
            raise StateError("this motion has no muscles: drive_by gives a problem some; predictions from files have none")
        assert isinstance(problem, MotionProblem)
        return problem, found

    if TYPE_CHECKING:

        @property
        def motion(self) -> Motion: ...  # noqa: D102
        def coordinates(self, t: Times) -> tuple[np.ndarray, np.ndarray, np.ndarray]: ...  # noqa: D102
        def _external(self, t: Times, contacts: bool = True) -> Mapping[str, Wrench] | None: ...
