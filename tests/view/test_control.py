"""The figure of a motion under control."""

import numpy as np
import pytest

from lissom import StateError, control, robots


@pytest.fixture(scope="module")
def tracking():
    scenario = control.load_scenario("hua_arm")
    return scenario.tracking(scenario.run(duration=0.2))


def titles(figure):
    return [axis.get_title(loc="left") for axis in figure.axes]


def test_every_joint_has_its_row_and_springs_only_where_there_are_any(tracking):
    figure = tracking.plot()
    rigid = [f"{name}: {what}" for name in ("q1", "q2") for what in ("position", "error", "torque")]
    assert titles(figure) == [*rigid, *(f"q3: {x}" for x in ("position", "error", "torque", "spring deflection"))]
    position, error, torque, spring = figure.axes[-4:]
    curves = {line.get_label(): line.get_ydata() for line in position.lines}
    assert np.array_equal(curves["link"], tracking.q[:, 2]) and np.array_equal(curves["motor"], tracking.theta[:, 0])
    assert np.array_equal(curves["reference"], tracking.reference[:, 2])
    for axis, values in ((error, tracking.errors[:, 2]), (torque, tracking.torques[:, 2]), (spring, tracking.deflections[:, 0])):
        assert any(np.array_equal(line.get_ydata(), values) for line in axis.lines)
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["link", "motor", "reference"]
    assert spring.get_xlabel() == "time [s]" and torque.get_ylabel() == "[N m]" and spring.get_ylabel() == "[rad]"


def test_rigid_robots_have_no_column_of_springs_and_limits_are_drawn():
    robot = robots.panda()
    start = np.array([0.0, -0.8, 0.0, -2.3, 0.0, 1.6, 0.8])
    controller = control.ComputedTorque(robot, start + 0.5, 100.0)
    motion = robot.simulate(start, np.zeros(7), 0.05, controller, method="rk4", dt=0.01)
    figure = control.track(motion, start + 0.5, controller).plot()
    assert len(figure.axes) == 21 and not any("spring" in title for title in titles(figure))
    dashed = [line.get_ydata()[0] for line in figure.axes[2].lines if line.get_linestyle() == "--"]
    told = figure.axes[2].get_title(loc="right")
    assert dashed == [-87, 87] or told == "limit 87 N m"


def test_a_picture_is_written_and_its_path_returned(tracking, tmp_path):
    assert tracking.plot(tmp_path / "a.svg") == tmp_path / "a.svg" and (tmp_path / "a.svg").exists()


def test_deflections_are_a_quantity_of_every_motion():
    robot = robots.hua_arm()
    start = robot.at_rest([0.1, 0.2, 0.3])
    start[3] += 0.05
    motion = robot.simulate(start, np.zeros(4), 0.05, method="rk4", dt=0.01)
    (axis,) = motion.plot(what="deflections").axes
    assert axis.get_title(loc="left") == "motor_3" and axis.get_ylabel() == "[rad]"
    with pytest.raises(StateError, match="robot 'barman_rr' has no elastic drives, so no deflections to plot"):
        robots.rr().simulate([0, 0], [0, 0], 0.05, method="rk4", dt=0.01).plot(what="deflections")


def test_a_run_without_samples_cannot_be_drawn(tracking):
    robot = robots.hua_arm()
    failed = robot.simulate(np.zeros(4), np.zeros(4), 0.05, lambda t, q, qd: [np.nan] * 4, method="rk4", dt=0.01, throw=False)
    assert len(failed) == 0
    with pytest.raises(StateError, match="nothing to plot: the run has no samples"):
        control.track(failed, [0.0, 0.0, 0.0]).plot()
