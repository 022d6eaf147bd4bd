"""Derivatives of what elastic drives have to do, by a path of the joints alone, against complex steps through the tasks."""

import numpy as np
import pytest
from hypothesis import given, settings

from lissom.algorithms.derivatives import directional
from lissom.algorithms.elastic import motors as elastic
from lissom.robots import hua_arm_model
from support.complex_step import H, evaluate
from support.motors import single_axis_trees, smooth

MAKERS = {
    "torques": elastic.elastic_inverse_dynamics,
    "rates": elastic.elastic_torque_rates,
    "springs": elastic.drive_deflections,
}
EXTERNAL = (("tip", "world"), ("link_2", "link"))


def arguments_of(task, seed=0):
    rng = np.random.default_rng(seed)
    return [rng.uniform(-1.0, 1.0, (1, port.size)) for port in task.inputs]


def stepped(task, arguments):
    """Return the derivatives by every entry of every state input, {name: (size of the output, entries)}."""
    found = {}
    for k, port in enumerate(task.inputs):
        if port.name in directional.STATE:
            columns = []
            for entry in range(port.size):
                moved = [np.array(x, dtype=complex) for x in arguments]
                moved[k][0, entry] += 1j * H
                columns.append(np.imag(evaluate(task, moved)[0]) / H)
            found[port.name] = np.stack(columns, axis=-1)
    return found


def check(maker, model, **options):
    task, rng = maker(model, **options), np.random.default_rng(1)
    arguments = arguments_of(task)
    J = stepped(task, arguments)
    n, size = elastic.link_nv(model), max(1.0, *(np.abs(x).max() for x in J.values()))
    assert all(x.shape == (task.outputs[0].size, n) for x in J.values())
    v = {name: rng.normal(size=(1, n)) for name in J}
    ours = directional.jvp(model, of=maker, along=tuple(J), **options).evaluate([*arguments, *v.values()])[0][0]
    assert np.abs(ours - sum(J[name] @ v[name][0] for name in J)).max() < 1e-11 * size
    w = rng.normal(size=(1, task.outputs[0].size))
    ours = directional.vjp(model, of=maker, **options).evaluate([*arguments, w])[0][0]
    assert np.abs(ours - np.concatenate([w[0] @ x for x in J.values()])).max() < 1e-11 * size
    for text in range(2):  # backward, and forward
        jacobian = directional.jacobian(model, of=maker, **options)
        ours = np.array(jacobian.texts[text](*([float(y) for y in x[0]] for x in arguments))[0], dtype=float)
        assert np.abs(ours - np.concatenate([x.ravel() for x in J.values()])).max() < 1e-11 * size
    # second derivatives along a direction of two inputs: complex steps of the first ones
    along = (task.inputs[0].name, task.inputs[2].name)
    moved = [np.array(x, dtype=complex) for x in arguments]
    for name in along:
        moved[[port.name for port in task.inputs].index(name)] += 1j * H * v[name]
    theirs = np.imag(evaluate(directional.vjp(model, of=maker, **options), [*moved, w])[0]) / H
    product = directional.hvp(model, of=maker, along=along, by=tuple(J), **options)
    ours = product.evaluate([*arguments, w, *(v[name] for name in along)])[0][0]
    assert np.abs(ours - theirs).max() < 1e-10 * max(1.0, np.abs(theirs).max())


@pytest.mark.sweep(2)
@pytest.mark.parametrize("external", [(), EXTERNAL], ids=["alone", "loaded"])
@pytest.mark.parametrize("name", MAKERS)
def test_derivatives_of_the_arm_of_hua_are_those_of_complex_steps(name, external):
    check(MAKERS[name], hua_arm_model(), external=external)


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(single_axis_trees({"places": ("base",), "elastic": 0.7, "ratios": (3.0, -10.0)}, n=3))
def test_derivatives_of_any_tree_are_those_of_complex_steps(model):
    model = smooth(model)
    driven = {motor.joint for motor in model.elastic_motors}
    coupled = {name for joint in model.joints if joint.coupling for name in (joint.name, model.resolve_coupling(joint).joint)}
    if driven and not driven & coupled:
        check(elastic.elastic_inverse_dynamics, model)


def test_inputs_have_as_many_ways_to_go_as_numbers_and_configurations_as_velocities():
    model = hua_arm_model()
    task = elastic.elastic_torque_rates(model)
    assert directional.tangent_sizes(model, task) == dict.fromkeys(elastic.PATH, 3)
    assert model.nv == 4
