"""Translation of messages of the library for the command line: Python arguments become options."""

from __future__ import annotations

import re

_WORDS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(python), option)
    for python, option in (
        (r"solve\(start=prediction\)", "--start with a file that -o wrote"),
        (r"minimize\('integral', ([\d.e-]+), '(\w+)'\)", r"minimize: {goal: integral, weight: \1, quantity: \2}"),
        (r"\b(method|base)='(\w+)'", r"--\1 \2"),
        (r"\b(dt|rtol|atol|sample|starts|duration|velocity)=([\d.e+-]*\d)", r"--\1 \2"),
        (r"\b(limit|closure)_tolerance=([\d.e+-]*\d)", r"--\1-tolerance \2"),
        (r"\b(refine|strict|consistent)=True\b", r"--\1"),
        (r"\bconsistent=False\b", "--no-consistent"),
        (r"\bcheck_units=False\b", "--no-check-units"),
        (r"read_csv\(\.\.\., split=True\), --split", "--split"),
        (r"\bknown=\[\.\.\.\]", "--known"),
        (r"\blissom\.identify\.excite\b", "lissom excite"),
        (r"^(estimate|known)(?=: no parameter)", r"--\1"),
        (r"\bload without friction\b", "--no-friction"),
        (r"^(size|view|time|fps|ghosts|paths)(?= is )", r"--\1"),
        (r"\b(save|size|view|time|speed|fps|port|browser)=(?= is for\b|$| or\b)", r"--\1"),
    )
)


def in_options(text: str) -> str:
    """Return a message with Python arguments replaced by options: starts=5 by --starts 5."""
    for python, option in _WORDS:
        text = python.sub(option, text)
    return text
