"""Muscles: paths around surfaces, lengths and moment arms, Hill-type forces and metabolic power, as compiled programs."""

from .activation import activation_rate as activation_rate
from .activation import first_order_rate as first_order_rate
from .degroote import DeGrooteFregly as DeGrooteFregly
from .energy import muscle_mass as muscle_mass
from .energy import umberger as umberger
from .formula import muscle_torques as muscle_torques
from .from_osim import path_ratios as path_ratios
from .from_osim import read_muscles as read_muscles
from .hill import fiber_length_at_rest as fiber_length_at_rest
from .hill import fiber_velocity as fiber_velocity
from .hill import rigid_force as rigid_force
from .millard import Millard as Millard
from .muscle import Curves as Curves
from .muscle import Muscle as Muscle
from .muscles import Analysis as Analysis
from .muscles import Muscles as Muscles
from .path import Moving as Moving
from .path import Path as Path
from .path import Point as Point
from .path import Surface as Surface
from .path import When as When
from .path import Wrap as Wrap
from .static_optimization import Shared as Shared
from .static_optimization import static_optimization as static_optimization
from .thelen import Thelen as Thelen
