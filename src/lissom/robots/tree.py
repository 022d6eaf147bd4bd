"""Random trees of every kind of joint: the parametric mechanisms that tests and benchmarks run on.

After an idea of Featherstone (spatial_v2: mechanisms given by a size, a branching factor and a skew), extended to all parts of a
Model. The same arguments give the same numbers on every platform: draws are uniform, and everything computed from them uses only
+ - * / and the square root, which IEEE 754 rounds in one way.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from ..errors import ModelError
from ..model import (
    IDENTITY,
    Coupling,
    Friction,
    Inertia,
    Joint,
    JointKind,
    Limits,
    Link,
    Model,
    Motion,
    Motor,
    Polynomial,
    Pose,
    Spline,
    Spring,
)
from ..model.joint import SINGLE_DOF
from ..model.pose import Vector3, rotation_from_quaternion
from ..robot import Robot

KINDS = tuple(kind for kind in JointKind if kind is not JointKind.FIXED)
SIMPLE = tuple(kind for kind in KINDS if not kind.traits.own)
FRAME_AXES: tuple[Vector3, ...] = ((1, 0, 0), (0, 1, 0), (0, 0, 1), (-1, 0, 0), (0, -1, 0), (0, 0, -1))
MOST = 10_000  # moving joints; programs grow with the joints, so larger trees could not be used
POINTS = 6  # in the cloud for a link's inertia; more than three in general position have a volume


def tree(n: int, branching: float = 1.5, skew: float = 0.4, seed: int = 0, **more: object) -> Robot:
    """Return a random tree as a Robot; for the arguments see `tree_model`."""
    return Robot(tree_model(n, branching, skew, seed, **more))  # type: ignore[arg-type]


def tree_model(
    n: int,
    branching: float = 1.5,
    skew: float = 0.4,
    seed: int = 0,
    kinds: Iterable[JointKind | str] | None = None,
    floating: bool = False,
    fixed: float = 0.0,
    coupled: float = 0.0,
    tails: float = 0.0,
    drives: bool = True,
    springs: float = 0.0,
    motors: float = 0.0,
    elastic: float = 0.5,
) -> Model:
    """Return a random tree of links and joints, the same for the same arguments.

    Args:
        n: number of moving joints, not counting a floating base.
        branching: links that each link carries, on average: 1 is a serial chain, 2 a binary tree.
        skew: rotation of each joint frame relative to its parent's, about a random axis [rad]; 0: all frames parallel.
        seed: of the random numbers.
        kinds: kinds of the moving joints, in equal shares; repeat a kind to have more of it. Default: all but
            helical, universal and custom joints; `lissom.robots.tree.KINDS` has every kind.
        floating: whether the tree is on a free link ("trunk") instead of on the ground.
        fixed: share of the joints [0..1] on a bracket: a separate link, with or without mass, fixed to the parent.
        coupled: share of the single-axis joints [0..1] that follow an earlier one (at least one stays independent).
        tails: share of the joints [0..1] whose child frame is not at the joint, as in standard Denavit-Hartenberg tables.
        drives: whether single-axis joints have friction and rotor inertia.
        springs: share of the single-axis joints [0..1] that are elastic; with drives their springs have damping. The rest of the
            tree does not depend on it.
        motors: share of the single-axis joints [0..1] that have a motor, on the ground, on the joint's parent or child, or on any
            link; with drives it has friction. The rest of the tree does not depend on it.
        elastic: share of the motors [0..1] whose drives are elastic; with drives their springs have damping.
    """
    shares = {"fixed": fixed, "coupled": coupled, "tails": tails, "springs": springs, "motors": motors, "elastic": elastic}
    _check(n, branching, skew, shares)
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or seed < 0:
        raise ModelError(f"tree: seed must be a whole number, 0 or more, got {seed!r}")
    draw = _Draw(seed, skew)
    deck = _deal(draw, n, [JointKind.parse(kind) for kind in (SIMPLE if kinds is None else kinds)])
    links, joints = [Link("ground")], []
    if floating:
        links.append(Link("trunk", draw.inertia()))
        joints.append(Joint("free", JointKind.FLOATING, "ground", "trunk"))
    parents = [links[-1].name]
    leaders: list[str] = []
    for i, kind in enumerate(deck):
        parent = parents[int(i / branching)]
        if draw.chance(fixed):
            bracket = Link(f"bracket_{i + 1}", draw.inertia() if draw.chance(0.5) else None)
            links.append(bracket)
            joints.append(Joint(f"weld_{i + 1}", JointKind.FIXED, parent, bracket.name, draw.pose()))
            parent = bracket.name
        link = Link(f"link_{i + 1}", draw.inertia())
        joint = draw.joint(f"joint_{i + 1}", kind, parent, link.name, tails, drives, leaders, coupled)
        links.append(link)
        joints.append(joint)
        parents.append(link.name)
        if kind in SINGLE_DOF and joint.coupling is None:
            leaders.append(joint.name)
    joints = _sprung(joints, _Draw((seed, 1), skew), springs, drives) if springs else joints
    driven = _driven(joints, links, _Draw((seed, 2), skew), motors, elastic, drives) if motors else []
    return Model(f"tree_{n}_{branching:g}_{seed}", tuple(links), tuple(joints), motors=tuple(driven))


def _check(n: int, branching: float, skew: float, shares: dict[str, float]) -> None:
    if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or n < 1:
        raise ModelError(f"tree: n must be a whole number, at least 1, got {n!r}")
    if n > MOST:
        raise ModelError(f"tree: n is {n}, expected at most {MOST} joints")
    for name, value in {"branching": branching, "skew": skew, **shares}.items():
        if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
            raise ModelError(f"tree: {name} must be a number, got {value!r}")
    if not 1 <= branching < math.inf:
        raise ModelError(f"tree: branching must be 1 or more (1 is a chain), got {branching:g}")
    if not math.isfinite(skew):
        raise ModelError(f"tree: skew must be a finite angle [rad], got {skew:g}")
    for name, share in shares.items():
        if not 0 <= share <= 1:
            raise ModelError(f"tree: {name} must be a share between 0 and 1, got {share:g}")


def _deal(draw: _Draw, n: int, kinds: list[JointKind]) -> list[JointKind]:
    """Deal n kinds from shuffled decks, so that n >= len(kinds) has each of them."""
    if not kinds or JointKind.FIXED in kinds:
        raise ModelError("tree: kinds must name one or more kinds of moving joints; for fixed ones use the share `fixed`")
    dealt: list[JointKind] = []
    while len(dealt) < n:
        dealt += [kinds[i] for i in draw.rng.permutation(len(kinds))]
    return dealt[:n]


def _sprung(joints: list[Joint], draw: _Draw, share: float, damped: bool) -> list[Joint]:
    """Give springs to some joints, by separate draws: those of the tree do not change."""
    changed = []
    for joint in joints:
        if joint.kind in SINGLE_DOF and draw.chance(share):
            spring = Spring(draw.number(5.0, 100.0), draw.number(-0.5, 0.5), draw.number(0.0, 1.0) if damped else 0.0)
            joint = replace(joint, spring=spring)
        changed.append(joint)
    return changed


def _driven(joints: list[Joint], links: list[Link], draw: _Draw, share: float, elastic: float, rubbing: bool) -> list[Motor]:
    """Return motors for some joints, by separate draws."""
    found = []
    for joint in joints:
        if joint.kind not in SINGLE_DOF or not draw.chance(share):
            continue
        anywhere = links[int(draw.number(0, len(links)))].name
        carriers = (links[0].name, joint.parent, joint.child, anywhere)
        found.append(draw.motor(f"motor_of_{joint.name}", joint.name, carriers[int(draw.number(0, 4))], elastic, rubbing))
    return found


class _Draw:
    """Random parts of a model."""

    def __init__(self, seed: int | tuple[int, int], skew: float) -> None:
        self.rng = np.random.Generator(np.random.PCG64(seed))
        # libraries differ in the last bit of sine and cosine; twelve digits do not
        self.half_turn = round(math.sin(skew / 2), 12), round(math.cos(skew / 2), 12)

    def chance(self, share: float) -> bool:
        return self.number(0.0, 1.0) < share

    def number(self, low: float, high: float) -> float:
        return low + (high - low) * float(self.rng.random())

    def vector(self, size: float) -> Vector3:
        return (self.number(-size, size), self.number(-size, size), self.number(-size, size))

    def direction(self) -> Vector3:
        while True:  # from the cube, keeping points in the ball: directions are uniform
            x, y, z = self.vector(1.0)
            r = math.sqrt(x * x + y * y + z * z)
            if 0.1 < r < 1.0:
                return (x / r, y / r, z / r)

    def pose(self) -> Pose:
        s, c = self.half_turn
        x, y, z = self.direction()
        R = rotation_from_quaternion((s * x, s * y, s * z, c))
        return Pose(R, self.vector(0.3))  # type: ignore[arg-type]

    def inertia(self) -> Inertia:
        """Return the inertia of a cloud of points, which some rigid body always has."""
        center = self.vector(0.2)
        masses = [self.number(0.1, 1.0) for _ in range(POINTS)]
        points = [self.vector(0.15) for _ in range(POINTS)]
        mass = sum(masses)
        mean = [sum(m * p[k] for m, p in zip(masses, points, strict=True)) / mass for k in range(3)]
        xx = yy = zz = xy = xz = yz = 0.0
        for m, p in zip(masses, points, strict=True):
            x, y, z = (p[k] - mean[k] for k in range(3))
            xx, yy, zz = xx + m * x * x, yy + m * y * y, zz + m * z * z
            xy, xz, yz = xy + m * x * y, xz + m * x * z, yz + m * y * z
        return Inertia(mass, center, ((yy + zz, -xy, -xz), (-xy, xx + zz, -yz), (-xz, -yz, xx + yy)))

    def motor(self, name: str, joint: str, link: str, elastic: float, rubbing: bool) -> Motor:
        """Draw a motor with a physical rotor, no flatter than a disc (Izz = 2 Ixx)."""
        ratio = self.number(1.0, 20.0) * (1.0 if self.chance(0.5) else -1.0)
        about = self.number(1e-4, 1e-3)
        across = about * self.number(0.5, 2.0)
        tensor = ((across, 0.0, 0.0), (0.0, across, 0.0), (0.0, 0.0, about))
        inertia = Inertia(self.number(0.1, 0.5), (0.0, 0.0, self.number(-0.1, 0.1)), tensor)
        friction = Friction(self.number(0.0, 1e-3), self.number(0.0, 1e-2)) if rubbing else Friction()
        spring = None
        if self.chance(elastic):
            spring = Spring(self.number(20.0, 200.0), self.number(-0.5, 0.5), self.number(0.0, 1.0) if rubbing else 0.0)
        rotor = "full" if self.chance(0.75) else "reflected"
        return Motor(name, joint, link, ratio, inertia, self.pose(), spring, friction, rotor=rotor)

    def joint(
        self, name: str, kind: JointKind, parent: str, child: str, tails: float, drives: bool, leaders: list[str], coupled: float
    ) -> Joint:
        """Draw a joint; a single-axis one may follow one of `leaders`."""
        axis = FRAME_AXES[int(self.number(0, 6))] if self.chance(0.75) else self.direction()
        origin = self.pose()
        tail = self.pose() if self.chance(tails) else IDENTITY
        own = self.own(kind, axis)
        axis = (0.0, 0.0, 1.0) if "motion" in own else axis  # its motion has axes of its own
        if kind not in SINGLE_DOF:
            return Joint(name, kind, parent, child, origin, axis, tail, **own)
        follows = bool(leaders) and self.chance(coupled)
        coupling = None
        if follows:
            coupling = Coupling(leaders[int(self.number(0, len(leaders)))], self.number(-2.0, 2.0), self.number(-0.5, 0.5))
        friction = Friction(self.number(0.0, 0.5), self.number(0.0, 0.5)) if drives else Friction()
        rotor = self.number(0.0, 0.2) if drives else 0.0
        lower, upper = (-math.inf, math.inf) if kind is JointKind.CONTINUOUS else (self.number(-3.0, -1.0), self.number(1.0, 3.0))
        limits = Limits(lower, upper, velocity=self.number(2.0, 8.0), effort=self.number(50.0, 200.0))
        return Joint(name, kind, parent, child, origin, axis, tail, limits, friction, rotor, coupling, **own)

    def own(self, kind: JointKind, axis: Vector3) -> dict[str, Any]:
        """Draw the fields that only joints of this kind have."""
        return {name: self.field(name, axis) for name in kind.traits.own}

    def field(self, name: str, axis: Vector3) -> Any:
        """Draw a field of a joint about an axis."""
        if name == "pitch":
            return self.number(-0.2, 0.2)
        if name == "second_axis":
            return self.across(axis)
        if name == "motion":
            turn = Polynomial((self.number(-0.5, 0.5), self.number(0.5, 1.5), self.number(-0.1, 0.1), self.number(-0.05, 0.05)))
            rotations = ((axis, turn), (self.across(axis), self.spline(0.3)))
            return Motion(((self.direction(), self.spline(0.1)), (axis, Polynomial((0.05, 0.1)))), rotations)
        raise AssertionError(f"nothing draws {name!r} of a joint")

    def across(self, axis: Vector3) -> Vector3:
        """Draw a direction perpendicular to an axis."""
        while True:
            (x, y, z), (a, b, c) = self.direction(), axis
            u, v, w = y * c - z * b, z * a - x * c, x * b - y * a
            r = math.sqrt(u * u + v * v + w * w)
            if r > 0.1:
                return (u / r, v / r, w / r)

    def spline(self, size: float) -> Spline:
        """Draw a function with values of up to `size`, through seven points from -3 to 3."""
        return Spline(tuple(float(k) for k in range(-3, 4)), tuple(self.number(-size, size) for _ in range(7)))
