"""Statements: a program as lines of source, in any language: a name for each value worth one, the others inside expressions.

An expression is a tuple: ("const", number), ("input", argument, entry), ("name", text), or an operation of `program.py` followed
by its operands. A statement gives one expression a name; a sine and a cosine of the same angle are one statement of two names.
A value that nothing named is written where it is used, if that is one place, near, and not long: compilers, too, do worse with
long expressions, whose operands stay alive.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .labels import Label, Section
from .program import CONST, COS, INPUT, NEG, SIN, Program, operands
from .segment import angle

NAME, SINCOS = "name", "sincos"  # ("name", text); ("sincos", angle, shift): both of angle + shift, see `trigonometry.py`
LONGEST = 8  # operations in one expression
FEW = 256  # names alive at once up to which the order of sections costs nothing measurable
NEAR = 32  # instructions between a value and the place where it is written

Expression = tuple[Any, ...]


@dataclass(frozen=True)
class Statement:
    """One line of source.

    Attributes:
        names: of the value; of a "sincos" the names of sine and cosine, "" for one that nothing uses.
        expression: the value.
        label: what the recursion calls it, or None.
        place: index of the section that it belongs to, -1 for none.
        position: of the instruction in the program.
    """

    names: tuple[str, ...]
    expression: Expression
    label: Label | None
    place: int
    position: int


@dataclass(frozen=True)
class Listing:
    """A program as statements, its sections, and the expressions of its results, one list for each output."""

    statements: tuple[Statement, ...]
    sections: tuple[Section, ...]
    results: tuple[tuple[Expression, ...], ...]


def listing(
    program: Program, taken: Collection[str] = (), named: bool = True, fold: int = LONGEST, turned_first: bool = False
) -> Listing:
    """Return a program as statements.

    Args:
        program: with words, if its names should come from the recursion.
        taken: names that must not be used: arguments, words of the language.
        named: whether to use these words; otherwise values are v1, v2, ...
        fold: operations in one expression at most.
        turned_first: whether sines and cosines of arguments stand before all else, as in Khalil's listings. In C they may call
            libm, for which compilers would keep in memory all that is alive; and processors compute them side by side.

    Statements of one section stand together where that does not keep many more values alive: then in the order of the program.
    """
    return _Maker(program, taken, named, fold).made(turned_first)


class _Maker:
    def __init__(self, program: Program, taken: Collection[str], named: bool, fold: int) -> None:
        self.program, self.named, self.fold = program, named, fold
        words = program.words if named else None
        self.labels: Mapping[int, Label] = {} if words is None else words.labels
        self.places: Sequence[int] = [-1] * len(program.code) if words is None else words.places
        self.sections = () if words is None else words.sections
        self.taken = set(taken)
        self.tried: dict[str, int] = {}
        self.count = 0
        self.size: dict[int, int] = {}  # operations in the expression of a value
        self.expression: dict[int, Expression] = {}
        self.statements: list[Statement] = []
        self.users = _users(program)
        self.turned = _turned(program)

    def made(self, turned_first: bool) -> Listing:
        for k, instruction in enumerate(self.program.code):
            op, a, b = instruction[:3]
            if op == CONST:
                self._keep(k, (CONST, a), 0)
            elif op == INPUT:
                self._keep(k, (INPUT, a, b), 0)
            elif op in (SIN, COS):
                self._turn(k)
            elif op == NEG:
                self._keep(k, (NEG, self.expression[int(a)]), self.size[int(a)])
            else:
                self._value(k, instruction)
        results = tuple(tuple(self.expression[k] for k in entries) for entries in self.program.results)
        # operands stand in the same section or an earlier one, so that the order of sections is an order of computation
        together = sorted(self.statements, key=lambda statement: statement.place)
        if together != self.statements and most_alive(together, results) <= max(FEW, most_alive(self.statements, results)):
            self.statements = together
        sections = self._turned_first() if turned_first else self.sections
        return Listing(tuple(self.statements), sections, results)

    def _turned_first(self) -> tuple[Section, ...]:
        """Bring sines and cosines that wait for nothing to the front; return the sections, with theirs as the last."""
        turned = [s for s in self.statements if s.expression[0] == SINCOS and not names_in(s.expression)]
        sections = self.sections
        if turned and sections:
            turned = [replace(statement, place=len(sections)) for statement in turned]
            sections = (*sections, Section("sines and cosines"))
        first = {statement.position for statement in turned}
        self.statements = turned + [s for s in self.statements if s.position not in first]
        return sections

    def _keep(self, k: int, expression: Expression, size: int) -> None:
        self.expression[k], self.size[k] = expression, size

    def _value(self, k: int, instruction: tuple[Any, ...]) -> None:
        used = operands(instruction)
        expression = (instruction[0], *(self.expression[x] for x in used))
        size = 1 + sum(self.size[x] for x in used)
        users = self.users.get(k)
        if not users:  # the sum of an angle and a constant, which its sine takes apart
            return
        inside = len(users) == 1 and users[0] - k <= NEAR and k not in self.labels and size < self.fold
        if inside:
            self._keep(k, expression, size)
        else:
            self._state(k, (self._name(k),), expression)
            self._keep(k, (NAME, self.statements[-1].names[0]), 0)

    def _turn(self, k: int) -> None:
        """State sine and cosine of an angle together, where the first of them stands."""
        at = angle(self.program, k)
        both = self.turned[at]
        if min(both.values()) == k:
            stem = self._angle(at[0])
            names = tuple(self._free(f"{letter}_{stem}") if op in both else "" for op, letter in ((SIN, "s"), (COS, "c")))
            self._state(k, names, (SINCOS, self.expression[at[0]], at[1]))
            for op, name in zip((SIN, COS), names, strict=True):
                if op in both:
                    self._keep(both[op], (NAME, name), 0)

    def _angle(self, k: int) -> str:
        """Return a word for an angle: q3 for the third entry of the input q."""
        op, a, b = self.program.code[k][:3]
        if op == INPUT:
            return f"{self.program.inputs[int(a)].name}{int(b or 0) + 1}"
        return str(self.labels[k]) if k in self.labels else "a"

    def _state(self, k: int, names: tuple[str, ...], expression: Expression) -> None:
        self.statements.append(Statement(names, expression, self.labels.get(k), self.places[k], k))

    def _name(self, k: int) -> str:
        if k in self.labels:
            return self._free(str(self.labels[k]))
        self.count += 1
        return self._free(f"{'t' if self.named else 'v'}{self.count}")

    def _free(self, name: str) -> str:
        found = name
        while found in self.taken:
            self.tried[name] = self.tried.get(name, 1) + 1
            found = f"{name}_{self.tried[name]}"
        self.taken.add(found)
        return found


def _users(program: Program) -> dict[int, list[int]]:
    """Return where each value is used; those of a negation, which is never stated, count as its operand's."""
    users: dict[int, list[int]] = {}
    end = len(program.code)
    for entries in program.results:
        for k in entries:
            users.setdefault(k, []).append(end)
    for k in range(end - 1, -1, -1):
        instruction = program.code[k]
        if instruction[0] == NEG:
            users.setdefault(int(instruction[1]), []).extend(users.get(k, ()))
            continue
        used = (angle(program, k)[0],) if instruction[0] in (SIN, COS) else operands(instruction)
        for x in used:
            users.setdefault(x, []).append(k)
    return users


def _turned(program: Program) -> dict[tuple[int, float], dict[str, int]]:
    """Return for each angle where its sine and its cosine stand."""
    found: dict[tuple[int, float], dict[str, int]] = {}
    for k, instruction in enumerate(program.code):
        if instruction[0] in (SIN, COS):
            found.setdefault(angle(program, k), {})[instruction[0]] = k
    return found


def most_alive(statements: Sequence[Statement], results: Sequence[Sequence[Expression]]) -> int:
    """Return the largest number of names that wait for a use at once."""
    last = {name: k for k, statement in enumerate(statements) for name in names_in(statement.expression)}
    last |= {name: len(statements) for entries in results for e in entries for name in names_in(e)}
    ends = Counter(last.values())
    alive = most = 0
    for k, statement in enumerate(statements):
        alive += sum(name in last for name in statement.names) - ends[k]
        most = max(most, alive)
    return most


def names_in(expression: Expression) -> list[str]:
    """Return the names that an expression uses."""
    if expression[0] == NAME:
        return [expression[1]]
    found = []
    for part in expression[1:]:
        if isinstance(part, tuple):
            if part[0] == NAME:  # most parts are: no call for each
                found.append(part[1])
            elif part[0] not in (CONST, INPUT):
                found += names_in(part)
    return found
