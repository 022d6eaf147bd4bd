"""Tasks along a path of a robot whose joints have coordinates that do not add up: floating, spherical and planar ones.

A path has one column per velocity (`joints/chart.py`), none for motors behind springs. A task of q, qd, qdd, ... becomes one of
these columns p and their rates by substitution: qd = A(p) p' and qdd = A p'' + A' p'. The orders of derivatives in one product
add up to no more than before (`weight` of `protocol.py`).

First derivatives of torques come from the analytic ones by q, qd, qdd, along velocities, and small matrices of each such joint,
    dq = A dp      dqd = (dqd/dp) dp + A dp'      dqdd = (dqdd/dp) dp + (dqdd/dp') dp' + A dp''
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from ...compiler.program import Port
from ...compiler.task import Task
from ...model.joint import JointKind
from ...model.model import Model
from ...spatial.scalar import Scalar, add, mul
from ..dynamics.inverse_dynamics import inverse_dynamics
from ..elastic.links import PATH, link_nv, link_places, path_ports
from ..loads import External
from . import directional
from .tasks import inverse_dynamics_derivatives

Table = list[list[Scalar]]


def is_charted(model: Model) -> bool:
    """Return whether the columns of a robot's path differ from its coordinates."""
    return any(not at.kind.traits.adds_up for at in model.layout)


def along_columns(model: Model, path: Sequence[Sequence[Scalar]]) -> list[list[Scalar]]:
    """Return q, qd, qdd, ... of joints from columns of a path (link_nv) and their rates, as many as are given."""
    found: list[list[Scalar]] = [[] for _ in path]
    for at in link_places(model):
        for total, own in zip(found, at.kind.traits.of_path([x[at.v] for x in path]), strict=True):
            total += own
    return found


def charted(model: Model, robot_task: Callable[..., Task], **options: Any) -> Task:
    """A task of q, qd, qdd, ... as one of a path's columns and their rates, up to the highest order that it needs."""
    task = robot_task(model, **options)
    names = [port.name for port in task.inputs]
    order = max(PATH.index(name) for name in names if name in PATH)
    ports = [Port(name, link_nv(model)) for name in PATH[: order + 1]]
    more = [port for port in task.inputs if port.name not in PATH]

    def run_of(text: Callable[..., Sequence[Sequence[Any]]]) -> Callable[..., Sequence[Sequence[Any]]]:
        def run(*arguments: Sequence[Scalar]) -> Sequence[Sequence[Any]]:
            values = dict(zip(PATH, along_columns(model, arguments[: order + 1]), strict=False))
            others = iter(arguments[order + 1 :])
            return text(*(values[name] if name in PATH else next(others) for name in names))

        return run

    texts = [run_of(text) for text in task.texts]
    return replace(task, key=f"{task.key} along columns", inputs=(*ports, *more), texts=texts, of_columns=True)


def robot_state(model: Model, order: int) -> Task:
    """q, qd, qdd, ... up to that order, each an output, from a path's columns and their rates."""
    outputs = [Port(name, size) for name, size in path_ports(model, order + 1).items()]
    inputs = tuple(Port(name, link_nv(model)) for name in PATH[: order + 1])
    run = [lambda *path: along_columns(model, path)]
    return Task(f"robot_state[{order}]", inputs, tuple(outputs), run, of_columns=True)


def charted_torques(model: Model, external: External = ()) -> Task:
    """Tau from a path's columns and their first two rates."""
    return charted(model, inverse_dynamics, external=external)


def charted_torque_derivatives(model: Model, external: External = ()) -> Task:
    """Derivatives of tau by a path's columns and their first two rates: three tables (nv, nv), row by row."""
    task, n = inverse_dynamics_derivatives(model, external), model.nv
    places = [(at, _slopes(model, at.kind)) for at in model.layout if not at.kind.traits.adds_up]

    def run_of(text: Callable[..., Sequence[Sequence[Any]]]) -> Callable[..., Sequence[Sequence[Any]]]:
        def run(*arguments: Sequence[Scalar]) -> Sequence[Sequence[Any]]:
            path = arguments[:3]
            flat = list(text(*along_columns(model, path), *arguments[3:])[0])
            by_q, by_qd, by_qdd = (_rows(flat[k * n * n : (k + 1) * n * n], n) for k in range(3))
            for at, slopes in places:
                A, velocity, acceleration, turning = slopes([x[at.v] for x in path])
                for q, qd, qdd in zip(by_q, by_qd, by_qdd, strict=True):
                    a, b, c = q[at.v], qd[at.v], qdd[at.v]
                    q[at.v] = _sum(_times(a, A), _times(b, velocity), _times(c, acceleration))
                    qd[at.v] = _sum(_times(b, A), _times(c, turning))
                    qdd[at.v] = _times(c, A)
            return [[x for table in (by_q, by_qd, by_qdd) for row in table for x in row]]

        return run

    inputs = (*(Port(name, n) for name in PATH[:3]), *task.inputs[3:])
    texts = [run_of(text) for text in task.texts]
    return replace(task, key=f"{task.key} along columns", inputs=inputs, texts=texts, of_columns=True)


def _joint_rates(model: Model, kind: JointKind) -> Task:
    """Velocities and accelerations of one joint from its columns and their first two rates."""
    n = kind.nv
    inputs = tuple(Port(name, n) for name in PATH[:3])
    outputs = (Port("rates", 2 * n),)

    def run(*path: Sequence[Scalar]) -> list[list[Scalar]]:
        _, qd, qdd = kind.traits.of_path(path)
        return [[*qd, *qdd]]

    return Task(f"joint_rates[{kind.value}]", inputs, outputs, [run], of_columns=True)


def _slopes(model: Model, kind: JointKind) -> Callable[[Sequence[Sequence[Scalar]]], tuple[Table, Table, Table, Table]]:
    """Return a function of a joint's columns that returns A, dqd/dp, dqdd/dp and dqdd/dp'."""
    n, text = kind.nv, directional.jacobian(model, _joint_rates, kind=kind).text()

    def slopes(path: Sequence[Sequence[Scalar]]) -> tuple[Table, Table, Table, Table]:
        flat = list(text(*path)[0])
        p, rate, _ = (_rows(flat[k * 2 * n * n : (k + 1) * 2 * n * n], n) for k in range(3))
        return rate[:n], p[:n], p[n:], rate[n:]

    return slopes


def _rows(flat: Sequence[Scalar], n: int) -> Table:
    return [list(flat[k : k + n]) for k in range(0, len(flat), n)]


def _times(row: Sequence[Scalar], table: Table) -> list[Scalar]:
    found: list[Scalar] = [0.0] * len(table[0])
    for x, own in zip(row, table, strict=True):
        found = [add(total, mul(x, y)) for total, y in zip(found, own, strict=True)]
    return found


def _sum(*rows: Sequence[Scalar]) -> list[Scalar]:
    found = list(rows[0])
    for row in rows[1:]:
        found = [add(a, b) for a, b in zip(found, row, strict=True)]
    return found
