"""OpenSim models for tests: two small ones as text, of versions 4 and 3, and the published ones where at hand."""

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "reference" / "osim"
PUBLISHED = (
    "arm26.osim",
    "double_pendulum.osim",
    "leg6dof9musc.osim",
    "gait10dof18musc/gait10dof18musc.osim",
    "gait10dof18musc/subject01.osim",
)


def published(name):
    """Return the path of a published file; skip the test where it is not at hand."""
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"{name} is not at hand")
    return path


LEG = """<?xml version="1.0" encoding="UTF-8" ?>
<OpenSimDocument Version="40000">
<Model name="leg">
<gravity>0 -9.80665 0</gravity>
<BodySet name="bodyset"><objects>
<Body name="thigh">
<WrapObjectSet name="wrapobjectset"><objects>
<WrapCylinder name="knee_cylinder">
<xyz_body_rotation>0.1 0.2 0.3</xyz_body_rotation>
<translation>0 -0.4 0</translation>
<quadrant>+x</quadrant>
<radius>0.03</radius>
<length>0.2</length>
</WrapCylinder>
</objects></WrapObjectSet>
<mass>8</mass>
<mass_center>0 -0.17 0</mass_center>
<inertia>0.13 0.035 0.14 0.001 0.002 0.003</inertia>
</Body>
<Body name="shank">
<mass>3.5</mass>
<mass_center>0 -0.19 0</mass_center>
<inertia>0.05 0.005 0.05 0 0 0</inertia>
</Body>
<Body name="kneecap">
<mass>0.1</mass>
<mass_center>0 0.02 0</mass_center>
<inertia>1e-5 1e-5 1e-5 0 0 0</inertia>
</Body>
</objects></BodySet>
<JointSet name="jointset"><objects>
<PinJoint name="hip">
<socket_parent_frame>ground_offset</socket_parent_frame>
<socket_child_frame>/bodyset/thigh</socket_child_frame>
<coordinates>
<Coordinate name="hip_flexion">
<default_value>0.2</default_value>
<range>-0.5 2</range>
<clamped>true</clamped>
</Coordinate>
</coordinates>
<frames>
<PhysicalOffsetFrame name="ground_offset">
<socket_parent>/ground</socket_parent>
<translation>0 0.9 0</translation>
<orientation>0 0.1 0</orientation>
</PhysicalOffsetFrame>
</frames>
</PinJoint>
<CustomJoint name="knee">
<socket_parent_frame>thigh_offset</socket_parent_frame>
<socket_child_frame>shank_offset</socket_child_frame>
<coordinates>
<Coordinate name="knee_angle">
<default_value>-0.3</default_value>
<range>-2 0.1</range>
</Coordinate>
</coordinates>
<frames>
<PhysicalOffsetFrame name="thigh_offset">
<socket_parent>/bodyset/thigh</socket_parent>
<translation>0 -0.4 0</translation>
<orientation>0 0 0</orientation>
</PhysicalOffsetFrame>
<PhysicalOffsetFrame name="shank_offset">
<socket_parent>/bodyset/shank</socket_parent>
<translation>0 0.01 0</translation>
<orientation>0 0 0.05</orientation>
</PhysicalOffsetFrame>
</frames>
<SpatialTransform>
<TransformAxis name="rotation1">
<coordinates>knee_angle</coordinates>
<axis>0 0 1</axis>
<LinearFunction name="function"><coefficients>1 0</coefficients></LinearFunction>
</TransformAxis>
<TransformAxis name="rotation2">
<coordinates>knee_angle</coordinates>
<axis>1 0 0</axis>
<PolynomialFunction name="function"><coefficients>0.01 0.02 0</coefficients></PolynomialFunction>
</TransformAxis>
<TransformAxis name="rotation3">
<coordinates></coordinates>
<axis>0 1 0</axis>
<Constant name="function"><value>0.02</value></Constant>
</TransformAxis>
<TransformAxis name="translation1">
<coordinates>knee_angle</coordinates>
<axis>1 0 0</axis>
<SimmSpline name="function">
<x>-2.1 -1.5 -1 -0.5 0 0.2</x>
<y>-0.004 0.004 0.005 0.002 -0.004 -0.006</y>
</SimmSpline>
</TransformAxis>
<TransformAxis name="translation2">
<coordinates>knee_angle</coordinates>
<axis>0 1 0</axis>
<MultiplierFunction name="function">
<function>
<PiecewiseLinearFunction>
<x>-2.1 -1 0.2</x>
<y>-0.01 0.005 0</y>
</PiecewiseLinearFunction>
</function>
<scale>0.5</scale>
</MultiplierFunction>
</TransformAxis>
<TransformAxis name="translation3">
<coordinates></coordinates>
<axis>0 0 1</axis>
<Constant name="function"><value>0.003</value></Constant>
</TransformAxis>
</SpatialTransform>
</CustomJoint>
<PinJoint name="patella">
<socket_parent_frame>/bodyset/thigh</socket_parent_frame>
<socket_child_frame>/bodyset/kneecap</socket_child_frame>
<coordinates><Coordinate name="patella_angle"></Coordinate></coordinates>
</PinJoint>
</objects></JointSet>
<ConstraintSet name="constraintset"><objects>
<CoordinateCouplerConstraint name="patella_follows">
<isEnforced>true</isEnforced>
<coupled_coordinates_function>
<LinearFunction><coefficients>0.5 0.1</coefficients></LinearFunction>
</coupled_coordinates_function>
<independent_coordinate_names>knee_angle</independent_coordinate_names>
<dependent_coordinate_name>patella_angle</dependent_coordinate_name>
<scale_factor>1</scale_factor>
</CoordinateCouplerConstraint>
</objects></ConstraintSet>
<ForceSet name="forceset"><objects>
<Millard2012EquilibriumMuscle name="vastus">
<GeometryPath name="geometrypath">
<PathPointSet><objects>
<PathPoint name="p1">
<socket_parent_frame>/bodyset/thigh</socket_parent_frame>
<location>0.03 -0.2 0.01</location>
</PathPoint>
<ConditionalPathPoint name="p2">
<socket_parent_frame>/bodyset/thigh</socket_parent_frame>
<location>0.04 -0.38 0</location>
<socket_coordinate>/jointset/knee/knee_angle</socket_coordinate>
<range>-2.6 -1.2</range>
</ConditionalPathPoint>
<MovingPathPoint name="p3">
<socket_parent_frame>/bodyset/shank</socket_parent_frame>
<socket_x_coordinate>/jointset/knee/knee_angle</socket_x_coordinate>
<socket_y_coordinate>/jointset/knee/knee_angle</socket_y_coordinate>
<socket_z_coordinate>/jointset/knee/knee_angle</socket_z_coordinate>
<x_location><SimmSpline><x>-2 -1 0 0.2</x><y>0.01 0.03 0.05 0.05</y></SimmSpline></x_location>
<y_location><LinearFunction><coefficients>0.01 0.02</coefficients></LinearFunction></y_location>
<z_location><Constant><value>0.001</value></Constant></z_location>
</MovingPathPoint>
</objects></PathPointSet>
<PathWrapSet><objects>
<PathWrap name="pathwrap">
<wrap_object>knee_cylinder</wrap_object>
<method>hybrid</method>
<range>-1 -1</range>
</PathWrap>
</objects></PathWrapSet>
</GeometryPath>
<max_isometric_force>5000</max_isometric_force>
<optimal_fiber_length>0.08</optimal_fiber_length>
<tendon_slack_length>0.12</tendon_slack_length>
<ignore_tendon_compliance>true</ignore_tendon_compliance>
</Millard2012EquilibriumMuscle>
<CoordinateActuator name="hip_motor">
<coordinate>hip_flexion</coordinate>
<optimal_force>100</optimal_force>
</CoordinateActuator>
</objects></ForceSet>
<MarkerSet name="markerset"><objects>
<Marker name="knee_out">
<socket_parent_frame>/bodyset/thigh</socket_parent_frame>
<location>0 -0.4 0.05</location>
</Marker>
<Marker name="ankle">
<socket_parent_frame>/jointset/knee/shank_offset</socket_parent_frame>
<location>0 -0.42 0.04</location>
<fixed>true</fixed>
</Marker>
</objects></MarkerSet>
</Model>
</OpenSimDocument>
"""

# the same hip and knee as OpenSim 3 wrote them: a joint stands in the body that it carries
OLD = """<?xml version="1.0" encoding="UTF-8" ?>
<OpenSimDocument Version="30000">
<Model name="old_leg">
<defaults>
<Coordinate name="default"><clamped>true</clamped></Coordinate>
<Thelen2003Muscle name="default"><max_isometric_force>1234</max_isometric_force></Thelen2003Muscle>
</defaults>
<gravity>0 -9.80665 0</gravity>
<BodySet><objects>
<Body name="ground"><mass>0</mass><Joint></Joint></Body>
<Body name="thigh">
<mass>8</mass>
<mass_center>0 -0.17 0</mass_center>
<inertia_xx>0.13</inertia_xx><inertia_yy>0.035</inertia_yy><inertia_zz>0.14</inertia_zz>
<inertia_xy>0.001</inertia_xy><inertia_xz>0.002</inertia_xz><inertia_yz>0.003</inertia_yz>
<Joint>
<PinJoint name="hip">
<parent_body>ground</parent_body>
<location_in_parent>0 0.9 0</location_in_parent>
<orientation_in_parent>0 0.1 0</orientation_in_parent>
<location>0 0 0</location>
<orientation>0 0 0</orientation>
<CoordinateSet><objects>
<Coordinate name="hip_flexion">
<motion_type>rotational</motion_type>
<default_value>0.2</default_value>
<range>-0.5 2</range>
</Coordinate>
</objects></CoordinateSet>
<reverse>false</reverse>
</PinJoint>
</Joint>
</Body>
<Body name="shank">
<mass>3.5</mass>
<mass_center>0 -0.19 0</mass_center>
<inertia_xx>0.05</inertia_xx><inertia_yy>0.005</inertia_yy><inertia_zz>0.05</inertia_zz>
<inertia_xy>0</inertia_xy><inertia_xz>0</inertia_xz><inertia_yz>0</inertia_yz>
<Joint>
<CustomJoint name="knee">
<parent_body>thigh</parent_body>
<location_in_parent>0 -0.4 0</location_in_parent>
<orientation_in_parent>0 0 0</orientation_in_parent>
<location>0 0.01 0</location>
<orientation>0 0 0.05</orientation>
<CoordinateSet><objects>
<Coordinate name="knee_angle">
<default_value>-0.3</default_value>
<range>-2 0.1</range>
</Coordinate>
</objects></CoordinateSet>
<reverse>false</reverse>
<SpatialTransform>
<TransformAxis name="rotation1">
<coordinates>knee_angle</coordinates>
<axis>0 0 1</axis>
<function><LinearFunction><coefficients>1 0</coefficients></LinearFunction></function>
</TransformAxis>
<TransformAxis name="rotation2">
<coordinates></coordinates>
<axis>0 1 0</axis>
<function><Constant><value>0.02</value></Constant></function>
</TransformAxis>
<TransformAxis name="rotation3">
<coordinates></coordinates>
<axis>1 0 0</axis>
<function><Constant><value>0</value></Constant></function>
</TransformAxis>
<TransformAxis name="translation1">
<coordinates>knee_angle</coordinates>
<axis>1 0 0</axis>
<function><SimmSpline>
<x>-2.1 -1.5 -1 -0.5 0 0.2</x>
<y>-0.004 0.004 0.005 0.002 -0.004 -0.006</y>
</SimmSpline></function>
</TransformAxis>
<TransformAxis name="translation2">
<coordinates></coordinates>
<axis>0 1 0</axis>
<function><Constant><value>0</value></Constant></function>
</TransformAxis>
<TransformAxis name="translation3">
<coordinates></coordinates>
<axis>0 0 1</axis>
<function><Constant><value>0</value></Constant></function>
</TransformAxis>
</SpatialTransform>
</CustomJoint>
</Joint>
</Body>
</objects></BodySet>
<ForceSet><objects>
<Thelen2003Muscle name="vastus">
<isDisabled>false</isDisabled>
<GeometryPath>
<PathPointSet><objects>
<PathPoint name="p1"><location>0.03 -0.2 0.01</location><body>thigh</body></PathPoint>
<PathPoint name="p2"><location>0.03 -0.05 0</location><body>shank</body></PathPoint>
</objects></PathPointSet>
</GeometryPath>
<optimal_fiber_length>0.08</optimal_fiber_length>
</Thelen2003Muscle>
</objects></ForceSet>
<MarkerSet><objects>
<Marker name="knee_out"><body>thigh</body><location>0 -0.4 0.05</location><fixed>false</fixed></Marker>
</objects></MarkerSet>
</Model>
</OpenSimDocument>
"""


def line_of(text, part):
    """Return the number of the first line of `text` that has `part`."""
    return text[: text.index(part)].count("\n") + 1
