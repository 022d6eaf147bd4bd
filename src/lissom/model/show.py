"""Short texts of objects that contain arrays, for `__repr__`: never long, never an error; and tables of them for notebooks."""

from __future__ import annotations

import dataclasses
import html
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .shape import Mesh

if TYPE_CHECKING:
    from .model import Model

ROWS = 30  # of a table
LONGEST = 60  # characters of one value
FEW = 7  # arrays up to this size are shown in full


def by_shape(x: Any) -> str:
    """Return the fields of a dataclass or a named tuple, long arrays by their shapes."""
    names = x._fields if isinstance(x, tuple) else [f.name for f in dataclasses.fields(x) if f.repr]  # type: ignore[attr-defined]
    parts = [f"{name}={short(getattr(x, name, None))}" for name in names]
    return f"{type(x).__name__}({', '.join(parts)})"


def short(value: Any) -> str:
    """Return a short text of a value: numbers to six digits, longer arrays by their shapes."""
    if isinstance(value, float | np.floating):
        return f"{value:.6g}"
    if isinstance(value, np.ndarray):
        if value.ndim == 1 and value.size <= FEW and value.dtype.kind in "fiu":
            return f"[{', '.join(f'{v:.6g}' for v in value.tolist())}]"
        return f"array{value.shape}"
    try:
        text = repr(value)
    except Exception as error:  # __repr__ must not fail
        text = f"<{type(value).__name__}: {type(error).__name__}>"
    return text if len(text) <= LONGEST and "\n" not in text else f"{' '.join(text.split())[: LONGEST - 3]}..."


def vector(values: Any) -> str:
    """Return numbers in parentheses, to four digits."""
    return f"({', '.join(f'{x:.4g}' for x in values)})"


def counted(n: int, what: str) -> str:
    """Return a count with its noun: "1 link", "2 links"."""
    return f"{n} {what}{'' if n == 1 else 's'}"


def parts_of(model: Model) -> str:
    """Return the numbers of links, joints, motors, loops, force elements and shapes of a model."""
    there = [counted(len(model.links), "link"), counted(len(model.joints), "joint")]
    more = (("motor", model.motors), ("loop", model.loops), ("force element", model.force_elements), ("shape", model.shapes))
    there += [counted(len(x), what) for what, x in more if x]
    return ", ".join(there)


def shapes_of(model: Model) -> str:
    """Return the number of shapes of a model, and of mesh files among them that were not found."""
    meshes = [shape.geometry for shape in model.shapes if isinstance(shape.geometry, Mesh)]
    lost = {mesh.source for mesh in meshes if mesh.file is None}
    return counted(len(model.shapes), "shape") + (f" ({counted(len(lost), 'mesh file')} not found)" if lost else "")


def chain(names: Sequence[str]) -> str:
    """Return names in a row, 'a' -> 'b' -> 'c'; a long row is cut in the middle."""
    shown = list(map(repr, names if len(names) <= 12 else [*names[:6], *names[-6:]]))
    return " -> ".join(shown if len(names) <= 12 else [*shown[:6], "...", *shown[6:]])


def table_html(first: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a line and a table of its first rows; names come from files, and all that is in them is shown as text."""

    def cell(text: str) -> str:
        seen = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
        return html.escape(seen, quote=True)

    def row(cells: Sequence[str], tag: str) -> str:
        return f"<tr>{''.join(f'<{tag}>{cell(x)}</{tag}>' for x in cells)}</tr>"

    more = f"<p>... and {len(rows) - ROWS} more</p>" if len(rows) > ROWS else ""
    body = "".join(row(cells, "td") for cells in rows[:ROWS])
    table = f"<table><thead>{row(head, 'th')}</thead><tbody>{body}</tbody></table>" if rows else ""
    return f"<div><p>{cell(first)}</p>{table}{more}</div>"


def model_html(model: Model) -> str:
    """Return the moving and fixed joints of a model as a table, with the links that they connect."""
    rows = []
    for joint in model.joints:
        inertia = model.link(joint.child).inertia
        mass = "" if inertia is None else f"{inertia.mass:.4g}"
        rows.append((joint.name, joint.kind.value, joint.parent, joint.child, mass))
    return table_html(repr(model), ("joint", "kind", "from link", "to link", "mass of it [kg]"), rows)
