"""Elastic drives, as methods: motion, torques and rest positions of motors behind springs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..algorithms.elastic import motors as tasks
from ..arrays import Accelerations, Crackles, Jerks, Out, Positions, Snaps, Velocities
from ..compiler.run import as_array
from ..locks import lazy_property
from ..memory import FEWER, check_result, samples_of
from ..model.show import by_shape
from ..wrench import BaseMotion, Wrenches
from .bound import bound
from .energy import Energies
from .forward import ForwardDynamics
from .inverse import InverseDynamics


@dataclass(frozen=True, eq=False)
class DriveMotion:
    """Motion and torques of motors while the links follow a given motion.

    Attributes:
        theta, theta_rate, theta_acceleration: of elastic drives (..., n_elastic), reduced to the joint [rad or m].
        tau: torques of motors (..., nv), as in `inverse_dynamics`: zero at joints behind springs.
    """

    theta: np.ndarray
    theta_rate: np.ndarray
    theta_acceleration: np.ndarray
    tau: np.ndarray
    __repr__ = by_shape


class ElasticDrives(InverseDynamics, ForwardDynamics, Energies):
    """Functions of robots whose motors drive through springs."""

    @property
    def n_elastic(self) -> int:
        """Number of elastic drives: their coordinates are the last of q, their velocities the last of qd."""
        return len(self.model.elastic_motors)

    @property
    def link_nv(self) -> int:
        """Number of velocities of joints, all but those of elastic drives."""
        return tasks.link_nv(self.model)

    def elastic_inverse_dynamics(
        self, q: Positions, qd: Velocities, qdd: Accelerations, qddd: Jerks, qdddd: Snaps, *, external: Wrenches | None = None
    ) -> DriveMotion:
        """Return the motion and torques of motors for a given motion of the links, exactly (Hua 2024, eqs (28), (29)).

        Args:
            q, qd, qdd, qddd, qdddd: motion of the joints and its derivatives, each (..., link_nv) [rad or m, s].
            external: constant wrenches on links, as in `inverse_dynamics`; those along the link's axes move with it.

        Raises:
            ModelError: springs with damping, or rotors that spin on links behind other springs: then four derivatives do not
                determine the motion of the motors; or joints of several axes, or elastic drives at coupled joints. The message
                says which.
        """
        e = self.n_elastic
        found = self._call("elastic_inverse_dynamics", (q, qd, qdd, qddd, qdddd), external=external)
        return DriveMotion(found[..., :e], found[..., e : 2 * e], found[..., 2 * e : 3 * e], found[..., 3 * e :])

    def elastic_torque_rates(
        self,
        q: Positions,
        qd: Velocities,
        qdd: Accelerations,
        qddd: Jerks,
        qdddd: Snaps,
        qddddd: Crackles,
        *,
        external: Wrenches | None = None,
        out: Out = None,
    ) -> np.ndarray:
        """Return the rates of the torques of motors (..., nv) [N m/s or N/s] for a given motion of the links.

        Arguments and errors are those of `elastic_inverse_dynamics`, with the fifth derivative of the motion.
        """
        return self._call("elastic_torque_rates", (q, qd, qdd, qddd, qdddd, qddddd), out, external=external)

    def drive_deflections(
        self, q: Positions, qd: Velocities, qdd: Accelerations, *, external: Wrenches | None = None, out: Out = None
    ) -> np.ndarray:
        """Return theta - q - rest of elastic drives (..., n_elastic) [rad or m] for a given motion of the joints.

        Arguments and errors are those of `elastic_inverse_dynamics`.
        """
        return self._call("drive_deflections", (q, qd, qdd), out, external=external)

    def spring_torques(self, q: Positions, qd: Velocities | None = None, *, out: Out = None) -> np.ndarray:
        """Return the torques of drives' springs on their joints (..., n_elastic) [N m or N], with damping where qd is given."""
        return self._call("spring_torques", (q, np.zeros(self.nv) if qd is None else qd), out)

    @bound
    def motor_wrenches(
        self,
        q: Positions,
        qd: Velocities,
        qdd: Accelerations,
        *,
        external: Wrenches | None = None,
        base_motion: BaseMotion | None = None,
        out: Out = None,
    ) -> np.ndarray:
        """Return force and moment on the rotor of every motor of the model (..., n_motors, 6) [N, N m], rigid drives too.

        The sum of the wrenches of bearings, gear and coils, along the axes of the motor's frame and about its origin: the first
        five components load the bearings, the last one turns the rotor. Zero for motors without inertia.

        Args:
            q, qd, qdd, external, base_motion, out: as in `joint_wrenches`.
        """
        return self._call("motor_wrenches", (q, qd, qdd), out, external=external, base_motion=base_motion)

    def at_rest(self, q: Positions, *, external: Wrenches | None = None) -> np.ndarray:
        """Return coordinates (..., nq) with the joints at q and motors where springs hold the robot still.

        Where coupled joints have several such motors, they share the load so that the energy in their springs is least.

        Args:
            q: coordinates of the joints (..., nq - n_elastic).
            external: wrenches on links.
        """
        q = self._of_joints(q, "q", self.nq - self.n_elastic)
        check_result(samples_of([q]), self.nq, f"states of {self.name!r}", FEWER)
        whole = self._unstretched(np.concatenate([q, np.zeros((*q.shape[:-1], self.n_elastic))], axis=-1))
        g = self.gravity_torques(whole, external=external)
        whole = np.broadcast_to(whole, (*g.shape[:-1], self.nq)).copy()
        # springs supply the whole torque of a joint: sum over them of share K deflection
        pull = np.zeros(self.nv)
        for d in self._elastic_drives:
            pull[d.joint] += d.share**2 * d.stiffness
        for d in self._elastic_drives:
            if d.share:
                whole[..., d.motor_q] += d.share * g[..., d.joint] / pull[d.joint]
        return whole

    @lazy_property
    def _elastic_drives(self) -> tuple[tasks.Drive, ...]:
        from ..tree import lump

        return tuple(tasks.elastic_drives(lump(self.model), self.model))

    def _of_joints(self, x: Any, name: str, size: int) -> np.ndarray:
        # not nq or nv of the robot, and the message has to say so
        return as_array(x, f"{name} of the joints, without elastic drives," if self.n_elastic else name, size, self.name)

    def _unstretched(self, q: np.ndarray) -> np.ndarray:
        """Return q with motors where their springs are at rest."""
        q = q.copy()
        for d in self._elastic_drives:
            q[..., d.motor_q] = d.share * q[..., d.joint_q] + d.rest
        return q
