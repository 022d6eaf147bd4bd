"""Tables: an operation computed on the memory of tensors, wherever that is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch

from ..errors import StateError
from ..operations import Operation


class Place(NamedTuple):
    """Where a robot computes, and with what numbers.

    Attributes:
        device, dtype: of tensors that it takes as they are.
        on_cpu: whether that is the processor.
    """

    device: torch.device
    dtype: torch.dtype
    on_cpu: bool

    @classmethod
    def of(cls, robot: Any) -> Place:
        """Return the place of a robot's backend."""
        backend = robot.backend
        if backend.name != "cuda":
            return cls(torch.device("cpu"), torch.float64, True)
        return cls(torch.device("cuda", backend.device), torch.float32 if backend.precision == "single" else torch.float64, False)

    def check(self, x: torch.Tensor, name: str) -> None:
        """Raise StateError where a tensor is in another memory."""
        if x.device == self.device:
            return
        here, there = str(self.device), str(x.device)
        other = "cuda" if x.is_cuda else "llvm"
        hint = f", or take lissom.torch.Robot(robot.to({other!r}))" if x.is_cuda or x.is_cpu else ""
        raise StateError(f"{name} is on the device {there!r}, and the robot computes on {here!r}: give {name}.to({here!r}){hint}")


def filled(operation: Operation, inputs: Sequence[torch.Tensor]) -> torch.Tensor:
    """Return the result (*lead, size) for inputs (*lead, sizes), written straight into a new tensor.

    Autograd does not record here: the caller has switched it off, or has detached the inputs.
    """
    lead = inputs[0].shape[:-1]
    if not inputs[0].is_cpu:
        return _on_card(operation, inputs)
    out = torch.empty((*lead, operation.size), dtype=torch.float64)
    if not lead.numel():
        return out
    if len(lead) > 1:  # machine code takes one sample or a table of them
        tables = [x.reshape(-1, size).numpy() for x, size in zip(inputs, operation.sizes, strict=True)]
        operation.run(*tables, out=out.view(-1, operation.size).numpy())
        return out
    operation.run(*[x.numpy() for x in inputs], out=out.numpy())
    return out


def _on_card(operation: Operation, inputs: Sequence[torch.Tensor]) -> torch.Tensor:
    """Return the result on a card, on torch's current stream; numbers that are not finite stay in it."""
    lead = inputs[0].shape[:-1]
    out = torch.empty((*lead, operation.size), dtype=inputs[0].dtype, device=inputs[0].device)
    if lead.numel():
        operation.run(*[_in_line(x.detach()) for x in inputs], out=out)
    return out


def _in_line(x: torch.Tensor) -> torch.Tensor:
    """Return a tensor that kernels take: rows or columns without gaps."""
    return x if x.is_contiguous() or (x.ndim == 2 and x.T.is_contiguous()) else x.contiguous()
