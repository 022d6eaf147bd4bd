"""Weighted second derivatives of inverse dynamics, as methods: the Hessian of w . tau."""

from __future__ import annotations

import math

import numpy as np

from ..algorithms.derivatives import second
from ..algorithms.derivatives.second import STATE
from ..arrays import Accelerations, ArrayLike, Out, PartialState, Positions, Velocities
from ..compiler.cuda.arrays import on_card
from ..compiler.cuda.backend import CUDA
from ..compiler.run import as_input
from ..derivatives import Derivatives
from ..memory import check_size
from ..wrench import BaseMotion, Wrenches
from .check import common_lead
from .hessian_on_card import from_products, hessian_on_card
from .tables import Tables

CHUNK = 1 << 22  # numbers in the products that are made at once


class SecondDerivatives(Tables):
    """Second derivatives of weights . inverse_dynamics(q, qd, qdd), in exponential coordinates of the configuration.

    They are those of f(d) = weights . inverse_dynamics(q (+) d_q, qd + d_qd, qdd + d_qdd) at d = 0, with q (+) d_q the
    configuration that `integrate(q, d_q)` leads to. For joints of one axis that is plain addition. For spherical, planar and
    floating joints it makes the matrix symmetric, which the rate of the gradient along a velocity is not: rotations do not
    commute.
    """

    def inverse_dynamics_hessian(
        self,
        q: Positions,
        qd: Velocities,
        qdd: Accelerations,
        weights: ArrayLike,
        *,
        external: Wrenches | None = None,
        base_motion: BaseMotion | None = None,
    ) -> np.ndarray:
        """Return the second derivatives of weights . tau by (q, qd, qdd): (..., 3 nv, 3 nv), symmetric.

        Args:
            q, qd, qdd, external, base_motion: as in `inverse_dynamics`.
            weights: one per joint torque (..., nv).

        Raises:
            StateError: an argument is wrong, or the result would be larger than the machine's memory: then
                `inverse_dynamics_hvp` gives its products with vectors.
        """
        n = self.nv
        state = [as_input(x, name, size, self.name) for x, name, size in zip((q, qd, qdd), STATE, (self.nq, n, n), strict=True)]
        loads, options = self._loads(external, base_motion)
        arguments = [*state, *loads, as_input(weights, "weights", n, self.name)]
        columns = self._function(second.inverse_dynamics_hessian, (4 * n,), **options)
        if isinstance(self.backend, CUDA) and any(map(on_card, arguments)):
            found: np.ndarray = hessian_on_card(
                self.backend, n, columns, self._function(from_products, (3 * n, 3 * n)), arguments
            )
            return found
        names = [*STATE, *(["base_motion"] if base_motion is not None else []), *(["external"] if external else []), "weights"]
        lead = common_lead(**{name: a.shape[:-1] for name, a in zip(names, arguments, strict=True)})
        count = math.prod(lead)
        hessian = _room(count, n, self.name).reshape(count, 3 * n, 3 * n)
        rows = [np.broadcast_to(a, (*lead, a.shape[-1])).reshape(count, a.shape[-1]) for a in arguments]
        units, at_once = np.eye(n), max(1, CHUNK // max(1, 3 * n * n))
        # tau is linear in qdd and quadratic in qd: the products along q and along qd contain everything
        hessian[:, n:, n:] = 0.0
        for start in range(0, count, at_once):
            part = hessian[start : start + at_once]
            own = [row[start : start + at_once, None] for row in rows]
            products = columns([*own, units])
            along_q, along_qd = products[..., : 3 * n], products[..., 3 * n :]
            part[:, :n] = along_q
            part[:, n:, :n] = along_q[:, :, n:].swapaxes(1, 2)
            for block, half in ((part[:, :n, :n], along_q[:, :, :n]), (part[:, n : 2 * n, n : 2 * n], along_qd)):
                block[...] = 0.5 * (half + half.swapaxes(1, 2))  # to the last bit
        return hessian.reshape(*lead, 3 * n, 3 * n)

    def inverse_dynamics_hvp(
        self,
        q: Positions,
        qd: Velocities,
        qdd: Accelerations,
        weights: ArrayLike,
        tangents: PartialState,
        *,
        external: Wrenches | None = None,
        base_motion: BaseMotion | None = None,
        out: Out = None,
    ) -> Derivatives:
        """Return the product of `inverse_dynamics_hessian` with a vector, without the matrix: dq, dqd and dqdd (..., nv).

        Args:
            q, qd, qdd, weights, external, base_motion: as in `inverse_dynamics_hessian`.
            tangents: the vector: (dq, dqd, dqdd), each (..., nv), or by name, {"q": dq}; None, or a name left out, is zero.
            out: float64 array (..., 3, nv) for all three.

        Returns:
            Derivatives. They cost about six times inverse dynamics, however many joints there are.
        """
        loads = {"external": external, "base_motion": base_motion}
        return self._tables("inverse_dynamics_hvp", (q, qd, qdd), out, weights=weights, tangents=tangents, **loads)


def _room(count: int, n: int, robot: str) -> np.ndarray:
    """Return an array for so many Hessians."""
    many = f"{count} matrices" if count != 1 else "a matrix"
    what = f"the second derivatives of {robot!r}, {many} of {3 * n} x {3 * n},"
    check_size(count * (3 * n) ** 2, what, "ask for fewer states at once, or for products with vectors: inverse_dynamics_hvp")
    return np.empty(count * (3 * n) ** 2)
