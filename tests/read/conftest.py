"""Helpers for reader tests: where the published robots are, and forward kinematics in ten lines."""

import sysconfig
from pathlib import Path

import numpy as np
import pytest

from lissom.model import JointKind, Pose
from lissom.model.pose import rotation_about, rotation_from_quaternion

ROBOTS = Path(sysconfig.get_paths()["purelib"]) / "cmeel.prefix/share/example-robot-data/robots"
BROKEN = ("falcon.urdf", "ur3.urdf")


def pytest_generate_tests(metafunc):
    if "published" in metafunc.fixturenames:
        files = [file for file in sorted(ROBOTS.rglob("*.urdf")) if file.name not in BROKEN]
        metafunc.parametrize("published", files, ids=[file.name for file in files])


@pytest.fixture
def robots_folder():
    return ROBOTS


def _motion(joint, q):
    if joint.kind in (JointKind.REVOLUTE, JointKind.CONTINUOUS):
        return Pose(rotation_about(joint.axis, q[0]))
    if joint.kind is JointKind.PRISMATIC:
        return Pose(translation=tuple(q[0] * np.array(joint.axis)))
    if joint.kind is JointKind.SPHERICAL:
        return Pose(rotation_from_quaternion(q))
    if joint.kind is JointKind.FLOATING:
        return Pose(rotation_from_quaternion(q[3:]), tuple(q[:3]))
    assert joint.kind is JointKind.FIXED
    return Pose()


@pytest.fixture
def link_poses():
    """A function (model, q) -> pose of every link in the base frame, by name."""

    def poses(model, q):
        found, place = {model.base: Pose()}, {}
        start = 0
        for joint in model.independent_joints:
            place[joint.name] = np.asarray(q)[start : start + joint.kind.nq]
            start += joint.kind.nq
        for joint in model.joints:
            value = place.get(joint.name)
            if joint.coupling is not None:
                c = model.resolve_coupling(joint)
                value = c.ratio * place[c.joint] + c.offset
            found[joint.child] = found[joint.parent] @ joint.origin @ _motion(joint, value) @ joint.tail
        return found

    return poses
