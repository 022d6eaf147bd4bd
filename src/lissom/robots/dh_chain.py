"""Serial arms from Denavit-Hartenberg rows, in both conventions.

standard: the frame of link j is at its far end;  A_j = Rz(theta_j) Tz(d_j) Tx(a_j) Rx(alpha_j)
modified: the frame of link j is at its near end; A_j = Rx(alpha_j-1) Tx(a_j-1) Rz(theta_j) Tz(d_j)   (Khalil, Craig)

A row is one line of the printed table; a modified row has a and alpha of the previous link.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..model import EARTH, IDENTITY, Inertia, Joint, JointKind, Link, Model, Pose
from ..model.pose import Vector3, rotation_about


@dataclass(frozen=True)
class Row:
    """One line of a table: angles [rad], lengths [m]; the joint's coordinate adds to theta (revolute) or d (prismatic)."""

    theta: float = 0.0
    d: float = 0.0
    a: float = 0.0
    alpha: float = 0.0
    kind: JointKind = JointKind.REVOLUTE


def screw_x(a: float, alpha: float) -> Pose:
    """Return Tx(a) Rx(alpha), in either order: they commute."""
    return Pose(rotation_about((1, 0, 0), alpha), (a, 0.0, 0.0))  # type: ignore[arg-type]


def screw_z(d: float, theta: float) -> Pose:
    """Return Tz(d) Rz(theta), in either order: they commute."""
    return Pose(rotation_about((0, 0, 1), theta), (0.0, 0.0, d))  # type: ignore[arg-type]


def seen_from(inertia: Inertia, frame: Pose) -> Inertia:
    """Return the same mass distribution in `frame`, a pose in the link frame used so far."""
    R, p = frame.R, frame.p
    com = R.T @ (inertia.com - p)
    tensor = R.T @ inertia.tensor @ R
    return Inertia(inertia.mass, tuple(com), tensor)


def dh_chain(
    name: str,
    rows: Sequence[Row],
    inertias: Sequence[Inertia],
    convention: str,
    gravity: Vector3 = EARTH,
    drives: Sequence[Mapping[str, Any]] | None = None,
) -> Model:
    """Return a serial arm.

    Args:
        name: of the model.
        rows: one per link.
        inertias: one per link, each in the link's frame of `convention`.
        convention: "standard" or "modified".
        gravity: gravitational acceleration in the base frame [m/s^2].
        drives: further fields of each Joint: limits, friction, rotor_inertia.
    """
    links, joints = [Link("base")], []
    for j, (row, inertia) in enumerate(zip(rows, inertias, strict=True), start=1):
        along_z, along_x = screw_z(row.d, row.theta), screw_x(row.a, row.alpha)
        # the motion is about or along z, so it commutes with the constant part of the z screw
        origin, tail = (along_z, along_x) if convention == "standard" else (along_x @ along_z, IDENTITY)
        links.append(Link(f"link_{j}", inertia))
        more = drives[j - 1] if drives else {}
        joints.append(Joint(f"joint_{j}", row.kind, links[-2].name, links[-1].name, origin, tail=tail, **more))
    return Model(name, tuple(links), tuple(joints), gravity)
