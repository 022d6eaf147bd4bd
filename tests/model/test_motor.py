"""Motors of a model: what is refused, what they leave to the model, and choices for all of them."""

import dataclasses
import math
import warnings

import pytest

from lissom import Friction, Inertia, Joint, Limits, Link, Model, ModelError, ModelWarning, Motor, Pose, Robot, Spring
from lissom.errors import NameLookupError
from lissom.model.dh import dh_convention
from lissom.robots import stanford_model

DISC = Inertia(0.3, (0.0, 0.0, 0.01), ((1e-3, 0.0, 0.0), (0.0, 1e-3, 0.0), (0.0, 0.0, 2e-3)))
ARM = Model(
    "arm",
    (Link("base"), Link("upper", Inertia(2.0, (0, 0, 0.2))), Link("lower", Inertia(1.0, (0, 0, 0.2)))),
    (
        Joint("shoulder", "revolute", "base", "upper", axis=(0, 1, 0)),
        Joint("elbow", "revolute", "upper", "lower", Pose(translation=(0, 0, 0.5)), axis=(0, 1, 0)),
    ),
)


def with_motor(**changes):
    return ARM.replace(motors=(Motor(**{"name": "m", "joint": "elbow", "inertia": DISC, "ratio": 50.0, **changes}),))


def tensor(xx, yy, zz, xy=0.0, xz=0.0, yz=0.0):
    return ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"spring": Spring(0.0)}, "motor 'm': stiffness of the spring must be positive and finite, got 0"),
        ({"spring": Spring(-5.0)}, "motor 'm': stiffness of the spring must be positive and finite, got -5"),
        ({"spring": Spring(math.inf)}, "motor 'm': stiffness of the spring must be positive and finite, got inf"),
        ({"spring": Spring(5.0, damping=-1.0)}, "motor 'm': damping of the spring must be zero or positive, got -1"),
        ({"spring": 100.0}, r"motor 'm': spring must be Spring\(stiffness, rest, damping\) or None, got 100.0"),
        ({"spring": Spring(5.0), "ratio": 0.0}, "motor 'm': gear ratio is 0, but an elastic drive needs another"),
        ({"spring": Spring(5.0), "inertia": None}, "motor 'm': an elastic drive needs a rotor with inertia about its axis"),
        ({"ratio": math.nan}, "motor 'm': gear ratio must be finite, got nan"),
        ({"ratio": "fast"}, "motor 'm': gear ratio must be a number, got 'fast'"),
        ({"ratio": 1e200}, r"motor 'm': gear ratio 1e\+200 is too large: its square multiplies the rotor's inertia"),
        ({"link": "uper"}, r"no link 'uper' \(it carries motor 'm'\); did you mean 'upper'"),
        ({"joint": "elbo"}, r"no joint 'elbo' \(motor 'm' drives it\); did you mean 'elbow'"),
        ({"name": "elbow"}, "motor 'elbow' has the name of a joint; names must be unique"),
        ({"name": " "}, "a motor has no name"),
        (
            {"inertia": Inertia(0.3, tensor=tensor(1e-3, 2e-3, 2e-3))},
            "not round .* Ixx = 0.001 and Iyy = 0.002 .*, expected Ixx = Iyy",
        ),
        (
            {"inertia": Inertia(0.3, tensor=tensor(1e-3, 1e-3, 2e-3, xz=1e-4))},
            "axis is not a principal axis: its products of inertia",
        ),
        ({"inertia": Inertia(0.3, (0.01, 0.0, 0.0), DISC.tensor)}, "center of mass must lie on its axis, .* got x = 0.01, y = 0"),
        ({"inertia": Inertia(0.3, tensor=tensor(1e-3, 1e-3, -1e-3))}, "inertia about its axis must not be negative, got -0.001"),
        ({"inertia": 0.3}, r"motor 'm': inertia must be Inertia\(mass, com, tensor\) or None, got 0.3"),
        ({"rotor": "reflekted"}, "motor 'm': rotor must be 'full' or 'reflected', got 'reflekted'; did you mean 'reflected'"),
        (
            {"limits": Limits(effort=5.0)},
            "motor 'm': a rigid drive has no coordinate; give its limits to joint 'elbow'",
        ),
        ({"origin": (0, 0, 1)}, r"motor 'm': origin must be a Pose\(rotation, translation\)"),
        ({"friction": 0.1}, r"motor 'm': friction must be Friction\(viscous, coulomb\), got 0.1"),
    ],
)
def test_refusals_name_the_motor_and_the_reason(changes, said):
    with pytest.raises((ModelError, NameLookupError), match=said):
        with_motor(**changes)


def test_rotors_that_no_body_has_are_doubtful():
    """A flat disc has Izz = 2 Ixx, and nothing round has more."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with_motor(inertia=Inertia(0.3, tensor=tensor(1e-3, 1e-3, 2e-3)))
    for across in (0.9e-3, -1e-3):
        text = rf"motor 'm': the rotor has Izz = 0.002 kg m\^2 about its axis and Ixx = Iyy = {across:.4g} across it"
        with pytest.warns(ModelWarning, match=text):
            with_motor(inertia=Inertia(0.3, tensor=tensor(across, across, 2e-3)))


def test_two_motors_of_one_name_or_of_one_joint_are_refused():
    one, two = Motor("a", "elbow"), Motor("b", "elbow")
    with pytest.raises(ModelError, match="motors 'a' and 'b' both drive joint 'elbow'; a joint has one motor"):
        ARM.replace(motors=(one, two))
    with pytest.raises(ModelError, match="two motors are called 'a'; names must be unique"):
        ARM.replace(motors=(one, Motor("a", "shoulder")))
    with pytest.raises(ModelError, match="the motors of a model must be a sequence of Motor"):
        ARM.replace(motors=(DISC,))


def test_only_joints_of_one_axis_have_motors():
    ball = ARM.with_joints(lambda j: Joint(j.name, "spherical", j.parent, j.child) if j.name == "elbow" else j)
    with pytest.raises(ModelError, match="motor 'm' drives joint 'elbow', which is spherical; only joints of one"):
        ball.replace(motors=(Motor("m", "elbow"),))


def test_a_motor_without_a_link_is_carried_by_the_parent_of_its_joint():
    assert with_motor().motor("m").link == "upper"
    with pytest.raises(NameLookupError, match="no motor 'n'"):
        with_motor().motor("n")


def test_all_rotors_are_made_full_or_reflected():
    model = with_motor(spring=Spring(100.0))
    reflected = model.with_rotors("reflected")
    assert [motor.rotor for motor in reflected.motors] == ["reflected"]
    assert reflected.with_rotors("full") == model
    assert reflected.nv == model.nv == 3
    assert ARM.with_rotors("reflected") == ARM
    for any_model in (ARM, model):
        with pytest.raises(ModelError, match="rotors must be 'full' or 'reflected', got 'ful'; did you mean 'full'"):
            any_model.with_rotors("ful")


def test_friction_of_motors_goes_with_that_of_joints_and_springs_keep_their_damping():
    model = with_motor(friction=Friction(1e-3, 1e-2), spring=Spring(100.0, damping=0.4)).without_friction()
    assert model.motor("m").friction == Friction() and model.motor("m").spring == Spring(100.0, damping=0.4)


def test_tables_stay_tables_with_motors():
    table = stanford_model()
    model = table.replace(motors=(Motor("m", table.joints[1].name, table.base, 60.0, DISC, spring=Spring(1e4)),))
    assert dh_convention(model) == dh_convention(table)


def test_motors_count_in_the_fingerprint_where_there_are_any():
    plain, driven = ARM.fingerprint, with_motor().fingerprint
    assert plain == dataclasses.replace(ARM, motors=()).fingerprint != driven
    assert driven != with_motor(ratio=51.0).fingerprint != with_motor(rotor="reflected").fingerprint


def test_methods_without_followers_say_what_to_do_about_rotors():
    robot = Robot(with_motor(), backend="numpy")
    with pytest.raises(
        ModelError, match=r"motor 'm', whose rotor turns with its joint; use .* or take model.with_rotors\('reflected'\)"
    ):
        robot.forward_dynamics([0.1, 0.2], [0, 0], [0, 0], method="articulated_body")
    Robot(robot.model.with_rotors("reflected"), backend="numpy").forward_dynamics(
        [0.1, 0.2], [0, 0], [0, 0], method="articulated_body"
    )
