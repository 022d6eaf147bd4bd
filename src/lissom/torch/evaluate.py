"""Evaluate: an operation on tensors, for autograd in reverse and forward mode, torch.func and torch.compile.

A derivative of an operation is an operation, evaluated in the same way, so that it can be differentiated again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch.autograd import forward_ad

from ..operations import Operation
from . import compiled
from .tables import filled

_transforming = torch._C._are_functorch_transforms_active
_is_mapped = torch._C._functorch.is_legacy_batchedtensor
_is_compiling = torch.compiler.is_compiling


def evaluate(operation: Operation, inputs: Sequence[torch.Tensor]) -> torch.Tensor:
    """Return the result (*lead, size) of an operation for float64 inputs (*lead, sizes) with the same leading axes."""
    if _is_compiling():
        return compiled.evaluate(list(inputs), operation.name)
    if _transforming():
        return _Transformed.apply(operation, *inputs)  # type: ignore[no-any-return]
    if forward_ad._current_level >= 0:
        return _Recorded.apply(operation, *inputs)  # type: ignore[no-any-return]
    if torch.is_grad_enabled():
        for x in inputs:  # faster than any()
            if x.requires_grad:
                return _Recorded.apply(operation, *inputs)  # type: ignore[no-any-return]
    return filled(operation, inputs)


def gradients(operation: Operation, inputs: Sequence[Any], weights: torch.Tensor, needed: Sequence[bool]) -> list[Any]:
    """Return the gradients of weights . result by inputs that are needed, None for the others."""
    by = tuple(k for k, need in enumerate(needed) if need)
    backward, given = operation.pullback(by), [*inputs, weights]
    if _is_mapped(weights):  # by is_grads_batched=True or vectorize=True, an older way that repeats operators of one tensor
        found = compiled.evaluate_joined(torch.cat([x.expand(*weights.shape[:-1], -1) for x in given], dim=-1), backward.name)
    else:
        found = evaluate(backward, given)
    parts = iter(found.split([operation.sizes[k] for k in by], dim=-1))
    return [next(parts) if need else None for need in needed]


class _Differentiated(torch.autograd.Function):
    """Derivatives of both ways to record an operation."""

    @staticmethod
    def backward(ctx: Any, *weights: Any) -> Any:
        """Return the gradients by the inputs."""
        (own,) = weights
        if own is None:
            return (None,) * len(ctx.needs_input_grad)
        return None, *gradients(ctx.operation, ctx.saved_tensors, own, ctx.needs_input_grad[1:])

    @staticmethod
    def jvp(ctx: Any, *tangents: Any) -> Any:
        """Return the derivative along tangents of the inputs."""
        along = tuple(k for k, x in enumerate(tangents[1:]) if x is not None)
        if not along:
            return None
        moves = [x for x in tangents[1:] if x is not None]
        return evaluate(ctx.operation.pushforward(along), [*ctx.saved_tensors, *moves])

    @staticmethod
    def vmap(info: Any, in_dims: Any, operation: Operation, *inputs: torch.Tensor) -> Any:
        """Make the mapped axis one more leading axis."""
        return evaluate(operation, in_front(info.batch_size, in_dims[1:], inputs)), 0


class _Recorded(_Differentiated):
    """An operation outside of torch.func: this style of a Function takes half the time of the other."""

    @staticmethod
    def forward(ctx: Any, operation: Operation, *inputs: torch.Tensor) -> torch.Tensor:
        """Compute."""
        ctx.operation = operation
        ctx.save_for_backward(*inputs)
        if forward_ad._current_level >= 0:
            ctx.save_for_forward(*inputs)
        ctx.set_materialize_grads(False)
        return filled(operation, inputs)


class _Transformed(_Differentiated):
    """An operation inside of torch.func, which asks for a separate context."""

    @staticmethod
    def forward(operation: Operation, *inputs: torch.Tensor) -> torch.Tensor:
        """Compute."""
        return filled(operation, inputs)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        """Keep what derivatives need."""
        ctx.operation = inputs[0]
        ctx.save_for_backward(*inputs[1:])
        ctx.save_for_forward(*inputs[1:])
        ctx.set_materialize_grads(False)


def in_front(size: int, dims: Sequence[int | None], tensors: Sequence[torch.Tensor]) -> list[torch.Tensor]:
    """Return tensors with the mapped axis in front, repeated where one is not mapped."""
    return [x.expand(size, *x.shape) if d is None else x.movedim(d, 0) for x, d in zip(tensors, dims, strict=True)]
