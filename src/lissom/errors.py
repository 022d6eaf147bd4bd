"""Every error that lissom raises on purpose, with one base class, and its warnings.

A message says what was wrong, what was expected and what to do; the data behind it are attributes, so that a program can act
on an error without reading its text.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any

LONGEST = 100  # characters of a name that is compared, or listed whole
MANY = 1000  # names that are compared


class LissomError(Exception):
    """Base class of all errors raised by lissom; they can be copied, and pickled to come from another process."""

    def __reduce__(self) -> tuple[Any, ...]:
        # constructors compose the text from other arguments: a copy gets the text and the attributes without them
        return _restore, (type(self), self.args), dict(self.__dict__)


class ModelError(LissomError, ValueError):
    """A description of a mechanism that cannot be one: a cycle, a negative mass, a repeated name."""


class FileError(LissomError, ValueError):
    """A file that could not be understood.

    Attributes:
        path: the file, as the caller gave it.
        line: line number, counted from 1, or None where the whole file is meant.
    """

    def __init__(self, message: str, path: object = None, line: int | None = None) -> None:
        self.path, self.line = path, line
        where = "" if path is None else f"{path}:{line}: " if line is not None else f"{path}: "
        super().__init__(where + message)


class StateError(LissomError, ValueError):
    """An array handed to a robot that has the wrong size, type or content."""


class SingularityError(StateError):
    """A pose at which a closed robot has no answer.

    Attributes:
        singularity: what is lost there, a `lissom.closed.Singularity`: its kind, the direction, and the joints that take part.
        sample: index of the pose in a batch, or None.
    """

    def __init__(self, message: str, singularity: Any = None, sample: tuple[int, ...] | None = None) -> None:
        self.singularity, self.sample = singularity, sample
        super().__init__(message)


class NameLookupError(LissomError, KeyError):
    """A name that is not in the robot.

    Attributes:
        name: what was asked for.
        choices: the names that exist.
    """

    def __init__(self, what: str, name: str, choices: Iterable[str], where: str = "") -> None:
        self.name, self.choices = name, tuple(choices)
        super().__init__(f"no {what} {name!r}{where}; {suggest(name, self.choices)}")

    def __str__(self) -> str:  # KeyError would print the repr
        return str(self.args[0])


class ContradictionError(StateError):
    """Two limits of a motion problem that exclude each other.

    Attributes:
        other: number of the earlier one, in the order in which they were given.
    """

    def __init__(self, message: str, other: int) -> None:
        self.other = other
        super().__init__(message)


class TimingError(LissomError, ValueError):
    """No motion along a path keeps to its limits.

    Attributes:
        s: where on the path, 0 ... 1.
        joint: name of the joint whose limit stands in the way, or None where no single one does.
        limit: "velocity", "acceleration", "torque" or "torque_rate", or None.
    """

    def __init__(self, message: str, s: float, joint: str | None = None, limit: str | None = None) -> None:
        self.s, self.joint, self.limit = s, joint, limit
        super().__init__(message)


class NlpError(LissomError, ValueError):
    """A nonlinear program, a start or an option of a solver that makes no sense."""


class CompilerError(LissomError, RuntimeError):
    """The compiler could not make machine code, or a program failed its own verification."""


class ConvergenceError(LissomError, RuntimeError):
    """A search that ended before its goal.

    Attributes:
        result: what it found, with a status that tells why it ended.
    """

    def __init__(self, message: str, result: object = None) -> None:
        self.result = result
        super().__init__(message)


class PredictionError(ConvergenceError):
    """A motion problem for which no motion was found that keeps its limits.

    Attributes:
        prediction: the best motion found, with its status and advice; also `result`.
    """

    @property
    def prediction(self) -> Any:
        """The best motion found."""
        return self.result


class MissingExtraError(LissomError, ImportError):
    """An optional package is needed for this and is not installed.

    Attributes:
        package: the one that is missing.
        extra: the extra of lissom that installs it, or None.
    """

    def __init__(self, package: str, extra: str | None, purpose: str) -> None:
        self.package, self.extra = package, extra
        what = package if extra is None else f"'lissom[{extra}]'"
        super().__init__(f"{purpose} needs the package {package!r}; install it with: pip install {what}")

    def __reduce__(self) -> tuple[Any, ...]:
        restore, arguments, state = super().__reduce__()
        return restore, arguments, {**state, "msg": self.msg}  # ImportError keeps its text twice


class SimulationError(LissomError, RuntimeError):
    """A simulation that could not go on.

    Attributes:
        status: what happened, a `lissom.simulate.Status`; `status.advice` says what to do.
        time: when [s].
        joint: name of the coordinate or velocity where it showed, or None.
        trajectory: everything up to then, a `lissom.Trajectory`.
    """

    def __init__(self, message: str, status: Any, time: float, joint: str | None = None) -> None:
        self.status, self.time, self.joint = status, time, joint
        self.trajectory: Any = None
        super().__init__(message)


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a long computation, with what was computed until then.

    Being a KeyboardInterrupt, it ends a program like any other Ctrl-C; `except lissom.Interrupted as stopped` keeps the work.

    Attributes:
        result: everything up to then: a `lissom.Trajectory` or `lissom.closed.ClosedTrajectory` of a simulation, a
            `lissom.Prediction` of a motion problem; None where there is nothing yet.
    """

    def __init__(self, message: str = "stopped from the keyboard", result: Any = None) -> None:
        self.result = result
        super().__init__(message)


class SimulationWarning(UserWarning):
    """A simulation whose result is probably not what was meant."""


class ModelWarning(UserWarning):
    """A description that can be used but is probably not what its author meant."""


def _restore(kind: type[LissomError], args: tuple[Any, ...]) -> LissomError:
    return kind.__new__(kind, *args)


def is_choice(value: object, choices: Iterable[str]) -> bool:
    """Tell whether a value is one of some texts; arrays and lists, for which `in` may raise, are none of them."""
    return isinstance(value, str) and value in choices


def _comparable(name: str, choices: Iterable[str]) -> list[str]:
    """Return the choices that a name is compared with: not the long ones, and of very many those that begin alike.

    Comparing takes time in proportion to the product of two lengths, and files from strangers may hold a million names.
    """
    if len(name) > LONGEST:
        return []
    found = [choice for choice in choices if len(choice) <= LONGEST]
    if len(found) > MANY:
        found = [choice for choice in found if choice[:2] == name[:2]]
    return found[:MANY]


def suggest(name: str, choices: Iterable[str]) -> str:
    """Return "did you mean 'elbow'?", or the list of what there is when nothing comes close."""
    names = [str(c) for c in choices]
    lowered = {n.lower(): n for n in names}
    close = difflib.get_close_matches(str(name).lower(), _comparable(str(name).lower(), lowered), n=3, cutoff=0.6)
    if close:
        return "did you mean " + " or ".join(repr(lowered[c]) for c in close) + "?"
    if not names:
        return "there are none"
    shown = ", ".join(repr(n if len(n) <= LONGEST else f"{n[:LONGEST]}..") for n in names[:12])
    return f"there is {shown}" + (f" and {len(names) - 12} more" if len(names) > 12 else "")
