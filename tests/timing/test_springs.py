"""Elastic joints along a path: springs are part of what torques depend on, their damping acts as viscous friction does."""

import dataclasses

import numpy as np

from lissom import ClosedRobot, Friction, Motor, Robot, Spring, robots
from lissom.robots import planar_two_link_model
from lissom.timing import coefficients


def robot(**fields):
    return Robot(planar_two_link_model().with_joints(lambda joint: dataclasses.replace(joint, **fields)))


def test_a_spring_adds_its_pull_and_its_damping_counts_as_friction():
    p, p1, p2, p3 = np.random.default_rng(0).normal(size=(4, 7, 2))
    soft, rough = robot(spring=Spring(30.0, 0.4, 0.7)), robot(friction=Friction(0.7))
    ours, theirs = (coefficients.forces(r, p, p1, p2) for r in (soft, rough))
    assert np.allclose(ours.a, theirs.a) and np.allclose(ours.b, theirs.b) and np.allclose(ours.d, theirs.d)
    assert np.allclose(ours.c, theirs.c + 30.0 * (p - 0.4))
    ours, theirs = (coefficients.torque_rates(r, p, p1, p2, p3) for r in (soft, rough))
    assert np.allclose(ours.constant, theirs.constant + 30.0 * p1)
    assert np.allclose(ours.friction, theirs.friction) and np.allclose(ours.friction_slope, theirs.friction_slope)


def test_a_spring_without_damping_needs_no_terms_of_friction():
    assert not robot(spring=Spring(30.0, 0.4)).has_friction
    assert robot(spring=Spring(30.0, 0.4, 0.1)).has_friction


def test_friction_of_a_motor_is_that_of_its_joint_times_the_square_of_the_ratio():
    """At the rotor's own speed, ten times that of the joint, in a tree and in a closed robot."""
    p, p1, p2 = np.random.default_rng(0).normal(size=(3, 7, 2))
    for make, home, model in (
        (Robot, 0.0, planar_two_link_model()),
        (ClosedRobot, robots.five_bar().home(), robots.five_bar_model()),
    ):
        name = model.independent_joints[0].name
        rough = model.with_joints(
            lambda joint, n=name: dataclasses.replace(joint, friction=Friction(0.7 if joint.name == n else 0.0))
        )
        geared = model.replace(motors=(Motor("motor", name, ratio=10.0, friction=Friction(0.007)),))
        ours, theirs = (coefficients.forces(make(m), home + 0.1 * p, p1, p2) for m in (geared, rough))
        assert np.allclose(ours.d, theirs.d) and np.allclose(ours.b, theirs.b) and np.abs(ours.d).max() > 0.1
