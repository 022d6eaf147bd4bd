"""Inverse kinematics: configurations that move a link to a target. Plain NumPy on a robot's functions."""

from .result import IKResult as IKResult
from .result import IKStatus as IKStatus
from .solve import Settings as Settings
from .solve import solve as solve
from .target import Target as Target
