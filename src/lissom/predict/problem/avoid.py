"""What links stay away from: points, obstacles, and each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any, Self

import numpy as np

from ...errors import StateError
from ...geometry import link_capsules
from ...protocol import DrivenRobot
from ...tree import BASE, Tree, lump
from ..data.solids import Box, Capsule, Sphere, kind, margin_of
from ..data.solids import Obstacle as Solid
from ..quantities.clearances import Meeting
from .check_goal import distance_of

MOST = 2000  # pairs of capsules in one call
Bodies = Capsule | Sphere | Sequence[Capsule | Sphere]


class WithObstacles:
    """The obstacles of a motion problem."""

    robot: DrivenRobot
    ends: dict[str, dict[str, np.ndarray]]
    limit: Callable[..., Self]
    n: Any  # number of joints whose path is unknown

    def avoid(
        self,
        link: str | Sequence[str] | None,
        center: Sequence[float] | Solid,
        distance: float | None = None,
        point: Sequence[float] | None = None,
        other: str | None = None,
        *,
        margin: float = 0.0,
        capsules: Bodies | None = None,
    ) -> Self:
        """Keep links away from an obstacle; or a point of a link at a distance from a point.

        Args:
            link: name; for an obstacle also several names, or None for all links that move.
            center: `Sphere`, `Capsule` or `Box` of `lissom.predict`; or a point. In the world's frame, or in that of `other` [m].
            distance: between two points, at least [m].
            point: that stays at this distance, in the link's frame [m]; its origin unless given.
            other: name of the link that carries the obstacle or the point.
            margin: least distance between the surfaces of an obstacle and of the link's capsules [m].
            capsules: of the link, `Capsule` or `Sphere` in its frame, or several; None for those around its shapes, or thin ones
                from joint to joint where it has none (`lissom.geometry.link_capsules`).
        """
        if not isinstance(center, Sphere | Capsule | Box):
            if margin or capsules is not None or not isinstance(link, str):
                what = "margin=" if margin else "capsules=" if capsules is not None else "several links"
                raise StateError(f"{what}: a point keeps away from a point; give an obstacle: Sphere, Capsule or Box")
            square = distance_of(distance) ** 2
            own = (0.0, 0.0, 0.0) if point is None else point
            options: dict[str, Any] = {"link": link, "point": own, "center": center, "other": other}
            return self.limit("distance_squared", square, None, scale=square, **options)
        for name, value in (("distance", distance), ("point", point)):
            if value is not None:
                raise StateError(f"{name}= is for points; a {kind(center)} has a size of its own: margin=, capsules=")
        from ..quantities.clearances import Meeting, label_of

        tree = lump(self.robot.model)
        carrier = BASE if other is None else tree.places[_link(self.robot, other)][0]
        names, usual = _links(self.robot, tree, link, carrier), _capsules(self.robot, {})
        if capsules is not None:
            if len(names) != 1 or link is None:
                raise StateError("capsules= are those of one link; give its name")
            usual[names[0]] = _bodies(names[0], capsules)
        met = []
        for name in names:
            if tree.places[name][0] == carrier:
                what = "the world" if other is None else repr(other)
                raise StateError(f"link {name!r} does not move relative to {what}, which carries the {kind(center)}")
            if name not in usual:
                if link is None:
                    continue
                raise StateError(f"link {name!r} has no shapes and no mass, so nothing says where it is; give capsules=")
            label = label_of(name, center) + ("" if other is None else f" of {other}")
            met += [Meeting(name, body, other, center, label) for body in usual[name]]
        return self._keep_apart(met, margin)

    def avoid_self(
        self,
        margin: float = 0.0,
        *,
        pairs: Sequence[tuple[str, str]] | None = None,
        exclude: Sequence[str | tuple[str, str]] = (),
        capsules: Mapping[str, Bodies] | None = None,
    ) -> Self:
        """Keep the links away from each other.

        Args:
            margin: least distance between the surfaces of their capsules [m].
            pairs: names of links, two each. None for all pairs, except of links without a joint between them, neighbors (with one
                joint or loop between them), and capsules that touch at `neutral()`, of closed robots at `home()`, or at the
                start, if it is set.
            exclude: names of links, or pairs of them, to leave out.
            capsules: of links by name, as in `avoid`, instead of the usual ones.
        """
        from ..quantities.clearances import Meeting, apart

        robot, tree = self.robot, lump(self.robot.model)
        own = _capsules(robot, capsules or {})
        dropped = [_pair(robot, each) if not isinstance(each, str) else frozenset((_link(robot, each),)) for each in exclude]
        near = _neighbors(robot, tree)
        poses = [] if pairs is not None else self._poses()
        asked = combinations([link.name for link in robot.model.links if link.name in own], 2) if pairs is None else pairs
        met = []
        for one, two in (tuple(each) if pairs is None else _ordered(robot, each) for each in asked):
            bodies = frozenset(tree.places[name][0] for name in (one, two))
            if any(drop <= {one, two} for drop in dropped) or (pairs is None and (len(bodies) == 1 or bodies in near)):
                continue
            for name in (one, two):
                if name not in own:
                    raise StateError(f"link {name!r} has no shapes and no mass, so nothing says where it is; give capsules=")
            if len(bodies) == 1:
                raise StateError(f"links {one!r} and {two!r} have no joint between them, and cannot move apart")
            every = [Meeting(one, a, two, b, f"{one} to {two}", itself=True) for a in own[one] for b in own[two]]
            met += [each for each in every if not any(apart(robot.model, at, each) <= 0.0 for at in poses)]
        if not met:
            raise StateError(f"robot {robot.name!r} has no two links left that could touch; give pairs=, or capsules= of links")
        return self._keep_apart(met, margin)

    def _keep_apart(self, met: Sequence[Meeting], margin: float) -> Self:
        from ..quantities.box_clearances import BoxClearances
        from ..quantities.clearances import Clearances

        gap = margin_of(margin)
        if not 0 < len(met) <= MOST:
            raise StateError(f"{len(met)} pairs of capsules, expected 1 to {MOST}; name links or pairs of them")
        if isinstance(met[0].solid, Box):
            reach = np.array([each.radii + gap for each in met])
            return self.limit(BoxClearances(self.robot, _numbered(met)), np.full(len(met), gap), None, scale=reach)
        least = np.array([(each.radii + gap) ** 2 for each in met])
        return self.limit(Clearances(self.robot, _numbered(met)), least, None, scale=least)

    def _poses(self) -> list[np.ndarray]:
        """Return the poses of all links (n_links, 4, 4) at home, and at the start if that is known."""
        robot: Any = self.robot
        home = np.asarray(robot.home() if hasattr(robot, "home") else robot.neutral(), dtype=float)
        places = [home]
        if "position" in self.ends.get("start", {}):
            places.append(np.concatenate([self.ends["start"]["position"], home[self.n :]]))
        return list(self.robot.poses_along(np.array(places)))


def _numbered(met: Sequence[Meeting]) -> list[Meeting]:
    """Return pairs whose labels are not used twice."""
    labels = [each.label for each in met]
    seen: dict[str, int] = {}
    found = []
    for each in met:
        seen[each.label] = seen.get(each.label, 0) + 1
        again = labels.count(each.label) > 1
        found.append(each._replace(label=f"{each.label}, {seen[each.label]}") if again else each)
    return found


def _capsules(robot: DrivenRobot, given: Mapping[str, Bodies]) -> dict[str, list[Capsule | Sphere]]:
    """Return the capsules of links by name: as given, or the usual ones."""
    found: dict[str, list[Capsule | Sphere]] = {}
    for each in link_capsules(robot.model):
        round_one = each.start == each.end
        body = Sphere(each.start, each.radius) if round_one else Capsule(each.start, each.end, each.radius)
        found.setdefault(each.link, []).append(body)
    for name, bodies in given.items():
        found[_link(robot, name)] = _bodies(name, bodies)
    return found


def _bodies(link: str, given: Any) -> list[Capsule | Sphere]:
    found = [given] if isinstance(given, Capsule | Sphere) else list(given) if isinstance(given, Sequence) else []
    if not found or not all(isinstance(each, Capsule | Sphere) for each in found):
        raise StateError(f"capsules of link {link!r} are {given!r}, expected Capsule or Sphere of lissom.predict, or a list")
    return found


def _link(robot: DrivenRobot, name: Any) -> str:
    if not isinstance(name, str):
        raise StateError(f"link is {name!r}, expected a name")
    robot.model.link(name)  # a wrong name raises
    return name


def _links(robot: DrivenRobot, tree: Tree, link: Any, carrier: int) -> list[str]:
    """Return the names of links: as given, or all that move relative to the body that carries the obstacle."""
    if link is None:
        near = _neighbors(robot, tree) if carrier != BASE else set()
        bodies = {each.name: tree.places[each.name][0] for each in robot.model.links}
        return [name for name, body in bodies.items() if body != carrier and frozenset((body, carrier)) not in near]
    names = [link] if isinstance(link, str) else list(link) if isinstance(link, Sequence) else [link]
    if not names or len(set(map(str, names))) < len(names):
        raise StateError(f"links are {link!r}, expected names, each once")
    return [_link(robot, name) for name in names]


def _ordered(robot: DrivenRobot, pair: Any) -> tuple[str, str]:
    if isinstance(pair, str) or not isinstance(pair, Sequence) or len(pair) != 2 or pair[0] == pair[1]:
        raise StateError(f"a pair of links is {pair!r}, expected the names of two links")
    return _link(robot, pair[0]), _link(robot, pair[1])


def _pair(robot: DrivenRobot, pair: Any) -> frozenset[str]:
    return frozenset(_ordered(robot, pair))


def _neighbors(robot: DrivenRobot, tree: Tree) -> set[frozenset[int]]:
    """Return the pairs of bodies with a joint or a loop between them."""
    near = {frozenset((j, body.parent)) for j, body in enumerate(tree.bodies)}
    return near | {frozenset(tree.places[name][0] for name in (loop.first, loop.second)) for loop in robot.model.loops}
