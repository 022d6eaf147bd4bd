"""The person: segments against de Leva's totals, scaling, strengths and points."""

import math
import pickle

import numpy as np
import pytest

import lissom
from lissom import ModelError, robots
from lissom.errors import ModelWarning, NameLookupError, StateError
from lissom.model import Inertia, JointKind, Pose
from lissom.model.link import Link
from lissom.model.payload import placed, with_body
from lissom.robots.human.body import PAIRED, Body, numbers

PEOPLE = [(1.75, 75.0, "male"), (1.65, 60.0, "female"), (1.92, 120.0, "male"), (1.5, 45.0, "female")]
TRUNK = ("pelvis", "lower_abdomen", "upper_abdomen", "lower_chest", "upper_chest", "left_clavicle", "right_clavicle")


def numpy_person(*who):
    """A person whose functions are not compiled: for geometry in one pose."""
    person = robots.human(*who)
    return robots.Human(person.model, backend="numpy", body=person.body)


def at(person, name, q=None):
    return person.point_position(person.neutral() if q is None else q, name)


def together(person, links):
    """Return mass, center and tensor of links of the standing person as one body, in the world's frame."""
    whole = Link("all")
    for name in links:
        T = person.link_pose(person.neutral(), name)
        whole = with_body(whole, placed(person.model.link(name).inertia, Pose(T[:3, :3], tuple(T[:3, 3]))))
    return whole.inertia


def posed(person, **degrees):
    q = person.neutral()
    for name, angle in degrees.items():
        q[person.joint_names.index(name)] = math.radians(angle)
    return q


def test_a_person_has_the_degrees_of_freedom_of_the_thesis():
    names = robots.human().joint_names
    assert len(names) == 55
    parts = {part: sum(name.startswith(part) for name in names) for part in ("pelvis_", "spine_", "left_", "right_")}
    assert parts == {"pelvis_": 6, "spine_": 12, "left_": 16, "right_": 16}
    assert sum("_neck_" in name for name in names) == 5
    assert sum(any(part in name for part in ("clavicle", "shoulder", "elbow", "wrist")) for name in names) == 18
    kinds = [robots.human().model.joint(name).kind for name in names]
    assert kinds[:3] == [JointKind.PRISMATIC] * 3 and set(kinds[3:]) == {JointKind.REVOLUTE}


def test_walking_leaves_the_38_joints_of_the_thesis():
    walker = robots.human(active="walking")
    assert walker.nv == 38 and walker.total_mass == pytest.approx(75.0)
    assert not any(part in name for name in walker.joint_names for part in ("neck", "clavicle", "wrist", "spine_4"))


def test_active_joints_are_given_by_name_for_one_side_or_both():
    person = robots.human(active=["knee_flexion", "left_elbow_flexion"])
    assert person.joint_names[6:] == ("left_elbow_flexion", "right_knee_flexion", "left_knee_flexion")
    with pytest.raises(NameLookupError, match="no joint 'left_knee' of a person; did you mean 'left_knee_flexion'"):
        robots.human(active=["left_knee"])
    with pytest.raises(ModelError, match="no set of active joints is called 'running'; expected 'walking', or give a list"):
        robots.human(active="running")


@pytest.mark.parametrize("who", PEOPLE)
def test_standing_upright_is_as_tall_as_asked_for_with_soles_on_the_ground(who):
    person = numpy_person(*who)
    assert at(person, "head_top") == pytest.approx([0, 0, who[0]], abs=1e-12)
    soles = [at(person, name) for name in person.points if any(part in name for part in ("heel", "ball", "toe"))]
    assert len(soles) == 18 and np.abs(np.array(soles)[:, 2]).max() < 1e-12
    assert at(person, "left_toe")[0] > at(person, "left_ball")[0] > 0 > at(person, "left_heel")[0]
    assert at(person, "left_toe_outer")[1] > at(person, "left_toe")[1] > at(person, "left_toe_inner")[1] > 0
    assert at(person, "right_toe_outer")[1] < at(person, "right_toe_inner")[1] < 0
    assert at(person, "left_toe")[0] - at(person, "left_heel")[0] == pytest.approx(person.segments["foot"].length)
    # hands beside the thighs, fingers above the knees
    knee = person.link_pose(person.neutral(), "left_shank")[2, 3]
    assert knee < at(person, "left_fingertip")[2] < at(person, "left_hand")[2] < person.body.hip_height


@pytest.mark.sweep(2)
@pytest.mark.parametrize("who", PEOPLE)
def test_masses_add_up_and_weight_rests_on_the_slide_up(who):
    person = robots.human(*who)
    assert person.total_mass == pytest.approx(who[1], rel=1e-13)
    assert person.gravity_torques(person.neutral())[2] == pytest.approx(9.81 * who[1])
    assert sum(s.mass * (2 if name in PAIRED else 1) for name, s in person.segments.items()) == pytest.approx(who[1])


# de Leva, table 4: the trunk as one segment from cervicale to mid hip, which is not in our data, and head and limbs
@pytest.mark.parametrize(
    ("sex", "mass", "center", "radii"),
    [("male", 0.4346, 0.5138, (0.328, 0.306, 0.169)), ("female", 0.4257, 0.4964, (0.307, 0.292, 0.147))],
)
def test_the_trunk_put_together_is_the_trunk_of_the_source(sex, mass, center, radii):
    person = numpy_person(1.75, 75.0, sex)
    trunk = together(person, TRUNK)
    length = sum(person.segments[name].length for name in ("upper_trunk", "middle_trunk", "lower_trunk"))
    assert trunk.mass / 75.0 == pytest.approx(mass, abs=1e-4)
    # the source's own rows for the parts of a man's trunk put its center 0.005 lower than its row for the whole
    assert (person.body.hip_height + length - trunk.com[2]) / length == pytest.approx(center, abs=0.0052)
    assert np.sqrt(np.diag(trunk.tensor) / trunk.mass) / length == pytest.approx(radii, abs=5e-4)


def test_the_trunk_of_the_source_is_as_long_as_its_parts():
    # de Leva, table 4: CERV-MIDH
    for sex, length in (("male", 603.3), ("female", 614.8)):
        rows = numbers("segments")[sex]["segments"]
        assert sum(rows[name]["length"] for name in ("upper_trunk", "middle_trunk", "lower_trunk")) == pytest.approx(length)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("who", PEOPLE)
def test_divided_segments_put_together_are_those_of_the_source(who):
    person = numpy_person(*who)
    s = person.segments
    for links, name in (
        (("neck", "head"), "head"),
        (("lower_abdomen", "upper_abdomen"), "middle_trunk"),
        (("lower_chest", "upper_chest", "left_clavicle", "right_clavicle"), "upper_trunk"),
        (("pelvis",), "lower_trunk"),
        (("left_thigh",), "thigh"),
        (("right_shank",), "shank"),
        (("left_upper_arm",), "upper_arm"),
        (("left_forearm",), "forearm"),
    ):
        whole, segment = together(person, links), s[name]
        upper = person.link_pose(person.neutral(), links[0])[2, 3]
        if name in ("head", "middle_trunk", "upper_trunk", "lower_trunk"):
            upper += segment.length
        assert whole.mass == pytest.approx(segment.mass, rel=1e-12)
        assert upper - whole.com[2] == pytest.approx(segment.center, rel=1e-11)
        radii = np.sqrt(np.diag(whole.tensor) / whole.mass)
        assert radii == pytest.approx([segment.sagittal, segment.transverse, segment.longitudinal], rel=1e-9)
        assert np.abs(whole.tensor - np.diag(np.diag(whole.tensor))).max() < 1e-12
    foot = together(person, ("left_foot", "left_toes"))
    assert foot.com[0] - at(person, "left_heel")[0] == pytest.approx(s["foot"].center)
    radii = np.sqrt(np.diag(foot.tensor) / foot.mass)
    assert radii == pytest.approx([s["foot"].longitudinal, s["foot"].transverse, s["foot"].sagittal], rel=1e-9)
    hand = person.model.link("left_hand").inertia
    assert hand.tensor[0][0] == pytest.approx(hand.mass * s["hand"].transverse ** 2)


@pytest.mark.parametrize("sex", ["male", "female"])
@pytest.mark.parametrize("stature", [1.45, 1.7, 1.95])
def test_every_link_is_a_body_that_can_exist(sex, stature):
    for link in robots.human_model(stature, 60.0, sex).links:
        if isinstance(link.inertia, Inertia):
            assert min(link.inertia.principal_moments) > -1e-12 and link.inertia.triangle_excess < 1e-12


def test_the_center_of_mass_is_as_high_as_in_people():
    # textbooks: 56 to 57 % of stature for men, and about one less for women
    for sex, share in (("male", 0.565), ("female", 0.555)):
        person = robots.human(1.7, 70.0, sex)
        assert person.center_of_mass(person.neutral())[2] / 1.7 == pytest.approx(share, abs=0.008)


@pytest.mark.parametrize(
    ("joint", "point", "way"),
    [
        ("left_hip_flexion", "left_toe", (1, 0, 1)),
        ("right_hip_abduction", "right_toe", (0, -1, 1)),
        ("left_hip_abduction", "left_toe", (0, 1, 1)),
        ("right_hip_rotation", "right_toe", (0, 1, 0)),
        ("left_knee_flexion", "left_heel", (-1, 0, 1)),
        ("left_ankle_flexion", "left_toe", (0, 0, 1)),
        ("left_ankle_eversion", "left_ball_outer", (0, 0, 1)),
        ("right_toe_extension", "right_toe", (0, 0, 1)),
        ("spine_1_flexion", "head_top", (1, 0, -1)),
        ("spine_2_bending", "head_top", (0, -1, 0)),
        ("spine_4_torsion", "left_hand", (-1, 0, 0)),
        ("left_clavicle_elevation", "left_hand", (0, 0, 1)),
        ("right_clavicle_protraction", "right_hand", (1, 0, 0)),
        ("left_shoulder_flexion", "left_hand", (1, 0, 1)),
        ("right_shoulder_abduction", "right_hand", (0, -1, 1)),
        ("left_elbow_flexion", "left_hand", (1, 0, 1)),
        ("left_wrist_flexion", "left_fingertip", (0, -1, 1)),
        ("right_wrist_deviation", "right_fingertip", (1, 0, 1)),
        ("pelvis_tilt", "head_top", (1, 0, -1)),
    ],
)
def test_joints_move_as_they_are_called(joint, point, way):
    person = robots.human()
    moved = at(person, point, posed(person, **{joint: 10})) - at(person, point)
    for shift, sign in zip(moved, way, strict=True):
        assert sign == 0 or shift * sign > 1e-4


def test_palms_turn_back_in_pronation():
    person = robots.human()
    for side, palm in (("left", -1.0), ("right", 1.0)):
        R = person.link_pose(posed(person, **{f"{side}_elbow_pronation": 80}), f"{side}_hand")[:3, :3]
        assert (R @ [0.0, palm, 0.0])[0] < -0.9


def test_strengths_are_those_of_the_sources_for_a_man_of_the_reference():
    person = robots.human(1.75, 75.0)
    weight = 75.0 * 9.81 * 1.75
    strong = person.strengths
    # Anderson et al. 2007, table 3; Delp et al. 1996
    assert strong["left_knee_flexion"].negative == pytest.approx(0.163 * weight)
    assert strong["right_ankle_flexion"].negative == pytest.approx(0.095 * weight)
    assert (strong["left_wrist_flexion"].negative, strong["left_wrist_flexion"].positive) == pytest.approx((7.1, 12.2))
    limits = person.limits
    for name, can in strong.items():
        k = person.joint_names.index(name)
        assert limits.effort[k] == max(can.negative, can.positive)
        assert (limits.lower[k], limits.upper[k]) == (can.lower, can.upper)
        assert can.lower <= 0.0 <= can.upper
    assert np.isinf(limits.effort[:6]).all() and np.isinf(limits.upper[:6]).all()
    # AAOS: the trunk bends by 80 deg, shared by four joints, knees by 135
    assert sum(strong[f"spine_{k}_flexion"].upper for k in range(1, 5)) == pytest.approx(math.radians(80))
    assert strong["left_knee_flexion"].upper == pytest.approx(math.radians(135))


def test_every_range_and_strength_names_its_source():
    known = ("AAOS", "Anderson", "Delp", "Fice", "chosen")
    for row in numbers("joints")["joints"].values():
        assert row["ranges"].startswith(known) and row["strengths"] in known


def test_strength_falls_with_age():
    young, old = robots.human().strengths, robots.human(age=72).strengths
    assert robots.human(age=20).strengths == young
    # Hunter et al. 2000: 9.3, 7.4 and 6.2 % per decade, five decades after 22
    for name, loss in (("left_knee_flexion", 0.093), ("left_ankle_flexion", 0.074), ("left_elbow_flexion", 0.062)):
        assert old[name].positive / young[name].positive == pytest.approx(1 - 5 * loss)
    with pytest.warns(ModelWarning, match="strengths at an age of 95 are those at 89 years"):
        robots.human(age=95)


def test_dynamics_scale_with_mass_and_stature():
    small, heavy, tall = numpy_person(1.6, 60.0), numpy_person(1.6, 90.0), numpy_person(1.76, 60.0)
    q, qd, qdd = np.random.default_rng(1).uniform(-1, 1, (3, 4, 55))
    tau = small.inverse_dynamics(q, qd, qdd)
    assert heavy.inverse_dynamics(q, qd, qdd) == pytest.approx(1.5 * tau, rel=1e-10, abs=1e-9)
    # lengths times 1.1: rates of slides too; gravity alone is of first order, inertia of second
    still, turns = 0 * q, np.r_[[1.1] * 3, [1.0] * 52]
    held = tall.inverse_dynamics(q, still, still)
    assert held[:, 3:] == pytest.approx(1.1 * small.inverse_dynamics(q, still, still)[:, 3:], rel=1e-10, abs=1e-9)
    moved = tall.inverse_dynamics(q, qd * turns, qdd * turns) - held
    assert moved[:, 3:] == pytest.approx(1.21 * (tau - small.inverse_dynamics(q, still, still))[:, 3:], rel=1e-9, abs=1e-9)
    ratio = {name: heavy.strengths[name].effort / small.strengths[name].effort for name in heavy.strengths}
    assert set(np.round(list(ratio.values()), 12)) == {1.5}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"stature": 175}, r"no adult has a stature of 175 m; expected 0.54 to 2.72 m \(175 cm are 1.75\)"),
        ({"mass": -3}, "no adult has a mass of -3 kg; expected 5 to 635 kg"),
        ({"mass": math.nan}, "no adult has a mass of nan kg"),
        ({"age": 9}, "no adult has an age of 9 years; expected 18 to 120 years"),
        ({"sex": "men"}, "no body segments for sex 'men'; did you mean 'female'|expected one of 'male', 'female'"),
        ({"stature": "tall"}, "stature"),
    ],
)
def test_bodies_that_no_adult_has_are_refused(given, message):
    with pytest.raises(ModelError, match=message):
        robots.human(**given)


def test_bodies_far_from_the_source_cause_a_warning_with_its_range():
    with pytest.warns(ModelWarning, match="a stature of 2.2 m is outside of 1.45 to 2.05 m.*male adults have a mean of 1.741 m"):
        robots.human(stature=2.2)
    with pytest.warns(ModelWarning, match="a mass of 200 kg is outside of 35 to 130 kg"):
        robots.human(mass=200.0, sex="female")


def test_a_person_stays_one_when_copied_locked_or_loaded():
    person = robots.human(1.8, 80.0, "female", 40)
    for again in (
        pickle.loads(pickle.dumps(person)),
        person.locked({"left_knee_flexion": 0.3}),
        person.with_payload(5.0, link="left_hand"),
    ):
        assert type(again) is robots.Human and again.body == Body(1.8, 80.0, "female", 40)
    assert person.with_payload(5.0, link="left_hand").total_mass == pytest.approx(85.0)
    with pytest.raises(StateError, match="a Human needs the Body that its model was made for, got NoneType; lissom.robots.human"):
        robots.Human(person.model)
    assert person.global_joints == person.joint_names[:6]
    assert repr(person) == "<Human: female, 1.8 m, 80 kg, 55 degrees of freedom>"


def test_mirrored_states_have_mirrored_torques_and_points(backend):
    person = robots.Human(robots.human_model(), backend=backend, body=Body())
    q, qd, qdd = np.random.default_rng(2).uniform(-1, 1, (3, 5, 55))
    tau = person.inverse_dynamics(q, qd, qdd)
    mirrored = person.inverse_dynamics(*(person.mirror(x) for x in (q, qd, qdd)))
    assert np.abs(mirrored - person.mirror(tau)).max() < 1e-12 * np.abs(tau).max()
    assert np.array_equal(person.mirror(person.mirror(q)), q)
    for name in person.points:
        other = {"left": "right", "right": "left"}.get(name.split("_")[0])
        other = name if other is None else f"{other}_{name.partition('_')[2]}"
        assert at(person, other, person.mirror(q[0])) == pytest.approx(at(person, name, q[0]) * [1, -1, 1], abs=1e-12)


def test_a_person_with_one_stiff_side_has_no_mirror_image():
    limping = robots.human().locked({"left_knee_flexion": 0.0})
    with pytest.raises(StateError, match="joint 'right_knee_flexion' moves and whose 'left_knee_flexion' is locked"):
        limping.mirror(np.zeros(54))
    with pytest.raises(StateError, match=r"values to mirror have shape \(3,\), expected \(..., 55\)"):
        robots.human().mirror([1.0, 2.0, 3.0])


def test_points_are_named_and_take_many_poses():
    person = robots.human()
    q = np.random.default_rng(4).uniform(-0.5, 0.5, (2, 3, 55))
    places = person.point_position(q, "left_hand")
    assert places.shape == (2, 3, 3) and places[1, 2] == pytest.approx(at(person, "left_hand", q[1, 2]))
    link, position = person.points["left_hand"]
    assert link == "left_hand" and position == pytest.approx((0, 0, -person.segments["hand"].length))
    with pytest.raises(NameLookupError, match="no point 'left_heal' of a person; did you mean 'left_heel'"):
        person.point_position(q, "left_heal")


def test_shapes_reach_from_the_soles_to_the_top_of_the_head():
    person = numpy_person(1.8, 80.0)
    drawn = {shape.link for shape in person.model.shapes}
    assert drawn == {link.name for link in person.model.links if link.inertia is not None}
    low, high = [], []
    for shape in person.model.shapes:
        T = person.link_pose(person.neutral(), shape.link)
        z = (T[:3, :3] @ shape.origin.p + T[:3, 3])[2]
        if shape.geometry.kind == "ellipsoid":
            low.append(z - shape.geometry.radii[2])
            high.append(z + shape.geometry.radii[2])
    assert min(low) == pytest.approx(0.0, abs=1e-9)
    assert max(high) == pytest.approx(1.8, abs=1e-9)


def test_motion_problems_move_an_arm_within_its_strength():
    person = robots.human(active=["right_shoulder_flexion", "right_elbow_flexion"])
    arm = person.locked(dict.fromkeys(person.global_joints, 0.0))
    problem = lissom.MotionProblem(arm, control_points=8, duration=1.0).start([0.0, 0.0]).end([1.2, 0.8]).limit_by_model()
    found = problem.minimize("integral", 1.0, "torque").solve()
    assert found.status.name == "SOLVED"
    q, qd, qdd = found.coordinates(found.times(41))[:3]
    assert (np.abs(arm.inverse_dynamics(q, qd, qdd)) <= arm.limits.effort + 1e-6).all()
