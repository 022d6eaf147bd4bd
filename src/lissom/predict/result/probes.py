"""Probes: joint torques at some instants of a motion, by which a file knows the robot that it was predicted for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...algorithms.elastic.path_tasks import driving_places
from ...errors import FileError
from ..data.joints import drive_names, path_names
from .prediction import Prediction

if TYPE_CHECKING:
    from ...protocol import DrivenRobot

PROBES = 5  # instants at which joint torques are stored
LISTED = 8  # most names of joints in an error
SAME = 1e-6  # share of the largest joint torque by which the robot's may differ from the stored ones


def probes(prediction: Prediction) -> np.ndarray:
    """Return the torques of the drives (PROBES, n) at some instants."""
    tau = prediction.torques(prediction.times(PROBES))
    return tau[:, driving_places(prediction.robot.model)] if prediction.robot.n_elastic else tau


def expect_joints(path: Path, robot: DrivenRobot, joints: list[str]) -> None:
    """Raise FileError unless a robot has the columns that the motion of a file has."""
    own = list(path_names(robot))
    if joints == own:
        return
    lacking, strange = ([name for name in a if name not in b] for a, b in ((own, joints), (joints, own)))
    if max(len(joints), len(own)) <= LISTED:
        said = f"it moves {', '.join(joints)}; the robot has {', '.join(own)}"
    elif not strange and lacking:
        said = (
            f"it moves {len(joints)} of the robot's {len(own)} joints, without {_listed(lacking)}; give the robot that was "
            "predicted, with these joints locked"
        )
    elif strange:
        said = f"it moves {_listed(strange)}, which the robot has not" + (f", without {_listed(lacking)}" if lacking else "")
    else:
        said = "it moves the same joints in another order"
    raise FileError(f"is not a prediction of {robot.name!r}: {said}", path)


def _listed(names: list[str]) -> str:
    more = len(names) - LISTED
    return ", ".join(names[:LISTED]) + (f" and {more} more" if more > 0 else "")


def check_robot(path: Path, robot: DrivenRobot, tau: np.ndarray, probes: np.ndarray) -> None:
    """Raise if the robot needs other joint torques for the motion than the stored ones."""
    if probes.shape != tau.shape or not np.isfinite(probes).all():
        raise FileError("probes are not joint torques of its motion; it is damaged", path)
    apart = np.abs(tau - probes).max(axis=0)
    if (apart > SAME * max(1.0, float(np.abs(probes).max()))).any():
        joint = drive_names(robot)[int(np.argmax(apart))]
        raise FileError(
            f"was predicted for another robot than this {robot.name!r}: joint torques differ, those of {joint!r} by "
            f"{apart.max():.3g}; load the robot, with the payload and friction, that it was predicted for",
            path,
        )
