"""Pictures of results; nothing in the core imports this."""

from .plot import plot_torques as plot_torques
from .plot import plot_wrenches as plot_wrenches
