"""The recursion itself, over plain floats: a debugger's view."""

import numpy as np
import pytest

from lissom import Inertia, Joint, Link, Model, Robot
from lissom.algorithms.dynamics import inverse_dynamics as tasks
from lissom.algorithms.dynamics.rnea import rnea
from lissom.robots import planar_two_link_closed_form, planar_two_link_model, tree_model
from lissom.spatial.vector import Vector
from lissom.tree import lump
from support.states import error, random_states


def floats(state):
    return [[float(x) for x in part] for part in state]


def test_plain_floats_give_the_closed_form():
    model = planar_two_link_model()
    for seed in range(5):
        state = random_states(model, seed=seed)
        passes = rnea(lump(model), *floats(state))
        assert all(type(x) is float for x in passes.tau)
        assert np.allclose(passes.tau, planar_two_link_closed_form(*state), rtol=1e-13, atol=1e-13)


def test_floats_arrays_and_machine_code_agree():
    model = tree_model(7, seed=12, floating=True, coupled=0.4, tails=0.4)
    state = random_states(model, seed=1)
    tau = rnea(lump(model), *floats(state)).tau
    assert error(Robot(model, backend="numpy").inverse_dynamics(*state), tau) < 1e-12
    assert error(Robot(model, backend="llvm").inverse_dynamics(*state), tau) < 1e-12


def test_without_motion_and_gravity_nothing_is_needed():
    model = tree_model(7, seed=12, floating=True).replace(gravity=(0, 0, 0))
    q = random_states(model, seed=1)[0]
    passes = rnea(lump(model), floats([q])[0], [0.0] * model.nv, [0.0] * model.nv)
    assert not np.any(passes.tau)


def test_an_external_wrench_is_carried_down_to_the_base():
    model = tree_model(4, seed=3, branching=1, kinds=["revolute"], drives=False).replace(gravity=(0, 0, 0))
    tree, still = lump(model), [0.0] * 4
    q = floats([random_states(model, seed=1)[0]])[0]
    force = Vector(1.0, 2.0, 3.0)
    passes = rnea(tree, q, still, still, {3: (force, Vector(0.0, 0.0, 0.0))})
    assert list(passes.f[3]) == [-1.0, -2.0, -3.0]
    for f in passes.f:
        assert np.linalg.norm(list(f)) == pytest.approx(np.sqrt(14))


def test_keys_tell_tasks_apart():
    model = tree_model(3, seed=1)
    made = [
        tasks.inverse_dynamics(model),
        tasks.inverse_dynamics(model, regrouped=False),
        tasks.inverse_dynamics(model, base_motion=True),
        tasks.inverse_dynamics(model, (("link_1", "link"),)),
        tasks.inverse_dynamics(model, (("link_1", "world"),)),
        tasks.inverse_dynamics(model, (("link_2", "link"),)),
        tasks.inverse_dynamics(model, (("link_1", "link"), ("link_2", "link"))),
        tasks.bias_torques(model),
        tasks.gravity_torques(model),
        *(tasks.joint_wrenches(model, axes=axes) for axes in tasks.WRENCH_AXES),
    ]
    assert len({task.key for task in made}) == len(made)


def test_names_of_links_cannot_forge_the_key_of_another_task():
    body, names = Inertia(1.0, (0.1, 0, 0)), ("a", "b", "a in link, b", "a' in link, 'b")
    links = (Link("ground"), *(Link(name, body) for name in names))
    model = Model("odd", links, tuple(Joint(name, "revolute", "ground", name) for name in names))
    two = tasks.inverse_dynamics(model, (("a", "link"), ("b", "link")))
    for name in names[2:]:
        assert tasks.inverse_dynamics(model, ((name, "link"),)).key != two.key
