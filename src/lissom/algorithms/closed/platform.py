"""Platform and legs: the dynamics of parallel robots, Khalil 2010, section 5.

The platform moves along velocities x of its own joints (six of a floating platform, three of one that only translates), and each
leg is a branch of the tree that ends in a ball joint on the platform. With v_i the velocity of that joint, in the world's axes,
    v_i = J_vi x,  J_vi = [1, -P_i^] of a floating platform  (64), (65)           v_i = J_i qd_i                             (63)
    qd_i = J_i^-1 J_vi x                                    qdd_i = J_i^-1 (J_vi x-dot + differences of bias)
    tau = J_p' [F_p + sum over legs J_vi' J_i^-T Gamma_i]                                                                     (66)
J_p^-1 has the rows of J_i^-1 J_vi that belong to active joints, (61), (62). F_p and Gamma_i are inverse dynamics of the
platform and of the legs, each on its own: branches of the tree do not affect each other. The forces are those found by cutting
the loops and projecting (`tasks.py`), from other equations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...compiler.program import Port
from ...compiler.task import Task
from ...model.loop import Loop
from ...model.model import Model
from ...spatial.scalar import Scalar, add, mul, sub
from ...spatial.twist import Twist
from ...tree import Tree
from ..dynamics.rnea import rnea
from ..elimination import Elimination
from ..kinematics.jacobian import jacobian_text
from ..kinematics.kinematics import link_acceleration_text
from ..loads import REGROUPED, External, Situation, chain, laid_out_task
from .closure import Plan, slides


@dataclass(frozen=True)
class Leg:
    """A leg: the loop that ends it, the links and points that meet there, and the velocities of its joints."""

    loop: Loop
    tip: tuple[str, tuple[float, float, float]]
    socket: tuple[str, tuple[float, float, float]]
    velocities: tuple[int, ...]


def legs_of(model: Model, tree: Tree, platform: Sequence[int]) -> list[Leg]:
    """Return the legs of a model whose platform moves along the velocities `platform`."""
    found = []
    for loop in model.loops:
        ends = [(loop.first, loop.first_pose.translation), (loop.second, loop.second_pose.translation)]
        moved = [_velocities(tree, link) for link, _ in ends]
        if set(moved[0]) == set(platform):
            ends.reverse()
            moved.reverse()
        found.append(Leg(loop, ends[0], ends[1], moved[0]))
    return found


def _velocities(tree: Tree, link: str) -> tuple[int, ...]:
    bodies = [tree.bodies[j] for j in chain(tree, tree.places[link][0])]
    return tuple(dict.fromkeys(body.iv + k for body in bodies for k in range(body.kind.nv)))


class Legs:
    """Jacobians of all legs at a configuration, velocities of legs, and forces on the platform."""

    def __init__(self, s: Situation, model: Model, plan: Plan) -> None:
        self.s, self.plan, self.x = s, plan, plan.independent
        self.legs = legs_of(model, s.tree, self.x)
        units = [plan.length if slide else 1.0 for slide in slides(model)]
        self.J_v: list[list[list[Scalar]]] = []
        self.J: list[Elimination] = []
        for leg in self.legs:
            J_v, J = (jacobian_text(self._at(point), link, "world")[:3] for link, point in (leg.socket, leg.tip))
            self.J_v.append([[row[c] for c in self.x] for row in J_v])
            rows = [{c: row[c] for c in leg.velocities} for row in J]
            self.J.append(Elimination(rows, leg.velocities, [plan.length] * 3, {c: units[c] for c in leg.velocities}))
        self.units = units

    def _at(self, point: Sequence[float], **values: Sequence[Scalar]) -> Situation:
        return self.s.at(point=list(point), **values)

    def velocities(self, x: Sequence[Scalar]) -> list[Scalar]:
        """Return the velocities of the tree, given those of the platform (61)."""
        return self._spread(x, [[0.0] * 3 for _ in self.legs])

    def accelerations(self, qd: Sequence[Scalar], x: Sequence[Scalar]) -> list[Scalar]:
        """Return the accelerations of the tree, given its velocities and the acceleration of the platform."""
        still = [0.0] * self.s.tree.nv
        bias = []
        for leg in self.legs:
            (socket, _), (tip, _) = (self._acceleration(link, point, qd, still) for link, point in (leg.socket, leg.tip))
            bias.append([sub(a, b) for a, b in zip(socket, tip, strict=True)])
        return self._spread(x, bias)

    def _acceleration(self, link: str, point: Sequence[float], qd: Sequence[Scalar], qdd: Sequence[Scalar]) -> Twist:
        return link_acceleration_text(self._at(point, qd=qd, qdd=qdd), link, "world", classical=True)

    def _spread(self, x: Sequence[Scalar], more: Sequence[Sequence[Scalar]]) -> list[Scalar]:
        found: list[Scalar] = [0.0] * self.s.tree.nv
        for c, value in zip(self.x, x, strict=True):
            found[c] = value
        for J_v, J, extra in zip(self.J_v, self.J, more, strict=True):
            right = [add(_dot(row, x), e) for row, e in zip(J_v, extra, strict=True)]
            for c, value in J.solve(right).items():
                found[c] = value
        return found

    def on_platform(self, tau: Sequence[Scalar]) -> list[Scalar]:
        """Return F_p + sum J_vi' J_i^-T Gamma_i: all forces, carried to the platform."""
        total = [tau[c] for c in self.x]
        for leg, J_v, J in zip(self.legs, self.J_v, self.J, strict=True):
            f = J.transposed({c: tau[c] for c in leg.velocities})
            total = [add(t, _dot(column, f)) for t, column in zip(total, zip(*J_v, strict=True), strict=True)]
        return total

    def inverse_jacobian(self) -> Elimination:
        """Return J_p^-1: velocities of active joints, given those of the platform (62)."""
        n = len(self.x)
        columns = [self.velocities([float(i == k) for i in range(n)]) for k in range(n)]
        rows = [{k: columns[k][c] for k in range(n)} for c in self.plan.active]
        return Elimination(
            rows, range(n), [self.units[c] for c in self.plan.active], dict(enumerate(self.units[c] for c in self.x))
        )


def platform_inverse_dynamics(model: Model, plan: Plan, external: External = ()) -> Task:
    """Forces of the active joints, given the motion of the platform (66)."""
    n = len(plan.independent)

    def text(s: Situation) -> Sequence[Scalar]:
        legs = Legs(s, model, plan)
        qd = legs.velocities(s.values["xd"])
        qdd = legs.accelerations(qd, s.values["xdd"])
        forces = legs.on_platform(rnea(s.tree, s["q"], qd, qdd, s.wrenches, s.base).tau)
        return legs.inverse_jacobian().transposed(dict(enumerate(forces)))

    inputs, output = {"q": model.nq, "xd": n, "xdd": n}, Port("tau", len(plan.active))
    return laid_out_task(f"platform_inverse_dynamics[{plan!r}]", model, inputs, output, text, external, layouts=REGROUPED)


def platform_forward_dynamics(model: Model, plan: Plan, external: External = ()) -> Task:
    """Acceleration of the platform, given its velocities and the forces of active joints: (66) with unit accelerations."""
    n = len(plan.independent)

    def text(s: Situation) -> Sequence[Scalar]:
        from .mass import solve_mass

        legs = Legs(s, model, plan)
        qd = legs.velocities(s.values["xd"])
        still = [0.0] * s.tree.nv
        bias = legs.accelerations(qd, [0.0] * n)
        h = legs.on_platform(rnea(s.tree, s["q"], qd, bias, s.wrenches, s.base).tau)
        M: dict[int, dict[int, Scalar]] = {}
        rest = rnea(s.tree, s["q"], still, still).tau
        for k in range(n):
            unit = legs.velocities([float(i == k) for i in range(n)])
            needed = rnea(s.tree, s["q"], still, unit).tau
            column = legs.on_platform([sub(a, b) for a, b in zip(needed, rest, strict=True)])
            M[k] = {i: column[i] for i in range(k + 1)}
        forces: list[Scalar] = [0.0] * n
        for row, tau in zip(legs.inverse_jacobian().rows, s.values["tau"], strict=True):
            for k, value in row.items():
                forces[k] = add(forces[k], mul(value, tau))
        found = solve_mass(M, range(n), {k: sub(forces[k], h[k]) for k in range(n)})
        return [found[k] for k in range(n)]

    inputs, output = {"q": model.nq, "xd": n, "tau": len(plan.active)}, Port("xdd", n)
    return laid_out_task(f"platform_forward_dynamics[{plan!r}]", model, inputs, output, text, external, layouts=REGROUPED)


def _dot(a: Sequence[Scalar], b: Sequence[Scalar]) -> Scalar:
    total: Scalar = 0.0
    for x, y in zip(a, b, strict=True):
        total = add(total, mul(x, y))
    return total
