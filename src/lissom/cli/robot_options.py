"""The robot of a command line: its FILE and the options that all commands with a robot share.

A command takes them in one parameter:

    @app.command()
    @with_robot_options
    def inspect(file: RobotFile, how: RobotOptions) -> None:
        robot = how.open(file)
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from ..closed import ClosedRobot
    from ..robot import Robot


class Base(str, Enum):
    """How the base link is held."""

    fixed = "fixed"
    floating = "floating"


_option = functools.partial(typer.Option, rich_help_panel="Options of the robot")

RobotFile = Annotated[
    str, typer.Argument(metavar="FILE", help="Robot file (.urdf, .xml, .yaml) or built-in robot: robots:stanford.")
]
ForceOption = Annotated[bool, typer.Option("--force", help="Overwrite existing files.", show_default=False)]


@dataclass(frozen=True)
class RobotOptions:
    """How a robot is loaded: one option of the command line per field, named as in `lissom.load`."""

    base: Annotated[Base, _option("--base", help="Fix the base link to the world, or let it float.")] = Base.fixed
    mimic: Annotated[bool, _option("--mimic/--no-mimic", help="Keep coupled joints coupled, or make them independent.")] = True
    friction: Annotated[
        bool | None,
        _option("--friction/--no-friction", help="Use the friction given in the file, or leave it out.", show_default=False),
    ] = None
    strict: Annotated[bool, _option("--strict", help="Reject doubtful inertias instead of warning about them.")] = False
    loops: Annotated[Path | None, _option("--loops", metavar="YAML", help="File with the loops of a URDF robot.")] = None
    active: Annotated[
        list[str] | None,
        _option("--active", metavar="JOINT,..", help="Active joints of a closed robot, instead of the file's."),
    ] = None
    closure_tolerance: Annotated[
        float | None,
        _option(
            "--closure-tolerance",
            metavar="METERS",
            help="Accept loops that do not close by up to this distance (rounded lengths).",
        ),
    ] = None

    mesh_path: Annotated[
        list[Path] | None,
        _option("--mesh-path", metavar="FOLDER", help="Search mesh files and their packages here too; may be repeated."),
    ] = None

    def open(self, file: str) -> Robot | ClosedRobot:
        """Load a robot; names of active joints may also be separated by commas."""
        from ..loading.load import load

        options = {field.name: getattr(self, field.name) for field in fields(self)}
        names = [name.strip() for text in self.active or () for name in text.split(",")]
        return load(file, **options | {"base": self.base.value, "active": names or None, "mesh_path": self.mesh_path or None})

    def given(self) -> list[str]:
        """Return the options that differ from their defaults, as on the command line: --base, --no-mimic."""
        changed = [field.name for field in fields(self) if getattr(self, field.name) not in (field.default, [])]
        return ["--no-mimic" if name == "mimic" else f"--{name.replace('_', '-')}" for name in changed]


def with_robot_options(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command whose parameter of type RobotOptions is replaced by one option per field."""
    own = inspect.signature(command, eval_str=True).parameters
    shared = inspect.signature(RobotOptions, eval_str=True).parameters
    taken = next(name for name, parameter in own.items() if parameter.annotation is RobotOptions)

    @functools.wraps(command)
    def run(**given: Any) -> None:
        how = RobotOptions(**{name: given.pop(name) for name in shared})
        command(**given, **{taken: how})

    parts = [*(parameter for name, parameter in own.items() if name != taken), *shared.values()]
    parts = [part.replace(kind=inspect.Parameter.KEYWORD_ONLY) for part in parts]  # defaults in any order
    run.__signature__ = inspect.Signature(parts)  # type: ignore[attr-defined]
    run.__annotations__ = {part.name: part.annotation for part in parts}
    return run
