"""lissom.jax: functions of a robot on JAX's arrays, inside jit, differentiable to any order."""

from ..errors import MissingExtraError

try:
    import jax as _jax  # noqa: F401
except ImportError:
    raise MissingExtraError("jax", "jax", "lissom.jax") from None

from .parameters import link_parameters as link_parameters
from .robot import Robot as Robot
