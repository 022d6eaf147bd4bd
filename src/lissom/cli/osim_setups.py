"""Files and numbers of `lissom osim ik` and `id` from OpenSim's setup files, where the call does not give them."""

from __future__ import annotations

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
    return _needed(model, "MODEL", "model_file", setup), _needed(markers, "MARKERS", "marker_file", setup), tasks, time


def id_inputs(
    setup: Path | None, model: Path | None, motion: Path | None, loads: Path | None, cutoff: float | None, time: Time
) -> tuple[Path, Path, Path | None, float | None, Time]:
    """Return model, motion, loads, cutoff and time: those of the call, else those of the setup."""
    if setup is not None:
        from ..osim import read_id_setup

        said = read_id_setup(setup, _given(model=model, motion=motion, loads=loads))
        model, motion, loads = model or said.model, motion or said.motion, loads or said.loads
        cutoff, time = said.cutoff if cutoff is None else cutoff, time or _words(said.time)
    found = _needed(model, "MODEL", "model_file", setup), _needed(motion, "MOTION", "coordinates_file", setup)
    return *found, loads, cutoff, time


def _given(**files: Path | None) -> list[str]:
    return [name for name, file in files.items() if file is not None]


def _needed(file: Path | None, what: str, tag: str, setup: Path | None) -> Path:
    if file is not None:
        return file
    if setup is None:
        raise FileError(f"{what} is missing: give it, or a setup of OpenSim with --setup")
    raise FileError(f"the setup names no <{tag}>; give {what}", setup)


def _words(time: tuple[float, float] | None) -> Time:
    return None if time is None else f"{time[0]!r},{time[1]!r}"
