"""Scaling: a model of the size and mass of a person, by distances of markers in a static trial or by given factors."""

from __future__ import annotations

import contextlib
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ..errors import StateError, has_instead, suggest
from ..read.osim.scaling import scaled_parts, with_mass
from ..read.osim.values import Values, opened, title
from ..read.source import Source
from ..read.xml import Element
from .model import OsimModel
from .named_files import objects_of
from .trc import Markers

Factors = tuple[float, float, float]


@dataclass(frozen=True)
class Measurement:
    """Distances that give one factor: that of the trial over that of the model, the mean of all pairs.

    Attributes:
        name: for messages.
        pairs: names of two markers each.
        bodies: the axes ("x", "yz", "xyz") that get the factor, by names of bodies.
    """

    name: str
    pairs: Sequence[tuple[str, str]]
    bodies: Mapping[str, str]

    def __post_init__(self) -> None:
        if not self.pairs or not self.bodies:
            raise StateError(f"measurement {self.name!r} needs a pair of markers and a body at least")
        for body, axes in self.bodies.items():
            if not axes or set(axes) - set("xyz"):
                raise StateError(f"measurement {self.name!r}: axes {axes!r} of {body!r}, expected some of x, y and z")


@dataclass(frozen=True)
class Scaling:
    """What OpenSim's ScaleTool is given.

    Attributes:
        measurements: taken in a static trial.
        factors: for x, y and z, by names of bodies; the ground may be among them.
        order: which of "measurements" and "manualScale" come first; a later one takes the place of an earlier one.
        mass: of the person [kg]; None: as the factors give it.
        keep_masses: whether bodies keep their shares of the mass (OpenSim's preserve_mass_distribution).
        time: first and last time of the static trial [s]; None: all of it.
    """

    measurements: Sequence[Measurement] = ()
    factors: Mapping[str, Factors] = field(default_factory=dict)
    order: Sequence[str] = ("measurements", "manualScale")
    mass: float | None = None
    keep_masses: bool = False
    time: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        for name in self.order:
            if name not in ("measurements", "manualScale"):
                raise StateError(f"order {name!r}: expected 'measurements' or 'manualScale'")
        if self.mass is not None and not 0.0 < self.mass < math.inf:
            raise StateError(f"the mass must be a positive number [kg], got {self.mass!r}")
        for body, factors in self.factors.items():
            if len(factors) != 3 or not all(0.0 < f < math.inf for f in factors):
                raise StateError(f"factors of {body!r} must be three positive numbers, got {tuple(factors)!r}")

    @property
    def uses_trial(self) -> bool:
        """Whether there are measurements to take in a static trial."""
        return bool(self.measurements) and "measurements" in self.order


def scale_factors(model: OsimModel, scaling: Scaling, markers: Markers | None = None) -> dict[str, Factors]:
    """Return the factors for x, y and z of each body that gets some.

    Args:
        model: from `lissom.osim.read`; its markers are at the default coordinates.
        scaling: measurements and given factors.
        markers: of the static trial, if there are measurements.

    Raises:
        FileError: a marker is missing in the trial; StateError: another name is unknown, or no factor can be made.
    """
    known = ["ground", *(body.name for body in model.parts.bodies)]
    found: dict[str, list[float]] = {}
    for what in scaling.order:
        if what == "manualScale":
            for body, factors in scaling.factors.items():
                found[_known(body, known, "given factors")] = [float(f) for f in factors]
            continue
        for measurement in scaling.measurements:
            factor = _measured(model, measurement, markers, scaling.time)
            for body, axes in measurement.bodies.items():
                own = found.setdefault(_known(body, known, f"measurement {measurement.name!r}"), [1.0, 1.0, 1.0])
                for axis in axes:
                    own["xyz".index(axis)] = factor
    return {body: (x, y, z) for body, (x, y, z) in found.items()}


def scale(model: OsimModel, scaling: Scaling, markers: Markers | None = None) -> OsimModel:
    """Return a model of a person's size: that of OpenSim's ScaleTool before it moves markers.

    Lengths of muscles' fibers and tendons, when they are read from it, follow their paths at the default coordinates.

    Args:
        model: from `lissom.osim.read`.
        scaling: measurements, factors and mass.
        markers: of the static trial, if there are measurements.
    """
    factors = scale_factors(model, scaling, markers)
    parts = scaled_parts(model.parts, factors, model.kinds, Source(model.path), scaling.keep_masses)
    if scaling.mass is not None:
        if not sum(body.mass for body in parts.bodies) > 0.0:
            raise StateError(f"a model without mass cannot be given {scaling.mass:g} kg")
        parts = with_mass(parts, scaling.mass)
    total = dict(model.factors)
    for body, (x, y, z) in factors.items():
        a, b, c = total.get(body, (1.0, 1.0, 1.0))
        total[body] = (a * x, b * y, c * z)
    return OsimModel(model.path, parts, model, model.document, total)


def read_scaling(path: str | os.PathLike[str]) -> Scaling:
    """Return what a setup file of OpenSim's ScaleTool gives; it names no other file that is read.

    Raises:
        FileError: the file is no such setup, or a value cannot be; with the line.
    """
    root, values = opened(path)
    source = values.source
    tool = root.only("ScaleTool", source)
    scaler = None if tool is None else tool.only("ModelScaler", source)
    if tool is None or scaler is None:
        raise source.error("the file has no <ScaleTool> with a <ModelScaler>", root.line)
    return scaling_of(tool, scaler, values)


def scaling_of(tool: Element, scaler: Element, values: Values) -> Scaling:
    """Return what the elements <ScaleTool> and <ModelScaler> give."""
    source = values.source
    order = values.words(scaler, "scaling_order")
    if not order or not values.flag(scaler, "apply", True):
        what = "has no <scaling_order>" if not order else "is switched off by <apply>"
        raise source.error(f"<ModelScaler> {what}: nothing would be scaled", scaler.line)
    mass = values.finite(tool, "mass", -1.0)
    measurements, theirs = objects_of(scaler, "MeasurementSet", values)
    scales, own = objects_of(scaler, "ScaleSet", values)
    with _at(source, scaler):
        return Scaling(
            [_measurement(e, theirs) for e in measurements if theirs.flag(e, "apply", True)],
            dict(_given(e, own) for e in scales if own.flag(e, "apply", True)),
            order,
            mass if mass > 0.0 else None,
            values.flag(scaler, "preserve_mass_distribution", False),
            time_range(scaler, values),
        )


def time_range(element: Element, values: Values) -> tuple[float, float] | None:
    """Return the first and last time [s] of a tool's element; None: all."""
    time = values.numbers(element, "time_range")
    if time is None:
        return None
    if len(time) != 2:
        raise values.source.error(f"<time_range> must be two numbers, got {len(time)}", element.line)
    if not all(map(math.isfinite, time)) or (time[0] < 0.0 and time[1] < 0.0):
        return None
    if time[0] > time[1]:
        raise values.source.error(f"<time_range> starts at {time[0]:g} s, after its end {time[1]:g} s", element.line)
    return time[0], time[1]


@contextlib.contextmanager
def _at(source: Source, element: Element) -> Iterator[None]:
    """Name the line of an element in errors about its values."""
    try:
        yield
    except StateError as error:
        raise source.error(str(error), element.line) from None


def _measurement(element: Element, values: Values) -> Measurement:
    pairs = []
    for pair in values.objects(element, "MarkerPairSet"):
        names = values.words(pair, "markers")
        if len(names) != 2:
            raise values.source.error(f"{title(pair)} must have two markers, got {len(names)}", pair.line)
        pairs.append((names[0], names[1]))
    bodies = {values.name(e): "".join(values.words(e, "axes")).lower() for e in values.objects(element, "BodyScaleSet")}
    with _at(values.source, element):
        return Measurement(element.attributes.get("name", ""), pairs, bodies)


def _given(element: Element, values: Values) -> tuple[str, Factors]:
    return values.text(element, "segment").rsplit("/", 1)[-1], values.vector(element, "scales", default=(1.0, 1.0, 1.0))


def _known(body: str, known: list[str], where: str) -> str:
    if body not in known:
        raise StateError(f"no body {body!r}, which {where} scale; {suggest(body, known)}")
    return body


def _measured(model: OsimModel, measurement: Measurement, markers: Markers | None, time: tuple[float, float] | None) -> float:
    if markers is None:
        raise StateError(f"measurement {measurement.name!r} needs the markers of a static trial")
    own = {marker.name: marker for marker in model.parts.markers}
    factors = []
    for pair in measurement.pairs:
        for name in pair:
            if name not in own:
                raise StateError(
                    f"the model has no marker {name!r} of measurement {measurement.name!r}; {has_instead(name, own)}"
                )
        a, b = (model.tree.link_pose(model.defaults, name)[:3, 3] for name in pair)
        trial = np.linalg.norm(np.subtract(*np.moveaxis(frames_of(markers, time).of(pair), 1, 0)), axis=-1)
        trial = trial[np.isfinite(trial)]
        length = float(np.linalg.norm(a - b))
        if not len(trial) or not length > 0.0 or not trial.mean() > 0.0:
            what = "are never seen together" if not len(trial) else "are at one place"
            raise StateError(f"markers {pair[0]!r} and {pair[1]!r} of measurement {measurement.name!r} {what}")
        factors.append(float(trial.mean()) / length)
    return sum(factors) / len(factors)


def frames_of(markers: Markers, time: tuple[float, float] | None) -> Markers:
    """Return the frames of a span, from the last one before it to the first one after it, as OpenSim has it."""
    if time is None:
        return markers
    times = markers.times
    if not len(times) or time[1] < times[0] or time[0] > times[-1]:
        span = f"they go from {times[0]:g} to {times[-1]:g} s" if len(times) else "there are none"
        raise StateError(f"there are no frames in the time {time[0]:g} to {time[1]:g} s; {span}")
    before, after = times[times <= time[0]], times[times >= time[1]]
    return markers.between(before[-1] if len(before) else -math.inf, after[0] if len(after) else math.inf)
