"""Derivatives at the front door: shapes, batches, backends, adjointness, second derivatives, and what is refused."""

import copy
import pickle
from dataclasses import replace

import numpy as np
import pytest

import lissom
from lissom import BaseMotion, ModelError, NameLookupError, Robot, StateError, Wrench
from lissom.algorithms.dynamics import inverse_dynamics
from lissom.derivatives import Derivatives
from lissom.robot import hessian
from lissom.robot.catalogue import CATALOGUE
from lissom.robots import tree_model
from support.complex_step import jacobians
from support.states import error, random_states

MODEL = tree_model(4, seed=7, kinds=["revolute", "spherical", "prismatic", "planar"], branching=1.5, drives=True, tails=0.5)
LINK = MODEL.links[-1].name
HEAVY = ("_derivatives", "_regressor", "wrench_rates")  # to differentiate once more; `derivatives` of a small robot has them
NAMES = [x.name for x in CATALOGUE.values() if x.shape is not None and x.smooth and not x.robots and not x.name.endswith(HEAVY)]
OPTIONS = {name: CATALOGUE[name].example(Robot(MODEL, backend="numpy")) for name in NAMES}
STATE = dict(zip(("q", "qd", "qdd"), random_states(MODEL, (2, 3), seed=1), strict=True))
STATE |= dict.fromkeys(("tau", "qddd", "given"), STATE["qdd"])


@pytest.fixture(scope="module", params=["llvm", "numpy"])
def robot(request):
    return Robot(MODEL, backend=request.param)


def state_of(name):
    return tuple(STATE[x] for x in CATALOGUE[name].state)


def directions(name, lead=(2, 3), seed=0):
    return tuple(np.random.default_rng(seed).normal(size=(len(CATALOGUE[name].state), *lead, MODEL.nv)))


@pytest.mark.sweep(6)
@pytest.mark.parametrize("name", NAMES)
def test_jvp_is_the_slope_along_the_motion(robot, name):
    tangents, h = directions(name), 1e-5

    def at(t):
        moved = [
            robot.integrate(STATE["q"], v, t) if x == "q" else STATE[x] + t * v
            for x, v in zip(CATALOGUE[name].state, tangents, strict=True)
        ]
        return robot._call(name, moved, **OPTIONS[name])

    slope = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h)
    ours = robot.jvp(name, state_of(name), tangents, **OPTIONS[name])
    assert ours.shape == at(0).shape
    assert np.abs(ours - slope).max() < 1e-6 * max(1, np.abs(slope).max())


@pytest.mark.sweep(6)
@pytest.mark.parametrize("name", NAMES)
def test_vjp_is_the_transpose_of_jvp(robot, name):
    tangents = directions(name)
    moved = robot.jvp(name, state_of(name), tangents, **OPTIONS[name])
    weights = np.random.default_rng(5).normal(size=moved.shape)
    found = robot.vjp(name, state_of(name), weights, **OPTIONS[name])
    assert all(f"d{x}" in dir(found) for x in CATALOGUE[name].state) and len(found) == len(CATALOGUE[name].state)
    ours = sum((a * v).sum(axis=-1) for a, v in zip(found, tangents, strict=True))
    theirs = (weights * moved).reshape(2, 3, -1).sum(axis=-1)
    assert np.abs(ours - theirs).max() < 1e-11 * max(1, np.abs(weights * moved).sum(axis=None))


@pytest.mark.sweep("numpy")
def test_loads_are_taken_as_the_function_takes_them(robot):
    q, qd, qdd = (STATE[x][0, 0] for x in ("q", "qd", "qdd"))
    push = {LINK: Wrench((1.0, 2.0, 3.0), (0.3, 0.2, 0.1), axes="world", point=(0.1, 0.2, 0.3))}
    ride = BaseMotion(angular_velocity=(0.1, 0.4, -0.3), acceleration=(1.0, 0.0, 2.0))
    v, h = directions("joint_wrenches", ())[0], 1e-6
    for name, options in (("inverse_dynamics", {}), ("joint_wrenches", {"axes": "world"})):
        function = getattr(robot, name)
        loads = {"external": push, "base_motion": ride, **options}
        there, back = (function(robot.integrate(q, v, t), qd, qdd, **loads) for t in (h, -h))
        found = robot.jvp(name, (q, qd, qdd), (v, None, None), **loads)
        assert error(found, (there - back) / (2 * h)) < 1e-7
        weights = np.ones_like(found)
        assert robot.vjp(name, (q, qd, qdd), weights, **loads).dq @ v == pytest.approx(found.sum(), rel=1e-10)


def test_one_state_many_directions_and_the_other_way_round(robot):
    q, qd, qdd = (STATE[x][0, 0] for x in ("q", "qd", "qdd"))
    units = np.eye(MODEL.nv)
    columns = robot.jvp("inverse_dynamics", (q, qd, qdd), {"qdd": units})
    assert error(columns, robot.mass_matrix(q)) < 1e-13
    rows = robot.vjp("inverse_dynamics", {"q": q, "qd": qd, "qdd": qdd}, units)
    assert error(rows.dqdd, robot.mass_matrix(q)) < 1e-13
    along = robot.jvp("gravity_torques", (STATE["q"],), (units[0],))
    assert along.shape == (2, 3, MODEL.nv)
    out = np.empty_like(along)
    assert robot.jvp("gravity_torques", (STATE["q"],), (units[0],), out=out) is out
    assert np.array_equal(out, along)


def test_energies_are_numbers(robot):
    q, qd = STATE["q"][0, 0], STATE["qd"][0, 0]
    assert np.ndim(robot.jvp("kinetic_energy", (q, qd), (qd, None))) == 0
    doubled = robot.vjp("kinetic_energy", (q, qd), 2.0)
    assert error(doubled.dqd, 2 * robot.mass_matrix(q) @ qd) < 1e-13


@pytest.mark.sweep("numpy")
def test_options_choose_what_is_differentiated(robot):
    q, qd, qdd = (STATE[x] for x in ("q", "qd", "qdd"))
    point = (0.1, -0.2, 0.3)
    for options in ({"axes": "link"}, {"point": "origin"}, {"point": point}, {"axes": "link", "point": point}):
        d = robot.link_velocity_derivatives(q, qd, LINK, **options)
        assert error(d.dqd, robot.jacobian(q, LINK, **options)) < 1e-13
        for classical in (True, False):
            d = robot.link_acceleration_derivatives(q, qd, qdd, LINK, classical=classical, **options)
            assert error(d.dqdd, robot.jacobian(q, LINK, **options)) < 1e-13
            along = robot.jvp("link_acceleration", (q, qd, qdd), (qd, qdd, None), link=LINK, classical=classical, **options)
            product = (d.dq @ qd[..., None] + d.dqd @ qdd[..., None])[..., 0]
            assert error(along, product) < 1e-12
    methods = [robot.jvp("forward_dynamics", (q, qd, qdd), (qd, None, qdd), method=m) for m in (None, "mass_matrix")]
    assert error(*methods) < 1e-9


@pytest.mark.sweep("numpy")
def test_what_the_robot_is_doing_has_the_derivatives_it_must_have(robot):
    q, qd = STATE["q"], STATE["qd"]
    d = robot.kinetic_energy_derivatives(q, qd)
    assert error(d.dqd, (robot.mass_matrix(q) @ qd[..., None])[..., 0]) < 1e-13
    assert error(robot.potential_energy_derivatives(q).dq, robot.gravity_torques(q)) < 1e-12
    assert error(robot.center_of_mass_derivatives(q).dq, robot.center_of_mass_jacobian(q)) < 1e-13
    d = robot.momentum_derivatives(q, qd)
    assert error(d.dqd, robot.centroidal_momentum_matrix(q)) < 1e-13
    assert error((d.dq @ qd[..., None])[..., 0], robot.jvp("momentum", (q, qd), (qd, None))) < 1e-12
    # the rate of the linear momentum about any point is the same
    assert error(robot.momentum_derivatives(q, qd, point="origin").dq[..., :3, :], d.dq[..., :3, :]) < 1e-12


def test_lagrange_gives_the_forces_of_newton_and_euler(robot):
    # d/dt dT/dqd - dT/dq + dU/dq = tau holds as it stands for joints of one axis; rotors and coupled joints included
    model = tree_model(5, seed=3, kinds=["revolute", "prismatic"], coupled=0.5, drives=True)
    joints = tuple(replace(joint, friction=lissom.Friction()) for joint in model.joints)
    plain = Robot(replace(model, joints=joints), backend=robot.backend)
    q, qd, qdd = random_states(plain.model, 4, seed=2)
    # d/dt (M qd)
    rate = (plain.jvp("mass_matrix", (q,), (qd,)) @ qd[..., None] + plain.mass_matrix(q) @ qdd[..., None])[..., 0]
    T, U = plain.kinetic_energy_derivatives(q, qd), plain.potential_energy_derivatives(q)
    assert error(rate - T.dq + U.dq, plain.inverse_dynamics(q, qd, qdd)) < 1e-12


def test_second_derivatives_agree_with_differences_in_exponential_coordinates(robot):
    q, qd, qdd = (STATE[x][0, 0] for x in ("q", "qd", "qdd"))
    n, h = MODEL.nv, 1e-3
    w = np.random.default_rng(4).normal(size=n)
    H = robot.inverse_dynamics_hessian(q, qd, qdd, w)
    assert H.shape == (3 * n, 3 * n)
    assert np.array_equal(H, H.T)

    def f(d):
        return robot.inverse_dynamics(robot.integrate(q, d[..., :n]), qd + d[..., n : 2 * n], qdd + d[..., 2 * n :]) @ w

    units = h * np.eye(3 * n)
    a, b = units[:, None], units[None]
    differences = (f(a + b) - f(a - b) - f(b - a) + f(-a - b)) / (4 * h * h)
    assert error(H, differences) < 1e-5  # the error of the differences, of order h^2
    for block in (slice(0, n), slice(n, 2 * n), slice(2 * n, None)):
        assert np.abs(H[block, n:]).max() == 0 or error(H[block, n:], differences[block, n:]) < 1e-5


@pytest.mark.sweep("numpy")
def test_products_with_the_second_derivatives_need_no_matrix(robot):
    q, qd, qdd = (STATE[x] for x in ("q", "qd", "qdd"))
    push = {LINK: Wrench((1.0, 2.0, 3.0), axes="world")}
    w, v = directions("inverse_dynamics")[0], directions("inverse_dynamics", seed=8)
    H = robot.inverse_dynamics_hessian(q, qd, qdd, w, external=push)
    product = robot.inverse_dynamics_hvp(q, qd, qdd, w, v, external=push)
    expected = (H @ np.concatenate(v, axis=-1)[..., None])[..., 0]
    assert error(np.concatenate(list(product), axis=-1), expected) < 1e-12
    partial = robot.inverse_dynamics_hvp(q, qd, qdd, w, {"qd": v[1]}, external=push)
    n = MODEL.nv
    assert error(partial.dq, (H[..., :n, n : 2 * n] @ v[1][..., None])[..., 0]) < 1e-12
    assert not partial.dqdd.any()


def test_second_derivatives_that_fit_nowhere_are_refused_with_their_size():
    robot = lissom.robots.puma560()
    q = np.broadcast_to(np.zeros(6), (2_000_000, 1_000_000, 6))
    text = r"'puma560', 2000000000000 matrices of 18 x 18, would take 5.18e\+06 GB, and this machine has .*inverse_dynamics_hvp"
    with pytest.raises(StateError, match=text):
        robot.inverse_dynamics_hessian(q, np.zeros(6), np.zeros(6), np.zeros(6))


def test_batches_larger_than_a_piece_are_joined(monkeypatch):
    robot = lissom.robots.stanford()
    q, qd, qdd = random_states(robot.model, 5, seed=1)
    whole = robot.inverse_dynamics_hessian(q, qd, qdd, np.ones(6))
    monkeypatch.setattr(hessian, "CHUNK", 2 * 3 * 36)
    assert error(robot.inverse_dynamics_hessian(q, qd, qdd, np.ones(6)), whole) < 1e-13
    assert robot.inverse_dynamics_hessian(q[:0], qd[:0], qdd[:0], np.ones(6)).shape == (0, 18, 18)


def test_a_robot_without_joints_has_nothing_to_differentiate(backend):
    robot = Robot(lissom.Model("rock", [lissom.Link("base")], []), backend=backend)
    none = np.zeros((3, 0))
    assert robot.jvp("inverse_dynamics", (none, none, none), (none, none, none)).shape == (3, 0)
    assert robot.vjp("inverse_dynamics", (none, none, none), none).dq.shape == (3, 0)
    assert robot.inverse_dynamics_hessian(none, none, none, none).shape == (3, 0, 0)
    assert robot.link_velocity_derivatives(none, none, "base").dq.shape == (3, 6, 0)


def test_zero_velocity_with_coulomb_friction(backend):
    robot = Robot(lissom.robots.puma560().model, backend=backend)
    assert any(joint.friction.coulomb for joint in robot.model.joints)
    q, v = np.random.default_rng(0).normal(size=(2, 6))
    zero = np.zeros(6)
    expected = jacobians(robot.model, inverse_dynamics.inverse_dynamics(robot.model), q, zero, zero)
    assert error(robot.jvp("inverse_dynamics", (q, zero, zero), (None, v, None)), expected["qd"] @ v) < 1e-13
    assert error(robot.vjp("inverse_dynamics", (q, zero, zero), v).dqd, v @ expected["qd"]) < 1e-13
    H = robot.inverse_dynamics_hessian(q, zero, zero, v)
    assert np.isfinite(H).all()


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda r, q: r.jvp("inverse_dynamic", (q,), (q,)), "no function 'inverse_dynamic'.*did you mean 'inverse_dynamics'"),
        (lambda r, q: r.vjp(3, (q,), q), "the first argument is the name of a function"),
        (lambda r, q: r.jvp("rk4_step", (q, q), (q, q)), "no function 'rk4_step' that can be differentiated"),
        (lambda r, q: r.jvp("bias_torques", (q,), (q, q)), r"state has 1 entries, expected 2: \(q, qd\)"),
        (lambda r, q: r.jvp("gravity_torques", q, (q,)), r"state must be a tuple \(q,\), or map names to arrays, got ndarray"),
        (lambda r, q: r.jvp("gravity_torques", (q,), (None,)), "no tangent is given: give one of q"),
        (lambda r, q: r.jvp("bias_torques", {"q": q}, (q, q)), r"state has no 'qd'; expected \(q, qd\)"),
        (lambda r, q: r.jvp("bias_torques", (q, None), (q, q)), r"state has no 'qd'; expected \(q, qd\)"),
        (lambda r, q: r.jvp("bias_torques", (q, q), {"dq": q}), "tangents has no 'dq'; did you mean 'q'"),
        (lambda r, q: r.jvp("bias_torques", (q, q), (q[:5], q)), "dq has size 5, expected 6"),
        (lambda r, q: r.jvp("bias_torques", (q, q), (q, q), axes="world"), "bias_torques has no option 'axes'"),
        (lambda r, q: r.jvp("link_pose", (q,), (q,)), "link_pose needs link=, the name of a link"),
        (lambda r, q: r.jvp("link_pose", (q,), (q,), link="link_7"), "no link 'link_7'"),
        (lambda r, q: r.jvp("link_velocity", (q, q), (q, q), link="link_6", axes="wrld"), "no axes 'wrld'; did you mean"),
        (
            lambda r, q: r.jvp("link_velocity", (q, q), (q, q), link="link_6", axes="world", point="tip"),
            "no point 'tip'; expected three numbers",
        ),
        (lambda r, q: r.jvp("momentum", (q, q), (q, q), point="link"), "momentum has no point 'link'"),
        (lambda r, q: r.jvp("joint_wrenches", (q, q, q), (q, q, q), axes="base"), "no axes 'base'"),
        (lambda r, q: r.vjp("mass_matrix", (q,), q), r"weights have shape \(6,\), expected that of the result, \(..., 6, 6\)"),
        (lambda r, q: r.vjp("bias_torques", (q, q), [[1], [1, 2]]), "weights are not an array of numbers"),
        (lambda r, q: r.vjp("bias_torques", (q, q), 1j * q), "weights has dtype complex128"),
        (lambda r, q: r.vjp("bias_torques", (q, q), np.nan * q), r"weights\[0\] .* is nan"),
        (lambda r, q: r.vjp("bias_torques", (q, q), q, out=q), "bias_torques has no option 'out'"),
        (lambda r, q: r.inverse_dynamics_hvp(q, q, q, q, (None, None, None)), "no tangent is given"),
        (lambda r, q: r.inverse_dynamics_hessian(q, q, q, q[:4]), "weights has size 4, expected 6"),
        (
            lambda r, q: r.inverse_dynamics_hessian(q, q, np.ones((2, 6)), np.ones((3, 6))),
            "qdd .* weights .* do not fit together",
        ),
    ],
)
def test_wrong_arguments_are_named(call, text):
    with pytest.raises((StateError, NameLookupError), match=text):
        call(lissom.robots.stanford(), np.full(6, 0.3))


@pytest.mark.filterwarnings("ignore::lissom.errors.ModelWarning")
def test_joints_without_inertia_are_named_as_by_the_function_itself(backend):
    links = [lissom.Link("base"), lissom.Link("hub"), lissom.Link("rod", lissom.Inertia(1.0, (0, 0, 0.5), np.zeros((3, 3))))]
    joints = [
        lissom.Joint("swing", lissom.JointKind.REVOLUTE, "base", "hub", axis=(1, 0, 0)),
        lissom.Joint("spin", lissom.JointKind.REVOLUTE, "hub", "rod"),
    ]
    robot = Robot(lissom.Model("pole", links, joints), backend=backend)
    x = np.array([0.3, 0.2])
    with pytest.raises((ModelError, StateError), match="joint 'spin' has almost no inertia"):
        robot.vjp("forward_dynamics", (x, x, x), x)
    with pytest.raises(ModelError, match="has no center of mass"):
        Robot(lissom.Model("ghost", links[:2], joints[:1]), backend=backend).center_of_mass_derivatives([0.1])


def test_quaternions_of_length_zero_are_named_as_by_the_function_itself(backend):
    robot = Robot(tree_model(2, kinds=["revolute", "spherical"], seed=1), backend=backend)
    q, v = np.zeros(robot.nq), np.ones(robot.nv)
    for call in (lambda: robot.jvp("gravity_torques", (q,), (v,)), lambda: robot.inverse_dynamics_hessian(q, v, v, v)):
        with pytest.raises(StateError, match="the quaternion of joint .* is zero"):
            call()


def test_large_angles_keep_their_digits(backend):
    robot = Robot(lissom.robots.stanford().model, backend=backend)
    q, v = np.full(6, 1e11), np.ones(6)
    h = 2.0**-8  # such angles are multiples of 2^-16
    differences = [robot.gravity_torques(q + k * h * v) - robot.gravity_torques(q - k * h * v) for k in (1, 2, 3)]
    expected = (45 * differences[0] - 9 * differences[1] + differences[2]) / (60 * h)
    assert error(robot.jvp("gravity_torques", (q,), (v,)), expected) < 1e-9


def test_derivatives_are_a_set_of_arrays_with_names():
    d = Derivatives(dq=np.zeros((2, 3)), dtau=np.ones(3))
    assert repr(d) == "Derivatives(dq=(2, 3), dtau=(3,))"
    dq, dtau = d
    assert dq is d.dq
    assert dtau is d.dtau
    assert len(d) == 2
    with pytest.raises(AttributeError, match="no 'dqd'; did you mean 'dq'"):
        d.dqd  # noqa: B018
    with pytest.raises(AttributeError, match="cannot be changed: 'dq'"):
        d.dq = 3
    with pytest.raises(AttributeError, match="cannot be changed: 'dq'"):
        del d.dq
    for twin in (copy.copy(d), copy.deepcopy(d), pickle.loads(pickle.dumps(d))):
        assert repr(twin) == repr(d)
        assert np.array_equal(twin.dtau, d.dtau)
