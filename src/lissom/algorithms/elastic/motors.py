"""Elastic drives: motion and torque of motors for a given motion of the links (Hua 2024, eqs (28)-(30)).

A joint behind a spring gets K (theta - q - rest), so a motion of the links determines the position of the motor, and the
motor's own equation its torque:
    K (theta - q - rest) = torque of the joint, from q, qd, qdd        theta' and theta'' are its rates: from qddd and qdddd too
    tau = B theta'' + S' qdd + C2 qd + K (theta - q - rest)
The rates are exact: the Newton-Euler recursion runs on series in time (`spatial/series.py`), value and two derivatives, or three
where the rate of tau is needed. Cost O(n). Joints without a spring may be of any kind: coordinates that do not add up, such as
quaternions, become series by their own rates, q' = E(q) qd, one term after the other.

That works where the force of an elastic joint does not depend on accelerations of motors behind other springs: no such motor may
spin on a link that an elastic joint turns. Otherwise every further spring needs two more derivatives of the path (De Luca
1998).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...compiler.program import Port
from ...compiler.task import Task
from ...errors import ModelError
from ...model.joint import SINGLE_DOF, JointKind
from ...model.model import Model
from ...spatial.scalar import Scalar, add, mul, sub
from ...spatial.series import Series, terms_of
from ...tree import BASE, Tree, lump
from ..dynamics.rnea import rnea
from ..loads import REGROUPED, External, Situation, chain, laid_out_task
from .links import PATH, link_nq, link_nv, link_places, path_ports


@dataclass(frozen=True)
class Drive:
    """An elastic drive and its spring, which is stretched by theta - share q - rest.

    Attributes:
        motor, joint: places of theta' and of the joint's velocity in qd.
        motor_q, joint_q: places of theta and of the joint's coordinate in q.
        share: 1, unless the joint follows another.
        rest: of the spring, with the offset of a joint that follows another.
        stiffness, damping: of the spring.
    """

    motor: int
    joint: int
    motor_q: int
    joint_q: int
    share: float
    rest: float
    stiffness: float
    damping: float


def elastic_drives(tree: Tree, model: Model) -> list[Drive]:
    """Return the elastic drives in the order of their coordinates."""
    springs = {spring.name: spring for spring in tree.springs}
    found = []
    for motor in model.elastic_motors:
        spring = springs[motor.name]
        (own_q, own, _), (driven_q, driven, share) = spring.shares
        rest = spring.rest - spring.offset
        found.append(Drive(own, driven, own_q, driven_q, -share, rest, spring.stiffness, spring.damping))
    return found


def without_drives(tree: Tree, model: Model) -> Tree:
    """Return the tree without the springs of elastic drives: its torques are those that motors and springs have to supply."""
    names = {motor.name for motor in model.elastic_motors}
    return replace(tree, springs=tuple(spring for spring in tree.springs if spring.name not in names))


def path_series(path: Sequence[Sequence[Scalar]], first: int, order: int, nv: int) -> list[Scalar]:
    """Return derivative number `first` of a path as series with `order` more; coordinates beyond the path stand still.

    Of coordinates that add up; `coordinate_series` is for others.
    """
    entries = zip(*path[first : first + order + 1], strict=True)
    moving: list[Scalar] = [Series(terms) if order else terms[0] for terms in entries]
    return [*moving, *[0.0] * (nv - len(moving))]


def coordinate_series(model: Model, path: Sequence[Sequence[Scalar]], order: int) -> list[Scalar]:
    """Return the coordinates of joints of any kind as series with `order` rates; those of motors stand still."""
    found: list[Scalar] = []
    for at in link_places(model):
        own = [list(path[0][at.q]), *(list(x[at.v]) for x in path[1 : order + 1])]
        if not at.kind.traits.adds_up:
            v, known = own[1:], own[:1]
            for k in range(order):  # one more rate of q from as many as are known of q and of the velocity
                rates = at.kind.traits.rates(_joined(known), _joined(v[: k + 1]))
                known.append([terms_of(x, k + 1)[k] for x in rates])
            own = known
        found += _joined(own)
    return [*found, *[0.0] * len(model.elastic_motors)]


def _joined(terms: Sequence[Sequence[Scalar]]) -> list[Scalar]:
    """Return series from their terms, or scalars where there is one of each."""
    return [Series(own) if len(own) > 1 else own[0] for own in zip(*terms, strict=True)]


def motor_motion(s: Situation, model: Model, order: int = 2) -> list[list[Scalar]]:
    """Return for every elastic drive theta and its derivatives up to `order`."""
    path = [s[name] for name in PATH[: order + 3]]
    nv = s.tree.nv
    q, (qd, qdd) = coordinate_series(model, path, order), (path_series(path, k, order, nv) for k in (1, 2))
    moving = s.at(q=q, qd=qd, qdd=qdd)
    needed = rnea(without_drives(s.tree, model), moving["q"], moving["qd"], moving["qdd"], moving.wrenches, s.base).tau
    found = []
    for drive in elastic_drives(s.tree, model):
        load = terms_of(needed[drive.joint], order + 1)
        own = [path[k][drive.joint if k else drive.joint_q] for k in range(order + 1)]
        terms = [add(mul(1.0 / drive.stiffness, f), x) for f, x in zip(load, own, strict=True)]
        found.append([add(terms[0], drive.rest), *terms[1:]])
    return found


def elastic_inverse_dynamics(model: Model, external: External = ()) -> Task:
    """theta, theta', theta'' of elastic drives and tau (nv), from a motion of the links up to its fourth derivative."""
    refuse_entangled(model)

    def text(s: Situation) -> list[Scalar]:
        theta = motor_motion(s, model)
        q, qd, qdd = ([*s[name], *(terms[k] for terms in theta)] for k, name in enumerate(PATH[:3]))
        tau = rnea(s.tree, q, qd, qdd, s.wrenches, s.base).tau
        return [*(terms[k] for k in range(3) for terms in theta), *_driven(s, model, tau)]

    size = 3 * len(model.elastic_motors) + model.nv
    return _path_task("elastic_inverse_dynamics", model, 5, Port("motion", size), text, external)


def elastic_torque_rates(model: Model, external: External = ()) -> Task:
    """Rates of tau (nv), from a motion of the links up to its fifth derivative."""
    refuse_entangled(model)

    def text(s: Situation) -> list[Scalar]:
        theta = motor_motion(s, model, 3)
        path = [s[name] for name in PATH[:4]]
        coordinates = coordinate_series(model, path, 1)[: link_nq(model)]
        links = [coordinates, *(path_series(path, k, 1, link_nv(model)) for k in (1, 2))]
        q, qd, qdd = ([*links[k], *(Series(terms[k : k + 2]) for terms in theta)] for k in range(3))
        tau = rnea(s.tree, q, qd, qdd, s.at(q=coordinates).wrenches, s.base).tau
        return _driven(s, model, [terms_of(force, 2)[1] for force in tau])

    return _path_task("elastic_torque_rates", model, 6, Port("tau_rate", model.nv), text, external)


def drive_deflections(model: Model, external: External = ()) -> Task:
    """Theta - q - rest of elastic drives, from a motion of the links."""
    refuse_entangled(model)

    def text(s: Situation) -> list[Scalar]:
        q, qd, qdd = ([*s[name], *[0.0] * len(model.elastic_motors)] for name in PATH[:3])
        needed = rnea(without_drives(s.tree, model), q, qd, qdd, s.wrenches, s.base).tau
        return [mul(1.0 / drive.stiffness, needed[drive.joint]) for drive in elastic_drives(s.tree, model)]

    return _path_task("drive_deflections", model, 3, Port("deflections", len(model.elastic_motors)), text, external)


def spring_torques(model: Model) -> Task:
    """Torques of the springs of elastic drives on their joints, with damping."""

    def text(s: Situation) -> list[Scalar]:
        q, qd, found = s["q"], s["qd"], []
        for d in elastic_drives(s.tree, model):
            stretch = sub(sub(q[d.motor_q], mul(d.share, q[d.joint_q])), d.rest)
            speed = sub(qd[d.motor], mul(d.share, qd[d.joint]))
            found.append(add(mul(d.stiffness, stretch), mul(d.damping, speed)))
        return found

    output = Port("torques", len(model.elastic_motors))
    return laid_out_task("spring_torques", model, {"q": model.nq, "qd": model.nv}, output, text, layouts=REGROUPED)


def _driven(s: Situation, model: Model, tau: list[Scalar]) -> list[Scalar]:
    """Return the forces of motors; at a joint behind a spring nothing else acts."""
    behind = {drive.joint for drive in elastic_drives(s.tree, model)}
    return [0.0 if k in behind else force for k, force in enumerate(tau)]


def _path_task(
    key: str, model: Model, orders: int, output: Port, text: Callable[[Situation], Sequence[Any]], external: External
) -> Task:
    return laid_out_task(key, model, path_ports(model, orders), output, text, external, layouts=REGROUPED)


WHAT = "{name!r} has motors behind springs: to compute their motion from that of the links, "
RIGID = "use model.with_rigid_drives(), or simulate the robot"


def refuse_several_axes(model: Model) -> None:
    """Raise ModelError for joints of several axes: laws of control add and subtract the coordinates of joints."""
    for joint in model.joints:
        if joint.kind is not JointKind.FIXED and joint.kind not in SINGLE_DOF:
            what = f"{model.name!r} has motors behind springs: to control it, every joint must have one axis"
            raise ModelError(f"{what}; joint {joint.name!r} is {joint.kind.value}; {RIGID}")


def refuse_entangled(model: Model) -> None:
    """Raise ModelError where the motion of the links and four derivatives of it do not determine the motion of the motors."""
    what, rigid = WHAT.format(name=model.name), RIGID
    tree = lump(model)
    driven = {motor.joint: motor.name for motor in model.elastic_motors}
    for joint in model.joints:
        leader = model.resolve_coupling(joint).joint if joint.coupling is not None else None
        for name in (joint.name, leader) if leader else ():
            if name in driven:
                raise ModelError(
                    f"{what}no joint with an elastic drive may be coupled; joint {name!r}, driven by motor {driven[name]!r}, is "
                    f"coupled to another; {rigid}"
                )
    for motor in model.elastic_motors:
        assert motor.spring is not None and motor.link is not None
        if motor.spring.damping:
            raise ModelError(
                f"{what}springs must have no damping; that of motor {motor.name!r} is {motor.spring.damping:g}, so that the "
                "motor's motion depends on the past; set the damping to zero, or use simulation or control.PDGravity"
            )
        carrier = tree.places[motor.link][0]
        if motor.rotor == "reflected" or carrier == BASE:
            continue
        for k in chain(tree, carrier):
            other = driven.get(tree.bodies[k].name)
            # a spin does not act on a sliding joint
            if other is not None and tree.bodies[k].kind is not JointKind.PRISMATIC:
                raise ModelError(
                    f"motor {motor.name!r} spins on link {motor.link!r}, which joint {tree.bodies[k].name!r} turns behind the "
                    f"spring of motor {other!r}: its motion needs more than four derivatives of that of the links; mount it on "
                    "a link before that spring, or set rotor='reflected'"
                )
