"""WithContacts: contacts of a motion problem, as channels of forces and places, and equations and limits of these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np

from ...arrays import ArrayLike
from ...errors import StateError
from ...protocol import DrivenRobot
from ...spline.basis import Basis
from ..data.channels import Channel, WithChannels, expect_smooth
from ..data.contact import AXES, Contact, new_contact
from ..data.phases import Phases
from ..data.surface import Surface
from ..quantities.by_name import Quantities
from ..quantities.contacts import surface_position
from ..quantities.quantity import Quantity
from ..quantities.state import ORDERS, State
from .contradiction import refuse_contradiction
from .parts import Limit, Parts
from .undriven import weight_of

POSES = 4  # random ones at which rows of zeros are looked for
GAP = 1.0  # [m], scale of gaps: the usual limit_tolerance of 1e-3 is then 1 mm
SPEED = 1.0  # [m/s], scale of their rates
OTHER = "give each contact a name of its own, or name all its phases in during="
NONE = 1e-9  # share of the largest derivative that counts as zero


class WithContacts(WithChannels):
    """The contacts of a motion problem."""

    robot: DrivenRobot
    basis: Basis
    quantities: Quantities
    parts: Parts
    timing: Phases
    ends: dict[str, dict[str, np.ndarray]]

    @property
    def contacts(self) -> tuple[Contact, ...]:
        """Contacts, in the order in which they were given."""
        return tuple(self.quantities.contacts.values())

    def contact(
        self,
        name: str,
        link: str,
        points: ArrayLike | Mapping[str, ArrayLike] = (0.0, 0.0, 0.0),
        *,
        during: Sequence[str] | str | None = None,
        friction: float = 0.8,
        surface: Surface | Mapping[str, Any] | None = None,
        place: Sequence[float | None] | Mapping[str, float | None] | None = None,
        cone: str = "pyramid",
        faces: int = 4,
    ) -> Self:
        """Let points of a link rest on a surface: they stay where they are, and the surface pushes within its friction cone.

        Torques, powers and wrenches inside joints then include the forces; give contacts before limits and goals of these. Where
        the robot has undriven joints, the forces have to balance it.

        Args:
            name: of the contact. Its forces are the channel "<name>_force", with t1, t2, n of each point along the surface's axes
                [N]; a place that is to be found is the channel "<name>_place".
            link: the touching link.
            points: one point, a list of them, such as the corners of a sole, or points by name, in the link's frame [m].
            during: phases in which it holds, one after the other; None for all the time. With motors behind springs, its forces
                begin and end there at zero, with their rates.
            friction: coefficient.
            surface: a `lissom.predict.Surface`, its fields by name, or None for the ground z = 0.
            place: on the surface, from its origin along t1 and t2: (x, y) of the first point [m] and, of two points or more, the
                heading of the second one from there [rad]; None to find it, or any of these numbers.
            cone: "pyramid", with flat faces inside the friction cone and edges on it, the first along t1; or the exact "cone".
            faces: of the pyramid.
        """
        if self.quantities.ground is not None:
            raise StateError(f"split_ground gives all that the motion needs; leave contact {name!r} out, or use contacts alone")
        run = self.timing.run(during)
        numbers = None if run is None else tuple(range(*run))
        names = None if numbers is None else tuple(self.timing.names[k] for k in numbers)
        expect_smooth(self.robot, f"contact {name!r}", self.basis, max(1, self.basis.degree - 2), run, self.timing)
        made = new_contact(self.robot, name, link, points, friction, surface, place, cone, faces, names)
        if name in self.quantities.contacts:
            raise StateError(f"there is a contact {name!r} already; {OTHER}")
        for own in (made.force, made.where, *(f"{own}_rate" for own in (made.force, made.where))):
            if own in self.quantities.names:
                raise StateError(f"a contact cannot be called {name!r}: there is a quantity {own!r} already; take another name")
        made = _felt(self.robot, made)
        found = self.quantities.with_contact(made)
        if made.placed:
            units = tuple("rad" if entry == "heading" else "m" for entry in made.placed)
            found = found.with_channel(Channel(made.where, made.placed, units, 0, run=run), ())
        degree = max(1, self.basis.degree - 2)
        units, of = ("N",) * len(made.entries), {"touch": made.touch, "friction": made.grip}
        force = Channel(made.force, made.entries, units, degree, **of, run=run)  # type: ignore[arg-type]
        found = found.with_channel(force, self.parts.quantities)
        self.quantities = found
        self._limit_contacts()
        return self

    def _limit_contacts(self) -> None:
        """Make the equations and limits of all contacts, in the places of those that are there."""
        every = list(self.contacts)
        for contact in every:
            ends = [any(_implies(self.timing, other, contact, side) for other in every) for side in (0, 1)]
            made = contact_limits(self.robot, self.basis, self.timing, self.quantities, contact, (ends[0], ends[1]))
            places = [k for k, limit in enumerate(self.parts.limits) if limit.contact == contact.name]
            at = places[0] if places else len(self.parts.limits)
            self.parts.limits = [limit for k, limit in enumerate(self.parts.limits) if k not in places]
            self.parts.limits[at:at] = made
            for limit in made:
                refuse_contradiction(limit, (), self.ends, self.timing)


def contact_limits(
    robot: DrivenRobot, basis: Basis, timing: Phases, quantities: Quantities, contact: Contact, implied: tuple[bool, bool]
) -> list[Limit]:
    """Return the equations and limits of a contact.

    Gaps are zero at as many instants as accelerations have free numbers, and their rates at both ends, and where phases meet less
    smoothly than the path is elsewhere: that is all that a path has to give, and no row too many. Where another contact holds
    its points when it begins or ends (`implied`), it has no equations there.
    """
    run = timing.run(contact.during)
    during = None if run is None else tuple(range(*run))
    gap, rate = (quantities.get(which, contact=contact.name) for which in ("gap", "gap_rate"))
    rows = np.array(contact.rows)
    found = [_equation(gap, rows, GAP, knots=True, during=during, open=implied)]
    phases = range(len(timing)) if during is None else during
    ends = [(phases[0], 0.0)] if not implied[0] else []
    inner = phases if timing.named and timing.smooth < basis.degree - 1 else phases[-1:]
    ends += [(k, 1.0) for k in inner if k != phases[-1] or not implied[1]]
    found += [_equation(rate, rows, SPEED, at=np.array([at]), during=_only(timing, k)) for k, at in ends]
    size = weight_of(robot)
    force = quantities.get(contact.force)
    normal = np.array([k for k, label in enumerate(contact.entries) if label.rsplit(".", 1)[-1] == AXES[2]])
    friction = quantities.get("friction", contact=contact.name)
    for quantity, which, scale in ((force, normal, size), (friction, np.arange(friction.size), _scale(friction, size))):
        if len(which):
            zero, large, sizes = np.zeros(len(which)), np.full(len(which), np.inf), np.full(len(which), scale)
            # forces are straight lines between knots where the path is cubic, and cones are convex
            found.append(Limit(quantity, which, zero, large, sizes, during=during, knots=basis.degree <= 3))
    return [replace(limit, contact=contact.name) for limit in found]


def _implies(timing: Phases, other: Contact, contact: Contact, side: int) -> bool:
    """Return whether another contact holds all points of one at its begin (0) or at its end (1), where phases meet."""
    one, two = timing.run(contact.during), timing.run(other.during)
    if other.name == contact.name or contact.placed or one is None or two is None:
        return False
    same = other.touch.link == contact.touch.link and other.surface == contact.surface
    if not same or (two[1] != one[0] if side == 0 else two[0] != one[1]):
        return False
    points, others = set(contact.touch.points), set(other.touch.points)
    return points < others or (points == others and side == 0)  # of two equal ones, the first has the equations


def _equation(quantity: Quantity, which: np.ndarray, scale: float, **when: Any) -> Limit:
    return Limit(quantity, which, np.zeros(len(which)), np.zeros(len(which)), np.full(len(which), scale), **when)


def _only(timing: Phases, number: int) -> tuple[int, ...] | None:
    return (number,) if timing.named and len(timing) > 1 else None


def _scale(friction: Quantity, weight: float) -> float:
    return weight**2 if friction.unit == "N^2" else weight


def _felt(robot: DrivenRobot, contact: Contact) -> Contact:
    """Return a contact without components of forces along which its points never move, such as those across a planar robot.

    Its gap along such a direction gets no row either, and its place there is where the points are.
    """
    where = surface_position(robot, contact)
    rng = np.random.default_rng(0)
    state = State(tuple(rng.uniform(-1.0, 1.0, (POSES, where.n)) for _ in range(ORDERS)))
    y, D = where.values(state).reshape(POSES, -1, 3), where.derivatives(state)[0].reshape(POSES, -1, 3, where.n)
    size = np.abs(D).max(initial=1e-300)

    def moves(slope: np.ndarray) -> bool:
        return bool(np.abs(slope).max() > NONE * size)

    x, across, turn = moves(D[:, 0, 0]), moves(D[:, 0, 1]), False
    place, rows = list(contact.place), [2]
    if len(contact.tips) > 1:
        way, slope = y[:, 1] - y[:, 0], D[:, 1] - D[:, 0]
        turn = moves(way[:, 0, None] * slope[:, 1] - way[:, 1, None] * slope[:, 0])
        heading = np.arctan2(way[0, 1], way[0, 0])
        place[2] = place[2] if turn or place[2] is not None else float(heading)
        rows += [3, *([4] if turn else []), *([5] if len(contact.tips) > 2 else [])]
    for k, free in enumerate((x, across)):
        rows += [k] if free else []
        place[k] = place[k] if free or place[k] is not None else float(y[0, 0, k])
    if not moves(D[:, :, 2]):
        raise StateError(
            f"contact {contact.name!r}: no joint of {robot.name!r} moves {contact.touch.link!r} toward the surface; the contact "
            "cannot be reached or left"
        )
    kept = tuple(c for c, is_kept in enumerate((x or turn, across or turn, True)) if is_kept)
    touch = contact.touch._replace(components=kept)
    return replace(contact, touch=touch, place=tuple(place), rows=tuple(sorted(rows)))
