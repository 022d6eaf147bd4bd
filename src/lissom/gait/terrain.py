"""Terrain: level ground, a slope or stairs, and where feet stand on it, step by step."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

from ..errors import StateError
from ..model.pose import Vector3
from ..predict import Surface
from ..view.scene.world import Obstacle

STEEPEST = 0.4  # of slopes, rise over run
RISES, RUNS = (0.05, 0.25), (0.2, 0.45)  # [m] of stairs, up and down
EDGE = 0.015  # [m] from the edge of a tread to the heel that stands on it
WIDE, THICK = 0.9, 0.02  # [m] of what is drawn of the ground
PARTS = ("loading", "transfer", "stance", "heel_rise")


@dataclass(frozen=True)
class Terrain:
    """The ground that a person walks on.

    Attributes:
        slope: rise over run, negative downhill.
        stairs: rise of a step, negative downstairs, and its run [m].
    """

    slope: float = 0.0
    stairs: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        if not _number(self.slope) or abs(self.slope) > STEEPEST:
            raise StateError(
                f"slope is {self.slope!r}, expected rise over run, -{STEEPEST:g} to {STEEPEST:g} (0.1 rises 10 m in 100 m)"
            )
        if self.stairs is None:
            return
        try:
            rise, run = self.stairs
            known = _number(rise) and _number(run)
        except (TypeError, ValueError):
            known = False
        if not known or not RISES[0] <= abs(rise) <= RISES[1] or not RUNS[0] <= run <= RUNS[1]:
            raise StateError(
                f"stairs are {self.stairs!r}, expected rise and run of a step [m], such as (0.17, 0.29): rises {RISES[0]:g} to "
                f"{RISES[1]:g} m, negative downstairs, runs {RUNS[0]:g} to {RUNS[1]:g} m"
            )
        if self.slope:
            raise StateError("slope= and stairs= are both given; expected one of them")
        object.__setattr__(self, "stairs", (float(rise), float(run)))

    @property
    def level(self) -> bool:
        """Whether it neither rises nor falls."""
        return self.stairs is None and self.slope == 0.0

    @property
    def lands(self) -> str:
        """What of a foot is first on the ground: its heel, on stairs its whole sole, downstairs its ball."""
        return "heel" if self.stairs is None else "sole" if self.stairs[0] > 0 else "ball"

    @property
    def pitch(self) -> float:
        """Angle of the soles with the level, positive uphill [rad]."""
        return math.atan(self.slope)

    def rise(self, step: float) -> float:
        """Return how much higher the next foot stands, a step [m] ahead [m]."""
        return self.slope * step if self.stairs is None else self.stairs[0]

    def place(self, number: int, step: float, y: float, along: float = 0.0) -> Vector3:
        """Return a point of the sole of the foot of a step, `along` from its heel, in the world [m]."""
        c, s = math.cos(self.pitch), math.sin(self.pitch)
        return number * step + along * c, y, number * self.rise(step) + along * s

    def surface(self, number: int, step: float) -> Surface:
        """Return the plane that the foot of a step stands on."""
        return Surface(normal=(-math.sin(self.pitch), 0.0, math.cos(self.pitch)), point=self.place(number, step, 0.0))

    def solids(self, step: float) -> list[Obstacle]:
        """Return what is drawn of the ground of two steps: a plate, or treads; nothing of level ground."""
        if self.level:
            return []
        c, s = math.cos(self.pitch), math.sin(self.pitch)
        if self.stairs is None:
            middle = self.place(1, step, 0.0)
            center = (middle[0] + THICK / 2 * s, 0.0, middle[2] - THICK / 2 * c)
            axes = ((c, 0.0, -s), (0.0, 1.0, 0.0), (s, 0.0, c))
            return [Obstacle(center, 0.0, "slope", size=(4.0 * step, WIDE, THICK), axes=axes)]
        high = abs(self.rise(step))
        places = [((k + 0.5) * step - EDGE, 0.0, k * self.rise(step) - high / 2) for k in range(-1, 3)]
        return [Obstacle(place, 0.0, "tread", size=(step, WIDE, high)) for place in places]

    def edge(self, number: int, step: float) -> tuple[float, float]:
        """Return the edge of the stairs between the treads of a step and of the one before, x and z [m]."""
        rise = self.rise(step)
        return number * step - EDGE, (number if rise > 0 else number - 1) * rise


class Stage(NamedTuple):
    """A step of a walk: which foot leads, from its strike to that of the other.

    Attributes:
        number: of the step, from 0; its foot stands there, the other one step behind.
        lead, rear: "right" and "left", or the other way round.
        prefix: of the names of its phases.
    """

    number: int
    lead: str = "right"
    rear: str = "left"
    prefix: str = ""

    def names(self, *parts: str) -> list[str]:
        """Return the names of phases."""
        return [self.prefix + part for part in parts]

    @property
    def side(self) -> float:
        """+1 where the leading foot is the left one."""
        return 1.0 if self.lead == "left" else -1.0


def stages(steps: int) -> tuple[Stage, ...]:
    """Return the steps of a walk: one, whose mirror image is the next, or two."""
    if steps == 1:
        return (Stage(0),)
    return Stage(0, "right", "left", "right_"), Stage(1, "left", "right", "left_")


def _number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
