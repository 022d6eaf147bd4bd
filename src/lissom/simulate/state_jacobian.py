"""Slopes: derivatives of the rates of a state by the state, for Newton's method; exact, from those of inverse dynamics.

With tau = ID(q, qd, qdd), its derivatives T_q, T_v and M, the torques of joints f and the accelerations of joints a given:
    d qdd_f = M_ff^-1 (d tau_f - M_fa d qdd_a - T_q,f dq - T_v,f dqd)
The derivative of a controller's function is unknown: finite differences replace it, and only where Newton's method is slow
without, as for a stiff feedback. Derivatives by q are by velocities.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..algorithms.derivatives.tasks import inverse_dynamics_derivatives
from ..joints.flow import coordinate_rates
from ..manifold import integrate_configuration
from ..model.joint import JointKind
from ..one_thread import one_thread
from .newton import Kinematics, inverses
from .quaternions import unit_length
from .repeat import Repeat, address

if TYPE_CHECKING:
    from ..model import Model
    from .problem import Problem
    from .radau import Radau

NUDGE = 1e-7  # step of finite differences, for numbers of magnitude one
TINY = 1e-30  # of a complex step
EPS = float(np.finfo(float).eps)


class Slopes:
    """Derivatives of the rates of the n states of a problem.

    Attributes:
        by_q, by_qd: of the accelerations, (n, nv, nv).
        weights: (n, nv, nv) of velocities in the error: see `swing_weights`.
        noise: (n, nv) uncertainty of velocities by rounding: stiffness costs digits.
        differences: whether the input is differentiated too.
        plain: whether all joints have one axis, so that the rates of coordinates are the velocities.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem, self.differences = problem, False
        robot, n = problem.robot, problem.n
        nv = robot.nv
        self.plain = all(joint.kind.nv == 1 for joint in robot.model.independent_joints)
        loads = {key: value for key, value in problem.options.items() if key == "external"}
        self.derivatives = Repeat(robot._function(inverse_dynamics_derivatives, (3, nv, nv), **loads), (n,), n)
        self.state = [np.empty((n, size)) for size in (robot.nq, nv, nv)]
        self.table = np.empty((n, 3, nv, nv))
        self.addresses = [address(x) for x in (*self.state, *problem.extra, self.table)]
        known = problem.options.get("torque_known")
        self.torque_known = np.ones(nv, dtype=bool) if known is None else np.array(known)
        self.by_q, self.by_qd, self.weights = np.zeros((3, n, nv, nv))
        self.noise = np.zeros((n, nv))
        self._kinematics: Kinematics | None = None

    def update(self, t: float, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> bool:
        """Compute everything at states q (n, nq), qd and their accelerations (n, nv); return whether it is finite."""
        for place, x in zip(self.state, (q, qd, qdd), strict=True):
            place[:] = x
        if not self.derivatives(self.addresses):
            return False
        f, nv = self.torque_known, self.problem.robot.nv
        M = self.table[:, 2]
        change = -np.concatenate([self.table[:, 0], self.table[:, 1]], axis=-1)
        found = np.zeros_like(change)
        if self.differences:
            found = self._differences(t, q, qd)
            change += np.where(f[:, None], found, 0.0) - M[:, :, ~f] @ found[:, ~f]
        try:
            L = np.linalg.inv(np.linalg.cholesky(M[:, f][:, :, f]))
        except np.linalg.LinAlgError:
            return False
        L_t = L.swapaxes(-1, -2)
        found[:, f] = L_t @ (L @ change[:, f])
        self.by_q, self.by_qd = found[..., :nv], found[..., nv:]
        self.weights = self._weights(L, change[:, f, :nv][:, :, f])
        sizes = np.abs(q).max(axis=-1, keepdims=True), np.abs(qd).max(axis=-1, keepdims=True)
        rounded = EPS * (np.abs(self.by_q).sum(axis=-1) * sizes[0] + np.abs(self.by_qd).sum(axis=-1) * sizes[1])
        self.noise = (np.abs(self.weights) @ rounded[..., None])[..., 0]
        self._kinematics = None if self.plain else kinematics(self.problem.robot.model, q, qd)
        return bool(np.isfinite(found).all())

    def _weights(self, L: np.ndarray, change: np.ndarray) -> np.ndarray:
        """Return the weights of `swing_weights`, ones where accelerations are given."""
        counted, f = swing_weights(L, change), self.torque_known
        if f.all():
            return counted
        weights = np.broadcast_to(np.eye(len(f)), (len(counted), len(f), len(f))).copy()
        weights[:, np.flatnonzero(f)[:, None], np.flatnonzero(f)] = counted
        return weights

    def _differences(self, t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        """Return the derivatives (n, nv, 2 nv) of the input by q and qd, one-sided: each costs a call of the function."""
        problem = self.problem
        model, lead, nv, given = problem.robot.model, problem.lead, problem.robot.nv, problem.given
        q = unit_length(q.copy(), problem.quaternions()).reshape(*lead, -1)
        qd = qd.reshape(*lead, nv)
        here = given.value(t, q, qd)
        table = np.empty((*lead, nv, 2 * nv))
        for k, axis in enumerate(np.eye(nv)):
            table[..., k] = (given.value(t, integrate_configuration(model, q, NUDGE * axis), qd) - here) / NUDGE
            step = NUDGE * np.maximum(1.0, np.abs(qd[..., k, None]))
            table[..., nv + k] = (given.value(t, q, qd + step * axis) - here) / step
        return table.reshape(-1, nv, 2 * nv)

    def inverses(self, method: Radau, h: float) -> np.ndarray:
        """Return (lambda / h - J)^-1 of all systems and states, (m, n, nq + nv, nq + nv)."""
        return inverses(method, h, self.by_q, self.by_qd, self._kinematics)


def kinematics(model: Model, q: np.ndarray, qd: np.ndarray) -> Kinematics:
    """Return d rate / d q (n, nq, nq), d rate / d qd (n, nq, nv), and the inverse of the latter (n, nv, nq).

    The rates of coordinates, those of joints of several axes one by one: a few powers of numbers, by complex steps.
    """
    n, nq, nv = len(q), q.shape[-1], qd.shape[-1]
    N, Q, P = np.zeros((n, nq, nq)), np.zeros((n, nq, nv)), np.zeros((n, nv, nq))
    for place in model.layout:
        kind, own_q, own_v = place.kind, place.q, place.v
        if kind.nv == 1:
            Q[:, own_q, own_v] = P[:, own_v, own_q] = 1.0
            continue
        # directions along the first axis, states along the second
        bent = q[:, own_q] + 1j * TINY * np.eye(kind.nq)[:, None]
        N[:, own_q, own_q] = np.moveaxis(_rates(kind, bent, qd[:, own_v]).imag / TINY, 0, -1)
        Q[:, own_q, own_v] = own = np.moveaxis(_rates(kind, q[:, own_q], np.eye(kind.nv)[:, None]), 0, -1)
        turned = own.swapaxes(-1, -2)
        P[:, own_v, own_q] = np.linalg.solve(turned @ own, turned)
    return N, Q, P


def _rates(kind: JointKind, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
    found = coordinate_rates(kind, list(np.moveaxis(q, -1, 0)), list(np.moveaxis(qd, -1, 0)))
    return np.stack(np.broadcast_arrays(*found), axis=-1)


def swing_weights(L: np.ndarray, change: np.ndarray) -> np.ndarray:
    """Return 1 / sqrt(1 + w^2) for each mode of vibration, w its natural frequency [rad/s], as matrices for velocities.

    A mode of amplitude a has the velocity w a: so weighted, it counts with its amplitude, like coordinates do, and a tolerance
    means the same for both.

    Args:
        L: inverses of the Cholesky factors of M (n, nv, nv).
        change: derivative of torques by coordinates; its symmetric part with the sign reversed is the stiffness.
    """
    L_t = L.swapaxes(-1, -2)
    stiffness = -(L @ change @ L_t)
    with one_thread(stiffness.shape[-1]):
        squares, ways = np.linalg.eigh((stiffness + stiffness.swapaxes(-1, -2)) / 2)
    shapes = L_t @ ways
    return (shapes / np.sqrt(1 + np.maximum(squares, 0.0))[:, None, :]) @ np.linalg.inv(shapes)  # type: ignore[no-any-return]
