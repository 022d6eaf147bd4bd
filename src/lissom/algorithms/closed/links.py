"""Functions of the tree as functions of a closed robot: links, energies, momentum.

The tree follows the user's motion, qd_tree = G qd and qdd_tree = G qdd + gamma, and its own texts do the rest. What is linear in
the velocities of the tree, J qd_tree, becomes J G qd.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from ...compiler.program import Port
from ...compiler.task import Task
from ...model.model import Model
from ...spatial.scalar import Scalar, add, mul
from ..kinematics.jacobian import rate_product_text
from ..kinematics.kinematics import key_of
from ..loads import FULL, Situation
from .closure import Closed, Plan
from .tasks import closed_task, motion

Maker = Callable[..., Task]


def following(model: Model, plan: Plan, inner: Maker, **options: Any) -> Task:
    """A task of the tree's q and qd, or q, qd and qdd, with the user's velocities and accelerations."""
    task = inner(model, **options)
    n, whole, ports = len(plan.coordinates), task.text(), task.inputs[1:]
    names = [port.name for port in ports]

    def text(s: Situation, c: Closed) -> Sequence[Scalar]:
        velocities = c.velocities(s["qd"])
        known = {"qd": velocities}
        if "qdd" in names:
            known["qdd"] = c.accelerations(s["qdd"], c.gamma(velocities))
        return whole(s["q"], *(known[name] if name in known else s[name] for name in names))[0]

    inputs = {port.name: n if port.name in ("qd", "qdd") else port.size for port in ports}
    return closed_task(task.key, model, plan, inputs, task.outputs[0], text)


def along_coordinates(model: Model, plan: Plan, inner: Maker, **options: Any) -> Task:
    """A task of a matrix (rows, nv of the tree) that is multiplied with velocities, as one of columns for the coordinates."""
    task = inner(model, **options)
    n, nv, whole, ports = len(plan.coordinates), model.nv, task.text(), task.inputs[1:]
    rows = task.outputs[0].size // nv

    def text(s: Situation, c: Closed) -> Sequence[Scalar]:
        J = whole(s["q"], *(s[port.name] for port in ports))[0]
        columns = [c.velocities([float(i == k) for i in range(n)]) for k in range(n)]
        found = []
        for r in range(rows):
            for column in columns:
                total: Scalar = 0.0
                for entry, speed in zip(J[r * nv : (r + 1) * nv], column, strict=True):
                    total = add(total, mul(entry, speed))
                found.append(total)
        return found

    inputs = {port.name: port.size for port in ports}
    output = Port(task.outputs[0].name, rows * n)
    return closed_task(f"{task.key} along coordinates", model, plan, inputs, output, text)


def at_place(inner: Maker) -> Maker:
    """Return the maker of a task of the configuration alone, as one of closed robots."""

    @functools.wraps(inner)
    def maker(model: Model, plan: Plan, **options: Any) -> Task:
        return inner(model, **options)

    return maker


def moved(inner: Maker) -> Maker:
    """Return the maker of a task of a motion, as one of closed robots."""

    @functools.wraps(inner)
    def maker(model: Model, plan: Plan, **options: Any) -> Task:
        return following(model, plan, inner, **options)

    return maker


def by_columns(inner: Maker) -> Maker:
    """Return the maker of a matrix that is multiplied with velocities, as one of closed robots."""

    @functools.wraps(inner)
    def maker(model: Model, plan: Plan, **options: Any) -> Task:
        return along_coordinates(model, plan, inner, **options)

    return maker


def jacobian_rate_product(model: Model, plan: Plan, link: str, axes: str = "world", point: str = "link") -> Task:
    """J-dot qd of a link (6): the rate of J qd less J qdd, where the tree still accelerates by gamma."""
    n = len(plan.coordinates)

    def text(s: Situation, c: Closed) -> Sequence[Scalar]:
        qd, gamma = motion(c, s["qd"], [0.0] * n)
        return rate_product_text(s.at(qd=qd, qdd=gamma), link, axes, point)

    key, inputs = key_of("jacobian_rate_product", link, axes, point), {"qd": n} | ({"point": 3} if point == "given" else {})
    return closed_task(key, model, plan, inputs, Port("rate", 6), text, layouts=FULL)
