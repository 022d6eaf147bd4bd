"""Self-contained HTML pages.

Texts may come from untrusted files: each is escaped by `text` or `data_block`, pictures are embedded, and the page's policy
forbids external content and all scripts but lissom's own, which it names by their hashes.
"""

from __future__ import annotations

import base64
import hashlib
import html
import io
import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import FileError
from ..files import write_whole
from ..version import VERSION

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ENDINGS = (".html", ".htm")
STYLE = """
:root { color-scheme: light dark; --ink: #222; --paper: #fff; --soft: #666; --line: #ddd; --held: #eef4fb; --broken: #fbeae8;
  --good: #2e8b57; --careful: #d08a00; --bad: #c0392b; --accent: #1f5a96; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e4e4; --paper: #17191c; --soft: #a0a4aa; --line: #3a3e44;
  --held: #1d2c3d; --broken: #43221f; --good: #58b883; --careful: #e6b04d; --bad: #e57366; --accent: #7fb4ea; } }
body { font: 15px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 1180px; margin: 2em auto;
  padding: 0 1em; }
h1 { font-size: 1.5em; overflow-wrap: anywhere; } h2 { font-size: 1.15em; margin-top: 2em; border-bottom: 1px solid var(--line); }
h3 { font-size: 1em; margin: 1.2em 0 0.3em; }
table { border-collapse: collapse; margin: 0.6em 0; display: block; max-width: 100%; overflow-x: auto; }
th, td { padding: 0.2em 0.9em 0.2em 0; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
th { border-bottom: 1px solid var(--line); font-weight: 600; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
tr.held td { background: var(--held); } tr.broken td { background: var(--broken); }
p.good, p.careful, p.bad { border-left: 4px solid var(--good); padding-left: 0.7em; } p.bad { border-color: var(--bad); }
p.careful { border-color: var(--careful); }
.verdict { font-size: 1.15em; } .verdict + ul { margin: 0.4em 0 1em; padding-left: 1.3em; }
details { border-bottom: 1px solid var(--line); } summary { cursor: pointer; padding: 0.55em 0; font-weight: 600; }
img { max-width: 100%; height: auto; background: #fff; } .note { color: var(--soft); }
@media (max-width: 600px) { body { margin: 0.8em auto; padding: 0 0.7em; } th, td { padding-right: 0.6em; } }
@media print { :root { color-scheme: light; --ink: #000; --paper: #fff; --soft: #444; --line: #bbb; --held: #eef4fb;
  --broken: #fbeae8; --good: #2e8b57; --careful: #d08a00; --bad: #c0392b; --accent: #1f5a96; }
  body { margin: 0; max-width: none; font-size: 10.5pt; } h2, h3, summary { break-after: avoid; } tr, img { break-inside: avoid; }
  summary { list-style: none; } table { display: table; } }
"""
POLICY = "default-src 'none'; {scripts}img-src data:; style-src 'unsafe-inline'"


def check_ending(path: str | os.PathLike[str]) -> Path:
    """Return `path`, or raise a FileError if its ending is not that of a page."""
    if not isinstance(path, str | os.PathLike):
        raise FileError(f"a page is written into a file, named by text or a path; got {type(path).__name__}")
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


def fold(title: str, body: str, shown: bool = False) -> str:
    """Return a part of a page under a heading that opens and closes it."""
    return f"<details{' open' if shown else ''}><summary>{text(title)}</summary>{body}</details>"


def verdict(good: bool, first: str, more: Sequence[str] = (), careful: bool = False) -> str:
    """Return the sentence that a report begins with, in green, amber (good, but careful) or red, and a list of further ones."""
    rest = f"<ul>{''.join(f'<li>{text(line)}</li>' for line in more)}</ul>" if more else ""
    return f'<p class="verdict {("careful" if careful else "good") if good else "bad"}">{text(first)}</p>{rest}'


def data_block(name: str, data: Any) -> str:
    """Return data as JSON in a page, under an id; texts in it cannot end the block."""
    words = json.dumps(data, separators=(",", ":"), allow_nan=False)
    for sign in "<>&\u2028\u2029":
        words = words.replace(sign, f"\\u{ord(sign):04x}")
    return f'<script type="application/json" id="{text(name)}">{words}</script>'


def packed(values: np.ndarray, kind: str) -> dict[str, Any]:
    """Return an array as data: its type ("f32", "f64", "u8", ...), shape, and numbers in base64, little-endian."""
    letter, size = kind[0], int(kind[1:]) // 8
    array = np.ascontiguousarray(values, dtype=f"<{letter}{size}")
    return {"type": kind, "shape": list(array.shape), "data": base64.b64encode(array.tobytes()).decode("ascii")}


def write_page(
    title: str, parts: Iterable[str], path: str | os.PathLike[str], scripts: Sequence[str] = (), style: str = ""
) -> Path:
    """Write a page of a title and parts, each of them HTML.

    Args:
        title: heading, and title of the window.
        parts: HTML, from top to bottom.
        path: file to write (.html).
        scripts: lissom's own JavaScript, run in this order after the parts; the policy allows no other.
        style: rules in addition to those of all pages.

    Raises:
        FileError: the file does not end in .html, or cannot be written.
    """
    path = check_ending(path)
    page = page_text(title, parts, scripts, style)
    return write_whole(path, page.encode("utf-8", "xmlcharrefreplace"), folders=True)


def page_text(title: str, parts: Iterable[str], scripts: Sequence[str] = (), style: str = "") -> str:
    """Return the page that `write_page` writes."""
    head = (
        f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{text(policy(scripts))}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{text(title)}</title><style>{STYLE}{style}</style>"
    )
    foot = f"<p class='note'>Written by lissom {text(VERSION)}.</p>"
    body = "\n".join([f"<h1>{text(title)}</h1>", *parts, foot, *(f"<script>{script}</script>" for script in scripts)])
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body>\n{body}\n</body></html>\n'


def policy(scripts: Sequence[str]) -> str:
    """Return the content policy of a page: nothing from elsewhere, and these scripts alone."""
    digests = (hashlib.sha256(script.encode("utf-8")).digest() for script in scripts)
    hashes = [f"'sha256-{base64.b64encode(digest).decode('ascii')}'" for digest in digests]
    allowed = f"script-src {' '.join(hashes)}; " if scripts else ""
    return POLICY.format(scripts=allowed)
