"""MJCF: MuJoCo's XML, compiled by MuJoCo in a separate process, and converted to a Model."""

from .read import read_mjcf as read_mjcf
from .read import read_with_home as read_with_home
