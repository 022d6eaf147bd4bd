"""Closure: the configuration of a closed robot's tree as a differentiable function of its coordinates.

It is found by Newton's method, and differentiated without it: where coordinates move, the tree moves along the directions that
keep its loops closed, a function of the configuration itself.
"""

from __future__ import annotations

from typing import Any

import torch

from ..errors import StateError
from ..operations import Closure
from .evaluate import _transforming, evaluate
from .tables import filled


def closed(closure: Closure, q: torch.Tensor) -> torch.Tensor:
    """Return configurations of the tree (*lead, nq of the tree) at coordinates (*lead, nq)."""
    if torch.compiler.is_compiling():
        raise StateError("functions of closed robots cannot be compiled by torch.compile; exclude them by torch.compiler.disable")
    return (_Transformed if _transforming() else _Recorded).apply(closure, q)  # type: ignore[no-any-return]


class _Differentiated(torch.autograd.Function):
    @staticmethod
    def backward(ctx: Any, *weights: Any) -> Any:
        """Return the gradient by the coordinates."""
        (own,), (tree,) = weights, ctx.saved_tensors
        if own is None:
            return None, None
        rates = ctx.closure.rates
        still = tree.new_zeros((*tree.shape[:-1], rates.sizes[1]))  # rates are linear in these
        return None, evaluate(rates.pullback((1,)), [tree, still, own])

    @staticmethod
    def jvp(ctx: Any, *tangents: Any) -> Any:
        """Return the rates of the configuration."""
        (tree,) = ctx.saved_tensors
        return None if tangents[1] is None else evaluate(ctx.closure.rates, [tree, tangents[1]])

    @staticmethod
    def vmap(info: Any, in_dims: Any, closure: Closure, q: torch.Tensor) -> Any:
        """Make the mapped axis one more leading axis."""
        return closed(closure, q.movedim(in_dims[1], 0)), 0


class _Recorded(_Differentiated):
    @staticmethod
    def forward(ctx: Any, closure: Closure, q: torch.Tensor) -> torch.Tensor:
        """Compute."""
        tree = _solved(closure, q)
        _keep(ctx, closure, tree)
        return tree


class _Transformed(_Differentiated):
    @staticmethod
    def forward(closure: Closure, q: torch.Tensor) -> torch.Tensor:
        """Compute."""
        return _solved(closure, q)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        """Keep what derivatives need."""
        _keep(ctx, inputs[0], output)


def _solved(closure: Closure, q: torch.Tensor) -> torch.Tensor:
    q = q.detach()
    if not q.is_cuda or not q.numel():
        return _on_processor(closure, q)
    tree = filled(closure.near_home, [q])
    lost = ~torch.isfinite(tree).all(-1)
    if bool(lost.any()):  # too far from home for the kernel
        tree[lost] = _on_processor(closure, q[lost])
    return tree


def _on_processor(closure: Closure, q: torch.Tensor) -> torch.Tensor:
    return torch.from_numpy(closure.solve(q.cpu().numpy())).to(q.device, q.dtype)


def _keep(ctx: Any, closure: Closure, tree: torch.Tensor) -> None:
    ctx.closure = closure
    ctx.save_for_backward(tree)
    ctx.save_for_forward(tree)
    ctx.set_materialize_grads(False)
