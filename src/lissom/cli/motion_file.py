"""Motions on a command line: trajectories and predictions in files, or coordinates alone."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import FileError
from ..npz import read_npz
from ..read.table import read_table
from ..simulate.columns import column_names

if TYPE_CHECKING:
    from ..closed import ClosedRobot
    from ..robot import Robot
    from ..view.scene.frames import Playable

FORMATS = {"lissom trajectory 1": "trajectory", "lissom prediction 1": "prediction"}


def read_motion(path: Path, robot: Robot | ClosedRobot) -> Playable:
    """Read a motion of a robot: a trajectory (.npz, .csv), a prediction (.npz), or coordinates over time (.csv).

    Raises:
        FileError: the file holds none of these, or the motion of another robot.
    """
    ending = path.suffix.lower()
    if ending == ".npz":
        return _read_npz(path, robot)
    if ending != ".csv":
        raise FileError(f"cannot read a motion from a file ending in {path.suffix!r}; expected .npz or .csv", path)
    table = read_table(path)
    if set(column_names(robot)) <= set(table.header):
        from ..simulate.trajectory import trajectory_kind

        return trajectory_kind(robot).load(path, robot)  # type: ignore[arg-type,return-value]
    numbers = table.numbers([table.need_time(), *table.columns("q", robot.coordinate_names)])
    table.refuse_others("q", robot.coordinate_names)
    if not len(numbers):
        raise table.error("has no line of numbers below its header")
    table.check_time(numbers[:, 0])
    from ..view.scene.recorded import Recorded

    return Recorded(robot, numbers[:, 0], numbers[:, 1:])


def _read_npz(path: Path, robot: Robot | ClosedRobot) -> Any:
    try:
        found, _ = read_npz(path, ("format",))
    except OSError as error:
        raise FileError(f"cannot be read: {error.strerror or error}", path) from None
    kind = FORMATS.get(str(found.get("format", "")))
    if kind == "trajectory":
        from ..simulate.trajectory import trajectory_kind

        return trajectory_kind(robot).load(path, robot)  # type: ignore[arg-type]
    if kind == "prediction":
        from ..predict import Prediction

        return Prediction.load(path, robot)
    has = repr(str(found["format"]))[:80] if "format" in found else "missing"
    raise FileError(f"is not a motion: its format is {has}, expected {' or '.join(map(repr, FORMATS))}", path)
