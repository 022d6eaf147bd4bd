r"""Notation: statements as equations, with the symbols of the recursion.

w3_x         \omega_{3,x}           dw3_x, ddw3_x   \dot\omega, \ddot\omega
w3_x_neg     \omega_{3,x}^{-}, the negative, where only that is computed
w3_x_2       \omega_{3,x}'', a second value of that name
s_q2, c_q2   S_{2}, C_{2}           t12             t_{12}
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...compiler import program as ops
from ...compiler.labels import Label
from ...compiler.program import Port
from ...compiler.statements import SINCOS, Expression, Listing, Statement
from ...compiler.writer import Writer
from ..library import Argument

_GREEK = {"w": r"\omega", "tau": r"\tau"}
_INPUTS = {"q": "q", "qd": r"\dot q", "qdd": r"\ddot q", "qddd": r"\dddot q", "tau": r"\tau"}
_WORDS = {ops.SQRT: r"\sqrt", ops.EXP: r"\exp", ops.LOG: r"\ln", ops.TANH: r"\tanh", ops.SIGN: r"\operatorname{sign}"}
_DOTS = ("", r"\dot ", r"\ddot ", r"\dddot ")


class Notation(Writer):
    """Writes the expressions of a listing as mathematics."""

    times = r"\,"

    def __init__(self, inputs: Sequence[Port], listing: Listing) -> None:
        super().__init__(inputs)
        self.symbols: dict[str, str] = {}
        for statement in listing.statements:
            for name in filter(None, statement.names):
                self.symbols[name] = _symbol(name, statement.label)

    def constant(self, x: float) -> str:
        """Return a number, exact to the last bit."""
        digits, _, power = repr(x).partition("e")
        digits = digits.removesuffix(".0")
        return rf"{digits} \cdot 10^{{{int(power)}}}" if power else digits

    def entry(self, argument: int, k: int) -> str:
        """Return entry k, from 0, of an input."""
        return input_symbol(self.inputs[argument].name, k)

    def name(self, text: str) -> str:
        """Return the symbol of a value."""
        return self.symbols[text]

    def quotient(self, a: str, b: str) -> str:
        """Return a fraction."""
        return rf"\frac{{{a}}}{{{b}}}"

    def call(self, op: str, *arguments: str) -> str:
        """Return an operation that is not +, -, * or /."""
        if op == ops.SQRT:
            return rf"\sqrt{{{arguments[0]}}}"
        if op == ops.GUARD:
            return rf"\left[{arguments[0]}\right]_{{> {arguments[1]}}}"
        if op == ops.LESS:
            return rf"\left[{arguments[0]} < {arguments[1]}\right]"
        if op == ops.SELECT:
            return rf"\begin{{cases}} {arguments[1]} & {arguments[0]} > 0 \\ {arguments[2]} & \text{{else}} \end{{cases}}"
        return rf"{_WORDS[op]}\left({', '.join(arguments)}\right)"

    def equation(self, statement: Statement) -> str:
        """Return a statement as one or two equations."""
        if statement.expression[0] != SINCOS:
            return f"{self.symbols[statement.names[0]]} &= {self.write(statement.expression)}"
        _, angle, shift = statement.expression
        text = self.write(angle)
        if shift:
            text = rf"\left({text} {'+' if shift > 0 else '-'} {self.constant(abs(shift))}\right)"
        both = zip(statement.names, (r"\sin", r"\cos"), strict=True)
        return r", \quad ".join(
            f"{self.symbols[name]} {'&' if not k else ''}= {word} {text}" for k, (name, word) in enumerate(both) if name
        )

    def result(self, argument: Argument, entry: int, expression: Expression) -> str:
        """Return the equation of an entry, from 0, of a result."""
        return f"{result_symbol(argument, entry)} &= {self.write(expression)}"


def input_symbol(name: str, k: int) -> str:
    """Return the symbol of entry k, from 0, of an argument."""
    return f"{_INPUTS.get(name, word(name))}_{{{k + 1}}}"


def result_symbol(argument: Argument, k: int) -> str:
    """Return the symbol of entry k, from 0, of a result: with an index for each of its axes."""
    stem = _INPUTS.get(argument.name, word(argument.name))
    places: list[str] = []
    for n in reversed(argument.shape):
        k, place = divmod(k, n)
        places.insert(0, str(place + 1))
    return f"{stem}_{{{','.join(places)}}}" if places else stem


def word(name: str) -> str:
    """Return a name of several letters as a symbol."""
    text = name.replace("_", r"\_")
    return name if len(name) == 1 else rf"\mathrm{{{text}}}"


def symbol_of(symbol: str) -> str:
    """Return the symbol that names of values begin with, without its index."""
    return _symbol(symbol, Label(symbol))


def _symbol(name: str, label: Label | None) -> str:
    if label is None:
        if turned := re.fullmatch(r"([sc])_(?:q(\d+)|(.*))", name):
            return f"{turned[1].upper()}_{{{turned[2] or word(turned[3])}}}"
        plain = re.fullmatch(r"([a-z]+)(\d+)", name)
        return f"{plain[1]}_{{{plain[2]}}}" if plain else word(name)
    dots = len(label.symbol) - len(label.symbol.lstrip("d")) if label.symbol.strip("d") else 0
    stem = label.symbol[dots:]
    parts = [part for part in label.component.split("_") if part and part != "neg"]
    index = ",".join([str(label.number)] * bool(label.number) + parts)
    again = re.fullmatch(r"_(\d+)", name.removeprefix(str(label)))
    marks = ("-" if "neg" in label.component.split("_") else "") + r"\prime" * (int(again[1]) - 1 if again else 0)
    symbol = f"{_DOTS[min(dots, 3)]}{_GREEK.get(stem, word(stem))}"
    return f"{symbol}{f'_{{{index}}}' if index else ''}{f'^{{{marks}}}' if marks else ''}"
