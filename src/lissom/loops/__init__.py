"""Mechanisms with loops: assembly, mobility, closure, and their equations of motion."""

from .mobility import Mobility as Mobility
from .robot import ClosedRobot as ClosedRobot
from .singular import Singularity as Singularity
