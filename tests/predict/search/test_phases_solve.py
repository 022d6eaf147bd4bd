"""Problems with phases, solved: closed forms, boundaries that change nothing, channels that live in some phases."""

import numpy as np
import pytest
from scipy.optimize import brentq

import lissom
from lissom import MotionProblem, StateError
from lissom.nlp.status import Status
from lissom.predict import Quantity, load
from lissom.predict.data.motion import idle
from support.elastic_arms import one_joint
from support.timing import cart

MASS, FORCE, WAY = 2.0, 3.0, 1.5
CART = cart(MASS)


def problem(control_points=8, degree=3, **options):
    return MotionProblem(CART, control_points=control_points, degree=degree, **options)


def test_the_quickest_slide_speeds_up_and_slows_down_in_phases_of_their_own():
    p = problem(duration=(0.1, 20.0)).phases({"speed up": (0.1, 5.0), "slow down": (0.1, 5.0)}, smooth=1)
    p.start([0.0]).end([WAY]).limit("torque", -FORCE, FORCE).minimize("time")
    found = p.solve()
    exact = 2.0 * np.sqrt(WAY * MASS / FORCE)
    assert found.success and found.duration == pytest.approx(exact, rel=1e-6)
    (_, start, middle), (_, also, end) = found.phases
    assert (start, also, end) == (0.0, middle, found.duration) and middle == pytest.approx(exact / 2, rel=1e-5)
    t = np.array([0.2, 0.8]) * exact
    assert found.torques(t)[:, 0] == pytest.approx([FORCE, -FORCE], rel=1e-4)


def test_without_phases_the_quickest_slide_is_slower():
    p = problem(duration=(0.1, 20.0)).start([0.0]).end([WAY]).limit("torque", -FORCE, FORCE).minimize("time")
    assert p.solve().duration > 1.001 * 2.0 * np.sqrt(WAY * MASS / FORCE)


def test_a_via_point_at_a_free_time_is_met_when_it_costs_least():
    # least integral of force^2 from rest at 0 through v to rest at d in T: piecewise cubics, whose cost at the via time t is the
    # sum of Hermite costs with the best velocity there; found here by brute force over t and the velocity
    via, T = 0.9, 2.0
    p = problem(12, duration=T).phases({"before": (0.2, 1.8), "after": (0.2, 1.8)}, smooth=2)
    p.start([0.0]).end([WAY]).limit("position", via, via, at=1.0, during="before").minimize("integral", 1.0, "torque")
    found = p.solve()

    def hermite(a, b, va, vb, h):
        """Integral of acceleration^2 of the cubic between two states."""
        return 4 * (va**2 + va * vb + vb**2) / h - 12 * (b - a) * (va + vb) / h**2 + 12 * (b - a) ** 2 / h**3

    t, v = np.meshgrid(np.linspace(0.3, 1.7, 1401), np.linspace(-1.0, 3.0, 4001), indexing="ij")
    cost = MASS**2 * (hermite(0.0, via, 0.0, v, t) + hermite(via, WAY, v, 0.0, T - t))
    k = np.unravel_index(np.argmin(cost), cost.shape)
    assert found.duration == pytest.approx(T, abs=1e-9)
    assert found.objective == pytest.approx(cost[k], rel=1e-5)
    assert found.phases[0].end == pytest.approx(t[k], abs=2e-3)
    assert found.path.at(found.phases[0].end)[0] == pytest.approx(via, abs=1e-7)


@pytest.mark.parametrize("durations", [{"a": 0.5, "b": 0.9}, {"a": (0.3, 0.7), "b": (0.6, 1.2)}, {"a": (0.5, 1.5), "b": 0.4}])
@pytest.mark.parametrize("degree", [3, 5])
def test_a_needless_boundary_does_not_change_the_optimum(durations, degree):
    T = 1.4
    more = {"points_per_span": 4 if degree == 3 else 20}  # Simpson's rule is exact for cubics
    plain = problem(10, degree, duration=T, **more).start([0.0]).end([WAY]).minimize("integral", 1.0, "torque").solve()
    p = problem(10, degree, duration=T, **more).phases(durations).start([0.0]).end([WAY]).minimize("integral", 1.0, "torque")
    found = p.solve()
    exact = 12.0 * MASS**2 * WAY**2 / T**3  # of the cubic
    assert plain.objective == pytest.approx(exact, rel=1e-6) and found.objective == pytest.approx(exact, rel=1e-6)
    t = np.linspace(0.0, T, 30)
    assert found.path.at(t)[:, 0] == pytest.approx(WAY * (3 * (t / T) ** 2 - 2 * (t / T) ** 3), abs=1e-5)


@pytest.mark.sweep("durations0")
@pytest.mark.parametrize("durations", [{"a": 0.5, "b": 0.9}, {"a": (0.3, 0.7), "b": (0.6, 1.2)}])
def test_smooth_says_how_many_derivatives_are_continuous(durations):
    for smooth in (1, 2, 3, 4):
        p = problem(12, 5, duration=1.4).phases(durations, smooth=smooth).start([0.0]).end([WAY])
        p.limit("acceleration", -3.0, 3.0, during="a").minimize("integral", 1.0, "jerk").minimize("integral", 30.0, "position")
        found = p.solve(limit_tolerance=None)
        at = found.phases[0].end
        for order in range(1, 5):
            left, right = found.path.rate(at, order, left=True), found.path.rate(at, order)
            if order <= smooth:
                assert left == pytest.approx(right, abs=1e-5 * 10**order)


def test_limits_and_goals_of_a_phase_hold_there_alone():
    p = problem(14, duration=1.4).phases({"slow": 0.7, "fast": 0.7}).start([0.0]).end([WAY])
    p.limit("velocity", -0.3, 0.3, during="slow").minimize("integral", 1.0, "torque")
    found = p.solve()
    slow, fast = found.path.rate(np.linspace(0.0, 0.7, 50)), found.path.rate(np.linspace(0.7, 1.4, 50))
    assert np.abs(slow).max() <= 0.3 + 1e-3 and np.abs(fast).max() > 1.0
    assert found.limits[0].at <= 0.7
    q = problem(14, duration=1.4).phases({"slow": 0.7, "fast": 0.7}).start([0.0]).end([WAY])
    q.minimize("integral", 1.0, "torque", during="slow").minimize("integral", 1e-3, "torque", during="fast")
    other = q.solve()
    assert other.objective == pytest.approx(sum(goal.weight * goal.value for goal in other.goals), rel=1e-9)
    assert other.goals[0].value < 1e-3 * other.goals[1].value


def test_a_channel_lives_in_its_phases_and_pushes_there():
    p = problem(14, duration=1.4).phases({"alone": 0.7, "helped": 0.7}, smooth=1).start([0.0]).end([WAY])
    p.channel("help", "fx", link=CART.link_names[-1], during="helped").limit("help", -50.0, 50.0)
    p.minimize("integral", 1.0, "torque").minimize("integral", 1e-6, "help")
    found = p.solve()
    t = np.array([0.0, 0.3, 0.699, 0.7, 1.0, 1.4])
    pushed = found.channel("help", t)[:, 0]
    assert (pushed[:3] == 0.0).all() and (pushed[3:] != 0.0).all()
    alone, helped = (np.abs(found.torques(np.linspace(*ends, 20))).max() for ends in ((0.0, 0.69), (0.71, 1.39)))
    assert helped < 1e-3 * alone + 1e-3
    x = np.linspace(0.0, 1.4, 20001)
    assert found.goals[1].value == pytest.approx(float(np.trapezoid(found.channel("help", x)[:, 0] ** 2, x)), rel=1e-3)


def test_a_constant_channel_is_one_unknown():
    # the constant that is nearest to the path in the least squares sense is its mean
    class Apart(Quantity):
        name, labels, unit, orders, depends, channels = "apart", ("x",), "m", (0,), np.ones((1, 2), dtype=bool), ("place",)

        def values(self, state):
            return state.rates[0][:, :1] - state.rates[0][:, 1:]

        def derivatives(self, state):
            return np.broadcast_to(np.array([[[1.0, -1.0]]]), (len(state), 1, 2))[None]

        def curvature(self, state, weights):
            return None

    p = problem(10, duration=1.4).phases({"a": 0.6, "b": 0.8}).start([0.0]).end([WAY])
    p.channel("place", "x", unit="m", degree=0, during="b").minimize("integral", 1.0, "torque")
    p.minimize("integral", 1e-9, Apart(), during="b")
    found = p.solve()
    assert found.channels["place"].points.shape == (1, 1)
    t = np.linspace(0.6, 1.4, 2001)
    assert found.channel("place", 1.0)[0] == pytest.approx(found.path.at(t)[:, 0].mean(), abs=1e-3)
    assert found.channel("place", 0.59)[0] == 0.0


def test_equations_at_knots_hold_between_them_nearly_and_status_tells_where_not():
    # the force of the cart in phase "free" is a given wave, which the spline can only follow nearly
    p = problem(30, duration=1.4).phases({"driven": 0.7, "free": 0.7}, smooth=1).start([0.0]).end(None, velocity=None)
    p.limit("torque", 0.0, 0.0, at="knots", during="free", scale=1.0).limit("position", WAY, WAY, at=1.0)
    p.minimize("integral", 1.0, "torque")
    found = p.solve()
    assert found.success
    assert np.abs(found.torques(np.linspace(0.7, 1.4, 200))).max() < 1e-6
    assert len(found.rounds) == 1


def test_equations_that_the_ends_decide_are_checked_and_left_out():
    p = problem(8, duration=1.4).start([0.0]).end([WAY])
    p.limit("position", 0.0, 0.0, at=0.0, scale=1.0).limit("velocity", 0.0, 0.0, at=[0.0, 1.0], scale=1.0)
    p.minimize("integral", 1.0, "torque")
    found = p.solve()
    assert found.status is Status.SOLVED and len(found.solution.multipliers) == 3 and not found.solution.multipliers.any()
    q = problem(8, duration=1.4).start([0.0]).end([WAY]).same_at_both_ends("position").minimize("integral", 1.0, "torque")
    with pytest.raises(StateError, match=r"position of slide .* is decided by what is given.* misses its equation by 1\.5"):
        q.solve()


def test_starts_are_fitted_into_phases():
    p = problem(12, duration=(0.5, 4.0)).phases({"a": (0.2, 2.0), "b": (0.2, 2.0)}).start([0.0]).end([WAY])
    p.limit("torque", -FORCE, FORCE).minimize("time")
    found = p.solve()
    again = p.solve(start=found)
    assert again.duration == pytest.approx(found.duration, rel=1e-6) and again.iterations <= found.iterations
    path = lissom.SplinePath.between([0.0], [WAY], 2.5, 9)
    assert p.solve(start=path).duration == pytest.approx(found.duration, rel=1e-2)  # there are several local optima
    assert p.solve(starts=3).duration <= found.duration * (1 + 1e-6)


@pytest.mark.parametrize("durations", [{"a": 0.5, "b": 0.9}, {"a": (0.3, 0.7), "b": (0.6, 1.2)}], ids=["fixed", "free"])
def test_predictions_with_phases_come_back_from_files(durations, tmp_path):
    p = problem(10, duration=1.4).phases(durations, smooth=1).start([0.0]).end([WAY])
    p.channel("help", "fx", link=CART.link_names[-1], during="b").channel("place", "x", unit="m", degree=0)
    p.limit("torque", 0.0, 0.0, at="knots", during="b", scale=1.0).limit("help", -30.0, 30.0).limit("place", 0.0, 1.0)
    p.minimize("integral", 1.0, "torque").minimize("integral", 0.1, "help").minimize("integral", 1.0, "place", during="a")
    found = p.solve()
    again = lissom.Prediction.load(found.save(tmp_path / "motion.npz"), CART)
    t = np.linspace(0.0, 1.4, 41)
    assert again.phases == found.phases and [phase.name for phase in again.phases] == ["a", "b"]
    for name in ("help", "place"):
        assert np.array_equal(again.channel(name, t), found.channel(name, t))
    assert np.array_equal(again.torques(t), found.torques(t)) and again.limits == found.limits
    assert p.solve(start=again).objective == pytest.approx(found.objective, rel=1e-6)
    assert ("phase", f"a: {'0.5 s' if durations['a'] == 0.5 else '0.3 to 0.7 s'}") in again.description.rows


def test_pictures_and_reports_show_phases(tmp_path):
    p = problem(10, duration=1.4).phases({"lift": 0.5, "carry <it>": 0.9}).start([0.0]).end([WAY])
    p.limit("velocity", -2.0, 2.0, during="lift").limit("torque", -40.0, 40.0, at=[0.0, 1.0], during="carry <it>")
    found = p.minimize("integral", 1.0, "torque").solve()
    velocity, torque = found.limits
    assert velocity.during == ("lift",) and torque.during == ("carry <it>",)
    assert torque.shares == pytest.approx([0.5 / 1.4, 1.0])
    figure = found.plot()
    spans = [
        patch
        for axis in figure.axes
        for patch in axis.patches
        if patch.get_facecolor()[:3] == pytest.approx((0.941,) * 3, abs=1e-3)
    ]
    assert len(spans) == 3 and {round(patch.get_x(), 9) for patch in spans} == {0.5}
    page = found.report(tmp_path / "page.html").read_text()
    assert '"shades":[[0.5,1.4' in page.replace(" ", "") and "carry <it>" not in page.split("<script")[0]
    assert "during lift" in page and ", during carry &lt;it&gt;" in page


def test_targets_tables_and_fronts_know_phases():
    p = problem(10, duration=(0.5, 3.0)).phases({"go": (0.2, 1.5), "on": (0.2, 1.5)}).start([0.0]).end([WAY])
    p.limit("position", 0.4, 0.4, at=1.0, during="go").limit("torque", -30.0, 30.0, during="on").minimize("time")
    front = lissom.predict.pareto(p.minimize("integral", 0.1, "torque"), [0.9, 0.5])
    assert front.best.all() and all(len(each.phases) == 2 for each in front.predictions)
    table = p._repr_html_()
    assert "1 of go" in table and "during on" in table
    assert ("limit", "position of slide: 0.4 m, during go, at 1 of that time") in front.predictions[0].description.rows


@pytest.mark.slow
def test_limits_hold_between_instants_of_free_phases_on_coarse_and_doubled_knots():
    arm = lissom.robots.rr()
    p = MotionProblem(arm, control_points=9, points_per_span=2).phases({"a": (0.05, 0.6), "b": (0.05, 0.6)}, smooth=1)
    p.channel("push", ("fx", "fy"), link="link_2", during="b").channel("place", "x", unit="m", degree=0)
    p.start([0, -2]).end([1, -1]).limit("torque", -10, 10).limit("push", -3, 3).limit("place", 0.1, 1)
    p.minimize("time").minimize("integral", 1e-3, "push").minimize("integral", 1e-2, "place")
    for refine in (0, 1):
        found = p.solve(refine=refine)
        assert found.success and len(found.rounds) > 1  # instants were added, or knots doubled
        t = np.linspace(0.0, found.duration, 20_001)
        assert np.abs(found.torques(t)).max() <= 10 * (1 + 1.5e-3)
        a, b = found.phases
        assert found.duration == pytest.approx(b.end) and a.end == b.start
        assert found.channel("place", t)[:, 0] == pytest.approx(0.1, abs=1e-3)  # its goal weighs little beside the tolerance


def test_four_bangs_of_a_motor_behind_a_spring_are_four_phases():
    # two inertias and a spring, from rest to rest in least time: torques +, -, +, - with switches at t1, T/2 and T - t1, where
    # with h = T/2 and a = h - t1 the swing ends, 2 cos(w a) = 1 + cos(w h), and the way is effort / (I + J) (h^2 - 2 a^2)
    link, motor, stiffness, effort, way = 0.3, 0.1, 3.0, 5.0, 1.0
    w = np.sqrt(stiffness * (1 / link + 1 / motor))

    def last(h):
        return np.arccos((1 + np.cos(w * h)) / 2) / w

    h = brentq(lambda h: effort / (link + motor) * (h * h - 2 * last(h) ** 2) - way, 0.2, 0.6)
    exact = np.array([0.0, h - last(h), h, h + last(h), 2 * h])
    p = MotionProblem(one_joint(link, motor, stiffness, effort), degree=7, control_points=15)
    p.phases(dict.fromkeys("1234", (0.05, 0.4)), smooth=3)  # torques depend on the fourth derivative
    found = p.start([0.0]).end([way]).limit_by_model("torque").minimize("time").solve()
    assert found.duration == pytest.approx(exact[-1], rel=5e-5)
    assert [phase.end for phase in found.phases] == pytest.approx(exact[1:], abs=5e-4)


@pytest.mark.sweep("fixed")
@pytest.mark.parametrize("durations", [{"a": 0.5, "b": 0.4}, {"a": (0.3, 0.6), "b": (0.3, 0.6)}], ids=["fixed", "free"])
def test_closed_robots_move_in_phases(durations):
    plain = load("five_bar")
    p = MotionProblem(plain.robot, control_points=12, duration=0.9).phases(durations)
    start, end = (plain.ends[side]["position"] for side in ("start", "end"))
    found = p.start(start).end(end).limit("velocity", -4, 4, during="a").minimize("integral", 1.0, "torque").solve()
    other = MotionProblem(plain.robot, control_points=12, duration=0.9).start(start).end(end).limit("velocity", -9, 9)
    assert found.success and found.objective == pytest.approx(
        other.minimize("integral", 1.0, "torque").solve().objective, rel=1e-2
    )


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("phase_ends", [0.0, 1.0], "the ends of phases do not fit their number"),
        ("phase_ends", [0.0, 1.5, 1.0], "the ends of phases do not fit their number"),
        ("clock_ends", [0.0, 0.5, 0.4, 1.0], "the ends of clocks do not fit the phases"),
        ("clock_ends", [0.0, 0.9, 1.0], "the solution is not that of the path"),
        ("channel_runs", [[1, 3]], "channels name phases that the motion does not have"),
        ("limit_residuals", [0.0, 0.0, 0.0], "is an array of .* it is damaged"),
    ],
)
def test_damaged_phases_in_files_are_refused(name, value, words, tmp_path):
    p = problem(10, duration=1.4).phases({"a": (0.3, 0.7), "b": (0.6, 1.2)}, smooth=1).start([0.0]).end([WAY])
    p.channel("help", "x", unit="N", degree=0, during="b").limit("help", -30.0, 30.0).minimize("integral", 1.0, "torque")
    path = p.minimize("integral", 0.1, "help").solve().save(tmp_path / "motion.npz")
    with np.load(path) as arrays:
        found = dict(arrays)
    found[name] = np.array(value)
    np.savez(path, **found)
    with pytest.raises(lissom.FileError, match=words):
        lissom.Prediction.load(path, CART)


def test_quantities_of_channels_that_never_live_together_are_refused():
    class Both(Quantity):
        name, labels, unit, orders, depends, path = "both", ("x",), "N", (0,), np.ones((1, 2), dtype=bool), False
        channels = ("one", "two")

        def values(self, state):
            return state.rates[0].sum(axis=1, keepdims=True)

        def derivatives(self, state):
            return np.ones((1, len(state), 1, 2))

        def curvature(self, state, weights):
            return None

    p = problem().phases({"a": 0.5, "b": 0.5}).channel("one", "x", during="a").channel("two", "x", during="b")
    with pytest.raises(StateError, match="both depends on channels that do not live in the same phases"):
        p.limit(Both(), -1, 1)
    PartPath = type(p.channel("three", "x", during="a") and _part(p))
    with pytest.raises(StateError, match=r"points has shape \(2, 1\), expected"):
        PartPath(np.zeros((2, 1)), 1.0, _part(p).basis)


def _part(p):
    """Return the path of the last channel, zero."""
    return list(
        idle(lissom.SplinePath(np.zeros((p.basis.count, 1)), 1.0, basis=p.basis), p.channels, p.timing).channels.values()
    )[-1]
