"""The arm of the experiment: `robots.hua_arm` with its inertias in the paper's frames, and arms that differ from it."""

from __future__ import annotations

import dataclasses

import numpy as np

from ...doubts import known_doubts
from ...model import Inertia, Joint, Link, Model, Pose
from ...model.pose import as_matrix3
from ...robots.hua_arm import LENGTH, RATIO, hua_arm_model

# columns: x along the link, y up, z along the axes of joints 2 and 3, which lift the arm
_FRAME = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])


def arm(ratio: float = RATIO, rotor: str = "full", length: float = LENGTH) -> Model:
    """Return the arm with inertias in frames whose z lies along the next joint, as the paper has them (Ibar_i in frame i + 1).

    Args:
        ratio: gear ratio of all motors.
        rotor: "full" or "reflected", see Motor.
        length: of links 2 and 3 [m].
    """

    def inertia(old: Inertia) -> Inertia:
        x, y, z = old.com  # links 2 and 3 lie along x, link 1 along z
        tensor = _FRAME @ np.array(old.tensor) @ _FRAME.T
        return Inertia(old.mass, (x * length / LENGTH, y, z), as_matrix3(tensor, "inertia"))

    def link(old: Link) -> Link:
        return old if old.inertia is None else dataclasses.replace(old, inertia=inertia(old.inertia))

    def joint(old: Joint) -> Joint:
        if old.name not in ("q3", "tip_joint"):
            return old
        return dataclasses.replace(old, origin=Pose(old.origin.rotation, (length, 0.0, 0.0)))

    model = hua_arm_model(ratio, rotor=rotor)
    links, joints = tuple(map(link, model.links)), tuple(map(joint, model.joints))
    with known_doubts():  # of inertias that no rigid body has: they are printed so
        return dataclasses.replace(model, links=links, joints=joints)
