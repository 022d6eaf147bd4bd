"""The parts of OpenSim's files, of version 4 and before, as they stand there."""

import numpy as np
import pytest

from lissom.read.osim.file import parse_parts, read_parts
from support.osim import LEG, OLD, line_of, published


def test_a_file_of_version_4_is_read():
    parts = parse_parts(LEG)
    assert (parts.name, parts.version, parts.gravity) == ("leg", 40000, (0.0, -9.80665, 0.0))
    assert [body.name for body in parts.bodies] == ["thigh", "shank", "kneecap"]
    thigh = parts.bodies[0]
    assert (thigh.mass, thigh.com, thigh.line) == (8.0, (0.0, -0.17, 0.0), line_of(LEG, '<Body name="thigh"'))
    assert thigh.inertia == ((0.13, 0.001, 0.002), (0.001, 0.035, 0.003), (0.002, 0.003, 0.14))
    assert [(joint.kind, joint.parent, joint.child) for joint in parts.joints] == [
        ("PinJoint", "/jointset/hip/ground_offset", "/bodyset/thigh"),
        ("CustomJoint", "/jointset/knee/thigh_offset", "/jointset/knee/shank_offset"),
        ("PinJoint", "/bodyset/thigh", "/bodyset/kneecap"),
    ]
    hip, knee, _ = parts.coordinates
    assert (hip.name, hip.joint, hip.default, hip.range, hip.clamped) == ("hip_flexion", "hip", 0.2, (-0.5, 2.0), True)
    assert (knee.clamped, knee.locked, knee.prescribed) == (False, False, False)


def test_functions_of_a_custom_joint_are_read_with_their_numbers():
    rotation1, rotation2, rotation3, x, y, _ = (axis.function for axis in parse_parts(LEG).joints[1].axes)
    assert (rotation1.kind, rotation1.values) == ("LinearFunction", (1.0, 0.0))
    assert (rotation2.kind, rotation2.values) == ("PolynomialFunction", (0.01, 0.02, 0.0))
    assert (rotation3.kind, rotation3.values) == ("Constant", (0.02,))
    assert (x.kind, x.at[0], x.values[-1]) == ("SimmSpline", -2.1, -0.006)
    assert (y.kind, y.values, y.inner.kind, y.inner.at) == (
        "MultiplierFunction",
        (0.5,),
        "PiecewiseLinearFunction",
        (-2.1, -1.0, 0.2),
    )


def test_muscles_have_their_paths_wraps_and_numbers():
    parts = parse_parts(LEG)
    muscle, wrap = parts.muscles[0], parts.wraps[0]
    assert muscle.numbers["max_isometric_force"] == 5000.0 and muscle.flags == {"ignore_tendon_compliance": True}
    fixed, conditional, moving = muscle.points
    assert (fixed.frame, fixed.location) == ("/bodyset/thigh", (0.03, -0.2, 0.01))
    assert conditional.condition == ("knee_angle", (-2.6, -1.2))
    assert [(coordinate, function.kind) for coordinate, function in moving.moving] == [
        ("knee_angle", "SimmSpline"),
        ("knee_angle", "LinearFunction"),
        ("knee_angle", "Constant"),
    ]
    assert (muscle.wraps[0].wrap, muscle.wraps[0].method, muscle.wraps[0].range) == ("knee_cylinder", "hybrid", (-1, -1))
    assert (wrap.kind, wrap.frame, wrap.quadrant, wrap.angles) == ("WrapCylinder", "/bodyset/thigh", "+x", (0.1, 0.2, 0.3))
    assert wrap.sizes == {"radius": (0.03,), "length": (0.2,)}


def test_frames_are_found_by_their_paths():
    parts = parse_parts(LEG)
    body, pose = parts.seat("/jointset/knee/shank_offset")
    assert body == "shank" and pose.translation == (0.0, 0.01, 0.0)
    np.testing.assert_allclose(pose.R[:2, :2], [[np.cos(0.05), -np.sin(0.05)], [np.sin(0.05), np.cos(0.05)]], atol=1e-15)
    assert parts.seat("/ground")[0] == "ground"
    assert [(marker.name, marker.frame, marker.fixed) for marker in parts.markers] == [
        ("knee_out", "/bodyset/thigh", False),
        ("ankle", "/jointset/knee/shank_offset", True),
    ]


def test_couplers_and_actuators_are_read():
    parts = parse_parts(LEG)
    coupler, actuator = parts.couplers[0], parts.actuators[0]
    assert (coupler.follower, coupler.leaders, coupler.function.values, coupler.enforced) == (
        "patella_angle",
        ("knee_angle",),
        (0.5, 0.1),
        True,
    )
    assert (actuator.name, actuator.coordinate, actuator.optimal_force) == ("hip_motor", "hip_flexion", 100.0)


def test_a_file_of_version_3_has_the_same_parts():
    old, new = parse_parts(OLD), parse_parts(LEG)
    assert [(b.name, b.mass, b.com, b.inertia) for b in old.bodies] == [
        (b.name, b.mass, b.com, b.inertia) for b in new.bodies[:2]
    ]
    for a, b in zip(old.joints, new.joints, strict=False):
        assert (a.kind, a.name) == (b.kind, b.name)
        assert old.seat(a.parent) == new.seat(b.parent) and old.seat(a.child) == new.seat(b.child)
    assert old.joints[1].axes[3].function.at == new.joints[1].axes[3].function.at
    assert old.muscles[0].points[1].frame == "/bodyset/shank" and old.markers[0].frame == "/bodyset/thigh"


def test_defaults_of_a_class_fill_what_an_object_leaves_out():
    parts = parse_parts(OLD)
    assert all(coordinate.clamped for coordinate in parts.coordinates)
    assert parts.muscles[0].numbers == {"optimal_fiber_length": 0.08, "max_isometric_force": 1234.0}


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("arm26.osim", (3, 3, 2, 6, 4, 3)),
        ("double_pendulum.osim", (2, 2, 2, 0, 0, 0)),
        ("leg6dof9musc.osim", (7, 7, 7, 9, 0, 12)),
        ("gait10dof18musc/subject01.osim", (12, 12, 10, 18, 0, 39)),
    ],
)
def test_published_models_are_read(name, counts):
    parts = read_parts(published(name))
    found = (parts.bodies, parts.joints, parts.coordinates, parts.muscles, parts.wraps, parts.markers)
    assert tuple(map(len, found)) == counts
