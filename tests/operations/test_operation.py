"""Operations: derivatives by numbers agree with those by velocities, with differences, and with themselves transposed."""

from dataclasses import replace

import numpy as np
import pytest

from lissom import ClosedRobot, Inertia, Joint, Link, NameLookupError, Robot, StateError, Wrench
from lissom.operations import Functions
from lissom.operations.operation import operation_of
from lissom.robots import five_bar, four_bar_model, rp_model, tree_model
from support.states import error, random_states

TREE = tree_model(3, seed=5, kinds=["spherical", "revolute"], floating=True, drives=True)


def operation(robot, name="inverse_dynamics", **options):
    return Functions(robot, "a test").choose(name, options).operation


def rates(robot, q, v, h=1e-6):
    """Return rates of the coordinates that go with velocities."""
    return (robot.integrate(q, v, h) - robot.integrate(q, v, -h)) / (2 * h)


def test_an_operation_is_the_function(backend):
    robot, (q, qd, qdd) = Robot(TREE, backend=backend), random_states(TREE, 4, seed=1)
    assert np.array_equal(operation(robot).run(q, qd, qdd), robot.inverse_dynamics(q, qd, qdd))
    pose = operation(robot, "link_pose", link=robot.link_names[-1]).run(q)
    assert np.array_equal(pose.reshape(4, 4, 4), robot.link_pose(q, robot.link_names[-1]))


def test_derivatives_by_coordinates_are_those_by_velocities_along_a_motion(backend):
    robot, (q, qd, qdd) = Robot(TREE, backend=backend), random_states(TREE, 4, seed=1)
    v = random_states(TREE, 4, seed=2)[1]
    ours = operation(robot).pushforward((0,)).run(q, qd, qdd, rates(robot, q, v))
    assert error(ours, robot.jvp("inverse_dynamics", (q, qd, qdd), {"q": v})) < 1e-8


def test_functions_do_not_change_along_a_quaternion(backend):
    robot, (q, qd, qdd) = Robot(TREE, backend=backend), random_states(TREE, 4, seed=1)
    stretch = np.zeros_like(q)
    for _, where in TREE.layout.quaternions:
        stretch[:, where] = q[:, where]
    assert np.abs(operation(robot).pushforward((0,)).run(q, qd, qdd, stretch)).max() < 1e-9
    assert error(operation(robot).run(q + 0.5 * stretch, qd, qdd), robot.inverse_dynamics(q, qd, qdd)) < 1e-12


def test_the_pullback_is_the_transpose_of_the_pushforward(backend):
    robot, state = Robot(TREE, backend=backend), random_states(TREE, 4, seed=1)
    rng, own = np.random.default_rng(0), operation(robot)
    moves, weights = [rng.normal(size=x.shape) for x in state], rng.normal(size=(4, robot.nv))
    moved = own.pushforward((0, 1, 2)).run(*state, *moves)
    pulled = np.split(own.pullback((0, 1, 2)).run(*state, weights), np.cumsum(own.sizes)[:-1], axis=-1)
    assert np.allclose((moved * weights).sum(-1), sum((a * b).sum(-1) for a, b in zip(pulled, moves, strict=True)), rtol=1e-10)
    assert np.allclose(own.pullback((2,)).run(*state, weights), pulled[2], rtol=1e-12, atol=1e-12)


def test_second_derivatives_are_the_hessian(backend):
    robot = Robot(rp_model(), backend=backend)
    q, qd, qdd = random_states(robot.model, seed=1)
    weights, n = np.ones(robot.nv), robot.nv
    twice = operation(robot).pullback((0, 1, 2)).pushforward((0,))
    rows = [twice.run(q, qd, qdd, weights, unit) for unit in np.eye(n)]
    assert error(np.array(rows), robot.inverse_dynamics_hessian(q, qd, qdd, weights)[:n]) < 1e-12


def test_derived_operations_are_kept_and_known_by_name():
    own = operation(Robot(rp_model(), backend="numpy"))
    assert own.pullback((0,)) is own.pullback((0,)) and own.pushforward((0, 1)) is own.pushforward((0, 1))
    assert own.pullback((0,)) is not own.pushforward((0,))
    assert operation_of(own.name) is own and own.name in repr(own)


def test_derivatives_by_loads_are_there():
    robot = Robot(rp_model(), backend="numpy")
    link, (q, qd, qdd) = robot.link_names[-1], random_states(robot.model, seed=1)
    chosen = Functions(robot, "a test").choose("inverse_dynamics", {"external": {link: Wrench((1.0, 2.0, 3.0), axes="world")}})
    by_force = chosen.operation.pullback((3,)).run(q, qd, qdd, *chosen.constants, np.array([1.0, 0.0]))[:3]
    assert np.allclose(by_force, -robot.jacobian(q, link)[:3, 0])


@pytest.mark.parametrize("name", ["inverse_dynamics", "mass_matrix", "forward_dynamics"])
def test_functions_of_the_parameters_agree_with_the_robot(backend, name):
    model = tree_model(3, seed=4, kinds=["revolute", "prismatic"], drives=True, springs=0.5, motors=0.4)
    robot = Robot(model, backend=backend)
    chosen = Functions(robot, "a test").choose(name, {"parameters": True})
    state = dict(zip(("q", "qd", "qdd"), random_states(model, 3, seed=1), strict=True))
    state |= {"tau": state["qdd"], "parameters": np.broadcast_to(robot.inertial_parameters(), (3, chosen.sizes[-1]))}
    ours = chosen.operation.run(*(state[x] for x in chosen.state))
    theirs = getattr(robot, name)(*(state[x] for x in chosen.state[:-1]))
    assert error(ours.reshape(theirs.shape), theirs) < 1e-10


def test_derivatives_by_parameters_are_the_regressor(backend):
    robot = Robot(rp_model(), backend=backend)
    q, qd, qdd = random_states(robot.model, seed=1)
    chosen = Functions(robot, "a test").choose("inverse_dynamics", {"parameters": True})
    row = chosen.operation.pullback((3,)).run(q, qd, qdd, robot.inertial_parameters(), np.array([0.0, 1.0]))
    assert error(row, robot.inverse_dynamics_regressor(q, qd, qdd)[1]) < 1e-12


def test_the_tree_of_a_closed_robot_moves_with_its_coordinates(backend):
    robot = ClosedRobot(five_bar().model, backend=backend)
    closure, h = Functions(robot, "a test").closure, 1e-6
    q, v = robot.home() + 0.02, np.array([0.4, -0.3])
    tree = closure.solve(q)
    slope = (closure.solve(q + h * v) - closure.solve(q - h * v)) / (2 * h)
    assert error(closure.rates.run(tree, v), slope) < 1e-8
    assert error(closure.near_home.run(q), tree) < 1e-12


def test_what_cannot_be_is_refused():
    functions = Functions(Robot(rp_model(), backend="numpy"), "a test")
    with pytest.raises(StateError, match="a test needs a lissom.Robot or ClosedRobot, got str"):
        Functions("panda", "a test")
    with pytest.raises(NameLookupError, match="no function 'inverse_dynamic' of 'barman_rp' that can be differentiated"):
        functions.choose("inverse_dynamic", {})
    with pytest.raises(StateError, match="bias_torques takes no parameters="):
        functions.choose("bias_torques", {"parameters": True})
    with pytest.raises(StateError, match="inverse_dynamics with parameters= takes no external="):
        functions.choose("inverse_dynamics", {"parameters": True, "external": {"link_2": Wrench((1.0, 0.0, 0.0), axes="world")}})
    with pytest.raises(StateError, match="a closed robot takes no parameters="):
        Functions(five_bar(), "a test").choose("inverse_dynamics", {"parameters": True})


def test_parameters_of_no_robot_have_no_accelerations():
    robot = Robot(rp_model(), backend="numpy")
    chosen = Functions(robot, "a test").choose("forward_dynamics", {"parameters": True})
    with pytest.raises(StateError, match="the result is not finite"):
        chosen.operation.run(*random_states(robot.model, seed=1), -robot.inertial_parameters())


def test_closed_robots_with_coordinates_of_several_axes_are_refused():
    model = four_bar_model()
    links = (Link("world"), *(Link(x.name, Inertia(1.0)) if x.name == model.base else x for x in model.links))
    floating = replace(model, links=links, joints=(Joint("float", "floating", "world", model.base), *model.joints))
    with pytest.raises(StateError, match=r"joints of several axes \(float_x, .*choose others"):
        Functions(ClosedRobot(floating), "a test")
