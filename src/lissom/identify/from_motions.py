"""Identify: from recorded motions to parameters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import IdentificationError
from ..parameters import BaseParameters
from .consistent import Consistent, nearest_possible
from .estimate import Estimate, Memory, least_squares, weighted
from .excited import check_excitation, weak
from .filtering import Filtered, Filtering, apply
from .identification import Identification, Residuals, correlation_of, known_torques
from .measurement import Measurement, pieces_of
from .rows import Rows
from .selection import USUAL, Selection, select

FOLDS = 5  # of cross-validation
MOST = 4e9  # bytes of equations


def identify(
    data: Measurement | Sequence[Measurement],
    *,
    estimate: Sequence[str] | str = USUAL,
    known: Sequence[str] | str = (),
    method: str = "weighted",
    filtering: Filtering | None = None,
    consistent: bool = True,
    spread: float = 10.0,
) -> Identification:
    """Return the parameters of a robot that explain measured torques best.

    Args:
        data: one recorded motion, or several.
        estimate: what: "links", "rotors", "friction", "springs", "offsets" (constant errors of torque sensors), and patterns of
            names of `inertial_parameter_names`: "link_3.*", "*.viscous". All but offsets unless given.
        known: groups and patterns that are held at the values of the model.
        method: of least squares: "ordinary", "weighted" by the noise of each torque, or "robust" against rows that are off.
        filtering: how positions are differentiated and both sides filtered; None is Filtering().
        consistent: whether to find parameters of bodies that can exist, too; needs the extra `identify`. A model needs them.
        spread: of those, deviations from the model that are usual, as a multiple of its own values: 10 leaves all that torques
            show to the torques.

    Raises:
        IdentificationError: the data do not fit the robot or do not show all parameters; the message names them.
    """
    pieces = pieces_of(data)
    robot = pieces[0].robot
    return solve(pieces, select(robot, estimate, known), method, filtering or Filtering(), consistent, spread)


def solve(
    pieces: Sequence[Measurement], selection: Selection, method: str, filtering: Filtering, possible: bool, spread: float
) -> Identification:
    """Return the parameters of a selection that explain measured torques best."""
    robot = pieces[0].robot
    if not (np.isfinite(spread) and spread > 0):
        raise IdentificationError(f"spread must be a positive number, got {spread!r}")
    rows = Rows(robot, selection)
    base = rows.base_parameters()
    made = [equations(rows, base, piece, filtering) for piece in pieces]
    motions = [motion for motion, _, _ in made]
    W, y = np.concatenate([W for _, W, _ in made]), np.concatenate([y for _, _, y in made])
    check_excitation(rows, base, W, motions)
    memory = Memory(max((motion.correlation for motion in motions), key=len), tuple(len(motion.keep) for motion in motions))
    found = least_squares(W, y, method, memory)
    best: Consistent | None = None
    left = None
    if possible:
        best = nearest_possible(selection, base.matrix, found.beta, found.information, spread)
        left = _rms(y - W @ (base.matrix @ np.where(selection.free, best.values, 0.0)))
    residuals = Residuals(
        _rms(y + np.concatenate([_known(rows, motion) for motion in motions])),
        _rms(y - W @ base.values),
        _rms(found.residual),
        left,
        _rms(_left_out(W, y, found, method)),
    )
    edges = np.cumsum([len(motion.keep) for motion in motions])[:-1]
    correlation = correlation_of(np.split(found.residual, edges))
    doubtful = weak(base, found.beta, found.standard_errors, rows)
    return Identification(
        robot, base, found, method, best, residuals, doubtful, correlation, tuple(motions), filtering, selection, rows
    )


def equations(
    rows: Rows, base: BaseParameters, data: Measurement, filtering: Filtering
) -> tuple[Filtered, np.ndarray, np.ndarray]:
    """Return the filtered motion, W (N, rows, b) and y (N, rows) less the torques of what is held."""
    size = 8.0 * len(data) * len(rows.names) * len(base)
    if size > MOST:
        raise IdentificationError(
            f"{len(data)} samples, {len(rows.names)} torques and {len(base)} base parameters would take "
            f"{size / 1e9:.0f} GB; give "
            "fewer samples per second, or a part of the motion"
        )
    motion = apply(filtering, data)
    state = motion.q, motion.qd, motion.qdd
    y = rows.right(*state, data.tau, data.wrenches) - known_torques(rows, state)
    return motion, motion.sides(rows.columns(base.columns, *state)), motion.sides(y)


def _known(rows: Rows, motion: Filtered) -> np.ndarray:
    return motion.sides(known_torques(rows, (motion.q, motion.qd, motion.qdd)))


def _left_out(W: np.ndarray, y: np.ndarray, found: Estimate, method: str) -> np.ndarray:
    """Return residuals (N, rows) of samples by estimates that did not use them: five parts of the time, each left out once.

    Noise and weights are those of the estimate from all samples.
    """
    weights = found.weights if method == "ordinary" else found.weights / found.noise**2
    left = np.empty_like(y)
    for part in np.array_split(np.arange(len(y)), FOLDS):
        rest = np.ones(len(y), dtype=bool)
        rest[part] = False
        left[part] = y[part] - W[part] @ weighted(W[rest], y[rest], weights[rest])
    return left


def _rms(values: Any) -> np.ndarray:
    return np.asarray(np.sqrt((np.asarray(values) ** 2).mean(axis=0)))
