"""Filtering: positions to velocities and accelerations without delay, and both sides of the equations to the same band.

1. Positions (and velocities, accelerations, where they are measured) pass a Butterworth filter forward and backward, so that
   nothing is delayed; its gain is squared: -6 dB at the cutoff. Rates are central differences (q[k+1] - q[k-1]) / (2 h), along
   the robot's velocities, so that quaternions are served. Or a spline of degree 5 with the least squared error, a knot every
   half period of the cutoff, is differentiated.
2. Torques and every column of the regressor pass a second filter of this kind, the same for both, which leaves the solution of
   y = Y pi as it is and takes noise and torque ripple beyond the cutoff away (the parallel filter of Gautier 1997).
3. Of the samples one in k remains, with 2 cutoffs per second: more would not be independent, and standard errors too small.
4. Ends are cut by two periods of the lower cutoff, where filters begin and end: accelerations are off by 1 % after one period,
   and by 0.1 % after two.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import IdentificationError, StateError, suggest
from .measurement import Measurement

if TYPE_CHECKING:
    from ..view.scene.recorded import Recorded

METHODS = ("butterworth", "spline", "none")
SHARE = 0.999  # of the power of velocities that lies below the frequency of the motion
ABOVE = 5.0  # times that frequency: the cutoff that is chosen where none is given
NOISY = 10.0  # times the level of noise: power of positions up to which it counts as noise
NEGLIGIBLE = 1e-3  # correlation of noise
EDGE = 2.0  # periods of the lower cutoff, cut from both ends
HIGHEST = 0.4  # of the rate of samples: the highest cutoff


@dataclass(frozen=True)
class Filtering:
    """How measured data are filtered.

    Attributes:
        method: of velocities and accelerations: "butterworth", with central differences; "spline"; "none" takes q, qd, qdd and
            torques as they are.
        cutoff: of positions [Hz]; None takes five times the frequency below which 99.9 % of the power of velocities lies.
        torque_cutoff: of torques and of the regressor [Hz]; None takes that of positions, 0 leaves them as they are.
        order: of the Butterworth filters, before they are run backward too.
        decimate: whether samples that are not independent are left out.
    """

    method: str = "butterworth"
    cutoff: float | None = None
    torque_cutoff: float | None = None
    order: int = 4
    decimate: bool = True

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise StateError(f"no method {self.method!r} of filtering; {suggest(str(self.method), METHODS)}")
        for name in ("cutoff", "torque_cutoff"):
            value = getattr(self, name)
            if value is not None and not (
                isinstance(value, (int, float)) and np.isfinite(value) and value >= (name == "cutoff") * 1e-9
            ):
                raise StateError(f"{name} must be a frequency [Hz], got {value!r}")
        if isinstance(self.order, bool) or not isinstance(self.order, int) or not 1 <= self.order <= 10:
            raise StateError(f"order must be a whole number from 1 to 10, got {self.order!r}")


@dataclass(frozen=True, eq=False)
class Filtered:
    """A motion with its rates, and the filter for both sides of the equations.

    Attributes:
        data: the measurement.
        q, qd, qdd: filtered (N, ...).
        cutoff, torque_cutoff: [Hz]; 0 where nothing was filtered.
        order: of the filter.
        keep: samples that remain.
    """

    data: Measurement
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    cutoff: float
    torque_cutoff: float
    order: int
    keep: np.ndarray

    @property
    def t(self) -> np.ndarray:
        """Times of the samples that remain [s]."""
        return self.data.t[self.keep]

    def _recorded(self) -> Recorded:
        """Return the motion for pictures: filtered positions and rates, from the first sample that remains to the last."""
        return self.data._recorded((self.q, self.qd, self.qdd), slice(self.keep[0], self.keep[-1] + 1))

    def sides(self, values: np.ndarray) -> np.ndarray:
        """Return values (N, ...) over time after the filter of both sides, at the samples that remain."""
        if self.torque_cutoff:
            values = lowpass(values, self.data.rate, self.torque_cutoff, self.order)
        return values[self.keep]

    @property
    def correlation(self) -> np.ndarray:
        """Correlation of noise with that of the samples after it, from the filter of both sides (lags,); 1 first."""
        if not self.torque_cutoff or len(self.keep) < 2:
            return np.ones(1)
        half = int(8 * self.data.rate / self.torque_cutoff)
        answer = lowpass(np.eye(1, 2 * half + 1, half)[0], self.data.rate, self.torque_cutoff, self.order)
        along = np.fft.irfft(np.abs(np.fft.rfft(answer, 4 * half)) ** 2)[: 2 * half : self.keep[1] - self.keep[0]]
        along = along / along[0]
        return np.asarray(along[: np.flatnonzero(np.abs(along) > NEGLIGIBLE)[-1] + 1])


def apply(how: Filtering, data: Measurement) -> Filtered:
    """Return the motion of a measurement, filtered and differentiated."""
    if how.method == "none":
        if data.qd is None or data.qdd is None:
            raise IdentificationError("filtering 'none' needs measured qd and qdd; choose 'butterworth' or 'spline'")
        return Filtered(data, data.q, data.qd, data.qdd, 0.0, 0.0, how.order, np.arange(len(data)))
    cutoff = motion_cutoff(data) if how.cutoff is None else float(how.cutoff)
    both = cutoff if how.torque_cutoff is None else float(how.torque_cutoff)
    for name, value in (("cutoff", cutoff), ("torque_cutoff", both)):
        if value > HIGHEST * data.rate * 1.0001:
            raise IdentificationError(
                f"{name} is {value:.4g} Hz, but samples come at {data.rate:.4g} Hz, which allows "
                f"{HIGHEST * data.rate:.4g} Hz at most"
            )
    q, qd, qdd = (_by_spline if how.method == "spline" else _by_butterworth)(data, cutoff, how.order)
    lowest = min(x for x in (cutoff, both) if x)
    cut = int(np.ceil(EDGE * data.rate / lowest))
    every = max(1, int(data.rate / (2.0 * both))) if how.decimate and both else 1
    keep = np.arange(cut, len(data) - cut, every)
    if len(keep) < 10:
        raise IdentificationError(
            f"{len(data)} samples of {data.duration:.4g} s leave {len(keep)} after a filter of {lowest:.4g} Hz; record "
            f"longer, or raise "
            "the cutoff"
        )
    return Filtered(data, q, qd, qdd, cutoff, both, how.order, keep)


def motion_cutoff(data: Measurement) -> float:
    """Return five times the frequency below which 99.9 % of the power of the velocities lies [Hz].

    It is the median of the joints that move. Power of positions up to ten times the level at high frequencies counts as noise.
    """
    x = np.cumsum(data.robot.difference(data.q[:-1], data.q[1:]), axis=0)
    x = x - np.linspace(x[0], x[-1], len(x))  # ends that differ would look like high frequencies
    power = np.abs(np.fft.rfft(x * np.hanning(len(x))[:, None], axis=0)) ** 2
    frequency = np.fft.rfftfreq(len(x), data.step)
    noise = np.median(power[frequency > HIGHEST * data.rate], axis=0)
    speed = np.where(power > NOISY * noise, power, 0.0) * frequency[:, None] ** 2
    total = speed.sum(axis=0)
    moving = np.flatnonzero(total > 1e-6 * total.max(initial=0.0))
    if not len(moving):
        raise IdentificationError("no joint moves, so that nothing can be identified; check the columns of q")
    reached = np.cumsum(speed[:, moving], axis=0) / total[moving]
    where = (reached >= SHARE).argmax(axis=0)
    return float(min(ABOVE * np.median(frequency[where]), HIGHEST * data.rate))


def lowpass(values: np.ndarray, rate: float, cutoff: float, order: int) -> np.ndarray:
    """Return values (N, ...) after a Butterworth filter forward and backward."""
    from scipy.signal import butter, sosfiltfilt

    sections = butter(order, cutoff, fs=rate, output="sos")
    pad = min(len(values) - 1, int(3 * rate / cutoff))
    return np.asarray(sosfiltfilt(sections, values, axis=0, padlen=pad))


def _by_butterworth(data: Measurement, cutoff: float, order: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    robot, h = data.robot, data.step
    q = _unit(robot, lowpass(_continuous(robot, data.q), data.rate, cutoff, order))
    qd = _central(robot, q, h) if data.qd is None else lowpass(data.qd, data.rate, cutoff, order)
    qdd = np.gradient(qd, h, axis=0) if data.qdd is None else lowpass(data.qdd, data.rate, cutoff, order)
    return q, qd, qdd


def _by_spline(data: Measurement, cutoff: float, order: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    from scipy.interpolate import make_lsq_spline

    if data.q.shape[1] != data.robot.nv:
        raise IdentificationError("splines need joints whose velocities are the rates of their coordinates; choose 'butterworth'")
    knots = np.linspace(data.t[0], data.t[-1], max(2, round(2.0 * cutoff * data.duration) + 1))
    if len(knots) + 6 > len(data):
        raise IdentificationError(
            f"a spline with a cutoff of {cutoff:.4g} Hz has more knots than there are samples; lower the cutoff"
        )
    spline = make_lsq_spline(data.t, data.q, np.concatenate([knots[:1].repeat(5), knots, knots[-1:].repeat(5)]), k=5)
    q, qd, qdd = (spline(data.t, order) for order in range(3))
    return q, qd if data.qd is None else data.qd, qdd if data.qdd is None else data.qdd


def _central(robot: Any, q: np.ndarray, h: float) -> np.ndarray:
    inner = robot.difference(q[:-2], q[2:]) / (2.0 * h)
    return np.concatenate([robot.difference(q[:1], q[1:2]) / h, inner, robot.difference(q[-2:-1], q[-1:]) / h])


def _quaternions(robot: Any) -> list[list[int]]:
    """Return the places of quaternions among the coordinates."""
    names = robot.coordinate_names
    return [[names.index(name[:-2] + part) for part in ("qx", "qy", "qz", "qw")] for name in names if name.endswith("_qw")]


def _continuous(robot: Any, q: np.ndarray) -> np.ndarray:
    """Return coordinates whose quaternions do not change their sign from one sample to the next."""
    q = q.copy()
    for where in _quaternions(robot):
        signs = np.cumprod(np.where((q[1:, where] * q[:-1, where]).sum(axis=1) < 0, -1.0, 1.0))
        q[1:, where] *= signs[:, None]
    return q


def _unit(robot: Any, q: np.ndarray) -> np.ndarray:
    for where in _quaternions(robot):
        q[:, where] /= np.linalg.norm(q[:, where], axis=1, keepdims=True)
    return q
