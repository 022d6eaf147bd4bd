"""ClosedFunctions: how a function of the catalogue is evaluated, at coordinates or at a configuration of the tree."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..algorithms.closed import forward, tasks
from ..algorithms.closed.assembled import from_home
from ..arrays import Out, PartialState, TreePositions
from ..compiler.cuda.arrays import on_card
from ..compiler.cuda.backend import CUDA
from ..compiler.run import Function, as_array, as_input, check_out
from ..errors import StateError
from ..robot.base import task_key
from ..robot.check import by_name
from ..robot.entry import Entry, TaskMaker
from ..robot.options import Chosen
from .kinematics import ClosedKinematics

# functions that controllers and integrators call: one program with the closure, which is compiled once more for each of them
TOGETHER = (tasks.inverse_dynamics, forward.forward_dynamics)


class ClosedFunctions(ClosedKinematics):
    """The functions of a closed robot by name."""

    def evaluate(
        self,
        name: str,
        state: PartialState,
        *,
        near: TreePositions | None = None,
        tree_q: TreePositions | None = None,
        out: Out = None,
        **options: Any,
    ) -> np.ndarray:
        """Return the result of a function, in one array; methods of the same name may divide it into parts.

        Args:
            name: one of `functions`.
            state: the arguments in the order of the method, (q, qd, qdd), or by name; q is None where `tree_q` gives it.
            near, tree_q, out, options: as in the method.

        Raises:
            NameLookupError: there is no function of this name.
            StateError: an argument or option is wrong; the message says which.
        """
        values = by_name("state", state, self._single(name).state, optional=True)
        return self._call(name, values, out, near=near, tree_q=tree_q, **options)

    def _call(
        self, name: str, state: Sequence[Any], out: Out = None, *, near: Any = None, tree_q: Any = None, **values: Any
    ) -> np.ndarray:
        """Evaluate a function of the catalogue at a state, with the values of its options."""
        entry = self.catalogue[name]
        chosen = entry.choose(self, values)
        assert entry.shape is not None
        shape, arguments = entry.shape(self, chosen.options), self._arguments(entry, chosen, state)
        return self._at(entry.maker, shape, state[0], arguments, chosen.options, out, near, tree_q)

    def _arguments(self, entry: Entry, chosen: Chosen, state: Sequence[Any]) -> list[np.ndarray]:
        """Return what the task of a function takes after q: the rest of the state, and a load or a point."""
        sizes = self._state_sizes(entry)
        found = [as_input(x, name, sizes[name], self.name) for x, name in zip(state[1:], entry.state[1:], strict=True)]
        for name, value in chosen.arguments.items():  # no function takes more than one
            found.append(as_array(value, "point", 3, self.name) if name == "point" else value)
        return found

    def _state_sizes(self, entry: Entry) -> dict[str, int]:
        """Return the number of ways to go of each argument of the state."""
        return {name: len(self.torque_names) if name in ("tau", "given") else self.nv for name in entry.state}

    def _at(
        self,
        maker: TaskMaker,
        shape: tuple[int, ...],
        q: Any,
        arguments: Sequence[np.ndarray],
        options: Mapping[str, Any],
        out: Out,
        near: Any,
        tree_q: Any,
    ) -> np.ndarray:
        """Evaluate a task at coordinates: by machine code near home, by the closure elsewhere."""
        if self._on_card((q, near, tree_q, out, *arguments)):
            return self._there(maker, shape, q, arguments, options, out, near, tree_q)
        one = shape or (1,)  # machine code returns arrays
        if q is None or tree_q is not None or near is not None:
            found = self._run(maker, [self._tree(q, tree_q, near), *arguments], one, **options)
        else:
            target = self._target(q)
            if maker in TOGETHER:
                found = self._from_home(maker, [target, *arguments], one, **options)
            else:
                place = self._from_home(None, [target], (self.model.nq,))
                found = self._or_nan(maker, one, options)(place, *arguments)
                lost = ~np.isfinite(place).all(axis=-1)
                if lost.any():  # what is the same everywhere is a number all the same
                    found[np.broadcast_to(lost, found.shape[: found.ndim - len(one)])] = np.nan
            if not np.isfinite(found).all():
                found = self._far(maker, found, [target, *arguments], one, options)
        if not shape:
            found = found[..., 0]
        if out is None:
            return found if found.shape else found[()]
        check_out(out)
        if out.shape != found.shape:
            raise StateError(f"out has shape {out.shape}, expected {found.shape}")
        out[...] = found
        return out

    def _on_card(self, arrays: Sequence[Any]) -> bool:
        """Return whether arrays are on the card that computes."""
        return isinstance(self.backend, CUDA) and any(map(on_card, arrays))

    def _there(
        self,
        maker: TaskMaker | None,
        shape: tuple[int, ...],
        q: Any,
        arguments: Sequence[Any],
        options: Mapping[str, Any],
        out: Any,
        near: Any,
        tree_q: Any,
    ) -> Any:
        """Evaluate a task on a card, or the closure without one; it is a part of the program, and NaN where it leads too far."""
        if tree_q is not None:
            if q is not None:
                raise StateError("on a card, give coordinates q or tree_q=, not both: whether they agree is not looked at there")
            return tree_q if maker is None else self._function(maker, shape, **options)([tree_q, *arguments], out)
        if q is None:
            raise StateError("give coordinates q, or tree_q=, a configuration of the tree that closes the loops")
        if not self._coordinates.plain:
            raise StateError(
                f"the coordinates of {self.name!r} are those of joints of several axes ({', '.join(self.coordinate_names)}), "
                "which closures on a card do not take: give tree_q=, configurations of the tree, and q=None"
            )
        key = ("on card", near is None, maker, *sorted(options.items()))
        function = self._functions.get(key)
        if function is None:
            home = tuple(float(x) for x in self._assembled) if near is None else None
            of = (
                None if maker is None else functools.partial(maker, **options)
            )  # whose options may be named as those of from_home
            task = from_home(self.model, self.plan, home, of)
            function = self._functions[key] = Function(self.model, task, shape, self.backend, self._describe)
        return function([q, *([] if near is None else [near]), *arguments], out)

    def _settled(self, q: Any, near: Any, tree_q: Any) -> np.ndarray:
        """Return configurations of the tree, by machine code near home."""
        if self._on_card((q, near, tree_q)):
            found: np.ndarray = self._there(None, (self.model.nq,), q, [], {}, None, near, tree_q)
            return found
        if q is not None and tree_q is None and near is None:
            place = self._from_home(None, [self._target(q)], (self.model.nq,))
            if np.isfinite(place).all():
                return place
        return self._tree(q, tree_q, near)

    def _target(self, q: Any) -> np.ndarray:
        """Return coordinates as programs take them."""
        target = as_array(q, "q", self.nq, self.name)
        if self._coordinates.plain:
            return target
        return self._coordinates.facing(self._coordinates.unit(target), self.home())

    def _or_nan(self, maker: TaskMaker, shape: tuple[int, ...], options: Mapping[str, Any]) -> Callable[..., np.ndarray]:
        """Return a task of the tree's configuration as a function of its arguments; NaN where it has no result."""
        key = "or nan", *task_key(maker, options)
        quick = self._quick_calls.get(key)
        return self._built_in(key, self._function(maker, shape, **options), maker, "nan") if quick is None else quick

    def _far(
        self,
        maker: TaskMaker,
        found: np.ndarray,
        arguments: Sequence[np.ndarray],
        shape: tuple[int, ...],
        options: Mapping[str, Any],
    ) -> np.ndarray:
        """Fill in the rows of a batch that were too far from home."""
        lead = found.shape[: found.ndim - len(shape)]
        table = found.reshape(-1, *shape)
        left = np.flatnonzero(~np.isfinite(table).reshape(len(table), -1).all(axis=1))
        rows = [np.broadcast_to(x, (*lead, x.shape[-1])).reshape(len(table), -1) for x in arguments]
        try:
            if not lead:
                raise StateError
            place = self.closure(rows[0][left])
            table[left] = self._run(maker, [place, *(x[left] for x in rows[1:])], shape, **options)
        except StateError:  # once more, for the numbers of samples in its message
            place = self.closure(np.broadcast_to(arguments[0], (*lead, self.nq)))
            return self._run(maker, [place, *arguments[1:]], shape, **options)
        return table.reshape(found.shape)
