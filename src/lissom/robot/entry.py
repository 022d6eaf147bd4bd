"""Entry: the description of a function of a robot, from which all its features follow."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..algorithms.elastic.links import link_nv
from ..compiler.task import Task
from .options import Chosen, Option, choose
from .scatter import Places

TaskMaker = Callable[..., Task]  # (model, **options) -> Task
# of the result of one sample, given a robot and options of the maker
Shape = Callable[[Any, Mapping[str, Any]], tuple[int, ...]]


@dataclass(frozen=True, eq=False)
class Entry:
    """A function of the state.

    Attributes:
        name: of the function, and of the robot's method.
        maker: makes its task.
        state: names of the state arguments, by which derivatives are taken.
        shape: of the result of one sample; None where there are several, or the method puts the result together.
        options: that it takes in addition to its state.
        robots: which have it: "" for all, else those with "motors" or with "elastic drives".
        check: raises an error where the function is not possible, given a robot and the options of the maker.
        path: whether the state is a path of the joints, without the coordinates of elastic drives.
        places: positions of the task's numbers in the result, if the others are zero.
        method: whether the robot has a method of this name.
        smooth: whether `jvp`, `vjp` and `derivatives` have it; they need a shape.
        runs: how many times the method runs the task for one result.
        basic: whether `lissom inspect` counts its operations without being asked.
        grows: whether its cost grows with the square of the velocities of a robot, so that it is not counted for very many.
    """

    name: str
    maker: TaskMaker
    state: tuple[str, ...]
    shape: Shape | None
    options: tuple[Option, ...] = ()
    robots: str = ""
    check: Callable[[Any, Mapping[str, Any]], None] | None = None
    path: bool = False
    places: Callable[[Any, Mapping[str, Any]], Places] | None = None
    method: bool = True
    smooth: bool = True
    runs: Callable[[Any], int] = lambda robot: 1
    basic: bool = False
    grows: Callable[[Any], bool] = lambda robot: False

    def choose(self, robot: Any, values: Mapping[str, Any]) -> Chosen:
        """Return the checked values of options; raise StateError if one is unknown, missing or wrong."""
        chosen = choose(self.name, self.options, robot, values)
        if self.check is not None:
            self.check(robot, chosen.options)
        return chosen

    def example(self, robot: Any) -> dict[str, Any]:
        """Return values of the required options, for a look at the function."""
        return {option.name: option.example(robot) for option in self.options if option.example is not None}

    def assumed(self, robot: Any) -> dict[str, Any]:
        """Return values of the required options that are only numbers, for a look at the function."""
        return {option.name: option.example(robot) for option in self.options if option.example is not None and option.numbers}

    def suits(self, robot: Any) -> bool:
        """Return whether a robot has the function."""
        has = {"motors": robot.model.motors, "elastic drives": robot.model.elastic_motors}
        return not self.robots or bool(has[self.robots])

    def width(self, robot: Any) -> int:
        """Return the number of velocities of the state."""
        return link_nv(robot.model) if self.path else robot.nv
