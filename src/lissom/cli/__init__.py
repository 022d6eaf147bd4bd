"""The command `lissom`: what can be done with a robot from a shell.

Commands import what they need when they run, so that `lissom --help` is quick.
"""

from .app import app as app
from .app import main as main
