"""Nasser 1990 transcribed equation by equation, with 6x6 matrices and inverses, in his Denavit-Hartenberg frames.

What is wrong in print fails here, and what lissom uses instead holds.
"""

import dataclasses
import math

import numpy as np
import pytest

import lissom
from lissom.model import Friction, Inertia, Joint, JointKind, Link, Model, Pose
from lissom.model.pose import rotation_about
from lissom.robots import planar_two_link, planar_two_link_closed_form, srms
from lissom.robots.srms import JOINTS, largest_payload

METHODS = ("articulated_body", "nasser", "mass_matrix")
R, P = JointKind.REVOLUTE, JointKind.PRISMATIC
z = np.array([0.0, 0.0, 1.0])


@dataclasses.dataclass
class Numbers:
    """A link of the paper: frame i stands at its far end, s, a and phi from frame i-1."""

    kind: JointKind
    parent: int  # -1: the base
    s: float
    a: float
    phi: float
    mass: float
    com: np.ndarray  # in frame i
    I: np.ndarray  # about the center of mass, in frame i
    Ja: float
    viscous: float


def arm(kinds, parents, seed=0, actuators=True):
    rng = np.random.default_rng(seed)
    numbers = []
    for kind, parent in zip(kinds, parents, strict=True):
        points = rng.normal(size=(8, 3))
        second = points.T @ points
        I = 0.01 * (np.trace(second) * np.eye(3) - second)
        s, a, phi = rng.uniform(0.1, 0.5, 3)
        Ja, viscous = rng.uniform(0.1, 0.5, 2) if actuators else (0.0, 0.0)
        numbers.append(Numbers(kind, parent, s, a, 3 * phi, rng.uniform(1, 3), rng.uniform(-0.3, 0.3, 3), I, Ja, viscous))
    return numbers


def robot_of(numbers) -> lissom.Robot:
    links, joints = [Link("link_0")], []
    for i, n in enumerate(numbers, start=1):
        links.append(Link(f"link_{i}", Inertia(n.mass, tuple(n.com), n.I)))
        tail = Pose(rotation_about((1, 0, 0), n.phi), (n.a, 0.0, 0.0))
        more = {"friction": Friction(viscous=n.viscous), "rotor_inertia": n.Ja}
        origin = Pose(translation=(0.0, 0.0, n.s))
        joints.append(Joint(f"joint_{i}", n.kind, f"link_{n.parent + 1}", f"link_{i}", origin, tail=tail, **more))
    return lissom.Robot(Model("paper", tuple(links), tuple(joints), gravity=(0.0, 0.0, 0.0)), backend="numpy")


def skew(v):
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


def six(force, moment):
    return np.concatenate([force, moment])


def transcription(numbers, theta, rate, tau, forces, base, printed=()):
    """Return the hinge accelerations; `printed` names equations to be taken as printed.

    Args:
        forces: on each center of mass, force and moment (n, 2, 3) in frame i.
        base: angular velocity, acceleration and angular acceleration of the base.
    """
    n = len(numbers)
    children = [[j for j in range(n) if numbers[j].parent == i] for i in range(n)]
    w, Rot, Ps, A, B, S, Z, sigma, gamma, control = ([None] * n for _ in range(10))

    def pair(M):
        return np.block([[M, np.zeros((3, 3))], [np.zeros((3, 3)), M]])  # (2.1.18)

    def to_frame(i, v):
        """A vector given in frame i-1, in frame i."""
        return Rot[i].T @ v

    for i, x in enumerate(numbers):
        angle, s = (theta[i], x.s) if x.kind is R else (0.0, x.s + theta[i])
        Rot[i] = rotation_about((0, 0, 1), angle) @ rotation_about((1, 0, 0), x.phi)  # (A.1.1)
        Ps[i] = np.array([x.a * math.cos(angle), x.a * math.sin(angle), s])  # (A.1.3)
        control[i] = tau[i] - x.viscous * rate[i]

    for i, x in enumerate(numbers):
        w_before = base[0] if x.parent < 0 else to_frame(x.parent, w[x.parent])
        w[i] = w_before + z * rate[i] if x.kind is R else w_before  # (A.2.5)
        r = Ps[i] + Rot[i] @ x.com
        J = Rot[i] @ x.I @ Rot[i].T  # (2.1.5.1)
        turned = np.cross(w_before, z * rate[i])
        if x.kind is R:
            Z[i] = np.eye(6)[5]
            beta = x.mass * (np.cross(w[i], np.cross(w[i], r)) + np.cross(turned, r))  # (2.1.3.2)
            beta_ = J @ turned + np.cross(w[i], J @ w[i])  # (2.1.6.2)
            sign = -1 if "2.1.13.2" in printed else 1
            sigma[i] = six(np.cross(w[i], np.cross(w[i], Ps[i])), sign * turned)  # (2.1.13.2)
            own = np.zeros(3), z * control[i]
        else:
            Z[i] = np.eye(6)[2]  # (2.2.7)
            y = Ps[i] if "2.2.1" in printed else r
            beta = x.mass * (np.cross(w_before, np.cross(w_before, y)) + 2 * turned)  # (2.2.1)
            beta_ = np.cross(w_before, J @ w_before)  # (2.2.2)
            sigma[i] = six(np.cross(w_before, np.cross(w_before, Ps[i])) + 2 * turned, np.zeros(3))  # (2.2.6)
            own = z * control[i], np.zeros(3)
        f_c, n_c = np.zeros(3), np.zeros(3)
        for j in children[i]:
            f_c = f_c + Rot[i] @ z * control[j] * (numbers[j].kind is P)
            n_c = n_c + Rot[i] @ z * control[j] * (numbers[j].kind is R)
        F_e, N_e = (Rot[i] @ v for v in forces[i])
        N_t = N_e + np.cross(r, F_e) - np.cross(Ps[i], f_c) - n_c + own[1]  # (2.1.5.3)
        wrong = ("2.1.3" if x.kind is R else "2.2.4") in printed
        force = beta - own[0] - f_c + F_e if wrong else beta - own[0] + f_c - F_e
        B[i] = six(force, beta_ + np.cross(r, beta) - N_t)  # (2.1.7.6), (2.2.4)
        mr = x.mass * skew(r)
        A[i] = np.block([[x.mass * np.eye(3), -mr], [mr, J - x.mass * skew(r) @ skew(r)]])  # (2.1.7.4)
        ZZ = np.outer(Z[i], Z[i])
        S[i] = np.eye(6) - ZZ - A[i] @ ZZ - ZZ * x.Ja  # (2.1.7.2)
        gamma[i] = np.eye(6) - ZZ if "gamma" in printed else np.eye(6) - ZZ - ZZ * x.Ja

    # inbound
    G = [None] * n
    for i in reversed(range(n)):
        shift = np.block([[np.eye(3), np.zeros((3, 3))], [skew(Ps[i]), np.eye(3)]])  # (2.1.13.3), transposed
        L = S[i]
        turn = pair(Rot[i])
        for j in children[i]:
            A_j = shift @ turn @ gamma[j] @ G[j] @ A[j] @ turn.T @ shift.T  # (2.1.19.4)
            B_j = shift @ turn @ gamma[j] @ G[j] @ B[j] + A_j @ sigma[i]  # (2.1.19.6), (2.1.19.7)
            L = L - A_j @ np.outer(Z[i], Z[i])  # (2.1.19.1)
            A[i], B[i] = A[i] + A_j, B[i] + B_j  # (2.1.19.3), (2.1.19.5), (2.3.3), (2.3.4)
        G[i] = np.linalg.inv(L)  # (2.1.11)

    # outbound
    found, q = np.zeros(n), [None] * n
    for i, x in enumerate(numbers):
        before = six(base[1], base[2]) if x.parent < 0 else q[x.parent]
        found[i] = Z[i] @ G[i] @ (A[i] @ before + B[i])  # (2.1.20), (2.1.19.2)
        shift = np.block([[np.eye(3), -skew(Ps[i])], [np.zeros((3, 3)), np.eye(3)]])
        q[i] = pair(Rot[i]).T @ shift @ (before + found[i] * Z[i] + sigma[i])  # (2.1.13)
    return found


def both(numbers, printed=(), seed=1, method="nasser"):
    """Return the paper's accelerations and lissom's, of a random state with forces on every link and a moving base."""
    n = len(numbers)
    rng = np.random.default_rng(seed)
    theta, rate, tau = rng.normal(size=(3, n))
    forces, base = rng.normal(size=(n, 2, 3)), rng.normal(size=(3, 3))
    external = {
        f"link_{i}": lissom.Wrench(f, m, axes="link", point=x.com)
        for i, ((f, m), x) in enumerate(zip(forces, numbers, strict=True), start=1)
    }
    motion = lissom.BaseMotion(angular_velocity=base[0], acceleration=base[1], angular_acceleration=base[2])
    ours = robot_of(numbers).forward_dynamics(theta, rate, tau, external=external, method=method, base_motion=motion)
    return transcription(numbers, theta, rate, tau, forces, base, printed), ours


def error(printed=(), numbers=None, method="nasser"):
    theirs, ours = both(arm(*CHAIN) if numbers is None else numbers, printed, method=method)
    return np.abs(theirs - ours).max() / np.abs(ours).max()


CHAIN = (R, P, R, P, R, R), (-1, 0, 1, 2, 3, 4)
TREE = (R, R, R, P, P, R, R, P), (-1, 0, 1, 1, 0, 4, -1, 6)  # branch by branch, as a Model orders its joints


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("mechanism", [CHAIN, TREE, ((R,) * 6, range(-1, 5)), ((P, P, P), range(-1, 2))])
def test_the_corrected_equations_give_the_accelerations_of_every_method(mechanism, method):
    assert error(numbers=arm(*mechanism), method=method) < 1e-12


@pytest.mark.parametrize("equation", ["2.1.3", "2.1.13.2", "2.2.1", "2.2.4"])
def test_each_equation_that_was_corrected_fails_as_printed(equation):
    assert error() < 1e-12
    assert error([equation]) > 1e-3


def test_the_direction_of_a_sliding_joint_has_six_entries_not_five():
    with pytest.raises(ValueError, match="matmul"):
        np.eye(6) @ np.array([0.0, 0.0, 1.0, 0.0, 0.0])  # (2.2.7) as printed


def test_the_reaction_of_a_drive_is_less_by_what_its_actuator_takes():
    # without actuator inertia the plain projection, 1 - Z Z', is the same thing
    assert error(["gamma"], arm(*CHAIN, actuators=False)) < 1e-12
    assert error(["gamma"]) > 1e-3


def test_a_planar_arm_moves_as_its_equations_in_closed_form_say():
    q, qd, qdd = np.random.default_rng(3).normal(size=(3, 100, 2))
    numbers = {"l1": 0.7, "l2": 0.4, "m1": 2.0, "m2": 1.5, "c1": 0.3, "c2": 0.25, "I1": 0.11, "I2": 0.06}
    tau = planar_two_link_closed_form(q, qd, qdd, **numbers)
    found = planar_two_link(**numbers).forward_dynamics(q, qd, tau, method="nasser")
    assert np.allclose(found, qdd, rtol=0, atol=1e-12)


@pytest.mark.parametrize(("payload", "rounding"), [(None, 1e-13), (largest_payload(), 1e-10)])
def test_both_models_give_the_shuttle_arm_the_same_accelerations(payload, rounding):
    """The paper's comparison: with Walker and Orin's model, on this arm's data; 65,000 lb at the tip cost digits."""
    rng = np.random.default_rng(4)
    n = 1000
    lower, upper = np.radians([degrees for _, _, degrees, _, _ in JOINTS]).T
    rates, torques = np.array([(rate, torque) for *_, rate, torque in JOINTS]).T
    q, qd, tau = rng.uniform(lower, upper, (n, 6)), rng.uniform(-rates, rates, (n, 6)), rng.uniform(-torques, torques, (n, 6))
    walker_orin, nasser = (srms(payload).forward_dynamics(q, qd, tau, method=method) for method in ("mass_matrix", "nasser"))
    largest = np.abs(walker_orin).max(axis=0)
    assert (np.abs(nasser - walker_orin) / largest).max() < rounding
