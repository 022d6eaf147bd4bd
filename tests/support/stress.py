"""Work for many threads at once: `python stress.py NAME THREADS` runs it in threads, then one after the other, and compares.

A process of its own, so that a crash is an exit code. Robots are made anew for each round: the first calls come together. Results
are compared bit for bit.
"""

import os
import signal
import sys
import tempfile
import threading
import time
import warnings
from pathlib import Path

import numpy as np

import lissom
from lissom import MotionProblem, Robot
from lissom.robots import tree_model
from lissom.timing import time_optimal

MJCF = """<mujoco model="m{k}"><worldbody><body name="a" pos="0 0 {k}"><joint name="h" axis="0 1 0"/>
<geom type="box" size="0.1 0.2 0.3"/><body name="b" pos="0.5 0 0"><joint name="s" type="slide" axis="1 0 0"/>
<geom type="capsule" size="0.1 0.{k}"/></body></body></worldbody></mujoco>"""
URDF = """<robot name="r{k}"><link name="base"/><link name="arm"><inertial><mass value="1"/>
<inertia ixx="{x}" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>"""


def state(robot, k, lead=()):
    rng = np.random.default_rng(k)
    q = np.broadcast_to(robot.neutral(), (*lead, robot.nq)) + 0.1 * rng.normal(size=(*lead, robot.nq))
    return q, rng.normal(size=(*lead, robot.nv)), rng.normal(size=(*lead, robot.nv))


def tree_calls(robot, k):
    """Ask a tree for everything that is compiled, bound or looked up late, beginning with another function in each thread."""
    q, qd, qdd = state(robot, k)
    batch = state(robot, k, (70,))
    link = robot.link_names[-1]
    calls = [
        lambda: robot.inverse_dynamics(q, qd, qdd),
        lambda: robot.forward_dynamics(q, qd, qdd),
        lambda: robot.mass_matrix(q),
        lambda: robot.inverse_dynamics(*batch),
        lambda: robot.gravity_torques(q),
        lambda: robot.bias_torques(q, qd),
        lambda: robot.joint_wrenches(q, qd, qdd),
        lambda: robot.link_pose(q, link),
        lambda: robot.kinetic_energy(q, qd),
        lambda: robot.inverse_dynamics_regressor(q, qd, qdd),
        lambda: np.concatenate([x.ravel() for x in robot.inverse_dynamics_derivatives(q, qd, qdd)]),
        lambda: robot.forward_dynamics(*batch),
    ]
    found = [(i % len(calls), calls[i % len(calls)]()) for i in range(k, k + len(calls))]
    return [x for _, x in sorted(found, key=lambda pair: pair[0])]


def one(count):
    robot = Robot(tree_model(3, seed=5), backend="llvm")
    return [lambda k=k: tree_calls(robot, k) for k in range(count)]


def many(count):
    return [lambda k=k: tree_calls(Robot(tree_model(2, seed=k % 3), backend="llvm"), k) for k in range(count)]


def closed_calls(robot, k):
    home = robot.home() + 0.01 * k
    rng = np.random.default_rng(k)
    qd, qdd = rng.normal(size=(2, robot.nq))
    calls = [
        lambda: robot.closure(home),
        lambda: robot.inverse_dynamics(home, qd, qdd),
        lambda: robot.mass_matrix(home),
        lambda: robot.joint_wrenches(home, qd, qdd),
        lambda: robot.tree.gravity_torques(robot.home_tree_q()),
        lambda: robot.simulate(home, 0.1 * qd, duration=0.01).q,
    ]
    found = [(i % len(calls), calls[i % len(calls)]()) for i in range(k, k + len(calls))]
    return [x for _, x in sorted(found, key=lambda pair: pair[0])]


def closed(count):
    five, four = lissom.robots.five_bar(), lissom.robots.four_bar()
    shared = [four, five, four, five, four]
    return [lambda k=k: closed_calls(shared[k % 6] if k % 6 < 5 else lissom.robots.four_bar(), k) for k in range(count)]


def elastic(count):
    shared = lissom.robots.hua_arm()

    def work(k):
        robot = shared if k % 2 else lissom.robots.hua_arm()
        q, qd, qdd = state(robot, k)
        moved = robot.simulate(q, qd, duration=0.02, method="rk4", dt=1e-3)
        return [robot.inverse_dynamics(q, qd, qdd), moved.q, moved.energy]

    return [lambda k=k: work(k) for k in range(count)]


def predict(count):
    shared = lissom.robots.rr()

    def asked(robot, k):
        problem = MotionProblem(robot, control_points=8, duration=(0.05, 2.0))
        return problem.start([0.0, -2.0]).end([1.0, -1.0 - 0.01 * k]).limit("torque", -10, 10).minimize("time")

    common = asked(shared, 0)

    def work(k):
        problem = common if k % 4 == 0 else asked(shared if k % 2 else lissom.robots.rr(), k)
        found = problem.solve(iterations=15, throw=False, restart=False)
        return [found.path.points, found.objective, found.iterations, str(found.status)]

    return [lambda k=k: work(k) for k in range(count)]


def timing(count):
    shared = lissom.robots.planar_two_link()

    def work(k):
        robot = shared if k % 2 else lissom.robots.planar_two_link()
        found = time_optimal(robot, [[0.0, 0.3], [1.0, -0.5], [1.5, 0.8 + 0.01 * k]], torque=[60.0, 25.0], velocity=4.0)
        return [found.duration, *found.states(np.linspace(0.0, found.duration, 5))]

    return [lambda k=k: work(k) for k in range(count)]


def mjcf(count):
    folder = Path(tempfile.mkdtemp())
    for k in range(4):
        (folder / f"m{k}.xml").write_text(MJCF.format(k=1 + k))

    def work(k):
        robot = lissom.load(folder / f"m{k % 4}.xml")
        return [robot.inverse_dynamics(*state(robot, k)), robot.model.fingerprint]

    return [lambda k=k: work(k) for k in range(count)]


def strict(count, files=20):
    """Read good and doubtful files in turn; `files` of them in each thread."""
    folder = Path(tempfile.mkdtemp())
    for name, x in (("good", 0.1), ("doubtful", 9.0)):
        (folder / f"{name}.urdf").write_text(URDF.format(k=name, x=x))

    def work(k):
        answers = []
        for i in range(files):
            name = ("good", "doubtful")[(i + k) % 2]
            try:
                lissom.load(folder / f"{name}.urdf", strict=True)
                answers.append(name == "good")
            except lissom.ModelError:
                answers.append(name == "doubtful")
        assert all(answers), f"{answers.count(False)} of {files} files answered wrongly"
        return [answers]

    return [lambda k=k: work(k) for k in range(count)]


def forked(count):
    """Fork processes while threads compile; each must come to an end, with the right result."""
    stop = threading.Event()
    shared = [Robot(tree_model(4, seed=100 + k), backend="llvm") for k in range(count)]

    def compile_on(k):
        while not stop.is_set():
            shared[k] = robot = Robot(tree_model(4, seed=100 + k), backend="llvm")
            robot.mass_matrix(state(robot, k)[0])

    def child(k):
        robot, own = shared[k], Robot(tree_model(2, seed=k), backend="llvm")
        expected = Robot(robot.model, backend="numpy").mass_matrix(state(robot, k)[0])
        good = np.allclose(robot.mass_matrix(state(robot, k)[0]), expected, rtol=1e-10, atol=1e-10)
        return good and bool(np.isfinite(own.inverse_dynamics(*state(own, k, (50,)))).all())

    threads = [threading.Thread(target=compile_on, args=(k,)) for k in range(2)]
    for thread in threads:
        thread.start()
    children = []
    for k in range(count):
        time.sleep(0.01)
        if (process := os.fork()) == 0:
            signal.alarm(120)  # ends a child that hangs
            os._exit(0 if child(k % 3) else 1)
        children.append(process)
    stop.set()
    ends = [os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) for process in children]
    for thread in threads:
        thread.join()
    assert ends == [0] * count, ends
    return []


WORK = {f.__name__: f for f in (one, many, closed, elastic, predict, timing, mjcf, strict, forked)}


def in_threads(calls):
    """Run all calls at once; return their results, raise the first error."""
    results, errors, barrier = [None] * len(calls), [], threading.Barrier(max(len(calls), 1))

    def run(k):
        barrier.wait()
        try:
            results[k] = calls[k]()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(k,)) for k in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return results


def same(a, b):
    """Tell whether two results are equal to the last bit."""
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    return np.asarray(a).tobytes() == np.asarray(b).tobytes() if isinstance(a, (np.ndarray, float)) else a == b


def main(names, count):
    """Run each kind of work in threads and serially; print how many results differ."""
    sys.setswitchinterval(1e-5)
    warnings.simplefilter("ignore")
    for name in names.split(","):
        together = in_threads(WORK[name](count))
        alone = [call() for call in WORK[name](count)] if together else []
        wrong = sum(not same(a, b) for a, b in zip(together, alone, strict=True))
        print(f"{name} {count} threads, {wrong} differ", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
