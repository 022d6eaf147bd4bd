"""Robot: the front door. A model with its equations of motion; knows names and shapes, and no formula."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from ..algorithms.derivatives import geometry_tasks as geometry_derivatives
from ..algorithms.derivatives import regressor
from ..algorithms.derivatives import tasks as derivatives
from ..algorithms.dynamics import coriolis, energy, forward_dynamics, integrate, inverse_dynamics, momentum
from ..algorithms.elastic import blocks as elastic_blocks
from ..algorithms.elastic import motors as elastic
from ..algorithms.kinematics import kinematics
from ..algorithms.rates import tasks as rates
from ..compiler.backend import Backend, show
from ..compiler.program import OperationCount
from ..compiler.task import Task
from ..errors import ModelError, NameLookupError, StateError, is_choice
from ..model import Model
from .along_path import AlongPath
from .base import TaskMaker
from .elastic_blocks import Blocks
from .everyday import Everyday
from .hessian import SecondDerivatives
from .names import RobotNames
from .parameters import Parameters
from .quantity_derivatives import QuantityDerivatives
from .simulation import Simulation

ALGORITHMS: dict[str, TaskMaker] = {
    "inverse_dynamics": inverse_dynamics.inverse_dynamics,
    "bias_torques": inverse_dynamics.bias_torques,
    "gravity_torques": inverse_dynamics.gravity_torques,
    "joint_wrenches": inverse_dynamics.joint_wrenches,
    "inverse_dynamics_derivatives": derivatives.inverse_dynamics_derivatives,
    "joint_wrench_derivatives": derivatives.joint_wrench_derivatives,
    "forward_dynamics_derivatives": derivatives.forward_dynamics_derivatives,
    "torque_rates": rates.joint_torque_rates,
    "torques_and_rates": rates.torques_and_rates,
    "joint_wrench_rates": rates.joint_wrench_rates,
    "forward_dynamics": forward_dynamics.forward_dynamics,
    "mass_matrix": forward_dynamics.mass_matrix,
    "coriolis_matrix": coriolis.coriolis_matrix,
    "kinetic_energy": energy.kinetic_energy,
    "potential_energy": energy.potential_energy,
    "spring_energy": energy.spring_energy,
    "center_of_mass": momentum.center_of_mass,
    "center_of_mass_jacobian": momentum.center_of_mass_jacobian,
    "momentum": momentum.momentum,
    "centroidal_momentum_matrix": momentum.centroidal_momentum_matrix,
    "link_poses": kinematics.link_poses,
    "inverse_dynamics_regressor": regressor.inverse_dynamics_regressor,
    "inverse_dynamics_geometry_derivatives": geometry_derivatives.inverse_dynamics_geometry_derivatives,
    "inverse_dynamics_dh_derivatives": geometry_derivatives.inverse_dynamics_dh_derivatives,
    "elastic_inverse_dynamics": elastic.elastic_inverse_dynamics,
    "elastic_torque_rates": elastic.elastic_torque_rates,
    "drive_deflections": elastic.drive_deflections,
    "elastic_blocks": elastic_blocks.elastic_blocks,
    "state_rates": integrate.state_rates,
    "rk4_step": integrate.rk4_step,
    "semi_implicit_step": integrate.semi_implicit_step,
}


class Robot(RobotNames, AlongPath, Simulation, QuantityDerivatives, Blocks, SecondDerivatives, Parameters, Everyday):
    """A robot: its model, and the model's equations of motion compiled for this machine.

    Every function takes arrays of shape (n,) for one state or (..., n) for many; the leading axes are the batch. SI units,
    radians. `out=` takes a float64 array for the result.

    Args:
        model: what the robot is.
        backend: "llvm" for machine code, "numpy" for the slow and readable definition; None takes machine code where the
            compiler works.
    """

    def __init__(self, model: Model, backend: Backend | str | None = None) -> None:
        super().__init__(model, backend)
        if model.loops:
            raise ModelError(
                f"{model.name!r} has loops ({', '.join(loop.name for loop in model.loops)}), and a Robot is a tree: "
                "lissom.ClosedRobot(model) is the mechanism, lissom.Robot(model.without_loops()) what is left when they are cut"
            )

    def operation_count(self, algorithm: str, regrouped: bool = True, method: str | None = None) -> OperationCount:
        """Return how many operations one evaluation takes.

        Args:
            algorithm: "inverse_dynamics", "forward_dynamics" and so on.
            regrouped: False counts without base parameters.
            method: of forward dynamics; None is its default.
        """
        return self._task(algorithm, regrouped, method).program(self.name).operation_count()

    def program(self, algorithm: str, form: str = "program") -> str:
        """Return the generated program as text: form "program" (readable), "llvm" or "assembly"."""
        return show(self._task(algorithm).program(self.name), form, self.backend)

    def locked(self, positions: Mapping[str, float]) -> Robot:
        """Return the robot with joints of one axis held at positions [rad or m], given by name; followers are held as well.

        Motors of elastic drives are held by their names too; see `lissom.model.lock.locked` for what becomes of motors.
        """
        from ..model.lock import locked

        return type(self)(locked(self.model, positions), self._chosen_backend)

    def _task(self, algorithm: str, regrouped: bool = True, method: str | None = None) -> Task:
        if not is_choice(algorithm, ALGORITHMS):
            raise NameLookupError("algorithm", algorithm, ALGORITHMS)
        maker = ALGORITHMS[algorithm]
        choices = inspect.signature(maker).parameters
        # what has no such choice has all its inertia where it is
        options: dict[str, Any] = {"regrouped": regrouped} if "regrouped" in choices else {}
        if method is not None:
            if "method" not in choices:
                raise StateError(f"{algorithm} has one method only; method={method!r} is for forward_dynamics")
            options["method"] = method
        return maker(self.model, **options)
