"""Parameters of links and drives, in which joint torques are linear, and their identifiable combinations."""

from .base import BaseParameters as BaseParameters
from .base import base_parameters as base_parameters
from .base import from_stack as from_stack
from .base import independent as independent
from .base import random_states as random_states
from .inertial import inertial_parameter_names as inertial_parameter_names
from .inertial import inertial_parameters as inertial_parameters
