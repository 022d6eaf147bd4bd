"""Pareto fronts: the trade-off between two goals, by solving a problem for several weights.

Weighted sums find only the convex part of a front.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

import lissom

from ...arrays import ArrayLike
from ...errors import StateError
from ...spline import SplinePath
from ..problem.goals import goal_labels, with_weights
from ..problem.problem import MotionProblem
from ..problem.solve_options import SolveOptions
from ..result.prediction import Prediction

if TYPE_CHECKING:
    from matplotlib.figure import Figure


BETTER = 1e-6  # share of its own size by which a value must be less to count as better


@dataclass(frozen=True, eq=False)
class Front:
    """Predictions of one problem for several weights of its two goals.

    Attributes:
        labels: of the two goals, with units.
        weights: (N, 2), in the order in which they were solved.
        values: of the goals (N, 2), without weights.
        predictions: the N motions.
    """

    labels: tuple[str, str]
    weights: np.ndarray
    values: np.ndarray
    predictions: tuple[Prediction, ...]

    def __len__(self) -> int:
        return len(self.predictions)

    def __repr__(self) -> str:
        return f"<Front of {len(self)} motions: {self.labels[0]} and {self.labels[1]}, {int(self.best.sum())} on the front>"

    @property
    def best(self) -> np.ndarray:
        """Which motions (N,) were found and are on the front: no other is better in one goal and as good in both."""
        found = np.array([p.success for p in self.predictions])
        slack = BETTER * np.maximum(np.abs(self.values), 1e-12)
        for k in range(len(self)):
            less = (self.values < self.values[k] - slack[k]).any(axis=1)
            no_more = (self.values <= self.values[k] + slack[k]).all(axis=1)
            found[k] &= not (less & no_more & np.array([p.success for p in self.predictions])).any()
        return found

    def table(self) -> str:
        """Return weights, values and status of every motion as text."""
        head, rows = self._rows()
        wide = [max(len(row[k]) for row in (head, *rows)) for k in range(len(head))]
        lines = ("  ".join(cell.ljust(size) for cell, size in zip(row, wide, strict=True)) for row in (head, *rows))
        return "\n".join(line.rstrip() for line in lines)

    def _repr_html_(self) -> str:
        from ...view.summary_results import front_html

        return front_html(self)

    def show(self, number: int, *, save: str | os.PathLike[str] | None = None, **options: Unpack[lissom.view.ShowOptions]) -> Any:
        """Show a motion of the front in three dimensions, as `Prediction.show`; `number` counts from 0, as in `table`."""
        if isinstance(number, bool) or not isinstance(number, int | np.integer) or not -len(self) <= number < len(self):
            raise StateError(f"number is {number!r}, expected a whole number from 0 to {len(self) - 1}: a motion of the front")
        return self.predictions[number].show(save=save, **options)

    def _rows(self) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        """Return the head and the rows of the table."""
        head = ("weights", *self.labels, "objective", "status", "front")
        rows = [
            (
                f"{w[0]:g}, {w[1]:g}",
                *(f"{x:.6g}" for x in values),
                f"{p.objective:.6g}",
                p.status.value,
                "yes" if best else "no",
            )
            for w, values, p, best in zip(self.weights, self.values, self.predictions, self.best, strict=True)
        ]
        return head, rows

    def plot(self, path: str | os.PathLike[str] | None = None) -> Figure | Path:
        """Plot one goal over the other; return the path, or the Figure where no path was given."""
        from ...view.pareto import plot_front

        return plot_front(self, path)


def pareto(problem: MotionProblem, weights: ArrayLike, *, goals: Sequence[int] = (), **options: Unpack[SolveOptions]) -> Front:
    """Solve a problem of two goals for several weights, each from the motion before.

    Args:
        problem: with two goals; their weights do not matter, and the problem is not changed.
        weights: numbers w between 0 and 1 for the weights w and 1 - w, or pairs of weights, in the order of the goals. Neighbors
            should be near to each other: each motion is the start of the next.
        goals: numbers of the two, from 0, in the order in which they were given, where the problem has more goals; others keep
            their weights, such as those that only make motions smooth.
        options: see `SolveOptions`, the same for all; `start` is that of the first, and `throw` is False unless given: the
            front shows which motions were found.

    Returns:
        Front: values of both goals for each pair of weights, and the motions.
    """
    known = goal_labels(problem)
    labels, own = [label for label, _ in known], [weight for _, weight in known]
    two = tuple(goals) or (0, 1)
    if len(labels) != 2 and not goals:
        said = f"minimizes {', '.join(labels)}" if labels else "minimizes nothing"
        raise StateError(
            f"a Pareto front needs a problem of two goals, and {problem.name!r} {said}; of more, name two by number: goals="
        )
    if len(two) != 2 or two[0] == two[1] or not all(type(k) is int and 0 <= k < len(labels) for k in two):
        raise StateError(f"goals are {goals!r}, expected two different numbers from 0 to {len(labels) - 1}, one for each goal")
    pairs = _pairs(weights)
    options.setdefault("throw", False)
    found: list[Prediction] = []
    for pair in pairs:
        own[two[0]], own[two[1]] = pair
        prediction = with_weights(problem, own).solve(**options)
        found.append(prediction)
        if prediction.success:
            options["start"] = prediction if problem.timing.named else _coarse(prediction.path, problem)
    values = np.array([[prediction.goals[k].value for k in two] for prediction in found])
    return Front((labels[two[0]], labels[two[1]]), pairs, values, tuple(found))


def _pairs(weights: ArrayLike) -> np.ndarray:
    """Return weights as (N, 2)."""
    try:
        given = np.asarray(weights, dtype=float)
    except (TypeError, ValueError):
        raise StateError(f"weights is {weights!r}, expected numbers between 0 and 1, or pairs of weights") from None
    if given.ndim == 1 and given.size and ((given >= 0) & (given <= 1)).all():
        return np.stack([given, 1 - given], axis=1)
    if given.ndim != 2 or given.shape[1] != 2 or not len(given):
        raise StateError(f"weights has shape {given.shape}, expected (N,) numbers between 0 and 1, or (N, 2) pairs")
    if not (np.isfinite(given).all() and (given >= 0).all() and (given.sum(axis=1) > 0).all()):
        raise StateError("weights must be finite, not negative, and not both zero")
    return given


def _coarse(path: SplinePath, problem: MotionProblem) -> SplinePath:
    """Return a path on the problem's basis: otherwise refined paths would be refined again and again."""
    if len(path.points) <= problem.basis.count:
        return path
    t = np.linspace(0.0, path.duration, 10 * problem.basis.count)
    return SplinePath.fit(t, path.at(t), problem.basis.count, problem.basis.degree, rest=_rest(problem))


def _rest(problem: MotionProblem) -> int:
    """Return how many derivatives vanish at both ends."""
    ends: Sequence[dict[str, np.ndarray]] = list(problem.ends.values())
    return 1 if len(ends) == 2 and all("velocity" in end and not end["velocity"].any() for end in ends) else 0
