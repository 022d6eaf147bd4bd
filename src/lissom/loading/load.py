"""Load: a description in, a robot out."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING

from ..robot import Robot

if TYPE_CHECKING:
    from ..closed import ClosedRobot


def load(
    path: str | PathLike[str],
    base: str = "fixed",
    mimic: bool = True,
    friction: bool | None = None,
    strict: bool = False,
    loops: str | PathLike[str] | None = None,
    trusted: bool = False,
    active: Sequence[str] | None = None,
    closure_tolerance: float | None = None,
) -> Robot | ClosedRobot:
    """Read a robot from a file; one with loops is a `lissom.ClosedRobot`.

    Args:
        path: URDF (.urdf), MJCF (.xml, .mjcf) or lissom's YAML (.yaml, .yml; trees and Denavit-Hartenberg tables).
        base: "fixed", or "floating" to let the base link move freely (7 coordinates and 6 velocities come first).
        mimic: honor mimic joints as geared couplings; False leaves them independent.
        friction: whether joint friction in the file enters the equations; None follows the format (URDF: no, as in
            Pinocchio; MJCF and YAML: yes).
        strict: refuse doubtful inertias instead of warning of them.
        loops: a YAML file beside a URDF or MJCF file that says which cut joints close it into loops, and which are active.
        trusted: True lets an MJCF file read files outside its own folder and ask for any size; otherwise both are refused.
        active: of a mechanism with loops, names of the joints that are driven, in the place of those of the file.
        closure_tolerance: of a mechanism with loops and rounded lengths, by how much loops may stay open [m].

    Raises:
        FileError: the file cannot be understood; the message names file and line.
    """
    from ..read import load_model

    given = {"loops": loops, "trusted": trusted, "active": active, "closure_tolerance": closure_tolerance}
    model = load_model(path, base=base, mimic=mimic, friction=friction, strict=strict, **given)  # type: ignore[arg-type]
    if model.loops:
        from ..closed import ClosedRobot

        return ClosedRobot(model)
    return Robot(model)
