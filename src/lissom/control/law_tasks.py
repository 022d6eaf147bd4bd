"""Law tasks: the texts of controllers that are arithmetic around the robot's dynamics, for steps on a card."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..algorithms.dynamics.inverse_dynamics import inverse_dynamics
from ..compiler.program import Port
from ..compiler.task import Task
from ..model import Model
from ..spatial.scalar import Scalar, add, mul, sub


def computed_torque(model: Model, **options: Any) -> Task:
    """Torques of inverse dynamics at qdd_d + kd e' + kp e, from the state, the reference (3 n), and kp and kd (2 n)."""
    task, n = inverse_dynamics(model, **options), model.nv
    q, qd, _, *loads = task.inputs
    inverse = task.text()

    def text(q: Sequence[Scalar], qd: Sequence[Scalar], reference: Any, gains: Any, *more: Any) -> Any:
        qdd = []
        for k in range(n):
            spring = mul(gains[k], sub(reference[k], q[k]))
            damper = mul(gains[n + k], sub(reference[n + k], qd[k]))
            qdd.append(add(reference[2 * n + k], add(damper, spring)))
        return inverse(q, qd, qdd, *more)

    inputs = (q, qd, Port("reference", 3 * n), Port("gains", 2 * n), *loads)
    return Task(f"computed torque: {task.key}", inputs, task.outputs, [text])


def pd_gravity(model: Model, places: tuple[int, ...]) -> Task:
    """Torques kp (goal - y) - kd y' + hold at `places` of the coordinates, zero at others; numbers are goal, kp, kd and hold."""
    m = len(places)

    def text(q: Sequence[Scalar], qd: Sequence[Scalar], numbers: Any) -> list[list[Scalar]]:
        goal, kp, kd, hold = (numbers[k * m : (k + 1) * m] for k in range(4))
        tau: list[Scalar] = [0.0] * model.nv
        for k, at in enumerate(places):
            tau[at] = add(sub(mul(kp[k], sub(goal[k], q[at])), mul(kd[k], qd[at])), hold[k])
        return [tau]

    inputs = (Port("q", model.nq), Port("qd", model.nv), Port("numbers", 4 * m))
    return Task(f"pd and gravity at {places!r}", inputs, (Port("tau", model.nv),), [text])
