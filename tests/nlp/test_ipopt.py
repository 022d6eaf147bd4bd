"""IPOPT finds known solutions, warm starts help, and its options, log and memory behave."""

import gc
import weakref
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from lissom.nlp import Nlp, NlpError, Status, solve
from support.programs import HS071_START, banded, hs071, residual, rosenbrock

pytest.importorskip("casadi")


@pytest.mark.parametrize("changes", [{}, {"hessian": None, "hessian_structure": ((), ())}], ids=["exact", "limited memory"])
def test_hock_schittkowski_71(changes):
    nlp = hs071(**changes)
    solution = solve(nlp, HS071_START)
    assert solution.status is Status.SOLVED
    assert solution.status.ok
    assert solution.objective == pytest.approx(17.0140173, abs=1e-6)  # Hock and Schittkowski 1981
    assert solution.x == pytest.approx([1.0, 4.7429994, 3.8211503, 1.3794082], abs=1e-6)
    assert solution.constraints == pytest.approx([25.0, 40.0], abs=1e-6)
    assert residual(nlp, solution) < 1e-6
    assert (solution.lower_multipliers >= 0).all()
    assert (solution.upper_multipliers >= 0).all()
    assert solution.multipliers[0] < 0  # at its lower bound


def test_the_valley_of_rosenbrock_ends_at_the_circle():
    inside, held = solve(rosenbrock(3.0), [-1.2, 1.0]), solve(rosenbrock(1.0), [-1.2, 1.0])
    assert inside.x == pytest.approx([1.0, 1.0], abs=1e-7)
    assert inside.objective == pytest.approx(0.0, abs=1e-12)
    assert held.x @ held.x == pytest.approx(1.0, abs=1e-7)
    assert held.multipliers[0] > 0
    assert residual(rosenbrock(1.0), held) < 1e-7


def test_two_thousand_variables_in_a_band():
    points = []
    nlp, target = banded(2000, points.append)
    solution = solve(nlp, np.zeros(2000))
    assert solution.status is Status.SOLVED
    assert np.abs(solution.x - target).max() < 1e-6
    assert len(points) == solution.evaluations.points
    assert len({x.tobytes() for x in points}) == len(points)  # evaluate is called once for each x


def test_without_constraints_and_with_a_variable_that_is_fixed():
    nlp = Nlp(n=3, lower=[-9, 2, -9], upper=[9, 2, 9], objective=lambda x: x @ x - 2 * x.sum(), gradient=lambda x: 2 * x - 2)
    solution = solve(nlp, [3.0, 3.0, 3.0])
    assert solution.x == pytest.approx([1.0, 2.0, 1.0], abs=1e-7)


def test_all_functions_at_one_x_get_the_same_read_only_array():
    seen = []

    def note(function):
        return lambda x, *rest: (seen.append(x), function(x, *rest))[1]

    nlp = hs071()
    names = ("objective", "gradient", "constraints", "jacobian", "hessian")
    solution = solve(hs071(**{name: note(getattr(nlp, name)) for name in names}), HS071_START)
    assert not any(x.flags.writeable for x in seen)
    assert len({id(x) for x in seen}) == len({x.tobytes() for x in seen}) == solution.evaluations.points


def test_a_warm_start_takes_fewer_iterations():
    nlp = hs071(constraint_lower=[25.0, 40.1], constraint_upper=[np.inf, 40.1])
    before = solve(hs071(), HS071_START)
    cold, warm = solve(nlp, before.x), solve(nlp, before.x, multipliers=before)
    assert warm.iterations < cold.iterations
    assert warm.x == pytest.approx(cold.x, abs=1e-6)
    parts = (before.multipliers, before.lower_multipliers, before.upper_multipliers)
    assert solve(nlp, before.x, multipliers=parts).iterations == warm.iterations
    again = solve(hs071(), before.x, multipliers=before)
    assert again.iterations <= 2


def test_a_program_that_cannot_be_fulfilled():
    nlp = rosenbrock(constraint_lower=3.0, constraint_upper=4.0, lower=-1.0, upper=1.0)
    solution = solve(nlp, [0.3, 0.2])
    assert solution.status is Status.INFEASIBLE
    assert not solution.status.ok
    assert "constraint or bound is 1" in solution.message
    assert np.abs(solution.x) == pytest.approx([1.0, 1.0], abs=1e-4)  # the corners come closest
    assert "relax their bounds" in solution.status.advice


def test_more_equations_than_variables():
    nlp = Nlp(
        n=1,
        objective=lambda x: 0.0,
        gradient=lambda x: [0.0],
        m=2,
        constraints=lambda x: [x[0], x[0]],
        constraint_lower=[1, 2],
        constraint_upper=[1, 2],
        jacobian_structure=([0, 1], [0, 0]),
        jacobian=lambda x: [1.0, 1.0],
    )
    assert solve(nlp, [0.0]).status is Status.TOO_MANY_EQUATIONS


def test_the_limit_of_iterations_keeps_the_best_point():
    solution = solve(rosenbrock(3.0), [-1.2, 1.0], iterations=4)
    assert solution.status is Status.ITERATION_LIMIT
    assert solution.iterations == 4
    assert solution.objective == min(i.objective for i in solution.history if i.violation <= 3e-8)  # of 3, the bound
    assert solution.objective == rosenbrock().objective(solution.x)


def test_progress_sees_each_iteration_and_may_stop():
    seen = []
    whole = solve(hs071(), HS071_START, progress=seen.append)
    assert tuple(seen) == whole.history
    assert [i.iteration for i in seen] == list(range(whole.iterations + 1))
    assert seen[-1].violation < 1e-6
    assert seen[-1].objective == pytest.approx(whole.objective, abs=1e-6)
    stopped = solve(hs071(), HS071_START, progress=lambda i: i.iteration == 3)
    assert stopped.status is Status.STOPPED
    assert stopped.iterations == 3


def test_options_reach_ipopt():
    assert solve(hs071(), HS071_START, options={"max_iter": 2}).status is Status.ITERATION_LIMIT
    assert solve(hs071(), HS071_START, options={"honor_original_bounds": True}).x[0] >= 1.0
    assert solve(hs071(), HS071_START, options={"mu_init": 1, "max_wall_time": np.float64(50)}).status.ok


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_itr": 5}, r"refuses the option 'max_itr' = 5: no such option.*did you mean 'max_iter'\?"),
        ({"tol": -1.0}, r"refuses the option 'tol' = -1\.0: the value is of the wrong type, or out of its range"),
        ({"max_iter": 2**40}, "refuses the option 'max_iter' = 1099511627776"),
        ({"tol": [1]}, r"the option 'tol' is \[1\]; expected a string"),
        ({3: 4}, "the name of an option is 3, expected a string"),
    ],
)
def test_an_option_that_ipopt_refuses_is_named(options, message):
    with pytest.raises(NlpError, match=message):
        solve(hs071(), HS071_START, options=options)


@pytest.mark.parametrize(
    ("x0", "more", "message"),
    [
        ([1.0, 2.0], {}, r"x0 has shape \(2,\), expected \(4,\): n = 4"),
        ([1, 2, np.inf, 1], {}, r"x0\[2\] is inf; expected finite numbers"),
        ("here", {}, "x0 is not an array of numbers"),
        (HS071_START, {"multipliers": ([1.0], np.zeros(4), np.zeros(4))}, r"multipliers\[0\] has shape \(1,\), expected \(2,\)"),
        (HS071_START, {"multipliers": 3}, "multipliers must be a Solution, or the tuple"),
    ],
)
def test_a_start_of_the_wrong_size_is_named(x0, more, message):
    with pytest.raises(NlpError, match=message):
        solve(hs071(), x0, **more)


def test_ipopt_is_silent_unless_asked_and_reads_no_file(capfd, tmp_path, monkeypatch):
    (tmp_path / "ipopt.opt").write_text("max_iter 1\n")
    monkeypatch.chdir(tmp_path)
    assert solve(hs071(), HS071_START).status is Status.SOLVED
    assert capfd.readouterr() == ("", "")
    solve(hs071(), HS071_START, verbose=True)
    assert "Number of Iterations" in capfd.readouterr().out


def test_nothing_is_kept_when_a_solution_is_done():
    gc.collect()
    gc.disable()
    try:
        nlp = hs071()
        alive = weakref.ref(nlp)
        solve(nlp, HS071_START)
        del nlp
        assert alive() is None
    finally:
        gc.enable()


def test_a_program_solved_inside_a_function_of_another():
    def objective(x):
        inner = solve(rosenbrock(3.0), [x[0], 0.0])
        return float(x @ x + inner.objective)

    nlp = Nlp(n=1, objective=objective, gradient=lambda x: 2 * x)
    assert solve(nlp, [0.7]).x == pytest.approx([0.0], abs=1e-6)


def test_threads_solve_at_the_same_time():
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda k: solve(hs071(), [1.0, 5.0, 5.0, 1.0 + 0.1 * k]), range(12)))
    for solution in found:
        assert solution.objective == pytest.approx(17.0140173, abs=1e-6)


def test_the_threads_of_its_linear_algebra_are_held_while_it_solves():
    from lissom.nlp import library

    threads = library.threads()
    if threads is None:
        pytest.skip("IPOPT uses another library here")
    before, seen = threads.get(), []
    threads.set(2)
    try:
        program = Nlp(n=1, objective=lambda x: float(x[0] ** 2), gradient=lambda x: 2 * x)
        solve(program, [3.0], progress=lambda iterate: seen.append(threads.get()))
        assert set(seen) == {1}
        assert threads.get() == 2
    finally:
        threads.set(before)
