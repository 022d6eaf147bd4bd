"""Link poses of a model by plain multiplication, over real or complex numbers: nothing of lissom's recursions is used."""

import numpy as np
from scipy.interpolate import CubicSpline

from lissom.model import JointKind, Model, Polynomial
from lissom.model.pose import frame_with_z


def cross(w):
    return np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])


def _quaternion(q):
    x, y, z, w = q / np.sqrt(q @ q)
    v = cross([x, y, z])
    return np.eye(3) + 2 * w * v + 2 * v @ v


def _about(axis, angle):
    K = cross(axis)
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K


def joint_motion(joint, q):
    """Return rotation and translation of a joint at its own coordinates."""
    axis = np.array(joint.axis)
    if joint.kind in (JointKind.REVOLUTE, JointKind.CONTINUOUS):
        return _about(axis, q[0]), np.zeros(3)
    if joint.kind is JointKind.PRISMATIC:
        return np.eye(3), axis * q[0]
    if joint.kind is JointKind.SPHERICAL:
        return _quaternion(q), np.zeros(3)
    if joint.kind is JointKind.PLANAR:
        return _about(axis, q[2]), frame_with_z(joint.axis)[:, :2] @ q[:2]
    if joint.kind is JointKind.FLOATING:
        return _quaternion(q[3:]), q[:3]
    if joint.kind is JointKind.HELICAL:
        return _about(axis, q[0]), axis * joint.pitch * q[0]
    if joint.kind is JointKind.UNIVERSAL:
        return _about(axis, q[0]) @ _about(np.array(joint.second_axis), q[1]), np.zeros(3)
    if joint.kind is JointKind.CUSTOM:
        R, p = np.eye(3), np.zeros(3)
        for axis, law in joint.motion.translations:
            p = p + np.array(axis) * function_value(law, q[0])
        for axis, law in joint.motion.rotations:
            R = R @ _about(np.array(axis), function_value(law, q[0]))
        return R, p
    return np.eye(3), np.zeros(3)


def function_value(law, x):
    """Return a function of a custom joint, by NumPy and SciPy; a complex step does not leave its piece."""
    if isinstance(law, Polynomial):
        return np.polynomial.polynomial.polyval(x, law.coefficients)
    at, values = np.array(law.at), np.array(law.values)
    assert law.ends == "natural"
    inside = CubicSpline(at, values, bc_type="natural")
    if np.real(x) < at[0]:
        return values[0] + inside(at[0], 1) * (x - at[0])
    if np.real(x) >= at[-1]:
        return values[-1] + inside(at[-1], 1) * (x - at[-1])
    k = int(np.searchsorted(at, np.real(x), side="right")) - 1
    return np.polyval(inside.c[:, k], x - at[k])


def coordinates(model: Model, q):
    """Return each joint's own coordinates, coupled ones too."""
    own, start = {}, 0
    for joint in model.independent_joints:
        own[joint.name] = q[start : start + joint.kind.nq]
        start += joint.kind.nq
    for joint in model.joints:
        if joint.coupling is not None:
            c = model.resolve_coupling(joint)
            own[joint.name] = c.ratio * own[c.joint] + c.offset
    return own


def link_poses(model: Model, q):
    """Return {link: (R, p)} in the world, and {joint: (R, p)} of the joints' frames, moved with their children."""
    q = np.asarray(q)
    own = coordinates(model, q)
    links, joints = {model.base: (np.eye(3), np.zeros(3))}, {}
    for joint in model.joints:
        R, p = links[joint.parent]
        turn, shift = joint_motion(joint, own.get(joint.name))
        p = p + R @ (joint.origin.p + joint.origin.R @ shift)
        R = R @ joint.origin.R @ turn
        joints[joint.name] = R, p
        links[joint.child] = R @ joint.tail.R, p + R @ joint.tail.p
    return links, joints


def rate_of_coordinates(model: Model, q, qd):
    """Return dq/dt: velocities of planar, spherical and floating joints are the child's own, in its axes."""
    rates, iq, iv = [], 0, 0
    for joint in model.independent_joints:
        x, v = q[iq : iq + joint.kind.nq], qd[iv : iv + joint.kind.nv]
        if joint.kind is JointKind.PLANAR:
            c, s = np.cos(x[2]), np.sin(x[2])
            rates += [c * v[0] - s * v[1], s * v[0] + c * v[1], v[2]]
        elif joint.kind in (JointKind.SPHERICAL, JointKind.FLOATING):
            u, w = x[-4:], v[-3:]
            if joint.kind is JointKind.FLOATING:
                rates += list(_quaternion(u) @ v[:3])
            # half the product of the quaternion with (w, 0)
            rates += list(0.5 * (u[3] * w + np.cross(u[:3], w))) + [-0.5 * u[:3] @ w]
        else:
            rates += list(v)
        iq, iv = iq + joint.kind.nq, iv + joint.kind.nv
    return np.array(rates)


class Motion:
    """A smooth motion through a state, good to the second order in time; time may be complex."""

    def __init__(self, model: Model, q, qd, qdd) -> None:
        self.model, self.q0, self.qd0, self.qdd0 = model, q, qd, qdd
        self.q1 = rate_of_coordinates(model, q, qd)
        # d2q/dt2 by a complex step along the motion
        h = 1e-30
        self.q2 = np.imag(rate_of_coordinates(model, q + 1j * h * self.q1, qd + 1j * h * qdd)) / h

    def q(self, t):
        return self.q0 + t * self.q1 + t * t / 2 * self.q2

    def qd(self, t):
        return self.qd0 + t * self.qdd0


def velocities(motion: Motion, t):
    """Return {link: (w, v)}, angular velocity and velocity of the origin in the world, at a complex time too, by differences."""
    h = 1e-4
    steps = {k: link_poses(motion.model, motion.q(t + k * h))[0] for k in (-3, -2, -1, 1, 2, 3)}
    now = link_poses(motion.model, motion.q(t))[0]
    result = {}
    for name, (R, _) in now.items():
        # central differences of order six
        dR, dp = (
            sum(c * (steps[k][name][i] - steps[-k][name][i]) for k, c in ((1, 45), (2, -9), (3, 1))) / (60 * h) for i in (0, 1)
        )
        W = dR @ R.T
        result[name] = np.array([W[2, 1] - W[1, 2], W[0, 2] - W[2, 0], W[1, 0] - W[0, 1]]) / 2, dp
    return result


def momenta(motion: Motion, t):
    """Return {link: (linear, angular about the world's origin)} of the links with inertia."""
    poses, found = link_poses(motion.model, motion.q(t))[0], {}
    for name, (w, v) in velocities(motion, t).items():
        inertia = motion.model.link(name).inertia
        if inertia is not None:
            R, p = poses[name]
            arm = R @ np.array(inertia.com)
            linear = inertia.mass * (v + np.cross(w, arm))
            found[name] = linear, np.cross(p + arm, linear) + R @ np.array(inertia.tensor) @ R.T @ w
    return found


def energy(motion: Motion, t):
    """Return kinetic and potential energy, with reflected rotors."""
    poses = link_poses(motion.model, motion.q(t))[0]
    g = np.array(motion.model.gravity)
    kinetic = potential = 0.0
    for name, (w, v) in velocities(motion, t).items():
        inertia = motion.model.link(name).inertia
        if inertia is None or name == motion.model.base:
            continue
        R, p = poses[name]
        arm = R @ np.array(inertia.com)
        vc, wc = v + np.cross(w, arm), R.T @ w
        kinetic = kinetic + inertia.mass * vc @ vc / 2 + wc @ np.array(inertia.tensor) @ wc / 2
        potential = potential - inertia.mass * (p + arm) @ g
    for joint in motion.model.joints:
        if joint.rotor_inertia:
            c = motion.model.resolve_coupling(joint)
            speed = c.ratio * motion.qd(t)[_velocity_start(motion.model, c.joint)]
            kinetic = kinetic + joint.rotor_inertia * speed**2 / 2
    return kinetic, potential


def _velocity_start(model, name):
    start = 0
    for joint in model.independent_joints:
        if joint.name == name:
            return start
        start += joint.kind.nv
    raise AssertionError(name)
