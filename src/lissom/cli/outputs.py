"""Outputs of a command: checked before the work, numbers written before pictures, results never lost."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import typer

from ..errors import FileError, LissomError
from ..files import open_stream, write_stream, write_whole
from ..interrupt import Interrupt
from .exit_codes import NOT_DRAWN, NOT_WRITTEN, SUCCESS, Reported, error_code
from .files import is_stream, refuse_existing, refuse_overwriting, refuse_same, refuse_unwritable
from .json_output import print_json
from .record import remember
from .text import complain, say
from .words import in_options

STDOUT = 1
SHOWN = 12  # files that are named where many are written

Writer = Callable[[Path], object]  # writes a file; its ending says how


class Outputs:
    """The files that a command writes.

    Numbers that cannot be written to their file are kept in another; a picture that fails does not stop the rest. Messages and
    the exit code report both. Ctrl-C keeps the numbers too.

    Attributes:
        command: its name, for the record of written files.
        written: files written so far.
        code: exit code of the first failure in writing, or 0.
        as_json: whether the report is for programs.
        report: the report that `finish` prints as JSON, with the written files.
    """

    def __init__(self, command: str, force: bool = False, as_json: bool = False) -> None:
        """Take the name of the command, whether files that exist may be overwritten, and whether the report is for programs."""
        self.command, self.force, self.as_json = command, force, as_json
        self.report: dict[str, Any] = {}
        self.written: list[Path] = []
        self.code = SUCCESS
        self._numbers: tuple[Writer, str] | None = None  # numbers not yet written: writer and file name

    def check(self, targets: Sequence[Path | None], inputs: Sequence[str | Path] = (), pictures: bool = False) -> None:
        """Raise a FileError for files that cannot or should not be written; None is an output not asked for.

        Args:
            targets: files to write.
            inputs: files that are read, and must not be overwritten.
            pictures: whether a target is a picture: matplotlib is then loaded, with its default settings.
        """
        wanted = [path for path in targets if path is not None]
        for target in wanted:
            refuse_overwriting(target, *inputs)
        refuse_same(*wanted)
        for target in wanted:
            refuse_unwritable(target)
            if not self.force:
                refuse_existing(target, self.command)
        if pictures:
            from .pictures import load_matplotlib

            load_matplotlib()
        if any(open_stream(target) == STDOUT for target in wanted):
            sys.stdout = sys.stderr  # the report; `Commands.invoke` puts it back

    def save(self, path: Path | None, write: Writer, ending: str, name: str) -> None:
        """Write numbers.

        Args:
            path: the file; None writes them only if something fails later.
            write: writes them into a file.
            ending: format for streams, whose names have no ending.
            name: file in which they are kept if they cannot be written to `path`.
        """
        self._numbers = write, name
        if path is None:
            return
        with Interrupt(lambda: complain(f"writing {path}; Ctrl-C again stops at once")) as interrupt:
            try:
                self._put(path, write, ending)
                self._numbers = None
            except (LissomError, OSError) as error:
                if isinstance(error, BrokenPipeError):
                    raise
                self.code = NOT_WRITTEN
                self._rescue(str(error))
        if interrupt.asked:
            self._interrupt()

    def draw(self, path: Path, write: Writer, ending: str) -> None:
        """Write a picture, a page or an animation of the numbers."""
        try:
            self._put(path, write, ending)
        except KeyboardInterrupt:
            self._interrupt()
        except BrokenPipeError:
            raise
        except Exception as error:  # plotting libraries may raise anything; the numbers must not be lost
            if os.environ.get("LISSOM_DEBUG") == "1":
                raise
            known = isinstance(error, LissomError) and not isinstance(error, FileError)  # a wrong option, a missing package
            self.code = self.code or (error_code(error) if known else NOT_DRAWN)
            if isinstance(error, FileError):
                self._rescue(str(error))
            else:
                self._rescue(in_options(str(error)) if known else f"{path}: cannot be drawn: {_summary(error)}")

    def finish(self, error: BaseException | None = None) -> None:
        """Print the written files, or the report as JSON, and end the command with the exit code of a failure, if any.

        Args:
            error: an earlier error, or None; it is raised, unless numbers could not be written.
        """
        if self.as_json:
            print_json({**self.report, "written": self.written})
        elif self.written:
            more = len(self.written) - SHOWN
            say("wrote " + ", ".join(map(str, self.written[:SHOWN])) + (f" and {more} more" if more > 0 else ""))
        if error is not None and self.code == NOT_WRITTEN and not isinstance(error, KeyboardInterrupt):
            complain(in_options(str(error)))
        elif error is not None:
            raise error
        if self.code:
            raise typer.Exit(self.code)

    def _put(self, path: Path, write: Writer, ending: str) -> None:
        if not is_stream(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            write(path)
            remember(path, self.command)
        else:
            with tempfile.TemporaryDirectory() as folder:
                whole = Path(folder) / f"out{ending}"
                write(whole)
                data = whole.read_bytes()
            number = open_stream(path)
            if number is None:
                write_whole(path, data)
            else:
                write_stream(number, data)
        self.written.append(path)

    def _rescue(self, why: str) -> None:
        """Report a failure, and keep numbers not yet written in another file."""
        if self._numbers is None:
            complain(why)
            return
        write, name = self._numbers
        places = [Path(), Path(tempfile.gettempdir())]
        with contextlib.suppress(RuntimeError):  # no home
            places.append(Path.home())
        for place in places:
            kept = fresh(place / name)
            with contextlib.suppress(LissomError, OSError):
                write(kept)
                self._numbers = None
                self.written.append(kept)
                complain(f"{why}; the result is kept in {kept}")
                return
        self.code = NOT_WRITTEN
        complain(f"{why}; the result could not be kept in {', '.join(str(p.absolute()) for p in places)} either")

    def _interrupt(self) -> None:
        """End with KeyboardInterrupt, after printing where the numbers are."""
        if self._numbers is not None:
            self._rescue("interrupted")
        elif self.written:
            complain(f"interrupted; the result is kept in {self.written[0]}")
        raise Reported


def fresh(path: Path) -> Path:
    """Return `path`, or if it exists the first free name beside it: out.npz, out-2.npz, out-3.npz."""
    number, found = 1, path
    while os.path.lexists(found):
        number += 1
        found = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return found


def _summary(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__
