import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lissom
from lissom.errors import ModelError, ModelWarning
from lissom.model import Friction, JointKind
from lissom.model.joint import SINGLE_DOF
from lissom.robots import tree_model
from lissom.robots.tree import KINDS, SIMPLE

shares = st.floats(0, 1)


@settings(max_examples=60, deadline=None)
@given(
    n=st.integers(1, 30),
    branching=st.floats(1, 4),
    skew=st.floats(-math.pi, math.pi),
    seed=st.integers(0, 2**32),
    floating=st.booleans(),
    fixed=shares,
    coupled=shares,
    tails=shares,
    drives=st.booleans(),
    springs=shares,
    motors=shares,
    elastic=shares,
)
def test_every_tree_is_a_valid_machine_with_the_asked_number_of_joints(n, **arguments):
    with warnings.catch_warnings():
        warnings.simplefilter("error", ModelWarning)  # a doubtful inertia would warn
        model = tree_model(n, **arguments)
    moving = [joint for joint in model.joints if joint.kind is not JointKind.FIXED]
    assert len(moving) == n + arguments["floating"]
    for link in model.links:
        if link.inertia is not None:
            assert link.inertia.triangle_excess < 0
            assert link.inertia.principal_moments[0] > 0
    for motor in model.motors:
        assert motor.inertia.triangle_excess <= 0
        assert 1 <= abs(motor.ratio) <= 20


def test_the_same_seed_gives_the_same_tree_and_another_seed_another():
    arguments = {"fixed": 0.3, "coupled": 0.3, "tails": 0.3, "floating": True}
    assert tree_model(20, seed=5, **arguments) == tree_model(20, seed=5, **arguments)
    assert tree_model(20, seed=5, **arguments) != tree_model(20, seed=6, **arguments)


def test_trees_are_the_same_on_every_platform():
    assert tree_model(12, seed=1, fixed=0.3, coupled=0.3, tails=0.3).fingerprint[:16] == "f01f2a4a73c6b9c1"


def test_springs_and_motors_leave_the_tree_as_it_is():
    plain = tree_model(12, seed=1, fixed=0.3, coupled=0.3, tails=0.3)
    driven = tree_model(12, seed=1, fixed=0.3, coupled=0.3, tails=0.3, motors=0.7, elastic=0.5)
    assert driven.motors and driven.replace(motors=()) == plain
    sprung = tree_model(12, seed=1, fixed=0.3, coupled=0.3, tails=0.3, motors=0.7, elastic=0.5, springs=1.0)
    assert sprung.motors == driven.motors


def test_motors_are_of_every_sort_and_on_every_sort_of_link():
    model = tree_model(60, seed=3, kinds=SINGLE_DOF, coupled=0.3, motors=1)
    assert len(model.motors) == 60 and 0 < len(model.elastic_motors) < 60
    places = {"ground": 0, "parent": 0, "child": 0, "elsewhere": 0}
    for motor in model.motors:
        joint = model.joint(motor.joint)
        known = {model.base: "ground", joint.parent: "parent", joint.child: "child"}
        places[known.get(motor.link, "elsewhere")] += 1
    assert min(places.values()) > 5
    assert {motor.rotor for motor in model.motors} == {"full", "reflected"}
    assert {motor.ratio > 0 for motor in model.motors} == {True, False}
    assert all(motor.friction.viscous and (motor.spring is None or motor.spring.damping) for motor in model.motors)
    bare = tree_model(60, seed=3, kinds=SINGLE_DOF, drives=False, motors=1, elastic=1)
    assert all(motor.elastic and motor.friction == Friction() and not motor.spring.damping for motor in bare.motors)


def test_branching_one_is_a_chain():
    model = tree_model(10, branching=1)
    assert all(after.parent == before.child for before, after in zip(model.joints, model.joints[1:], strict=False))


def test_branching_two_is_a_binary_tree():
    model = tree_model(14, branching=2)
    children = [sum(joint.parent == link.name for joint in model.joints) for link in model.links]
    assert sorted(children) == [0] * 8 + [2] * 7


def test_a_floating_tree_hangs_on_its_trunk():
    model = tree_model(5, floating=True)
    assert model.joints[0].kind is JointKind.FLOATING
    assert all(joint.parent != "ground" for joint in model.joints[1:])


def test_a_tree_of_enough_joints_has_every_kind():
    assert {joint.kind for joint in tree_model(len(KINDS), seed=9, kinds=KINDS).joints} == set(KINDS)
    assert {joint.kind for joint in tree_model(len(SIMPLE), seed=9).joints} == set(SIMPLE)


def test_kinds_may_be_named_and_are_kept_to():
    model = tree_model(20, kinds=["revolute", JointKind.PRISMATIC])
    assert {joint.kind for joint in model.joints} == {JointKind.REVOLUTE, JointKind.PRISMATIC}
    assert model.nq == model.nv == 20


def test_skew_is_the_angle_between_frames():
    for skew in (0.0, 0.4, math.pi / 2):
        for joint in tree_model(10, skew=skew).joints:
            angle = math.acos(np.clip((np.trace(joint.origin.R) - 1) / 2, -1, 1))
            assert angle == pytest.approx(skew, abs=1e-7)


def test_shares_of_one_touch_every_joint():
    model = tree_model(12, kinds=SINGLE_DOF, fixed=1, coupled=1, tails=1)
    moving = [joint for joint in model.joints if joint.kind is not JointKind.FIXED]
    assert len(model.joints) == 24
    assert sum(joint.coupling is None for joint in moving) == 1
    assert all(joint.tail.R.tolist() != np.eye(3).tolist() for joint in moving)


def test_drives_can_be_left_out():
    model = tree_model(12, kinds=SINGLE_DOF, drives=False)
    assert not any(joint.rotor_inertia or joint.friction.viscous or joint.friction.coulomb for joint in model.joints)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n": 0}, "n must be a whole number, at least 1, got 0"),
        ({"n": 10**6}, "n is 1000000, expected at most 10000 joints"),
        ({"branching": 0.5}, "branching must be 1 or more .* got 0.5"),
        ({"branching": math.nan}, "branching must be 1 or more"),
        ({"skew": math.inf}, "skew must be a finite angle"),
        ({"fixed": 1.5}, "fixed must be a share between 0 and 1, got 1.5"),
        ({"coupled": -1}, "coupled must be a share"),
        ({"motors": 2}, "motors must be a share"),
        ({"elastic": -0.5}, "elastic must be a share"),
        ({"kinds": []}, "kinds must name one or more"),
        ({"kinds": ["fixed"]}, "use the share `fixed`"),
        ({"kinds": ["revolut"]}, "did you mean 'revolute'"),
    ],
)
def test_impossible_trees_are_refused(arguments, message):
    with pytest.raises(ModelError, match=message):
        tree_model(**{"n": 3, **arguments})


@pytest.mark.parametrize(
    "wrong, match",
    [
        ({"seed": -1}, "seed must be a whole number, 0 or more, got -1"),
        ({"seed": 1.5}, "seed must be a whole number"),
        ({"seed": None}, "seed must be a whole number"),
        ({"seed": True}, "seed must be a whole number"),
        ({"n": 2.5}, "n must be a whole number"),
        ({"n": "3"}, "n must be a whole number"),
        ({"skew": "a"}, "skew must be a number"),
        ({"branching": None}, "branching must be a number"),
        ({"coupled": [1]}, "coupled must be a number"),
    ],
)
def test_arguments_of_the_wrong_kind_are_refused_by_name(wrong, match):
    with pytest.raises(lissom.ModelError, match=match):
        lissom.robots.tree_model(**{"n": 3, **wrong})
