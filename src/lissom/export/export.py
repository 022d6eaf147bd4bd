"""Export: the check of what was asked for, and the writing of the files."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..errors import FileError, NameLookupError, StateError, is_choice, suggest
from ..files import write_whole
from .gather import entries_of, function_of
from .language import Files, Language
from .library import Library
from .table import ALIASES, LANGUAGES

LICENSE = "License: lissom claims no rights in this file; the numbers are those of the robot's description, under its license."


def export(
    robot: Any,
    functions: str | Sequence[str],
    path: str | os.PathLike[str],
    *,
    overwrite: bool = True,
    **how: Any,
) -> tuple[Path, ...]:
    """Write functions of a robot as source code into a folder, which is made; return the files. See `Robot.export`."""
    files = render(robot, functions, **how)
    folder = Path(path)
    targets = {name: folder.joinpath(*name.split("/")) for name in files}
    if folder.exists() and not folder.is_dir():
        raise FileError("this is a file, and an export needs a folder for several files", folder)
    for target in targets.values():
        if target.exists() and not overwrite:
            raise FileError("exists already, and overwrite=False", target)
    for name, content in files.items():
        data = content if isinstance(content, bytes) else content.encode("utf-8")
        write_whole(targets[name], data, folders=True)
    return tuple(targets.values())


def render(
    robot: Any,
    functions: str | Sequence[str],
    *,
    language: str = "c",
    precision: str | None = None,
    batch: bool = False,
    names: bool = True,
    name: str | None = None,
    license: str = LICENSE,
    **options: Any,
) -> Files:
    """Return the files of an export by their names, as texts; see `Robot.export`."""
    language = ALIASES.get(language, language) if isinstance(language, str) else language
    emitter = _language(language)
    chosen = _precision(emitter, precision)
    asked = _names(robot, functions)
    own = {key: options.pop(key) for key in tuple(options) if key in emitter.options}
    choices = {key: _choice(key, own.get(key, values[0]), values) for key, values in emitter.options.items()}
    for key, value in (("batch", batch), ("names", names)):
        if not isinstance(value, bool):
            raise StateError(f"{key} must be True or False, got {value!r}")
    if batch and not emitter.batch:
        raise StateError(f"{emitter.title} has no functions of many states apart: leave batch out")
    if not isinstance(license, str):
        raise StateError(f"license must be a line of text, got {license!r}")
    word = _word(robot.name if name is None else name, given=name is not None)
    sources = robot._sources(asked, options, chosen)
    made = tuple(function_of(source, key, robot.name, given, chosen) for key, (source, given) in sources.items())
    call = _call(asked, language, chosen, batch, names, own, options, name)
    library = Library(
        word,
        robot.name,
        robot.model.fingerprint,
        made,
        entries_of(robot),
        chosen,
        batch,
        names,
        choices,
        call,
        license,
        getattr(robot, "base_parameters", None),
    )
    return emitter.files(library)


def _language(language: Any) -> Language:
    if not is_choice(language, LANGUAGES):
        raise StateError(f"no language {language!r}; {suggest(str(language), tuple(LANGUAGES))}")
    return LANGUAGES[language]


def _precision(emitter: Language, precision: Any) -> str:
    if precision is None:
        return emitter.precisions[0]
    if not is_choice(precision, ("double", "single")):
        raise StateError(f"no precision {precision!r}; {suggest(str(precision), ('double', 'single'))}")
    if precision not in emitter.precisions:
        raise StateError(f"{emitter.title} is written in {emitter.precisions[0]} precision only, not in {precision}")
    return str(precision)


def _choice(key: str, value: Any, values: Sequence[str]) -> str:
    if not is_choice(value, values):
        raise StateError(f"no {key} {value!r}; {suggest(str(value), values)}")
    return str(value)


def _names(robot: Any, functions: Any) -> tuple[str, ...]:
    names = (functions,) if isinstance(functions, str) else tuple(functions) if isinstance(functions, Sequence) else ()
    if not names or not all(isinstance(name, str) for name in names):
        raise StateError(f"functions must be the name of a function or a list of names, got {functions!r}")
    for name in names:
        if name not in robot._exportable:
            raise NameLookupError("function", name, robot._exportable)
        if names.count(name) > 1:
            raise StateError(f"{name!r} is named twice; export it twice with other options into another library, name=...")
    return names


def _word(name: Any, given: bool) -> str:
    """Return the name of a library: that of the robot in lower-case letters, digits and underscores, unless one is given."""
    if given:
        if not isinstance(name, str) or not re.fullmatch(r"[a-z][a-z0-9_]{0,63}", name):
            raise StateError(f"name must be a word of lower-case letters, digits and underscores, got {name!r}")
        return name
    word = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")[:64].strip("_")
    return word if re.match("[a-z]", word) else f"robot_{word}".strip("_")


def _call(
    asked: Sequence[str],
    language: str,
    precision: str,
    batch: bool,
    names: bool,
    own: Mapping[str, Any],
    options: Mapping[str, Any],
    name: str | None,
) -> str:
    """Return the call that makes the same files again."""
    first = repr(asked[0]) if len(asked) == 1 else repr(list(asked))
    words = [f"language={language!r}", f"precision={precision!r}"]
    words += ["batch=True"] if batch else []
    words += [] if names else ["names=False"]
    words += [] if name is None else [f"name={name!r}"]
    words += [f"{key}={value!r}" for key, value in own.items()]
    words += [f"{key}={value!r}" if isinstance(value, str | int) else f"{key}=..." for key, value in options.items()]
    return f"robot.export({first}, path, {', '.join(words)})"
