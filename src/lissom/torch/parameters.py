"""Parameters: a link's ten numbers in inverse dynamics from its mass, center of mass and inertia."""

from __future__ import annotations

import torch

from ..errors import StateError


def link_parameters(mass: torch.Tensor, center: torch.Tensor, inertia: torch.Tensor) -> torch.Tensor:
    """Return the inertial parameters of links (..., 10), differentiable, in the order of `robot.inertial_parameter_names`.

    Args:
        mass: (...) [kg].
        center: center of mass in the link's frame (..., 3) [m].
        inertia: about the center of mass, along the axes of the link's frame (..., 3, 3), symmetric [kg m^2].

    Returns:
        Mass, mass times center, and Ixx Ixy Iyy Ixz Iyz Izz about the origin of the link's frame.
    """
    if center.shape[-1:] != (3,) or inertia.shape[-2:] != (3, 3):
        raise StateError(
            f"center and inertia have shapes {tuple(center.shape)} and {tuple(inertia.shape)}, expected (..., 3) and (..., 3, 3)"
        )
    first = mass[..., None] * center
    square = (center * center).sum(-1)[..., None, None] * torch.eye(3, dtype=center.dtype)
    about_origin = inertia + mass[..., None, None] * (square - center[..., :, None] * center[..., None, :])
    upper = torch.stack([about_origin[..., i, k] for i, k in ((0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2))], dim=-1)
    lead = torch.broadcast_shapes(mass.shape, first.shape[:-1], upper.shape[:-1])
    return torch.cat([mass[..., None].expand(*lead, 1), first.expand(*lead, 3), upper.expand(*lead, 6)], dim=-1)
