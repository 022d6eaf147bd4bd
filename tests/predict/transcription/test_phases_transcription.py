"""Transcription of problems with phases: derivatives of whole problems beside differences, and where their instants are."""

import numpy as np
import pytest

from lissom import MotionProblem, Robot, SplinePath
from lissom.nlp import check_derivatives
from lissom.predict.data.motion import idle
from lissom.predict.search.run import Run
from lissom.predict.transcription.instants import along, collocation
from lissom.robots import tree_model

ARM = Robot(tree_model(3, branching=1, skew=0.6, seed=8, kinds=["revolute", "prismatic", "revolute"], drives=False))
TIP, JOINT = ARM.link_names[-1], ARM.joint_names[1]
FIXED = {"one": 0.4, "two": 0.9, "three": 0.3}
FREE = {"one": (0.2, 0.8), "two": 0.9, "three": (0.1, 0.7)}


def transcription(problem):
    run = Run(problem, "ipopt", 1e-8, 10, {}, None)
    path = SplinePath(np.zeros((problem.basis.count, ARM.nv)), 1.0, basis=problem.basis)
    return run._transcription(idle(path, problem.channels, problem.timing), {})


def random_x(found, durations, seed=0):
    rng = np.random.default_rng(seed)
    peaks = rng.uniform(0.5, 1.0, len(found.parts.peaks))
    x = np.concatenate([rng.uniform(-0.2, 0.2, found.size), durations, peaks])
    found.lower[:], found.upper[:] = -np.inf, np.inf
    found.lower[found.size : found.peaks_at] = 1e-3
    return x


def problem(durations, degree=3, smooth=None):
    p = MotionProblem(ARM, control_points=degree + 5, degree=degree, points_per_span=2)
    p.phases(durations, smooth=smooth)
    p.channel("push", ("fx", "fz"), link=TIP, point=(0.1, 0.0, 0.2), during=["two", "three"])
    p.channel("place", ("a", "b"), unit="m", degree=0, during="two").channel("hold", "fy", link=ARM.link_names[2], axes="link")
    p.channel("early", "e", unit="1", degree=2, during="one")
    p.limit("torque", -60, 60).limit("torque", -50, 50, during="two").limit("push", -5, 5).limit("place", 0, 1, entries="b")
    p.limit("velocity", -2, 2, hull=True).limit("acceleration", -9, 9, hull=True).limit("torque", 0, 0, at="knots", entries=JOINT)
    p.limit("link_position", [0.1, 0.2, 0.3], 2.0, at=[0, 1], link=TIP, during=["two", "three"])
    p.limit("link_position", -1, 1, at=[0.3, 1.0], link=TIP, during="one").limit("push_rate", -9, 9, entries="fz")
    p.minimize("time", 0.3).minimize("integral", 0.2, "push").minimize("integral", 0.3, "torque", during=["one", "three"])
    p.minimize("peak", 0.2, "torque", scale=5.0, during="three").minimize("integral", 1e-2, "early", square=False)
    p.minimize("integral", 0.1, "place").minimize("integral", 0.1, "hold").minimize("integral", 0.1, "power")
    p.start([0.1, 0.2, -0.3], velocity=[0.5, 0.0, -0.4]).same_at_both_ends("acceleration")
    return p.same_at_both_ends("velocity", pairs=[((ARM.joint_names[0], JOINT), ARM.joint_names[2], -1.0)])


@pytest.mark.sweep(1)
@pytest.mark.parametrize("smooth", [None, 1])
@pytest.mark.parametrize("degree", [3, 5])
@pytest.mark.parametrize("durations", [FIXED, FREE], ids=["fixed", "free"])
def test_derivatives_of_problems_with_phases_are_those_of_differences(durations, degree, smooth):
    found = transcription(problem(durations, degree, smooth))
    x = random_x(found, [1.7] if durations is FIXED else [0.6, 0.9, 0.4], seed=degree)
    told = check_derivatives(found.nlp(), x, factor=1.3, tolerance=2e-5)
    assert told.ok, told
    rows, columns = found.hessian_structure()
    assert (rows >= columns).all() and len(set(zip(rows.tolist(), columns.tolist(), strict=True))) == len(rows)


def test_boundaries_have_instants_on_both_sides_and_integrals_add_up():
    p = MotionProblem(ARM, control_points=9).phases(FREE)
    whole = along(p.timing, p.basis, 4)
    parts = [along(p.timing, p.basis, 4, (k,)) for k in range(3)]
    assert len(whole) == sum(len(part) for part in parts) == p.basis.spans * 4 + 3
    assert whole.left.sum() == 2 and (whole.s[whole.left] == p.timing.ends[1:3]).all()
    for k, part in enumerate(parts):
        assert (part.clock == k).all()
        assert part.weights.sum() == pytest.approx(1.0, abs=1e-14)
        share = (part.s - p.timing.ends[k]) / (p.timing.ends[k + 1] - p.timing.ends[k])
        assert part.weights @ share**3 == pytest.approx(0.25, abs=1e-14)


@pytest.mark.parametrize("degree", [2, 3, 4, 5, 7])
def test_equations_at_knots_are_as_many_as_the_acceleration_has_free_numbers(degree):
    p = MotionProblem(ARM, control_points=degree + 8, degree=degree)
    instants = collocation(p.timing, p.basis, [])
    assert len(instants) == p.basis.count - 2
    matrix = p.basis.matrix(instants.s, 2).toarray()
    assert np.linalg.matrix_rank(matrix) == len(instants)
    if degree == 3:
        assert np.array_equal(instants.s, p.basis.span_ends)


@pytest.mark.parametrize("durations", [FIXED, FREE], ids=["fixed", "free"])
@pytest.mark.parametrize(("degree", "smooth"), [(3, 1), (3, 2), (5, 1), (5, 2), (5, 4)])
def test_equations_at_knots_of_phases_count_the_freedom_that_continuity_leaves(durations, degree, smooth):
    p = MotionProblem(ARM, control_points=degree + 8, degree=degree).phases(durations, smooth=smooth)
    torque = p.quantities.get("torque")
    found = transcription(p.minimize("integral", 1.0, "torque"))
    instants = collocation(p.timing, p.basis, found.jumps(torque))
    rows = sum(joins.size for _, joins in found.joins) // ARM.nv
    assert len(instants) == p.basis.count - rows - 2  # accelerations do not tell one position and one velocity
