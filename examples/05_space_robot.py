"""A robot in free space: moving its arm turns its base, and its momentum stays zero."""

from pathlib import Path

import numpy as np

import lissom
from lissom import Inertia, Joint, JointKind, Link, Model, Pose
from lissom.simulate import Event

boom = Inertia(8.0, com=(0.5, 0, 0), tensor=np.diag([0.02, 0.7, 0.7]))
robot = lissom.Robot(
    Model(
        "satellite",
        links=(
            Link("space"),
            Link("bus", Inertia(100.0, tensor=np.diag([8.0, 8.0, 8.0]))),
            Link("upper", boom),
            Link("lower", boom),
        ),
        joints=(
            Joint("bus_joint", JointKind.FLOATING, "space", "bus"),
            Joint("shoulder", JointKind.REVOLUTE, "bus", "upper", Pose(translation=(0.5, 0, 0)), axis=(0, 0, 1)),
            Joint("elbow", JointKind.REVOLUTE, "upper", "lower", Pose(translation=(1.0, 0, 0)), axis=(0, 1, 0)),
        ),
        gravity=(0, 0, 0),
    )
)
GOAL = np.array([1.2, -0.8])


class JointController:
    """Drives the arm to a goal; no force acts on the bus."""

    def torque(self, t, q, qd):
        """Return torques: zero for the six directions of the bus, PD control for the arm."""
        return np.concatenate([np.zeros(6), 40.0 * (GOAL - q[7:]) - 30.0 * qd[6:]])


reached = Event(lambda t, q, qd: np.abs(q[7:] - GOAL).max() - 0.01, "reached", direction=-1, required=True)
motion = robot.simulate(robot.neutral(), np.zeros(robot.nv), 12.0, JointController(), events=reached)
print(motion)
print(f"the arm is within 0.01 rad of its goal after {motion.events[0].t:.2f} s")

angle = 2 * np.degrees(np.arccos(min(abs(motion.end.q[6]), 1.0)))
momentum = robot.momentum(motion.q, motion.qd)
print(f"meanwhile the bus has turned by {angle:.1f} degrees and moved by {np.linalg.norm(motion.end.q[:3]) * 1e3:.0f} mm")
print(f"largest momentum during the motion: {np.abs(momentum).max():.0e} N s or N m s; it was zero at the start")
print("wrote", motion.plot(Path("out") / "satellite.png"))
