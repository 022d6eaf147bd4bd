"""Errors and warnings of lissom, with one base class.

A message states what was wrong, what was expected and how to fix it; the data are also attributes, so that a program can act on
an error without parsing its text.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any

import lissom

LONGEST = 100  # characters; longer names are not compared, and listed shortened
MANY = 1000  # most names compared


class LissomError(Exception):
    """Base class of all errors raised by lissom; they can be copied and pickled."""

    def __reduce__(self) -> tuple[Any, ...]:
        # constructors compose the text from other arguments: restore text and attributes without calling them
        return _restore, (type(self), self.args), dict(self.__dict__)


class ModelError(LissomError, ValueError):
    """An invalid description of a robot: a cycle, a negative mass, a repeated name."""


LONGEST = 300  # characters of a name in a message


def shortened(name: str) -> str:
    """Return a name for a message, without its middle where it is too long, such as a text given instead of a file's name."""
    return name if len(name) <= LONGEST else f"{name[: LONGEST // 2]} ... {name[-LONGEST // 4 :]}"


class FileError(LissomError, ValueError):
    """A file that could not be read or written.

    Attributes:
        path: the file, as the caller gave it.
        line: line number from 1, or None for the whole file.
    """

    def __init__(self, message: str, path: object = None, line: int | None = None) -> None:
        self.path, self.line = path, line
        shown = None if path is None else shortened(str(path))
        where = "" if shown is None else f"{shown}:{line}: " if line is not None else f"{shown}: "
        super().__init__(where + message)


class StateError(LissomError, ValueError):
    """An argument of the wrong size, type or value."""


class SingularityError(StateError):
    """A singular pose of a closed robot, without a solution.

    Attributes:
        singularity: a `lissom.closed.Singularity`: its kind, the direction, and the joints involved.
        sample: index of the pose in a batch, or None.
    """

    def __init__(self, message: str, singularity: Any = None, sample: tuple[int, ...] | None = None) -> None:
        self.singularity, self.sample = singularity, sample
        super().__init__(message)


class NameLookupError(LissomError, KeyError):
    """A name that is not in the robot.

    Attributes:
        name: the name asked for.
        choices: the existing names.
    """

    def __init__(self, what: str, name: str, choices: Iterable[str], where: str = "") -> None:
        self.name, self.choices = name, tuple(choices)
        shown = shortened(name) if isinstance(name, str) else name
        super().__init__(f"no {what} {shown!r}{where}; {suggest(name, self.choices)}")

    def __str__(self) -> str:  # KeyError would print the repr
        return str(self.args[0])


class ContradictionError(StateError):
    """Two limits of a motion problem that exclude each other.

    Attributes:
        other: index of the earlier one, in the order given.
    """

    def __init__(self, message: str, other: int) -> None:
        self.other = other
        super().__init__(message)


class ContactError(StateError):
    """Contacts of a motion problem that cannot be reached.

    Attributes:
        contacts: their names.
    """

    def __init__(self, message: str, contacts: tuple[str, ...]) -> None:
        self.contacts = contacts
        super().__init__(message)


class TimingError(LissomError, ValueError):
    """No motion along a path satisfies the limits.

    Attributes:
        s: position on the path, 0 ... 1.
        joint: name of the joint whose limit blocks the motion, or None if it is not a single one.
        limit: "velocity", "acceleration", "torque" or "torque_rate", or None.
    """

    def __init__(self, message: str, s: float, joint: str | None = None, limit: str | None = None) -> None:
        self.s, self.joint, self.limit = s, joint, limit
        super().__init__(message)


class TooFarError(StateError):
    """A scene reaches too far from the origin to be drawn."""


class NlpError(LissomError, ValueError):
    """An invalid nonlinear program, initial guess or solver option."""


class IdentificationError(LissomError, ValueError):
    """Measured data from which parameters cannot be identified.

    Attributes:
        parameters: names of the parameters that they do not show, where this is the cause.
    """

    def __init__(self, message: str, parameters: Iterable[str] = ()) -> None:
        self.parameters = tuple(parameters)
        super().__init__(message)


class CompilerError(LissomError, RuntimeError):
    """The compiler could not produce machine code, or a program failed its verification."""


class DeviceError(CompilerError):
    """A graphics card is not there, or it or its driver failed.

    Attributes:
        code: number of the driver's error, or None.
    """

    def __init__(self, message: str, code: int | None = None) -> None:
        self.code = code
        super().__init__(message)


class ConvergenceError(LissomError, RuntimeError):
    """A search that did not converge.

    Attributes:
        result: the best result, with a status that gives the reason.
    """

    def __init__(self, message: str, result: object = None) -> None:
        self.result = result
        super().__init__(message)


class PredictionError(ConvergenceError):
    """A motion problem for which no motion within its limits was found.

    Attributes:
        prediction: the best motion found, with its status and advice; also `result`.
    """

    @property
    def prediction(self) -> lissom.Prediction:
        """The best motion found."""
        return self.result  # type: ignore[return-value]


class MissingExtraError(LissomError, ImportError):
    """A required optional package is not installed.

    Attributes:
        package: the missing package.
        extra: lissom's extra that installs it, or None.
    """

    def __init__(self, package: str, extra: str | None, purpose: str) -> None:
        self.package, self.extra = package, extra
        what = package if extra is None else f"'lissom[{extra}]'"
        super().__init__(f"{purpose} needs the package {package!r}; install it with: pip install {what}")

    def __reduce__(self) -> tuple[Any, ...]:
        restore, arguments, state = super().__reduce__()
        return restore, arguments, {**state, "msg": self.msg}  # ImportError keeps its text twice


class SimulationError(LissomError, RuntimeError):
    """A simulation that failed.

    Attributes:
        status: a `lissom.simulate.Status`; `status.advice` suggests a fix.
        time: time of the failure [s].
        joint: name of the coordinate or velocity where it appeared, or None.
        trajectory: the motion up to then, a `lissom.Trajectory`.
    """

    def __init__(self, message: str, status: Any, time: float, joint: str | None = None) -> None:
        self.status, self.time, self.joint = status, time, joint
        self.trajectory: Any = None
        super().__init__(message)


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a long computation, with the result so far.

    As a KeyboardInterrupt, it ends a program like any other Ctrl-C; `except lissom.Interrupted as stopped` keeps the result.

    Attributes:
        result: the result up to then: a `lissom.Trajectory` or `lissom.closed.ClosedTrajectory` of a simulation, a
            `lissom.Prediction` of a motion problem, `lissom.predict.Outcomes` of many; None where there is nothing yet.
    """

    def __init__(self, message: str = "stopped from the keyboard", result: Any = None) -> None:
        self.result = result
        super().__init__(message)


class SimulationWarning(UserWarning):
    """A simulation whose result is probably not the intended one."""


class ModelWarning(UserWarning):
    """A description of a robot that is valid but doubtful."""


def _restore(kind: type[LissomError], args: tuple[Any, ...]) -> LissomError:
    return kind.__new__(kind, *args)


def is_choice(value: object, choices: Iterable[str]) -> bool:
    """Return whether a value is one of some texts; False for arrays and lists, for which `in` may raise."""
    return isinstance(value, str) and value in choices


def _comparable(name: str, choices: Iterable[str]) -> list[str]:
    """Return the choices that a name is compared with: no long ones, and of very many those with the same beginning.

    The time of a comparison grows with the product of both lengths, and untrusted files may contain a million names.
    """
    if len(name) > LONGEST:
        return []
    found = [choice for choice in choices if len(choice) <= LONGEST]
    if len(found) > MANY:
        found = [choice for choice in found if choice[:2] == name[:2]]
    return found[:MANY]


def similar(name: str, choices: Iterable[str]) -> str:
    """Return "did you mean 'elbow'?", or nothing if none is similar: for messages that list the choices themselves."""
    close = _closest(name, choices)
    return f"did you mean {' or '.join(map(repr, close))}?" if close else ""


def suggest(name: str, choices: Iterable[str]) -> str:
    """Return "did you mean 'elbow'?", or the list of choices if none is similar."""
    names = [str(c) for c in choices]
    if close := similar(name, names):
        return close
    return f"expected {'one of ' if len(names) > 1 else ''}{_listed(names)}" if names else "there are none"


def has_instead(name: str, there: Iterable[str]) -> str:
    """Return "the file has 'q_elbo'": what it has that is similar to a missing name, or all that it has."""
    names = [str(x) for x in there]
    return f"the file has {_listed(_closest(name, names) or names)}" if names else "the file has no other"


def _closest(name: str, choices: Iterable[str]) -> list[str]:
    lowered = {str(c).lower(): str(c) for c in choices}
    low = str(name).lower()
    comparable = _comparable(low, lowered)
    close = difflib.get_close_matches(low, comparable, n=3, cutoff=0.6)
    close = close or [c for c in comparable if low and c.startswith(f"{low}_")][:3]  # "speed" of "speed_squared"
    return [lowered[c] for c in close]


def _listed(names: list[str]) -> str:
    shown = ", ".join(repr(n if len(n) <= LONGEST else f"{n[:LONGEST]}..") for n in names[:12])
    return shown + (f" and {len(names) - 12} more" if len(names) > 12 else "")
