"""Robot: the functions of a robot on JAX's arrays."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from ..compiler.cuda.backend import CUDA
from ..errors import StateError
from ..operations import Chosen, FunctionOn, RobotOn
from .closure import closed
from .primitive import evaluate


class Function(FunctionOn):
    """A function of a robot on JAX's arrays."""

    def __call__(self, *arguments: Any, **options: Any) -> jax.Array:
        """Return the result (..., shape) for arguments (..., size), whose leading axes broadcast."""
        chosen, given = self.read(arguments, options, self.choose)
        arrays = [as_array(x, name, size) for x, name, size in zip(given, chosen.state, chosen.sizes, strict=True)]
        narrow = all(x.dtype == jnp.float32 for x in arrays)
        together = _together([*arrays, *map(jnp.asarray, chosen.constants)], chosen)
        if chosen.closure is not None:
            together[0] = closed(chosen.closure, together[0])
        result = _shaped(evaluate(chosen.operation, together), chosen)
        return result.astype(jnp.float32) if narrow else result


class Robot(RobotOn):
    """A robot whose functions take and return JAX's arrays, inside jit too, and can be differentiated to any order.

    It has the functions of the `lissom.Robot` or `ClosedRobot` that have derivatives, by the same names and with the same
    options: `model.inverse_dynamics(q, qd, qdd, external=...)`. Where a method there divides its result into parts, here it is
    one array: `torques_and_rates` is (..., 2, nv). `inverse_dynamics`, `mass_matrix` and `forward_dynamics` also take
    `parameters=`, an array in the place of the robot's own `inertial_parameters()`, by which they are differentiated too.

    Where there is no result, it is NaN, as JAX does; a `lissom.Robot` raises an error there that says why.

    Args:
        robot: a `lissom.Robot`, a `lissom.ClosedRobot`, or a model.

    Attributes:
        robot: that robot.
        functions: names of its functions.

    Example:
        jax.config.update("jax_enable_x64", True)
        model = lissom.jax.Robot(lissom.load("robots:panda"))
        gradient = jax.jit(jax.grad(lambda q: model.potential_energy(q)))(q)
    """

    function = Function

    def __init__(self, robot: Any) -> None:
        super().__init__(robot)
        backend = self.robot.backend
        if isinstance(backend, CUDA) and backend.precision == "single":
            raise StateError("lissom.jax computes in double precision; use robot.to('cuda') without precision='single'")
        if not (backend.machine_code or isinstance(backend, CUDA)):
            raise StateError(
                f"lissom.jax needs machine code, and {self.robot.name!r} has the backend {self.robot.backend.name!r}; "
                "use lissom.Robot(model, backend='llvm')"
            )

    def inertial_parameters(self) -> jax.Array:
        """Return the robot's own parameters, in the order of `robot.inertial_parameter_names`."""
        return jnp.asarray(self.robot.inertial_parameters())


def as_array(x: Any, name: str, size: int) -> jax.Array:
    """Return an array (..., size) of float64, or of float32 to be computed in it; raise StateError if it is neither."""
    if not jax.config.jax_enable_x64:  # type: ignore[attr-defined]
        raise StateError("lissom.jax computes in float64, which JAX has after jax.config.update('jax_enable_x64', True)")
    array = jnp.asarray(x)
    if array.ndim == 0 or array.shape[-1] != size:
        raise StateError(f"{name} has shape {array.shape}, expected (..., {size})")
    if jnp.issubdtype(array.dtype, jnp.integer):
        return array.astype(jnp.float64)
    if array.dtype not in (jnp.float64, jnp.float32):
        raise StateError(f"{name} has dtype {array.dtype}, expected float64, or float32, which is computed in float64")
    return array


def _together(arrays: list[jax.Array], chosen: Chosen) -> list[jax.Array]:
    """Return arrays of float64 with the same leading axes."""
    try:
        lead = jnp.broadcast_shapes(*(x.shape[:-1] for x in arrays))
    except ValueError:
        shapes = ", ".join(f"{name} {x.shape}" for x, name in zip(arrays, chosen.names, strict=True))
        raise StateError(f"the leading axes of {shapes} do not fit together (broadcasting rules)") from None
    return [jnp.broadcast_to(x, (*lead, x.shape[-1])).astype(jnp.float64) for x in arrays]


def _shaped(flat: jax.Array, chosen: Chosen) -> jax.Array:
    """Return a result (*lead, size) in the function's own shape."""
    lead = flat.shape[:-1]
    if chosen.places is not None:
        flat = jnp.zeros((*lead, chosen.whole), flat.dtype).at[..., chosen.places].set(flat)
    return flat if len(chosen.shape) == 1 else flat.reshape(*lead, *chosen.shape)
