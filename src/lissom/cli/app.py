"""The commands and their options, most of them in modules named `..._commands.py`; the work is in the modules beside."""

from __future__ import annotations

import sys
import warnings
from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from ..errors import ModelWarning
from ..version import VERSION
from .exit_codes import INTERRUPTED
from .export_command import export, web_demo
from .group import Commands
from .identify_commands import excite, identify
from .json_output import JsonOption
from .motion_commands import predict, simulate, torque
from .osim_commands import app as osim
from .robot_options import ForceOption, RobotFile, RobotOptions, with_robot_options
from .study_command import study
from .text import say
from .view_command import view
from .work_command import work

HELP = "Robot dynamics: torques and joint loads of a motion, simulation, and optimal motions."

app = typer.Typer(
    cls=Commands,
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help=HELP,
    context_settings={"help_option_names": ["-h", "--help"]},  # of all commands
)


def _show_version(wanted: bool) -> None:
    if wanted:
        say(f"lissom {VERSION}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Handle the options without a command."""


@app.command()
@with_robot_options
def inspect(
    file: RobotFile,
    how: RobotOptions,
    everything: Annotated[bool, typer.Option("--all", help="Count the operations of all functions; may take a minute.")] = False,
    json: JsonOption = False,
) -> None:
    """Show a robot's links, joints, doubtful inertias and operation counts."""
    from .inspect import inspect_robot

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)  # the report lists them
        robot = how.open(file)
        with_friction = replace(how, friction=True).open(file)
        inspect_robot(robot, with_friction.model, everything, json)


for command in (torque, simulate, predict, study, excite, identify, view, export, web_demo, work):
    app.command()(command)
app.add_typer(osim, name="osim")


@app.command()
@with_robot_options
def convert(
    file: RobotFile,
    out: Annotated[Path, typer.Argument(metavar="OUT", help="File to write; its ending (.yaml, .urdf) selects the format.")],
    how: RobotOptions,
    lossy: Annotated[bool, typer.Option("--lossy", help="Drop what the format cannot express instead of failing.")] = False,
    force: ForceOption = False,
    json: JsonOption = False,
) -> None:
    """Write a robot in another format."""
    from .convert import convert_robot
    from .outputs import Outputs

    outputs = Outputs("convert", force, json)
    outputs.check([out], [file])
    robot = how.open(file)
    convert_robot(robot, file, out, lossy, outputs)


@app.command()
def robots(json: JsonOption = False) -> None:
    """List the built-in robots."""
    from .lists import list_robots

    list_robots(json)


@app.command()
def problems(json: JsonOption = False) -> None:
    """List the built-in problems of motion, for `lissom predict`."""
    from .lists import list_problems

    list_problems(json)


@app.command()
def scenarios(json: JsonOption = False) -> None:
    """List the built-in scenarios, for `lissom simulate`."""
    from .lists import list_scenarios

    list_scenarios(json)


@app.command()
def bench(file: RobotFile = "robots:stanford", json: JsonOption = False) -> None:
    """Time a robot's inverse dynamics on this machine, beside Pinocchio where it is installed."""
    from .bench import time_robot

    time_robot(file, json)


@app.command()
def cache(
    clear: Annotated[bool, typer.Option("--clear", help="Delete all compiled programs.")] = False,
    path: Annotated[bool, typer.Option("--path", help="Print only the folder.")] = False,
    json: JsonOption = False,
) -> None:
    """Show or clear the compiled programs kept on disk."""
    from .cache import show_cache

    show_cache(clear, path, json)


class Shell(str, Enum):
    """Shells with completion."""

    bash = "bash"
    zsh = "zsh"
    fish = "fish"


@app.command()
def completion(
    shell: Annotated[Shell, typer.Argument(metavar="SHELL", help="bash, zsh or fish.", show_default=False)],
) -> None:
    """Print the script that makes a shell complete commands, options, robots and files."""
    from .completion import print_script

    print_script(shell.value)


@app.command()
def demo(
    out: Annotated[Path, typer.Option(metavar="DIR", help="Output folder.")] = Path("out"),
    force: ForceOption = False,
    json: JsonOption = False,
) -> None:
    """Show torques and joint loads of a given motion, and the fastest motions of two arms."""
    from .demo import run_demo
    from .outputs import Outputs

    run_demo(out, Outputs("demo", force, json))


def main() -> None:
    """Run the command line."""
    try:
        if sys.argv[1:3] == ["completion", "--line"]:  # what the shells ask, without the time that typer takes to read it
            from .completion import print_candidates

            print_candidates(app, " ".join(sys.argv[3:]))
            return
        app()
    except KeyboardInterrupt:  # before a command has begun; commands handle it themselves
        raise SystemExit(INTERRUPTED) from None
