"""Places, velocities, mass matrix and inverse dynamics against OpenSim, on random states of models of versions 3 and 4."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import lissom
from support.osim import LEG, OLD, PUBLISHED, published
from support.osim_judge import Judged, judge
from support.osim_models import every_joint, spline, turns_in_turn

CLOSE = 1e-9


def loaded(path, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", lissom.ModelWarning)
        model = lissom.load(str(path), **options).model
        return lissom.Robot(model, backend="numpy")


class Both:
    """A model in lissom and in OpenSim, at the same random state."""

    def __init__(self, path, seed=0):
        self.judge = Judged(path)
        self.robot = loaded(path, mimic=False)
        self.names = [joint.name for joint in self.robot.model.independent_joints]
        n = len(self.names)
        rng = np.random.default_rng(seed)
        self.q, self.qd, self.qdd = (rng.uniform(-1.2, 1.2, n) for _ in range(3))
        h = 1e-30
        self.S = self.judge.speed_map(self.q, self.names)
        self.dS = self.judge.speed_map(self.q + 1j * h * self.qd, self.names).imag / h
        rest = {name: c.getDefaultValue() for name, c in self.judge.coordinates.items()}
        self.judge.at({**rest, **dict(zip(self.names, self.q, strict=True))})
        u = self.S @ self.qd
        self.judge.at({}, {name: u[k] for name, k in self.judge.speeds.items()})

    def bodies(self):
        return [link.name for link in self.robot.model.links if link.inertia is not None]

    def torques(self):
        return self.S.T @ self.judge.inverse_dynamics(self.S @ self.qdd + self.dS @ self.qd)


def same_as_opensim(both):
    for body in both.bodies():
        pose = both.robot.link_pose(both.q, body)
        R, p = both.judge.pose(body)
        np.testing.assert_allclose(pose[:3, :3], R, atol=CLOSE)
        np.testing.assert_allclose(pose[:3, 3], p, atol=CLOSE)
        v = both.robot.link_velocity(both.q, both.qd, body)
        np.testing.assert_allclose(v, both.judge.velocity(body).ravel(), atol=CLOSE, rtol=CLOSE)
    for name, place in both.judge.markers().items():
        np.testing.assert_allclose(both.robot.link_pose(both.q, name)[:3, 3], place, atol=CLOSE)
    M, found = both.S.T @ both.judge.mass_matrix() @ both.S, both.robot.mass_matrix(both.q)
    np.testing.assert_allclose(found, M, atol=CLOSE * np.abs(M).max())
    tau = both.torques()
    np.testing.assert_allclose(both.robot.inverse_dynamics(both.q, both.qd, both.qdd), tau, atol=CLOSE * np.abs(tau).max())


@pytest.mark.parametrize("text", [LEG, OLD], ids=["version 4", "version 3"])
def test_small_models_are_those_of_opensim(text, tmp_path):
    file = tmp_path / "leg.osim"
    file.write_text(text)
    same_as_opensim(Both(file))


@pytest.mark.parametrize("seed", [1, 2])
def test_every_joint_is_that_of_opensim(seed, tmp_path):
    same_as_opensim(Both(every_joint(judge(), tmp_path / "every.osim", seed), seed))


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_models_are_those_of_opensim(name):
    same_as_opensim(Both(published(name)))


def test_a_body_without_a_joint_is_free_as_in_opensim(tmp_path):
    opensim = judge()
    model = opensim.Model()
    model.addBody(opensim.Body("stone", 2.0, opensim.Vec3(0.1, 0, 0), opensim.Inertia(1, 2, 2.5, 0, 0, 0)))
    file = tmp_path / "stone.osim"
    model.printToXML(str(file))
    with pytest.warns(lissom.ModelWarning, match=r"no joint touches body 'stone': it is free to move, by a joint 'free_stone'"):
        lissom.load(str(file))
    both = Both(file)
    assert sorted(both.names) == sorted(both.judge.coordinates)
    same_as_opensim(both)


def test_coupled_coordinates_follow_where_opensim_has_them(tmp_path):
    """At states where OpenSim has assembled its constraints, the coupled robot is the free one in the directions left."""
    both = Both(every_joint(judge(), tmp_path / "every.osim"))
    coupled = loaded(tmp_path / "every.osim")
    names = [joint.name for joint in coupled.model.independent_joints]
    assert set(both.names) - set(names) == {"gimbal_joint_coord_1", "from_GimbalJoint_coord_0"}
    q = dict(zip(both.names, both.q, strict=True))
    for name, value in q.items():
        both.judge.coordinates[name].setValue(both.judge.state, value, False)
    both.judge.model.assemble(both.judge.state)
    full = np.array([both.judge.coordinates[name].getValue(both.judge.state) for name in both.names])
    own = np.array([full[both.names.index(name)] for name in names])
    for body in both.bodies():
        np.testing.assert_allclose(coupled.link_pose(own, body)[:3, 3], both.judge.pose(body)[1], atol=1e-7)
    slope = spline_slope(own[names.index("custom_a")])
    G = np.zeros((len(both.names), len(names)))
    for k, name in enumerate(names):
        G[both.names.index(name), k] = 1.0
    G[both.names.index("gimbal_joint_coord_1"), names.index("custom_a")] = 0.4
    G[both.names.index("from_GimbalJoint_coord_0"), names.index("custom_a")] = slope
    M = G.T @ both.robot.mass_matrix(full) @ G
    np.testing.assert_allclose(coupled.mass_matrix(own), M, atol=1e-6 * np.abs(M).max())


def spline_slope(x):
    opensim = judge()
    components, at = opensim.StdVectorInt(), opensim.Vector(1, float(x))
    components.append(0)
    return spline(opensim).calcDerivative(components, at)


def test_a_locked_coordinate_stands_at_its_default(tmp_path):
    both = Both(every_joint(judge(), tmp_path / "every.osim"))
    text = (tmp_path / "every.osim").read_text()
    start = text.index('<Coordinate name="pin_joint_coord_0">')
    file = tmp_path / "locked.osim"
    more = '<Coordinate name="pin_joint_coord_0"><default_value>0.4</default_value><locked>true</locked>'
    end = text.index("</Coordinate>", start)
    file.write_text(text[:start] + more + text[end:])
    locked = loaded(file, mimic=False)
    place = both.names.index("pin_joint_coord_0")
    q, qd, qdd = both.q.copy(), both.qd.copy(), both.qdd.copy()
    q[place], qd[place], qdd[place] = 0.4, 0.0, 0.0
    rest = [k for k in range(len(q)) if k != place]
    tau = both.robot.inverse_dynamics(q, qd, qdd)[rest]
    np.testing.assert_allclose(locked.inverse_dynamics(q[rest], qd[rest], qdd[rest]), tau, atol=1e-11 * np.abs(tau).max())


@pytest.mark.parametrize("case", ["by a function", "after a constant"])
def test_velocities_are_rates_of_places_where_those_of_opensim_are_not(case, tmp_path):
    """OpenSim's places are the judge: differences of them agree with lissom, and not with OpenSim's own velocities or torques."""
    opensim = judge()
    if case == "by a function":
        rows = (("a",), spline(opensim)), (("a",), spline(opensim))
    else:
        rows = ((), opensim.Constant(0.3)), (("b",), opensim.LinearFunction(1.0, 0.0))
    both = Both(turns_in_turn(opensim, tmp_path / "turns.osim", *rows))
    h, places = 1e-5, []
    for step in (-h, h):
        both.judge.at(dict(zip(both.names, both.q + step * both.qd, strict=True)))
        places.append(both.judge.pose("body")[0])
    spin = (places[1] - places[0]) / (2 * h) @ both.judge.pose("body")[0].T
    w = both.robot.link_velocity(both.q, both.qd, "body")[3:]
    np.testing.assert_allclose([spin[2, 1], spin[0, 2], spin[1, 0]], w, atol=1e-4)
    fresh = Both(tmp_path / "turns.osim")
    assert np.abs(fresh.torques() - fresh.robot.inverse_dynamics(fresh.q, fresh.qd, fresh.qdd)).max() > 1e-3
