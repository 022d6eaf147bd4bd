"""Studies from YAML files; errors name the line.

    lissom: 1
    kind: study
    name: RR arm, torque and reach
    base: {motion: rr}                               # or scenario, gait, torque, function
    parameters:
      torque: {grid: [5, 20, 4], into: "limits[0].within"}       # from 5 to 20 N m, 4 values
      x: {uniform: [0.5, 1.2], into: "end.position[0]"}
      side: {values: [left, right]}
    set: {"end.position[1]": "-x"}                   # formulas of parameters, by places in the base
    where: ["torque > 6 * x"]
    samples: {count: 16, method: sobol, seed: 0}
    responses: [duration, {peak: torque, of: joint_1}]
    neighbors: 2                                     # cases that are solved first, with whose motions others begin

Distributions: {uniform: [low, high]}, {loguniform: [low, high]}, {normal: {mean, deviation, lower, upper}},
{lognormal: {median, deviation}}, {triangular: [low, mode, high]}, {choice: [...]}. A base is the name
of a file, from the folder of this one, or of a built-in one, or the document itself.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import yaml

from ..errors import FileError, LissomError
from ..loading.named_file import find_file
from ..read.document import read_header
from ..read.entry import Entry, compose_yaml
from ..read.number import parse_expression
from ..read.source import Source, decode, read_bytes
from ..read.table import read_table
from ..read.values import line_of, number, texts, whole
from .design import METHODS
from .expression import Expression
from .parameters import MOST, Choice, LogNormal, Normal, Parameter, Triangular, Uniform, Value, Values, grid
from .read_base import read_base
from .refine import Refinement
from .responses import STATISTICS, Response, of_quantity
from .study import Study

MAX_BYTES = 1 << 20
KEYS = (
    "name",
    "about",
    "base",
    "parameters",
    "table",
    "set",
    "where",
    "samples",
    "repeats",
    "responses",
    "refine",
    "motions",
    "neighbors",
)
KINDS = ("grid", "loggrid", "values", "uniform", "loguniform", "normal", "lognormal", "triangular", "choice")
OPTIONS = ("link", "joint", "other", "contact", "axis", "about", "axes")
_HINTS = {
    "base": "name what is run: base: {motion: rr}",
    "name": "a study starts with 'lissom: 1', 'kind: study' and a name",
}


def load(path: str | os.PathLike[str], allow_python: bool = False) -> Study:
    """Read a study from a YAML file.

    Args:
        path: the file.
        allow_python: whether its base may be a Python function, which is then imported and can do anything.

    Raises:
        FileError: with the line, for anything that is not a study.
    """
    file = find_file(path, {}, "study")
    return parse(decode(read_bytes(file, MAX_BYTES), path), path, file.parent, allow_python)


def parse(text: str, path: object = "<text>", folder: Path | None = None, allow_python: bool = False) -> Study:
    """Return the study of YAML `text`; other files are looked for from `folder`. `path` is only used in messages."""
    document = compose_yaml(text, Source(path))
    keys = read_header(document, ("study",), KEYS, ("name", "base"), _HINTS)
    keys = {key: value.called(f"'{key}'") for key, value in keys.items()}
    where = folder or Path()
    parameters, into = _parameters(keys["parameters"]) if "parameters" in keys else ({}, {})
    table = _table(keys["table"], where) if "table" in keys else []
    names = [*(table[0] if table else ()), *parameters]
    base = read_base(keys, text, str(path), where, into, names, allow_python)
    options: dict[str, Any] = _samples(keys["samples"]) if "samples" in keys else {}
    if "where" in keys:
        options["where"] = texts(keys["where"])
        for item in _parts(keys["where"]):
            with line_of(item):
                Expression(item.text(), names)
    if "repeats" in keys:
        options["repeats"] = whole(keys["repeats"], 1)
    if "refine" in keys:
        options["refine"] = _refine(keys["refine"])
    if "motions" in keys:
        options["motions"] = keys["motions"].flag()
    if "neighbors" in keys:
        options["neighbors"] = whole(keys["neighbors"], 1)
    responses = _responses(keys["responses"]) if "responses" in keys else []
    try:
        study = Study(base, parameters, responses, table=table, name=keys["name"].text(), **options)
        study.design.expect_some()
        return study
    except FileError:
        raise
    except LissomError as error:
        raise _blamed(str(error), keys, document).error(str(error)) from error


def _blamed(message: str, keys: dict[str, Entry], document: Entry) -> Entry:
    """Return the entry that an error of the whole study is about: the one whose text it quotes, else its part."""
    for key in ("refine", "neighbors", "repeats"):
        if message.startswith((f"{key}:", f"{key} is")) and key in keys:
            return keys[key]
    for key in ("where", "set", "responses", "parameters"):
        for part in _parts(keys.get(key)):
            if repr(part.node.value) in message:
                return part
    for word, key in (
        ("response", "responses"),
        ("count", "samples"),
        ("seed", "samples"),
        ("refine", "refine"),
        ("sensitiv", "samples"),
        ("constr", "where"),
    ):
        if word in message and key in keys:
            return keys[key]
    return keys.get("parameters", document)


def _parts(entry: Entry | None) -> list[Entry]:
    """Return all texts of an entry, keys too."""
    if entry is None:
        return []
    if isinstance(entry.node, yaml.ScalarNode):
        return [entry]
    inside = [part for pair in entry.node.value for part in (pair if isinstance(pair, tuple) else (pair,))]
    return [text for node in inside for text in _parts(Entry(node, entry.source, entry.label))]


def _parameters(entry: Entry) -> tuple[dict[str, Parameter], dict[str, Entry]]:
    """Return parameters by name, and where each is written."""
    if not isinstance(entry.node, yaml.MappingNode):
        raise entry.error("'parameters' must be a mapping: a name for each, with {grid: [low, high, count]} or another kind")
    found: dict[str, Parameter] = {}
    into: dict[str, Entry] = {}
    for name, own in entry.mapping([key.value for key, _ in entry.node.value]).items():
        keys = own.mapping((*KINDS, "into"))
        if "into" in keys:
            into[name] = keys.pop("into")
        if len(keys) != 1:
            raise own.error(f"parameter {name!r} needs one of {', '.join(KINDS)}, got {' and '.join(keys) or 'none'}")
        ((kind, value),) = keys.items()
        with line_of(value):
            found[name] = _parameter(kind, value)
    return found, into


def _parameter(kind: str, entry: Entry) -> Parameter:
    if kind in ("grid", "loggrid"):
        low, high, count = _row(entry, 3)
        return grid(low, high, int(count) if count.is_integer() and count <= MOST else count, log=kind == "loggrid")  # type: ignore[arg-type]
    if kind in ("uniform", "loguniform"):
        low, high = _row(entry, 2)
        return Uniform(low, high, kind == "loguniform")
    if kind == "triangular":
        return Triangular(*_row(entry, 3))
    if kind == "normal":
        keys = entry.mapping(("mean", "deviation", "lower", "upper"), required=("mean", "deviation"))
        return Normal(**{key: number(value, angles=True) for key, value in keys.items()})
    if kind == "lognormal":
        keys = entry.mapping(("median", "deviation"), required=("median", "deviation"))
        return LogNormal(**{key: number(value, angles=True) for key, value in keys.items()})
    listed = tuple(_value(item) for item in entry.items())
    return Choice(listed) if kind == "choice" else Values(listed)


def _row(entry: Entry, count: int) -> list[float]:
    return [float(x) for x in entry.numbers(count)]


def _value(entry: Entry) -> Value:
    text = entry.text()
    found = parse_expression(text)
    if found is None and text.strip().lower().lstrip("+-.") in ("nan", "inf", "infinity"):
        raise entry.error(f"{entry.label} is {text!r}, expected a finite number or a text")
    return text if found is None else found


def _table(entry: Entry, folder: Path) -> list[dict[str, Value]]:
    """Return the rows of a CSV file: all columns, or those that are named; cells of `texts` as they are written."""
    plain = not isinstance(entry.node, yaml.MappingNode)
    keys = {"file": entry} if plain else entry.mapping(("file", "columns", "texts"), required=("file",))
    file = keys["file"]
    try:
        table = read_table(folder / file.text())
        names = texts(keys["columns"], table.header) if "columns" in keys else table.header
        words = texts(keys["texts"], names) if "texts" in keys else []
        found = table.numbers([table.header.index(name) for name in names if name not in words])
        written = {name: table.texts(table.header.index(name)) for name in words}
    except FileError as error:
        raise error if error.path == entry.source.path else file.error(str(error)) from error
    numbers = iter(found.T.tolist())
    columns: dict[str, list[Value]] = {name: written[name] if name in words else next(numbers) for name in names}  # type: ignore[misc]
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _samples(entry: Entry) -> dict[str, Any]:
    keys = entry.mapping(("count", "method", "seed"))
    found: dict[str, Any] = {}
    if "count" in keys:
        found["count"] = whole(keys["count"], 1)
    if "method" in keys:
        found["method"] = keys["method"].choice(METHODS)
    if "seed" in keys:
        found["seed"] = whole(keys["seed"])
    return found


def _refine(entry: Entry) -> Refinement:
    keys = entry.mapping(("response", "count", "rounds", "least"), required=("response",))
    found: dict[str, Any] = {key: whole(keys[key], 1) for key in ("count", "rounds") if key in keys}
    if "least" in keys:
        found["least"] = number(keys["least"])
    return Refinement(keys["response"].text(), **found)


def _responses(entry: Entry) -> list[Response]:
    """Return responses: names of numbers, or {peak: torque, of: elbow, name: ...}."""
    found = []
    for item in entry.items():
        if isinstance(item.node, yaml.ScalarNode):
            found.append(Response(item.text(), item.text()))
            continue
        keys = item.mapping((*STATISTICS, "number", "of", "name", *OPTIONS))
        own = {key: value.text() for key, value in keys.items() if key in OPTIONS}
        if "number" in keys:
            item.mapping(("number", "name"))
            found.append(Response(keys.get("name", keys["number"]).text(), keys["number"].text()))
            continue
        kinds = [key for key in STATISTICS if key in keys]
        if len(kinds) != 1:
            raise item.error(f"{item.label} needs one of {', '.join(STATISTICS)}, got {' and '.join(kinds) or 'none'}")
        words = {key: keys[key].text() for key in ("of", "name") if key in keys}
        found.append(of_quantity(kinds[0], keys[kinds[0]].text(), words.get("of"), words.get("name", ""), **own))
    return found
