"""Why a path is infeasible: the critical limit, with its joint and the position on the path."""

from __future__ import annotations

import numpy as np

from ..errors import TimingError
from ..protocol import DrivenRobot
from .coefficients import Forces
from .limits import Bounds
from .rows import Rows


class Reasons:
    """Makes the errors of one path."""

    def __init__(self, robot: DrivenRobot, limits: Bounds, s: np.ndarray, tau: Forces) -> None:
        self.robot, self.limits, self.s, self.tau = robot, limits, s, tau

    def shut(self, rows: Rows, i: int, pair: np.ndarray) -> TimingError:
        """Return the error of an interval in which no speed and no acceleration keep all limits."""
        held = self._hold(i, "and moving on at any speed does not help")
        if held is not None:
            return held
        names = [self._label(rows, int(j)) for j in pair if j >= 0]
        what = " and ".join(dict.fromkeys(names)) or "limits of joints that cannot accelerate with the path"
        kind, joint = self._of(rows, int(pair[0]))
        return TimingError(
            f"at s = {self.s[i]:.4g}, {what} exclude each other at every speed; widen one of them, or change the path there",
            float(self.s[i]),
            joint,
            kind,
        )

    def empty(self, rows: Rows, i: int, end: float) -> TimingError:
        """Return the error of a point from which the end cannot be reached."""
        for k in range(i, min(i + 2, len(self.s))):
            held = self._hold(k, "and no speed there leads on to the end of the path within all limits")
            if held is not None:
                return held
        return TimingError(
            f"from s = {self.s[i]:.4g} on no speed leads to the end of the path with end_speed = {end:.4g} within the limits of "
            f"{self._kinds(rows)}; lower end_speed, or widen the limits",
            float(self.s[i]),
        )

    def start(self, given: float, low: float, high: float) -> TimingError:
        """Return the error of a speed at the start from which the end cannot be reached."""
        held = self._hold(0, "so that it cannot start there at that speed") if given < low else None
        if held is not None:
            return held
        return TimingError(
            f"start_speed is {given:.4g} 1/s, expected {low:.4g} ... {high:.4g}: from other speeds at s = 0 the end of the path "
            "cannot be reached within the limits",
            0.0,
        )

    def stuck(self, rows: Rows, i: int) -> TimingError:
        """Return the error of a motion that comes to rest before the end."""
        s = float(self.s[i])
        held = self._hold(i, "so that the motion comes to rest there", slack=1e-6)
        if held is not None:
            return held
        return TimingError(
            f"the motion comes to rest at s = {s:.4g}: the limits of {self._kinds(rows)} leave no acceleration along the path "
            "there; widen them",
            s,
        )

    def too_fast(self, end: int, speed: float, slope: np.ndarray, most: float) -> TimingError:
        """Return the error of a given speed at an end that a velocity limit excludes."""
        bound = np.where(slope > 0, self.limits.velocity[1], -self.limits.velocity[0])
        j = int(np.argmax(np.abs(slope) / np.maximum(bound, 1e-300)))
        name = self.robot.velocity_names[j]
        return TimingError(
            f"{('start', 'end')[end]}_speed is {speed:.4g} 1/s, but the velocity limit of joint {name!r} allows {most:.4g} at "
            f"s = {end}",
            float(end),
            name,
            "velocity",
        )

    def _hold(self, i: int, ending: str, slack: float = 0.0) -> TimingError | None:
        """Return the error of a joint that cannot hold still at point i or the next, or cannot overcome friction."""
        low, high = self.limits.torque
        needs = [("hold", "standing still", self.tau.c)]
        if self.tau.coulomb is not None:
            needs.append(("move", "the slowest motion, with friction,", self.tau.c + self.tau.coulomb))
        for verb, doing, forces in needs:
            for k in (i, min(i + 1, len(self.s) - 1)):
                need = forces[k]
                excess = np.maximum(need - high, low - need) + slack * np.maximum(1.0, np.abs(need))
                j = int(np.argmax(excess))
                if excess[j] > 0.0:
                    name, unit = self.robot.velocity_names[j], self.robot.torque_units[j]
                    limit = high[j] if need[j] > 0 else low[j]
                    return TimingError(
                        f"joint {name!r}: its torque limit of {limit:.4g} {unit} cannot {verb} the arm at s = {self.s[k]:.4g}, "
                        f"where {doing} takes {need[j]:.4g} {unit}, {ending}; raise the limit, or change the path there",
                        float(self.s[k]),
                        name,
                        "torque",
                    )
        return None

    def _label(self, rows: Rows, row: int) -> str:
        kind, joint = self._of(rows, row)
        return f"the {kind} limit of joint {joint!r}"

    def _of(self, rows: Rows, row: int) -> tuple[str | None, str | None]:
        if row < 0:
            return None, None
        kind, joint, _ = rows.labels[row]
        return kind, self.robot.velocity_names[joint]

    def _kinds(self, rows: Rows) -> str:
        return " and ".join(dict.fromkeys(kind for kind, _, _ in rows.labels))
