"""Files and numbers of `lissom osim` from OpenSim's setup files, where the call does not give them."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path

from ..errors import FileError

Time = str | None


def ik_inputs(
    setup: Path | None, model: Path | None, markers: Path | None, tasks: Path | None, time: Time
) -> tuple[Path, Path, Path | None, Time]:
    """Return model, markers, tasks and time: those of the call, else those of the setup."""
    if setup is not None:
        from ..osim import read_ik_setup

        said = read_ik_setup(setup, _given(model=model, markers=markers))
        model, markers = model or said.model, markers or said.markers
        tasks, time = tasks or setup, time or _words(said.time)
    return needed_file(model, "MODEL", "model_file", setup), needed_file(markers, "MARKERS", "marker_file", setup), tasks, time


def id_inputs(
    setup: Path | None, model: Path | None, motion: Path | None, loads: Path | None, cutoff: float | None, time: Time
) -> tuple[Path, Path, Path | None, float | None, Time]:
    """Return model, motion, loads, cutoff and time: those of the call, else those of the setup."""
    if setup is not None:
        from ..osim import read_id_setup

        said = read_id_setup(setup, _given(model=model, motion=motion, loads=loads))
        model, motion, loads = model or said.model, motion or said.motion, loads or said.loads
        cutoff, time = said.cutoff if cutoff is None else cutoff, time or _words(said.time)
    found = needed_file(model, "MODEL", "model_file", setup), needed_file(motion, "MOTION", "coordinates_file", setup)
    return *found, loads, cutoff, time


@dataclass(frozen=True)
class AnalyzeInputs:
    """What `muscles`, `so` and `jr` take; of each, the value of the call, else that of a setup of AnalyzeTool."""

    model: Path | None
    motion: Path | None
    loads: Path | None = None
    actuators: Path | None = None
    cutoff: float | None = None
    time: Time = None
    power: float | None = None
    forces: Path | None = None
    joints: tuple[str, ...] | None = None
    on: str | None = None
    seen: str | None = None

    def with_setup(self, setup: Path | None, analysis: str) -> AnalyzeInputs:
        """Return them with what a setup says where the call says nothing."""
        if setup is None:
            return self
        from ..osim import read_analyze_setup

        files = _given(model=self.model, motion=self.motion, loads=self.loads, actuators=self.actuators, forces=self.forces)
        said = read_analyze_setup(setup, analysis, files)
        found = {each.name: getattr(said, each.name) for each in fields(self)} | {"time": _words(said.time)}
        own = {each.name: getattr(self, each.name) for each in fields(self)}
        return AnalyzeInputs(**(found | {name: value for name, value in own.items() if value is not None}))

    def needed(self, setup: Path | None) -> tuple[Path, Path]:
        """Return model and motion; a missing one is an error."""
        return needed_file(self.model, "MODEL", "model_file", setup), needed_file(
            self.motion, "MOTION", "coordinates_file", setup
        )


def _given(**files: Path | None) -> list[str]:
    return [name for name, file in files.items() if file is not None]


def needed_file(file: Path | None, what: str, tag: str, setup: Path | None) -> Path:
    """Return a file; a missing one is an error, which says where to name it."""
    if file is not None:
        return file
    if setup is None:
        raise FileError(f"{what} is missing: give it, or a setup of OpenSim with --setup")
    raise FileError(f"the setup names no <{tag}>; give {what}", setup)


def _words(time: tuple[float, float] | None) -> Time:
    return None if time is None else f"{time[0]!r},{time[1]!r}"
