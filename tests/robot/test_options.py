"""Options of a robot's functions that are no texts, or no flags: refused by name, whatever they are."""

import numpy as np
import pytest

import lissom

ROBOT = lissom.Robot(lissom.robots.rr_model(), backend="numpy")
Q = np.zeros(2)
NO_TEXT = (np.zeros(2), np.zeros(0), ["link"], {"a": 1}, 3, b"link")

CALLS = {
    "joint_wrenches": lambda x: ROBOT.joint_wrenches(Q, Q, Q, axes=x),
    "joint_wrench_derivatives": lambda x: ROBOT.joint_wrench_derivatives(Q, Q, Q, components=[x]),
    "joints": lambda x: ROBOT.joint_wrench_derivatives(Q, Q, Q, joints=[x, x]),
    "closed": lambda x: lissom.robots.five_bar().joint_wrench_derivatives(Q, Q, Q, axes=x),
    "momentum": lambda x: ROBOT.momentum(Q, Q, point=x),
    "link_velocity": lambda x: ROBOT.link_velocity(Q, Q, "link_1", axes=x),
    "forward_dynamics": lambda x: ROBOT.forward_dynamics(Q, Q, Q, method=x),
    "vjp": lambda x: ROBOT.vjp("forward_dynamics", (Q, Q, Q), Q, method=x),
    "geometry": lambda x: ROBOT.inverse_dynamics_geometry_derivatives(Q, Q, Q, part=x),
    "dh": lambda x: ROBOT.inverse_dynamics_dh_derivatives(Q, Q, Q, convention=x),
    "simulate": lambda x: ROBOT.simulate(Q, Q, duration=1.0, method=x),
    "wrench": lambda x: lissom.Wrench((0, 0, 1), axes=x),
    "backend": lambda x: lissom.Robot(ROBOT.model, backend=x),
}


@pytest.mark.parametrize("value", NO_TEXT, ids=repr)
@pytest.mark.parametrize("call", CALLS)
def test_what_is_no_text_is_refused_where_a_text_is_chosen(call, value):
    with pytest.raises(lissom.LissomError, match="no |named|is not|expected|must be names"):
        CALLS[call](value)


@pytest.mark.sweep(1)
@pytest.mark.parametrize(
    "call",
    [
        lambda x: ROBOT.link_acceleration(Q, Q, Q, "link_1", classical=x),
        lambda x: ROBOT.link_acceleration_derivatives(Q, Q, Q, "link_1", classical=x),
        lambda x: ROBOT.mass_matrix(Q, packed=x),
        lambda x: ROBOT.hybrid_dynamics(Q, Q, known={"torque": ...}, wrenches=x),
        lambda x: ROBOT.inverse_kinematics("link_2", position=[1, 1, 0], limits=x),
        lambda x: ROBOT.inverse_kinematics("link_2", position=[1, 1, 0], throw=x),
        lambda x: ROBOT.inverse_dynamics_derivatives(Q, Q, Q, packed=x),
    ],
)
@pytest.mark.parametrize("value", [np.zeros(2), [], "no", None], ids=repr)
def test_what_is_no_flag_is_refused_where_a_flag_is_meant(call, value):
    with pytest.raises(lissom.StateError, match="must be True or False"):
        call(value)


@pytest.mark.parametrize("backend", ["numpy", "llvm"])
@pytest.mark.parametrize("ragged", [[[0, 0], [0]], [0, [1]]], ids=repr)
@pytest.mark.parametrize("name", ["inverse_dynamics_derivatives", "forward_dynamics_derivatives", "joint_wrench_derivatives"])
def test_ragged_lists_are_refused_by_name(name, ragged, backend):
    robot = lissom.Robot(ROBOT.model, backend=backend)
    with pytest.raises(lissom.StateError, match="q is not an array of numbers"):
        getattr(robot, name)(ragged, Q, Q)


def test_seeds_are_whole_numbers_from_zero_on():
    closed = lissom.robots.five_bar()
    for seed in (-1, 1.5, None, "a"):
        with pytest.raises(lissom.StateError, match="seed"):
            closed.branches(closed.home(), seed=seed)
        with pytest.raises(lissom.StateError, match="seed"):
            ROBOT.inverse_kinematics("link_2", position=[0, 0, 0], seed=seed)
        with pytest.raises(lissom.StateError, match="seed"):
            lissom.control.PDGravity(ROBOT, Q, kp=1.0, kd=1.0).margin(seed=seed)


def test_closed_mechanisms_refuse_configurations_of_the_wrong_shape():
    closed = lissom.robots.five_bar()
    home, tree = closed.home(), closed.home_tree_q()
    with pytest.raises(lissom.StateError, match="near has leading axes"):
        closed.closure(home, near=np.tile(tree, (3, 1)))
    with pytest.raises(lissom.StateError, match="of memory; ask for fewer states"):
        closed.closure(np.broadcast_to(home, (10**12, closed.nq)))
    with pytest.raises(lissom.StateError, match="of memory; ask for fewer states"):
        closed.coordinates(np.broadcast_to(tree, (10**12, len(tree))))
    for wrong in (None, "a", [0, [1]], tree[:-1], tree * np.inf):
        with pytest.raises(lissom.StateError, match="tree"):
            closed.coordinates(wrong)
    with pytest.raises(lissom.LissomError):
        closed.operation_count(["inverse_dynamics"])


def test_states_of_elastic_robots_larger_than_the_memory_are_refused():
    robot = lissom.robots.hua_arm()
    q, qd = np.broadcast_to(robot.neutral(), (10**12, robot.nq)), np.zeros(robot.nv)
    with pytest.raises(lissom.StateError, match="of memory; ask for fewer states"):
        robot.spring_torques(q, qd)


def test_loads_that_are_arrays_are_refused():
    for name in ("inverse_dynamics_derivatives", "inverse_dynamics", "inverse_dynamics_hessian"):
        more = (Q,) if name.endswith("hessian") else ()
        with pytest.raises(lissom.StateError, match="external must map links to wrenches"):
            getattr(ROBOT, name)(Q, Q, Q, *more, external=np.zeros(3))


def test_closed_mechanisms_refuse_what_is_no_posture_and_no_method():
    closed = lissom.robots.five_bar()
    home, tree = closed.home(), closed.home_tree_q()
    for wrong in ("text", [0, [1]], object(), 3.0, np.zeros(2)):
        with pytest.raises(lissom.StateError, match="a posture is"):
            closed.assemble(home, wrong)
    for wrong in (np.zeros(2), [], "euler", None):
        with pytest.raises(lissom.StateError, match="no method"):
            closed.simulate(home, np.zeros(2), 1.0, method=wrong)
    for q, near in ((np.broadcast_to(home, (10**12, 2)), tree), (home, np.broadcast_to(tree, (10**12, len(tree))))):
        with pytest.raises(lissom.StateError, match="of memory; ask for fewer states"):
            closed.mass_matrix(q, tree_q=near)


def test_results_that_overflow_are_refused():
    arm = lissom.robots.hua_arm()
    q = arm.neutral()
    q[-1] = 1e308
    with pytest.raises(lissom.StateError, match="the result is not finite: the numbers are too large"):
        arm.spring_torques(q)
    with pytest.raises(lissom.StateError, match="the result is not finite: the numbers are too large"):
        ROBOT.integrate(Q + 1e308, Q + 1e308)
    with pytest.raises(lissom.StateError, match="the result is not finite: the numbers are too large"):
        ROBOT.difference(Q - 1e308, Q + 1e308)


def test_quaternions_next_to_zero_are_refused():
    ball = lissom.Robot(lissom.robots.tree_model(1, kinds=["spherical"]), backend="numpy")
    with pytest.raises(lissom.StateError, match="the quaternion of joint 'joint_1' is zero"):
        ball.integrate(np.full(4, 1e-320), np.zeros(3))


@pytest.mark.parametrize("backend", ["numpy", "llvm"])
def test_copies_of_what_is_spread_over_a_batch_are_counted(backend):
    robot = lissom.Robot(ROBOT.model, backend=backend)
    with pytest.raises(lissom.StateError, match="of memory; ask for fewer states"):
        robot.potential_energy(np.broadcast_to(Q, (10**12, 2)), out=np.zeros(3))


def test_ragged_orientations_are_refused():
    with pytest.raises(lissom.StateError, match="orientation must be numbers of shape"):
        ROBOT.inverse_kinematics("link_2", orientation=[1.0, [1.0]])


def test_batches_larger_than_the_memory_are_refused_before_they_are_looked_at():
    many, arm, closed = np.broadcast_to(Q, (10**12, 2)), lissom.robots.hua_arm(), lissom.robots.five_bar()
    calls = (
        lambda: ROBOT.integrate(many, Q),
        lambda: ROBOT.difference(Q, many),
        lambda: arm.at_rest(np.broadcast_to(np.zeros(3), (10**12, 3))),
        lambda: closed.mass_matrix(many, tree_q=np.tile(closed.home_tree_q(), (3, 1))),
        lambda: closed.follow(many),
    )
    for call in calls:
        with pytest.raises(lissom.StateError, match="of memory; ask for fewer states"):
            call()
    with pytest.raises(lissom.StateError, match="weights must be 2 positive numbers, .* got shape"):
        closed.inverse_dynamics(closed.home(), Q, Q, weights=many)
    with pytest.raises(lissom.StateError, match="do not fit together"):
        closed.mass_matrix(np.tile(closed.home(), (2, 1)), tree_q=np.tile(closed.home_tree_q(), (3, 1)))


def test_an_option_that_equals_another_but_is_of_another_type_is_checked():
    state = (Q, Q, Q)
    for _ in range(2):  # options of a call are kept for the next
        ROBOT.link_acceleration(*state, "link_2", classical=True)
        with pytest.raises(lissom.StateError, match="classical must be True or False, got 1"):
            ROBOT.link_acceleration(*state, "link_2", classical=1)
        with pytest.raises(lissom.StateError, match="packed must be True or False, got 0"):
            ROBOT.mass_matrix(Q, packed=0)


def test_loads_that_change_between_calls_count():
    q, forces = np.array([0.3, -0.7]), (np.array([x, x, 0.0]) for x in (1.0, 2.0))
    loads = [{"external": {"link_2": lissom.Wrench(force, axes="world")}} for force in forces]
    motions = [{"base_motion": lissom.BaseMotion(acceleration=(x, x, 0.0))} for x in (1.0, 2.0)]
    plain = ROBOT.gravity_torques(q)
    for once, twice in (loads, motions):
        change = ROBOT.gravity_torques(q, **once) - plain
        assert np.abs(change).max() > 0.1
        assert np.allclose(ROBOT.gravity_torques(q, **twice) - plain, 2 * change, rtol=1e-12, atol=1e-12)
