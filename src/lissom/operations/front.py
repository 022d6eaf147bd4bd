"""Front: the functions of a robot by name, for arrays of another library."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from ..errors import NameLookupError, StateError
from .chosen import Chosen, Functions


class FunctionOn:
    """A function of a robot on arrays of another library.

    Args:
        functions: of the robot.
        name: of this one.
    """

    def __init__(self, functions: Functions, name: str) -> None:
        self.functions, self.name = functions, name
        self.__doc__ = getattr(getattr(type(functions.robot), name, None), "__doc__", None)
        self._state = functions.robot.catalogue[name].state
        self._made: dict[Any, Chosen] = {}

    def __repr__(self) -> str:
        return f"<{type(self).__module__} function {self.name} of {self.functions.robot.name!r}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.functions, self.name)

    def choose(self, by_parameters: bool, *items: Any) -> Chosen:
        """Return the function with options, names and values in turn, kept where these are words and flags."""
        if not items and by_parameters in self._made:
            return self._made[by_parameters]
        # 1 is equal to True, but no flag
        key: Any = (by_parameters, *items, *map(type, items)) if items else by_parameters
        try:
            found = self._made.get(key)
        except TypeError:  # loads and arrays, which may be others in the next call
            found = key = None
        if found is not None:
            return found
        options = dict(zip(items[::2], items[1::2], strict=True))
        chosen = self.functions.choose(self.name, {**options, "parameters": True} if by_parameters else options)
        return chosen if key is None or chosen.constants else self._made.setdefault(key, chosen)

    def read(
        self, arguments: Sequence[Any], options: Mapping[str, Any], choose: Callable[..., Chosen]
    ) -> tuple[Chosen, Sequence[Any]]:
        """Return the function with its options, and its arguments in order, some of which may be given by name."""
        if not options:
            chosen, given = choose(False), arguments
        else:
            by_parameters = options.get("parameters") is not None
            items = [x for key in options if key not in self._state and key != "parameters" for x in (key, options[key])]
            chosen, given = choose(by_parameters, *items), list(arguments)
            for name in chosen.state[len(given) :]:
                if name not in options:
                    raise StateError(f"{self.name} takes {', '.join(chosen.state)}; {name} is missing")
                given.append(options[name])
        if len(given) != len(chosen.state):
            raise StateError(f"{self.name} takes {', '.join(chosen.state)}, got {len(given)} arguments")
        return chosen, given


class RobotOn:
    """A robot whose functions take arrays of another library.

    Args:
        robot: a `lissom.Robot`, a `lissom.ClosedRobot`, or a model.
    """

    function: ClassVar[type[FunctionOn]]

    def __init__(self, robot: Any) -> None:
        known = Functions(robot, self._called)
        self.robot: Any = known.robot
        self.functions = known.names
        self.__dict__.update({name: self.function(known, name) for name in known.names})

    @property
    def _called(self) -> str:
        return f"{type(self).__module__.rpartition('.')[0]}.{type(self).__name__}"

    def __repr__(self) -> str:
        return f"<{self._called} {self.robot.name!r}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.robot,)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or "functions" not in self.__dict__:  # copy and pickle ask before anything is there
            raise AttributeError(name)
        raise AttributeError(str(NameLookupError("function", name, self.functions, f" of {self._called}")))
