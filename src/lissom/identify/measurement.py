"""Measurement: what was recorded of a motion, checked before anything is computed from it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

import lissom

from ..closed import ClosedRobot
from ..errors import IdentificationError, StateError
from ..robot import Robot
from ..wrench import Wrench

if TYPE_CHECKING:
    from ..view.scene.build import SceneMotion
    from ..view.scene.recorded import Recorded

GAP = 1.5  # steps of time, of the usual one, from which on samples are missing
FEWEST = 20  # samples
DEGREES = 180.0 / np.pi
FAR = 1.5  # of the range of a joint, beyond which its positions are not in radians or meters
FAST = 5.0  # times the speed limit of a joint, beyond which time or position has another unit
SLOW = 0.5  # [s] between samples, from which on time has another unit
ALIKE = 0.1  # share by which measured velocities may differ from the rates of the positions


@dataclass(frozen=True, eq=False)
class Measurement:
    """A recorded motion of a robot: equal steps of time, one row per sample.

    Attributes:
        robot: a Robot or ClosedRobot.
        t: times (N,) [s].
        q: coordinates (N, nq) [rad or m].
        tau: torques of the drives (N, n) [N m or N], in the order of `robot.torque_names`. The first six of a floating base are
            zero, or what else holds it.
        qd, qdd: velocities and accelerations (N, nv), where they are measured or known; None derives them from q.
        wrenches: by the name of a link, the measured wrench on it (N, 6), force [N] and moment [N m] along the world's axes,
            about the origin of the link's frame: of the ground on a foot, of a tool on the flange.
        name: for reports.
    """

    robot: Robot | ClosedRobot
    t: np.ndarray
    q: np.ndarray
    tau: np.ndarray
    qd: np.ndarray | None = None
    qdd: np.ndarray | None = None
    wrenches: Mapping[str, np.ndarray] = field(default_factory=dict)
    name: str = "measurement"

    def __post_init__(self) -> None:
        robot = self.robot
        if not hasattr(robot, "torque_names"):
            raise StateError(f"a measurement needs a Robot, got {type(robot).__name__}; lissom.load(path) reads one")
        times = _numbers("t", self.t, None)
        object.__setattr__(self, "t", times)
        parts = {
            "q": ("q", robot.coordinate_names),
            "tau": ("tau", robot.torque_names),
            "qd": ("qd", robot.velocity_names),
            "qdd": ("qdd", robot.velocity_names),
        }
        for name, (prefix, labels) in parts.items():
            value = getattr(self, name)
            if value is not None:
                columns = [f"{prefix}_{label}" for label in labels]
                object.__setattr__(self, name, _numbers(name, value, columns, times))
        for link, value in self.wrenches.items():
            robot.model.link(link)
            columns = [f"{part} of the wrench on {link!r}" for part in ("fx", "fy", "fz", "mx", "my", "mz")]
            _numbers(f"the wrench on {link!r}", value, columns, times)
        given = {link: np.asarray(value, dtype=float) for link, value in self.wrenches.items()}
        object.__setattr__(self, "wrenches", given)
        if self.qdd is not None and self.qd is None:
            raise IdentificationError("qdd is given without qd; give both, or neither, to be derived from q")
        _check_times(times)

    def __repr__(self) -> str:
        size = f"{len(self)} samples, {self.duration:.4g} s at {self.rate:.4g} Hz"
        return f"<Measurement {self.name!r} of {self.robot.name!r}: {size}>"

    def __len__(self) -> int:
        return len(self.t)

    @property
    def step(self) -> float:
        """Time between samples [s]."""
        return float((self.t[-1] - self.t[0]) / (len(self.t) - 1))

    @property
    def rate(self) -> float:
        """Samples per second [Hz]."""
        return 1.0 / self.step

    @property
    def duration(self) -> float:
        """Length of the recording [s]."""
        return float(self.t[-1] - self.t[0])

    def part(self, rows: slice | np.ndarray) -> Measurement:
        """Return some of the samples; they have to follow each other in equal steps."""
        cut: dict[str, Any] = {
            name: None if (value := getattr(self, name)) is None else value[rows] for name in ("t", "q", "tau", "qd", "qdd")
        }
        return replace(self, wrenches={link: value[rows] for link, value in self.wrenches.items()}, **cut)

    def show(self, *, save: str | os.PathLike[str] | None = None, **options: Unpack[lissom.view.ShowOptions]) -> Any:
        """Show the motion in three dimensions, with the measured wrenches and, in the layer "torques", the measured torques.

        Options are as of `Trajectory.show`. Of a closed robot, loops are closed on the branch of `home`.
        """
        from ..view.show import show_motion

        return show_motion(self, save=save, **options)

    def _scene_span(self) -> tuple[float, float]:
        return float(self.t[0]), float(self.t[-1])

    def _scene_motion(self, t: np.ndarray) -> SceneMotion:
        return self._recorded()._scene_motion(t)

    def _recorded(self, state: Sequence[np.ndarray] | None = None, rows: slice = slice(None)) -> Recorded:
        """Return what is drawn; `state` is q, qd, qdd found otherwise, such as by filters, and `rows` are the samples drawn."""
        from ..view.scene.recorded import Recorded

        q, qd, qdd = (None if x is None else x[rows] for x in state or (self.q, self.qd, self.qdd))
        assert q is not None
        rates = (None, None) if qdd is None else (qd, qdd)  # joint reactions need both
        loads = {link: Wrench(x[rows, :3], x[rows, 3:], axes="world") for link, x in self.wrenches.items()} or None
        return Recorded(self.robot, self.t[rows], q, rates, self.tau[rows], loads, name=self.name)

    def check_units(self) -> Measurement:
        """Raise IdentificationError where positions, velocities or times look as if they had other units; return the measurement.

        Looked at are ranges and speed limits of the robot's model, and whether velocities are the rates of the positions.
        """
        robot, limits = self.robot, self.robot.limits
        rates = robot.difference(self.q[:-1], self.q[1:]) / np.diff(self.t)[:, None]
        if self.step > SLOW:
            raise IdentificationError(
                f"samples are {self.step:.4g} s apart; time is in s: divide milliseconds by 1000, or take check_units=False"
            )
        if limits.lower.shape == (self.q.shape[1],):
            with np.errstate(invalid="ignore"):  # without limits
                middle, half = (limits.lower + limits.upper) / 2.0, (limits.upper - limits.lower) / 2.0
                off = np.abs(self.q - middle).max(axis=0)
            for k in map(int, np.flatnonzero(np.isfinite(half) & (half > 0) & (off > (1.0 + FAR) * half))):
                name = robot.coordinate_names[k]
                raise IdentificationError(
                    f"q_{name} reaches {_farthest(self.q[:, k], middle[k]):.4g}, far outside its range of "
                    f"{limits.lower[k]:.4g} to "
                    f"{limits.upper[k]:.4g}; positions are in rad or m: convert degrees with numpy.radians, and check the zero"
                )
        for k in map(int, np.flatnonzero(np.isfinite(limits.velocity) & (limits.velocity > 0))):
            speed = float(np.median(np.sort(np.abs(rates[:, k]))[-max(1, len(rates) // 20) :]))
            if speed > FAST * limits.velocity[k]:
                raise IdentificationError(
                    f"q_{robot.velocity_names[k]} moves at {speed:.4g} per second, {speed / limits.velocity[k]:.0f} "
                    f"times its speed "
                    "limit; time is in s and positions are in rad or m: check the units of t and q"
                )
        if self.qd is not None:
            middle_rates = (self.qd[:-1] + self.qd[1:]) / 2.0
            for k, name in enumerate(robot.velocity_names):
                power = float(rates[:, k] @ rates[:, k])
                share = float(rates[:, k] @ middle_rates[:, k]) / power if power > 0 else 1.0
                rest = float(np.linalg.norm(middle_rates[:, k] - share * rates[:, k]))
                noise = rest / max(float(np.linalg.norm(rates[:, k])), 1e-300)
                if abs(share - 1.0) > ALIKE and noise < 0.5:
                    hint = next((text for size, text in _KNOWN if abs(share / size - 1.0) < ALIKE), "check its unit and its sign")
                    raise IdentificationError(f"qd_{name} is {share:.4g} times the rate of q_{name}: {hint}")
        return self


_KNOWN = (
    (DEGREES, "velocities are in rad/s, these seem to be degrees per second"),
    (1.0 / DEGREES, "positions are in rad, these seem to be degrees"),
    (1e3, "time is in s, this seems to be milliseconds"),
    (1e-3, "velocities are per second, these seem to be per millisecond"),
    (-1.0, "its sign is the opposite"),
)


def pieces_of(data: Measurement | Sequence[Measurement]) -> list[Measurement]:
    """Return one or several measurements of one robot as a list."""
    pieces = [data] if isinstance(data, Measurement) else list(data)
    if not pieces:
        raise IdentificationError("no measurement is given")
    for piece in pieces:
        if not isinstance(piece, Measurement):
            raise StateError(f"expected a Measurement or several, got {type(piece).__name__}; lissom.identify.read_csv reads one")
        if piece.robot is not pieces[0].robot:
            raise IdentificationError("the measurements are of different robots; identify each robot by itself")
    return pieces


def _farthest(values: np.ndarray, middle: float) -> float:
    return float(values[np.argmax(np.abs(values - middle))])


def _numbers(name: str, value: Any, columns: Sequence[str] | None, t: np.ndarray | None = None) -> np.ndarray:
    """Return (N,), or (N, len(columns)), of finite numbers."""
    try:
        array = np.array(value, dtype=float)
    except (TypeError, ValueError) as error:
        raise IdentificationError(f"{name} is not an array of numbers: {error}") from None
    if columns is None:
        if array.ndim != 1 or len(array) < FEWEST:
            raise IdentificationError(f"{name} has shape {array.shape}, expected (N,) with N of {FEWEST} or more")
    elif t is not None and array.shape != (len(t), len(columns)):
        listed = ", ".join(columns[:8]) + (", ..." if len(columns) > 8 else "")
        raise IdentificationError(f"{name} has shape {array.shape}, expected ({len(t)}, {len(columns)}): {listed}")
    bad = np.argwhere(~np.isfinite(array))
    if len(bad):
        row = int(bad[0][0])
        what = name if columns is None else columns[int(bad[0][1])]
        when = f" at {t[row]:.6g} s" if t is not None else ""
        raise IdentificationError(
            f"{what} is {array[tuple(bad[0])]} in sample {row}{when}, and {len(bad) - 1} more numbers are not finite; leave such "
            "samples out, and give what is before and after them as two measurements"
        )
    return array


def _check_times(t: np.ndarray) -> None:
    steps = np.diff(t)
    if not (steps > 0).all():
        k = int(np.argmin(steps > 0))
        raise IdentificationError(f"time must increase: sample {k + 1} is at {t[k + 1]:.6g} s, after {t[k]:.6g} s")
    usual = float(np.median(steps))
    if steps.max() > GAP * usual:
        k = int(np.argmax(steps))
        many = int((steps > GAP * usual).sum())
        raise IdentificationError(
            f"samples are missing: {steps[k]:.4g} s pass after {t[k]:.6g} s, where {usual:.4g} s are usual"
            f"{f', and there are {many - 1} more gaps' if many > 1 else ''}; filters need equal steps: give the pieces "
            f"between gaps "
            "as measurements of their own (read_csv(..., split=True), --split)"
        )
