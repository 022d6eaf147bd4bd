"""Torques and wrenches from outside, as methods: generalized momentum, its observer, and the wrench on a link."""

from __future__ import annotations

import numpy as np

from ..arrays import ArrayLike, Out, PointOnLink, Positions, Torques, Velocities
from ..wrench import Wrenches
from .bound import bound
from .functions import Functions


class ExternalTorques(Functions):
    """What acts on a robot from outside, found from measured torques."""

    @bound
    def generalized_momentum(self, q: Positions, qd: Velocities, *, out: Out = None) -> np.ndarray:
        """Return the generalized momentum p = M(q) qd (..., nv) [kg m^2/s or kg m/s], without the mass matrix."""
        return self._call("generalized_momentum", (q, qd), out)

    @bound
    def momentum_bias(self, q: Positions, qd: Velocities, *, external: Wrenches | None = None, out: Out = None) -> np.ndarray:
        """Return b(q, qd) with dp/dt = tau - b for the generalized momentum p (..., nv) [N m or N].

        It is gravity, friction and springs less C(q, qd)' qd, so that no accelerations are needed.

        Args:
            q, qd: coordinates (..., nq) and velocities (..., nv).
            external: wrenches that are known, by name of the link.
            out: float64 array (..., nv) for the result.
        """
        return self._call("momentum_bias", (q, qd), out, external=external)

    def momentum_observer(
        self,
        q: Positions,
        qd: Velocities,
        tau: Torques,
        integral: ArrayLike,
        gain: ArrayLike,
        *,
        external: Wrenches | None = None,
        out: Out = None,
    ) -> np.ndarray:
        """Return the residual of the momentum observer, and the rate of its integral (..., 2, nv).

        The residual r = gain (p - integral) follows the torques from outside with the time constant 1/gain. The caller adds the
        rate times the step to the integral, which begins with `generalized_momentum` of the first state:
        `lissom.identify.MomentumObserver` does.

        Args:
            q, qd: measured coordinates (..., nq) and velocities (..., nv).
            tau: measured torques of the drives (..., nv).
            integral: of the observer (..., nv).
            gain: one, or one per joint torque [1/s].
            external: wrenches that are known and not to be observed, by name of the link.
            out: float64 array (..., 2, nv) for the result.
        """
        return self._call("momentum_observer", (q, qd, tau), out, integral=integral, gain=gain, external=external)

    def felt_wrench(
        self,
        q: Positions,
        tau: Torques,
        link: str,
        *,
        axes: str = "world",
        point: PointOnLink | None = None,
        out: Out = None,
    ) -> np.ndarray:
        """Return the wrench on a link that explains torques from outside: tau = J' w (..., 6), force [N] and moment [N m].

        With six joints or more before the link, it is the one with the least squared error of torques. With fewer it is the
        smallest, moments counted over the length of the way to the link: what no joint can feel is left at zero.

        Args:
            q: coordinates (..., nq).
            tau: torques from outside (..., nv), such as the residual of `momentum_observer`.
            link: name of the link.
            axes: of the components, "world" or "link".
            point: where the wrench acts: three numbers in the link's frame [m]; None for its origin, "origin" for the world's.
            out: float64 array (..., 6) for the result.

        Raises:
            StateError: the Jacobian of the link loses rank there.
        """
        return self._call("felt_wrench", (q, tau), out, link=link, axes=axes, point=point)
