"""The method "auto": what it chooses, that it says why, and that a slow run tells of a quicker way."""

import dataclasses
import re
import warnings

import numpy as np
import pytest

from lissom import Inertia, Joint, Link, Model, Robot, Spring, Trajectory
from lissom.errors import SimulationWarning
from lissom.robots import planar_two_link, planar_two_link_model, tree_model
from lissom.simulate import Status
from lissom.simulate.choose import parts
from lissom.simulate.inputs import make_given
from lissom.simulate.problem import Problem

AUTO = {"method": "auto"}


def arm(stiffness, damping=0.0):
    spring = Spring(stiffness, 0.4, damping)
    return Robot(planar_two_link_model().with_joints(lambda j: dataclasses.replace(j, spring=spring) if j.name == "elbow" else j))


def parts_of(robot, q, qd, torque=None):
    q, qd = np.array(q, dtype=float), np.array(qd, dtype=float)
    given = make_given(torque, "torque", (), robot.nv, 1.0, None)
    return parts(Problem(robot, q, qd, 1.0, given, "auto", 1.0, 1e-6, 1e-5, 0.1, (), {}, (), None), 0.0, q, qd)


def test_rates_and_amplitudes_are_those_of_an_oscillator():
    inertia, K, D, off = 0.5, 300.0, 4.0, 0.01
    body = Link("body", Inertia(2.0, (0, 0, 0), np.eye(3) * inertia))
    joint = Joint("spring", "revolute", "ground", "body", spring=Spring(K, 0.2, D))
    robot = Robot(Model("oscillator", (Link("ground"), body), (joint,), (0.0, 0.0, 0.0)))
    rates, amplitudes = parts_of(robot, [0.2 + off], [0.0])
    assert np.allclose(np.sort_complex(rates), np.sort_complex(np.roots([inertia, D, K])))
    w, sigma = np.abs(rates[0].imag), rates[0].real
    assert np.allclose(amplitudes, off * np.hypot(1.0, sigma / w))
    # half of the spring may as well be a controller
    half = dataclasses.replace(joint, spring=Spring(K / 2, 0.2, D / 2))
    robot = Robot(Model("oscillator", (Link("ground"), body), (half,), (0.0, 0.0, 0.0)))
    by_feedback, same = parts_of(robot, [0.2 + off], [0.0], lambda t, q, qd: -K / 2 * (q - 0.2) - D / 2 * qd)
    assert np.allclose(np.sort_complex(by_feedback), np.sort_complex(rates), rtol=1e-5) and np.allclose(
        same, amplitudes, rtol=1e-5
    )


@pytest.mark.sweep(2)
@pytest.mark.parametrize(
    ("robot", "q", "method", "why"),
    [
        (
            planar_two_link(),
            [0.3, 0.4],
            "adaptive",
            "the fastest motion, .*, takes the adaptive method about .* steps, which is quick",
        ),
        (arm(80.0), [0.3, 0.41], "adaptive", "rad/s, takes the adaptive method about .* steps"),
        (
            arm(1e6),
            [0.3, 0.4],
            "implicit",
            r"3.34e\+03 rad/s, .* at least 1.1e\+03 steps, and is smaller than the tolerance, 1.1e-05",
        ),
        (
            arm(1e6),
            [0.3, 0.41],
            "adaptive",
            r"3.3\de\+03 rad/s and 0.01 rad or m, larger than the tolerance, .* has to follow it",
        ),
        (arm(1e6, 20.0), [0.3, 0.41], "implicit", r"and is damped below the tolerance, .* within 0.0\d+ s"),
        (arm(1e6, 2000.0), [0.3, 0.41], "implicit", r"2.16e\+04 / s, takes the adaptive method at least"),
        (arm(1e6), [[0.3, 0.4]] * 3, "implicit", "the adaptive method is for one state, and these are 3"),
        (Robot(tree_model(3, seed=1, floating=True, drives=False)), None, "adaptive", "which is quick"),
    ],
    ids=["free", "soft", "at rest", "swinging", "damped", "overdamped", "batch", "floating"],
)
def test_what_is_chosen_is_said(robot, q, method, why):
    q = robot.neutral() if q is None else np.array(q)
    run = robot.simulate(q, np.zeros(robot.nv), 1.0, sample=0.1, **AUTO)
    assert run.method == method and run.status is Status.FINISHED
    assert re.search(why, run.choice), run.choice
    same = robot.simulate(q, np.zeros(robot.nv), 1.0, sample=0.1, method=method)
    assert np.array_equal(run.q, same.q) and same.choice == "" and same.method == method


@pytest.mark.slow
def test_tolerances_decide_what_has_to_be_followed():
    robot = arm(1e6)
    start = [0.3, 0.401], [0.0, 0.0]
    assert robot.simulate(*start, 0.3, **AUTO).method == "adaptive"
    coarse = robot.simulate(*start, 0.3, rtol=1e-3, atol=1e-2, **AUTO)
    assert coarse.method == "implicit" and "0.011 rad or m" in coarse.choice
    assert robot.simulate([0.3, 0.4], [0.0, 0.0], 0.3, rtol=1e-9, atol=1e-9, **AUTO).method == "adaptive"


def test_a_start_from_which_nothing_moves_is_reported_by_the_run():
    robot = planar_two_link()
    run = robot.simulate([0.1, 0.2], [0, 0], 1.0, lambda t, q, qd: 1 / 0, throw=False, **AUTO)
    assert run.status is Status.CONTROLLER_FAILED and "the motion cannot start" in run.choice
    assert robot.simulate([0.1, 0.2], [1e200, 0], 1.0, throw=False, **AUTO).status is Status.BLEW_UP


@pytest.mark.parametrize("ending", [".npz", ".csv"])
def test_method_and_choice_are_kept_in_files(ending, tmp_path):
    robot = arm(1e6)
    run = robot.simulate([0.3, 0.4], [0.0, 0.0], 0.5, sample=0.1, **AUTO)
    again = Trajectory.load(run.save(tmp_path / f"run{ending}"), robot)
    assert (again.method, again.choice) == (run.method, run.choice) == ("implicit", run.choice) and run.choice
    assert np.array_equal(again.q, run.q)


def test_a_plain_run_writes_the_same_table_as_before(tmp_path):
    robot = planar_two_link()
    run = robot.simulate([0.3, 0.4], [0.0, 0.0], 0.2, sample=0.1)
    again = Trajectory.load(run.save(tmp_path / "run.csv"), robot)
    assert "note" not in (tmp_path / "run.csv").read_text() and again.method == "" and run.method == "adaptive"
    assert Trajectory.load(run.save(tmp_path / "run.npz"), robot).method == "adaptive"


def test_files_without_a_method_are_read(tmp_path):
    robot = planar_two_link()
    path = robot.simulate([0.3, 0.4], [0.0, 0.0], 0.2, sample=0.1).save(tmp_path / "run.npz")
    with np.load(path) as data:
        kept = {name: data[name] for name in data.files if name not in ("method", "choice")}
    np.savez(path, **kept)
    assert Trajectory.load(path, robot).method == ""


@pytest.mark.slow
def test_a_long_run_of_the_adaptive_method_tells_of_the_implicit_one(monkeypatch):
    monkeypatch.setattr("lissom.simulate.adaptive.MORE", 1000)
    monkeypatch.setattr("lissom.simulate.adaptive.PATIENCE", 100)
    monkeypatch.setattr("lissom.simulate.variable_steps.PATIENCE", 100)
    with pytest.warns(SimulationWarning, match=r"needs about \d\S* more steps from t = .*method='implicit'") as told:
        arm(1e6).simulate([0.3, 0.4], [0.0, 0.0], 0.4)
    assert len(told) == 1 and told[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        planar_two_link().simulate([0.3, 0.4], [0.0, 0.0], 20.0)  # long, but nothing stiff in it
        arm(1e6).simulate([0.3, 0.41], [0.0, 0.0], 0.4)  # swings that have to be followed
