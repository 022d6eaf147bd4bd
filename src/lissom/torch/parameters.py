"""Parameters: a link's ten numbers in inverse dynamics from its mass, center of mass and inertia."""

from __future__ import annotations

import torch

from ..operations import ten_parameters


def link_parameters(mass: torch.Tensor, center: torch.Tensor, inertia: torch.Tensor) -> torch.Tensor:
    """Return the inertial parameters of links (..., 10), differentiable, in the order of `robot.inertial_parameter_names`.

    Args:
        mass: (...) [kg].
        center: center of mass in the link's frame (..., 3) [m].
        inertia: about the center of mass, along the axes of the link's frame (..., 3, 3), symmetric [kg m^2].

    Returns:
        Mass, mass times center, and Ixx Ixy Iyy Ixz Iyz Izz about the origin of the link's frame.
    """
    return torch.stack(torch.broadcast_tensors(*ten_parameters(mass, center, inertia)), dim=-1)
