"""Walking robots of another package: found by name, and a clear message where the package is missing."""

import importlib.metadata

import pytest

import lissom
from lissom.cli.lists import list_robots
from lissom.robots import BORROWED, walking


@pytest.mark.parametrize(("name", "joints", "mass"), [("g1", 29, 33.3), ("talos", 32, 90.3), ("go2", 12, 16.1)])
def test_they_float_and_have_the_mass_that_their_makers_say(name, joints, mass):
    robot = lissom.load(f"robots:{name}")
    assert robot.nv == 6 + joints and robot.nq == 7 + joints
    assert sum(link.inertia.mass for link in robot.model.links if link.inertia is not None) == pytest.approx(mass, abs=0.1)


def test_soles_are_where_the_module_says():
    robot = lissom.robots.talos()
    q = robot.neutral()
    for side in ("left", "right"):
        foot, sole = (robot.link_pose(q, link) for link in (f"leg_{side}_6_link", f"{side}_sole_link"))
        assert (foot - sole)[2, 3] == pytest.approx(0.107)


@pytest.mark.parametrize("name", BORROWED)
def test_without_the_package_the_message_names_it(name, monkeypatch):
    def missing(package):
        raise importlib.metadata.PackageNotFoundError(package)

    monkeypatch.setattr(walking.importlib.metadata, "files", missing)
    with pytest.raises(lissom.ModelError, match="pip install example-robot-data"):
        lissom.load(f"robots:{name}")


def test_lists_go_on_without_the_package(monkeypatch, capsys):
    monkeypatch.setattr(walking, "installed", lambda: False)
    list_robots(as_json=False)
    line = next(line for line in capsys.readouterr().out.splitlines() if "robots:talos" in line)
    assert line.split()[1] == "-"
