"""Plot of a Pareto front."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from .plot import CURVE, LIMIT, finish
from .stick import WIDEST, shown

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ..predict.search.pareto import Front


def plot_front(front: Front, path: str | os.PathLike[str] | None = None) -> Figure | Path:
    """Plot the second goal over the first; failed and dominated motions are crosses.

    Args:
        front: result of `lissom.predict.search.pareto`.
        path: file to write (.png, .svg or .pdf).

    Returns:
        The path, or the matplotlib Figure if no path was given.
    """
    from .figure import Figure

    figure = Figure(figsize=(6.0, 4.4), layout="constrained")
    axis = figure.add_subplot()
    best = front.best
    on = front.values[best]
    on = on[np.argsort(on[:, 0])]
    axis.plot(*on.T, "-o", color=CURVE, linewidth=1.4, markersize=4.5)
    axis.plot(*front.values[~best].T, "x", color=LIMIT, markersize=6)
    for weights, (x, y) in zip(front.weights, front.values, strict=True):
        text = f"{weights[0]:g}, {weights[1]:g}"
        axis.annotate(text, (x, y), xytext=(5, 4), textcoords="offset points", fontsize=7, color="0.4")
    axis.grid(True, color="0.9", linewidth=0.8)
    axis.spines[["top", "right"]].set_visible(False)
    axis.margins(0.12)
    axis.set_xlabel(shown(front.labels[0], WIDEST), parse_math=False)
    axis.set_ylabel(shown(front.labels[1], WIDEST), parse_math=False)
    title = f"{shown(front.predictions[0].name)}: Pareto front; each point with its weights"
    axis.set_title(title, fontsize=10, loc="left", parse_math=False)
    return finish(figure, path)
