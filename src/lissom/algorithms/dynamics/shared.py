"""Shared velocities: the parts of a joint that move with one velocity, such as a screw, as one direction of a recursion.

Such a joint is a chain of bodies in the tree (`tree/parts.py`). With s_k the motion of part k by a unit velocity, which is
constant or a function of q, and i the part before it:
    S_k      motion of body k by a unit velocity of the joint: kT_i S_i + s_k
    Gamma_k  its acceleration due to velocities, relative to the first part: kT_i Gamma_i + gamma_k; it has the rates of S
    u_k      J_k S_k, its wrench for a unit acceleration of the joint; J of an inner part is its own inertia alone
    U        sum of all u_k, carried to the first part
The work of all their wrenches along S_k is that of the drive, so that with a the acceleration of the first part less its s qdd
    tau = H qdd + U' a + sum of (u_k' Gamma_k - S_k' beta_k),   H = sum of S_k' u_k + rotor inertia
which is (41) of a joint with one direction: J and beta at the first part are reduced by the term of U, of rank one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ...spatial.inertia import SpatialInertia
from ...spatial.scalar import Scalar, add, mul, sub
from ...spatial.twist import STILL, Twist, along, plus
from ...tree import Tree
from ..step import Step, drive_force, share_of


@dataclass
class Shared:
    """The parts of one joint, and the results for them so far.

    Attributes:
        tree: without coupled joints and rotors of rigid drives.
        iv: index of their velocity.
        bodies: all that move with it: the parts from the base outward, and the rotor of a drive that no part bears.
        own, S, Gamma, U: s, S, Gamma and U above, by body; U of that part and those beyond it alone.
        beta: by body, the wrench of its own velocity terms, with opposite sign.
        inertia, force: the sum in H, and tau without qdd and a, of the parts that `inward` has added.
    """

    tree: Tree
    iv: int
    bodies: tuple[int, ...]
    own: dict[int, Twist] = field(default_factory=dict)
    S: dict[int, Twist] = field(default_factory=dict)
    Gamma: dict[int, Twist] = field(default_factory=dict)
    beta: dict[int, Twist] = field(default_factory=dict)
    U: dict[int, Twist] = field(default_factory=dict)
    inertia: Scalar = 0.0
    force: Scalar = 0.0

    def __post_init__(self) -> None:
        self.parts = tuple(j for j in self.bodies if not self.tree.bodies[j].reflected)

    @property
    def first(self) -> int:
        """The part next to the base."""
        return self.parts[0]

    @property
    def last(self) -> int:
        """The part that carries the links."""
        return self.parts[-1]

    def outward(self, j: int, q: Sequence[Scalar], step: Step, gamma: Twist, beta: Twist) -> None:
        """Add part j on the way to the tips: its direction and its velocity terms."""
        body = self.tree.bodies[j]
        share = share_of(body, q)
        self.own[j] = _times(body.directions[0], share)
        self.beta[j] = beta
        if j == self.first:
            self.S[j], self.Gamma[j] = self.own[j], STILL
            return
        self.S[j] = plus(step.acceleration_to_child(*self.S[body.parent]), self.own[j])
        self.Gamma[j] = plus(step.acceleration_to_child(*self.Gamma[body.parent]), gamma)

    def inward(self, j: int, J: SpatialInertia, beta: Twist, steps: Sequence[Step]) -> None:
        """Add part j on the way to the base; J and beta include everything beyond it."""
        if j != self.last:
            J, beta = self.tree.bodies[j].inertia, self.beta[j]
        u = J.times(*self.S[j])
        self.inertia = add(self.inertia, along(self.S[j], u))
        self.force = add(self.force, sub(along(self.S[j], beta), along(self.Gamma[j], u)))
        if j != self.last:
            after = self.parts[self.parts.index(j) + 1]
            u = plus(u, steps[after].wrench_to_parent(*self.U[after]))
        self.U[j] = u

    @property
    def rotor(self) -> float:
        """Reflected inertia of the drive."""
        return sum(self.tree.bodies[j].rotor * self.tree.bodies[j].ratio ** 2 for j in self.bodies)

    def drive(self, qd: Sequence[Scalar], qdd: Scalar) -> Scalar:
        """Return the torque that the drive itself needs: inertia and friction."""
        total: Scalar = 0.0
        for j in self.bodies:
            body = self.tree.bodies[j]
            if body.drives:
                total = add(total, mul(body.ratio, drive_force(body, qd[self.iv], qdd)))
        return total

    def moved(self, j: int, a: Twist, qdd: Scalar) -> Twist:
        """Return the acceleration of part j, a without its own motion; the first part has moved already."""
        return a if j == self.first else plus(a, _times(self.own[j], qdd))

    def passed_on(self, j: int, J: SpatialInertia, a: Twist, qdd: Scalar) -> Twist:
        """Return the wrench that inner part j and all beyond it need for accelerations; J is theirs if they move as one body."""
        rigid = plus(a, _times(self.S[j], sub(0.0, qdd)))
        return plus(J.times(*rigid), _times(self.U[j], qdd))


def shared_bodies(tree: Tree) -> tuple[dict[int, Shared], set[int]]:
    """Return the joints of several parts with one velocity, by each of their parts, and the rotors that no part bears."""
    found: dict[int, list[int]] = {}
    for j, body in enumerate(tree.bodies):
        if len(body.directions) == 1:
            found.setdefault(body.iv, []).append(j)
    joints = [Shared(tree, iv, tuple(bodies)) for iv, bodies in found.items() if len(bodies) > 1]
    parts = {j: joint for joint in joints for j in joint.parts}
    return parts, {j for joint in joints for j in joint.bodies if j not in parts}


def _times(motion: Twist, x: Scalar) -> Twist:
    return motion[0] * x, motion[1] * x
