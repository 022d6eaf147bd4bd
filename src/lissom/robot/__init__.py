"""Robot: its methods, one file for each kind of function."""

from .robot import Robot as Robot
