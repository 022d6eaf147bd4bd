"""Report of a study: responses over parameters, parallel coordinates, front, sensitivities, the best cases and their motions."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import LissomError
from ..page import check_ending, picture, table
from ..scene.scene import Scene
from ..summary import printable
from .scenes import scenes
from .study_figures import front_figure, parallel_figure, scatter_figure, sensitivity_figure, surface_figure
from .verdict import Verdict
from .write import write_report

if TYPE_CHECKING:
    from ...study import Results

MOST = 5  # parameters and responses in figures
BEST, FAILED = 12, 40  # cases in tables
MOTIONS = 2


def report_study(found: Results, path: str | os.PathLike[str], largest: bool = False) -> Path:
    """Write the page of a study; see `Results.report`."""
    path = check_ending(path)
    columns = {name: np.array(values) for name, values in found.columns().items()}
    parameters = {
        name: columns[name].astype(float)
        for name in found.study.parameters
        if columns[name].dtype.kind == "f" and len(set(columns[name].tolist())) > 1
    }
    responses = {name: columns[name].astype(float) for name in found.responses}
    responses = {name: values for name, values in responses.items() if np.isfinite(values).any()}
    few = dict(list(parameters.items())[:MOST])
    some = dict(list(responses.items())[:MOST])
    parts: list[str] = []
    if few and some:
        parts.append("<h2>Responses over parameters</h2>" + picture(scatter_figure(few, some), "responses over parameters"))
    if len(few) > 1 and some:
        first, second = list(few.items())[:2]
        figure = surface_figure(first, second, dict(list(some.items())[:3]))
        parts.append(f"<h2>Surfaces over {printable(first[0])} and {printable(second[0])}</h2>{picture(figure, 'surfaces')}")
    both = {**few, **some}
    if len(both) > 1 and some and np.isfinite(np.stack(list(both.values()))).all(axis=0).any():
        head = f"<h2>Parallel coordinates</h2><p class='note'>Colored by {printable(next(iter(some)))}: dark is small.</p>"
        parts.append(head + picture(parallel_figure(both, next(iter(some))), "parallel coordinates"))
    if len(some) > 1:
        parts.append(_front(found, *list(some.items())[:2]))
    if found.study.design.method == "sensitivity":
        parts.append(_sensitivity(found, list(some)))
    drawn = _motions(found, next(iter(some), ""), largest)
    details = [("Best cases", _best(found, columns, next(iter(some), ""), largest)), ("Status", _status(found))]
    if any(not row.success for row in found):
        details.append(("Failed cases", _failed(found)))
    return write_report(f"Study: {printable(found.study.name)}", _verdict(found), drawn, [], details, path, first=parts)


def _verdict(found: Results) -> Verdict:
    failed = sum(not row.success for row in found)
    left = len(found.cases) - len(found)
    first = f"{len(found)} of {len(found.cases)} cases done" + (f", {failed} of them failed" if failed else "")
    more = [f"{left} cases were not run yet"] if left else []
    for name in found.responses[:MOST]:
        values = found.column(name).astype(float)
        values = values[np.isfinite(values)]
        if len(values):
            more.append(f"{name}: {values.min():.4g} to {values.max():.4g}, mean {values.mean():.4g}")
    return Verdict(not left and failed < max(len(found), 1), first, tuple(printable(line) for line in more), careful=failed > 0)


def _front(found: Results, first: tuple[str, np.ndarray], second: tuple[str, np.ndarray]) -> str:
    place = {case.id: k for k, case in enumerate(found.done)}
    on = [place[case.id] for case in found.front([first[0], second[0]])]
    said = "<p class='note'>Small values are better of both; no case beats one on the line in both.</p>"
    return f"<h2>Pareto front</h2>{said}{picture(front_figure(first, second, on), 'Pareto front')}"


def _sensitivity(found: Results, names: list[str]) -> str:
    try:
        indices = [found.sensitivity(name) for name in names[:3]]
    except LissomError as error:
        return f"<h2>Sensitivities</h2><p class='note'>{printable(str(error))}</p>"
    said = "<p class='note'>Shares of the variance that parameters cause; bars: 95 % of studies.</p>"
    return f"<h2>Sensitivities (Sobol indices)</h2>{said}{picture(sensitivity_figure(indices), 'Sobol indices')}"


def _motions(found: Results, response: str, largest: bool) -> list[Scene]:
    """Return the motions of the best cases, where they are kept and their robot is known."""
    if not response:
        return []
    drawn: list[Scene] = []
    for case in found.best(response, MOTIONS, largest):
        row = found.rows[case.id]
        if not row.motion:
            continue
        try:
            motion: Any = found.motion(case)
        except LissomError:  # of a function, whose robot is not known
            return []
        drawn += scenes(motion, printable(f"case {case.number}: {response} {row.responses[response]:.4g}"), ghosts=2)
    return drawn


def _best(found: Results, columns: dict[str, np.ndarray], response: str, largest: bool) -> str:
    if not response:
        return "<p>None.</p>"
    names = ["case", *found.study.parameters, *found.responses]
    place = {case.id: k for k, case in enumerate(found.done)}
    rows = [[_text(columns[name][place[case.id]]) for name in names] for case in found.best(response, BEST, largest)]
    return table([printable(name) for name in names], rows, range(len(names)))


def _status(found: Results) -> str:
    return table(("status", "cases"), [(status.replace("_", " "), str(count)) for status, count in found.counts.items()], (1,))


def _failed(found: Results) -> str:
    bad = [(case, found.rows[case.id]) for case in found.done if not found.rows[case.id].success]
    rows = []
    for case, row in bad[:FAILED]:
        values = ", ".join(f"{name} {_text(value)}" for name, value in row.values.items())
        rows.append((str(case.number), printable(values), row.status.replace("_", " "), printable(row.reason)))
    more = f"<p>and {len(bad) - FAILED} more, in the table</p>" if len(bad) > FAILED else ""
    return table(("case", "parameters", "status", "reason"), rows, (0,)) + more


def _text(value: Any) -> str:
    return printable(str(value)) if isinstance(value, str) else f"{float(value):.6g}"
