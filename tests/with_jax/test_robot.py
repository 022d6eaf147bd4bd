"""Functions of a robot on JAX's arrays: values, derivatives to any order, transforms, devices, and what is refused."""

import threading

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="jax is not installed (extra `jax`)")

import jax.numpy as jnp  # noqa: E402
from jax.test_util import check_grads  # noqa: E402

import lissom.jax  # noqa: E402
from lissom import Robot, StateError, Wrench  # noqa: E402
from lissom.robots import five_bar, hua_arm_model, rp_model, tree_model  # noqa: E402
from support.states import error, random_states  # noqa: E402

RP = lissom.jax.Robot(Robot(rp_model()))
TREE = lissom.jax.Robot(Robot(tree_model(2, seed=5, kinds=["spherical"], floating=True)))
NAMES = ("inverse_dynamics", "forward_dynamics", "mass_matrix", "kinetic_energy", "center_of_mass", "link_pose", "link_velocity")


@pytest.fixture(autouse=True)
def double():
    """Let JAX have float64 in these tests, whatever others set."""
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", before)


def state(model, lead=(2,), seed=1):
    """Return q, qd, qdd (..., n) as arrays."""
    return [jnp.asarray(x) for x in random_states(model.robot.model, lead, seed=seed)]


def arguments(model, name, lead=(2,)):
    """Return a function and its state."""
    options = {"link": model.robot.link_names[-1]} if name.startswith("link") else {}
    return lambda *x: getattr(model, name)(*x, **options), state(model, lead)[: len(model.robot.catalogue[name].state)], options


@pytest.mark.parametrize("name", NAMES)
def test_values_are_those_of_the_robot_inside_jit_and_outside(name):
    f, x, options = arguments(TREE, name, (3, 2))
    theirs = getattr(TREE.robot, name)(*map(np.asarray, x), **options)
    for ours in (f(*x), jax.jit(f)(*x)):
        assert ours.dtype == jnp.float64 and error(ours, theirs) < 1e-15
    one = jax.jit(f)(*(y[0, 0] for y in x))
    assert error(one, theirs[0, 0]) < 1e-12


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("model", [RP, TREE], ids=["rp", "floating"])
def test_check_grads_passes_with_quaternions_too(model, name):
    f, x, _ = arguments(model, name, ())
    check_grads(f, x, order=2 if model is RP or name == "inverse_dynamics" else 1, rtol=1e-4, atol=1e-4)


def test_transforms_agree():
    x, f = state(RP, (3,)), RP.inverse_dynamics
    whole = RP.robot.inverse_dynamics_derivatives(*map(np.asarray, x))
    for way in (jax.jacrev, jax.jacfwd):
        for k, part in enumerate(whole):
            assert error(jax.jit(jax.vmap(way(f, argnums=k)))(*x), part) < 1e-12
    hessian = jax.vmap(jax.hessian(lambda q, qd, qdd: f(q, qd, qdd).sum()))(*x)
    assert error(hessian, RP.robot.inverse_dynamics_hessian(*map(np.asarray, x), np.ones(2))[:, :2, :2]) < 1e-12
    mapped = jax.vmap(f, in_axes=(1, None, 0), out_axes=1)(x[0].T, x[1][0], x[2])
    assert error(mapped.T, f(x[0], x[1][:1], x[2])) == 0
    tangent = jax.jvp(f, tuple(x), tuple(state(RP, (3,), seed=2)))[1]
    theirs = RP.robot.jvp("inverse_dynamics", tuple(map(np.asarray, x)), tuple(map(np.asarray, state(RP, (3,), seed=2))))
    assert error(tangent, theirs) < 1e-13


def test_gradients_are_tangential_to_the_sphere():
    q, qd, qdd = state(TREE)
    gradient = jax.jit(jax.grad(lambda q: (TREE.inverse_dynamics(q, qd, qdd) ** 2).sum()))(q)
    for _, where in TREE.robot.model.layout.quaternions:
        assert abs((gradient[:, where] * q[:, where]).sum(-1)).max() < 1e-9 * abs(gradient).max()
        assert abs(gradient[:, where]).max() > 0


def test_functions_run_inside_loops_and_scans():
    x = state(RP, ())

    def step(carry, tau):
        q, qd = carry
        qd = qd + 0.01 * RP.forward_dynamics(q, qd, tau)
        return (q + 0.01 * qd, qd), q

    def end(torques):
        return jax.lax.scan(step, (x[0], x[1]), torques)[0][0].sum()

    torques = jnp.zeros((5, 2))
    gradient, h = jax.jit(jax.grad(end))(torques), 1e-6
    slope = (end(torques.at[1, 0].add(h)) - end(torques.at[1, 0].add(-h))) / (2 * h)
    assert abs(gradient[1, 0] - slope) < 1e-8


def test_leading_axes_broadcast():
    q, qd, qdd = state(RP, (4,))
    ours = RP.inverse_dynamics(q.reshape(2, 2, 2), qd[0], qdd[:2])
    assert error(ours, RP.robot.inverse_dynamics(np.asarray(q).reshape(2, 2, 2), np.asarray(qd[0]), np.asarray(qdd[:2]))) < 1e-15
    assert RP.inverse_dynamics(q[:0], qd[:0], qdd[:0]).shape == (0, 2)
    assert RP.kinetic_energy(q[0], qd[0]).shape == ()


def test_single_precision_is_computed_in_double():
    x = [y.astype(jnp.float32) for y in state(RP)]
    result = RP.inverse_dynamics(*x)
    assert result.dtype == jnp.float32
    assert (result == RP.inverse_dynamics(*(y.astype(jnp.float64) for y in x)).astype(jnp.float32)).all()
    assert jax.grad(lambda q: RP.inverse_dynamics(q, *x[1:]).sum())(x[0]).dtype == jnp.float32
    assert RP.inverse_dynamics([0, 0], [0, 0], [0, 0]).dtype == jnp.float64


def test_parameters_are_differentiated():
    p, (q, qd, qdd) = RP.inertial_parameters(), state(RP)
    for name in ("inverse_dynamics", "forward_dynamics"):
        f = getattr(RP, name)
        assert error(f(q, qd, qdd, parameters=p), f(q, qd, qdd)) < 1e-12
        check_grads(lambda p, q, f=f: f(q, qd, qdd, parameters=p), (p, q), order=1, rtol=1e-4, atol=1e-4)


def test_masses_centers_and_inertias_make_parameters():
    inertias = [link.inertia for link in RP.robot.model.links if link.inertia is not None]
    mass, center, about = (np.array([getattr(x, part) for x in inertias]) for part in ("mass", "com", "tensor"))
    whole = RP.robot.inertial_parameters(drives=False).reshape(-1, 10)
    assert error(lissom.jax.link_parameters(*map(jnp.asarray, (mass, center, about))), whole[whole.any(-1)]) < 1e-14
    with pytest.raises(StateError, match=r"expected \(..., 3\) and \(..., 3, 3\)"):
        lissom.jax.link_parameters(mass, center[:, :2], about)


def test_loads_are_constants_of_any_batch():
    x, link = state(RP, (3,)), RP.robot.link_names[-1]
    push = {link: Wrench(np.array([[1.0, 2.0, 3.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]]), axes="world")}
    assert error(RP.inverse_dynamics(*x, external=push), RP.robot.inverse_dynamics(*map(np.asarray, x), external=push)) < 1e-15


def test_regressors_have_their_zeros():
    x = state(RP)
    ours = jax.jit(RP.inverse_dynamics_regressor)(*x)
    assert error(ours, RP.robot.inverse_dynamics_regressor(*map(np.asarray, x))) < 1e-15


def test_elastic_arms_have_their_functions():
    arm = lissom.jax.Robot(Robot(hua_arm_model()))
    path = [0.1 * jnp.arange(arm.robot.link_nv) for _ in range(3)]
    by_q = jax.jacrev(arm.drive_deflections)(*path)
    assert error(by_q, arm.robot.derivatives("drive_deflections", tuple(map(np.asarray, path))).dq) < 1e-10


def test_closed_robots_are_differentiated_near_home():
    robot = five_bar()
    model, rng = lissom.jax.Robot(robot), np.random.default_rng(0)
    q, qd, qdd = jnp.asarray(robot.home() + 0.05), *(jnp.asarray(rng.normal(size=2)) for _ in range(2))
    theirs = robot.inverse_dynamics(*map(np.asarray, (q, qd, qdd)))
    assert error(jax.jit(model.inverse_dynamics)(q, qd, qdd), theirs) < 1e-12
    check_grads(model.kinetic_energy, (q, qd), order=2, rtol=1e-4, atol=1e-4)
    by_q = jax.jacfwd(model.inverse_dynamics)(q, qd, qdd)
    assert error(by_q, robot.derivatives("inverse_dynamics", tuple(map(np.asarray, (q, qd, qdd)))).dq) < 1e-9
    assert jnp.isnan(model.kinetic_energy(q + 3.0, qd))


def test_where_there_is_no_result_it_is_nan():
    q, qd, qdd = state(RP, ())
    assert jnp.isnan(RP.inverse_dynamics(q * jnp.nan, qd, qdd)).all()
    assert jnp.isnan(RP.forward_dynamics(q, qd, qdd, parameters=-RP.inertial_parameters())).all()


def test_threads_share_a_robot():
    x, found = state(TREE, (64,)), []
    f = jax.jit(jax.grad(lambda q: TREE.inverse_dynamics(q, *x[1:]).sum()))
    expected = f(x[0])
    threads = [threading.Thread(target=lambda: found.extend(f(x[0]) for _ in range(20))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 80 and all((a == expected).all() for a in found)


def test_batches_stay_on_their_devices(python):
    text = """
import jax, numpy as np
from jax.sharding import Mesh
jax.config.update("jax_enable_x64", True)
import lissom.jax
from jax.sharding import NamedSharding, PartitionSpec
from lissom.robots import rp
model = lissom.jax.Robot(rp())
rows = NamedSharding(Mesh(np.array(jax.devices()), ("batch",)), PartitionSpec("batch"))
x = [jax.device_put(np.random.default_rng(k).normal(size=(8, 2)), rows) for k in range(3)]
f = jax.jit(lambda *x: jax.grad(lambda q: (model.inverse_dynamics(q, *x[1:]) ** 2).sum())(x[0]))
ours = f(*x)
assert ours.sharding.is_equivalent_to(rows, 2), ours.sharding
assert "all-gather" not in f.lower(*x).compile().as_text()
tau = model.robot.inverse_dynamics(*map(np.asarray, x))
theirs = model.robot.vjp("inverse_dynamics", tuple(map(np.asarray, x)), 2 * tau).dq
print(np.abs(ours - theirs).max() < 1e-12)
"""
    assert python(text, XLA_FLAGS="--xla_force_host_platform_device_count=2") == "True"


def test_programs_of_another_process_are_refused(monkeypatch):
    from lissom.jax import primitive

    x = state(RP, (5,))
    RP.inverse_dynamics(*x)
    monkeypatch.setattr(primitive, "PROCESS", primitive.PROCESS - 1)
    with pytest.raises(Exception, match="stored by another process"):
        jax.jit(lambda *x: RP.inverse_dynamics(*x) + 1)(*x).block_until_ready()


def test_wrong_arrays_say_what_was_expected():
    q, qd, qdd = state(RP)
    with pytest.raises(StateError, match=r"qd has shape \(2, 3\), expected \(..., 2\)"):
        RP.inverse_dynamics(q, jnp.zeros((2, 3)), qdd)
    with pytest.raises(StateError, match="q has dtype complex128, expected float64, or float32"):
        RP.inverse_dynamics(q + 0j, qd, qdd)
    with pytest.raises(StateError, match=r"the leading axes of q \(2, 2\), qd \(3, 2\), qdd \(2, 2\) do not fit together"):
        RP.inverse_dynamics(q, jnp.zeros((3, 2)), qdd)
    with pytest.raises(StateError, match="lissom.jax needs machine code, and 'barman_rp' has the backend 'numpy'"):
        lissom.jax.Robot(Robot(rp_model(), backend="numpy"))
    jax.config.update("jax_enable_x64", False)
    with pytest.raises(StateError, match="jax_enable_x64"):
        RP.inverse_dynamics(q, qd, qdd)


def test_other_devices_are_refused_in_words():
    q, qd, qdd = state(RP)
    with pytest.raises(StateError, match="lissom.jax computes on the CPU and on NVIDIA cards"):
        jax.jit(RP.inverse_dynamics).trace(q, qd, qdd).lower(lowering_platforms=("tpu",))


@pytest.mark.slow
def test_nothing_is_kept_over_many_calls():
    resource = pytest.importorskip("resource", reason="the memory of a process is read by its usage of resources")
    x = state(RP)
    f = jax.jit(jax.grad(lambda *x: RP.inverse_dynamics(*x).sum()))

    def calls(n):
        for _ in range(n):
            f(*x)
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    before = calls(2_000)
    assert calls(20_000) - before < 4_000  # kB on Linux
