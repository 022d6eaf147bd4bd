"""The reachability analysis beside toppra: the same speeds on the same grid, and the same verdict where there is none."""

import importlib.metadata
import logging
import warnings
from pathlib import Path

import numpy as np
import pytest

import lissom
from lissom.timing import TimingError, through, time_optimal

toppra = pytest.importorskip("toppra")


def panda():
    file = next(f for f in importlib.metadata.files("example-robot-data") if f.name == "panda.urdf")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", lissom.ModelWarning)
        return lissom.load(Path(file.locate()), mimic=False)


ROBOTS = {"planar": lissom.robots.planar_two_link, "stanford": lissom.robots.stanford, "panda": panda}


def by_toppra(robot, path, torque, velocity, acceleration, points, start, end):
    """Return sdot on the grid by toppra, with the interpolation scheme; None where it finds no motion."""
    from toppra import algorithm, constraint, interpolator

    class Curve(interpolator.AbstractGeometricPath):
        dof, path_interval, waypoints = robot.nv, np.array([0.0, 1.0]), None

        def __call__(self, s, order=0):
            return path.rate(np.clip(s, 0.0, 1.0), order)

    scheme = constraint.DiscretizationType.Interpolation
    both = lambda x: np.stack([-x * np.ones(robot.nv), x * np.ones(robot.nv)], axis=1)  # noqa: E731
    rub = np.zeros(robot.nv)
    limits = [constraint.JointTorqueConstraint(robot.inverse_dynamics, both(torque), rub, discretization_scheme=scheme)]
    if np.isfinite(velocity):
        limits.append(constraint.JointVelocityConstraint(both(velocity)))
    if np.isfinite(acceleration):
        limits.append(constraint.JointAccelerationConstraint(both(acceleration), discretization_scheme=scheme))
    logging.getLogger("toppra").setLevel("CRITICAL")
    program = algorithm.TOPPRA(limits, Curve(), gridpoints=np.linspace(0, 1, points), solver_wrapper="seidel")
    speed = program.compute_parameterization(start, end)[1]
    return None if speed is None or np.isnan(speed).any() else speed


@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize("seed", range(12))
def test_speeds_are_those_of_toppra(name, seed):
    robot, rng = ROBOTS[name](), np.random.default_rng(seed)
    path = through(rng.uniform(-1.5, 1.5, (rng.integers(2, 7), robot.nq)))
    still = np.abs(robot.gravity_torques(path.at(np.linspace(0, 1, 50)))).max(axis=0)
    torque = (still + 0.2 * still.max() + 0.1) * rng.choice([0.7, 1.01, 1.2, 2.0, 5.0])
    velocity, acceleration = rng.choice([1.0, 3.0, np.inf]), rng.choice([2.0, 10.0, np.inf])
    points, ends = int(rng.integers(20, 200)), rng.choice([0.0, 0.0, 0.03], 2)
    wanted = by_toppra(robot, path, torque, velocity, acceleration, points, *ends)
    limits = {"torque": torque, "velocity": velocity, "acceleration": acceleration}
    if wanted is None:
        with pytest.raises(TimingError):
            time_optimal(robot, path, **limits, points=points, start_speed=ends[0], end_speed=ends[1])
        return
    timing = time_optimal(robot, path, **limits, points=points, start_speed=ends[0], end_speed=ends[1])
    duration = np.sum(2 / (points - 1) / (wanted[1:] + wanted[:-1]))
    assert timing.duration <= duration * (1 + 1e-6)  # toppra's linear programs have a tolerance
    assert timing.duration == pytest.approx(duration, rel=1e-4)
