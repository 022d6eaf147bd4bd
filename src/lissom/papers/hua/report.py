"""The experiment as one HTML page: errors beside the paper's, its figures as curves, and every assumption and its effect."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ...view.curves.panel import WANTED, Group, Line, Panel
from ...view.page import check_ending, table, text
from ...view.report.scenes import scenes
from ...view.report.verdict import Verdict
from ...view.report.write import write_report
from .experiment import PAPER, Experiment
from .readings import ASSUMPTIONS, Row

LOWEST = 3.0  # [s]: when the arm hangs lowest, and the paper looks at its torques
JOINTS = ("joint 1", "joint 2", "joint 3")


def errors(without: Experiment, unknown: Experiment, known: Experiment) -> list[tuple[str, ...]]:
    """Return the table of root mean square errors [rad], rows of texts."""
    rows = [("no payload, paper", np.array(PAPER[False])), ("no payload", without.rms), ("payload, paper", np.array(PAPER[True]))]
    rows += [("payload", unknown.rms), ("payload that the controller knows", known.rms)]
    return [(label, *(f"{x:.5f}" for x in values)) for label, values in rows]


def torques(runs: Sequence[tuple[str, Experiment]]) -> list[tuple[str, ...]]:
    """Return the torques of motors when the arm hangs lowest [N m], rows of texts."""
    found = []
    for label, run in runs:
        at = int(np.argmin(np.abs(run.trajectory.t - LOWEST)))
        found.append((label, *(f"{x:.2f}" for x in run.torques[at])))
    return found


def report(
    without: Experiment,
    unknown: Experiment,
    known: Experiment,
    lifted: Experiment,
    rows: Sequence[Row],
    path: str | os.PathLike[str],
) -> Path:
    """Write the page.

    Args:
        without, unknown, known: no payload; one that the controller does not know of, and one that it does.
        lifted: with the payload's sign turned round, as (20) has it.
        rows: what `survey` returned.
        path: file to write, .html.
    """
    path = check_ending(path)  # before anything is computed
    runs = [("no payload", without), ("payload", unknown), ("payload with the sign of (20)", lifted)]
    head = ("", *JOINTS)
    torque = (f"torque at {LOWEST:g} s [N m]", "motor 1", "motor 2", "motor 3")
    first = [
        "<h2>Root mean square errors [rad]</h2>",
        table(head, errors(without, unknown, known), numbers=(1, 2, 3)),
        _note(
            "The paper prints no gains and little of the geometry. Gains were chosen by its errors: they show that these can be "
            "reproduced, which is not a validation. Every assumption, and what another one would change, is below."
        ),
        "<h2>Does a payload lower the torques?</h2>",
        _note(
            f"No. The paper finds lower torques with payload where the arm hangs lowest, at {LOWEST:g} s. That is the sign of "
            "its eq. (20): a force on the tool enters the recursion with a minus. With the sign as printed the payload lifts the "
            "arm, and the remark comes out; a force that pulls down takes more torque."
        ),
        table(torque, torques(runs), numbers=(1, 2, 3)),
    ]
    groups = [
        _figures("Without payload: figures 3-5", without),
        _figures("With payload: figures 6-8", unknown),
        _lyapunov(without, known, unknown),
    ]
    below = _note(
        "Where the controller knows all forces, V falls at least as fast as its bound, to rounding. A payload that it does "
        "not know of holds V up, and misleads the motor's desired motion, which follows from how the links should accelerate."
    )
    details = [
        ("What the paper leaves open", table(("open", "chosen"), ASSUMPTIONS)),
        ("What other choices change", _survey(rows)),
    ]
    title = "Mixed rigid-elastic arm, Hua 2024 section V"
    drawn = [*scenes(without.trajectory, "without payload"), *scenes(unknown.trajectory, "with payload")]
    return write_report(title, _verdict(without, unknown), drawn, groups, details, path, first=first, note=below)


def _verdict(without: Experiment, unknown: Experiment) -> Verdict:
    """Return how far the errors are from those that the paper prints."""
    off = [np.abs(run.rms / np.array(PAPER[case]) - 1).max() for case, run in ((False, without), (True, unknown))]
    said = f"errors within {off[0]:.0%} of the paper's without payload, within {off[1]:.0%} with it".replace("%", " %")
    return Verdict(True, f"Root mean square {said}")


def _figures(title: str, run: Experiment) -> Group:
    """Return positions of links, position of motor 3 and torques of motors."""
    t, q = run.trajectory.t, run.trajectory.q
    links = [Line(f"q{k + 1}", q[:, k], k) for k in range(3)] + [Line("desired", run.desired[:, 0], WANTED)]
    motor = [Line("theta", q[:, 3], 2), Line("desired", run.desired_motor, WANTED)]
    torque = [Line(f"motor {k + 1}", run.torques[:, k], k) for k in range(3)]
    panels = [
        Panel("positions of links", "rad", t, links),
        Panel("position of motor 3", "rad", t, motor),
        Panel("torques of motors", "N m", t, torque),
    ]
    return Group(title, panels)


def _lyapunov(without: Experiment, known: Experiment, unknown: Experiment) -> Group:
    """Return V and the bound that it stays below where the controller knows all forces."""
    panels = []
    for title, run, others in (("without payload", without, ()), ("with payload", known, (unknown,))):
        lines = [Line("V" if not others else "V, payload known", run.lyapunov, 0)]
        lines += [Line("V, not known", other.lyapunov, 2) for other in others]
        panels.append(Panel(title, "J", run.trajectory.t, [*lines, Line("bound", run.bound, WANTED)], log=True))
    return Group("Lyapunov function (51)", panels)


def _survey(rows: Sequence[Row]) -> str:
    """Return root mean square errors [mrad], for every choice."""
    head = ("choice changed", "q1", "q2", "q3", "with payload q1", "q2", "q3", "largest torque of motor 3 [N m]", "")
    paper = [f"{1e3 * x:.2f}" for case in (False, True) for x in PAPER[case]]
    cells = [("as the paper prints", *paper, "", ""), *((row.label, *row.cells, row.note) for row in rows)]
    return table(head, cells, numbers=range(1, 8)) + _note("Root mean square errors in mrad.")


def _note(words: str) -> str:
    return f"<p>{text(words)}</p>"
