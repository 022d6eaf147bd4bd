"""Force elements: wrenches on bodies and torques of joints from forces between points of links (`model/elements/`).

The carrier of an element is the last body that carries all its ends, often the base or a link nearby. Positions and velocities
of the ends are relative to it, so that its motion does not enter: an element depends on the joints between the carrier and its
ends, and acts on them; they are its way. In every recursion the forces are added to external wrenches (`with_elements`); joints
before the carrier get their sum, which is zero.

Derivatives are those of the same text on series (`spatial/series.py`): in time for rates, and along each velocity of the way for
sensitivities.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ..errors import ModelError
from ..model.elements.element import ForceElement
from ..model.model import Model
from ..spatial.scalar import Scalar, add, mul
from ..spatial.series import Series, terms_of
from ..spatial.twist import STILL, Twist, along, plus
from ..spatial.vector import Matrix, Vector
from ..tree import BASE, Tree
from .loads import Wrenches, chain
from .step import Step, own_motion, share_of


class End(NamedTuple):
    """An end of an element: its body, its point in the frame of the body, and the bodies from the carrier's next to its own."""

    body: int
    arm: Vector
    way: tuple[int, ...]


class Loaded(NamedTuple):
    """Steps along the ways of an element, and for each end the force on it in the axes of its body."""

    steps: dict[int, Step]
    forces: list[tuple[End, Vector]]


def with_elements(tree: Tree, q: Sequence[Scalar], qd: Sequence[Scalar], external: Wrenches | None) -> Wrenches:
    """Return external wrenches on bodies and those of force elements, in the body's axes, about the origin of its frame."""
    if not tree.elements:
        return external or {}
    total = dict(external or {})
    for element in tree.elements:
        for end, force in _loaded(tree, element, q, qd).forces:
            if end.body != BASE:
                total[end.body] = plus(total.get(end.body, STILL), (force, end.arm.cross(force)))
    return total


def element_wrench_rates(
    tree: Tree, q: Sequence[Scalar], qd: Sequence[Scalar], qdd: Sequence[Scalar]
) -> Mapping[int, tuple[Twist, Twist]]:
    """Return for each body that elements act on their wrench there, and the rate of its components in the body's axes."""
    if not tree.elements:
        return {}
    moving = with_elements(tree, _varied(q, _rates(tree, q, qd)), _varied(qd, qdd), None)
    return {j: (_term(wrench, 0), _term(wrench, 1)) for j, wrench in moving.items()}


def element_energy(tree: Tree, q: Sequence[Scalar]) -> Scalar:
    """Return the potential energy of all elements [J]."""
    total, still = 0.0, [0.0] * tree.nv
    for element in tree.elements:
        steps = _steps(tree, ends := _ends(tree, element), q, still)
        total = add(total, element.energy([_seen(end, steps)[0] for end in ends]))
    return total


def needed_wrenches(tree: Tree, element: ForceElement, q: Sequence[Scalar], qd: Sequence[Scalar]) -> dict[int, Twist]:
    """Return the wrench that holds against an element through each joint of its way, at the body's origin, in its axes."""
    steps, forces = _loaded(tree, element, q, qd)
    through: dict[int, Twist] = {}
    for end, force in forces:
        wrench = force * -1.0, end.arm.cross(force) * -1.0
        for j in reversed(end.way):
            through[j] = plus(through.get(j, STILL), wrench)
            wrench = steps[j].wrench_to_parent(*wrench)
    return through


def element_slopes(tree: Tree, q: Sequence[Scalar], qd: Sequence[Scalar]) -> Iterator[tuple[int, int, Scalar, Scalar]]:
    """Yield row, column and value of d tau / d q and d tau / d qd of force elements, with tau that holds against them."""
    for element in tree.elements:
        for column in way_columns(tree, element):
            by_q, by_qd = (
                _along_joints(tree, state[0], needed_wrenches(tree, element, *state)) for state in varied(tree, q, qd, column)
            )
            for row, force in by_q.items():
                yield row, column, terms_of(force, 2)[1], terms_of(by_qd[row], 2)[1]


def varied(
    tree: Tree, q: Sequence[Scalar], qd: Sequence[Scalar], column: int
) -> tuple[tuple[list[Scalar], list[Scalar]], tuple[list[Scalar], list[Scalar]]]:
    """Return the state as series along a velocity: q moving along it, and qd growing by it."""
    unit = [float(k == column) for k in range(tree.nv)]
    return (_varied(q, _rates(tree, q, unit)), list(qd)), (list(q), _varied(qd, unit))


def way_columns(tree: Tree, element: ForceElement, from_base: bool = False) -> list[int]:
    """Return the velocities of the way of an element, on which alone it depends; or of the whole way from the base."""
    bodies = {j for end in _ends(tree, element) for j in (chain(tree, end.body) if from_base else end.way)}
    return sorted({tree.bodies[j].iv + k for j in bodies for k in range(tree.bodies[j].kind.nv)})


def refuse_elements(model: Model, what: str) -> None:
    """Raise ModelError where the model has force elements, naming the first."""
    if model.force_elements:
        name = model.force_elements[0].name
        raise ModelError(
            f"{what}: force elements are not supported, and model {model.name!r} has {name!r}; "
            "remove it with model.replace(force_elements=())"
        )


def _along_joints(tree: Tree, q: Sequence[Scalar], through: Mapping[int, Twist]) -> dict[int, Scalar]:
    found: dict[int, Scalar] = {}
    for j, wrench in through.items():
        body = tree.bodies[j]
        for k, S in enumerate(body.directions):
            found[body.iv + k] = add(found.get(body.iv + k, 0.0), mul(share_of(body, q), along(S, wrench)))
    return found


def _loaded(tree: Tree, element: ForceElement, q: Sequence[Scalar], qd: Sequence[Scalar]) -> Loaded:
    ends = _ends(tree, element)
    steps = _steps(tree, ends, q, qd)
    if not steps:
        return Loaded(steps, [])  # all ends on one body: no joint feels it
    seen = [_seen(end, steps) for end in ends]
    forces = []
    for end, force in zip(ends, element.forces([p for p, _ in seen], [v for _, v in seen]), strict=True):
        for j in end.way:
            force = steps[j].to_child(force)
        forces.append((end, force))
    return Loaded(steps, forces)


def _ends(tree: Tree, element: ForceElement) -> list[End]:
    places = [(*tree.places[link], Vector.of(point)) for link, point in element.ends]
    chains = [chain(tree, body) for body, _, _ in places]
    shared = 0
    while all(len(way) > shared for way in chains) and len({way[shared] for way in chains}) == 1:
        shared += 1
    return [
        End(body, Vector.of(pose.translation) + Matrix.of(pose.rotation) @ point, tuple(way[shared:]))
        for (body, pose, point), way in zip(places, chains, strict=True)
    ]


def _steps(tree: Tree, ends: Sequence[End], q: Sequence[Scalar], qd: Sequence[Scalar]) -> dict[int, Step]:
    still = [0.0] * tree.nv
    bodies = dict.fromkeys(j for end in ends for j in end.way)
    return {j: Step(tree.bodies[j], own_motion(tree.bodies[j], q, qd, still)) for j in bodies}


def _seen(end: End, steps: Mapping[int, Step]) -> Twist:
    """Return position and velocity of an end in the frame of its carrier."""
    p, v = end.arm, STILL[0]
    for j in reversed(end.way):
        motion = steps[j].motion
        v = steps[j].to_parent(v + motion.v + motion.w.cross(p))
        p = steps[j].P + steps[j].to_parent(p)
    return p, v


def _rates(tree: Tree, q: Sequence[Scalar], v: Sequence[Scalar]) -> list[Scalar]:
    """Return the rates of coordinates along velocities; rotors, which no element depends on, are left out."""
    found: list[Scalar] = [0.0] * tree.nq
    for body in tree.bodies:
        if not body.spins:
            nq, nv = body.kind.nq, body.kind.nv
            own = body.kind.traits.rates(q[body.iq : body.iq + nq], v[body.iv : body.iv + nv])
            found[body.iq : body.iq + nq] = own
    return found


def _varied(x: Sequence[Scalar], rates: Sequence[Scalar]) -> list[Scalar]:
    """Return values with their rates as series; those that do not change stay as they are."""
    return [a if type(b) is float and b == 0.0 else Series((a, b)) for a, b in zip(x, rates, strict=True)]


def _term(wrench: Twist, k: int) -> Twist:
    f, m = (Vector(*(terms_of(x, 2)[k] for x in part)) for part in wrench)
    return f, m
