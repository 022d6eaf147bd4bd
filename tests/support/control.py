"""Arms to be controlled, what a function of the state does along a closed loop, and states at random."""

from dataclasses import replace

import numpy as np
from scipy.integrate import cumulative_simpson
from scipy.linalg import expm

from lissom import Friction, Inertia, Motor, Robot, Spring
from lissom.robots import hua_arm, panda_model, tree_model
from support.elastic import untangled
from support.motions import NODES, WEIGHTS, slope
from support.motors import random_pose, random_rotor


def mixed_chain(backend=None, friction=True) -> Robot:
    """Turning and sliding joints, the last two behind springs whose motors' spin is felt by the joints before them."""
    model = tree_model(5, 1.0, 1.0, seed=12, kinds=["revolute", "revolute", "revolute", "prismatic"])
    rng, links = np.random.default_rng(1), ("ground", "link_5", "ground", "link_2", "link_3")
    springs = (None, None, None, Spring(120.0, 0.1), Spring(200.0, -0.2))
    motors = tuple(
        Motor(f"motor_{k + 1}", joint.name, link, (5.0, -3.0)[k % 2], random_rotor(rng), random_pose(rng), spring, Friction(0.01))
        for k, (joint, link, spring) in enumerate(zip(model.joints, links, springs, strict=True))
    )
    model = untangled(model.replace(motors=motors))
    return Robot(model if friction else model.without_friction(), backend=backend)


def elastic_panda(backend=None) -> Robot:
    """A Panda with all joints elastic, rotors reflected; springs are as much softer as what they move is lighter."""
    rotor = Inertia(0.3, (0, 0, 0), np.diag([1e-5, 1e-5, 2e-5]))
    model = panda_model().with_joints(lambda j: replace(j, friction=Friction(j.friction.viscous)))
    stiffness = (1e4, 1e4, 5e3, 5e3, 500.0, 500.0, 100.0)
    motors = tuple(
        Motor(f"motor_{k}", f"joint_{k}", None, 100.0, rotor, spring=Spring(K), rotor="reflected")
        for k, K in enumerate(stiffness, 1)
    )
    return Robot(model.replace(motors=motors), backend=backend)


ARMS = {"hua": hua_arm, "chain": mixed_chain, "panda": elastic_panda}


def states(robot, count=4, seed=0, size=0.3):
    """Return states near those in which springs carry the robot."""
    rng = np.random.default_rng(seed)
    q = robot.at_rest(rng.uniform(-1.0, 1.0, (count, robot.nq - robot.n_elastic)))
    q[..., robot.nq - robot.n_elastic :] += size * rng.normal(size=(count, robot.n_elastic))
    return q, size * rng.normal(size=(count, robot.nv))


def rate_along(control, f, t, q, qd, external=None):
    """Return the rate of f(t, q, qd) while the robot does what its controller says."""
    robot = control.robot
    qdd = robot.forward_dynamics(q, qd, control.torque(t, q, qd), external=external)
    return slope([f(t + h, q + h * qd, qd + h * qdd) for h in NODES])


def along(trajectory, f):
    """Return f(t, q, qd) at all samples of a trajectory."""
    return np.array([f(*sample) for sample in zip(trajectory.t, trajectory.q, trajectory.qd, strict=True)])


def differences(values, dt):
    """Return rates of samples, but for four at each end, by central differences of order eight."""
    step = np.round(NODES / NODES[0]).astype(int)
    inner = np.arange(4, len(values) - 4)
    return np.tensordot(WEIGHTS * NODES[0] / dt, values[inner + step[:, None]], 1)


def bound(V0, decay, t):
    """Return V0 exp(-integral of the rate of decay)."""
    return V0 * np.exp(-cumulative_simpson(np.broadcast_to(decay, t.shape), x=t, initial=0.0))


def linear(A, x0, t):
    """Return the solution of x' = A x (len(t), n) at evenly spaced times."""
    step, found = expm(A * t[1]), [np.asarray(x0)]
    for _ in t[1:]:
        found.append(step @ found[-1])
    return np.array(found)
