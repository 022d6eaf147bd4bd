"""Inputs of `lissom simulate`: initial states and joint torques, from the command line and CSV files."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import FileError, StateError
from ..model.names import coordinate_names, velocity_names
from ..read.number import parse_expression
from ..read.table import Table, read_table
from ..robot import Robot
from ..simulate import Held, Interpolated
from ..simulate.motor_start import motors_along, motors_at_rest
from .trajectory import tree_columns

if TYPE_CHECKING:
    from ..closed import ClosedRobot


def read_torques(path: Path, names: tuple[str, ...], hold: bool) -> Held | Interpolated:
    """Read joint torques from a CSV file with columns t and tau_<joint>, or tau0 tau1 ..; held or interpolated."""
    table = read_table(path)
    numbers = table.numbers([table.need_time(), *_columns(table, "tau", names)])
    table.check_time(numbers[:, 0])
    return (Held if hold else Interpolated)(numbers[:, 0], numbers[:, 1:])


def last_time(torques: Held | Interpolated, path: Path | None) -> float:
    """Return the time of the last line of a file of torques: the default duration."""
    if torques.times[-1] <= 0.0:
        raise FileError(f"its last line is at t = {torques.times[-1]:g} s; give --duration", path)
    return float(torques.times[-1])


def first_state(
    robot: Robot | ClosedRobot, state: Path | None, q0: str | None, qd0: str | None
) -> tuple[Any, Any, dict[str, Any], list[str]]:
    """Return initial coordinates and velocities, more options of `simulate`, and the assumptions made.

    Motors behind springs start in equilibrium where only their joints are given; a closed robot starts on the branch given by
    the columns tree_q_* of its file.
    """
    if state is not None and (q0 is not None or qd0 is not None):
        raise StateError("the initial state is given twice: use --state, or --q0 and --qd0")
    if not isinstance(robot, Robot):
        return _first_of_closed(robot, state, q0, qd0)
    e = robot.n_elastic
    if state is not None:
        q, qd = _read_state(state, robot)
    else:
        q = robot.neutral()[: robot.nq - e] if q0 is None else numbers_of(q0, "--q0", robot.nq, e)
        qd = np.zeros(robot.nv - e) if qd0 is None else numbers_of(qd0, "--qd0", robot.nv, e)
    assumed: list[str] = []
    if len(q) < robot.nq:
        q, assumed = motors_at_rest(robot, q)
    if len(qd) < robot.nv:
        qd, more = motors_along(robot, qd)
        assumed += more
    return q, qd, {}, assumed


def _first_of_closed(
    robot: ClosedRobot, state: Path | None, q0: str | None, qd0: str | None
) -> tuple[Any, Any, dict[str, Any], list[str]]:
    if state is None:
        q = robot.home() if q0 is None else numbers_of(q0, "--q0", robot.nq)
        return q, np.zeros(robot.nv) if qd0 is None else numbers_of(qd0, "--qd0", robot.nv), {}, []
    table = read_table(state)
    columns = _columns(table, "q", robot.coordinate_names)
    given = any(re.match(r"qd(_|\d+$)", column) for column in table.header)
    moving = _columns(table, "qd", robot.velocity_names) if given else []
    whole = tree_columns(table.header, robot.model)
    line = table.numbers([*columns, *moving, *whole])[0]
    q, qd, tree_q = np.split(line, [len(columns), len(columns) + len(moving)])
    return q, qd if given else np.zeros(robot.nv), {"tree_q": tree_q} if whole else {}, []


def _read_state(path: Path, robot: Robot) -> tuple[np.ndarray, np.ndarray]:
    """Read the first line of a CSV file with columns q_<name> and, unless all velocities are zero, qd_<name>.

    Motors behind springs, the last of the names, may be left out together.
    """
    table = read_table(path)
    coordinates, speeds = _given_names(table, "q", coordinate_names(robot.model), robot), velocity_names(robot.model)
    columns = _columns(table, "q", coordinates)
    given = any(re.match(r"qd(_|\d+$)", column) for column in table.header)
    moving = _columns(table, "qd", _given_names(table, "qd", speeds, robot)) if given else []
    line = table.numbers([*columns, *moving])[0]
    return line[: len(columns)], line[len(columns) :] if given else np.zeros(robot.nv - robot.n_elastic)


def _given_names(table: Table, prefix: str, names: tuple[str, ...], robot: Robot) -> tuple[str, ...]:
    """Return the names required in a table: with all motors behind springs, or with none."""
    joints = len(names) - robot.n_elastic
    given = any(table.find(prefix, k, name) is not None for k, name in enumerate(names) if k >= joints)
    return names if given else names[:joints]


def _columns(table: Table, prefix: str, names: tuple[str, ...]) -> list[int]:
    found = table.columns(prefix, names)
    table.refuse_others(prefix, names)
    return found


def numbers_of(text: str, option: str, size: int, motors: int = 0) -> np.ndarray:
    """Return the `size` numbers of an option; the last, of `motors` behind springs, may be left out."""
    wanted = f"{size}" + (f", or {size - motors} without the motors behind springs" if motors else "")
    parts = text.replace(",", " ").split()
    values = [value for part in parts if (value := parse_expression(part)) is not None]
    if len(values) < len(parts):
        raise StateError(f"{option} must be {wanted} numbers separated by commas, such as 0.5, pi/2 or 60deg, got {text!r}")
    if len(values) not in (size, size - motors):
        raise StateError(f"{option} has {len(values)} numbers, expected {wanted}")
    return np.array(values)
