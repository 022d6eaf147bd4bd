"""MP4 films: pictures go through a pipe to ffmpeg, whose program is in the wheel of imageio-ffmpeg."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import tempfile
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import IO

import numpy as np

from ...errors import FileError, MissingExtraError

QUALITY = 20  # constant rate factor of H.264: 18 is said to be without visible loss, 23 is the usual one
PURPOSE = "writing .mp4 films (a .gif needs no other package)"


def program() -> str:
    """Return the path of ffmpeg, or raise a MissingExtraError."""
    try:
        import imageio_ffmpeg

        return str(imageio_ffmpeg.get_ffmpeg_exe())
    except (ImportError, RuntimeError):
        raise MissingExtraError("imageio-ffmpeg", "view", PURPOSE) from None


class Mp4:
    """An MP4 in H.264, which every browser plays.

    The film is made in a temporary file, because its index, which comes first, is written last. The program is ended with the
    `with` block, whatever happens in it.

    Args:
        file: open for writing.
        size: width and height in pixels; odd ones get one more row or column, because H.264 has colors for 2 x 2 pixels.
        fps: pictures per second.
    """

    def __init__(self, file: IO[bytes], size: tuple[int, int], fps: float) -> None:
        self.file, self.size, self.rate = file, size, str(Fraction(fps).limit_denominator(1001))
        self.program = program()

    def __enter__(self) -> Mp4:
        self.folder = tempfile.TemporaryDirectory(prefix="lissom-")
        self.film = Path(self.folder.name) / "film.mp4"
        self.said = open(Path(self.folder.name) / "said.txt", "w+b")
        colors = "scale=out_color_matrix=bt709:out_range=tv,pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white"
        same = ("-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709")
        given = ("-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{self.size[0]}x{self.size[1]}", "-r", self.rate, "-i", "pipe:0")
        made = (
            "-an",
            "-vf",
            colors,
            "-c:v",
            "libx264",
            "-preset",
            "veryfast",
            "-crf",
            str(QUALITY),
            "-pix_fmt",
            "yuv420p",
            *same,
        )
        command = [self.program, "-y", "-nostdin", "-loglevel", "error", *given, *made, "-movflags", "+faststart", str(self.film)]
        # in a session of its own: Ctrl-C is for lissom, which then ends it
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=self.said, start_new_session=True
        )
        return self

    def add(self, picture: np.ndarray) -> None:
        """Add a picture (height, width, 3)."""
        try:
            assert self.process.stdin is not None
            self.process.stdin.write(np.ascontiguousarray(picture).data)
        except OSError:
            raise self._failed() from None

    def close(self) -> None:
        """End the film and write it into the file."""
        try:
            assert self.process.stdin is not None
            self.process.stdin.close()
        except OSError:
            raise self._failed() from None
        if self.process.wait() != 0:
            raise self._failed()
        with open(self.film, "rb") as film:
            shutil.copyfileobj(film, self.file, 1 << 20)

    def _failed(self) -> FileError:
        self.process.wait()
        self.said.seek(0)
        said = self.said.read(2000).decode(errors="replace").strip().splitlines()
        return FileError(f"ffmpeg failed with code {self.process.returncode}: {said[-1] if said else 'it said nothing'}")

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        if self.process.stdin is not None and not self.process.stdin.closed:
            with contextlib.suppress(OSError):  # nobody reads what is left in the buffer
                self.process.stdin.close()
        self.said.close()
        self.folder.cleanup()
