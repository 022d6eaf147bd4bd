"""The front door: Robot, made of one file for each kind of question that it answers."""

from .robot import Robot as Robot
