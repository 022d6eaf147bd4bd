"""What an OpenSim model has that lissom's equations have not: errors for constraints, doubts for forces, remarks for the rest."""

from __future__ import annotations

from ...doubts import Remark, doubt
from ..source import Source
from .parts import NamedPart, OsimParts

SHOWN = 8  # names in one message


def name_what_is_left(parts: OsimParts, source: Source, muscles: bool = True) -> None:
    """Refuse constraints that lissom does not have, and name all else that is not part of the equations; muscles on demand."""
    for constraint in parts.constraints:
        what = f"{constraint.kind} {constraint.name!r}"
        if constraint.acts:
            raise source.error(
                f"{what} is a constraint that lissom does not read from OpenSim's files, which are read without loops; it reads "
                "CoordinateCouplerConstraint. Set <isEnforced> to false to leave it out",
                constraint.line,
            )
        doubt(Remark(source.error(f"{what} is not enforced, and left out", constraint.line)), stacklevel=3)
    for coupler in parts.couplers:
        if not coupler.enforced:
            doubt(
                Remark(source.error(f"the coupling {coupler.name!r} is not enforced, and left out", coupler.line)), stacklevel=3
            )
    forces = [force for force in parts.forces if force.acts]
    if forces:
        source.warn(f"{listed(forces)} are no part of the robot: its torques are without them", forces[0].line)
    pulling = [muscle for muscle in parts.muscles if muscle.acts]
    if pulling and muscles:
        first, more = pulling[0], len(pulling) - 1
        what = f"{first.kind} {first.name!r}" + (f" and {more} more forces along paths" if more else "")
        text = f"{what}: no part of the robot, whose torques are those that they have to make"
        doubt(Remark(source.error(text, first.line)), stacklevel=3)
    for group, what in (
        ([force for force in parts.forces if not force.acts], "are switched off, and left out"),
        (list(parts.contacts), "are contact geometry, which the robot does not touch with"),
        (list(parts.extra), "are left out"),
    ):
        if group:
            doubt(Remark(source.error(f"{listed(group)} {what}", group[0].line)), stacklevel=3)


def listed(parts: list[NamedPart]) -> str:
    """Return "BushingForce 'a' (line 12), ... and 3 more"."""
    names = [f"{part.kind} {part.name!r} (line {part.line})" for part in parts[:SHOWN]]
    more = [f"{len(parts) - SHOWN} more"] if len(parts) > SHOWN else []
    *start, end = [*names, *more]
    return f"{', '.join(start)} and {end}" if start else end
