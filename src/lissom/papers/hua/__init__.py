"""The experiment of Hua, Poursina and Sanfilippo 2024, section V: an arm with two rigid joints and an elastic one follows a sine.

run                    one simulation, with or without the payload
Reading                what the paper leaves open, and what is chosen for it
survey                 choices changed, one at a time, beside the paper's numbers
plot, plot_lyapunov    figures 3-8, and V with its bound
report                 all of it as an HTML page
"""

from .experiment import PAPER as PAPER
from .experiment import Experiment as Experiment
from .experiment import Reading as Reading
from .experiment import run as run
from .figures import plot as plot
from .figures import plot_lyapunov as plot_lyapunov
from .readings import ASSUMPTIONS as ASSUMPTIONS
from .readings import survey as survey
from .report import errors as errors
from .report import report as report
from .report import torques as torques
