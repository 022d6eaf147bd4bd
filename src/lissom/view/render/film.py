"""Films of scenes in files."""

from __future__ import annotations

import math
import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np

from ...errors import FileError, StateError
from ...files import write_whole
from ..notebook import ProgressLine, in_notebook
from ..scene.scene import Scene
from .gif import Gif
from .image import SIZE, Layers, Studio
from .mp4 import Mp4, program

ENDINGS = (".gif", ".mp4")
FASTEST = {".gif": 50.0, ".mp4": 240.0}  # pictures per second; viewers slow down faster GIFs
MOST = 36_000  # pictures of a film
EXAMPLES, EXAMPLE_SIZE = 6, 400  # pictures that the colors of a GIF are taken from, and the pixels along their longer side
THREADS = 4

Progress = bool | Callable[[int, int], None] | None


def write_film(
    scene: Scene,
    path: str | os.PathLike[str],
    *,
    fps: float = 30.0,
    size: Sequence[int] = SIZE,
    speed: float = 1.0,
    view: Any = "default",
    layers: Layers = None,
    text: bool = True,
    hold: float = 0.0,
    progress: Progress = None,
) -> Path:
    """Write a film of a scene's motion, without a display, a graphics card or a browser.

    Picture k shows the time k speed / fps after the beginning; one more shows the end, if that falls between two.

    Args:
        scene: with a motion.
        path: file to write: .gif, or .mp4 (H.264; extra `view`).
        fps: pictures per second; at most 50 for a GIF.
        size: width and height in pixels.
        speed: seconds of the motion per second of the film: 0.25 is four times slower.
        view: where the camera is; see `write_picture`.
        layers: keys of the layers to show (`lissom.view.scene.scene.LAYERS`), or {key: shown}; None as the scene says.
        text: whether name, time and the scale of arrows are written into the pictures.
        hold: how long the last picture stays [s].
        progress: True for a bar below the cell of a notebook, or on the standard error, where that is a terminal; or a function
            f(pictures done, pictures).

    Returns:
        The path.
    """
    path = Path(path)
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        raise FileError(f"cannot write a film into a file ending in {path.suffix!r}; use .gif or .mp4", path)
    fps = _number("fps", fps, 0.1, FASTEST[ending], f"pictures per second, from 0.1 to {FASTEST[ending]:g} in a {ending} file")
    speed = _number("speed", speed, 1e-9, 1e9, "seconds of the motion per second of the film, larger than 0")
    hold = _number("hold", hold, 0.0, 600.0, "seconds, from 0 to 600")
    times = _times(scene, fps, speed)
    if ending == ".mp4":
        program()  # before any work
    return write_pictures(
        Studio(scene, size, view, layers), path, times, fps, speed=speed, hold=hold, text=text, progress=progress
    )


def write_pictures(
    studio: Studio,
    path: Path,
    times: np.ndarray,
    fps: float,
    *,
    speed: float = 1.0,
    hold: float = 0.0,
    text: bool = True,
    progress: Progress = None,
) -> Path:
    """Write a film of the pictures at some times; see `write_film`.

    Args:
        studio: what is seen, and from where.
        path: file to write (.gif, .mp4).
        times: (n,) of the pictures [s].
        fps: pictures per second.
        speed: written beside the time.
        hold: how long the last picture stays [s].
        text: whether there are labels.
        progress: see `write_film`.
    """
    note = "" if abs(speed - 1) < 0.005 else f", {1 / speed:.3g} times slower" if speed < 1 else f", {speed:.3g} times faster"

    def write(file: IO[bytes]) -> None:
        with _reporting(progress, len(times)) as done:
            pictures = _pictures(studio, times, text, note, done)
            try:
                if path.suffix.lower() == ".gif":
                    _write_gif(file, studio, times, pictures, fps, hold)
                else:
                    _write_mp4(file, studio, pictures, fps, hold)
            finally:
                pictures.close()  # its threads end here, also after Ctrl-C

    return write_whole(path, write, folders=True)


def _write_gif(
    file: IO[bytes], studio: Studio, times: np.ndarray, pictures: Iterable[np.ndarray], fps: float, hold: float
) -> None:
    # GIF counts hundredths of a second: rounding the sums avoids drift
    ends = np.rint(100 * np.arange(len(times) + 1) / fps).astype(int)
    lasts = np.diff(ends)
    lasts[-1] += round(100 * hold)
    gif = Gif(file, studio.size, _examples(studio, times))
    for picture, last in zip(pictures, lasts.tolist(), strict=True):
        gif.add(picture, last)
    gif.close()


def _write_mp4(file: IO[bytes], studio: Studio, pictures: Iterable[np.ndarray], fps: float, hold: float) -> None:
    with Mp4(file, studio.size, fps) as film:
        for picture in pictures:
            film.add(picture)
        for _ in range(round(hold * fps)):
            film.add(picture)
        film.close()


def _examples(studio: Studio, times: np.ndarray) -> list[np.ndarray]:
    """Return small pictures along the film."""
    less = max(max(studio.size) / EXAMPLE_SIZE, 1.0)
    size = [max(round(side / less), 16) for side in studio.size]
    small = studio.resized(size)
    return [small.picture(times[k]) for k in np.unique(np.linspace(0, len(times) - 1, EXAMPLES).round().astype(int))]


def _pictures(
    studio: Studio, times: np.ndarray, text: bool, note: str, done: Callable[[int], object] | None
) -> Generator[np.ndarray, None, None]:
    """Return the pictures in order, drawn by a few threads that are never more than a few pictures ahead."""
    threads = min(THREADS, os.cpu_count() or 1)
    waiting: deque[Future[np.ndarray]] = deque()
    given = 0
    with ThreadPoolExecutor(threads) as pool:
        try:
            for t in times:
                waiting.append(pool.submit(studio.picture, float(t), text, note))
                if len(waiting) > threads:
                    yield waiting.popleft().result()
                    given += 1
                    if done is not None:
                        done(given)
            while waiting:
                yield waiting.popleft().result()
                given += 1
                if done is not None:
                    done(given)
        finally:
            for future in waiting:
                future.cancel()


def _times(scene: Scene, fps: float, speed: float) -> np.ndarray:
    start, end = float(scene.times[0]), float(scene.times[-1])
    if not end > start:
        raise StateError("nothing moves in this scene, so there is no film of it; write a picture (.png)")
    steps = (end - start) * fps / speed
    if not steps < MOST:
        raise StateError(
            f"a film of {end - start:g} s at fps {fps:g} and speed {speed:g} has more than {MOST} pictures; lower fps"
        )
    whole = math.floor(steps + 1e-6)
    times = start + np.arange(whole + 1) * (speed / fps)
    return np.minimum(times, end) if steps - whole < 1e-3 else np.append(times, end)


def _number(name: str, value: Any, low: float, high: float, expected: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not low <= number <= high:
        raise StateError(f"{name} is {value!r}, expected {expected}")
    return number


@contextmanager
def _reporting(progress: Progress, count: int) -> Iterator[Callable[[int], object] | None]:
    """Give a function to call with the number of pictures that are done, or None where nobody wants to know."""
    if callable(progress):
        yield lambda done: progress(done, count)
        return
    if not (progress is None or isinstance(progress, bool)):
        raise StateError(f"progress is {progress!r:.60}, expected True, False, or a function of the pictures done and of all")
    if not progress:
        yield None
        return
    if in_notebook():
        below = ProgressLine("pictures", 0.0)
        try:
            yield lambda done: below(f"{done} of {count} pictures", done / count)
        finally:
            below.flush()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    console = Console(stderr=True)
    if not (console.is_terminal and console.file.isatty()):  # colors may be forced into a file, a bar may not
        yield None
        return
    with Bar(
        TextColumn("pictures"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=console, transient=True
    ) as bar:
        task = bar.add_task("pictures", total=count)
        yield lambda done: bar.update(task, completed=done)
