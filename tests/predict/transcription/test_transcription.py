"""Transcription: derivatives of whole problems beside finite differences, structures as sparse as the splines, Simpson's rule."""

import numpy as np
import pytest

import lissom
from lissom import MotionProblem, Robot
from lissom.nlp import check_derivatives
from lissom.predict import Quantity
from lissom.predict.data.motion import idle
from lissom.predict.search.run import Run
from lissom.predict.transcription.instants import simpson
from lissom.robots import tree_model
from lissom.spline import Basis

ARM = Robot(tree_model(3, branching=1, skew=0.6, seed=8, kinds=["revolute", "prismatic", "revolute"], drives=False))
TIP, JOINT = ARM.link_names[-1], ARM.joint_names[1]


def transcription(problem):
    """Return the transcription of a problem on its own basis."""
    run = Run(problem, "ipopt", 1e-8, 10, {}, None)
    path = lissom.SplinePath(np.zeros((problem.basis.count, problem.robot.nv)), 1.0, problem.basis.degree)
    return run._transcription(idle(path, problem.channels), {})


def random_x(found, seed=0):
    """Return random unknowns, whatever the bounds: derivatives hold everywhere."""
    rng = np.random.default_rng(seed)
    peaks = rng.uniform(0.5, 1.0, len(found.parts.peaks))
    x = np.concatenate([rng.uniform(-0.7, 0.7, found.size), rng.uniform(2.0, 2.5, 1), peaks])
    found.lower[:], found.upper[:] = -np.inf, np.inf
    found.lower[found.size] = 1e-3
    return x


def problem(degree=3, duration=(0.2, 5.0), **options):
    return MotionProblem(ARM, control_points=degree + 4, degree=degree, points_per_span=2, duration=duration, **options)


def limited(p):
    """Limits of several quantities, all the time and at chosen instants, with scales and with some entries only."""
    return (
        p.limit("torque", -60, 60)
        .limit("torque", -50, None, entries=ARM.joint_names[2], scale=0.5)
        .limit("velocity", {JOINT: -1.0}, 2.0)
        .limit("torque_rate", -90, [80, 90, 100])
        .limit("link_position", [0.1, 0.2, 0.3], 2.0, at=[0.31, 1.0], link=TIP, point=(0.1, 0.0, 0.2))
        .limit("link_rotation", lower=0.5, entries=["R00", "R22"], at=0.5, link=TIP)
        .limit("position", -2, 2, at=[0.31, 1.0])
        .limit("joint_wrench", -50, 50, joint=JOINT, components=("fx", "mz"))
        .limit("power", None, 30.0)
        .avoid(TIP, center=(0.3, 0.1, 0.2), distance=0.2)
        .limit("distance_squared", lower=0.01, link=TIP, other=ARM.link_names[1])
    )


def minimized(p):
    return (
        p.minimize("time", 0.7)
        .minimize("integral", 0.3, "torque")
        .minimize("integral", 0.2, "torque", entries=ARM.joint_names[0], square=False)
        .minimize("integral", 1e-4, "jerk")
        .minimize("integral", 0.4, "kinetic_energy", square=False)
        .minimize("integral", 0.05, "power")
        .minimize("peak", 0.2, "torque", scale=[5.0, 6.0, 7.0])
        .minimize("peak", 0.1, "joint_wrench", joint=JOINT, components=("fx", "fy", "fz"))
    )


def ended(p):
    """Ends with velocities, accelerations and repeats."""
    p.start([0.1, 0.2, -0.3], velocity=[0.5, 0.0, -0.4], acceleration=0.0).end(None, velocity=[0.0, 0.3, 0.1], acceleration=0.0)
    pairs = [(ARM.joint_names[0], ARM.joint_names[2], -1.0)]
    return p.same_at_both_ends("velocity").same_at_both_ends("position", "acceleration", pairs=pairs)


KINDS = {
    "limits": limited,
    "goals": minimized,
    "ends": lambda p: ended(p).minimize("time"),
    "all": lambda p: ended(minimized(limited(p))),
}


@pytest.mark.parametrize(
    ("kind", "degree", "duration"),
    [
        *((kind, degree, (0.2, 5.0)) for kind in ("limits", "goals", "ends") for degree in (3, 5)),
        ("all", 3, (0.2, 5.0)),
        ("all", 3, 2.1),
    ],
)
def test_derivatives_of_whole_problems_are_those_of_differences(kind, degree, duration):
    found = transcription(KINDS[kind](problem(degree, duration)))
    x = random_x(found, seed=degree)
    if not isinstance(duration, tuple):
        x[found.size] = duration
    told = check_derivatives(found.nlp(), x, factor=1.3, tolerance=1e-5)
    assert told.ok, told


@pytest.mark.slow
@pytest.mark.parametrize("degree", [3, 5])
def test_derivatives_of_problems_with_channels_are_those_of_differences(degree):
    p = problem(degree)
    p.channel("push", ("fx", "fz", "my"), link=TIP, point=(0.1, 0.0, 0.2)).channel("free", "a", unit="1", degree=2)
    p.channel("hold", "fy", link=ARM.link_names[2], axes="link", degree=degree)
    p.limit("torque", -60, 60).limit("push", -5, 5).limit("push_rate", -9, 9, entries="my").limit("free", -1, 1, hull=True)
    p.limit("joint_wrench", -50, 50, joint=JOINT, components=("fx", "mz")).limit("power", None, 30.0)
    p.limit("hold", 0, 1, at=[0, 1]).limit("velocity", -2, 2, hull=True)
    p.minimize("time", 0.3).minimize("integral", 0.2, "push").minimize("integral", 1e-4, "power")
    p.minimize("integral", 0.3, "torque").minimize("peak", 0.2, "torque", scale=5.0).minimize("integral", 0.1, "free_rate")
    p.start([0.1, 0.2, -0.3], velocity=[0.5, 0.0, -0.4]).same_at_both_ends("acceleration")
    found = transcription(p)
    told = check_derivatives(found.nlp(), random_x(found, seed=degree), factor=1.3, tolerance=1e-5)
    assert told.ok, told
    rows, columns = found.hessian_structure()
    assert (rows >= columns).all() and len(set(zip(rows.tolist(), columns.tolist(), strict=True))) == len(rows)


def test_derivatives_hold_at_several_points_of_the_compiled_arm():
    p = MotionProblem(lissom.robots.rr(), control_points=8, duration=(0.1, 2.0))
    p.limit("torque", -10, 10).minimize("time").minimize("integral", 0.1, "torque")
    found = transcription(p)
    for seed in range(3):
        told = check_derivatives(found.nlp(), random_x(found, seed), tolerance=2e-6)
        assert told.ok, told


def test_jacobian_holds_what_local_support_leaves():
    m, n, per = 30, ARM.nv, 4
    for degree in (3, 5):
        p = MotionProblem(ARM, control_points=m, degree=degree, points_per_span=per)
        p.limit("torque", -1, 1).limit("velocity", -1, 1).limit("link_position", 0, 1, at=[0.5], link=TIP).minimize("time")
        found = transcription(p)
        instants = (m - degree) * per + 1
        # each entry of a limit: degree + 1 control points of the joints it depends on, and the duration
        expected = instants * n * (n * (degree + 1) + 1) + instants * n * (degree + 2) + 3 * (n * (degree + 1) + 1)
        rows, columns = found.jacobian_structure()
        assert len(rows) == len(columns) == expected
        assert found.rows == 2 * instants * n + 3
        assert len(set(zip(rows.tolist(), columns.tolist(), strict=True))) == expected


def test_hessian_is_a_band_with_the_row_of_the_duration():
    m, n, p = 30, ARM.nv, 3
    found = transcription(MotionProblem(ARM, control_points=m).limit("torque", -1, 1).minimize("integral", 1.0, "torque"))
    rows, columns = found.hessian_structure()
    band = sum((m - d) * n * n for d in range(1, p + 1)) + m * n * (n + 1) // 2
    assert len(rows) == band + m * n + 1
    assert (rows >= columns).all()
    assert len(set(zip(rows.tolist(), columns.tolist(), strict=True))) == len(rows)
    inside = rows < found.size
    assert (rows[inside] // n - columns[inside] // n <= p).all()
    assert (rows[~inside] == found.size).all()


def test_structures_grow_with_the_number_of_control_points_not_its_square():
    sizes = []
    for m in (40, 80, 160):
        p = MotionProblem(ARM, control_points=m).limit("torque", -1, 1).minimize("integral", 1.0, "torque")
        found = transcription(p)
        sizes.append([len(found.jacobian_structure()[0]), len(found.hessian_structure()[0])])
    for half, whole in zip(sizes, sizes[1:], strict=False):
        assert all(b <= 2.2 * a for a, b in zip(half, whole, strict=True))


def test_no_matrix_is_as_large_as_constraints_times_variables():
    import tracemalloc

    p = MotionProblem(ARM, control_points=400).limit("torque", -1, 1).limit("velocity", -1, 1).minimize("integral", 1.0, "torque")
    tracemalloc.start()
    found = transcription(p)
    x = random_x(found)
    nlp = found.nlp()
    nlp.evaluate(x)
    nlp.gradient(x), nlp.jacobian(x), nlp.hessian(x, 1.0, np.ones(nlp.m))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < nlp.m * nlp.n * 8


@pytest.mark.parametrize("points", [2, 4, 6])
@pytest.mark.parametrize("count", [4, 7, 20])
def test_simpson_integrates_cubics_exactly(count, points):
    basis = Basis(count, 3)
    weights, s = simpson(basis, points), basis.grid(points)
    assert len(weights) == len(s) == basis.spans * points + 1
    for power in range(4):
        assert abs(weights @ s**power - 1 / (power + 1)) < 1e-14
    assert abs(weights @ s**4 - 1 / 5) > 1e-12  # and no more than cubics


def test_integrals_converge_at_order_four():
    errors = []
    for points in (4, 8, 16):
        p = MotionProblem(ARM, control_points=9, degree=5, points_per_span=points).minimize("integral", 1.0, "torque")
        found = transcription(p)
        x = random_x(found, seed=1)
        x[: found.size] *= 0.3
        found.evaluate(x)
        points, (T,) = found.split(x)
        path = lissom.SplinePath(points.reshape(9, ARM.nv), T, 5)
        nodes, weights = np.polynomial.legendre.leggauss(24)  # a rule of its own, span by span
        edges = np.linspace(0, path.duration, path.basis.spans + 1)
        exact = 0.0
        for a, b in zip(edges, edges[1:], strict=False):
            q, qd, qdd, _ = path.states(a + (nodes + 1) * (b - a) / 2)
            exact += (b - a) / 2 * float(weights @ (ARM.inverse_dynamics(q, qd, qdd) ** 2).sum(axis=1))
        errors.append(abs(found.objective(x) - exact) / exact)
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert (orders > 3.3).all(), (errors, orders)


def test_quantities_asked_for_twice_are_evaluated_once():
    calls = []

    class Counted(Quantity):
        name, labels, unit, orders, depends = "counted", ("a",), "1", (0,), np.ones((1, ARM.nv), dtype=bool)

        def values(self, state):
            calls.append(len(state))
            return state.rates[0].sum(axis=1, keepdims=True)

        def derivatives(self, state):
            return np.ones((1, len(state), 1, ARM.nv))

        def curvature(self, state, weights):
            return None

    own = Counted()
    p = MotionProblem(ARM, control_points=6).limit(own, -1, 1).limit(own, None, 0.5).minimize("integral", 1.0, own)
    found = transcription(p)
    x = random_x(found)
    calls.clear()
    found.evaluate(x)
    assert calls == [len(found.grid)]  # all instants in one batch
    assert check_derivatives(found.nlp(), x).ok


@pytest.mark.parametrize("refined", [False, True])
def test_equations_between_the_ends_hold_on_every_basis(refined):
    p = ended(problem())
    basis = Basis(2 * p.basis.spans + 3) if refined else p.basis
    rng = np.random.default_rng(3)
    path = lissom.SplinePath(rng.normal(size=(basis.count, ARM.nv)), 1.0)
    x = np.append(path.points.ravel(), path.duration)
    start, end = ([rate[0] for rate in path.states([t])] for t in (0.0, 1.0))
    expected = {}
    for joint, name in enumerate(ARM.joint_names):
        expected[f"velocity of {name} at the start and of {name} at the end"] = start[1][joint] - end[1][joint]
        expected[f"velocity of {name} at the start"] = start[1][joint] - [0.5, 0.0, -0.4][joint]
        expected[f"acceleration of {name} at the start"] = start[2][joint]
        expected[f"velocity of {name} at the end"] = end[1][joint] - [0.0, 0.3, 0.1][joint]
        expected[f"acceleration of {name} at the end"] = end[2][joint]
    for order, what in ((0, "position"), (2, "acceleration")):
        one, two = ARM.joint_names[0], ARM.joint_names[2]
        expected[f"{what} of {one} at the start and of {two} at the end"] = -start[order][0] - end[order][2]
    found = {e.label: e.coefficients @ x[e.columns] for e in p.equations(basis)}
    assert found.keys() == expected.keys()
    for label, value in expected.items():
        assert found[label] == pytest.approx(value, abs=1e-9), label
    assert all(e.lower == e.upper == 0.0 for e in p.equations(basis))


@pytest.mark.parametrize(
    ("velocity", "acceleration", "fixed"), [(0.0, None, 2), (0.0, 0.0, 3), (None, None, 1), (None, 0.0, 1), (0.3, 0.0, 1)]
)
def test_ends_fix_as_many_control_points_as_rest_at_them(velocity, acceleration, fixed):
    p = problem().start([0.1, 0.2, 0.3], velocity, acceleration).minimize("time")
    lower, upper = p.bounds(p.basis)
    assert (lower == upper).all(axis=1).sum() == fixed
    labels = [e.label.split(" of ")[0] for e in p.equations(p.basis)]
    assert labels.count("velocity") == (ARM.nv if velocity else 0)
    assert labels.count("acceleration") == (ARM.nv if acceleration is not None and velocity != 0.0 else 0)
