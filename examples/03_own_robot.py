"""Your own robot: described in Python, checked, saved, loaded again."""

from pathlib import Path

import numpy as np

import lissom
from lissom import Friction, Inertia, Joint, JointKind, Limits, Link, Model, Pose
from lissom.write import save

# a crane: a turning column, a trolley on its jib, a hoist that lowers the load
column = Inertia(120.0, com=(0.8, 0.0, 2.0), tensor=np.diag([60.0, 90.0, 45.0]))
jib = Pose(translation=(0.0, 0.0, 3.0))
model = Model(
    "crane",
    links=(
        Link("ground"),
        Link("column", column),
        Link("trolley", Inertia(15.0, tensor=np.diag([0.2, 0.2, 0.2]))),
        Link("load", Inertia(50.0, tensor=np.diag([1.0, 1.0, 1.0]))),
    ),
    joints=(
        Joint("slew", JointKind.CONTINUOUS, "ground", "column", friction=Friction(viscous=4.0)),
        Joint("travel", JointKind.PRISMATIC, "column", "trolley", jib, axis=(1, 0, 0), limits=Limits(0.5, 3.0)),
        Joint("hoist", JointKind.PRISMATIC, "trolley", "load", axis=(0, 0, -1), limits=Limits(0.2, 2.8, effort=900.0)),
    ),
)
robot = lissom.Robot(model)
print(f"{robot.name}: {robot.nv} joints, {', '.join(robot.joint_names)}")
print("holding the load [N m, N, N]:", robot.gravity_torques([0.0, 2.0, 1.0]))

# errors name the mistake and its place
try:
    model.joint("hoists")
except lissom.LissomError as error:
    print("as expected:", error)

path = Path("out") / "crane.yaml"
path.parent.mkdir(exist_ok=True)
save(model, path)
print("the file gives the same robot:", lissom.load(path).model == model)
