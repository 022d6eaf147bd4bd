"""External loads: forces measured at bodies, such as ground reactions, from OpenSim's <ExternalLoads> and a table of data."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg.lapack import dptsv

from ..errors import StateError
from ..locks import once_property
from ..read.osim.values import Values, opened, title
from ..read.xml import Element
from ..robot import Robot
from ..wrench import Wrench
from .named_files import named_file
from .storage import read_table
from .table import Table

XYZ = ("x", "y", "z")
ROW = 1e-11  # of a step: times so near to a row are its own, but for rounding


@dataclass(frozen=True)
class Load:
    """A force on a body: the columns of its components, and the bodies in whose axes they are.

    Attributes:
        name: of the force; `body`: that it acts on.
        force, point, torque: names of three columns each; None for what it has not. Without a point it acts at the body's origin.
        force_in, point_in: names of the bodies in whose axes force and torque, and the point, are given; "ground" as a rule.
    """

    name: str
    body: str
    force: tuple[str, ...] | None
    point: tuple[str, ...] | None
    torque: tuple[str, ...] | None
    force_in: str = "ground"
    point_in: str = "ground"


@dataclass(frozen=True, eq=False)
class Loads:
    """Loads on bodies, and the table with their data."""

    loads: tuple[Load, ...]
    data: Table

    def wrenches(self, robot: Robot, times: np.ndarray, q: np.ndarray) -> dict[str, Wrench]:
        """Return the wrench on each loaded body at times (N,) and coordinates q (N, nq), in the ground's axes at its origin.

        Data are interpolated by natural cubic splines, as OpenSim does.

        Raises:
            StateError: the times lie outside the data.
            FileError: columns of the data are missing or have gaps.
        """
        at = self.data.times
        slack = (at[-1] - at[0]) / max(len(at) - 1, 1)
        if len(times) and (times[0] < at[0] - slack or times[-1] > at[-1] + slack):
            span = f"from {at[0]:g} to {at[-1]:g} s; the motion goes from {times[0]:g} to {times[-1]:g} s"
            raise StateError(f"the loads have data {span}")
        totals: dict[str, tuple[np.ndarray, np.ndarray]] = {}
        poses: dict[str, np.ndarray] = {}

        def pose(body: str) -> np.ndarray:
            if body not in poses:
                poses[body] = robot.link_pose(q, body)
            return poses[body]

        for load in self.loads:
            zero = np.zeros((len(times), 3))
            force = self._along(load.force, times) if load.force else zero
            moment = self._along(load.torque, times) if load.torque else zero
            if load.force_in != "ground":
                R = pose(load.force_in)[:, :3, :3]
                force, moment = (np.einsum("nij,nj->ni", R, x) for x in (force, moment))
            if load.point:
                point = self._along(load.point, times)
                if load.point_in != "ground":
                    T = pose(load.point_in)
                    point = np.einsum("nij,nj->ni", T[:, :3, :3], point) + T[:, :3, 3]
                moment = moment + np.cross(point - pose(load.body)[:, :3, 3], force)
            before = totals.get(load.body, (zero, zero))
            totals[load.body] = before[0] + force, before[1] + moment
        return {body: Wrench(force, moment, axes="world") for body, (force, moment) in totals.items()}

    def _along(self, names: tuple[str, ...], times: np.ndarray) -> np.ndarray:
        """Return columns at times (N, 3)."""
        columns, values = self._curves
        return values(times, [columns.index(name) for name in names])

    @once_property
    def _curves(self) -> tuple[list[str], Curves]:
        """Names of the columns that are used, and curves through them; points without a number are zero where forces are."""
        data = self.data
        if np.isnan(data.values).any():
            values = data.values.copy()
            for load in self.loads:
                if load.point and load.force:
                    k = [data.names.index(name) for name in load.point]
                    gaps = np.isnan(values[:, k]).any(axis=1) & ~data.columns(load.force).any(axis=1)
                    values[np.ix_(gaps, k)] = 0.0
            data = replace(data, values=values)
        names = [name for load in self.loads for part in (load.force, load.point, load.torque) for name in part or ()]
        names = list(dict.fromkeys(names))
        return names, Curves(data.times, data.columns(names))


class Curves:
    """Natural cubic splines through columns, lines where there are less than four rows.

    With bends m, the second derivatives at the rows, zero at both ends: h_i m_i-1 + 2 (h_i + h_i+1) m_i + h_i+1 m_i+1 is six
    times the change of the slopes of the chords on both sides. They are not needed where all times are those of rows.
    """

    def __init__(self, times: np.ndarray, values: np.ndarray) -> None:
        self.times, self.values = times, values
        self.last: tuple[np.ndarray, np.ndarray] | None = None  # times asked for, and all columns there

    @once_property
    def bends(self) -> np.ndarray:
        """Second derivatives at the rows."""
        h = np.diff(self.times)
        chords = np.diff(self.values.T) / h  # in rows, as LAPACK has columns
        found = np.zeros_like(self.values)
        found[1:-1] = dptsv(2.0 * (h[:-1] + h[1:]), h[1:-1], 6.0 * np.diff(chords).T, overwrite_b=True)[2]
        return found

    def __call__(self, times: np.ndarray, columns: list[int]) -> np.ndarray:
        """Return columns at times."""
        if self.last is None or self.last[0] is not times:
            self.last = times, self._at(times)
        return self.last[1][:, columns]

    def _at(self, times: np.ndarray) -> np.ndarray:
        if len(self.times) < 4:
            return np.column_stack([np.interp(times, self.times, column) for column in self.values.T])
        k = np.clip(np.searchsorted(self.times, times, "right") - 1, 0, len(self.times) - 2)
        h = self.times[k + 1] - self.times[k]
        b = (times - self.times[k]) / h
        a = 1.0 - b
        found = a[:, None] * self.values[k] + b[:, None] * self.values[k + 1]
        if (np.minimum(np.abs(a), np.abs(b)) > ROW).any():
            found += ((a**3 - a) * h * h / 6.0)[:, None] * self.bends[k] + ((b**3 - b) * h * h / 6.0)[:, None] * self.bends[k + 1]
        return found


def read_loads(path: str | os.PathLike[str], bodies: Mapping[str, object] | None = None, data: Table | None = None) -> Loads:
    """Return the loads of an <ExternalLoads> file, with the data of the file that it names.

    Args:
        path: the .xml file.
        bodies: names of the bodies that there are; None does not check them.
        data: the table to use; None reads the one that the file names, which must lie in its folder.

    Raises:
        FileError: the file is not one of loads, or names other bodies or columns; with the line.
    """
    root, values = opened(path)
    source = values.source
    element = root.only("ExternalLoads", source)
    if element is None:
        raise source.error("<OpenSimDocument> has no <ExternalLoads>", root.line)
    holder = element.only("objects", source)
    forces = [e for e in (holder.children if holder is not None else []) if values.acts(e, "appliesForce")]
    if not forces:
        raise source.error(f"{title(element)} has no <ExternalForce> that acts", element.line)
    if data is None:
        data = read_table(named_file(element, "datafile", values, "the data with data="))
    return Loads(tuple(_load(e, values, data, bodies) for e in forces), data)


def _load(element: Element, values: Values, data: Table, bodies: Mapping[str, object] | None) -> Load:
    source = values.source
    if element.tag != "ExternalForce":
        raise source.error(f"{title(element)} among the loads; expected <ExternalForce>", element.line)

    def body(tag: str, default: str) -> str:
        name = values.text(element, tag).rsplit("/", 1)[-1] or default
        if not name or (bodies is not None and name not in bodies):
            raise source.error(f"{title(element)}: <{tag}> names {name!r}, which is no body of the model", element.line)
        return name

    def three(tag: str) -> tuple[str, ...] | None:
        prefix = values.text(element, tag)
        if not prefix:
            return None
        exact = tuple(prefix + x for x in XYZ)
        found = exact if set(exact) <= set(data.names) else tuple(n for n in data.names if n.startswith(prefix))
        if len(found) != 3:
            raise source.error(f"{title(element)}: {len(found)} columns start with {prefix!r} ({tag}), not three", element.line)
        return found

    force, torque = three("force_identifier"), three("torque_identifier")
    if force is None and torque is None:
        raise source.error(f"{title(element)} has neither a force nor a torque", element.line)
    name = element.attributes.get("name", "")
    ends = body("force_expressed_in_body", "ground"), body("point_expressed_in_body", "ground")
    return Load(name, body("applied_to_body", ""), force, three("point_identifier"), torque, *ends)
