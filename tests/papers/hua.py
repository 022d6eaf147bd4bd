"""Hua 2024 transcribed: Algorithms 1 and 2 for a serial arm of revolute joints, numbers of equations as in the paper.

`printed` names what is taken as it stands in the paper instead of as it must be:
    20, 26          an external force or moment ON the tool enters with a plus
    21 side         rotor momentum on the other side of Euler's equation
    21 rate         without its time derivative
    21 moments      without the moments of the joint forces
    8-9             an elastic joint's rotor accelerates by (9), with the joint, as Algorithm 1 says. The other half of the
                    exchange, (8) for a rigid joint, asks for a theta that does not exist
    alg 2           the elastic torque is K eta (theta - eta q)
    alg 2 base      columns of A with the motion of the base, which Algorithm 2 hands on
    35              columns of A with the velocities of the state, which the text before it does not set to zero
"""

from dataclasses import dataclass

import numpy as np

from lissom.model import Model
from lissom.model.pose import frame_with_z

Z0 = np.array([0.0, 0.0, 1.0])


@dataclass
class Rotor:
    """Motor i: its link, gear ratio, inertia about its axis, and the axis in frame l_mi + 1."""

    link: int
    eta: float
    Imz: float
    z: np.ndarray


class Arm:
    """What the paper's symbols are for a lissom model: frame i + 1 is fixed to link i, its z axis is that of joint i + 1.

    Args:
        model: a chain of revolute joints without tails, a motor on every joint, no friction.
        tool: where frame N + 1 has its origin, in the axes of the last link, which are its own.
    """

    def __init__(self, model: Model, tool=(0.0, 0.0, 0.0)) -> None:
        self.N, self.model = len(model.joints), model
        F = [joint.origin.R @ frame_with_z(joint.axis) for joint in model.joints] + [np.eye(3)]  # frame i in link i - 1
        self.after = [frame_with_z(joint.axis).T @ F[i + 1] for i, joint in enumerate(model.joints)]
        self.first, self.frames = F[0], F
        shifts = [joint.origin.p for joint in model.joints] + [np.array(tool)]
        self.r_oo = [F[i].T @ shifts[i] for i in range(self.N + 1)]  # r_{o_i, o_{i+1}} in frame i + 1; the first from the base
        links = [model.base] + [joint.child for joint in model.joints]
        self.m, self.r_oc, self.I = [], [], []
        for i, name in enumerate(links):
            mass, com, tensor = unified(model, name)
            self.m.append(mass)
            self.r_oc.append(F[i].T @ com)
            self.I.append(F[i].T @ tensor @ F[i])
        by_joint = {motor.joint: motor for motor in model.motors}
        self.motors = []
        for joint in model.joints:
            motor = by_joint[joint.name]
            link = links.index(motor.link)
            z = F[link].T @ motor.origin.R[:, 2]
            self.motors.append(Rotor(link, motor.ratio, motor.inertia.tensor[2][2], z))
        elastic = [i for i, joint in enumerate(model.joints) if by_joint[joint.name].elastic]
        self.k = {i: k for k, i in enumerate(elastic)}  # joint i is the k-th elastic one
        self.K = [by_joint[model.joints[i].name].spring.stiffness for i in elastic]

    def rotation(self, i, q):
        """Return R_{i+1}^i; i counts from 0 for joint 1."""
        c, s = np.cos(q[i]), np.sin(q[i])
        return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ self.after[i]


def unified(model: Model, link: str):
    """Return mass, center of mass and inertia about it of a link and all motors on it, in the link's frame (figure 2)."""
    own = model.link(link).inertia
    parts = [(0.0, np.zeros(3), np.zeros((3, 3)))] if own is None else [(own.mass, np.array(own.com), np.array(own.tensor))]
    for motor in model.motors:
        if motor.link == link:
            R, I = motor.origin.R, motor.inertia
            parts.append((I.mass, motor.origin.p + R @ np.array(I.com), R @ np.array(I.tensor) @ R.T))
    mass = sum(part[0] for part in parts)
    com = sum(m * c for m, c, _ in parts) / mass if mass else np.zeros(3)
    steiner = [m * ((c - com) @ (c - com) * np.eye(3) - np.outer(c - com, c - com)) + I for m, c, I in parts]
    return mass, com, sum(steiner)


def reneal(arm: Arm, x, xd, xdd, f_e, tau_e, g, w0=(0, 0, 0), dw0=(0, 0, 0), a0=(0, 0, 0), printed=()):
    """Algorithm 1: return tau (N,), f_b and tau_b (N, 3 each), in frame i + 1, for [q; theta] and its rates."""
    N, cross = arm.N, np.cross
    q, qd, qdd, thetad, thetadd = x[:N], xd[:N], xdd[:N], xd[N:], xdd[N:]
    R = [arm.rotation(i, q) for i in range(N)]
    # frame 1 is fixed to the base
    w, dw, a_o = ([arm.first.T @ np.asarray(v, dtype=float)] for v in (w0, dw0, a0))
    g_in = [arm.first.T @ g]
    a_c = [None]
    for i in range(N):
        w.append(R[i].T @ (w[i] + qd[i] * Z0))  # (4)
        dw.append(R[i].T @ (dw[i] + qdd[i] * Z0 + qd[i] * cross(w[i], Z0)))  # (5)
        r = arm.r_oo[i]
        a_o.append(R[i].T @ (a_o[i] + cross(dw[i], r) + cross(w[i], cross(w[i], r))))  # (16)
        r = arm.r_oc[i + 1]
        a_c.append(a_o[i + 1] + cross(dw[i + 1], r) + cross(w[i + 1], cross(w[i + 1], r)))  # (17)
        g_in.append(R[i].T @ g_in[i])
    speed, gain, dw_m = [], [], []
    for j, motor in enumerate(arm.motors):
        i, elastic = motor.link, j in arm.k
        speed.append(thetad[arm.k[j]] if elastic else qd[j])
        gain.append(thetadd[arm.k[j]] if elastic else qdd[j])
        s, ds = (qd[j], qdd[j]) if "8-9" in printed else (speed[j], gain[j])
        dw_m.append(dw[i] + motor.eta * ds * motor.z + motor.eta * s * cross(w[i], motor.z))  # (8) elastic, (9) rigid
    f_b, tau_b = [None] * (N + 2), [None] * (N + 2)
    f_b[N + 1] = np.array(f_e) if "20" in printed else -np.array(f_e)  # (20)
    tau_b[N + 1] = np.array(tau_e) if "26" in printed else -np.array(tau_e)  # (26)
    R.append(np.eye(3))
    for i in range(N, 0, -1):
        f_next, tau_next = R[i] @ f_b[i + 1], R[i] @ tau_b[i + 1]
        f_b[i] = f_next + arm.m[i] * (a_c[i] - g_in[i])  # (19)
        to_c = arm.r_oc[i] - arm.r_oo[i]  # r_{o_{i+1}, c_i}; both of these start in o_i
        tau_b[i] = tau_next + arm.I[i] @ dw[i] + cross(w[i], arm.I[i] @ w[i])  # (25), first and third part
        if "21 moments" not in printed:
            tau_b[i] = tau_b[i] - cross(f_b[i], arm.r_oc[i]) + cross(f_next, to_c)
        for j, motor in enumerate(arm.motors):
            if motor.link == i:
                momentum = motor.eta * speed[j] * motor.Imz * motor.z
                rate = motor.eta * gain[j] * motor.Imz * motor.z + cross(w[i], momentum)  # (23)
                if "21 rate" in printed:
                    rate = momentum
                tau_b[i] = tau_b[i] + (-rate if "21 side" in printed else rate)
    tau = np.zeros(N)
    for i, motor in enumerate(arm.motors):
        inertial = motor.eta * motor.Imz * dw_m[i] @ motor.z
        if i in arm.k:
            tau[i] = elastic_torque(arm, x, i) + inertial  # (29)
        else:
            tau[i] = along_axis(arm, R, tau_b, i) + inertial  # (27)
    return tau, f_b[1 : N + 1], tau_b[1 : N + 1]


def along_axis(arm: Arm, R, tau_b, i):
    """Return the part of tau_b along joint i + 1, that is (R tau_b)^T z_0; the paper's tau_b^T R^T z_0 is the same."""
    return (R[i] @ tau_b[i + 1]) @ Z0


def elastic_torque(arm: Arm, x, i, printed=()):
    """Return K (theta - q) of elastic joint i + 1 (28)."""
    theta, eta = x[arm.N + arm.k[i]], arm.motors[i].eta
    if "alg 2" in printed:
        return arm.K[arm.k[i]] * eta * (theta - eta * x[i])
    return arm.K[arm.k[i]] * (theta - x[i])


def load_side(arm: Arm, x, tau_b, i):
    """Return the left side of (28)."""
    return (arm.rotation(i, x) @ tau_b[i]) @ Z0


def forward_dynamics(arm: Arm, x, xd, tau_m, f_e, tau_e, g, base=(), printed=()):
    """Algorithm 2: return [qdd; thetadd], A and zeta; tau_m holds one torque for every joint, base is w0, dw0, a0."""
    N, n = arm.N, arm.N + len(arm.k)
    still, none = np.zeros(n), np.zeros(3)

    def rows(velocity, acceleration, force, moment, gravity, base):
        tau, _, tau_b = reneal(arm, x, velocity, acceleration, force, moment, gravity, *base, printed=printed)
        load = [load_side(arm, x, tau_b, i) if i in arm.k else tau[i] for i in range(N)]  # (32), (34)
        return np.array(load), np.array([tau[i] for i in arm.k])

    load, motors = rows(xd, still, f_e, tau_e, g, base)
    zeta = np.concatenate([load, motors])  # (33)
    A = np.zeros((n, n))
    for j, unit in enumerate(np.eye(n)):
        load, motors = rows(xd if "35" in printed else still, unit, none, none, none, base if "alg 2 base" in printed else ())
        elastic = np.array([elastic_torque(arm, x, i) for i in arm.k])
        A[:, j] = np.concatenate([load, motors - elastic])  # (35)
    tau_q = [elastic_torque(arm, x, i, printed) if i in arm.k else tau_m[i] for i in range(N)]
    tau_me = [tau_m[i] for i in arm.k]
    return np.linalg.solve(A, np.concatenate([tau_q, tau_me]) - zeta), A, zeta  # (36)
