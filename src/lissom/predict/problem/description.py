"""Description: a motion problem in words and numbers, for reports and files; it can be read, not solved."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from ...errors import StateError
from ...protocol import DrivenRobot
from ...view.scene.world import Obstacle, Target
from ...wrench import Wrench
from ..data.channels import Channel
from ..data.ground import SplitGround
from ..data.joints import joint_units, path_names
from .goals import goal_labels
from .surroundings import obstacles, targets

if TYPE_CHECKING:
    from .problem import MotionProblem

OF_CONTACTS = ("gap", "gap_rate", "friction", "friction_cone")
PER = {"position": "", "velocity": "/s", "acceleration": "/s^2", "jerk": "/s^3", "snap": "/s^4"}


@dataclass(frozen=True, eq=False)
class Description:
    """A problem in words.

    Attributes:
        name: of the problem.
        robot: the robot.
        rows: (what, in words), from top to bottom: robot, path, duration, start, end, limits, goals.
        external: constant wrenches on links.
        obstacles: balls and capsules that links stay out of, and capsules of these links.
        targets: places where links have to be, at some time.
        channels: unknown functions of time beside the path.
        undriven: names of the columns of the path without a drive.
        phases: their names, and where they begin and end on the splines, from 0 to 1; see `Phases`.
        ground: what stands on it, where reactions follow from the motion.
    """

    name: str
    robot: DrivenRobot
    rows: tuple[tuple[str, str], ...]
    external: Mapping[str, Wrench] | None = None
    obstacles: tuple[Obstacle, ...] = ()
    targets: tuple[Target, ...] = ()
    channels: tuple[Channel, ...] = ()
    undriven: tuple[str, ...] = ()
    phases: tuple[tuple[str, ...], tuple[float, ...]] = ((), (0.0,))
    ground: SplitGround | None = None

    def solve(self, *_: object, **__: object) -> NoReturn:
        """Raise StateError: a description cannot be solved."""
        raise StateError(
            f"the problem {self.name!r} was read with its prediction and is only a description; make the MotionProblem again "
            "(lissom.predict.load reads its file), and continue with solve(start=prediction)"
        )

    def __str__(self) -> str:
        wide = max((len(what) for what, _ in self.rows), default=0)
        return "\n".join(f"{what:<{wide}}  {text}" for what, text in self.rows)

    def __repr__(self) -> str:
        return f"<Description of problem {self.name!r}: {len(self.rows)} lines>"


def describe(problem: MotionProblem) -> Description:
    """Return the description of a problem as it is now."""
    robot, (low, high) = problem.robot, problem.duration
    joints = ", ".join(f"{name} [{unit}]" for name, unit in zip(path_names(robot), joint_units(robot), strict=True))
    basis = problem.basis
    rows = [
        ("problem", problem.name),
        ("robot", f"{robot.name}: {joints}"),
        ("path", f"{basis.count} control points per joint, degree {basis.degree}, {problem.points_per_span} instants per span"),
        ("duration", f"{low:g} s" if low == high else f"{low:g} to {high:g} s"),
    ]
    timing = problem.timing
    if timing.named:
        rows += [("phase", timing.words(number)) for number in range(len(timing))]
    for side, given in problem.ends.items():
        rows += [(side, f"{name} {_values(robot, values, PER[name])}") for name, values in given.items()]
    if problem.undriven:
        rows.append(("undriven", ", ".join(problem.undriven_names)))
    if problem.quantities.ground is not None:
        rows += [("ground", words) for words in problem.quantities.ground.words()]
    rows += [("external", _wrench(link, wrench)) for link, wrench in (problem.external or {}).items()]
    rows += [("channel", str(channel)) for channel in problem.channels]
    rows += [("contact", str(contact)) for contact in problem.contacts]
    for limit in problem.parts.limits:
        if limit.peak is None and limit.quantity.name not in OF_CONTACTS:  # contacts have their own lines
            when = ", by control points" if limit.hull else ""
            if limit.at is not None:
                of = "the duration" if limit.during is None else "that time"
                when = f", at {', '.join(f'{x:g}' for x in limit.at)} of {of}"
            when += ", at knots" if limit.knots else ""
            if limit.during is not None:
                when = f", during {', '.join(timing.names[k] for k in limit.during)}{when}"
            for e in range(len(limit.entries)):
                label, low, high, unit = limit.shown(e)
                rows.append(("limit", f"{label}: {bounds(low, high, unit)}{when}"))
    rows += [("condition", equation.label) for equation in problem.parts.equations]
    rows += [("minimize", f"{weight:g} x {label}") for label, weight in goal_labels(problem, named=math.inf)]
    rows += [("note", text) for text in problem.notes]
    external = dict(problem.external) if problem.external else None
    around = obstacles(problem), targets(problem)
    phases = (timing.names, timing.ends) if timing.named else ((), (0.0,))
    channels, undriven = problem.channels, problem.undriven_names
    ground = problem.quantities.ground
    return Description(problem.name, robot, tuple(rows), external, *around, channels, undriven, phases, ground)


def bounds(lower: float, upper: float, unit: str) -> str:
    """Return bounds in words; the unit of plain numbers, "1", is left out."""
    of = "" if unit == "1" else f" {unit}".rstrip()
    if lower == upper:
        return f"{lower:g}{of}"
    if np.isinf(lower):
        return f"at most {upper:g}{of}" if np.isfinite(upper) else "free"
    return f"at least {lower:g}{of}" if np.isinf(upper) else f"{lower:g} to {upper:g}{of}"


def _values(robot: DrivenRobot, values: np.ndarray, per: str) -> str:
    if not values.any():
        return "0"
    units = joint_units(robot, per)
    return ", ".join(f"{x:g} {unit}" for x, unit in zip(values, units, strict=True))


def _wrench(link: str, wrench: Wrench) -> str:
    force, moment, point = (", ".join(f"{x:g}" for x in np.ravel(v)) for v in (wrench.force, wrench.moment, wrench.point))
    return f"on {link}: force ({force}) N, moment ({moment}) N m, along the {wrench.axes}'s axes, at ({point}) m of the link"
