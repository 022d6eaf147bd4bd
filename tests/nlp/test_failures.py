"""Errors, Ctrl-C and values that are not finite, in the middle of IPOPT: nothing crashes and the best point is kept."""

import os
import signal
import traceback

import numpy as np
import pytest

from lissom import Interrupted
from lissom.nlp import Nlp, NlpError, Status, solve
from support.programs import HS071_START, hs071, rosenbrock

pytestmark = pytest.mark.usefixtures("interruptible")

pytest.importorskip("casadi")
NAMES = ("objective", "gradient", "constraints", "jacobian", "hessian")


class OnCall:
    """The function itself, except that one call of it does something else first."""

    def __init__(self, function, call, action):
        self.function, self.left, self.action = function, call, action

    def __call__(self, *arguments):
        self.left -= 1
        if self.left == 0:
            self.action()
        return self.function(*arguments)


def fail():
    raise ZeroDivisionError("on purpose")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("call", [1, 4])
def test_an_error_in_a_function_comes_out_with_its_traceback_and_the_best_point(name, call):
    nlp = hs071(**{name: OnCall(getattr(hs071(), name), call, fail)})
    with pytest.raises(ZeroDivisionError, match="on purpose") as caught:
        solve(nlp, HS071_START)
    assert "fail" in [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]
    assert f"raised by {name} of a nonlinear program" in caught.value.__notes__[0]
    kept = caught.value.solution
    assert kept.status is Status.FAILED
    if kept.history:
        assert hs071().violation(kept.x, kept.constraints) == min(i.violation for i in kept.history)
        assert kept.objective == pytest.approx(hs071().objective(kept.x))
    else:
        assert kept.x.tolist() == HS071_START
    assert solve(hs071(), HS071_START).status.ok  # the next is not affected


def test_an_error_in_evaluate_and_in_progress_comes_out():
    with pytest.raises(ZeroDivisionError):
        solve(hs071(evaluate=OnCall(lambda x: None, 3, fail)), HS071_START)
    with pytest.raises(ZeroDivisionError) as caught:
        solve(hs071(), HS071_START, progress=OnCall(lambda i: None, 3, fail))
    assert caught.value.solution.iterations == 2


@pytest.mark.parametrize("name", NAMES[1:])
def test_a_result_of_the_wrong_size_is_named(name):
    with pytest.raises(NlpError, match=rf"{name} returned shape \(3,\), expected \(\d+,\): one number per"):
        solve(hs071(**{name: lambda *a: np.zeros(3)}), HS071_START)


@pytest.mark.skipif(os.name == "nt", reason="os.kill ends the process on Windows")
@pytest.mark.parametrize("name", NAMES)
def test_control_c_stops_at_the_next_iterate(name):
    before = signal.getsignal(signal.SIGINT)
    interrupt = OnCall(getattr(hs071(), name), 4, lambda: os.kill(os.getpid(), signal.SIGINT))
    with pytest.raises(Interrupted) as stop:
        solve(hs071(**{name: interrupt}), HS071_START)
    solution = stop.value.result
    assert solution.status is Status.INTERRUPTED
    assert 2 <= solution.iterations <= 4
    assert hs071().violation(solution.x, solution.constraints) == min(i.violation for i in solution.history)
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.skipif(os.name == "nt", reason="os.kill ends the process on Windows")
def test_a_second_control_c_leaves_at_once():
    def twice():
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt) as caught:
        solve(hs071(gradient=OnCall(hs071().gradient, 4, twice)), HS071_START)
    assert caught.value.result.iterations >= 2


@pytest.mark.skipif(os.name == "nt", reason="os.kill ends the process on Windows")
def test_control_c_in_an_inner_program_stops_the_outer_one_too():
    def objective(x):
        with pytest.raises(Interrupted) as stop:
            solve(hs071(gradient=OnCall(hs071().gradient, 2, lambda: os.kill(os.getpid(), signal.SIGINT))), HS071_START)
        assert stop.value.result.status is Status.INTERRUPTED
        return float(x @ x)

    with pytest.raises(Interrupted) as stop:
        solve(Nlp(n=1, objective=objective, gradient=lambda x: 2 * x), [0.7])
    solution = stop.value.result
    assert solution.status is Status.INTERRUPTED
    assert solution.iterations == 0


def test_a_handler_of_the_program_itself_is_left_alone():
    def own(number, frame):
        raise AssertionError("never called")

    before = signal.signal(signal.SIGINT, own)
    try:
        solve(hs071(), HS071_START, progress=lambda i: signal.getsignal(signal.SIGINT) is not own)
        assert solve(hs071(), HS071_START, progress=lambda i: signal.getsignal(signal.SIGINT) is not own).status.ok
    finally:
        signal.signal(signal.SIGINT, before)


def barrier(**changes):
    """x - log(x) has its minimum 1 at x = 1 and is not defined below 0; no bound says so."""

    def value(x):
        with np.errstate(invalid="ignore", divide="ignore"):
            return x[0] - np.log(x[0])

    parts = {
        "n": 1,
        "objective": value,
        "gradient": lambda x: 1 - 1 / x,
        "hessian_structure": ([0], [0]),
        "hessian": lambda x, factor, y: factor / x**2,
    }
    return Nlp(**parts | changes)


def test_a_step_into_a_region_without_values_is_cut():
    solution = solve(barrier(), [5.0])  # Newton's first step leads to -15
    assert solution.status is Status.SOLVED
    assert solution.x == pytest.approx([1.0], abs=1e-6)
    assert solution.evaluations.not_finite > 0
    assert "results were not finite; the last was objective = nan" in solution.message


def test_values_that_are_never_finite_are_reported():
    solution = solve(barrier(), [-1.0])
    assert solution.status is Status.EVALUATION_FAILED
    assert "objective = nan" in solution.message
    assert "bound_relax_factor" in solution.status.advice
    solution = solve(hs071(jacobian=lambda x: np.array([1, 1, 1, 1, 1, np.inf, 1, 1])), HS071_START)
    assert solution.status is Status.EVALUATION_FAILED
    assert "jacobian[5] in row 1, column 1 = inf" in solution.message


def test_huge_values_are_still_values():
    # the sum of their squares is not finite, each of them is
    nlp = Nlp(n=2, objective=lambda x: 1e160 * x.sum(), gradient=lambda x: np.full(2, 1e160), lower=0, upper=1)
    assert solve(nlp, [0.5, 0.5], iterations=3).evaluations.not_finite == 0


def test_an_objective_without_a_lower_bound():
    nlp = Nlp(n=1, objective=lambda x: -(x[0] ** 2), gradient=lambda x: -2 * x)
    solution = solve(nlp, [0.1])
    assert solution.status is Status.UNBOUNDED
    assert "sign of the objective" in solution.status.advice


def test_every_status_has_a_meaning_and_an_advice():
    for status in Status:
        assert status.meaning.endswith(".")
        assert status.advice.endswith(".")


def test_the_best_point_is_feasible_even_if_the_last_is_not():
    # a start inside the circle, pulled out of it by the objective
    nlp = rosenbrock(1.0)
    for limit in range(8):
        solution = solve(nlp, [-0.5, 0.2], iterations=limit)
        feasible = [i.objective for i in solution.history if i.violation <= 1e-8]
        if feasible and not solution.status.ok:
            assert solution.objective == min(feasible)
