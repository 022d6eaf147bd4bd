"""WithGround: reactions of the ground that follow from the motion, shared between one or two supports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from ...errors import StateError
from ...robot.check import as_flag
from ..data.channels import Channel
from ..data.ground import Support, double_runs, new_ground
from ..data.surface import Surface
from ..quantities.by_name import LOADED
from .parts import Limit
from .undriven import weight_of
from .with_contacts import WithContacts

INTERNAL = "internal_force"
DEGREE = 2  # of internal forces: their rates are continuous
LENGTH = 1.0  # scale of shares

Stand = str | Support | Mapping[str, Any]  # a link by name, or its anchor with the fields of Support
Supports = Stand | Sequence[Stand] | Mapping[str, Stand | Sequence[Stand]]  # of all the time, or of phases by name


class WithGround(WithContacts):
    """The split ground of a motion problem."""

    undriven: tuple[int, ...]

    def split_ground(
        self,
        supports: Supports,
        *,
        internal: bool = False,
        friction: float = 0.8,
        surface: Surface | Mapping[str, Any] | None = None,
    ) -> Self:
        """Let a surface give what the motion needs, without unknown forces: one support takes all, two share by the lever rule.

        The root has to be undriven. Torques, powers, joint wrenches and torque rates then include the forces; give it after
        phases, and before limits and goals of these. It keeps shares between 0 and 1 and forces within friction. That the links
        rest where they stand is not implied: limit their "link_position", or their "clearance". In phases without a support the
        root's equations of motion hold as without a ground.

        Further quantities: "contact_force" and "contact_force_rate" with contact=, the name of a link; "pressure_point", of all
        or of a link; "ground_force", all of it; "ground_share" with the entries "share" of the leading support and "beside", the
        distance of the pressure point from the line through the anchors [m].

        Args:
            supports: of every phase by name, or of all the time: a link, or two, the rear one first, each as a name or as
                {"link": ..., "point": ..., "to": ..., "height": ...} (`lissom.predict.Support`): the anchor at which it takes its
                share, in the link's frame, at the start and at the end of the phase, and its height over the surface [m]. () for
                none. Anchors matter where there are two.
            internal: add a channel "internal_force", by which two supports push against each other along the line between their
                anchors, over the robot's weight: it has no resultant. It begins and ends at zero.
            friction: coefficient, of a pyramid of four faces inside the friction cone.
            surface: a fixed `lissom.predict.Surface`, its fields by name, or None for the ground z = 0.
        """
        if self.quantities.ground is not None:
            raise StateError("the problem has a ground already")
        if self.contacts or any(channel.load is not None for channel in self.channels):
            raise StateError(
                "split_ground gives all that the motion needs; leave contacts and channels that push links out, or use contacts "
                "alone"
            )
        if not self.undriven:
            raise StateError("split_ground gives what the root needs, but it has a drive; name its joints: undriven=(...)")
        loaded = next((q for q in self.parts.quantities if q.name in LOADED), None)
        if loaded is not None:
            raise StateError(f"{loaded.name} is limited or minimized already; call split_ground before")
        weight = weight_of(self.robot)
        found = new_ground(self.robot, self.timing, supports, surface, friction, as_flag(internal, "internal"), weight)
        quantities = self.quantities
        limits: list[Limit] = []
        if internal:
            runs = double_runs(found.stands)
            names = [INTERNAL] if len(runs) == 1 else [f"{INTERNAL}_{k + 1}" for k in range(len(runs))]
            for name, (first, last) in zip(names, runs, strict=True):
                if name in quantities.names:
                    raise StateError(f"there is a quantity {name!r} already; call split_ground before")
                run = None if (first, last) == (0, len(self.timing)) else (first, last)
                channel = Channel(name, ("h",), ("weights",), min(DEGREE, self.basis.degree), run=run)
                quantities = quantities.with_channel(channel, ())
                for number, at in ((first, 0.0), (last - 1, 1.0)):
                    only = (number,) if len(self.timing) > 1 else None
                    limits.append(_limit(quantities.get(name), [0], 0.0, 0.0, 1.0, at=np.array([at]), during=only))
            found = type(found)(found.ground, found.stands, found.timing, found.surface, found.friction, tuple(names))
        self.quantities = quantities = quantities.with_ground(found)
        if double := found.numbers(count=2):
            limits.append(_limit(quantities.get("ground_share"), [0], 0.0, 1.0, LENGTH, during=found.during(double)))
        for link in found.ground.links:
            during = found.during(found.numbers(link))
            limits.append(_limit(quantities.get("friction", contact=link), range(4), 0.0, np.inf, weight, during=during))
        self.parts.limits += limits
        return self


def _limit(quantity: Any, which: Any, lower: float, upper: float, scale: float, **when: Any) -> Limit:
    entries = np.array(which)
    low, high, size = (np.full(len(entries), x) for x in (lower, upper, scale))
    return Limit(quantity, entries, low, high, size, **when)
