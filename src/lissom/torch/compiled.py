"""Compiled: operations as custom operators of torch, which torch.compile and torch.export keep as they are.

Outside of compiled code they are not used: a custom operator takes some 20 us, a Function of autograd a third of that.
"""

from __future__ import annotations

from typing import Any

import torch

from ..operations.operation import operation_of
from .tables import filled


@torch.library.custom_op("lissom::evaluate", mutates_args=())
def evaluate(inputs: list[torch.Tensor], name: str) -> torch.Tensor:
    """Return the result of the operation of this name."""
    return filled(operation_of(name), [x.detach() for x in inputs])


@evaluate.register_fake
def _(inputs: list[torch.Tensor], name: str) -> torch.Tensor:
    return inputs[0].new_empty((*inputs[0].shape[:-1], operation_of(name).size))


def _keep(ctx: Any, inputs: tuple[Any, ...], output: torch.Tensor) -> None:
    tensors, ctx.name = inputs
    ctx.save_for_backward(*tensors)


def _backward(ctx: Any, weights: torch.Tensor) -> Any:
    operation = operation_of(ctx.name)
    needed = ctx.needs_input_grad[0]
    by = tuple(k for k, need in enumerate(needed) if need)
    found = evaluate([*ctx.saved_tensors, weights], operation.pullback(by).name)
    parts = iter(found.split([operation.sizes[k] for k in by], dim=-1))
    return [next(parts) if need else None for need in needed], None


evaluate.register_autograd(_backward, setup_context=_keep)


@evaluate.register_vmap
def _(info: Any, in_dims: Any, inputs: list[torch.Tensor], name: str) -> Any:
    size = info.batch_size
    moved = [x.expand(size, *x.shape) if d is None else x.movedim(d, 0) for x, d in zip(inputs, in_dims[0], strict=True)]
    return evaluate(moved, name), 0


@torch.library.custom_op("lissom::evaluate_joined", mutates_args=())
def evaluate_joined(inputs: torch.Tensor, name: str) -> torch.Tensor:
    """Return the result of the operation of this name, whose inputs stand side by side."""
    operation = operation_of(name)
    return filled(operation, inputs.detach().split(operation.sizes, dim=-1))


@evaluate_joined.register_fake
def _(inputs: torch.Tensor, name: str) -> torch.Tensor:
    return inputs.new_empty((*inputs.shape[:-1], operation_of(name).size))
