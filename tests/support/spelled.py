"""Models with motors, spelled out for programs that know none: every rotor is a link, on a joint of its own that really turns."""

import numpy as np

from lissom.model import Coupling, Joint, JointKind, Link, Model, Motor
from lissom.model.names import coordinate_names, velocity_names


class Spelled:
    """The same mechanism without motors.

    Attributes:
        model: rotors as links, on joints with the names of the motors; those of rigid drives are coupled to the driven joints.
        T: velocities of `model` are T qd; forces are T' tau, springs of drives apart.
    """

    def __init__(self, model: Model) -> None:
        self.original = model
        links = tuple(Link(f"rotor of {motor.name}", motor.inertia) for motor in model.motors)
        joints = tuple(
            Joint(
                motor.name,
                JointKind.CONTINUOUS,
                motor.link,
                link.name,
                motor.origin,
                friction=motor.friction,
                coupling=None if motor.elastic else Coupling(motor.joint, motor.ratio),
            )
            for motor, link in zip(model.motors, links, strict=True)
        )
        self.model = model.replace(links=model.links + links, joints=model.joints + joints, motors=())
        self.T = self._matrix(velocity_names)
        self.T_q = self._matrix(coordinate_names)

    def _matrix(self, names):
        ratios = {motor.name: motor.ratio for motor in self.original.motors}
        own, theirs = names(self.original), names(self.model)
        return np.array([[ratios.get(a, 1.0) * (a == b) for b in own] for a in theirs]).reshape(len(theirs), len(own))

    def spring_forces(self, q, qd):
        """Return what the springs of joints and drives need (nv,)."""
        tau = np.zeros(self.original.nv)
        for spring, share, share_q, start in self.springs():
            tau += share * (spring.stiffness * (share_q @ q + start) + spring.damping * (share @ qd))
        return tau

    def spring_matrices(self):
        """Return stiffness and damping (nv, nv)."""
        K, D = np.zeros((2, self.original.nv, self.original.nv))
        for spring, share, _, _ in self.springs():
            K, D = K + spring.stiffness * np.outer(share, share), D + spring.damping * np.outer(share, share)
        return K, D

    def springs(self):
        """Yield each spring, the shares of qd and of q in its stretch, and the stretch at q = 0."""
        model = self.original
        for part in (*model.joints, *model.elastic_motors):
            if part.spring is not None:
                drive = isinstance(part, Motor)  # stretched by the motor, shortened by the joint
                leader = model.resolve_coupling(model.joint(part.joint) if drive else part)
                ratio, offset = (-leader.ratio, -leader.offset) if drive else (leader.ratio, leader.offset)
                share, share_q = (
                    np.array([ratio * (name == leader.joint) + (drive and name == part.name) for name in names(model)])
                    for names in (velocity_names, coordinate_names)
                )
                yield part.spring, share, share_q, offset - part.spring.rest
