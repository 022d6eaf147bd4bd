"""Many problems at once: results of solving one by one, in order, whatever happens to some of them."""

import os
import pickle
import signal
import subprocess
import sys
from multiprocessing import get_all_start_methods
from pathlib import Path

import numpy as np
import pytest

import lissom
from lissom import Interrupted, MotionProblem, PredictionError, StateError
from lissom.nlp.status import Status
from lissom.predict import JointMotion, Outcome, Outcomes, solve_many
from lissom.predict.search.progress import Count

pytest.importorskip("casadi")
pytestmark = pytest.mark.usefixtures("interruptible")

RR = lissom.robots.rr()
PAIRS = np.random.default_rng(1).uniform(-1.5, 1.5, (6, 2, 2))


def arm(**options):
    return MotionProblem(RR, control_points=8, duration=(0.05, 2.0), **options).limit("torque", -10, 10).minimize("time")


@pytest.fixture(scope="module")
def alone():
    return [arm().start(a).end(b).solve() for a, b in PAIRS]


@pytest.mark.sweep(1)
@pytest.mark.parametrize("workers, method", [(1, None), (2, "fork"), (3, "spawn")])
def test_many_problems_have_the_solutions_of_each_alone_in_their_order(workers, method, alone):
    if method is not None and method not in get_all_start_methods():
        pytest.skip(f"no {method} here")
    found = solve_many(arm(), PAIRS, workers=workers, method=method)
    assert len(found) == len(alone) and found.success.all() and found.workers == workers
    for outcome, one in zip(found, alone, strict=True):
        assert outcome.objective == pytest.approx(one.objective, rel=1e-9)
        assert outcome.prediction.path.points == pytest.approx(one.path.points, abs=1e-7)
        assert (outcome.status, outcome.iterations, outcome.message) == (one.status, one.iterations, one.message)
        assert [r.label for r in outcome.prediction.limits] == [r.label for r in one.limits]
        assert outcome.prediction.goals[0].value == pytest.approx(one.goals[0].value)
    assert found.durations == pytest.approx([one.duration for one in alone])
    assert found.objectives == pytest.approx(found.durations)  # time is what is minimized
    assert repr(found).startswith("<Outcomes of 6 problems: 6 solved; ")


def test_problems_of_a_generator_may_differ_and_results_are_light(alone):
    other = MotionProblem(lissom.robots.rp(), control_points=8, duration=1.0).start([0.0, 0.5]).end([1.0, 0.6])
    problems = [arm().start(PAIRS[0, 0]).end(PAIRS[0, 1]), other.minimize("integral", 1.0, "torque")]
    found = solve_many((p for p in problems), workers=2)
    assert found.success.all() and found[1].objective == pytest.approx(problems[1].solve().objective)
    assert found[0].prediction.problem is problems[0]
    assert len(pickle.dumps(Outcome.of(0, alone[0]))) < 0.5 * len(pickle.dumps(alone[0]))
    back = pickle.loads(pickle.dumps(found))
    assert back[1].prediction.objective == found[1].objective


@pytest.mark.sweep("2")
@pytest.mark.parametrize("workers", [1, 2])
def test_one_failure_does_not_end_the_others(workers):
    def change(problem, item):
        if item == "wrong":
            problem.start([1.0, 2.0, 3.0])
        problem.start([0.0, -2.0]).end([1.0, -1.0])
        if item == "never":
            problem.limit("velocity", -0.1, 0.1)  # too slow for 2 s
        if item == "error":
            problem.settings["seed"] = -1

    found = solve_many(arm(), ["good", "wrong", "never", "error", "good"], change, workers=workers)
    assert found.success.tolist() == [True, False, False, False, True]
    wrong, never, error = found[1:4]
    assert wrong.status is Status.FAILED and wrong.message.startswith("StateError: start's position")
    assert wrong.problem is None and np.isnan(wrong.duration) and wrong.path is None and not wrong.iterations
    with pytest.raises(PredictionError, match="problem 1 has no motion: StateError: start's position"):
        _ = wrong.prediction
    assert never.status in (Status.INFEASIBLE, Status.RESTORATION_FAILED) and "velocity of joint_1" in never.message
    assert never.prediction.violation > 0.1
    assert error.status is Status.FAILED and isinstance(error.error, StateError) and np.isnan(error.objective)
    assert found.failures == (wrong, never, error) and found.counts[Status.SOLVED] == 2


class Deadly(JointMotion):
    """A velocity that ends the process that asks for it, as a library that crashes does."""

    def values(self, state):
        if os.getpid() != FIRST and state.rates[0][0, 0] > 1.0:
            os._exit(7)
        return super().values(state)


FIRST = os.getpid()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_process_that_ends_loses_one_problem():
    names = RR.joint_names
    problem = arm().limit(Deadly("speed", 1, names, ["rad/s"] * 2), -100, 100)
    starts = [0.0, 0.1, 1.2, 0.2, 1.3, 0.3]
    found = solve_many(problem, [([x, 0.0], [x + 0.5, 0.0]) for x in starts], workers=2, method="fork")
    assert found.success.tolist() == [True, True, False, True, False, True]
    assert found[2].message == "its process ended with exit code 7" and found[2].status is Status.FAILED


@pytest.mark.sweep("2")
@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_stops_all_and_keeps_what_is_done(workers):
    done = []

    def press(outcome):
        done.append(outcome.number)
        if len(done) == 3:
            os.kill(os.getpid(), signal.SIGINT)

    pairs = np.tile(PAIRS, (20, 1, 1))
    with pytest.raises(Interrupted, match="stopped from the keyboard; [3-9] of 120 problems are done") as stop:
        solve_many(arm(), pairs, workers=workers, progress=press)
    found = stop.value.result
    assert isinstance(found, Outcomes) and len(found) == 120
    assert {k for k, outcome in enumerate(found) if outcome.success} == set(done)
    assert sum(outcome.status is Status.INTERRUPTED for outcome in found) == 120 - len(done)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.parametrize("times", [1, 2])
def test_ctrl_c_in_a_solve_of_this_process_keeps_the_others(times):
    problems = [arm().start(a).end(b) for a, b in PAIRS[:3]]
    left = []

    class Pressing(JointMotion):
        def derivatives(self, state):
            if left:
                left.pop()
                os.kill(os.getpid(), signal.SIGINT)
            return super().derivatives(state)

    slow = Pressing("speed", 1, RR.joint_names, ["rad/s"] * 2)
    problems[1].limit(slow, -100, 100)
    left.extend(range(times))
    with pytest.raises(Interrupted) as stop:
        solve_many(problems, workers=1)
    found = stop.value.result
    assert [outcome.status for outcome in found][::2] == [Status.SOLVED, Status.INTERRUPTED]
    assert found[1].success == (times == 1)  # pressed while it is prepared: that problem is the last


@pytest.mark.sweep("2")
@pytest.mark.parametrize("workers", [1, 2])
def test_the_progress_function_sees_outcomes_and_can_stop(workers):
    seen = []
    found = solve_many(arm(), PAIRS, workers=workers, progress=lambda outcome: seen.append(outcome) or len(seen) == 2)
    assert len(seen) == 2 and all(outcome.success for outcome in seen)
    assert sum(outcome.status is Status.STOPPED for outcome in found) == 4
    with pytest.raises(ZeroDivisionError):  # its own error comes through
        solve_many(arm(), PAIRS, workers=workers, progress=lambda outcome: 1 / 0)


def test_the_line_of_many_problems_counts():
    line = Count("a\nb", 4, [None] * 4)
    assert line.share == 0.0
    assert line(Outcome(0, Status.SOLVED, "")).startswith(r"a\nb: 1 of 4 done, 1 solved, ")
    assert line(Outcome(2, Status.INFEASIBLE, "")).startswith(r"a\nb: 2 of 4 done, 1 solved, ")
    assert line.share == 0.5


def test_nothing_to_solve_is_no_error():
    assert repr(solve_many([])).startswith("<Outcomes of 0 problems; ")


def test_wrong_arguments_are_refused():
    for problems, options, message in [
        (3, {}, "problems is 3, expected motion problems, or one and items"),
        ([arm(), 3], {}, "problem 1 is int, expected a MotionProblem"),
        (arm(), {}, r"one problem needs items: pairs of positions"),
        (arm(), {"items": PAIRS[..., :1]}, r"items have shape \(\d+, 2, 1\), expected \(N, 2, 2\): pairs of positions"),
        (arm(), {"items": PAIRS[:, 0]}, r"items have shape \(\d+, 2\), expected \(N, 2, 2\)"),
        ([arm()], {"items": PAIRS}, "items and change belong to one problem"),
        (arm(), {"items": [1], "change": lambda p, item: 7}, "change returned int, expected the problem"),
        ([arm()], {"workers": 0}, "workers is 0, expected"),
        ([arm()], {"method": "thread"}, "no way to start processes is called 'thread' here"),
        ([arm()], {"throw": True}, "solve_many has no throw"),
        ([arm()], {"refin": 2}, r"solve has no option 'refin'; did you mean 'refine'\?"),
        ([arm()], {"progress": 3}, "progress is 3, expected True, or a function that is called with every outcome"),
    ]:
        with pytest.raises(StateError, match=message):
            solve_many(problems, **options)
    assert "item is 5, expected a pair" in solve_many(arm(), [5]).failures[0].message


SCRIPT = """
import lissom
p = lissom.MotionProblem(lissom.robots.rr(), control_points=8, duration=(0.05, 2.0)).limit("torque", -10, 10).minimize("time")
lissom.predict.solve_many(p, [([0, 0], [1, 1]), ([0, 0], [1, 0])], workers=2, method="spawn")
"""


@pytest.mark.slow
def test_a_script_without_a_guard_is_told_so(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    environment = {**os.environ, "PYTHONPATH": str(Path(lissom.__file__).parent.parent)}
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120, env=environment)
    assert "StateError: a worker process ended with exit code 1 before it began; a script" in done.stderr
