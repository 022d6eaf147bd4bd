"""Predictions in files: NumPy's npz, without pickles, for everything; CSV for the motion alone.

A file is written whole or not at all. Reading takes only the arrays named here, each of its type and shape; then it compares the
joint torques of the given robot along the motion with the stored ones: another robot may have the same names.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from ...errors import FileError, LissomError
from ...files import npz_texts, write_whole
from ...nlp.solution import Evaluations, Iterate, Solution
from ...nlp.status import Status
from ...npz import read_npz
from ...spline import SplinePath
from ...wrench import Wrench
from ..data.joints import path_names
from ..data.motion import Motion
from ..problem.description import Description
from ..problem.surroundings import surroundings_from_arrays, surroundings_to_arrays
from ..quantities.root import Root
from .channel_files import CHANNEL_ARRAYS, channel_arrays, read_channels
from .goal_values import Goal
from .ground_files import ground_text, read_ground
from .phase_files import PHASE_ARRAYS, expect_solution_of, phase_arrays, read_phases
from .prediction import LimitReport, Prediction, Refinement
from .probes import check_robot, expect_joints, probes

if TYPE_CHECKING:
    from ...protocol import DrivenRobot

FORMAT = "lissom prediction 1"
NUMBERS = ("lower", "upper", "active", "violation", "at", "multiplier", "scale")  # of a limit
NO_ROOT = Root("", "")  # of a limit that is shown as it is
# kind (text, real, whole) and shape of every array; a letter is any size, the same one wherever it occurs
ARRAYS = {
    "format": ("U", ""),
    "name": ("U", ""),
    "joints": ("U", "n"),
    "description": ("U", "d2"),
    "undriven": ("U", "u"),
    "ground": ("U", ""),  # where reactions follow from the motion, as JSON
    "external_links": ("U", "w2"),
    "external": ("f", "w9"),
    "obstacle_names": ("U", "o3"),
    "obstacles": ("f", "o4"),
    "obstacle_ends": ("f", "o3"),
    "obstacle_sizes": ("f", "o3"),
    "obstacle_axes": ("f", "o33"),
    "target_names": ("U", "t"),
    "targets": ("f", "t3"),
    "target_axes": ("f", "t33"),
    "points": ("f", "mn"),
    **CHANNEL_ARRAYS,
    **PHASE_ARRAYS,
    "duration": ("f", ""),
    "degree": ("i", ""),
    "objective": ("f", ""),
    "status": ("U", ""),
    "message": ("U", ""),
    "iterations": ("i", ""),
    "seconds": ("f", ""),
    "setup_seconds": ("f", ""),
    "goal_labels": ("U", "g"),
    "goals": ("f", "g2"),
    "limit_labels": ("U", "l4"),  # label and unit of the entry, and of its root where it is shown as one
    "limits": ("f", "l8"),
    "limit_shares": ("f", "s"),
    "limit_share_counts": ("i", "l"),
    "rounds": ("f", "r6"),
    "limit_tolerance": ("f", ""),
    "x": ("f", "x"),
    "constraints": ("f", "c"),
    "multipliers": ("f", "c"),
    "lower_multipliers": ("f", "x"),
    "upper_multipliers": ("f", "x"),
    "solution_objective": ("f", ""),
    "solution_message": ("U", ""),
    "solution_iterations": ("i", ""),
    "solution_seconds": ("f", ""),
    "evaluations": ("f", "8"),
    "history": ("f", "hT"),
    "probes": ("f", "pn"),
}
BREAKS = {"breaks": ("f", "b"), "smooth": ("i", "j")}  # of a path whose knots are not uniform; others have neither


def save(prediction: Prediction, path: str | os.PathLike[str], points: int | None) -> Path:
    """Write a prediction in the format given by the path's suffix."""
    path = Path(path)
    if path.suffix.lower() == ".csv":
        return prediction.trajectory(points).save(path)
    if path.suffix.lower() != ".npz":
        raise FileError(f"cannot write a prediction into a file ending in {path.suffix!r}; use .npz, or .csv (the motion)", path)
    arrays = _arrays(prediction, path)

    def write(file: IO[bytes]) -> None:
        np.savez_compressed(file, **arrays)

    return write_whole(path, write, folders=True)


def load(path: str | os.PathLike[str], robot: DrivenRobot) -> Prediction:
    """Read a prediction of `robot`."""
    path = Path(path)
    if path.suffix.lower() == ".csv":
        raise FileError("a CSV holds the motion alone; lissom.Trajectory.load reads it, and Prediction.load an .npz", path)
    if path.suffix.lower() != ".npz":
        raise FileError(f"cannot read a prediction from a file ending in {path.suffix!r}; expected .npz", path)
    found = _read(path)
    expect_joints(path, robot, [str(name) for name in found["joints"]])
    try:
        prediction = _prediction(found, robot)
        tau = probes(prediction)
    except (LissomError, ValueError) as error:
        raise FileError(f"{error}; it is damaged", path) from None
    check_robot(path, robot, tau, found["probes"])
    return prediction


def _arrays(prediction: Prediction, path: Path) -> dict[str, Any]:
    """Return everything by the names of ARRAYS."""
    solution, limits, description = prediction.solution, prediction.limits, prediction.description
    external = dict(description.external or {})
    packed = [wrench.packed() for wrench in external.values()]
    if any(row.shape != (9,) for row in packed):
        raise FileError("external wrenches that vary cannot be saved; give a constant one of shape (3,)", path)
    return {
        "format": FORMAT,
        "name": description.name,
        "joints": npz_texts(path_names(prediction.robot), path),
        "description": np.array(description.rows, dtype=str).reshape(-1, 2),
        "undriven": npz_texts(description.undriven, path),
        "ground": ground_text(description.ground),
        "external_links": np.array([(link, wrench.axes) for link, wrench in external.items()], dtype=str).reshape(-1, 2),
        "external": np.array(packed, dtype=float).reshape(-1, 9),
        **surroundings_to_arrays(description.obstacles, description.targets),
        **prediction.path.to_dict(),
        **channel_arrays(description.channels, prediction.channels),
        **phase_arrays(prediction),
        "objective": float(prediction.objective),
        "status": prediction.status.value,
        "message": prediction.message,
        "iterations": int(prediction.iterations),
        "seconds": float(prediction.seconds),
        "setup_seconds": float(prediction.setup_seconds),
        "goal_labels": np.array([goal.label for goal in prediction.goals], dtype=str),
        "goals": np.array([goal[1:] for goal in prediction.goals], dtype=float).reshape(-1, 2),
        "limit_labels": np.array([(x.label, x.unit, *(x.root or NO_ROOT)[:2]) for x in limits], dtype=str).reshape(-1, 4),
        "limits": np.array([[*(getattr(x, name) for name in NUMBERS), (x.root or NO_ROOT).less] for x in limits]).reshape(-1, 8),
        "limit_shares": np.array([share for limit in limits for share in limit.shares], dtype=float),
        "limit_share_counts": np.array([len(limit.shares) for limit in limits], dtype=int),
        "rounds": np.array([list(vars(r).values()) for r in prediction.rounds], dtype=float).reshape(-1, 6),
        "limit_tolerance": float(prediction.limit_tolerance),
        **{name: np.asarray(getattr(solution, name), dtype=float) for name in ("x", "constraints", "multipliers")},
        **{name: np.asarray(getattr(solution, name), dtype=float) for name in ("lower_multipliers", "upper_multipliers")},
        "solution_objective": float(solution.objective),
        "solution_message": solution.message,
        "solution_iterations": int(solution.iterations),
        "solution_seconds": float(solution.seconds),
        "evaluations": np.array(solution.evaluations, dtype=float),
        "history": np.array(solution.history, dtype=float).reshape(-1, len(Iterate._fields)),
        "probes": probes(prediction),
    }


def _read(path: Path) -> dict[str, np.ndarray]:
    """Return the arrays of a file, all of them and no others, of the right type and shape."""
    found, more = read_npz(path, {**ARRAYS, **BREAKS})
    if "format" not in found or str(found["format"]) != FORMAT:
        raise FileError(f"is not a prediction; expected the format {FORMAT!r}", path)
    missing = sorted(set(ARRAYS) - set(found))
    if missing or more:
        what = f"lacks {', '.join(map(repr, missing))}" if missing else f"holds {', '.join(map(repr, more))}"
        raise FileError(f"{what}; it is damaged, or of another version of lissom", path)
    sizes: dict[str, int] = {"T": len(Iterate._fields)}
    given = {name: form for name, form in BREAKS.items() if name in found}
    for name, (kind, shape) in {**ARRAYS, **given}.items():
        array = found[name]
        fits = array.ndim == len(shape) and array.dtype.kind == kind and (kind != "f" or array.dtype == np.float64)
        for letter, size in zip(shape, array.shape, strict=False):
            fits = fits and size == (int(letter) if letter.isdigit() else sizes.setdefault(letter, size))
        if not fits:
            raise FileError(f"{name} is an array of {array.dtype} of shape {array.shape}; it is damaged", path)
    return found


def _prediction(found: Mapping[str, np.ndarray], robot: DrivenRobot) -> Prediction:
    """Return the prediction from arrays of the right shapes; ValueError where they do not fit each other."""
    path = SplinePath.from_dict({name: found[name] for name in ("points", "duration", "degree", *BREAKS) if name in found})
    phases, ends = read_phases(found)
    made, channels = read_channels(found, robot, path, ends if len(ends) > 2 else phases[1])
    expect_solution_of(Motion(path, channels, ends), found["x"])
    status = str(found["status"])
    if status not in [s.value for s in Status]:
        raise ValueError(f"unknown status {status!r}")
    counts = found["limit_share_counts"]
    if (counts < 0).any() or counts.sum() != len(found["limit_shares"]):
        raise ValueError("the fractions of the limits do not fit their number")
    for name in ("rounds", "evaluations"):
        if not np.isfinite(found[name]).all():
            raise ValueError(f"{name} has values that are not finite")
    if not np.isfinite(found["history"][:, [0, 8]]).all():  # iteration and trials are whole numbers
        raise ValueError("history has values that are not finite")
    if Status(status).ok and not all(np.isfinite(found[name]).all() for name in ("objective", "goals")):
        raise ValueError("the objective of a motion that was found is not finite")
    if not (found["limits"][:, NUMBERS.index("scale")] > 0).all():
        raise ValueError("a limit has a scale that is not positive")
    links = [(str(link), str(axes)) for link, axes in found["external_links"]]
    external = {
        link: Wrench(row[:3], row[3:6], axes=axes, point=row[6:])
        for (link, axes), row in zip(links, found["external"], strict=True)
    }
    rows = tuple((str(what), str(text)) for what, text in found["description"])
    undriven = tuple(str(name) for name in found["undriven"])
    if not set(undriven) <= set(robot.path_columns):
        raise ValueError("undriven columns are not those of the path")
    around = surroundings_from_arrays(found, robot)
    ground = read_ground(str(found["ground"]), robot, list(channels))
    return Prediction(
        problem=Description(str(found["name"]), robot, rows, external or None, *around, made, undriven, phases, ground),
        path=path,
        channels=channels,
        ends=ends,
        objective=float(found["objective"]),
        status=Status(status),
        message=str(found["message"]),
        iterations=int(found["iterations"]),
        seconds=float(found["seconds"]),
        setup_seconds=float(found["setup_seconds"]),
        limits=_limits(found),
        rounds=[Refinement(int(m), int(i), f, violation, int(k), s) for m, i, f, violation, k, s in found["rounds"].tolist()],
        solution=_solution(found, Status(status)),
        limit_tolerance=_positive(float(found["limit_tolerance"])),
        goals=[Goal(str(label), *row) for label, row in zip(found["goal_labels"], found["goals"].tolist(), strict=True)],
    )


def _positive(tolerance: float) -> float:
    if not tolerance > 0:
        raise ValueError(f"limit_tolerance is {tolerance}")
    return tolerance


def _limits(found: Mapping[str, np.ndarray]) -> list[LimitReport]:
    shares = np.split(found["limit_shares"], np.cumsum(found["limit_share_counts"])[:-1])
    rows = found["limit_labels"].tolist(), found["limits"].tolist()
    more = found["limit_residuals"].tolist(), found["limit_phases"].tolist(), found["limit_contacts"].tolist()
    return [
        LimitReport(
            *(label, unit),
            **dict(zip(NUMBERS, row, strict=False)),
            shares=tuple(own.tolist()),
            root=Root(to, of, row[-1]) if to else None,
            residual=residual,
            during=tuple(phases.split("\n")) if phases else (),
            contact=contact,
        )
        for (label, unit, to, of), row, own, residual, phases, contact in zip(*rows, shares, *more, strict=False)
    ]


def _solution(found: Mapping[str, np.ndarray], status: Status) -> Solution:
    counts = found["evaluations"].tolist()
    return Solution(
        x=found["x"],
        objective=float(found["solution_objective"]),
        constraints=found["constraints"],
        multipliers=found["multipliers"],
        lower_multipliers=found["lower_multipliers"],
        upper_multipliers=found["upper_multipliers"],
        status=status,
        message=str(found["solution_message"]),
        iterations=int(found["solution_iterations"]),
        seconds=float(found["solution_seconds"]),
        evaluations=Evaluations._make([*map(int, counts[:-1]), counts[-1]]),
        history=tuple(Iterate._make([int(row[0]), *row[1:-2], int(row[-2]), bool(row[-1])]) for row in found["history"].tolist()),
    )
