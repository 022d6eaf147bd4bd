"""Motions that are repeated: strengths fall from one to the next, and the motion adapts to those that are left."""

from __future__ import annotations

import inspect
import math
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..errors import PredictionError, StateError
from ..robots.human.strength import Drive
from .cycle import Cycle, cycle_of

MOST = 1_000_000  # repetitions
SLACK = 5e-3  # by which a load may be more than the strength that is left: limits hold at instants, to 1e-3
SAME = 1e-9  # change of fatigued shares in a repetition, from which on nothing changes
MARGIN = 0.25  # of `change`, by which a motion that has to spare strength asks for less than is left
WEAKEST = 0.95  # share of strength that a person can have lost


class Adapted(NamedTuple):
    """A motion, and the repetition, counted from 0, from which on it is done."""

    since: int
    motion: Any


@dataclass(frozen=True, eq=False)
class Repeated:
    """A motion that was repeated, with what it left of the strengths.

    Attributes:
        joints: names of joints that muscles drive.
        motions: as predicted, each with the repetition from which on it is done; the first is that of the rested person.
        left: shares of strengths that are left after every repetition (done + 1, n, 2), in the negative and in the positive way
            of a joint; the first row is of the rested person.
        times: repetitions that were asked for.
        rest: between them [s].
        reason: why there are no more; "" where all were done.
    """

    joints: tuple[str, ...]
    motions: tuple[Adapted, ...]
    left: np.ndarray
    times: int
    rest: float
    reason: str = ""

    @property
    def done(self) -> int:
        """Repetitions that were done."""
        return len(self.left) - 1

    @property
    def first(self) -> Any:
        """The motion of the rested person."""
        return self.motions[0].motion

    @property
    def last(self) -> Any:
        """The motion of the last repetitions."""
        return self.motions[-1].motion

    @property
    def most_tired(self) -> tuple[str, float]:
        """The joint that has least of its strength left after the last repetition, in one of its ways, and that share."""
        least = self.left[-1].min(axis=1)
        k = int(np.argmin(least))
        return self.joints[k], float(least[k])

    def weakness(self, after: int | None = None) -> dict[str, tuple[float, float]]:
        """Return shares of strengths lost after so many repetitions, None for all, as `Human.with_changes` takes them."""
        return lost(self.joints, 1.0 - self.left[self.done if after is None else after])

    def report(self, path: str | os.PathLike[str]) -> Path:
        """Write a page (.html): how strengths fall, and how the motion changes, in curves and in 3-D."""
        from ..view.report.fatigue import report_fatigue

        return report_fatigue(self, path)

    def __repr__(self) -> str:
        joint, share = self.most_tired
        return f"<Repeated: {self.done} of {self.times} times, {len(self.motions)} motions, {share:.0%} left at {joint}>"


def repeat(
    motion: Callable[..., Any],
    *arguments: Any,
    times: int,
    rest: float = 0.0,
    change: float = 0.1,
    progress: Callable[[str], object] | None = None,
    **options: Any,
) -> Repeated:
    """Predict a motion that is repeated: every one takes strength, rest gives some back, and motions adapt to what is left.

    After each repetition the motor units of every joint are those of the three-compartment model under the motion's moments. The
    motion is predicted again, with the strengths that are left as limits and in its goal, where one of them has changed by
    `change`, or where it asks for more than is left. Where no motion is found with these strengths, it ends there.

    Args:
        motion: predicts one: `lissom.tasks.lift`, `reach`, `stand_up`, `sit_down`, `lissom.gait.predict`, or a function of the
            same kind, with start= and with changes= or weakness=. A walk is repeated by strides, two steps each.
        arguments, options: of `motion`.
        times: repetitions.
        rest: after each of them [s].
        change: of a share of strength, from which on the motion adapts.
        progress: called with a line before every prediction.

    Raises:
        StateError, PredictionError: as of `motion`, of the rested person; or an argument is wrong.
    """
    check(times, rest, change)
    key = _key(motion)
    own = _weakness(options, key)
    say = progress or (lambda line: None)
    say("predicting the motion of the rested person")
    first = motion(*arguments, **options)
    strengths = first.person.strengths

    def predicted(fatigued: np.ndarray, start: Any) -> Any:
        weak = joined(own, lost(tuple(strengths), fatigued))
        given = {"changes": {**(options.get("changes") or {}), "weakness": weak}} if key == "changes" else {"weakness": weak}
        return motion(*arguments, **{**options, **given, "start": start})

    return adapt(first, predicted, strengths, times, rest, change, say)


def adapt(
    first: Any,
    predicted: Callable[[np.ndarray, Any], Any],
    strengths: Mapping[str, Drive],
    times: int,
    rest: float,
    change: float,
    say: Callable[[str], object],
) -> Repeated:
    """Return the repetitions of a motion; see `repeat`.

    Args:
        first: the motion of the rested person.
        predicted: a function of fatigued shares (n, 2) and of a motion to begin with, which returns the motion.
        strengths: of the rested person.
        times, rest, change, say: as in `repeat`.
    """
    joints = tuple(strengths)
    motions, cycle = [Adapted(0, first)], cycle_of(first, strengths, rest)
    fatigued, reason = np.zeros((len(joints), 2)), ""
    planned, rows = fatigued, [fatigued]
    for k in range(times):
        after = _even(cycle.tired(fatigued), first)
        must = bool((cycle.beyond(after) > SLACK).any())
        if must or np.abs(after - planned).max() > change:
            say(f"predicting repetition {k + 1}")
            found, reason = _found(
                predicted, fatigued, after, cycle, motions[-1].motion, strengths, rest, change if must else 0.0
            )
            if found is not None:
                cycle, planned = found[1], found[2]
                motions.append(Adapted(k, found[0]))
                after, reason = _even(cycle.tired(fatigued), first), ""
            elif must:
                reason = f"repetition {k + 1} asks for more strength than is left: {reason}"
                break
            else:  # as it is, it can still be done
                planned, reason = after, ""
        rows.append(after)
        before, fatigued = fatigued, cycle.rested(after)
        if np.abs(fatigued - before).max() < SAME:
            rows += [after] * (times - k - 1)
            break
    return Repeated(joints, tuple(motions), 1.0 - np.array(rows), times, rest, reason)


def _found(
    predicted: Callable[[np.ndarray, Any], Any],
    fatigued: np.ndarray,
    after: np.ndarray,
    cycle: Cycle,
    start: Any,
    strengths: Mapping[str, Drive],
    rest: float,
    margin: float,
) -> tuple[tuple[Any, Cycle, np.ndarray] | None, str]:
    """Return a motion for the strengths that are left, its cycle and the shares that it was predicted for; or None, and why.

    With a margin, strengths are a little less: the motion then lasts for a while.
    """
    planned = np.minimum(after + margin * (after > 0.0), WEAKEST)
    try:
        made = predicted(planned, start)
    except (PredictionError, StateError) as error:
        return None, str(error)
    own = cycle_of(made, strengths, rest)
    passed = own.beyond(own.tired(fatigued))
    if (passed <= SLACK).all():
        return (made, own, planned), ""
    return None, f"the motion for it tires {cycle.joints[int(np.argmax(passed.max(axis=1)))]} more than it has strength left"


def _even(fatigued: np.ndarray, motion: Any) -> np.ndarray:
    """Return shares of left and right that are alike where one step of a walk, and its mirror image, are predicted."""
    if getattr(motion, "steps", 0) != 1:
        return fatigued
    person = motion.person
    columns, signs = person.mirror_columns
    names = list(person.velocity_names)
    joints = list(person.strengths)
    other = fatigued.copy()
    for k, joint in enumerate(joints):
        column = names.index(joint)
        twin = fatigued[joints.index(names[columns[column]])]
        other[k] = twin if signs[column] > 0 else twin[::-1]
    return np.asarray(np.maximum(fatigued, other))


def lost(joints: tuple[str, ...], fatigued: np.ndarray) -> dict[str, tuple[float, float]]:
    """Return shares of strengths that are lost, by joint, as `Human.with_changes` takes them: at most 0.95."""
    shares = np.clip(fatigued, 0.0, WEAKEST)
    return {name: (float(a), float(b)) for name, (a, b) in zip(joints, shares, strict=True)}


def joined(own: Mapping[str, Any], more: Mapping[str, tuple[float, float]]) -> dict[str, Any]:
    """Return the weakness of a person who has some and tires beside."""
    found: dict[str, Any] = dict(own)
    for name, (a, b) in more.items():
        given = found.get(name, 0.0)
        before = given if isinstance(given, (tuple, list)) else (given, given)
        found[name] = (1.0 - (1.0 - before[0]) * (1.0 - a), 1.0 - (1.0 - before[1]) * (1.0 - b))
    return found


def check(times: int, rest: float, change: float) -> None:
    """Raise a StateError for repetitions that nobody can do."""
    if isinstance(times, bool) or not isinstance(times, int) or not 1 <= times <= MOST:
        raise StateError(f"times is {times!r}, expected a whole number of repetitions from 1 to {MOST}")
    for name, value, low in (("rest", rest, 0.0), ("change", change, 1e-3)):
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value) or value < low:
            raise StateError(f"{name} is {value!r}, expected a number of {low:g} or more")


def _key(motion: Callable[..., Any]) -> str:
    known = inspect.signature(motion).parameters if callable(motion) else {}
    for name in ("changes", "weakness"):
        if name in known and "start" in known:
            return name
    called = getattr(motion, "__name__", repr(motion))
    raise StateError(
        f"motion {called} takes no changes= or weakness=, or no start=: give lissom.tasks.lift, lissom.gait.predict, or a "
        "function of that kind"
    )


def _weakness(options: Mapping[str, Any], key: str) -> dict[str, Any]:
    given = options.get("changes") or {} if key == "changes" else options
    return dict(given.get("weakness") or {})
