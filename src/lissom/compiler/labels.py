"""Labels: what values of a trace are called in the recursion, and the section of it that they belong to.

A recursion says `section("outward", j, ...)` where it begins a part and `label("w", j, w)` where it has found a quantity of a
book. Only a trace for source to be read listens; everywhere else both return at once, and machine code never sees them.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any

from ..spatial.inertia import SpatialInertia, Symmetric
from ..spatial.vector import Matrix, Vector
from .program import NEG
from .symbol import Graph, Symbol

AXES = ("x", "y", "z")


@dataclass(frozen=True)
class Label:
    """The name of a value in parts: w of body 3 along x. Numbers count from 1, as in books; 0 is none."""

    symbol: str
    number: int = 0
    component: str = ""

    def __str__(self) -> str:
        return f"{self.symbol}{self.number or ''}{'_' if self.component else ''}{self.component}"


@dataclass(frozen=True)
class Section:
    """A part of a recursion: a pass, the body it has come to, and the equations that it evaluates there.

    Attributes:
        title: what is computed, in words.
        number, name: of the body, from 1; 0 and "" where the part is not of one body.
        equations: paper and numbers, such as "Khalil 2010 (18)-(23)".
    """

    title: str
    number: int = 0
    name: str = ""
    equations: str = ""

    def __str__(self) -> str:
        body = f", body {self.number} ({self.name})" if self.number else ""
        return f"{self.title}{body}{', ' if self.equations else ''}{self.equations}"


@dataclass
class Notes:
    """What a trace has heard: labels by node, and where sections begin."""

    graph: Graph
    labels: dict[int, Label] = field(default_factory=dict)
    sections: list[tuple[int, Section]] = field(default_factory=list)
    meanings: dict[str, str] = field(default_factory=dict)

    def put(self, x: Any, label: Label) -> None:
        """Give a value its name, unless it has one; where only its negative is computed, that is w3_x_neg."""
        if type(x) is not Symbol or x.graph is not self.graph:
            return
        if x.op == NEG:
            x, label = x._negated, replace(label, component=_negative(label.component))
        self.labels.setdefault(x.index, label)


def _negative(component: str) -> str:
    """Return the component of a negative; that of a negative's negative is the plain one again."""
    if component == "neg" or component.endswith("_neg"):
        return component[:-3].removesuffix("_")
    return f"{component}{'_' if component else ''}neg"


listening: ContextVar[Notes | None] = ContextVar("listening", default=None)


def section(title: str, body: int = -1, name: str = "", equations: str = "") -> None:
    """Begin a part of a recursion; `body` counts from 0, as in a tree."""
    notes = listening.get()
    if notes is not None:
        notes.sections.append((len(notes.graph.nodes), Section(title, body + 1, name, equations)))


def legend(**meanings: str) -> None:
    """Say what symbols of a recursion mean; one that two recursions of a function use has both meanings."""
    notes = listening.get()
    if notes is not None:
        for symbol, meaning in meanings.items():
            known = notes.meanings.setdefault(symbol, meaning)
            if meaning not in known:
                notes.meanings[symbol] = f"{known}, or {meaning}"


def label(symbol: str, body: int, x: Any, component: str = "") -> None:
    """Name a scalar, or the entries of a vector, a matrix, an inertia or a sequence.

    Components: x; xy of a matrix; Axy, Bxy, Cxy of the blocks of an inertia; 1 to 6 of a twist or a wrench. Rates of a series get
    a d before the name for each derivative.
    """
    notes = listening.get()
    if notes is None:
        return
    if hasattr(x, "terms"):
        for order, term in enumerate(x.terms):
            label("d" * order + symbol, body, term, component)
    elif isinstance(x, Vector):
        for axis, part in zip(AXES, x, strict=True):
            label(symbol, body, part, component + axis)
    elif isinstance(x, Matrix):
        for axis, row in zip(AXES, x.rows, strict=True):
            label(symbol, body, row, component + axis)
    elif isinstance(x, Symmetric):
        for entry in Symmetric.__slots__:
            label(symbol, body, getattr(x, entry), component + entry)
    elif isinstance(x, SpatialInertia):
        for block in SpatialInertia.__slots__:
            label(symbol, body, getattr(x, block), component + block)
    elif isinstance(x, Sequence) and any(isinstance(part, Vector) for part in x):
        label(symbol, body, [entry for part in x for entry in part], component)
    elif isinstance(x, Sequence):
        for k, part in enumerate(x):
            label(symbol, body, part, f"{component}{'_' if component else ''}{k + 1}")
    else:
        notes.put(x, Label(symbol, body + 1, component))
