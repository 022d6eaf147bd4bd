"""The front door: Robot, made of one file for each kind of question that it answers."""

from .robot import ALGORITHMS as ALGORITHMS
from .robot import Robot as Robot
