"""OpenSim's steps on its own models and files: tables, external loads and inverse dynamics.

import lissom.osim

model = lissom.osim.read("subject01.osim")
motion = lissom.osim.read_table("walk.mot")
loads = lissom.osim.read_loads("grf.xml")
torques = lissom.osim.inverse_dynamics(model, motion, loads, cutoff=6.0)
lissom.osim.write_table(torques.table, "torques.sto")
"""

from .inverse_dynamics import Torques, inverse_dynamics
from .loads import Load, Loads, read_loads
from .model import OsimModel, read
from .motion import Motion, motion_of
from .storage import read_table, write_table
from .table import Table
from .trc import Markers, read_trc, write_trc

__all__ = [
    "Load",
    "Loads",
    "Markers",
    "Motion",
    "OsimModel",
    "Table",
    "Torques",
    "inverse_dynamics",
    "motion_of",
    "read",
    "read_loads",
    "read_table",
    "read_trc",
    "write_table",
    "write_trc",
]


def __dir__() -> list[str]:
    return __all__
