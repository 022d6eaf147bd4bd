"""Plot of a predicted motion: torques, positions, velocities and springs with limits; joint reactions; a strobe picture."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..errors import StateError, suggest
from .outline import outline
from .plot import CURVE, FOOT, HEAD, HIGH, LIMIT, POWERS, WIDE, finish, level_noise
from .scene.world import OBSTACLE
from .stick import Plane, Sticks, best_plane, shown, sticks, up_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..predict.result.curves import Column, Curve
    from ..predict.result.prediction import Prediction

MOTOR = "#b8860b"
SHADE = "#f0f0f0"  # of every other phase
FLASHES = 13  # poses of a strobe picture
TALL = 4.4  # inches, of the row with reaction forces and strobe picture
FAR = 4  # a limit more than so many times the curve is written as text: its line would flatten the curve
MOST = 10_000  # points of a curve
NAMED = 12  # most joints in a legend


def plot_prediction(
    prediction: Prediction,
    t: np.ndarray,
    columns: Sequence[Column],
    path: str | os.PathLike[str] | None = None,
    joints: Sequence[str] | None = None,
) -> Figure | Path:
    """Plot the curves of a prediction at times t (N,) [s], one column of panels per quantity; see `Prediction.plot`."""
    from .figure import Figure

    positions = next(column for column in columns if column.title == "position")
    which = _chosen([positions.curves[k].name for k in sorted(positions.curves)], joints)
    width, height = WIDE * len(columns), HEAD + HIGH * len(which) + TALL + FOOT
    figure = Figure(figsize=(width, height))
    head = f"{shown(prediction.name)}: {prediction.duration:.6g} s, {prediction.status.value}"
    figure.suptitle(head, fontsize=12, x=0.1 / width, y=1 - 0.1 / height, ha="left", va="top", parse_math=False)
    # inches, as fractions of the figure: one row per joint, then the tall one
    top, split = 1 - (HEAD + 0.3) / height, (TALL + FOOT) / height
    sides = {"left": 0.9 / width, "right": 1 - 0.25 / width}
    upper = figure.add_gridspec(len(which), len(columns), top=top, bottom=split, **sides, **_space(width, len(columns)))
    for row, joint in enumerate(which):
        for number, column in enumerate(columns):
            if joint in column.curves:
                axis = figure.add_subplot(upper[row, number])
                curve, motor = column.curves[joint], column.motors.get(joint)
                _shade(axis, prediction, named=row == 0)
                _curve(axis, t, curve, prediction)
                if motor is not None:
                    _curve(axis, t, motor, prediction, MOTOR)
                own = [curve.y] if motor is None else [curve.y, motor.y]
                every = [other.y for other in (*column.curves.values(), *column.motors.values())]
                level_noise(axis, np.concatenate(own), np.concatenate(every))
                what = "torque" if column.title == "force" and curve.unit == "N m" else column.title
                axis.set_title(f"{shown(curve.name)}: {what}", fontsize=10, loc="left", parse_math=False)
    lower = figure.add_gridspec(
        1, 2, width_ratios=(1, 1.2), wspace=0.2, top=split - 0.75 / height, bottom=(FOOT + 0.2) / height, **sides
    )
    _forces(figure.add_subplot(lower[0, 0]), prediction, t)
    _strobe(figure.add_subplot(lower[0, 1]), prediction)
    return finish(figure, path)


def _shade(axis: Axes, prediction: Prediction, named: bool) -> None:
    """Shade every other phase, and write the names of all of them at the top."""
    for number, phase in enumerate(prediction.phases):
        if number % 2:
            axis.axvspan(phase.start, phase.end, color=SHADE, linewidth=0.0, zorder=0)
        if named:
            text = axis.text(0.5 * (phase.start + phase.end), 0.98, shown(phase.name), fontsize=7, color="0.4", parse_math=False)
            text.set(transform=axis.get_xaxis_transform(), ha="center", va="top")


def _chosen(names: Sequence[str], joints: Sequence[str] | None) -> list[int]:
    listed = list(names) if joints is None else [joints] if isinstance(joints, str) else list(joints)
    for name in listed:
        if name not in names:
            raise StateError(f"cannot plot joint {name!r}; {suggest(str(name), names)}")
    if not listed:
        raise StateError("joints is empty, expected names of joints, or None for all")
    return [names.index(name) for name in listed]


def _space(width: float, columns: int) -> dict[str, float]:
    panel = (width - 1.15) / columns - 0.9
    return {"wspace": 0.9 / panel, "hspace": 0.65 / (HIGH - 0.65)}


def _curve(axis: Axes, t: np.ndarray, curve: Curve, prediction: Prediction, color: str = CURVE) -> None:
    """Draw a curve with its limits; a motor's curve, with its name, over that of its joint."""
    limits = [limit for limit in prediction.limits if limit.label == f"{curve.quantity} of {curve.name}"]
    edge = LIMIT if color == CURVE else color
    _dress(axis, f"[{curve.unit}]")
    axis.plot(t, curve.y, color=color, linewidth=1.6 if color == CURVE else 1.2)
    largest, far = float(np.abs(curve.y).max()), []
    for limit in limits:
        for bound in {limit.lower, limit.upper}:
            if not np.isfinite(bound):
                continue
            if abs(bound) > FAR * max(largest, 1e-12):
                far.append(bound)
            elif limit.shares:
                shares = np.array(limit.shares) * prediction.duration
                axis.plot(shares, [bound] * len(shares), "_", color=edge, markersize=9)
            elif limit.during:
                spans = [(phase.start, phase.end) for phase in prediction.phases if phase.name in limit.during]
                axis.hlines([bound] * len(spans), *zip(*spans, strict=True), color=edge, linewidth=1.0, linestyle="--")
            else:
                axis.axhline(bound, color=edge, linewidth=1.0, linestyle="--")
    if color != CURVE:
        axis.set_title(shown(curve.name), fontsize=8, loc="right", color=color, parse_math=False)
    elif far:
        far_off = f"limit {', '.join(f'{x:g}' for x in sorted(far))} {curve.unit}"
        axis.set_title(far_off, fontsize=8, loc="right", color=LIMIT)


def _forces(axis: Axes, prediction: Prediction, t: np.ndarray) -> None:
    """Draw the magnitude of every joint's reaction force, from the base outward."""
    from matplotlib import colormaps

    magnitudes = np.linalg.norm(prediction.joint_wrenches(t)[..., :3], axis=-1)
    names = prediction.robot.wrench_names
    colors = colormaps["viridis"](np.linspace(0.0, 0.85, max(len(names), 2)))
    for k in range(len(names)):
        axis.plot(t, magnitudes[:, k], color=colors[k], linewidth=1.4)
    _dress(axis, "[N]")
    axis.set_ylim(bottom=0.0)
    axis.set_title("joint reaction forces (magnitude)", fontsize=10, loc="left")
    some = axis.lines[: min(NAMED, len(names))]
    legend = axis.legend(some, [str(k) for k in range(len(some))], fontsize=8, frameon=False, ncols=2 if len(some) > 4 else 1)
    for text, name in zip(legend.get_texts(), names, strict=False):
        text.set_parse_math(False)  # names are plain text, not formulas
        text.set_text(shown(name))


def _strobe(axis: Axes, prediction: Prediction) -> None:
    """Draw poses at equal time intervals, from light to dark, the paths of the tips, and obstacles."""
    from matplotlib import colormaps

    fine = sticks(prediction.robot, prediction.coordinates(prediction.times(101))[0])
    plane = best_plane(fine.points, up_of(prediction.robot.model))
    poses = sticks(prediction.robot, prediction.coordinates(prediction.times(FLASHES))[0])
    for color, k in zip(colormaps["Blues"](np.linspace(0.3, 1.0, FLASHES)), range(FLASHES), strict=True):
        draw(axis, poses, k, plane, color, 2.2 if k in (0, FLASHES - 1) else 1.1)
    _obstacles(axis, prediction, plane)
    for tip in range(fine.tips.shape[1]):
        axis.plot(*plane.project(fine.tips[:, tip]).T, color=LIMIT, linewidth=0.9, linestyle=":")
    axis.set_aspect("equal", adjustable="datalim")
    axis.margins(0.08)
    axis.grid(True, color="0.9", linewidth=0.8)
    axis.spines[["top", "right"]].set_visible(False)
    axis.set_xlabel(plane.labels[0])
    axis.set_ylabel(plane.labels[1])
    every = prediction.duration / (FLASHES - 1)
    axis.set_title(f"motion, one pose per {every:.3g} s, light to dark", fontsize=10, loc="left")


def _obstacles(axis: Axes, prediction: Prediction, plane: Plane) -> None:
    """Draw the outlines of obstacles, of those that links carry where they are at the end."""
    around = [each for each in prediction.description.obstacles if each.layer == "obstacles"]
    if not around:
        return
    robot = prediction.robot
    poses = robot.poses_along(prediction.coordinates(np.array([prediction.duration]))[0])[0]
    for each in around:
        pose = np.eye(4) if each.link is None else poses[robot.link_names.index(each.link)]
        axis.fill(*outline(each, plane, pose).T, facecolor=(*OBSTACLE[:3], 0.3), edgecolor=OBSTACLE[:3], linewidth=0.8, zorder=1)


def draw(axis: Axes, poses: Sticks, k: int, plane: Plane, color: object, width: float) -> list:
    """Draw pose k: lines, joints as dots, tips as rings. Return the artists."""

    def flat(points: np.ndarray) -> np.ndarray:
        return plane.project(points).T

    # one curve for the whole tree: parts are separated by nan
    lines = np.concatenate([poses.lines[k], np.full((poses.lines.shape[1], 1, 3), np.nan)], axis=1).reshape(-1, 3)
    last = np.stack([poses.ends[k], poses.tips[k], np.full_like(poses.tips[k], np.nan)], axis=1).reshape(-1, 3)
    drawn = axis.plot(*flat(np.concatenate([lines, last])), color=color, linewidth=width, solid_capstyle="round")
    drawn += axis.plot(*flat(poses.lines[k, :, 1]), "o", color=color, markersize=1.6 * width)
    drawn += axis.plot(*flat(poses.tips[k]), "o", color=color, markersize=2.0 * width, markerfacecolor="white")
    return list(drawn)


def _dress(axis: Axes, unit: str) -> None:
    axis.grid(True, color="0.9", linewidth=0.8)
    axis.spines[["top", "right"]].set_visible(False)
    axis.margins(x=0)
    axis.ticklabel_format(axis="y", scilimits=POWERS)
    axis.axhline(0.0, color="0.7", linewidth=0.8, zorder=0)
    axis.set_ylabel(unit)
    axis.set_xlabel("time [s]", fontsize=8)
    axis.tick_params(labelsize=8)
