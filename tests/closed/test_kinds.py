"""Closed robots whose joints are universal, helical or custom: the same as with simpler ones."""

import dataclasses

import numpy as np
import pytest

from lissom import ClosedRobot, Joint, JointKind, robots
from lissom.model import Model, Motion, Polynomial

IDENTITY = Polynomial((0.0, 1.0))
Z = (0.0, 0.0, 1.0)  # a custom joint has no axis but those of its motion


def universal_feet(model: Model) -> Model:
    """Return a platform whose feet are universal joints in place of two revolute ones each."""
    joints = []
    for joint in model.joints:
        if joint.name.startswith("swing"):
            k = joint.name.split("_")[1]
            place = (joint.parent, f"lower_{k}", joint.origin, joint.axis)
            joints.append(Joint(f"foot_{k}", JointKind.UNIVERSAL, *place, second_axis=model.joint(f"tilt_{k}").axis))
        elif not joint.name.startswith("tilt"):
            joints.append(joint)
    return model.replace(joints=tuple(joints), links=tuple(link for link in model.links if not link.name.startswith("cross")))


@pytest.mark.slow
def test_a_platform_on_universal_joints_is_one_on_pairs_of_revolute_joints():
    model = robots.gough_stewart_model()
    one, two = robots.gough_stewart(), type(robots.gough_stewart())(universal_feet(model), "platform")
    rng = np.random.default_rng(1)
    q, (qd, qdd) = one.home() + rng.uniform(-0.02, 0.02, 6), rng.normal(size=(2, 6))
    ours, theirs = two.inverse_dynamics(q, qd, qdd), one.inverse_dynamics(q, qd, qdd)
    assert np.allclose(ours, theirs, rtol=0, atol=1e-8 * np.abs(theirs).max())
    assert np.allclose(two.forward_dynamics(q, qd, theirs), qdd, rtol=0, atol=1e-6)


@pytest.mark.parametrize(
    "own",
    [
        {"kind": JointKind.HELICAL, "pitch": 0.0},
        {"kind": JointKind.CUSTOM, "motion": Motion(rotations=(((0.0, 0.0, 1.0), IDENTITY),))},
    ],
    ids=["helical", "custom"],
)
def test_a_four_bar_with_a_joint_of_another_kind_is_the_same(own):
    model = robots.four_bar_model()
    changed = model.with_joints(
        lambda j: dataclasses.replace(j, **_along(j, own)) if j.kind in (JointKind.REVOLUTE, JointKind.CONTINUOUS) else j
    )
    one, two = ClosedRobot(model), ClosedRobot(changed)
    q, qd, qdd = one.home(), np.full(one.nv, 0.7), np.full(one.nv, -0.4)
    assert np.allclose(two.inverse_dynamics(q, qd, qdd), one.inverse_dynamics(q, qd, qdd), rtol=0, atol=1e-9)
    tau = one.inverse_dynamics(q, qd, qdd)
    assert np.allclose(two.forward_dynamics(q, qd, tau), qdd, rtol=0, atol=1e-8)


def _along(joint, own):
    if "motion" not in own:
        return own
    return {"kind": own["kind"], "axis": Z, "motion": Motion(rotations=((joint.axis, IDENTITY),))}


def test_a_loop_with_a_bent_joint_keeps_its_constraint_and_its_power():
    """A crank whose angle is a polynomial of the coordinate: the torque is that at the angle, times the slope."""
    model, law = robots.four_bar_model(), Polynomial((0.1, 0.8, 0.15))
    name = model.active[0]

    def bend(joint):
        own = Motion(rotations=((joint.axis, law),))
        return dataclasses.replace(joint, kind=JointKind.CUSTOM, axis=Z, motion=own) if joint.name == name else joint

    bent = model.with_joints(bend)
    one = ClosedRobot(model)
    home = dict(zip((place.joint.name for place in model.layout), one.home_tree_q(), strict=True))
    home[name] = float(np.roots([law.coefficients[2], law.coefficients[1], law.coefficients[0] - home[name]])[-1].real)
    two = ClosedRobot(bent.replace(posture=tuple((joint, (value,)) for joint, value in home.items())))
    x, v, a = two.home(), np.array([0.6]), np.array([-0.3])
    value, slope, curve = (float(y) for y in law.derivatives(float(x[0]), 2))
    assert np.allclose(value, one.home())
    tau = one.inverse_dynamics(one.home(), slope * v, slope * a + curve * v**2)
    assert np.allclose(two.inverse_dynamics(x, v, a), slope * tau, rtol=0, atol=1e-8)
    assert np.allclose(two.forward_dynamics(x, v, slope * tau), a, rtol=0, atol=1e-8)
