"""The table of operation counts of `lissom inspect`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..errors import ModelError
from .console import make_table
from .text import one_line

if TYPE_CHECKING:
    from rich.console import Console

    from ..compiler.program import OperationCount
    from ..robot.functions import Functions

MOST = 60  # up to so many velocities, functions of quadratic cost are counted


class Counted(NamedTuple):
    """Operations by function, functions left out because they cost too much, and reasons of those that do not apply."""

    counts: dict[str, OperationCount]
    long: list[str]
    refused: list[str]


def count_operations(robot: Functions, everything: bool = False) -> Counted:
    """Return the operations of the basic functions, or of all; those of links are counted for the last link."""
    counted = Counted({}, [], [])
    for name in robot.functions:
        entry = robot.catalogue[name]
        if not (entry.basic or everything):
            continue
        if robot.nv > MOST and entry.grows(robot):
            counted.long.append(name)
            continue
        values = entry.example(robot)
        of = f" of {values['link']}" if "link" in values else ""
        try:
            counted.counts[name + of] = robot.operation_count(name, **values)
        except ModelError as error:
            counted.refused.append(f"{name}: {error}")
    return counted


def print_costs(console: Console, robot: Functions, everything: bool = False) -> None:
    """Print the operations of the basic functions, or of all."""
    counted = count_operations(robot, everything)
    table = make_table("Operations of one evaluation", "function", "mul", "add", "sin, cos", numbers=("mul", "add", "sin, cos"))
    for name, count in counted.counts.items():
        table.add_row(name, *(str(n) for n in (count.multiplications, count.additions, count.trigonometric)))
    console.print(table)
    if counted.long:
        shown = ", ".join(counted.long)
        console.print(f"not counted, because the cost grows with the square of the {robot.nv} velocities: {shown}")
    for text in counted.refused:
        console.print(f"not for this robot: {one_line(text)}")
