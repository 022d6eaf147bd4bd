"""Jobs: small pieces of work by name, each a function without arguments that returns arrays, the same ones every time."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import lissom
from lissom.read import load_model

CORPUS = Path(__file__).parents[1] / "fuzz" / "corpus"
STATES = 64  # in a batch

Job = Callable[[], Sequence[np.ndarray]]


def make_jobs() -> dict[str, Job]:
    """Return all jobs; robots that several jobs share are made once, as a program would."""
    jobs: dict[str, Job] = {}
    trees = [lissom.robots.tree_model(n, seed=n, floating=n > 6, coupled=0.3, fixed=0.3) for n in (3, 5, 8)]
    trees.append(lissom.robots.tree_model(4, seed=9, motors=1.0, elastic=1.0, kinds=["revolute", "prismatic"]))
    for model in (*trees, lissom.robots.hua_arm_model(), lissom.robots.panda_model(), lissom.robots.rr_model()):
        robot = lissom.Robot(model)
        jobs[f"dynamics of {model.name}"] = lambda robot=robot: _dynamics(robot)
        jobs[f"fresh {model.name}"] = lambda model=model: _dynamics(lissom.Robot(model))
        jobs[f"derivatives of {model.name}"] = lambda robot=robot: _derivatives(robot)
    for model in (lissom.robots.four_bar_model(), lissom.robots.five_bar_model(), lissom.robots.slider_crank_model()):
        closed = lissom.ClosedRobot(model)
        jobs[f"closed {model.name}"] = lambda closed=closed: _closed(closed)
        jobs[f"fresh closed {model.name}"] = lambda model=model: _closed(lissom.ClosedRobot(model))
    for path in sorted(CORPUS.glob("*")):
        if path.suffix in (".urdf", ".xml") or path.name.startswith(("tree_", "dh_", "motors_", "closed_")):
            jobs[f"load {path.name}"] = lambda path=path: _load(path)
    jobs |= {"predict": _predict, "time": _time, "simulate": _simulate, "simulate adaptive": _adaptive, "scenario": _scenario}
    return jobs


def _states(robot: Any, size: int = STATES) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(3)
    v, qd, qdd = rng.normal(size=(3, size, robot.nv))
    return robot.integrate(np.tile(robot.neutral(), (size, 1)), v), qd, qdd


def _dynamics(robot: lissom.Robot) -> list[np.ndarray]:
    q, qd, qdd = _states(robot)
    tau = robot.inverse_dynamics(q, qd, qdd)
    one = robot.inverse_dynamics(q[0], qd[0], qdd[0])
    back = robot.forward_dynamics(q, qd, tau)
    return [tau, one, back, robot.mass_matrix(q), robot.link_poses(q), robot.joint_wrenches(q, qd, qdd)]


def _derivatives(robot: lissom.Robot) -> list[np.ndarray]:
    q, qd, qdd = _states(robot, 4)
    found = robot.inverse_dynamics_derivatives(q, qd, qdd)
    return [getattr(found, name) for name in ("dq", "dqd", "dqdd")]


def _closed(robot: Any) -> list[np.ndarray]:
    q = robot.home() + 0.05 * np.random.default_rng(4).normal(size=(8, robot.nq))
    qd = np.full((8, robot.nv), 0.3)
    tau = robot.inverse_dynamics(q, qd, qd)
    return [tau, robot.forward_dynamics(q, qd, tau), robot.closure(q)]


def _load(path: Path) -> list[np.ndarray]:
    loops = CORPUS / "loops_four_bar.yaml" if path.name == "four_bar.urdf" else None
    model = load_model(path, loops=loops)
    robot = lissom.ClosedRobot(model) if model.loops else lissom.Robot(model)
    qd = np.full(robot.nv, 0.1)
    return [robot.inverse_dynamics(robot.neutral(), qd, qd)]


def _predict() -> list[np.ndarray]:
    problem = lissom.predict.load(CORPUS / "problem_time.yaml")
    prediction = problem.solve(iterations=30, throw=False, restart=False, refine=False, starts=1)
    with tempfile.TemporaryDirectory() as folder:
        path = prediction.save(Path(folder) / "a.npz")
        again = lissom.Prediction.load(path, problem.robot)
    return [again.path.points, again.torques(again.times(20))]


def _time() -> list[np.ndarray]:
    from lissom.timing import time_optimal

    timing = time_optimal(lissom.robots.rr(), [[0.0, -2.0], [0.5, -1.0], [1.0, -1.0]], velocity=4.0, torque=30.0)
    return [np.array(timing.duration)]


def _simulate() -> list[np.ndarray]:
    robot = lissom.robots.rr()
    q, qd, _ = _states(robot, 4)
    run = robot.simulate(q, qd, duration=0.2, method="rk4", dt=1e-3)
    one = robot.simulate(q[0], qd[0], duration=0.1, method="rk4", dt=1e-3)
    with tempfile.TemporaryDirectory() as folder:
        read = [lissom.Trajectory.load(one.save(Path(folder) / name), robot) for name in ("a.npz", "a.csv")]
    return [run.q, run.tau, *(x.q for x in read)]


def _adaptive() -> list[np.ndarray]:
    robot = lissom.Robot(lissom.robots.hua_arm_model())
    run = robot.simulate(robot.at_rest([0.1, 0.2, 0.3]), np.zeros(robot.nv), duration=0.05)
    return [run.q, run.qd]


def _scenario() -> list[np.ndarray]:
    scenario = lissom.control.load_scenario(CORPUS / "scenario_elastic.yaml")
    run = scenario.run(method="rk4", dt=1e-3, duration=0.1)
    return [run.q, run.tau]
