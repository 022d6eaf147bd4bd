"""MJCF: MuJoCo's XML, compiled by MuJoCo itself in a process of its own, and made into a Model."""

from .read import read_mjcf as read_mjcf
from .read import read_with_home as read_with_home
