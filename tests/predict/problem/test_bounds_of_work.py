"""Numbers that scale work have bounds: a slip of the hand is refused at once, with what was expected."""

import numpy as np
import pytest

import lissom
from lissom import FileError, MotionProblem, SplinePath, StateError
from lissom.predict.data.columns import Columns
from lissom.predict.problem_file.read import parse
from lissom.predict.transcription.grid import Grid
from lissom.predict.transcription.track import _dense, _sparse
from lissom.spline.basis import Basis
from lissom.timing import time_optimal

HUGE = (10**5, 10**9, 10**12, 10**30)
ARM = lissom.robots.rr()
WAY = SplinePath.between([0, -2], [1, -1], 1.0, 8)


def swing(**options):
    p = MotionProblem(ARM, **{"control_points": 8, "duration": (0.05, 2.0), **options})
    return p.start([0.0, -2.0]).end([1.0, -1.0]).limit("torque", -10, 10).minimize("time")


@pytest.fixture(scope="module")
def found():
    return swing().solve(limit_tolerance=None, restart=False)


@pytest.mark.parametrize("huge", HUGE)
@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda n: swing(control_points=n), "control_points is 1.*, expected 1000 at most"),
        (lambda n: swing(degree=n, control_points=n + 5), "control_points is 1.*, expected 1000 at most"),
        (lambda n: swing(degree=n), "degree is 1.*, expected 100 at most"),
        (lambda n: swing(points_per_span=n), "points_per_span is 1.*, expected an even number from 2 to 200"),
        (lambda n: swing().solve(starts=n), "starts is 1.*, expected a whole number from 1 to 1000"),
        (lambda n: swing().solve(iterations=100 * n), "iterations is 1.*, expected a whole number from 0 to 1000000"),
        (lambda n: swing().solve(refine=n), "refine is 1.*, expected a whole number from 0 to 20"),
        (lambda n: SplinePath.between([0], [1], 1.0, 100 * n), "count is 1.*, expected 1000000 at most"),
        (lambda n: SplinePath.between([0], [1], 1.0, 100 * n, n), "degree is 1.*, expected 100 at most"),
        (lambda n: SplinePath.fit([0, 1], [[0], [1]], 100 * n), "count is 1.*, expected 1000000 at most"),
        (lambda n: time_optimal(ARM, WAY, points=10 * n), "points is 1.*, expected 100000 at most"),
    ],
)  # fmt: skip
def test_numbers_that_are_far_too_large_are_refused_at_once(ask, message, huge):
    with pytest.raises(StateError, match=message):
        ask(huge)


@pytest.mark.parametrize("huge", HUGE)
def test_results_are_not_asked_for_at_too_many_instants(found, huge, tmp_path):
    for ask in (found.times, found.trajectory, lambda n: found.save(tmp_path / "a.csv", n)):
        with pytest.raises(StateError, match="points is 1.*, expected a number of instants from 2, .* to 10000000"):
            ask(1000 * huge)
    with pytest.raises(StateError, match="points is 1.*, expected 10000 at most"):
        found.plot(tmp_path / "a.png", points=huge)
    with pytest.raises(StateError, match="frames is 1.*, expected a whole number from 2 to"):
        found.animate(tmp_path / "a.gif", frames=huge)


@pytest.mark.parametrize(("seed", "message"), [(-1, "at least 0"), (1.5, "a whole"), ("one", "a whole"), (2**70, ".* at most")])
def test_seeds_that_are_none_are_refused(seed, message):
    with pytest.raises(StateError, match=f"seed is .*, expected {message}"):
        swing().solve(starts=2, seed=seed)


@pytest.mark.parametrize(
    "key", ["path: {control_points: 1e5}", "path: {degree: 300, control_points: 400}", "path: {points_per_span: 1e9}"]
)
def test_files_are_refused_at_their_line(key):
    text = f"lissom: 1\nkind: motion\nname: test\nrobot: robots:rr\n{key}\nduration: {{lower: 0.1, upper: 2}}\nminimize: time\n"
    with pytest.raises(FileError, match=":5: .*(at most|from 2 to 200)"):
        parse(text)


def test_large_splines_are_kept_sparse_and_are_the_same():
    grid = Grid([Basis(450, 3)], Columns(2), Basis(450, 3).grid(4))
    dense, sparse = _dense(grid.tracks[0]), _sparse(grid.tracks[0])
    assert all(np.array_equal(one, other.toarray()) for one, other in zip(dense, sparse, strict=True))
    P = np.random.default_rng(0).normal(size=(450, 2))
    path = SplinePath(P, 0.7)
    for order, rate in enumerate(grid.state(P.ravel(), np.array([0.7])).rates):
        assert np.allclose(rate, path.rate(grid.s * 0.7, order), rtol=1e-12, atol=1e-6)


def test_second_derivatives_that_do_not_fit_into_memory_are_refused(monkeypatch):
    problem = MotionProblem(ARM, control_points=24, degree=19, duration=1.0)
    problem.start([0.0, 0.0]).end([1.0, 1.0]).minimize("integral", 1.0, "torque")
    monkeypatch.setattr("lissom.memory.memory", lambda: 100_000)  # for motions, but not for their second derivatives
    with pytest.raises(StateError, match="second derivatives of 5 spans would take .* take fewer, or a lower degree"):
        problem.solve()
