"""Text that is safe on a terminal: names come from files and may contain control codes."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TextIO


def printable(text: object) -> str:
    r"""Return a text without control characters other than line ends.

    Codes that move the cursor, recolor or rename the terminal, change the direction of writing, show nothing or are not
    characters (C0, DEL, C1, bidirectional marks, invisible letters, lone surrogates) become Python's escapes: \x1b.
    """
    text = str(text)
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode("ascii") for c in text)


def one_line(text: object) -> str:
    r"""Return a name as `printable` does, line ends as \n: it cannot imitate lines of a report."""
    return printable(text).replace("\n", "\\n")


def say(text: object) -> None:
    """Print a line on standard output."""
    print(printable(text))


def complain(text: object) -> None:
    """Print a line on standard error, if it can be written."""
    if sys.stderr is None:
        return
    try:
        print(f"lissom: {printable(text)}", file=sys.stderr, flush=True)
    except OSError:  # a full disk: only the exit code is left
        give_up(sys.stderr)


def give_up(stream: TextIO) -> None:
    """Keep the interpreter from flushing at exit into a closed pipe or a full disk."""
    with contextlib.suppress(OSError):  # a stream closed from the start has no number
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
