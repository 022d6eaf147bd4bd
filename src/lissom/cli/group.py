"""Running a command: errors, warnings, Ctrl-C and closed pipes become a message and an exit code."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys
import warnings
from typing import Any

import typer
from typer.core import TyperGroup

from ..errors import FileError, LissomError, ModelWarning
from .exit_codes import CLOSED_PIPE, INTERRUPTED, NOT_WRITTEN, Reported, error_code
from .text import complain, give_up, printable
from .words import in_options

# typer contains click or imports it, depending on its version
_UsageError = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")


class Commands(TyperGroup):
    """Group of commands that reports errors as one-line messages."""

    def main(self, *arguments: Any, **more: Any) -> Any:
        """Run the command line and end the program, with its output flushed."""
        _open_streams()
        _print_anything()
        try:
            try:
                return super().main(*arguments, **more)
            finally:
                sys.stdout.flush()
        except SystemExit as end:
            if isinstance(end.__context__, BrokenPipeError):  # typer and rich end with 1
                give_up(sys.stdout)
                raise SystemExit(CLOSED_PIPE) from None
            raise
        except BrokenPipeError:
            give_up(sys.stdout)
            raise SystemExit(CLOSED_PIPE) from None
        except OSError as error:  # nothing can be printed: a full disk
            complain(_sentence(error))
            give_up(sys.stdout)
            raise SystemExit(NOT_WRITTEN) from None

    def invoke(self, ctx: Any) -> Any:
        """Turn lissom's and the system's errors, Ctrl-C and a closed pipe into a message and an exit code (`exit_codes.py`)."""
        # an output written to standard output redirects the report: restore it afterward
        with warnings.catch_warnings(), _safe_usage(), contextlib.redirect_stdout(sys.stdout):
            warnings.simplefilter("always", ModelWarning)
            warnings.filterwarnings(
                "ignore", r"(?s).* is drawn without \d+ of its meshes, which", ModelWarning
            )  # said by loading
            warnings.showwarning = _show_warning
            try:
                return super().invoke(ctx)
            except BrokenPipeError:
                raise typer.Exit(CLOSED_PIPE) from None
            except (LissomError, OSError, MemoryError) as error:
                if os.environ.get("LISSOM_DEBUG") == "1":
                    raise
                complain(_sentence(error))
                raise typer.Exit(error_code(error)) from None
            except KeyboardInterrupt as stopped:
                if not isinstance(stopped, Reported):
                    complain("interrupted")
                raise typer.Exit(INTERRUPTED) from None

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command, whose help shows flags without a value."""
        command = super().get_command(ctx, cmd_name)
        if command is not None:
            _plain_flags(command.get_params(ctx))
        return command

    def get_params(self, ctx: Any) -> Any:
        """Return the options without a command, flags without a value."""
        return _plain_flags(super().get_params(ctx))

    def make_context(self, *arguments: Any, **more: Any) -> Any:
        """Read the command line."""
        with _safe_usage():
            return super().make_context(*arguments, **more)


def _plain_flags(options: Any) -> Any:
    """Let the help show flags as `--force`; typer would write `--force <bool>`."""
    for option in options:
        if getattr(option, "is_flag", False) and option.metavar is None:
            option.metavar = ""
    return options


class _Closed(io.TextIOBase):
    """Standard output that was closed before the program started: printing to it is an error."""

    encoding, errors = "utf-8", "backslashreplace"

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        raise OSError(errno.EBADF, "Bad file descriptor")


@contextlib.contextmanager
def _safe_usage() -> Any:
    """Make typer's usage errors safe to print: they quote the command line."""
    try:
        yield
    except Exception as error:
        if isinstance(error, _UsageError):
            error.message = printable(error.message) + _hint(error)  # type: ignore[attr-defined]
        raise


def _hint(error: Any) -> str:
    """Return where an option that a command lacks is to be found."""
    if getattr(getattr(error, "ctx", None), "info_name", None) != "predict" or not getattr(error, "option_name", None):
        return ""
    from .gait import names_of_changes

    name = error.option_name.lstrip("-").replace("-", "_")
    return f"; it is --with {name}=... of predict gait" if name in names_of_changes() else ""


def _open_streams() -> None:
    """Occupy closed standard streams: the next opened file would get their number and what is printed there."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            with contextlib.suppress(OSError):
                # takes the lowest free number; opened in the wrong mode, so that output there fails instead of vanishing
                os.open(os.devnull, os.O_WRONLY if number == 0 else os.O_RDONLY)
    if sys.stdout is None:
        sys.stdout = _Closed()  # type: ignore[assignment]


def _print_anything() -> None:
    """Print names as escapes where the terminal's encoding lacks their letters."""
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors in ("strict", "surrogateescape"):
        sys.stdout.reconfigure(errors="backslashreplace")


def _sentence(error: BaseException) -> str:
    if isinstance(error, OSError) and error.filename is None and error.strerror:
        return "standard output is closed" if error.errno == errno.EBADF else error.strerror  # without its number
    text = str(error) or "memory ran out"
    return text if isinstance(error, FileError) else in_options(text)  # text quoted from files stays as it is


def _show_warning(message: Warning | str, category: type[Warning], *_: object, **__: object) -> None:
    complain(f"warning: {message}")
