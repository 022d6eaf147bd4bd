"""Reports: a prediction as one HTML page that stands alone.

Names come from strangers' files: every text goes through `escape`, pictures are data, and the page's own policy forbids scripts
and anything from elsewhere.
"""

from __future__ import annotations

import base64
import html
import io
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import FileError
from ..files import write_whole
from .description import bounds

if TYPE_CHECKING:
    from .result import LimitReport, Prediction

ENDINGS = (".html", ".htm")
STEPS = 40  # iterations told at most: the first and the last
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


def write_report(prediction: Prediction, path: str | os.PathLike[str]) -> Path:
    """Write the page of a prediction; see `Prediction.report`."""
    path = Path(path)
    if path.suffix.lower() not in ENDINGS:
        raise FileError(f"cannot write a report into a file ending in {path.suffix!r}; use .html", path)
    return write_whole(path, page(prediction).encode("utf-8", "xmlcharrefreplace"), folders=True)


def page(prediction: Prediction) -> str:
    """Return the page as text."""
    from .. import __version__

    title = _text(f"{prediction.name}: predicted motion")
    parts = [
        f"<h1>{title}</h1>",
        _ending(prediction),
        _summary(prediction),
        "<h2>Motion</h2>",
        _picture(prediction),
        "<h2>Goals</h2>",
        _goals(prediction),
        "<h2>Limits</h2>",
        _limits(prediction.limits),
        "<h2>What was asked</h2>",
        _table(("", "in words"), prediction.description.rows),
        "<h2>Rounds of solving</h2>",
        _rounds(prediction),
        "<h2>Timing</h2>",
        _timing(prediction),
        "<h2>Iterations of the last round</h2>",
        _history(prediction),
        f"<p class='note'>Written by lissom {_text(__version__)}.</p>",
    ]
    head = (
        f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{_text(POLICY)}">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{title}</title><style>{STYLE}</style>'
    )
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body>\n' + "\n".join(parts) + "\n</body></html>\n"


def _ending(prediction: Prediction) -> str:
    """Return how the solver ended, and what to do about it."""
    kind = "good" if prediction.success else "bad"
    advice = "" if prediction.success else f"<br>{_text(prediction.status.advice)}"
    return f'<p class="{kind}"><b>{_text(prediction.status.value.replace("_", " "))}</b>: {_text(prediction.message)}{advice}</p>'


def _summary(prediction: Prediction) -> str:
    basis = prediction.path.basis
    rows = [
        ("duration", f"{prediction.duration:.8g} s"),
        ("objective", f"{prediction.objective:.10g}"),
        ("worst violation between instants", f"{prediction.violation:.2e} of its scale"),
        ("iterations", f"{prediction.iterations}"),
        ("path", f"{basis.count} control points of {prediction.path.points.shape[1]} joints, degree {basis.degree}"),
    ]
    return _table(("", ""), rows)


def _picture(prediction: Prediction) -> str:
    """Return the figure as an image inside the page: sharp at any size, and without scripts."""
    from matplotlib.figure import Figure

    figure = prediction.plot()
    assert isinstance(figure, Figure)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None})
    data = base64.b64encode(buffer.getvalue()).decode("ascii")
    alt = _text(f"joint forces, positions, velocities, forces in joints and strobe picture of {prediction.name}")
    return f'<img alt="{alt}" src="data:image/svg+xml;base64,{data}">'


def _goals(prediction: Prediction) -> str:
    rows = [(goal.label, f"{goal.weight:g}", f"{goal.value:.8g}", f"{goal.weight * goal.value:.8g}") for goal in prediction.goals]
    return _table(("goal", "weight", "value", "weight x value"), rows, numbers=(1, 2, 3))


def _limits(limits: Sequence[LimitReport]) -> str:
    if not limits:
        return "<p>There are none.</p>"
    rows, marks = [], []
    for limit in limits:
        broken = limit.violation > 1e-3 * limit.scale
        marks.append("broken" if broken else "held" if limit.active > 0 else "")
        when = f", at {', '.join(f'{x:g}' for x in limit.shares)} of the duration" if limit.shares else ""
        rows.append(
            (
                limit.label,
                bounds(limit.lower, limit.upper, limit.unit) + when,
                f"{limit.active:.1%}",
                f"{limit.violation:.2e} {limit.unit}" if limit.violation > 0 else "none",
                f"{limit.at:.4g}" if limit.violation > 0 else "",
                f"{limit.multiplier:.3g}",
            )
        )
    head = ("limited", "bounds", "active", "violation", "at [s]", "gain")
    note = (
        "<p class='note'>Active: share of the instants at a bound (blue). Violation: at worst, on a grid ten times finer than "
        "that on which limits are enforced; red beyond a thousandth of the limit's scale. Gain: of the objective, by a unit more "
        "room on both sides.</p>"
    )
    return _table(head, rows, numbers=(2, 3, 4, 5), marks=marks) + note


def _rounds(prediction: Prediction) -> str:
    rows = [
        (f"{r.control_points}", f"{r.objective:.10g}", f"{r.violation:.2e}", f"{r.iterations}", f"{r.seconds:.3f}")
        for r in prediction.rounds
    ]
    head = ("control points", "objective", "violation [of its scale]", "iterations", "solver [s]")
    return _table(head, rows, numbers=range(5))


def _timing(prediction: Prediction) -> str:
    calls = prediction.solution.evaluations
    rows = [
        ("preparing and compiling", f"{prediction.setup_seconds:.3f} s"),
        ("solving, all rounds", f"{prediction.seconds:.3f} s"),
        ("last round", f"{prediction.solution.seconds:.3f} s, of which functions {calls.seconds:.3f} s"),
        ("calls of the last round", ", ".join(f"{getattr(calls, n)} {n}" for n in calls._fields[1:6])),
    ]
    return _table(("", ""), rows)


def _history(prediction: Prediction) -> str:
    history = prediction.solution.history
    if not history:
        return "<p>None were told.</p>"
    some = history if len(history) <= STEPS else (*history[: STEPS // 2], *history[-STEPS // 2 :])
    rows = [
        (f"{i.iteration}", _number(i.objective, ".10g"), _number(i.violation, ".2e"), _number(i.dual_violation, ".2e"))
        for i in some
    ]
    left = len(history) - len(some)
    note = f"<p class='note'>{left} iterations in the middle are left out.</p>" if left else ""
    return _table(("iteration", "objective", "violation", "dual violation"), rows, numbers=range(4)) + note


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], numbers: Iterable[int] = (), marks: Sequence[str] = ()) -> str:
    """Return a table; every cell is escaped."""
    right = set(numbers)
    sides = [' class="n"' if k in right else "" for k in range(len(head))]
    top = "".join(f"<th{side}>{_text(x)}</th>" for side, x in zip(sides, head, strict=True))
    body = []
    for k, row in enumerate(rows):
        mark = f' class="{marks[k]}"' if marks and marks[k] else ""
        body.append(f"<tr{mark}>" + "".join(f"<td{s}>{_text(x)}</td>" for s, x in zip(sides, row, strict=True)) + "</tr>")
    header = f"<thead><tr>{top}</tr></thead>" if any(head) else ""
    return f"<table>{header}<tbody>{''.join(body)}</tbody></table>"


def _number(value: float, form: str) -> str:
    return format(value, form) if np.isfinite(value) else "-"


def _text(value: Any) -> str:
    return html.escape(str(value), quote=True)
