"""UR5 and Panda from their URDFs: point-to-point motions with their own limits, loads, spheres and torque rates."""

import numpy as np
import pytest

import lissom
from lissom import MotionProblem, Wrench
from support.published import ROBOTS

pytestmark = pytest.mark.filterwarnings("ignore::lissom.errors.ModelWarning")
TOOL = "tool0"
UR5_WAY = [0.0, -1.2, 1.0, -1.0, 0.5, 0.0], [1.5, -0.6, 0.4, -0.5, -0.5, 1.0]
PANDA_WAY = [0.0, -0.8, 0.0, -2.3, 0.0, 1.6, 0.8], [1.2, 0.3, -0.4, -1.5, 0.3, 2.2, -0.5]


@pytest.fixture(scope="module")
def ur5():
    return lissom.load(ROBOTS / "ur_description/urdf/ur5_robot.urdf")


@pytest.fixture(scope="module")
def panda():
    robot = lissom.load(ROBOTS / "panda_description/urdf/panda.urdf")
    return robot.locked({"panda_finger_joint1": 0.0})


def fastest(robot, way, control_points=12, smooth=1e-5, own=("velocity", "torque"), **options):
    """Minimum time; a little weight on accelerations settles the joints that could be late without harm."""
    p = MotionProblem(robot, control_points=control_points, duration=(0.1, 10.0), **options).start(way[0]).end(way[1])
    return p.limit_by_model(*own).minimize("time").minimize("integral", smooth, "acceleration")


@pytest.mark.parametrize("own", [("velocity", "torque"), ("position", "velocity", "torque")])
def test_ur5_goes_from_point_to_point_at_its_limits(ur5, own):
    found = fastest(ur5, UR5_WAY, own=own).solve()
    assert found.success
    limits = [j.limits for j in ur5.model.independent_joints]
    q, qd, *_ = found.states(found.times(2001))
    assert np.abs(q[[0, -1]] - UR5_WAY).max() < 1e-8 and np.abs(qd[[0, -1]]).max() < 1e-8
    speed = (np.abs(qd) / [x.velocity for x in limits]).max(axis=0)
    torque = (np.abs(found.torques(found.times(2001))) / [x.effort for x in limits]).max(axis=0)
    assert max(speed.max(), torque.max()) == pytest.approx(1.0, abs=2e-3)  # between the instants too
    assert found.violation < 2e-3
    # no joint can be faster than its speed allows
    assert found.duration > max(np.abs(np.subtract(*UR5_WAY)) / [x.velocity for x in limits])


@pytest.mark.slow
def test_panda_goes_from_point_to_point_at_its_limits(panda):
    found = fastest(panda, PANDA_WAY, own=()).solve(refine=1)
    assert found.success and panda.nv == 7
    assert found.violation < 2e-3
    q = found.states(found.times(2001))[0]
    limits = [j.limits for j in panda.model.independent_joints]
    assert (q > [x.lower - 1e-3 for x in limits]).all() and (q < [x.upper + 1e-3 for x in limits]).all()
    assert max(limit.active for limit in found.limits) > 0.1


def test_without_weight_on_accelerations_time_is_a_little_shorter(ur5):
    bare = fastest(ur5, UR5_WAY, smooth=0.0).solve()
    assert bare.success and bare.duration < fastest(ur5, UR5_WAY).solve().duration


@pytest.mark.slow
def test_limited_torque_rates_take_longer(ur5):
    most = 800.0  # [N m/s]
    free, held = (fastest(ur5, UR5_WAY, 14, degree=5) for _ in range(2))
    free, held = free.solve(), held.limit("torque_rate", -most, most).solve()
    assert free.success and held.success
    assert np.abs(free.torque_rates(free.times(2001))).max() > 2 * most
    assert np.abs(held.torque_rates(held.times(2001))).max() < 1.05 * most
    assert held.duration > 1.01 * free.duration


@pytest.mark.slow
def test_a_sphere_is_left_aside(ur5):
    def distance(found):
        places = ur5.link_pose(found.states(found.times(2001))[0], TOOL)[:, :3, 3]
        return np.linalg.norm(places - center, axis=1).min()

    straight = fastest(ur5, UR5_WAY).solve(refine=1)
    center = ur5.link_pose(straight.states([straight.duration / 2])[0], TOOL)[0, :3, 3]
    around = fastest(ur5, UR5_WAY).avoid(TOOL, center, 0.15).solve(refine=1)
    assert around.success and distance(straight) < 1e-3
    assert distance(around) > 0.15 * (1 - 3e-3)
    assert around.objective > straight.objective


@pytest.mark.slow
def test_a_pulled_tool_is_slower_and_a_payload_slower_still(ur5):
    lift = [0.0, -0.3, 0.6, 0.0, 0.5, 0.0], [0.0, -1.2, 0.6, 0.0, 0.5, 0.0]
    free = fastest(ur5, lift).solve()
    weight = {TOOL: Wrench(force=[0.0, 0.0, -8 * 9.81], axes="world")}
    pulled = fastest(ur5, lift, external=weight).solve()
    assert free.success and pulled.success
    assert pulled.duration > 1.01 * free.duration
    # a body of that weight must be moved too
    carried = fastest(ur5.with_payload(8.0, link=TOOL), lift).solve()
    assert carried.success and carried.duration > pulled.duration
    t = free.times(5)
    assert np.allclose(pulled.torques(t), ur5.inverse_dynamics(*pulled.states(t)[:3], external=weight))


def test_a_pose_on_the_way_is_passed(ur5):
    via = np.array([0.8, -1.3, 1.2, -0.8, 0.0, 0.4])
    p = fastest(ur5, UR5_WAY).limit("position", via, via, at=0.5, scale=1.0)
    found = p.solve()
    assert found.success
    assert np.abs(found.states([found.duration / 2])[0] - via).max() < 1e-7
