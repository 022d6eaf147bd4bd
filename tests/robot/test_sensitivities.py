"""Sensitivities at the front door: shapes, batches, out=, subsets, backends, and what is refused."""

import numpy as np
import pytest

import lissom
from lissom import BaseMotion, ModelError, NameLookupError, Robot, StateError, Wrench
from lissom.robots import tree_model
from support.states import error, random_states

MODEL = tree_model(4, seed=7, kinds=["revolute", "spherical", "prismatic", "planar"], branching=1.5, drives=True, tails=0.5)
CALLS = ("inverse_dynamics_derivatives", "forward_dynamics_derivatives", "joint_wrench_derivatives")


@pytest.fixture(scope="module", params=["llvm", "numpy"])
def robot(request):
    return Robot(MODEL, backend=request.param)


def shape_of(robot, name):
    return (len(robot.moving_joint_names), 6, robot.nv) if name == "joint_wrench_derivatives" else (robot.nv, robot.nv)


@pytest.mark.sweep(4)
@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("lead", [(), (3,), (2, 3), (0,), (1, 4, 1)], ids=str)
def test_batches_of_any_leading_shape_are_their_states_one_by_one(robot, name, lead):
    state = random_states(MODEL, lead, seed=1)
    call = getattr(robot, name)
    found = call(*state)
    for table in found:
        assert table.shape == (*lead, *shape_of(robot, name))
    for index in np.ndindex(lead):
        for table, one in zip(found, call(*(x[index] for x in state)), strict=True):
            assert error(table[index], one) < 1e-13


@pytest.mark.sweep("llvm-inverse", "numpy")
@pytest.mark.parametrize("name", CALLS)
def test_leading_axes_broadcast_those_of_loads_too(robot, name):
    q, qd, x = random_states(MODEL, seed=2)
    call, link = getattr(robot, name), robot.link_names[-1]
    many = np.stack([q, q])
    force = np.random.default_rng(0).normal(size=(3, 1, 3))
    found = call(many, qd, x, external={link: Wrench(force, axes="world", point=(0.1, 0, 0))})
    assert found.dq.shape == (3, 2, *shape_of(robot, name))
    for k in range(3):
        one = call(q, qd, x, external={link: Wrench(force[k, 0], axes="world", point=(0.1, 0, 0))})
        assert error(found.dq[k, 1], one.dq) < 1e-13
    ride = BaseMotion(angular_velocity=np.ones((4, 1, 3)))
    assert call(many, qd, x, base_motion=ride).dqd.shape == (4, 2, *shape_of(robot, name))


@pytest.mark.parametrize("name", CALLS)
def test_both_backends_agree(name):
    state = random_states(MODEL, 5, seed=3)
    one, other = (getattr(Robot(MODEL, backend=backend), name)(*state) for backend in ("llvm", "numpy"))
    for a, b in zip(one, other, strict=True):
        assert error(a, b) < 1e-12


@pytest.mark.parametrize("name", CALLS)
def test_results_are_written_into_out(robot, name):
    state = random_states(MODEL, (2, 3), seed=4)
    call = getattr(robot, name)
    out = np.full((2, 3, 3, *shape_of(robot, name)), np.nan)
    found = call(*state, out=out)
    for k, (table, expected) in enumerate(zip(found, call(*state), strict=True)):
        assert np.shares_memory(table, out)
        assert np.array_equal(table, expected)
        assert np.array_equal(out[:, :, k], expected)
    with pytest.raises(StateError, match="out has shape .* expected"):
        call(*state, out=np.empty((3, *shape_of(robot, name))))
    with pytest.raises(StateError, match="out .*float32"):
        call(*state, out=out.astype(np.float32))


def test_packed_derivatives_are_what_the_tree_lets_be_non_zero(robot):
    state = random_states(MODEL, 4, seed=5)
    rows, columns = robot.derivatives_entries
    assert not rows.flags.writeable and not columns.flags.writeable  # every caller gets the same arrays
    whole, packed = robot.inverse_dynamics_derivatives(*state), robot.inverse_dynamics_derivatives(*state, packed=True)
    assert len(rows) < robot.nv**2
    out = np.empty((4, 3, len(rows)))
    robot.inverse_dynamics_derivatives(*state, packed=True, out=out)
    for k, (a, b) in enumerate(zip(whole, packed, strict=True)):
        assert b.shape == (4, len(rows))
        assert error(b, a[:, rows, columns]) < 1e-13
        assert error(out[:, k], b) < 1e-13
        rest = a.copy()
        rest[:, rows, columns] = 0
        assert not rest.any()
    # each once: those of the mass matrix, on both sides of the diagonal
    i, j = robot.mass_matrix_entries
    pairs = set(zip(rows, columns, strict=True))
    assert len(pairs) == len(rows)
    assert pairs == {*zip(i, j, strict=True), *zip(j, i, strict=True)}


def test_joints_and_components_come_in_the_order_asked_for(robot):
    state = random_states(MODEL, 2, seed=6)
    first, second = robot.moving_joint_names[:2]
    whole = robot.joint_wrench_derivatives(*state)
    some = robot.joint_wrench_derivatives(*state, joints=[second, first], components=("mz", "fx"))
    for a, b in zip(whole, some, strict=True):
        assert error(b, a[:, [1, 0]][:, :, [5, 0]]) < 1e-13
    alone = robot.joint_wrench_derivatives(*state, joints=second, components="my")  # a single name may stand alone
    assert alone.dq.shape == (2, 1, 1, robot.nv)
    assert error(alone.dq[:, 0, 0], whole.dq[:, 1, 4]) < 1e-13


@pytest.mark.parametrize("name", CALLS)
def test_a_robot_without_joints_has_nothing_to_differentiate(name, backend):
    rock = Robot(lissom.Model("rock", [lissom.Link("base")], []), backend=backend)
    none = np.zeros((3, 0))
    assert getattr(rock, name)(none, none, none).dq.shape == (3, *shape_of(rock, name))


# what is refused


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda r, q: r.inverse_dynamics_derivatives(q[:5], q, q), "q has size 5, expected nq = 6"),
        (lambda r, q: r.inverse_dynamics_derivatives(q, q, q[:3], packed=True), "qdd has size 3, expected nv = 6"),
        (lambda r, q: r.forward_dynamics_derivatives(q, q, np.append(q, 1)), "tau has size 7, expected 6"),
        (lambda r, q: r.forward_dynamics_derivatives(q, np.nan * q, q), "qd.*joint_1.* is nan"),
        (lambda r, q: r.joint_wrench_derivatives(q, "abc", q), "qd has dtype"),
        (lambda r, q: r.inverse_dynamics_derivatives(np.ones((2, 6)), np.ones((3, 6)), q), "q .* qd .* do not fit together"),
        (lambda r, q: r.inverse_dynamics_derivatives(q, q, q, external={"link_9": 1}), "no link 'link_9'"),
        (lambda r, q: r.inverse_dynamics_derivatives(q, q, q, external={"link_6": 1}), "must say its axes"),
        (lambda r, q: r.inverse_dynamics_derivatives(q, q, q, base_motion=1), "base_motion must be a lissom.BaseMotion, got int"),
        (lambda r, q: r.joint_wrench_derivatives(q, q, q, axes="wrld"), "no axes 'wrld' of joint wrenches; did you mean 'world'"),
        (
            lambda r, q: r.joint_wrench_derivatives(q, q, q, joints=["joint_2", "joint_X"]),
            "no joint 'joint_X' that moves; did you mean 'joint_",
        ),
        (lambda r, q: r.joint_wrench_derivatives(q, q, q, joints=[3]), "joints must be names, got 3"),
        (lambda r, q: r.joint_wrench_derivatives(q, q, q, joints=[]), "joints is empty; name at least one, or None for all"),
        (lambda r, q: r.joint_wrench_derivatives(q, q, q, joints=3), "joints must be names, got int"),
        (lambda r, q: r.joint_wrench_derivatives(q, q, q, joints=["joint_2"] * 2), "joints has 'joint_2' twice"),
        (
            lambda r, q: r.joint_wrench_derivatives(q, q, q, components=["Mz"]),
            "no component 'Mz'.* did you mean 'mz'",
        ),
        (lambda r, q: r.joint_wrench_derivatives(q, q, q, components=[0]), "components must be names, got 0"),
        (lambda r, q: r.joint_wrench_derivatives(q, q, q, components=()), "components is empty"),
        (lambda r, q: r.joint_wrench_derivatives(q, q, q, components=["fx", "fx"]), "components has 'fx' twice"),
    ],
)
def test_wrong_arguments_are_named(call, text):
    with pytest.raises((StateError, NameLookupError), match=text):
        call(Robot(lissom.robots.stanford().model, backend="numpy"), np.full(6, 0.3))


def test_fixed_joints_have_no_wrench_to_ask_for():
    model = tree_model(3, seed=2, fixed=1.0)
    robot = Robot(model, backend="numpy")
    q, qd, qdd = random_states(model)
    with pytest.raises(NameLookupError, match="no joint 'weld_1' that moves"):
        robot.joint_wrench_derivatives(q, qd, qdd, joints=["weld_1"])


@pytest.mark.parametrize(
    ("name", "size"), [(CALLS[0], r"1.73e\+06 GB"), (CALLS[1], r"1.73e\+06 GB"), (CALLS[2], r"1.04e\+07 GB")]
)
def test_results_that_fit_nowhere_are_refused_with_their_size_and_a_remedy(name, size):
    robot = lissom.robots.puma560()
    q = np.broadcast_to(np.zeros(6), (2_000_000, 1_000_000, 6))
    text = (
        rf"derivatives of 'puma560' for 2000000000000 states would take {size}, and this machine has .* of memory; .*jvp and vjp"
    )
    with pytest.raises(StateError, match=text):
        getattr(robot, name)(q, np.zeros(6), np.zeros(6))


@pytest.mark.parametrize(
    ("function", "text"),
    [
        (lambda r, q: r.inverse_dynamics_regressor(q, q, q), "inverse_dynamics_regressor of 'puma560' for 2000000000000 states"),
        (lambda r, q: r.inverse_dynamics_geometry_derivatives(q, q, q), "geometry_derivatives of 'puma560' for 2000000000000"),
        (lambda r, q: r.inverse_dynamics_dh_derivatives(q, q, q), "dh_derivatives of 'puma560' for 2000000000000 states"),
        (lambda r, q: r.momentum_derivatives(q, q), "momentum_derivatives of 'puma560' for .* jvp and vjp"),
        (lambda r, q: r.jvp("mass_matrix", (q,), (q,)), "jvp along q of mass_matrix of 'puma560' for 2000000000000 states"),
        (lambda r, q: r.joint_wrenches(q, q, q), "of 'puma560' for 2000000000000 states would take .* ask for fewer states"),
    ],
)
def test_every_function_refuses_results_that_fit_nowhere(function, text):
    with pytest.raises(StateError, match=text):
        function(lissom.robots.puma560(), np.broadcast_to(np.zeros(6), (2 * 10**12, 6)))


def test_memory_is_asked_for_what_is_returned(monkeypatch):
    robot = Robot(lissom.robots.puma560().model, backend="numpy")
    x = np.zeros((100, 6))
    monkeypatch.setattr("lissom.memory.memory", lambda: 8 * 100 * 3 * 36)
    assert robot.inverse_dynamics_derivatives(x, x, x).dq.shape == (100, 6, 6)
    assert robot.joint_wrench_derivatives(x, x, x, joints=["joint_2"]).dq.shape == (100, 1, 6, 6)
    with pytest.raises(StateError, match="for 100 states would take 0.000518 GB, and this machine has 8.64e-05 GB"):
        robot.joint_wrench_derivatives(x, x, x)
    with pytest.raises(StateError, match="for 200 states"):  # two loads on each
        robot.inverse_dynamics_derivatives(x, x, x, external={"link_6": Wrench(np.zeros((2, 1, 3)), axes="world")})
    out = np.empty((100, 3, 6, 6, 6))
    robot.joint_wrench_derivatives(x, x, x, out=out)  # there already


@pytest.mark.filterwarnings("ignore::lissom.errors.ModelWarning")
def test_joints_without_inertia_and_zero_quaternions_are_named_as_by_the_functions_themselves(backend):
    links = [lissom.Link("base"), lissom.Link("hub"), lissom.Link("rod", lissom.Inertia(1.0, (0, 0, 0.5), np.zeros((3, 3))))]
    joints = [
        lissom.Joint("swing", lissom.JointKind.REVOLUTE, "base", "hub", axis=(1, 0, 0)),
        lissom.Joint("spin", lissom.JointKind.REVOLUTE, "hub", "rod"),
    ]
    x = np.array([0.3, 0.2])
    with pytest.raises((ModelError, StateError), match="joint 'spin' has almost no inertia"):
        Robot(lissom.Model("pole", links, joints), backend=backend).forward_dynamics_derivatives(x, x, x)
    robot = Robot(tree_model(2, kinds=["revolute", "spherical"], seed=1), backend=backend)
    v = np.ones(robot.nv)
    for name in CALLS:
        with pytest.raises(StateError, match="the quaternion of joint .* is zero"):
            getattr(robot, name)(np.zeros(robot.nq), v, v)


@pytest.mark.sweep("lead1-llvm", "lead0-numpy")
@pytest.mark.parametrize("backend", ["llvm", "numpy"])
@pytest.mark.parametrize("lead", [(), (3,)])
def test_derivatives_of_quantities_are_written_where_they_are_wanted(backend, lead):
    robot = Robot(lissom.robots.puma560().model, backend=backend)
    q, qd, qdd = random_states(robot.model, lead, seed=2)
    calls = {
        (2, 6): lambda **out: robot.kinetic_energy_derivatives(q, qd, **out),
        (2, 6, 6): lambda **out: robot.link_velocity_derivatives(q, qd, "link_6", axes="link", **out),
        (3, 6): lambda **out: robot.inverse_dynamics_hvp(q, qd, qdd, np.ones(6), (qd, None, qdd), **out),
        (3, 3, 2, 6): lambda **out: robot.joint_wrench_derivatives(
            q, qd, qdd, joints=robot.joint_names[:3], components=["fx", "mz"], **out
        ),
    }
    for shape, call in calls.items():
        out = np.full((*lead, *shape), np.nan)
        given, free = call(out=out), call()
        assert all(np.shares_memory(part, out) for part in given)
        assert np.array_equal(np.stack(list(given)), np.stack(list(free))) and np.isfinite(out).all()
        with pytest.raises(StateError, match="out has shape"):
            call(out=np.empty((*lead, *shape, 1)))


def test_joints_behind_a_free_base_do_not_accelerate_by_its_pose_or_its_speed():
    """Gravity accelerates all bodies alike, and so does nothing at constant speed: exact zeros, with no rounding left."""
    model = tree_model(n=6, branching=2, seed=7, kinds=["floating", "revolute", "spherical", "prismatic"])
    robot = Robot(model, backend="numpy")
    base, n = model.layout[0].v, robot.nv
    assert (base.start, base.stop) == (0, 6)
    found = robot.forward_dynamics_derivatives(*random_states(model, 3, seed=1))
    others = range(base.stop, n)
    assert not found.dq[:, others, base].any()
    assert not found.dqd[:, others, base.start : base.start + 3].any()
    assert found.dqd[:, others, base.start + 3 : base.stop].any()
