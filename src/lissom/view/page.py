"""Self-contained HTML pages.

Texts may come from untrusted files: each is escaped by `text`, pictures are embedded, and the page's policy forbids scripts and
external content.
"""

from __future__ import annotations

import base64
import html
import io
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import FileError
from ..files import write_whole
from ..version import VERSION

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ENDINGS = (".html", ".htm")
STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; color: #222; max-width: 1080px; margin: 2em auto; padding: 0 1em; }
h1 { font-size: 1.5em; } h2 { font-size: 1.15em; margin-top: 2em; border-bottom: 1px solid #ddd; }
table { border-collapse: collapse; margin: 0.6em 0; }
th, td { padding: 0.2em 0.9em 0.2em 0; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
th { border-bottom: 1px solid #bbb; font-weight: 600; } td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
tr.held td { background: #eef4fb; } tr.broken td { background: #fbeae8; }
p.good { border-left: 4px solid #2e8b57; padding-left: 0.7em; } p.bad { border-left: 4px solid #c0392b; padding-left: 0.7em; }
img { max-width: 100%; height: auto; } .note { color: #666; }
"""
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"


def check_ending(path: str | os.PathLike[str]) -> Path:
    """Return `path`, or raise a FileError if its ending is not that of a page."""
    path = Path(path)
    if path.suffix.lower() not in ENDINGS:
        raise FileError(f"cannot write a report into a file ending in {path.suffix!r}; use .html", path)
    return path


def text(value: Any) -> str:
    """Return a text escaped for a page."""
    return html.escape(str(value), quote=True)


def table(head: Sequence[str], rows: Iterable[Sequence[str]], numbers: Iterable[int] = (), marks: Sequence[str] = ()) -> str:
    """Return a table; `numbers` are the right-aligned columns, `marks` the classes of rows."""
    right = set(numbers)
    sides = [' class="n"' if k in right else "" for k in range(len(head))]
    top = "".join(f"<th{side}>{text(x)}</th>" for side, x in zip(sides, head, strict=True))
    body = []
    for k, row in enumerate(rows):
        mark = f' class="{marks[k]}"' if marks and marks[k] else ""
        body.append(f"<tr{mark}>" + "".join(f"<td{side}>{text(x)}</td>" for side, x in zip(sides, row, strict=True)) + "</tr>")
    header = f"<thead><tr>{top}</tr></thead>" if any(head) else ""
    return f"<table>{header}<tbody>{''.join(body)}</tbody></table>"


def picture(figure: Figure, alt: str) -> str:
    """Return a figure as an image embedded in the page, in vector graphics."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None})
    data = base64.b64encode(buffer.getvalue()).decode("ascii")
    return f'<img alt="{text(alt)}" src="data:image/svg+xml;base64,{data}">'


def write_page(title: str, parts: Iterable[str], path: str | os.PathLike[str]) -> Path:
    """Write a page of a title and parts, each of them HTML.

    Raises:
        FileError: the file does not end in .html, or cannot be written.
    """
    path = check_ending(path)
    head = (
        f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{text(POLICY)}">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{text(title)}</title><style>{STYLE}</style>'
    )
    foot = f"<p class='note'>Written by lissom {text(VERSION)}.</p>"
    body = "\n".join([f"<h1>{text(title)}</h1>", *parts, foot])
    page = f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body>\n{body}\n</body></html>\n'
    return write_whole(path, page.encode("utf-8", "xmlcharrefreplace"), folders=True)
