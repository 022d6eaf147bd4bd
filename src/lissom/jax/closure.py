"""Closure: the configuration of a closed robot's tree as a differentiable function of its coordinates.

Newton's method from home, a fixed number of steps, inside the program: too far from home the result is NaN. Derivatives do not
go through its steps: the tree moves along the directions that keep its loops closed, a function of the configuration itself.
"""

from __future__ import annotations

import functools
from typing import Any

import jax

from ..operations import Closure
from .primitive import evaluate


@functools.partial(jax.custom_jvp, nondiff_argnums=(0,))
def closed(closure: Closure, q: Any) -> Any:
    """Return configurations of the tree (*lead, nq of the tree) at coordinates (*lead, nq)."""
    return evaluate(closure.near_home, [q])


@closed.defjvp
def _along(closure: Closure, primals: Any, tangents: Any) -> Any:
    tree = closed(closure, *primals)
    return tree, evaluate(closure.rates, [tree, *tangents])
