"""The path as a curve q(s), 0 <= s <= 1, with derivatives by s; a spline through waypoints where only those are given."""

from __future__ import annotations

import numpy as np

from ..arrays import Waypoints
from ..errors import StateError
from ..protocol import DrivenRobot, expect_drives
from ..spline import SplinePath
from ..spline.check import numbers

STILL = 1e-9  # of the largest q': below, the path does not move
TURNS = 4 * np.pi  # [rad]: a joint beyond two turns was probably meant in degrees


def through(waypoints: Waypoints) -> SplinePath:
    """Return the cubic spline through waypoints (m, n), evenly spaced in s; its second derivative vanishes at both ends."""
    points = numbers(waypoints, "path", 2, "a SplinePath, or waypoints of shape (m, n)")
    m = len(points)
    if m < 2 or points.shape[1] == 0:
        raise StateError(f"path has shape {points.shape}, expected two waypoints or more, one per row")
    same = (points[1:] == points[:-1]).all(axis=1)
    if same.any():
        k = int(np.argmax(same))
        raise StateError(f"waypoints {k} and {k + 1} of the path are the same; leave one of them out")
    from scipy.interpolate import make_interp_spline  # late: it takes a quarter of a second to import

    # its knots are those of a Basis: evenly spaced, the ends repeated
    return SplinePath(make_interp_spline(np.linspace(0.0, 1.0, m), points, 3, bc_type="natural").c, 1.0)


def checked_path(robot: DrivenRobot, path: SplinePath | Waypoints) -> SplinePath:
    """Return the path as a spline of the robot's joints that lasts one second, so that its time is s."""
    expect_drives(robot, "a path")
    given, path = path, path if isinstance(path, SplinePath) else through(path)
    if path.points.shape[1] != robot.nq:
        raise StateError(f"path has {path.points.shape[1]} joints, expected nq = {robot.nq} (robot {robot.name!r})")
    if path is not given:
        _refuse_degrees(robot, path)
    if path.degree == 1 and path.basis.spans > 1:
        raise StateError(
            "the path has degree 1, with corners that a motion can pass only at rest; take degree=3, or time each part separately"
        )
    if path.smoothness == 0 and path.basis.spans > 1:
        raise StateError("the path has corners, at breaks, that a motion can pass only at rest; time each part separately")
    return path if path.duration == 1.0 else path.with_duration(1.0)


def _refuse_degrees(robot: DrivenRobot, path: SplinePath) -> None:
    """Raise StateError where waypoints turn a joint so far that degrees were probably meant."""
    joints = [joint for joint in robot.coordinate_joints for _ in range(joint.kind.nq)]
    for joint, name, unit, q in zip(joints, robot.velocity_names, robot.coordinate_units, path.points.T, strict=True):
        far = float(np.abs(q).max())
        if unit == "rad" and not joint.kind.traits.winds and far > TURNS:
            raise StateError(
                f"waypoints turn joint {name!r} to {far:.4g} rad, {far / (2 * np.pi):.1f} turns, which looks like degrees: "
                "write numpy.deg2rad(path)"
            )


def check_moves(s: np.ndarray, slope: np.ndarray) -> None:
    """Raise StateError where q' = 0: s could run at any speed without a joint moving."""
    size = np.abs(slope).max(axis=1)
    still = size <= STILL * size.max()
    if still.any():
        k = int(np.argmax(still))
        at_end = k in (0, len(s) - 1)
        advice = "SplinePath.between(..., rest=0) moves there" if at_end else "split the path there, and time both parts"
        raise StateError(f"the path does not move at s = {s[k]:.4g}: q' is zero there; {advice}")
