"""Inverse kinematics: configurations that put a link where it is wanted. Plain NumPy on a robot's own functions."""

from .result import IKResult as IKResult
from .result import IKStatus as IKStatus
from .solve import Settings as Settings
from .solve import solve as solve
from .target import Target as Target
