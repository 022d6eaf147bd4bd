"""The table of operation counts of `lissom inspect`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import ModelError
from .console import make_table
from .text import one_line

if TYPE_CHECKING:
    from rich.console import Console

    from ..robot.functions import Functions

MOST = 60  # up to so many velocities, functions of quadratic cost are counted


def print_costs(console: Console, robot: Functions, everything: bool = False) -> None:
    """Print the operations of the basic functions, or of all; those of links are counted for the last link."""
    table = make_table("Operations of one evaluation", "function", "mul", "add", "sin, cos", numbers=("mul", "add", "sin, cos"))
    long, refused = [], []
    for name in robot.functions:
        entry = robot.catalogue[name]
        if not (entry.basic or everything):
            continue
        if robot.nv > MOST and entry.grows(robot):
            long.append(name)
            continue
        values = entry.example(robot)
        try:
            count = robot.operation_count(name, **values)
        except ModelError as error:
            refused.append(f"{name}: {error}")
            continue
        of = f" of {one_line(values['link'])}" if "link" in values else ""
        table.add_row(name + of, *(str(n) for n in (count.multiplications, count.additions, count.trigonometric)))
    console.print(table)
    if long:
        console.print(f"not counted, because the cost grows with the square of the {robot.nv} velocities: {', '.join(long)}")
    for text in refused:
        console.print(f"not for this robot: {text}", markup=False)
