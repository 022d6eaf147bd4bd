"""Quantity: a function of the joints' motion at one instant, with its first and second derivatives.

This is all that a motion problem knows of a robot: callables over many instants at once, with named entries. Any object with
`values`, `derivatives` and `curvature` of q, qd, qdd, qddd and higher derivatives can be limited or minimized.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .root import Root
from .state import State


class Block(NamedTuple):
    """Derivatives of all entries of a quantity by some of its columns.

    Attributes:
        values: (K, R, size, n).
        rows: numbers of their orders among those of the quantity (R,).
        columns: n of those of the quantity.
    """

    values: np.ndarray
    rows: tuple[int, ...]
    columns: slice


class Quantity:
    """A quantity with `size` entries at every instant.

    Attributes:
        name: in files and messages.
        labels: of the entries.
        unit: of all entries, or one per entry.
        orders: which of q, qd, qdd, qddd and the next two it depends on: 0, 1, 2, 3, 4, 5.
        depends: (size, n), whether an entry depends on a joint at all.
        path: whether it depends on the motion of the joints.
        channels: names of the channels that it depends on. Their entries follow the joints: n counts them, and so do `depends`,
            the state that it is given, its derivatives and its curvature.
        constant: whether its derivatives are the same at every state;
        identity: and each entry is the derivative of its own column, of the only order.
    """

    name: str
    labels: tuple[str, ...]
    unit: str | tuple[str, ...]
    orders: tuple[int, ...]
    depends: np.ndarray
    path: bool = True
    channels: tuple[str, ...] = ()
    constant: bool = False
    identity: bool = False
    _joined_by = ": "  # name and label; the labels of lissom's own quantities are names of joints, motors and links

    @property
    def size(self) -> int:
        """Number of entries."""
        return len(self.labels)

    def units(self) -> tuple[str, ...]:
        """Return the unit of every entry."""
        return (self.unit,) * self.size if isinstance(self.unit, str) else self.unit

    def entry_label(self, entry: int) -> str:
        """Return the label of an entry in tables and messages: "torque of elbow", "mine: speed", "regularity"."""
        label = self.labels[entry]
        return self.name if label == self.name else f"{self.name}{self._joined_by}{label}"

    def root(self, entry: int) -> Root | None:
        """Return the root by which a squared entry is shown; None where it is shown as it is."""
        return None

    def __repr__(self) -> str:
        entries = f"{self.size} entries" if self.size != 1 else "1 entry"
        units = ", ".join(filter(None, dict.fromkeys(self.units())))
        return f"<Quantity {self.name!r}: {entries}{f' [{units}]' if units else ''}>"

    def values(self, state: State) -> np.ndarray:
        """Return the entries (K, size)."""
        raise NotImplementedError

    def derivatives(self, state: State) -> np.ndarray:
        """Return the derivatives of the entries by the joints' motion (len(orders), K, size, n)."""
        raise NotImplementedError

    def curvature(self, state: State, weights: np.ndarray) -> np.ndarray | None:
        """Return the second derivatives of weights (K, size) . entries, (K, len(orders), n, len(orders), n); None if zero."""
        raise NotImplementedError

    def curvature_along(self, state: State, weights: np.ndarray, changes: np.ndarray) -> np.ndarray | None:
        """Return the second derivatives of weights (K, size) . entries along a motion (K, len(orders), n); of its shape."""
        found = self.curvature(state, weights)
        return None if found is None else np.einsum("krisj,ksj->kri", found, changes, optimize=True)

    def by_duration(self, state: State) -> np.ndarray | None:
        """Return derivatives of the entries (K, size) by the duration of each instant's clock, beside those by the motion.

        None where durations count by the motion alone.
        """
        return None

    # derivatives in memory of the caller's, as large as they are computed: `derivatives` has a copy with all zeros

    def table_sizes(self) -> tuple[int, ...]:
        """Return how many numbers of derivatives each of its tables has per instant."""
        return (len(self.orders) * self.depends.size,)

    def fill(self, state: State, tables: Sequence[np.ndarray]) -> None:
        """Compute the derivatives into tables (K, numbers)."""
        tables[0].reshape(len(state), len(self.orders), *self.depends.shape)[:] = np.moveaxis(self.derivatives(state), 0, 1)

    def blocks(self, tables: Sequence[np.ndarray]) -> list[Block]:
        """Return tables of derivatives as blocks; others are zero."""
        values = tables[0].reshape(-1, len(self.orders), *self.depends.shape)
        return [Block(values, tuple(range(len(self.orders))), slice(0, self.depends.shape[1]))]


class JointMotion(Quantity):
    """Position, velocity, acceleration or jerk of the joints themselves."""

    constant = identity = True
    _joined_by = " of "

    def __init__(self, name: str, order: int, labels: Sequence[str], units: Sequence[str]) -> None:
        self.name, self.labels, self.unit, self.orders = name, tuple(labels), tuple(units), (order,)
        self.depends = np.eye(len(labels), dtype=bool)

    def values(self, state: State) -> np.ndarray:
        """Return the rates of the joints."""
        return state.rates[self.orders[0]]

    def derivatives(self, state: State) -> np.ndarray:
        """Return ones."""
        return np.broadcast_to(np.eye(self.size), (1, len(state), self.size, self.size))

    def curvature(self, state: State, weights: np.ndarray) -> None:
        """Return None: the second derivatives are zero."""
        return
