"""What inverse kinematics follows: weights of markers and of coordinates, given or from OpenSim's setup files."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from ..errors import StateError, suggest
from ..read.osim.values import Values, opened, title
from ..read.xml import Element
from .named_files import named_file, objects_of
from .storage import read_table
from .table import Table


@dataclass(frozen=True)
class Tasks:
    """Weights of an inverse kinematics.

    Attributes:
        markers: weights by names of markers; those that are not named are left out.
        coordinates: by names of coordinates, weight and value [rad or m]; None for the value is the coordinate's default.
        tracked: weights of coordinates whose value at each time is that of `motion`.
        motion: coordinates over time, as in a .mot file.
    """

    markers: Mapping[str, float] = field(default_factory=dict)
    coordinates: Mapping[str, tuple[float, float | None]] = field(default_factory=dict)
    tracked: Mapping[str, float] = field(default_factory=dict)
    motion: Table | None = None

    def __post_init__(self) -> None:
        for name, weight in [*self.markers.items(), *((n, w) for n, (w, _) in self.coordinates.items()), *self.tracked.items()]:
            if not 0.0 <= weight < math.inf:
                raise StateError(f"the weight of {name!r} must be zero or positive, got {weight}")
        if self.tracked and self.motion is None:
            raise StateError(f"coordinates {', '.join(map(repr, self.tracked))} are tracked, but there is no motion=")

    def check(self, markers: object, coordinates: object) -> None:
        """Raise a StateError for names that are not among markers or coordinates."""
        weighted: dict[str, object] = {**self.coordinates, **self.tracked}
        for what, given, known in (("marker", self.markers, markers), ("coordinate", weighted, coordinates)):
            names = list(known)  # type: ignore[call-overload]
            for name in given:
                if name not in names:
                    raise StateError(f"no {what} {name!r} has a weight to be given; {suggest(name, names)}")


def read_tasks(path: str | os.PathLike[str], motion: Table | None = None) -> Tasks:
    """Return the tasks of an OpenSim file: an InverseKinematicsTool, or an IKTaskSet.

    Args:
        path: the file.
        motion: coordinates for tasks whose values are from a file; None reads the one that the setup names, in its folder.

    Raises:
        FileError: the file has no tasks, or names a file that is not in its folder; with the line.
    """
    root, values = opened(path)
    return tasks_of(root.only("InverseKinematicsTool", values.source) or root, values, motion)


def tasks_of(tool: Element, values: Values, motion: Table | None = None) -> Tasks:
    """Return the tasks of a tool's element."""
    given, own = objects_of(tool, "IKTaskSet", values)
    setup, values, source = values, own, own.source
    tasks = [element for element in given if values.flag(element, "apply", True)]
    if not tasks:
        raise setup.source.error("the file has no <IKTaskSet> with tasks that apply", tool.line)
    markers: dict[str, float] = {}
    coordinates: dict[str, tuple[float, float | None]] = {}
    tracked: dict[str, float] = {}
    for element in tasks:
        name, weight = values.name(element), values.finite(element, "weight", 0.0)
        if weight < 0:
            raise source.error(f"{title(element)}: the weight must not be negative, got {weight:g}", element.line)
        if element.tag == "IKMarkerTask":
            markers[name] = weight
        elif element.tag == "IKCoordinateTask":
            kind = values.text(element, "value_type") or "default_value"
            if kind not in ("default_value", "manual_value", "from_file"):
                known = "default_value, manual_value or from_file"
                raise source.error(f"{title(element)} takes its value {kind}; expected {known}", element.line)
            if kind == "from_file":
                tracked[name] = weight
            else:
                coordinates[name] = (weight, values.finite(element, "value", 0.0) if kind == "manual_value" else None)
        else:
            raise source.error(f"{title(element)} among the tasks; expected IKMarkerTask or IKCoordinateTask", element.line)
    if tracked and motion is None:
        motion = read_table(named_file(tool, "coordinate_file", setup, "the motion with motion="))
    return Tasks(markers, coordinates, tracked, motion if tracked else None)
