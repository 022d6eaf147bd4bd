"""Every refusal of OpenSim's files names the line, what was found and what to do."""

import re

import pytest

from lissom.errors import FileError
from lissom.read.osim import file, functions
from lissom.read.osim.file import parse_parts
from support.osim import LEG, OLD, line_of


def refused(text, said, line=None):
    with pytest.raises(FileError, match=said) as caught:
        parse_parts(text, "leg.osim")
    if line is not None:
        assert caught.value.line == line


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('Version="40000"', "", "has no attribute 'Version'"),
        ('Version="40000"', 'Version="4.0"', "must be a number such as 40000, got '4.0'"),
        ('Version="40000"', 'Version="²"', "must be a number such as 40000, got '²'"),
        ('Version="40000"', 'Version="10905"', "version 10905 of the format is older than 20000"),
        ('<Body name="shank">', '<Body name="thigh">', "two bodies are called 'thigh'"),
        ('<Body name="shank">', "<Body>", "<Body> has no attribute 'name'"),
        ("<mass>3.5</mass>", "<mass>heavy</mass>", "<mass> of <Body> 'shank' must be numbers, got 'heavy'"),
        ("<mass>3.5</mass>", "<mass>-3.5</mass>", "body 'shank': the mass must not be negative, got -3.5 kg"),
        ("<mass>3.5</mass>", "<mass>inf</mass>", "<mass> of <Body> 'shank' must be finite"),
        ("<mass>3.5</mass>", "<mass>3.5</mass><mass>1</mass>", "has 2 elements <mass>"),
        ("<mass_center>0 -0.19 0</mass_center>", "<mass_center>0 -0.19</mass_center>", "must be 3 numbers, got 2"),
        ("<mass_center>0 -0.19 0</mass_center>", "<mass_center>0 inf 0</mass_center>", "<mass_center> of .* must be finite"),
        ("<inertia>0.05 0.005 0.05 0 0 0</inertia>", "<inertia>inf 0 0 0 0 0</inertia>", "the inertia must be finite"),
        ('<JointSet name="jointset">', '<JointSet file="/etc/passwd">', "<JointSet> of <Model> 'leg' is in another file, '/etc"),
        ("<socket_child_frame>/bodyset/thigh", "<socket_child_frame>/bodyset/thig", "'/bodyset/thig', which no body.* 'thigh'"),
        ("<socket_child_frame>/bodyset/thigh</socket_child_frame>", "", "<PinJoint> 'hip' has no element <socket_child_frame>"),
        ("<range>-0.5 2</range>", "<range>2 -0.5</range>", "its range starts at 2, above its end -0.5"),
        ("<clamped>true</clamped>", "<clamped>yes</clamped>", "<clamped> of .* must be true or false, got 'yes'"),
        ('name="translation3"', 'name="translation4"', "the axes of a custom joint are rotation1"),
        ("<y>-0.01 0.005 0</y>", "", "<PiecewiseLinearFunction> has no <y>"),
        ("<wrap_object>knee_cylinder</wrap_object>", "", "<PathWrap> 'pathwrap' has no element <wrap_object>"),
        ("<range>-1 -1</range>", "<range>-1 1.5</range>", "must be two whole numbers, got -1 1.5"),
        ("<range>-2.6 -1.2</range>", "", "<ConditionalPathPoint> 'p2' needs a <coordinate> and a <range>"),
        ("<socket_x_coordinate>/jointset/knee/knee_angle</socket_x_coordinate>", "", "function for x, but no <x_coordinate>"),
        (
            '<PathPoint name="p1">\n<socket_parent_frame>/bodyset/thigh</socket_parent_frame>',
            '<PathPoint name="p1">',
            "'p1' has no element",
        ),
        ("<max_isometric_force>5000", "<optimal_fiber_length>1</optimal_fiber_length><max_isometric_force>5", "has two elements"),
        ("<coordinate>hip_flexion</coordinate>", "", "<CoordinateActuator> 'hip_motor' has no element <coordinate>"),
        ("<dependent_coordinate_name>patella_angle</dependent_coordinate_name>", "", "needs a dependent and an independent"),
        ("<LinearFunction><coefficients>0.5 0.1</coefficients></LinearFunction>", "", "'patella_follows' has no function"),
        ('<Marker name="ankle">', '<Marker name="knee_out">', "two markers are called 'knee_out'"),
        (
            '<Marker name="ankle">\n<socket_parent_frame>/jointset/knee/shank_offset</socket_parent_frame>',
            '<Marker name="ankle">',
            "<Marker> 'ankle' has no element <socket_parent_frame>",
        ),
        ('<PhysicalOffsetFrame name="shank_offset">', '<PhysicalOffsetFrame name="thigh_offset">', "two frames are called"),
        ("<coupled_coordinates_function>", "<coupled>", "not well-formed"),
    ],
)
def test_a_wrong_part_is_named_with_its_line(old, new, said):
    assert old in LEG
    text = LEG.replace(old, new, 1)
    with pytest.raises(FileError, match=said) as caught:
        parse_parts(text, "leg.osim")
    assert caught.value.line is not None and str(caught.value).startswith("leg.osim:")


def test_the_line_is_that_of_the_wrong_part():
    refused(LEG.replace("<mass>3.5</mass>", "<mass>x</mass>"), "'x'", line_of(LEG, "<mass>3.5</mass>"))


def test_other_documents_are_refused():
    refused("<robot/>", "an OpenSim file starts with <OpenSimDocument>, this file with <robot>")
    refused('<OpenSimDocument Version="30000"><IKTool/></OpenSimDocument>', "has no <Model>, it has <IKTool>")


def test_entities_are_refused_before_they_are_expanded():
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>'
    refused(LEG.replace("<OpenSimDocument", bomb + "<OpenSimDocument", 1), "<!DOCTYPE> or entity declaration is not allowed")


def test_frames_fixed_to_each_other_in_a_circle_are_refused():
    text = LEG.replace("<socket_parent>/bodyset/shank</socket_parent>", "<socket_parent>../thigh_offset</socket_parent>")
    text = text.replace("<socket_parent>/bodyset/thigh</socket_parent>", "<socket_parent>../shank_offset</socket_parent>")
    refused(text, "in a circle through '/jointset/knee")


def test_a_name_of_two_frames_is_no_name_of_one():
    more = '<PhysicalOffsetFrame name="ground_offset"><socket_parent>/bodyset/thigh</socket_parent></PhysicalOffsetFrame>'
    text = LEG.replace('<PhysicalOffsetFrame name="thigh_offset">', more + '<PhysicalOffsetFrame name="thigh_offset">')
    text = text.replace("/jointset/knee/shank_offset</socket_parent_frame>", "ground_offset</socket_parent_frame>")
    refused(text, "<Marker> 'ankle' refers to 'ground_offset', which 2 frames are called")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("<PathPoint name", "<StrangePoint name", "<StrangePoint> 'p1': lissom knows PathPoint"),
        ("<WrapCylinder name", "<WrapCone name", "<WrapCone> 'knee_cylinder': lissom knows WrapSphere"),
        ("<Body name", "<Blob name", "<Blob> 'thigh' among the bodies; expected <Body>"),
    ],
)
def test_strange_classes_are_named(old, new, said):
    close = re.sub(r" name$", ">", old.replace("<", "</"))
    text = LEG.replace(old, new, 1).replace(close, re.sub(r" name$", ">", new.replace("<", "</")), 1)
    refused(text, said)


def test_functions_inside_functions_have_an_end():
    inner = "<Constant><value>1</value></Constant>"
    for _ in range(functions.DEEP + 1):
        inner = f"<MultiplierFunction><function>{inner}</function></MultiplierFunction>"
    refused(
        LEG.replace("<LinearFunction><coefficients>0.5 0.1</coefficients></LinearFunction>", inner), "nested more than 20 deep"
    )
    empty = "<MultiplierFunction><function/></MultiplierFunction>"
    refused(
        LEG.replace("<LinearFunction><coefficients>0.5 0.1</coefficients></LinearFunction>", empty),
        "<MultiplierFunction> has no function to multiply",
    )


def test_a_coupler_without_the_element_of_its_function_is_refused():
    text = re.sub(r"<coupled_coordinates_function>.*?</coupled_coordinates_function>", "", LEG, flags=re.DOTALL)
    refused(text, "'patella_follows' has no element <coupled_coordinates_function>")


def test_too_many_parts_are_refused(monkeypatch):
    monkeypatch.setattr(file, "MOST", 2)
    refused(LEG, "more than 2 bodies, the limit")


def test_an_old_joint_needs_its_parent():
    refused(OLD.replace("<parent_body>thigh</parent_body>", ""), "<CustomJoint> 'knee' has no element <parent_body>")
