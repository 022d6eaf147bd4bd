"""Effects of rotation: the matrix U of Khalil, and the Euler moment.

A point fixed in a body at r accelerates, relative to the body's origin, by U r with
    U = [w-dot]x + [w]x [w]x                                                       (Khalil 2010, below eq. 23)
"""

from __future__ import annotations

from .scalar import add, mul, sub
from .vector import Matrix, Vector


class Turning:
    """Angular velocity and acceleration of a body, and the products used by both U and the Euler moment.

    Attributes:
        w, dw: angular velocity [rad/s] and acceleration [rad/s^2], in the body's axes.
        U: the matrix above [1/s^2].
        squares, products, spin: w_x^2, w_y^2, w_z^2; w_y w_z and w_x w_z; the angular acceleration about z.
    """

    __slots__ = ("U", "dw", "products", "spin", "squares", "w")

    def __init__(self, w: Vector, dw: Vector) -> None:
        self.w, self.dw = w, dw
        xx, yy, zz = mul(w.x, w.x), mul(w.y, w.y), mul(w.z, w.z)
        xy, xz, yz = mul(w.x, w.y), mul(w.x, w.z), mul(w.y, w.z)
        self.squares, self.products, self.spin = Vector(xx, yy, zz), (yz, xz), dw.z
        self.U = Matrix(
            (
                Vector(sub(0.0, add(yy, zz)), sub(xy, dw.z), add(xz, dw.y)),
                Vector(add(xy, dw.z), sub(0.0, add(xx, zz)), sub(yz, dw.x)),
                Vector(sub(xz, dw.y), add(yz, dw.x), sub(0.0, add(xx, yy))),
            )
        )

    def euler_moment(self, K: Matrix) -> Vector:
        """Return J w-dot + w x (J w) [N m], Khalil (23), from the second moments K = trace(J)/2 - J.

        K is the integral of r r' dm, so the moment is that of r x (U r) dm: six products of U fewer than with J itself.
        """
        (a, b, c), (xx, yy, zz) = self.U.rows, self.squares
        x, y, z = K.rows
        if _is_needle(K):
            # a rotor has inertia about its own axis alone, and U would add what cancels
            yz, xz = self.products
            return Vector(yz, sub(0.0, xz), self.spin) * (2.0 * x.x)
        return Vector(
            add(
                sub(add(sub(mul(c.y, y.y), mul(b.z, z.z)), mul(c.x, x.y)), mul(b.x, x.z)),
                mul(sub(zz, yy), y.z) if _counts(y.z) else 0.0,
            ),
            add(
                sub(add(sub(mul(a.z, z.z), mul(c.x, x.x)), mul(a.y, y.z)), mul(c.y, x.y)),
                mul(sub(xx, zz), x.z) if _counts(x.z) else 0.0,
            ),
            add(
                sub(add(sub(mul(b.x, x.x), mul(a.y, y.y)), mul(b.z, x.z)), mul(a.z, y.z)),
                mul(sub(yy, xx), x.y) if _counts(x.y) else 0.0,
            ),
        )


def _is_needle(K: Matrix) -> bool:
    """Return whether K is that of inertia about z alone: half of it along x and y, and minus half along z."""
    x, y, z = K.rows
    diagonal = not any(map(_counts, (x.y, x.z, y.z)))
    return diagonal and type(x.x) is float and x.x == y.y == -z.z and x.x != 0.0


def _counts(x: object) -> bool:
    """Return whether the factor of a constant needs to be computed."""
    return not (type(x) is float and x == 0.0)
