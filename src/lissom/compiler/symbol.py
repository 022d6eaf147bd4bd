"""Symbol: a scalar that records how it was computed.

Running an algorithm on symbols records a program. A graph never contains the same operation twice (hash-consing), and folds
constants and signs as it grows, so that common subexpressions and the zeros and ones of a robot are removed before any pass.
Why not CasADi's SX: docs/why/own-trace.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ..spatial import scalar
from .program import ADD, CONST, COS, DIV, EXP, GUARD, INPUT, LESS, LOG, MUL, NEG, SELECT, SIGN, SIN, SQRT, SUB, TANH


class Graph:
    """All operations of one trace. Node k is (op, a, b), with a third operand for a selection; operands are earlier nodes."""

    def __init__(self) -> None:
        self.nodes: list[tuple[Any, ...]] = []
        self._known: dict[tuple[Any, ...], Symbol] = {}

    def node(self, op: str, a: Any, b: Any = None, *more: Any) -> Symbol:
        """Return the symbol of an operation, the same one each time."""
        key = (op, a, b, *more)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = Symbol(self, len(self.nodes), op)
            self.nodes.append(key)
        return known

    def at(self, index: int) -> Symbol:
        """Return the symbol of a node."""
        return self._known[self.nodes[index]]

    def has(self, op: str, a: Any, b: Any) -> bool:
        """Return whether an operation has been recorded already."""
        return (op, a, b) in self._known

    def constant(self, value: float) -> Symbol:
        """Return a constant."""
        return self.node(CONST, float(value) + 0.0)

    def input(self, argument: int, entry: int) -> Symbol:
        """Return entry number `entry` of argument number `argument`."""
        return self.node(INPUT, argument, entry)

    def as_symbol(self, x: Any) -> Symbol:
        """Return x itself, or the constant x."""
        return x if type(x) is Symbol else self.constant(x)


class Symbol:
    """A node of a graph, with the arithmetic of a float; a series (`spatial/series.py`) has its own."""

    __slots__ = ("graph", "index", "op")
    __array_ufunc__ = None  # NumPy scalars leave the arithmetic to the symbol

    def __init__(self, graph: Graph, index: int, op: str) -> None:
        self.graph, self.index, self.op = graph, index, op

    @property
    def _value(self) -> float:
        return self.graph.nodes[self.index][1]  # type: ignore[no-any-return]

    @property
    def _negated(self) -> Symbol:
        """The operand of a negation."""
        return self.graph.nodes[self.index][1]  # type: ignore[no-any-return]

    def __add__(self, other: Any) -> Any:
        if hasattr(other, "terms"):
            return NotImplemented
        g = self.graph
        a, b = self, g.as_symbol(other)
        if b.op == CONST:
            a, b = b, a
        if a.op == CONST:
            if a._value == 0.0:
                return b
            if b.op == CONST:
                return g.constant(a._value + b._value)
        if b.op == NEG:
            return a - b._negated
        if a.op == NEG:
            return b - a._negated
        return g.node(ADD, a, b) if a.index <= b.index else g.node(ADD, b, a)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        if hasattr(other, "terms"):
            return NotImplemented
        g = self.graph
        a, b = self, g.as_symbol(other)
        if a is b:
            return g.constant(0.0)
        if b.op == CONST:
            if b._value == 0.0:
                return a
            if a.op == CONST:
                return g.constant(a._value - b._value)
        if a.op == CONST and a._value == 0.0:
            return -b
        if b.op == NEG:
            return a + b._negated
        if a.op == NEG:
            return -(a._negated + b)
        if g.has(SUB, b, a):
            return -g.node(SUB, b, a)
        return g.node(SUB, a, b)

    def __rsub__(self, other: Any) -> Any:
        return self.graph.as_symbol(other) - self

    def __mul__(self, other: Any) -> Any:
        if hasattr(other, "terms"):
            return NotImplemented
        g = self.graph
        a, b = self, g.as_symbol(other)
        if b.op == CONST:
            a, b = b, a
        if a.op == CONST:
            value = a._value
            if b.op == CONST:
                return g.constant(value * b._value)
            if value == 0.0:
                return a
            if value == 1.0:
                return b
            if value < 0.0:  # signs move outward, where a sum absorbs them
                return -(b * -value)
        if a.op == NEG:
            return -(a._negated * b)
        if b.op == NEG:
            return -(a * b._negated)
        return g.node(MUL, a, b) if a.index <= b.index else g.node(MUL, b, a)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        if hasattr(other, "terms"):
            return NotImplemented
        g = self.graph
        a, b = self, g.as_symbol(other)
        if b.op == CONST:
            return a * (1.0 / b._value)
        if b.op == NEG:
            return -(a / b._negated)
        if a.op == NEG:
            return -(a._negated / b)
        return g.node(DIV, a, b)

    def __rtruediv__(self, other: Any) -> Any:
        return self.graph.as_symbol(other) / self

    def __neg__(self) -> Any:
        if self.op == CONST:
            return self.graph.constant(-self._value)
        return self._negated if self.op == NEG else self.graph.node(NEG, self)

    def sin(self) -> Any:
        """Return the sine."""
        if self.op == CONST:
            return self.graph.constant(math.sin(self._value))
        return -self.graph.node(SIN, self._negated) if self.op == NEG else self.graph.node(SIN, self)

    def cos(self) -> Any:
        """Return the cosine."""
        if self.op == CONST:
            return self.graph.constant(math.cos(self._value))
        return self.graph.node(COS, self._negated if self.op == NEG else self)

    def sign(self) -> Any:
        """Return -1, 0 or 1."""
        if self.op == CONST:
            return self.graph.constant(float(self._value > 0) - float(self._value < 0))
        return -self.graph.node(SIGN, self._negated) if self.op == NEG else self.graph.node(SIGN, self)

    def sqrt(self) -> Any:
        """Return the square root."""
        return self._function(SQRT, scalar.sqrt)

    def exp(self) -> Any:
        """Return the exponential."""
        return self._function(EXP, scalar.exp)

    def log(self) -> Any:
        """Return the natural logarithm."""
        return self._function(LOG, scalar.log)

    def tanh(self) -> Any:
        """Return the hyperbolic tangent."""
        return -self._negated.tanh() if self.op == NEG else self._function(TANH, scalar.tanh)

    def _function(self, op: str, of_float: Callable[[float], float]) -> Any:
        return self.graph.constant(of_float(self._value)) if self.op == CONST else self.graph.node(op, self)

    def guard(self, least: float) -> Any:
        """Return the value where it is above `least`, otherwise NaN."""
        return self.graph.node(GUARD, self, self.graph.constant(least))

    def less(self, other: Any) -> Any:
        """Return 1 where it is less than another value, otherwise 0."""
        a, b = self, self.graph.as_symbol(other)
        if a is b:
            return self.graph.constant(0.0)
        if a.op == CONST and b.op == CONST:
            return self.graph.constant(a._value < b._value)
        return self.graph.node(LESS, b._negated, a._negated) if a.op == NEG and b.op == NEG else self.graph.node(LESS, a, b)

    def select(self, a: Any, b: Any) -> Any:
        """Return a where this value is above zero, otherwise b."""
        a, b = self._within(self.graph.as_symbol(a), 2), self._within(self.graph.as_symbol(b), 3)
        if a is b:
            return a
        if self.op == CONST:
            return a if self._value > 0.0 else b
        return -self.select(a._negated, b._negated) if a.op == NEG and b.op == NEG else self.graph.node(SELECT, self, a, b)

    def _within(self, x: Symbol, branch: int) -> Symbol:
        """Return the value of x in a branch of a selection by this condition: of a selection by the same one, its branch."""
        if x.op == NEG:
            inner = self._within(x._negated, branch)
            return x if inner is x._negated else -inner
        if x.op == SELECT and self.graph.nodes[x.index][1] is self:
            return self.graph.nodes[x.index][branch]  # type: ignore[no-any-return]
        return x
