"""Kernels in which warps work on different limbs: what each of them computes, results beside NumPy, and robots without limbs."""

import dataclasses

import numpy as np
import pytest

from lissom import Robot
from lissom.compiler.cuda.kernel import Kernel, Shape
from lissom.compiler.cuda.limbs import limbs_of, shared_out
from lissom.compiler.cuda.order import needs
from lissom.compiler.cuda.tiers import COMPUTE, FETCH, KEEP, LOAD, early, plan
from lissom.compiler.cuda.warps import WARPS, best_kernel
from lissom.robot.catalogue import CATALOGUE
from lissom.robots import panda_model, tree_model
from support.ptx import compute
from support.states import error, random_states

MODEL = tree_model(13, branching=4.0, seed=3, floating=True, kinds=["revolute", "prismatic"])  # four limbs


def program(name, model=MODEL, **options):
    return CATALOGUE[name].maker(model, **options).program(name)


@pytest.mark.parametrize("name", ["inverse_dynamics", "forward_dynamics"])
def test_warps_compute_all_and_wait_for_what_others_compute(name):
    p = program(name)
    need = needs(p)
    shared = shared_out(p, need, limbs_of(MODEL, WARPS), WARPS)
    done = [set(share.need.operands) for share in shared.shares]
    assert set().union(*done) == set(need.operands)
    for share, own in zip(shared.shares, done, strict=True):
        phases = [max(shared.phase[k], 1) for k in share.order]
        assert phases == sorted(phases)
        assert {k for k in share.order if shared.phase[k]} == {k for k in own if shared.phase[k]}
        for x in share.given:
            assert sum(x in other for other in done) == 1
            users = [k for k in share.order if x in need.operands[k]]
            assert all(shared.phase[k] == shared.phase[x] + 1 for k in users)
    entries = [[k >= 0 for k in share.results[0]] for share in shared.shares]
    assert (np.sum(entries, axis=0) == 1).all()


@pytest.mark.parametrize("room", [65_000, 110_000])
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("forward_dynamics", {}),
        ("inverse_dynamics", {}),
        pytest.param("inverse_dynamics_derivatives", {"packed": True}, marks=pytest.mark.slow),
    ],
)
def test_results_are_those_of_numpy(monkeypatch, name, options, room):
    monkeypatch.setattr(Kernel, "local", True)
    p, n = program(name, **options), 45
    kernel = best_kernel(p, ["columns"] * 4, False, Shape(shared=room), MODEL)
    assert kernel.samples == 32
    assert kernel.shared <= room
    state = random_states(MODEL, n)
    flag, (found,) = compute(kernel, p, ["columns"] * 4, state, n)
    expected = getattr(Robot(MODEL, backend="numpy"), name)(*state, **options)
    expected = expected if isinstance(expected, np.ndarray) else np.stack(list(expected), axis=-2)
    assert not flag
    assert error(found, expected.reshape(n, -1)) < 1e-12
    state[1][33, -1] = np.nan
    assert compute(kernel, p, ["columns"] * 4, state, n)[0] == 1


def test_robots_without_limbs_and_other_programs_have_a_thread_a_sample(monkeypatch):
    monkeypatch.setattr(Kernel, "local", True)
    assert limbs_of(panda_model(), WARPS) is None
    assert best_kernel(program("forward_dynamics", panda_model()), ["columns"] * 4, False, Shape(), panda_model()).samples == 0
    p = program("forward_dynamics")
    assert best_kernel(p, ["rows"] * 4, False, Shape(), MODEL).samples == 0
    assert best_kernel(p, ["columns"] * 4, True, Shape(), MODEL).samples == 0
    other = dataclasses.replace(p, inputs=(p.inputs[0], dataclasses.replace(p.inputs[1], name="given"), p.inputs[2]))
    assert shared_out(other, needs(other), limbs_of(MODEL, WARPS), WARPS) is None
    slopes = program("forward_dynamics_derivatives")  # all of them depend on all limbs
    assert shared_out(slopes, needs(slopes), limbs_of(MODEL, WARPS), WARPS) is None
    assert best_kernel(p, ["columns"] * 4, False, Shape(shared=20_000), MODEL).samples == 0


def test_loads_come_early_and_not_before_what_they_need():
    p = program("inverse_dynamics")
    need = needs(p)
    steps = plan(p, need, list(need.operands), 20).steps
    moved = early(steps, 12, 3)
    assert sorted(moved) == sorted(steps)
    assert [x for x in moved if x.what not in (LOAD, FETCH)] == [x for x in steps if x.what not in (LOAD, FETCH)]
    kept = set()
    for step in moved:
        if step.what == KEEP:
            kept.add(step.value)
        assert step.what != FETCH or step.value in kept
    place = {id(x): i for i, x in enumerate(moved)}
    ahead = [
        sum(y.what == COMPUTE for y in moved[place[id(x)] :]) - sum(y.what == COMPUTE for y in steps[i:])
        for i, x in enumerate(steps)
    ]
    assert max(ahead) == 12
