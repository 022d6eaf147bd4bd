"""Arms with motors behind springs for motion problems, and what they must do, found without lissom's series in time."""

from dataclasses import replace

import numpy as np

from lissom import Inertia, Joint, JointKind, Limits, Link, Model, Motor, Pose, Robot, Spring
from lissom.predict.problem_file.builtin import FOLDER
from lissom.robots import hua_arm_model, tree_model
from lissom.robots import panda_model as rigid_panda


def rotor(spin: float, mass: float = 0.2) -> Inertia:
    return Inertia(mass, (0.0, 0.0, 0.0), ((spin, 0.0, 0.0), (0.0, spin, 0.0), (0.0, 0.0, spin)))


def rr_file() -> str:
    """The two-link arm that ships with lissom."""
    return str(FOLDER / "robots" / "elastic_rr.yaml")


def one_joint(link: float = 0.3, motor: float = 0.1, stiffness: float = 40.0, effort: float = 5.0) -> Robot:
    """A link that turns about the vertical, behind a spring: two inertias [kg m^2] and a stiffness [N m/rad]."""
    links = (Link("base"), Link("link", Inertia(1.0, (0.0, 0.0, 0.0), np.diag([link, link, link]).tolist())))
    joints = (Joint("hinge", JointKind.CONTINUOUS, "base", "link"),)
    drive = Motor("drive", "hinge", "base", 10.0, rotor(motor / 100.0), spring=Spring(stiffness), limits=Limits(effort=effort))
    return Robot(Model("one_joint", links, joints, motors=(drive,)))


def chain(seed: int = 3, backend=None) -> Robot:
    """A skewed chain of revolute, prismatic and revolute joints, all behind springs that rest anywhere; friction of all kinds."""
    model = tree_model(3, branching=1, skew=0.6, seed=seed, kinds=["revolute", "prismatic", "revolute"], drives=True)
    rng = np.random.default_rng(seed)
    motors = tuple(
        Motor(
            f"motor_{k}",
            joint.name,
            (None, model.base, None)[k],
            (20.0, -5.0, 8.0)[k],
            rotor(rng.uniform(1e-3, 3e-3)),
            Pose(translation=rng.uniform(-0.1, 0.1, 3)),
            Spring(rng.uniform(60, 200), rng.uniform(-0.3, 0.3)),
            rotor="reflected" if k == 2 else "full",
        )
        for k, joint in enumerate(model.independent_joints)
    )
    return Robot(model.replace(motors=motors), backend=backend)


def hua(backend=None, **options) -> Robot:
    return Robot(hua_arm_model(**options), backend=backend)


def panda(stiffness: float = 9000.0) -> Robot:
    """The Panda with all joints behind springs; the joints' efforts are those of the motors."""
    model = rigid_panda()
    motors = tuple(
        Motor(
            f"motor_{k + 1}",
            joint.name,
            None,
            100.0,
            rotor(5e-5),
            spring=Spring(stiffness / (1 if k < 4 else 3)),
            limits=Limits(effort=joint.limits.effort),
            rotor="reflected",
        )
        for k, joint in enumerate(model.independent_joints)
    )
    return Robot(model.replace(motors=motors))


def stiffened(robot: Robot, stiffness: float) -> Robot:
    return Robot(
        robot.model.with_motors(lambda m: m if m.spring is None else replace(m, spring=Spring(stiffness, m.spring.rest)))
    )


def motor_angles(robot: Robot, q, qd, qdd, external=None):
    """Return theta by the balance of each spring alone: what the whole robot lacks at joints whose springs are not stretched."""
    n, found = robot.link_nv, []
    places = [robot.joint_names.index(motor.joint) for motor in robot.model.elastic_motors]
    theta = np.stack([q[..., k] + m.spring.rest for k, m in zip(places, robot.model.elastic_motors, strict=True)], axis=-1)
    still = np.zeros((*q.shape[:-1], robot.nv - n))
    whole = [np.concatenate(both, axis=-1) for both in ((q, theta), (qd, still), (qdd, still))]
    needed = robot.inverse_dynamics(*whole, external=external)
    for e, (k, m) in enumerate(zip(places, robot.model.elastic_motors, strict=True)):
        found.append(theta[..., e] + needed[..., k] / m.spring.stiffness)
    return np.stack(found, axis=-1)


def differences(f, t, h):
    """Return a function of time and its two derivatives at t, by central differences of order six."""
    y = {k: f(t + k * h) for k in range(-3, 4)}
    first = (45 * (y[1] - y[-1]) - 9 * (y[2] - y[-2]) + (y[3] - y[-3])) / (60 * h)
    second = (2 * (y[3] + y[-3]) - 27 * (y[2] + y[-2]) + 270 * (y[1] + y[-1]) - 490 * y[0]) / (180 * h * h)
    return y[0], first, second


def by_differences(robot: Robot, path, t, external=None, h=1e-3):
    """Return q, qd, qdd and tau of the whole robot along a path of its joints: theta by springs, its rates by differences."""
    theta = differences(lambda x: motor_angles(robot, *path.states(x)[:3], external), t, h)
    whole = [np.concatenate(both, axis=-1) for both in zip(path.states(t)[:3], theta, strict=True)]
    return (*whole, robot.inverse_dynamics(*whole, external=external))
