"""Muscles read from OpenSim's files, beside OpenSim where it is installed."""

import math

import numpy as np
import pytest

from lissom import FileError, ModelWarning
from lissom.muscles import DeGrooteFregly, Millard, Thelen, read_muscles
from support.osim import SHARED as OSIM
from support.osim_judge import judge

MODEL = """<?xml version="1.0" encoding="UTF-8"?>
<OpenSimDocument Version="40000"><Model name="arm">
<BodySet><objects><Body name="upper"><mass>1</mass><inertia>1 1 1 0 0 0</inertia>
<WrapObjectSet><objects><WrapSphere name="ball"><radius>0.02</radius><quadrant>x</quadrant></WrapSphere></objects></WrapObjectSet>
</Body></objects></BodySet>
<JointSet><objects><PinJoint name="shoulder">
<socket_parent_frame>/ground</socket_parent_frame><socket_child_frame>/bodyset/upper</socket_child_frame>
<coordinates><Coordinate name="angle"><locked>false</locked></Coordinate></coordinates></PinJoint></objects></JointSet>
<ForceSet><objects>
%s
</objects></ForceSet></Model></OpenSimDocument>"""
MUSCLE = """<%(kind)s name="m"><appliesForce>%(on)s</appliesForce><GeometryPath><PathPointSet><objects>
<PathPoint name="p1"><socket_parent_frame>/ground</socket_parent_frame><location>-0.1 0.05 0</location></PathPoint>
<ConditionalPathPoint name="p2"><socket_parent_frame>/bodyset/upper</socket_parent_frame><location>0 0.06 0</location>
<socket_coordinate>/jointset/shoulder/%(coordinate)s</socket_coordinate><range>-1 0.5</range></ConditionalPathPoint>
<MovingPathPoint name="p3"><socket_parent_frame>/bodyset/upper</socket_parent_frame>
<x_location><LinearFunction><coefficients>0.01 0.1</coefficients></LinearFunction></x_location>
<y_location><Constant><value>0.02</value></Constant></y_location><z_location><Constant><value>0</value></Constant></z_location>
<socket_x_coordinate>/jointset/shoulder/angle</socket_x_coordinate>
<socket_y_coordinate>/jointset/shoulder/angle</socket_y_coordinate>
<socket_z_coordinate>/jointset/shoulder/angle</socket_z_coordinate></MovingPathPoint>
</objects></PathPointSet>
<PathWrapSet><objects><PathWrap name="w"><wrap_object>%(wrap)s</wrap_object></PathWrap></objects></PathWrapSet>
</GeometryPath><max_isometric_force>700</max_isometric_force><optimal_fiber_length>0.11</optimal_fiber_length>
<tendon_slack_length>%(slack)s</tendon_slack_length>%(more)s</%(kind)s>"""


def written(tmp_path, **changes):
    given = {
        "kind": "Thelen2003Muscle",
        "on": "true",
        "coordinate": "angle",
        "wrap": "ball",
        "slack": "0.05",
        "more": "",
    } | changes
    path = tmp_path / "arm.osim"
    path.write_text(MODEL % (MUSCLE % given))
    return path


@pytest.mark.parametrize(
    "kind, curves",
    [
        ("Thelen2003Muscle", Thelen()),
        ("Millard2012EquilibriumMuscle", Millard(least=0.0)),
        ("DeGrooteFregly2016Muscle", DeGrooteFregly()),
    ],
)
def test_a_muscle_has_its_parameters_and_its_path(tmp_path, kind, curves):
    muscles = read_muscles(written(tmp_path, kind=kind))
    (muscle,) = muscles.muscles
    assert (muscle.max_isometric_force, muscle.optimal_fiber_length, muscle.tendon_slack_length) == (700, 0.11, 0.05)
    assert muscle.curves == curves
    assert muscle.path.wraps[0].surface.side == "+x"
    for q, through in ((0.2, True), (0.7, False)):
        turn = np.array([[math.cos(q), -math.sin(q)], [math.sin(q), math.cos(q)]])
        points = [np.array([-0.1, 0.05]), turn @ [0, 0.06], turn @ [0.1 + 0.01 * q, 0.02]]
        points = points if through else points[::2]
        length = sum(np.linalg.norm(b - a) for a, b in zip(points, points[1:], strict=False))
        assert muscles.lengths([q])[0] == pytest.approx(length, abs=1e-3)  # the ball is near


def test_muscles_that_are_off_and_other_forces_are_named(tmp_path):
    path = written(tmp_path, on="false")
    path.write_text(path.read_text().replace("</objects></ForceSet>", (MUSCLE % {
        "kind": "Thelen2003Muscle", "on": "true", "coordinate": "angle", "wrap": "ball", "slack": "0.05",
        "more": ""}).replace('"m"', '"n"')
        + "</objects></ForceSet>"))  # fmt: skip
    with pytest.warns(ModelWarning, match=r"muscle 'm' \(line \d+\) is switched off"):
        assert read_muscles(path).names == ("n",)


@pytest.mark.parametrize(
    "changes, message",
    [
        ({"kind": "Schutte1993Muscle_Deprecated"}, r"muscle 'm' is a Schutte1993Muscle_Deprecated; lissom has"),
        ({"coordinate": "angel"}, r"point 'p2' depends on an unknown coordinate 'angel'; did you mean 'angle'"),
        ({"wrap": "egg"}, r"wraps around 'egg', but there is none"),
        ({"slack": "-0.05"}, r"tendon_slack_length is -0.05, expected a positive number"),
        ({"more": "<pennation_angle_at_optimal>1.6</pennation_angle_at_optimal>"}, r"pennation is 1.6, expected an angle"),
        (
            {"more": "<FmaxTendonStrain>-0.04</FmaxTendonStrain>"},
            r"<FmaxTendonStrain> is -0.04, expected a number above 0",
        ),
        ({"more": "<Flen>1</Flen>"}, r"muscle 'm': <Flen> is 1, expected a number above 1"),
        ({"more": "<KshapeActive>inf</KshapeActive>"}, r"<KshapeActive> is inf, expected a number above 0"),
        (
            {
                "kind": "Millard2012EquilibriumMuscle",
                "more": "<TendonForceLengthCurve><strain_at_one_norm_force>0</strain_at_one_norm_force></TendonForceLengthCurve>",
            },
            r"<strain_at_one_norm_force> of its TendonForceLengthCurve is 0, expected a number above 0",
        ),
    ],
)
def test_what_a_muscle_lacks_is_an_error_with_its_line(tmp_path, changes, message):
    with pytest.raises(FileError, match=r"arm\.osim:\d+: .*" + message):
        read_muscles(written(tmp_path, **changes))


def test_a_locked_coordinate_counts_with_its_value(tmp_path):
    path = written(tmp_path)
    text = path.read_text().replace("<locked>false</locked>", "<default_value>0.7</default_value><locked>true</locked>")
    path.write_text(text)
    with pytest.raises(FileError, match="point 'p2' is never part of its path: 'angle' is locked at 0.7"):
        read_muscles(path)


@pytest.mark.parametrize("name", ["leg6dof9musc.osim", "gait10dof18musc/gait10dof18musc.osim"])
def test_lengths_and_moment_arms_are_those_of_opensim(name):
    opensim = judge()
    if not (OSIM / name).exists():
        pytest.skip("no models of OpenSim beside the project")
    muscles = read_muscles(OSIM / name)
    model = opensim.Model(str(OSIM / name))
    state = model.initSystem()
    theirs, coordinates = model.getMuscles(), model.getCoordinateSet()
    joints = [joint.name for joint in muscles.robot.model.independent_joints]
    rng, rows = np.random.default_rng(3), []
    for _ in range(5):
        for joint in joints:
            own = coordinates.get(joint)
            value = rng.uniform(max(own.getRangeMin(), -1.0), min(own.getRangeMax(), 1.0))
            own.setValue(state, value, False)
        model.assemble(state)
        model.realizePosition(state)
        q = np.array([coordinates.get(joint).getValue(state) for joint in joints])
        rows.append(q)
        own, arms = muscles.lengths(q), muscles.moment_arms(q)
        for k, muscle in enumerate(muscles.names):
            path = theirs.get(muscle).getGeometryPath()
            assert own[k] == pytest.approx(path.getLength(state), abs=1e-9)
            for i, joint in enumerate(joints):
                expected = theirs.get(muscle).computeMomentArm(state, coordinates.get(joint))
                assert arms[k, i] == pytest.approx(expected, abs=1e-8)
