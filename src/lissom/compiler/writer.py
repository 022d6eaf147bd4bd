"""Writer: expressions of statements in infix notation, which most languages share; a language overrides the words that differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from .program import ADD, CONST, DIV, INPUT, MUL, NEG, SUB, Port
from .statements import NAME, Expression

_SUM, _PRODUCT, _SIGN, _ATOM = 1, 2, 3, 4  # how tightly operators bind


class Writer:
    """Writes expressions of one program.

    Attributes:
        functions: words for the operations that are calls, by operation; f(x, y) of those not listed.
        times, over: signs of products and quotients.
    """

    functions: ClassVar[dict[str, str]] = {}
    times: ClassVar[str] = "*"
    over: ClassVar[str] = "/"

    def __init__(self, inputs: Sequence[Port]) -> None:
        self.inputs = inputs

    def constant(self, x: float) -> str:
        """Return a number, exact to the last bit."""
        return repr(x)

    def entry(self, argument: int, k: int) -> str:
        """Return entry k, from 0, of an input."""
        return f"{self.inputs[argument].name}[{k}]"

    def name(self, name: str) -> str:
        """Return the name of a value."""
        return name

    def call(self, op: str, *arguments: str) -> str:
        """Return an operation that is not +, -, * or /."""
        return f"{self.functions.get(op, op)}({', '.join(arguments)})"

    def write(self, expression: Expression) -> str:
        """Return an expression as text."""
        return self._write(expression)[0]

    def _write(self, e: Expression) -> tuple[str, int]:
        op = e[0]
        if op == CONST:
            return self.constant(e[1]), _SIGN if e[1] < 0.0 else _ATOM
        if op == INPUT:
            return self.entry(e[1], e[2]), _ATOM
        if op == NAME:
            return self.name(e[1]), _ATOM
        if op == NEG:
            return f"-{self._at_least(e[1], _ATOM)}", _SIGN
        if op == ADD:
            return self._add(e[1], e[2]), _SUM
        if op == SUB:
            return f"{self._at_least(e[1], _SUM)} - {self._at_least(e[2], _PRODUCT)}", _SUM
        if op in (MUL, DIV):
            # a product is written in the order of its operands, and rounded in that order
            sign = self.times if op == MUL else self.over
            return f"{self._at_least(e[1], _PRODUCT)}{sign}{self._at_least(e[2], _ATOM)}", _PRODUCT
        return self.call(op, *(self.write(x) for x in e[1:])), _ATOM

    def _add(self, a: Expression, b: Expression) -> str:
        if a[0] == CONST:
            a, b = b, a  # x + 1 reads better than 1 + x, and is the same number
        if b[0] == CONST and b[1] < 0.0:
            return f"{self._at_least(a, _SUM)} - {self.constant(-b[1])}"
        if b[0] == NEG:
            return f"{self._at_least(a, _SUM)} - {self._at_least(b[1], _PRODUCT)}"
        return f"{self._at_least(a, _SUM)} + {self._at_least(b, _PRODUCT)}"

    def _at_least(self, e: Expression, binding: int) -> str:
        text, own = self._write(e)
        return text if own >= binding else f"({text})"
