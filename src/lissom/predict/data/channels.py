"""Channels: unknown functions of time beside the path of the joints, on the same spline.

A channel may be a wrench on a link that the solver chooses (the force of a hand on a handle, of a helper, of the ground), or
numbers that only quantities of your own use.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from ...algorithms.contacts.loads import Load, Push, Touch
from ...errors import StateError, suggest
from ...model.pose import ZERO3, Vector3
from ...protocol import DrivenRobot
from ...robot.check import COMPONENTS
from ...spline.basis import Basis
from ...spline.check import integer
from ...tree import BASE, lump
from ...wrench import EXTERNAL_AXES, Wrench
from .columns import Columns
from .friction import Friction
from .joints import path_names
from .part import channel_basis
from .phases import Phases

if TYPE_CHECKING:
    from ..problem.parts import Parts
    from ..quantities.by_name import Quantities

MOST = 1000  # entries of a channel


@dataclass(frozen=True)
class Channel:
    """An unknown function of time.

    Attributes:
        name: in limits and goals; its rate is "<name>_rate".
        labels: names of its entries.
        units: of the entries.
        degree: of its spline, whose spans are those of the path; 0 for a constant.
        link: of a wrench, the link that it acts on; None for other channels.
        axes: of a wrench, those of its components: "world" or "link".
        point: of a wrench, where it acts, in the link's frame [m].
        touch: of the forces of a contact, where they act.
        friction: of the forces of a contact.
        run: first phase in which it lives, and the one after its last; None for all. It is zero in the others.
        bounds: of its control points, and so of its values at all times.
        first: value from which a search begins.
    """

    name: str
    labels: tuple[str, ...]
    units: tuple[str, ...]
    degree: int = 1
    link: str | None = None
    axes: str = "world"
    point: Vector3 = ZERO3
    touch: Touch | None = None
    friction: Friction | None = None
    run: tuple[int, int] | None = None
    bounds: tuple[float, float] = (-math.inf, math.inf)
    first: float = 0.0

    @property
    def load(self) -> Load | None:
        """What it does to links; None for numbers of other kinds."""
        if self.link is None:
            return self.touch
        return Push(self.link, self.axes, self.point, tuple(COMPONENTS.index(label) for label in self.labels))

    @property
    def part(self) -> bool:
        """Whether it lives in some phases only, or is constant."""
        return self.run is not None or not self.degree

    def wrench(self, values: np.ndarray) -> Wrench:
        """Return the wrench of entries (..., size)."""
        whole = np.zeros((*values.shape[:-1], 6))
        whole[..., [COMPONENTS.index(label) for label in self.labels]] = values
        return Wrench(whole[..., :3], whole[..., 3:], axes=self.axes, point=self.point)

    def __str__(self) -> str:
        units = ", ".join(dict.fromkeys(filter(None, self.units)))
        where = "" if self.link is None else f" on {self.link}, along the {self.axes}'s axes, at {self.point} m of the link"
        return f"{self.name}: {', '.join(self.labels)}{f' [{units}]' if units else ''}{where}"


def new_channel(
    robot: DrivenRobot,
    taken: Sequence[str],
    name: Any,
    entries: Any,
    unit: Any,
    degree: int,
    link: str | None,
    axes: str,
    point: Sequence[float],
    run: tuple[int, int] | None = None,
) -> Channel:
    """Return a channel of a problem, after checks but `expect_smooth`; `taken` are the names of the problem's quantities."""
    if not isinstance(name, str) or not name.strip():
        raise StateError(f"the name of a channel is {name!r}, expected text")
    for own in (name, f"{name}_rate"):
        if own in taken:
            raise StateError(f"a channel cannot be called {name!r}: there is a quantity {own!r}; take another name")
    labels = (entries,) if isinstance(entries, str) else tuple(entries) if isinstance(entries, Sequence) else ()
    if not 1 <= len(labels) <= MOST or not all(isinstance(x, str) and x for x in labels) or len(set(labels)) < len(labels):
        raise StateError(
            f"entries of channel {name!r} are {entries!r:.100}, expected 1 to {MOST} names, each once, such as ('fx', 'fz')"
        )
    if link is None:
        if axes != "world" or not np.array_equal(point, ZERO3):
            raise StateError(f"channel {name!r} has axes or a point, but no link: give link=, the link that the wrench acts on")
        if not isinstance(unit, str):
            raise StateError(f"unit of channel {name!r} is {unit!r}, expected text")
        return Channel(name, labels, (unit,) * len(labels), degree, run=run)
    robot.model.link(link)  # a wrong name raises
    if lump(robot.model).places[link][0] == BASE:
        raise StateError(f"channel {name!r} has no use: link {link!r} does not move, so that a wrench on it changes nothing")
    if unit:
        raise StateError(f"channel {name!r} is a wrench, in N and N m; leave unit= out")
    for label in labels:
        if label not in COMPONENTS:
            raise StateError(f"channel {name!r} is a wrench and has no component {label!r}; {suggest(label, COMPONENTS)}")
    if axes not in EXTERNAL_AXES:
        raise StateError(f"no axes {axes!r} of a wrench; {suggest(str(axes), EXTERNAL_AXES)}")
    x, y, z = np.asarray(Wrench(axes=axes, point=point).point).tolist()  # checked there
    units = tuple("N" if label[0] == "f" else "N m" for label in labels)
    return Channel(name, labels, units, degree, link, axes, (x, y, z), run=run)


EASED = 2  # control points that are zero where a load begins or ends with a phase, if motors behind springs carry it


def expect_smooth(robot: DrivenRobot, what: str, basis: Basis, degree: int, run: tuple[int, int] | None, timing: Phases) -> None:
    """Raise StateError where a load would jump, or its rate, which motors behind springs cannot follow."""
    if not robot.n_elastic:
        return
    behind = f"robot {robot.name!r} has motors behind springs, which follow the rate of a load"
    if degree == 1:
        raise StateError(f"{what} has degree 1, and {behind}: give it degree 2 or more, or 0 for a constant")
    if run is None:
        return
    if degree == 0:
        raise StateError(f"{what} is a constant that begins or ends with a phase, and {behind}: give it degree 2 or more")
    zero, ends = EASED * ((run[0] > 0) + (run[1] < len(timing))), timing.ends
    if (count := channel_basis(basis, degree, ends[run[0]], ends[run[1]]).count) <= zero:
        raise StateError(
            f"{what} has {count} control points, and {behind}: {zero} are zero, so that the load begins and ends with its phase "
            "without a jump; give the phase more spans, or the channel a higher degree"
        )


def eased(robot: DrivenRobot, channel: Channel, phases: int) -> tuple[int, int]:
    """Return how many of a channel's first and last control points are zero, since a load begins or ends with a phase."""
    if not robot.n_elastic or channel.load is None or channel.run is None:
        return 0, 0
    return EASED * (channel.run[0] > 0), EASED * (channel.run[1] < phases)


class WithChannels:
    """The channels of a motion problem."""

    robot: DrivenRobot
    basis: Basis
    quantities: Quantities
    parts: Parts
    timing: Phases

    @property
    def n(self) -> int:
        """Number of joints whose path is unknown."""
        return len(path_names(self.robot))

    @property
    def channels(self) -> tuple[Channel, ...]:
        """Unknown functions of time beside the path."""
        return tuple(self.quantities.channels.values())

    @property
    def columns(self) -> Columns:
        """Columns of the control points: joints, then entries of channels."""
        return Columns(self.n, {channel.name: len(channel.labels) for channel in self.channels})

    def channel(
        self,
        name: str,
        entries: Sequence[str] | str,
        *,
        unit: str = "",
        degree: int | None = None,
        link: str | None = None,
        axes: str = "world",
        point: Sequence[float] = ZERO3,
        during: Sequence[str] | str | None = None,
    ) -> Self:
        """Add an unknown function of time, a spline with the spans of the path; limits and goals may name it.

        Args:
            name: of the channel. limit(name, ...) keeps its entries within bounds, limit("<name>_rate", ...) their rates.
            entries: names of its entries; of a wrench some of fx, fy, fz [N] and mx, my, mz [N m].
            unit: of the entries, unless it is a wrench.
            degree: of its spline; None for that of the acceleration, two less than the path's: forces and accelerations can then
                balance at all times. 0 for one constant: an unknown number for each entry.
            link: link on which it acts as an external wrench: torque, power and joint_wrench then depend on it. Give it
                before limits and goals of these.
            axes: of a wrench, those of its components: "world", or "link", which turn with the link.
            point: of a wrench, where it acts, in the link's frame [m].
            during: phases in which it lives, one after the other; None for all the time. It is zero in the others. A load on a
                robot with motors behind springs begins and ends there at zero, with its rate.
        """
        usual = max(1, self.basis.degree - 2)
        given = usual if degree is None else integer(degree, "degree", 0, most=self.basis.degree)
        run = self.timing.run(during)
        made = new_channel(self.robot, self.quantities.names, name, entries, unit, given, link, axes, point, run)
        if made.load is not None:
            expect_smooth(self.robot, f"channel {name!r}", self.basis, given, run, self.timing)
        self.quantities = self.quantities.with_channel(made, self.parts.quantities)
        return self

    def expect_use(self, used: Iterable[str]) -> None:
        """Raise StateError for a channel that no limit and no goal depends on."""
        if idle := sorted(set(self.quantities.channels) - set(used)):
            raise StateError(
                f"no limit and no goal depends on channel {idle[0]!r}, so any values of it would do; limit or minimize it, or "
                "the torques that it changes, or leave it out"
            )
