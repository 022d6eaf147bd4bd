"""Payload: mass, center of mass and inertia of a body that a robot carries, from torques; the robot itself is known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..closed import ClosedRobot
from ..errors import IdentificationError
from ..model import Inertia
from ..model.payload import last_link
from ..robot import Robot
from .filtering import Filtering
from .from_motions import solve
from .identification import Identification
from .measurement import Measurement, pieces_of
from .selection import TEN, select_added
from .to_model import inertia_of


@dataclass(frozen=True, eq=False)
class Payload:
    """A body that a robot carries.

    Attributes:
        link: that carries it.
        inertia: mass [kg], center of mass [m] and inertia about it [kg m^2], in the link's frame.
        identification: base parameters with standard errors, residuals, report.
        weight: how many standard errors its mass is from zero; below 3 there may be none. None where the motion does not show the
            mass by itself.
    """

    link: str
    inertia: Inertia
    identification: Identification
    weight: float | None

    def __repr__(self) -> str:
        x, y, z = self.inertia.com
        return f"<Payload on {self.link!r}: {self.inertia.mass:.4g} kg at ({x:z.4f}, {y:z.4f}, {z:z.4f}) m>"

    def _repr_html_(self) -> str:
        from ..view.summary_identified import payload_html

        return payload_html(self)

    @property
    def robot(self) -> Robot | ClosedRobot:
        """The robot with the payload."""
        return self.identification.robot.with_payload(
            self.inertia.mass, self.inertia.com, np.array(self.inertia.tensor), link=self.link
        )


def identify_payload(
    data: Measurement | Sequence[Measurement],
    link: str | None = None,
    *,
    estimate: Sequence[str] | str = (),
    method: str = "weighted",
    filtering: Filtering | None = None,
    spread: float = 10.0,
) -> Payload:
    """Return the body that a robot carries, from the torques of a motion with it; it is a body that can exist.

    Args:
        data: motions of the robot with the payload.
        link: that carries it; None for the last link of a robot with one end.
        estimate: friction, rotors, springs or offsets that may have changed and are estimated too; see `identify`.
        method, filtering, spread: as in `identify`. What the motion does not show of the payload is near that of a ball.

    Raises:
        IdentificationError: the motion does not show the payload, or the data do not fit the robot.
    """
    pieces = pieces_of(data)
    robot = pieces[0].robot
    link = last_link(robot.model) if link is None else link
    found = solve(pieces, select_added(robot, link, estimate), method, filtering or Filtering(), True, spread)
    assert found.consistent is not None
    start = found.selection.links[link]
    ten = found.consistent.values[start : start + TEN]
    mass = [k for k, column in enumerate(found.base.columns) if column == start and np.count_nonzero(found.base.matrix[k]) == 1]
    weight = float(found.values[mass[0]] / found.standard_errors[mass[0]]) if mass else None
    if not ten[0] > 0:
        raise IdentificationError(f"no payload is seen on {link!r}")
    return Payload(link, inertia_of(ten), found, weight)
