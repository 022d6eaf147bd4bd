"""Plots, pictures, films and reports of results."""

from .control import plot_control as plot_control
from .motion import plot_trajectory as plot_trajectory
from .plot import plot_torques as plot_torques
from .plot import plot_wrenches as plot_wrenches
from .show import ShowOptions as ShowOptions

__all__ = [
    "ShowOptions",
    "plot_control",
    "plot_torques",
    "plot_trajectory",
    "plot_wrenches",
]


def __dir__() -> list[str]:
    return __all__
