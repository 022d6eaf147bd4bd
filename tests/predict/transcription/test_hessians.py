"""Second derivatives of Gauss and Newton beside products of first ones, and when they are taken."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import coo_matrix

import lissom
from lissom import MotionProblem, Robot, StateError
from lissom.nlp.status import Status
from lissom.predict.search import run as runs
from lissom.predict.search.run import Run
from lissom.predict.search.starts import straight
from lissom.robots import tree_model

pytest.importorskip("casadi")
ARM = Robot(tree_model(3, branching=1, skew=0.6, seed=8, kinds=["revolute", "prismatic", "revolute"], drives=False))


def goals(p):
    p.channel("push", ("fx", "fz"), link=ARM.link_names[-1])
    p.limit("torque", -60, 60).limit("velocity", -2, 2, hull=True).limit("link_position", -2, 2, link=ARM.link_names[-1])
    p.minimize("time", 0.3).minimize("integral", 0.2, "push").minimize("integral", 0.3, "torque")
    p.minimize("integral", 1e-2, "kinetic_energy", square=False).minimize("integral", 1e-3, "power")
    return p.minimize("integral", 0.1, "link_velocity", link=ARM.link_names[-1])


def transcribed(problem, seed):
    motion = straight(problem)
    found = Run(problem, "ipopt", 1e-8, 10, {}, None)._transcription(motion, {})
    rng = np.random.default_rng(seed)
    points = rng.uniform(-0.2, 0.2, found.size)
    return found, np.concatenate([points, rng.uniform(0.6, 0.9, found.peaks_at - found.size)])


def whole(found, x, factor, multipliers):
    rows, columns = found.hessian_structure()
    half = coo_matrix((found.hessian(x, factor, multipliers), (rows, columns)), shape=(len(x), len(x))).toarray()
    return half + half.T - np.diag(np.diag(half))


def residuals(found, x):
    """Roots of all squares that are minimized, each at every instant."""
    found.evaluate(x)
    roots = []
    for group in found.groups:
        for integral in group.integrals:
            if integral.square:
                share = np.sqrt(integral.weight * group.grid.weights * found.T[group.grid.clock])
                roots.append((share[:, None] * np.sqrt(integral.factors) * group.y).ravel())
    return np.concatenate(roots)


@pytest.mark.parametrize("phases", [None, {"one": (0.2, 0.8), "two": 0.5}])
def test_gauss_newton_is_the_square_of_first_derivatives(phases):
    p = MotionProblem(ARM, control_points=7, points_per_span=2, duration=(0.3, 2.0))
    found, x = transcribed(goals(p.phases(phases) if phases else p), seed=1)
    found.exact, h = False, 1e-6
    J = np.stack([(residuals(found, x + h * e) - residuals(found, x - h * e)) / (2 * h) for e in np.eye(len(x))], axis=1)
    found.evaluate(x)
    H = whole(found, x, 1.3, np.ones(found.rows))
    assert np.abs(H - 1.3 * 2.0 * J.T @ J).max() < 1e-6 * np.abs(H).max()
    assert np.linalg.eigvalsh(H).min() > -1e-9 * np.abs(H).max()


def test_both_are_equal_where_quantities_are_linear():
    p = MotionProblem(ARM, control_points=7, duration=1.2).start(np.zeros(3)).end(np.ones(3))
    found, x = transcribed(p.minimize("integral", 0.7, "acceleration").limit("velocity", -5, 5), seed=2)
    fixed = len(x) - 1  # the duration, whose own derivatives differ
    found.evaluate(x)
    exact = whole(found, x, 1.0, np.ones(found.rows))[:fixed, :fixed]
    found.exact = False
    assert np.abs(whole(found, x, 1.0, np.ones(found.rows))[:fixed, :fixed] - exact).max() < 1e-12 * np.abs(exact).max()


def effort():
    p = MotionProblem(lissom.robots.rr(), control_points=12, duration=0.6).start([0.0, -2.0]).end([1.0, -1.0])
    return p.limit("torque", -10, 10).minimize("integral", 1.0, "torque")


def test_all_ways_find_the_same_motion():
    found = {name: effort().solve(hessian=name) for name in ("auto", "exact", "gauss-newton")}
    assert found["auto"].iterations == found["exact"].iterations
    for prediction in found.values():
        assert prediction.success and prediction.objective == pytest.approx(found["exact"].objective, rel=1e-6)


@pytest.mark.parametrize("hessian", ["auto", "exact"])
@pytest.mark.parametrize("status", [Status.RESTORATION_FAILED, Status.ITERATION_LIMIT])
def test_auto_goes_on_with_gauss_newton_where_exact_ones_fail(monkeypatch, hessian, status):
    solve, kinds = runs.ipopt.solve, []

    def failing(nlp, x, **options):
        found = solve(nlp, x, **options)
        kinds.append(True)
        return replace(found, status=status) if len(kinds) == 1 else found

    monkeypatch.setattr(runs.ipopt, "solve", failing)
    found = effort().solve(hessian=hessian, restart=False, throw=False)
    switched = hessian == "auto" and status is Status.RESTORATION_FAILED
    assert found.success == switched
    if switched:
        assert len(kinds) == 2


def test_an_unknown_kind_is_refused():
    with pytest.raises(StateError, match="no hessian 'gauss'"):
        effort().solve(hessian="gauss")
