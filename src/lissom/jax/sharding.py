"""Sharding: what the partitioner has to know, so that a batch spread over devices is computed where it lies."""

from __future__ import annotations

from typing import Any

import jax
from jax.extend.mlir import ir


def attributes(context: Any) -> dict[str, Any]:
    """Return attributes of a call that say: leading axes are a batch, last axes stay whole."""
    lead, place = len(context.avals_out[0].shape) - 1, context.module_context.context
    counted = ir.DictAttr.get({"num_batch_dims": ir.StringAttr.get(str(lead), context=place)}, context=place)
    found: dict[str, Any] = {"mhlo.frontend_attributes": counted}
    shapes = [x.shape for x in (*context.avals_in, *context.avals_out)]
    fixed = all(isinstance(n, int) for shape in shapes for n in shape)
    if fixed and getattr(jax.config, "jax_use_shardy_partitioner", False):
        found["sdy.sharding_rule"] = ir.Attribute.parse(_rule(lead, shapes), context=place)
    return found


def _rule(lead: int, shapes: list[tuple[int, ...]]) -> str:
    """Return the rule of Shardy: factors of the leading axes are those of all tables, each last axis has its own."""
    batch, whole = [_factor(k) for k in range(lead)], [_factor(lead + k) for k in range(len(shapes))]
    tables = [f"[{', '.join([*batch, own])}]" for own in whole]
    sizes = [*zip(batch, shapes[0], strict=False), *zip(whole, (shape[-1] for shape in shapes), strict=True)]
    equal = ", ".join(f"{name}={size}" for name, size in sizes)
    return (
        f"#sdy.op_sharding_rule<({', '.join(tables[:-1])})->({tables[-1]}) {{{equal}}} "
        f"need_replication={{{', '.join(whole)}}}, custom>"
    )


def _factor(k: int) -> str:
    """Return the name of a factor as Shardy writes it."""
    letters = "ijklmnopqrstuvwxyz"
    return letters[k] if k < len(letters) else f"z_{k - len(letters) + 1}"
