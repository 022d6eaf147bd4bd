"""Outcomes: the results of many motion problems, light enough to be sent between processes."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Unpack, overload

import numpy as np

import lissom

from ...errors import PredictionError
from ...nlp.status import Status
from ...spline import SplinePath
from ..problem.problem import MotionProblem
from .prediction import FOUND, Prediction

KEPT = (
    "path",
    "channels",
    "ends",
    "objective",
    "status",
    "message",
    "iterations",
    "seconds",
    "setup_seconds",
    "limits",
    "rounds",
)


@dataclass(frozen=True, eq=False)
class Outcome:
    """What became of one problem of many.

    Attributes:
        number: of the problem, from 0.
        status, message: how its solve ended, and advice where it did not succeed. FAILED where an error ended it, INTERRUPTED or
            STOPPED where it was not solved any more.
        error: the error that ended it, if one did.
        problem: the problem; None where there is none, because an error came before.
    """

    number: int
    status: Status
    message: str
    error: Exception | None = None
    problem: MotionProblem | None = field(default=None, repr=False)
    figures: dict[str, Any] | None = field(default=None, repr=False)  # the fields of its prediction, without the problem

    @classmethod
    def of(cls, number: int, prediction: Prediction) -> Outcome:
        """Return the outcome of a prediction, without its problem and the history of the solver."""
        figures = {name: getattr(prediction, name) for name in (*KEPT, "ends", "limit_tolerance")}
        figures["solution"] = replace(prediction.solution, history=())
        return cls(number, prediction.status, prediction.message, figures=figures)

    @property
    def success(self) -> bool:
        """Whether a motion was found that keeps the limits."""
        return self.status in FOUND

    @property
    def path(self) -> SplinePath | None:
        """The motion; None where there is none."""
        return None if self.figures is None else self.figures["path"]

    @property
    def duration(self) -> float:
        """Duration of the motion [s]; nan where there is none."""
        return float("nan") if self.path is None else self.path.duration

    @property
    def objective(self) -> float:
        """Cost of the motion; nan where there is none."""
        return float("nan") if self.figures is None else float(self.figures["objective"])

    @property
    def iterations(self) -> int:
        """Iterations of the solver."""
        return 0 if self.figures is None else int(self.figures["iterations"])

    @property
    def seconds(self) -> float:
        """Time that it took [s], preparing included."""
        return 0.0 if self.figures is None else float(self.figures["seconds"] + self.figures["setup_seconds"])

    @property
    def prediction(self) -> Prediction:
        """The whole result, made when it is asked for; without the solver's history.

        Raises:
            PredictionError: there is no motion; the text says why.
        """
        if self.figures is None or self.problem is None:
            raise PredictionError(f"problem {self.number} has no motion: {self.message}", None) from self.error
        return Prediction(problem=self.problem, **self.figures)

    def show(self, *, save: str | os.PathLike[str] | None = None, **options: Unpack[lissom.view.ShowOptions]) -> Any:
        """Show the motion in three dimensions, as `Prediction.show`.

        Raises:
            PredictionError: there is no motion; the text says why.
        """
        return self.prediction.show(save=save, **options)

    def report(self, path: str | os.PathLike[str]) -> Path:
        """Write the page of the motion, as `Prediction.report`.

        Raises:
            PredictionError: there is no motion; the text says why.
        """
        return self.prediction.report(path)

    def _repr_html_(self) -> str:
        from ...view.summary_results import outcomes_html

        return outcomes_html(repr(self), (self,))


@dataclass(frozen=True, eq=False, repr=False)
class Outcomes(Sequence[Outcome]):
    """The outcomes of many problems, in their order.

    Attributes:
        outcomes: one per problem.
        seconds: that all took together, by the clock [s].
        workers: processes that solved them.
    """

    outcomes: tuple[Outcome, ...]
    seconds: float
    workers: int

    def __len__(self) -> int:
        return len(self.outcomes)

    @overload
    def __getitem__(self, number: int) -> Outcome: ...
    @overload
    def __getitem__(self, number: slice) -> tuple[Outcome, ...]: ...
    def __getitem__(self, number: int | slice) -> Outcome | tuple[Outcome, ...]:
        """Return one outcome, or several."""
        return self.outcomes[number]

    def __iter__(self) -> Iterator[Outcome]:
        return iter(self.outcomes)

    def __repr__(self) -> str:
        ended = ", ".join(f"{count} {status.value.replace('_', ' ')}" for status, count in self.counts.items())
        some = f": {ended}" if ended else ""
        processes = "1 process" if self.workers == 1 else f"{self.workers} processes"
        return f"<Outcomes of {len(self)} problem{'' if len(self) == 1 else 's'}{some}; {self.seconds:.3g} s, {processes}>"

    def _repr_html_(self) -> str:
        from ...view.summary_results import outcomes_html

        return outcomes_html(repr(self), self.outcomes)

    def report(self, path: str | os.PathLike[str]) -> Path:
        """Write a page (.html): how many were solved, what became of each, and the shortest and the longest motion in 3-D.

        `outcomes[3].report(path)` writes the page of one motion.
        """
        from ...view.report.outcomes import report_outcomes

        return report_outcomes(self, path)

    @property
    def counts(self) -> dict[Status, int]:
        """How many ended with each status, the most frequent first."""
        return dict(Counter(outcome.status for outcome in self).most_common())

    @property
    def success(self) -> np.ndarray:
        """Whether each (N,) was solved within its limits."""
        return np.array([outcome.success for outcome in self], dtype=bool)

    @property
    def durations(self) -> np.ndarray:
        """Durations of the motions (N,) [s]; nan where there is none."""
        return np.array([outcome.duration for outcome in self])

    @property
    def objectives(self) -> np.ndarray:
        """Costs of the motions (N,); nan where there is none."""
        return np.array([outcome.objective for outcome in self])

    @property
    def failures(self) -> tuple[Outcome, ...]:
        """Those without success."""
        return tuple(outcome for outcome in self if not outcome.success)
