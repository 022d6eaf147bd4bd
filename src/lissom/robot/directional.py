"""Derivatives of any function, as methods: along a direction, of a weighted sum of results, or all of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..algorithms.derivatives import directional
from ..arrays import ArrayLike, PartialState, State
from ..compiler.cuda.arrays import on_card
from ..compiler.run import as_array
from ..compiler.task import Task
from ..derivatives import Derivatives
from ..errors import NameLookupError, StateError
from ..memory import PRODUCTS, check_result, samples_of
from .check import by_name
from .entry import Entry
from .functions import Functions, in_order
from .scatter import in_full, spread


class Directional(Functions):
    """Derivatives of functions by their state.

    A function is named by its method: "inverse_dynamics", "link_velocity" (see `functions`); options are those of the method, and
    stay constant. Derivatives by q are by velocities, for joints with quaternions too: the change along a small motion. Where a
    method divides its result into parts (`torques_and_rates`, "elastic_inverse_dynamics", "elastic_blocks", ...), they are
    concatenated in one array here.
    """

    def jvp(self, name: str, state: State, tangents: PartialState, **options: Any) -> np.ndarray:
        """Return the derivative of a function along a direction: the change of its result when the state moves that way.

        Args:
            name: of the function: a method of the robot.
            state: the arguments in the order of the method, (q, qd, qdd), or by name, {"q": q, ...}.
            tangents: the direction, in the same way, each (..., nv); None, or a name left out, is zero.
            options: of the function: external, base_motion, link, axes, point, ...; and `out`, a float64 array for the result.

        Returns:
            An array of the shape of the function's result. It costs two to three times the function.

        Raises:
            NameLookupError: there is no such function.
            StateError: an argument or option is wrong; the message says which.

        Example: the rate of the gravity torques along a motion, jvp("gravity_torques", (q,), (qd,)).
        """
        out = options.pop("out", None)
        entry = self._smooth(name)
        point = self._path_of(entry, by_name("state", state, entry.state))
        moves = by_name("tangents", tangents, entry.state, optional=True)
        along = tuple(x for x, move in zip(entry.state, moves, strict=True) if move is not None)
        if not along:
            raise StateError(f"no tangent is given: give one of {', '.join(entry.state)}")
        chosen = entry.choose(self, options)
        given = (*point, *(move for move in moves if move is not None))
        shape, raw, where, maker = self._result(entry, chosen.options, any(map(on_card, given)))
        function = self._function(directional.jvp, raw, of=maker, along=along, **chosen.options)
        arguments = [*point, *in_order(function, chosen, len(point)), *(move for move in moves if move is not None)]
        if where is not None:
            return spread(function(arguments), where, shape, out)
        found = function(arguments, out)
        return found if shape or out is not None else found[()]

    def vjp(self, name: str, state: State, weights: ArrayLike, **options: Any) -> Derivatives:
        """Return the derivatives of a weighted sum of a function's results by its state: the gradient of sum(weights * result).

        Args:
            name, state, options: as in `jvp`.
            weights: one per entry of the result, of the result's shape; leading axes are the batch.

        Returns:
            Derivatives, each (..., nv): `dq`, and `dqd`, `dqdd` or `dtau` where the function has them. They cost two to three
            times the function, however many entries its result has.
        """
        entry = self._smooth(name)
        point = self._path_of(entry, by_name("state", state, entry.state))
        chosen = entry.choose(self, options)
        shape, _, where, maker = self._result(entry, chosen.options, any(map(on_card, (*point, weights))))
        flat = flat_weights(weights, shape, self.name)
        if where is not None:
            flat = flat[..., where]
        rows = (len(entry.state), entry.width(self))
        function = self._function(directional.vjp, rows, of=maker, **chosen.options)
        found = function([*point, *in_order(function, chosen, len(point)), flat])
        return Derivatives(**{f"d{x}": found[..., k, :] for k, x in enumerate(entry.state)})

    def derivatives(self, name: str, state: State, **options: Any) -> Derivatives:
        """Return all derivatives of a function by its state.

        Args:
            name, state, options: as in `jvp`.

        Returns:
            Derivatives: `dq`, and `dqd`, `dqdd`, ... where the function has them, each of the result's shape with one more axis
            (nv) at the end. `inverse_dynamics_derivatives`, `forward_dynamics_derivatives` and `joint_wrench_derivatives` are
            cheaper for these three functions.

        Raises:
            StateError: an argument or option is wrong, or the result would be larger than the machine's memory.
        """
        entry = self._smooth(name)
        point = self._path_of(entry, by_name("state", state, entry.state))
        chosen = entry.choose(self, options)
        shape, raw, where, maker = self._result(entry, chosen.options, any(map(on_card, point)))
        rows, width = len(entry.state), entry.width(self)
        function = self._function(directional.jacobian, (rows, *raw, width), of=maker, **chosen.options)
        arguments = [*point, *in_order(function, chosen, len(point))]
        check_result(
            samples_of(arguments), rows * math.prod(shape) * width, f"the derivatives of {name} of {self.name!r}", PRODUCTS
        )
        whole = function(arguments)
        rest = (slice(None),) * (len(raw) + 1)
        found: Any = [whole[(..., k, *rest)] for k in range(rows)]
        if where is not None:
            found = np.stack(found)
            found = np.moveaxis(spread(np.moveaxis(found, -1, -2), where, shape, None), -1 - len(shape), -1)
        return Derivatives(**{f"d{x}": part for x, part in zip(entry.state, found, strict=True)})

    def _smooth(self, name: Any) -> Entry:
        """Return the entry of a function that has derivatives."""
        entry = self._entry(name)
        if entry.shape is None or not entry.smooth:
            known = [x for x in self.functions if self.catalogue[x].smooth and self.catalogue[x].shape is not None]
            raise NameLookupError("function", name, known, " that can be differentiated")
        return entry

    def _result(
        self, entry: Entry, options: Mapping[str, Any], there: bool
    ) -> tuple[tuple[int, ...], tuple[int, ...], np.ndarray | None, Callable[..., Task]]:
        """Return the shape of a function's result, that of its task's, the places of the latter in the former, and its maker.

        For arrays on a card (`there`), results are not put together afterwards: the task has all entries.
        """
        assert entry.shape is not None
        shape = entry.shape(self, options)
        if entry.places is None:
            return shape, shape, None, entry.maker
        where = entry.places(self, options)[1]
        if there:
            return shape, shape, None, in_full(entry.maker, tuple(where.tolist()), math.prod(shape))
        return shape, (len(where),), where, entry.maker


def flat_weights(weights: Any, shape: tuple[int, ...], robot: str) -> np.ndarray:
    """Return weights of a result's entries flat, (..., size), having checked their shape."""
    try:
        array = weights if on_card(weights) else np.asarray(weights)
    except ValueError as error:
        raise StateError(f"weights are not an array of numbers: {error}") from None
    lead = tuple(array.shape[: array.ndim - len(shape)])
    if tuple(array.shape) != (*lead, *shape):
        expected = ", ".join(["...", *map(str, shape)])
        raise StateError(f"weights have shape {array.shape}, expected that of the result, ({expected}) (robot {robot!r})")
    size = int(np.prod(shape, dtype=int))
    flat = array.reshape((*lead, size))
    return flat if on_card(flat) else as_array(flat, "weights", size, robot)
