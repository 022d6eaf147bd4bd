import math

import numpy as np
import pytest

from lissom import robots
from lissom.model import Inertia, JointKind
from lissom.robots.srms import FOOT, JOINTS, LINKS, POUND, largest_payload

MOVING = [joint for joint, *_ in JOINTS]


def mass(model):
    return sum(link.inertia.mass for link in model.links if link.inertia)


def test_joints_are_those_of_the_arm_from_shoulder_to_wrist():
    robot = robots.srms()
    assert list(robot.joint_names) == ["shoulder_yaw", "shoulder_pitch", "elbow_pitch", "wrist_pitch", "wrist_yaw", "wrist_roll"]
    assert robot.nv == 6


def test_it_is_as_long_and_about_as_heavy_as_nasa_says(poses):
    model = robots.srms_model()
    at = {link: p for link, (_, p) in poses(model, [0.0] * 6).items()}
    assert np.linalg.norm(at["tip"] - at["upper_boom"]) == pytest.approx(50.25 * FOOT, abs=1e-3)
    assert mass(model) == pytest.approx(905 * POUND, rel=0.03)
    assert mass(model) == pytest.approx(421.76)


def test_stretched_out_the_wrist_is_on_the_shoulders_line_and_the_elbow_below_it(poses):
    at = {link: p for link, (_, p) in poses(robots.srms_model(), [0.0] * 6).items()}
    shoulder, elbow, wrist, tip = at["upper_boom"], at["lower_boom"], at["wrist_pitch_link"], at["tip"]
    assert np.allclose((wrist - shoulder)[1:], 0)
    assert np.allclose((tip - shoulder)[1:], 0)
    assert np.allclose((elbow - shoulder)[1:], [0, 6 * FOOT / 12])  # z points to the orbiter


def test_lengths_are_those_of_the_joints_in_orbiter_coordinates(poses):
    at = {link: p for link, (_, p) in poses(robots.srms_model(), [0.0] * 6).items()}
    names = ("upper_boom", "lower_boom", "wrist_pitch_link", "wrist_yaw_link", "tip")
    stations = np.array([679.5, 930.55, 1208.5, 1226.5, 1282.5]) * FOOT / 12
    assert np.allclose(np.diff([at[name][0] for name in names]), np.diff(stations), atol=5e-4)
    assert at["shoulder"][2] - at["upper_boom"][2] == pytest.approx(FOOT)


def test_positive_pitch_lifts_and_the_elbow_folds_back_without_crossing(poses):
    model = robots.srms_model()
    shoulder_up = poses(model, [0, math.radians(30), 0, 0, 0, 0])["tip"][1]
    assert shoulder_up[2] < -5  # away from the orbiter
    at = {link: p for link, (_, p) in poses(model, [0, 0, math.radians(-157.6), 0, 0, 0]).items()}
    # folded to its limit, the lower boom lies on the orbiter's side of the upper one
    assert at["wrist_pitch_link"][2] > at["lower_boom"][2]
    assert at["wrist_pitch_link"][0] < 1.0


def test_the_tabulated_numbers_reach_the_model():
    model = robots.srms_model()
    for name, m, moments, products, reach in LINKS:
        inertia = model.link(name).inertia
        tensor = np.array(inertia.tensor)
        assert inertia.mass == m
        assert np.array_equal(np.diag(tensor), moments)
        assert np.array_equal(-tensor[[0, 0, 1], [1, 2, 2]], products)
        assert np.allclose(inertia.com, np.array(reach) / 2)
    for name, axis, degrees, rate, torque in JOINTS:
        joint = model.joint(name)
        assert (joint.kind, joint.axis) == (JointKind.REVOLUTE, axis)
        assert np.allclose([joint.limits.lower, joint.limits.upper], np.radians(degrees))
        assert (joint.limits.velocity, joint.limits.effort) == (rate, torque)


def test_nothing_falls_in_orbit_and_everything_on_the_ground():
    q = np.random.default_rng(0).uniform(-1, 1, (10, 6))
    assert not robots.srms().gravity_torques(q).any()
    stretched = robots.srms(gravity=(0.0, 0.0, 9.81)).gravity_torques(np.zeros(6))
    assert stretched[1] > 2 * 1570  # on Earth the shoulder could not hold it up
    assert np.allclose(stretched[0], 0)


def test_the_largest_payload_is_a_cylinder_of_65000_pounds():
    payload = largest_payload()
    assert payload.mass == pytest.approx(29483.5, abs=0.01)
    assert 2 * payload.com[0] == pytest.approx(15 * FOOT)
    axis = payload.tensor[1][1]
    assert math.sqrt(2 * axis / payload.mass) == pytest.approx(7.5 * FOOT)


def test_a_payload_hangs_at_the_tip():
    point = Inertia(1000.0, (0.0, 0.0, 0.0), ((1, 0, 0), (0, 1, 0), (0, 0, 1)))
    empty, loaded = (robots.srms(payload).mass_matrix(np.zeros(6)) for payload in (None, point))
    assert loaded[1, 1] - empty[1, 1] == pytest.approx(1000.0 * (50.25 * FOOT) ** 2 + 1, rel=1e-4)
    assert loaded[5, 5] - empty[5, 5] == pytest.approx(1.0)


def test_its_mass_matrix_is_that_of_a_body():
    q = np.random.default_rng(1).uniform(-2, 2, (50, 6))
    for payload in (None, largest_payload()):
        M = robots.srms(payload).mass_matrix(q)
        assert np.allclose(M, np.swapaxes(M, -1, -2))
        assert (np.linalg.eigvalsh(M) > 0).all()
