"""Exit codes of the commands, for scripts: one number per outcome.

A status that is added to `lissom.nlp.Status` or `lissom.simulate.Status` needs a line here and in docs/usage/cli.md.
"""

from __future__ import annotations

import errno
from enum import Enum

from ..errors import CompilerError, ConvergenceError, MissingExtraError, SimulationError

SUCCESS = 0
INTERNAL_ERROR = 1  # Python's own, after a traceback
BAD_INPUT = 2  # also typer's code for wrong options
NOT_WRITTEN = 3
NOT_DRAWN = 4
MISSING_PACKAGE = 5
NOT_COMPILED = 6
OUT_OF_MEMORY = 7
INTERRUPTED = 130  # 128 + SIGINT, as shells count
CLOSED_PIPE = 141  # 128 + SIGPIPE

GENERAL = {
    SUCCESS: "success: prediction `solved` or `acceptable`, simulation `finished`",
    INTERNAL_ERROR: "an error inside lissom, with a traceback: please report it",
    BAD_INPUT: "wrong input: a file, a name, a number, an option, or an output that may not be written",
    NOT_WRITTEN: "a result could not be written; the message says where it was saved instead",
    NOT_DRAWN: "a picture, report or animation failed; the numbers were written",
    MISSING_PACKAGE: "an optional package is not installed",
    NOT_COMPILED: "machine code could not be compiled",
    OUT_OF_MEMORY: "memory ran out",
    INTERRUPTED: "Ctrl-C; results so far are saved",
    CLOSED_PIPE: "the reader of standard output closed it",
}
PREDICTIONS = {
    "solved": SUCCESS,
    "acceptable": SUCCESS,
    "feasible": 33,
    "infeasible": 20,
    "unbounded": 21,
    "iteration_limit": 22,
    "time_limit": 23,
    "stopped": 24,
    "interrupted": INTERRUPTED,
    "failed": 25,
    "stuck": 26,
    "restoration_failed": 27,
    "step_failed": 28,
    "evaluation_failed": 29,
    "too_many_equations": 30,
    "out_of_memory": 31,
    "internal_error": 32,
    "limits_broken": 34,
}
SIMULATIONS = {
    "finished": SUCCESS,
    "event": 40,
    "blew_up": 41,
    "stuck": 42,
    "controller_failed": 43,
    "event_missed": 44,
    "interrupted": INTERRUPTED,
}

# no room on the disk, in the quota or in a file; standard output is closed
UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EBADF)


class Reported(KeyboardInterrupt):
    """Ctrl-C that the command has already reported."""


def prediction_code(status: Enum) -> int:
    """Return the exit code of a prediction that ended with this `lissom.nlp.Status`."""
    return PREDICTIONS[status.value]


def simulation_code(status: Enum) -> int:
    """Return the exit code of a simulation that ended with this `lissom.simulate.Status`."""
    return SIMULATIONS[status.value]


def error_code(error: BaseException) -> int:
    """Return the exit code of a command that ended with an error of lissom or of the system."""
    if isinstance(error, SimulationError) and isinstance(error.status, Enum):
        return simulation_code(error.status)
    if isinstance(error, ConvergenceError) and isinstance(status := getattr(error.result, "status", None), Enum):
        return prediction_code(status)
    if isinstance(error, OSError) and error.errno in UNWRITABLE:
        return NOT_WRITTEN
    kinds = {MissingExtraError: MISSING_PACKAGE, CompilerError: NOT_COMPILED, MemoryError: OUT_OF_MEMORY}
    return next((code for kind, code in kinds.items() if isinstance(error, kind)), BAD_INPUT)
