"""Initial states of motors behind springs where only those of the joints are given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ..wrench import Wrench

if TYPE_CHECKING:
    from ..protocol import DrivenRobot


def motors_at_rest(robot: DrivenRobot, q: Any, external: Mapping[str, Wrench] | None = None) -> tuple[np.ndarray, list[str]]:
    """Return coordinates (nq,) with motors in static equilibrium, and the assumption as a sentence (none without motors).

    Args:
        robot: the robot to simulate.
        q: coordinates of its joints alone (nq - n_elastic,).
        external: wrenches that act on it.
    """
    q0, e = robot.at_rest(q, external=external), robot.n_elastic
    if not e:
        return q0, []
    parts = zip(robot.joint_names[-e:], q0[-e:], robot.coordinate_units[-e:], strict=True)
    places = ", ".join(f"{name} {x:.6g} {unit}" for name, x, unit in parts)
    return q0, [f"motors start in static equilibrium, where springs hold the robot still: {places}"]


def motors_along(robot: DrivenRobot, qd: np.ndarray) -> tuple[np.ndarray, list[str]]:
    """Return velocities (nv,) with motors as fast as the joints that they drive, whose velocities are qd (link_nv,)."""
    speeds = np.array([drive.share * qd[drive.joint] for drive in robot._elastic_drives])
    said = ["motors start at the speeds of their joints: no spring is being stretched"] if len(speeds) and qd.any() else []
    return np.concatenate([qd, speeds]), said
