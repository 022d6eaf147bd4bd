"""The description of a robot: links, joints, and the frozen Model that contains them."""

from ..joints.function import Polynomial as Polynomial
from ..joints.function import Spline as Spline
from .elements.element import ForceElement as ForceElement
from .elements.point_spring import PointSpring as PointSpring
from .joint import Coupling as Coupling
from .joint import Friction as Friction
from .joint import Joint as Joint
from .joint import JointKind as JointKind
from .joint import Limits as Limits
from .link import Inertia as Inertia
from .link import Link as Link
from .loop import Loop as Loop
from .loop import LoopKind as LoopKind
from .model import EARTH as EARTH
from .model import Model as Model
from .motion import Motion as Motion
from .motor import Motor as Motor
from .pose import IDENTITY as IDENTITY
from .pose import Pose as Pose
from .spring import Spring as Spring
