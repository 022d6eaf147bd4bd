"""The matrix U of Khalil one time derivative higher.

The components of U, in axes that turn with the body, change at
    U' = [w'']x + w w'^T + w' w^T - 2 (w . w') 1           with w' = w-dot, and w'' the rate of its components
so that a point fixed in the body at r has the acceleration V-dot + U r with the rate V'' + U' r. The Euler moment is linear in U:
with U' instead of U it becomes its own rate, at the same cost.
"""

from __future__ import annotations

from .scalar import add, mul, sub
from .turning import Turning
from .vector import Matrix, Vector


class TurningRate(Turning):
    """Rate of a body's Turning: `U`, `squares`, `products` and `spin` are the rates of those of `Turning`.

    `euler_moment` then returns the rate of the Euler moment [N m/s].

    Attributes:
        ddw: rate of the components of the angular acceleration, in the body's axes [rad/s^3].
    """

    __slots__ = ("ddw",)

    def __init__(self, turning: Turning, ddw: Vector, w_rate: Vector | None = None) -> None:
        # in axes that turn with the body, the components of w change at w-dot; in those of a rotor's carrier at `w_rate`
        w, dw = turning.w, turning.dw if w_rate is None else w_rate
        self.w, self.dw, self.ddw = w, dw, ddw
        xx, yy, zz = (add(half, half) for half in (mul(w.x, dw.x), mul(w.y, dw.y), mul(w.z, dw.z)))
        xy = add(mul(w.x, dw.y), mul(w.y, dw.x))
        xz = add(mul(w.x, dw.z), mul(w.z, dw.x))
        yz = add(mul(w.y, dw.z), mul(w.z, dw.y))
        self.squares, self.products, self.spin = Vector(xx, yy, zz), (yz, xz), ddw.z
        self.U = Matrix(
            (
                Vector(sub(0.0, add(yy, zz)), sub(xy, ddw.z), add(xz, ddw.y)),
                Vector(add(xy, ddw.z), sub(0.0, add(xx, zz)), sub(yz, ddw.x)),
                Vector(sub(xz, ddw.y), add(yz, ddw.x), sub(0.0, add(xx, yy))),
            )
        )
