"""Every function on arrays of a card: of trees, elastic and closed robots, and what several launches put together."""

from dataclasses import replace

import numpy as np
import pytest

import lissom
from lissom import Inertia, Joint, Link, Robot, StateError
from lissom.compiler.cuda.arrays import DeviceArray
from lissom.robots import five_bar_model, four_bar_model, planar_two_link_model, tree_model
from support import elastic_arms
from support.states import error, random_states

MODEL = planar_two_link_model()


def there(robot, arrays, columns=False):
    """Return copies on the card, in rows or in columns."""
    if columns:
        return [robot.backend.array(np.ascontiguousarray(a.T)).T for a in arrays]
    return [robot.backend.array(a) for a in arrays]


def parts(found):
    if hasattr(found, "shape"):
        return [found]
    values = vars(found).values() if hasattr(found, "__dataclass_fields__") else found
    return [x for part in values if part is not None for x in parts(part)]


def agree(ours, theirs, least=1e-11):
    ours, theirs = parts(ours), parts(theirs)
    assert len(ours) == len(theirs)
    for a, b in zip(ours, theirs, strict=True):
        assert isinstance(a, DeviceArray)
        assert a.shape == np.shape(b)
        assert error(a.copy_to_host(), b) < least


def state_of(robot, entry, lead, seed=4):
    rng = np.random.default_rng(seed)
    if entry.path:  # of the joints alone
        return [rng.uniform(-1, 1, (lead, entry.width(robot))) for _ in entry.state]
    q = robot.random_configuration(rng, size=lead)
    return [q, *(rng.uniform(-1, 1, (lead, robot.nv)) for _ in entry.state[1:])]


def by_method(card, definition, names, lead=3, columns=False):
    for name in names:
        entry = definition.catalogue[name]
        options = {option.name: option.example(definition) for option in entry.options if option.example is not None}
        state = state_of(definition, entry, lead)
        expected = getattr(definition, name)(*state, **options)
        agree(getattr(card, name)(*there(card, state, columns), **options), expected)


@pytest.mark.parametrize("columns", [False, True])
def test_every_function_of_a_tree(fake, columns):
    card, definition = Robot(MODEL, backend="cuda"), Robot(MODEL, backend="numpy")
    names = [x for x in definition.functions if definition.catalogue[x].method]
    names = [x for x in names if x not in ("hybrid_dynamics", "inverse_dynamics_hessian")]
    names.remove("inverse_dynamics_dh_derivatives")  # of a table of Denavit and Hartenberg alone
    by_method(card, definition, names, 5, columns)


def test_functions_of_elastic_drives(fake):
    definition = elastic_arms.chain(backend="numpy")
    card = Robot(definition.model, backend="cuda")
    names = [x for x in definition.functions if "elastic" in x or x in ("drive_deflections", "spring_torques", "motor_wrenches")]
    assert len(names) >= 6
    by_method(card, definition, names)


def test_hybrid_dynamics(fake):
    model = tree_model(3, seed=2, floating=True)
    card, definition = Robot(model, backend="cuda"), Robot(model, backend="numpy")
    q, qd, x = random_states(model, 5)
    tau = x[::-1] + 0.5
    known = {"torque": [definition.joint_names[0]], "acceleration": ...}
    expected = definition.hybrid_dynamics(q, qd, known=known, qdd=x, tau=tau, wrenches=True, axes="link")
    agree(card.hybrid_dynamics(*there(card, (q, qd)), known=known, qdd=x, tau=tau, wrenches=True, axes="link"), expected)
    expected = definition.hybrid_dynamics(q, qd, known=known, qdd=x)
    agree(card.hybrid_dynamics(q, qd, known=known, qdd=there(card, [x])[0]), expected)


@pytest.mark.parametrize("columns", [False, True])
@pytest.mark.parametrize("lead", [(), (4,), (2, 3)], ids=str)
def test_second_derivatives(fake, lead, columns):
    card, definition = Robot(MODEL, backend="cuda"), Robot(MODEL, backend="numpy")
    rng = np.random.default_rng(2)
    state = [rng.uniform(-1, 1, (*lead, 2)) for _ in range(4)]
    given = there(card, state, columns and len(lead) == 1)
    agree(card.inverse_dynamics_hessian(*given), definition.inverse_dynamics_hessian(*state))
    given[3] = np.array([0.3, -0.7])  # of the host, one for all
    agree(card.inverse_dynamics_hessian(*given), definition.inverse_dynamics_hessian(*state[:3], given[3]))


def test_derivatives_of_tables_with_zeros(fake):
    """The regressor: the processor puts its numbers among zeros, the card's program has them all."""
    card, definition = Robot(MODEL, backend="cuda"), Robot(MODEL, backend="numpy")
    state = random_states(MODEL, 3)
    name, shape = "inverse_dynamics_regressor", definition.inverse_dynamics_regressor(*state).shape
    weights = np.random.default_rng(0).normal(size=shape)
    given = there(card, state)
    agree(card.derivatives(name, given), definition.derivatives(name, state))
    agree(card.vjp(name, given, there(card, [weights])[0]), definition.vjp(name, state, weights))
    agree(card.jvp(name, given, given), definition.jvp(name, state, state))


@pytest.fixture
def closed(fake):
    return [lissom.ClosedRobot(five_bar_model(), backend=name) for name in ("cuda", "numpy")]


def test_functions_of_a_closed_robot(closed):
    card, definition = closed
    rng = np.random.default_rng(1)
    q = definition.home() + rng.uniform(-0.1, 0.1, (3, definition.nq))
    rest = [rng.uniform(-1, 1, (3, definition.nv)) for _ in range(3)]
    for name in definition.functions:
        entry = definition.catalogue[name]
        options = {option.name: option.example(definition) for option in entry.options if option.example is not None}
        if name in ("tree_motion", "hybrid_dynamics"):
            continue
        state = [q, *rest[: len(entry.state) - 1]]
        expected = definition.evaluate(name, state, **options)
        agree(card.evaluate(name, there(card, state), **options), expected, 1e-9)
    given = there(card, [q, *rest])
    agree(card.tree_motion(*given[:3]), definition.tree_motion(q, *rest[:2]), 1e-9)
    known = {"torque": [definition.torque_names[0]], "acceleration": ...}
    for qdd in (rest[1], None):
        expected = definition.hybrid_dynamics(q, rest[0], known=known, qdd=qdd, tau=rest[2])
        agree(card.hybrid_dynamics(given[0], rest[0], known=known, qdd=qdd, tau=given[3]), expected, 1e-9)
    tree = definition.closure(q)
    velocities = definition.tree_motion(q, rest[0])[1]
    expected = definition.tree_dynamics(tree, velocities, 0.1 * velocities)
    agree(card.tree_dynamics(*there(card, (tree, velocities, 0.1 * velocities))), expected, 1e-9)


def test_derivatives_of_a_closed_robot(closed):
    card, definition = closed
    q = definition.home() + np.array([[0.05, -0.02], [0.01, 0.03]])
    state = [q, 0.3 * q, -0.2 * q]
    given, weights = there(card, state), np.array([[1.0, 2.0], [0.5, -1.0]])
    name = "inverse_dynamics"
    agree(card.derivatives(name, given), definition.derivatives(name, state), 1e-9)
    agree(card.vjp(name, given, there(card, [weights])[0]), definition.vjp(name, state, weights), 1e-9)
    agree(card.jvp(name, given, given), definition.jvp(name, state, state), 1e-9)


def test_closures_on_a_card(closed):
    """Far from home they are not a number, and near another configuration they are found."""
    card, definition = closed
    q = definition.home() + np.array([[0.05, -0.02], [0.9, 0.8]])
    place = definition.closure(q)
    (moved,) = there(card, [q])
    agree(card.closure(moved[:1]), place[:1], 1e-10)
    assert np.isnan(card.closure(moved).copy_to_host()[1]).all()
    with pytest.raises(StateError, match="a result on the card is not finite: of "):
        card.backend.synchronize()
    near = definition.closure(q - 0.05)
    agree(card.closure(moved, near=near), place, 1e-10)
    agree(card.gravity_torques(moved, near=there(card, [near])[0]), definition.gravity_torques(q), 1e-9)
    agree(card.gravity_torques(None, tree_q=there(card, [place])[0]), definition.gravity_torques(q), 1e-9)
    out = there(card, [np.zeros((2, 2))])[0]
    assert card.gravity_torques(None, tree_q=place, out=out) is out
    with pytest.raises(StateError, match="on a card, give coordinates q or tree_q=, not both"):
        card.gravity_torques(moved, tree_q=place)
    with pytest.raises(StateError, match="give coordinates q, or tree_q=, a configuration of the tree"):
        card.gravity_torques(None, out=out)


def test_coordinates_of_several_axes_on_a_card(fake):
    model = four_bar_model()
    links = (Link("world"), *(Link(x.name, Inertia(1.0)) if x.name == model.base else x for x in model.links))
    floating = replace(model, links=links, joints=(Joint("float", "floating", "world", model.base), *model.joints))
    card, definition = (lissom.ClosedRobot(floating, backend=name) for name in ("cuda", "numpy"))
    place = definition.home_tree_q()
    agree(card.gravity_torques(None, tree_q=there(card, [place])[0]), definition.gravity_torques(None, tree_q=place), 1e-9)
    with pytest.raises(StateError, match=r"joints of several axes \(float_x, .*give tree_q="):
        card.gravity_torques(card.backend.array(definition.home()))
