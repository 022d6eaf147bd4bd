"""Force rates: the time derivative of inverse dynamics, by the same two passes one derivative higher.

tau, tau' = (q, qd, qdd, qddd, f_ext, f_ext'), cost O(n). Guarino Lo Bianco 2009, eqs (3)-(21), for trees of any joints; equation
numbers in comments are his. Added to his: friction, springs, rotors, couplings, moving bases, wrenches on every link.

A prime is the rate of components along axes that turn with body j. The paper's dots are rates in the world, expressed in
axes j; the two differ by w x: jerk = dV' + w x dV. Components are cheaper: tau' is a plain projection of m' (his (20), (21) less
n x w), terms with w x p drop out of (17), and one matrix U' serves (8), (9), (12) and (13).

Symbols, all of body j, in its axes, about its origin (see rnea.py):
    w, dw, ddw   angular velocity, its rate, and the rate of that          turn, turn'   matrices U and U', and the Euler moment
    dV, ddV      acceleration of O_j less gravity, and its rate            f, m, df, dm  wrench through joint j, and its rate
    w_i, dw_i, A    w, dw of the body before and its acceleration at O_j, in axes j
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ...compiler.labels import label, legend, section
from ...joints.motion import JointMotion
from ...model.joint import SINGLE_DOF
from ...spatial.scalar import Scalar, add, mul
from ...spatial.turning import Turning
from ...spatial.turning_rate import TurningRate
from ...spatial.twist import along
from ...spatial.vector import ZERO, Vector
from ...tree import BASE, Body, Tree
from ..force_elements import element_wrench_rates
from ..loads import chain
from ..step import AT_REST, BaseState, Step, drive_force, higher_motion, own_motion, shares_of, spring_forces, spring_torque_rates

GUARINO = "Guarino Lo Bianco 2009"


@dataclass(frozen=True)
class BaseJerk:
    """Jerk of the base's origin and rate of its angular acceleration, in the world, along the base's axes."""

    linear: Vector = ZERO
    angular: Vector = ZERO


@dataclass(frozen=True)
class Load:
    """An external wrench on a body, and the rates of its components.

    Attributes:
        force, moment: [N, N m], the moment about the point of attack.
        arm: from the body's origin to the point, in the body's axes [m].
        force_rate, moment_rate, arm_rate: how those components change.
        in_world: whether components of force, moment and their rates are along the world's axes instead of the body's.
    """

    force: Vector
    moment: Vector
    arm: Vector
    force_rate: Vector = ZERO
    moment_rate: Vector = ZERO
    arm_rate: Vector = ZERO
    in_world: bool = False


@dataclass(frozen=True)
class Moving:
    """Motion of a body: its turning, the acceleration of its origin, and the rates of both."""

    turn: Turning
    turn_rate: TurningRate
    dV: Vector
    ddV: Vector


@dataclass
class RatePasses:
    """Results of the two passes for each body: its step and motion, and the wrench through its joint with its rate."""

    steps: list[Step] = field(default_factory=list)
    moving: list[Moving] = field(default_factory=list)
    f: list[Vector] = field(default_factory=list)
    m: list[Vector] = field(default_factory=list)
    df: list[Vector] = field(default_factory=list)
    dm: list[Vector] = field(default_factory=list)
    tau: list[Scalar] = field(default_factory=list)
    dtau: list[Scalar] = field(default_factory=list)


def torque_rates(
    tree: Tree,
    q: Sequence[Scalar],
    qd: Sequence[Scalar],
    qdd: Sequence[Scalar],
    qddd: Sequence[Scalar],
    loads: Mapping[int, Sequence[Load]] | None = None,
    base: BaseState = AT_REST,
    jerk: BaseJerk | None = None,
) -> RatePasses:
    """Return joint torques, joint wrenches and the rates of both of a motion.

    Args:
        tree: bodies in frames of the recursion.
        q, qd, qdd, qddd: coordinates (nq), velocities, accelerations and their rates (nv), each entry a scalar of any kind.
        loads: for a body's index, the external wrenches on it.
        base, jerk: prescribed motion of the base.
    """
    out = RatePasses()
    legend(F="force that the motion needs", M="moment that the motion needs", dF="rate of F", dM="rate of M")
    legend(f="force through the joint", m="moment through the joint", df="rate of f", dm="rate of m")
    acting = element_wrench_rates(tree, q, qd, qdd)
    ground = base_moving(tree, base, jerk or BaseJerk())

    # forward pass, base to tips: motions with their rates, and the wrench that each body needs
    for j, body in enumerate(tree.bodies):
        before = ground if body.parent == BASE else out.moving[body.parent]
        step, here = next_moving(tree, j, before, q, qd, qdd, qddd)
        section("outward: wrench that the motion needs, and its rate", j, body.name, f"{GUARINO} (7)-(13)")
        out.steps.append(step)
        out.moving.append(here)
        MS, K = body.first_moments, body.second_moments
        f = here.dV * body.mass + here.turn.U @ MS  # (7), (10)
        m = here.turn.euler_moment(K) + MS.cross(here.dV)  # (11)
        df = here.ddV * body.mass + here.turn_rate.U @ MS  # (9), (12)
        dm = here.turn_rate.euler_moment(K) + MS.cross(here.ddV)  # (13)
        for load in (loads or {}).get(j, ()):
            force, moment, force_rate, moment_rate = _on_body(load, out, tree, j, base)
            f, m, df, dm = f - force, m - moment, df - force_rate, dm - moment_rate
        if j in acting:
            (force, moment), (force_rate, moment_rate) = acting[j]
            f, m, df, dm = f - force, m - moment, df - force_rate, dm - moment_rate
        for series, value, symbol in ((out.f, f, "F"), (out.m, m, "M"), (out.df, df, "dF"), (out.dm, dm, "dM")):
            series.append(value)
            label(symbol, j, value)

    # backward pass, tips to base: hand the wrench and its rate to the parent, project them on the joint
    out.tau, out.dtau = spring_forces(tree, q, qd), spring_torque_rates(tree, qd, qdd)
    for j in reversed(range(len(tree.bodies))):
        body, step = tree.bodies[j], out.steps[j]
        i, v, w = body.parent, step.motion.v, _turn_of_axes(body, step.motion)
        f, m, df, dm = out.f[j], out.m[j], out.df[j], out.dm[j]
        section("inward: the wrench through the joint, its torque, and the rates of both", j, body.name, f"{GUARINO} (14)-(21)")
        for symbol, wrench in (("f", f), ("m", m), ("df", df), ("dm", dm)):
            label(symbol, j, wrench)
        if i != BASE:
            f_i, df_i = step.to_parent(f), step.to_parent(df + w.cross(f))
            out.f[i] = out.f[i] + f_i  # (14)
            out.m[i] = out.m[i] + step.to_parent(m) + step.P.cross(f_i)  # (15)
            out.df[i] = out.df[i] + df_i  # (16)
            out.dm[i] = out.dm[i] + step.to_parent(dm + w.cross(m) + v.cross(f)) + step.P.cross(df_i)  # (17)
        share, bend, _ = shares_of(body, q)
        for series, pair in ((out.tau, (f, m)), (out.dtau, (df, dm))):  # (18)-(21)
            for k, S in enumerate(body.directions):
                force = along(S, pair)
                if body.kind in SINGLE_DOF:
                    drive = drive_force(body, qd[body.iv], qdd[body.iv])
                    rate = _drive_rate(body, qdd[body.iv], qddd[body.iv])
                    force = add(force, drive if series is out.tau else rate)
                series[body.iv + k] = add(series[body.iv + k], mul(share, force))
        if body.law is not None:
            # the share of the torque changes too
            along_law = mul(mul(bend, qd[body.iv]), along(body.directions[0], (f, m)))
            out.dtau[body.iv] = add(out.dtau[body.iv], along_law)
    return out


def base_moving(tree: Tree, base: BaseState, jerk: BaseJerk) -> Moving:
    """Return the motion of the base; gravity is at rest in the world and turns, seen from the base."""
    turn = Turning(base.w, base.dw)
    dV = base.a - base.turn.to_child(Vector.of(tree.gravity))
    return Moving(turn, TurningRate(turn, jerk.angular - base.w.cross(base.dw)), dV, jerk.linear - base.w.cross(dV))


def next_moving(
    tree: Tree, j: int, before: Moving, q: Sequence[Scalar], qd: Sequence[Scalar], qdd: Sequence[Scalar], qddd: Sequence[Scalar]
) -> tuple[Step, Moving]:
    """Return the step to body j and its motion, from that of the body before."""
    body = tree.bodies[j]
    section("outward: motion of the body and its rate", j, body.name, f"{GUARINO} (3)-(8)")
    legend(w="angular velocity", dw="angular acceleration", ddw="rate of dw")
    legend(dV="acceleration of the origin less gravity", ddV="rate of dV along axes that turn with the body")
    motion = own_motion(body, q, qd, qdd)
    higher = higher_motion(body, q, qd, qdd, qddd)
    step = Step(body, motion)
    w_i, dw_i = step.to_child(before.turn.w), step.to_child(before.turn.dw)
    axes = _turn_of_axes(body, motion)
    dw_in_axes = dw_i + w_i.cross(axes)  # how the components of w_i change
    w = w_i + motion.w  # (3)
    dw = dw_i + motion.dw + w_i.cross(motion.w)  # (4)
    ddw = step.to_child(before.turn_rate.ddw) + higher.dw + w_i.cross(motion.dw)  # (5)
    ddw = ddw + (dw_i + dw_in_axes).cross(motion.w) if axes is motion.w else ddw + dw_i.cross(motion.w)
    A = step.to_child(before.dV + before.turn.U @ step.P)
    dV = A + motion.a + (w_i + w).cross(motion.v)  # (6)
    # the rate of the step P is v, expressed in axes j, and so is U of the body before
    carried = step.to_child(before.ddV + before.turn_rate.U @ step.P) + A.cross(axes) + Turning(w_i, dw_i).U @ motion.v
    ddV = carried + higher.a + (dw_in_axes + dw).cross(motion.v) + (w_i + w).cross(motion.a)  # (8)
    turn = Turning(w, dw)
    for symbol, value in (("w", w), ("dw", dw), ("ddw", ddw), ("dV", dV), ("ddV", ddV)):
        label(symbol, j, value)
    return step, Moving(turn, TurningRate(turn, ddw, dw_in_axes + motion.dw if body.spins else None), dV, ddV)


def _turn_of_axes(body: Body, motion: JointMotion) -> Vector:
    """Return the angular velocity of a body's axes relative to those of the body before; a rotor has the axes of its carrier."""
    return ZERO if body.spins else motion.w


def _on_body(load: Load, out: RatePasses, tree: Tree, j: int, base: BaseState) -> tuple[Vector, Vector, Vector, Vector]:
    """Return force, moment about the body's origin, and the rates of their components in the body's axes."""
    force, moment, df, dm = load.force, load.moment, load.force_rate, load.moment_rate
    if load.in_world:
        force, moment, df, dm = (base.turn.to_child(x) for x in (force, moment, df, dm))
        for k in chain(tree, j):
            force, moment, df, dm = (out.steps[k].to_child(x) for x in (force, moment, df, dm))
        # what rests in the world turns backward, seen from the body
        w = out.moving[j].turn.w
        df, dm = df + force.cross(w), dm + moment.cross(w)
    return force, moment + load.arm.cross(force), df, dm + load.arm.cross(df) + load.arm_rate.cross(force)


def _drive_rate(body: Body, qdd: Scalar, qddd: Scalar) -> Scalar:
    """Return the rate of `drive_force`: Coulomb friction counts as constant, also where it jumps."""
    return mul(body.ratio, add(mul(body.rotor, qddd), mul(body.viscous, qdd)))
