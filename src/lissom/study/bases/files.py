"""Bases that are documents: motion problems, scenarios and walks."""

from __future__ import annotations

import hashlib
import inspect
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import yaml

from ...errors import FileError, NameLookupError, StateError, suggest
from ...loading.robot_section import read_robot
from ...predict.problem_file.read import read_problem
from ...read.entry import Entry
from ...simulate.trajectory import trajectory_kind
from ..design import Start
from ..expression import Expression
from ..parameters import Value
from .base import Base, Ran
from .document import KEPT, Document, Settings

BIG = 256 << 20  # bytes of a file that is part of a base

_robots: dict[str, Any] = {}  # by folder and section: robots of this process, with their code


@dataclass(frozen=True)
class OfDocument(Base):
    """A base whose document is changed by parameters.

    Attributes:
        document: what is run.
        settings: what parameters write into it.
    """

    document: Document
    settings: Settings

    def digest(self) -> Any:
        """Return the document's content, the formulas and the content of the files that it names."""
        return [self.kind, self.document.plain, self.settings.digest(), {name: _content(name) for name in sorted(self._files())}]

    def check(self, names: Any) -> None:
        """Raise a LissomError where the document is wrong as it is written, has no such places, or a formula another name."""
        for formula in self.settings.formulas.values():
            Expression(formula.text, names)
        self.document.changed(dict.fromkeys(self.settings.formulas, "0"))
        self._read(self.document.entry)

    def changed(self, values: Mapping[str, Value]) -> Entry:
        """Return the document of a case."""
        return self.document.changed(self.settings.values(values))

    def robot(self, values: Mapping[str, Value]) -> Any:
        """Return the robot of a case."""
        return self._read(self.changed(values)).robot

    def _read(self, entry: Entry) -> Any:
        raise NotImplementedError

    def _files(self) -> list[str]:
        """Return files that the document names: any text in it that is one."""
        folder, found = Path(self.document.folder), []
        for text in _texts(self.document.entry.node):
            if 0 < len(text) < 500 and "\0" not in text and (file := folder / text).suffix and file.is_file():
                found.append(str(file))
        return found


class MotionFile(OfDocument):
    """A motion problem."""

    kind = "motion"
    starts = True

    def _read(self, entry: Entry) -> Any:
        robot = robot_of(entry, self.document.folder)
        return read_problem(entry, Path(self.document.folder), made=robot)

    def check_responses(self, responses: Any) -> None:
        """Raise a LissomError for a quantity, an option or an entry that the problem does not have."""
        known = self._read(self.document.entry).quantities
        for each in responses:
            if each.quantity and each.quantity not in known.names:
                raise StateError(f"no quantity {each.quantity!r}; {suggest(each.quantity, known.names)}")
            labels = known.get(each.quantity, **each.options).labels if each.quantity else ()
            if each.of is not None and each.of not in labels:
                raise NameLookupError(f"entry of {each.quantity}", each.of, labels)

    def warm(self, values: Mapping[str, Value]) -> None:
        """Compile the functions of the problem's first case."""
        self._read(self.changed(values)).solve(iterations=0, throw=False, starts=1, refine=False)

    def run(self, values: Mapping[str, Value], seed: int) -> Ran:
        """Solve the problem of a case."""
        found = self._read(self.changed(values)).solve(throw=False)
        return ran_prediction(found, found)

    def run_from(self, values: Mapping[str, Value], start: Start) -> Ran:
        """Solve the problem of a case from the motion of another."""
        first = prediction_of(start.motion, self.robot(start.values))
        found = self._read(self.changed(values)).solve(start=first, throw=False)
        return ran_prediction(found, found)

    def known(self, values: Mapping[str, Value], motion: bytes) -> Ran:
        """Return the solution of a case from its motion."""
        problem = self._read(self.changed(values))
        found = prediction_of(motion, problem.robot)
        found.problem = problem
        return ran_prediction(found, found)


class GaitFile(OfDocument):
    """A walk or a run of a person."""

    kind = "gait"

    def _read(self, entry: Entry) -> dict[str, Any]:
        from ...gait import predict, run

        keys = _mapping(entry)
        running = "run" in keys and keys.pop("run").flag()
        walk = run if running else predict
        allowed = [name for name in inspect.signature(walk).parameters if name not in ("start", "style", "throw", "options")]
        entry.mapping(("run", *allowed))
        return {"walk": walk, **{key: _plain(value) for key, value in keys.items()}}

    def robot(self, values: Mapping[str, Value]) -> Any:
        """Return the person of a case: with a solution of no iterations."""
        made = self._read(self.changed(values))
        return made.pop("walk")(**{**made, "iterations": 0}, throw=False).person

    def run(self, values: Mapping[str, Value], seed: int) -> Ran:
        """Predict the walk of a case."""
        made = self._read(self.changed(values))
        found = made.pop("walk")(**made, throw=False)
        return ran_prediction(found, found.prediction)

    @property
    def starts(self) -> bool:  # type: ignore[override]
        """Whether a case may begin with the motion of another: of walks, not of runs."""
        return "start" in inspect.signature(self._read(self.document.entry)["walk"]).parameters

    def run_from(self, values: Mapping[str, Value], start: Start) -> Ran:
        """Predict the walk of a case from that of another."""
        first = self._walk(start.values, start.motion)
        made = self._read(self.changed(values))
        found = made.pop("walk")(**made, start=first, throw=False)
        return ran_prediction(found, found.prediction)

    def known(self, values: Mapping[str, Value], motion: bytes) -> Ran:
        """Return the walk of a case from its motion."""
        found = self._walk(values, motion)
        return ran_prediction(found, found.prediction)

    def _walk(self, values: Mapping[str, Value], motion: bytes) -> Any:
        """Return the walk whose motion is the content of a file: that of a solution of no iterations is replaced."""
        made = self._read(self.changed(values))
        rough = made.pop("walk")(**{**made, "iterations": 0}, throw=False)
        prediction = prediction_of(motion, rough.person)
        prediction.problem = rough.prediction.problem
        return replace(rough, prediction=prediction)


class ScenarioFile(OfDocument):
    """A simulation under control."""

    kind = "scenario"

    def _read(self, entry: Entry) -> Any:
        from ...control.read import read_scenario

        return read_scenario(entry, Path(self.document.folder), name=Path(self.document.path).stem)

    def run(self, values: Mapping[str, Value], seed: int) -> Ran:
        """Simulate the scenario of a case."""
        scenario = self._read(self.changed(values))
        return _simulated(scenario, scenario.run(throw=False))

    def known(self, values: Mapping[str, Value], motion: bytes) -> Ran:
        """Return the simulation of a case from its motion."""
        scenario = self._read(self.changed(values))
        with _file_of(motion) as path:
            return _simulated(scenario, trajectory_kind(scenario.robot).load(path, scenario.robot))


def ran_prediction(result: Any, prediction: Any) -> Ran:
    """Return what became of a prediction."""
    good = bool(prediction.success)
    return Ran(result, good, prediction.status.value, "" if good else prediction.message)


def _simulated(scenario: Any, found: Any) -> Ran:
    good = found.status.value in ("finished", "event")
    return Ran(found, good, found.status.value, "" if good else found.message or found.status.advice, scenario)


def prediction_of(motion: bytes, robot: Any) -> Any:
    """Return the prediction in the content of a file."""
    from ...predict import Prediction

    with _file_of(motion) as path:
        return Prediction.load(path, robot)


@contextmanager
def _file_of(motion: bytes) -> Iterator[Path]:
    """Write the content of a file, for a while."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "motion.npz"
        path.write_bytes(motion)
        yield path


def robot_of(entry: Entry, folder: str) -> Any:
    """Return the robot of a document, the same object for the same section: its code is then loaded once."""
    section = _mapping(entry).get("robot")
    if section is None:
        return None
    key = f"{folder}\n{yaml.serialize(section.node)}"
    if key not in _robots:
        if len(_robots) >= KEPT:
            _robots.pop(next(iter(_robots)))
        _robots[key] = read_robot(section, Path(folder), what="study").robot
    return _robots[key]


def _mapping(entry: Entry) -> dict[str, Entry]:
    if not isinstance(entry.node, yaml.MappingNode):
        raise entry.error(f"{entry.label} must be a mapping")
    return {str(key.value): Entry(value, entry.source, f"'{key.value}'") for key, value in entry.node.value}


def _texts(node: yaml.Node) -> list[str]:
    if isinstance(node, yaml.ScalarNode):
        return [str(node.value)]
    parts = [part for pair in node.value for part in (pair if isinstance(pair, tuple) else (pair,))]
    return [text for part in parts for text in _texts(part)]


def _plain(entry: Entry) -> Any:
    """Return an entry as numbers, texts, lists and mappings."""
    if isinstance(entry.node, yaml.MappingNode):
        return {key: _plain(value) for key, value in _mapping(entry).items()}
    if isinstance(entry.node, yaml.SequenceNode):
        return [_plain(item) for item in entry.items()]
    from ...read.number import parse_expression

    value = parse_expression(str(entry.node.value))
    if value is None:
        text = entry.text()
        return text == "true" if text in ("true", "false") else text
    return int(value) if str(entry.node.value).strip().isdigit() else value


def _content(file: str) -> str:
    try:
        if Path(file).stat().st_size > BIG:
            raise FileError(f"is larger than {BIG >> 20} MiB; a study takes smaller files", file)
        return hashlib.sha256(Path(file).read_bytes()).hexdigest()
    except OSError as error:
        raise FileError(f"cannot be read: {error.strerror or error}", file) from None
