"""Every robot of example-robot-data, against Pinocchio: names, order, sizes, placements and inertias."""

import warnings

import numpy as np
import pytest

from lissom.errors import ModelWarning
from lissom.model import JointKind
from lissom.read.urdf import read_urdf

pin = pytest.importorskip("pinocchio")
pytestmark = pytest.mark.filterwarnings("ignore::lissom.errors.ModelWarning")


def spatial_inertia(inertia, R, p):
    """6x6 inertia in a frame where the link stands at (R, p); Pinocchio's own constructor refuses some published tensors."""
    c = R @ np.array(inertia.com) + p
    S = pin.skew(c)
    J = R @ np.array(inertia.tensor) @ R.T - inertia.mass * S @ S
    return np.block([[inertia.mass * np.eye(3), -inertia.mass * S], [inertia.mass * S, J]])


def lump(model):
    """Placements and inertias per moving joint, with the links fixed to it: what Pinocchio keeps. Index 0 is the ground."""
    where, placements, inertias = {model.base: (0, np.eye(3), np.zeros(3))}, [None], [np.zeros((6, 6))]
    for joint in model.joints:
        body, R, p = where[joint.parent]
        R, p = R @ joint.origin.R, R @ joint.origin.p + p
        if joint.kind is not JointKind.FIXED:
            placements.append((R, p))
            inertias.append(np.zeros((6, 6)))
            body, R, p = len(placements) - 1, np.eye(3), np.zeros(3)
        where[joint.child] = body, R, p
        inertia = model.link(joint.child).inertia
        if inertia is not None:
            inertias[body] = inertias[body] + spatial_inertia(inertia, R, p)
    return placements, inertias


@pytest.mark.sweep(30)
@pytest.mark.parametrize("base", ["fixed", "floating"])
def test_published_robots_agree_with_pinocchio(published, base):
    model = read_urdf(published, base, mimic=False)
    root = () if base == "fixed" else (pin.JointModelFreeFlyer(),)
    theirs = pin.buildModelFromUrdf(str(published), *root)
    moving = [j for j in model.joints if j.kind is not JointKind.FIXED]
    assert [j.name for j in moving] == list(theirs.names)[1:]
    assert model.nv == theirs.nv
    # a continuous joint is one angle here, cosine and sine there
    assert model.nq == theirs.nq - sum(j.kind is JointKind.CONTINUOUS for j in moving)
    placements, inertias = lump(model)
    for i in range(1, theirs.njoints):
        R, p = placements[i]
        assert np.allclose(R, theirs.jointPlacements[i].rotation, rtol=0, atol=1e-14)
        assert np.allclose(p, theirs.jointPlacements[i].translation, rtol=0, atol=1e-14)
        assert np.allclose(inertias[i], theirs.inertias[i].matrix(), rtol=1e-12, atol=1e-13)


@pytest.mark.sweep(30)
@pytest.mark.parametrize("base", ["fixed", "floating"])
def test_published_robots_load_with_their_mimic_joints(published, base):
    model, free = read_urdf(published, base), read_urdf(published, base, mimic=False)
    coupled = [j for j in model.joints if j.coupling is not None]
    assert [j.name for j in model.joints] == [j.name for j in free.joints]
    assert model.nv == free.nv - len(coupled)


def test_pinocchio_takes_the_same_coordinates_from_mimic_joints(robots_folder):
    for name in ("panda_description/urdf/panda.urdf", "baxter_description/urdf/baxter.urdf", "pr2_description/urdf/pr2.urdf"):
        theirs = pin.buildModelFromUrdf(str(robots_folder / name), mimic=True)
        assert read_urdf(robots_folder / name).nv == theirs.nv


def test_all_published_robots_are_there(robots_folder):
    assert len(list(robots_folder.rglob("*.urdf"))) == 77


def test_doubtful_published_robots_give_a_warning(robots_folder):
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        with pytest.warns(ModelWarning, match="moves no mass"):
            read_urdf(robots_folder / "romeo_description/urdf/romeo.urdf")


@pytest.mark.parametrize("name", ["icub.urdf", "icub_reduced.urdf"])
def test_moments_of_icub_that_are_rounding_give_no_warning(robots_folder, name):
    (path,) = robots_folder.rglob(name)
    with warnings.catch_warnings():
        warnings.simplefilter("error", ModelWarning)
        read_urdf(path)
