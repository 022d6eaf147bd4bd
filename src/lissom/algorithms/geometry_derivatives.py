"""The tasks of `geometry.py`: joint forces by displacements of any frame, and by the entries of Denavit-Hartenberg tables.

standard  A = Rz(theta) Tz(d) Tx(a) Rx(alpha)      modified  A = Rx(alpha) Tx(a) Rz(theta) Tz(d)
theta and d move the joint's frame about and along its own z, on which the joint's motion has no influence. In a standard table
a and alpha come last: they move the link's frame along and about its own x. In a modified one they come first: they move the
joint's frame along and about the x axis of the link before.
"""

from __future__ import annotations

from ..compiler.program import Port
from ..model.joint import Joint
from ..model.model import Model
from ..model.pose import Pose
from ..spatial.scalar import Scalar
from ..tree import Tree, lump
from .geometry import Gradients, gradients
from .loads import Situation, laid_out_task
from .task import Task

PARTS = ("origin", "tail")
DH = ("theta", "d", "a", "alpha")


def inverse_dynamics_geometry_derivatives(model: Model, base_motion: bool = False, part: str = "origin") -> Task:
    """Derivatives of tau by displacements of every moving joint's frame (nv, n, 6)."""

    def text(s: Situation) -> list[Scalar]:
        origins, tails = gradients(s)
        found: list[Scalar] = []
        for row in range(s.tree.nv):
            for j, body in enumerate(s.tree.bodies):
                joint = model.joint(body.name)
                if part == "origin":
                    found += origins.along(row, j, _parent_frame(s.tree, joint) @ joint.origin)
                else:
                    found += tails.along(row, j, s.tree.places[joint.child][1])
        return found

    return _task(f"inverse_dynamics_geometry_derivatives[{part}]", model, 6, text, base_motion)


def inverse_dynamics_dh_derivatives(model: Model, base_motion: bool = False, convention: str = "standard") -> Task:
    """Derivatives of tau by theta, d, a and alpha of every moving joint (nv, n, 4)."""

    def text(s: Situation) -> list[Scalar]:
        parts = gradients(s)
        return [
            x
            for row in range(s.tree.nv)
            for j, body in enumerate(s.tree.bodies)
            for x in _row(s.tree, parts, row, j, model.joint(body.name), convention)
        ]

    return _task(f"inverse_dynamics_dh_derivatives[{convention}]", model, len(DH), text, base_motion)


def _row(
    tree: Tree, parts: tuple[Gradients, Gradients], row: int, j: int, joint: Joint, convention: str
) -> tuple[Scalar, Scalar, Scalar, Scalar]:
    origins, tails = parts
    parent = _parent_frame(tree, joint)
    about_z = origins.along(row, j, parent @ joint.origin)
    about_x = tails.along(row, j, tree.places[joint.child][1]) if convention == "standard" else origins.along(row, j, parent)
    return about_z[5], about_z[2], about_x[0], about_x[3]


def _parent_frame(tree: Tree, joint: Joint) -> Pose:
    return tree.places[joint.parent][1]


def _task(key: str, model: Model, size: int, text: object, base_motion: bool) -> Task:
    inputs = {"q": model.nq, "qd": model.nv, "qdd": model.nv}
    output = Port("derivatives", model.nv * len(lump(model).bodies) * size)
    return laid_out_task(key, model, inputs, output, text, base_motion=base_motion)  # type: ignore[arg-type]
