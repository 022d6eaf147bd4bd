"""Tasks of closed robots as functions of the user's own motion, to be differentiated any number of times.

Beside q, qd, qdd there is a constant input, the configuration of the tree at q. Two steps of Newton's method from there toward q
do not change its value, but carry derivatives: each step doubles the number of exact ones, so that two are enough for the second
derivatives that prediction needs. No derivative of the closure has to be written down.
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
from .links import following
from .tasks import closed_task, inverse_dynamics, torque_rates
from .wrenches import joint_wrench_rates, joint_wrenches

STEPS = 2

Change = Callable[[list[Scalar], Sequence[Sequence[Scalar]]], list[Scalar]]  # of a task's results and the arguments


def torque(model: Model, plan: Plan, external: External = ()) -> Task:
    """Torques of the active joints."""
    return _at_coordinates(model, plan, inverse_dynamics(model, plan, external))


def torque_rate(model: Model, plan: Plan, external: External = (), changing: bool = False) -> Task:
    """Rates of the torques of the active joints; `changing`: external wrenches come with rates."""
    return _at_coordinates(model, plan, torque_rates(model, plan, external, changing=changing))


def power(model: Model, plan: Plan, external: External = ()) -> Task:
    """Power of every drive, of robots whose coordinates are those of all active joints [W]."""

    def times_speed(values: list[Scalar], arguments: Sequence[Sequence[Scalar]]) -> list[Scalar]:
        return [mul(force, speed) for force, speed in zip(values, arguments[0], strict=True)]

    return _at_coordinates(model, plan, inverse_dynamics(model, plan, external), times_speed, "power of ")


def joint_wrench(model: Model, plan: Plan, joint: int, components: tuple[int, ...], axes: str, external: External = ()) -> Task:
    """Some components of the wrench through one joint, on its child, or through a cut joint, on its second link."""
    return _of_joint(model, plan, joint_wrenches(model, plan, external, axes), joint, components)


def joint_wrench_rate(
    model: Model,
    plan: Plan,
    joint: int,
    components: tuple[int, ...],
    axes: str,
    external: External = (),
    changing: bool = False,
) -> Task:
    """Rates of these components; `changing`: external wrenches come with rates."""
    return _of_joint(model, plan, joint_wrench_rates(model, plan, external, axes, changing=changing), joint, components)


def _of_joint(model: Model, plan: Plan, whole: Task, joint: int, components: tuple[int, ...]) -> Task:
    """Return a task of some components of one joint."""

    def some(values: list[Scalar], arguments: Sequence[Sequence[Scalar]]) -> list[Scalar]:
        return [values[6 * joint + k] for k in components]

    name = f"components {components} of joint {joint} of "
    return _at_coordinates(model, plan, whole, some, name, Port("wrench", len(components)))


def moving(model: Model, plan: Plan, inner: Callable[..., Task], **options: Any) -> Task:
    """A task of the tree's q and qd, or q, qd and qdd, without loads."""
    return _at_coordinates(model, plan, following(model, plan, inner, **options))


def place(model: Model, plan: Plan, inner: Callable[..., Task], **options: Any) -> Task:
    """A task of the tree's configuration alone."""
    return _at_coordinates(model, plan, inner(model, **options))


def regularity(model: Model, plan: Plan, at_home: float = 1.0) -> Task:
    """The square of the determinant of all equations that are solved, divided by `at_home`: zero at singular poses."""

    def text(s: Situation, c: Closed) -> Sequence[Scalar]:
        return [mul(1.0 / at_home, mul(c.elimination.square, c.eliminate(plan.active[: len(plan.independent)]).square))]

    return _at_coordinates(model, plan, closed_task(f"regularity[{at_home!r}]", model, plan, {}, Port("regularity", 1), text))


def _at_coordinates(
    model: Model, plan: Plan, task: Task, change: Change | None = None, name: str = "", output: Port | None = None
) -> Task:
    """Return a task of the tree's configuration as one of coordinates, its results changed."""
    step, rest = newton_step(model, plan, plan.coordinates).text(), task.text()

    def text(target: Sequence[Scalar], *arguments: Sequence[Scalar]) -> list[list[Scalar]]:
        *rates, q = _in_order(task, arguments)
        for _ in range(STEPS):
            (found,) = step(q, target)
            q = found[: model.nq]
        (values,) = rest(q, *rates)
        return [list(values) if change is None else change(list(values), arguments)]

    inputs = (Port("q", len(plan.coordinates)), *task.inputs[1:], Port("start", model.nq))
    outputs = task.outputs if output is None else (output,)
    return Task(f"{name}{task.key} at coordinates of {plan!r}", inputs, outputs, [text])


def _in_order(task: Task, arguments: Sequence[Sequence[Scalar]]) -> list[Sequence[Scalar]]:
    """Return rates and loads, then the configuration to start from."""
    return [*arguments[: len(task.inputs) - 1], arguments[-1]]
