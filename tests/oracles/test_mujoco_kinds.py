"""Helical and universal joints against MuJoCo: two hinges of one body, and a hinge with a slide that follows it."""

import numpy as np
import pytest

import lissom
from lissom import Inertia, Joint, Link, Model, Pose, Robot

mujoco = pytest.importorskip("mujoco")

ARM = Inertia(1.3, (0.1, 0.2, -0.15), ((0.05, 0.001, 0.002), (0.001, 0.04, 0.003), (0.002, 0.003, 0.06)))
TIP = Inertia(0.4, (0.05, -0.1, 0.2), ((0.01, 0.0, 0.001), (0.0, 0.02, 0.0), (0.001, 0.0, 0.015)))
PITCH = 0.3

XML = """
<mujoco>
  <compiler angle="radian" autolimits="true"/>
  <option gravity="0 0 -9.81"><flag contact="disable"/></option>
  <worldbody>
    <body name="arm" pos="0.1 0.2 0.3">
      {first}
      <inertial pos="0.1 0.2 -0.15" mass="1.3" fullinertia="0.05 0.04 0.06 0.001 0.002 0.003"/>
      <body name="tip" pos="0.3 0 0.1">
        <joint type="hinge" axis="0 1 0"/>
        <inertial pos="0.05 -0.1 0.2" mass="0.4" fullinertia="0.01 0.02 0.015 0 0.001 0"/>
      </body>
    </body>
  </worldbody>
</mujoco>
"""


def robot_of(backend, kind, **own):
    joints = (
        Joint("first", kind, "ground", "arm", Pose(translation=(0.1, 0.2, 0.3)), (0.6, 0.0, 0.8), **own),
        Joint("second", "revolute", "arm", "tip", Pose(translation=(0.3, 0.0, 0.1)), (0.0, 1.0, 0.0)),
    )
    return Robot(Model("two", (Link("ground"), Link("arm", ARM), Link("tip", TIP)), joints), backend=backend)


def mujoco_torques(first, q, qd, qdd):
    model = mujoco.MjModel.from_xml_string(XML.format(first=first))
    data = mujoco.MjData(model)
    data.qpos, data.qvel, data.qacc = q, qd, qdd
    mujoco.mj_inverse(model, data)
    tau, M = data.qfrc_inverse.copy(), np.zeros((model.nv, model.nv))
    for column, unit in zip(M.T, np.eye(model.nv), strict=True):
        product = np.zeros(model.nv)
        mujoco.mj_mulM(model, data, product, unit)
        column[:] = product
    return tau, M


@pytest.mark.parametrize("seed", range(3))
def test_a_universal_joint_is_two_hinges(backend, seed):
    robot = robot_of(backend, "universal", second_axis=(0.0, 1.0, 0.0))
    q, qd, qdd = np.random.default_rng(seed).normal(size=(3, 3))
    hinges = '<joint type="hinge" axis="0.6 0 0.8"/><joint type="hinge" axis="0 1 0"/>'
    tau, M = mujoco_torques(hinges, q, qd, qdd)
    assert np.allclose(robot.inverse_dynamics(q, qd, qdd), tau, rtol=0, atol=1e-11)
    assert np.allclose(robot.mass_matrix(q), M, rtol=0, atol=1e-12)
    assert np.allclose(robot.forward_dynamics(q, qd, tau, method="articulated_body"), qdd, rtol=0, atol=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_a_helical_joint_is_a_hinge_and_a_slide_that_follows_it(backend, seed):
    robot = robot_of(backend, "helical", pitch=PITCH)
    q, qd, qdd = np.random.default_rng(seed).normal(size=(3, 2))
    G = np.array([[PITCH, 0.0], [1.0, 0.0], [0.0, 1.0]])
    both = '<joint type="slide" axis="0.6 0 0.8"/><joint type="hinge" axis="0.6 0 0.8"/>'
    tau, M = mujoco_torques(both, G @ q, G @ qd, G @ qdd)
    assert np.allclose(robot.inverse_dynamics(q, qd, qdd), G.T @ tau, rtol=0, atol=1e-11)
    assert np.allclose(robot.mass_matrix(q), G.T @ M @ G, rtol=0, atol=1e-12)
    assert np.allclose(robot.forward_dynamics(q, qd, G.T @ tau, method="articulated_body"), qdd, rtol=0, atol=1e-9)


FOLLOWS = """
<mujoco>
  <compiler angle="radian"/>
  <worldbody>
    <body name="thigh"><joint name="hip" type="hinge" axis="0 1 0" ref="0.2"/><geom type="capsule" size="0.05 0.2"/>
      <body name="shank" pos="0 0 -0.4">
        <joint name="slide" type="slide" axis="1 0 0" ref="0.1"/><joint name="knee" type="hinge" axis="0 1 0" ref="-0.3"/>
        <geom type="capsule" size="0.04 0.2" pos="0.1 0 -0.2"/>
      </body>
    </body>
  </worldbody>
  {rest}
</mujoco>
"""
POLYNOMIAL = (0.05, 0.2, -0.3, 0.1, 0.4)


def test_a_joint_that_follows_by_a_polynomial_is_a_custom_joint(backend, tmp_path):
    """MuJoCo's own equality is soft: its motion is put on the curve instead, and its torques are projected."""
    text = " ".join(map(str, POLYNOMIAL))
    rest = f'<equality><joint joint1="slide" joint2="knee" polycoef="{text}"/></equality>'
    path = tmp_path / "leg.xml"
    path.write_text(FOLLOWS.format(rest=rest))
    robot = Robot(lissom.load(path).model, backend=backend)
    assert (robot.joint_names, robot.model.joint("slide").kind.value) == (("hip", "knee"), "custom")
    q, qd, qdd = np.random.default_rng(3).normal(size=(3, 2))
    f, x = np.polynomial.Polynomial(POLYNOMIAL), q[1] + 0.3
    slope, bend = f.deriv()(x), f.deriv(2)(x)
    G = np.array([[1.0, 0.0], [0.0, slope], [0.0, 1.0]])
    model = mujoco.MjModel.from_xml_string(FOLLOWS.format(rest=""))
    data = mujoco.MjData(model)
    data.qpos, data.qvel = [q[0], 0.1 + f(x), q[1]], G @ qd
    data.qacc = G @ qdd + np.array([0.0, bend * qd[1] ** 2, 0.0])
    mujoco.mj_inverse(model, data)
    assert np.allclose(robot.inverse_dynamics(q, qd, qdd), G.T @ data.qfrc_inverse, rtol=0, atol=1e-10)
    free = lissom.load(path, mimic=False)
    assert [joint.kind.value for joint in free.model.joints if joint.kind.nv] == ["continuous", "prismatic", "continuous"]


def test_what_a_joint_that_follows_by_a_polynomial_loses_is_named(tmp_path):
    rest = '<equality><joint joint1="slide" joint2="knee" polycoef="0 1 1 0 0"/><joint joint1="hip" joint2="slide"/></equality>'
    path = tmp_path / "leg.xml"
    path.write_text(FOLLOWS.format(rest=rest).replace('ref="0.1"', 'ref="0.1" damping="2" armature="0.1"'))
    with pytest.warns(lissom.ModelWarning) as caught:
        robot = lissom.load(path)
    said = " ".join(str(warning.message) for warning in caught)
    assert "friction, armature of joint 'slide' ignored: it follows another joint by a polynomial" in said
    assert "joint 'hip' is free: it would follow 'slide', which itself follows by a polynomial" in said
    assert robot.joint_names == ("hip", "knee")
