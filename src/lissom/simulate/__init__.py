"""Simulation: motions under given torques. The entry point is `Robot.simulate`."""

from .events import Event as Event
from .events import Occurrence as Occurrence
from .inputs import Controller as Controller
from .inputs import Held as Held
from .inputs import Interpolated as Interpolated
from .problem import METHODS as METHODS
from .status import Status as Status
from .trajectory import State as State
from .trajectory import Trajectory as Trajectory

__all__ = [
    "Controller",
    "Event",
    "Held",
    "Interpolated",
    "METHODS",
    "Occurrence",
    "State",
    "Status",
    "Trajectory",
]


def __dir__() -> list[str]:
    return __all__
