"""Quantities over time of the results of a study."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import StateError, suggest
from ..predict.problem.description import Description
from ..predict.quantities.state import State
from .bases.base import Ran

POINTS = 401  # instants of a predicted motion
OF_TRAJECTORY = ("position", "velocity", "acceleration", "torque", "power", "deflection")
ENERGIES = ("energy", "kinetic_energy", "potential_energy", "spring_energy")


@dataclass(frozen=True)
class Curves:
    """A quantity over time: t (N,) [s], y (N, k), and names of its k entries."""

    t: np.ndarray
    y: np.ndarray
    names: tuple[str, ...]


def curves(ran: Ran, quantity: str, options: Mapping[str, Any]) -> Curves:
    """Return a quantity of a result over time; raise StateError where it has none of that name."""
    result = getattr(ran.result, "prediction", ran.result)
    if hasattr(result, "motion") and hasattr(result, "limits"):
        return _of_prediction(result, quantity, options)
    if hasattr(result, "qdd"):
        return _of_trajectory(result, quantity)
    raise StateError(f"{quantity!r} over time is a response of motions; the function returned numbers")


def expect_simulated(name: str) -> None:
    """Raise StateError for a quantity that simulated motions do not have."""
    if name not in (*OF_TRAJECTORY, *ENERGIES):
        raise StateError(f"no quantity {name!r} of a simulated motion; {suggest(name, (*OF_TRAJECTORY, *ENERGIES))}")


def _of_prediction(prediction: Any, name: str, options: Mapping[str, Any]) -> Curves:
    problem = prediction.problem
    if isinstance(problem, Description):
        raise StateError("quantities of a prediction from a file are not known; compute them when it is solved")
    if name not in problem.quantities.names:
        raise StateError(f"no quantity {name!r}; {suggest(name, problem.quantities.names)}")
    quantity = problem.quantities.get(name, **options)
    t = prediction.times(POINTS)
    state = State.along(prediction.motion, t, max(quantity.orders) + 1, problem.timing)
    return Curves(t, quantity.values(state.part(problem.columns.of(quantity))), tuple(quantity.labels))


def _of_trajectory(run: Any, name: str) -> Curves:
    robot = run.robot
    speeds = tuple(robot.velocity_names)
    expect_simulated(name)
    if name == "power" and run.tau.shape != run.qd.shape:
        raise StateError("the power of a closed robot's drives is a response of motion problems only")
    table = {
        "position": lambda: (run.q, tuple(run.coordinate_names)),
        "velocity": lambda: (run.qd, speeds),
        "acceleration": lambda: (run.qdd, speeds),
        "torque": lambda: (run.tau, tuple(run.torque_names)),
        "power": lambda: (run.tau * run.qd, speeds),
        "deflection": lambda: (run.deflections, tuple(run.motor_names)),
    }
    if name in table:
        y, names = table[name]()
        return Curves(run.t, y.reshape(len(run.t), -1), names)
    return Curves(run.t, np.asarray(getattr(run, name)).reshape(len(run.t), -1), (name,))
