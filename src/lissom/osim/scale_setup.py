"""Setup files of OpenSim's ScaleTool: a generic model, its scaling, and the placing of its markers."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from ..errors import FileError, StateError
from ..read.osim.values import Values, opened
from ..read.xml import Element
from .c3d import read_c3d
from .marker_sets import with_markers
from .model import OsimModel, read
from .named_files import objects_of, optional_file
from .placing import Placement, place_markers
from .scaling import Factors, Scaling, scale, scale_factors, scaling_of, time_range
from .tasks import Tasks, tasks_of
from .trc import Markers, read_trc


@dataclass(frozen=True)
class ScaleSetup:
    """What a setup file of ScaleTool says; files that it names lie in its folder, others are given in the call.

    Attributes:
        path: the file.
        name: of the scaled model; empty for that of the generic one.
        model: the file of the generic model; `markers`: of more markers for it. None where the setup names none.
        scaling: measurements, factors and mass; None where ModelScaler is switched off or missing.
        trial: the file of the static trial that is measured.
        placing: weights of the static pose; None where MarkerPlacer is switched off or missing.
        pose_trial: the file of the trial that gives the pose.
        pose_time: its first and last time [s]; None: all of it.
        move: whether markers are moved to where they were measured in the pose.
        most: distance [m] that a marker may move in that time; None: any.
        lines: of what messages name.
    """

    path: object
    name: str
    model: Path | None
    markers: Path | None
    scaling: Scaling | None
    trial: Path | None
    placing: Tasks | None
    pose_trial: Path | None
    pose_time: tuple[float, float] | None
    move: bool = True
    most: float | None = None
    lines: dict[str, int] = field(default_factory=dict, repr=False)

    @contextlib.contextmanager
    def at(self) -> Iterator[None]:
        """Name the file, and the line of what they are about, in errors."""
        try:
            yield
        except StateError as error:
            places = [(str(error).find(key), line) for key, line in self.lines.items() if key in str(error)]
            raise FileError(str(error), self.path, min(places)[1] if places else None) from None


@dataclass(frozen=True, eq=False)
class Scaled:
    """The result of `follow_scale_setup`.

    Attributes:
        model: of the person's size, with markers where they were measured.
        generic: the model before.
        factors: for x, y and z of each body that was scaled.
        placement: of the markers; None where the setup does not place them.
    """

    model: OsimModel
    generic: OsimModel
    factors: dict[str, Factors]
    placement: Placement | None


def follow_scale_setup(
    setup: ScaleSetup,
    model: OsimModel | None = None,
    markers: str | os.PathLike[str] | None = None,
    static: Markers | None = None,
) -> Scaled:
    """Return the model that a setup makes: scaled, then with its markers placed.

    Args:
        setup: from `read_scale_setup`.
        model: the generic model; None reads the setup's.
        markers: the file of a set of markers for it; None takes the setup's.
        static: markers of the static trial, for measurements and pose; None reads the setup's.

    Raises:
        FileError: a file is missing or is not what it should be, or the setup asks for what cannot be; with the line.
    """
    if model is None:
        if setup.model is None:
            raise FileError("the setup names no <model_file>; give --model", setup.path)
        model = read(setup.model)
    if (extra := markers or setup.markers) is not None:
        model = with_markers(model, extra)
    scaled, factors, placement = model, {}, None
    with setup.at():
        if setup.scaling is not None:
            trial = _trial(static, setup.trial, setup) if setup.scaling.uses_trial else None
            factors = scale_factors(model, setup.scaling, trial)
            scaled = scale(model, setup.scaling, trial)
        if setup.placing is not None:
            trial = _trial(static, setup.pose_trial, setup)
            placement = place_markers(scaled, trial, setup.placing, setup.pose_time, setup.most)
            scaled = placement.model if setup.move else scaled
    if setup.name:
        scaled = replace(scaled, parts=replace(scaled.parts, name=setup.name))
    return Scaled(scaled, model, factors, placement)


def _trial(static: Markers | None, path: Path | None, setup: ScaleSetup) -> Markers:
    if static is not None:
        return static
    if path is None:
        raise FileError("the setup names no <marker_file> of a static trial; give --static", setup.path)
    return read_c3d(path) if path.suffix.lower() == ".c3d" else read_trc(path)


def read_scale_setup(path: str | os.PathLike[str], given: Collection[str] = ()) -> ScaleSetup:
    """Return what a setup file of OpenSim's ScaleTool says.

    Args:
        path: the file.
        given: which of "model", "markers" and "static" are given in the call: the setup's are not looked at.

    Raises:
        FileError: the file is no such setup, a value cannot be, or a file lies outside the setup's folder; with the line.
    """
    root, values = opened(path)
    tool = root.only("ScaleTool", values.source)
    if tool is None:
        found = ", ".join(f"<{child.tag}>" for child in root.children[:5]) or "nothing"
        raise values.source.error(f"<OpenSimDocument> has no <ScaleTool>, it has {found}", root.line)
    maker = tool.only("GenericModelMaker", values.source)
    scaler, placer = _acting(tool, "ModelScaler", values), _acting(tool, "MarkerPlacer", values)
    if scaler is None and placer is None:
        raise values.source.error("neither <ModelScaler> nor <MarkerPlacer> applies: nothing would be done", tool.line)
    most = -1.0 if placer is None else values.finite(placer, "max_marker_movement", -1.0)
    return ScaleSetup(
        path,
        tool.attributes.get("name", "").strip(),
        None if maker is None or "model" in given else optional_file(maker, "model_file", values, "the model with --model"),
        None
        if maker is None or "markers" in given
        else optional_file(maker, "marker_set_file", values, "them with --marker-set"),
        None if scaler is None else scaling_of(tool, scaler, values),
        None if scaler is None or "static" in given else optional_file(scaler, "marker_file", values, "it with --static"),
        None if placer is None else tasks_of(placer, values),
        None if placer is None or "static" in given else optional_file(placer, "marker_file", values, "it with --static"),
        None if placer is None else time_range(placer, values),
        placer is not None and values.flag(placer, "move_model_markers", True),
        1e-3 * most if most > 0.0 else None,
        _lines(scaler, values, "MeasurementSet", "measurement ") | _lines(placer, values, "IKTaskSet"),
    )


def _lines(tool: Element | None, values: Values, name: str, what: str = "") -> dict[str, int]:
    elements, own = objects_of(tool, name, values) if tool is not None else ([], values)
    elements = elements if own is values else []  # lines are those of the setup
    found = {"no frames in the time": tool.line} if tool is not None else {}
    return found | {f"{what}{element.attributes.get('name', '')!r}": element.line for element in elements}


def _acting(tool: Element, tag: str, values: Values) -> Element | None:
    found = tool.only(tag, values.source)
    return found if found is not None and values.flag(found, "apply", True) else None
