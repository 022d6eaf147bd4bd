"""Fatigue of muscles and joints: the three-compartment controller model, endurance times, and motions that are repeated."""

from .compartments import Compartments as Compartments
from .compartments import Course as Course
from .cycle import region_of as region_of
from .joints import ENDURANCE as ENDURANCE
from .joints import JOINTS as JOINTS
from .joints import endurance_time as endurance_time
from .joints import of_joint as of_joint
from .quantities import load as load
from .repeated import Repeated as Repeated
from .repeated import repeat as repeat
