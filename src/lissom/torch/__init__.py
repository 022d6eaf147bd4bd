"""lissom.torch: functions of a robot on PyTorch's tensors, differentiable to any order."""

from ..errors import MissingExtraError

try:
    import torch as _torch  # noqa: F401
except ImportError:
    raise MissingExtraError("torch", "torch", "lissom.torch") from None

from .parameters import link_parameters as link_parameters
from .robot import Robot as Robot
