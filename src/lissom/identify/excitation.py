"""Excitation: a motion that shows parameters, to be run on a robot."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

import lissom

from ..arrays import Times
from ..closed import ClosedRobot
from ..errors import StateError
from ..files import write_whole
from ..locks import lazy_property
from ..parameters import BaseParameters
from ..robot import Robot
from .information import Information
from .rows import Rows
from .shapes import Splines, Waves

if TYPE_CHECKING:
    from ..view.scene.build import SceneMotion

RATE = 100.0  # [Hz]


@dataclass(frozen=True, eq=False)
class Excitation:
    """A motion that shows parameters of a robot well; it begins and ends at rest, in one place.

    Attributes:
        robot: whose motion it is.
        shape: waves or splines.
        numbers: coefficients or control points (count, n); `series` gives the former as a Fourier series.
        criterion: what was minimized.
        base: the base parameters that it shows.
        missed: largest violation of a limit between the instants of the search, as a share of the limit's size.
    """

    robot: Robot | ClosedRobot
    shape: Waves | Splines
    numbers: np.ndarray
    criterion: str
    base: BaseParameters
    rows: Rows = field(repr=False)
    information: Information = field(repr=False)
    missed: float = 0.0

    def __repr__(self) -> str:
        what = f"{self.shape.harmonics} waves" if isinstance(self.shape, Waves) else f"{self.shape.count} control points"
        return (
            f"<Excitation of {self.robot.name!r}: {what}, {self.duration:g} s, condition {self.condition:.3g} for "
            f"{len(self.base)} base parameters>"
        )

    @property
    def duration(self) -> float:
        """Of one period [s]."""
        return self.shape.duration

    def at(self, t: Times) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return q, qd and qdd (N, n) at times (N,) [s]; the motion repeats."""
        times = np.asarray(t, dtype=float)
        if times.ndim != 1 or not np.isfinite(times).all():
            raise StateError(f"times have shape {times.shape}, expected (N,) of finite numbers [s]")
        periods = np.floor(times / self.duration)
        inside = np.where((times > 0) & (times == periods * self.duration), self.duration, times - periods * self.duration)
        q, qd, qdd = (B @ self.numbers for B in self.shape.matrices(inside))
        return q, qd, qdd

    def samples(self, rate: float = RATE, periods: int = 1) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return t (N,), q, qd and qdd (N, n) of some periods, at so many samples per second [Hz]."""
        if not (np.isfinite(rate) and rate > 0) or periods < 1:
            raise StateError(f"rate must be positive and periods 1 or more, got {rate!r} and {periods!r}")
        t = np.arange(round(rate * self.duration * periods) + 1) / rate
        return (t, *self.at(t))

    @property
    def series(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Waves: x0 (n,), a and b (K, n) in q = x0 + sum a_k sin(k w t) + b_k (cos(k w t) - 1), w = 2 pi / duration."""
        if not isinstance(self.shape, Waves):
            raise StateError("a motion of splines has no Fourier series; numbers are its control points")
        return self.shape.series(self.numbers)

    @lazy_property
    def condition(self) -> float:
        """Condition number of the equations along the motion, with columns of equal length and rows divided by their noise."""
        Y = self._rows
        size = np.linalg.norm(Y, axis=0)
        return float(np.linalg.cond(Y / np.where(size > 0, size, 1.0)))

    @lazy_property
    def log_determinant(self) -> float:
        """Half the mean logarithm of the information's eigenvalues: larger is better, by 1 where all errors are e times smaller.

        Per sample, so that motions of different rates can be compared.
        """
        Y = self._rows
        return float(np.log(np.abs(np.diag(np.linalg.qr(Y, mode="r")))).mean() - 0.5 * np.log(len(Y) / len(self.rows.names)))

    @property
    def _rows(self) -> np.ndarray:
        _, q, qd, qdd = self.samples()
        Y = self.rows.columns(self.base.columns, q, qd, qdd) * self.information.weights
        return Y.reshape(-1, len(self.base))

    def show(self, *, save: str | os.PathLike[str] | None = None, **options: Unpack[lissom.view.ShowOptions]) -> Any:
        """Show one period in three dimensions, before a robot runs it; options as of `Trajectory.show`."""
        from ..view.show import show_motion

        return show_motion(self, save=save, **options)

    def _scene_span(self) -> tuple[float, float]:
        return 0.0, self.duration

    def _scene_motion(self, t: np.ndarray) -> SceneMotion:
        from ..view.scene.build import SceneMotion

        q, qd, qdd = self.at(t)
        return SceneMotion(self.robot, t, q, qd, qdd, self.robot.inverse_dynamics(q, qd, qdd), name=self.robot.name)

    def _repr_html_(self) -> str:
        from ..view.summary_identified import excitation_html

        return excitation_html(self)

    def largest(self) -> dict[str, np.ndarray]:
        """Return the largest |velocity|, |acceleration| and |torque| of each joint, and the lowest and highest position."""
        _, q, qd, qdd = self.samples()
        tau = self.robot.inverse_dynamics(q, qd, qdd)
        found = {"lowest position": q.min(axis=0), "highest position": q.max(axis=0)}
        return found | {name: np.abs(x).max(axis=0) for name, x in (("velocity", qd), ("acceleration", qdd), ("torque", tau))}

    def save(self, path: str | os.PathLike[str], rate: float = RATE, periods: int = 1) -> None:
        """Write the motion as CSV: t, q_*, qd_*, qdd_*, as `lissom torque`, `read_csv` and robots take it."""
        t, q, qd, qdd = self.samples(rate, periods)
        names = [f"q_{name}" for name in self.robot.coordinate_names]
        names += [f"{kind}_{name}" for kind in ("qd", "qdd") for name in self.robot.velocity_names]
        lines = [",".join(["t", *names])]
        lines += [",".join(map(repr, row)) for row in np.column_stack([t, q, qd, qdd]).tolist()]
        write_whole(Path(path), ("\n".join(lines) + "\n").encode())

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain numbers and texts."""
        found: dict[str, Any] = {
            "robot": self.robot.name,
            "criterion": self.criterion,
            "duration": self.duration,
            "condition": self.condition,
            "log_determinant": self.log_determinant,
            "base_parameters": len(self.base),
            "missed": self.missed,
            "largest": {
                name: dict(zip(self.robot.path_columns, map(float, x), strict=False)) for name, x in self.largest().items()
            },
        }
        if isinstance(self.shape, Waves):
            x0, a, b = self.series
            found["series"] = {"x0": x0.tolist(), "a": a.tolist(), "b": b.tolist()}
        return found
