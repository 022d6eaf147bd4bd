"""Parameters of links and drives, in which joint torques are linear, and their identifiable combinations."""

from .base import BaseParameters as BaseParameters
from .base import base_parameters as base_parameters
from .inertial import inertial_parameter_names as inertial_parameter_names
from .inertial import inertial_parameters as inertial_parameters
