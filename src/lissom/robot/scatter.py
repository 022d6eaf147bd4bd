"""Scatter: puts the entries that a task computes into arrays whose other entries are zero."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..compiler.program import Port
from ..compiler.run import check_out
from ..compiler.task import Task
from ..errors import StateError
from ..memory import FEWER, are_few, check_result, samples_of

Places = tuple[tuple[int, ...], np.ndarray]  # shape of a result, and positions in it that may be other than zero


def as_places(pairs: Sequence[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
    """Return rows and columns of entries, as read-only arrays: every caller gets the same ones."""
    rows, columns = np.ascontiguousarray(np.array(pairs, dtype=np.intp).reshape(-1, 2).T)
    rows.flags.writeable = columns.flags.writeable = False
    return rows, columns


@dataclass(frozen=True, eq=False)
class Spread:
    """A function whose task gives the entries at some places of its result; the others are zero.

    Attributes:
        packed: the task, as a function of its arguments.
        where: positions of its numbers in the flattened result.
        shape: of the result of one sample.
        name: for messages.
    """

    packed: Callable[..., np.ndarray]
    where: np.ndarray
    shape: tuple[int, ...]
    name: str

    def __call__(self, *arguments: Any, out: np.ndarray | None = None) -> np.ndarray:
        """Return the result, computed into `out` if given."""
        if out is not None:
            check_out(out)
        elif not are_few(arguments):
            check_result(samples_of(arguments), math.prod(self.shape), self.name, FEWER)
        return spread(self.packed(*arguments), self.where, self.shape, out)


@functools.lru_cache(256)
def in_full(maker: Callable[..., Task], where: tuple[int, ...], size: int) -> Callable[..., Task]:
    """Return the maker of a task whose result has all entries, those that are zero too; the same one for the same arguments."""

    def full(model: Any, **options: Any) -> Task:
        task = maker(model, **options)

        def whole(text: Callable[..., Sequence[Sequence[Any]]]) -> Callable[..., Sequence[Sequence[Any]]]:
            def spread_out(*arguments: Any) -> list[list[Any]]:
                found: list[Any] = [0.0] * size
                for place, x in zip(where, text(*arguments)[0], strict=True):
                    found[place] = x
                return [found]

            return spread_out

        output = (Port(task.outputs[0].name, size),)
        return replace(task, key=f"{task.key} in full", outputs=output, texts=[whole(text) for text in task.texts])

    full.__name__, full.__doc__ = maker.__name__, maker.__doc__
    return full


def spread(packed: np.ndarray, where: np.ndarray, shape: tuple[int, ...], out: np.ndarray | None) -> np.ndarray:
    """Return an array (..., *shape) with the entries `packed` (..., n) at the positions `where` of the flattened shape."""
    lead = packed.shape[:-1]
    full = (*lead, *shape)
    if out is not None and out.shape != full:
        raise StateError(f"out has shape {out.shape}, expected {full}")
    if out is None or not out.flags.c_contiguous:
        result = np.zeros(full)
    else:
        result = out
        result.fill(0.0)
    if lead:
        # without samples, or without entries, -1 would not say how long the last axis is
        flat = result.reshape(math.prod(lead), math.prod(shape))
        flat[:, where] = packed.reshape(len(flat), len(where))
    else:
        result.reshape(-1)[where] = packed
    if out is not None and result is not out:
        out[...] = result
        return out
    return result
