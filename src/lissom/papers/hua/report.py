"""The experiment as one HTML page: errors beside the paper's, figures, torques, and every assumption with what it changes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ...view.page import check_ending, picture, table, text, write_page
from .experiment import PAPER, Experiment
from .figures import plot, plot_lyapunov
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
    path = check_ending(path)  # before figures are drawn
    runs = [("no payload", without), ("payload", unknown), ("payload with the sign of (20)", lifted)]
    head = ("", *JOINTS)
    parts = [
        "<h2>Root mean square errors [rad]</h2>",
        table(head, errors(without, unknown, known), numbers=(1, 2, 3)),
        _note(
            "The paper prints no gains and little of the geometry. Gains were chosen by its errors: they show that these can be "
            "reproduced, which is not a validation. Every assumption, and what another one would change, is below."
        ),
        "<h2>Motion</h2>",
        picture(plot(without, unknown), "figures 3-8: positions of links, position of motor 3, torques of motors"),  # type: ignore[arg-type]
        "<h2>Does a payload lower the torques?</h2>",
        _note(
            f"No. The paper finds lower torques with payload where the arm hangs lowest, at {LOWEST:g} s. That is the sign of "
            "its eq. (20): a force on the tool enters the recursion with a minus. With the sign as printed the payload lifts the "
            "arm, and the remark comes out; a force that pulls down takes more torque."
        ),
        table((f"torque at {LOWEST:g} s [N m]", "motor 1", "motor 2", "motor 3"), torques(runs), numbers=(1, 2, 3)),
        "<h2>Lyapunov function</h2>",
        picture(plot_lyapunov(without, known, unknown), "V of eq. (51) with its bound"),  # type: ignore[arg-type]
        _note(
            "Where the controller knows all forces, V falls at least as fast as its bound, to rounding. A payload that it does "
            "not know of holds V up, and misleads the motor's desired motion, which follows from how the links should accelerate."
        ),
        "<h2>What the paper leaves open</h2>",
        table(("open", "chosen"), ASSUMPTIONS),
        "<h2>What other choices change</h2>",
        _survey(rows),
    ]
    return write_page("Mixed rigid-elastic arm, Hua 2024 section V", parts, path)


def _survey(rows: Sequence[Row]) -> str:
    """Return root mean square errors [mrad], for every choice."""
    head = ("choice changed", "q1", "q2", "q3", "with payload q1", "q2", "q3", "largest torque of motor 3 [N m]", "")
    paper = [f"{1e3 * x:.2f}" for case in (False, True) for x in PAPER[case]]
    cells = [("as the paper prints", *paper, "", ""), *((row.label, *row.cells, row.note) for row in rows)]
    return table(head, cells, numbers=range(1, 8)) + _note("Root mean square errors in mrad.")


def _note(words: str) -> str:
    return f"<p>{text(words)}</p>"
