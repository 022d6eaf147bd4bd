"""Primitive: an operation inside JAX's programs, with its rules for jit, jvp, transposition and vmap.

A derivative of an operation is an operation, and so the same primitive again: rules hold to any order, forward and reverse.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir

from ..errors import StateError
from ..operations import Operation
from . import card_handler, handler, sharding
from .frame import MOST, PROCESS

evaluate_p = Primitive("lissom")
_compiled: dict[Operation, Any] = {}  # calls outside of jit
_alive: set[Operation] = set()  # whose machine code compiled programs may call: as long as the process


def evaluate(operation: Operation, inputs: Sequence[Any]) -> Any:
    """Return the result (*lead, size) of an operation for float64 inputs (*lead, sizes) with the same leading axes."""
    return evaluate_p.bind(*inputs, operation=operation)


def _run(*inputs: Any, operation: Operation) -> Any:
    if operation not in _compiled:
        _compiled[operation] = jax.jit(lambda *given: evaluate_p.bind(*given, operation=operation))
    return _compiled[operation](*inputs)


def _result(*inputs: Any, operation: Operation) -> Any:
    # the first input's own type, so that leading axes keep their devices
    return inputs[0].update(shape=(*inputs[0].shape[:-1], operation.size), dtype=jnp.dtype("float64"), weak_type=False)


def _on_cpu(context: Any, *inputs: Any, operation: Operation) -> Any:
    _check(inputs, operation)
    kernel = operation.function.prepared.kernel
    if kernel is None:
        raise StateError(
            f"{operation.robot.name!r} computes on the card, and this part runs on the CPU; "
            "take lissom.jax.Robot(robot.to('llvm')), which serves both"
        )
    handler.register()
    single = math.prod(context.avals_out[0].shape[:-1]) == 1
    kernel.one if single else kernel.batch  # noqa: B018 - compiles it
    _alive.add(operation)
    attributes = {"kernel": kernel.addresses[0 if single else 1], "process": PROCESS, "single": int(single)}
    return _called(handler.TARGET, context, inputs, attributes)


def _on_card(context: Any, *inputs: Any, operation: Operation) -> Any:
    _check(inputs, operation)
    card_handler.register()
    return _called(card_handler.TARGET, context, inputs, card_handler.attributes(operation))


def _called(target: str, context: Any, inputs: Sequence[Any], attributes: dict[str, int]) -> Any:
    rule = jax.ffi.ffi_lowering(target, extra_attributes=sharding.attributes(context))
    return rule(context, *inputs, **{name: np.int64(x) for name, x in attributes.items()})


def _check(inputs: Sequence[Any], operation: Operation) -> None:
    if len(inputs) >= MOST - 1:
        raise StateError(f"{operation} has {len(inputs)} inputs, more than {MOST - 2}")


def _elsewhere(context: Any, *inputs: Any, operation: Operation) -> Any:
    raise StateError(
        "lissom.jax computes on the CPU and on NVIDIA cards: run this part there, with jax.default_device(jax.devices('cpu')[0])"
    )


def _jvp(primals: Sequence[Any], tangents: Sequence[Any], *, operation: Operation) -> Any:
    value = evaluate(operation, primals)
    along = tuple(k for k, x in enumerate(tangents) if type(x) is not ad.Zero)
    moves = [tangents[k] for k in along]
    return value, evaluate(operation.pushforward(along), [*primals, *moves])


def _transposed(weights: Any, *inputs: Any, operation: Operation) -> Any:
    """Return cotangents of the unknown inputs, in which the operation is linear."""
    unknown = tuple(k for k, x in enumerate(inputs) if ad.is_undefined_primal(x))
    if type(weights) is ad.Zero:
        return [ad.Zero(x.aval) if k in unknown else None for k, x in enumerate(inputs)]
    if operation.of is not None and unknown[0] >= len(operation.of[0].sizes):  # tangents: the transpose is the pullback
        base, along = operation.of
        backward, given = base.pullback(tuple(along[k - len(base.sizes)] for k in unknown)), list(inputs[: len(base.sizes)])
    else:  # its derivatives do not depend on inputs in which it is linear
        zeros = [jnp.zeros(x.aval.shape, x.aval.dtype) if k in unknown else x for k, x in enumerate(inputs)]
        backward, given = operation.pullback(unknown), zeros
    found = evaluate(backward, [*given, weights])
    edges = np.cumsum([operation.sizes[k] for k in unknown])[:-1]
    parts = dict(zip(unknown, jnp.split(found, edges, axis=-1), strict=True))
    return [parts.get(k) for k in range(len(inputs))]


def _batched(inputs: Sequence[Any], dims: Sequence[Any], *, operation: Operation) -> Any:
    """Make the mapped axis one more leading axis."""
    size = next(x.shape[d] for x, d in zip(inputs, dims, strict=True) if d is not None)
    front = [
        jnp.broadcast_to(x, (size, *x.shape)) if d is None else jnp.moveaxis(x, d, 0) for x, d in zip(inputs, dims, strict=True)
    ]
    return evaluate(operation, front), 0


evaluate_p.def_impl(_run)
evaluate_p.def_abstract_eval(_result)
mlir.register_lowering(evaluate_p, _elsewhere)
mlir.register_lowering(evaluate_p, _on_cpu, platform="cpu")
mlir.register_lowering(evaluate_p, _on_card, platform="cuda")
ad.primitive_jvps[evaluate_p] = _jvp
ad.primitive_transposes[evaluate_p] = _transposed
batching.primitive_batchers[evaluate_p] = _batched
