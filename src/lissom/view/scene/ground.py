"""Ground: a grid below the robot, level against gravity."""

from __future__ import annotations

import math

import numpy as np

from ..stick import space
from .data import bounds
from .scene import Color, Lines, Part, Scene

LINE: Color = (0.62, 0.64, 0.67, 1.0)
CELLS = 10  # about as many across the robot's footprint
ALONG_X, ALONG_Y = (0.8, 0.45, 0.42), (0.42, 0.68, 0.45)
NEAR = 0.02  # below zero, as share of the height of everything: still on the ground
BELOW = 0.8  # as much as above: a fixed robot that reaches less far below its base stands on a table


def ground(scene: Scene, fixed: bool = True) -> Part:
    """Return a grid at height zero, or at the lowest point of a robot that stands or hangs below it.

    Args:
        scene: what stands on the ground.
        fixed: whether the robot's base is fixed at the origin; it may then reach below the height of its base.
    """
    x, y, up = axes = space(scene.up).axes
    low, high = bounds(scene)
    corners = np.stack(np.meshgrid(*np.stack([low, high]).T, indexing="ij"), axis=-1).reshape(-1, 3) @ axes.T
    start, end = corners.min(axis=0), corners.max(axis=0)
    height = _height(start[2], end[2], fixed)
    wide = max(float((end - start)[:2].max()), 0.5 * float(end[2] - start[2]), 1e-6)
    step = _round_step(2.0 * wide / CELLS)
    first = np.floor((start[:2] - 0.35 * wide) / step).astype(int)
    last = np.ceil((end[:2] + 0.35 * wide) / step).astype(int)
    points, colors = [], []
    for axis, other in ((0, 1), (1, 0)):
        for k in range(first[axis], last[axis] + 1):
            line = np.zeros((2, 2))
            line[:, axis] = k * step
            line[:, other] = first[other] * step, last[other] * step
            points.append(np.outer(line[:, 0], x) + np.outer(line[:, 1], y) + height * up)
            colors.append((ALONG_Y, ALONG_X)[axis] if k == 0 else LINE[:3])
    return Part(0, Lines(np.array(points), np.array(colors)), "ground", LINE, f"ground, a line every {step:g} m")


def _height(low: float, high: float, fixed: bool) -> float:
    stands = low > -NEAR * (high - low) or (fixed and -low < BELOW * high)
    return 0.0 if stands else low


def _round_step(wanted: float) -> float:
    """Return 1, 2 or 5 times a power of ten, near a number."""
    power = 10.0 ** math.floor(math.log10(wanted))
    return float(min((1.0, 2.0, 5.0, 10.0), key=lambda x: abs(math.log(x * power / wanted))) * power)
