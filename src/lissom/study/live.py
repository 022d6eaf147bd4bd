"""A page about a study that is running; it reloads itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from time import monotonic

from ..errors import FileError
from ..files import write_whole
from ..view.page import page_text, table
from .job import Row
from .progress import Progress

EVERY = 3.0  # [s]
REASONS = 10  # most frequent reasons shown


class Live:
    """Writes DIR/live.html, at most every few seconds."""

    def __init__(self, folder: Path) -> None:
        self.path, self.last = folder / "live.html", -EVERY

    def write(self, line: Progress, rows: Iterable[Row], last: bool = False) -> None:
        """Write the page where the last one is old enough; a page that cannot be written does not stop the study."""
        if not last and monotonic() - self.last < EVERY:
            return
        self.last = monotonic()
        with suppress(FileError):
            write_whole(self.path, page(line, rows, last).encode("utf-8", "xmlcharrefreplace"))


def page(line: Progress, rows: Iterable[Row], last: bool) -> str:
    """Return the page."""
    every = list(rows)
    reasons = Counter(row.reason.splitlines()[0][:200] for row in every if row.reason).most_common(REASONS)
    left = "" if last or not line.new else f", {line.left:.0f} s left"
    broken = f", {line.failed} of them failed" if line.failed else ""
    parts = [
        f'<p class="verdict {"good" if not line.failed else "careful"}">{line.done} of {line.total} cases are done'
        f"{broken}{left}</p>",
        f'<progress value="{line.done}" max="{max(line.total, 1)}"></progress>',
        f"<p>{line.new} in this run, {line.rate:.3g} per second</p>",
    ]
    if reasons:
        parts.append("<h2>Why cases failed</h2>" + table(("cases", "reason"), [(str(n), why) for why, n in reasons], (0,)))
    workers = Counter(row.worker for row in every if row.worker).most_common(REASONS)
    parts.append("<h2>Where they ran</h2>" + table(("cases", "process"), [(str(n), name) for name, n in workers], (0,)))
    words = page_text(line.name, parts, style=".verdict { font-size: 1.2em } progress { width: 100% }")
    again = "" if last else f'<meta http-equiv="refresh" content="{EVERY:g}">'
    return words.replace("<title>", f"{again}<title>", 1).replace("<h1>", "<h1>Study: ", 1)
