"""The reference of a scenario: a posture, a sine, a path by control points, a move, or samples in a file.

    {hold: [0, 0.5, 90deg]}                                        a constant posture
    {sine: {amplitude: 0.5, frequency: pi/2}}                      phase: 0, offset: 0; [rad or m], [rad/s], [rad], [rad or m]
    {spline: {points: [[0, 0], .., [1, 2]], duration: 2}}          control points of a SplinePath
    {between: {q1: [1, 2], duration: 2}}                           from rest to rest; q0 (default: the start), count, degree, rest
    {file: {path: motion.csv}}                                     columns t and q_<joint>, SplinePath.fit: count, degree, rest

By default, paths have the degree that the controller needs; after its end, the reference stays at the last point.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ..protocol import DrivenRobot
from ..read.entry import Entry
from ..read.source import exists
from ..read.table import read_table
from ..read.values import line_of, number, numbers_of, only_key, whole
from ..spline import SplinePath
from .read_controller import CONTROLLERS
from .reference import Hold, Sine, as_reference

KINDS = ("hold", "sine", "spline", "between", "file")
FIT = 100  # control points for samples at most, where their number is not given
MOST = 10_000  # control points of a path: more are a mistake, and take long
HIGHEST = 30  # degree of a path: beyond, its derivatives are lost in rounding


@dataclass(frozen=True, eq=False)
class Followed:
    """A reference, its description, assumptions, and its file; `target` (n,) is set for a constant posture."""

    follow: Any
    text: str
    assumed: tuple[str, ...] = ()
    sources: tuple[Path, ...] = ()
    target: np.ndarray | None = None


def read_reference(entry: Entry, robot: DrivenRobot, folder: Path, controller: Entry, start: np.ndarray) -> Followed:
    """Read the reference.

    Args:
        entry: the entry of the file.
        robot: the robot.
        folder: where files are searched.
        controller: gives the number of derivatives.
        start: of the joints (n,), the default start of a path.
    """
    kind, own = only_key(entry, "reference", KINDS)
    order = CONTROLLERS[only_key(controller, "controller", CONTROLLERS)[0]].order
    joints = robot.velocity_names[: robot.link_nv]
    with line_of(own):
        if kind == "hold":
            q = numbers_of(own, joints, angles=True)
            return Followed(Hold(q), f"stand at {_shown(q)}", target=q)
        if kind == "sine":
            return _sine(own, joints)
        if kind == "spline":
            found = _spline(own, joints, order)
        elif kind == "between":
            found = _between(own, joints, order, start)
        else:
            found = _file(own, robot, joints, order, folder)
        # raises if the degree is too low
        return replace(found, follow=as_reference(found.follow, len(joints), order))


def _sine(entry: Entry, joints: tuple[str, ...]) -> Followed:
    keys = entry.mapping(("amplitude", "frequency", "phase", "offset"), required=("amplitude", "frequency"))
    parts = {key: numbers_of(value, joints, angles=True) for key, value in keys.items()}
    text = f"swing by {_shown(parts['amplitude'])} at {_shown(parts['frequency'])} rad/s"
    if "offset" in parts:
        text += f" about {_shown(parts['offset'])}"
    still = np.zeros(len(joints))
    return Followed(Sine(parts["amplitude"], parts["frequency"], parts.get("phase", still), parts.get("offset", still)), text)


def _spline(entry: Entry, joints: tuple[str, ...], order: int) -> Followed:
    keys = entry.mapping(("points", "duration", "degree"), required=("points", "duration"))
    rows = keys["points"].items()
    if len(rows) > MOST:
        raise keys["points"].error(f"{keys['points'].label} must be {MOST} at most, got {len(rows)}")
    points = [numbers_of(row, joints, angles=True) for row in rows]
    path = SplinePath(np.array(points), number(keys["duration"]), _degree(keys, order))
    return Followed(path, f"follow a spline of {len(points)} control points, degree {path.degree}, {path.duration:g} s")


def _between(entry: Entry, joints: tuple[str, ...], order: int, start: np.ndarray) -> Followed:
    keys = entry.mapping(("q0", "q1", "duration", "count", "degree", "rest"), required=("q1", "duration"))
    q0 = numbers_of(keys["q0"], joints, angles=True) if "q0" in keys else start
    q1, degree = numbers_of(keys["q1"], joints, angles=True), _degree(keys, order)
    # by default as smooth at both ends as between them
    rest = _rest(keys["rest"]) if "rest" in keys else degree - 1
    count = _count(keys["count"]) if "count" in keys else 2 * (rest + 1)
    path = SplinePath.between(q0, q1, number(keys["duration"]), count, degree, rest)
    text = f"move from {_shown(q0)} to {_shown(q1)} in {path.duration:g} s"
    return Followed(path, text)


def _file(entry: Entry, robot: DrivenRobot, joints: tuple[str, ...], order: int, folder: Path) -> Followed:
    """Read samples in a CSV file; the reference is a path fitted to them by least squares."""
    keys = entry.mapping(("path", "count", "degree", "rest"), required=("path",))
    file = folder / keys["path"].text()
    if not exists(file):
        raise keys["path"].error(f"there is no file {file}; paths of references start from the folder of the scenario")
    table = read_table(file)
    samples = table.numbers([table.need_time(), *table.columns("q", joints)])
    t, q = samples[:, 0], samples[:, 1:]
    degree = _degree(keys, order)
    count = _count(keys["count"]) if "count" in keys else min(max(len(t) // 3, degree + 1), FIT)
    options: dict[str, Any] = {"rest": _rest(keys["rest"])} if "rest" in keys else {}
    path = SplinePath.fit(t, q, count, degree, **options)
    away = np.abs(path.at(np.clip(t - t[0], 0.0, path.duration)) - q).max(axis=0)
    worst = int(np.argmax(away))
    near = f"at most {away[worst]:.2g} {robot.coordinate_units[worst]} away ({joints[worst]})"
    said = f"samples in {file.name} are followed by a spline of degree {degree} with {count} control points, {near}"
    return Followed(path, f"follow the motion in {file.name}, {path.duration:g} s", (said,), (file,))


def _degree(keys: dict[str, Entry], order: int) -> int:
    return _at_most(keys["degree"], 1, HIGHEST) if "degree" in keys else max(3, order + 1)


def _rest(entry: Entry) -> int:
    """Return how many derivatives are zero at the ends of a path."""
    return _at_most(entry, 0, HIGHEST)


def _shown(values: np.ndarray) -> str:
    if len(values) and (values == values[0]).all():
        return f"{values[0]:.6g}"
    return "(" + ", ".join(f"{x:.6g}" for x in values) + ")"


def _count(entry: Entry) -> int:
    """Return a number of control points."""
    return _at_most(entry, 2, MOST)


def _at_most(entry: Entry, least: int, most: int) -> int:
    value = whole(entry, least)
    if value > most:
        raise entry.error(f"{entry.label} must be {most} at most, got {entry.node.value}")
    return value
