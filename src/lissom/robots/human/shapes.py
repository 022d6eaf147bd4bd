"""Shapes to draw a person with: ellipsoids and capsules over the segments. No motion depends on them; breadths are chosen.

Lengths follow the segments. Breadths grow with the square root of mass over stature, as those of a body of constant density do.
"""

from __future__ import annotations

import math

import numpy as np

from ...model import Pose
from ...model.pose import Vector3, frame_with_z
from ...model.shape import Capsule, Color, Ellipsoid, Shape
from .body import Body, share

SKIN: Color = (0.87, 0.68, 0.55, 1.0)
SHIRT: Color = (0.20, 0.47, 0.62, 1.0)
TROUSERS: Color = (0.23, 0.26, 0.33, 1.0)
SHOES: Color = (0.13, 0.13, 0.14, 1.0)
HAIR: Color = (0.27, 0.19, 0.13, 1.0)
# breadth of chest and pelvis of women over those of men of the same girth
CHEST, HIPS = {"male": 1.0, "female": 0.92}, {"male": 1.0, "female": 1.06}


def shapes_of(body: Body) -> tuple[Shape, ...]:
    """Return the shapes of all links."""
    draw = _Pen(body)
    _trunk(draw)
    _head(draw)
    for side, out in (("right", -1.0), ("left", 1.0)):
        _leg(draw, side)
        _arm(draw, side, out)
    return tuple(draw.shapes)


class _Pen:
    """Shapes while they are added; radii are those of a man of 1.75 m and 75 kg [m]."""

    def __init__(self, body: Body) -> None:
        self.body = body
        self.girth = math.sqrt(body.mass / 75.0 * 1.75 / body.stature)
        self.size = body.stature / 1.75
        self.shapes: list[Shape] = []

    def ball(self, link: str, center: Vector3, radii: Vector3, color: Color, name: str = "") -> None:
        """Add an ellipsoid with these half axes [m]."""
        self.shapes.append(Shape(link, Ellipsoid(radii), Pose(translation=center), color, name=name or link.replace("_", " ")))

    def limb(self, link: str, start: Vector3, end: Vector3, radius: float, color: Color) -> None:
        """Add a capsule between two points, of the given radius times the girth."""
        a, b = np.array(start), np.array(end)
        along = b - a
        length = float(np.linalg.norm(along))
        pose = Pose(frame_with_z(along / length), tuple((a + b) / 2))
        self.shapes.append(Shape(link, Capsule(radius * self.girth, length), pose, color, name=link.replace("_", " ")))


def _trunk(draw: _Pen) -> None:
    body, g = draw.body, draw.girth
    lower, middle, upper = (body.segments[name].length for name in ("lower_trunk", "middle_trunk", "upper_trunk"))
    chest, hips = CHEST[body.sex], HIPS[body.sex]
    low, high = share("middle_trunk") * middle, (1 - share("middle_trunk")) * middle
    draw.ball("pelvis", (-0.01 * g, 0.0, 0.3 * lower), (0.116 * g, 0.168 * g * hips, 0.98 * lower), TROUSERS)
    draw.ball("lower_abdomen", (0.0, 0.0, 0.55 * low), (0.104 * g, 0.149 * g, 1.5 * low), SHIRT)
    draw.ball("upper_abdomen", (0.0, 0.0, 0.6 * high), (0.106 * g, 0.151 * g * chest, 1.7 * high), SHIRT)
    bottom, top = share("upper_trunk") * upper, (1 - share("upper_trunk")) * upper
    draw.ball("lower_chest", (0.003 * g, 0.0, 0.5 * bottom), (0.114 * g, 0.163 * g * chest, 1.9 * bottom), SHIRT)
    draw.ball("upper_chest", (0.0, 0.0, 0.1 * top), (0.108 * g, 0.172 * g * chest, 0.96 * top), SHIRT)


def _head(draw: _Pen) -> None:
    body, size = draw.body, draw.size
    long = share("neck_length") * body.segments["head"].length
    top = body.segments["head"].length - long
    half = 0.118 * size
    middle = top - half
    draw.limb("neck", (-0.008, 0.0, -0.01), (0.004, 0.0, 1.05 * long), 0.055, SKIN)
    draw.ball("head", (0.012 * size, 0.0, middle), (0.096 * size, 0.079 * size, half), SKIN)
    draw.ball("head", (0.106 * size, 0.0, middle - 0.012 * size), (0.016 * size, 0.012 * size, 0.022 * size), SKIN, "nose")
    back, up = -0.008 * size, 0.02 * size
    draw.ball("head", (back, 0.0, middle + up), (0.101 * size, 0.086 * size, half - up), HAIR, "hair")


def _leg(draw: _Pen, side: str) -> None:
    body, g = draw.body, draw.girth
    thigh, shank, foot = (body.segments[name].length for name in ("thigh", "shank", "foot"))
    draw.limb(f"{side}_thigh", (0.0, 0.0, -0.1 * thigh), (0.0, 0.0, -thigh), 0.057, TROUSERS)
    draw.ball(f"{side}_thigh", (0.004 * g, 0.0, -0.34 * thigh), (0.088 * g, 0.083 * g, 0.56 * thigh), TROUSERS)
    draw.limb(f"{side}_shank", (0.0, 0.0, 0.0), (0.0, 0.0, -0.95 * shank), 0.043, TROUSERS)
    draw.ball(f"{side}_shank", (-0.012 * g, 0.0, -0.3 * shank), (0.06 * g, 0.056 * g, 0.36 * shank), TROUSERS)
    ankle, half = body.part("ankle_height"), body.part("foot_breadth") / 2
    heel, ball, tip = share("ankle") * foot, (share("ball") - share("ankle")) * foot, (1 - share("ball")) * foot
    middle, reach = (ball - heel) / 2, (ball + heel) / 2
    # soles end at the height of the sole: half axes along z reach from the center to it
    draw.ball(f"{side}_foot", (-0.15 * heel, 0.0, -0.45 * ankle), (0.85 * heel, 0.72 * half, 0.55 * ankle), SHOES)
    draw.ball(f"{side}_foot", (middle, 0.0, -0.55 * ankle), (1.12 * reach, 0.8 * half, 0.45 * ankle), SHOES)
    draw.ball(f"{side}_foot", (ball - 0.25 * reach, 0.0, -0.72 * ankle), (0.62 * reach, half, 0.28 * ankle), SHOES)
    draw.ball(f"{side}_toes", (0.32 * tip, 0.0, 0.24 * ankle), (0.68 * tip, 0.94 * half, 0.24 * ankle), SHOES)


def _arm(draw: _Pen, side: str, out: float) -> None:
    body, g = draw.body, draw.girth
    upper, forearm, finger = body.segments["upper_arm"].length, body.segments["forearm"].length, body.length("hand_to_fingertip")
    hand = body.segments["hand"].length
    wide = body.part("half_shoulder") - body.part("half_sternum")
    draw.limb(f"{side}_clavicle", (-0.005, 0.1 * out * wide, 0.012), (-0.003, 0.9 * out * wide, -0.016), 0.045, SHIRT)
    draw.ball(f"{side}_upper_arm", (0.0, 0.0, -0.24 * upper), (0.056 * g, 0.053 * g, 0.4 * upper), SHIRT)
    draw.limb(f"{side}_upper_arm", (0.0, 0.0, -0.3 * upper), (0.0, 0.0, -upper), 0.04, SKIN)
    draw.limb(f"{side}_forearm", (0.0, 0.0, -0.2 * forearm), (0.0, 0.0, -0.98 * forearm), 0.03, SKIN)
    draw.ball(f"{side}_forearm", (0.0, 0.0, -0.25 * forearm), (0.043 * g, 0.041 * g, 0.42 * forearm), SKIN)
    draw.ball(f"{side}_hand", (0.0, 0.0, -0.55 * hand), (0.042 * g, 0.02 * g, 0.72 * hand), SKIN)
    end = (hand + finger) / 2
    draw.ball(f"{side}_hand", (0.004, -0.006 * out, -end), (0.034 * g, 0.014 * g, 0.5 * (finger - hand) + 0.012), SKIN)
    draw.limb(f"{side}_hand", (0.03 * g, 0.0, -0.3 * hand), (0.052 * g, -0.01 * out, -0.95 * hand), 0.012, SKIN)
