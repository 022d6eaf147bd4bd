"""A solution of a motion problem on one basis, with the check of its limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ...locks import lazy_property
from ...nlp.solution import Solution
from ...nlp.status import Status
from ..data.motion import Motion
from ..problem.problem import MotionProblem
from ..result.limit_check import Findings, find
from ..result.prediction import FOUND, Refinement
from ..transcription.transcription import Transcription

Instants = Mapping[int, np.ndarray]  # by the number of a limit, more fractions of the duration at which it is enforced


class Found:
    """A solution on one basis.

    Attributes:
        transcription, solution: of the nonlinear program; objective and multipliers in the user's units.
        motion: the path, and channels.
        added: instants at which limits are enforced, in addition to the grid.
    """

    def __init__(
        self, problem: MotionProblem, transcription: Transcription, solution: Solution, added: Instants, motion: Motion
    ) -> None:
        self.problem, self.transcription, self.solution, self.added = problem, transcription, solution, added
        self.motion = motion.with_points(*transcription.split(solution.x))

    @lazy_property
    def findings(self) -> Findings:
        """The check of the limits, computed once."""
        return find(self.problem, self.transcription, self.solution, self.motion)

    @property
    def violation(self) -> float:
        """Largest limit violation, also between instants, relative to the limit's scale."""
        return self.findings.violation

    @property
    def broken(self) -> float:
        """The violation, or how much contacts move between knots, whichever is more (relative)."""
        return max(self.violation, self.findings.slip)

    @property
    def good(self) -> bool:
        """Whether the solver succeeded."""
        return self.solution.status in FOUND

    @property
    def instants(self) -> int:
        """Number of instants at which limits are enforced."""
        more = [s for s in self.added.values() if len(s)]
        return len(np.unique(np.concatenate([self.transcription.grid.s, *more])))

    def ended(self, status: Status) -> Found:
        """Return it with another status."""
        solution = replace(self.solution, status=status, message=status.meaning)
        return Found(self.problem, self.transcription, solution, self.added, self.motion)

    def refinement(self) -> Refinement:
        """Return the figures of this round."""
        s = self.solution
        return Refinement(self.transcription.basis.count, self.instants, s.objective, self.violation, s.iterations, s.seconds)
