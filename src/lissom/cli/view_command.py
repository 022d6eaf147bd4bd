"""The command `lissom view` and its options; the work is in `view.py`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .robot_options import ForceOption, RobotOptions, with_robot_options


@with_robot_options
def view(
    file: Annotated[str, typer.Argument(metavar="FILE", help="Robot, motion problem or scenario: a file or a built-in name.")],
    how: RobotOptions,
    motions: Annotated[
        list[Path] | None,
        typer.Argument(metavar="MOTION", help="Trajectory or prediction (.npz, .csv); two are compared side by side."),
    ] = None,
    q: Annotated[str | None, typer.Option("--q", metavar="N,N,..", help="Coordinates; neutral by default.")] = None,
    save: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a page (.html), a picture (.png, .jpg) or a film (.gif, .mp4) instead."),
    ] = None,
    port: Annotated[int | None, typer.Option(metavar="N", help="Port on 127.0.0.1; a free one by default.")] = None,
    browser: Annotated[
        bool | None,
        typer.Option("--browser/--no-browser", help="Open a browser, or only print the address.", show_default=False),
    ] = None,
    shown: Annotated[
        list[str] | None, typer.Option("--show", metavar="LAYER,..", help="Show these layers too: axes, com.")
    ] = None,
    hidden: Annotated[list[str] | None, typer.Option("--hide", metavar="LAYER,..", help="Hide these layers.")] = None,
    ghosts: Annotated[int | None, typer.Option(metavar="N", help="Keep N poses of the motion visible.")] = None,
    paths: Annotated[list[str] | None, typer.Option(metavar="LINK,..", help="Draw the paths of these links.")] = None,
    over: Annotated[bool, typer.Option("--over", help="Show two motions in one place instead of side by side.")] = False,
    title: Annotated[str | None, typer.Option(metavar="TEXT", help="Title of the view.")] = None,
    fps: Annotated[float | None, typer.Option(metavar="N", help="Frames per second.")] = None,
    size: Annotated[str | None, typer.Option(metavar="WxH", help="Size of a picture or film in pixels: 800x600.")] = None,
    direction: Annotated[
        str | None, typer.Option("--view", metavar="NAME", help="Of a picture or film: front, side, top, iso, or 30,20 degrees.")
    ] = None,
    time: Annotated[float | None, typer.Option(metavar="SECONDS", help="Time of a picture.")] = None,
    speed: Annotated[float | None, typer.Option(metavar="N", help="Speed of a film: 0.5 is slow motion.")] = None,
    force: ForceOption = False,
) -> None:
    """Show a robot or a motion in 3-D, in a browser until Ctrl-C, or in a file."""
    from .outputs import Outputs
    from .view import layers_of, names_of, size_of, view_file, view_of

    options: dict[str, object] = {"layers": layers_of(shown, hidden), "ghosts": ghosts, "paths": names_of(paths), "fps": fps}
    options |= {"over": over or None, "title": title, "size": size_of(size), "view": view_of(direction)}
    options |= {"time": time, "speed": speed, "port": port, "browser": browser}
    view_file(file, motions or [], how, q, save, options, Outputs("view", force))
