"""State feedback for robots whose joints are all elastic: feedback linearization."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from scipy.linalg import solve_continuous_lyapunov

from ..algorithms.elastic.feedback import elastic_feedback
from ..arrays import Gains, Positions, Velocities
from ..errors import StateError
from ..robot import Robot
from ..wrench import Wrenches
from .compiled import Compiled
from .gains import as_gains, gains_text
from .reference import ReferenceLike, as_reference, packed


class ElasticFeedback(Compiled):
    """Feedback linearization: every joint of an elastic robot behaves like a chain of four integrators.

    With an exact model the error of every joint obeys e'''' + k3 e''' + k2 e'' + k1 e' + k0 e = 0. Stable if all roots of
    s^4 + k3 s^3 + k2 s^2 + k1 s + k0 have negative real parts, which is checked; `bandwidth` puts all four at -bandwidth.
    It needs only positions and velocities of joints and motors: accelerations and jerks follow from the springs.

    Args:
        robot: all joints behind springs without damping, no rotor that spins on a link behind another spring.
        reference: with four derivatives.
        bandwidth: [1/s], one number or one per joint; or
        gains: (4,) or (4, n): k0, k1, k2, k3.
        external: known wrenches on links.
    """

    order = 4

    def __repr__(self) -> str:
        gains = ", ".join(f"k{k} {gains_text(row)}" for k, row in enumerate(self.gains))
        return f"<{type(self).__name__} of {self.robot.name!r}: {gains}>"

    def __init__(
        self,
        robot: Robot,
        reference: ReferenceLike,
        bandwidth: Gains | None = None,
        *,
        gains: Iterable[Gains] | None = None,
        external: Wrenches | None = None,
    ) -> None:
        n = robot.link_nv
        names = robot.velocity_names[:n]
        if (bandwidth is None) == (gains is None):
            raise StateError("give either bandwidth or gains")
        if bandwidth is not None:
            w = as_gains(bandwidth, "bandwidth", names)
            self.gains = np.array([w**4, 4 * w**3, 6 * w**2, 4 * w])
        else:
            rows = list(gains) if isinstance(gains, Iterable) and getattr(gains, "ndim", True) else None
            if rows is None or len(rows) != 4:
                got = "one number" if rows is None else len(rows)
                raise StateError(f"expected four gains k0, k1, k2, k3, each one number or {n}; got {got}")
            self.gains = np.array([as_gains(row, f"k{k}", names) for k, row in enumerate(rows)])
        for k, name in enumerate(names):
            roots = np.roots([1.0, *self.gains[::-1, k]])
            if not (roots.real < 0).all():
                raise StateError(
                    f"the gains of {name!r} are not stable: s^4 + k3 s^3 + k2 s^2 + k1 s + k0 has a root with real part "
                    f"{roots.real.max():.3g}; give a bandwidth instead, for four equal stable roots"
                )
        self.reference = as_reference(reference, n, self.order)
        self._compile(robot, elastic_feedback, robot.nv + 2 * n, external)

    def torque(self, t: float, q: Positions, qd: Velocities) -> np.ndarray:
        """Return tau (..., nv): zero at the joints, which are driven by springs only."""
        return self._all(t, q, qd)[..., : self.robot.nv]

    def lyapunov(self, t: float, q: Positions, qd: Velocities) -> np.ndarray:
        """Return V (...,) = sum x' P x over the joints, x = (e, e', e'', e''') in rad or m and s, with A' P + P A = -1."""
        x = self._errors(t, q, qd)
        return np.einsum("...ni,nij,...nj->...", x, self._P, x)

    def lyapunov_rate(self, t: float, q: Positions, qd: Velocities) -> np.ndarray:
        """Return V' (...,) = -x' x."""
        return -np.sum(self._errors(t, q, qd) ** 2, axis=(-1, -2))

    @property
    def decay(self) -> float:
        """Rate c [1/s] with V' <= -c V."""
        return float(1.0 / np.linalg.eigvalsh(self._P).max())

    @property
    def _P(self) -> np.ndarray:
        found = []
        for k in range(self.robot.link_nv):
            A = np.diag(np.ones(3), 1)
            A[3] = -self.gains[:, k]
            found.append(solve_continuous_lyapunov(A.T, -np.eye(4)))
        return np.array(found)

    def _errors(self, t: float, q: Positions, qd: Velocities) -> np.ndarray:
        """Return e, e', e'', e''' (..., n, 4); accelerations of links follow from the springs."""
        n, nv = self.robot.link_nv, self.robot.nv
        found = self._all(t, q, qd)
        states = np.asarray(q)[..., :n], np.asarray(qd)[..., :n], found[..., nv : nv + n], found[..., nv + n :]
        pairs = zip(self.reference.derivatives(t, 3), states, strict=True)
        return np.stack(np.broadcast_arrays(*(a - b for a, b in pairs)), axis=-1)

    def _all(self, t: float, q: Positions, qd: Velocities) -> np.ndarray:
        return self._function(q, qd, *self._numbers(t), *self._loads)

    def _numbers(self, t: float) -> list[np.ndarray]:
        return [packed(self.reference, t, self.order), self.gains.reshape(-1)]
