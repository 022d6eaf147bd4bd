"""Motors behind springs of robots with floating, spherical and planar joints, beside differences and complex steps."""

import numpy as np
import pytest

from lissom import Motor, Pose, Robot, SplinePath, Spring, StateError, Wrench
from lissom.predict import State
from lissom.predict.quantities.by_name import Quantities
from lissom.robots import tree_model
from support.complex_step import H, evaluate
from support.elastic_arms import differences, rotor
from support.states import error

KINDS = {
    "floating": ["floating", "revolute", "prismatic", "revolute"],
    "ball": ["revolute", "spherical", "revolute"],
    "planar": ["planar", "revolute", "revolute"],
}
T = np.linspace(0.1, 1.9, 7)


def robot_of(name, seed=3):
    kinds = KINDS[name]
    model = tree_model(len(kinds), branching=1, skew=0.6, seed=seed, kinds=kinds, drives=True).without_friction()
    rng = np.random.default_rng(seed)
    motors = tuple(
        Motor(
            f"motor_{k}",
            joint.name,
            None if k else model.base,
            (20.0, -5.0, 8.0)[k],
            rotor(rng.uniform(1e-3, 3e-3)),
            Pose(translation=rng.uniform(-0.1, 0.1, 3)),
            Spring(rng.uniform(60, 200), rng.uniform(-0.3, 0.3)),
            rotor="reflected" if k else "full",
        )
        for k, joint in enumerate(joint for joint in model.independent_joints if joint.kind.nv == 1)
    )
    return Robot(model.replace(motors=motors), backend="numpy")


@pytest.fixture(scope="module", params=KINDS)
def case(request):
    robot = robot_of(request.param)
    load = {robot.link_names[-1]: Wrench([3.0, -2.0, 4.0], [0.3, 0.1, -0.2], point=[0.1, 0.2, -0.1], axes="world")}
    return robot, load, SplinePath(0.5 * np.random.default_rng(4).normal(size=(12, robot.link_nv)), 2.0, 7)


def rates(path, t, count=6):
    return [path.rate(t, order) for order in range(count)]


def test_motors_move_as_differences_of_their_angles_say(case):
    robot, load, path = case
    e = robot.n_elastic
    q, qd, qdd = robot.path_state(rates(path, T), external=load)
    assert q.shape == (7, robot.nq) and qd.shape == qdd.shape == (7, robot.nv)
    theta = differences(lambda t: robot.path_state(rates(path, t), external=load)[0][:, -e:], T, 1e-3)
    assert error(theta[1], qd[:, -e:]) < 1e-8 and error(theta[2], qdd[:, -e:]) < 1e-6
    # links move as the path, and the whole robot needs the torques that are returned: none at joints behind springs
    columns = robot.joint_state(rates(path, T, 3))
    assert all(np.array_equal(whole[:, : own.shape[1]], own) for whole, own in zip((q, qd, qdd), columns, strict=True))
    tau = robot.path_torques(rates(path, T), external=load)
    needed = robot.inverse_dynamics(q, qd, qdd, external=load)
    behind = [robot.velocity_names.index(motor.joint) for motor in robot.model.elastic_motors]
    assert error(tau, needed) < 1e-12 and not tau[:, behind].any()
    slopes = differences(lambda t: robot.path_torques(rates(path, t), external=load), T, 1e-3)[1]
    assert error(robot.path_torque_rates(rates(path, T), external=load), slopes) < 1e-6
    assert error(robot.path_at(robot.joint_state([0.3 * x for x in rates(path, T, 1)])[0]), 0.3 * path.at(T)) < 1e-12


@pytest.mark.sweep("planar-deflection", "planar-motor_velocity")
@pytest.mark.parametrize("name", ["torque", "torque_rate", "power", "deflection", "motor_velocity", "kinetic_energy"])
def test_derivatives_by_columns_are_those_of_complex_steps(case, name):
    robot, load, _ = case
    quantity, rng = Quantities(robot, load).get(name), np.random.default_rng(1)
    state = State(tuple(rng.uniform(-1, 1, (2, robot.link_nv)) for _ in range(6)))
    slopes, task = quantity.derivatives(state), quantity._maker(robot.model, **quantity._options)
    for row, order in enumerate(quantity.orders):
        for column in range(robot.link_nv):
            moved = [x.astype(complex) for x in state.rates]
            moved[order][:, column] += 1j * H
            theirs = np.imag(evaluate(task, quantity._arguments(State(tuple(moved))))) / H
            assert np.abs(slopes[row, :, :, column] - theirs).max() < 1e-10 * np.abs(slopes).max()


@pytest.mark.slow
def test_products_with_derivatives_of_motions_of_joints_are_slopes(case):
    robot, load, _ = case
    rng, h = np.random.default_rng(2), 1e-6
    q, *others = robot.joint_state([rng.uniform(-0.5, 0.5, (2, robot.link_nv)) for _ in range(5)])
    along = [rng.normal(size=(2, robot.link_nv)) for _ in range(5)]

    def ahead(step):
        # coordinates of joints move along their own velocities
        whole = np.concatenate([q, np.zeros((2, robot.n_elastic))], axis=-1)
        turned = robot.integrate(whole, np.concatenate([step * along[0], np.zeros((2, robot.n_elastic))], axis=-1))
        return [turned[:, : q.shape[1]], *(x + step * d for x, d in zip(others, along[1:], strict=True))]

    sides = [robot.elastic_inverse_dynamics(*ahead(x), external=load) for x in (h, -h)]
    one, two = (np.concatenate([x.theta, x.theta_rate, x.theta_acceleration, x.tau], axis=-1) for x in sides)
    assert error(robot.jvp("elastic_inverse_dynamics", (q, *others), along, external=load), (one - two) / (2 * h)) < 1e-6


def test_exported_functions_take_the_coordinates_of_joints(case, tmp_path):
    robot, _, _ = case
    files = robot.export("drive_deflections", tmp_path)
    header = next(file for file in files if file.suffix == ".h").read_text()
    assert f"q[{robot.nq - robot.n_elastic}]" in header and f"qd[{robot.link_nv}]" in header


def test_what_is_no_path_and_derivatives_is_refused():
    with pytest.raises(StateError, match="rates must be a list of arrays: a path and its derivatives; got NoneType"):
        Robot(tree_model(1, 1)).joint_state(None)
