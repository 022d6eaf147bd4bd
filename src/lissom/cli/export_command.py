"""The commands `export` and `web-demo`, with their options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .json_output import JsonOption
from .robot_options import ForceOption, RobotFile, RobotOptions, with_robot_options


@with_robot_options
def export(
    file: RobotFile,
    functions: Annotated[list[str], typer.Argument(metavar="FUNCTION..", help="inverse_dynamics, forward_dynamics, ...")],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="Write the files into this folder.")],
    how: RobotOptions,
    to: Annotated[
        str,
        typer.Option(
            "--to",
            metavar="LANGUAGE",
            help="c, cpp, python (numpy), matlab (octave), cuda, javascript (wasm), latex or markdown.",
        ),
    ] = "c",
    precision: Annotated[str | None, typer.Option(help="double or single; by default that of the language.")] = None,
    batch: Annotated[bool, typer.Option("--batch", help="Also write functions of many states.")] = False,
    names: Annotated[bool, typer.Option("--names/--numbers", help="Name values as the recursion does, or number them.")] = True,
    name: Annotated[str | None, typer.Option(help="Name of the library; by default made from the robot's.")] = None,
    options: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="OPTION=VALUE",
            help="An option of the functions or of the language, such as link=hand or sine=libm; may be repeated.",
        ),
    ] = None,
    force: ForceOption = False,
    json: JsonOption = False,
) -> None:
    """Write functions of a robot as source code in another language."""
    from .export import export_functions
    from .outputs import Outputs

    how_written = {"language": to, "precision": precision, "batch": batch, "names": names, "name": name}
    export_functions(how.open(file), file, functions, out, how_written, options or [], Outputs("export", force, json))


@with_robot_options
def web_demo(
    file: RobotFile,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="The page, a file ending in .html.")],
    how: RobotOptions,
    q: Annotated[str | None, typer.Option("--q", metavar="N,N,..", help="Coordinates at the start; neutral by default.")] = None,
    simd: Annotated[bool, typer.Option("--simd/--no-simd", help="Compute with vectors, as all browsers since 2023 can.")] = True,
    force: ForceOption = False,
    json: JsonOption = False,
) -> None:
    """Write a page that simulates a robot in a browser, with a slider for each joint."""
    from .export import write_web_demo
    from .outputs import Outputs

    write_web_demo(how.open(file), file, out, q, simd, Outputs("web-demo", force, json))
