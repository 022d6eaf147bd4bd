"""Outside help for the tests of built-in robots: Pinocchio as a judge, and plain forward kinematics."""

import numpy as np
import pytest

from lissom.model import JointKind, Model
from lissom.model.pose import rotation_about


def link_poses(model: Model, q) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return rotation and position of every link in the base frame, for chains of single-axis joints."""
    poses = {model.base: (np.eye(3), np.zeros(3))}
    coordinates = iter(q)
    for joint in model.joints:
        R, p = poses[joint.parent]
        axis = np.array(joint.axis)
        value = 0.0 if joint.kind is JointKind.FIXED else next(coordinates)
        turn, slide = np.eye(3), np.zeros(3)
        if joint.kind is JointKind.PRISMATIC:
            slide = axis * value
        elif joint.kind is not JointKind.FIXED:
            turn = rotation_about(axis, value)
        for step_R, step_p in ((joint.origin.R, joint.origin.p), (turn, slide), (joint.tail.R, joint.tail.p)):
            R, p = R @ step_R, R @ step_p + p
        poses[joint.child] = (R, p)
    return poses


def pinocchio_of(model: Model):
    """Return a chain of single-axis joints as a Pinocchio model with its data."""
    pin = pytest.importorskip("pinocchio")
    result = pin.Model()
    result.gravity.linear = np.array(model.gravity)
    frame = {model.base: (0, pin.SE3.Identity())}  # link -> Pinocchio joint that carries it, and its pose there
    for joint in model.joints:
        carrier, placement = frame[joint.parent]
        kind = pin.JointModelPrismaticUnaligned if joint.kind is JointKind.PRISMATIC else pin.JointModelRevoluteUnaligned
        origin = placement * pin.SE3(joint.origin.R, joint.origin.p)
        index = result.addJoint(carrier, kind(np.array(joint.axis)), origin, joint.name)
        tail = pin.SE3(joint.tail.R, joint.tail.p)
        inertia = model.link(joint.child).inertia
        result.appendBodyToJoint(index, pin.Inertia(inertia.mass, np.array(inertia.com), np.array(inertia.tensor)), tail)
        result.armature[index - 1] = joint.rotor_inertia
        frame[joint.child] = (index, tail)
    return result, result.createData()


@pytest.fixture
def poses():
    return link_poses


@pytest.fixture
def torques():
    def torques(model, q, qd, qdd):
        pin = pytest.importorskip("pinocchio")
        return pin.rnea(*pinocchio_of(model), np.asarray(q, float), np.asarray(qd, float), np.asarray(qdd, float))

    return torques


@pytest.fixture
def mass_matrix():
    def mass_matrix(model, q):
        pin = pytest.importorskip("pinocchio")
        M = pin.crba(*pinocchio_of(model), np.asarray(q, float))
        return np.triu(M) + np.triu(M, 1).T

    return mass_matrix


@pytest.fixture
def states():
    """Twenty states (q, qd, qdd) of six joints."""
    return np.random.default_rng(7).uniform(-2.0, 2.0, (20, 3, 6))
