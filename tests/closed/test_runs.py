"""Simulations of closed robots go as those of trees do: events, progress, failures, Ctrl-C, wrenches, files."""

import os
import signal
import warnings

import numpy as np
import pytest

import lissom
from lissom import ClosedRobot, Inertia, Interrupted, Joint, Link, SimulationError, StateError, Trajectory, Wrench
from lissom.closed import ClosedTrajectory
from lissom.simulate import Event, Held, Interpolated, Status

FIXED = {"method": "rk4", "dt": 0.005}
METHODS = [{}, FIXED, FIXED | {"sample": 0.02}]


@pytest.fixture(scope="module")
def bars():
    return lissom.robots.five_bar()


@pytest.fixture(scope="module")
def crank():
    return lissom.robots.four_bar()


@pytest.fixture(scope="module")
def floating():
    """A four-bar whose base is a body that floats: eight coordinates, seven velocities."""
    model = lissom.robots.four_bar_model()
    body = Inertia(3.0, (0.05, 0.02, -0.01), np.diag([0.1, 0.2, 0.15]))
    links = (Link("world"), *(Link(link.name, body) if link.name == model.base else link for link in model.links))
    joints = (Joint("float", "floating", "world", model.base), *model.joints)
    return ClosedRobot(model.replace(name="floating_four_bar", links=links, joints=joints))


@pytest.fixture
def keyboard():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield lambda: os.kill(os.getpid(), signal.SIGINT)
    signal.signal(signal.SIGINT, before)


def check_rows(motion):
    """Every row is finite, closes the loops, and obeys the equations of motion."""
    robot, parts = motion.robot, [motion.q, motion.qd, motion.qdd, motion.tau, motion.tree_q, motion.tree_qd, motion.forces]
    assert all(np.isfinite(x).all() and len(x) == len(motion) for x in parts) and (np.diff(motion.t) > 0).all()
    assert robot.closure_error(motion.tree_q).max(initial=0.0) < 1e-9
    needed = robot.inverse_dynamics(None, motion.qd, motion.qdd, tree_q=motion.tree_q)
    assert np.abs(needed - motion.tau).max(initial=0.0) < 1e-8 * (1 + np.abs(motion.qdd).max(initial=0.0))


@pytest.mark.parametrize("options", METHODS, ids=str)
def test_a_terminal_event_ends_the_run_and_others_are_reported(crank, options):
    """A crank under constant speed at first: where it has turned by a quarter is where the event says."""
    start = crank.home()[0]
    quarter = Event(lambda t, q, qd: q[0] - start - np.pi / 2, "quarter", terminal=True, direction=1)
    eighth = Event(lambda t, q, qd: q[0] - start - np.pi / 4, "eighth")
    never = Event(lambda t, q, qd: q[0] + 100.0, "never", required=False)
    motion = crank.simulate([start], [5.0], 1.0, events=[quarter, eighth, never], **options)
    assert motion.status is Status.EVENT and [e.name for e in motion.events] == ["eighth", "quarter"]
    assert motion.unfired == ("never",) and motion.events[1].t == motion.t[-1] == motion.end.t
    assert motion.end.q[0] == pytest.approx(start + np.pi / 2, abs=1e-9)
    assert motion.events[0].q[0] == pytest.approx(start + np.pi / 4, abs=1e-9)
    check_rows(motion)


def test_an_event_that_is_required_and_missed_is_an_error(crank):
    far = Event(lambda t, q, qd: q[0] - 50.0, "far", required=True)
    with pytest.raises(SimulationError, match="event 'far' never happened") as caught:
        crank.simulate(crank.home(), [1.0], 0.1, events=far)
    assert caught.value.status is Status.EVENT_MISSED and len(caught.value.trajectory) == 501
    with pytest.warns(lissom.SimulationWarning, match="event 'event 0' never happened"):
        crank.simulate(crank.home(), [1.0], 0.1, events=lambda t, q, qd: q[0] - 50.0)


@pytest.mark.parametrize("options", METHODS, ids=str)
@pytest.mark.parametrize("bad", [[np.nan, 0.0], "raise"], ids=str)
def test_a_controller_that_fails_keeps_the_rows_before(bars, options, bad):
    def torque(t, q, qd):
        if t < 0.0999:
            return -qd
        if bad == "raise":
            raise ZeroDivisionError
        return bad

    with pytest.raises(SimulationError, match="the torque (of joint 'left' is nan|function failed) at t = 0.1") as caught:
        bars.simulate(bars.home(), [1.0, -1.0], 1.0, torque, **options)
    kept = caught.value.trajectory
    assert caught.value.status is kept.status is Status.CONTROLLER_FAILED and 0.07 < kept.t[-1] < 0.1
    check_rows(kept)
    assert np.abs(kept.tau + kept.qd).max() < 1e-9
    assert bars.simulate(bars.home(), [1.0, -1.0], 1.0, torque, throw=False, **options).message == kept.message


@pytest.mark.parametrize("options", [{"rtol": 1e-6, "atol": 1e-6}, {"method": "rk4", "dt": 0.01}], ids=str)
def test_a_motion_that_blows_up_keeps_finite_rows(crank, options):
    with pytest.raises(SimulationError, match="(blew up|hardly advances) at t = .*joint 'crank_joint'") as caught:
        crank.simulate(crank.home(), [1.0], 10.0, lambda t, q, qd: 1e3 * qd * np.abs(qd), **options)
    kept = caught.value.trajectory
    assert kept.status in (Status.BLEW_UP, Status.STUCK) and len(kept) >= 1 and kept.message == str(caught.value)
    assert all(np.isfinite(x).all() for x in (kept.q, kept.qd, kept.qdd, kept.tau, kept.tree_q, kept.forces))


def test_trees_and_loops_are_stuck_by_the_same_rule(crank):
    """A million radians a second cannot be followed for ten: thousands of steps lead nowhere."""
    for robot, start in ((crank, crank.home()), (lissom.robots.planar_two_link(), [0.1, 0.2])):
        kept = robot.simulate(start, np.full(robot.nv, 1e6), 10.0, throw=False)
        assert kept.status is Status.STUCK and "hardly advances" in kept.message and 0 < kept.t[-1] < 0.01
    assert crank.simulate(crank.home(), [1e6], 1e-5).status is Status.FINISHED  # ten radians can


def test_a_drive_beyond_all_bounds_ends_the_run_with_a_message(bars):
    kept = bars.simulate(bars.home(), [0.0, 0.0], 1.0, lambda t, q, qd: [1e300 * (t > 0.1), 0.0], throw=False)
    assert kept.status in (Status.BLEW_UP, Status.STUCK) and 0.05 < kept.t[-1] < 0.11 and "joint 'left'" in kept.message
    assert np.isfinite(kept.q).all() and np.isfinite(kept.tree_qdd).all()


@pytest.mark.parametrize("options", METHODS, ids=str)
def test_ctrl_c_keeps_the_motion(bars, keyboard, options):
    def torque(t, q, qd):
        if t > 0.1:
            keyboard()
        return -qd

    with pytest.raises(Interrupted) as caught:
        bars.simulate(bars.home(), [1.0, -1.0], 1.0, torque, throw=False, **options)
    kept = caught.value.result
    assert isinstance(kept, ClosedTrajectory) and kept.status is Status.INTERRUPTED and 0.07 < kept.t[-1] < 0.13
    check_rows(kept)


@pytest.mark.parametrize("options", METHODS, ids=str)
def test_progress_is_told(bars, options):
    told = []
    bars.simulate(bars.home(), [1.0, -1.0], 0.1, progress=lambda t, duration: told.append((t, duration)), **options)
    assert told[-1] == (pytest.approx(0.1), 0.1) and np.all(np.diff([t for t, _ in told]) > 0)


@pytest.mark.parametrize("options", METHODS, ids=str)
def test_external_wrenches_do_work(crank, options):
    """Against a constant force on the coupler, kinetic and potential energy change by its work."""
    push = np.array([3.0, 2.0, 0.0])
    link = "coupler"
    free = ClosedRobot(crank.model.replace(gravity=(0.0, 0.0, 0.0)))
    motion = free.simulate(free.home(), [4.0], 0.3, external={link: Wrench(push, axes="world")}, **options)
    index = [x.name for x in free.model.links].index(link)
    where = free.link_poses(None, tree_q=motion.tree_q)[:, index, :3, 3]
    work = (where - where[0]) @ push
    assert np.ptp(work) > 0.1
    assert np.abs(motion.kinetic_energy - motion.kinetic_energy[0] - work).max() < (1e-9 if not options else 1e-4)
    needed = free.inverse_dynamics(None, motion.qd, motion.qdd, external={link: Wrench(push, axes="world")}, tree_q=motion.tree_q)
    assert np.abs(needed).max() < 1e-9


def test_forces_between_rows_make_the_motion_again(bars):
    t = np.linspace(0.0, 0.4, 81)
    size = np.array([0.3, -0.2])
    q, qd, qdd = (np.outer(x, size) for x in (1 - np.cos(5 * t), 5 * np.sin(5 * t), 25 * np.cos(5 * t)))
    q = q + bars.home()
    tau = bars.inverse_dynamics(q, qd, qdd)
    again = bars.simulate(q[0], qd[0], 0.4, Interpolated(t, tau), sample=0.005)
    steps = bars.simulate(q[0], qd[0], 0.4, Held(t, tau), sample=0.005)
    assert np.abs(again.q - q).max() < 1e-7 < 1e-4 < np.abs(steps.q - q).max()


def test_fixed_steps_pass_dead_points():
    model = lissom.robots.slider_crank_model(g=0.0).replace(active=("slider_joint",))
    robot = ClosedRobot(model)
    motion = robot.simulate(robot.home(), [-0.8], 3.0, method="rk4", dt=1e-3, sample=0.05)
    assert motion.switches >= 1 and np.ptp(motion.tree_q[:, 0]) > 2 * np.pi
    assert np.abs(motion.energy - motion.energy[0]).max() < 1e-5 * motion.energy[0]


def test_states_of_a_batch_pass_dead_points_each_in_its_own_time():
    robot = ClosedRobot(lissom.robots.slider_crank_model(g=0.0).replace(active=("slider_joint",)))
    speeds = np.array([[-0.8], [-0.5], [0.7]])
    options = {"method": "rk4", "dt": 1e-3, "sample": 0.05}
    many = robot.simulate(np.tile(robot.home(), (3, 1)), speeds, 1.0, **options)
    assert many.switches >= 3 and (np.ptp(many.tree_q[..., 0], axis=0) > np.pi).all()
    assert np.abs(many.energy / many.energy[0] - 1).max() < 1e-6 and many.closure_error.max() < 1e-9
    for k in range(3):
        one = robot.simulate(robot.home(), speeds[k], 1.0, **options)
        assert np.abs(many.tree_q[:, k] - one.tree_q).max() < 1e-9 and np.abs(many.tree_qdd[:, k] - one.tree_qdd).max() < 1e-6


@pytest.mark.parametrize("ending", [".npz", ".csv"])
@pytest.mark.parametrize("which", ["bars", "floating"])
def test_files_hold_everything(request, tmp_path, ending, which):
    robot = request.getfixturevalue(which)
    speeds = np.linspace(0.5, 1.0, robot.nv)
    early = Event(lambda t, q, qd: t - 0.03, "early, or 'not'")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", lissom.SimulationWarning)
        motion = robot.simulate(robot.home(), speeds, 0.1, sample=0.01, events=[early, Event(lambda t, q, qd: 1.0, "never")])
    back = ClosedTrajectory.load(motion.save(tmp_path / f"motion{ending}"), robot)
    assert type(back) is ClosedTrajectory and type(Trajectory.load(tmp_path / f"motion{ending}", robot)) is ClosedTrajectory
    for part in ("t", "q", "qd", "qdd", "tau", "tree_q", "tree_qd", "tree_qdd", "forces"):
        assert np.array_equal(getattr(back, part), getattr(motion, part)), part
    assert back.status is motion.status and back.unfired == ("never",) and back.events[0].name == "early, or 'not'"
    assert np.array_equal(back.events[0].q, motion.events[0].q) and back.switches == motion.switches


def test_files_of_other_robots_and_damaged_ones_are_refused(bars, crank, tmp_path):
    path = crank.simulate(crank.home(), [1.0], 0.01, sample=0.005).save(tmp_path / "crank.npz")
    with pytest.raises(lissom.FileError, match="is not a trajectory of 'five_bar'"):
        ClosedTrajectory.load(path, bars)
    with pytest.raises(lissom.FileError, match="is not a trajectory of"):
        Trajectory.load(path, lissom.robots.rr())
    with pytest.raises(StateError, match="has no loops"):
        ClosedTrajectory.load(path, lissom.robots.rr())
    tree = lissom.robots.rr().simulate([0, 0], [0, 0], 0.01, sample=0.005).save(tmp_path / "tree.npz")
    with pytest.raises(lissom.FileError, match="is not a trajectory of"):
        ClosedTrajectory.load(tree, crank)
    found = dict(np.load(path))
    for name, value in (("tree_q", found["tree_q"][:, :1]), ("switches", np.array(-1)), ("switches", np.array([1, 2]))):
        np.savez(tmp_path / "bad.npz", **(found | {name: value}))
        with pytest.raises(lissom.FileError, match="damaged"):
            ClosedTrajectory.load(tmp_path / "bad.npz", crank)
    del found["tree_qd"]
    np.savez(tmp_path / "bad.npz", **found)
    with pytest.raises(lissom.FileError, match="lacks 'tree_qd'"):
        ClosedTrajectory.load(tmp_path / "bad.npz", crank)


def test_a_run_that_fails_at_its_start_has_no_rows_and_can_be_saved(bars, tmp_path):
    for ending in (".csv", ".npz"):
        empty = bars.simulate(bars.home(), [0, 0], 1.0, lambda t, q, qd: [np.nan, 0.0], throw=False)
        back = ClosedTrajectory.load(empty.save(tmp_path / f"empty{ending}"), bars)
        assert len(back) == 0 and back.status is Status.CONTROLLER_FAILED and back.tree_q.shape == (0, 4)
    with pytest.raises(StateError, match="the trajectory has no samples"):
        _ = back.end


def test_a_batch_keeps_rows_that_are_finite_in_every_state(bars):
    def torque(t, q, qd):
        return np.where((np.arange(3)[:, None] == 1) & (t > 0.05), np.nan, -qd)

    with pytest.raises(SimulationError, match=r"the torque of joint 'left' of sample \(1,\) is nan") as caught:
        bars.simulate(np.tile(bars.home(), (3, 1)), [1.0, -1.0], 1.0, torque, **FIXED)
    assert caught.value.trajectory.q.shape[1:] == (3, 2) and caught.value.trajectory.t[-1] == pytest.approx(0.05)
    check_rows(caught.value.trajectory)


def test_states_in_between_are_interpolated_on_the_manifold(floating):
    speeds = np.linspace(0.5, 1.0, floating.nv)
    motion = floating.simulate(floating.home(), speeds, 0.2, sample=0.01)
    state = motion.at(0.1234)
    exact = floating.simulate(floating.home(), speeds, 0.1234).end
    assert np.abs(state.q - exact.q).max() < 1e-6 and np.abs(state.qd - exact.qd).max() < 1e-5
    assert repr(motion).startswith("<ClosedTrajectory of 'floating_four_bar': 21 samples, 0.2 s, finished>")
    assert len(motion.coordinate_names) == floating.nq and len(motion.torque_names) == motion.tau.shape[-1]


@pytest.mark.parametrize("speed", [1.0, 9.0, -3.0])
def test_runs_that_fail_where_loops_lose_an_equation_say_so_and_keep_good_samples(speed):
    """All bars of a parallelogram in one line: it may go on as an antiparallelogram as well."""
    model = lissom.robots.four_bar_model(crank=0.2, coupler=0.5, rocker=0.2, ground=0.5)
    posture = (("crank_joint", (1.0,)), ("coupler_joint", (-1.0,)), ("rocker_joint", (1.0,)))
    robot = ClosedRobot(model.replace(posture=posture))
    # whether a step comes near enough to the pose to fail is a matter of rounding
    motion = robot.simulate(robot.home(), [speed], 1.0, throw=False)
    assert motion.status is Status.FINISHED or "the motion beyond is not determined" in motion.message
    assert np.abs(motion.energy - motion.energy[0]).max() < 1e-6 and len(motion) > 50
    over = robot.simulate(robot.home(), [speed], 1.0, method="rk4", dt=1e-3)
    assert np.abs(over.energy - over.energy[0]).max() < 1e-3 * over.energy[0]


@pytest.mark.parametrize("options", METHODS[:2], ids=str)
def test_momentum_of_a_floating_mechanism_is_kept(floating, options):
    """Free space: no gravity, nothing outside pushes."""
    robot = ClosedRobot(floating.model.replace(gravity=(0.0, 0.0, 0.0)))
    motion = robot.simulate(robot.home(), np.linspace(0.2, 0.8, robot.nv), 0.5, sample=0.05, **options)
    p = robot.tree.momentum(motion.tree_q, motion.tree_qd)
    assert np.abs(p - p[0]).max() < (1e-9 if not options else 1e-6)
    assert np.abs(np.linalg.norm(motion.q[:, 3:7], axis=1) - 1).max() < 1e-12


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "euler"}, "no method 'euler'; expected one of"),
        ({"method": "semi_implicit"}, "method='semi_implicit' needs a step"),
        ({"acceleration": [1.0]}, "acceleration is for joints whose acceleration is known"),
        ({"known": {"force": ...}}, "known has no 'force'"),
        ({"method": "rk4"}, "needs a step"),
        ({"method": "rk4", "dt": 0.01, "rtol": 1e-6}, "rtol and atol are the tolerances"),
        ({"dt": 0.1}, "dt is the step of the fixed-step methods"),
        ({"rtol": 1e-20}, "the limit of float64"),
        ({"sample": -1.0}, "sample is -1"),
        ({"events": 3}, "events must be functions"),
        ({"external": {"coupler": 3}}, "must say its axes"),
        ({"torque": [1.0, 2.0]}, "torque has shape"),
        ({"duration": -1.0}, "duration is -1"),
    ],
)
def test_options_that_would_do_nothing_or_harm_are_refused(crank, options, message):
    options = {"duration": 1.0} | options
    with pytest.raises(StateError, match=message):
        crank.simulate(crank.home(), [0.0], **options)


def test_batches_have_no_events_and_fit_together(crank):
    many = np.tile(crank.home(), (3, 1))
    with pytest.raises(StateError, match="events need one state"):
        crank.simulate(many, [0.0], 1.0, events=lambda t, q, qd: 1.0, **FIXED)
    with pytest.raises(StateError, match="do not fit together"):
        crank.simulate(many, np.zeros((2, 1)), 1.0, **FIXED)
    with pytest.raises(StateError, match="there is no state to start from"):
        crank.simulate(many[:0], np.zeros((0, 1)), 1.0, **FIXED)
