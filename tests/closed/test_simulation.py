"""Simulation of closed robots: energy, closure, dead points, drives."""

import numpy as np
import pytest

import lissom
from lissom import ClosedRobot, StateError


@pytest.mark.sweep("four_bar")
@pytest.mark.parametrize(("name", "qd"), [("four_bar", [2.0]), ("slider_crank", [6.0])])
def test_ten_seconds_without_drives(name, qd):
    robot = getattr(lissom.robots, name)()
    motion = robot.simulate(robot.home(), qd, 10.0, sample=0.05)
    assert motion.closure_error.max() < 1e-9
    assert np.abs(motion.energy - motion.energy[0]).max() < 1e-8 * np.abs(motion.energy).max()
    assert np.abs(motion.tree_qd[:, :1] - motion.qd).max() < 1e-12


@pytest.mark.slow
def test_a_platform_falls_and_swings():
    """Ten seconds of a light platform on heavy, undriven legs would fold: a hanging one swings."""
    robot = lissom.ParallelRobot(lissom.robots.gough_stewart_model().replace(gravity=(0.0, 0.0, 0.0)))
    motion = robot.simulate(robot.home(), [0.05, -0.02, 0.03, 0.01, -0.04, 0.02], 2.0, sample=0.1)
    assert motion.closure_error.max() < 1e-9
    assert np.abs(motion.energy - motion.energy[0]).max() < 1e-10 * motion.energy[0]


@pytest.mark.slow
def test_a_five_bar_whirls_for_ten_seconds():
    """Without gravity in its plane it goes on for ever, through poses that its drives could not hold."""
    robot = lissom.robots.five_bar()
    motion = robot.simulate(robot.home(), [2.0, -1.0], 10.0, sample=0.05)
    assert motion.closure_error.max() < 1e-9
    assert np.abs(motion.energy - motion.energy[0]).max() < 1e-8 * motion.energy[0]


def test_dead_points_are_passed():
    """A crank that turns while the slider is the coordinate: at both ends of its stroke the slider tells nothing."""
    model = lissom.robots.slider_crank_model(g=0.0).replace(active=("slider_joint",))
    robot = ClosedRobot(model)
    motion = robot.simulate(robot.home(), [-0.8], 3.0, sample=0.01)
    assert motion.switches >= 1
    assert np.ptp(motion.tree_q[:, 0]) > 2 * np.pi  # whole turns
    assert motion.closure_error.max() < 1e-9
    assert np.abs(motion.energy - motion.energy[0]).max() < 1e-9 * motion.energy[0]


def test_drives_that_were_computed_make_the_motion():
    """Inverse dynamics of a motion, as a function of time: simulation follows it."""
    robot = lissom.robots.delta()
    home, size = robot.home(), np.array([0.1, -0.05, 0.08])

    def motion(t):
        s, c = np.sin(4 * t), np.cos(4 * t)
        return home + size * (1 - c), 4 * size * s, 16 * size * c

    found = robot.simulate(home, np.zeros(3), 0.5, lambda t, q, qd: robot.inverse_dynamics(*motion(t)), sample=0.05)
    expected = np.array([motion(t)[0] for t in found.t])
    assert np.abs(found.q - expected).max() < 1e-8
    assert np.abs(found.qdd - np.array([motion(t)[2] for t in found.t])).max() < 1e-5


def test_fixed_steps_converge_with_the_fourth_power():
    robot = lissom.robots.four_bar()
    exact = robot.simulate(robot.home(), [3.0], 0.4, [0.2], sample=0.1).q
    errors = [
        np.abs(robot.simulate(robot.home(), [3.0], 0.4, [0.2], method="rk4", dt=dt, sample=0.1).q - exact).max()
        for dt in (0.02, 0.01)
    ]
    assert 12 < errors[0] / errors[1] < 20
    many = robot.simulate(np.tile(robot.home(), (3, 1)), [[3.0], [2.0], [1.0]], 0.1, [0.2], method="rk4", dt=0.01)
    one = robot.simulate(robot.home(), [2.0], 0.1, [0.2], method="rk4", dt=0.01)
    assert np.abs(many.q[:, 1] - one.q).max() < 1e-13
    assert many.closure_error.max() < 1e-9


def test_semi_implicit_steps_are_those_of_the_equation_and_converge():
    robot, h = lissom.robots.five_bar(), 1e-3
    q, qd, tau = robot.home(), np.array([1.0, -0.5]), [0.2, 0.1]
    after = robot.simulate(q, qd, h, tau, method="semi_implicit", dt=h).end
    new = qd + h * robot.forward_dynamics(q, qd, tau)
    # the new velocity moves the tree, and the loops are closed with the coordinates as they are
    assert np.abs(after.q - (q + h * new)).max() < 1e-13 and np.abs(after.qd - new).max() < 1e-13
    robot = lissom.robots.four_bar()
    exact = robot.simulate(robot.home(), [3.0], 0.4, [0.2], sample=0.1).q
    runs = [robot.simulate(robot.home(), [3.0], 0.4, [0.2], method="semi_implicit", dt=dt, sample=0.1) for dt in (2e-3, 1e-3)]
    errors = [np.abs(run.q - exact).max() for run in runs]
    assert 1.8 < errors[0] / errors[1] < 2.2 and runs[0].closure_error.max() < 1e-9
    many = robot.simulate(np.tile(robot.home(), (2, 1)), [[3.0], [2.0]], 0.4, [0.2], method="semi_implicit", dt=2e-3, sample=0.1)
    assert np.abs(many.q[:, 0] - runs[0].q).max() < 1e-13


def test_tree_dynamics_draw_a_loop_that_is_open_together():
    """Baumgarte's terms: residuals follow phi'' = -2 a phi' - a^2 phi."""
    robot = lissom.robots.four_bar()
    rate, home = 7.0, robot.home_tree_q()
    kept = [robot.constraints.rows.index(row) for row in robot.plan.rows]
    moving = robot.tree_motion(None, [1.0], tree_q=home)[1]
    for q, qd in ((home + [0.0, 1e-6, -2e-6], np.zeros(3)), (home, moving + [0.0, 0.1, -0.3])):
        plain, drawn = (robot.tree_dynamics(q, qd, np.zeros(3), stabilize=x)[0] for x in (None, rate))
        K = robot.constraints.jacobian(q)
        expected = -(rate**2) * robot.constraints.residual(q) - 2 * rate * K @ qd
        # to first order in how far it is open
        assert np.abs((K @ (drawn - plain) - expected)[kept]).max() < 1e-5 * np.abs(expected).max()


def test_forces_of_equations_do_no_work_and_balance():
    robot = lissom.robots.slider_crank()
    tree, v, a = robot.tree_motion(robot.home(), [2.0], [1.0])
    tau = np.zeros(3)
    tau[list(robot.plan.active)] = robot.inverse_dynamics(robot.home(), [2.0], [1.0])
    found, forces = robot.tree_dynamics(tree, v, tau)
    assert np.abs(found - a).max() < 1e-10
    rows = [robot.constraints.rows.index(row) for row in robot.plan.rows]
    K = robot.constraints.jacobian(tree)[rows]
    assert np.abs(robot.tree.inverse_dynamics(tree, v, a) - tau - K.T @ forces).max() < 1e-10
    assert len(robot.equation_names) == len(forces)


def test_pictures(tmp_path):
    robot = lissom.robots.five_bar()
    motion = robot.simulate(robot.home(), [1.0, 0.0], 0.1)
    for what in ("q", "qd", "qdd", "tau", "energy"):
        assert motion.plot(tmp_path / f"{what}.png", what).stat().st_size > 1000
    with pytest.raises(StateError, match="cannot plot 'torque'"):
        motion.plot(what="torque")


def test_bad_arguments():
    robot = lissom.robots.four_bar()
    with pytest.raises(StateError, match="no method 'euler'"):
        robot.simulate(robot.home(), [0.0], 1.0, method="euler")
    with pytest.raises(StateError, match="adaptive' is for one state"):
        robot.simulate([robot.home()], [[0.0]], 1.0)
    with pytest.raises(StateError, match="qd0 has size 2"):
        robot.simulate(robot.home(), [0.0, 1.0], 1.0)


@pytest.mark.parametrize("rate", [-1.0, np.nan, "fast"])
def test_rates_of_stabilization_that_drive_a_loop_apart_are_refused(rate):
    robot = lissom.robots.four_bar()
    with pytest.raises(StateError, match="stabilize"):
        robot.tree_dynamics(robot.home_tree_q(), np.zeros(3), np.zeros(3), stabilize=rate)


@pytest.mark.parametrize(
    ("name", "qd"),
    [
        ("gough_stewart", [0.05, -0.02, 0.03, 0.01, -0.04, 0.02]),
        pytest.param("delta", [1.0, 0.5, -0.3], marks=pytest.mark.slow),
    ],
)
def test_ten_seconds_of_platforms_in_gravity(name, qd):
    """Undriven, they fall, fold and swing; energies are measured by what moves to and fro between them."""
    robot = getattr(lissom.robots, name)()
    motion = robot.simulate(robot.home(), qd, 10.0, sample=0.05)
    assert motion.closure_error.max() < 1e-9
    assert np.abs(motion.energy - motion.energy[0]).max() < 1e-8 * np.ptp(motion.kinetic_energy)
