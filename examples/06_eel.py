"""An eel without water: joints follow a traveling wave, hybrid dynamics moves the head (Khalil 2010, section 7)."""

from pathlib import Path

import numpy as np

import lissom
from lissom import Inertia, Joint, JointKind, Link, Model, Pose

JOINTS, LENGTH = 8, 0.1
segment = Inertia(0.3, com=(LENGTH / 2, 0, 0), tensor=np.diag([1e-4, 4e-4, 5e-4]))
links = [Link("space"), *(Link(f"segment_{k}", segment) for k in range(JOINTS + 1))]
joints = [Joint("head", JointKind.FLOATING, "space", "segment_0")]
for k in range(JOINTS):
    place = Pose(translation=(LENGTH, 0, 0))
    joints.append(Joint(f"joint_{k + 1}", JointKind.REVOLUTE, f"segment_{k}", f"segment_{k + 1}", place))
eel = lissom.Robot(Model("eel", tuple(links), tuple(joints), gravity=(0, 0, 0)))


def wave(t, order=0):
    """Return joint angles, or their derivatives."""
    return 0.3 * (2 * np.pi) ** order * np.sin(2 * np.pi * t + np.pi / 2 * order - 0.7 * np.arange(JOINTS))


# initial motion of the head: the eel has zero momentum
q0 = np.array([0, 0, 0, 0, 0, 0, 1, *wave(0)])
A = eel.centroidal_momentum_matrix(q0)
head = -np.linalg.solve(A[:, :6], A[:, 6:] @ wave(0, 1))

# known: zero force on the head, all joint accelerations. Unknown: the motion of the head, and the torques
swim = eel.simulate(
    q0,
    qd0=np.concatenate([head, wave(0, 1)]),
    duration=2.0,
    known={"torque": "head", "acceleration": ...},
    acceleration=lambda t, q, qd: np.array([0, 0, 0, 0, 0, 0, *wave(t, 2)]),
)
print(swim)
missed = np.abs(swim.q[:, 7:] - [wave(t) for t in swim.t]).max()
print(f"joints deviate from the wave by at most {missed:.0e} rad")
print("largest torques [N m]:", np.round(np.abs(swim.tau[:, 6:]).max(axis=0), 3))
print(f"the head sways within {np.ptp(swim.q[:, 1]) * 1e3:.0f} mm and comes back every second: nothing to push against")

# the same torques in forward dynamics give the same motion of the head
qdd = eel.forward_dynamics(swim.q, swim.qd, swim.tau)
print(f"forward dynamics under these torques differs by {np.abs(qdd - swim.qdd).max() / np.abs(qdd).max():.0e}")
print("wrote", swim.plot(Path("out") / "eel.png", "tau"))
