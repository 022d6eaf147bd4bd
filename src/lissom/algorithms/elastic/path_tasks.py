"""Tasks of robots with elastic drives, from a path of the joints alone: motors follow from its higher derivatives.

The torque of a joint behind a spring determines the position of its motor (`motors.py`): theta by q, qd, qdd, then one more
derivative of the path for each rate of theta. Any task of the whole robot becomes one of the path by inserting the motion of the
motors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...compiler.program import Port
from ...compiler.task import Task
from ...model.model import Model
from ...spatial.scalar import Scalar, mul
from ...spatial.series import terms_of
from ...tree import lump
from ..loads import REGROUPED, External, Situation, laid_out_task
from .links import PATH, link_nv, path_ports
from .motors import elastic_drives, elastic_inverse_dynamics, elastic_torque_rates, motor_motion

Maker = Callable[..., Task]


def motor_forces(model: Model, external: External = ()) -> Task:
    """Torque of the drive of each joint of the path: of its motor behind the spring, or at the joint itself."""
    places, skip = driving_places(model), 3 * len(model.elastic_motors)
    task = elastic_inverse_dynamics(model, external)
    return _picked("motor_forces", task, link_nv(model), lambda found, path: [found[skip + k] for k in places])


def motor_torque_rates(model: Model, external: External = ()) -> Task:
    """Rates of these torques."""
    places = driving_places(model)
    task = elastic_torque_rates(model, external)
    return _picked("motor_torque_rates", task, link_nv(model), lambda found, path: [found[k] for k in places])


def motor_power(model: Model, external: External = ()) -> Task:
    """Power of the drive of each joint of the path: tau theta' of a motor behind a spring, tau qd otherwise [W]."""
    places, n, e = driving_places(model), link_nv(model), len(model.elastic_motors)

    def pick(found: Sequence[Scalar], path: Sequence[Sequence[Scalar]]) -> list[Scalar]:
        speeds = [*path[1], *found[e : 2 * e]]
        return [mul(found[3 * e + k], speeds[k]) for k in places]

    return _picked("motor_power", elastic_inverse_dynamics(model, external), n, pick)


def motor_rate(model: Model, order: int, external: External = ()) -> Task:
    """Derivative of that order of theta, of every elastic drive; 0 is theta itself."""

    def text(s: Situation) -> list[Scalar]:
        return [terms[order] for terms in motor_motion(s, model, order)]

    return _path_task(f"motor_rate[{order}]", model, order, Port("theta", len(model.elastic_motors)), text, external)


def with_motors(
    model: Model, inner: Maker, loaded: bool, external: External = (), changing: bool = False, **options: Any
) -> Task:
    """A task of the whole robot, of q, qd, qdd or the first of them, as one of the path, with the motion of the motors.

    Args:
        model: of a robot with elastic drives.
        inner: makes the task.
        loaded: whether the task takes external wrenches.
        external: wrenches; the motion of motors depends on them in any case.
        changing: whether the task takes their rates, too, which series have.
        options: of the task.
    """
    loaded, changing = loaded and bool(external), changing and bool(external)
    more = {"external": external} if loaded else {}
    whole = inner(model, **options, **more, **({"changing": True} if changing else {}))
    order = sum(port.name in PATH for port in whole.inputs) - 1
    motors = _motors(model, order, external)

    def run_on(k: int) -> Callable[..., Sequence[Sequence[Any]]]:
        def run(*arguments: Sequence[Scalar]) -> Sequence[Sequence[Any]]:
            theta = motors.texts[k % len(motors.texts)](*arguments)
            state = [[*arguments[r], *theta[r]] for r in range(order + 1)]
            if changing:
                values, rates = zip(*(terms_of(x, 2) for x in arguments[-1]), strict=True)
                return whole.texts[k](*state, rates, values)
            return whole.texts[k](*state, *(arguments[-1:] if loaded else ()))

        return run

    return Task(f"{whole.key} with {motors.key}", motors.inputs, whole.outputs, [run_on(k) for k in range(len(whole.texts))])


def of_joints(model: Model, inner: Maker, **options: Any) -> Task:
    """A task of q, qd, qdd or the first of them that does not depend on motors, as one of the path."""
    whole, still = inner(model, **options), [0.0] * len(model.elastic_motors)

    def run_on(text: Callable[..., Sequence[Sequence[Any]]]) -> Callable[..., Sequence[Sequence[Any]]]:
        return lambda *given: text(
            *([*x, *still] if port.name in PATH else x for port, x in zip(whole.inputs, given, strict=True))
        )

    sizes = path_ports(model, len(PATH))
    inputs = tuple(Port(port.name, sizes.get(port.name, port.size)) for port in whole.inputs)
    return Task(f"{whole.key} of joints", inputs, whole.outputs, [run_on(text) for text in whole.texts])


def driving_places(model: Model) -> list[int]:
    """Return for each joint of a path the index in tau of its drive."""
    places = list(range(link_nv(model)))
    for drive in elastic_drives(lump(model), model):
        places[drive.joint] = drive.motor
    return places


def _motors(model: Model, order: int, external: External) -> Task:
    """Theta of all elastic drives, then its rates up to `order`, each an output."""

    def text(s: Situation) -> list[list[Scalar]]:
        found = motor_motion(s, model, order)
        return [[terms[r] for terms in found] for r in range(order + 1)]

    outputs = [Port(f"theta_{r}", len(model.elastic_motors)) for r in range(order + 1)]
    return _path_task(f"motors[{order}]", model, order, outputs, text, external)


def _path_task(
    key: str, model: Model, order: int, output: Port | Sequence[Port], text: Callable[[Situation], Any], external: External
) -> Task:
    return laid_out_task(key, model, path_ports(model, order + 3), output, text, external, layouts=REGROUPED)


def _picked(key: str, task: Task, size: int, pick: Callable[[Sequence[Scalar], Sequence[Any]], list[Scalar]]) -> Task:
    """Return a task whose output is computed from another's."""

    def run_on(text: Callable[..., Sequence[Sequence[Any]]]) -> Callable[..., Sequence[Sequence[Any]]]:
        return lambda *arguments: [pick(text(*arguments)[0], arguments)]

    return Task(f"{key} of {task.key}", task.inputs, (Port(key, size),), [run_on(text) for text in task.texts])
