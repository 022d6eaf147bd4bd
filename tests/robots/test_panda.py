"""The built-in Panda beside the URDF of example-robot-data, whose inertias come from the same paper."""

import numpy as np
import pinocchio as pin
import pytest

import lissom
from lissom.robots.panda import FLANGE
from support.published import ROBOTS

URDF = ROBOTS / "panda_description/urdf/panda.urdf"


@pytest.fixture(scope="module")
def published():
    return lissom.load(URDF).model


def test_links_and_limits_are_the_published_ones(published):
    model = lissom.robots.panda_model()
    for k in range(1, 8):
        own, other = model.link(f"link_{k}").inertia, published.link(f"panda_link{k}").inertia
        assert own.mass == other.mass and np.allclose(own.tensor, other.tensor, atol=1e-15)
        # the maker has moved the center of mass of link 1 along its axis, which no joint feels
        assert np.allclose(own.com[: 2 if k == 1 else 3], other.com[: 2 if k == 1 else 3], atol=1e-15)
        assert model.joint(f"joint_{k}").limits == published.joint(f"panda_joint{k}").limits


def test_links_stand_where_pinocchio_puts_those_of_the_urdf():
    robot, model = lissom.robots.panda(), pin.buildModelFromUrdf(str(URDF))
    data = model.createData()
    for q in np.random.default_rng(0).uniform(-2, 2, (5, 7)):
        pin.framesForwardKinematics(model, data, np.append(q, np.zeros(model.nq - 7)))
        for k in range(1, 8):
            pose = data.oMf[model.getFrameId(f"panda_link{k}")]
            assert np.allclose(robot.link_pose(q, f"link_{k}"), pose.homogeneous, atol=1e-12)
        tip = data.oMf[model.getFrameId("panda_link8")]
        assert np.allclose(robot.link_pose(q, "flange"), tip.homogeneous, atol=1e-12) and FLANGE == 0.107


def test_torques_are_pinocchios_without_the_hand():
    robot, model = lissom.robots.panda(), pin.buildModelFromUrdf(str(URDF))
    last = model.getJointId("panda_joint7")
    for joint in range(last + 1, model.njoints):
        model.inertias[joint].setZero()
    x, y, z = lissom.robots.panda_model().link("link_7").inertia.com
    inertia = lissom.robots.panda_model().link("link_7").inertia
    model.inertias[last] = pin.Inertia(inertia.mass, np.array([x, y, z]), np.array(inertia.tensor))
    data = model.createData()
    rest = np.zeros(model.nq - 7)
    for q, qd, qdd in np.random.default_rng(1).uniform(-2, 2, (5, 3, 7)):
        expected = pin.rnea(model, data, *(np.append(part, rest) for part in (q, qd, qdd)))[:7]
        assert np.allclose(robot.inverse_dynamics(q, qd, qdd), expected, rtol=1e-10, atol=1e-10)
