"""The command-line tool `lissom`.

Commands import their modules when they run, so that `lissom --help` is quick.
"""

from .app import app as app
from .app import main as main
