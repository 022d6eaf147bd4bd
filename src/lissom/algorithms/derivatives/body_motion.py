"""Motion of each body, and its Jacobian by columns, from the base outward.

The motion is that of the Newton-Euler recursion (`rnea.py`); the columns are those of each body's own Jacobian (Featherstone
2008, section 2.11), cost O(n d).
Symbols of a body, in its axes, at the origin of its frame:
    v         velocity                              turning    angular velocity w, acceleration dw, and U = [dw]x + [w]x [w]x
    a         acceleration, less gravity            columns    for a velocity of the robot, the motion (linear, angular) per unit
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...compiler.labels import label, legend, section
from ...spatial.scalar import Scalar
from ...spatial.turning import Turning
from ...spatial.twist import Twist, plus
from ...spatial.vector import ZERO, Vector
from ...tree import BASE, Body, Tree
from ..dynamics.rnea import Passes
from ..step import AT_REST, BaseState, share_of


@dataclass(frozen=True)
class Reached:
    """Motion of a body, and its Jacobian by columns; velocities that do not move the body have none."""

    v: Vector
    turning: Turning
    a: Vector
    columns: dict[int, Twist]


def reach(tree: Tree, q: Sequence[Scalar], passes: Passes, base: BaseState = AT_REST) -> dict[int, Reached]:
    """Return motion and Jacobian of each body and the base, given the bodies' motion; velocities count from the base's origin."""
    at = {BASE: Reached(ZERO, Turning(base.w, base.dw), base.a - base.turn.to_child(Vector.of(tree.gravity)), {})}
    legend(J="motion of the body for a unit velocity, linear and angular")
    for j, (body, step) in enumerate(zip(tree.bodies, passes.steps, strict=True)):
        section("outward: motion of the body for a unit velocity of each joint before it", j, body.name)
        before = at[body.parent]
        v, _ = step.acceleration_to_child(before.v, before.turning.w)
        columns = {iv: step.acceleration_to_child(*column) for iv, column in before.columns.items()}
        for iv, own in _own_columns(body, q).items():
            # a coupled joint beyond its leader moves with the same velocity
            columns[iv] = plus(columns.get(iv, (ZERO, ZERO)), own)
        for iv, column in columns.items():
            label("J", j, column, f"q{iv + 1}")
        at[j] = Reached(v + step.motion.v, passes.turning[j], passes.dV[j], columns)
    return at


def movers(tree: Tree) -> list[set[int]]:
    """Return for each body the velocities that move it: those that have columns."""
    found: list[set[int]] = []
    for body in tree.bodies:
        before = set() if body.parent == BASE else found[body.parent]
        found.append(before | set(range(body.iv, body.iv + body.kind.nv)))
    return found


def _own_columns(body: Body, q: Sequence[Scalar]) -> dict[int, Twist]:
    share = share_of(body, q)
    return {body.iv + k: (linear * share, angular * share) for k, (linear, angular) in enumerate(body.directions)}
