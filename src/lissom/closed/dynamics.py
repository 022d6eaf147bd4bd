"""Dynamics of a closed robot, as methods: Khalil 2010, section 4."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..algorithms.closed import forward as closed_forward
from ..algorithms.closed import tasks as closed_tasks
from ..algorithms.closed import wrenches as closed_wrenches
from ..arrays import (
    Accelerations,
    ArrayLike,
    DriveTorques,
    Jerks,
    Positions,
    TreePositions,
    TreeTorques,
    TreeVelocities,
    Velocities,
)
from ..compiler.run import as_array, check_out
from ..errors import StateError
from ..robot.check import check_wrench_axes
from ..robot.entry import TaskMaker
from ..wrench import Wrenches
from .links import ClosedLinks
from .weights import check_weights


class ClosedDynamics(ClosedLinks):
    """Torques of the active joints, accelerations of the coordinates, and joint wrenches."""

    def inverse_dynamics(
        self,
        q: Positions | None,
        qd: Velocities,
        qdd: Accelerations,
        *,
        external: Wrenches | None = None,
        weights: ArrayLike | Mapping[str, float] | None = None,
        near: TreePositions | None = None,
        tree_q: TreePositions | None = None,
        out: np.ndarray | None = None,
    ) -> np.ndarray:
        """Return the torques of the active joints that produce an acceleration (Khalil 2010, eqs (55)-(57)) [N m or N].

        Args:
            q: coordinates (..., nq) [rad or m]; None where `tree_q` gives them.
            qd, qdd: velocities and accelerations (..., nq).
            external: for a link's name, the wrench that acts on it.
            weights: with more drives than coordinates, the sum of weight * tau^2 is minimized: positive numbers, one per active
                joint, or by name; None weighs all equally.
            near: a configuration of the tree on the wanted branch, where loops can be closed in several ways; None is home's.
            tree_q: configurations of the tree (..., nq of the tree) that close the loops, if known: nothing is solved.
            out: float64 array for the result.

        Returns:
            tau (..., n_active), in the order of `torque_names`.

        Raises:
            StateError: a size, type or number is wrong, or the loops cannot be closed; the message says which.
            SingularityError: the drives cannot hold the pose.
        """
        chosen = check_weights(weights, self.torque_names)
        if chosen is not None and len(self.torque_names) == self.nv:
            raise StateError(
                "weights are for robots with more drives than coordinates; this one has one drive per coordinate: leave them out"
            )
        options = {} if chosen is None else {"weights": chosen}
        rates = self._rates(qd=qd, qdd=qdd)
        return self._at(
            closed_tasks.inverse_dynamics, q, rates, (len(self.torque_names),), out, external, tree_q, near, **options
        )

    def bias_torques(
        self,
        q: Positions | None,
        qd: Velocities,
        *,
        external: Wrenches | None = None,
        near: TreePositions | None = None,
        tree_q: TreePositions | None = None,
    ) -> np.ndarray:
        """Return H_c(q, qd), the torques without acceleration (..., n_active); see (58)."""
        state = [self._tree(q, tree_q, near), *self._rates(qd=qd)]
        return self._run(closed_tasks.bias_torques, state, (len(self.torque_names),), None, external)

    def gravity_torques(
        self,
        q: Positions | None,
        *,
        external: Wrenches | None = None,
        near: TreePositions | None = None,
        tree_q: TreePositions | None = None,
    ) -> np.ndarray:
        """Return the torques of the active joints that hold the robot still (..., n_active)."""
        state = [self._tree(q, tree_q, near)]
        return self._run(closed_tasks.gravity_torques, state, (len(self.torque_names),), None, external)

    def torque_rates(
        self,
        q: Positions | None,
        qd: Velocities,
        qdd: Accelerations,
        qddd: Jerks,
        *,
        external: Wrenches | None = None,
        weights: ArrayLike | Mapping[str, float] | None = None,
        near: TreePositions | None = None,
        tree_q: TreePositions | None = None,
    ) -> np.ndarray:
        """Return the time derivative of `inverse_dynamics` along a motion (..., n_active) [N m/s or N/s], exactly.

        Args:
            q, qd, qdd, external, weights, near, tree_q: as in `inverse_dynamics`; wrenches keep their components.
            qddd: rates of the accelerations (..., nq).
        """
        chosen = check_weights(weights, self.torque_names)
        options = {} if chosen is None else {"weights": chosen}
        state = [self._tree(q, tree_q, near), *self._rates(qd=qd, qdd=qdd, qddd=qddd)]
        return self._run(closed_tasks.torque_rates, state, (len(self.torque_names),), None, external, **options)

    def forward_dynamics(
        self,
        q: Positions | None,
        qd: Velocities,
        tau: DriveTorques,
        *,
        external: Wrenches | None = None,
        near: TreePositions | None = None,
        tree_q: TreePositions | None = None,
        out: np.ndarray | None = None,
    ) -> np.ndarray:
        """Return the accelerations of the coordinates (..., nq) under torques of the active joints (..., n_active).

        Args:
            q, qd, external, near, tree_q, out: as in `inverse_dynamics`.
            tau: torques of the active joints, in the order of `torque_names`.
        """
        rates = [*self._rates(qd=qd), as_array(tau, "tau", len(self.torque_names), self.name)]
        return self._at(closed_forward.forward_dynamics, q, rates, (self.nv,), out, external, tree_q, near)

    def mass_matrix(
        self, q: Positions | None, *, near: TreePositions | None = None, tree_q: TreePositions | None = None
    ) -> np.ndarray:
        """Return A_c (..., nq, nq) with tau = A_c qdd + H_c (58), along the coordinates."""
        return self._run(closed_forward.mass_matrix, [self._tree(q, tree_q, near)], (self.nv, self.nv))

    def tree_dynamics(
        self,
        tree_q: TreePositions,
        qd: TreeVelocities,
        tau: TreeTorques,
        *,
        external: Wrenches | None = None,
        stabilize: float | None = None,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the accelerations of all joints of the tree, and the loop-closure forces.

        Args:
            tree_q: configuration of the tree (..., nq of the tree).
            qd: velocities of the tree (..., nv of the tree); those of `plan.independent` count, the others follow from them.
            tau: torques along all velocities of the tree, passive ones too.
            external: wrenches on links.
            stabilize: a rate [1/s]: violations of the closure decay by -2 rate phi-dot - rate^2 phi (Baumgarte).

        Returns:
            qdd (..., nv of the tree), and a force for each equation of `equation_names`, on the second link of its loop [N or N
            m].
        """
        nv = self.model.nv
        state = [as_array(tree_q, "tree_q", self.model.nq, self.name)]
        state += [as_array(qd, "qd", nv, self.name), as_array(tau, "tau", nv, self.name)]
        options: dict[str, Any] = {}
        if stabilize is not None:
            rate = as_array([stabilize], "stabilize", 1, self.name)
            if not (rate >= 0.0).all():
                raise StateError(f"stabilize is a rate [1/s], zero or more; got {stabilize}")
            state.append(rate)
            options["stabilized"] = True
        found = self._run(closed_forward.tree_dynamics, state, (nv + len(self.plan.rows),), None, external, **options)
        return found[..., :nv], found[..., nv:]

    @property
    def equation_names(self) -> tuple[str, ...]:
        """The independent loop equations, in words: the motion that each forbids."""
        return tuple(self.constraints.row_name(self.constraints.rows.index(row)) for row in self.plan.rows)

    def joint_wrenches(
        self,
        q: Positions | None,
        qd: Velocities,
        qdd: Accelerations,
        *,
        external: Wrenches | None = None,
        axes: str = "joint",
        weights: ArrayLike | Mapping[str, float] | None = None,
        near: TreePositions | None = None,
        tree_q: TreePositions | None = None,
        out: np.ndarray | None = None,
    ) -> np.ndarray:
        """Return force [N] and moment [N m] through every joint, on its child; cut joints come last, on their second link.

        Where equations are redundant (`mobility().redundant`), the forces along them are statically undetermined: zero here.

        Args:
            q, qd, qdd, external, weights, near, tree_q, out: as in `inverse_dynamics`.
            axes: "joint", "link", "parent" or "world", as for a Robot; of a cut joint "joint" is its frame on the second link,
                and "parent" the first link.

        Returns:
            (..., n, 6), in the order of `wrench_names`.
        """
        check_wrench_axes(axes)
        chosen = check_weights(weights, self.torque_names)
        options: dict[str, Any] = {"axes": axes} | ({} if chosen is None else {"weights": chosen})
        state = [self._tree(q, tree_q, near), *self._rates(qd=qd, qdd=qdd)]
        return self._run(closed_wrenches.joint_wrenches, state, (len(self.wrench_names), 6), out, external, **options)

    def kinetic_energy(
        self, q: Positions | None, qd: Velocities, *, near: TreePositions | None = None, tree_q: TreePositions | None = None
    ) -> np.ndarray:
        """Return the kinetic energy (...,) [J]."""
        return self.tree.kinetic_energy(*self.tree_motion(q, qd, near=near, tree_q=tree_q)[:2])

    def potential_energy(
        self, q: Positions | None, *, near: TreePositions | None = None, tree_q: TreePositions | None = None
    ) -> np.ndarray:
        """Return the potential energy of gravity (...,) [J]."""
        return self.tree.potential_energy(self._tree(q, tree_q, near))

    def spring_energy(
        self, q: Positions | None, *, near: TreePositions | None = None, tree_q: TreePositions | None = None
    ) -> np.ndarray:
        """Return the energy in springs (...,) [J]."""
        return self.tree.spring_energy(self._tree(q, tree_q, near))

    def _at(
        self,
        maker: TaskMaker,
        q: Any,
        rates: list[np.ndarray],
        shape: tuple[int, ...],
        out: np.ndarray | None,
        external: Any,
        tree_q: Any,
        near: Any,
        **options: Any,
    ) -> np.ndarray:
        """Evaluate a task at coordinates: in one program near home, by the closure elsewhere."""
        if q is None or tree_q is not None or near is not None:
            return self._run(maker, [self._tree(q, tree_q, near), *rates], shape, out, external, **options)
        target = as_array(q, "q", self.nq, self.name)
        if not self._coordinates.plain:
            target = self._coordinates.facing(self._coordinates.unit(target), self.home())
        found = self._from_home(maker, [target, *rates], shape, external, **options)
        if not np.isfinite(found).all():
            found = self._far(maker, found, target, rates, shape, external, **options)
        if out is None:
            return found
        check_out(out)
        if out.shape != found.shape:
            raise StateError(f"out has shape {out.shape}, expected {found.shape}")
        out[...] = found
        return out

    def _far(
        self,
        maker: TaskMaker,
        found: np.ndarray,
        target: np.ndarray,
        rates: list[np.ndarray],
        shape: tuple[int, ...],
        external: Any,
        **options: Any,
    ) -> np.ndarray:
        """Fill in the rows of a batch that were too far from home for one program."""
        lead = found.shape[: found.ndim - len(shape)]
        if external is not None or not lead:
            place = self.closure(np.broadcast_to(target, (*lead, self.nq)))
            return self._run(maker, [place, *rates], shape, None, external, **options)
        table = found.reshape(-1, *shape)
        left = np.flatnonzero(~np.isfinite(table).reshape(len(table), -1).all(axis=1))
        rows = [np.broadcast_to(x, (*lead, x.shape[-1])).reshape(len(table), -1) for x in (target, *rates)]
        try:
            place = self.closure(rows[0][left])
            table[left] = self._run(maker, [place, *(x[left] for x in rows[1:])], shape, None, None, **options)
        except StateError:  # once more, for the numbers of samples in its message
            self._run(maker, [self.closure(np.broadcast_to(target, (*lead, self.nq))), *rates], shape, None, None, **options)
            raise
        return table.reshape(found.shape)

    def _rates(self, **values: Any) -> list[np.ndarray]:
        return [as_array(x, name, self.nv, self.name) for name, x in values.items()]
