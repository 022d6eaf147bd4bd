"""A motion problem in words: a line for the prompt, tables for notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...model.show import counted
from ..data.joints import path_names
from .goals import goal_labels

if TYPE_CHECKING:
    from .problem import MotionProblem


def problem_line(problem: MotionProblem) -> str:
    """Return the text of `repr(problem)`."""
    low, high = problem.duration
    time = f"{low:g} s" if low == high else f"{low:g} to {high:g} s"
    limits, joints = counted(len(problem.parts.limits), "limit"), counted(problem.n, "joint")
    channels = f" and {counted(len(problem.channels), 'channel')}" if problem.channels else ""
    unknown = f"{problem.basis.count} control points of {joints}{channels}"
    goals = f", minimize {' + '.join(problem.goals)}" if problem.goals else ""
    return f"<MotionProblem of {problem.name!r}: {unknown}, {time}, {limits}{goals}>"


def problem_tables(problem: MotionProblem) -> str:
    """Return ends, limits and goals as HTML."""
    from ...view.summary_results import problem_html

    return problem_html(problem, goal_labels(problem), path_names(problem.robot))
