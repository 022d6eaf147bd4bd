"""Short summaries of robots, motions and predictions, as text and as HTML for notebooks."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..model import Joint, JointKind, Model
from ..model.joint import SINGLE_DOF
from ..model.payload import moves
from ..model.show import parts_of, vector

if TYPE_CHECKING:
    from ..predict import Prediction
    from ..simulate import Trajectory

MOST = 30  # joints listed
WIDEST = 24  # characters of a name
WIDTH = 120  # characters of a line
HEAD = ("joint", "kind", "link", "mass [kg]", "range", "speed", "effort")
NUMBERS = (3, 4, 5, 6)


def robot_text(model: Model) -> str:
    """Return the summary of a model, at most 40 lines."""
    rows = [HEAD, *_rows(model)]
    kept = [k for k in range(len(HEAD)) if any(row[k] for row in rows[1:])]
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
    body = table(HEAD, rows, NUMBERS) if rows else ""
    return f"<div><p><b>{text(first)}</b></p>{body}{''.join(f'<p>{text(line)}</p>' for line in more)}</div>"


def trajectory_html(trajectory: Trajectory) -> str:
    """Return start, end and range of every coordinate; for a batch, only its size."""
    from .page import table, text

    rows = []
    if trajectory.q.ndim == 2 and len(trajectory):
        each = zip(trajectory.coordinate_names, trajectory.units["q"], trajectory.q.T, strict=True)
        for name, unit, q in list(each)[:MOST]:
            rows.append((_name(name), unit, *(f"{x:.4g}" for x in (q[0], q[-1], q.min(), q.max()))))
    head = ("coordinate", "unit", "first", "last", "lowest", "highest")
    return f"<div><p>{text(repr(trajectory))}</p>{table(head, rows, (2, 3, 4, 5)) if rows else ''}</div>"


def prediction_html(prediction: Prediction) -> str:
    """Return the status, goals and limits of a prediction."""
    from .page import table, text

    goals = [(goal.label, f"{goal.weight:.4g}", f"{goal.value:.6g}") for goal in prediction.goals[:MOST]]
    limits = [
        (x.label, x.unit, f"{x.lower:.4g}", f"{x.upper:.4g}", f"{100 * x.active:.0f} %", f"{x.violation:.2g}")
        for x in prediction.limits[:MOST]
    ]
    parts = [f"<p>{text(repr(prediction))}</p>", f"<p>{text(prediction.message)}</p>" if prediction.message else ""]
    parts.append(table(("goal", "weight", "value"), goals, (1, 2)) if goals else "")
    head = ("limit", "unit", "lower", "upper", "active", "violation")
    parts.append(table(head, limits, (2, 3, 4, 5)) if limits else "")
    more = len(prediction.limits) - MOST
    return f"<div>{''.join(parts)}{f'<p>... and {more} more limits</p>' if more > 0 else ''}</div>"


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
    lines = [f"{_name(model.name)}: {parts_of(model)}, {mass_text(model)}, nq = {model.nq}, nv = {model.nv}{cut}"]
    if model.loops:
        lines.append(f"loops: {_listed(loop.name for loop in model.loops)}; active joints: {_listed(model.active or ())}")
    return lines


def _rest(model: Model) -> list[str]:
    moving = sum(joint.kind is not JointKind.FIXED for joint in model.joints)
    lines = [f"... and {moving - MOST} more moving joints"] if moving > MOST else []
    if model.motors:
        lines.append(f"motors: {_joined([f'{_name(motor.name)} at {_name(motor.joint)}' for motor in model.motors])}")
    if model.force_elements:
        lines.append(f"force elements: {_listed(element.name for element in model.force_elements)}")
    return [*lines, f"gravity {vector(model.gravity)} m/s^2"]


def _rows(model: Model) -> list[tuple[str, ...]]:
    moving = [joint for joint in model.joints if joint.kind is not JointKind.FIXED]
    return [_row(model, joint) for joint in moving[:MOST]]


def _row(model: Model, joint: Joint) -> tuple[str, ...]:
    inertia = model.link(joint.child).inertia
    kind = joint.kind.value + ("" if joint.coupling is None else f", follows {_name(joint.coupling.joint)}")
    cells = (_name(joint.name), kind, _name(joint.child), "" if inertia is None else f"{inertia.mass:.4g}")
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
    return _joined([_name(name) for name in names])


def _joined(every: list[str]) -> str:
    return (", ".join(every[:8]) + (f" and {len(every) - 8} more" if len(every) > 8 else "")) or "none"


def _name(text: str) -> str:
    # names come from files: terminal control codes become escapes
    line = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
    return line if len(line) <= WIDEST else f"{line[: WIDEST - 2]}.."
