"""Trajectory: a motion over time, with names, units and energies."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

import lissom

from ..errors import StateError
from ..joints.flow import coordinate_rates
from ..locks import lazy_property
from ..model.show import by_shape
from ..wrench import Wrench
from .events import Occurrence
from .quaternions import quaternions, unit_length
from .status import Status
from .with_scene import WithScene

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas import DataFrame


@dataclass(frozen=True, eq=False)
class State:
    """A moment of a motion: time t [s], q (..., nq), qd (..., nv)."""

    t: float
    q: np.ndarray
    qd: np.ndarray
    __repr__ = by_shape


@dataclass(frozen=True, eq=False)
class Trajectory(WithScene):
    """A motion: T samples of one robot or, with more axes after the first, of many that move side by side.

    Attributes:
        robot: the robot.
        t: (T,) [s].
        q: coordinates (T, ..., nq); quaternions have length one.
        qd, qdd: velocities and accelerations (T, ..., nv).
        tau: joint torques (T, ..., nv) [N m or N], given or computed; where they jump, the value from the sample on.
        status: how the run ended; `status.advice` explains it.
        message: what went wrong, where it did not finish.
        events: events that happened, in order of time.
        unfired: names of the events that did not happen.
        method: the method of integration, "" where it is not known.
        choice: why lissom chose that method, with `method="auto"`.
        external: wrenches on links that acted all the time; None where there were none, or none are known (from a CSV file).

    All numbers are finite: a run that fails keeps the samples up to the last state whose q, qd, qdd and tau are finite. One that
    fails at the start has none (T = 0).
    """

    counts: ClassVar[tuple[str, ...]] = ()  # fields that hold a count, kept in files

    robot: lissom.Robot
    t: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    tau: np.ndarray
    status: Status = Status.FINISHED
    message: str = ""
    events: Sequence[Occurrence] = field(default=())
    unfired: Sequence[str] = field(default=())
    method: str = ""
    choice: str = ""
    external: Mapping[str, Wrench] | None = None

    def __len__(self) -> int:
        return len(self.t)

    def __repr__(self) -> str:
        lead = self.q.shape[1:-1]
        many = f" of {lead} states" if lead else ""
        last = float(self.t[-1]) if len(self) else 0.0
        return f"<{type(self).__name__} of {self.robot.name!r}: {len(self)} samples{many}, {last:g} s, {self.status.value}>"

    def _repr_html_(self) -> str:
        from ..view.summary_results import trajectory_html

        return trajectory_html(self)

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        """Names of the nq coordinates."""
        return self.robot.coordinate_names

    @property
    def velocity_names(self) -> tuple[str, ...]:
        """Names of the nv velocities, accelerations and joint torques."""
        return self.robot.velocity_names

    @property
    def torque_names(self) -> tuple[str, ...]:
        """Names of the torques in tau."""
        return self.robot.torque_names

    @property
    def motor_names(self) -> tuple[str, ...]:
        """Names of the n_elastic motors behind springs, in the order of `theta` and `deflections`."""
        names = self.robot.joint_names
        return names[len(names) - self.robot.n_elastic :]

    @property
    def units(self) -> dict[str, tuple[str, ...]]:
        """Units of q, qd, qdd, tau and deflections, entry by entry."""
        q, speeds = self.robot.coordinate_units, self.robot.velocity_units
        units = {"q": q, "qd": speeds, "qdd": tuple(u + "^2" for u in speeds), "tau": self.robot.torque_units}
        return {**units, "deflections": q[len(q) - len(self.motor_names) :]}

    @property
    def theta(self) -> np.ndarray:
        """Coordinates of motors behind springs (T, ..., n_elastic) [rad or m], reduced to their joints: the last of q."""
        return self.q[..., self.q.shape[-1] - len(self.motor_names) :]

    @property
    def theta_rate(self) -> np.ndarray:
        """Their velocities (T, ..., n_elastic) [rad/s or m/s], the last of qd."""
        return self.qd[..., self.qd.shape[-1] - len(self.motor_names) :]

    @lazy_property
    def deflections(self) -> np.ndarray:
        """Deflections of the springs of elastic drives, theta - q - rest (T, ..., n_elastic) [rad or m]."""
        drives = self.robot._elastic_drives if self.motor_names else ()
        parts = [self.q[..., d.motor_q] - d.share * self.q[..., d.joint_q] - d.rest for d in drives]
        return np.stack(parts, axis=-1) if parts else np.zeros((*self.q.shape[:-1], 0))

    @property
    def end(self) -> State:
        """The last state."""
        self._need_samples()
        return State(float(self.t[-1]), self.q[-1], self.qd[-1])

    @lazy_property
    def kinetic_energy(self) -> np.ndarray:
        """Kinetic energy (T, ...) [J], rotors included."""
        return self.robot.kinetic_energy(self.q, self.qd)

    @lazy_property
    def potential_energy(self) -> np.ndarray:
        """Potential energy of gravity (T, ...) [J]."""
        return self.robot.potential_energy(self.q)

    @lazy_property
    def spring_energy(self) -> np.ndarray:
        """Energy (T, ...) [J] in the springs of elastic joints."""
        return self.robot.spring_energy(self.q)

    @property
    def energy(self) -> np.ndarray:
        """Total energy (T, ...) [J]: kinetic, gravity and springs."""
        rigid = self.kinetic_energy + self.potential_energy
        return rigid + self.spring_energy if self.robot.model.has_springs else rigid

    def at(self, t: float) -> State:
        """Return the state at a time between the samples, by cubic Hermite interpolation of q and of qd.

        Its error grows with the fourth power of the time between samples; it is larger where torques jump between two.
        """
        t = float(t)
        self._need_samples()
        if not self.t[0] <= t <= self.t[-1]:
            raise StateError(f"t is {t:g} s, expected a time between {self.t[0]:g} and {self.t[-1]:g} s")
        k = min(max(int(np.searchsorted(self.t, t, side="right")) - 1, 0), len(self) - 2)
        if len(self) == 1 or t == self.t[k]:
            return State(t, self.q[k], self.qd[k])
        h = float(self.t[k + 1] - self.t[k])
        x = (t - float(self.t[k])) / h
        ends = slice(k, k + 2)
        q = _hermite(x, h, self.q[ends], self._coordinate_rates(ends))
        return State(t, unit_length(q, quaternions(self.robot)), _hermite(x, h, self.qd[ends], self.qdd[ends]))

    def plot(self, path: str | os.PathLike[str] | None = None, what: str = "q") -> Figure | Path:
        """Plot "q", "qd", "qdd", "tau", "energy" or "deflections" over time; return the path, or the Figure without one."""
        from ..view.motion import plot_trajectory

        self._need_samples()
        return plot_trajectory(self, path, what)

    def report(self, path: str | os.PathLike[str]) -> Path:
        """Write an HTML page that needs nothing else: a verdict, the motion in 3-D, interactive curves with the limits, tables.

        Of many motions side by side, the first eight are drawn.
        """
        from ..view.report.motion import report_trajectory

        self._need_samples()
        return report_trajectory(self, path)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write everything to a file: .npz, also of many states, or .csv, of one.

        A CSV has the columns t, q_*, qd_*, qdd_* and tau_* and, unless the run finished without events, a column `note`: events
        beside the sample before them, and in the last line how the run ended.
        """
        from .files import save

        return save(self, path)

    def to_dataframe(self) -> DataFrame:
        """Return the samples as a pandas DataFrame: its index is t, its columns are named as those of a CSV from `save`.

        Raises:
            MissingExtraError: pandas is not installed.
            StateError: the trajectory has more than one motion side by side.
        """
        from .dataframe import dataframe

        return dataframe(self)

    @classmethod
    def load(cls, path: str | os.PathLike[str], robot: lissom.Robot) -> Trajectory:
        """Read a motion of `robot` that `save` wrote, with its events and status.

        Files of another robot and damaged files raise a FileError. A CSV without notes is of a run that finished.
        """
        from .files import load

        return load(path, robot)

    def _need_samples(self) -> None:
        if not len(self):
            raise StateError(f"the trajectory has no samples, its run failed at the start: {self.message or self.status.advice}")

    def _coordinate_rates(self, rows: slice) -> np.ndarray:
        """Return the time derivatives of q."""
        q, qd, parts = self.q[rows], self.qd[rows], []
        for place in self.robot.model.layout:
            own_q, own_qd = (list(np.moveaxis(x[..., where], -1, 0)) for x, where in ((q, place.q), (qd, place.v)))
            parts += coordinate_rates(place.kind, own_q, own_qd)
        return np.stack(parts, axis=-1) if parts else q


def trajectory_kind(robot: lissom.Robot) -> type[Trajectory]:
    """Return the class of a robot's motions."""
    return getattr(robot, "trajectory_kind", Trajectory)


def _hermite(x: float, h: float, values: np.ndarray, slopes: Any) -> np.ndarray:
    """Return the cubic with these values and slopes at both ends of an interval of length h, at the share x of it."""
    a, b = values
    u, v = slopes * h
    if not np.isfinite(v).all():  # qdd of a file may be
        v = u
    d = b - a
    return a + x * (u + x * (3 * d - 2 * u - v + x * (u + v - 2 * d)))  # type: ignore[no-any-return]
