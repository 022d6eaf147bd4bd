"""What inverse kinematics follows: weights of markers and of coordinates, given or from OpenSim's setup files."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from ..errors import StateError, suggest
from ..read.osim.values import opened, title


@dataclass(frozen=True)
class Tasks:
    """Weights of an inverse kinematics.

    Attributes:
        markers: weights by names of markers; those that are not named are left out.
        coordinates: by names of coordinates, weight and value [rad or m]; None for the value is the coordinate's default.
    """

    markers: Mapping[str, float] = field(default_factory=dict)
    coordinates: Mapping[str, tuple[float, float | None]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, weight in [*self.markers.items(), *((n, w) for n, (w, _) in self.coordinates.items())]:
            if not 0.0 <= weight < math.inf:
                raise StateError(f"the weight of {name!r} must be zero or positive, got {weight}")

    def check(self, markers: object, coordinates: object) -> None:
        """Raise a StateError for names that are not among markers or coordinates."""
        for what, given, known in (("marker", self.markers, markers), ("coordinate", self.coordinates, coordinates)):
            names = list(known)  # type: ignore[call-overload]
            for name in given:
                if name not in names:
                    raise StateError(f"no {what} {name!r} has a weight to be given; {suggest(name, names)}")


def read_tasks(path: str | os.PathLike[str]) -> Tasks:
    """Return the tasks of an OpenSim file: an InverseKinematicsTool, or an IKTaskSet.

    Raises:
        FileError: the file has no tasks, or values from another file; with the line.
    """
    root, values = opened(path)
    source = values.source
    tool = root.only("InverseKinematicsTool", source) or root
    tasks = [element for element in values.objects(tool, "IKTaskSet") if values.flag(element, "apply", True)]
    if not tasks:
        raise source.error("the file has no <IKTaskSet> with tasks that apply", root.line)
    markers: dict[str, float] = {}
    coordinates: dict[str, tuple[float, float | None]] = {}
    for element in tasks:
        name, weight = values.name(element), values.finite(element, "weight", 0.0)
        if weight < 0:
            raise source.error(f"{title(element)}: the weight must not be negative, got {weight:g}", element.line)
        if element.tag == "IKMarkerTask":
            markers[name] = weight
        elif element.tag == "IKCoordinateTask":
            kind = values.text(element, "value_type") or "default_value"
            if kind not in ("default_value", "manual_value"):
                raise source.error(f"{title(element)} takes its value {kind}; give coordinates in the call instead", element.line)
            coordinates[name] = (weight, values.finite(element, "value", 0.0) if kind == "manual_value" else None)
        else:
            raise source.error(f"{title(element)} among the tasks; expected IKMarkerTask or IKCoordinateTask", element.line)
    return Tasks(markers, coordinates)
