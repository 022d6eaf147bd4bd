"""Sensitivities of the wrenches inside joints: all six components through every joint, by q, qd and qdd. Cost O(n d).

Barman 2020, steps 9 and 10: (3.73)-(3.91) before they are projected on the joints' axes. Symbols as in `sensitivities.py`. A
coordinate changes the wrench through a joint in one of two ways:
    the coordinate lies beyond the joint          the change is that of the coordinate's own joint, carried inward
    it lies before the joint, or is the joint's   its S, Psi', Psi'' are carried outward to the joint, where I and B meet them
Components along axes which the coordinate turns against the body also change as those axes do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ...model.model import Model
from ...spatial.scalar import add, mul
from ...spatial.series import terms_of
from ...spatial.twist import Twist, plus, turned
from ...spatial.vector import ZERO, Vector
from ...tree import BASE, Tree
from ..dynamics.inverse_dynamics import about_point, in_axes
from ..dynamics.rnea import rnea
from ..force_elements import needed_wrenches, varied, way_columns
from ..loads import Situation
from ..step import Step, own_motion
from .sensitivities import Direction, Table, hand_on, inward, outward


def joint_wrench_tables(
    s: Situation, model: Model, bodies: Sequence[int], components: Sequence[int], axes: str
) -> tuple[Table, Table, Table]:
    """Return d wrench / d q, d qd and d qdd: a row for each of `components` of the joint of each of `bodies`, (rows, nv).

    Args:
        s: the motion.
        model: with the user's frames.
        bodies, components: joints by the index of their body, and force x y z, moment x y z by number, in the order of rows.
        axes: of the wrenches, and with them the point, as in `joint_wrenches`.
    """
    tree = replace(s.tree, elements=())  # external wrenches are given, those of elements depend on the state
    passes = rnea(tree, s["q"], s["qd"], s["qdd"], s.wrenches, s.base)
    steps = passes.steps
    carried, directions = outward(s, passes)
    seen = _seen_from_each(tree, steps, directions)
    first = {j: len(components) * k for k, j in enumerate(bodies)}
    tables = tuple([[0.0] * tree.nv for _ in range(len(components) * len(bodies))] for _ in range(3))

    def put(order: int, j: int, d: Direction, change: Twist, turn: Vector = ZERO) -> None:
        """Add a change of the wrench through joint j; `turn` turns body j against the axes that it is reported in."""
        if j not in first:
            return
        f, m = about_point(s, model, j, axes, passes.f[j], passes.m[j])
        df, dm = about_point(s, model, j, axes, *change)
        six = [x for part in in_axes(s, steps, model, j, axes, df + turn.cross(f), dm + turn.cross(m)) for x in part]
        for row, component in enumerate(components, first[j]):
            for table, share in d.shares(order):
                tables[table][row][d.column] = add(tables[table][row][d.column], mul(share, six[component]))

    # backward pass, tips to base, as for joint torques
    for j in reversed(range(len(tree.bodies))):
        for d in directions[j]:
            turning = carried[j].by_q(d)
            if not tree.bodies[j].spins:
                turning = plus(turning, turned(d.S, (passes.f[j], passes.m[j])))
            for order, change in enumerate((turning, carried[j].by_qd(d), carried[j].by_qdd(d))):
                for i, wrench in inward(tree, steps, j, change):
                    put(order, i, d, wrench)
        if j in first:
            for before, d in seen[j]:
                turns = axes == "world" or (axes == "parent" and before in tree.parts(j))
                put(0, j, d, carried[j].by_q(d), d.S[1] if turns else ZERO)
                put(1, j, d, carried[j].by_qd(d))
                put(2, j, d, carried[j].by_qdd(d))
        hand_on(tree, steps, carried, j)
    _add_elements(s, model, first, components, axes, tables)
    return tables[0], tables[1], tables[2]


def _add_elements(
    s: Situation, model: Model, first: Mapping[int, int], components: Sequence[int], axes: str, tables: Sequence[Table]
) -> None:
    """Add the changes by force elements: the wrenches that hold against them, reported along each velocity."""
    tree, still = s.tree, [0.0] * s.tree.nv
    for element in tree.elements:
        columns = way_columns(tree, element, from_base=axes == "world")  # all before it turn components along the world's axes
        for column in columns:
            for table, (q, qd) in zip(tables, varied(tree, s["q"], s["qd"], column), strict=False):
                steps = [Step(body, own_motion(body, q, still, still)) for body in tree.bodies]
                for j, wrench in needed_wrenches(tree, element, q, qd).items():
                    if j not in first:
                        continue
                    parts = in_axes(s, steps, model, j, axes, *about_point(s, model, j, axes, *wrench))
                    six = [terms_of(x, 2)[1] for part in parts for x in part]
                    for row, component in enumerate(components, first[j]):
                        table[row][column] = add(table[row][column], six[component])


def _seen_from_each(
    tree: Tree, steps: Sequence[Step], directions: Sequence[Sequence[Direction]]
) -> list[list[tuple[int, Direction]]]:
    """Return for each body the directions of its joint and of all joints before it, in its axes, with the index of their body."""
    seen: list[list[tuple[int, Direction]]] = []
    for j, (body, step) in enumerate(zip(tree.bodies, steps, strict=True)):
        before = [] if body.parent == BASE else [(k, d.carried_by(step)) for k, d in seen[body.parent]]
        seen.append([*before, *((j, d) for d in directions[j])])
    return seen
