"""Reports of simulated motions: the verdict's figures, computed again from the arrays."""

import base64
import json
import re

import numpy as np
import pytest

from lissom import FileError, Robot, StateError, Wrench, control, load, robots, timing
from lissom.model.shape import Mesh
from lissom.simulate import Event
from lissom.view.report.motion import of_trajectory
from lissom.view.report.tracking import of_tracking
from lissom.view.report.verdict import held_by, of_timing, share_of_time
from support.published import ROBOTS

EVIL = "</script><script>alert(1)</script>"


def curves(path):
    page = path.read_text(encoding="utf-8")
    data = json.loads(re.search('<script type="application/json" id="curves">(.*?)</script>', page)[1])
    return page, data, {group["title"]: group["panels"] for group in data["groups"]}


def unpack(array):
    return np.frombuffer(base64.b64decode(array["data"]), {"f32": "<f4", "f64": "<f8"}[array["type"]]).astype(float)


@pytest.fixture(scope="module")
def fall():
    start = np.array([0.0, 1.0, 0.3, 0.0, 0.2, 0.0])
    return robots.stanford().simulate(start, np.zeros(6), 0.5, events=[Event(lambda t, q, qd: q[1] - 0.9, EVIL)])


def test_a_free_motion_says_how_much_its_energy_varies(fall, tmp_path):
    said = of_trajectory(fall)
    assert said.good and said.first.startswith("0.5 s simulated") and "adaptive" not in said.first
    share = np.ptp(fall.energy) / fall.kinetic_energy.max()
    assert said.more[0].startswith(f"energy varies by {np.ptp(fall.energy):.2g} J, {share:.1e} of the largest kinetic energy")
    assert f"events: {EVIL} at {fall.events[0].t:.4g} s" in said.more
    page, data, groups = curves(fall.report(tmp_path / "a.html"))
    assert data["events"] == [[fall.events[0].t, EVIL]] and "<script>alert" not in page
    change = [panel for panel in groups["Energy"] if panel["title"] == "change of total energy"]
    assert np.allclose(unpack(change[0]["lines"][0]["y"]), fall.energy - fall.energy[0], rtol=1e-6, atol=0)
    assert np.allclose(unpack(groups["Velocities"][4]["lines"][0]["y"]), fall.qd[:, 4], rtol=1e-6, atol=1e-6)


def test_a_motion_that_wrenches_pull_is_not_said_to_be_free():
    arm = robots.planar_two_link()
    pull = {arm.link_names[-1]: Wrench(force=(5.0, 0.0, 0.0), axes="world")}
    run = arm.simulate([0.3, 0.4], [0, 0], 0.1, external=pull, method="rk4", dt=0.01)
    assert (
        of_trajectory(run).more[0]
        == f"energy from {run.energy[0]:.5g} J to {run.energy[-1]:.5g} J; joint torques did 0 J of work"
    )


def test_torques_work_and_limits_are_in_the_verdict(tmp_path):
    arm = robots.panda()
    start = np.array([0.0, -0.8, 0.0, -2.3, 0.0, 1.6, 0.8])
    push = lambda t, q, qd: np.array([100.0 * np.sin(30 * t), 0, 0, 0, 0, 0, 1.0])  # noqa: E731
    run = arm.simulate(start, np.zeros(7), 0.1, push, method="rk4", dt=0.001)
    said = of_trajectory(run)
    work = np.trapezoid((run.tau * run.qd).sum(axis=1), run.t)
    assert any(line.endswith(f"joint torques did {work:.5g} J of work") for line in said.more)
    row = np.abs(run.tau[:, 0]).argmax()
    assert f"largest torque: {np.abs(run.tau).max():.4g} N m, joint_1 at {run.t[row]:.3g} s" in said.more
    fine = np.linspace(0, 0.1, 100_001)
    share = (np.abs(100 * np.sin(30 * fine)) > 87).mean()
    (over,) = [line for line in said.more if line.startswith("joint_1 beyond its torque limit")]
    assert float(over.split("limit ")[1].split(" %")[0]) == pytest.approx(100 * share, abs=1)
    assert over.endswith("by up to 13 N m")
    assert said.good and said.careful and said.first.endswith("; 1 beyond its torque limit")
    assert 'class="verdict careful"' in run.report(tmp_path / "b.html").read_text(encoding="utf-8")
    _, _, groups = curves(run.report(tmp_path / "a.html"))
    assert groups["Torques"][0]["limits"] == [{"low": -87, "high": 87, "at": None, "motor": False}]
    assert groups["Positions"][1]["limits"][0]["high"] == arm.limits.upper[1]


def test_the_joints_beyond_their_speed_limits_come_first():
    arm = robots.panda()
    start, fast = np.array([0.0, -0.8, 0.0, -2.3, 0.0, 1.6, 0.8]), np.array([0.0, 4.0, 0, 0, 0, 0, 8.0])
    run = arm.simulate(start, fast, 0.02, method="rk4", dt=0.001)
    over = np.abs(run.qd).max(axis=0) / arm.limits.velocity
    worst, limit = int(over.argmax()), arm.limits.velocity[over.argmax()]
    size = np.abs(run.qd[:, worst]).max()
    many = f"{(over > 1).sum()} joints beyond their speed limits, joint_{worst + 1} most"
    said = of_trajectory(run)
    assert said.first == f"0.02 s simulated; {many}: {size:.3g} of {limit:.3g} rad/s" and said.careful
    still = of_trajectory(arm.simulate(start, np.zeros(7), 0.02, method="rk4", dt=0.001))
    assert still.first == "0.02 s simulated; within all limits of the model" and still.good and not still.careful
    free = robots.planar_two_link().simulate([0, 0], [50, 0], 0.02, method="rk4", dt=0.001)
    assert of_trajectory(free).first == "0.02 s simulated"  # it has no limits


def test_a_run_that_fails_says_why(tmp_path):
    push = lambda t, q, qd: [np.nan if t > 0.02 else 0.0] * 2  # noqa: E731
    run = robots.rr().simulate([0, 0], [0, 0], 0.1, push, method="rk4", dt=0.01, throw=False)
    said = of_trajectory(run)
    assert not said.good and "controller failed" in said.first and said.more[0] == run.message
    assert 'class="verdict bad"' in run.report(tmp_path / "a.html").read_text(encoding="utf-8")
    none = robots.rr().simulate([0, 0], [0, 0], 0.1, lambda t, q, qd: [np.nan] * 2, method="rk4", dt=0.01, throw=False)
    with pytest.raises(StateError, match="the trajectory has no samples"):
        none.report(tmp_path / "b.html")
    with pytest.raises(FileError, match="cannot write a report into a file ending in '.png'; use .html"):
        run.report(tmp_path / "a.png")


def test_motions_side_by_side_are_drawn_together(tmp_path):
    run = robots.rr().simulate(np.arange(24.0).reshape(12, 2) / 10, np.ones((12, 2)), 0.05, method="rk4", dt=0.01)
    _, _, groups = curves(run.report(tmp_path / "a.html"))
    lines = groups["Positions"][1]["lines"]
    assert len(lines) == 8 and np.allclose(unpack(lines[5]["y"]), run.q[:, 5, 1], rtol=1e-6)
    assert of_trajectory(run).first.startswith("12 motions of 0.05 s")


def test_motors_behind_springs_are_drawn_with_their_joints(tmp_path):
    arm = robots.hua_arm()
    start = arm.at_rest([0.1, 0.2, 0.3])
    run = arm.simulate(start, np.zeros(4), 0.05, method="rk4", dt=0.01)
    _, _, groups = curves(run.report(tmp_path / "a.html"))
    assert [len(panel["lines"]) for panel in groups["Positions"]] == [1, 1, 2]
    assert np.allclose(unpack(groups["Positions"][2]["lines"][1]["y"]), run.theta[:, 0], rtol=1e-6)
    assert np.allclose(unpack(groups["Spring deflections"][0]["lines"][0]["y"]), run.deflections[:, 0], rtol=1e-6)


def test_closed_robots_have_reports(tmp_path):
    bars = robots.four_bar()
    run = bars.simulate(bars.home(), [1.0], 0.05, method="rk4", dt=0.01)
    said = of_trajectory(run)
    assert f"loops are closed to {run.closure_error.max():.1e} m" in said.more
    assert run.report(tmp_path / "a.html").stat().st_size > 10_000


def test_tracking_errors_and_torques_at_limits_are_in_the_verdict(tmp_path):
    arm = robots.panda()
    start = np.array([0.0, -0.8, 0.0, -2.3, 0.0, 1.6, 0.8])
    controller = control.ComputedTorque(arm, start + 0.5, 400.0)
    run = arm.simulate(start, np.zeros(7), 0.2, controller, method="rk4", dt=0.002)
    track = control.track(run, start + 0.5, controller, name=EVIL)
    said, error = of_tracking(track), start + 0.5 - run.q
    joint = np.abs(error).max(axis=0).argmax()
    assert said.first.startswith(f"Tracking error up to {np.abs(error).max():.4g} rad, joint_{joint + 1} at ")
    rms = np.sqrt((error**2).mean(axis=0))
    assert f"largest root mean square error: {rms.max():.4g} rad, joint_{rms.argmax() + 1}" in said.more
    over = np.abs(run.tau) >= [87, 87, 87, 87, 12, 12, 12]
    for k in range(7):
        lines = [line for line in said.more if line.startswith(f"joint_{k + 1} at or beyond its torque limit")]
        assert len(lines) == bool(over[:, k].any())
        if lines:
            assert float(lines[0].split()[-5]) == pytest.approx(100 * over[:, k].mean(), abs=1.5)
    page, _, groups = curves(track.report(tmp_path / "a.html"))
    names = [line["name"] for line in groups["Positions and reference"][0]["lines"]]
    assert names == ["joint", "reference"] and f"<title>{EVIL}" not in page
    assert np.allclose(unpack(groups["Tracking errors"][3]["lines"][0]["y"]), error[:, 3], rtol=1e-5, atol=1e-7)


def test_the_verdict_of_a_timing_names_the_limits_that_hold_it_back(tmp_path):
    arm = robots.rr()
    found = timing.time_optimal(arm, [[0.0, 0.0], [0.5, 1.0], [1.0, 1.5]], velocity=3.0, torque=10.0)
    t = np.linspace(0, found.duration, 20_001)
    q, qd, qdd, _ = found.states(t)
    shares = {}
    for what, values, limit in (("speed", qd, 3.0), ("torque", arm.inverse_dynamics(q, qd, qdd), 10.0)):
        for k in range(2):
            shares[f"joint_{k + 1} at its {what} limit"] = (np.abs(values[:, k]) > 0.99 * limit).mean()
    said = of_timing(found)
    first = said.first.split("; ")[1].split(" limit ")[0] + " limit"
    assert said.first.startswith(f"{found.duration:.4g} s; ") and shares[first] > max(shares.values()) - 0.02
    assert float(said.first.split(" limit ")[1].split(" %")[0]) == pytest.approx(100 * shares[first], abs=2)
    _, _, groups = curves(found.report(tmp_path / "a.html"))
    panel = groups["Velocities"][0]
    assert panel["limits"] == [{"low": -3, "high": 3, "at": None, "motor": False}]
    assert np.abs(unpack(panel["lines"][0]["y"])).max() == pytest.approx(np.abs(qd[:, 0]).max(), rel=1e-3)


def test_limits_are_said_in_words_that_fit_their_kind():
    some = [("torque of slide", "N", 0.5), ("mine: speed of it", "m/s", 0.25), ("velocity of <b>", "rad/s", 0.125)]
    assert held_by(some) == [
        "slide at its force limit 50 % of the time",
        "mine: speed of it at its limit 25 % of the time",
        "<b> at its speed limit 12 % of the time",
    ]
    assert held_by([("power of a", "W", 0.1)] * 7)[-1] == "2 more limits are reached"


def test_a_share_of_time_weighs_intervals():
    assert share_of_time(np.array([0.0, 1.0, 2.0, 10.0]), np.array([True, True, False, False])) == pytest.approx(0.15)
    assert share_of_time(np.array([1.0]), np.array([True])) == 1.0


@pytest.mark.slow
def test_reports_of_large_robots_and_long_runs_stay_small(tmp_path):
    chain = Robot(robots.panda_model())
    run = chain.simulate(np.zeros(7), np.zeros(7), 30.0, lambda t, q, qd: -2.0 * qd, method="rk4", dt=0.001)
    assert len(run) == 30_001 and run.report(tmp_path / "a.html").stat().st_size < 5e6


@pytest.mark.slow
def test_the_page_of_a_panda_motion_with_meshes_is_below_5_MB(tmp_path):
    arm = load(ROBOTS / "panda_description/urdf/panda.urdf", friction=False)
    run = arm.simulate(np.zeros(arm.nq), np.zeros(arm.nv), 5.0)
    assert any(isinstance(shape.geometry, Mesh) for shape in arm.model.shapes)
    assert 1e6 < run.report(tmp_path / "a.html").stat().st_size < 5e6


def test_energy_of_a_motion_from_a_table_is_not_said_to_be_free(tmp_path):
    robot = robots.rr()
    pushed = robot.simulate([0.3, 0.2], [0, 0], 0.1, external={"link_2": Wrench((5.0, 0, 0), axes="world")})
    back = type(pushed).load(pushed.save(tmp_path / "a.csv"), robot)
    assert any(line.startswith("energy from") for line in of_trajectory(back).more)
    free = of_trajectory(robot.simulate([0.3, 0.2], [0.1, 0], 0.1)).more
    assert any("without torques or friction" in line for line in free)
