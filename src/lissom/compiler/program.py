"""Program: straight-line code for one robot, and its verifier.

Every instruction makes one new value (static single assignment). There are seventeen of them, and a backend needs no more:
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import astuple, dataclass, field
from typing import TYPE_CHECKING

from ..errors import CompilerError

if TYPE_CHECKING:
    from .labels import Label, Section

CONST, INPUT = "const", "input"  # (const, value, -)   (input, argument, entry)
ADD, SUB, MUL, DIV = "add", "sub", "mul", "div"  # (op, a, b) with a, b positions of earlier instructions
NEG, SIN, COS, SIGN = "neg", "sin", "cos", "sign"  # (op, a, -)
SQRT, EXP, LOG, TANH = "sqrt", "exp", "log", "tanh"  # (op, a, -)
GUARD = "guard"  # (guard, a, b): a where it is above b, otherwise NaN
LESS = "less"  # (less, a, b): 1 where a < b, otherwise 0; NaN where one of them is NaN
SELECT = "select"  # (select, c, a, b): a where c > 0, otherwise b; NaN where c is NaN

LEAVES = frozenset({CONST, INPUT})
UNARY = frozenset({NEG, SIN, COS, SIGN, SQRT, EXP, LOG, TANH})
BINARY = frozenset({ADD, SUB, MUL, DIV, GUARD, LESS})
TERNARY = frozenset({SELECT})
KNOWN = LEAVES | UNARY | BINARY | TERNARY

Instruction = tuple[str, float | int, int | None] | tuple[str, int, int, int]


def operands(instruction: Instruction) -> tuple[int, ...]:
    """Return the positions of the values that an instruction uses."""
    op = instruction[0]
    if op in LEAVES:
        return ()
    return (instruction[1],) if op in UNARY else instruction[1:]  # type: ignore[return-value]


@dataclass(frozen=True)
class Port:
    """A named argument or result: an array of `size` numbers per sample."""

    name: str
    size: int


@dataclass(frozen=True)
class OperationCount:
    """Operations of one evaluation; negations are not counted, as they are absorbed by sums."""

    multiplications: int
    additions: int
    trigonometric: int
    divisions: int = 0
    signs: int = 0
    functions: int = 0  # square roots, exponentials, logarithms, hyperbolic tangents
    choices: int = 0  # comparisons and selections

    def __mul__(self, times: int) -> OperationCount:
        """Return the operations of several evaluations."""
        return OperationCount(*(times * n for n in astuple(self)))

    def __str__(self) -> str:
        rare = ((self.divisions, "div"), (self.signs, "sign"), (self.functions, "sqrt/exp/log/tanh"), (self.choices, "select"))
        rest = [f"{n} {what}" for n, what in rare if n]
        return ", ".join([f"{self.multiplications} mul", f"{self.additions} add", f"{self.trigonometric} sin/cos", *rest])


@dataclass(frozen=True)
class Words:
    """What a recursion calls the values of its program.

    Attributes:
        labels: names by position.
        sections: in the order of recording.
        places: for each instruction the index of its section, -1 for none; that of an operand is never larger.
        meanings: what the symbols of labels stand for, of those that are in `labels`.
    """

    labels: Mapping[int, Label]
    sections: tuple[Section, ...]
    places: tuple[int, ...]
    meanings: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Program:
    """Instructions, inputs and results.

    Attributes:
        name: of the algorithm and the robot, for reports.
        inputs, outputs: arguments and results, in order.
        code: instructions.
        results: for each output the positions of its entries in `code`.
        words: names for source to be read, of a labelled trace.
    """

    name: str
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    code: tuple[Instruction, ...]
    results: tuple[tuple[int, ...], ...]
    words: Words | None = field(default=None, compare=False, repr=False)

    def operation_count(self) -> OperationCount:
        """Count multiplications, additions and so on."""
        n = Counter(instruction[0] for instruction in self.code)
        functions = sum(n[op] for op in (SQRT, EXP, LOG, TANH))
        return OperationCount(n[MUL], n[ADD] + n[SUB], n[SIN] + n[COS], n[DIV], n[SIGN], functions, n[LESS] + n[SELECT])

    def text(self) -> str:
        """Return the program as readable lines, one instruction each."""
        signs = {ADD: "+", SUB: "-", MUL: "*", DIV: "/"}
        lines = [f"# {self.name}: {self.operation_count()}"]
        for k, instruction in enumerate(self.code):
            op, a, b = instruction[:3]
            if op == CONST:
                right = repr(a)
            elif op == INPUT:
                right = f"{self.inputs[int(a)].name}[{b}]"
            elif op in signs:
                right = f"v{a} {signs[op]} v{b}"
            else:
                right = f"-v{a}" if op == NEG else f"{op}({', '.join(f'v{x}' for x in operands(instruction))})"
            lines.append(f"v{k} = {right}")
        for port, entries in zip(self.outputs, self.results, strict=True):
            lines.extend(f"{port.name}[{i}] = v{k}" for i, k in enumerate(entries))
        return "\n".join(lines) + "\n"


def verify(program: Program) -> Program:
    """Return the program if it is valid; raise CompilerError naming the first invalid instruction."""

    def fail(k: int | str, why: str) -> None:
        raise CompilerError(f"program {program.name!r} is not valid at instruction {k}: {why}")

    for k, instruction in enumerate(program.code):
        op, a, b = instruction[:3]
        if op not in KNOWN:
            fail(k, f"unknown operation {op!r}")
        if len(instruction) != (4 if op in TERNARY else 3):
            fail(k, f"{op} has {len(instruction) - 1} fields")
        if op == CONST:
            if not isinstance(a, float) or not math.isfinite(a):
                fail(k, f"constant {a!r} is not a finite float")
        elif op == INPUT:
            if not 0 <= a < len(program.inputs) or not 0 <= (b if b is not None else -1) < program.inputs[int(a)].size:
                fail(k, f"argument {a} has no entry {b}")
        else:
            for operand in operands(instruction):
                if not isinstance(operand, int) or not 0 <= operand < k:
                    fail(k, f"{op} uses value {operand!r}, which is not computed before it")
    if len(program.results) != len(program.outputs):
        fail("end", f"{len(program.results)} results for {len(program.outputs)} outputs")
    for port, entries in zip(program.outputs, program.results, strict=True):
        if len(entries) != port.size:
            fail("end", f"output {port.name!r} has {len(entries)} entries, expected {port.size}")
        for position in entries:
            if not 0 <= position < len(program.code):
                fail("end", f"output {port.name!r} refers to value {position}, which does not exist")
    return program
