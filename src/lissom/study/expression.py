"""Formulas in study files: arithmetic and comparisons of parameters, such as "0.6 - x" or "a + b < 2*c". No eval."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Collection, Mapping
from typing import Any

from ..errors import StateError, suggest

LONGEST = 400  # characters, so that nothing is nested too deep to be read
CONSTANTS = {"pi": math.pi}
FUNCTIONS: dict[str, Callable[..., float]] = {
    "sqrt": math.sqrt,
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "atan2": math.atan2,
    "hypot": math.hypot,
    "exp": math.exp,
    "log": math.log,
    "abs": abs,
    "min": min,
    "max": max,
}
RESERVED = (*CONSTANTS, *FUNCTIONS)  # names that parameters cannot have
_BINARY: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: lambda a, b: float(a) ** float(b),  # of whole numbers it could fill the memory
}
_UNARY: dict[type, Callable[[Any], Any]] = {ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Not: operator.not_}
_COMPARED: dict[type, Callable[[Any, Any], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}


class Expression:
    """A formula of parameters.

    Args:
        text: the formula: numbers, names, + - * / **, comparisons, and, or, not, and the functions of this module.
        names: of the parameters that it may use; None for any.

    Raises:
        StateError: it is no such formula, or uses another name.
    """

    def __init__(self, text: str, names: Collection[str] | None = None) -> None:
        self.text, self.names = text, None if names is None else tuple(names)
        self._node = self._checked(text)

    def __call__(self, values: Mapping[str, Any]) -> Any:
        """Return its value; raise StateError where it has none."""
        try:
            found = _value(self._node, values)
        except (ArithmeticError, ValueError, TypeError, RecursionError) as error:
            raise StateError(f"{self.text!r} has no value here: {error}") from None
        if isinstance(found, complex) or (isinstance(found, float) and not math.isfinite(found)):
            raise StateError(f"{self.text!r} has no finite value here")
        return found

    def __reduce__(self) -> Any:
        return Expression, (self.text, self.names)

    def _checked(self, text: str) -> ast.expr:
        if len(text) > LONGEST:
            raise StateError(f"a formula has {len(text)} characters, expected {LONGEST} at most")
        try:
            node = ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise StateError(f"{text!r} is no formula; expected numbers, parameters and + - * / ** < > and or not") from None
        for part in ast.walk(node):
            self._check(part)
        return node

    def _check(self, part: ast.AST) -> None:
        if isinstance(part, ast.Call):
            if not isinstance(part.func, ast.Name) or part.func.id not in FUNCTIONS or part.keywords:
                name = part.func.id if isinstance(part.func, ast.Name) else type(part.func).__name__
                raise StateError(f"{name!r} in {self.text!r} is no function of a formula; expected one of {', '.join(FUNCTIONS)}")
        elif isinstance(part, ast.Name):
            if self.names is not None and part.id not in (*self.names, *RESERVED):
                raise StateError(f"no parameter {part.id!r} in {self.text!r}; {suggest(part.id, self.names)}")
        elif isinstance(part, ast.Constant):
            if isinstance(part.value, bool) or not isinstance(part.value, (int, float, str)):
                raise StateError(f"{part.value!r} in {self.text!r} is no number")
        elif not isinstance(part, _ALLOWED):
            raise StateError(f"{self.text!r} is no formula: {type(part).__name__} cannot be used in one")


_ALLOWED = (ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.Load, ast.And, ast.Or, *_BINARY, *_UNARY, *_COMPARED)


def _value(node: ast.AST, values: Mapping[str, Any]) -> Any:
    if isinstance(node, ast.Constant):
        return float(node.value) if isinstance(node.value, int) else node.value
    if isinstance(node, ast.Name):
        return values[node.id] if node.id in values else CONSTANTS[node.id]
    if isinstance(node, ast.BinOp):
        return _BINARY[type(node.op)](_value(node.left, values), _value(node.right, values))
    if isinstance(node, ast.UnaryOp):
        return _UNARY[type(node.op)](_value(node.operand, values))
    if isinstance(node, ast.BoolOp):
        each = (_value(part, values) for part in node.values)
        return all(each) if isinstance(node.op, ast.And) else any(each)
    if isinstance(node, ast.Compare):
        sides = [_value(part, values) for part in (node.left, *node.comparators)]
        return all(_COMPARED[type(op)](a, b) for op, a, b in zip(node.ops, sides, sides[1:], strict=False))
    assert isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    return FUNCTIONS[node.func.id](*(_value(part, values) for part in node.args))
