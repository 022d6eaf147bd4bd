"""What joint forces are linear in: the parameters of links and drives, and the combinations of them that can be identified."""

from .base import BaseParameters as BaseParameters
from .base import base_parameters as base_parameters
from .inertial import inertial_parameter_names as inertial_parameter_names
from .inertial import inertial_parameters as inertial_parameters
