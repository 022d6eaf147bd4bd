"""Tables: functions whose result is one table for each part of the state, as methods."""

from __future__ import annotations

import functools
import math
from typing import Any

from ..arrays import Out
from ..derivatives import Derivatives
from ..memory import PRODUCTS, are_few, check_result, samples_of
from .functions import Functions


class Tables(Functions):
    """Functions that return Derivatives."""

    def _tables(self, name: str, state: tuple[Any, ...], out: Out, **values: Any) -> Derivatives:
        """Evaluate a function with one table for each part of the state, and cut the result into them."""
        entry = self.catalogue[name]
        call = self._with(entry, values)
        if out is None and not are_few(state + call.more):
            numbers = math.prod(call.shape)
            check_result(samples_of(state + call.more), numbers, f"{name} of {self.name!r}", PRODUCTS)
        found = call.run(*state, *call.more, out=out)
        return Derivatives(**{name: found[here] for name, here in _tables_of(entry.state, len(call.shape) - 1)})


@functools.cache
def _tables_of(state: tuple[str, ...], axes: int) -> tuple[tuple[str, tuple[Any, ...]], ...]:
    """Return the name and the index of each table of derivatives, whose results have `axes` axes."""
    rest = (slice(None),) * axes
    return tuple((f"d{x}", (..., k, *rest)) for k, x in enumerate(state))
