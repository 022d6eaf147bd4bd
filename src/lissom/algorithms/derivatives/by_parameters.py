"""Torques, the mass matrix and accelerations as functions of the inertial parameters too: tau = Y(q, qd, qdd) pi.

pi is that of `regressor.py`, here an input like q, so that there are derivatives by masses, first moments, inertias, friction and
springs. Only results leave the program, not Y, which has 10 n times as many numbers. The mass matrix is what accelerations take
without gravity: its column k are the torques of a unit of acceleration k, less those at rest, which only springs have.
Accelerations follow from M qdd = tau - h. They are NaN where M is not positive definite: such a pi is that of no robot.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ...compiler.program import Port
from ...compiler.task import Task
from ...model.model import Model
from ...spatial.scalar import Scalar, add, guard, mul, sub
from ...tree import lump
from ..dynamics.factor import Factor
from ..force_elements import refuse_elements
from ..loads import Situation, laid_out_task
from .regressor import DRIVE, INERTIAL, SPRING, entries, regressor

Product = Callable[[Sequence[Scalar]], list[Scalar]]


def inverse_dynamics(model: Model, base_motion: bool = False) -> Task:
    """tau(q, qd, qdd, pi)."""
    links = _links(model)

    def text(s: Situation) -> list[Scalar]:
        return _product(model, s)(regressor(s, links, drives=True))

    return _task("inverse_dynamics", ("qd", "qdd"), model, "tau", model.nv, text, base_motion)


def mass_matrix(model: Model) -> Task:
    """M(q, pi), row by row."""

    def text(s: Situation) -> list[Scalar]:
        return [x for row in _matrix(model, s) for x in row]

    return _task("mass_matrix", (), model, "M", model.nv**2, text)


def forward_dynamics(model: Model, base_motion: bool = False) -> Task:
    """qdd(q, qd, tau, pi)."""
    links = _links(model)

    def text(s: Situation) -> list[Scalar]:
        h = _product(model, s)(regressor(s.at(qdd=[0.0] * model.nv), links, drives=True))
        factor = Factor(_matrix(model, s), lambda k, x: guard(x, 0.0))
        return factor.solve([sub(t, b) for t, b in zip(s["tau"], h, strict=True)])

    return _task("forward_dynamics", ("qd", "tau"), model, "qdd", model.nv, text, base_motion)


def _task(
    name: str,
    more: Sequence[str],
    model: Model,
    result: str,
    size: int,
    text: Callable[[Situation], list[Scalar]],
    base_motion: bool = False,
) -> Task:
    refuse_elements(model, f"{name} with parameters=")
    tree = lump(model)
    count = len(INERTIAL) * len(model.links) + len(DRIVE) * len(tree.driven) + len(SPRING) * len(tree.springs)
    inputs = {"q": model.nq, **dict.fromkeys(more, model.nv), "parameters": count}
    return laid_out_task(f"{name}[parameters]", model, inputs, Port(result, size), text, base_motion=base_motion)


def _matrix(model: Model, s: Situation) -> list[list[Scalar]]:
    """Return M; its lower half counts, so that it is symmetric to the last bit."""
    n, links, product = model.nv, _links(model), _product(model, s)
    still = [0.0] * n
    s = replace(s.at(qd=still, qdd=still), tree=replace(s.tree, gravity=(0.0, 0.0, 0.0)))
    rest = regressor(s, links, drives=True)
    columns = []
    for k in range(n):
        moved = regressor(s.at(qdd=[float(i == k) for i in range(n)]), links, drives=True)
        columns.append(product([sub(y, y0) for y, y0 in zip(moved, rest, strict=True)]))
    return [[columns[min(i, k)][max(i, k)] for k in range(n)] for i in range(n)]


def _product(model: Model, s: Situation) -> Product:
    """Return Y pi as a function of the entries of Y."""
    parameters, places = s["parameters"], entries(model)

    def product(Y: Sequence[Scalar]) -> list[Scalar]:
        tau: list[Scalar] = [0.0] * model.nv
        for (row, column), y in zip(places, Y, strict=True):
            tau[row] = add(tau[row], mul(y, parameters[column]))
        return tau

    return product


def _links(model: Model) -> list[str]:
    return [link.name for link in model.links]
