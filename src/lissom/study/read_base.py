"""The base of a study file, and what parameters write into it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import yaml

from ..control.builtin import builtin_scenarios
from ..errors import FileError
from ..loading.named_file import find_file
from ..predict.problem_file.builtin import builtin_problems
from ..read.entry import Entry
from ..read.source import decode, exists, read_bytes
from ..read.values import line_of, only_key, texts
from .bases.base import Base
from .bases.document import Document, Place, Settings, place
from .bases.files import GaitFile, MotionFile, OfDocument, ScenarioFile
from .bases.function import NamedFunction
from .bases.recorded import TorqueFile
from .expression import Expression

MAX_BYTES = 1 << 20
KINDS: dict[str, type[OfDocument]] = {"motion": MotionFile, "scenario": ScenarioFile, "gait": GaitFile, "torque": TorqueFile}


def read_base(
    keys: Mapping[str, Entry],
    text: str,
    path: str,
    folder: Path,
    into: Mapping[str, Entry],
    names: Sequence[str],
    allow_python: bool,
) -> Base:
    """Return the base of a study file.

    Args:
        keys: parts of the file: base, set.
        text, path, folder: of the file.
        into: where each parameter is written.
        names: of all parameters.
        allow_python: whether the base may be a function.
    """
    kind, own = only_key(keys["base"], "base", (*KINDS, "function"))
    if kind == "function":
        return _function(keys, own, folder, into, allow_python)
    document = _document(kind, own, text, path, folder)
    formulas = _formulas(keys, into, names)
    base = KINDS[kind](document, Settings({where: formula for where, (formula, _) in formulas.items()}))
    for where, (_, entry) in formulas.items():  # each by itself, for the line
        try:
            document.changed({where: "0"})
        except FileError as error:
            raise entry.error(f"{str(error)}") from error
    try:
        with line_of(own):
            base.check(names)
    except FileError as error:
        if error.line is None:  # of a file that the base names
            raise own.error(str(error)) from error
        raise
    for name in names:
        if not any(name in _used(formula) for formula, _ in formulas.values()):
            raise _named(keys, name).error(
                f"parameter {name!r} changes nothing: give it 'into: PLACE', or use it in a formula of 'set'; of a table, take "
                "the columns that count by 'columns'"
            )
    return base


def _function(keys: Mapping[str, Entry], own: Entry, folder: Path, into: Mapping[str, Entry], allow_python: bool) -> Base:
    if not allow_python:
        raise own.error(
            f"this study runs the Python code {own.text()!r}, which can do anything with your files; "
            "read it, then pass --allow-python (from Python: allow_python=True)"
        )
    if "set" in keys or into:
        entry = keys["set"] if "set" in keys else next(iter(into.values()))
        raise entry.error("a function gets parameters by their names; 'set' and 'into' are for documents")
    with line_of(own):
        try:
            return NamedFunction(own.text(), str(folder.absolute()))
        except FileError as error:
            raise own.error(str(error)) from error


def _document(kind: str, own: Entry, text: str, path: str, folder: Path) -> Document:
    if isinstance(own.node, yaml.MappingNode):
        return Document(text, path, str(folder.absolute()), ("base", kind))
    if kind in ("gait", "torque"):
        raise own.error(
            f"{own.label} must be a mapping, such as {{{'speed: 1.3' if kind == 'gait' else 'robot: ..., motion: ...'}}}"
        )
    known = builtin_problems() if kind == "motion" else builtin_scenarios()
    name = own.text()
    with line_of(own):
        beside = folder / name
        try:
            file = find_file(
                beside if exists(beside) and beside.is_file() else name, known, kind if kind == "scenario" else "problem"
            )
            return Document(decode(read_bytes(file, MAX_BYTES), name), name, str(file.parent.absolute()))
        except FileError as error:
            raise own.error(str(error)) from error


def _formulas(
    keys: Mapping[str, Entry], into: Mapping[str, Entry], names: Sequence[str]
) -> dict[Place, tuple[Expression, Entry]]:
    """Return the formula of every place that is written, and the entry that says so."""
    found: dict[Place, tuple[Expression, Entry]] = {}

    def add(entry: Entry, where: str, formula: str) -> None:
        with line_of(entry):
            steps = place(where)
            if steps in found:
                raise entry.error(f"{where} is written by {found[steps][0].text!r} already")
            found[steps] = Expression(formula, names), entry

    for name, entry in into.items():
        for where in texts(entry):
            add(entry, where, name)
    if "set" in keys:
        entry = keys["set"]
        if not isinstance(entry.node, yaml.MappingNode):
            raise entry.error('\'set\' must be a mapping of places to formulas, such as {"end.position[0]": "2*x"}')
        for key, value in entry.node.value:
            own = Entry(value, entry.source, f"{key.value!r} of 'set'")
            add(own, str(key.value), own.text())
    return found


def _named(keys: Mapping[str, Entry], name: str) -> Entry:
    """Return the entry of a parameter, or of the table whose column it is."""
    entry = keys.get("parameters", keys["base"])
    pairs = entry.node.value if isinstance(entry.node, yaml.MappingNode) else []
    own = [value for key, value in pairs if key.value == name]
    return Entry(own[0], entry.source, entry.label) if own else keys.get("table", entry)


def _used(formula: Expression) -> set[str]:
    import ast

    return {part.id for part in ast.walk(ast.parse(formula.text.strip(), mode="eval")) if isinstance(part, ast.Name)}
