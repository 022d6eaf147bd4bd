import functools
import math

import numpy as np
import pytest

from lissom import Coupling, Friction, Inertia, Joint, JointKind, Limits, ModelError, Spring
from lissom.model import Composed, Motion, Polyline, Polynomial, Spline
from lissom.model.fingerprint import full_text

LINE = Polynomial((0.0, 1.0))


def joint(kind="revolute", **more):
    return Joint("elbow", kind, "arm", "hand", **more)


def test_sizes_of_the_kinds():
    sizes = {kind.value: (kind.nq, kind.nv) for kind in JointKind}
    assert sizes == {
        "fixed": (0, 0),
        "revolute": (1, 1),
        "continuous": (1, 1),
        "prismatic": (1, 1),
        "spherical": (4, 3),
        "planar": (3, 3),
        "floating": (7, 6),
        "helical": (1, 1),
        "universal": (2, 2),
        "custom": (1, 1),
    }


def test_an_axis_is_made_a_unit_vector():
    assert joint(axis=(0, 3, 4)).axis == (0, 0.6, 0.8)
    unit = (0.6, 0.0, -0.8)
    assert joint(axis=unit).axis == unit


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: joint("revolut"), "unknown joint kind 'revolut'; did you mean 'revolute'"),
        (lambda: joint(None), "unknown joint kind None; expected one of 'fixed', 'revolute'"),
        (lambda: joint(axis=(0, 0, 0)), "joint 'elbow': its axis has zero length"),
        (lambda: joint(axis=(0, 0)), "joint 'elbow': axis must be three numbers"),
        (lambda: joint(rotor_inertia=-1), "joint 'elbow': rotor inertia must be zero or positive, got -1"),
        (lambda: joint(rotor_inertia=math.nan), "rotor inertia must be zero or positive"),
        (lambda: Joint("j", "revolute", "a", "a"), "joint 'j': its parent and its child are the same link 'a'"),
        (lambda: joint("spherical", coupling=Coupling("k")), "only joints of one coordinate can be coupled, not spherical"),
        (
            lambda: joint("planar", friction=Friction(1.0)),
            "friction and rotor inertia belong to single-axis joints, not to a planar",
        ),
        (lambda: joint("helical"), "joint 'elbow': a helical joint needs its pitch"),
        (lambda: joint("helical", pitch=math.inf), "joint 'elbow': its pitch must be finite, got inf"),
        (lambda: joint("helical", pitch="x"), "joint 'elbow': pitch must be a number"),
        (lambda: joint(pitch=0.1), "joint 'elbow': 'pitch' belongs to a helical joint, not to a revolute one"),
        (lambda: joint("universal"), "joint 'elbow': a universal joint needs two axes; give the second one too"),
        (lambda: joint("universal", second_axis=(0, 0, 0)), "joint 'elbow': its second axis has zero length"),
        (lambda: joint("universal", second_axis=(0, 3, 4)), "must be perpendicular; the cosine of their angle is 0.8"),
        (lambda: joint("custom"), "joint 'elbow': a custom joint needs a motion"),
        (lambda: joint("custom", motion=Motion()), "joint 'elbow': no function of its motion depends on the coordinate"),
        (
            lambda: joint("custom", axis=(1, 0, 0), motion=Motion(rotations=(((0, 0, 1), LINE),))),
            r"joint 'elbow': a custom joint takes no axis, got \(1.0, 0.0, 0.0\)",
        ),
        (lambda: joint("custom", motion=3), "joint 'elbow': motion must be"),
        (lambda: Motion(unit="deg"), "the unit of a custom joint's coordinate is 'rad' or 'm', got 'deg'"),
        (lambda: Motion(rotations=3), "rotations of a motion must be pairs of an axis"),
        (lambda: Motion(rotations=((0, 0, 1),)), "rotations of a motion must be pairs of an axis"),
        (lambda: Motion(rotations=(((0, 0, 0), LINE),)), "an axis of the rotations has length 0"),
        (lambda: Motion(translations=(((0, 0, 1), LINE),) * 4), "a motion has at most 3 translations, got 4"),
        (lambda: Polynomial(()), "coefficients of a polynomial must be 1 to 100 numbers, got 0"),
        (lambda: Polynomial((math.nan,)), "coefficients of a polynomial must be finite"),
        (lambda: Polynomial(("a",)), "coefficients of a polynomial must be a list of numbers, got"),
        (lambda: Polynomial(3), "coefficients of a polynomial must be a list of numbers, got 3"),
        (lambda: Spline((0, 1), (1, 2, 3)), "a spline needs one value per point, got 2 points and 3 values"),
        (lambda: Spline((0, 1, 1), (1, 2, 3)), "the points of a spline must increase, got 1 after 1"),
        (lambda: Spline((0, 1), (1, 2), "cubic"), "'at' of a spline must be 3 to 100 numbers, got 2"),
        (lambda: Spline((0, 1), (1, 2), "free"), "the ends of a spline must be 'natural' or 'cubic', got 'free'"),
        (lambda: Spline((0, 1e-300), (0, 1e300)), "the points of a spline lie too close together"),
        (lambda: Polyline((0, 1e-300), (0, 1e300)), "the points of a polyline lie too close together"),
        (lambda: Polyline((0, 0), (0, 1)), "the points of a polyline must increase, got 0 after 0"),
        (lambda: Composed(LINE, 3), "a function of a function takes a Polynomial, Spline or Polyline, got 3"),
        (lambda: Composed(Composed(LINE, LINE), LINE), "functions of functions are chains of at most 10"),
        (lambda: functools.reduce(lambda inner, _: Composed(LINE, inner), range(12), LINE), "chains of at most 10"),
        (lambda: joint("floating", rotor_inertia=1.0), "friction and rotor inertia belong to single-axis joints"),
        (lambda: Limits(lower=math.nan), "limit 'lower' is not a number"),
        (lambda: Limits(effort=math.nan), "limit 'effort' is not a number"),
        (lambda: Limits(1, -1), "lower limit 1 is above the upper limit -1"),
        (lambda: Limits(velocity=-1), r"limits of velocity \(-1\) and effort \(inf\) must not be negative"),
        (lambda: Limits(effort=-2), r"effort \(-2\) must not be negative"),
        (lambda: Friction(viscous=-1), "viscous friction must be zero or positive, got -1"),
        (lambda: Friction(coulomb=math.inf), "coulomb friction must be zero or positive, got inf"),
        (lambda: Coupling("k", ratio=math.nan), "ratio of the coupling to joint 'k' must be finite, got nan"),
        (lambda: Coupling("k", offset=math.inf), "offset of the coupling to joint 'k' must be finite, got inf"),
        (lambda: joint(spring=Spring(0)), "joint 'elbow': stiffness of the spring must be positive and finite, got 0; leave"),
        (lambda: joint(spring=Spring(-2)), "joint 'elbow': stiffness of the spring must be positive and finite, got -2"),
        (lambda: joint(spring=Spring(math.nan)), "joint 'elbow': stiffness of the spring must be positive and finite, got nan"),
        (lambda: joint(spring=Spring(math.inf)), "got inf; .* use a fixed joint for a rigid one"),
        (lambda: joint(spring=Spring(1, math.nan)), "joint 'elbow': rest position of the spring must be finite, got nan"),
        (lambda: joint(spring=Spring(1, 0, -1)), "joint 'elbow': damping of the spring must be zero or positive, got -1"),
        (lambda: joint(spring=Spring(1, 0, math.nan)), "joint 'elbow': damping of the spring must be zero or positive, got nan"),
        (
            lambda: joint("spherical", spring=Spring(1)),
            "joint 'elbow': only joints of one coordinate can have a spring, not spherical",
        ),
        (lambda: joint("fixed", spring=Spring(1)), "joint 'elbow': only .* can have a spring, not fixed"),
    ],
)
def test_impossible_joints_are_refused(call, message):
    with pytest.raises(ModelError, match=message):
        call()


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: Limits("a"), "limit 'lower' must be a number, got 'a'"),
        (lambda: Friction("x"), "viscous friction must be a number, got 'x'"),
        (lambda: Coupling("j", "x"), "ratio of the coupling to joint 'j' must be a number, got 'x'"),
        (lambda: Inertia(None), "mass must be a number, got None"),
        (lambda: joint(spring=Spring("x")), "joint 'elbow': stiffness of the spring must be a number, got 'x'"),
        (lambda: Joint("j", "revolute", "a", "b", rotor_inertia="x"), "joint 'j': rotor inertia must be a number, got 'x'"),
    ],
)
def test_what_is_no_number_is_refused_by_name(make, text):
    with pytest.raises(ModelError, match=text):
        make()


@pytest.mark.parametrize(
    ("more", "text"),
    [
        ({"origin": np.eye(4)}, r"joint 'j': origin must be a Pose\(rotation, translation\), got an array of shape \(4, 4\)"),
        ({"origin": (0, 0, 1)}, r"joint 'j': origin must be a Pose\(rotation, translation\), got \(0, 0, 1\)"),
        ({"tail": None}, r"joint 'j': tail must be a Pose\(rotation, translation\), got None"),
        ({"limits": (-1, 1)}, r"joint 'j': limits must be Limits\(lower, upper, velocity, effort\), got \(-1, 1\)"),
        ({"friction": 0.1}, r"joint 'j': friction must be Friction\(viscous, coulomb\), got 0.1"),
        ({"coupling": "k"}, r"joint 'j': coupling must be Coupling\(joint, ratio, offset\) or None, got 'k'"),
        ({"spring": 80.0}, r"joint 'j': spring must be Spring\(stiffness, rest, damping\) or None, got 80.0"),
        ({"axis": (1e200, 0, 0)}, "joint 'j': its axis is too long; give a unit vector"),
        ({"parent": None}, "joint 'j': parent must be the name of a link, got None"),
        ({"child": ["b"]}, r"joint 'j': child must be the name of a link, got \['b'\]"),
    ],
)
def test_parts_of_other_types_are_refused_by_name(more, text):
    with pytest.raises(ModelError, match=text):
        Joint(**{"name": "j", "kind": "revolute", "parent": "a", "child": "b", **more})


def test_couplings_name_a_joint():
    with pytest.raises(ModelError, match="the leader of a coupling must be the name of a joint, got 3"):
        Coupling(3)


def test_the_spring_of_a_joint_has_plain_numbers_and_is_seen():
    elastic = joint(spring=Spring(np.float64(80), rest=1))
    assert elastic.spring == Spring(80.0, 1.0, 0.0) and type(elastic.spring.stiffness) is float
    assert full_text(elastic).endswith("coupling=None, spring=Spring(stiffness=80.0, rest=1.0, damping=0.0))")
    assert "spring" not in full_text(joint())
