"""Notes: events and status of a motion in a CSV file, in a last column `note` that every reader of tables can skip.

Most cells are empty. An event is in the line of the last sample up to it, the end of the run in the last line:

    {"events": [{"name": "elbow straight", "t": 0.63, "q": [...], "qd": [...]}]}
    {"status": "blew_up", "message": "...", "unfired": ["points down"]}
    {"method": "implicit", "choice": "why lissom chose it"}
    {"switches": 3}

Cells are JSON, read strictly: nothing but these keys, numbers finite, sizes those of the robot.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import FileError
from .events import Occurrence
from .status import Status
from .trajectory import Trajectory, trajectory_kind

if TYPE_CHECKING:
    from ..robot import Robot

COLUMN = "note"
LONGEST = 100_000  # characters in a cell: Python's reader of CSV refuses more than 131072

Ending = dict[str, Any]  # keyword arguments of Trajectory: status, message, events, unfired, method, choice


def write_notes(trajectory: Trajectory, path: object) -> list[str] | None:
    """Return the cells of a motion, one for each sample and at least one; None where there is nothing to say."""
    counts = {name: getattr(trajectory, name) for name in trajectory.counts}
    said = bool(trajectory.message or trajectory.events or trajectory.unfired or trajectory.choice or any(counts.values()))
    if trajectory.status is Status.FINISHED and not said:
        return None
    notes: list[dict[str, Any]] = [{} for _ in range(max(len(trajectory), 1))]
    for event in trajectory.events:
        k = max(int(np.searchsorted(trajectory.t, event.t, side="right")) - 1, 0)
        shown = {"name": event.name, "t": event.t, "q": event.q.tolist(), "qd": event.qd.tolist()}
        notes[k].setdefault("events", []).append(shown)
    ending: dict[str, Any] = {"status": trajectory.status.value, "message": trajectory.message}
    ending["unfired"] = list(trajectory.unfired)
    ending |= {"method": trajectory.method, "choice": trajectory.choice} | counts
    notes[-1] |= {key: value for key, value in ending.items() if value}
    cells = [json.dumps(note, allow_nan=False) if note else "" for note in notes]
    if max(map(len, cells)) > LONGEST:
        raise FileError(f"a line would hold more than {LONGEST} characters about events; use .npz, or a shorter sample=", path)
    return cells


def read_notes(cells: Sequence[tuple[int, str]], robot: Robot, path: object) -> Ending:
    """Return the status and the events of a motion from its cells and their line numbers."""
    ending: Ending = {"status": Status.FINISHED, "message": "", "unfired": (), "events": (), "method": "", "choice": ""}
    for k, (line, cell) in enumerate(cells):
        if not cell:
            continue
        try:
            note = json.loads(cell, parse_constant=_refuse)
        except (ValueError, RecursionError):
            raise FileError(f"column {COLUMN!r} is not as lissom writes it: it holds {_short(cell)}", path, line) from None
        try:
            part = _checked(note, robot, last=k + 1 == len(cells))
        except (ValueError, OverflowError) as error:
            raise FileError(f"column {COLUMN!r} is not as lissom writes it: {error}", path, line) from None
        ending |= part | {"events": (*ending["events"], *part["events"])}
    return ending


def find_status(name: str) -> Status:
    """Return the status of this name, or raise a ValueError."""
    try:
        return Status(name)
    except ValueError:
        raise ValueError(f"unknown status {_short(name)}; expected one of {', '.join(repr(s.value) for s in Status)}") from None


def _checked(note: Any, robot: Robot, last: bool) -> Ending:
    """Return the contents of a cell; raise a ValueError where they are wrong."""
    kinds: dict[str, type] = {"events": list, "status": str, "message": str, "unfired": list, "method": str, "choice": str}
    kinds |= dict.fromkeys(trajectory_kind(robot).counts, int)
    if not isinstance(note, dict):
        raise ValueError("expected {...}")
    for key, value in note.items():
        if key not in kinds or type(value) is not kinds[key]:
            raise ValueError(f"{_short(key)} is not one of {', '.join(kinds)} or has the wrong type")
        if key != "events" and not last:
            raise ValueError(f"{key!r} belongs in the last line")
    part: Ending = dict(note)
    if "status" in part:
        part["status"] = find_status(part["status"])
    if "unfired" in part:
        part["unfired"] = tuple(part["unfired"])
        if not all(isinstance(name, str) for name in part["unfired"]):
            raise ValueError("'unfired' must hold names")
    for name in trajectory_kind(robot).counts:
        if part.get(name, 0) < 0:
            raise ValueError(f"{name!r} must be a count")
    part["events"] = tuple(_event(event, robot) for event in part.get("events", ()))
    return part


def _event(event: Any, robot: Robot) -> Occurrence:
    if not isinstance(event, dict) or set(event) != {"name", "t", "q", "qd"} or not isinstance(event["name"], str):
        raise ValueError("an event must have a name, t, q and qd, and nothing else")
    t = _numbers("t", [event["t"]], 1)
    return Occurrence(event["name"], float(t[0]), _numbers("q", event["q"], robot.nq), _numbers("qd", event["qd"], robot.nv))


def _numbers(name: str, values: Any, size: int) -> np.ndarray:
    right = isinstance(values, list) and len(values) == size
    if not right or not all(type(x) in (int, float) and math.isfinite(x) for x in values):
        raise ValueError(f"{name} of an event must be {size} finite number{'s' if size > 1 else ''}")
    return np.array(values, dtype=float)


def _refuse(word: str) -> None:
    raise ValueError(f"{word} is not a number")


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:40] + "...")
