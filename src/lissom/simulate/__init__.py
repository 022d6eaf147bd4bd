"""Simulation: motions that forces cause. `Robot.simulate` is the way in."""

from .events import Event as Event
from .events import Occurrence as Occurrence
from .inputs import Controller as Controller
from .inputs import Held as Held
from .inputs import Interpolated as Interpolated
from .problem import METHODS as METHODS
from .status import Status as Status
from .trajectory import State as State
from .trajectory import Trajectory as Trajectory
