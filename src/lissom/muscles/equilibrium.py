"""Equilibrium: fibers at rest that balance their elastic tendons, of many muscles in many states at once.

With x the fiber's length along the tendon over the optimal one, l = sqrt(x^2 + h^2) its length and cos = x / l:

    g(x) = (a fl(l) fv(v) + fp(l)) cos - ft((L - x) / s) = 0       L: whole length, s: slack length, both over the optimal one

g is negative where the fiber is as short as it can be, and positive where the tendon is slack. Values and slopes of g are one
program for each kind of curves, of which every muscle in every state is a sample; Newton's steps are made here, and halve the
bracket where they would leave it. Nothing balances a tendon whose muscle is shorter than it: the fiber is then as short as it can
be, and there is no force. Millard's fibers are no shorter than where their active curve begins, as in OpenSim.

In motion OpenSim's Millard fibers rest all the same, but its Thelen fibers take a share of the rate of the whole muscle: that of
springs in series, kt / (kt + kf) with the stiffnesses of tendon and fiber, in which fv(v) stays as it is. Their velocity v is
found in turn with x.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..compiler.program import Port
from ..compiler.run import Function
from ..compiler.task import Task
from ..errors import StateError
from ..robot.robot import Robot
from ..spatial.scalar import Scalar, sqrt
from ..spatial.series import Series, terms_of
from .hill import SHORTEST
from .millard import Millard
from .muscle import Curves, Muscle
from .thelen import Thelen

STEPS = 80
FLATTEST = 0.1 / np.sqrt(0.99)  # of x over h: OpenSim's largest pennation has the cosine 0.1
LEAST = 0.01  # smallest activation, as OpenSim's
TOLERANCE = 1e-13  # of the last step of x
TURNS, SETTLED = 60, 1e-11  # of x and v in turn, and the last change of x


class Equilibrium(NamedTuple):
    """Fibers in balance with elastic tendons, each (..., number of muscles).

    Attributes:
        lengths: of the whole muscles [m].
        fiber_lengths, tendon_lengths: [m].
        cosines: of the angles between fibers and tendons.
        active, passive: forces of the fibers along the tendons [N].
        forces: of the tendons [N].
        velocities: of the fibers [m/s].
        slack: whether a muscle is shorter than its tendon, and has no force.
    """

    lengths: np.ndarray
    fiber_lengths: np.ndarray
    tendon_lengths: np.ndarray
    cosines: np.ndarray
    active: np.ndarray
    passive: np.ndarray
    forces: np.ndarray
    velocities: np.ndarray
    slack: np.ndarray


class Balance:
    """The equilibrium of muscles: called with lengths [m], their rates [m/s] and activations, all (..., muscles)."""

    def __init__(self, robot: Robot, muscles: Sequence[Muscle]) -> None:
        self.muscles = tuple(muscles)
        groups: dict[str, list[int]] = {}
        for k, muscle in enumerate(self.muscles):
            groups.setdefault(repr(muscle.curves), []).append(k)
        self.groups = []
        for members in groups.values():
            task = _balance(self.muscles[members[0]].curves)
            self.groups.append((members, Function(robot.model, task, (), robot.backend, robot._describe)))

    def __call__(self, lengths: np.ndarray, rates: np.ndarray, activations: np.ndarray) -> Equilibrium:
        """Return the equilibrium."""
        if not ((activations >= 0) & (activations <= 1)).all():
            raise StateError(f"activations must be from 0 to 1, got {activations.min():g} to {activations.max():g}")
        fiber, cosine, active, passive, force, velocity = (np.zeros(lengths.shape) for _ in range(6))
        slack = np.zeros(lengths.shape, bool)
        for members, function in self.groups:
            some = [self.muscles[k] for k in members]
            optimal, most, tendon, thick, fast = (
                np.array([getattr(m, name) for m in some])
                for name in ("optimal_fiber_length", "max_isometric_force", "tendon_slack_length", "thickness", "max_velocity")
            )
            moves = isinstance(some[0].curves, Thelen)
            given = [
                np.maximum(activations[..., members], LEAST),
                lengths[..., members] / optimal,
                tendon / optimal,
                thick / optimal,
                rates[..., members] / (optimal * fast) if moves else np.zeros(len(members)),
            ]
            state = np.stack([np.asarray(x) for x in np.broadcast_arrays(*given)], axis=-1)
            found, x, v, loose = _solved(function, state.reshape(-1, 5), some[0].curves)
            shape = (*lengths.shape[:-1], len(members))
            size = np.hypot(x, state.reshape(-1, 5)[:, 3])
            fiber[..., members] = size.reshape(shape) * optimal
            cosine[..., members] = (x / size).reshape(shape)
            velocity[..., members] = v.reshape(shape) * (optimal * fast)
            for to, part in zip((active, passive, force), found, strict=True):
                to[..., members] = np.where(loose, 0.0, part).reshape(shape) * most
            slack[..., members] = loose.reshape(shape)
        return Equilibrium(lengths, fiber, lengths - fiber * cosine, cosine, active, passive, force, velocity, slack)


def _balance(curves: Curves) -> Task:
    """Return the task of a kind of curves: from (a, L, s, h, rate), x and v the three parts of g over F0, and their slopes."""

    def text(state: Sequence[Scalar], at: Sequence[Scalar]) -> list[list[Scalar]]:
        (a, L, s, h, _), (x, v) = state, at
        x = Series([x, 1.0])
        size = sqrt(x * x + h * h)
        cosine = x / size
        factor = a * curves.velocity(v, a)
        own, other, pull = (
            terms_of(part, 2)
            for part in (factor * curves.active(size) * cosine, curves.passive(size) * cosine, curves.tendon((L - x) / s))
        )
        return [[own[0], other[0], pull[0]], [own[1] + other[1], -pull[1]]]

    inputs = (Port("state", 5), Port("at", 2))
    return Task(f"balance[{curves!r}]", inputs, (Port("parts", 3), Port("stiffnesses", 2)), [text])


def _solved(
    function: Function, state: np.ndarray, curves: Curves
) -> tuple[Sequence[np.ndarray], np.ndarray, np.ndarray, np.ndarray]:
    """Return active, passive and tendon forces over F0, x, v, and where the muscle is shorter than its tendon."""
    _, L, s, h, rate = state.T
    least = curves.lengths[0] if isinstance(curves, Millard) else 0.0
    low = np.maximum(np.maximum(SHORTEST, FLATTEST * h), np.sqrt(np.maximum(least * least - h * h, 0.0)))
    high = L - s
    loose = high <= low
    high = np.where(loose, low, high)
    x, v = np.maximum(high - 0.5 * curves.tendon_strain * s, 0.5 * (low + high)), np.zeros(len(L))
    moving = bool(rate.any())
    for _ in range(TURNS if moving else 1):
        before = x.copy()
        _at_rest(function, state, x, v, low.copy(), high.copy(), ~loose)
        if not moving:
            break
        fiber, tendon = function((state, np.column_stack([x, v])))[1].T
        share = np.where(loose, 0.0, tendon / np.maximum(tendon + fiber, 1e-9))
        v = np.clip(rate * x / np.hypot(x, h) * share, -1.0, 1.0)
        if np.abs(x - before).max() < SETTLED:
            break
    return function((state, np.column_stack([x, v])))[0].T, x, v, loose


def _at_rest(
    function: Function, state: np.ndarray, x: np.ndarray, v: np.ndarray, low: np.ndarray, high: np.ndarray, wanted: np.ndarray
) -> None:
    """Move x to where g is zero, with v as it is."""
    todo = np.flatnonzero(wanted)
    for _ in range(STEPS):
        if not len(todo):
            break
        at = x[todo]
        parts, slopes = function((state[todo], np.column_stack([at, v[todo]])))
        value, slope = parts[:, 0] + parts[:, 1] - parts[:, 2], slopes.sum(axis=1)
        above = value > 0
        low[todo], high[todo] = np.where(above, low[todo], at), np.where(above, at, high[todo])
        with np.errstate(divide="ignore", invalid="ignore"):
            step = at - value / slope
        inside = (step >= low[todo]) & (step <= high[todo])
        x[todo] = np.where(inside, step, 0.5 * (low[todo] + high[todo]))
        todo = todo[np.abs(x[todo] - at) > TOLERANCE]
