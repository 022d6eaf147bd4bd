"""Operations: functions of a robot with derivatives of any order, for libraries that differentiate, such as torch and jax."""

from .chosen import Chosen as Chosen
from .chosen import Functions as Functions
from .closure import Closure as Closure
from .front import FunctionOn as FunctionOn
from .front import RobotOn as RobotOn
from .operation import Operation as Operation
from .parameters import ten_parameters as ten_parameters
