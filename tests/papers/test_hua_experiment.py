"""The experiment of Hua 2024, section V. Gains and geometry are not printed: errors agree by their size, not by their digits."""

import numpy as np
import pytest

import lissom
from lissom.papers import hua
from lissom.papers.hua.differences import Differences
from lissom.papers.hua.experiment import PAPER, REFERENCE, START
from lissom.papers.hua.readings import UP, Row, _cases

LENGTH, WEIGHT, STIFFNESS, PULL = 0.5, 9.81, 100.0, 3.0


@pytest.fixture(scope="module")
def without():
    return hua.run()


@pytest.fixture(scope="module")
def unknown():
    return hua.run(payload=True)


@pytest.fixture(scope="module")
def known():
    return hua.run(payload=True, known=True)


@pytest.fixture(scope="module")
def lifted():
    return hua.run(payload=True, force=UP)


def far(found, printed):
    return np.abs(np.log(np.array(found) / np.array(printed))).max()


def test_errors_are_those_of_the_paper_by_their_size(without, unknown):
    assert far(without.rms, hua.PAPER[False]) < np.log(1.2)
    assert far(unknown.rms, hua.PAPER[True]) < np.log(1.2)


@pytest.mark.slow
def test_with_differences_and_the_sign_of_equation_20_errors_come_closest_to_the_paper(unknown):
    reading = hua.Reading(period=1e-3)
    free, loaded = hua.run(reading=reading).rms, hua.run(True, reading=reading, force=UP).rms
    assert far(free, hua.PAPER[False]) < np.log(1.12) and far(loaded, hua.PAPER[True]) < np.log(1.03)
    # what is printed for joint 3 does not tell whether there is a payload; exact rates of a wrong model do
    assert abs(loaded[2] / free[2] - 1) < 0.01 < unknown.rms[2] / free[2] - 1


@pytest.mark.parametrize(("which", "force"), [("without", 0.0), ("unknown", -PULL), ("lifted", PULL)])
def test_motor_starts_where_its_spring_carries_arm_and_payload(which, force, request):
    run = request.getfixturevalue(which)
    pull = WEIGHT * LENGTH / 2 - force * LENGTH
    q = run.trajectory.q[0]
    np.testing.assert_array_equal(q[:3], START)
    assert q[3] - q[2] == pytest.approx(pull * np.cos(START[2]) / STIFFNESS, rel=1e-12)
    assert not run.trajectory.qd[0].any()


def test_controller_that_knows_the_payload_follows_as_without_one(without, known, unknown):
    np.testing.assert_allclose(known.rms, without.rms, rtol=1e-5)
    assert unknown.rms[1] > 1.5 * without.rms[1]


def test_payload_raises_torques_and_lowers_them_with_the_sign_of_equation_20(without, unknown, known, lifted):
    at = 300  # 3 s, the arm is lowest: q2 = q3 = -0.5 rad, at rest, accelerating by 0.5 (pi / 2)^2
    assert without.trajectory.t[at] == 3.0
    none = without.torques[at]
    assert (lifted.torques[at, 1:] < none[1:] - 0.5).all() and (none[1:] + 0.5 < unknown.torques[at, 1:]).all()
    # closed form: lever of the payload; and the motor has to swing wider by what the spring gives way more
    q, qdd = -0.5, 0.5 * (np.pi / 2) ** 2
    lever = PULL * LENGTH * np.array([np.cos(q) + np.cos(2 * q), np.cos(2 * q)])
    wider = -PULL * LENGTH / STIFFNESS * np.sin(2 * q) * 2 * qdd
    inertia = 10.0**2 * 0.004
    np.testing.assert_allclose(known.torques[at, 1:] - none[1:], lever + [0.0, inertia * wider], rtol=1e-6)


@pytest.mark.parametrize("which", ["without", "known"])
def test_lyapunov_function_stays_below_its_bound_all_the_way(which, request):
    run = request.getfixturevalue(which)
    V, noise = run.lyapunov, 1e-13 * run.lyapunov[0]
    assert (V - (1 + 1e-12) * run.bound <= noise).all()
    assert (np.diff(V) < noise).all() and V[-1] < noise < V[100]
    c = run.controller.decay(run.trajectory.q)
    assert c.min() > 5.0
    rates = np.array([run.controller.lyapunov_rate(*state) for state in run._states()])
    assert (rates <= -c * V + noise).all()


def test_unknown_payload_holds_the_lyapunov_function_up(unknown):
    assert unknown.lyapunov[500:].min() > 0.1 > unknown.bound[500]


def test_rotors_of_this_arm_are_not_turned_about_another_axis_by_a_joint():
    robot, rng = lissom.Robot(hua.Reading().model), np.random.default_rng(3)
    parts = robot.elastic_blocks(rng.normal(size=(20, 4)), rng.normal(size=(20, 4)))
    for block in (parts.S, parts.C1, parts.C2):
        assert np.abs(block).max() < 1e-15
    np.testing.assert_allclose(parts.B, 10.0**2 * 0.004)


def test_inertias_in_the_frames_of_the_paper_are_those_of_the_table_turned():
    turned, printed = hua.Reading().model, lissom.robots.hua_arm_model()
    up, axis = np.array([0.0, 0.0, 1.0]), np.array([0.0, -1.0, 0.0])
    for name, about_up, about_axis, product in (("link_2", 0.4, 0.3, 0.2), ("link_3", 0.25, 0.25, 0.2)):
        I = np.array(turned.link(name).inertia.tensor)
        np.testing.assert_allclose([up @ I @ up, axis @ I @ axis, up @ I @ axis], [about_up, about_axis, product])
        assert turned.link(name).inertia.principal_moments == pytest.approx(printed.link(name).inertia.principal_moments)


def test_differences_come_nearer_to_exact_rates_with_their_period():
    robot, gains = lissom.Robot(hua.Reading().model), (10.0, 50.0, 20.0, 20.0)
    start = robot.at_rest(START)
    exact = robot.simulate(start, np.zeros(4), 0.5, lissom.control.MixedControl(robot, REFERENCE, *gains), method="implicit")
    off = []
    for period in (1e-3, 5e-4):
        controller = Differences(robot, REFERENCE, *gains, period)
        motion = robot.simulate(start, np.zeros(4), 0.5, controller, method="rk4", dt=period, sample=1e-3)
        off.append(np.abs(motion.q - exact.q).max())
    assert off[0] < 0.02 and off[1] < 0.6 * off[0]


def test_survey_changes_one_choice_at_a_time():
    labels, readings, *_ = zip(*_cases(), strict=True)
    assert len(set(labels)) == len(labels) and readings[0] == hua.Reading()
    row = Row("x", None, np.array([0.001, 0.002, 0.03]), 12.3, "")
    assert row.cells == ("", "", "", "1.00", "2.00", "30.00", "12")


def test_report_states_every_assumption_and_stands_alone(without, unknown, known, lifted, tmp_path):
    rows = [Row("<b>&", without.rms, unknown.rms, 1.0, "<script>")]
    page = hua.report(without, unknown, known, lifted, rows, tmp_path / "hua.html").read_text(encoding="utf-8")
    for what, chosen in hua.ASSUMPTIONS:
        assert lissom.view.page.text(what) in page and lissom.view.page.text(chosen) in page
    assert "0.00268" in page and "&lt;b&gt;&amp;" in page and page.count("&lt;script&gt;") == 1
    assert "http:" not in page.replace("http://www.w3.org/2000/svg", "") and "https:" not in page
    off = np.abs(without.rms / PAPER[False] - 1).max(), np.abs(unknown.rms / PAPER[True] - 1).max()
    assert f"within {100 * off[0]:.0f} % of the paper&#x27;s without payload, within {100 * off[1]:.0f} % with it" in page


def test_reports_are_html(without, unknown, known, lifted, tmp_path):
    with pytest.raises(lissom.FileError, match="'.txt'; use .html"):
        hua.report(without, unknown, known, lifted, [], tmp_path / "hua.txt")
    assert not list(tmp_path.iterdir())
