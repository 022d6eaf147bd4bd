import math

import numpy as np
import pytest

from lissom import robots
from lissom.errors import ModelError
from lissom.model import JointKind
from lissom.robots import barman
from lissom.robots.puma560 import SHOULDER_HEIGHT
from lissom.robots.stanford import CONVENTIONS, POINTS

PI = math.pi


def mass(model):
    return sum(link.inertia.mass for link in model.links if link.inertia)


def test_every_builtin_is_a_model_of_its_own_name():
    for name, make in robots.BUILTIN.items():
        assert make().name in (name, f"barman_{name}")


def test_planar_arm_has_the_torques_of_its_closed_form(torques, states):
    numbers = {"l1": 0.7, "l2": 0.4, "m1": 2.0, "m2": 1.5, "c1": 0.3, "c2": 0.25, "I1": 0.11, "I2": 0.06, "g": 9.81}
    model = robots.planar_two_link_model(**numbers)
    for q, qd, qdd in states[:, :, :2]:
        expected = robots.planar_two_link_closed_form(q, qd, qdd, **numbers)
        assert np.allclose(torques(model, q, qd, qdd), expected, rtol=1e-12, atol=1e-12)


def test_planar_arm_made_of_rods_holds_itself_up(torques):
    tau = robots.planar_two_link_closed_form([0, 0], [0, 0], [0, 0])
    assert np.allclose(tau, [9.81 * (0.5 + 1.5), 9.81 * 0.5])
    assert np.allclose(torques(robots.planar_two_link_model(), [0, 0], [0, 0], [0, 0]), tau)


def test_closed_form_takes_batches():
    q, qd, qdd = np.random.default_rng(0).normal(size=(3, 4, 5, 2))
    tau = robots.planar_two_link_closed_form(q, qd, qdd)
    assert tau.shape == (4, 5, 2)
    assert np.array_equal(tau[2, 3], robots.planar_two_link_closed_form(q[2, 3], qd[2, 3], qdd[2, 3]))


def test_gravity_loads_no_motor_of_the_horizontal_arms(torques, states):
    for model in (robots.rr_model(), robots.rp_model(), robots.rp_model(theta2=0.0)):
        assert mass(model) == 1.0
        for q in states[:, 0, :2]:
            assert np.allclose(torques(model, q, [0, 0], [0, 0]), 0, atol=1e-14)


def test_rr_arm_is_the_planar_arm_of_the_thesis_numbers(torques, states):
    numbers = {"l1": 0.4, "l2": 0.4, "m1": 0.5, "m2": 0.5, "I1": 0.1, "I2": 0.1, "g": 0.0}
    for q, qd, qdd in states[:, :, :2]:
        expected = robots.planar_two_link_closed_form(q, qd, qdd, **numbers)
        assert np.allclose(torques(robots.rr_model(), q, qd, qdd), expected, atol=1e-13)


@pytest.mark.parametrize(("theta2", "tip"), [(PI / 2, [0, 0, 0.1 + 0.8]), (0.0, [0, 0.4, 0.1 + 0.4])])
def test_rp_arm_slides_then_turns_and_theta2_sets_its_zero(poses, theta2, tip):
    model = robots.rp_model(theta2)
    assert [joint.kind for joint in model.joints] == [JointKind.PRISMATIC, JointKind.REVOLUTE]
    assert np.allclose(poses(model, [0.1, 0.0])["link_2"][1], tip)


@pytest.mark.parametrize("theta2", [0.0, PI / 2])
def test_rp_arm_has_the_forces_of_its_lagrangian(torques, states, theta2):
    # with angle = q2 + theta2 the center of link 2 is at q1 + L1 + c sin(angle) along the slide and c cos(angle) across it
    m, c, I = barman.MASS, barman.LENGTH / 2, barman.INERTIA
    for q, qd, qdd in states[:, :, :2]:
        angle = q[1] + theta2
        force = 2 * m * qdd[0] + m * c * (np.cos(angle) * qdd[1] - np.sin(angle) * qd[1] ** 2)
        torque = (I + m * c**2) * qdd[1] + m * c * np.cos(angle) * qdd[0]
        assert np.allclose(torques(robots.rp_model(theta2), q, qd, qdd), [force, torque], atol=1e-13)


def test_thesis_arms_carry_the_thesis_bounds():
    assert [j.limits.effort for m in (robots.rr_model(), robots.rp_model()) for j in m.joints] == [10.0] * 4


def test_stanford_hand_is_where_its_table_puts_it(poses):
    R, p = poses(robots.stanford_model(), [0, 0, 0.5, 0, 0, 0])["link_6"]
    assert np.allclose(p, [0, 0.154, 0.412 + 0.5 + 0.263])
    assert np.allclose(R[:, 2], [0, 0, 1])


@pytest.mark.parametrize("about", POINTS)
def test_both_conventions_are_the_same_stanford_arm(poses, torques, states, about):
    modified, standard = (robots.stanford_model(c, about) for c in CONVENTIONS)
    assert mass(modified) == mass(standard) == pytest.approx(20.77)
    for q, qd, qdd in states:
        for name in (link.name for link in modified.links[1:]):
            (Rm, pm), (Rs, ps) = poses(modified, q)[name], poses(standard, q)[name]
            m, s = modified.link(name).inertia, standard.link(name).inertia
            assert np.allclose(Rm @ m.com + pm, Rs @ s.com + ps, atol=1e-14)
            assert np.allclose(Rm @ m.tensor @ Rm.T, Rs @ s.tensor @ Rs.T, atol=1e-14)
        assert np.allclose(torques(modified, q, qd, qdd), torques(standard, q, qd, qdd), rtol=1e-12, atol=1e-12)


def test_stanford_inertias_can_be_read_about_the_frames():
    about_com, about_origin = (robots.stanford_model(inertia_about=p).link("link_3").inertia for p in POINTS)
    shift = 4.25 * 0.6447**2
    assert np.allclose(np.diag(about_com.tensor) - np.diag(about_origin.tensor), [shift, shift, 0])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"convention": "modifed"}, "no convention 'modifed'; did you mean 'modified'"),
        ({"inertia_about": "joint"}, "no inertia_about 'joint'; expected one of 'com', 'origin'"),
    ],
)
def test_unknown_variants_of_the_stanford_arm_are_refused(arguments, message):
    with pytest.raises(ModelError, match=message):
        robots.stanford_model(**arguments)


NOMINAL = [0, PI / 4, PI, 0, PI / 4, 0]


def test_puma_needs_the_published_torques_against_gravity(torques):
    # Corke, Robotics, Vision and Control (2011), section 9.2: the arm at its nominal pose
    tau = torques(robots.puma560_model(), NOMINAL, np.zeros(6), np.zeros(6))
    assert np.allclose(tau, [0, 31.6399, 6.0351, 0, 0.0283, 0], atol=5e-5)


def test_puma_has_the_published_inertia_with_its_rotors(mass_matrix):
    M = mass_matrix(robots.puma560_model(), NOMINAL)
    assert np.allclose(np.diag(M), [3.6594, 4.4137, 0.9378, 0.1925, 0.1713, 0.1941], atol=5e-5)
    assert np.allclose([M[0, 1], M[0, 2], M[1, 2]], [-0.4044, 0.1006, 0.3509], atol=1.5e-4)


def test_puma_friction_is_reflected_to_the_joints():
    joint = robots.puma560_model().joint("joint_1")
    assert joint.friction.viscous == pytest.approx(1.48e-3 * 62.6111**2)
    assert joint.friction.coulomb == pytest.approx(0.415 * 62.6111)
    assert joint.rotor_inertia == pytest.approx(200e-6 * 62.6111**2)
    assert not any(j.friction.viscous or j.friction.coulomb for j in robots.puma560_model(friction=False).joints)


def test_puma_reaches_as_far_as_its_links(poses):
    model = robots.puma560_model()
    for q in np.random.default_rng(1).uniform(-PI, PI, (50, 6)):
        shoulder = np.array([0, 0, SHOULDER_HEIGHT])
        wrist = poses(model, q)["link_4"][1] - shoulder
        forearm = math.hypot(0.4318, 0.0203)
        assert np.linalg.norm(wrist) <= math.hypot(0.4318 + forearm, 0.15005) + 1e-12


def test_builtin_robots_wrap_their_models():
    pytest.importorskip("lissom.robot")
    for name in robots.BUILTIN:
        assert getattr(robots, name)().model == robots.BUILTIN[name]()
    assert robots.tree(3, seed=4).model == robots.tree_model(3, seed=4)
