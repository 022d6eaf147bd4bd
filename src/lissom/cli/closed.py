"""Commands on closed robots, whose coordinates are those of the active joints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from .console import make_console, make_table
from .costs import print_costs
from .text import one_line

if TYPE_CHECKING:
    from ..closed import ClosedRobot


def print_loops(robot: ClosedRobot, everything: bool = False) -> None:
    """Print loops, mobility and operation counts of a closed robot."""
    console = make_console()
    table = make_table("Loops", "loop", "kind", "first", "second")
    for loop in robot.model.loops:
        table.add_row(loop.name, loop.kind.value, loop.first, loop.second)
    console.print(table)
    console.print(Text(f"{robot.mobility()}\n"))
    if robot.model.active is None:
        console.print("no joint is active; name the active joints with --active, or `active:` in the file\n")
        return
    shown = ", ".join(f"{one_line(name)} {x:.6g}" for name, x in zip(robot.coordinate_names, robot.home(), strict=True))
    free = f"\nfree: {', '.join(map(one_line, robot.free_names))}" if robot.free_names else ""
    console.print(f"active: {', '.join(map(one_line, robot.model.active))}{free}\nat home: {shown}\n")
    print_costs(console, robot, everything)
