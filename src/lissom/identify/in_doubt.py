"""In doubt: what a result says against itself, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from .identification import Identification

CORRELATED = 0.4  # of residuals with those before, from which on standard errors are too small
AGAINST = -0.5  # correlation of measured torques with those of the model, from which on their signs differ
ALIKE = 0.9  # correlation from which on a ratio means something
UNIT = 10.0  # ratio of torques from which on units may differ
SURE = 3.0  # standard errors below zero at which what cannot be negative is
MANY = 4  # names in a sentence


def doubts(found: Identification) -> tuple[str, ...]:
    """Return what is doubtful about a result."""
    said = [*_signs(found), *_negative(found)]
    if found.weak:
        names = _listed([found.names[k] for k in found.weak])
        said.append(f"weakly excited, so that their uncertainty matters: {names}; move more, or record longer")
    high = [name for name, x in zip(found.rows.names, found.correlation, strict=True) if abs(x) > CORRELATED]
    if high:
        said.append(
            f"residuals of {_listed(high)} follow one another (correlation {np.abs(found.correlation).max():.2f}): something is "
            "not modeled, such as other friction, and standard errors are too small"
        )
    if found.consistent is not None and found.consistent.distance > chance(found):
        said.append(f"{distance(found)}: torques, or the model's kinematics, are not those of bodies that can exist")
    return tuple(said)


def distance(found: Identification) -> str:
    """Return how far bodies that can exist are from least squares, as a sentence."""
    assert found.consistent is not None
    return (
        f"bodies that can exist are {found.consistent.distance:.3g} away from least squares, by its own covariance, where up to "
        f"{chance(found):.0f} is chance"
    )


def chance(found: Identification) -> float:
    """Return the distance of possible bodies up to which it is no doubt."""
    return 2.0 * len(found)


def _signs(found: Identification) -> list[str]:
    """Compare measured torques with those of the model as it was."""
    if found.selection.added:
        return []
    measured, _ = found.torques()
    model = found.torques_before()
    size = np.linalg.norm(measured, axis=0) * np.linalg.norm(model, axis=0)
    alike = np.divide((measured * model).sum(axis=0), size, out=np.zeros(len(size)), where=size > 0)
    said = []
    against = [name for name, x in zip(found.rows.names, alike, strict=True) if x < AGAINST]
    if against:
        said.append(f"torques of {_listed(against)} run against those that the model predicts; check their signs")
    for name, x, a, b in zip(
        found.rows.names, alike, np.linalg.norm(measured, axis=0), np.linalg.norm(model, axis=0), strict=True
    ):
        if x > ALIKE and not 1.0 / UNIT < a / b < UNIT:
            said.append(f"the torque of {name} is {a / b:.3g} times what the model predicts; check its unit, N m or N")
    return said


def _negative(found: Identification) -> list[str]:
    """Name friction, rotor inertia, stiffness and damping that are negative for sure."""
    selection = found.selection
    below = [
        f"{name} ({value:.3g} +- {error:.2g})"
        for k, name, value, error in zip(found.base.columns, found.names, found.values, found.standard_errors, strict=True)
        if selection.positive[k] and name == selection.names[k] and value < -SURE * error
    ]
    return [f"negative, which cannot be: {_listed(below)}; check signs and filters of the torques"] if below else []


def _listed(names: list[str]) -> str:
    return ", ".join(names[:MANY]) + (f" and {len(names) - MANY} more" if len(names) > MANY else "")
