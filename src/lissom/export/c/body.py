"""Bodies of functions in C."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ...compiler import program as ops
from ...compiler.program import Port
from ...compiler.statements import SINCOS, Expression, Statement
from ...compiler.writer import Writer
from ...errors import StateError
from ..heading import commented, section_line
from ..library import Function, Library
from ..parts import Part, cut

_KEYWORDS = "auto break case char const continue default do double else enum extern float for goto if inline int long register"
_KEYWORDS += " restrict return short signed sizeof static struct switch typedef union unsigned void volatile while"
_OTHERS = "main i n w sin cos sqrt exp log tanh fabs class new this template typename namespace operator public private"
_OTHERS += " Num std parts value not_a_number Eigen threadIdx blockIdx blockDim"
HELPED = {ops.SIGN: "sign_of", ops.GUARD: "guarded", ops.LESS: "is_less", ops.SELECT: "selected", SINCOS: "sine_cosine"}
WORDS = (*_KEYWORDS.split(), *_OTHERS.split(), *HELPED.values(), "sine_cosine_plus")  # that names must not be
LARGEST = 3.4028234663852886e38  # of single precision


@dataclass(frozen=True)
class Body:
    """The parts of a function as functions of their own, if it has several, the body itself, and what it calls."""

    parts: str
    main: str
    calls: frozenset[str]


class CWriter(Writer):
    """Expressions in C."""

    functions: ClassVar[dict[str, str]] = {**HELPED}

    def __init__(self, inputs: tuple[Port, ...], single: bool) -> None:
        super().__init__(inputs)
        self.single = single
        self.calls: set[str] = set()

    def constant(self, x: float) -> str:
        """Return a number; of single precision with its nine digits."""
        return single(x) if self.single else repr(x)

    def call(self, op: str, *arguments: str) -> str:
        """Return a call of libm or of a helper."""
        self.calls.add(op)
        suffix = "f" if self.single and op not in HELPED else ""
        return f"{self.functions.get(op, op)}{suffix}({', '.join(arguments)})"


def single(x: float) -> str:
    """Return a constant of type float."""
    if abs(x) > LARGEST:
        raise StateError(f"the constant {x} of the robot does not fit into single precision; export it with precision='double'")
    text = f"{x:.9g}" if abs(x) > 1.4e-45 else "0"  # smaller ones are zero, and a warning of compilers
    return text + ("f" if any(c in text for c in ".e") else ".0f")


def function_body(library: Library, function: Function) -> Body:
    """Return the body of a function, cut into static functions where it is long."""
    real = "double" if library.precision == "double" else "float"
    return CBody(library, function, CWriter(function.program.inputs, library.precision == "single"), real).made()


class CBody:
    """Writes the body of one function; for C++ and CUDA with other words.

    Attributes:
        real: type of numbers.
        static: what stands before the names of parts.
        by: before a variable that a function sets.
    """

    def __init__(
        self, library: Library, function: Function, writer: CWriter, real: str, static: str = "static void", by: str = "&"
    ) -> None:
        self.function, self.writer = function, writer
        self.listing = function.listing(WORDS, library.named)
        self.real, self.static, self.by = real, static, by

    def made(self) -> Body:
        """Return the text."""
        parts, places = cut(self.listing, len(self.function.program.code))
        if len(parts) == 1:
            main = self._unused() + self._lines(parts[0])
            return Body("", main, frozenset(self.writer.calls))
        ins, outs = self.function.inputs, self.function.outputs
        typed = [f"const {self.real} *{a.name}" for a in ins] + [f"{self.real} *{a.name}" for a in outs]
        names = ", ".join(a.name for a in (*ins, *outs))
        texts, main = [], f"    {self.real} w[{max(places, 1)}]; /* values that parts hand on */\n"
        for k, part in enumerate(parts, 1):
            name = f"{self.function.name}_{k}"
            head = commented([f"Part {k} of {len(parts)} of {self.function.name}."], "/* ", "   ", " */")
            body = self._ignored([a.name for a in (*ins, *outs)] + ["w"]) + self._lines(part)
            texts.append(f"{head}{self.static} {name}({', '.join(typed)}, {self.real} *w)\n{{\n{body}}}\n\n")
            main += f"    {name}({names}, w);\n"
        return Body("".join(texts), main, frozenset(self.writer.calls))

    def _unused(self) -> str:
        """Return lines for arguments that the function does not need, which compilers would warn of."""
        used = {self.function.inputs[int(a)].name for op, a, *_ in self.function.program.code if op == ops.INPUT}
        return self._ignored([a.name for a in self.function.inputs if a.name not in used])

    def _ignored(self, names: list[str]) -> str:
        return "".join(f"    (void){name};\n" for name in names)

    def _lines(self, part: Part) -> str:
        lines = [f"    const {self.real} {name} = w[{place}];" for name, place in part.loads.items()]
        place = -1
        for statement in part.statements:
            if statement.place != place:
                place = statement.place
                lines.append(f"\n    /* {section_line(self.listing.sections[place])} */")
            lines += self._statement(statement)
        lines += [f"    w[{place}] = {name};" for name, place in part.stores.items()]
        if part.results:
            lines.append("")
        lines += [self._result(output, entry, expression) for output, entry, expression in part.results]
        return "\n".join(lines).lstrip("\n") + "\n"

    def _result(self, output: int, entry: int, expression: Expression) -> str:
        return f"    {self.function.outputs[output].name}[{entry}] = {self.writer.write(expression)};"

    def _statement(self, statement: Statement) -> list[str]:
        if statement.expression[0] != SINCOS:
            return [f"    const {self.real} {statement.names[0]} = {self.writer.write(statement.expression)};"]
        _, angle, shift = statement.expression
        return self._sine_cosine(statement.names, self.writer.write(angle), shift)

    def _sine_cosine(self, names: tuple[str, ...], angle: str, shift: float) -> list[str]:
        sine, cosine = names
        self.writer.calls.add("sincos_plus" if shift else SINCOS)
        sine, cosine = sine or f"{cosine}_s", cosine or f"{sine}_c"  # the one that nothing uses
        call = f"sine_cosine{'_plus' if shift else ''}"
        more = f"{self.writer.constant(shift)}, " if shift else ""
        return [f"    {self.real} {sine}, {cosine};", f"    {call}({angle}, {more}{self.by}{sine}, {self.by}{cosine});"]
