"""Quantities of robots with elastic drives: derivatives beside complex steps, values beside differences of motor angles."""

from dataclasses import replace

import numpy as np
import pytest

import lissom
from lissom import SplinePath, StateError, Wrench
from lissom.algorithms.elastic.path_tasks import driving_places
from lissom.predict import State
from lissom.predict.quantities.by_name import Quantities
from support.complex_step import H, evaluate
from support.elastic_arms import by_differences, chain, differences, hua, motor_angles, one_joint, panda
from support.states import error

ROBOTS = {"hua": (hua, "tip"), "chain": (chain, "link_3")}
# name, options, how many derivatives of the path it depends on
EVERY = [
    ("snap", {}, (4,)),
    ("torque", {}, range(5)),
    ("torque_rate", {}, range(6)),
    ("power", {}, range(5)),
    ("drawn_power", {"rounding": 3.0}, range(5)),
    ("deflection", {}, range(3)),
    ("motor_position", {}, range(3)),
    ("motor_velocity", {}, range(4)),
    ("joint_wrench", {"axes": "world"}, range(5)),
    ("joint_wrench", {"components": ("fz", "mx")}, range(5)),
    ("kinetic_energy", {}, range(4)),
    ("link_position", {"point": (0.1, -0.2, 0.3)}, (0,)),
    ("link_rotation", {}, (0,)),
    ("distance_squared", {"center": (0.5, 0.4, -0.3)}, (0,)),
    ("center_of_mass", {}, (0,)),
    ("link_velocity", {"point": (0.1, -0.2, 0.3)}, (0, 1)),
    ("speed_squared", {"point": (0.1, -0.2, 0.3)}, (0, 1)),
    ("link_acceleration", {"axes": "link"}, (0, 1, 2)),
    ("orientation", {"target": (0.3, -0.2, 0.5, 0.8)}, (0,)),
    ("link_pose", {}, (0,)),
    ("tilt", {"direction": (0.3, 0.4, 1.0)}, (0,)),
    ("momentum", {}, range(4)),
    ("center_of_mass_velocity", {}, (0, 1)),
]
IDS = [name + "".join(f" {value}" for value in options.values()) for name, options, _ in EVERY]


def loads(tip):
    return {tip: Wrench(force=[3.0, -2.0, 4.0], moment=[0.3, 0.1, -0.2], point=[0.1, 0.2, -0.1], axes="world")}


@pytest.fixture(scope="module", params=["hua llvm", "chain llvm", "hua numpy"])
def quantities(request):
    name, backend = request.param.split()
    make, tip = ROBOTS[name]
    found = Quantities(make(backend=backend), loads(tip))
    found.tip = tip
    return found


def made(quantities, name, options):
    own = {"link": quantities.tip} if name.startswith(("link", "distance", "speed", "orientation", "tilt")) else {}
    own |= {"joint": quantities.robot.moving_joint_names[1]} if name == "joint_wrench" else {}
    return quantities.get(name, **own, **options)


def random_state(count, n, seed=0):
    rng = np.random.default_rng(seed)
    return State(tuple(rng.uniform(-1.5, 1.5, (count, n)) for _ in range(6)))


def moved(state, order, joint, step):
    rates = [np.array(x, dtype=complex if isinstance(step, complex) else float) for x in state.rates]
    rates[order][:, joint] += step
    return State(tuple(rates))


def stepped(quantity, state, order, joint):
    """Return the derivative of the entries by a complex step through the task itself."""
    if quantity.name == "drawn_power":
        P, slope = quantity.power.values(state), stepped(quantity.power, state, order, joint)
        return 0.5 * (1 + P / np.hypot(P, quantity.width)) * slope
    task = quantity._maker(quantity.robot.model, **quantity._options)
    return np.imag(evaluate(task, quantity._arguments(moved(state, order, joint, 1j * H)))) / H


@pytest.mark.sweep(8)
@pytest.mark.parametrize(("name", "options", "orders"), EVERY, ids=IDS)
def test_derivatives_and_curvature_are_those_of_complex_steps(quantities, name, options, orders):
    quantity, n = made(quantities, name, options), quantities.robot.link_nv
    state, orders = random_state(2, n, seed=1), tuple(orders)
    assert quantity.orders == orders
    values, slopes = quantity.values(state), quantity.derivatives(state)
    assert values.shape == (2, quantity.size) == (2, len(quantity.units())) and slopes.shape == (len(orders), 2, quantity.size, n)
    if name == "snap":
        assert np.array_equal(values, state.rates[4])
        return
    for row, order in enumerate(orders):
        theirs = np.array([stepped(quantity, state, order, joint) for joint in range(n)])
        assert error(slopes[row], np.moveaxis(theirs, 0, -1)) < 1e-11
    weights = np.random.default_rng(2).normal(size=values.shape)
    bend, h = quantity.curvature(state, weights), 1e-5
    assert bend.shape == (2, len(orders), n, len(orders), n)
    # all pairs of orders, also those that are left out because of the quantity's weight
    for row, order in enumerate(orders):
        for joint in range(n):
            plus, minus = (quantity.derivatives(moved(state, order, joint, x)) for x in (h, -h))
            theirs = np.einsum("rkej,ke->krj", (plus - minus) / (2 * h), weights)
            assert np.abs(bend[:, row, joint] - theirs).max() < 1e-6 * max(1.0, np.abs(bend).max())
    assert error(bend, bend.transpose(0, 3, 4, 1, 2)) < 1e-12


@pytest.mark.slow
@pytest.mark.sweep(1)
@pytest.mark.parametrize("name", ROBOTS)
def test_forces_of_motors_are_those_of_the_whole_robot_with_motors_by_differences(name):
    make, tip = ROBOTS[name]
    # friction's sign would turn between two instants
    robot = lissom.Robot(make().model.without_friction()) if name == "chain" else make()
    load = loads(tip)
    quantities = Quantities(robot, load)
    path = SplinePath(np.random.default_rng(4).normal(size=(12, robot.link_nv)), 2.0, 7)
    t = np.linspace(0.1, 1.9, 13)
    places, n = driving_places(robot.model), robot.link_nv
    q, qd, qdd, tau = by_differences(robot, path, t, load)
    state = State.along(path, t, 6)

    def of(name, **options):
        return quantities.get(name, **options).values(state)

    behind = [robot.joint_names.index(motor.joint) for motor in robot.model.elastic_motors]
    assert np.abs(tau[:, behind]).max() < 1e-9 * np.abs(tau).max()  # springs hold what joints need
    assert error(of("torque"), tau[:, places]) < 1e-6
    assert error(of("power"), (tau * qd)[:, places]) < 1e-6
    assert error(of("motor_position"), q[:, n:]) < 1e-12 and error(of("motor_velocity"), qd[:, n:]) < 1e-7
    rest = [motor.spring.rest for motor in robot.model.elastic_motors]
    assert error(of("deflection"), q[:, n:] - q[:, behind] - rest) < 1e-12
    assert error(of("kinetic_energy")[:, 0], robot.kinetic_energy(q, qd)) < 1e-7
    joint = robot.moving_joint_names[1]
    assert error(of("joint_wrench", joint=joint), robot.joint_wrenches(q, qd, qdd, external=load)[:, 1]) < 1e-6
    forces = quantities.get("torque")
    rates = differences(lambda x: forces.values(State.along(path, x, 5)), t, 1e-3)[1]
    assert error(of("torque_rate"), rates) < 1e-6


def test_a_panda_behind_springs_needs_what_differences_of_motor_angles_say():
    robot = panda()
    path = SplinePath(np.random.default_rng(5).uniform(-1, 1, size=(12, 7)), 2.0, 7)
    t = np.linspace(0.1, 1.9, 7)
    _, _, _, tau = by_differences(robot, path, t)
    assert error(Quantities(robot).get("torque").values(State.along(path, t, 5)), tau[:, 7:]) < 1e-6


def test_entries_are_named_after_what_drives_a_joint():
    quantities = Quantities(hua())
    for name in ("torque", "torque_rate", "power"):
        assert quantities.get(name).labels == ("q1", "q2", "motor_3")
    assert quantities.get("position").labels == ("q1", "q2", "q3")
    assert quantities.get("deflection").labels == quantities.get("motor_velocity").labels == ("motor_3",)
    sliding = Quantities(chain())
    assert sliding.get("deflection").units() == ("rad", "m", "rad")
    assert sliding.get("motor_velocity").units() == ("rad/s", "m/s", "rad/s")
    assert sliding.get("torque").units() == ("N m", "N", "N m")
    assert sliding.get("torque_rate").units() == ("N m/s", "N/s", "N m/s")


def test_at_rest_motors_stand_where_the_robot_says():
    robot = hua()
    q = np.random.default_rng(6).uniform(-1, 1, (4, 3))
    assert error(motor_angles(robot, q, 0 * q, 0 * q), robot.at_rest(q)[:, 3:]) < 1e-12


def test_damping_in_springs_is_refused():
    soft = lissom.Spring(100.0, damping=0.3)
    model = one_joint().model.with_motors(lambda m: replace(m, spring=soft))
    with pytest.raises(lissom.ModelError, match="springs must have no damping; that of motor 'drive' is 0.3"):
        lissom.MotionProblem(lissom.Robot(model))


def test_a_rotor_that_spins_behind_another_spring_is_refused():
    model = chain().model.with_rotors("full")
    with pytest.raises(lissom.ModelError, match="motor 'motor_2' spins on link .* set rotor='reflected'"):
        lissom.MotionProblem(lissom.Robot(model))


def test_rigid_robots_have_no_springs_to_limit():
    with pytest.raises(lissom.LissomError, match="no quantity 'deflection'"):
        lissom.MotionProblem(lissom.robots.rr()).limit("deflection", -1, 1)


@pytest.mark.parametrize(
    ("degree", "act", "message"),
    [
        (
            4,
            lambda p: p,
            "motors behind springs, such as 'motor_3', whose torques .*: it needs degree 5 or more, better 7",
        ),
        (3, lambda p: p, "it needs degree 5 or more"),
        (5, lambda p: p.limit("torque_rate", -1, 1), "torque_rate depends on the derivative of the snap.* degree 6 or more"),
    ],
)
def test_degrees_that_are_too_low_are_told(degree, act, message):
    with pytest.raises(StateError, match=message):
        act(lissom.MotionProblem(hua(backend="numpy"), degree=degree))
