"""Text that is safe on a terminal: names come from strangers' files and may hold anything."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TextIO


def printable(text: object) -> str:
    r"""Return a text in which only line ends do anything but show a letter.

    Codes that move the cursor, recolor or rename the terminal, turn the direction of writing, show nothing or are no characters
    at all (C0, DEL, C1, bidirectional marks, invisible letters, lone surrogates) become escapes, as Python writes them: \x1b.
    """
    text = str(text)
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode("ascii") for c in text)


def one_line(text: object) -> str:
    r"""Return a name as `printable` does, its line ends as \n: it cannot look like lines of a report."""
    return printable(text).replace("\n", "\\n")


def say(text: object) -> None:
    """Print a line on standard output."""
    print(printable(text))


def complain(text: object) -> None:
    """Print a line on standard error, where that is open and takes it."""
    if sys.stderr is None:
        return
    try:
        print(f"lissom: {printable(text)}", file=sys.stderr, flush=True)
    except OSError:  # a full disk: nothing can be said, but the exit code still tells
        give_up(sys.stderr)


def give_up(stream: TextIO) -> None:
    """Keep the interpreter from flushing once more, when it ends, into a pipe that nobody reads or a disk that is full."""
    with contextlib.suppress(OSError):  # a stream that was closed from the start has no number
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
