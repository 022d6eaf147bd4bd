"""Loads of a shoulder's gearbox and bearing over a pick-and-place cycle, and the cause of the largest."""

import warnings
from pathlib import Path

import numpy as np

import lissom
from lissom.view import plot_torques

warnings.simplefilter("ignore", lissom.ModelWarning)  # the published inertia of the PUMA's link 3 is doubtful
JOINT, AXIS = "joint_2", 1  # it turns about z of its frame
PITCH, RATING = 0.08, 4e3  # of a crossed roller bearing: pitch diameter [m], dynamic load rating [N]; assumed

empty = lissom.robots.puma560()
cube = lissom.Link("load", lissom.Inertia(2.0, (0, 0, 0), np.eye(3) * 2.0 * 0.1**2 / 6))  # 2 kg, 0.1 m wide
grip = lissom.Joint("grip", lissom.JointKind.FIXED, "link_6", "load", lissom.Pose(translation=(0, 0, 0.15)))
laden = lissom.Robot(empty.model.replace(links=(*empty.model.links, cube), joints=(*empty.model.joints, grip)))

# pick, lift, turn and place with the payload, and the same way back without it
pick, place = np.array([-1.2, -0.35, 0.2, 0.0, 1.2, 0.0]), np.array([1.0, -0.2, 0.0, 0.4, 1.0, 0.6])
raised = np.array([0.0, 0.4, 0.3, 0.0, -0.4, 0.0])
stops = [pick, pick + raised, place + raised, place, place + raised, pick + raised, pick]
lengths = np.array([0.35, 0.9, 0.35, 0.35, 0.9, 0.35])  # [s]
smooth = np.polynomial.Polynomial([0, 0, 0, 10, -15, 6])  # from rest to rest, accelerations zero at both ends


def motion(slower=1.0):
    """Return q, qd, qdd every millisecond and the number of samples with payload; each move takes `slower` times as long."""
    parts = []
    for start, goal, length in zip(stops, stops[1:], lengths * slower, strict=False):
        x = np.linspace(0.0, 1.0, round(length / 1e-3))[:, None]
        parts.append((start + (goal - start) * smooth(x), *((goal - start) * smooth.deriv(i)(x) / length**i for i in (1, 2))))
    return [np.concatenate(part) for part in zip(*parts, strict=True)], sum(len(part[0]) for part in parts[:3])


def loads(state, with_load):
    """Return drive torque, radial force, axial force and tilting moment of the joint over time."""
    found = []
    for robot, when in ((laden, slice(with_load)), (empty, slice(with_load, None))):
        fx, fy, fz, mx, my, _ = robot.joint_wrenches(*(x[when] for x in state))[:, AXIS].T
        found.append([robot.inverse_dynamics(*(x[when] for x in state))[:, AXIS], np.hypot(fx, fy), fz, np.hypot(mx, my)])
    return np.concatenate(found, axis=1)


def cube_mean(load):
    """Return the constant load with the same wear: each sample is weighted by the angle that the joint turns."""
    return (np.abs(qd[:, AXIS]) @ np.abs(load) ** 3 / np.abs(qd[:, AXIS]).sum()) ** (1 / 3)


(q, qd, qdd), with_load = motion()
torque, radial, axial, tilting = curves = loads((q, qd, qdd), with_load)
mean, root = cube_mean(torque), np.sqrt(np.mean(torque**2))
print(f"gearbox of {JOINT}: peak {np.abs(torque).max():.1f} N m, RMS {root:.1f} N m, cube mean {mean:.1f} N m")
side, thrust = radial + 2 * tilting / PITCH, np.abs(axial)  # a tilting moment presses like a radial force of 2 M / d
equivalent = cube_mean(np.where(thrust <= 1.5 * side, side + 0.45 * thrust, 0.67 * (side + thrust)))
print(f"its bearing: up to {radial.max():.0f} N radial, {thrust.max():.0f} N axial, {tilting.max():.1f} N m tilting moment")
print(f"  equivalent to {equivalent:.0f} N radial, which it carries for {(RATING / equivalent) ** (10 / 3):.0f} million turns")

# causes of the largest tilting moment: its gradient at that time, from the derivatives of the two moments across the axis
k = tilting.argmax()
robot = laden if k < with_load else empty
m = robot.joint_wrenches(q[k], qd[k], qdd[k])[AXIS, 3:5]
d = robot.joint_wrench_derivatives(q[k], qd[k], qdd[k], joints=[JOINT], components=["mx", "my"])
by_q, by_qd, by_qdd = (m @ table[0] / np.linalg.norm(m) for table in d)
print(f"its largest tilting moment, at {k * 1e-3:.2f} s, {'with' if robot is laden else 'without'} the load, depends on")
for name, turn, inertia, share in zip(robot.joint_names, by_q, by_qdd, by_qdd * qdd[k], strict=True):
    print(f"  {name}: {turn:+6.1f} N m/rad, {inertia:+6.3f} N m/(rad/s^2), so {share:+5.1f} N m by its acceleration then")
slower = -(by_qd @ qd[k] + 2 * by_qdd @ qdd[k])  # velocities scale with 1 / duration, accelerations with its square
found = loads(*motion(1.01))[3].max() - tilting.max()
print(f"moving 1 % slower changes it by {0.01 * slower:.3f} N m by the gradient, and by {found:.3f} N m by the motion itself")

names, title = ["drive torque", "radial force", "axial force", "tilting moment"], f"PUMA 560, {JOINT}: loads of a pick and place"
path, t = Path("out") / "gearbox.png", np.arange(len(q)) * 1e-3
print("wrote", plot_torques(t, curves.T, names, ["N m", "N", "N", "N m"], path=path, title=title))
