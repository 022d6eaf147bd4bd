"""OpenSim's StaticOptimization of a trial: activations, forces, residuals and reserves, and where a frame is too strong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..errors import StateError
from ..model.show import by_shape
from ..osim.actuators import Actuator, model_actuators
from ..osim.table import Table
from .static_optimization import Ideal, Shared, static_optimization
from .trial import Trial

RESERVE = "_reserve"  # ending of the names of reserves


@dataclass(frozen=True, eq=False)
class Activations:
    """The result of `optimize`.

    Attributes:
        trial: the motion.
        actuators: residuals and reserves, in the order of the columns after the muscles.
        shared: activations, controls and what is missing.
    """

    trial: Trial
    actuators: tuple[Actuator, ...]
    shared: Shared
    __repr__ = by_shape

    @property
    def activations(self) -> Table:
        """Activations of muscles and controls of actuators, as OpenSim's file StaticOptimization_activation.sto."""
        values = np.concatenate([self.shared.activations, self.shared.controls], axis=1)
        return self._table(values, "Static Optimization")

    @property
    def forces(self) -> Table:
        """Forces [N, N m] of muscles and actuators, as OpenSim's file StaticOptimization_force.sto."""
        strengths = np.array([one.optimal for one in self.actuators])
        values = np.concatenate([self.shared.forces, self.shared.controls * strengths], axis=1)
        return self._table(values, "ModelForces")

    @property
    def missing(self) -> dict[str, np.ndarray]:
        """Torques (N,) [N m, N] that nothing makes, by coordinates, where there are any."""
        bad = ~self.shared.found
        found = {name: np.where(bad, self.shared.missing[:, k], 0.0) for k, name in enumerate(self.trial.names)}
        size = 1e-6 * (1.0 + np.abs(self.trial.torques).max())
        return {name: values for name, values in found.items() if np.abs(values).max() > size}

    def _table(self, values: np.ndarray, title: str) -> Table:
        return Table((*self.shared.muscles, *self.shared.reserves), self.trial.times, values, title=title)


def optimize(
    trial: Trial,
    actuators: Sequence[Actuator] = (),
    reserve: float | None = None,
    power: float = 2.0,
) -> Activations:
    """Return the activations that make the torques of a trial, with the least sum of their powers, as OpenSim's tool.

    Muscles have rigid tendons, no passive forces, and the controls that the file allows, 0.01 to 1 if it says nothing. Forces
    are OpenSim's: along the fibers for all curves but Thelen's.

    Args:
        trial: a motion of a model with muscles.
        actuators: residuals and reserves, from `lissom.osim.read_actuators`, beside the coordinate actuators of the model.
        reserve: strength [N m or N] of an ideal torque on each coordinate that no coordinate actuator drives; it is called as
            the coordinate, with "_reserve".
        power: of activations and controls, 2 as in OpenSim.

    Raises:
        StateError: the reserve is not positive, the power not above one, or two actuators have one name.
    """
    model = trial.model
    every = [*model_actuators(model), *actuators]
    if reserve is not None:
        if not 0.0 < reserve < np.inf:
            raise StateError(f"the strength of reserves must be positive, got {reserve:g}")
        driven = {one.coordinate for one in every}
        every += [Actuator(name + RESERVE, reserve, coordinate=name) for name in trial.names if name not in driven]
    names = [*trial.muscles.names, *(one.name for one in every)]
    for name in names:
        if names.count(name) > 1:
            raise StateError(f"two muscles or actuators are called {name!r}: their columns could not be told apart")
    ideal = [Ideal(one.name, one.optimal * one.torques(model, trial.q), one.least, one.most) for one in every]
    least, most = _bounds(trial)
    found = static_optimization(
        trial.muscles,
        trial.q,
        trial.qd,
        trial.torques,
        ideal,
        least=least,
        most=most,
        along="opensim",
        power=power,
        taut=True,
    )
    return Activations(trial, tuple(every), found)


def _bounds(trial: Trial) -> tuple[np.ndarray, np.ndarray]:
    """Return the smallest and the largest control of each muscle."""
    parts = {part.name: part for part in trial.model.parts.muscles}
    numbers = [parts[name].numbers for name in trial.muscles.names]
    least = np.array([max(own.get("min_control", 0.01), 0.0) for own in numbers])
    return least, np.array([own.get("max_control", 1.0) for own in numbers])
