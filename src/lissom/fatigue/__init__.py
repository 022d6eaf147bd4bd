"""Fatigue of muscles and joints: the three-compartment controller model, and published endurance times."""

from .compartments import Compartments as Compartments
from .compartments import Course as Course
from .joints import ENDURANCE as ENDURANCE
from .joints import JOINTS as JOINTS
from .joints import endurance_time as endurance_time
from .joints import of_joint as of_joint
