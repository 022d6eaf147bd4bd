"""NumPy source: a program as lines of Python over arrays of samples.

Running an algorithm's text on arrays spends most of its time in Python: on vectors, on constants that fold, on calls. Lines made
once from its program have arithmetic alone. Samples go through in blocks that fit a near cache, and a name is used again as
soon as its value is not: an array that was written last is still near.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import CodeType
from typing import Any, ClassVar

import numpy as np

from ..spatial import scalar
from .program import EXP, GUARD, INPUT, LESS, LOG, SELECT, SIGN, SQRT, TANH, Port, Program
from .statements import SINCOS, Expression, Listing, Statement, listing, names_in
from .writer import Writer

BLOCK = 2048  # samples that go through at once
_LINES = 2000  # compiled at once: Python needs memory that grows with the length
_WORDS: dict[str, Any] = {"sincos": scalar.sincos, "sincos_plus": scalar.sincos_plus, "sign": scalar.sign, "guard": scalar.guard}
_WORDS |= {"less": scalar.less, "select": scalar.select, "sqrt": np.sqrt, "exp": np.exp, "log": np.log, "tanh": np.tanh}


class NumpyWriter(Writer):
    """Expressions over NumPy arrays; an entry of an input is an array of samples."""

    functions: ClassVar[dict[str, str]] = {
        op: op for op in (SQRT, EXP, LOG, TANH, SIGN, GUARD, LESS, SELECT)
    }  # names in _WORDS; exported source has its own

    def entry(self, argument: int, k: int) -> str:
        """Return the array of one entry."""
        return f"x{argument}_{k}"


class _Reusing(NumpyWriter):
    """Names that are used again, and constants by name: NumPy takes half as long again to convert a float."""

    def __init__(self, inputs: Sequence[Port]) -> None:
        super().__init__(inputs)
        self.place: dict[str, int] = {}
        self.constants: dict[float, str] = {}

    def constant(self, x: float) -> str:
        return self.constants.setdefault(x, f"c{len(self.constants)}")

    def name(self, name: str) -> str:
        return f"v{self.place[name]}"


class NumpySource:
    """A program, ready to run on tables of samples.

    Attributes:
        text: the source.
    """

    text: str

    def __init__(self, program: Program) -> None:
        self.program = program
        made = _Lines(program, listing(program, named=False))
        lines = made.made()
        constants = {name: np.array(x) for x, name in made.writer.constants.items()}
        self._words = {**_WORDS, **constants}
        self.text = "\n".join([*(f"{name} = {float(x)!r}" for name, x in constants.items()), *lines]) + "\n"
        chunks = ["\n".join(lines[k : k + _LINES]) for k in range(0, len(lines), _LINES)]
        self._codes: list[CodeType] = [compile(chunk, f"<{program.name}>", "exec") for chunk in chunks]
        self._used = sorted({(int(a), int(b or 0)) for op, a, b, *_ in program.code if op == INPUT})

    def run(self, inputs: Sequence[np.ndarray], outputs: Sequence[np.ndarray], n: int) -> None:
        """Compute n samples from tables (n, size) into tables (n, size)."""
        with np.errstate(all="ignore"):  # the caller reports numbers that are not finite, with the cause
            for start in range(0, n, BLOCK):
                rows = slice(start, min(n, start + BLOCK))
                columns = [np.ascontiguousarray(table[rows].T) for table in inputs]
                names: dict[str, Any] = {f"x{a}_{b}": columns[a][b] for a, b in self._used}
                for code in self._codes:
                    exec(code, self._words, names)
                for i, table in enumerate(outputs):
                    for k in range(table.shape[1]):
                        table[rows, k] = names[f"y{i}_{k}"]


class _Lines:
    """Makes the lines of a listing."""

    def __init__(self, program: Program, listed: Listing) -> None:
        self.listed = listed
        self.writer = _Reusing(program.inputs)
        self.free: list[int] = []
        self.count = 0
        self.last: dict[str, float] = {name: k for k, s in enumerate(listed.statements) for name in names_in(s.expression)}
        self.writers = self._results()

    def _results(self) -> dict[int, list[tuple[int, int, Expression]]]:
        """Return the results after the statement that they wait for, -1 for none, and keep their names until then."""
        home = {name: k for k, s in enumerate(self.listed.statements) for name in s.names}
        found: dict[int, list[tuple[int, int, Expression]]] = {}
        for i, entries in enumerate(self.listed.results):
            for k, expression in enumerate(entries):
                used = names_in(expression)
                at = max((home[name] for name in used), default=-1)
                found.setdefault(at, []).append((i, k, expression))
                for name in used:
                    self.last[name] = max(self.last.get(name, 0.0), at + 0.5)  # after the statement
        return found

    def made(self) -> list[str]:
        lines = self._written(-1)
        for k, statement in enumerate(self.listed.statements):
            text = self._right(statement)
            self._free(names_in(statement.expression), k)  # a result may take the place of an operand
            names = [self._place(name) for name in statement.names]
            lines.append(f"{', '.join(names)} = {text}")
            lines += self._written(k)
            self._free([name for _, _, x in self.writers.get(k, ()) for name in names_in(x)], k + 0.5)
        return lines

    def _free(self, names: Sequence[str], k: float) -> None:
        """Free the places of names that nothing needs after k."""
        self.free += [self.writer.place[name] for name in dict.fromkeys(names) if self.last[name] == k]

    def _place(self, name: str) -> str:
        if not name:
            return "_"
        if not self.free:
            self.free.append(self.count)
            self.count += 1
        self.writer.place[name] = self.free.pop()
        return self.writer.name(name)

    def _right(self, statement: Statement) -> str:
        op, *rest = statement.expression
        if op != SINCOS:
            return self.writer.write(statement.expression)
        angle, shift = self.writer.write(rest[0]), rest[1]
        return f"sincos_plus({angle}, {shift!r})" if shift else f"sincos({angle})"

    def _written(self, k: int) -> list[str]:
        return [f"y{i}_{e} = {self.writer.write(x)}" for i, e, x in self.writers.get(k, ())]
