"""Spatial inertias: rigid bodies, composites of them, and articulated bodies.

A matrix J maps an acceleration (linear, angular) of a frame to its wrench (force, moment), Khalil 2010 (11):
    J = | A   B |      A, C symmetric; of a rigid body A = mass * 1, B = -[MS]x, C = J.
        | B'  C |
"""

from __future__ import annotations

from .rotation import NoTurn, Turn, TurnZ
from .scalar import Scalar, add, mul, sub
from .vector import Matrix, Vector


class Symmetric:
    """A symmetric matrix of three: its upper triangle."""

    __slots__ = ("xx", "xy", "xz", "yy", "yz", "zz")

    def __init__(self, xx: Scalar, yy: Scalar, zz: Scalar, xy: Scalar, xz: Scalar, yz: Scalar) -> None:
        self.xx, self.yy, self.zz, self.xy, self.xz, self.yz = xx, yy, zz, xy, xz, yz

    def __add__(self, b: Symmetric) -> Symmetric:
        return Symmetric(
            add(self.xx, b.xx), add(self.yy, b.yy), add(self.zz, b.zz), add(self.xy, b.xy), add(self.xz, b.xz), add(self.yz, b.yz)
        )

    @property
    def matrix(self) -> Matrix:
        """All nine entries."""
        return Matrix((Vector(self.xx, self.xy, self.xz), Vector(self.xy, self.yy, self.yz), Vector(self.xz, self.yz, self.zz)))

    def to_parent(self, turn: Turn) -> Symmetric:
        """Return R A R', the same matrix in the parent's axes."""
        if isinstance(turn, NoTurn):
            return self
        if isinstance(turn, TurnZ):
            # the block x, y turns with twice the angle: a - s w, e + s w and c w - b with w = s (a - e) + 2 c b
            s, c = turn.s, turn.c
            w = add(mul(s, sub(self.xx, self.yy)), mul(add(c, c), self.xy))
            sw = mul(s, w)
            return Symmetric(
                sub(self.xx, sw),
                add(self.yy, sw),
                self.zz,
                sub(mul(c, w), self.xy),
                sub(mul(c, self.xz), mul(s, self.yz)),
                add(mul(s, self.xz), mul(c, self.yz)),
            )
        x, y, z = (turn.to_parent(row) for row in turned_columns(self.matrix, turn).rows)
        return Symmetric(x.x, y.y, z.z, x.y, x.z, y.z)


def turned_columns(M: Matrix, turn: Turn) -> Matrix:
    """Return R M."""
    return Matrix(turn.to_parent(column) for column in M.T.rows).T


def matrix_to_parent(M: Matrix, turn: Turn) -> Matrix:
    """Return R M R'."""
    if isinstance(turn, NoTurn):
        return M
    if isinstance(turn, TurnZ):
        # the rotation does not change the antisymmetric part of the block x, y
        (a, b, _), (d, e, _), _ = M.rows
        half, rest = mul(0.5, add(b, d)), mul(0.5, sub(b, d))
        even = Symmetric(a, e, 0.0, half, 0.0, 0.0).to_parent(turn)
        right = turn.to_parent(Vector(M.rows[0].z, M.rows[1].z, 0.0))
        below = turn.to_parent(Vector(M.rows[2].x, M.rows[2].y, 0.0))
        return Matrix(
            (
                Vector(even.xx, add(even.xy, rest), right.x),
                Vector(sub(even.xy, rest), even.yy, right.y),
                Vector(below.x, below.y, M.rows[2].z),
            )
        )
    return Matrix(turn.to_parent(row) for row in turned_columns(M, turn).rows)


class SpatialInertia:
    """The matrix J above, by its blocks."""

    __slots__ = ("A", "B", "C")

    def __init__(self, A: Symmetric, B: Matrix, C: Symmetric) -> None:
        self.A, self.B, self.C = A, B, C

    @classmethod
    def rigid(cls, mass: Scalar, ms: Vector, J: Symmetric) -> SpatialInertia:
        """Return the inertia of a rigid body about the origin of its frame (11)."""
        B = Matrix((Vector(0.0, ms.z, sub(0.0, ms.y)), Vector(sub(0.0, ms.z), 0.0, ms.x), Vector(ms.y, sub(0.0, ms.x), 0.0)))
        return cls(Symmetric(mass, mass, mass, 0.0, 0.0, 0.0), B, J)

    def __add__(self, other: SpatialInertia) -> SpatialInertia:
        B = Matrix(a + b for a, b in zip(self.B.rows, other.B.rows, strict=True))
        return SpatialInertia(self.A + other.A, B, self.C + other.C)

    def times(self, linear: Vector, angular: Vector) -> tuple[Vector, Vector]:
        """Return force and moment for an acceleration."""
        return self.A.matrix @ linear + self.B @ angular, self.B.T @ linear + self.C.matrix @ angular

    def to_parent(self, turn: Turn) -> SpatialInertia:
        """Return it in the parent's axes."""
        return SpatialInertia(self.A.to_parent(turn), matrix_to_parent(self.B, turn), self.C.to_parent(turn))

    def shifted(self, P: Vector) -> SpatialInertia:
        """Return it about a point relative to which its origin is at P: B - A [P]x and C + [P]x B' - B' [P]x."""
        B = Matrix(b - a.cross(P) for a, b in zip(self.A.matrix.rows, self.B.rows, strict=True))
        new_x, new_y, new_z = (P.cross(column) for column in B.T.rows)
        old_x, old_y, old_z = (column.cross(P) for column in self.B.T.rows)
        C = self.C
        return SpatialInertia(
            self.A,
            B,
            Symmetric(
                add(C.xx, sub(new_x.x, old_x.x)),
                add(C.yy, sub(new_y.y, old_y.y)),
                add(C.zz, sub(new_z.z, old_z.z)),
                add(C.xy, sub(new_y.x, old_x.y)),
                add(C.xz, sub(new_z.x, old_x.z)),
                add(C.yz, sub(new_z.y, old_y.z)),
            ),
        )

    def column(self, d: int) -> list[Scalar]:
        """Return column d, counted linear x y z, then angular x y z."""
        if d < 3:
            return [*self.A.matrix.rows[d], *self.B.rows[d]]
        return [*self.B.T.rows[d - 3], *self.C.matrix.rows[d - 3]]

    def without(self, d: int | None, U: tuple[Vector, Vector], weight: Scalar, whole: bool) -> SpatialInertia:
        """Return J - weight U U', U being J S: the inertia left if the direction S is free.

        `d` is the index of S if it is along one axis. `whole` states that weight is 1 / U[d], so that row and column d vanish;
        with a rotor's own inertia they do not.
        """
        six = (*U[0], *U[1])
        V = [mul(weight, u) for u in six]

        def entry(i: int, j: int, old: Scalar) -> Scalar:
            return 0.0 if whole and d in (i, j) else sub(old, mul(V[i], six[j]))

        def block(S: Symmetric, o: int) -> Symmetric:
            x, y, z = o, o + 1, o + 2
            diagonal = entry(x, x, S.xx), entry(y, y, S.yy), entry(z, z, S.zz)
            return Symmetric(*diagonal, entry(x, y, S.xy), entry(x, z, S.xz), entry(y, z, S.yz))

        B = Matrix(Vector(*(entry(i, 3 + j, x) for j, x in enumerate(row))) for i, row in enumerate(self.B.rows))
        return SpatialInertia(block(self.A, 0), B, block(self.C, 3))
