"""LaTeX and Markdown: the listing of a library's functions, with arguments, base parameters, and an equation for each value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from ...version import VERSION
from ..heading import meanings_of, plain, section_line
from ..language import Files
from ..library import Function, Library
from .notation import Notation, symbol_of

LINES = 40  # equations in one block of Markdown


class LaTeX:
    """A document of its own, which compiles with pdflatex and the package amsmath."""

    title: ClassVar[str] = "LaTeX"
    precisions: ClassVar[Sequence[str]] = ("double",)
    batch: ClassVar[bool] = False
    options: ClassVar[Mapping[str, Sequence[str]]] = {"parameters": ("on", "off")}

    def files(self, library: Library) -> Files:
        """Return the document."""
        text = _PREAMBLE + rf"\title{{{escaped(library.robot)}: customized model}}" + "\n\\maketitle\n\n"
        text += f"Written by lissom {VERSION}: \\texttt{{{escaped(library.call)}}}. Model {library.fingerprint[:16]}.\n"
        text += f"{escaped(library.license)}\n"
        for array, entries in library.entries.items():
            listed = ", ".join(f"{k} {e.name}{f' [{e.unit}]' if e.unit else ''}" for k, e in enumerate(entries, 1))
            text += f"\n\\noindent\\texttt{{{escaped(array)}}}: {escaped(listed)}\n"
        text += f"\n{escaped(_CONVENTIONS)} $x^{{-}}$ is $-x$.\n"
        if library.choices["parameters"] == "on" and (rows := base_rows(library)):
            text += "\n\\section{Base parameters}\n\\begin{longtable}{rrl}\n & value & composition \\\\ \\hline\n"
            text += "".join(f"{k} & {value} & {escaped(composition)} \\\\\n" for k, value, composition in rows)
            text += "\\end{longtable}\n"
        for function in library.functions:
            text += f"\n\\section{{{escaped(function.name)}}}\n{escaped(function.meaning)}\n"
            text += "".join(f"{escaped(remark)}\n" for remark in function.remarks)
            text += f"{escaped(str(function.program.operation_count()))}.\n"
            text += "".join(
                f"\n${symbol_of(symbol)}$: {escaped(meaning)}.\n" for symbol, meaning in meanings_of(library, function)
            )
            for title, equations in blocks(library, function):
                text += f"\n\\paragraph{{{escaped(title)}}}\n" if title else "\n"
                text += "\\begin{align*}\n" + " \\\\\n".join(equations) + "\n\\end{align*}\n"
        return {f"{library.name}.tex": text + "\n\\end{document}\n"}


class Markdown:
    """A page with mathematics between dollar signs, as GitHub, Jupyter and MkDocs show it."""

    title: ClassVar[str] = "Markdown"
    precisions: ClassVar[Sequence[str]] = ("double",)
    batch: ClassVar[bool] = False
    options: ClassVar[Mapping[str, Sequence[str]]] = {"parameters": ("on", "off")}

    def files(self, library: Library) -> Files:
        """Return the page."""
        text = f"# {plain(library.robot)}: customized model\n\n"
        text += (
            f"Written by lissom {VERSION}: `{plain(library.call)}`. Model {library.fingerprint[:16]}. {plain(library.license)}\n"
        )
        for array, entries in library.entries.items():
            listed = ", ".join(f"{k} {e.name}{f' [{e.unit}]' if e.unit else ''}" for k, e in enumerate(entries, 1))
            text += f"\n- `{array}`: {quoted(listed)}"
        text += f"\n\n{_CONVENTIONS} $x^{{-}}$ is $-x$.\n"
        if library.choices["parameters"] == "on" and (rows := base_rows(library)):
            text += "\n## Base parameters\n\n| | value | composition |\n| ---: | ---: | :--- |\n"
            text += "".join(f"| {k} | {value} | {quoted(composition)} |\n" for k, value, composition in rows)
        for function in library.functions:
            text += f"\n## {function.name}\n\n{quoted(function.meaning)}\n"
            text += "".join(f"{quoted(remark)}\n" for remark in function.remarks)
            text += f"{function.program.operation_count()}.\n"
            text += "".join(f"\n- ${symbol_of(symbol)}$: {quoted(meaning)}" for symbol, meaning in meanings_of(library, function))
            text += "\n"
            for title, equations in blocks(library, function):
                text += f"\n### {quoted(title)}\n" if title else ""
                for k in range(0, len(equations), LINES):
                    lines = " \\\\\n".join(equations[k : k + LINES])
                    text += f"\n$$\n\\begin{{aligned}}\n{lines}\n\\end{{aligned}}\n$$\n"
        return {f"{library.name}.md": text}


_PREAMBLE = r"""\documentclass[10pt]{article}
\usepackage[margin=2cm]{geometry}
\usepackage{amsmath}
\usepackage{longtable}
\allowdisplaybreaks
\date{}
\begin{document}
"""
_CONVENTIONS = "SI units, radians. Bodies and entries count from 1."


def base_rows(library: Library) -> list[tuple[str, str, str]]:
    """Return number, value and composition of the base parameters; nothing for robots that have none."""
    if library.base_parameters is None:
        return []
    found = library.base_parameters()
    return [(str(k), f"{v:.6g}", text) for k, (v, text) in enumerate(zip(found.values, found.expressions, strict=True), 1)]


def blocks(library: Library, function: Function) -> Iterator[tuple[str, list[str]]]:
    """Yield the sections of a function: title and equations; the results are the last."""
    listing = function.listing((), library.named)
    notation = Notation(function.program.inputs, listing)
    place, equations = -2, list[str]()
    for statement in listing.statements:
        if statement.place != place and equations:
            yield _title(listing.sections, place), equations
            equations = []
        place = statement.place
        equations.append(notation.equation(statement))
    if equations:
        yield _title(listing.sections, place), equations
    for argument, entries in zip(function.outputs, listing.results, strict=True):
        yield "results", [notation.result(argument, k, expression) for k, expression in enumerate(entries)]


def _title(sections: Sequence[object], place: int) -> str:
    return section_line(sections[place]) if place >= 0 else ""  # type: ignore[arg-type]


def escaped(text: str) -> str:
    """Return a text for LaTeX: names come from files, and may be anything."""
    special = {c: f"\\{c}" for c in "&%$#_{}"} | {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
    }
    special |= {"<": r"\textless{}", ">": r"\textgreater{}", "\n": " "}
    return "".join(special.get(c, c) for c in text if c.isprintable() or c == "\n")


def quoted(text: str) -> str:
    """Return a text for Markdown, without markup, mathematics and cells of tables."""
    return "".join(f"\\{c}" if c in "\\`*_{}[]<>#|$" else c for c in text if c.isprintable())
