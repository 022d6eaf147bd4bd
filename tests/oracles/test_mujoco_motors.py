"""Motors beside MuJoCo: rotors are bodies with hinges, elastic drives tendons to their joints, reflected rotors armature."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from lissom import Friction, Robot
from lissom.model import JointKind
from lissom.robots import tree_model
from support.motors import with_motors
from support.states import error, random_states

mujoco = pytest.importorskip("mujoco")
TOLERANCE = 1e-10


def written(model):
    """Return `model`, of single-axis joints without tails and with frictionless rotors, as MJCF."""
    armature = {joint.name: joint.rotor_inertia for joint in model.joints}
    below = {link.name: "" for link in model.links}
    for motor in model.motors:
        hinge = f'<joint name="{motor.name}" axis="0 0 1"/>'
        if motor.rotor == "full":
            below[motor.link] += body(motor.origin, hinge + inertial(motor.inertia))
        else:
            # all but the spin moves with the link; the spin itself stands on the ground, or is armature
            below[motor.link] += body(motor.origin, inertial(motor.inertia))
            if motor.elastic:
                below[model.base] += body(motor.origin, hinge + inertial(motor.inertia))
            else:
                armature[motor.joint] += motor.reflected_inertia
    for joint in reversed(model.joints):
        inertia = model.link(joint.child).inertia
        inner = moving(joint, armature[joint.name]) + (inertial(inertia) if inertia else "") + below[joint.child]
        below[joint.parent] = body(joint.origin, inner) + below[joint.parent]
    tendons = "".join(drive(motor) for motor in model.elastic_motors)
    option = f'<option gravity="{row(model.gravity)}"><flag contact="disable"/></option><compiler angle="radian"/>'
    return f"<mujoco>{option}<worldbody>{below[model.base]}</worldbody><tendon>{tendons}</tendon></mujoco>"


def row(numbers):
    return " ".join(repr(float(x)) for x in numbers)


def body(pose, inner):
    x, y, z, w = Rotation.from_matrix(pose.R).as_quat()
    return f'<body pos="{row(pose.p)}" quat="{row((w, x, y, z))}">{inner}</body>'


def inertial(inertia):
    I = np.array(inertia.tensor)
    six = (I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2])
    return f'<inertial mass="{inertia.mass!r}" pos="{row(inertia.com)}" fullinertia="{row(six)}"/>'


def moving(joint, armature):
    if joint.kind is JointKind.FIXED:
        return ""
    kind = "slide" if joint.kind is JointKind.PRISMATIC else "hinge"
    damping, more = joint.friction.viscous, f'name="{joint.name}" type="{kind}" axis="{row(joint.axis)}" armature="{armature!r}"'
    if (spring := joint.spring) is not None:
        damping, more = damping + spring.damping, f'{more} stiffness="{spring.stiffness!r}" springref="{spring.rest!r}"'
    return f'<joint {more} damping="{damping!r}"/>'


def drive(motor):
    """A tendon as long as theta - q: theta is the rotor's angle over the ratio."""
    spring = motor.spring
    ends = f'<joint joint="{motor.name}" coef="{1 / motor.ratio!r}"/><joint joint="{motor.joint}" coef="-1"/>'
    length = f"{spring.rest!r} {spring.rest!r}"
    return f'<fixed stiffness="{spring.stiffness!r}" damping="{spring.damping!r}" springlength="{length}">{ends}</fixed>'


class Judge:
    """MuJoCo's answers in lissom's coordinates: T takes these to those of MuJoCo, where every rotor that turns has a joint."""

    def __init__(self, model) -> None:
        self.m = mujoco.MjModel.from_xml_string(written(model))
        self.d = mujoco.MjData(self.m)
        self.T = np.zeros((self.m.nv, model.nv))
        columns, motors = [joint.name for joint in model.independent_joints], {motor.name: motor for motor in model.motors}
        for j in range(self.m.njnt):
            name = self.m.joint(j).name
            column = columns.index(name if name in columns else motors[name].joint)
            self.T[self.m.jnt_dofadr[j], column] = motors[name].ratio if name in motors else 1.0

    def tau(self, q, qd, qdd):
        self.d.qpos[:], self.d.qvel[:], self.d.qacc[:] = self.T @ q, self.T @ qd, self.T @ qdd
        mujoco.mj_inverse(self.m, self.d)
        return self.T.T @ self.d.qfrc_inverse

    def accelerations(self, q, qd, tau):
        """Return qdd where every coordinate of MuJoCo's is one of lissom's."""
        self.d.qpos[:], self.d.qvel[:] = self.T @ q, self.T @ qd
        self.d.qfrc_applied[:] = np.linalg.solve(self.T.T, tau)
        mujoco.mj_forward(self.m, self.d)
        return np.linalg.solve(self.T, self.d.qacc)


def driven(seed, rotor, elastic, ratios=(1.0, -3.0, 12.0, -50.0), **more):
    """A tree with springs and damping at joints too; the rest of drives is not negative, which MuJoCo cannot say of tendons."""
    arguments = {"n": 6, "branching": 1.5, "skew": 1.1, "kinds": ["revolute", "prismatic"], "fixed": 0.2, "springs": 0.4, **more}
    model = with_motors(tree_model(seed=seed, **arguments), seed, 1.0, elastic, rotor=rotor, ratios=ratios)

    def quiet(motor):
        spring = motor.spring and replace(motor.spring, rest=abs(motor.spring.rest))
        return replace(motor, friction=Friction(), spring=spring)

    return model.with_motors(quiet).with_joints(lambda j: replace(j, friction=Friction(j.friction.viscous)))


@pytest.mark.sweep(8)
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("rotor", ["full", "reflected"])
@pytest.mark.parametrize("elastic", [0.0, 0.5, 1.0])
def test_joint_forces_with_motors_are_those_of_mujoco(seed, rotor, elastic):
    model = driven(seed, rotor, elastic)
    judge, robot = Judge(model), Robot(model, backend="numpy")
    assert judge.m.nv == model.nv + (rotor == "full") * (len(model.motors) - len(model.elastic_motors))
    for state in zip(*random_states(model, 4, seed=seed), strict=True):
        assert error(robot.inverse_dynamics(*state), judge.tau(*state)) < TOLERANCE


@pytest.mark.sweep("llvm-reflected", "numpy-full")
@pytest.mark.parametrize("rotor", ["full", "reflected"])
def test_accelerations_behind_springs_are_those_of_mujoco(rotor, backend):
    for seed in range(4):
        model = driven(seed, rotor, 1.0)
        judge, robot = Judge(model), Robot(model, backend=backend)
        for q, qd, tau in zip(*random_states(model, 4, seed=seed), strict=True):
            assert error(robot.forward_dynamics(q, qd, tau), judge.accelerations(q, qd, tau)) < TOLERANCE
        if backend == "llvm":
            break


def test_accelerations_of_joint_springs_with_armature_are_those_of_mujoco():
    for seed in range(4):
        model = driven(seed, "reflected", 0.0, springs=1.0)
        judge, robot = Judge(model), Robot(model, backend="numpy")
        for q, qd, tau in zip(*random_states(model, 4, seed=seed), strict=True):
            assert error(robot.forward_dynamics(q, qd, tau), judge.accelerations(q, qd, tau)) < TOLERANCE
