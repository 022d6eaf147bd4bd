"""A model of OpenSim with what its steps need: the robot, all coordinates by OpenSim's names, and markers."""

from __future__ import annotations

import os
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field

import numpy as np

from ..compiler.run import Function as Compiled
from ..doubts import known_doubts
from ..joints.function import Function
from ..locks import once_property
from ..model.pose import Vector3
from ..read.osim.coordinates import Leading, leaders, turning
from ..read.osim.document import Document, read_document
from ..read.osim.parts import CoordinatePart, OsimParts
from ..read.osim.read import model_of
from ..read.osim.several import Term
from ..read.osim.unsupported import name_what_is_left
from ..read.source import Source
from ..robot import Robot


@dataclass(frozen=True, eq=False)
class OsimModel:
    """A model read by `lissom.osim.read`.

    Attributes:
        path: its file.
        parts: what stands in the file, muscles and wrap objects too.
        unscaled: of a model made by `lissom.osim.scale`, the one that it was made of.
        document: the file as it was read, for `lissom.osim.write`.
        factors: by which bodies were scaled since then, for x, y and z.
    """

    path: object
    parts: OsimParts
    unscaled: OsimModel | None = None
    document: Document | None = field(default=None, repr=False)
    factors: Mapping[str, Vector3] = field(default_factory=dict)

    def __repr__(self) -> str:
        p = self.parts
        return f"<OsimModel {p.name!r}: {len(p.bodies)} bodies, {len(p.coordinates)} coordinates, {len(p.markers)} markers>"

    @once_property
    def robot(self) -> Robot:
        """The robot of `lissom.load`: coupled coordinates follow, locked ones stand still."""
        with known_doubts():
            return Robot(model_of(self.parts, Source(self.path), tell=False))

    @once_property
    def tree(self) -> Robot:
        """The robot with every coordinate free, coupled and locked ones too, as OpenSim's inverse dynamics has it."""
        with known_doubts():
            model = model_of(self.parts, Source(self.path), coupled=False, hold=False, tell=False)
        return Robot(model)

    @once_property
    def names(self) -> tuple[str, ...]:
        """Names of all coordinates, in the order of `tree`."""
        return tuple(joint.name for joint in self.tree.model.independent_joints)

    @once_property
    def kinds(self) -> dict[str, str]:
        """Kind of each coordinate: "rotational", "translational" or "coupled"; files in degrees mean the rotational ones."""
        return turning(self.parts, Source(self.path))

    @once_property
    def coordinates(self) -> dict[str, CoordinatePart]:
        """Coordinates by their names: default, range, whether clamped and locked."""
        return {coordinate.name: coordinate for coordinate in self.parts.coordinates}

    @once_property
    def couplings(self) -> dict[str, tuple[str, Function]]:
        """For each coordinate that follows one other: its leader, and the function of it."""
        found = self._leaders
        return {name: (lead.leader, lead.law) for name, lead in found.items() if not lead.more and lead.leader != name}

    @once_property
    def sums(self) -> dict[str, tuple[Term, ...]]:
        """For each coordinate that follows several others: these, with the functions of them that add up to it."""
        return {name: lead.terms for name, lead in self._leaders.items() if lead.more}

    @once_property
    def _leaders(self) -> dict[str, Leading]:
        return leaders(self.parts, Source(self.path))

    def leader_of(self, name: str, what: str) -> tuple[str, Function | None]:
        """Return the coordinate that leads another one and the function of it; the coordinate itself if it follows none.

        Raises:
            FileError: it follows several, which `what`, named in the message, cannot.
        """
        if name in self.sums:
            many = ", ".join(repr(leader) for leader, _ in self.sums[name])
            line = self.coordinates[name].line
            raise Source(self.path).error(f"{what}: coordinate {name!r} follows several, {many}, which lissom has not here", line)
        return self.couplings.get(name, (name, None))

    @once_property
    def seats(self) -> dict[str, tuple[str, tuple[float, float, float]]]:
        """For each marker the body that carries it, and its place in that body's frame [m]."""
        found = {}
        for marker in self.parts.markers:
            body, pose = self.parts.seat(marker.frame)
            x, y, z = (float(value) for value in pose.R @ marker.location + pose.p)
            found[marker.name] = (body, (x, y, z))
        return found

    @once_property
    def fits(self) -> dict[Hashable, Compiled]:
        """Functions of inverse kinematics made so far (`fit.py`)."""
        return {}

    @property
    def defaults(self) -> np.ndarray:
        """Default coordinates (n,) of `tree` [rad or m]; those that follow do so."""
        found = {name: coordinate.default for name, coordinate in self.coordinates.items()}
        for name, (leader, law) in self.couplings.items():
            found[name] = float(law.derivatives(found[leader], 0)[0])
        for name, terms in self.sums.items():
            found[name] = sum(float(law.derivatives(found[leader], 0)[0]) for leader, law in terms)
        return np.array([found[name] for name in self.names])


def read(path: str | os.PathLike[str]) -> OsimModel:
    """Return the model of an .osim file.

    Raises:
        FileError: the file is not an OpenSim model that lissom has equations for; with the line.
    """
    document = read_document(path)
    name_what_is_left(document.parts, Source(path), muscles=False)
    return OsimModel(path, document.parts, document=document)
