"""MATLAB: the files of a library for MATLAB and Octave; functions take many states at once, one in each column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from ..compiler import program as ops
from ..compiler.program import Port
from ..compiler.statements import SINCOS, Listing, Statement
from ..compiler.writer import Writer
from .heading import commented, file_lines, function_lines, names_lines, section_line
from .language import Files
from .library import Argument, Function, Library

TITLE = "MATLAB and Octave"
TOLERANCE = {"double": 1e-13, "single": 1e-5}  # relative to the largest number of a result
_WORDS = (
    "break case catch classdef continue else elseif end for function global if otherwise parfor persistent return spmd switch"
)
_WORDS += (
    " try while n k ans pi i j inf nan eps sin cos sqrt exp log tanh sign zeros size reshape permute isequal error double single"
)
# functions that MATLAB lacks, or has with complex results: operation, name and arguments, what it returns, and lines
_HELPERS = (
    (ops.SQRT, "real_sqrt(x)", "The square root; NaN of negative numbers.", "y = sqrt(abs(x));", "y(~(x >= 0)) = NaN;"),
    (ops.LOG, "real_log(x)", "The natural logarithm; NaN of negative numbers.", "y = log(abs(x));", "y(~(x >= 0)) = NaN;"),
    (ops.GUARD, "guard(x, least)", "x where it is above least, otherwise NaN.", "y = x;", "y(~(x > least)) = NaN;"),
    (
        ops.LESS,
        "less(a, b)",
        "1 where a < b, otherwise 0; NaN where one is NaN.",
        "y = 0 + (a < b);",
        "y(isnan(a) | isnan(b)) = NaN;",
    ),
    (
        *(ops.SELECT, "select(c, a, b)", "a where c > 0, otherwise b; NaN where c is NaN."),
        *("y = b + zeros(size(c));", "a = a + zeros(size(c));", "y(c > 0) = a(c > 0);", "y(isnan(c)) = NaN;"),
    ),
)


class Matlab:
    """A file for each function, and a script that checks them."""

    title: ClassVar[str] = TITLE
    precisions: ClassVar[Sequence[str]] = ("double", "single")
    batch: ClassVar[bool] = True  # always there
    options: ClassVar[Mapping[str, Sequence[str]]] = {}

    def files(self, library: Library) -> Files:
        """Return the functions and their test."""
        files = {f"{library.name}_{function.name}.m": source(library, function) for function in library.functions}
        return {**files, f"test_{library.name}.m": test_script(library)}


class _Writer(Writer):
    """Expressions over rows of numbers, one for each state."""

    functions: ClassVar[dict[str, str]] = {ops.SQRT: "real_sqrt", ops.LOG: "real_log"}
    times: ClassVar[str] = ".*"
    over: ClassVar[str] = "./"

    def __init__(self, inputs: Sequence[Port]) -> None:
        super().__init__(inputs)
        self.calls: set[str] = set()

    def entry(self, argument: int, k: int) -> str:
        """Return entry k, from 0, of an input for all states."""
        return f"{self.inputs[argument].name}({k + 1}, :)"

    def call(self, op: str, *arguments: str) -> str:
        """Return an operation that is not +, -, * or /."""
        self.calls.add(op)
        return super().call(op, *arguments)


def source(library: Library, function: Function) -> str:
    """Return the file of one function."""
    listing = function.listing(_WORDS.split(), library.named)
    writer = _Writer(function.program.inputs)
    body = _body(listing, writer, function, library)
    outputs = ", ".join(argument.name for argument in function.outputs)
    inputs = ", ".join(argument.name for argument in function.inputs)
    name = f"{library.name}_{function.name}"
    text = f"function [{outputs}] = {name}({inputs})\n"
    text += commented([*function_lines(function), *names_lines(library, function)], "% ", "% ")
    text += "%\n% Each argument has a column for each state; a matrix has the states along its last axis.\n%\n"
    text += commented(file_lines(library, TITLE), "% ", "% ") + "\n"
    text += "".join(_checked(name, argument, library.precision) for argument in function.inputs)
    counts = ", ".join(f"size({argument.name}, 2)" for argument in function.inputs)
    text += f"n = max([{counts}]);\n" if counts else "n = 1;\n"
    helpers = "".join(
        f"\nfunction y = {call}\n% {what}\n" + "".join(f"{line}\n" for line in lines) + "end\n"
        for op, call, what, *lines in _HELPERS
        if op in writer.calls
    )
    return f"{text}{body}end\n{helpers}"


def _checked(name: str, argument: Argument, precision: str) -> str:
    """Return the check of an argument, which may be a row where it is one state."""
    a, size = argument.name, argument.size
    text = f"if isequal(size({a}), [1, {size}])\n    {a} = {a}.';\nend\n" if size > 1 else ""
    text += f"if size({a}, 1) ~= {size}\n    error('{name}: {a} must have {size} rows, a column for each state');\nend\n"
    return text + f"{a} = {precision}({a});\n"


def _body(listing: Listing, writer: _Writer, function: Function, library: Library) -> str:
    lines: list[str] = []
    place = -1
    for statement in listing.statements:
        if statement.place != place:
            place = statement.place
            lines += ["", f"% {section_line(listing.sections[place])}"]
        lines += _statement(statement, writer)
    lines.append("")
    for argument, entries in zip(function.outputs, listing.results, strict=True):
        lines.append(f"{argument.name} = zeros({argument.size}, n, '{library.precision}');")
        lines += [
            f"{argument.name}({k}, :) = {writer.write(entry)};" for k, entry in enumerate(entries, 1) if not _is_zero(entry)
        ]
        lines += _shaped(argument)
    return "\n".join(lines) + "\n"


def _is_zero(expression: tuple[object, ...]) -> bool:
    return expression[0] == ops.CONST and expression[1] == 0.0


def _statement(statement: Statement, writer: _Writer) -> list[str]:
    if statement.expression[0] != SINCOS:
        return [f"{statement.names[0]} = {writer.write(statement.expression)};"]
    _, angle, shift = statement.expression
    text, (sine, cosine) = writer.write(angle), statement.names
    if not shift:
        return [f"{name} = {word}({text});" for name, word in ((sine, "sin"), (cosine, "cos")) if name]
    # by the sum formulas, so that large angles keep their digits
    s, c = repr(float(np.sin(shift))), repr(float(np.cos(shift)))
    lines = [f"{sine} = sin({text}).*({c}) + cos({text}).*({s});"] if sine else []
    return lines + ([f"{cosine} = cos({text}).*({c}) - sin({text}).*({s});"] if cosine else [])


def _shaped(argument: Argument) -> list[str]:
    """Return how rows become a matrix; numbers are in the order of its rows, and MATLAB's in that of its columns."""
    name, shape = argument.name, argument.shape
    if len(shape) < 2:
        return []
    back = ", ".join(map(str, (*reversed(shape), "n")))
    order = ", ".join(map(str, (*range(len(shape), 0, -1), len(shape) + 1)))
    return [f"{name} = permute(reshape({name}, [{back}]), [{order}]);"]


def test_script(library: Library) -> str:
    """Return a script that checks stored states, and ends in an error where one is wrong."""
    text = f"% Checks the functions of {library.name} at stored states; an error says which number is wrong.\n"
    for function in library.functions:
        inputs, outputs = function.samples.inputs, function.samples.outputs
        count = len(outputs[0])
        taken = ", ".join(_matrix(table.T) for table in inputs)
        names = ", ".join(f"found{k}" for k in range(1, len(outputs) + 1))
        text += f"\n[{names}] = {library.name}_{function.name}({taken});\n"
        for k, (argument, table, scale) in enumerate(zip(function.outputs, outputs, function.samples.scales, strict=True), 1):
            if not inputs:
                count, table = 1, table[:1]
            wanted = _matrix(table.T)
            if len(argument.shape) > 1:
                text += f"found{k} = {_flat(argument, f'found{k}', count)};\n"
            text += f"worst = max(max(abs(double(found{k}) - {wanted})))/{scale!r};\n"
            what = f"{function.name}: {argument.name}"
            text += f"fprintf('{what}: %d states, largest error %.1e of the largest number\\n', {count}, worst);\n"
            text += f"if ~(worst <= {TOLERANCE[library.precision]!r})\n    error('{what} is wrong');\nend\n"
    return text + "\nfprintf('passed\\n');\n"


def _flat(argument: Argument, name: str, count: int) -> str:
    order = ", ".join(map(str, (*range(len(argument.shape), 0, -1), len(argument.shape) + 1)))
    return f"reshape(permute({name}, [{order}]), [{argument.size}, {count}])"


def _matrix(table: np.ndarray) -> str:
    rows = ";\n    ".join(", ".join(map(repr, map(float, row))) for row in table)
    return f"[{rows}]"
