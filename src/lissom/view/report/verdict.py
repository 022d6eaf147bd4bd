"""Verdicts: what a result comes to, in a sentence with figures, and a few more below it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .held import LEAST, Held, held_back, in_words
from .shown import limit_shown, nearest

if TYPE_CHECKING:
    from ...predict.result.curves import Limited
    from ...predict.result.prediction import Prediction
    from ...timing.timing import Timing

LISTED = 5  # most limits in words
TIME = "time [s]"  # label of the goal that the first sentence has already


class Verdict(NamedTuple):
    """A verdict.

    Attributes:
        good: whether the result is what was asked for.
        first: the sentence that stands first.
        more: further ones.
        careful: whether a good result has something to look at, such as limits of the model that it passes.
    """

    good: bool
    first: str
    more: tuple[str, ...] = ()
    careful: bool = False


def of_prediction(prediction: Prediction, limited: Iterable[Limited] = ()) -> Verdict:
    """Return the verdict of a prediction: duration, the limits that hold it back by share of the time, violations.

    Args:
        prediction: the prediction.
        limited: limited quantities over time; how near obstacles came is said of those among them.
    """
    limits = [limit_shown(limit) for limit in prediction.limits]
    said = _listed([held.sentence for held in held_back(prediction, limits)])
    length = f"{prediction.duration:.4g} s"
    more = []
    if prediction.success:
        first = f"{length}; {said[0] if said else 'no limit is reached'}"
        more += [*said[1:], *nearest(limited, LISTED), *_noted(prediction)]
    else:
        first = f"Not solved: {prediction.status.value.replace('_', ' ')}. {prediction.message}"
        more += [prediction.status.advice, f"the motion shown is the last one, of {length}", *said]
    return Verdict(prediction.success, first, (*more, *worst_limit(prediction)))


def worst_limit(prediction: Prediction) -> list[str]:
    """Return by how much the limit is passed that a motion passes most, in words; nothing without limits."""
    broken = max(map(limit_shown, prediction.limits), key=lambda limit: limit.violation / limit.scale, default=None)
    if broken is None:
        return []
    share, allowed = broken.violation / broken.scale, prediction.limit_tolerance
    within = f"; allowed: {allowed:g}" if np.isfinite(allowed) else ""
    size = f"{broken.violation:.2g} {broken.unit}".strip()
    what = f"largest violation of a limit: {broken.label} by {size} at {broken.at:.3g} s, {share:.1e} of its scale{within}"
    return [what if broken.is_missed else "no limit is violated at any time"]


def _noted(prediction: Prediction) -> list[str]:
    """Return the values of goals besides the duration, and what the solver says about a motion that it found."""
    goals = [goal for goal in prediction.goals if goal.label != TIME]
    said = [f"{goal.label}: {goal.value:.5g}" for goal in goals[:LISTED]]
    left = prediction.message.removeprefix(prediction.status.meaning).strip()
    return said + ([left] if left else [])


def of_timing(timing: Timing) -> Verdict:
    """Return the verdict of a timing: duration, the limits that hold it back by share of the time, violations."""
    share: dict[tuple[str, str], float] = {}
    for active in timing.active:
        key = active.kind, active.joint
        share[key] = share.get(key, 0.0) + (active.t1 - active.t0) / timing.duration
    units = dict(zip(timing.robot.velocity_names, timing.robot.torque_units, strict=False))
    order = sorted(share.items(), key=lambda item: -item[1])
    said = held_by((f"{kind} of {joint}", units.get(joint, ""), part) for (kind, joint), part in order if part >= LEAST)
    more = list(said[1:])
    worst = max(timing.violation.items(), key=lambda item: item[1].relative, default=None)
    if worst is not None:
        kind, found = worst
        size = f"{kind.replace('_', ' ')} of {found.joint} by {found.relative:.1e} of its limit"
        more.append(f"largest violation of a limit: {size}" if found.relative > 0 else "no limit is violated at any time")
    return Verdict(True, f"{timing.duration:.4g} s; {said[0] if said else 'no limit is reached'}", tuple(more))


def held_by(limits: Iterable[tuple[str, str, float]]) -> list[str]:
    """Return sentences on limits that are reached: (label, unit, share of the time), the longest first."""
    return _listed([Held(in_words(label, unit), share, share).sentence for label, unit, share in limits])


def _listed(said: Sequence[str]) -> list[str]:
    left = len(said) - LISTED
    return list(said[:LISTED]) + ([f"{left} more limit{'s are' if left > 1 else ' is'} reached"] if left > 0 else [])


def share_of_time(t: np.ndarray, holds: np.ndarray) -> float:
    """Return the share of the time at which something holds, from samples at times t (N,) [s] and whether it does (N,)."""
    if len(t) < 2 or t[-1] == t[0]:
        return float(np.mean(holds)) if len(t) else 0.0
    middle = (holds[1:].astype(float) + holds[:-1]) / 2
    return float(np.diff(t) @ middle / (t[-1] - t[0]))


def largest(values: np.ndarray, t: np.ndarray, names: Sequence[str], units: Sequence[str]) -> list[str]:
    """Return the largest magnitude of values (N, n) of each unit, in words: "86.9 N m, elbow at 0.12 s"."""
    said = []
    for unit in dict.fromkeys(units):
        own = [k for k, other in enumerate(units) if other == unit]
        row, place = np.unravel_index(int(np.argmax(np.abs(values[:, own]))), (len(values), len(own)))
        size = abs(values[row, own[place]])
        said.append(f"{size:.4g} {unit}, {names[own[place]]} at {t[row]:.3g} s")
    return said
