"""The tree of moving bodies for the recursions, and the passes that reduce its operations."""

from .lump import lump as lump
from .reframe import reframe as reframe
from .regroup import regroup as regroup
from .tree import BASE as BASE
from .tree import Body as Body
from .tree import Elastic as Elastic
from .tree import Tree as Tree
