"""Channels: unknown functions of time beside the path, as wrenches on links or free."""

import numpy as np
import pytest

import lissom
from lissom import Inertia, Joint, JointKind, Link, Model, MotionProblem, Prediction, Robot, StateError, Wrench
from lissom.predict import Quantity

MASS, WAY, TIME = 2.0, 1.5, 0.8
CART = Robot(
    Model(
        "cart",
        (Link("base"), Link("cart", Inertia(MASS))),
        (Joint("x", JointKind.PRISMATIC, "base", "cart", axis=(1, 0, 0)),),
        gravity=(0, 0, 0),
    )
)
ARM = lissom.robots.rr()
TIP = ARM.link_names[-1]


def pushed(**options):
    """A cart without a drive that a force takes from rest to rest, with the least integral of its square."""
    p = MotionProblem(CART, control_points=12, duration=TIME).channel("push", "fx", link="cart", **options)
    knots = np.linspace(0, 1, p.basis.spans + 1)
    return p.start([0.0]).end([WAY]).limit("torque", 0, 0, scale=1.0, at=knots).minimize("integral", 1.0, "push")


def test_the_gentlest_push_of_a_cart_is_linear_in_time():
    found = pushed().solve()
    t = np.linspace(0, TIME, 41)
    assert found.objective == pytest.approx(12 * MASS**2 * WAY**2 / TIME**3, rel=1e-9)
    exact = MASS * (6 * WAY / TIME**2 - 12 * WAY * t / TIME**3)
    assert np.allclose(found.channel("push", t)[:, 0], exact, rtol=0, atol=1e-9)
    assert np.allclose(found.channel("push", t, 1)[:, 0], -12 * MASS * WAY / TIME**3)
    assert np.abs(found.torques(t)).max() < 1e-9  # also between the instants: force and acceleration are splines of one kind


def test_a_motion_under_a_pushing_channel_is_simulated_again():
    found = pushed().solve()
    force = lambda t: {"cart": Wrench(found.channel("push", t) * [1.0, 0, 0], axes="world")}  # noqa: E731
    t = np.linspace(0, TIME, 9)
    q, qd, qdd, _ = found.states(t)
    assert np.abs(CART.inverse_dynamics(q, qd, qdd, external=force(t))).max() < 1e-9


def test_a_fixed_wrench_and_a_channel_held_at_it_are_the_same():
    def swing(**options):
        p = MotionProblem(ARM, control_points=10, duration=0.6, **options)
        return p, lambda p: p.start([0, -2]).end([1, -1]).minimize("integral", 1.0, "torque").limit("torque", -40, 40)

    p, finish = swing(external={TIP: Wrench([3.0, -4.0, 0.0], axes="world", point=[0.1, 0, 0])})
    given = finish(p).solve()
    p, finish = swing()
    p.channel("push", ("fx", "fy"), link=TIP, point=[0.1, 0, 0])
    held = finish(p).limit("push", [3.0, -4.0], [3.0, -4.0], hull=True).solve()
    t = given.times()
    assert held.objective == pytest.approx(given.objective, rel=1e-7)
    assert np.allclose(held.path.points, given.path.points, atol=1e-5)
    assert np.allclose(held.torques(t), given.torques(t), atol=1e-3)
    wrenches = given.joint_wrenches(t), held.joint_wrenches(t)
    assert np.allclose(*wrenches, atol=1e-2)


@pytest.mark.slow
def test_closed_robots_are_pushed_too():
    robot = lissom.robots.four_bar()
    p = MotionProblem(robot, control_points=10, duration=1.0).channel("push", "fx", link="rocker", point=(0.4, 0, 0))
    home = robot.home()
    p.start(home).end(home + 0.3).limit("push", -5, 5, hull=True)
    found = p.minimize("integral", 1.0, "torque").minimize("integral", 1e-3, "push").solve()
    alone = MotionProblem(robot, control_points=10, duration=1.0).start(home).end(home + 0.3).minimize("integral", 1.0, "torque")
    assert found.objective < alone.solve().objective
    t = found.times(11)
    q, qd, qdd, _ = found.states(t)
    external = {"rocker": Wrench(found.channel("push", t) * [1.0, 0, 0], axes="world", point=(0.4, 0, 0))}
    assert np.allclose(found.torques(t), robot.inverse_dynamics(q, qd, qdd, external=external), atol=1e-9)


def test_refinement_keeps_channels():
    p = MotionProblem(CART, control_points=12, duration=TIME).channel("push", "fx", link="cart").start([0.0]).end([WAY])
    found = p.minimize("integral", 1.0, "push").minimize("integral", 3.0, "torque").solve(refine=1)
    assert len(found.channels["push"].points) == 2 * 9 + 1
    # of the force that moves the cart, m a = push + torque, the push takes three quarters
    assert found.objective == pytest.approx(0.75 * 12 * MASS**2 * WAY**2 / TIME**3, rel=1e-9)


def test_a_channel_of_its_own_serves_own_quantities():
    class Sum(Quantity):
        name, labels, unit, orders, channels = "sum", ("s",), "m", (0,), ("slack",)
        depends = np.ones((1, 2), dtype=bool)

        def values(self, state):
            return state.rates[0].sum(axis=1, keepdims=True)

        def derivatives(self, state):
            return np.ones((1, len(state), 1, 2))

        def curvature(self, state, weights):
            return None

    p = MotionProblem(CART, control_points=8, duration=TIME).channel("slack", "s", unit="m", degree=3)
    found = p.start([0.0]).end([WAY]).limit(Sum(), 0, 0, at=[0.0, 0.5, 1.0]).minimize("integral", 1.0, "slack").solve()
    t = np.array([0.0, 0.5, 1.0]) * TIME
    assert np.allclose(found.channel("slack", t), -found.path.at(t), atol=1e-9)
    with pytest.raises(StateError, match="no channel 'slack'"):
        MotionProblem(CART).limit(Sum(), 0, 0)


def test_predictions_with_channels_come_back_from_files(tmp_path):
    found = pushed().solve()
    back = Prediction.load(found.save(tmp_path / "pushed.npz"), CART)
    t = found.times(7)
    assert np.array_equal(back.channel("push", t), found.channel("push", t))
    assert np.array_equal(back.torques(t), found.torques(t))
    assert back.description.channels == found.description.channels and "push" in str(back.description)
    again = pushed().solve(start=back)
    assert again.objective == pytest.approx(found.objective) and again.iterations <= found.iterations + 2


def test_a_copy_gets_its_own_channels():
    one = MotionProblem(CART)
    two = one.copy().channel("push", "fx", link="cart")
    assert not one.channels and [c.name for c in two.channels] == ["push"]
    assert "1 channel" in repr(two) and "channel" not in repr(one)


def test_torques_of_a_copy_or_of_a_refused_limit_do_not_come_before_a_channel():
    one = MotionProblem(CART, duration=TIME)
    one.copy().limit("torque", -1, 1)
    with pytest.raises(StateError, match="above upper"):
        one.limit("torque", 2, 1)
    one.channel("push", "fx", link="cart").start([0.0]).end([WAY]).limit("torque", -1e-3, 1e-3)
    found = one.minimize("integral", 1.0, "push").solve()
    assert np.abs(found.torques(found.times())).max() < 2e-3 < np.abs(found.channel("push", 0.0)).max()


BAD = {
    "a name that is taken": (("torque", "fx"), {}, "a quantity 'torque'"),
    "no entries": (("push", ()), {}, "names, each once"),
    "very many entries": (("push", [str(k) for k in range(1001)]), {}, "are .{,120}expected 1 to 1000 names"),
    "a point without a link": (("push", "fx"), {"point": None}, "but no link"),
    "entries twice": (("push", ("a", "a")), {}, "names, each once"),
    "no text": ((3, "fx"), {}, "expected text"),
    "no component": (("push", "gx"), {"link": "cart"}, "no component 'gx'"),
    "no link": (("push", "fx"), {"link": "kart"}, "no link 'kart'"),
    "axes without a link": (("push", "fx"), {"axes": "link"}, "no link"),
    "axes": (("push", "fx"), {"link": "cart", "axes": "joint"}, "no axes 'joint'"),
    "a unit of a wrench": (("push", "fx"), {"link": "cart", "unit": "N"}, "leave unit= out"),
    "a degree that is too high": (("push", "fx"), {"link": "cart", "degree": 4}, "expected 3 at most"),
    "a point that is not one": (("push", "fx"), {"link": "cart", "point": (0, 0)}, "point of the wrench"),
}


@pytest.mark.parametrize("what", BAD)
def test_channels_that_cannot_be_are_refused(what):
    arguments, options, message = BAD[what]
    with pytest.raises(lissom.LissomError, match=message):
        MotionProblem(CART).channel(*arguments, **options)


def test_channels_come_before_what_they_change_and_must_be_used():
    p = MotionProblem(CART).limit("torque", -1, 1)
    with pytest.raises(StateError, match="torque is limited or minimized already"):
        p.channel("push", "fx", link="cart")
    p = MotionProblem(CART, duration=1.0).channel("push", "fx", link="cart").start([0]).end([1])
    with pytest.raises(StateError, match="no limit and no goal depends on channel 'push'"):
        p.minimize("integral", 1.0, "velocity").solve()
    with pytest.raises(lissom.LissomError, match="no channel 'pull'"):
        pushed().solve().channel("pull", 0.1)


@pytest.mark.slow
def test_torque_rates_include_rates_of_channels():
    p = MotionProblem(ARM, control_points=10, degree=5, duration=0.6).channel("push", ("fx", "fy"), link=TIP, point=[0.1, 0, 0])
    p.start([0, -2]).end([1, -1]).minimize("integral", 1.0, "torque").minimize("integral", 0.5, "push")
    found = p.limit("torque_rate", -30, 30).solve()
    t, h = np.linspace(0.01, 0.59, 30), 1e-5
    slope = (found.torques(t + h) - found.torques(t - h)) / (2 * h)
    assert np.allclose(found.torque_rates(t), slope, atol=1e-4)
    assert np.abs(found.torque_rates(found.times())).max() < 30.1


def test_a_link_may_have_several_wrenches():
    def swing(p):
        return p.start([0, -2]).end([1, -1]).minimize("integral", 1.0, "torque").minimize("integral", 0.1, "one")

    always = {TIP: Wrench([3.0, -4.0, 0.0], axes="world", point=[0.1, 0, 0])}
    p = MotionProblem(ARM, control_points=8, duration=0.6, external=always).channel("one", ("fx", "mz"), link=TIP, axes="link")
    p.channel("two", "fy", link=TIP, point=(0.2, 0, 0)).limit("two", 5.0, 5.0, hull=True)
    found = swing(p).solve()
    q, qd, qdd, _ = found.states(t := found.times(7))
    R = ARM.link_poses(q)[:, ARM.link_names.index(TIP), :3, :3]
    one, two = found.channel("one", t), np.array([0.0, 5.0, 0.0])
    first = np.array([3.0, -4.0, 0.0])
    force = first + two + R[:, :, 0] * one[:, :1]
    moment = np.cross(R @ [0.1, 0, 0], first) + np.cross(R @ [0.2, 0, 0], two) + R[:, :, 2] * one[:, 1:]
    exact = ARM.inverse_dynamics(q, qd, qdd, external={TIP: Wrench(force, moment, axes="world")})
    assert np.allclose(found.torques(t), exact, atol=1e-9)


def test_the_wrench_of_a_channel_is_drawn():
    from lissom.view.scene.build import scene_of

    found = pushed().solve()
    scene = scene_of(found._scene_motion(t := np.linspace(0, TIME, 5)))
    (arrow,) = [arrow for arrow in scene.arrows if arrow.layer == "wrenches" and arrow.unit == "N"]
    assert np.allclose(arrow.vector, found.channel("push", t) * [1.0, 0, 0])
    assert np.allclose(arrow.at[:, 0], found.path.at(t)[:, 0])
