"""Tables: an operation computed on the memory of tensors, wherever that is."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from ..errors import StateError
from ..operations import Operation


def check_device(x: torch.Tensor, name: str) -> None:
    """Raise StateError where there is no backend for the memory of a tensor."""
    if not x.is_cpu:
        raise StateError(
            f"{name} is on the device {str(x.device)!r}; lissom.torch computes on the CPU: give {name}.cpu(), or make the robot "
            "and its tensors there"
        )


def filled(operation: Operation, inputs: Sequence[torch.Tensor]) -> torch.Tensor:
    """Return the result (*lead, size) for float64 inputs (*lead, sizes), written straight into a new tensor.

    Autograd does not record here: the caller has switched it off, or has detached the inputs.

    This is the one place that touches memory: where a backend for another device is added, its tables are filled from here by
    `data_ptr()`.
    """
    lead = inputs[0].shape[:-1]
    out = torch.empty((*lead, operation.size), dtype=torch.float64)
    if not lead.numel():
        return out
    if len(lead) > 1:  # machine code takes one sample or a table of them
        tables = [x.reshape(-1, size).numpy() for x, size in zip(inputs, operation.sizes, strict=True)]
        operation.run(*tables, out=out.view(-1, operation.size).numpy())
        return out
    operation.run(*[x.numpy() for x in inputs], out=out.numpy())
    return out
