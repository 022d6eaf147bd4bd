"""The Stanford arm, two turning joints, a sliding one and a wrist, as in Guarino Lo Bianco 2009, tables I to III.

Table II of the paper lost a column in print. The numbers here are its source's (Paul, Robot Manipulators, MIT Press 1981), in the
paper's modified Denavit-Hartenberg frames.

Reference point of the inertias: the paper defines its tensors about the center of mass and uses these numbers, so that is the
default. More likely they are about the origins of the link frames, as in Paul's own equations: the hand (link 6) has
Ixx = 0.013, just above mass z^2 = 0.0123, and the boom (link 3) 2.51, above 1.77. Moved to the centers of mass they leave radii
of gyration of 4 cm and 42 cm (a rod 1.4 m long), which fits the machine; 2.51 kg m^2 about its center of mass would make the boom
2.7 m long. `inertia_about="origin"` builds that arm. Both sets obey the triangle inequality, so no check can decide.
"""

from __future__ import annotations

import math

import numpy as np

from ..errors import ModelError, suggest
from ..model import Inertia, JointKind, Model
from ..robot import Robot
from .dh_chain import Row, dh_chain, screw_x, seen_from

# modified rows: a and alpha belong to the link before
ROWS = (
    Row(d=0.412),
    Row(d=0.154, alpha=-math.pi / 2),
    Row(theta=-math.pi / 2, alpha=math.pi / 2, kind=JointKind.PRISMATIC),
    Row(),
    Row(alpha=-math.pi / 2),
    Row(d=0.263, alpha=math.pi / 2),
)

# mass [kg]; center of mass [m]; Ixx, Iyy, Izz [kg m^2]
BODIES = (
    (9.29, (0.0, -0.1105, -0.0175), (0.276, 0.071, 0.255)),
    (5.01, (0.0, 0.0, -0.1054), (0.108, 0.100, 0.018)),
    (4.25, (0.0, 0.0, -0.6447), (2.51, 2.51, 0.006)),
    (1.08, (0.0, -0.0054, -0.0092), (0.002, 0.001, 0.001)),
    (0.63, (0.0, -0.0566, 0.0), (0.003, 0.0004, 0.003)),
    (0.51, (0.0, 0.0, 0.1554), (0.013, 0.013, 0.0003)),
)

# the motion of table III [rad, the third in m], from rest to rest in two seconds
START = (math.pi / 2, 0.0, 0.0, math.pi / 2, math.pi / 4, math.pi / 2)
GOAL = (math.pi / 4, math.pi / 2, 2.0, math.pi / 4, math.pi / 2, 0.0)
DURATION = 2.0  # [s]

CONVENTIONS = ("modified", "standard")
POINTS = ("com", "origin")


def stanford(convention: str = "modified", inertia_about: str = "com") -> Robot:
    """Return the Stanford arm as a Robot; for the arguments see `stanford_model`."""
    return Robot(stanford_model(convention, inertia_about))


def stanford_model(convention: str = "modified", inertia_about: str = "com") -> Model:
    """Return the Stanford arm: two revolute joints, a prismatic one and a wrist.

    Args:
        convention: "modified" or "standard" Denavit-Hartenberg frames. The machine is the same and so are its torques; only the
            frames of the links differ.
        inertia_about: whether the tabulated inertias are about the centers of mass ("com") or about the origins of the modified
            frames ("origin"); see the head of this file.
    """
    for what, value, choices in (("convention", convention, CONVENTIONS), ("inertia_about", inertia_about, POINTS)):
        if value not in choices:
            raise ModelError(f"stanford: no {what} {value!r}; {suggest(value, choices)}")
    inertias = [_inertia(*body, about=inertia_about) for body in BODIES]
    if convention == "modified":
        return dh_chain("stanford", ROWS, inertias, "modified")
    # the standard frame of a link is its modified one moved along the link: by the a and alpha of the next row
    shifts = [(row.a, row.alpha) for row in ROWS[1:]] + [(0.0, 0.0)]
    rows = [Row(row.theta, row.d, a, alpha, row.kind) for row, (a, alpha) in zip(ROWS, shifts, strict=True)]
    moved = [seen_from(inertia, screw_x(*shift)) for inertia, shift in zip(inertias, shifts, strict=True)]
    return dh_chain("stanford", rows, moved, "standard")


def _inertia(mass: float, com: tuple[float, float, float], moments: tuple[float, float, float], about: str) -> Inertia:
    tensor = np.diag(moments)
    if about == "origin":
        c = np.array(com)
        tensor = tensor - mass * (c @ c * np.eye(3) - np.outer(c, c))
    return Inertia(mass, com, tensor)  # type: ignore[arg-type]
