"""Library: what a language gets to write: functions with their programs, arguments and stored states, and the robot they are of.

Everything is decided here but the language itself, and nothing refers to the robot: a language turns a Library into texts.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..compiler.program import Program
from ..compiler.statements import Listing, listing


@dataclass(frozen=True)
class Argument:
    """An argument or a result: an array of numbers, flat in the code, row by row.

    Attributes:
        name: in the code; a word of letters, digits and underscores.
        shape: of the array, () for a single number.
        size: how many numbers.
        meaning: in words, with units.
    """

    name: str
    shape: tuple[int, ...]
    size: int
    meaning: str


@dataclass(frozen=True, eq=False)
class Samples:
    """States at which the function was evaluated by lissom's NumPy text, to check the exported code with.

    Attributes:
        inputs, outputs: an array (n, size) for each argument.
    """

    inputs: tuple[np.ndarray, ...]
    outputs: tuple[np.ndarray, ...]

    @property
    def scales(self) -> tuple[float, ...]:
        """The largest magnitude in each result, which errors are relative to."""
        return tuple(float(np.abs(table).max(initial=0.0)) or 1.0 for table in self.outputs)


@dataclass(frozen=True, eq=False)
class Function:
    """A function of a robot.

    Attributes:
        name: in the catalogue of the robot, "inverse_dynamics".
        meaning: what it returns, in words, with units.
        options: with which it was made, as Python shows them: "link='hand'", or "".
        program: its instructions, with words from the recursion; `listing` has them as statements.
        inputs, outputs: arguments, in the order of the program's.
        remarks: what its user has to know, a sentence each: where it has no result, how loops are closed.
        samples: to check it with.
    """

    name: str
    meaning: str
    options: str
    program: Program
    inputs: tuple[Argument, ...]
    outputs: tuple[Argument, ...]
    remarks: tuple[str, ...]
    samples: Samples

    def listing(self, reserved: Collection[str], named: bool) -> Listing:
        """Return the program as statements, whose names are neither arguments nor reserved words of the language."""
        taken = {argument.name for argument in (*self.inputs, *self.outputs)}
        return listing(self.program, taken | set(reserved), named, turned_first=True)


@dataclass(frozen=True)
class Entry:
    """One entry of the robot's arrays: its name, and its unit, "" for those of a quaternion."""

    name: str
    unit: str


@dataclass(frozen=True, eq=False)
class Library:
    """Functions of one robot, to be written together.

    Attributes:
        name: of the library, a word of lower-case letters, digits and underscores; names in the code begin with it.
        robot: name of the robot, as its file has it: not safe in code, see `plain` in `heading.py`.
        fingerprint: of the model.
        functions: in the order asked for.
        entries: names and units of coordinates ("q"), velocities ("qd") and torques ("tau").
        precision: "double" or "single".
        batch: whether functions of many states are wanted, too.
        named: whether values have names from the recursion.
        choices: options of the language itself, by name, all of them.
        call: the call that made it.
        license: one line.
        base_parameters: computes those of the robot, a `BaseParameters`; None where it has none.
    """

    name: str
    robot: str
    fingerprint: str
    functions: tuple[Function, ...]
    entries: dict[str, tuple[Entry, ...]]
    precision: str
    batch: bool
    named: bool
    choices: dict[str, str]
    call: str
    license: str
    base_parameters: Callable[[], Any] | None = None
