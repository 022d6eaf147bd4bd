"""OpenSim's MuscleAnalysis: lengths, velocities, forces, powers and moment arms of muscles along a motion, as tables.

Tables are called as OpenSim's files: "Length", "FiberLength", "TendonForce", "MomentArm_knee_angle_r". "LengtheningSpeed", the
rate of the whole muscle, is one more that OpenSim keeps to itself.
"""

from __future__ import annotations

import numpy as np

from ..osim.table import Table
from .trial import Trial

PATHS = ("Length", "LengtheningSpeed")


def muscle_analysis(trial: Trial, activations: Table | float | None = None) -> dict[str, Table]:
    """Return tables of all muscles over time by OpenSim's names.

    Args:
        trial: a motion of a model with muscles.
        activations: None gives lengths, rates and moment arms alone. One number for all muscles, or a table with their columns
            as of static optimization, interpolated in time, gives fibers, tendons, forces, powers and moments, too: fibers
            balance elastic tendons (`Muscles.equilibrium`), and have rigid ones where the file ignores their compliance.

    Raises:
        FileError: a muscle has no column of activations, or one with gaps.
        StateError: activations are not from 0 to 1.
    """
    lengths, arms, rates = trial.paths
    found = {"Length": lengths, "LengtheningSpeed": rates}
    if activations is not None:
        found |= _states(trial, _activations(trial, activations), lengths, rates)
    for k, name in enumerate(trial.names):
        found[f"MomentArm_{name}"] = arms[:, :, k]
        if activations is not None:
            found[f"Moment_{name}"] = arms[:, :, k] * found["TendonForce"]
    return {name: Table(trial.muscles.names, trial.times, values, title=name) for name, values in found.items()}


def _activations(trial: Trial, given: Table | float) -> np.ndarray:
    shape = len(trial), len(trial.muscles)
    if not isinstance(given, Table):
        return np.full(shape, float(given))
    values = given.columns(trial.muscles.names)
    return np.column_stack([np.interp(trial.times, given.times, column) for column in values.T])


def _states(trial: Trial, a: np.ndarray, lengths: np.ndarray, rates: np.ndarray) -> dict[str, np.ndarray]:
    """Return what fibers and tendons do, by OpenSim's names."""
    muscles = trial.muscles
    parts = {part.name: part for part in trial.model.parts.muscles}
    rigid = [k for k, name in enumerate(muscles.names) if parts[name].flags.get("ignore_tendon_compliance", False)]
    rest = muscles.equilibrium(trial.q, a, trial.qd)
    fiber, cosine, velocity = (np.array(x) for x in (rest.fiber_lengths, rest.cosines, rest.velocities))
    active, passive, force = (np.array(x) for x in (rest.active, rest.passive, rest.forces))
    if rigid:
        stiff = muscles.analysis(trial.q, trial.qd, np.clip(a, 0.01, 1.0), taut=True)
        pairs = ((fiber, stiff.fiber_lengths), (cosine, stiff.cosines), (active, stiff.active), (passive, stiff.passive))
        for to, values in (*pairs, (force, stiff.forces), (velocity, stiff.fiber_velocities)):
            to[:, rigid] = values[:, rigid]
    optimal, fastest, thick = (
        np.array([getattr(muscle, name) for muscle in muscles.muscles])
        for name in ("optimal_fiber_length", "max_velocity", "thickness")
    )
    turning = -velocity * thick / (fiber * fiber * cosine)  # of the pennation, whose sine is thickness over length
    along = velocity / cosine  # of the fiber's end along the tendon
    return {
        "PennationAngle": np.arcsin(np.clip(thick / fiber, 0.0, 1.0)),
        "PennationAngularVelocity": turning,
        "FiberLength": fiber,
        "NormalizedFiberLength": fiber / optimal,
        "TendonLength": lengths - fiber * cosine,
        "FiberVelocity": velocity,
        "NormFiberVelocity": velocity / (optimal * fastest),
        "TendonForce": force,
        "FiberForce": (active + passive) / cosine,
        "ActiveFiberForce": active / cosine,
        "PassiveFiberForce": passive / cosine,
        "ActiveFiberForceAlongTendon": active,
        "PassiveFiberForceAlongTendon": passive,
        "FiberActivePower": -active / cosine * velocity,
        "FiberPassivePower": -passive / cosine * velocity,
        "TendonPower": -force * (rates - along),
        "MuscleActuatorPower": -force * rates,
    }
