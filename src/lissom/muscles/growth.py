"""Muscles of scaled models: fibers and tendons grow with their paths."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..osim.model import OsimModel
from .muscles import Muscles


def grown(muscles: Muscles, model: OsimModel, before: Muscles) -> Muscles:
    """Return muscles of a scaled model: fibers and tendons are longer as their paths are at the default coordinates."""
    ratios = ratios_of(muscles, model, before)
    return Muscles(
        muscles.robot,
        [
            replace(m, optimal_fiber_length=old.optimal_fiber_length * r, tendon_slack_length=old.tendon_slack_length * r)
            for m, old, r in zip(muscles.muscles, before.muscles, ratios, strict=True)
        ],
    )


def ratios_of(muscles: Muscles, model: OsimModel, before: Muscles) -> np.ndarray:
    """Return how many times longer paths are than those before scaling, at the default coordinates that were scaled at."""
    assert model.unscaled is not None
    at = dict(zip(model.unscaled.names, model.unscaled.defaults, strict=True))
    q = [at[joint.name] for joint in muscles.robot.model.independent_joints]
    return np.asarray(muscles.lengths(q) / before.lengths(q))
