"""Identification: the result, with tables, residuals, cross-validation and a model."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Unpack

import numpy as np

import lissom

from ..arrays import Accelerations, Positions, Velocities
from ..closed import ClosedRobot
from ..errors import IdentificationError, StateError
from ..locks import lazy_property
from ..model import Model
from ..parameters import BaseParameters
from ..robot import Robot
from .consistent import Consistent
from .estimate import Estimate
from .filtering import Filtered, Filtering
from .in_doubt import chance, distance, doubts
from .measurement import Measurement
from .rows import Rows
from .selection import Selection
from .to_model import to_model


@dataclass(frozen=True, eq=False)
class Residuals:
    """Root mean square of torques and of what is left of them, one per row of the equations [N m or N].

    Attributes:
        torque: measured.
        before: measured less predicted by the model as it was.
        fit: less predicted by the estimate.
        consistent: less predicted by the consistent parameters; None without them.
        validation: of samples that the estimate did not use, each fifth of the time in turn.
    """

    torque: np.ndarray
    before: np.ndarray
    fit: np.ndarray
    consistent: np.ndarray | None
    validation: np.ndarray


@dataclass(frozen=True, eq=False)
class Identification:
    """Identified parameters of a robot.

    Attributes:
        robot: as it was before.
        base: the combinations of free parameters that motions can show, with the values of the model.
        estimate: base parameters from least squares, with covariance.
        method: "ordinary", "weighted" or "robust".
        consistent: all parameters, of bodies that can exist; None if not asked for.
        residuals: root mean squares.
        weak: numbers of base parameters whose uncertainty matters for ordinary motion: move more, or longer.
        correlation: of residuals with those of the sample before, one per row; where it is far from 0, something is not modeled
            or samples are not independent, and standard errors are too small.
        motions: the measurements, filtered.
        filtering: how.
        selection: which parameters were free.
    """

    robot: Robot | ClosedRobot
    base: BaseParameters
    estimate: Estimate
    method: str
    consistent: Consistent | None
    residuals: Residuals
    weak: tuple[int, ...]
    correlation: np.ndarray
    motions: tuple[Filtered, ...]
    filtering: Filtering
    selection: Selection
    rows: Rows

    def __len__(self) -> int:
        return len(self.base)

    def __repr__(self) -> str:
        return f"<Identification of {self.robot.name!r}: {len(self)} base parameters from {self.samples} samples, {self.method}>"

    @property
    def samples(self) -> int:
        """Number of samples after filtering."""
        return sum(len(motion.keep) for motion in self.motions)

    @property
    def names(self) -> tuple[str, ...]:
        """Base parameters as sums, "link_2.Iyy + link_3.mass"."""
        return self.base.expressions

    @property
    def values(self) -> np.ndarray:
        """Identified base parameters (b,), from least squares."""
        return self.estimate.beta

    @property
    def standard_errors(self) -> np.ndarray:
        """Their standard errors (b,)."""
        return self.estimate.standard_errors

    @property
    def parameters(self) -> dict[str, float]:
        """All parameters by name, held ones too: consistent ones, else the model's, moved as little as base parameters ask."""
        return dict(zip(self.selection.names, map(float, self._all), strict=True))

    @lazy_property
    def _all(self) -> np.ndarray:
        if self.consistent is not None:
            return self.consistent.values
        # the shortest way from the model to the base parameters
        free = self.selection.free
        values = self.selection.prior.copy()
        values[free] += np.linalg.pinv(self.base.matrix[:, free]) @ (self.values - self.base.matrix[:, free] @ values[free])
        return values

    @lazy_property
    def model(self) -> Model:
        """The robot's model with the identified parameters.

        Raises:
            IdentificationError: least squares alone gave a body that cannot exist; identify with consistent=True.
        """
        if self.selection.added:
            raise IdentificationError("a payload was identified, not the robot; see robot.with_payload")
        return to_model(self.selection, self._all, self.robot.model, self.consistent is not None)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model with the identified parameters to a file (.yaml, .urdf), which `lissom.load` reads."""
        from ..write import save

        save(self.model, path)

    @lazy_property
    def consistent_base(self) -> np.ndarray:
        """Base parameters of the consistent parameters (b,)."""
        if self.consistent is None:
            raise IdentificationError("there are no consistent parameters; identify with consistent=True")
        return np.asarray(self.base.matrix @ np.where(self.selection.free, self.consistent.values, 0.0))

    def torques(self) -> tuple[np.ndarray, np.ndarray]:
        """Return measured torques and those that the estimate predicts (N, rows), of all samples used, filtered."""
        right = [
            motion.sides(self.rows.right(motion.q, motion.qd, motion.qdd, motion.data.tau, motion.data.wrenches))
            for motion in self.motions
        ]
        measured = np.concatenate(right)
        return measured, measured - self.estimate.residual

    def torques_before(self) -> np.ndarray:
        """Return the torques that the model predicts as it was (N, rows), of all samples used, filtered."""
        states = [(motion.q, motion.qd, motion.qdd) for motion in self.motions]
        made = [
            self.rows.columns(self.base.columns, *state) @ self.base.values + known_torques(self.rows, state) for state in states
        ]
        return np.concatenate([motion.sides(tau) for motion, tau in zip(self.motions, made, strict=True)])

    @lazy_property
    def doubts(self) -> tuple[str, ...]:
        """What is doubtful, in sentences: signs and units of torques, weak excitation, residuals that follow one another, ..."""
        return doubts(self)

    @property
    def consistency(self) -> str:
        """How near to least squares bodies that can exist come, where that is near enough; "" where it is a doubt, or unknown."""
        near = self.consistent is not None and self.consistent.distance <= chance(self)
        return distance(self) if near else ""

    def predict(self, q: Positions, qd: Velocities, qdd: Accelerations, *, consistent: bool = False) -> np.ndarray:
        """Return the torques of a motion (N, rows) by the identified parameters, those held included."""
        state = [np.asarray(x, dtype=float) for x in (q, qd, qdd)]
        return _predicted(self, self.rows, state, consistent)

    def validate(self, data: Measurement) -> np.ndarray:
        """Return the root mean square of measured less predicted torques (rows,) along another motion, filtered as before."""
        from .from_motions import equations

        _, W, y = equations(self.rows, self.base, data, self.filtering)
        return np.sqrt(((y - W @ self.values) ** 2).mean(axis=0))

    def show(
        self, number: int = 0, *, save: str | os.PathLike[str] | None = None, **options: Unpack[lissom.view.ShowOptions]
    ) -> Any:
        """Show a measured motion in three dimensions, as it was filtered; `number` counts from 0.

        Options are as of `Trajectory.show`; the layer "torques" has the measured ones.
        """
        from ..view.show import show_motion

        count = len(self.motions)
        if isinstance(number, bool) or not isinstance(number, int | np.integer) or not -count <= number < count:
            raise StateError(f"number is {number!r}, expected a whole number from 0 to {count - 1}: a measured motion")
        return show_motion(self.motions[number]._recorded(), save=save, **options)

    def report(self, path: str | os.PathLike[str]) -> Path:
        """Write a page (.html): verdict, motions in 3-D, torques and residuals over time, tables of parameters, filters."""
        from ..view.report.identification import report_identification

        return report_identification(self, path)

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain numbers and texts."""
        found = [
            {"name": name, "value": float(x), "standard_error": float(e), "model": float(m), "weak": k in self.weak}
            for k, (name, x, e, m) in enumerate(zip(self.names, self.values, self.standard_errors, self.base.values, strict=True))
        ]
        rows = {
            name: {"torque_rms": float(t), "before": float(b), "residual": float(f), "validation": float(v), "unit": unit}
            for name, unit, t, b, f, v in zip(
                self.rows.names,
                self.rows.units,
                self.residuals.torque,
                self.residuals.before,
                self.residuals.fit,
                self.residuals.validation,
                strict=True,
            )
        }
        return {
            "robot": self.robot.name,
            "method": self.method,
            "samples": self.samples,
            "condition": float(self.estimate.condition),
            "cutoff": [motion.cutoff for motion in self.motions],
            "base_parameters": found,
            "residuals": rows,
            "consistent": self.consistent is not None,
            "doubts": list(self.doubts),
        }

    def __str__(self) -> str:
        return "\n".join(_lines(self))

    def _repr_html_(self) -> str:
        from ..view.summary_identified import identification_html

        return identification_html(self)


def _predicted(found: Identification, rows: Rows, state: Sequence[np.ndarray], consistent: bool) -> np.ndarray:
    W = rows.columns(found.base.columns, *state)
    beta = found.consistent_base if consistent else found.values
    return np.asarray(W @ beta + known_torques(rows, state))


def known_torques(rows: Rows, state: Sequence[np.ndarray]) -> np.ndarray:
    """Return the torques of the parameters that are held (N, rows)."""
    values = rows.selection.values
    held = np.flatnonzero((values != 0.0) & ~(rows.selection.free & (not rows.selection.added)))
    if not len(held):
        return np.zeros((len(state[0]), len(rows.names)))
    return np.asarray(rows.columns(held, *state) @ values[held])


def _lines(found: Identification) -> list[str]:
    base, errors = found.base, found.standard_errors
    lines = [
        f"{found.robot.name}: {len(base)} base parameters from {found.samples} samples ({found.method} least squares, condition "
        f"{found.estimate.condition:.3g})",
        f"{'':4} {'value':>12} {'+-':>10} {'model':>12}  base parameter",
    ]
    for k, (name, x, e, m) in enumerate(zip(found.names, found.values, errors, base.values, strict=True)):
        mark = " (weak)" if k in found.weak else ""
        shown = name if len(name) < 90 else f"{name[:86]} ..."
        lines.append(f"{k + 1:4d} {x:12.5g} {e:10.2g} {m:12.5g}  {shown}{mark}")
    lines.append(f"{'':4} {'torque':>12} {'before':>10} {'left':>10} {'validated':>10}  root mean square of")
    r = found.residuals
    for name, unit, *values in zip(found.rows.names, found.rows.units, r.torque, r.before, r.fit, r.validation, strict=True):
        lines.append(f"{'':4} {values[0]:12.4g} {values[1]:10.3g} {values[2]:10.3g} {values[3]:10.3g}  {name} [{unit}]")
    lines += [f"doubtful: {one}" for one in found.doubts]
    return lines


def correlation_of(residuals: Sequence[np.ndarray]) -> np.ndarray:
    """Return the correlation of residuals (N, rows) with those of the sample before."""
    above = sum((e[1:] * e[:-1]).sum(axis=0) for e in residuals)
    below = sum((e**2).sum(axis=0) for e in residuals)
    return np.asarray(np.divide(above, below, out=np.zeros_like(below), where=below > 0))
