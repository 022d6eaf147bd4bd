"""Robot: the functions of a robot on Dask's arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import dask.array as da
import numpy as np
from dask.array.utils import meta_from_array

from ..errors import LissomError, NameLookupError, StateError
from .chunk import Chunk

OF_STATES, OF_RESULTS = 1000, 2000  # numbers of axes, after the leading ones


class Robot:
    """A robot whose functions take and return Dask's arrays; each chunk is one batch of the robot.

    It has the functions of the `lissom.Robot` or `ClosedRobot` by the same names: `arms.inverse_dynamics(q, qd, qdd)` for arrays
    (..., nq) and (..., nv) with the same leading axes; one without leading axes holds for all. Nothing is computed before
    `compute`, `to_zarr` or `store`. Options, such as `external=` or `link=`, are NumPy's numbers, the same for all states.
    Where a method divides its result into parts, here it is one array, as of `robot.evaluate`.

    Args:
        robot: a `lissom.Robot` or a `lissom.ClosedRobot`.
        card: whether workers with an NVIDIA card compute on it; those without do on their processors.

    Attributes:
        robot: that robot.
        card: whether cards are used.
        functions: names of its functions.

    Example:
        arms = lissom.dask.Robot(lissom.load("robots:panda"))
        q, qd, qdd = (dask.array.from_zarr("states.zarr", component=name) for name in ("q", "qd", "qdd"))
        arms.inverse_dynamics(q, qd, qdd).to_zarr("torques.zarr")
    """

    def __init__(self, robot: Any, card: bool = False) -> None:
        if not hasattr(robot, "evaluate") or not hasattr(robot, "catalogue"):
            raise StateError(f"lissom.dask.Robot needs a Robot or a ClosedRobot, got {type(robot).__name__}")
        self.robot, self.card = robot, card
        self.functions: tuple[str, ...] = tuple(robot.functions)

    def __repr__(self) -> str:
        return f"<lissom.dask.Robot {self.robot.name!r}>"

    def __reduce__(self) -> Any:
        return Robot, (self.robot, self.card)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name in ("robot", "card", "functions"):  # copy and pickle ask before anything is there
            raise AttributeError(name)
        if name not in self.functions:
            raise AttributeError(str(NameLookupError("function", name, self.functions, " of lissom.dask.Robot")))

        def function(*state: Any, **options: Any) -> da.Array:
            return self.evaluate(name, state, **options)

        function.__name__ = name
        return function

    def evaluate(self, name: str, state: Any, **options: Any) -> da.Array:
        """Return the result of a function as a Dask array (..., shape of one result).

        Args:
            name: one of `functions`.
            state: its arguments in the order of the method, or by name: Dask's arrays, or NumPy's.
            options: of the function, the same for all states.

        Raises:
            StateError: an argument has the wrong shape; where numbers are wrong, it is raised when they are computed.
        """
        if name not in self.functions:
            raise NameLookupError("function", name, self.functions)
        names = self.robot.catalogue[name].state
        if isinstance(state, Mapping):
            missing = [key for key in names if key not in state]
            if missing or len(state) != len(names):
                raise StateError(f"the state of {name} is {', '.join(state) or 'empty'}, expected {', '.join(names)}")
            state = [state[key] for key in names]
        if len(state) != len(names):
            raise StateError(f"{name} takes {len(names)} arguments: {', '.join(names)}; got {len(state)}")
        arrays = [_whole_rows(x) for x in state]
        lead = max((x.ndim - 1 for x in arrays), default=0)
        shape = self._shape(name, arrays, names, options)
        pairs: list[Any] = []
        for k, (own, x) in enumerate(zip(names, arrays, strict=True)):
            if x.ndim - 1 not in (0, lead):
                raise StateError(f"{own} has {x.ndim - 1} leading axes, expected {lead}, or none")
            pairs += [x, (*range(lead if x.ndim > 1 else 0), OF_STATES + k)]
        sizes = {x.shape[:-1] for x in arrays if x.ndim - 1 == lead}
        if len(sizes) > 1:
            listed = ", ".join(f"{own} {x.shape}" for own, x in zip(names, arrays, strict=True))
            raise StateError(f"the leading axes of {listed} are not the same")
        new = {OF_RESULTS + k: size for k, size in enumerate(shape)}
        meta = meta_from_array(arrays[0]._meta, ndim=lead + len(shape), dtype=float)
        chunk = Chunk.of(self.robot, name, options, self.card)
        out = (*range(lead), *new)
        return da.blockwise(chunk, out, *pairs, new_axes=new, concatenate=True, align_arrays=True, dtype=float, meta=meta)

    def _shape(self, name: str, arrays: list[da.Array], names: tuple[str, ...], options: Mapping[str, Any]) -> tuple[int, ...]:
        """Return the shape of one result, from no states at all: sizes and options are checked by that, too."""
        empty = [np.empty((0, x.shape[-1])) for x in arrays]
        try:
            return tuple(np.shape(self.robot.evaluate(name, empty, **options))[1:])
        except LissomError as error:
            shapes = ", ".join(f"{own} {x.shape}" for own, x in zip(names, arrays, strict=True))
            raise StateError(f"{name} of {shapes}: {error}") from error


def _whole_rows(x: Any) -> da.Array:
    """Return an array whose last axis is in one piece."""
    array = da.asarray(x)
    if array.ndim == 0:
        raise StateError("a state is a number, expected an array (..., n)")
    return array.rechunk({array.ndim - 1: -1}) if array.numblocks[-1] > 1 else array
