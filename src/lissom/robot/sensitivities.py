"""Sensitivities at the front door: how forces, wrenches inside joints and accelerations change with the state."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..algorithms.derivatives import tasks as tasks
from ..arrays import Accelerations, Out, Positions, Torques, Velocities
from ..derivatives import Derivatives
from ..errors import NameLookupError, StateError, is_choice, suggest
from ..locks import lazy_property
from ..memory import PRODUCTS, check_result, samples_of
from ..wrench import BaseMotion, Wrenches
from .base import RobotBase, TaskMaker, as_flag, check_wrench_axes
from .scatter import as_places

COMPONENTS = ("fx", "fy", "fz", "mx", "my", "mz")


class Sensitivities(RobotBase):
    """First derivatives by q, qd, qdd or tau, exact to rounding.

    Derivatives by q are by velocities: column k is what a small motion along velocity k changes, also where a joint's
    coordinates hold a quaternion. Coulomb friction counts as constant, at rest too.
    """

    def inverse_dynamics_derivatives(
        self,
        q: Positions,
        qd: Velocities,
        qdd: Accelerations,
        *,
        external: Wrenches | None = None,
        packed: bool = False,
        base_motion: BaseMotion | None = None,
        out: Out = None,
    ) -> Derivatives:
        """Return the derivatives of the joint forces tau(q, qd, qdd): `d.dq`, `d.dqd`, `d.dqdd`.

        Args:
            q, qd, qdd, external, base_motion: as in `inverse_dynamics`. A wrench keeps its components along its axes: one
                given in the world's axes keeps its direction in space, and its point moves with the link.
            packed: return only the entries that the tree does not make zero, see `derivatives_entries`.
            out: float64 array for all three: (..., 3, nv, nv), packed (..., 3, n_entries).

        Returns:
            Derivatives of three arrays (..., nv, nv), forces in rows; packed (..., n_entries). `dqdd` is the mass matrix.

        Raises:
            StateError: an argument is wrong, or the result would be larger than the machine's memory.
        """
        task = tasks.inverse_dynamics_derivatives
        return self._square(task, (q, qd, qdd), ("dq", "dqd", "dqdd"), external, base_motion, out, packed)

    def forward_dynamics_derivatives(
        self,
        q: Positions,
        qd: Velocities,
        tau: Torques,
        *,
        external: Wrenches | None = None,
        base_motion: BaseMotion | None = None,
        out: Out = None,
    ) -> Derivatives:
        """Return the derivatives of the accelerations qdd(q, qd, tau): `d.dq`, `d.dqd`, `d.dtau`.

        Args:
            q, qd, tau, external, base_motion: as in `forward_dynamics`.
            out: float64 array (..., 3, nv, nv) for all three.

        Returns:
            Derivatives of three arrays (..., nv, nv), accelerations in rows. `dtau` is the inverse of the mass matrix.
        """
        task = tasks.forward_dynamics_derivatives
        return self._square(task, (q, qd, tau), ("dq", "dqd", "dtau"), external, base_motion, out)

    def joint_wrench_derivatives(
        self,
        q: Positions,
        qd: Velocities,
        qdd: Accelerations,
        *,
        external: Wrenches | None = None,
        axes: str = "joint",
        joints: Sequence[str] | None = None,
        components: Sequence[str] | None = None,
        base_motion: BaseMotion | None = None,
        out: Out = None,
    ) -> Derivatives:
        """Return the derivatives of the force [N] and moment [N m] through joints: `d.dq`, `d.dqd`, `d.dqdd`.

        Args:
            q, qd, qdd, external, base_motion: as in `inverse_dynamics`.
            axes: of the wrenches, and with them the point, as in `joint_wrenches`; components along "parent" and "world" axes
                also change because the joint turns against those.
            joints: names of moving joints, in the order wanted; None for all of `moving_joint_names`.
            components: any of "fx", "fy", "fz", "mx", "my", "mz", in the order wanted; None for all six.
            out: float64 array (..., 3, n_joints, n_components, nv) for all three.

        Returns:
            Derivatives of three arrays (..., n_joints, n_components, nv). What is not asked for is not computed.

        Raises:
            NameLookupError: a joint does not exist, or does not move; the message suggests names.
            StateError: an argument is wrong, or the result would be larger than the machine's memory.
        """
        check_wrench_axes(axes)
        options: dict[str, Any] = {} if axes == "joint" else {"axes": axes}
        which = None if joints is None else tuple(self._moving(name) for name in _listed(joints, "joints"))
        if which is not None:
            options["joints"] = which
        if components is not None:
            options["components"] = tuple(_component(name) for name in _listed(components, "components"))
        n_joints = len(self.moving_joint_names) if which is None else len(which)
        shape = (n_joints, 6 if components is None else len(options["components"]), self.nv)
        return self._tables(
            tasks.joint_wrench_derivatives, (q, qd, qdd), ("dq", "dqd", "dqdd"), shape, external, base_motion, out, **options
        )

    @lazy_property
    def derivatives_entries(self) -> tuple[np.ndarray, np.ndarray]:
        """Rows and columns of the entries of packed derivatives: those where one joint carries the other.

        They come velocity by velocity: its row from the diagonal to the left, then its column from there upwards.
        """
        return as_places(tasks.derivatives_entries(self.model))

    def _square(
        self,
        task: TaskMaker,
        state: tuple[Any, ...],
        names: tuple[str, ...],
        external: Wrenches | None,
        base_motion: BaseMotion | None,
        out: np.ndarray | None,
        packed: bool = False,
    ) -> Derivatives:
        if as_flag(packed, "packed"):
            shape: tuple[int, ...] = (len(self.derivatives_entries[0]),)
            return self._tables(task, state, names, shape, external, base_motion, out, packed=True)
        return self._tables(task, state, names, (self.nv, self.nv), external, base_motion, out)

    def _tables(
        self,
        task: TaskMaker,
        state: tuple[Any, ...],
        names: tuple[str, ...],
        shape: tuple[int, ...],
        external: Wrenches | None,
        base_motion: BaseMotion | None,
        out: np.ndarray | None,
        **options: Any,
    ) -> Derivatives:
        """Evaluate a task with one table for each name, and cut the result into them."""
        shape = (len(names), *shape)
        loads, told = self._loads(external, base_motion) if external is not None or base_motion is not None else ([], {})
        arguments = [*state, *loads]
        if out is None and any(map(_is_batch, arguments)):
            check_result(samples_of(arguments), math.prod(shape), f"the derivatives of {self.name!r}", PRODUCTS)
        quick = self._quick(task, shape, **told, **options)
        found = quick(*arguments) if out is None else quick(*arguments, out=out)
        rest = (slice(None),) * (len(shape) - 1)
        at: list[tuple[Any, ...]] = [(..., k, *rest) for k in range(len(names))]
        return Derivatives(**{name: found[here] for name, here in zip(names, at, strict=True)})

    def _moving(self, name: Any) -> int:
        if name not in self.moving_joint_names:
            raise NameLookupError("joint", str(name), self.moving_joint_names, " that moves")
        return self.moving_joint_names.index(name)


def _is_batch(x: Any) -> bool:
    if isinstance(x, np.ndarray):
        return x.ndim > 1
    try:
        return np.ndim(x) > 1
    except ValueError:  # ragged lists, which are refused with their name later
        return False


def _listed(names: Any, what: str) -> list[Any]:
    """Return names as a list; a single one may stand alone."""
    if isinstance(names, str):
        return [names]
    try:
        listed = list(names)
    except TypeError:
        raise StateError(f"{what} must be names, got {type(names).__name__}") from None
    if not listed:
        raise StateError(f"{what} is empty; name at least one, or None for all")
    for name in listed:
        if not isinstance(name, str):
            raise StateError(f"{what} must be names, got {name!r}")
        if listed.count(name) > 1:
            raise StateError(f"{what} has {name!r} twice")
    return listed


def _component(name: Any) -> int:
    if not is_choice(name, COMPONENTS):
        raise StateError(f"no component {name!r} of a wrench; {suggest(str(name), COMPONENTS)}")
    return COMPONENTS.index(name)
