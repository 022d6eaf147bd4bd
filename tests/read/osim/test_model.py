"""What an OpenSim model becomes: names, joints, limits, markers, doubts, and the refusal of what would change the motion."""

from __future__ import annotations

import re

import numpy as np
import pytest

import lissom
from lissom.errors import FileError, ModelError
from lissom.model import Composed, JointKind, Polyline, Polynomial, Spline
from lissom.read import load_model
from lissom.read.osim.coordinates import turning
from lissom.read.osim.file import parse_parts
from lissom.read.source import Source
from lissom.write import to_yaml
from support.osim import LEG, OLD, line_of

COUPLER = re.search(r"<LinearFunction><coefficients>0.5 0.1.*?</LinearFunction>", LEG)[0]


def leg(**changes):
    text = LEG
    for old, new in changes.values():
        assert old in text
        text = text.replace(old, new, 1)
    with pytest.warns(lissom.ModelWarning):
        return load_model(text)


def refused(old, new, said):
    assert old in LEG
    with pytest.raises(FileError, match=said) as caught:
        load_model(LEG.replace(old, new, 1))
    assert caught.value.line is not None


def test_coordinates_are_joints_and_markers_are_links():
    model = leg()
    assert [joint.name for joint in model.independent_joints] == ["hip_flexion", "knee_angle"]
    assert model.base == "ground" and model.gravity == (0.0, -9.80665, 0.0)
    assert model.link("ankle").inertia is None and model.link("shank").inertia.mass == 3.5
    hip, knee = (model.joint(name) for name in ("hip_flexion", "knee_angle"))
    assert (hip.limits.lower, hip.limits.upper) == (-0.5, 2.0)
    assert knee.limits.lower == -np.inf  # its range is not clamped


def test_a_coordinate_of_several_axes_is_a_custom_joint():
    knee = leg().joint("knee_angle")
    assert knee.kind is JointKind.CUSTOM and knee.motion.unit == "rad" and knee.coupling is None
    (_, x), (_, y) = knee.motion.translations
    assert isinstance(x, Spline) and x.ends == "cubic" and isinstance(y, Polyline)
    assert y.values == (-0.005, 0.0025, 0.0)
    assert [law for _, law in knee.motion.rotations] == [Polynomial((0.0, 1.0)), Polynomial((0.0, 0.02, 0.01))]


def test_what_a_coordinate_moves_elsewhere_follows_it():
    """With a rotation between its translation and its rotation, a coordinate has two joints."""
    lead = '<TransformAxis name="translation2">\n<coordinates>knee_angle</coordinates>'
    model = leg(
        a=(lead, '<TransformAxis name="translation2">\n<coordinates>shift</coordinates>'),
        b=('<Coordinate name="knee_angle">', '<Coordinate name="shift"></Coordinate><Coordinate name="knee_angle">'),
    )
    assert [joint.name for joint in model.independent_joints] == ["hip_flexion", "shift", "knee_angle"]
    more = model.joint("knee_angle.knee")
    assert more.coupling.joint == "knee_angle" and more.motion.translations and not more.motion.rotations


def test_actuators_bound_the_torques_of_their_coordinates():
    with pytest.warns(lissom.ModelWarning):
        assert load_model(LEG).joint("hip_flexion").limits.effort == np.inf
    bounded = "<optimal_force>100</optimal_force><min_control>-2</min_control><max_control>2</max_control>"
    assert leg(a=("<optimal_force>100</optimal_force>", bounded)).joint("hip_flexion").limits.effort == 200.0
    uneven = bounded.replace("-2", "-1")
    with pytest.warns(lissom.ModelWarning, match=r"actuator 'hip_motor' has controls from -1 to 2; .* larger one in both"):
        model = load_model(LEG.replace("<optimal_force>100</optimal_force>", uneven))
    assert model.joint("hip_flexion").limits.effort == 200.0


def test_couplings_are_dropped_on_demand():
    with pytest.warns(lissom.ModelWarning):
        assert load_model(LEG, mimic=False).nq == 3
    coupling = leg().joint("patella_angle").coupling
    assert (coupling.joint, coupling.ratio, coupling.offset) == ("knee_angle", 0.5, 0.1)


def test_a_coupling_by_a_spline_of_a_spline_is_composed():
    spline = "<SimmSpline><x>-2 -1 0 0.2</x><y>0.1 0.5 0.2 0.3</y></SimmSpline>"
    pin = '<PinJoint name="patella">'
    kneecap = LEG[LEG.index(pin) : LEG.index("</PinJoint>", LEG.index(pin))]
    bent = kneecap.replace("PinJoint", "CustomJoint") + (
        '<SpatialTransform><TransformAxis name="rotation1"><coordinates>patella_angle</coordinates><axis>0 0 1</axis>'
        f"{spline}</TransformAxis></SpatialTransform></CustomJoint>"
    )
    text = LEG.replace(kneecap + "</PinJoint>", bent).replace(COUPLER, spline)
    with pytest.warns(lissom.ModelWarning):
        model = load_model(text)
    law = model.joint("patella_angle").motion.rotations[0][1]
    assert isinstance(law, Composed) and law.outer == law.inner
    assert load_model(to_yaml(model)).joint("patella_angle") == model.joint("patella_angle")


def test_a_file_of_yaml_keeps_the_model():
    model = leg()
    again = load_model(to_yaml(model))
    assert again.fingerprint == model.fingerprint


def test_muscles_are_named_and_do_not_count_as_doubts():
    said = rf"<text>:{line_of(LEG, '<Millard')}: Millard2012EquilibriumMuscle 'vastus': no part of the robot"
    with pytest.warns(lissom.ModelWarning, match=said):
        load_model(LEG)
    with pytest.warns(lissom.ModelWarning):
        load_model(LEG, strict=True)


def test_forces_that_are_left_out_are_named_with_their_lines():
    force = "\n<BushingForce name='pad'></BushingForce>\n<HuntCrossleyForce name='heel'/>"
    text = LEG.replace('<ForceSet name="forceset"><objects>', '<ForceSet name="forceset"><objects>' + force)
    first = line_of(text, "<Bushing")
    said = rf"<text>:{first}: BushingForce 'pad' \(line {first}\) and HuntCrossleyForce 'heel' \(line {first + 1}\) are no part"
    with pytest.warns(lissom.ModelWarning, match=said):
        load_model(text)
    with pytest.raises(ModelError, match=r"strict=True rejects 1 doubtful part:\n.*BushingForce 'pad'"), pytest.warns():
        load_model(text, strict=True)
    off = text.replace("'pad'>", "'pad'><appliesForce>false</appliesForce>").replace("<HuntCrossleyForce name='heel'/>", "")
    with pytest.warns(lissom.ModelWarning, match=r"BushingForce 'pad' \(line \d+\) are switched off"):
        load_model(off, strict=True)


def test_contact_geometry_and_components_are_named():
    more = (
        '<ContactGeometrySet><objects><ContactSphere name="ball"/></objects></ContactGeometrySet>'
        '<ProbeSet><objects><SystemEnergyProbe name="energy"/></objects></ProbeSet></Model>'
    )
    with pytest.warns(lissom.ModelWarning) as warned:
        load_model(LEG.replace("</Model>", more))
    texts = [str(w.message) for w in warned]
    assert any("ContactSphere 'ball'" in text and "contact geometry" in text for text in texts)
    assert any("SystemEnergyProbe 'energy'" in text and "are left out" in text for text in texts)


def test_constraints_that_are_not_enforced_are_named():
    weld = "<WeldConstraint name='glue'><isEnforced>false</isEnforced></WeldConstraint>"
    text = LEG.replace("<isEnforced>true</isEnforced>", "<isEnforced>false</isEnforced>")
    text = text.replace('<ConstraintSet name="constraintset"><objects>', '<ConstraintSet name="constraintset"><objects>' + weld)
    with pytest.warns(lissom.ModelWarning) as warned:
        model = load_model(text)
    texts = [str(w.message) for w in warned]
    assert any("WeldConstraint 'glue' is not enforced" in text for text in texts)
    assert any("the coupling 'patella_follows' is not enforced" in text for text in texts)
    assert model.nq == 3


SET = '<ConstraintSet name="constraintset"><objects>'
AXIS = '<TransformAxis name="translation3">\n<coordinates></coordinates>'
JOINTS = '<JointSet name="jointset"><objects>'


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (SET, SET + "<PointConstraint name='ball'/>", "PointConstraint 'ball' is a constraint that lissom does not read"),
        ('<PinJoint name="hip">', '<ScapulothoracicJoint name="hip">', "not well-formed"),
        (
            "<coordinates>knee_angle</coordinates>",
            "<coordinates>knee</coordinates>",
            "moved by 'knee', which its joint",
        ),
        ("<coordinates>knee_angle</coordinates>", "<coordinates>knee_angle knee_angle</coordinates>", "has 2 slopes and an"),
        ("<axis>0 0 1</axis>", "<axis>0 0 0</axis>", "axis 'rotation1' of joint 'knee' has the direction 0 0 0"),
        (
            '<LinearFunction name="function"><coefficients>1 0</coefficients></LinearFunction>',
            "",
            "but no function",
        ),
        (
            "<coordinates>knee_angle</coordinates>",
            "<coordinates></coordinates>",
            "no coordinate that is not constant",
        ),
        ("<coefficients>1 0</coefficients>", "<coefficients>1 0 2</coefficients>", "a slope and an offset, got"),
        (
            "<x>-2.1 -1.5 -1 -0.5 0 0.2</x>",
            "<x>-2.1 -1.5 -1 -1.2 0 0.2</x>",
            "spline must increase, got -1.2 after -1",
        ),
        ("<x>-2.1 -1 0.2</x>", "<x>-2.1 -1 -1</x>", "points of a polyline must increase, got -1 after -1"),
        ("<x>-2.1 -1 0.2</x>", "<x>-2.1 -1</x>", "a polyline needs one value per point, got 2 points and 3 values"),
        ("<clamped>true</clamped>", "<prescribed>true</prescribed>", "'hip_flexion' is prescribed as a function of time"),
        (
            '<Coordinate name="patella_angle">',
            '<Coordinate name="patella_angle"><locked>true</locked>',
            "locked, and coupled to",
        ),
        (
            "<independent_coordinate_names>knee_angle<",
            "<independent_coordinate_names>knee<",
            "an unknown coordinate 'knee'",
        ),
        (
            "<independent_coordinate_names>knee_angle<",
            "<independent_coordinate_names>knee_angle hip_flexion<",
            "has 2 slopes and an offset, got",
        ),
        ("<independent_coordinate_names>knee_angle<", "<independent_coordinate_names>patella_angle<", "coupled in a circle"),
        ("<coordinate>hip_flexion</coordinate>", "<coordinate>hip</coordinate>", "drives 'hip', which is no coordinate"),
        (
            '<Coordinate name="patella_angle"></Coordinate>',
            '<Coordinate name="patella_angle"></Coordinate><Coordinate name="b"/>',
            "joint 'patella': a PinJoint has 1 coordinates, not 2",
        ),
        (
            '<Coordinate name="knee_angle">',
            '<Coordinate name="idle"></Coordinate><Coordinate name="knee_angle">',
            "coordinate 'idle' of 'knee' moves nothing",
        ),
        (
            '<Coordinate name="knee_angle">',
            '<Coordinate name="knee_angle"></Coordinate><Coordinate name="knee_angle">',
            "joint 'knee' has two coordinates 'knee_angle'",
        ),
        ("<socket_child_frame>/bodyset/kneecap", "<socket_child_frame>/bodyset/thigh", "connects body 'thigh' to itself"),
        ("<socket_child_frame>/bodyset/kneecap", "<socket_child_frame>/bodyset/shank", "joint 'patella' closes a loop"),
        ("<mass>3.5</mass>", "<mass>0</mass>", "link 'shank' has inertia but no mass"),
    ],
)
def test_what_would_change_the_motion_is_refused(old, new, said):
    refused(old, new, said)


def test_other_joints_are_refused_by_name():
    text = LEG.replace('<PinJoint name="hip">', '<ElasticJoint name="hip">').replace("</PinJoint>", "</ElasticJoint>", 1)
    with pytest.raises(FileError, match="joint 'hip': lissom does not have a ElasticJoint; it has WeldJoint, PinJoint"):
        load_model(text)


@pytest.mark.parametrize(
    ("radii", "said"),
    [
        ("", "joint 'hip': <radii_x_y_z> must be three positive numbers, there are none"),
        ("<radii_x_y_z>1 0 2</radii_x_y_z>", "must be three positive numbers, got 1 0 2"),
        ("<radii_x_y_z>1 2 inf</radii_x_y_z>", "must be three positive numbers, got 1 2 inf"),
        ("<radii_x_y_z>1 2</radii_x_y_z>", "<radii_x_y_z> of <EllipsoidJoint> 'hip' must be 3 numbers, got 2"),
    ],
)
def test_radii_of_an_ellipsoid_must_be_positive(radii, said):
    text = LEG.replace('<PinJoint name="hip">', f'<EllipsoidJoint name="hip">{radii}').replace(
        "</PinJoint>", "</EllipsoidJoint>", 1
    )
    with pytest.raises(FileError, match=r":\d+: .*" + said):
        load_model(text)


def test_other_functions_are_refused_by_name():
    refused(
        '<Constant name="function"><value>0.003</value></Constant>',
        "<Sine/>",
        "'translation3' of joint 'knee' is moved by a Sine",
    )


def test_a_coordinate_coupled_twice_is_refused():
    coupler = (
        LEG[LEG.index("<CoordinateCoupler") : LEG.index("</CoordinateCouplerConstraint>")] + "</CoordinateCouplerConstraint>"
    )
    twice = coupler + coupler.replace('"patella_follows"', '"again"')
    refused(coupler, twice, "coordinate 'patella_angle' is coupled by 'patella_follows' and 'again'")


def test_bodies_that_are_not_connected_are_refused():
    text = LEG.replace("<socket_parent_frame>ground_offset", "<socket_parent_frame>/bodyset/kneecap", 1)
    with pytest.raises(FileError, match="body 'thigh' is not connected to the ground|closes a loop"):
        load_model(text)
    apart = LEG.replace("<socket_parent>/bodyset/thigh</socket_parent>", "<socket_parent>/bodyset/kneecap</socket_parent>")
    apart = apart.replace("<socket_parent_frame>/bodyset/thigh", "<socket_parent_frame>/bodyset/shank", 1)
    with pytest.raises(FileError, match="not connected to the ground: no chain of joints leads there|closes a loop"):
        load_model(apart)


def test_coordinates_called_alike_are_told_apart_by_their_joints():
    text = LEG.replace("hip_flexion", "angle").replace("knee_angle", "angle").replace("<coordinate>angle</coordinate>", "")
    text = re.sub(r"<(CoordinateActuator|CoordinateCouplerConstraint).*?</\1>", "", text, flags=re.DOTALL)
    with pytest.warns(lissom.ModelWarning):
        model = load_model(text)
    assert [joint.name for joint in model.independent_joints] == ["hip/angle", "knee/angle", "patella_angle"]


def test_the_kind_of_a_coordinate_is_that_of_opensim():
    parts = parse_parts(LEG)
    assert turning(parts, Source("leg")) == dict.fromkeys(("hip_flexion", "knee_angle", "patella_angle"), "rotational")


def test_an_osim_file_needs_the_root_of_opensim(tmp_path):
    file = tmp_path / "a.osim"
    file.write_text("<robot name='r'/>")
    with pytest.raises(FileError, match=r"an OpenSim file starts with .* this file with <robot> \(a URDF robot\)"):
        lissom.load(file)
    other = tmp_path / "a.xml"
    other.write_text(OLD)
    with pytest.warns(lissom.ModelWarning):
        assert lissom.load(other).nq == 2
