"""Dynamics of a closed robot, as methods: Khalil 2010, section 4."""

from __future__ import annotations

import numpy as np

from ..algorithms.closed import forward as closed_forward
from ..arrays import (
    Accelerations,
    DriveAccelerations,
    DriveTorques,
    Out,
    Positions,
    TreePositions,
    TreeTorques,
    TreeVelocities,
    Velocities,
)
from ..compiler.run import as_array, as_input
from ..errors import StateError
from ..robot.check import Known
from ..robot.forward import Hybrid, merged
from ..robot.given_apart import given_apart
from ..wrench import Wrenches
from .functions import ClosedFunctions
from .weights import Weights, torques_known


class ClosedDynamics(ClosedFunctions):
    """Torques of the active joints, accelerations of the coordinates, and joint wrenches."""

    def inverse_dynamics(
        self,
        q: Positions | None,
        qd: Velocities,
        qdd: Accelerations,
        *,
        external: Wrenches | None = None,
        weights: Weights | None = None,
        near: TreePositions | None = None,
        tree_q: TreePositions | None = None,
        out: Out = None,
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
        return self._call("inverse_dynamics", (q, qd, qdd), out, near=near, tree_q=tree_q, external=external, weights=weights)

    def bias_torques(
        self,
        q: Positions | None,
        qd: Velocities,
        *,
        external: Wrenches | None = None,
        weights: Weights | None = None,
        near: TreePositions | None = None,
        tree_q: TreePositions | None = None,
        out: Out = None,
    ) -> np.ndarray:
        """Return H_c(q, qd), the torques without acceleration (..., n_active); see (58)."""
        return self._call("bias_torques", (q, qd), out, near=near, tree_q=tree_q, external=external, weights=weights)

    def gravity_torques(
        self,
        q: Positions | None,
        *,
        external: Wrenches | None = None,
        weights: Weights | None = None,
        near: TreePositions | None = None,
        tree_q: TreePositions | None = None,
        out: Out = None,
    ) -> np.ndarray:
        """Return the torques of the active joints that hold the robot still (..., n_active)."""
        return self._call("gravity_torques", (q,), out, near=near, tree_q=tree_q, external=external, weights=weights)

    def forward_dynamics(
        self,
        q: Positions | None,
        qd: Velocities,
        tau: DriveTorques,
        *,
        external: Wrenches | None = None,
        near: TreePositions | None = None,
        tree_q: TreePositions | None = None,
        out: Out = None,
    ) -> np.ndarray:
        """Return the accelerations of the coordinates (..., nq) under torques of the active joints (..., n_active).

        Args:
            q, qd, external, near, tree_q, out: as in `inverse_dynamics`.
            tau: torques of the active joints, in the order of `torque_names`.
        """
        return self._call("forward_dynamics", (q, qd, tau), out, near=near, tree_q=tree_q, external=external)

    def hybrid_dynamics(
        self,
        q: Positions | None,
        qd: Velocities,
        *,
        known: Known,
        qdd: DriveAccelerations | None = None,
        tau: DriveTorques | None = None,
        external: Wrenches | None = None,
        near: TreePositions | None = None,
        tree_q: TreePositions | None = None,
    ) -> Hybrid:
        """Return accelerations of the coordinates and torques of the active joints, where one of the two is known for each.

        Args:
            q, qd, external, near, tree_q: as in `inverse_dynamics`.
            known: which active joints have their "torque" known and which their "acceleration": names, or ... for all others, as
                in {"torque": ["left"], "acceleration": ...}; accelerations of no more joints than there are degrees of freedom.
            qdd, tau: accelerations and torques of the active joints (..., n_active); entries that are not known are ignored, None
                is zero everywhere.

        Returns:
            Hybrid: `qdd` (..., nv) and `tau` (..., n_active).

        Raises:
            StateError: an argument is wrong, or no torques give the joints their accelerations, as at a dead point.
        """
        mask = torques_known(self.name, self.torque_names, self.nv, known)
        if self._on_card((q, qd, qdd, tau, near, tree_q)):
            entry = self.catalogue["hybrid_dynamics"]
            chosen = entry.choose(self, {"external": external, "known": known})
            both = [np.zeros(len(mask)) if x is None else x for x in (qdd, tau)]
            maker, shape = given_apart(entry.maker, tuple(mask.tolist())), (self.nv + len(mask),)
            arguments = [qd, *both, *chosen.arguments.values()]
            found = self._there(maker, shape, q, arguments, chosen.options, None, near, tree_q)
            return Hybrid(found[..., : self.nv], found[..., self.nv :])
        state = {"qd": as_array(qd, "qd", self.nv, self.name)}
        given = merged(self.name, self.torque_names, mask, state, qdd, tau)
        found = self._call("hybrid_dynamics", (q, qd, given), near=near, tree_q=tree_q, external=external, known=known)
        return Hybrid(found[..., : self.nv], found[..., self.nv :])

    def mass_matrix(
        self,
        q: Positions | None,
        *,
        near: TreePositions | None = None,
        tree_q: TreePositions | None = None,
        out: Out = None,
    ) -> np.ndarray:
        """Return A_c (..., nq, nq) with tau = A_c qdd + H_c (58), along the coordinates."""
        return self._call("mass_matrix", (q,), out, near=near, tree_q=tree_q)

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
        state = [as_input(tree_q, "tree_q", self.model.nq, self.name)]
        state += [as_input(qd, "qd", nv, self.name), as_input(tau, "tau", nv, self.name)]
        loads, options = self._loads(external, None)
        if stabilize is not None:
            rate = as_array([stabilize], "stabilize", 1, self.name)
            if not (rate >= 0.0).all():
                raise StateError(f"stabilize is a rate [1/s], zero or more; got {stabilize}")
            state.append(rate)
            options = {**options, "stabilized": True}
        found = self._run(closed_forward.tree_dynamics, [*state, *loads], (nv + len(self.plan.rows),), **options)
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
        weights: Weights | None = None,
        near: TreePositions | None = None,
        tree_q: TreePositions | None = None,
        out: Out = None,
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
        more = {"external": external, "weights": weights, "axes": axes}
        return self._call("joint_wrenches", (q, qd, qdd), out, near=near, tree_q=tree_q, **more)
