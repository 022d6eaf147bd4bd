"""Tasks of mechanisms with loops as functions of the user's own motion, to be differentiated any number of times.

Beside q, qd, qdd there is a constant input, the configuration of the tree at q. Two steps of Newton's method from there towards q
change nothing of its value, but carry derivatives: each step makes exact twice as many of them, so that two are enough for the
second derivatives that prediction asks for. No derivative of the closure has to be written down.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...compiler.program import Port
from ...compiler.task import Task
from ...model.model import Model
from ...spatial.scalar import Scalar, mul
from ..loads import External, Situation
from .closure import Closed, Plan
from .kinematics import newton_step
from .tasks import closed_task, inverse_dynamics, torque_rates

STEPS = 2


def torque(model: Model, closed: Model, plan: Plan, external: External = ()) -> Task:
    """Forces of the active joints."""
    return _at_coordinates(closed, plan, inverse_dynamics(closed, plan, external))


def torque_rate(model: Model, closed: Model, plan: Plan, external: External = ()) -> Task:
    """Rates of the forces of the active joints."""
    return _at_coordinates(closed, plan, torque_rates(closed, plan, external))


def power(model: Model, closed: Model, plan: Plan, external: External = ()) -> Task:
    """Power of every drive, of mechanisms whose coordinates are those of all active joints [W]."""

    def times_speed(values: list[Scalar], arguments: Sequence[Sequence[Scalar]]) -> list[Scalar]:
        return [mul(force, speed) for force, speed in zip(values, arguments[0], strict=True)]

    return _at_coordinates(closed, plan, inverse_dynamics(closed, plan, external), times_speed, "power of ")


def place(model: Model, closed: Model, plan: Plan, of: Callable[..., Task], **options: Any) -> Task:
    """A task of the tree's configuration alone."""
    return _at_coordinates(closed, plan, of(closed, **options))


def regularity(model: Model, closed: Model, plan: Plan, at_home: float = 1.0) -> Task:
    """The square of the determinant of all that is solved for, divided by `at_home`: zero at singular poses."""

    def text(s: Situation, c: Closed) -> Sequence[Scalar]:
        return [mul(1.0 / at_home, mul(c.elimination.square, c.eliminate(plan.active[: len(plan.independent)]).square))]

    return _at_coordinates(closed, plan, closed_task(f"regularity[{at_home!r}]", closed, plan, {}, Port("regularity", 1), text))


def _at_coordinates(
    closed: Model,
    plan: Plan,
    task: Task,
    change: Callable[[list[Scalar], Sequence[Sequence[Scalar]]], list[Scalar]] | None = None,
    name: str = "",
) -> Task:
    """Return a task of the tree's configuration as one of coordinates."""
    step, rest = newton_step(closed, plan, plan.coordinates).text(), task.text()

    def text(target: Sequence[Scalar], *arguments: Sequence[Scalar]) -> list[list[Scalar]]:
        *rates, q = _in_order(task, arguments)
        for _ in range(STEPS):
            (found,) = step(q, target)
            q = found[: closed.nq]
        (values,) = rest(q, *rates)
        return [list(values) if change is None else change(list(values), arguments)]

    inputs = (Port("q", len(plan.coordinates)), *task.inputs[1:], Port("start", closed.nq))
    return Task(f"{name}{task.key} at coordinates of {closed.fingerprint}", inputs, task.outputs, [text])


def _in_order(task: Task, arguments: Sequence[Sequence[Scalar]]) -> list[Sequence[Scalar]]:
    """Return rates and loads, then the configuration to start from."""
    return [*arguments[: len(task.inputs) - 1], arguments[-1]]
