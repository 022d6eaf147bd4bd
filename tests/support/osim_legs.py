"""A leg of OpenSim with muscles, a weld, a joint that runs backward, actuators, and a motion of it."""

from __future__ import annotations

import numpy as np

from lissom.osim import Table, write_table
from support.osim import LEG

_BODY = "<mass>{0}</mass><mass_center>0.02 -0.05 0.01</mass_center><inertia>{1} {1} {1} 0 0 0</inertia>"
BODIES = f"""<Body name="foot">{_BODY.format(1.1, 0.01)}</Body>
<Body name="wing">{_BODY.format(0.7, 0.02)}</Body>
</objects></BodySet>"""
JOINTS = """<WeldJoint name="ankle">
<socket_parent_frame>shank_end</socket_parent_frame>
<socket_child_frame>/bodyset/foot</socket_child_frame>
<frames><PhysicalOffsetFrame name="shank_end">
<socket_parent>/bodyset/shank</socket_parent><translation>0 -0.4 0.01</translation><orientation>0.1 0.2 0.3</orientation>
</PhysicalOffsetFrame></frames>
</WeldJoint>
<PinJoint name="shoulder">
<socket_parent_frame>/bodyset/wing</socket_parent_frame>
<socket_child_frame>thigh_side</socket_child_frame>
<coordinates><Coordinate name="wing_angle"></Coordinate></coordinates>
<frames><PhysicalOffsetFrame name="thigh_side">
<socket_parent>/bodyset/thigh</socket_parent><translation>0.05 -0.1 0.2</translation><orientation>0.3 0 0.1</orientation>
</PhysicalOffsetFrame></frames>
</PinJoint>
</objects></JointSet>"""
HAMSTRING = """<Thelen2003Muscle name="hamstring">
<GeometryPath name="geometrypath"><PathPointSet><objects>
<PathPoint name="h1"><socket_parent_frame>/bodyset/thigh</socket_parent_frame><location>-0.04 -0.05 0</location></PathPoint>
<PathPoint name="h2"><socket_parent_frame>/bodyset/foot</socket_parent_frame><location>-0.03 0.3 0.01</location></PathPoint>
</objects></PathPointSet></GeometryPath>
<max_isometric_force>3000</max_isometric_force>
<optimal_fiber_length>0.2</optimal_fiber_length>
<tendon_slack_length>0.2</tendon_slack_length>
<min_control>0.02</min_control>
</Thelen2003Muscle>
<CoordinateActuator name="hip_motor">"""
TEXT = (
    LEG.replace("</objects></BodySet>", BODIES, 1)
    .replace("</objects></JointSet>", JOINTS, 1)
    .replace('<CoordinateActuator name="hip_motor">', HAMSTRING, 1)
)
ACTUATORS = """<OpenSimDocument Version="40000"><ForceSet name="more">
<defaults><CoordinateActuator name="default"><optimal_force>20</optimal_force></CoordinateActuator></defaults>
<objects>
<CoordinateActuator name="knee_motor"><coordinate>knee_angle</coordinate><min_control>-5</min_control></CoordinateActuator>
<PointActuator name="push"><body>thigh</body><point>0.1 -0.2 0.05</point><direction>1 2 2</direction>
<force_is_global>true</force_is_global><optimal_force>40</optimal_force></PointActuator>
<PointActuator name="own"><body>shank</body><point>0.1 -0.2 0.05</point><direction>0 3 4</direction>
<point_is_global>true</point_is_global></PointActuator>
<TorqueActuator name="twist"><bodyA>wing</bodyA><bodyB>thigh</bodyB><axis>0 0 -2</axis>
<optimal_force>5</optimal_force></TorqueActuator>
<TorqueActuator name="turn"><bodyA>ground</bodyA><bodyB>shank</bodyB><axis>1 0 1</axis></TorqueActuator>
<PointActuator name="off"><body>thigh</body><direction>1 0 0</direction><appliesForce>false</appliesForce></PointActuator>
</objects></ForceSet></OpenSimDocument>
"""


def written_leg(folder):
    """Write the model, its actuators and a motion into a folder; return the path of the model."""
    (folder / "leg.osim").write_text(TEXT)
    (folder / "actuators.xml").write_text(ACTUATORS)
    t = np.arange(30) / 30
    q = np.column_stack([0.4 * np.sin(3 * t), -0.5 + 0.4 * np.cos(4 * t), 0.3 * t * t])
    write_table(Table(("hip_flexion", "knee_angle", "wing_angle"), t, q), folder / "walk.mot")
    return folder / "leg.osim"
