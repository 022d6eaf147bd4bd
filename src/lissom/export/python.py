"""Python: NumPy source, over arrays of any number of states, and a test with stored ones."""

from __future__ import annotations

import keyword
from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from ..compiler import program as ops
from ..compiler.numpy_source import NumpyWriter
from ..compiler.statements import SINCOS, Listing, Statement
from .heading import commented, file_lines, function_lines, names_lines, section_line
from .library import Function, Library
from .parts import Part, cut

TOLERANCE = 1e-13  # relative to the largest number of a result
_HELPERS = {
    ops.SIGN: "def sign(x):\n    return np.sign(x)\n",
    ops.GUARD: "def guard(x, least):\n    return np.where(x > least, x, np.nan)  # a divisor below it would ruin the result\n",
    ops.LESS: "def less(a, b):\n    return np.where(np.isnan(a) | np.isnan(b), np.nan, a < b)\n",
    ops.SELECT: "def select(c, a, b):\n    return np.where(np.isnan(c), np.nan, np.where(c > 0, a, b))\n",
    "sincos_plus": "def sincos_plus(x, shift):\n    # by the sum formulas, so that large angles keep their digits\n"
    "    s, c, s0, c0 = np.sin(x), np.cos(x), np.sin(shift), np.cos(shift)\n    return s*c0 + c*s0, c*c0 - s*s0\n",
}
_NUMPY = {op: f"np.{op}" for op in (ops.SQRT, ops.EXP, ops.LOG, ops.TANH)}
_WORDS = (*keyword.kwlist, *_HELPERS, "np", "w", "lead", "states")


class _Writer(NumpyWriter):
    """Expressions with the arguments' own names; calls are kept."""

    functions: ClassVar[dict[str, str]] = {op: _NUMPY.get(op, op) for op in NumpyWriter.functions}

    def __init__(self, function: Function) -> None:
        super().__init__(function.program.inputs)
        self.calls: set[str] = set()

    def entry(self, argument: int, k: int) -> str:
        """Return the array of one entry."""
        return f"{self.inputs[argument].name}[..., {k}]"

    def call(self, op: str, *arguments: str) -> str:
        """Return a call of NumPy or of a helper."""
        self.calls.add(op)
        return super().call(op, *arguments)


class Python:
    """NumPy source without lissom; every function takes any number of states."""

    title: ClassVar[str] = "Python with NumPy"
    precisions: ClassVar[Sequence[str]] = ("double",)
    batch: ClassVar[bool] = False
    options: ClassVar[Mapping[str, Sequence[str]]] = {}

    def files(self, library: Library) -> dict[str, str]:
        """Return the module, and a program that checks it."""
        return {f"{library.name}.py": _module(library), f"test_{library.name}.py": _test(library)}


def _module(library: Library) -> str:
    made = [_Body(library, function) for function in library.functions]
    calls = frozenset[str]().union(*(body.writer.calls for body in made))
    text = commented(file_lines(library, Python.title), "# ", "# ")
    text += "#\n# Arrays have shape (size,) for one state or (..., size) for many; leading axes follow NumPy's broadcasting.\n"
    text += "\nimport numpy as np\n"
    for op, helper in _HELPERS.items():
        if op in calls:
            text += f"\n\n{helper}"
    return text + "".join(f"\n\n{body.text}" for body in made)


class _Body:
    """One function."""

    def __init__(self, library: Library, function: Function) -> None:
        self.function = function
        self.writer = _Writer(function)
        self.listing: Listing = function.listing(_WORDS, library.named)
        parts, places = cut(self.listing, len(function.program.code))
        names = [argument.name for argument in function.inputs]
        outs = [argument.name for argument in function.outputs]
        self.text = ""
        for k, part in enumerate(parts, 1):
            if len(parts) > 1:
                self.text += f"def _{function.name}_{k}({', '.join([*names, *outs, 'w'])}):\n    # part {k} of {len(parts)}\n"
                self.text += f"{self._lines(part)}\n\n"
        self.text += f"def {function.name}({', '.join(names)}):\n"
        self.text += commented([*function_lines(function), *names_lines(library, function)], "    # ", "    # ")
        for argument in function.inputs:
            self.text += f"    {argument.name} = np.asarray({argument.name}, dtype=float)\n"
        shapes = ", ".join(f"{name}.shape[:-1]" for name in names)
        self.text += f"    lead = np.broadcast_shapes({shapes})\n"
        for argument in function.outputs:
            self.text += f"    {argument.name} = np.empty((*lead, {argument.size}))\n"
        if len(parts) > 1:
            self.text += f"    w = [None]*{places}  # values that parts hand on\n"
            calls = ", ".join([*names, *outs, "w"])
            self.text += "".join(f"    _{function.name}_{k}({calls})\n" for k in range(1, len(parts) + 1))
        else:
            self.text += self._lines(parts[0])
        results = [
            a.name
            if a.shape == (a.size,)
            else f"{a.name}.reshape({', '.join(['*lead', *map(str, a.shape)])})"
            if a.shape
            else f"{a.name}[..., 0]"
            for a in function.outputs
        ]
        self.text += f"    return {', '.join(results)}\n"

    def _lines(self, part: Part) -> str:
        lines = [f"    {name} = w[{place}]" for name, place in part.loads.items()]
        place = -1
        for statement in part.statements:
            if statement.place != place:
                place = statement.place
                lines.append(f"\n    # {section_line(self.listing.sections[place])}")
            lines.append(f"    {self._statement(statement)}")
        lines += [f"    w[{place}] = {name}" for name, place in part.stores.items()]
        for output, entry, expression in part.results:
            lines.append(f"    {self.function.outputs[output].name}[..., {entry}] = {self.writer.write(expression)}")
        return "\n".join(lines) + "\n"

    def _statement(self, statement: Statement) -> str:
        if statement.expression[0] != SINCOS:
            return f"{statement.names[0]} = {self.writer.write(statement.expression)}"
        _, inner, shift = statement.expression
        angle = self.writer.write(inner)
        if shift:
            self.writer.calls.add("sincos_plus")
            return f"{', '.join(name or '_' for name in statement.names)} = sincos_plus({angle}, {shift!r})"
        found = [(n, f"np.{f}({angle})") for n, f in zip(statement.names, ("sin", "cos"), strict=True) if n]
        return f"{', '.join(n for n, _ in found)} = {', '.join(t for _, t in found)}"


def _test(library: Library) -> str:
    text = commented([f"Checks {library.name}.py at stored states; ends with 0 if all agree."], "# ", "# ")
    text += f"\nimport sys\n\nimport numpy as np\n\nimport {library.name}\n\nfailed = 0\n"
    for function in library.functions:
        samples = function.samples
        names = [argument.name for argument in function.inputs]
        text += "\nstates = [\n"
        text += "".join(f"    {_array(table)},  # {name}\n" for name, table in zip(names, samples.inputs, strict=True))
        text += "]\n"
        text += f"found = {library.name}.{function.name}(*states)\n"
        if len(function.outputs) == 1:
            text += "found = (found,)\n"
        for k, (argument, table, scale) in enumerate(zip(function.outputs, samples.outputs, samples.scales, strict=True)):
            text += f"stored = {_array(table)}\n"
            text += f"error = np.abs(np.reshape(found[{k}], stored.shape) - stored).max()/{scale!r}\n"
            text += f'print("{function.name}: {argument.name}: largest error %.1e of the largest number" % error)\n'
            text += f"failed += not error <= {TOLERANCE!r}\n"
    return text + '\nprint("FAILED" if failed else "passed")\nsys.exit(failed > 0)\n'


def _array(table: np.ndarray) -> str:
    rows = ", ".join("[" + ", ".join(map(repr, row)) + "]" for row in table.tolist())
    return f"np.array([{rows}])"
