"""Robot: the functions of a robot on tensors."""

from __future__ import annotations

from typing import Any

import torch

from ..errors import StateError
from ..operations import Chosen, FunctionOn, Functions, RobotOn
from .closure import closed
from .evaluate import evaluate
from .tables import Place

is_compiling = torch.compiler.is_compiling


class Function(FunctionOn):
    """A function of a robot on tensors."""

    def __init__(self, functions: Functions, name: str) -> None:
        super().__init__(functions, name)
        self._place = Place.of(functions.robot)
        # what torch.compile does not look into: which program belongs to which options
        self._constant = torch.compiler.assume_constant_result(lambda *key: self.choose(*key))

    def __call__(self, *arguments: Any, **options: Any) -> torch.Tensor:
        """Return the result (..., shape) for arguments (..., size), whose leading axes broadcast."""
        choose = self._constant if is_compiling() else self.choose
        chosen, given = self.read(arguments, options, choose)
        device, dtype, on_cpu = self._place
        lead, narrow, together = None, False, True
        tensors: list[torch.Tensor] = []
        for x, size in zip(given, chosen.sizes):  # noqa: B905 - as many, and this loop has to be fast
            if not (
                isinstance(x, torch.Tensor)
                and x.dtype is dtype
                and (x.is_cpu if on_cpu else x.device == device)
                and x.ndim
                and x.shape[-1] == size
            ):
                narrow = True
                x = as_wanted(x, chosen.state[len(tensors)], size, self._place)
            if lead is None:
                lead = x.shape[:-1]
            elif x.shape[:-1] != lead:
                together = False
            tensors.append(x)
        if chosen.constants or not together:
            constants = [torch.from_numpy(x).to(device, dtype) for x in chosen.constants]
            tensors = _together([*tensors, *constants], chosen)
        if chosen.closure is not None:
            tensors[0] = closed(chosen.closure, tensors[0])
        result = evaluate(chosen.operation, tensors)
        if chosen.places is not None or len(chosen.shape) != 1:
            result = _shaped(result, chosen)
        if narrow and dtype is torch.float64 and all(x.dtype is torch.float32 for x in given):
            return result.to(torch.float32)
        return result


class Robot(RobotOn):
    """A robot whose functions take and return tensors, and can be differentiated to any order.

    It has the functions of the `lissom.Robot` or `ClosedRobot` that have derivatives, by the same names and with the same
    options: `model.inverse_dynamics(q, qd, qdd, external=...)`. Where a method there divides its result into parts, here it is
    one tensor: `torques_and_rates` is (..., 2, nv). `inverse_dynamics`, `mass_matrix` and `forward_dynamics` also take
    `parameters=`, a tensor in the place of the robot's own `inertial_parameters()`, by which they are differentiated too.

    Args:
        robot: a `lissom.Robot`, a `lissom.ClosedRobot`, or a model.

    Attributes:
        robot: that robot.
        functions: names of its functions.

    Example:
        model = lissom.torch.Robot(lissom.load("robots:panda"))
        tau = model.inverse_dynamics(q, qd, qdd)
        tau.square().sum().backward()
    """

    function = Function

    def inertial_parameters(self) -> torch.Tensor:
        """Return the robot's own parameters, in the order of `robot.inertial_parameter_names`, as a new tensor."""
        device, dtype, _ = Place.of(self.robot)
        return torch.from_numpy(self.robot.inertial_parameters()).to(device, dtype)


def as_wanted(x: Any, name: str, size: int, place: Place) -> torch.Tensor:
    """Return a tensor (..., size) of the type the robot computes with; raise StateError if it is not one that can be that."""
    if not isinstance(x, torch.Tensor):
        raise StateError(f"{name} is of type {type(x).__name__}, expected a tensor: torch.as_tensor({name})")
    place.check(x, name)
    if x.ndim == 0 or x.shape[-1] != size:
        raise StateError(f"{name} has shape {tuple(x.shape)}, expected (..., {size})")
    if x.dtype is place.dtype:
        return x
    if place.dtype is torch.float32:
        raise StateError(f"{name} has dtype {x.dtype}, and the robot computes in single precision: give {name}.float()")
    if x.dtype is not torch.float32:
        raise StateError(f"{name} has dtype {x.dtype}, expected float64, or float32, which is computed in float64")
    return x.to(torch.float64)


def _together(tensors: list[torch.Tensor], chosen: Chosen) -> list[torch.Tensor]:
    """Return tensors with the same leading axes."""
    try:
        lead = torch.broadcast_shapes(*(x.shape[:-1] for x in tensors))
    except RuntimeError:
        shapes = ", ".join(f"{name} {tuple(x.shape)}" for x, name in zip(tensors, chosen.names, strict=True))
        raise StateError(f"the leading axes of {shapes} do not fit together (broadcasting rules)") from None
    return [x.expand(*lead, x.shape[-1]) for x in tensors]


def _shaped(flat: torch.Tensor, chosen: Chosen) -> torch.Tensor:
    """Return a result (*lead, size) in the function's own shape."""
    lead = flat.shape[:-1]
    if chosen.places is not None:
        whole = flat.new_zeros((*lead, chosen.whole))
        flat = whole.index_copy(-1, torch.from_numpy(chosen.places).to(flat.device), flat)
    return flat if len(chosen.shape) == 1 else flat.reshape((*lead, *chosen.shape))
