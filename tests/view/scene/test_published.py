"""Published robots: their shapes stand where Pinocchio places them, and all of them can be drawn."""

import numpy as np
import pytest

import lissom
from lissom.view.scene.build import robot_scene
from support.published import FILES, IDS, ROBOTS
from support.scenes import matrices, placed_points, read_back

pytestmark = pytest.mark.filterwarnings("ignore::lissom.errors.ModelWarning")
SOME = ["panda.urdf", "ur5_robot.urdf", "double_pendulum_continuous.urdf", "solo12.urdf", "kinova.urdf", "edo_sim.urdf"]


def chosen(names):
    return [pytest.param(file, id=file.name) for file in FILES if file.name in names]


def as_theirs(robot, q):
    """Return coordinates as Pinocchio has them: a continuous joint is cosine and sine there."""
    found = []
    for place in robot.model.layout:
        own = q[place.q]
        found += [np.cos(own[0]), np.sin(own[0])] if place.kind.value == "continuous" else list(own)
    return np.array(found)


@pytest.mark.sweep(1)
@pytest.mark.parametrize("file", chosen(SOME))
def test_shapes_stand_where_pinocchio_places_them(file):
    pin = pytest.importorskip("pinocchio")
    robot = lissom.load(file, mimic=False)
    theirs = pin.buildModelFromUrdf(str(file))
    geometry = pin.buildGeomFromUrdf(theirs, str(file), pin.GeometryType.VISUAL, package_dirs=[str(ROBOTS.parents[1])])
    q = robot.random_configuration(7)
    data, placements = theirs.createData(), geometry.createData()
    pin.updateGeometryPlacements(theirs, data, geometry, placements, as_theirs(robot, q))
    drawn = read_back(robot_scene(robot, q))
    parts = [part for part in drawn["parts"] if part["layer"] == "visual"]
    assert len(parts) == len(geometry.geometryObjects) > 0
    by_link = {}
    for part in parts:
        by_link.setdefault(drawn["bodies"][part["body"]], []).append(part)
    for theirs_one, place in zip(geometry.geometryObjects, placements.oMg, strict=True):
        link = theirs_one.name.rpartition("_")[0]
        part = by_link[link].pop(0)
        pose = matrices(drawn["poses"][0, part["body"]]) @ matrices(part["pose"])
        np.testing.assert_allclose(pose, place.homogeneous, atol=2e-6)
        # and the triangles fill the same box around them
        theirs_one.geometry.computeLocalAABB()
        low, high = theirs_one.geometry.aabb_local.min_, theirs_one.geometry.aabb_local.max_
        own = (placed_points(drawn, part) - pose[:3, 3]) @ pose[:3, :3]
        np.testing.assert_allclose([own.min(axis=0), own.max(axis=0)], [low, high], atol=1e-4 * np.linalg.norm(high - low))


@pytest.mark.sweep(1)
@pytest.mark.parametrize("file", [pytest.param(file, id=name) for file, name in zip(FILES, IDS, strict=True)])
def test_every_published_robot_can_be_drawn(file):
    robot = lissom.load(file)
    scene = robot_scene(robot, robot.neutral(), layers={"collision": True})
    data = read_back(scene)
    assert data["bodies"][1:-1] == list(robot.link_names) or data["bodies"][1:] == list(robot.link_names)
    assert any(part["layer"] in ("visual", "sticks") for part in data["parts"])
    for form in data["forms"]:
        if form["kind"] == "triangles":
            assert np.isfinite([*form["low"], *form["step"]]).all() and form["faces"].max() < len(form["vertices"])
    assert np.isfinite([*data["low"], *data["high"]]).all()
