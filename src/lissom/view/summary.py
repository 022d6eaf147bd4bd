"""Short summaries of robots, as text and as HTML for notebooks."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable

from ..model import Joint, JointKind, Model
from ..model.joint import SINGLE_DOF
from ..model.payload import moves
from ..model.show import parts_of, vector

MOST = 30  # joints listed
WIDEST = 24  # characters of a name
WIDTH = 120  # characters of a line
HEAD = ("joint", "kind", "link", "mass [kg]", "range", "speed", "effort")
NUMBERS = (3, 4, 5, 6)


def robot_text(model: Model) -> str:
    """Return the summary of a model, at most 40 lines."""
    rows = [HEAD, *_rows(model)]
    kept = _filled(rows[1:])
    widths = {k: max(len(row[k]) for row in rows) for k in kept}
    lines = [
        "  ".join(row[k].rjust(widths[k]) if k in NUMBERS else row[k].ljust(widths[k]) for k in kept).rstrip() for row in rows
    ]
    rest = [part for line in _rest(model) for part in textwrap.wrap(line, WIDTH, subsequent_indent="  ", break_on_hyphens=False)]
    return "\n".join([*_heading(model), *(lines if len(rows) > 1 else ()), *rest])


def robot_html(model: Model) -> str:
    """Return the same as a table; all names are escaped."""
    from .page import table, text

    first, *more = [*_heading(model), *_rest(model)]
    rows = _rows(model)
    kept = _filled(rows)
    numbers = [place for place, k in enumerate(kept) if k in NUMBERS]
    body = table([HEAD[k] for k in kept], [[row[k] for k in kept] for row in rows], numbers) if rows else ""
    return f"<div><p><b>{text(first)}</b></p>{body}{''.join(f'<p>{text(line)}</p>' for line in more)}</div>"


def total_mass(model: Model) -> float:
    """Return the mass of all links and rotors [kg]."""
    parts = [*(link.inertia for link in model.links), *(motor.inertia for motor in model.motors)]
    return sum(inertia.mass for inertia in parts if inertia is not None)


def mass_text(model: Model) -> str:
    """Return the mass of all links and rotors [kg], and that of links that cannot move, where there are any."""
    fixed = sum(link.inertia.mass for link in model.links if link.inertia is not None and not moves(model, link.name))
    return f"{total_mass(model):.6g} kg" + (f" ({fixed:.6g} kg of it fixed)" if fixed else "")


def _heading(model: Model) -> list[str]:
    cut = " with the loops cut" if model.loops else ""
    lines = [f"{name_text(model.name)}: {parts_of(model)}, {mass_text(model)}, nq = {model.nq}, nv = {model.nv}{cut}"]
    if model.loops:
        lines.append(f"loops: {_listed(loop.name for loop in model.loops)}; active joints: {_listed(model.active or ())}")
    return lines


def _rest(model: Model) -> list[str]:
    moving = sum(joint.kind is not JointKind.FIXED for joint in model.joints)
    lines = [f"... and {moving - MOST} more moving joints"] if moving > MOST else []
    if model.motors:
        lines.append(f"motors: {_joined([f'{name_text(motor.name)} at {name_text(motor.joint)}' for motor in model.motors])}")
    if model.force_elements:
        lines.append(f"force elements: {_listed(element.name for element in model.force_elements)}")
    return [*lines, f"gravity {vector(model.gravity)} m/s^2"]


def _rows(model: Model) -> list[tuple[str, ...]]:
    moving = [joint for joint in model.joints if joint.kind is not JointKind.FIXED]
    return [_row(model, joint) for joint in moving[:MOST]]


def _filled(rows: list[tuple[str, ...]]) -> list[int]:
    """Return the columns that are not empty in all rows."""
    return [k for k in range(len(HEAD)) if any(row[k] for row in rows)]


def _row(model: Model, joint: Joint) -> tuple[str, ...]:
    inertia = model.link(joint.child).inertia
    kind = joint.kind.value + ("" if joint.coupling is None else f", follows {name_text(joint.coupling.joint)}")
    cells = (name_text(joint.name), kind, name_text(joint.child), "" if inertia is None else f"{inertia.mass:.4g}")
    if joint.kind not in SINGLE_DOF:
        return *cells, "", "", ""
    limits = joint.limits
    unit, torque = ("m", "N") if joint.unit == "m" else ("rad", "N m")
    unbounded = math.isinf(limits.lower) and math.isinf(limits.upper)
    return (
        *cells,
        "" if unbounded else f"{limits.lower:.4g} .. {limits.upper:.4g} {unit}",
        "" if math.isinf(limits.velocity) else f"{limits.velocity:.4g} {unit}/s",
        "" if math.isinf(limits.effort) else f"{limits.effort:.4g} {torque}",
    )


def _listed(names: Iterable[str]) -> str:
    return _joined([name_text(name) for name in names])


def _joined(every: list[str]) -> str:
    return (", ".join(every[:8]) + (f" and {len(every) - 8} more" if len(every) > 8 else "")) or "none"


def name_text(text: str) -> str:
    """Return a name for a table: printable, and cut where it is long."""
    line = printable(text)
    return line if len(line) <= WIDEST else f"{line[: WIDEST - 2]}.."


def printable(text: str) -> str:
    """Return a text with terminal control codes as escapes: names come from files."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
