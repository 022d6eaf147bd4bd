"""Walking and running of people at a given speed, predicted, and compared with measured norms."""

from .energy import measured_cost as measured_cost
from .energy import metabolic_power as metabolic_power
from .norm import Score as Score
from .norm import read_norm as read_norm
from .result import Gait as Gait
from .running import run as run
from .step import gait_of as gait_of
from .walk import predict as predict

__all__ = ["Gait", "Score", "gait_of", "measured_cost", "metabolic_power", "predict", "read_norm", "run"]


def __dir__() -> list[str]:
    return __all__
