"""Report of an identification: verdict, recordings in 3-D, torques measured and predicted, residuals, parameters, filters."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...wrench import Wrench
from ..curves.panel import WANTED, Group, Line, Panel
from ..page import check_ending, table
from ..scene.recorded import Recorded
from ..summary import printable
from .scenes import scenes
from .verdict import Verdict
from .write import write_report

if TYPE_CHECKING:
    from ...identify.identification import Identification

MANY = 12  # panels of a group that is open at first, at most


def report_identification(found: Identification, path: str | os.PathLike[str]) -> Path:
    """Write the page of an identification; see `Identification.report`."""
    path = check_ending(path)
    t, breaks = _times(found)
    measured, predicted = found.torques()
    residual = found.estimate.residual
    rows = list(zip(found.rows.names, found.rows.units, strict=True))
    torques = [
        Panel(name, unit, t, [Line("predicted", predicted[:, k]), Line("measured", measured[:, k], WANTED)])
        for k, (name, unit) in enumerate(rows)
    ]
    left = [Panel(name, unit, t, [Line("measured less predicted", residual[:, k])]) for k, (name, unit) in enumerate(rows)]
    groups = [
        Group("Torques measured, and predicted by the estimate", torques, shown=len(torques) <= MANY),
        Group("Residuals", left, shown=len(left) <= MANY),
    ]
    details = [
        ("Base parameters", _base(found)),
        ("Residuals in numbers", _residuals(found)),
        ("Parameters of the model", _all(found)),
        ("Data and filters", _data(found)),
    ]
    title = f"{found.robot.name}: identified parameters"
    note = "<p class='note'>Torques after the filter of both sides; recordings follow one another.</p>"
    motion = scenes(_recorded(found, breaks), found.robot.name)
    return write_report(title, verdict_of(found), motion, groups, details, path, note=note, events=breaks)


def _recorded(found: Identification, breaks: Sequence[tuple[float, str]]) -> Recorded:
    """Return all recordings, one after the other, at the times of the curves."""
    parts = [motion._recorded() for motion in found.motions]
    starts = [0.0, *(start for start, _ in breaks)]
    t = np.concatenate([part.t - part.t[0] + start for part, start in zip(parts, starts, strict=True)])
    q, tau = (np.concatenate([getattr(part, name) for part in parts]) for name in ("q", "tau"))
    known = [rate for part in parts for rate in part.rates if rate is not None]
    rates = (np.concatenate(known[::2]), np.concatenate(known[1::2]))
    return Recorded(found.robot, t, q, rates, tau, _loads(parts), events=tuple(breaks))


def _loads(parts: Sequence[Recorded]) -> dict[str, Wrench] | None:
    """Return the wrenches of recordings, one after the other; zero where one has none."""
    links = dict.fromkeys(link for part in parts for link in part.external or {})

    def joined(link: str, name: str) -> np.ndarray:
        own = [(part.external or {}).get(link) for part in parts]
        each = [np.zeros((len(part.t), 3)) if w is None else getattr(w, name) for part, w in zip(parts, own, strict=True)]
        return np.concatenate(each)

    return {link: Wrench(joined(link, "force"), joined(link, "moment"), axes="world") for link in links} or None


def _times(found: Identification) -> tuple[np.ndarray, list[tuple[float, str]]]:
    """Return times of all samples, recordings one after the other, and where further ones begin."""
    parts, breaks, start = [], [], 0.0
    for k, motion in enumerate(found.motions):
        own = motion.t - motion.t[0] + start
        if k:
            breaks.append((start, f"{motion.data.name} begins"))
        parts.append(own)
        start = float(own[-1]) + (float(own[-1] - own[-2]) if len(own) > 1 else 1.0)
    return np.concatenate(parts), breaks


def verdict_of(found: Identification) -> Verdict:
    """Return how well torques are predicted, and what to doubt."""
    r = found.residuals
    share = r.validation / np.maximum(r.torque, 1e-300)
    worst = int(np.argmax(share))
    first = (
        f"{len(found)} base parameters from {found.samples} samples; torques that the estimate did not use are predicted to "
        f"{_percent(np.median(share))} of their size, {found.rows.names[worst]} worst: {_percent(share[worst])}"
    )
    more = [f"before, the model left {_percent(np.median(r.before / np.maximum(r.torque, 1e-300)))} (median over torques)"]
    doubts = list(found.doubts)
    if found.consistency:
        more.append(found.consistency)
    return Verdict(True, first, (*doubts, *more), careful=bool(doubts))


def _percent(share: float) -> str:
    return f"{100.0 * share:.2g} %"


def _base(found: Identification) -> str:
    rows, marks = [], []
    own = None if found.consistent is None else found.consistent_base
    for k, (name, x, e, m) in enumerate(zip(found.names, found.values, found.standard_errors, found.base.values, strict=True)):
        relative = f"{abs(100.0 * e / x):.2g}" if x else ""
        possible = [] if own is None else [f"{own[k]:.5g}"]
        rows.append(
            (str(k + 1), f"{x:.5g}", f"{e:.2g}", relative, *possible, f"{m:.5g}", name + (" (weak)" if k in found.weak else ""))
        )
        marks.append("broken" if k in found.weak else "")
    possible_head = [] if own is None else ["consistent"]
    head = ("", "value", "standard error", "%", *possible_head, "model", "base parameter")
    return table(head, rows, numbers=range(len(head) - 1), marks=marks)


def _residuals(found: Identification) -> str:
    r = found.residuals
    possible = [] if r.consistent is None else [r.consistent]
    rows = []
    for k, (name, unit) in enumerate(zip(found.rows.names, found.rows.units, strict=True)):
        values = [r.torque[k], r.before[k], r.fit[k], *(x[k] for x in possible), r.validation[k]]
        share = 100.0 * r.validation[k] / max(r.torque[k], 1e-300)
        rows.append((name, *(f"{x:.4g}" for x in values), f"{share:.2g}", f"{found.correlation[k]:.2f}", unit))
    middle = ["torque", "by the model before", "estimate", *(["consistent"] if possible else []), "validation"]
    head = ("root mean square", *middle, "% of the torque", "correlation", "unit")
    return table(head, rows, numbers=range(1, len(head) - 1))


def _all(found: Identification) -> str:
    rows = []
    for k, (name, x) in enumerate(found.parameters.items()):
        before = found.selection.values[k]
        if found.selection.free[k]:
            rows.append((name, f"{x:.6g}", f"{before:.6g}"))
    why = "Single parameters are one choice of many with the same base parameters" + (
        ": bodies that can exist, near the model's." if found.consistent is not None else ", the one nearest to the model's."
    )
    return f"<p>{why}</p>" + table(("parameter", "identified", "model"), rows, numbers=(1, 2))


def _data(found: Identification) -> str:
    how = found.filtering
    rows = [
        ("method", f"{found.method} least squares"),
        ("condition", f"{found.estimate.condition:.4g}, columns of equal length"),
    ]
    if how.method == "none":
        rows.append(("filter", "none: positions, velocities, accelerations and torques as they were given"))
    for motion in found.motions:
        data = motion.data
        rows.append(
            (printable(data.name), f"{len(data)} samples at {data.rate:.5g} Hz, {data.duration:.4g} s; {len(motion.keep)} used")
        )
        if motion.cutoff:
            rates = (
                "quintic splines"
                if how.method == "spline"
                else f"Butterworth of order {how.order} both ways, central differences"
            )
            both = f"{motion.torque_cutoff:.4g} Hz" if motion.torque_cutoff else "no filter"
            rows.append(("", f"positions: {rates}, {motion.cutoff:.4g} Hz; both sides of the equations: {both}"))
    return table(("", ""), rows)
