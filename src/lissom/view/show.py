"""Showing robots and motions in three dimensions: in a browser, in a notebook, as a page, a picture or a film.

Every `show` method calls `show_robot` or `show_motion`; the options are the same for all.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

import numpy as np

from ..errors import FileError, StateError, suggest
from .scene.build import Layers, scene_of
from .scene.combine import beside as placed_beside
from .scene.combine import over as placed_over
from .scene.frames import Playable, frame_times
from .scene.paths import Paths
from .scene.scene import Scene
from .scene.sweep import Sweep

if TYPE_CHECKING:
    from ..protocol import DrivenRobot

PAGES, PICTURES, FILMS = (".html", ".htm"), (".png", ".jpg", ".jpeg"), (".gif", ".mp4")


class ShowOptions(TypedDict, total=False):
    """Options of every `show`.

    Attributes:
        title: of the view; by default the robot's or the problem's name.
        layers: keys of the layers that are visible at first (`lissom.view.scene.scene.LAYERS`), or {key: True or False} to change
            only some. "reactions" are computed only where they are asked for here.
        paths: links, or (link, [x, y, z] in its frame), whose paths are drawn; True for all tips, False for none.
        ghosts: a number of poses that stay visible, or their times [s].
        beside, over: another motion (or robot), shown to the right, or in the same place in another color. Both start at the
            same time, and the shorter one stays at its end.
        names: of the two motions that are compared; by default those of their robots or problems.
        fps: frames per second of the motion; films have 30 by default.
        size: width and height of a picture or film [pixels].
        view: of a picture or film: "default", "front", "side", "top", "iso", or (azimuth, elevation) [deg].
        time: of a picture [s].
        speed: of a film, in seconds of the motion per second.
        progress: of a film: True for a bar in the terminal or the notebook, or a function f(pictures done, pictures).
        browser: without a file: True opens a tab, in notebooks too; False only prints the address; by default a tab is opened
            where there is a display.
        port: without a file: where to listen on 127.0.0.1; by default a free port.
    """

    title: str | None
    layers: Layers | None
    paths: Paths | bool | None
    ghosts: int | Sequence[float] | None
    beside: Any
    over: Any
    names: Sequence[str] | None
    fps: float | None
    size: Sequence[int]
    view: Any
    time: float | None
    speed: float
    progress: Any
    browser: bool | None
    port: int | None


_DRAWN = ("title", "layers", "paths", "ghosts")
_OUTPUT = {"size": PICTURES + FILMS, "view": PICTURES + FILMS, "time": PICTURES, "speed": FILMS, "progress": FILMS}
_SERVED = ("browser", "port")
StrPath = str | os.PathLike[str]


def show_robot(robot: DrivenRobot, q: Any = None, *, save: StrPath | None = None, **options: Unpack[ShowOptions]) -> Any:
    """Show a robot at coordinates q (nq,), or at K of them (K, nq), one after the other; see `Robot.show`."""
    expect_options(options, save)
    sweep = Sweep(robot, q, options.get("fps"))
    alone = options.get("beside") is None and options.get("over") is None
    live = (robot, sweep.q[0]) if len(sweep.q) == 1 and alone else None
    return show(motion_scene_of(sweep, options), save, live, **output_options(options))


def show_motion(result: Playable, *, save: StrPath | None = None, **options: Unpack[ShowOptions]) -> Any:
    """Show a motion; see `Trajectory.show`."""
    expect_options(options, save)
    return show(motion_scene_of(result, options), save, **output_options(options))


def motion_scene_of(result: Playable, options: ShowOptions) -> Scene:
    """Return the scene of a motion, or of two, with those of the options that say what is drawn."""
    other, over = options.get("beside"), options.get("over")
    if other is not None and over is not None:
        raise StateError("beside and over are both given; a motion is shown either beside another or over it")
    drawn: Any = {key: options[key] for key in _DRAWN if key in options}  # type: ignore[literal-required]
    start, end = result._scene_span()
    second = other if over is None else over
    names = options.get("names")
    if second is None:
        if names is not None:
            raise StateError("names= are of two motions that are compared, and one is shown; title= names it")
        t = result.times() if isinstance(result, Sweep) else frame_times(start, end, options.get("fps"), _bodies(result))
        return scene_of(result._scene_motion(t), **drawn)
    second = _playable(second, "beside" if over is None else "over")
    start_2, end_2 = second._scene_span()
    t = frame_times(0.0, max(end - start, end_2 - start_2), options.get("fps"), _bodies(result) + _bodies(second))
    motions = []
    for k, (each, first, last) in enumerate(((result, start, end), (second, start_2, end_2))):
        motion = each._scene_motion(np.clip(t + first, first, last))
        motion = motion if names is None else replace(motion, name=names[k])
        motions.append(replace(motion, t=t, events=tuple((at - first, text) for at, text in motion.events)))
    title = drawn.pop("title", None)
    join = placed_beside if over is None else placed_over
    left, right = (scene_of(motion, **drawn) for motion in motions)
    scene = join(left, right, all(motion.fixed for motion in motions))
    return scene if title is None else replace(scene, name=title)


def show(scene: Scene, save: StrPath | None = None, live: tuple[DrivenRobot, np.ndarray] | None = None, **output: Any) -> Any:
    """Show a scene.

    Args:
        scene: what is shown.
        save: file to write: .html, a page that needs no server; .png or .jpg, a picture; .gif or .mp4, a film. None: in a
            notebook, below the cell; otherwise in a browser, from a server for this machine alone.
        live: robot and coordinates (nq,) of the scene, whose joints can then be moved.
        output: of pictures and films: size, view, time, speed, fps; of views in a browser: browser, port.

    Returns:
        The path; or, without one, the live view.
    """
    if save is not None:
        expect_ending(save)
        return _write(scene, Path(save), output)
    from .live import in_notebook, serve, show_inline

    robot, q = (None, None) if live is None else live
    browser, port = (output.get(key) for key in _SERVED)
    if in_notebook() and not browser:
        return show_inline(scene, robot, q, port=port)
    return serve(scene, robot, q, browser=browser, port=port)


def _write(scene: Scene, path: Path, output: dict[str, Any]) -> Path:
    ending = path.suffix.lower()
    if ending in PAGES:
        from .player.page import write_scene_page

        return write_scene_page(scene, path)
    from .render import write_film, write_picture

    if ending in FILMS:
        return write_film(scene, path, **{"progress": True, **output})
    return write_picture(scene, path, **{key: value for key, value in output.items() if key != "fps"})


def expect_ending(save: StrPath) -> str:
    """Return the ending of a file, or raise a FileError if nothing can be written into it, a StateError if it is none."""
    if not isinstance(save, (str, os.PathLike)) or not isinstance(os.fspath(save), str):
        raise StateError(f"save is {type(save).__name__}, expected the name of a file: .html, .png, .gif or .mp4")
    ending = Path(save).suffix.lower()
    if ending not in PAGES + PICTURES + FILMS:
        raise FileError(
            f"cannot show anything in a file ending in {Path(save).suffix!r}; use .html for a page, .png for a picture, .gif or "
            ".mp4 for a film",
            save,
        )
    return ending


def expect_options(options: ShowOptions, save: StrPath | None) -> None:
    """Raise for options that `show` does not have, or that do not fit the file."""
    known = tuple(ShowOptions.__annotations__)
    ending = None if save is None else expect_ending(save)
    title = options.get("title")
    if not (title is None or isinstance(title, str)):
        raise StateError(f"title is {type(title).__name__}, expected text")
    names = options.get("names")
    if names is not None and not (isinstance(names, (tuple, list)) and [type(name) for name in names] == [str, str]):
        raise StateError(f"names must be the two texts that say which motion is which, got {names!r:.60}")
    for key in options:
        if key not in known:
            raise StateError(f"show has no option {key}=; {suggest(key, ('save', *known))}")
        if key in _SERVED and save is not None:
            raise StateError(f"{key}= is for the view in a browser, and a file is written; leave out save= or {key}=")
        if key in _OUTPUT and ending not in _OUTPUT[key]:
            where = "nothing is saved" if save is None else f"{os.fspath(save)!r} is another file"
            raise StateError(f"{key}= is for {' and '.join(_OUTPUT[key])} files, and {where}")


def output_options(options: ShowOptions) -> dict[str, Any]:
    """Return the options of pictures, films and views in a browser."""
    found: dict[str, Any] = {key: options[key] for key in (*_OUTPUT, *_SERVED) if key in options}  # type: ignore[literal-required]
    if options.get("fps") is not None:
        found["fps"] = options["fps"]
    return found


def _bodies(result: Playable) -> int:
    """Return the number of links of the robot, for the memory of the frames."""
    return len(getattr(getattr(result, "robot", None), "link_names", ("", "")))


def _playable(other: Any, name: str) -> Playable:
    if hasattr(other, "_scene_motion"):
        return other  # type: ignore[no-any-return]
    if hasattr(other, "poses_along"):
        return Sweep(other, None, None)
    raise StateError(f"{name} is {type(other).__name__}, expected another motion (Trajectory, Prediction, ...) or a robot")
