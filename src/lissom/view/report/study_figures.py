"""Figures of a study: responses over parameters, a surface over two, parallel coordinates, a front, and sensitivities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..plot import CURVE, LIMIT
from ..stick import shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...study import Sensitivity

MANY = 1500  # points and lines from which a figure is a picture and no drawing
WIDE = 26  # characters of a name on an axis

Columns = Mapping[str, np.ndarray]


def scatter_figure(parameters: Columns, responses: Columns) -> Figure:
    """Return a panel for each response over each parameter."""
    figure, axes = _panels(len(responses), len(parameters), 2.6, 2.0)
    for row, (name, y) in zip(axes, responses.items(), strict=True):
        for axis, (over, x) in zip(row, parameters.items(), strict=True):
            axis.plot(x, y, ".", color=CURVE, markersize=3.5, alpha=0.7, rasterized=len(y) > MANY)
            _labels(axis, over if row is axes[-1] else "", name if axis is row[0] else "")
    return figure


def surface_figure(first: tuple[str, np.ndarray], second: tuple[str, np.ndarray], responses: Columns) -> Figure:
    """Return each response as a surface over two parameters, with the cases as dots; the others are not shown."""
    figure, axes = _panels(1, len(responses), 3.9, 3.1)
    for axis, (name, z) in zip(axes[0], responses.items(), strict=True):
        good = np.isfinite(z)
        x, y = first[1], second[1]
        if _spans(x[good], y[good]):
            drawn: Any = axis.tricontourf(x[good], y[good], z[good], levels=14, cmap="viridis")
            axis.plot(x[good], y[good], ".", color="white", markersize=2, alpha=0.6, rasterized=len(x) > MANY)
        else:
            drawn = axis.scatter(x[good], y[good], c=z[good], s=12, cmap="viridis", rasterized=len(x) > MANY)
        axis.plot(x[~good], y[~good], "x", color=LIMIT, markersize=4)
        figure.colorbar(drawn, ax=axis)
        axis.set_title(shown(name, WIDE), fontsize=9, loc="left", parse_math=False)
        _labels(axis, first[0], second[0])
    return figure


def parallel_figure(columns: Columns, colored: str) -> Figure:
    """Return parallel coordinates: one line for each case, dark where the column `colored` is small."""
    import matplotlib
    from matplotlib.collections import LineCollection

    from ..figure import Figure

    names = list(columns)
    table = np.stack([columns[name] for name in names], axis=1)
    table = table[np.isfinite(table).all(axis=1)]
    low, span = table.min(axis=0), np.ptp(table, axis=0)
    level = (table - low) / np.where(span > 0, span, 1.0)
    order = np.argsort(-level[:, names.index(colored)], kind="stable")  # small ones are drawn last
    colors = matplotlib.colormaps["viridis"](level[order, names.index(colored)])
    figure = Figure(figsize=(max(5.0, 1.5 * len(names)), 3.6), layout="constrained")
    axis = figure.add_subplot()
    lines = np.stack([np.broadcast_to(np.arange(len(names), dtype=float), level.shape), level], axis=2)[order]
    axis.add_collection(LineCollection(list(lines), colors=list(colors), linewidths=0.8, rasterized=len(lines) > MANY // 5))
    axis.set_xlim(-0.1, len(names) - 0.9)
    axis.set_ylim(-0.03, 1.03)
    axis.set_yticks([])
    axis.spines[["top", "right", "bottom", "left"]].set_visible(False)
    for k, name in enumerate(names):
        axis.axvline(k, color="0.6", linewidth=0.8)
        for height, value in ((-0.03, low[k]), (1.03, low[k] + span[k])):
            side = "top" if height < 0 else "bottom"
            axis.text(k, height, f"{value:.4g}", ha="center", va=side, fontsize=7, color="0.35")
        axis.text(k, 1.12, shown(name, WIDE), ha="center", va="bottom", fontsize=8, parse_math=False)
    axis.set_xticks([])
    return figure


def front_figure(first: tuple[str, np.ndarray], second: tuple[str, np.ndarray], on: Sequence[int]) -> Figure:
    """Return the second response over the first, with the cases on the front (their places) as a line."""
    figure, axes = _panels(1, 1, 4.8, 3.4)
    (axis,) = axes[0]
    x, y = first[1], second[1]
    axis.plot(x, y, ".", color="0.65", markersize=4, rasterized=len(x) > MANY)
    best = sorted(on, key=lambda k: float(x[k]))
    axis.plot(x[best], y[best], "-o", color=CURVE, linewidth=1.4, markersize=4.5)
    _labels(axis, first[0], second[0])
    return figure


def sensitivity_figure(found: Sequence[Sensitivity]) -> Figure:
    """Return bars of first and total indices of each response."""
    figure, axes = _panels(1, len(found), 3.4, 2.6)
    for axis, own in zip(axes[0], found, strict=True):
        at = np.arange(len(own.parameters))
        axis.bar(at - 0.2, own.first, 0.38, yerr=own.first_within, color=CURVE, label="alone")
        axis.bar(at + 0.2, own.total, 0.38, yerr=own.total_within, color="#b8860b", label="with others")
        axis.set_xticks(at, [shown(name, 14) for name in own.parameters], fontsize=7, parse_math=False)
        axis.set_title(shown(own.response, WIDE), fontsize=9, loc="left", parse_math=False)
        axis.legend(fontsize=7, frameon=False)
        axis.spines[["top", "right"]].set_visible(False)
    return figure


def _panels(rows: int, columns: int, width: float, height: float) -> tuple[Figure, list[list[Axes]]]:
    from ..figure import Figure

    figure = Figure(figsize=(width * columns + 0.6, height * rows + 0.4), layout="constrained", dpi=140)
    axes = figure.subplots(rows, columns, squeeze=False)
    for axis in axes.ravel():
        axis.grid(True, color="0.9", linewidth=0.8)
        axis.set_axisbelow(True)
        axis.spines[["top", "right"]].set_visible(False)
        axis.tick_params(labelsize=7)
    return figure, [list(row) for row in axes]


def _labels(axis: Axes, x: str, y: str) -> None:
    axis.set_xlabel(shown(x, WIDE), fontsize=8, parse_math=False)
    axis.set_ylabel(shown(y, WIDE), fontsize=8, parse_math=False)


def _spans(x: np.ndarray, y: np.ndarray) -> bool:
    """Return whether points fill an area, so that there are triangles between them."""
    if len(x) < 4 or not np.ptp(x) or not np.ptp(y):
        return False
    points = np.unique(np.stack([(x - x.mean()) / np.ptp(x), (y - y.mean()) / np.ptp(y)], axis=1), axis=0)
    return len(points) >= 4 and bool(np.linalg.svd(points - points.mean(axis=0), compute_uv=False)[1] > 1e-6)
