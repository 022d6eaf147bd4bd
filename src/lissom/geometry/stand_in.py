"""Stand-ins: forms for links without shapes, so that every robot can be drawn.

A link becomes tapered capsules between its joints: from its own joint to those that it carries, to the ends of loops and springs
on it, and, where there is none, to a tip as far behind its center of mass as that is from its joint. Three and more such places
are joined in a hub. Joints become cylinders along their axes (revolute, continuous, helical), boxes on a rail or at the end of a
tube (prismatic) and spheres (spherical, universal, custom).

The radius is that of a cylinder of the link's mass and length with the density of water, about the mean of robots and of people;
it is kept between bounds relative to the typical length of the robot's links, so that robots of any size and density look alike.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ..model import Joint, JointKind, LoopKind, Model
from ..model.pose import frame_with_z
from .primitives import box, cylinder, ellipsoid, tapered_capsule
from .surface import Surface, moved

DENSITY = 1000.0  # [kg/m^3]
THINNEST, THICKEST = 0.04, 0.12  # radius, as share of the typical length
STOUT = 0.3  # largest radius of a capsule, as share of its own length
DETAIL = 0.003
RAIL, LONGEST_RAIL = 0.6, 1.2  # in typical lengths to either side: without limits, and at most


class StandIn(NamedTuple):
    """A form that stands for a link or a joint.

    Attributes:
        link: name of the link that it is fixed to.
        surface: in the frame of that link.
        kind: "link" or "joint".
        name: of the link or joint that it stands for.
    """

    link: str
    surface: Surface
    kind: str
    name: str


@dataclass
class _Bone:
    """A link as points (3,) in its frame, in units of the robot's size; the first is its own joint, if it has one."""

    points: list[np.ndarray] = field(default_factory=list)
    carried: list[str | None] = field(default_factory=list)  # per point: the link that is held there, if any
    base: bool = False
    mass: float = 0.0
    com: np.ndarray | None = None
    radius: float = 0.0

    def add(self, point: np.ndarray, link: str | None = None) -> None:
        """Add a place, unless there is one already."""
        for k, other in enumerate(self.points):
            if np.linalg.norm(point - other) <= 1e-6:
                self.carried[k] = self.carried[k] or link
                return
        self.points.append(point)
        self.carried.append(link)

    @property
    def bare(self) -> bool:
        """Whether it has neither mass nor length, as the links inside a joint of several axes."""
        return not self.mass and len(self.points) < 2 and not self.base

    @property
    def hub(self) -> np.ndarray:
        """Where the capsules of a link with three places or more meet: its center of mass if that is between them."""
        points = np.array(self.points)
        low, high = points.min(axis=0), points.max(axis=0)
        inside = self.com is not None and bool(np.all((self.com >= low - 1e-9) & (self.com <= high + 1e-9)))
        center = self.com if inside and self.com is not None else points.mean(axis=0)
        distances = np.linalg.norm(points - center, axis=1)
        nearest = int(np.argmin(distances))
        return points[nearest] if distances[nearest] < 0.15 * distances.max() else center

    @property
    def segments(self) -> list[tuple[np.ndarray, np.ndarray, str | None]]:
        """Start and end of each capsule, and the link that is held at its end."""
        if len(self.points) == 2:
            return [(self.points[0], self.points[1], self.carried[1])]
        if len(self.points) < 2:
            return []
        hub = self.hub
        return [(hub, p, link) for p, link in zip(self.points, self.carried, strict=True) if np.linalg.norm(p - hub) > 1e-6]


def stand_ins(model: Model, links: Iterable[str] | None = None) -> tuple[StandIn, ...]:
    """Return forms for links without shapes, and for their joints.

    Args:
        model: the robot.
        links: names of links to draw; None: all of a model without any shape, and none of one with shapes, whose links without
            are frames.
    """
    if links is None:
        links = () if getattr(model, "shapes", ()) else [link.name for link in model.links]
    chosen = set(links)
    if not chosen:
        return ()
    bones, typical, unit = _sized(model)
    found = [each for link in model.links if link.name in chosen for each in _links(link.name, bones)]
    found += [each for each in _joints(model, bones, typical, unit) if each.link in chosen]
    return tuple(each._replace(surface=each.surface._replace(vertices=each.surface.vertices * unit)) for each in found)


def stand_in_axes(model: Model) -> dict[str, list[tuple[np.ndarray, np.ndarray, float]]]:
    """Return by link the axes of its stand-ins in its frame: start (3,), end (3,) and radius [m]; nothing for bare frames."""
    bones, _, unit = _sized(model)
    found: dict[str, list[tuple[np.ndarray, np.ndarray, float]]] = {}
    for name, bone in bones.items():
        lines = [(start, end) for start, end, _ in bone.segments]
        if not lines and bone.mass and bone.points:
            lines = [(bone.points[0], bone.points[0])]
        if lines:
            found[name] = [(unit * start, unit * end, unit * bone.radius) for start, end in lines]
    return found


def _sized(model: Model) -> tuple[dict[str, _Bone], float, float]:
    """Return the places and radii of all links and their typical length, in units of the robot's size, and that size [m]."""
    unit = _unit(model)
    bones = _bones(model, unit)
    typical = _typical(bones)
    density = DENSITY * unit**3 if 0.0 < DENSITY * unit**3 < math.inf else math.inf
    for bone in bones.values():
        bone.radius = _radius(bone, typical, density)
    base = bones[model.base]
    if not base.mass:  # few files give the base a mass: it is as thick as the thickest link on it
        base.radius = max((bones[link].radius for link in base.carried if link is not None), default=base.radius)
    return bones, typical, unit


def _unit(model: Model) -> float:
    """Return the largest coordinate of the robot's places [m]; without any, the edge of a cube of its mass in water."""
    places = [x for joint in model.joints for pose in (joint.origin, joint.tail) for x in pose.translation]
    places += [x for loop in model.loops for pose in (loop.first_pose, loop.second_pose) for x in pose.translation]
    places += [x for element in model.force_elements for _, point in element.ends for x in point]
    places += [x for link in model.links if link.inertia is not None for x in link.inertia.com]
    largest = max(map(abs, places), default=0.0)
    if largest >= 1e-300:
        return largest
    mass = max((link.inertia.mass for link in model.links if link.inertia is not None), default=DENSITY)
    return (mass / DENSITY) ** (1 / 3)


def _bones(model: Model, unit: float) -> dict[str, _Bone]:
    """Return the places of every link, in units of `unit` [m]."""
    bones = {link.name: _Bone(base=link.name == model.base) for link in model.links}
    for link in model.links:
        if link.inertia is not None:
            bones[link.name].mass, bones[link.name].com = link.inertia.mass, np.array(link.inertia.com) / unit
    if any(joint.parent == model.base and not joint.kind.traits.loose for joint in model.joints):
        bones[model.base].add(np.zeros(3))
    for joint in model.joints:
        if not joint.kind.traits.loose:
            bones[joint.child].add(-joint.tail.R.T @ (joint.tail.p / unit))
    for joint in model.joints:
        if not joint.kind.traits.loose:
            bones[joint.parent].add(joint.origin.p / unit, joint.child)
    for loop in model.loops:
        bones[loop.first].add(loop.first_pose.p / unit)
        bones[loop.second].add(loop.second_pose.p / unit)
    for element in model.force_elements:
        for name, point in element.ends:
            bones[name].add(np.array(point) / unit)
    for bone in bones.values():
        if len(bone.points) == 1 and bone.com is not None:
            bone.add(bone.points[0] + 2.0 * (bone.com - bone.points[0]))
        elif not bone.points and bone.com is not None:
            bone.add(bone.com)
    return bones


def _typical(bones: dict[str, _Bone]) -> float:
    """Return the root mean square of the lengths of all capsules; of robots without length, their unit."""
    lengths = [float(np.linalg.norm(b - a)) for bone in bones.values() for a, b, _ in bone.segments]
    return math.sqrt(sum(x * x for x in lengths) / len(lengths)) if lengths else 1.0


def _radius(bone: _Bone, typical: float, density: float) -> float:
    lengths = [float(np.linalg.norm(b - a)) for a, b, _ in bone.segments]
    if not bone.mass:
        return THINNEST * typical
    if lengths:
        radius = math.sqrt(bone.mass / (density * math.pi * sum(lengths)))
        radius = min(radius, STOUT * sum(lengths) / len(lengths))
    else:
        radius = (bone.mass / (density * 4.0 / 3.0 * math.pi)) ** (1 / 3)
    return min(max(radius, THINNEST * typical), THICKEST * typical)


def _links(name: str, bones: dict[str, _Bone]) -> list[StandIn]:
    bone = bones[name]
    if not bone.segments:
        if not bone.mass or not bone.points:
            return []
        ball = ellipsoid((bone.radius,) * 3, DETAIL)
        return [StandIn(name, moved(ball, np.eye(3), bone.points[0]), "link", name)]
    found = []
    for start, end, link in bone.segments:
        after = bones[link].radius if link is not None else 0.6 * bone.radius
        found.append(
            StandIn(name, _between(start, end, bone.radius, min(max(after, 0.5 * bone.radius), bone.radius)), "link", name)
        )
    return found


def _between(start: np.ndarray, end: np.ndarray, first: float, second: float) -> Surface:
    length = float(np.linalg.norm(end - start))
    form = tapered_capsule(first, second, 0.0, length, DETAIL)
    return moved(form, frame_with_z((end - start) / length), start)


def _joints(model: Model, bones: dict[str, _Bone], typical: float, unit: float) -> list[StandIn]:
    found: list[StandIn] = []
    homes = dict(model.posture)
    for joint in model.joints:
        if joint.kind.traits.loose or joint.kind is JointKind.FIXED:
            continue
        radius = 1.25 * max(bones[joint.child].radius, THINNEST * typical)
        if joint.kind.traits.marker == "box":
            found += _slide(joint, bones, radius, typical, unit, homes.get(joint.name, (0.0,))[0] / unit)
        else:
            found.append(StandIn(joint.child, _marker(joint.kind, *_in_child(joint, unit), radius), "joint", joint.name))
    for loop in model.loops:
        if loop.kind is not LoopKind.RIGID:
            radius = 1.25 * max(min(bones[loop.first].radius, bones[loop.second].radius), THINNEST * typical)
            kind = JointKind(loop.kind.value)
            axis = loop.first_pose.R @ np.array(loop.axis)
            found.append(StandIn(loop.first, _marker(kind, loop.first_pose.p / unit, axis, radius), "joint", loop.name))
    return found


def _in_child(joint: Joint, unit: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the place and the axis of a joint in the frame of its child."""
    back = joint.tail.R.T
    return -back @ (joint.tail.p / unit), back @ np.array(joint.axis)


def _slide(joint: Joint, bones: dict[str, _Bone], radius: float, typical: float, unit: float, home: float) -> list[StandIn]:
    """Return the box and rail of a sliding joint; `home` is its coordinate in the posture of a closed robot."""
    parent, child = bones[joint.parent], bones[joint.child]
    place, axis = _in_child(joint, unit)
    if child.bare or parent.bare:
        return []  # one of the axes x, y, z of a platform: nothing is there to slide on
    origin, turn = joint.origin.p / unit, frame_with_z(joint.origin.R @ np.array(joint.axis))
    behind = max((float((place - point) @ axis) for point in child.points), default=0.0)
    ahead = max((float((point - origin) @ turn[:, 2]) for point in parent.points), default=0.0)
    if min(behind, ahead) > 0.3 * typical:  # a rod that moves in a tube: the box is the end of the tube
        return [StandIn(joint.parent, _marker(joint.kind, origin + ahead * turn[:, 2], turn[:, 2], radius), "joint", joint.name)]
    found = [StandIn(joint.child, _marker(joint.kind, place, axis, radius), "joint", joint.name)]
    low, high = (_stop(x / unit, home, typical) for x in (joint.limits.lower, joint.limits.upper))
    if high - low > 1e-6:
        rail = box((0.5 * radius, 0.5 * radius, high - low))
        found.append(StandIn(joint.parent, moved(rail, turn, origin + turn[:, 2] * (0.5 * (low + high))), "joint", joint.name))
    return found


def _marker(kind: JointKind, place: np.ndarray, axis: np.ndarray, radius: float) -> Surface:
    form = kind.traits.marker
    if form == "ball":
        return moved(ellipsoid((radius,) * 3, DETAIL), np.eye(3), place)
    if form == "box":
        return moved(box((2.0 * radius, 2.0 * radius, 3.0 * radius)), frame_with_z(axis), place)
    assert form == "cylinder"
    return moved(cylinder(radius, 2.4 * radius, DETAIL), frame_with_z(axis), place)


def _stop(value: float, home: float, typical: float) -> float:
    """Return where a rail ends, from a limit of the joint and its coordinate at home."""
    bound = typical * (RAIL if math.isinf(value) else LONGEST_RAIL)
    return min(max(value, home - bound), home + bound)
