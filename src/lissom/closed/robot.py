"""ClosedRobot: a closed robot with all its functions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from ..compiler.task import Task
from ..robot.entry import Entry
from .along_path import ClosedAlongPath
from .catalogue import CATALOGUE
from .exporting import ClosedExporting


class ClosedRobot(ClosedExporting, ClosedAlongPath):
    """A closed robot: its model, and the model's equations of motion compiled for this machine.

    Its coordinates are those of active joints, as many as there are degrees of freedom; everything else follows from the closure
    of the loops, which every function solves by itself. Arrays have shape (n,) for one state or (..., n) for many.

    Args:
        model: with loops, and the names of its active joints.
        backend: "llvm" for machine code, "numpy" for the slow and readable definition; None takes machine code where it works.
        posture: where to begin assembling: {joint: coordinates}, or all coordinates of the tree; None takes the model's own.
        closure_tolerance: gap that loops may have [m; angles times the length of the robot], for over-constrained linkages with
            rounded lengths. They are closed by least squares at home, and equations below this magnitude count as redundant;
            `closure_residual` gives the remaining gap. None takes the model's; without one, loops close to 1e-12.
    """

    catalogue: ClassVar[Mapping[str, Entry]] = CATALOGUE

    def _task(self, entry: Entry, options: Mapping[str, Any]) -> Task:
        return entry.maker(self.model, self.plan, **options)
