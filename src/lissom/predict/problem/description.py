"""Description: a motion problem in words and numbers, for reports and files; it can be read, not solved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from ...errors import StateError
from ...wrench import Wrench
from .joints import joint_units, path_names

if TYPE_CHECKING:
    from ...protocol import DrivenRobot
    from .problem import MotionProblem

PER = {"position": "", "velocity": "/s", "acceleration": "/s^2", "jerk": "/s^3", "snap": "/s^4"}


@dataclass(frozen=True, eq=False)
class Description:
    """A problem in words.

    Attributes:
        name: of the problem.
        robot: the robot.
        rows: (what, in words), from top to bottom: robot, path, duration, start, end, limits, goals.
        external: constant wrenches on links.
    """

    name: str
    robot: DrivenRobot
    rows: tuple[tuple[str, str], ...]
    external: Mapping[str, Wrench] | None = None

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
    from .goals import goal_labels

    robot, (low, high) = problem.robot, problem.duration
    joints = ", ".join(f"{name} [{unit}]" for name, unit in zip(path_names(robot), joint_units(robot), strict=True))
    basis = problem.basis
    rows = [
        ("problem", problem.name),
        ("robot", f"{robot.name}: {joints}"),
        ("path", f"{basis.count} control points per joint, degree {basis.degree}, {problem.points_per_span} instants per span"),
        ("duration", f"{low:g} s" if low == high else f"{low:g} to {high:g} s"),
    ]
    for side, given in problem.ends.items():
        rows += [(side, f"{name} {_values(robot, values, PER[name])}") for name, values in given.items()]
    rows += [("external", _wrench(link, wrench)) for link, wrench in (problem.external or {}).items()]
    for limit in problem.parts.limits:
        if limit.peak is None:
            when = ", by control points" if limit.hull else ""
            if limit.at is not None:
                when = f", at {', '.join(f'{x:g}' for x in limit.at)} of the duration"
            for e, entry in enumerate(limit.entries):
                unit = limit.quantity.units()[int(entry)]
                rows.append(("limit", f"{limit.label(e)}: {bounds(limit.lower[e], limit.upper[e], unit)}{when}"))
    rows += [("condition", equation.label) for equation in problem.parts.equations]
    rows += [("minimize", f"{weight:g} x {label}") for label, weight in goal_labels(problem)]
    return Description(problem.name, robot, tuple(rows), dict(problem.external) if problem.external else None)


def bounds(lower: float, upper: float, unit: str) -> str:
    """Return bounds in words."""
    if lower == upper:
        return f"{lower:g} {unit}"
    if np.isinf(lower):
        return f"at most {upper:g} {unit}" if np.isfinite(upper) else "free"
    return f"at least {lower:g} {unit}" if np.isinf(upper) else f"{lower:g} to {upper:g} {unit}"


def _values(robot: DrivenRobot, values: np.ndarray, per: str) -> str:
    if not values.any():
        return "0"
    units = joint_units(robot, per)
    return ", ".join(f"{x:g} {unit}" for x, unit in zip(values, units, strict=True))


def _wrench(link: str, wrench: Wrench) -> str:
    force, moment, point = (", ".join(f"{x:g}" for x in np.ravel(v)) for v in (wrench.force, wrench.moment, wrench.point))
    return f"on {link}: force ({force}) N, moment ({moment}) N m, along the {wrench.axes}'s axes, at ({point}) m of the link"
