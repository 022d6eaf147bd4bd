"""Models with motors, spelled out for programs that know none: every rotor is a link, on a joint of its own that really turns."""

import numpy as np

from lissom.model import Coupling, Joint, JointKind, Link, Model
from lissom.model.names import coordinate_names, velocity_names
from support.springs import spring_forces


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
        """Return what all springs need (nv,): those of joints and those of drives."""
        model = self.original
        tau = spring_forces(model, q, qd)
        for K, D, share, share_q, offset in self.drive_springs():
            tau += share * (K * (share_q @ q + offset) + D * (share @ qd))
        return tau

    def drive_springs(self):
        """Yield stiffness, damping, the shares of qd and of q in the stretch, and the stretch at q = 0."""
        model = self.original
        for motor in model.elastic_motors:
            leader = model.resolve_coupling(model.joint(motor.joint))
            share, share_q = (
                np.array([(name == motor.name) - leader.ratio * (name == leader.joint) for name in names(model)])
                for names in (velocity_names, coordinate_names)
            )
            yield motor.spring.stiffness, motor.spring.damping, share, share_q, -leader.offset - motor.spring.rest
