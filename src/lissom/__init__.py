"""lissom: robot dynamics and motion prediction, compiled for each robot.

>>> import lissom
>>> robot = lissom.robots.stanford()
>>> tau = robot.inverse_dynamics(q=[0.0] * 6, qd=[0.0] * 6, qdd=[0.0] * 6)
"""

from typing import TYPE_CHECKING

from . import robots as robots
from . import simulate as simulate
from .compiler.cuda.backend import CUDA as CUDA
from .compiler.threads import get_threads as get_threads
from .compiler.threads import set_threads as set_threads
from .errors import CompilerError as CompilerError
from .errors import ContactError as ContactError
from .errors import ContradictionError as ContradictionError
from .errors import ConvergenceError as ConvergenceError
from .errors import DeviceError as DeviceError
from .errors import FileError as FileError
from .errors import IdentificationError as IdentificationError
from .errors import Interrupted as Interrupted
from .errors import LissomError as LissomError
from .errors import MissingExtraError as MissingExtraError
from .errors import ModelError as ModelError
from .errors import ModelWarning as ModelWarning
from .errors import NameLookupError as NameLookupError
from .errors import NlpError as NlpError
from .errors import PredictionError as PredictionError
from .errors import SimulationError as SimulationError
from .errors import SimulationWarning as SimulationWarning
from .errors import SingularityError as SingularityError
from .errors import StateError as StateError
from .errors import TimingError as TimingError
from .errors import TooFarError as TooFarError
from .inverse_kinematics import IKResult as IKResult
from .inverse_kinematics import IKStatus as IKStatus
from .loading.load import load as load
from .model import Box as Box
from .model import Capsule as Capsule
from .model import Coupling as Coupling
from .model import Cylinder as Cylinder
from .model import Ellipsoid as Ellipsoid
from .model import ForceElement as ForceElement
from .model import Friction as Friction
from .model import Inertia as Inertia
from .model import Joint as Joint
from .model import JointKind as JointKind
from .model import Limits as Limits
from .model import Link as Link
from .model import Loop as Loop
from .model import LoopKind as LoopKind
from .model import Mesh as Mesh
from .model import Model as Model
from .model import Motor as Motor
from .model import PointSpring as PointSpring
from .model import Pose as Pose
from .model import Shape as Shape
from .model import Sphere as Sphere
from .model import Spring as Spring
from .robot import Robot as Robot
from .simulate import Trajectory as Trajectory
from .version import VERSION
from .wrench import BaseMotion as BaseMotion
from .wrench import Wrench as Wrench
from .wrench import WrenchRate as WrenchRate

__version__ = VERSION

if TYPE_CHECKING:
    from . import closed as closed
    from . import control as control
    from . import fatigue as fatigue
    from . import gait as gait
    from . import identify as identify
    from . import muscles as muscles
    from . import nlp as nlp
    from . import osim as osim
    from . import predict as predict
    from . import read as read
    from . import spline as spline
    from . import study as study
    from . import tasks as tasks
    from . import timing as timing
    from . import view as view
    from . import work as work
    from . import write as write
    from .closed import ClosedRobot as ClosedRobot
    from .closed import ParallelRobot as ParallelRobot
    from .predict import MotionProblem as MotionProblem
    from .predict import Prediction as Prediction
    from .spline import SplinePath as SplinePath
else:
    _MODULES = (
        "closed",
        "control",
        "fatigue",
        "gait",
        "identify",
        "muscles",
        "nlp",
        "osim",
        "predict",
        "read",
        "spline",
        "study",
        "tasks",
        "timing",
        "view",
        "work",
        "write",
    )
    _HOMES = {"MotionProblem": "predict", "Prediction": "predict", "SplinePath": "spline"}
    _HOMES |= {"ClosedRobot": "closed", "ParallelRobot": "closed"}

    def __getattr__(name):
        # these are imported on first use, so that `import lissom` stays fast
        import importlib

        if name in _MODULES:
            return importlib.import_module(f".{name}", __name__)
        if name in _HOMES:
            return getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__():
        from types import ModuleType

        hidden = {name for name, value in globals().items() if isinstance(value, ModuleType)} | {"TYPE_CHECKING", "VERSION"}
        return sorted({*globals()} - hidden | {*_HOMES, *_MODULES, "robots", "simulate"})
