"""Source of a description: its file, its lines, and errors that name both."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import IO

from ..doubts import doubt
from ..errors import FileError, ModelError, NameLookupError, similar, suggest
from ..model import Model

SEARCHED = 10**9  # most characters searched for names, which takes a second
MOST = 40_000  # most named parts of a file: checking them takes seconds
FOLDER = "this is a folder; give the robot's file inside it"
MANY_FILES = 5000  # of a folder are compared with the name of a missing one
PIECE = 1 << 22  # bytes read at once
HINTS = 20  # most suggestions in the warnings of a file


@dataclass
class Source:
    """A file that is being read.

    Attributes:
        path: the file, as given by the caller; only used in messages.
        lines: line numbers of named parts, with the keys used in messages: "link 'arm'", "joint 'elbow'".
        hints: suggestions given so far.
    """

    path: object
    lines: dict[str, int] = field(default_factory=dict)
    hints: int = 0

    def hint(self, name: str, choices: Iterable[str]) -> str:
        """Return "; did you mean 'elbow'?" for a warning; empty after HINTS of them, because comparing names takes time."""
        self.hints += 1
        return f"; {suggest(name, choices)}" if self.hints <= HINTS else ""

    def error(self, message: str, line: int | None = None) -> FileError:
        """Return an error with `message` for this file at `line`."""
        return FileError(message, self.path, line)

    def warn(self, message: str, line: int | None = None) -> None:
        """Issue a ModelWarning with `message` for this file at `line`."""
        doubt(str(self.error(message, line)), stacklevel=3)

    def note(self, what: str, name: str, line: int) -> None:
        """Store the line of the `what` ("link", "joint" or "motor") called `name`; a repeated name is an error."""
        key = f"{what} {name!r}"
        if len(self.lines) >= MOST:
            raise self.error(f"more than {MOST} links, joints and motors; computing with so many would take hours", line)
        if key in self.lines:
            raise self.error(f"two {what}s are called {name!r} (the first at line {self.lines[key]}); names must be unique", line)
        self.lines[key] = line

    @contextmanager
    def at(self, line: int | None = None) -> Iterator[None]:
        """Turn errors of the model into a FileError at `line`, or at the line of the first part named in the message."""
        try:
            yield
        except (ModelError, NameLookupError) as error:
            raise self.error(str(error), line if line is not None else self._line_of(str(error))) from error

    def _line_of(self, message: str) -> int | None:
        if len(message) * len(self.lines) > SEARCHED:  # many long names: searching would take longer than reading
            return None
        # most messages say "joint 'a'"; lists say "links 'a', 'b'" or only quote the names
        found = [(message.find(key), line) for key, line in self.lines.items() if key in message]
        if not found:
            quoted = [(message.find(key.split(" ", 1)[1]), line) for key, line in self.lines.items()]
            found = [(place, line) for place, line in quoted if place >= 0]
        return min(found)[1] if found else None


def exists(path: Path) -> bool:
    """Return whether a file exists; False for names that are too long for the system or invalid."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def is_folder(path: str | os.PathLike[str]) -> bool:
    """Return whether `path` is a folder; False for names that are too long for the system or invalid."""
    try:
        return Path(path).is_dir()
    except (OSError, ValueError):
        return False


def check_source(source: object) -> None:
    """Raise a FileError unless `source` can be a file or the text of one."""
    if isinstance(source, str | os.PathLike) and not isinstance(os.fspath(source), bytes):
        if not str(source).strip():
            raise FileError("the name of the robot's file is empty", repr(source))
        return
    kind = type(source).__name__
    hint = ""
    if isinstance(source, bytes):
        hint = "; decode it first: source.decode()"
    elif isinstance(source, Model):
        hint = f"; lissom.{'ClosedRobot' if source.loops else 'Robot'}(model) makes the robot of a model"
    raise FileError(f"a robot is loaded from a file, the text of one, or a name such as 'robots:panda'; got {kind}{hint}")


def read_bytes(path: str | os.PathLike[str], limit: int) -> bytes:
    """Return the content of a file of at most `limit` bytes."""
    file = Path(path)
    try:
        if file.is_dir():
            raise FileError(FOLDER, path)
        with file.open("rb") as stream:
            data = b"".join(_pieces(stream, limit + 1))
    except FileNotFoundError:
        raise FileError(f"no such file{_near(file)}", path) from None
    except (OSError, ValueError) as error:
        raise FileError(f"cannot be opened: {getattr(error, 'strerror', None) or error}", path) from None
    if len(data) > limit:
        raise FileError(f"the file is larger than {limit >> 20} MiB, the limit for robot descriptions", path)
    return data


def _pieces(stream: IO[bytes], most: int) -> Iterator[bytes]:
    """Yield what a stream holds, at most so many bytes: a read of many takes memory for all of them first."""
    while most > 0 and (piece := stream.read(min(PIECE, most))):
        most -= len(piece)
        yield piece


def _near(file: Path) -> str:
    """Return what a message adds about the surroundings of a missing file: files of the same kind with similar names."""
    if not file.parent.is_dir():
        return f"; the folder {str(file.parent)!r} does not exist either"
    try:
        with os.scandir(file.parent) as entries:
            names = [entry.name for entry in islice(entries, MANY_FILES) if Path(entry.name).suffix == file.suffix]
    except OSError:  # a folder that cannot be listed
        return ""
    close = similar(file.name, names)
    return f"; {close}" if close else ""


def decode(data: bytes, path: object) -> str:
    """Return UTF-8 `data` as text, without its byte-order mark."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FileError(f"byte {data[error.start]:#04x} is not UTF-8; save the file as UTF-8", path, line) from None
