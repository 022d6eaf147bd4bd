"""Loads at the lumbosacral joint (L5/S1): the net force in the axes of its disc, the net moment, and a disc's compression.

The tree's lowest joint of the spine is at the navel. The part of the lower trunk between there and L5/S1 is cut from the pelvis,
and the force through L5/S1 is what the joint's wrench and that part need:

    F = F_1 + m (a - g),    M = M_1 + (p_1 - p) x F_1 + (c - p) x m (a - g) + I al + w x I w

Symbols: F_1, M_1 wrench on the trunk through the joint at p_1 | p L5/S1 | m, c, I mass, center and inertia of the part | a, al, w
its acceleration, angular acceleration and velocity.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from ..robots.human.inertias import cut
from ..robots.human.robot import Human
from ..wrench import Wrench

HEIGHT = 0.053  # of stature, of L5/S1 above the hips, between the middles of these; chosen
SLOPE = np.deg2rad(40.0)  # of the disc upright, down to the front: the middle of 24 to 55 deg in 709 adults (Mac-Thiong 2011)
ARM = 0.06  # [m] from the disc's middle to one muscle that stands for all that extend the spine; chosen
JOINT = "spine_1_flexion"
ACTION_LIMIT = 3400.0  # [N] of a disc's compression: NIOSH's recommended limit (Waters and others 1993)


class SpineLoad(NamedTuple):
    """Loads at L5/S1 (K,): net ones on the part above, and the disc's compression with one muscle.

    Attributes:
        compression: net force across the disc [N]; negative where the trunk pulls.
        shear: net force along the disc with which the trunk slides ahead [N].
        lateral: net force with which the trunk slides to the left [N].
        extension: net moment of muscles that extends the spine [N m].
        disc: compression of the disc [N] if one muscle behind it (or before it, in flexion) makes that moment.
    """

    compression: np.ndarray
    shear: np.ndarray
    lateral: np.ndarray
    extension: np.ndarray
    disc: np.ndarray

    @property
    def limit(self) -> float:
        """Largest recommended compression of the disc [N]."""
        return ACTION_LIMIT


def spine_load(person: Human, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray, external: Mapping[str, Wrench] | None) -> SpineLoad:
    """Return the loads at L5/S1 at states (K,) under external wrenches on links (see the head of the file)."""
    trunk = person.segments["lower_trunk"]
    top = np.array([0.0, 0.0, trunk.length])
    at = np.array([0.0, 0.0, HEIGHT * person.body.stature])
    part = cut(trunk, at[2] / trunk.length)[1]
    center = at + np.array(part.com)
    wrench = person.joint_wrenches(q, qd, qdd, external=external, axes="world")[:, person.wrench_names.index(JOINT)]
    R = person.link_pose(q, "pelvis")[:, :3, :3]
    acceleration = person.link_acceleration(q, qd, qdd, "pelvis", point=center)
    spin = person.link_velocity(q, qd, "pelvis", point=center)[:, 3:]
    inertia = R @ np.array(part.tensor) @ np.swapaxes(R, 1, 2)
    need = part.mass * (acceleration[:, :3] - np.array(person.model.gravity))
    turn = _times(inertia, acceleration[:, 3:]) + np.cross(spin, _times(inertia, spin))
    force = wrench[:, :3] + need
    moment = wrench[:, 3:] + np.cross(R @ (top - at), wrench[:, :3]) + np.cross(R @ np.array(part.com), need) + turn
    s, c = np.sin(SLOPE), np.cos(SLOPE)
    normal, ahead, left = R @ np.array([s, 0.0, c]), R @ np.array([c, 0.0, -s]), R @ np.array([0.0, 1.0, 0.0])
    compression, extension = _dot(force, normal), -_dot(moment, left)
    return SpineLoad(compression, -_dot(force, ahead), -_dot(force, left), extension, compression + np.abs(extension) / ARM)


def _times(A: np.ndarray, x: np.ndarray) -> np.ndarray:
    return np.asarray((A @ x[..., None])[..., 0])


def _dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.asarray((a * b).sum(axis=-1))
