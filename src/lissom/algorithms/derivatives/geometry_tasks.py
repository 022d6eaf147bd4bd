"""The tasks of `geometry.py`: joint torques by displacements of any frame, and by the entries of Denavit-Hartenberg tables.

standard  A = Rz(theta) Tz(d) Tx(a) Rx(alpha)      modified  A = Rx(alpha) Tx(a) Rz(theta) Tz(d)
theta and d move the joint's frame about and along its own z, which the joint's motion does not change. In a standard table
a and alpha come last: they move the link's frame along and about its own x. In a modified one they come first: they move the
joint's frame along and about the x axis of the link before.
"""

from __future__ import annotations

from collections.abc import Callable

from ...compiler.program import Port
from ...compiler.task import Task
from ...model.dh import dh_convention
from ...model.joint import Joint
from ...model.model import Model
from ...model.pose import Pose
from ...spatial.scalar import Scalar
from ...tree import BASE, Tree, lump
from ..force_elements import refuse_elements
from ..loads import Situation, laid_out_task
from .body_motion import movers
from .geometry import Gradients, gradients

PARTS = ("origin", "tail")
DH = ("theta", "d", "a", "alpha")


def inverse_dynamics_geometry_derivatives(model: Model, base_motion: bool = False, part: str = "origin") -> Task:
    """Derivatives of tau by displacements of every moving joint's frame, six for each of `entries`."""

    def text(s: Situation) -> list[Scalar]:
        origins, tails = gradients(s)
        found: list[Scalar] = []
        for row, n in entries(s.tree):
            j = s.tree.jointed[n]
            joint = model.joint(s.tree.bodies[j].name)
            if part == "origin":
                found += origins.along(row, s.tree.parts(j)[-1], _parent_frame(s.tree, joint) @ joint.origin)
            else:
                found += tails.along(row, j, s.tree.places[joint.child][1])
        return found

    return _task(f"inverse_dynamics_geometry_derivatives[{part}]", model, 6, text, base_motion)


def inverse_dynamics_dh_derivatives(model: Model, base_motion: bool = False, convention: str | None = None) -> Task:
    """Derivatives of tau by theta, d, a and alpha of every moving joint, four for each of `entries`."""
    convention = dh_convention(model, convention)

    def text(s: Situation) -> list[Scalar]:
        parts = gradients(s)
        jointed = s.tree.jointed
        return [x for row, n in entries(s.tree) for x in _of_row(s.tree, parts, row, jointed[n], model, convention)]

    return _task(f"inverse_dynamics_dh_derivatives[{convention}]", model, len(DH), text, base_motion)


def entries(tree: Tree) -> list[tuple[int, int]]:
    """Return (velocity, joint) of derivatives that can be non-zero: joints on the way to the base, and beyond."""
    moved = movers(tree)
    related = [set(rows) for rows in moved]
    for body, rows in zip(tree.bodies, moved, strict=True):
        own, i = rows & set(range(body.iv, body.iv + body.kind.nv)), body.parent
        while i != BASE:
            related[i] |= own
            i = tree.bodies[i].parent
    joints = [set().union(*(related[k] for k in tree.parts(j))) for j in tree.jointed]
    return [(row, n) for n, rows in enumerate(joints) for row in sorted(rows)]


def _of_row(
    tree: Tree, parts: tuple[Gradients, Gradients], row: int, j: int, model: Model, convention: str
) -> tuple[Scalar, Scalar, Scalar, Scalar]:
    (origins, tails), joint = parts, model.joint(tree.bodies[j].name)
    parent = _parent_frame(tree, joint)
    about_z = origins.along(row, j, parent @ joint.origin)
    about_x = tails.along(row, j, tree.places[joint.child][1]) if convention == "standard" else origins.along(row, j, parent)
    return about_z[5], about_z[2], about_x[0], about_x[3]


def _parent_frame(tree: Tree, joint: Joint) -> Pose:
    return tree.places[joint.parent][1]


def _task(key: str, model: Model, size: int, text: Callable[[Situation], list[Scalar]], base_motion: bool) -> Task:
    refuse_elements(model, "derivatives of inverse dynamics by the geometry")
    inputs = {"q": model.nq, "qd": model.nv, "qdd": model.nv}
    output = Port("derivatives", size * len(entries(lump(model))))
    return laid_out_task(key, model, inputs, output, text, base_motion=base_motion)
