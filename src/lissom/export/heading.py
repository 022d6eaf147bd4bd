"""Heading: what stands at the top of exported files and above functions; the only way for names of a robot into code."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from ..compiler.labels import Section
from ..version import VERSION
from .library import Argument, Entry, Function, Library

WIDTH = 110  # of lines in comments
_SAFE = " _.,:;()+=[]@#%&/'^-"  # ends no comment, begins no tag, escapes nothing


def plain(text: str) -> str:
    """Return a text for a comment: a name from a file could end the comment, and be code from there on."""
    return "".join(c if c.isalnum() or c in _SAFE else "_" for c in text)


def file_lines(library: Library, title: str) -> list[str]:
    """Return what a file is, of which robot, how it was made, and the names of its arrays' entries."""
    names = ", ".join(function.name for function in library.functions)
    lines = [
        *_wrapped(f"{library.robot}: {names}, in {title}, {library.precision} precision."),
        "",
        *_wrapped(f"Written by lissom {VERSION}: {library.call}"),
        f"Model {library.fingerprint[:16]}. {plain(library.license)}",
        "",
        "SI units, radians. Arrays are flat, row by row. Bodies and entries count from 1 in names (w3_x, s_q2); vectors are",
        "along the axes of their body, moments about its origin; _neg marks a value of which only the negative is computed.",
    ]
    for array, entries in library.entries.items():
        lines += _wrapped(f"{array}: {_listed(entries)}", indent=4)
    return lines


def function_lines(function: Function) -> list[str]:
    """Return what a function computes, what its arguments are, and what it costs."""
    lines = _wrapped(function.meaning)
    if function.options:
        lines += _wrapped(f"Options: {function.options}.")
    for direction, arguments in (("in ", function.inputs), ("out", function.outputs)):
        for argument in arguments:
            lines += _wrapped(f"  {direction} {argument.name}{_shape(argument)}: {argument.meaning}", indent=8)
    lines += [line for remark in function.remarks for line in _wrapped(remark)]
    return [*lines, f"{function.program.operation_count()}."]


def meanings_of(library: Library, function: Function) -> list[tuple[str, str]]:
    """Return the symbols that names of values begin with, and what they stand for."""
    words = function.program.words
    return list(words.meanings.items()) if library.named and words is not None else []


def names_lines(library: Library, function: Function) -> list[str]:
    """Return what the names of values stand for, as lines; none where there is nothing to say."""
    found = meanings_of(library, function)
    return _wrapped(f"Names: {'; '.join(f'{symbol} {meaning}' for symbol, meaning in found)}.", indent=4) if found else []


def section_line(section: Section) -> str:
    """Return the comment above the statements of a section."""
    return plain(str(section))


def _shape(argument: Argument) -> str:
    return "".join(f"[{n}]" for n in argument.shape)


def _listed(entries: Sequence[Entry]) -> str:
    return ", ".join(f"{k} {entry.name}{f' [{entry.unit}]' if entry.unit else ''}" for k, entry in enumerate(entries, 1))


def _wrapped(text: str, indent: int = 0) -> list[str]:
    return textwrap.wrap(plain(text), WIDTH, subsequent_indent=" " * indent, break_long_words=True) or [""]


def commented(lines: Iterable[str], first: str, middle: str, last: str = "") -> str:
    """Return lines as a comment: `first` before the first of them, `middle` before the others, `last` after the last."""
    text = "\n".join(f"{middle if k else first}{line}".rstrip() for k, line in enumerate(lines))
    return f"{text}{last}\n"
