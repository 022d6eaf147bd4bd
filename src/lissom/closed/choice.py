"""Which velocities of a closed robot are its coordinates.

First come those of the active joints, as far as they are independent. The remaining freedom belongs to joints that need no
drive: joints of several axes (a floating base; a rod that spins about its own axis between two ball joints) and joints on
springs. Any other joint has to be named, so that a forgotten drive is noticed.
"""

from __future__ import annotations

import numpy as np

from ..algorithms.closed.coordinates import inside
from ..errors import ModelError
from ..model import Joint, Model
from ..model.layout import Place
from ..model.names import velocity_names
from .mobility import STILL, Analysis, freedom, null_space

LEAST = 1e-5  # share of a velocity that has to be independent of those before it


class _Chosen:
    """Velocities that are independent, in order of choice."""

    def __init__(self, motions: tuple[np.ndarray, ...]) -> None:
        self.motions = motions
        self.velocities: list[int] = []
        self.bases = [np.zeros((N.shape[1], 0)) for N in motions]

    def own(self, k: int) -> float:
        """Return the least share of velocity k that does not follow from the others."""
        return min(float(np.linalg.norm(x)) for x in self._left(k))

    def _left(self, k: int) -> list[np.ndarray]:
        return [N[k] - Q @ (Q.T @ N[k]) for N, Q in zip(self.motions, self.bases, strict=True)]

    def take(self, k: int) -> bool:
        """Choose velocity k if it is independent."""
        left = self._left(k)
        sizes = [float(np.linalg.norm(x)) for x in left]
        whole = [float(np.linalg.norm(N[k])) for N in self.motions]
        done = len(self.velocities) == self.motions[0].shape[1]
        if done or not all(size > max(LEAST * full, 1e-9) for size, full in zip(sizes, whole, strict=True)):
            return False
        self.velocities.append(k)
        self.bases = [np.column_stack([Q, x / size]) for Q, x, size in zip(self.bases, left, sizes, strict=True)]
        return True

    @property
    def missing(self) -> int:
        return self.motions[0].shape[1] - len(self.velocities)


def choose(analysis: Analysis, model: Model, active: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the velocities of the coordinates, and those of the torques: the active ones and the free coordinates.

    Joints of several axes between the base and everything else come first, as in a tree; then active joints in their order, then
    the other free ones.

    Raises:
        ModelError: the robot cannot move, an active joint cannot, or a joint of one axis is free without a drive.
    """
    names = velocity_names(model)
    _refuse_still(analysis, model, active)
    # all motions are looked at, the worst decides; where the active joints are too many, the first independent ones count
    chosen = _Chosen(analysis.motions)
    for k in active:
        chosen.take(k)
    driven = list(chosen.velocities)
    several = [place for place in model.layout if place.kind.nv > 1]
    within = inside(model)
    outside = [place for place in several if place.iv not in within]
    for place in outside:
        for k in _velocities(place):
            chosen.take(k)
    single = [place for place in model.layout if place.kind.nv == 1]
    for place in single:
        if place.joint.spring is not None:
            chosen.take(place.iv)
    _refuse_under_actuated(chosen, analysis, model, active, [place.iv for place in single])
    left = [k for place in several for k in _velocities(place) if k not in chosen.velocities]
    while chosen.missing and left:
        best = max(left, key=chosen.own)
        left.remove(best)
        chosen.take(best)
    if chosen.missing:
        raise ModelError(
            f"{model.name!r} has {freedom(analysis.mobility.degrees_of_freedom)}, but the joints that "
            f"carry them change from pose to pose ({', '.join(names[k] for k in left) or 'none of several axes'}); "
            "give another posture to start from"
        )
    base = [k for place in outside if _at_base(model, place.joint) for k in _velocities(place)]
    rest = sorted(k for k in chosen.velocities if k not in driven and k not in base)
    return (*base, *driven, *rest), (*base, *active, *rest)


def _refuse_still(analysis: Analysis, model: Model, active: tuple[int, ...]) -> None:
    names = velocity_names(model)
    if analysis.mobility.degrees_of_freedom == 0:
        raise ModelError(
            f"{model.name!r} cannot move: its loops have {analysis.mobility.independent} independent equations for "
            f"{analysis.mobility.velocities} velocities of the tree ({', '.join(names)}); it is over-constrained: remove a "
            f"loop, or use a kind of joint or loop with more freedom{analysis.advice}"
        )
    still = [names[k] for k in active if names[k] in analysis.mobility.immobile]
    if still:
        raise ModelError(
            f"active joint {still[0]!r} cannot move: the loops hold it still; make a joint active that the loops leave free"
        )


def _refuse_under_actuated(chosen: _Chosen, analysis: Analysis, model: Model, active: tuple[int, ...], single: list[int]) -> None:
    """Raise if joints of one axis still move when the chosen ones are held."""
    names = velocity_names(model)
    more: list[int] = []
    for k in single:
        if chosen.missing and chosen.take(k):
            more.append(k)
    if not more:
        return
    stuck = [names[k] for k in active if k not in chosen.velocities and _drives_elsewhere(analysis, active, k)]
    if stuck:
        raise ModelError(
            f"{model.name!r} was assembled at a dead point, where active joint {stuck[0]!r} does not move the joints it moves "
            f"elsewhere ({', '.join(names[k] for k in more)}); start from another posture: ClosedRobot(model, posture={{joint: "
            "coordinates}), `posture:` in YAML, or a keyframe 'home' in MJCF"
        )
    worst = chosen.motions[0]
    held = [k for k in chosen.velocities if k not in more]
    free = worst @ null_space(worst[held])
    moving = [names[k] for k in np.argsort(-np.abs(free).max(axis=1), kind="stable") if np.abs(free[k]).max() > STILL]
    shown = ", ".join(names[k] for k in active) or "no joint"
    called = ", ".join(repr(names[k]) for k in more)
    every = ", ".join(repr(names[k]) for k in (*active, *more))
    raise ModelError(
        f"{model.name!r} is under-actuated: it has {freedom(worst.shape[1])}, and with {shown} held still the joints "
        f"{', '.join(moving[:8])} still move; make {called} active too, with zero torque without a drive: active=[{every}]"
    )


def _drives_elsewhere(analysis: Analysis, active: tuple[int, ...], k: int) -> bool:
    """Return whether an active velocity is independent of those before it around the pose, if not at the pose itself."""
    around = _Chosen(analysis.motions[1:] or analysis.motions)
    return any(around.take(j) and j == k for j in active)


def _velocities(place: Place) -> range:
    return range(place.v.start, place.v.stop)


def _at_base(model: Model, joint: Joint) -> bool:
    """Return whether no moving joint is between the base and this one."""
    carrier = {j.child: j for j in model.joints}
    link = joint.parent
    while link != model.base:
        if carrier[link].kind.nv:
            return False
        link = carrier[link].parent
    return True
