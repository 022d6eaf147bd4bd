"""The tree of moving bodies that the recursions work on, and the passes that make it cheap."""

from .lump import lump as lump
from .reframe import reframe as reframe
from .regroup import regroup as regroup
from .tree import BASE as BASE
from .tree import Body as Body
from .tree import Elastic as Elastic
from .tree import Tree as Tree
