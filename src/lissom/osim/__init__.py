"""OpenSim's steps on its own models and files: tables, loads, scaling, inverse kinematics and dynamics.

Example:
    >>> model = lissom.osim.read("subject01.osim")
    >>> fit = lissom.osim.inverse_kinematics(model, lissom.osim.read_trc("walk.trc"))
    >>> loads = lissom.osim.read_loads("grf.xml")
    >>> torques = lissom.osim.inverse_dynamics(model, fit.table, loads, cutoff=6.0)
    >>> lissom.osim.write_table(torques.table, "torques.sto")
"""

from .actuators import Actuator, read_actuators
from .analyze_setup import AnalyzeSetup, read_analyze_setup
from .c3d import read_c3d, read_force_plates
from .center_of_mass import center_of_mass
from .force_plates import ForcePlates
from .inverse_dynamics import Torques, inverse_dynamics
from .inverse_kinematics import Fit, inverse_kinematics
from .loads import Load, Loads, read_loads
from .loads_file import write_loads
from .marker_sets import with_markers
from .measured import measured
from .model import OsimModel, read
from .motion import Motion, motion_of
from .placing import Placement, place_markers
from .scale_setup import Scaled, ScaleSetup, follow_scale_setup, read_scale_setup
from .scaling import Measurement, Scaling, read_scaling, scale, scale_factors
from .storage import read_table, write_table
from .table import Table
from .tasks import Tasks, read_tasks
from .tool_setups import IdSetup, IkSetup, read_id_setup, read_ik_setup
from .trc import Markers, read_trc, write_trc
from .writing import write

__all__ = [
    "Actuator",
    "AnalyzeSetup",
    "Fit",
    "ForcePlates",
    "IdSetup",
    "IkSetup",
    "Load",
    "Loads",
    "Markers",
    "Measurement",
    "Motion",
    "OsimModel",
    "Placement",
    "ScaleSetup",
    "Scaled",
    "Scaling",
    "Table",
    "Tasks",
    "Torques",
    "center_of_mass",
    "follow_scale_setup",
    "inverse_dynamics",
    "inverse_kinematics",
    "measured",
    "motion_of",
    "place_markers",
    "read",
    "read_actuators",
    "read_analyze_setup",
    "read_c3d",
    "read_force_plates",
    "read_id_setup",
    "read_ik_setup",
    "read_loads",
    "read_scale_setup",
    "read_scaling",
    "read_table",
    "read_tasks",
    "read_trc",
    "scale",
    "scale_factors",
    "with_markers",
    "write",
    "write_loads",
    "write_table",
    "write_trc",
]


def __dir__() -> list[str]:
    return __all__
