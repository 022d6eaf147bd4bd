"""Derivatives of any function at the front door: along a direction, of a weighted sum of results, or all of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..algorithms.derivatives import directional
from ..algorithms.dynamics.forward_dynamics import checked_method
from ..arrays import ArrayLike
from ..compiler.run import as_array
from ..derivatives import Derivatives
from ..errors import NameLookupError, StateError, suggest
from ..memory import PRODUCTS, check_result, samples_of
from .base import as_flag, check_wrench_axes
from .energy import Energies
from .kinematics import Kinematics
from .quantities import ELASTIC, MOTORS, QUANTITIES, Quantity


class Directional(Kinematics, Energies):
    """Derivatives of functions by their state.

    Derivatives by q are by velocities, for joints with quaternions too: what a small motion along a velocity changes. A function
    is named by its method: "inverse_dynamics", "link_velocity"; options are those of the method. Of "elastic_inverse_dynamics",
    theta, its two rates and tau stand one after the other in one array, and so do the parts of "elastic_blocks", row by row.
    """

    def jvp(
        self, name: str, state: Sequence[Any] | Mapping[str, Any], tangents: Sequence[Any] | Mapping[str, Any], **options: Any
    ) -> np.ndarray:
        """Return the derivative of a function along a direction: what changes of its result when the state moves that way.

        Args:
            name: of the function: a method of the robot.
            state: where: the arguments in the order of the method, (q, qd, qdd), or by name, {"q": q, ...}.
            tangents: the direction, in the same way, each (..., nv); None, or a name left out, is zero.
            options: of the function: external, base_motion, link, axes, point, ...; and `out`, a float64 array for the result.

        Returns:
            An array of the shape of the function's result. It costs two to three times the function.

        Raises:
            NameLookupError: there is no such function.
            StateError: an argument or option is wrong; the message says which.

        Example: how joint forces change as the robot moves on, jvp("gravity_torques", (q,), (qd,)).
        """
        out = options.pop("out", None)
        quantity = self._quantity(name)
        point = self._point(quantity, state)
        moves = self._by_name("tangents", tangents, quantity.state, optional=True)
        along = tuple(x for x, move in zip(quantity.state, moves, strict=True) if move is not None)
        if not along:
            raise StateError(f"no tangent is given: one of {', '.join(quantity.state)} has to move")
        more, chosen = self._options(name, quantity, options)
        function = self._function(directional.jvp, quantity.shape(self), of=quantity.maker, along=along, **chosen)
        return self._number(function([*point, *more, *(move for move in moves if move is not None)], out), out)

    def vjp(self, name: str, state: Sequence[Any] | Mapping[str, Any], weights: ArrayLike, **options: Any) -> Derivatives:
        """Return the derivatives of a weighted sum of a function's results by its state: the gradient of sum(weights * result).

        Args:
            name, state, options: as in `jvp`.
            weights: one for each entry of the result, of the result's shape; leading axes are the batch.

        Returns:
            Derivatives, each (..., nv): `dq`, and `dqd`, `dqdd` or `dtau` where the function has them. They cost two to three
            times the function, however many entries its result has.
        """
        quantity = self._quantity(name)
        point = self._point(quantity, state)
        flat = self._weights(weights, quantity.shape(self))
        more, chosen = self._options(name, quantity, options)
        shape = (len(quantity.state), quantity.width(self))
        found = self._function(directional.vjp, shape, of=quantity.maker, **chosen)([*point, *more, flat])
        return Derivatives(**{f"d{x}": found[..., k, :] for k, x in enumerate(quantity.state)})

    def _jacobian(self, name: str, state: Sequence[Any], **options: Any) -> Derivatives:
        """Return all derivatives of a function."""
        quantity = self._quantity(name)
        more, chosen = self._options(name, quantity, options)
        shape = (len(quantity.state), *quantity.shape(self), quantity.width(self))
        check_result(samples_of([*state, *more]), math.prod(shape), f"the derivatives of {name} of {self.name!r}", PRODUCTS)
        found = self._function(directional.jacobian, shape, of=quantity.maker, **chosen)([*state, *more])
        parts = np.moveaxis(found, -len(shape), 0)
        return Derivatives(**{f"d{x}": part for x, part in zip(quantity.state, parts, strict=True)})

    def _quantity(self, name: Any) -> Quantity:
        if not isinstance(name, str):
            raise StateError(f"the first argument is the name of a function, 'inverse_dynamics' or another, got {name!r}")
        known = QUANTITIES | (MOTORS if self.model.motors else {}) | (ELASTIC if self.model.elastic_motors else {})
        if name not in known:
            raise NameLookupError("function", name, known, " that can be differentiated")
        return known[name]

    def _point(self, quantity: Quantity, state: Any) -> list[Any]:
        values = self._by_name("state", state, quantity.state)
        if not quantity.of_joints:
            return values
        # not nq or nv of the robot, and the message has to say so
        names, size = [f"{x} of the joints, without elastic drives," for x in quantity.state], quantity.width(self)
        return [as_array(value, name, size, self.name) for value, name in zip(values, names, strict=True)]

    def _by_name(self, what: str, given: Any, names: tuple[str, ...], optional: bool = False) -> list[Any]:
        """Return what is given for each of the names; None where it is optional and not there."""
        expected = "(" + ", ".join(names) + ("," if len(names) == 1 else "") + ")"
        if isinstance(given, Mapping):
            for name in given:
                if name not in names:
                    raise StateError(f"{what} has no {name!r}; {suggest(str(name), names)}")
            values = [given.get(name) for name in names]
        elif isinstance(given, (tuple, list)):
            if len(given) != len(names):
                raise StateError(f"{what} has {len(given)} entries, expected {len(names)}: {expected}")
            values = list(given)
        else:
            raise StateError(f"{what} must be a tuple {expected}, or map names to arrays, got {type(given).__name__}")
        for name, value in zip(names, values, strict=True):
            if value is None and not optional:
                raise StateError(f"{what} has no {name!r}; expected {expected}")
        return values

    def _weights(self, weights: Any, shape: tuple[int, ...]) -> np.ndarray:
        """Return weights flat, (..., size), having checked their shape."""
        try:
            array = np.asarray(weights)
        except ValueError as error:
            raise StateError(f"weights are not an array of numbers: {error}") from None
        lead = array.shape[: array.ndim - len(shape)]
        if array.shape != (*lead, *shape):
            expected = ", ".join(["...", *map(str, shape)])
            raise StateError(f"weights have shape {array.shape}, expected that of the result, ({expected}) (robot {self.name!r})")
        size = int(np.prod(shape, dtype=int))
        return as_array(array.reshape(*lead, size), "weights", size, self.name)

    def _options(self, name: str, quantity: Quantity, options: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        """Return arguments of a task beside its state, and its options."""
        for option in options:
            if option not in quantity.options:
                raise StateError(f"{name} has no option {option!r}; {suggest(option, quantity.options)}")
        if name.startswith("center_of_mass") or name == "centroidal_momentum_matrix":
            self._need_mass()
        chosen: dict[str, Any] = {}
        if options.get("method") is not None:
            chosen["method"] = checked_method(options["method"])
        if name == "link_acceleration":
            chosen["classical"] = as_flag(options.get("classical", True), "classical")
        if name == "momentum":
            chosen["point"] = "com" if options.get("point") is None else options["point"]
            self._check_momentum_point(chosen["point"])
        elif "axes" in quantity.options:
            chosen["axes"] = self._axes(name, options.get("axes"))
        arguments: list[Any] = []
        if "link" in quantity.options:
            if "link" not in options:
                raise StateError(f"{name} needs link=, the name of a link; {suggest('', self.link_names)}")
            chosen["link"] = self._link(options["link"])
            arguments, where = self._point_on_link(options.get("point"))
            chosen |= where
        loads, told = self._loads(options.get("external"), options.get("base_motion"))
        return [*arguments, *loads], {**chosen, **told}

    def _axes(self, name: str, axes: Any) -> str:
        """Return the axes of a quantity, its own default for None."""
        if name == "joint_wrenches":
            axes = "joint" if axes is None else axes
            check_wrench_axes(axes)
        else:
            axes = "world" if axes is None else axes
            self._check_axes(axes)
        return str(axes)
