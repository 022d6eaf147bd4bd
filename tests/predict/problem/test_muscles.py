"""Motions that muscles make: beside the formulas of Hill, moment arms, energies, and the dynamics of activations and tendons."""

import numpy as np
import pytest

import lissom
from lissom import MotionProblem, StateError
from lissom.muscles import (
    DeGrooteFregly,
    Muscle,
    Muscles,
    Path,
    Point,
    Surface,
    Thelen,
    Wrap,
    activation_rate,
    fiber_velocity,
    umberger,
)
from lissom.predict import State
from predict.quantities.test_function import expect_derivatives

MUSCLES = ("flexor", "extensor")
TENDONS = ("rigid", "elastic")


SMOOTH = DeGrooteFregly()


def elbow(pennation=0.2, curves=SMOOTH):
    """Return two muscles of a forearm, one of which slides around a bone."""
    links = (lissom.Link("upper"), lissom.Link("lower", lissom.Inertia(1.5, (0.12, 0, 0), np.diag([0.001, 0.02, 0.02]))))
    joint = lissom.Joint("elbow", "revolute", "upper", "lower", lissom.Pose(translation=(0.3, 0, 0)), axis=(0, 0, 1))
    robot = lissom.Robot(lissom.Model("arm", links, (joint,), gravity=(0, -9.81, 0)))
    bone = Surface("bone", "cylinder", "upper", lissom.Pose(translation=(0.3, 0, 0)), (0.02, 0.1), side="-y")
    flexor = Path((Point("upper", (0.05, 0.02, 0)), Point("lower", (0.04, 0.02, 0))))
    extensor = Path((Point("upper", (0.05, -0.03, 0)), Point("lower", (0.05, -0.01, 0))), (Wrap(bone, exact=True),))
    own = {"pennation": pennation, "curves": curves}
    return Muscles(robot, (Muscle("flexor", flexor, 900, 0.12, 0.15, **own), Muscle("extensor", extensor, 700, 0.1, 0.2, **own)))


def lifting(tendons="rigid", control_points=24, **options):
    problem = MotionProblem(elbow().robot, control_points=control_points, duration=0.8).start([0.3]).end([1.2])
    return problem.drive_by(elbow(), tendons=tendons, **options)


@pytest.fixture(scope="module", params=TENDONS)
def lifted(request):
    found = gently(lifting(request.param, 64)).solve()
    assert found.success
    return found


def gently(problem):
    return problem.minimize("integral", 1.0, "activation").minimize("integral", 0.01, "excitation")


def at_knots(found):
    t = np.linspace(0, found.duration, found.path.basis.spans + 1)
    return (t, *found.path.states(t)[:3], found.channel("activation", t))


def test_torques_are_moment_arms_times_forces_of_hill(lifted):
    t, q, qd, qdd, a = at_knots(lifted)
    muscles, force = elbow(), lifted.of_muscles("muscle_force", t)
    assert np.allclose(muscles.torques(q, force), muscles.robot.inverse_dynamics(q, qd, qdd), atol=1e-5)
    assert np.allclose(lifted.of_muscles("muscle_torque", t), muscles.torques(q, force), atol=1e-9)
    if "tendon_force" in lifted.channels:
        assert np.allclose(force, lifted.channel("tendon_force", t) * [900, 700], rtol=1e-12)
    else:
        assert np.allclose(force, muscles.forces(q, qd, a), rtol=1e-10)


def test_activations_follow_excitations(lifted):
    t, _, _, _, a = at_knots(lifted)
    rate = lifted.channel("activation", t, 1)
    assert np.allclose(rate, activation_rate(lifted.channel("excitation", t), a), atol=1e-5)
    fine = np.linspace(0, lifted.duration, 2001)
    a = lifted.channel("activation", 0.0)
    for k, step in enumerate(np.diff(fine)):  # as a simulation has them, by the midpoint rule
        e = lifted.channel("excitation", fine[k] + step / 2)
        a = a + step * activation_rate(e, a + step / 2 * activation_rate(e, a))
    assert np.allclose(a, lifted.channel("activation", lifted.duration), atol=5e-3)
    assert lifted.channel("activation", fine).min() > 0.009 and lifted.channel("excitation", fine).min() > -1e-6


def test_work_of_muscles_is_the_change_of_energy(lifted):
    robot, t = lifted.problem.robot, np.linspace(0, lifted.duration, 4001)
    power = lifted.of_muscles("muscle_power", t).sum(axis=1)
    work = np.sum((power[1:] + power[:-1]) / 2 * np.diff(t))
    q = lifted.path.at(np.array([0.0, lifted.duration]))
    assert work == pytest.approx(np.diff(robot.potential_energy(q)).item(), rel=3e-3)


def test_fibers_of_elastic_tendons_move_as_their_equilibrium_asks():
    found = gently(lifting("elastic", 32)).solve()
    t, q, _, _, a = at_knots(found)
    length, step = found.of_muscles("fiber_length", t), 1e-6
    inside = t[1:-1]
    change = (found.of_muscles("fiber_length", inside + step) - found.of_muscles("fiber_length", inside - step)) / (2 * step)
    muscles = elbow()
    own = [
        fiber_velocity(muscle, a[1:-1, k], length[1:-1, k], muscles.lengths(q)[1:-1, k]) * muscle.max_velocity
        for k, muscle in enumerate(muscles.muscles)
    ]
    assert np.allclose(np.array(own).T, change, atol=3e-4)


@pytest.mark.parametrize("tendons", TENDONS)
@pytest.mark.parametrize("curves", [SMOOTH, Thelen()], ids=["smooth", "Thelen"])
def test_derivatives_are_those_of_differences(tendons, curves):
    if tendons == "elastic" and not isinstance(curves, DeGrooteFregly):
        pytest.skip("other curves have no inverse of the tendon's")
    muscles = elbow(0.2, curves)
    problem = MotionProblem(muscles.robot, duration=1.0).drive_by(muscles, tendons=tendons, reserves={"elbow": 20.0})
    rng = np.random.default_rng(2)
    for name in problem.muscles.makers():
        own = problem.quantities.get(name)
        rates = [np.concatenate([0.6 + 0.2 * rng.normal(size=(3, 1)), rng.uniform(0.2, 0.6, (3, own.n - 1))], axis=1)]
        rates += [0.5 * rng.normal(size=(3, own.n)) for _ in range(3)]
        state = State(tuple(rates))
        weight = np.abs(own.values(state)).max()
        expect_derivatives(Scaled(own, max(1.0, weight * 100)), state)
    balance = next(limit.quantity for limit in problem.parts.limits if limit.quantity.name == "muscle_balance")
    rates = [np.concatenate([0.6 + 0.2 * rng.normal(size=(3, 1)), rng.uniform(0.2, 0.6, (3, balance.n - 1))], axis=1)]
    expect_derivatives(Scaled(balance, 1e3), State((*rates, *(0.5 * rng.normal(size=(3, balance.n)) for _ in range(3)))))


class Scaled:
    """A quantity over its size, so that differences of large forces are compared relatively."""

    def __init__(self, own, size):
        self.own, self.by, self.orders, self.n, self.size = own, size, own.orders, own.n, own.size

    def values(self, state):
        return self.own.values(state) / self.by

    def derivatives(self, state):
        return self.own.derivatives(state) / self.by

    def curvature(self, state, weights):
        found = self.own.curvature(state, weights)
        shape = (len(state), len(self.orders), self.n, len(self.orders), self.n)
        return np.zeros(shape) if found is None else found / self.by


def test_metabolic_power_with_round_corners_is_near_the_published_one():
    muscle = elbow(0.0).muscles[0]
    for e, a, length, v in [(0.5, 0.4, 0.9, -0.2), (0.3, 0.4, 1.2, 0.1), (0.8, 0.7, 1.05, -0.4), (0.05, 0.1, 0.8, 0.0)]:
        force = a * 900 * muscle.curves.active(length) * muscle.curves.velocity(v)
        exact, smooth = (umberger(muscle, e, a, length, v, force, negative_work=False, rounding=r) for r in (0.0, 0.01))
        assert smooth == pytest.approx(exact, rel=0.05)
        assert umberger(muscle, e, a, length, v, force, negative_work=False, rounding=1e-9) == pytest.approx(exact, rel=1e-6)


def test_finer_splines_come_near_to_one_objective():
    def cost(count):
        return gently(lifting(control_points=count)).solve().objective

    coarse, fine, finest = cost(20), cost(40), cost(80)
    assert abs(fine - finest) < abs(coarse - finest) / 2 and fine == pytest.approx(finest, rel=0.02)


@pytest.mark.slow
@pytest.mark.parametrize("tendons", TENDONS)
def test_less_metabolic_energy_is_spent_where_it_is_minimized(tendons):
    def spent(goal, **options):
        problem = lifting(tendons, 16).minimize("integral", 1.0, goal, **options).minimize("integral", 1e-3, "excitation")
        found = problem.solve()
        t = np.linspace(0, found.duration, 401)
        return found.of_muscles("metabolic_power", t).sum(axis=1).mean()

    least = spent("metabolic_power", square=False)
    assert least <= spent("muscle_effort", square=False) * 1.001
    assert least <= spent("muscle_effort", power=2.5, volume=True, square=False) * 1.001


def test_measured_excitations_are_followed():
    def measured(s):
        return [0.10 + 0.05 * np.sin(np.pi * s), 0.06]

    problem = MotionProblem(elbow().robot, control_points=20, duration=0.8).start([0.3]).end(None, None).drive_by(elbow())
    found = problem.minimize("integral", 1.0, "excitation", target=measured).minimize("integral", 1e-9, "acceleration").solve()
    s = np.linspace(0, 1, 50)
    assert np.abs(found.channel("excitation", s * 0.8) - [measured(x) for x in s]).max() < 0.01


def test_activations_of_motions_that_repeat_are_those_of_the_start():
    problem = MotionProblem(elbow().robot, control_points=16, duration=1.0).same_at_both_ends().drive_by(elbow())
    problem.limit("position", [1.0], [1.0], at=0.0).limit("position", [0.4], [0.4], at=0.5)
    found = gently(problem.same_channel_at_both_ends("activation")).solve()
    first, last = found.channel("activation", np.array([0.0, 1.0]))
    assert np.allclose(first, last, atol=1e-9)
    other = problem.copy().same_channel_at_both_ends("excitation", [("flexor", "extensor")]).solve()
    e = other.channel("excitation", np.array([0.0, 1.0]))
    assert e[0, 0] == pytest.approx(e[1, 1], abs=1e-9)


def test_reserves_do_what_no_muscle_does():
    muscles = elbow()
    strong = MotionProblem(muscles.robot, control_points=12, duration=0.8).start([0.3]).end([1.2])
    strong.drive_by(muscles, reserves={"elbow": 50.0}, dynamics="none")
    found = strong.minimize("integral", 1.0, "activation").minimize("integral", 1e-4, "reserve").solve()
    t, q, qd, qdd, a = at_knots(found)
    own = muscles.torques(q, muscles.forces(q, qd, a)) + 50.0 * found.channel("reserve", t)
    assert np.allclose(own, muscles.robot.inverse_dynamics(q, qd, qdd), atol=1e-5)
    assert "excitation" not in found.channels and a.max() < 0.05


def test_joints_carry_what_muscles_pull(lifted):
    t = np.linspace(0.1, 0.7, 5)
    force = lifted.muscle_forces(t)
    q, qd, qdd = lifted.coordinates(t)
    found = lifted.joint_reactions(t)[:, 0]
    own = elbow().joint_reactions(q, qd, qdd, force)[:, 0]
    assert np.allclose(found, own, atol=1e-9)
    # by hand: mass times acceleration of the forearm, less gravity and the pulls along the last straight parts of the paths
    center = 0.12 * np.stack([np.cos(q[:, 0]), np.sin(q[:, 0]), 0 * q[:, 0]], axis=1)
    accelerated = 1.5 * (qdd * np.cross([0, 0, 1], center) - qd**2 * center)
    poses = lifted.problem.robot.link_pose(q, link="lower")
    at = (poses @ [0.04, 0.02, 0, 1])[:, :3]
    way = np.array([0.05, 0.02, 0.0]) - at
    pull = force[:, :1] * way / np.linalg.norm(way, axis=1, keepdims=True)
    rest = found[:, :3] + pull - accelerated - [0, 1.5 * 9.81, 0]
    assert np.allclose(np.linalg.norm(rest, axis=1), force[:, 1], rtol=1e-6)  # is the pull of the extensor, whatever its way


def test_predictions_without_muscles_have_no_forces_of_them(lifted):
    rr = MotionProblem(lissom.robots.rr(), control_points=8, duration=1.0).start([0, 0]).end([1, 1])
    with pytest.raises(StateError, match="this motion has no muscles"):
        rr.minimize("integral", 1.0, "torque").solve().muscle_forces(0.5)
    with pytest.raises(StateError, match="muscles have no 'strength'; expected muscle_torque"):
        lifted.of_muscles("strength", 0.5)


def test_rates_of_activation_stay_within_those_of_excitations():
    muscles = elbow()
    problem = MotionProblem(muscles.robot, control_points=40, duration=0.4).start([0.3]).end([1.2])
    found = problem.drive_by(muscles, dynamics="linear").minimize("integral", 1.0, "activation").solve()
    t, _, _, _, a = at_knots(found)
    rate = found.channel("activation", t, 1)
    assert (rate > -a / 0.060 - 1e-4).all() and (rate < (1.0 - a) / 0.015 + 1e-4).all()
    assert (rate < -0.9 * a / 0.060).any()  # as fast as they may, at times


def test_what_muscles_miss_is_minimized_instead_of_forbidden():
    def missed(weight):
        problem = lifting(control_points=24, balanced=False).minimize("integral", weight, "muscle_balance")
        found = gently(problem).solve(hessian="gauss-newton", limit_tolerance=None, tolerance=1e-5)
        t = np.linspace(0, 0.8, 200)
        gap = found.torques(t) - found.of_muscles("muscle_torque", t)
        assert np.allclose(found.of_muscles("muscle_balance", t), gap, atol=1e-9)
        return np.abs(gap).mean()

    loose, tight = missed(1e-4), missed(1.0)
    assert tight < 0.1 * loose and tight < 0.2
    with pytest.raises(StateError, match="torque is limited or minimized already; add channel 'push' before"):
        lifting(balanced=False).channel("push", "fx", link="lower")


def test_problems_of_the_same_muscles_share_what_was_recorded():
    muscles = elbow()
    one, two = (MotionProblem(muscles.robot, duration=1.0).drive_by(muscles) for _ in range(2))
    other = MotionProblem(muscles.robot, duration=1.0).drive_by(muscles, tendons="elastic")
    assert one.quantities.get("muscle_torque") is two.quantities.get("muscle_torque")
    assert one.quantities.get("muscle_torque") is not other.quantities.get("muscle_torque")
    assert one.quantities.get("muscle_effort", power=2.0) is not one.quantities.get("muscle_effort")


def test_what_muscles_cannot_drive_is_refused():
    muscles = elbow()

    def problem(robot=None):
        return MotionProblem(robot or muscles.robot, duration=1.0)

    with pytest.raises(StateError, match="drive_by needs lissom.muscles.Muscles, got str"):
        problem().drive_by("biceps")
    with pytest.raises(StateError, match="the problem has muscles already"):
        problem().drive_by(muscles).drive_by(muscles)
    with pytest.raises(StateError, match="the muscles are those of another robot than 'barman_rr'"):
        problem(lissom.robots.rr()).drive_by(muscles)
    with pytest.raises(StateError, match="tendons are 'soft'"):
        problem().drive_by(muscles, tendons="soft")
    with pytest.raises(StateError, match="dynamics are 'quick'; expected one of 'smooth', 'linear', 'none'"):
        problem().drive_by(muscles, dynamics="quick")
    with pytest.raises(StateError, match="muscle 'flexor' has other curves than DeGrooteFregly"):
        problem().drive_by(elbow(0.1, Thelen()), tendons="elastic")
    problem().drive_by(elbow(0.1, Thelen()).with_curves(DeGrooteFregly()), tendons="elastic")
    with pytest.raises(StateError, match="least is 0, expected the least activation"):
        problem().drive_by(muscles, least=0)
    with pytest.raises(StateError, match="reserves: no coordinate 'knee' with a drive"):
        problem().drive_by(muscles, reserves={"knee": 1.0})
    with pytest.raises(StateError, match="the reserve of 'elbow' is -1, expected its largest torque"):
        problem().drive_by(muscles, reserves={"elbow": -1})
    with pytest.raises(StateError, match="there is a quantity 'activation' already"):
        problem().channel("activation", ["a"]).drive_by(muscles)
    with pytest.raises(StateError, match="power of muscle_effort is 0.5"):
        problem().drive_by(muscles).minimize("integral", 1.0, "muscle_effort", power=0.5, square=False)
    with pytest.raises(StateError, match="no channel 'excitement'"):
        problem().drive_by(muscles).same_channel_at_both_ends("excitement")
    with pytest.raises(StateError, match="channel 'excitation' has no entry 'biceps'"):
        problem().drive_by(muscles).same_channel_at_both_ends("excitation", [("biceps", "flexor")])
    with pytest.raises(StateError, match="channel 'offset' does not live all the time, or is constant"):
        problem().channel("offset", ["a"], degree=0).same_channel_at_both_ends("offset")
    with pytest.raises(StateError, match="has quaternions or motors behind springs"):
        ball = lissom.Robot(
            lissom.Model(
                "ball",
                (lissom.Link("base"), lissom.Link("body", lissom.Inertia(1, (0, 0, 0), np.eye(3)))),
                (lissom.Joint("j", "spherical", "base", "body"),),
            )
        )
        path = Path((Point("base", (0, 0, 0)), Point("body", (1, 0, 0))))
        problem(ball).drive_by(Muscles(ball, [Muscle("m", path, 400, 0.1, 0.12)]))
    idle = Path((Point("upper", (0.05, 0.02, 0)), Point("upper", (0.04, 0.02, 0))))
    with pytest.raises(StateError, match="no muscle and no reserve moves 'elbow'"):
        problem().drive_by(Muscles(muscles.robot, [Muscle("idle", idle, 400, 0.1, 0.12)]))
    with pytest.raises(StateError, match="torque is limited or minimized already; add channel 'push' before"):
        problem().drive_by(muscles).channel("push", "fx", link="lower")
