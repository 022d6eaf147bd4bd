"""Ground: what stands on a surface in which phase, where reactions of the ground follow from the motion alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ...algorithms.contacts.ground_split import A_LINK, Ground
from ...algorithms.contacts.loads import Point
from ...errors import StateError
from ...protocol import DrivenRobot
from .phases import Phases
from .surface import Surface, as_surface

FIELDS = ("link", "point", "to", "height")


class Support(NamedTuple):
    """A link that stands on the ground during a phase.

    Attributes:
        link: its name.
        point: the anchor at which it takes its share, in the link's frame [m].
        to: where the anchor is at the end of the phase, on a straight line; None for the same point.
        height: of the anchor over the surface [m], as of a stair.
    """

    link: str
    point: Point = (0.0, 0.0, 0.0)
    to: Point | None = None
    height: float = 0.0


@dataclass(frozen=True)
class SplitGround:
    """A surface and what stands on it in every phase.

    Attributes:
        ground: links, axes and origin.
        stands: of every phase, none, one, or two supports, the rear one first.
        timing: the phases.
        surface: as it was given.
        friction: coefficient.
        channels: names of the internal forces.
    """

    ground: Ground
    stands: tuple[tuple[Support, ...], ...]
    timing: Phases
    surface: Surface
    friction: float
    channels: tuple[str, ...] = ()

    def numbers(self, link: str | None = None, count: int | None = None) -> tuple[int, ...]:
        """Return the phases in which a link stands, or in which so many links do."""
        if link is not None:
            return tuple(k for k, own in enumerate(self.stands) if any(support.link == link for support in own))
        return tuple(k for k, own in enumerate(self.stands) if len(own) == count)

    def during(self, numbers: tuple[int, ...]) -> tuple[int, ...] | None:
        """Return phases as limits name them: None for all."""
        return None if len(numbers) == len(self.timing) else numbers

    def parameters(
        self, s: np.ndarray, left: np.ndarray | None, durations: np.ndarray | None
    ) -> tuple[np.ndarray, np.ndarray | None]:
        """Return the inputs "ground" of the tasks (K, size) and their rates; None for these where no durations are known.

        Args:
            s: places along the splines (K,).
            left: which of those at boundaries belong to the phase before (K,).
            durations: of the clocks of the instants (K,) [s].
        """
        ends, last = np.array(self.timing.ends), len(self.timing) - 1
        phase = np.clip(np.searchsorted(ends, s, side="right") - 1, 0, last)
        if left is not None:
            phase = np.where(left, np.clip(np.searchsorted(ends, s, side="left") - 1, 0, last), phase)
        wide = np.diff(ends)
        share = (s - ends[phase]) / wide[phase]
        found, slopes = self._table
        values = found[phase] + share[:, None] * slopes[phase]
        if durations is None:
            return values, None
        lasting = durations if self.timing.free else durations * wide[phase]
        return values, slopes[phase] / lasting[:, None]

    @property
    def _table(self) -> tuple[np.ndarray, np.ndarray]:
        """Inputs at the start of every phase, and their changes to its end."""
        found, slopes = (np.zeros((len(self.stands), self.ground.size)) for _ in range(2))
        for k, own in enumerate(self.stands):
            for number, support in enumerate(own):
                at = A_LINK * self.ground.links.index(support.link)
                leads = number == len(own) - 1
                found[k, at : at + A_LINK] = (*support.point, support.height, not leads, leads)
                slopes[k, at : at + 3] = np.subtract(support.to or support.point, support.point)
            found[k, -1] = len(own) == 2
        return found, slopes

    def words(self) -> list[str]:
        """Return the supports in words."""
        found = []
        for name, own in zip(self.timing.names, self.stands, strict=True):
            what = " and ".join(support.link for support in own) or "nothing"
            found.append(f"{what} on the ground{f' during {name}' if name else ''}, shared by the lever rule")
        return found


def new_ground(
    robot: DrivenRobot, timing: Phases, supports: Any, surface: Any, friction: Any, internal: bool, weight: float
) -> SplitGround:
    """Return a split ground of a problem, after checks; `weight` of the robot is the unit of internal forces [N]."""
    if not robot.path_quantities or robot.n_elastic or robot.model.loops:
        raise StateError(
            f"robot {robot.name!r} has motors behind springs or loops; a split ground needs a tree with rigid drives: use "
            "contacts, whose forces are unknowns (problem.contact)"
        )
    plane = as_surface(surface)
    if plane.link is not None:
        raise StateError(f"the ground of split_ground cannot move with link {plane.link!r}; use contact(..., surface=)")
    if isinstance(friction, bool) or not isinstance(friction, (int, float)) or not 0 < friction < np.inf:
        raise StateError(f"friction of the ground is {friction!r}, expected a coefficient, such as 0.8")
    if timing.named:
        if not isinstance(supports, Mapping):
            raise StateError(f"supports are {supports!r:.100}, expected those of every phase by name: {', '.join(timing.names)}")
        for name in supports:
            timing.number(name)
        if missing := [name for name in timing.names if name not in supports]:
            raise StateError(f"supports of phase {missing[0]!r} are missing; give () for a phase without support")
        listed = [supports[name] for name in timing.names]
    else:
        listed = [supports]
    stands = tuple(_stands(robot, own) for own in listed)
    links = tuple(dict.fromkeys(support.link for own in stands for support in own))
    if not links:
        raise StateError("nothing stands on the ground in any phase")
    runs = len(double_runs(stands)) if internal else 0
    if internal and not runs:
        raise StateError("internal=True: an internal force needs a phase with two supports")
    ground = Ground(links, plane.axes, plane.origin, runs, weight)
    return SplitGround(ground, stands, timing, plane, float(friction))


def double_runs(stands: Sequence[Sequence[Support]]) -> list[tuple[int, int]]:
    """Return first phase and the one after the last of every run of phases in which the same two links stand."""
    found: list[tuple[int, int]] = []
    for k, own in enumerate(stands):
        if len(own) < 2:
            continue
        same = found and found[-1][1] == k and [x.link for x in stands[k - 1]] == [x.link for x in own]
        if same:
            found[-1] = (found[-1][0], k + 1)
        else:
            found.append((k, k + 1))
    return found


def _stands(robot: DrivenRobot, given: Any) -> tuple[Support, ...]:
    one = isinstance(given, str | Mapping | Support)
    listed = [given] if one else list(given) if isinstance(given, Sequence) else None
    if listed is None or len(listed) > 2:
        raise StateError(f"supports of a phase are {given!r:.100}, expected none, one or two links, the rear one first")
    found = tuple(_support(robot, each) for each in listed)
    if len(found) == 2 and found[0].link == found[1].link:
        raise StateError(f"link {found[0].link!r} stands twice in one phase; one support takes all of its force")
    return found


def _support(robot: DrivenRobot, given: Any) -> Support:
    if isinstance(given, str):
        given = Support(given)
    elif isinstance(given, Mapping):
        if unknown := [name for name in given if name not in FIELDS]:
            raise StateError(f"a support has no {unknown[0]!r}; expected {', '.join(FIELDS)}")
        if "link" not in given:
            raise StateError("a support needs link=, the name of a link")
        given = Support(**given)
    elif not isinstance(given, Support):
        raise StateError(f"a support is {given!r:.100}, expected a link, or link, point, to and height by name")
    robot.model.link(given.link)  # a wrong name raises
    point = _three(given.point, given.link)
    to = None if given.to is None else _three(given.to, given.link)
    height = np.asarray(given.height, dtype=float)
    if height.shape or not np.isfinite(height):
        raise StateError(f"height of the support {given.link!r} is {given.height!r}, expected a number [m]")
    return Support(given.link, point, to, float(height))


def _three(point: Any, link: str) -> Point:
    try:
        found = np.asarray(point, dtype=float)
    except (TypeError, ValueError):
        found = np.zeros(0)
    if found.shape != (3,) or not np.isfinite(found).all():
        raise StateError(f"the anchor of support {link!r} is {point!r}, expected three numbers in the link's frame [m]")
    return float(found[0]), float(found[1]), float(found[2])
