"""Setup files of OpenSim's InverseKinematicsTool and InverseDynamicsTool."""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from ..read.osim.values import Values, opened, title
from ..read.xml import Element
from .named_files import optional_file
from .scaling import time_range
from .table import Table
from .tasks import Tasks, tasks_of


@dataclass(frozen=True)
class IkSetup:
    """What a setup of InverseKinematicsTool says; None where it says nothing.

    Attributes:
        model, markers: files in its folder.
        tasks: weights of markers and coordinates.
        time: first and last time [s].
    """

    model: Path | None
    markers: Path | None
    tasks: Tasks
    time: tuple[float, float] | None


@dataclass(frozen=True)
class IdSetup:
    """What a setup of InverseDynamicsTool says; None where it says nothing.

    Attributes:
        model, motion, loads: files in its folder.
        cutoff: frequency of the low-pass filter of coordinates [Hz].
        time: first and last time [s].
    """

    model: Path | None
    motion: Path | None
    loads: Path | None
    cutoff: float | None
    time: tuple[float, float] | None


def read_ik_setup(path: str | os.PathLike[str], given: Collection[str] = (), motion: Table | None = None) -> IkSetup:
    """Return what a setup of OpenSim's InverseKinematicsTool says.

    Args:
        path: the file.
        given: which of "model" and "markers" are given in the call: the setup's are not looked at.
        motion: coordinates for tasks whose values are from a file; None reads the setup's.

    Raises:
        FileError: the file is no such setup, a value cannot be, or a file lies outside the setup's folder; with the line.
    """
    tool, values = tool_of(path, "InverseKinematicsTool")
    return IkSetup(
        None if "model" in given else optional_file(tool, "model_file", values, "the model in the call"),
        None if "markers" in given else optional_file(tool, "marker_file", values, "the markers in the call"),
        tasks_of(tool, values, motion),
        time_range(tool, values),
    )


def read_id_setup(path: str | os.PathLike[str], given: Collection[str] = ()) -> IdSetup:
    """Return what a setup of OpenSim's InverseDynamicsTool says. As there, a cutoff that is not positive filters nothing.

    Forces of the model are left out, as a setup that excludes muscles says; one that does not is a warning.

    Args:
        path: the file.
        given: which of "model", "motion" and "loads" are given in the call: the setup's are not looked at.

    Raises:
        FileError: the file is no such setup, a value cannot be, or a file lies outside the setup's folder; with the line.
    """
    tool, values = tool_of(path, "InverseDynamicsTool")
    left = [word.lower() for word in values.words(tool, "forces_to_exclude")]
    if not {"muscles", "all"} & set(left):
        values.source.warn(
            f"{title(tool)} excludes no muscles, but lissom computes torques without forces of the model", tool.line
        )
    cutoff = values.finite(tool, "lowpass_cutoff_frequency_for_coordinates", -1.0)
    return IdSetup(
        None if "model" in given else optional_file(tool, "model_file", values, "the model in the call"),
        None if "motion" in given else optional_file(tool, "coordinates_file", values, "the motion in the call"),
        None if "loads" in given else optional_file(tool, "external_loads_file", values, "the loads with --loads"),
        cutoff if cutoff > 0.0 else None,
        time_range(tool, values),
    )


def tool_of(path: str | os.PathLike[str], tag: str) -> tuple[Element, Values]:
    """Return the element of a tool in a setup file, and a reader of its values."""
    root, values = opened(path)
    tool = root.only(tag, values.source)
    if tool is None:
        found = ", ".join(f"<{child.tag}>" for child in root.children[:5]) or "nothing"
        raise values.source.error(f"<OpenSimDocument> has no <{tag}>, it has {found}", root.line)
    return tool, values
