"""MuJoCo integrates the same arm to the same states."""

import mujoco
import numpy as np
import pytest

import lissom

ARM = """
<mujoco model="arm">
  <option gravity="0 0 -9.81" timestep="0.002" integrator="RK4"><flag contact="disable" constraint="disable"/></option>
  <worldbody>
    <body name="a" pos="0 0 1">
      <joint name="yaw" axis="0 0 1" armature="0.02" damping="0.1"/>
      <inertial pos="0.1 0.02 0.1" mass="2" diaginertia="0.02 0.03 0.04"/>
      <body name="b" pos="0.3 0 0">
        <joint name="pitch" axis="0 1 0"/>
        <inertial pos="0.2 0 0.05" mass="1.5" diaginertia="0.01 0.02 0.02"/>
        <body name="c" pos="0.4 0 0"><joint name="slide" type="slide" axis="1 0 0" damping="2"/>
          <inertial pos="0 0.1 0" mass="0.5" diaginertia="0.005 0.004 0.003"/></body>
      </body>
      <body name="d" pos="-0.2 0 0"><joint name="last" type="{last}" axis="0.6 0 0.8"/>
        <inertial pos="0 0 -0.2" mass="0.7" diaginertia="0.01 0.01 0.005"/></body>
    </body>
  </worldbody>
</mujoco>
"""


def both(folder, last, text=ARM):
    """Return the arm, with a last joint of some type, in lissom and in MuJoCo."""
    path = folder / "arm.xml"
    path.write_text(text.replace("{last}", last))
    return lissom.load(path), mujoco.MjModel.from_xml_path(str(path))


def stepped(model, q, qd, tau, steps):
    """Step MuJoCo, whose quaternions are w x y z."""
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:], data.qfrc_applied[:] = np.r_[q[:3], np.roll(q[3:], 1)], qd, tau
    for _ in range(steps):
        mujoco.mj_step(model, data)
    return np.r_[data.qpos[:3], np.roll(data.qpos[3:], -1)], data.qvel


ELASTIC = ARM.replace('axis="0 1 0"', 'axis="0 1 0" stiffness="12" springref="30"').replace('damping="2"', 'stiffness="50"')


@pytest.mark.parametrize("text", [ARM, ELASTIC], ids=["rigid", "elastic"])
def test_runge_kutta_steps_of_single_axis_joints_are_the_same(tmp_path, text):
    robot, model = both(tmp_path, "hinge", text)
    assert robot.model.has_springs == (text is ELASTIC)
    assert robot.joint_names == ("yaw", "pitch", "slide", "last")
    q, qd, tau = np.random.default_rng(0).uniform(-1, 1, (3, 4))
    ours = robot.simulate(q, qd, 0.5, tau, method="rk4", dt=0.002).end
    their_q, their_qd = stepped(model, q, qd, tau, 250)
    assert np.allclose(ours.q, their_q, rtol=0, atol=1e-11) and np.allclose(ours.qd, their_qd, rtol=0, atol=1e-10)


def test_a_ball_joint_ends_in_the_same_place_and_nearer_to_where_it_should(tmp_path):
    robot, model = both(tmp_path, "ball")
    rng = np.random.default_rng(0)
    q, qd, tau = np.r_[rng.uniform(-1, 1, 3), 0.1, 0.2, -0.3, 0.9], rng.normal(size=6), 0.05 * rng.normal(size=6)
    q[3:] /= np.linalg.norm(q[3:])
    exact = robot.simulate(q, qd, 0.5, tau).end
    ours = robot.simulate(q, qd, 0.5, tau, method="rk4", dt=0.002).end
    their_q, _ = stepped(model, q, qd, tau, 250)
    assert np.abs(their_q - exact.q).max() < 1e-6
    assert np.abs(ours.q - exact.q).max() < min(np.abs(their_q - exact.q).max(), 1e-9)
