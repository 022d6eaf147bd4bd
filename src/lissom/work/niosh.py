"""The revised NIOSH lifting equation (Waters, Putz-Anderson, Garg and Fine 1993; applications manual, NIOSH publication 94-110).

    RWL = LC HM VM DM AM FM CM,    LI = L / RWL

Symbols: RWL recommended weight limit | LC load constant | HM, VM, DM, AM multipliers of the horizontal and vertical place of the
hands, of the vertical distance and of asymmetry | FM, CM of frequency and coupling, from tables | LI lifting index | L load

The manual has two sets of constants, in kilograms and centimeters and in pounds and inches; they differ by up to 1 %.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..errors import StateError, suggest

COUPLINGS = {"good": (1.0, 1.0), "fair": (0.95, 1.0), "poor": (0.9, 0.9)}  # below and from the height of a table on
WIDEST = 135.0  # [deg] of asymmetry
LONGEST = 8.0  # [h]
# lifts per minute, and multipliers for work of up to 1, 2 and 8 hours, each with hands below and from the height of a table on;
# the manual's table 5, compared with copies in two public programs
FREQUENCIES = np.array(
    [
        (0.2, 1.00, 1.00, 0.95, 0.95, 0.85, 0.85),
        (0.5, 0.97, 0.97, 0.92, 0.92, 0.81, 0.81),
        (1, 0.94, 0.94, 0.88, 0.88, 0.75, 0.75),
        (2, 0.91, 0.91, 0.84, 0.84, 0.65, 0.65),
        (3, 0.88, 0.88, 0.79, 0.79, 0.55, 0.55),
        (4, 0.84, 0.84, 0.72, 0.72, 0.45, 0.45),
        (5, 0.80, 0.80, 0.60, 0.60, 0.35, 0.35),
        (6, 0.75, 0.75, 0.50, 0.50, 0.27, 0.27),
        (7, 0.70, 0.70, 0.42, 0.42, 0.22, 0.22),
        (8, 0.60, 0.60, 0.35, 0.35, 0.18, 0.18),
        (9, 0.52, 0.52, 0.30, 0.30, 0.00, 0.15),
        (10, 0.45, 0.45, 0.26, 0.26, 0.00, 0.13),
        (11, 0.41, 0.41, 0.00, 0.23, 0.00, 0.00),
        (12, 0.37, 0.37, 0.00, 0.21, 0.00, 0.00),
        (13, 0.00, 0.34, 0.00, 0.00, 0.00, 0.00),
        (14, 0.00, 0.31, 0.00, 0.00, 0.00, 0.00),
        (15, 0.00, 0.28, 0.00, 0.00, 0.00, 0.00),
    ]
)


class System(NamedTuple):
    """The manual's constants in a system of units; lengths as users give them, in meters or inches."""

    load: float  # LC
    near: float  # smallest horizontal distance
    far: float  # largest
    table: float  # height that is best
    drop: float  # of VM per length away from it
    high: float  # largest height and distance
    distance: float  # of DM


SYSTEMS = {
    "metric": System(23.0, 0.25, 0.63, 0.75, 0.3, 1.75, 0.045),
    "us": System(51.0, 10.0, 25.0, 30.0, 0.0075, 70.0, 1.8),
}


class Multipliers(NamedTuple):
    """Factors of the recommended weight limit, each at most 1: the smallest tells what to change first."""

    horizontal: float
    vertical: float
    distance: float
    asymmetry: float
    frequency: float
    coupling: float


@dataclass(frozen=True)
class WeightLimit:
    """The recommended weight limit of a lift at one of its ends.

    Attributes:
        weight: recommended weight limit (RWL) [kg, or lb]; zero where the equation allows no lift.
        multipliers: its factors.
        load: load constant, 23 kg or 51 lb.
    """

    weight: float
    multipliers: Multipliers
    load: float

    @property
    def without_frequency(self) -> float:
        """Limit of a single lift (FIRWL): that with a frequency multiplier of 1."""
        return self.load * math.prod(self.multipliers._replace(frequency=1.0))

    def index(self, mass: float) -> float:
        """Return the lifting index of a load, its mass over the limit; infinite where no lift is allowed."""
        return mass / self.weight if self.weight > 0.0 else math.inf


def recommended_weight(
    horizontal: float,
    height: float,
    distance: float,
    *,
    asymmetry: float = 0.0,
    frequency: float = 0.2,
    hours: float = 1.0,
    coupling: str = "good",
    origin_height: float | None = None,
    units: str = "metric",
) -> WeightLimit:
    """Return the recommended weight limit of the revised NIOSH lifting equation, at the origin or the destination of a lift.

    Args:
        horizontal: from the middle between the ankles to the middle between the hands [m]; less than 0.25 counts as 0.25.
        height: of the hands above the floor [m].
        distance: that the load is lifted or lowered [m]; less than 0.25 counts as 0.25.
        asymmetry: angle of the load from straight ahead [deg].
        frequency: lifts per minute, the mean of 15 minutes; less than 0.2 counts as 0.2.
        hours: of lifting without long rests [h], up to 1, 2 or 8.
        coupling: of hands and load: "good", "fair" or "poor".
        origin_height: of the hands at the origin [m], where `height` is that at the destination: the manual takes the
            frequency's multiplier at the origin.
        units: "metric" for meters and kilograms, "us" for inches and pounds.

    Raises:
        StateError: a number that the equation is not for.
    """
    if units not in SYSTEMS:
        raise StateError(f"units are {units!r}; {suggest(units, SYSTEMS)}")
    if coupling not in COUPLINGS:
        raise StateError(f"coupling is {coupling!r}; {suggest(coupling, COUPLINGS)}")
    of = SYSTEMS[units]
    start = height if origin_height is None else origin_height
    given = {"horizontal": horizontal, "height": height, "distance": distance, "asymmetry": asymmetry, "frequency": frequency}
    for name, value in (given | {"origin_height": start}).items():
        if not (math.isfinite(value) and value >= 0.0):
            raise StateError(f"{name} is {value!r}, expected zero or more")
    if not 0.0 < hours <= LONGEST:
        raise StateError(f"hours are {hours!r}, expected more than 0, and at most {LONGEST:g}: the equation has no limits beyond")
    low = height < of.table
    found = Multipliers(
        0.0 if horizontal > of.far else of.near / max(horizontal, of.near),
        0.0 if height > of.high else 1.0 - of.drop * abs(height - of.table),
        0.0 if distance > of.high else 0.82 + of.distance / max(distance, of.near),
        0.0 if asymmetry > WIDEST else 1.0 - 0.0032 * asymmetry,
        frequency_multiplier(frequency, hours, start < of.table),
        COUPLINGS[coupling][0 if low else 1],
    )
    return WeightLimit(of.load * math.prod(found), found, of.load)


def frequency_multiplier(frequency: float, hours: float, low: bool) -> float:
    """Return FM of so many lifts per minute for so many hours, with hands below the height of a table (`low`) or not.

    Between the table's rows it is interpolated; beyond the last that allows a lift it is zero.
    """
    column = 1 + 2 * (0 if hours <= 1.0 else 1 if hours <= 2.0 else 2) + (0 if low else 1)
    rows = FREQUENCIES[FREQUENCIES[:, column] > 0.0]
    if frequency > rows[-1, 0]:
        return 0.0
    return float(np.interp(frequency, rows[:, 0], rows[:, column]))


class Part(NamedTuple):
    """A task of a job with several, as `composite_index` takes it.

    Attributes:
        limit: of its worse end.
        mass: of the load [kg, or lb].
        frequency: lifts per minute.
        low: whether hands start below the height of a table.
        largest: mass of the heaviest load, where loads differ; None for `mass`.
    """

    limit: WeightLimit
    mass: float
    frequency: float
    low: bool
    largest: float | None = None


def composite_index(parts: Sequence[Part], hours: float) -> float:
    """Return the composite lifting index (CLI) of tasks that are mixed over so many hours.

    It is the largest index of a single task, and what every other adds by its frequency, from hard to easy.

    Raises:
        StateError: there are no tasks.
    """
    if not parts:
        raise StateError("there are no tasks; give one or more")
    order = sorted(parts, key=lambda part: (-part.limit.index(part.mass), -part.frequency))
    total, together = order[0].limit.index(order[0].mass), order[0].frequency
    for part in order[1:]:
        before, together = together, together + part.frequency
        less, more = (frequency_multiplier(f, hours, part.low) for f in (before, together))
        alone = part.limit.without_frequency
        if not (alone > 0.0 and less > 0.0 and more > 0.0):
            return math.inf
        heaviest = part.mass if part.largest is None else part.largest
        total += heaviest / alone * (1.0 / more - 1.0 / less)
    return total
