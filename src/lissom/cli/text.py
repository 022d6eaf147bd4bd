"""Text that is safe on a terminal: names come from strangers' files and may hold anything."""

from __future__ import annotations

import sys


def printable(text: object) -> str:
    r"""Return a text in which only line ends do anything but show a letter.

    Codes that move the cursor, recolour or rename the terminal, turn the direction of writing, show nothing or are no characters
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
    """Print a line on standard error, where that is open."""
    if sys.stderr is not None:
        print(f"lissom: {printable(text)}", file=sys.stderr)
