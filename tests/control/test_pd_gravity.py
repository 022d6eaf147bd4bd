"""PD control with gravity compensation: where it comes to rest, when it does not, and the margin between (Tomei 1991)."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lissom import Coupling, Inertia, Joint, Limits, Link, Model, Motor, Robot, Spring, StateError, Wrench
from lissom.control import PDGravity
from lissom.robots import hua_arm, planar_two_link, tree_model
from support.control import along, differences, elastic_panda, mixed_chain, rate_along, states
from support.motors import single_axis_trees, smooth
from support.states import error

seeds = st.integers(0, 1000)
MASS, LENGTH = 2.0, 0.5
WEIGHT = MASS * 9.81 * LENGTH  # of the pendulum, the largest slope of its gravity [N m/rad]


def pendulum(stiffness=None, **joint):
    """A pendulum that stands upright at q = 0, driven rigidly or through a spring."""
    rod = Inertia(MASS, (0, 0, LENGTH), np.diag([0.1, 0.1, 0.01]))
    rotor = Inertia(0.1, (0, 0, 0), np.diag([1e-3, 1e-3, 1e-3]))
    spring = None if stiffness is None else Spring(stiffness)
    joints = (Joint("hinge", "revolute", "base", "rod", axis=(1, 0, 0), **joint),)
    motors = (Motor("motor", "hinge", "base", 10.0, rotor, spring=spring),)
    return Robot(Model("pendulum", (Link("base"), Link("rod", rod)), joints, motors=motors))


@given(single_axis_trees({"rotor": ("full", "reflected")}, coupled=0.0, springs=0.3), seeds)
@settings(max_examples=12)
def test_the_lyapunov_function_loses_what_dampers_and_friction_take(model, seed):
    """Entangled rotors and damping of springs are no hindrance here; Coulomb friction makes steps, and is left out."""
    model = smooth(model) if seed % 2 else _viscous(model)
    robot, rng = Robot(model, backend="numpy"), np.random.default_rng(seed)
    control = PDGravity(
        robot, rng.uniform(-1, 1, robot.link_nv), rng.uniform(5, 50, robot.link_nv), rng.uniform(1, 9, robot.link_nv)
    )
    q, qd = states(robot, seed=seed)
    rate = control.lyapunov_rate(0.0, q, qd)
    assert error(rate, rate_along(control, control.lyapunov, 0.0, q, qd)) < 1e-7
    assert (rate < 0).all()
    assert control.lyapunov(0.0, control.goal, np.zeros(robot.nv)) == 0.0
    # there is no force left at the goal
    qdd = robot.forward_dynamics(control.goal, np.zeros(robot.nv), control.torque(0.0, control.goal, np.zeros(robot.nv)))
    assert np.abs(qdd).max() < 1e-8


def _viscous(model):
    from dataclasses import replace

    from lissom import Friction

    model = model.with_joints(lambda j: replace(j, friction=Friction(j.friction.viscous)))
    return model.with_motors(lambda m: replace(m, friction=Friction(m.friction.viscous))) if model.motors else model


ARMS = {
    "rigid": (planar_two_link, 200.0, 60.0, 6.0),
    "hua": (hua_arm, 300.0, 30.0, 4.0),
    "chain": (mixed_chain, 400.0, 60.0, 6.0),
    "panda": (elastic_panda, (600, 600, 300, 300, 60, 60, 20), (40, 40, 20, 20, 5, 5, 2), 3.0),
}


@pytest.mark.sweep(1)
@pytest.mark.parametrize("name", ARMS)
def test_it_comes_to_rest_at_its_target(name):
    make, kp, kd, duration = ARMS[name]
    robot = make()
    target = np.linspace(0.3, -0.4, robot.link_nv)
    control = PDGravity(robot, target, kp, kd)
    start = robot.at_rest(target + 0.3)
    way = robot.simulate(start, np.zeros(robot.nv), duration, control, sample=duration / 400, rtol=1e-9, atol=1e-11)
    assert np.abs(way.q[-1] - control.goal).max() < 1e-2 * np.abs(start - control.goal).max()
    assert np.abs(way.q[-1, : robot.link_nv] - target).max() < 5e-3
    V, fall = along(way, control.lyapunov), along(way, control.lyapunov_rate)
    assert (fall <= 1e-12).all() and np.diff(V).max() < 1e-8 * V[0]
    assert np.abs(differences(V, way.t[1]) - fall[4:-4])[50:].max() < 1e-4 * np.abs(fall).max()


def test_the_margin_of_a_pendulum():
    rigid = PDGravity(pendulum(), [0.0], 30.0, 1.0)
    assert rigid.margin() == pytest.approx(30.0 - WEIGHT, rel=1e-4)
    for K, kp in ((50.0, 30.0), (200.0, 100.0)):
        least = np.linalg.eigvalsh([[K, -K], [-K, K + kp]])[0]
        assert PDGravity(pendulum(K), [0.0], kp, 1.0).margin() == pytest.approx(least - WEIGHT, rel=1e-3, abs=1e-3)
    # the slope is that of the range in which the joint may move
    within = PDGravity(pendulum(limits=Limits(1.2, 1.6)), [1.4], 30.0, 1.0)
    assert within.margin() == pytest.approx(30.0 - WEIGHT * np.cos(1.2), rel=1e-3)
    beyond = PDGravity(pendulum(limits=Limits(3.5, 4.5)), [4.0], 30.0, 1.0)
    assert beyond.margin() == pytest.approx(30.0 - WEIGHT * abs(np.cos(3.5)), rel=1e-3)
    assert rigid.margin(samples=10, seed=1) != rigid.margin(samples=10, seed=2)


@pytest.mark.parametrize("stiffness", [None, 40.0])
def test_with_a_negative_margin_an_upright_pendulum_falls(stiffness):
    """kp below the weight, or kp and the spring in a row: upright is an equilibrium that nothing holds."""
    robot = pendulum(stiffness)
    weak, strong = (PDGravity(robot, [0.0], share * WEIGHT, 2.0) for share in ((0.8, 8.0) if stiffness is None else (1.1, 11.0)))
    assert weak.margin() < 0 and (stiffness is not None or strong.margin() > 0)
    for control, falls in ((weak, True), (strong, False)):
        start = control.goal + 1e-3
        way = robot.simulate(start, np.zeros(robot.nv), 12.0, control, sample=0.1, rtol=1e-9, atol=1e-11)
        assert (np.abs(way.q[-1, 0]) > 0.1) == falls
        assert (control.lyapunov(0.0, way.q[-1], way.qd[-1]) < -1e-3) == falls  # V has a lower place than the goal


def test_loads_that_it_knows_of_are_held():
    robot, load = hua_arm(), {"tip": Wrench((0, 0, -3.0), axes="world")}
    control = PDGravity(robot, [0.3, 0.4, -0.5], 300.0, 30.0, external=load)
    zero = np.zeros(4)
    assert (
        np.abs(robot.forward_dynamics(control.goal, zero, control.torque(0.0, control.goal, zero), external=load)).max() < 1e-10
    )
    assert np.array_equal(control.goal, robot.at_rest([0.3, 0.4, -0.5], external=load))
    # a heavier tip has steeper gravity
    assert control.margin() < PDGravity(robot, [0.3, 0.4, -0.5], 300.0, 30.0).margin() - 1.0
    for name in ("lyapunov", "lyapunov_rate"):
        with pytest.raises(StateError, match="the Lyapunov function does not cover external wrenches; leave them out"):
            getattr(control, name)(0.0, control.goal, zero)


def test_a_drive_of_a_follower_holds_its_leader():
    """The motor's spring acts at a joint that moves half as far, so it pulls with twice the force."""
    model = pendulum().model
    follower = Joint("follower", "revolute", "base", "disc", axis=(1, 0, 0), coupling=Coupling("hinge", 0.5, 0.1))
    disc = Inertia(0.5, (0, 0, 0), np.diag([0.01, 0.01, 0.01]))
    rotor = model.motors[0].inertia
    motor = Motor("motor", "follower", "base", 10.0, rotor, spring=Spring(300.0))
    model = model.replace(links=(*model.links, Link("disc", disc)), joints=(*model.joints, follower), motors=(motor,))
    control = PDGravity(Robot(model), [0.5], 400.0, 20.0)
    zero = np.zeros(2)
    tau = control.torque(0.0, control.goal, zero)
    assert tau == pytest.approx([0.0, -2 * WEIGHT * np.sin(0.5)], rel=1e-12)
    assert np.abs(control.robot.forward_dynamics(control.goal, zero, tau)).max() < 1e-10
    q, qd = states(control.robot)
    assert error(control.lyapunov_rate(0.0, q, qd), rate_along(control, control.lyapunov, 0.0, q, qd)) < 1e-8
    two = model.replace(motors=(motor, Motor("second", "hinge", "base", 10.0, rotor, spring=Spring(300.0))))
    with pytest.raises(StateError, match="two elastic drives share one coordinate"):
        PDGravity(Robot(two), [0.5], 400.0, 20.0)


def test_many_arms_and_many_targets():
    robot, rng = hua_arm(), np.random.default_rng(1)
    targets = rng.uniform(-0.5, 0.5, (1024, 3))
    control = PDGravity(robot, targets, 300.0, 30.0)
    q, qd = states(robot, 1024)
    tau = control.torque(0.0, q, qd)
    assert tau.shape == (1024, 4) and control.lyapunov(0.0, q, qd).shape == control.lyapunov_rate(0.0, q, qd).shape == (1024,)
    assert control.torque(0.0, q[0], qd[0]).shape == (1024, 4)
    for k in (0, 1023):
        alone = PDGravity(robot, targets[k], 300.0, 30.0)
        assert np.allclose(alone.torque(0.0, q[k], qd[k]), tau[k], rtol=1e-12, atol=1e-12)
        assert alone.lyapunov(0.0, q[k], qd[k]) == pytest.approx(control.lyapunov(0.0, q, qd)[k], rel=1e-9)
    way = robot.simulate(q[:8], qd[:8], 0.02, PDGravity(robot, targets[:8], 300.0, 30.0), method="rk4", dt=1e-3)
    one = robot.simulate(q[3], qd[3], 0.02, PDGravity(robot, targets[3], 300.0, 30.0), method="rk4", dt=1e-3)
    assert np.allclose(way.q[:, 3], one.q, rtol=0, atol=1e-13)


def test_wrong_targets_and_robots_are_named():
    with pytest.raises(StateError, match="q of the joints, without elastic drives, has size 4, expected 3"):
        PDGravity(hua_arm(), np.zeros(4), 300.0, 30.0)
    with pytest.raises(StateError, match=r"q\[1\] .* is nan"):
        PDGravity(hua_arm(), [0, np.nan, 0], 300.0, 30.0)
    model = tree_model(2, 1.0, seed=1, kinds=["spherical"])
    with pytest.raises(
        StateError, match="is spherical: PD control with gravity needs joints whose .* describe it by three revolute joints"
    ):
        PDGravity(Robot(model), np.zeros(8), 300.0, 30.0)
