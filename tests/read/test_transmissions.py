"""Gear ratios from `<transmission>`: the spellings that files have, what is skipped, and what is warned of."""

import warnings

import numpy as np
import pytest

from lissom import Robot
from lissom.errors import ModelError, ModelWarning
from lissom.model import Motor
from lissom.read import load_model
from lissom.read.urdf import parse_urdf, read_urdf
from support.published import FILES
from support.states import random_states

ROBOT = """<robot name="r">
<link name="a"/><link name="d"/>
<link name="b"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<link name="c"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>
<joint name="k" type="planar"><parent link="b"/><child link="c"/></joint>
<joint name="l" type="fixed"><parent link="c"/><child link="d"/></joint>
{}
</robot>"""
REDUCTION = "<mechanicalReduction>-75.05</mechanicalReduction>"


def motors(*elements, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return parse_urdf(ROBOT.format("\n".join(elements)), **options).motors


@pytest.mark.parametrize(
    "inside",
    [
        f'<type>transmission_interface/SimpleTransmission</type><joint name="j"/><actuator name="m">{REDUCTION}</actuator>',
        f'<actuator name="m"/><joint name="j"><hardwareInterface>x</hardwareInterface>{REDUCTION}</joint>',
        f'<actuator name="m"/><joint name="j"/>{REDUCTION}',
        '<joint name="j"/><actuator name="m" mechanicalReduction="-75.05"/>',
        '<plugin>transmission_interface/SimpleTransmission</plugin><actuator name="m" role="actuator1"/>'
        '<joint name="j" role="joint1"><mechanical_reduction> -75.05\n</mechanical_reduction><offset>0.1</offset></joint>',
        f'<joint name="j"><mechanicalReduction>1</mechanicalReduction></joint><actuator name="m">{REDUCTION}</actuator>',
        f'<joint name="j">{REDUCTION}</joint><actuator name="m">{REDUCTION}</actuator>',
    ],
)
def test_a_gear_ratio_makes_a_motor_without_inertia(inside):
    expected = (Motor("m", "j", "a", -75.05),)
    assert motors(f'<transmission name="t">{inside}</transmission>') == expected
    assert motors(f'<transmission name="t" type="pr2_mechanism_model/SimpleTransmission">{inside}</transmission>') == expected
    assert (
        motors(f'<ros2_control name="x" type="system"><transmission name="t">{inside}</transmission></ros2_control>') == expected
    )


def test_motors_are_called_as_actuators_or_transmissions_are():
    plain = f'<joint name="j"/>{REDUCTION}'
    assert motors(f'<transmission name="t">{plain}</transmission>')[0].name == "t"
    assert motors(f'<transmission name="t">{plain}<actuator name="j"/></transmission>')[0].name == "t"
    assert motors(f'<transmission name="j">{plain}<actuator name="j"/></transmission>')[0].name == "j_motor"
    assert motors(f"<transmission>{plain}</transmission>")[0].name == "j_motor"
    assert motors(f'<transmission name="root_joint">{plain}</transmission>', base="floating")[0].name == "root_joint"


@pytest.mark.parametrize(
    "element",
    [
        '<transmission name="t"><joint name="j"/><actuator name="m"/></transmission>',
        f'<transmission name="t"><joint name="j"/><joint name="k"/><actuator name="m">{REDUCTION}</actuator></transmission>',
        f'<transmission name="t"><joint name="j"/><actuator name="m">{REDUCTION}</actuator><actuator name="n"/></transmission>',
        '<transmission name="t" type="WristTransmission"><flexJoint name="j" mechanicalReduction="-1"/></transmission>',
        f'<transmission name="t"><joint name="l"/><actuator name="m">{REDUCTION}</actuator></transmission>',
        '<transmission name="t"/>',
    ],
)
def test_what_is_no_motor_of_one_joint_is_skipped_in_silence(element):
    assert motors(element) == ()


@pytest.mark.parametrize(
    ("element", "said"),
    [
        (f'<joint name="jj"/>{REDUCTION}', "no joint 'jj'; did you mean 'j'"),
        (f"<joint/>{REDUCTION}", "no joint ''"),
        (f'<joint name="k"/>{REDUCTION}', "joint 'k' is planar; a motor drives one axis"),
        (
            '<joint name="j"/><mechanicalReduction>1:75</mechanicalReduction>',
            "reduction must be a number other than 0, got '1:75'",
        ),
        ('<joint name="j"/><mechanicalReduction/>', "reduction must be a number other than 0, got ''"),
        ('<joint name="j"/><mechanicalReduction>0</mechanicalReduction>', "reduction must be a number other than 0, got '0'"),
        (f'<joint name="j" mechanicalReduction="3"/>{REDUCTION}', r"reductions differ \(3, -75.05\)"),
    ],
)
def test_mistakes_are_warned_of_with_their_line(element, said, tmp_path):
    text = ROBOT.format(f'<transmission name="t">{element}</transmission>')
    with pytest.warns(ModelWarning, match=rf"f:8: <transmission> 't' is ignored: .*{said}"):
        assert parse_urdf(text, path="f").motors == ()
    file = tmp_path / "r.urdf"
    file.write_text(text)
    with pytest.raises(ModelError, match="strict=True rejects 1 doubtful part"):
        load_model(file, strict=True)


def test_a_joint_has_one_gear_ratio():
    one, two = (f'<transmission name="{name}"><joint name="j"/>{REDUCTION}</transmission>' for name in "ab")
    assert [motor.name for motor in motors(one, two)] == ["a"]
    with pytest.warns(ModelWarning, match="'b' is ignored: the gear ratio of joint 'j' is -75.05 already; a joint has one motor"):
        found = parse_urdf(ROBOT.format(one + two.replace("-75.05", "20"))).motors
    assert [motor.ratio for motor in found] == [-75.05]


def test_a_transmission_of_what_cannot_move_is_skipped():
    text = ROBOT.format(f'<transmission name="t"><joint name="j"/>{REDUCTION}</transmission>')
    follower = text.replace('<child link="b"/>', '<child link="b"/><mimic joint="l"/>')
    assert parse_urdf(follower).motors == ()
    assert [motor.joint for motor in parse_urdf(follower, mimic=False).motors] == ["j"]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::lissom.errors.ModelWarning")
def test_published_gear_ratios_change_no_force():
    found = {}
    for file in FILES:
        model = read_urdf(file)
        if model.motors:
            found[file.name] = model
    assert len(found) == 30
    assert {motor.ratio for motor in found["xarm7.urdf"].motors} == {100.0}
    assert found["pr2.urdf"].motor("torso_lift_motor").ratio == -52143.33
    for name in ("pr2.urdf", "xarm7.urdf", "tiago.urdf"):
        model, bare = found[name], found[name].replace(motors=())
        state = random_states(bare)
        assert np.array_equal(
            Robot(model, backend="numpy").inverse_dynamics(*state), Robot(bare, backend="numpy").inverse_dynamics(*state)
        )
        counts = [Robot(x, backend="numpy").operation_count("inverse_dynamics") for x in (model, bare)]
        assert counts[0] == counts[1]
