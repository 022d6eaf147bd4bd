"""CRBA: the joint-space inertia matrix by composite rigid bodies.

M(q) with tau = M qdd + h. The composite of a joint is everything beyond it, frozen; M[i, j] is the force along i for a unit
acceleration of j alone: of the composite of the outer of the two, seen from the inner (Walker and Orin 1982; Featherstone
2008, table 6.2). Entries of joints on different branches are zero and stay so: the cost is O(n d), d the depth of the tree.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...compiler.labels import label, legend, section
from ...spatial.inertia import SpatialInertia
from ...spatial.scalar import Scalar, add, mul
from ...spatial.twist import along
from ...tree import BASE, Tree
from ..step import Step, own_motion, share_of

WALKER = "Walker and Orin 1982"


def composites(tree: Tree, steps: Sequence[Step]) -> list[SpatialInertia]:
    """Return for each body the inertia of itself and all beyond it, frozen, about its origin."""
    legend(J="inertia of all that the joint carries, frozen: blocks A, B, C of force, both, moment")
    J = [body.inertia for body in tree.bodies]
    for j in reversed(range(len(J))):
        i = tree.bodies[j].parent
        section("inward: the inertia of all that the joint carries", j, tree.bodies[j].name, WALKER)
        label("J", j, J[j])
        if i != BASE:
            J[i] = J[i] + steps[j].inertia_to_parent(J[j])
    return J


def mass_matrix(tree: Tree, q: Sequence[Scalar]) -> list[list[Scalar]]:
    """Return M (nv, nv) [kg m^2, kg m or kg], symmetric, with rotor inertias; coupled joints are lumped with their leaders."""
    still = [0.0] * tree.nv
    steps = [Step(body, own_motion(body, q, still, still)) for body in tree.bodies]
    J = [body.inertia for body in tree.bodies]
    M: list[list[Scalar]] = [[0.0] * tree.nv for _ in range(tree.nv)]
    shares = [share_of(body, q) for body in tree.bodies]
    legend(J="inertia of all that the joint carries, frozen: blocks A, B, C of force, both, moment")
    legend(U="wrench for a unit acceleration of the joint")
    # tips to base: a composite gives its row as soon as it is complete, so that few are kept alive
    for j, body in reversed(list(enumerate(tree.bodies))):
        section("inward: the composite of all that the joint carries, and its row of the mass matrix", j, body.name, WALKER)
        label("J", j, J[j])
        for k, S in enumerate(body.directions):
            column = body.iv + k
            # the wrench for a unit acceleration along S, then its component along every joint on the way to the base
            f, m = J[j].times(*S)
            label("U", j, (f, m))
            for k_own, S_own in enumerate(body.directions):
                _put(M, body.iv + k_own, column, mul(mul(shares[j], shares[j]), along(S_own, (f, m))))
            M[column][column] = add(M[column][column], body.rotor * body.ratio**2)
            inner = j
            while tree.bodies[inner].parent != BASE:
                f, m = steps[inner].wrench_to_parent(f, m)
                inner = tree.bodies[inner].parent
                parent = tree.bodies[inner]
                for k_in, S_in in enumerate(parent.directions):
                    value = mul(mul(shares[inner], shares[j]), along(S_in, (f, m)))
                    _put(M, parent.iv + k_in, column, value)
                    _put(M, column, parent.iv + k_in, value)
        if body.parent != BASE:
            J[body.parent] = J[body.parent] + steps[j].inertia_to_parent(J[j])
    return M


def entries(tree: Tree) -> list[tuple[int, int]]:
    """Return (row, column) of the structurally non-zero entries of the lower triangle of M, row by row.

    Two velocities share an entry where one's joint carries the other's: along a branch, never between branches.
    """
    found: set[tuple[int, int]] = set()
    for j, body in enumerate(tree.bodies):
        inner = j
        while inner != BASE:
            other = tree.bodies[inner]
            pairs = [(body.iv + k, other.iv + k_in) for k in range(body.kind.nv) for k_in in range(other.kind.nv)]
            found.update((max(pair), min(pair)) for pair in pairs)
            inner = other.parent
    return sorted(found)


def _put(M: list[list[Scalar]], i: int, j: int, value: Scalar) -> None:
    """Add to an entry; several bodies share one where joints are coupled."""
    M[i][j] = add(M[i][j], value)
