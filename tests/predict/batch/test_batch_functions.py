"""Functions of many decision vectors of one problem at once: beside those of the solver, on the host and on a pretended card."""

import numpy as np
import pytest

import lissom
from lissom import CUDA, MotionProblem, Robot, StateError
from lissom.predict import quantity
from lissom.predict.batch import card, host, products
from lissom.predict.batch.recorded import NAMES
from lissom.robots import tree_model
from support.batch import errors, one_by_one, transcription, vectors
from support.elastic_arms import one_joint
from support.fake_cuda import pretend

ARM = Robot(tree_model(3, branching=1, skew=0.6, seed=8, kinds=["revolute", "prismatic", "revolute"], drives=False))
TIP, JOINT = ARM.link_names[-1], ARM.joint_names[1]
TOLERANCE = 1e-12


def plain(robot=None, **options):
    robot = robot or lissom.robots.rr()
    p = MotionProblem(robot, control_points=6, points_per_span=2, **{"duration": (0.05, 2.0), **options})
    p.start([0.0, -2.0]).end([1.0, -1.0]).limit("torque", -10, 10).limit("velocity", -3, 3, hull=True)
    return p.minimize("time").minimize("integral", 0.3, "torque").minimize("peak", 0.2, "torque")


def several():
    """Limits of several quantities with scales and at chosen instants, integrals that follow targets, conditions of both ends."""
    p = MotionProblem(ARM, control_points=7, points_per_span=2, duration=(0.2, 5.0))
    p.limit("torque", -60, 60).limit("torque", -50, None, entries=ARM.joint_names[2], scale=0.5).limit("torque_rate", -90, 90)
    p.limit("link_position", [0.1, 0.2, 0.3], 2.0, at=[0.31, 1.0], link=TIP).limit("position", -2, 2, at=[0.31, 1.0])
    p.limit("joint_wrench", -50, 50, joint=JOINT, components=("fx", "mz")).limit("jerk", -90, 90, hull=True)
    p.minimize("time", 0.7).minimize("integral", 0.3, "torque", target=[1.0, 0.5, 0.2], weights=[1.0, 2.0, 3.0])
    p.minimize("integral", 0.4, "kinetic_energy", square=False).minimize("integral", 1e-4, "jerk")
    p.minimize("integral", 0.1, "drawn_power", square=False).minimize("peak", 0.1, "joint_wrench", joint=JOINT)
    p.start([0.1, 0.2, -0.3], velocity=[0.5, 0.0, -0.4], acceleration=0.0)
    pairs = [(ARM.joint_names[0], ARM.joint_names[2], -1.0)]
    return p.same_at_both_ends("velocity").same_at_both_ends("position", "acceleration", pairs=pairs)


def phases(durations=None):
    """Phases with durations of their own, channels that push, and a formula of the instant and of a channel."""
    p = MotionProblem(ARM, control_points=8, points_per_span=2)
    p.phases(durations or {"one": (0.2, 0.8), "two": 0.9, "three": (0.1, 0.7)})
    p.channel("push", ("fx", "fz"), link=TIP, point=(0.1, 0.0, 0.2), during=["two", "three"])
    p.channel("place", ("a", "b"), unit="m", degree=0, during="two")
    p.limit("torque", -60, 60).limit("torque", -50, 50, during="two").limit("push", -5, 5).limit("place", 0, 1, entries="b")
    p.limit("velocity", -2, 2, hull=True).limit("torque", 0, 0, at="knots", entries=JOINT).limit("push_rate", -9, 9)
    p.minimize("time", 0.3).minimize("integral", 0.2, "push").minimize("integral", 0.1, "power", during=["one", "three"])
    own = quantity(ARM, lambda robot, q, qd, qdd, push, s: [q[0] * push[0] * s + qd[1] * qd[1]], "a", channels={"push": 2})
    return p.limit(own, -9, 9).start([0.1, 0.2, -0.3]).same_at_both_ends("velocity")


def floating():
    p = MotionProblem(Robot(tree_model(4, seed=6, floating=True)), control_points=6, duration=(0.2, 2.0))
    return p.limit("torque", -60, 60, entries="joint_1").limit("tilt", lower=0.1, link=p.robot.link_names[-1])


def springs():
    p = MotionProblem(one_joint(), control_points=9, points_per_span=2, duration=(0.2, 2.0))
    return p.limit("torque", -60, 60).limit("deflection", -1, 1).minimize("time").minimize("integral", 1e-3, "torque_rate")


def closed():
    p = MotionProblem(lissom.robots.five_bar(), control_points=6, points_per_span=2, duration=(0.2, 2.0))
    return p.limit("torque", -60, 60).minimize("integral", 1.0, "torque")


def contacts():
    model = tree_model(3, branching=1.0, skew=0.7, seed=6, kinds=["floating", "revolute", "prismatic"], drives=True)
    p = MotionProblem(Robot(model, backend="numpy"), control_points=6, points_per_span=2, duration=(0.2, 2.0))
    sole = ((0.1, -0.2, 0.3), (0.2, -0.2, 0.3))
    p.contact("foot", p.robot.link_names[-1], sole, surface={"normal": (0.3, 0.2, 1.0), "point": (0.1, 0.2, -0.5)})
    return p.minimize("integral", 1e-3, "contact_force", contact="foot")


@pytest.mark.parametrize(
    "problem",
    [
        plain,
        lambda: plain(duration=0.7),
        *(pytest.param(x, marks=pytest.mark.slow) for x in (several, phases, floating, springs, closed, contacts)),
        pytest.param(lambda: phases({"one": 0.4, "two": 0.9, "three": 0.3}), marks=pytest.mark.slow),
    ],
    ids=["plain", "fixed", "several", "phases", "floating", "springs", "closed", "contacts", "clocks"],
)
def test_functions_of_many_are_those_of_one(problem):
    p = problem()
    near = {"size": 0.05} if problem is closed else {}
    found = errors(p, p.functions(), durations=(0.5, 0.9), **near)
    assert max(found.values()) < TOLERANCE, found


def test_parts_at_a_time_and_leading_axes(monkeypatch):
    p = plain()
    functions = p.functions()
    x, direction, multipliers = vectors(transcription(p), 6)
    whole = functions.hessian_product(x, direction, multipliers, 0.5)
    gradient = functions.gradient(x)
    monkeypatch.setattr(host, "ROOM", 8 * 4000)
    monkeypatch.setattr(products, "ROOM", 100)
    monkeypatch.setattr(products, "FEW", 1)
    for own in (functions, p.functions()):
        assert np.abs(own.hessian_product(x, direction, multipliers, 0.5) - whole).max() < 1e-12 * np.abs(whole).max()
    shaped = functions.gradient(x.reshape(2, 3, -1))
    assert shaped.shape == (2, 3, functions.n)
    assert np.abs(shaped.reshape(6, -1) - gradient).max() < 1e-12 * np.abs(gradient).max()
    assert functions.jacobian_product(x[0], direction).shape == (6, functions.m)
    assert isinstance(functions.objective(x[0]), float)
    assert functions.objective(x[:0]).shape == (0,)


def test_bounds_are_those_of_the_solver_and_paths_have_unknowns():
    p = plain()
    functions, found = p.functions(), transcription(p)
    assert np.array_equal(functions.lower, found.lower)
    assert np.array_equal(functions.constraint_upper, found.bounds()[1])
    assert all(np.array_equal(a, b) for a, b in zip(functions.jacobian_structure, found.jacobian_structure(), strict=True))
    path = lissom.SplinePath.between([0.0, -2.0], [1.0, -1.0], 0.8, rest=1, basis=p.basis)
    x = functions.unknowns(path)
    assert np.array_equal(functions.path(x).points, path.points)
    assert functions.path(x).duration == path.duration
    inside = functions.constraints(x)
    peak = slice(2 * 2 * 7, None)  # the largest torque is that of the path
    assert x[-1] > 0.0
    assert (inside[peak] <= functions.constraint_upper[peak] + 1e-12).all()
    assert repr(functions) == "<BatchFunctions of 'barman_rr': 14 unknowns, 52 constraints, on the processor>"


def test_what_is_wrong_is_said():
    functions = plain().functions()
    x = np.zeros((2, functions.n))
    for call, told in [
        (lambda: functions.objective(x[:, 1:]), r"x has shape \(2, 13\), expected \(..., 14\)"),
        (lambda: functions.objective("x"), "x is not an array of numbers"),
        (lambda: functions.evaluate(x), "name the functions: objective, gradient"),
        (lambda: functions.evaluate(x, "jacobain"), "no function 'jacobain'; did you mean 'jacobian'"),
        (lambda: functions.evaluate(x, "jacobian_product"), "jacobian_product needs direction=, an array"),
        (lambda: functions.lagrangian_gradient(x, np.zeros((3, functions.m))), "leading axes of x .* do not fit together"),
        (lambda: functions.lagrangian_gradient(x, np.zeros((2, functions.m)), np.inf), "factor is inf, expected a finite number"),
        (lambda: functions.path(x), r"x has shape \(2, 14\), expected \(14,\): the path of one vector"),
        (lambda: functions.unknowns(lissom.SplinePath(np.zeros((9, 2)), 1.0)), "the path has control points"),
    ]:
        with pytest.raises(StateError, match=told):
            call()
    robot = Robot(tree_model(3, seed=6, floating=True, branching=1.0), backend="numpy")
    split = MotionProblem(robot, control_points=8).split_ground(robot.link_names[-1])
    with pytest.raises(StateError, match="depends on durations by more than the motion"):
        split.limit("torque", -1, 1).functions()


@pytest.fixture
def fake(monkeypatch, tmp_path):
    library = pretend(monkeypatch, tmp_path)
    library.memory = np.full(1 << 26, 0xFF, np.uint8)
    return library


@pytest.mark.parametrize("problem", [plain, pytest.param(phases, marks=pytest.mark.slow)])
def test_a_card_gives_what_the_host_gives(fake, problem):
    p = problem()
    functions = p.functions("cuda")
    found = errors(p, functions)
    assert max(found.values()) < TOLERANCE, found


@pytest.mark.slow
def test_arrays_of_a_card_stay_there(fake, monkeypatch):
    p = plain()
    functions = p.functions(CUDA())
    x, direction, multipliers = vectors(transcription(p), 35)
    expected = one_by_one(transcription(p), x, direction, multipliers, 1.0)
    there = CUDA().array
    monkeypatch.setattr(card, "ROOM", 8 * 20 * 2000)  # two parts
    for columns in (False, True):
        given = [there(np.ascontiguousarray(a.T)).T if columns else there(a) for a in (x, direction, multipliers)]
        found = functions.evaluate(given[0], *NAMES, direction=given[1], multipliers=given[2])
        for name, own, wanted in zip(NAMES, found, expected, strict=True):
            assert own.shape == wanted.shape, name
            assert own.ndim == 1 or (own.strides[0] == 8) is columns
            assert np.abs(own.copy_to_host() - wanted).max() < TOLERANCE * np.abs(wanted).max(), name
    assert repr(functions).endswith("on cuda:0>")


def test_single_precision_of_a_card(fake):
    p = plain()
    found = errors(p, p.functions(CUDA("single")))
    assert 1e-9 < max(found.values()) < 1e-3, found


def test_what_a_card_does_not_have_is_said(fake):
    p = plain().minimize("integral", 0.1, "drawn_power", square=False)
    functions = p.functions("cuda")
    x = np.zeros((2, functions.n))
    with pytest.raises(StateError, match="drawn_power is computed on the processor alone: leave it out of the problem"):
        functions.objective(x)
    with pytest.raises(StateError, match="batches of problems of closed robots are computed on the processor"):
        closed().functions("cuda")
    with pytest.raises(StateError, match="x is on a card, and these functions on the processor"):
        p.functions().objective(CUDA().array(x))
    with pytest.raises(StateError, match="on a card all arrays have the same leading axes"):
        functions.jacobian_product(x, np.zeros(functions.n))
