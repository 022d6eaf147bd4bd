"""Uno solves the same programs; only where its package is installed."""

import os
import signal

import numpy as np
import pytest

from lissom import Interrupted, MissingExtraError
from lissom.nlp import Nlp, NlpError, Status
from lissom.nlp import uno as uno_module
from support.programs import HS071_START, banded, hs071, residual, rosenbrock

pytestmark = pytest.mark.usefixtures("interruptible")

pytest.importorskip("unopy")
solve = uno_module.solve


def test_hock_schittkowski_71():
    solution = solve(hs071(), HS071_START)
    assert solution.status is Status.SOLVED
    assert solution.x == pytest.approx([1.0, 4.7429994, 3.8211503, 1.3794082], abs=1e-6)
    assert residual(hs071(), solution) < 1e-6
    assert (solution.lower_multipliers >= 0).all()
    assert (solution.upper_multipliers >= 0).all()


def test_an_upper_bound_has_a_positive_multiplier():
    nlp = Nlp(n=1, objective=lambda x: (x[0] - 3) ** 2, gradient=lambda x: 2 * (x - 3), upper=1.0)
    assert solve(nlp, [0.0]).upper_multipliers == pytest.approx([4.0], abs=1e-6)


def test_the_valley_of_rosenbrock_ends_at_the_circle():
    solution = solve(rosenbrock(1.0), [-1.2, 1.0])
    assert solution.x @ solution.x == pytest.approx(1.0, abs=1e-7)
    assert residual(rosenbrock(1.0), solution) < 1e-6


def test_a_band():
    nlp, target = banded(60)
    assert np.abs(solve(nlp, np.zeros(60)).x - target).max() < 1e-6


def test_a_program_that_cannot_be_fulfilled():
    nlp = rosenbrock(constraint_lower=3.0, constraint_upper=4.0, lower=-1.0, upper=1.0)
    assert solve(nlp, [0.3, 0.2]).status is Status.INFEASIBLE


def test_a_warm_start_takes_fewer_iterations():
    before = solve(hs071(), HS071_START)
    assert solve(hs071(), before.x, multipliers=before).iterations < before.iterations


def test_an_error_in_a_function_comes_out():
    def gradient(x):
        raise ZeroDivisionError("on purpose")

    with pytest.raises(ZeroDivisionError, match="on purpose") as caught:
        solve(hs071(gradient=gradient), HS071_START)
    assert caught.value.solution.status is Status.FAILED


def test_a_step_into_a_region_without_values_is_cut():
    nlp = Nlp(
        n=1,
        objective=lambda x: x[0] - np.log(x[0]) if x[0] > 0 else np.nan,
        gradient=lambda x: 1 - 1 / x,
        hessian_structure=([0], [0]),
        hessian=lambda x, factor, y: factor / x**2,
    )
    solution = solve(nlp, [5.0])  # Newton's first step leads to -15
    assert solution.x == pytest.approx([1.0], abs=1e-6)
    assert solution.evaluations.not_finite > 0


@pytest.mark.skipif(os.name == "nt", reason="os.kill ends the process on Windows")
def test_control_c_and_progress_stop():
    calls = []

    def gradient(x):
        calls.append(x)
        if len(calls) == 2:
            os.kill(os.getpid(), signal.SIGINT)
        return hs071().gradient(x)

    with pytest.raises(Interrupted) as stop:
        solve(hs071(gradient=gradient), HS071_START)
    assert stop.value.result.status is Status.INTERRUPTED
    assert solve(hs071(), HS071_START, progress=lambda i: True).status is Status.STOPPED


def test_what_uno_refuses_is_named():
    with pytest.raises(NlpError, match="Uno refuses the option 'max_itr' = 3"):
        solve(hs071(), HS071_START, options={"max_itr": 3})
    with pytest.raises(NlpError, match="Uno refuses the preset 'best'"):
        solve(hs071(), HS071_START, preset="best")


def test_without_unopy_its_name_is_told(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "unopy", None)
    with pytest.raises(MissingExtraError, match="pip install unopy"):
        solve(hs071(), HS071_START)
