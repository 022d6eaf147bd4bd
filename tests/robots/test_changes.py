"""People who differ: loads weigh, springs pull, strengths fall, joints keep their angle; the impossible is refused."""

import numpy as np
import pytest

from lissom import robots
from lissom.errors import ModelError, NameLookupError
from lissom.robots.human.equipment import Device

EARTH = 9.81


@pytest.fixture(scope="module")
def person():
    return robots.human(1.7, 70.0, active="walking")


@pytest.fixture(scope="module")
def state(person):
    return np.random.default_rng(0).uniform(-0.5, 0.5, (3, person.nv))


def torques(person, state):
    """Return inverse dynamics by joint, without compiling."""
    plain = robots.Human(person.model, backend="numpy", body=person.body)
    return dict(zip(person.joint_names, plain.inverse_dynamics(*state), strict=True))


def of(person, *wanted):
    """Return coordinates with joints at angles, given as name, angle, ..."""
    q = person.neutral()
    for name, angle in zip(wanted[::2], wanted[1::2], strict=True):
        q[person.joint_names.index(name)] = angle
    return q


def changed_torques(person, other, state):
    """Return by how much torques differ, where they do."""
    before, after = torques(person, state), torques(other, state)
    return {name: after[name] - before[name] for name in before if abs(after[name] - before[name]) > 1e-9}


def test_a_backpack_pulls_the_trunk_back_by_its_weight_at_its_distance(person):
    loaded = person.with_changes(backpack=20.0)
    assert loaded.total_mass == pytest.approx(90.0) and type(loaded) is robots.Human and loaded.symmetric
    still = np.zeros((3, person.nv))
    found = changed_torques(person, loaded, still)
    size = 1.7 / 1.75
    behind = (0.11 + 0.10) * size  # the back, and half the backpack's depth, from the spine: equipment.py
    assert found["pelvis_z"] == pytest.approx(20.0 * EARTH)
    assert found["spine_1_flexion"] == pytest.approx(20.0 * EARTH * behind)
    assert abs(found.get("spine_1_bending", 0.0)) < 1e-9


def test_a_load_in_a_hand_hangs_on_its_arm_alone(person):
    loaded = person.with_changes(hand_load={"left": 5.0})
    bent = np.stack([of(person, "left_elbow_flexion", np.pi / 2), np.zeros(person.nv), np.zeros(person.nv)])
    found = changed_torques(person, loaded, bent)
    arm = person.segments["forearm"].length + person.segments["hand"].length
    assert found["left_elbow_flexion"] == pytest.approx(5.0 * EARTH * arm)
    assert not any(name.startswith("right_") for name in found) and not loaded.symmetric
    other = changed_torques(person, person.with_changes(hand_load=5.0), bent)  # one number is the right hand's
    assert other["spine_1_bending"] < -1.0 and not any(name.startswith("left_") for name in other)  # it bends to its right


def test_springs_of_stiff_joints_and_orthoses_add_up(person, state):
    both = person.with_changes(stiff={"left_knee": (40.0, 0.2)}, orthosis={"left_knee_flexion": 100.0})
    at = state[0, person.joint_names.index("left_knee_flexion")]
    found = changed_torques(person, both, state)
    assert found == {"left_knee_flexion": pytest.approx(40.0 * (at - 0.2) + 100.0 * at)}
    ankles = changed_torques(person, person.with_changes(stiff={"ankle": 50.0}), state)
    assert set(ankles) == {f"{side}_ankle_{axis}" for side in ("left", "right") for axis in ("flexion", "eversion")}


def test_an_orthosis_weighs_half_on_each_side_of_its_joint(person):
    worn = person.with_changes(orthosis={"left_ankle": {"stiffness": 200.0, "angle": 0.05, "mass": 0.8}})
    for link in ("left_shank", "left_foot"):
        before, after = (each.model.link(link).inertia for each in (person, worn))
        assert after.mass == pytest.approx(before.mass + 0.4) and after.com == pytest.approx(before.com)
    assert worn.total_mass == pytest.approx(70.8)
    assert worn.model.joint("left_ankle_flexion").spring.rest == 0.05


def test_a_prosthesis_has_springs_instead_of_muscles_and_a_share_of_the_mass(person):
    worn = person.with_changes(prosthesis={"left": {"stiffness": 400.0, "share": 0.5}})
    below = sum(person.model.link(f"left_{name}").inertia.mass for name in ("shank", "foot", "toes"))
    assert worn.total_mass == pytest.approx(70.0 - 0.5 * below)
    assert worn.model.joint("left_ankle_flexion").spring.stiffness == 400.0
    assert worn.model.joint("left_toe_extension").spring is not None
    can = worn.strengths
    assert can["left_ankle_flexion"].effort < 5.0 < 50.0 < can["right_ankle_flexion"].effort
    assert can["left_knee_flexion"] == person.strengths["left_knee_flexion"] and not worn.symmetric


def test_weakness_takes_its_share_of_the_muscles_named(person):
    before = person.strengths
    after = person.with_changes(weakness={"left_plantarflexors": 0.7, "right_knee": 0.25, "hip_abductors": 0.5}).strengths
    ankle, known = after["left_ankle_flexion"], before["left_ankle_flexion"]
    assert ankle.negative == pytest.approx(0.3 * known.negative) and ankle.positive == known.positive
    knee, known = after["right_knee_flexion"], before["right_knee_flexion"]
    assert knee.negative == pytest.approx(0.75 * known.negative) and knee.positive == pytest.approx(0.75 * known.positive)
    for side in ("left", "right"):
        name = f"{side}_hip_abduction"
        assert after[name].positive == pytest.approx(0.5 * before[name].positive)
        assert after[name].negative == before[name].negative
    ways = person.with_changes(weakness={"left_knee": (0.2, 0.6)}).strengths["left_knee_flexion"]
    own = person.strengths["left_knee_flexion"]
    assert (ways.negative, ways.positive) == pytest.approx((0.8 * own.negative, 0.4 * own.positive))
    twice = person.with_changes(weakness={"left_knee": 0.5}).with_changes(weakness={"left_knee_flexors": 0.5}).strengths
    assert twice["left_knee_flexion"].positive == pytest.approx(0.25 * before["left_knee_flexion"].positive)
    assert twice["left_knee_flexion"].negative == pytest.approx(0.5 * before["left_knee_flexion"].negative)


def test_fused_and_crouched_joints_have_the_ranges_asked_for(person):
    stiff = person.with_changes(fused={"left_knee_flexion": 0.3}, stiff={"left_knee": 50.0})
    limits = stiff.model.joint("left_knee_flexion").limits
    assert limits.lower == limits.upper == 0.3 and stiff.model.joint("left_knee_flexion").spring is None
    assert not stiff.symmetric and person.with_changes(fused=["knee"]).symmetric
    low = person.with_changes(crouch=0.5)
    assert {low.model.joint(f"{side}_knee_flexion").limits.lower for side in ("left", "right")} == {0.5} and low.symmetric


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"backpack": 500.0}, r"backpack is 500 kg, expected 0 to 140 kg"),
        ({"hand_load": {"left": -1.0}}, r"hand_load of the left hand is -1 kg, expected 0 to 70 kg"),
        ({"hand_load": {"up": 1.0}}, r"no side 'up' of hand_load"),
        ({"stiff": 50.0}, r"stiff is 50.0, expected values by name, such as \{'left_knee'"),
        ({"stiff": {"left_knee": -5.0}}, r"stiff 'left_knee': the stiffness is -5 N m/rad, .* a rigid joint is fused="),
        ({"stiff": {"left_knee": (1.0, 2.0, 3.0)}}, r"expected the stiffness \[N m/rad\], or \(stiffness, angle of rest"),
        ({"stiff": {"left_kne": 5.0}}, r"no joint 'left_kne' that moves; did you mean 'left_knee'"),
        ({"fused": "left_knee"}, r"fused is 'left_knee', expected names of joints"),
        ({"fused": {"left_knee": 20.0}}, r"fused 'left_knee' at 20 rad is outside of the range .*20 degrees are 0.35"),
        ({"weakness": {"left_knee": 1.0}}, r"weakness of 'left_knee' is 1, expected the share .* 0 to 0.95"),
        ({"weakness": {"left_calf": 0.5}}, r"no joint or muscle group 'left_calf'"),
        ({"weakness": {"left_knee": (0.5,)}}, r"weakness of 'left_knee' is \(0.5,\), expected a share, or two"),
        ({"weakness": {"hip_flexors": (0.5, 0.1)}}, r"no joint 'hip_flexors'"),
        ({"orthosis": {"left_ankle": {"mass": 0.5}}}, r"orthosis 'left_ankle' has no stiffness; expected it in N m/rad"),
        ({"orthosis": {"left_ankle": {"stiffnes": 5}}}, r"has no 'stiffnes'; did you mean 'stiffness'"),
        ({"orthosis": {"left_ankle": {"stiffness": 5, "mass": 30}}}, r"its mass is 30 kg, expected 0 to 10 kg"),
        ({"prosthesis": {"left": {"stiffness": 5, "share": 3}}}, r"it has 3 of the mass of shank and foot"),
        ({"crouch": 30.0}, r"crouch is 30, expected the least angle .*30 degrees are 0.52"),
        ({"rucksack": 3.0}, r"no change 'rucksack' of a person"),
    ],
)
def test_changes_that_nobody_has_are_refused(person, changes, message):
    with pytest.raises((ModelError, NameLookupError), match=message):
        person.with_changes(**changes)


def test_a_device_may_be_given_as_such(person):
    worn = person.with_changes(orthosis={"right_ankle": Device(150.0, 0.1)})
    assert worn.model.joint("right_ankle_flexion").spring.stiffness == 150.0
