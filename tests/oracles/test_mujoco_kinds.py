"""Helical and universal joints against MuJoCo: two hinges of one body, and a hinge with a slide that follows it."""

import numpy as np
import pytest

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


@pytest.mark.parametrize("seed", range(3))
def test_a_helical_joint_is_a_hinge_and_a_slide_that_follows_it(backend, seed):
    robot = robot_of(backend, "helical", pitch=PITCH)
    q, qd, qdd = np.random.default_rng(seed).normal(size=(3, 2))
    G = np.array([[PITCH, 0.0], [1.0, 0.0], [0.0, 1.0]])
    both = '<joint type="slide" axis="0.6 0 0.8"/><joint type="hinge" axis="0.6 0 0.8"/>'
    tau, M = mujoco_torques(both, G @ q, G @ qd, G @ qdd)
    assert np.allclose(robot.inverse_dynamics(q, qd, qdd), G.T @ tau, rtol=0, atol=1e-11)
    assert np.allclose(robot.mass_matrix(q), G.T @ M @ G, rtol=0, atol=1e-12)
