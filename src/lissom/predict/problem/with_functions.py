"""Functions of many decision vectors of a motion problem."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import lissom

from ...compiler.backend import Backend


class WithFunctions:
    """The part of a motion problem that gives its functions."""

    _batch: ClassVar[Callable[..., Any]]  # class of `batch/functions.py`, which imports the problem's; `predict` sets it

    def functions(self, backend: Backend | str | None = None) -> lissom.predict.BatchFunctions:
        """Return objective, constraints and derivatives as functions of many decision vectors at once.

        Args:
            backend: None for that of the robot; "cuda" or `lissom.CUDA(...)` for a card, whose arrays they then take too.

        Raises:
            DeviceError: there is no card, or no driver.
            StateError: a quantity of the problem has no such functions; the message names it.
        """
        return type(self)._batch(self, backend)  # type: ignore[no-any-return]
