"""Choose the implicit or the adaptive method for a motion, from its fastest modes at the start.

The eigenvalues mu of the linearized equations are rates [1/s]: imaginary parts are frequencies of swings, real ones damping.
    adaptive   steps of at most REACH / |mu|, mu the fastest, whether it moves or not
    implicit   steps of any length, but of IMPLICIT_REACH / |mu| while a mode with the rate mu moves by more than the tolerance
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import SimulationError
from .problem import ADAPTIVE, IMPLICIT, check_tolerances

if TYPE_CHECKING:
    from .problem import Problem

REACH, IMPLICIT_REACH = 3.0, 5.0  # [rad] of an oscillation that one step can span
FEW = 20  # steps that the implicit method takes in any case
MANY = 300  # steps up to which the adaptive method is quick enough, though small tolerances take ten times as many
COST = 4.0  # of an implicit step, in adaptive steps


@dataclass(frozen=True)
class Choice:
    """A method, and why it was chosen."""

    method: str
    why: str


def settled(problem: Problem, rtol: Any, atol: Any) -> Problem:
    """Return a problem of method "auto" with the chosen method; tolerances that are None become its defaults."""
    problem.given.begin(0.0, *problem.shown(problem.q0, problem.qd0))
    choice = choose(problem, 0.0, *problem.integrated(), problem.rtol + problem.atol)
    rtol, atol = check_tolerances(choice.method, rtol, atol)
    return replace(problem, method=choice.method, choice=choice.why, rtol=rtol, atol=atol)


def choose(problem: Problem, t: float, q: np.ndarray, qd: np.ndarray, tolerance: float) -> Choice:
    """Return the method for the rest of a run; oscillations below `tolerance` [rad or m] do not count."""
    if problem.lead:
        return Choice(IMPLICIT, f"the adaptive method is for one state, and these are {problem.n}")
    try:
        rates, amplitudes = parts(problem, t, q, qd)
    except SimulationError:  # of a function that is called; the run will meet it again, and report it
        rates = amplitudes = np.empty(0)
    if not len(rates):
        return Choice(ADAPTIVE, "the motion cannot start from the first state")
    left, speeds = problem.duration - t, np.abs(rates)
    # how long each part moves by more than the tolerance: until it is damped, or to the end
    with np.errstate(divide="ignore", invalid="ignore"):
        dying = np.log(amplitudes / tolerance) / -rates.real
    lasts = np.where(amplitudes <= tolerance, 0.0, np.where(rates.real < 0, np.minimum(dying, left), left))
    followed = speeds * lasts / IMPLICIT_REACH
    explicit, implicit = left * speeds.max() / REACH, FEW + followed.max()
    fastest, most = int(speeds.argmax()), int(followed.argmax())
    cost = f"the fastest motion, {_rate(rates[fastest])}, takes the adaptive method"
    if explicit <= MANY:
        return Choice(ADAPTIVE, f"{cost} about {explicit:.2g} steps, which is quick")
    limit = f"the tolerance, {tolerance:.2g} rad or m"
    if COST * implicit >= explicit:
        what = f"a motion of {_rate(rates[most])} and {amplitudes[most]:.2g} rad or m, larger than {limit},"
        return Choice(ADAPTIVE, f"{what} lasts for {lasts[most]:.2g} s: every method has to follow it")
    why = f"is damped below {limit}, within {lasts[fastest]:.2g} s" if lasts[fastest] else f"is smaller than {limit}"
    return Choice(IMPLICIT, f"{cost} at least {explicit:.2g} steps, and {why}")


def parts(problem: Problem, t: float, q: np.ndarray, qd: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the rates [1/s] of the linearized motion, complex, and the amplitude of each mode in the coordinates [rad or m].

    A part with the rate mu that the state's own rate of change f excites by c has the amplitude c / mu. None are returned where
    f is not finite.
    """
    from scipy.linalg import eig

    here, slopes = problem.stages(1), problem.slopes()
    nq, nv = q.shape[-1], qd.shape[-1]
    slopes.differences = problem.given.asked
    f = here([t], np.concatenate([q, qd])[None, None])
    if f is None or not slopes.update(t, q[None], qd[None], f[0, :, nq:]):
        return np.empty(0), np.empty(0)
    J = np.block([[np.zeros((nv, nv)), np.eye(nv)], [slopes.by_q[0], slopes.by_qd[0]]])
    rates, left, right = eig(J, left=True, right=True)
    moving = np.concatenate([qd, f[0, 0, nq:]])
    with np.errstate(divide="ignore", invalid="ignore"):
        excited = np.abs(left.conj().T @ moving / np.einsum("ik,ik->k", left.conj(), right) / rates)
    amplitudes = excited * np.abs(right[:nv]).max(axis=0) * np.where(rates.imag != 0, 2.0, 1.0)
    return rates, np.where(np.isfinite(amplitudes), amplitudes, np.inf)


def _rate(rate: complex) -> str:
    return f"{abs(rate.imag):.3g} rad/s" if abs(rate.imag) > abs(rate.real) else f"{abs(rate.real):.3g} / s"
