"""Controllers: objects with a method torque(t, q, qd) that `Robot.simulate` calls, and references to follow.

    ComputedTorque    rigid robots: inverse dynamics and linear feedback
    PDGravity         rigid and elastic robots: to a point, by springs and dampers at the motors
    MixedControl      rigid and elastic joints together: Hua 2024, section IV
    ElasticFeedback   all joints elastic: feedback linearization
Each states the condition for its stability, and has a Lyapunov function that can be evaluated along a motion.
`load_scenario` reads robot, start, reference and controller from a file; `track` compares a motion with its reference.
"""

from .builtin import builtin_scenarios as builtin_scenarios
from .computed_torque import ComputedTorque as ComputedTorque
from .elastic_feedback import ElasticFeedback as ElasticFeedback
from .mixed import MixedControl as MixedControl
from .pd_gravity import PDGravity as PDGravity
from .read import load_scenario as load_scenario
from .reference import Hold as Hold
from .reference import Reference as Reference
from .reference import Sine as Sine
from .reference import as_reference as as_reference
from .scenario import Scenario as Scenario
from .tracking import Tracking as Tracking
from .tracking import track as track

__all__ = [
    "ComputedTorque",
    "ElasticFeedback",
    "Hold",
    "MixedControl",
    "PDGravity",
    "Reference",
    "Scenario",
    "Sine",
    "Tracking",
    "as_reference",
    "builtin_scenarios",
    "load_scenario",
    "track",
]


def __dir__() -> list[str]:
    return __all__
