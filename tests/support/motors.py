"""Random motors for any model: on the base, the joint's parent, its child or any other link, rigid or elastic."""

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from lissom.model import Friction, Inertia, JointKind, Model, Motor, Pose, Spring
from lissom.model.joint import SINGLE_DOF
from lissom.model.pose import rotation_from_quaternion
from support.trees import SINGLE, trees

RATIOS = (1.0, -1.0, 0.3, -4.5, 30.0, -120.0, 100.0)
PLACES = ("base", "parent", "child", "remote")


def with_motors(model: Model, seed=0, share=0.8, elastic=0.5, places=PLACES, rotor="full", friction=True, ratios=RATIOS):
    """Return the model with motors at a share of its single-axis joints, coupled ones too; `elastic` is a share of the motors."""
    rng = np.random.default_rng(seed)
    motors = []
    for k, joint in enumerate(j for j in model.joints if j.kind in SINGLE_DOF):
        if rng.random() < share:
            link = _place(model, joint, places[rng.integers(len(places))], rng)
            spring = Spring(rng.uniform(20, 200), rng.uniform(-0.3, 0.3), rng.uniform(0, 1) if friction else 0.0)
            motors.append(
                Motor(
                    f"motor_{k}",
                    joint.name,
                    link,
                    ratio=ratios[rng.integers(len(ratios))],
                    inertia=random_rotor(rng),
                    origin=random_pose(rng),
                    spring=spring if rng.random() < elastic else None,
                    friction=Friction(*rng.uniform(0, 0.01, 2)) if friction else Friction(),
                    rotor=rotor if isinstance(rotor, str) else rotor[rng.integers(len(rotor))],
                )
            )
    return model.replace(motors=tuple(motors))


def _place(model, joint, place, rng):
    if place == "remote":
        return model.links[rng.integers(len(model.links))].name
    return {"base": model.base, "parent": joint.parent, "child": joint.child}[place]


def random_rotor(rng) -> Inertia:
    """A disc or a rod, its center of mass on the axis but not in the motor's origin."""
    about = rng.uniform(0.005, 0.02)
    across = about * rng.uniform(0.5, 2.0)
    tensor = ((across, 0.0, 0.0), (0.0, across, 0.0), (0.0, 0.0, about))
    return Inertia(rng.uniform(0.2, 1.5), (0.0, 0.0, rng.uniform(-0.1, 0.1)), tensor)


def random_pose(rng) -> Pose:
    quaternion = rng.normal(size=4)
    return Pose(rotation_from_quaternion(quaternion / np.linalg.norm(quaternion)), rng.uniform(-0.2, 0.2, 3))


@st.composite
def motor_trees(draw, arguments=None, **given):
    """A random tree, of any joints if not told otherwise, with motors; `arguments` are those of `with_motors`."""
    model = draw(trees(**{"n": draw(st.integers(1, 5)), "motors": 0.0, **given}))
    return with_motors(model, seed=draw(st.integers(0, 10_000)), **(arguments or {}))


@st.composite
def single_axis_trees(draw, arguments=None, **given):
    """The same of revolute, continuous and prismatic joints."""
    return draw(motor_trees(arguments, **{"kinds": SINGLE, "floating": False, **given}))


def smooth(model: Model) -> Model:
    """Return the model without friction and damping."""
    model = model.without_friction().with_motors(lambda m: replace(m, spring=_undamped(m.spring)))
    return model.with_joints(lambda j: replace(j, spring=_undamped(j.spring)))


def _undamped(spring):
    return None if spring is None else replace(spring, damping=0.0)


def moving(model: Model):
    return [joint for joint in model.joints if joint.kind is not JointKind.FIXED]
