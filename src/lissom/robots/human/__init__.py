"""A person as a robot: 55 degrees of freedom, segments after de Leva, ranges and strengths from published sources."""

from .body import Body as Body
from .body import Segment as Segment
from .points import Point as Point
from .robot import Human as Human
from .robot import human as human
from .robot import human_model as human_model
