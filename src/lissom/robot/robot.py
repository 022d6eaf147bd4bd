"""Robot: a model with its compiled equations of motion; it checks names and shapes, and has no formulas."""

from __future__ import annotations

from collections.abc import Mapping

from ..compiler.backend import Backend
from ..errors import ModelError
from ..model import Model
from .along_path import AlongPath
from .directional import Directional
from .elastic_blocks import Blocks
from .everyday import Everyday
from .exporting import Exporting
from .external import ExternalTorques
from .hessian import SecondDerivatives
from .names import RobotNames
from .parameters import Parameters
from .quantity_derivatives import QuantityDerivatives
from .simulation import Simulation


class Robot(
    RobotNames,
    AlongPath,
    Simulation,
    Directional,
    QuantityDerivatives,
    Blocks,
    SecondDerivatives,
    Parameters,
    Exporting,
    ExternalTorques,
    Everyday,
):
    """A robot: its model, and the model's equations of motion compiled for this machine.

    Every function takes arrays of shape (n,) for one state or (..., n) for many; the leading axes are the batch. SI units,
    radians. `out=` takes a float64 array for the result.

    Args:
        model: the robot's model.
        backend: "llvm" for machine code, "numpy" for the slow and readable definition; None takes machine code where the
            compiler works; "cuda" for an NVIDIA card (docs/usage/gpu.md).
        precision: of "cuda": "double" or "single".
    """

    def __init__(self, model: Model, *, backend: Backend | str | None = None, precision: str = "double") -> None:
        super().__init__(model, backend=backend, precision=precision)
        if model.loops:
            raise ModelError(
                f"{model.name!r} has loops ({', '.join(loop.name for loop in model.loops)}), and a Robot is a tree: "
                "use lissom.ClosedRobot(model), or lissom.Robot(model.without_loops()) for the tree without its loops"
            )

    def locked(self, positions: Mapping[str, float]) -> Robot:
        """Return the robot with joints of one axis locked at positions [rad or m], given by name, with coupled joints.

        Motors of elastic drives are locked by their names too; see `lissom.model.lock.locked` for motors.
        """
        from ..model.lock import locked

        return type(self)(locked(self.model, positions), **self._choices)
