"""Derivatives of tasks, on the NumPy backend, against complex steps on random trees."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lissom.algorithms.derivatives import directional
from lissom.algorithms.dynamics import coriolis, energy, forward_dynamics, inverse_dynamics, momentum
from lissom.algorithms.kinematics import jacobian, kinematics
from lissom.manifold import integrate_configuration
from lissom.robots import tree_model
from support.complex_step import directional as along
from support.complex_step import jacobians
from support.states import error, random_states
from support.trees import trees

WHOLE = [
    inverse_dynamics.inverse_dynamics,
    inverse_dynamics.bias_torques,
    inverse_dynamics.gravity_torques,
    inverse_dynamics.joint_wrenches,
    coriolis.coriolis_matrix,
    energy.kinetic_energy,
    energy.potential_energy,
    momentum.center_of_mass,
    momentum.momentum,
    kinematics.link_poses,
    forward_dynamics.mass_matrix,
]
OF_LINKS = [
    (kinematics.link_pose, {}),
    (kinematics.link_velocity, {"axes": "link"}),
    (kinematics.link_velocity, {"point": "given"}),
    (kinematics.link_acceleration, {"classical": True}),
    (kinematics.link_acceleration, {"point": "origin", "classical": False}),
    (jacobian.jacobian, {"axes": "link"}),
    (jacobian.jacobian_rate_product, {"axes": "link", "point": "origin"}),
]


def small_trees():
    return st.integers(1, 4).flatmap(lambda n: trees(n=n))


def state_of(task, model, seed=0):
    """Return arguments of a task at a random state, with quaternions of other lengths than one."""
    rng = np.random.default_rng(seed)
    q, qd, qdd = random_states(model, seed=seed)
    start = 0
    for joint in model.independent_joints:
        start += joint.kind.nq
        if joint.kind.nq > joint.kind.nv:
            q[start - 4 : start] *= rng.uniform(0.5, 2.0)
    named = {"q": q, "qd": qd, "qdd": qdd, "tau": qdd}
    return [named[port.name] if port.name in named else rng.normal(size=port.size) for port in task.inputs]


def run(task, *arguments):
    return task.evaluate([np.asarray(a)[None] for a in arguments])[0][0]


def check(maker, model, tolerance=1e-11, **options):
    """Compare jvp, vjp and both ways to the Jacobian with complex steps."""
    task = maker(model, **options)
    rng = np.random.default_rng(1)
    arguments = state_of(task, model)
    J = jacobians(model, task, *arguments)
    names = tuple(J)
    size = max(np.abs(x).max(initial=0) for x in J.values())
    if not size > 1e-9:
        return
    v = {name: rng.normal(size=model.nv) for name in names}
    ours = run(directional.jvp(model, of=maker, along=names, **options), *arguments, *v.values())
    theirs = sum(J[name] @ v[name] for name in names)
    assert np.abs(ours - theirs).max() < tolerance * size
    assert np.abs(theirs - along(model, task, arguments, v)).max() < tolerance * size
    w = rng.normal(size=task.outputs[0].size)
    ours = run(directional.vjp(model, of=maker, **options), *arguments, w)
    theirs = np.concatenate([w @ J[name] for name in names])
    assert np.abs(ours - theirs).max() < tolerance * max(size, np.abs(theirs).max())
    if task.outputs[0].size > 30:  # matrices take their time
        return
    whole = directional.jacobian(model, of=maker, **options)
    for text in whole.texts:
        found = text(*([np.array([x]) for x in a] for a in arguments))[0]
        flat = np.array([float(np.asarray(x).reshape(-1)[0]) for x in found])
        assert np.abs(flat - np.concatenate([J[name].ravel() for name in names])).max() < tolerance * size


@pytest.mark.sweep(4)
@pytest.mark.parametrize("maker", WHOLE, ids=lambda m: m.__name__)
@given(model=small_trees())
@settings(max_examples=6)
def test_derivatives_of_the_whole_robot_agree_with_complex_steps(maker, model):
    check(maker, model)


@pytest.mark.parametrize(
    ("maker", "options"), OF_LINKS, ids=lambda x: x.__name__ if callable(x) else "-".join(map(str, x.values()))
)
@given(model=small_trees(), seed=st.integers(0, 9))
@settings(max_examples=6)
def test_derivatives_of_links_agree_with_complex_steps(maker, options, model, seed):
    check(maker, model, link=model.links[seed % len(model.links)].name, **options)


@pytest.mark.slow
@given(model=small_trees())
@settings(max_examples=6)
def test_derivatives_of_accelerations_agree_with_complex_steps(model):
    # the numbers behind an acceleration are as good as the mass matrix is regular
    n = model.nv
    M = run(forward_dynamics.mass_matrix(model), random_states(model)[0]).reshape(n, n)
    if n and np.linalg.cond(M) < 1e6:
        check(forward_dynamics.forward_dynamics, model, tolerance=1e-8)


@pytest.mark.parametrize("method", forward_dynamics.METHODS)
def test_every_method_of_forward_dynamics_has_the_same_derivatives(method):
    model = tree_model(6, kinds=["revolute", "prismatic"], branching=2, drives=True, seed=3)
    check(forward_dynamics.forward_dynamics, model, tolerance=1e-9, method=method)


@pytest.mark.sweep(1)
@pytest.mark.parametrize("axes", inverse_dynamics.WRENCH_AXES)
@pytest.mark.parametrize("base_motion", [False, True])
def test_loads_are_constants_that_turn_as_they_should(axes, base_motion):
    model = tree_model(4, floating=False, seed=5)
    links = [link.name for link in model.links]
    options = {"external": ((links[-1], "world"), (links[2], "link")), "base_motion": base_motion}
    if axes == inverse_dynamics.WRENCH_AXES[0]:  # of joint torques there is one form
        check(inverse_dynamics.inverse_dynamics, model, **options)
    check(inverse_dynamics.joint_wrenches, model, axes=axes, **options)


def test_coulomb_friction_has_no_derivative_at_rest_either():
    model = tree_model(4, kinds=["revolute"], drives=True, seed=1)
    assert any(joint.friction.coulomb for joint in model.joints)
    rng = np.random.default_rng(0)
    q, v = rng.normal(size=(2, 4))
    zero = np.zeros(4)
    viscous = np.array([joint.friction.viscous for joint in model.independent_joints])
    task = directional.jvp(model, of=inverse_dynamics.inverse_dynamics, along=("qd",))
    assert error(run(task, q, zero, zero, v), viscous * v) < 1e-14  # Coriolis forces are quadratic in velocities
    w = rng.normal(size=4)
    found = run(directional.vjp(model, of=inverse_dynamics.inverse_dynamics), q, zero, zero, w)
    assert error(found[4:8], viscous * w) < 1e-14


@given(model=trees())
@settings(max_examples=8)
def test_second_derivatives_are_the_curvature_along_exponentials(model):
    if not model.nv:
        return
    rng = np.random.default_rng(2)
    n = model.nv
    q, qd, qdd = random_states(model, seed=2)
    w, v = rng.normal(size=n), rng.normal(size=(3, n))
    task = directional.hvp(model, of=inverse_dynamics.inverse_dynamics, along=("q", "qd", "qdd"), by=("q", "qd", "qdd"))
    ours = run(task, q, qd, qdd, w, *v)
    # the curve of the state along v, differentiated twice: v' H v
    inverse = inverse_dynamics.inverse_dynamics(model)

    def slope(t):
        # the body's velocity along an exponential is constant, so v is the tangent at every t
        state = [integrate_configuration(model, q, v[0], t), qd + t * v[1], qdd + t * v[2]]
        return w @ along(model, inverse, state, {"q": v[0], "qd": v[1], "qdd": v[2]})

    h = 1e-3
    theirs = sum(c * (slope(k * h) - slope(-k * h)) for k, c in ((1, 45), (2, -9), (3, 1))) / (60 * h)
    assert abs(v.ravel() @ ours - theirs) < 1e-7 * max(np.abs(ours).max(), 1.0)


@given(model=trees())
@settings(max_examples=8)
def test_second_derivatives_are_symmetric(model):
    # which, with the curvature along every direction, leaves nothing open
    n = model.nv
    if not n:
        return
    rng = np.random.default_rng(3)
    state = random_states(model, seed=3)
    w = rng.normal(size=n)
    task = directional.hvp(model, of=inverse_dynamics.inverse_dynamics, along=("q", "qd", "qdd"), by=("q", "qd", "qdd"))
    many = [np.broadcast_to(x, (3 * n, len(x))) for x in (*state, w)]
    H = task.evaluate([*many, *np.eye(3 * n).reshape(3 * n, 3, n).swapaxes(0, 1)])[0]
    assert error(H, H.T) < 1e-12
    assert not H[n:, 2 * n :].any()  # tau is linear in qdd, and qd does not meet it
