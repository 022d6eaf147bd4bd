"""Named points of a person: soles, hands, head."""

from __future__ import annotations

from typing import NamedTuple

from ...model.pose import Vector3
from .body import Body, share


class Point(NamedTuple):
    """A point of a link: the link's name and the position in its frame [m]."""

    link: str
    position: Vector3


def points_of(body: Body) -> dict[str, Point]:
    """Return the points by name.

    For each side, `left_` and `right_`: `heel`, `ball` (on the foot) and `toe` (on the toes) in the middle of the sole, each with
    `_inner` and `_outer` at its edges; `hand`, the palm at the middle knuckle, and `fingertip`, that of the middle finger. And
    `head_top`. Where the model stands upright, soles are at height zero.
    """
    found: dict[str, Point] = {}
    for side, out in (("left", 1.0), ("right", -1.0)):
        found |= {f"{side}_{name}": Point(f"{side}_{link}", at) for name, link, at in _foot(body, out)}
        hand, finger = body.segments["hand"].length, body.length("hand_to_fingertip")
        found[f"{side}_hand"] = Point(f"{side}_hand", (0.0, 0.0, -hand))
        found[f"{side}_fingertip"] = Point(f"{side}_hand", (0.0, 0.0, -finger))
    head = body.segments["head"].length
    found["head_top"] = Point("head", (0.0, 0.0, (1 - share("neck_length")) * head))
    return found


def _foot(body: Body, out: float) -> list[tuple[str, str, Vector3]]:
    long, down, half = body.segments["foot"].length, -body.part("ankle_height"), body.part("foot_breadth") / 2
    heel, ball, tip = -share("ankle") * long, (share("ball") - share("ankle")) * long, (1 - share("ball")) * long
    rows = (
        ("heel", "foot", heel, down, share("heel_breadth")),
        ("ball", "foot", ball, down, 1.0),
        ("toe", "toes", tip, 0.0, share("toe_breadth")),
    )
    found: list[tuple[str, str, Vector3]] = []
    for name, link, x, z, breadth in rows:
        for edge, y in (("", 0.0), ("_inner", -out * breadth * half), ("_outer", out * breadth * half)):
            found.append((name + edge, link, (x, y, z)))
    return found
