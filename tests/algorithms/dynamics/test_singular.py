"""Joints that move next to nothing are refused by name, by every method; small things that are real are not."""

import numpy as np
import pytest

from lissom import Inertia, Joint, Link, Model, ModelError, Pose, Robot, SimulationError, StateError
from lissom.robots import planar_two_link
from support.states import error, random_states

pytestmark = pytest.mark.filterwarnings("ignore::lissom.errors.ModelWarning")
WAYS = [
    *({"method": method} for method in (None, "articulated_body", "nasser", "mass_matrix")),
    *({"simulated": options} for options in ({}, {"method": "rk4", "dt": 0.01}, {"method": "semi_implicit", "dt": 0.01})),
]
ARM = Inertia(1.0, (0.5, 0, 0), np.diag([0.01, 0.1, 0.1]))
NOTHING = [
    pytest.param(None, 0.0, "revolute", id="massless tip"),
    pytest.param(None, 0.0, "prismatic", id="massless slider"),
    pytest.param(None, 1e-20, "revolute", id="next to no rotor on a massless axis"),
    pytest.param(None, 1e-14, "prismatic", id="next to no rotor on a massless slider"),
    pytest.param(Inertia(1e-14, (0, 0, 0), 1e-18 * np.eye(3)), 0.0, "revolute", id="speck"),
    pytest.param(Inertia(1e-14, (0, 0, 0), 1e-18 * np.eye(3)), 0.0, "prismatic", id="sliding speck"),
    pytest.param(Inertia(1e-14, (0.1, 0, 0), 1e-18 * np.eye(3)), 0.0, "revolute", id="speck on a stick"),
    pytest.param(Inertia(1e-14, (0, 0, 0), 1e-18 * np.eye(3)), 1e-20, "revolute", id="speck with next to no rotor"),
    pytest.param(Inertia(1.0, (0, 0, 0), 1e-20 * np.eye(3)), 0.0, "revolute", id="heavy point on its own axis"),
    pytest.param(Inertia(1.0, (0.3, 0, 0), np.diag([0.0, 0.1, 0.1])), 0.0, "roll", id="rod about itself"),
]


def arm_with(tip, rotor=0.0, kind="revolute", arm=ARM, floating=False, reach=1.0):
    axis = (1, 0, 0) if kind == "roll" else (0, 1, 0)
    kind = "revolute" if kind == "roll" else kind
    links = [Link("base"), Link("arm", arm), Link("tip", tip)]
    joints = [
        Joint("swing", "revolute", "base", "arm", axis=(0, 1, 0)),
        Joint("last", kind, "arm", "tip", Pose(translation=(reach, 0, 0)), axis=axis, rotor_inertia=rotor),
    ]
    if floating:
        links[:1] = [Link("world"), Link("base", arm)]
        joints.insert(0, Joint("free", "floating", "world", "base"))
    return Model("arm", tuple(links), tuple(joints))


def accelerate(robot, way, q, qd, tau):
    if "method" in way:
        return robot.forward_dynamics(q, qd, tau, **way)
    return robot.simulate(q, qd, 0.02, tau, **way["simulated"])


@pytest.mark.parametrize("backend", ["llvm", "numpy"])
@pytest.mark.parametrize("way", WAYS, ids=str)
@pytest.mark.parametrize(("tip", "rotor", "kind"), NOTHING)
def test_a_joint_that_moves_next_to_nothing_is_named_by_every_method(tip, rotor, kind, way, backend):
    robot = Robot(arm_with(tip, rotor, kind), backend=backend)
    with pytest.raises(ModelError, match=r"joint 'last' has almost no inertia along its axis: \S+ kg") as caught:
        accelerate(robot, way, [0.1, 0.2], [0.0, 0.0], [0.0, 1.0])
    text = str(caught.value)
    for remedy in ("a mass and an inertia", "a rotor inertia (armature)", "fix it", "its acceleration instead of its torque"):
        assert remedy in text
    unit = "kg" if kind == "prismatic" else "kg m^2"
    assert f" {unit}, or any torque" in text


def test_the_message_says_what_the_joint_moves_and_in_what():
    robot = Robot(arm_with(Inertia(1e-14, (0, 0, 0), 1e-18 * np.eye(3))))
    expected = r"along its axis: 1e-18 kg m\^2; in a mechanism of 1 kg and 1\.01 m it needs more than 1e-16 kg m\^2"  # M r^2
    with pytest.raises(ModelError, match=expected):
        robot.forward_dynamics([0, 0], [0, 0], [0, 0])


@pytest.mark.parametrize("way", [way for way in WAYS if way.get("method") != "nasser"], ids=str)
def test_a_floating_base_is_part_of_the_mechanism(way):
    robot = Robot(arm_with(Inertia(1e-14, (0, 0, 0), 1e-18 * np.eye(3)), floating=True), backend="numpy")
    with pytest.raises(ModelError, match="joint 'last' has almost no inertia along its axis"):
        accelerate(robot, way, [*robot.neutral()], np.zeros(8), np.ones(8))


def test_hybrid_dynamics_refuse_a_speck_whose_force_is_known_and_take_one_whose_motion_is():
    robot = Robot(arm_with(Inertia(1e-14, (0, 0, 0), 1e-18 * np.eye(3))), backend="numpy")
    q, qd, qdd = random_states(robot.model, seed=1)
    with pytest.raises(ModelError, match="joint 'last' has almost no inertia along its axis"):
        robot.hybrid_dynamics(q, qd, known={"torque": "last", "acceleration": ...})
    found = robot.hybrid_dynamics(
        q, qd, known={"acceleration": "last", "torque": ...}, qdd=qdd, tau=robot.inverse_dynamics(q, qd, qdd)
    )
    assert error(found.qdd, qdd) < 1e-12


@pytest.mark.parametrize("backend", ["llvm", "numpy"])
@pytest.mark.parametrize("way", WAYS, ids=str)
def test_inertia_that_vanishes_in_one_configuration_is_named_there(way, backend):
    # a point mass on an arm that turns about its own length: nothing resists where the arm is stretched
    links = (Link("base"), Link("upper", massless=True), Link("lower", Inertia(1.0, (1.0, 0, 0))))
    joints = (Joint("roll", "revolute", "base", "upper", axis=(1, 0, 0)), Joint("bend", "revolute", "upper", "lower"))
    robot = Robot(Model("whip", links, joints), backend=backend)
    accelerate(robot, way, [0.3, 0.5], [0.0, 0.0], [0.0, 0.0])
    accelerate(robot, way, [0.3, 1e-3], [0.0, 0.0], [0.0, 0.0])
    for bend in (0.0, 1e-8):
        with pytest.raises((StateError, SimulationError), match="joint 'roll' has almost no inertia along its axis"):
            accelerate(robot, way, [0.3, bend], [0.0, 0.0], [0.0, 0.0])
    if "method" in way:
        q = np.tile([0.3, 0.5], (5, 1))
        q[3, 1] = 0.0
        with pytest.raises(StateError, match=r"of sample \(3,\) is not finite: joint 'roll' has almost no inertia"):
            accelerate(robot, way, q, np.zeros(2), np.zeros(2))


GRAM = Inertia(1e-3, (5e-3, 0, 0), np.diag([2e-9, 9e-9, 9e-9]))  # a finger of a gram and a centimetre
HEAVY = Inertia(100.0, (0.2, 0, 0), np.diag([4.0, 8.0, 8.0]))
SHIP = Inertia(1e6, (3.0, 0, 0), np.diag([4e7, 4e8, 4e8]))
MILLIGRAM = Inertia(1e-6, (5e-4, 0, 0), np.diag([5e-14, 9e-14, 9e-14]))


@pytest.mark.parametrize("floating", [False, True])
@pytest.mark.parametrize("kind", ["revolute", "prismatic", "roll"])
@pytest.mark.parametrize(
    ("arm", "tip", "reach"),
    [(HEAVY, GRAM, 1.5), (HEAVY, MILLIGRAM, 1.0), (SHIP, Inertia(0.2, (0, 0, 0.01), 1e-5 * np.eye(3)), 50.0)],
    ids=["a gram on a hundred kilograms", "a milligram on a hundred kilograms", "a wrist on a ship"],
)
def test_small_things_on_large_ones_move(arm, tip, reach, kind, floating):
    robot = Robot(arm_with(tip, 0.0, kind, arm, floating, reach), backend="numpy")
    q, qd, qdd = random_states(robot.model, 3, seed=2)
    tau = robot.inverse_dynamics(q, qd, qdd)
    for method in (None, "articulated_body", "mass_matrix"):
        back = robot.inverse_dynamics(q, qd, robot.forward_dynamics(q, qd, tau, method=method))
        assert error(back, tau) < 1e-11


@pytest.mark.parametrize("length", [1e-6, 1e-4, 1e4])
@pytest.mark.parametrize("mass", [1e-12, 1e-6, 1e6])
def test_a_robot_is_measured_by_itself(mass, length):
    """In other units of mass and length the same joints are singular: qdd of revolute joints under scaled torques is the same."""
    model = planar_two_link().model.replace(gravity=(0, 0, 0))

    def scaled(link):
        if link.inertia is None:
            return link
        tensor = np.array(link.inertia.tensor) * mass * length**2
        return Link(link.name, Inertia(link.inertia.mass * mass, tuple(length * np.array(link.inertia.com)), tensor))

    def moved(joint):
        origin = Pose(joint.origin.R, tuple(length * joint.origin.p))
        return Joint(joint.name, joint.kind, joint.parent, joint.child, origin, axis=joint.axis)

    small = model.replace(links=tuple(map(scaled, model.links)), joints=tuple(map(moved, model.joints)))
    model = model.replace(joints=tuple(Joint(j.name, j.kind, j.parent, j.child, j.origin, axis=j.axis) for j in model.joints))
    q, qd, tau = random_states(model, 4, seed=3)
    expected = Robot(model, backend="numpy").forward_dynamics(q, qd, tau)
    for method in (None, "articulated_body", "nasser", "mass_matrix"):
        found = Robot(small, backend="numpy").forward_dynamics(q, qd, tau * mass * length**2, method=method)
        assert error(found, expected) < 1e-12


def test_what_stands_beside_a_joint_on_the_ground_does_not_make_it_singular():
    links = (Link("ground"), Link("crane", Inertia(1e6, (10, 0, 0), 1e7 * np.eye(3))), Link("mote", MILLIGRAM))
    joints = (Joint("slew", "revolute", "ground", "crane"), Joint("twirl", "revolute", "ground", "mote"))
    robot = Robot(Model("yard", links, joints), backend="numpy")
    alone = Robot(Model("mote", (links[0], links[2]), joints[1:]), backend="numpy")
    for method in (None, "articulated_body", "nasser", "mass_matrix"):
        both = robot.forward_dynamics([0, 0.3], [0, 0], [0, 1e-9], method=method)
        assert both[1] == pytest.approx(alone.forward_dynamics([0.3], [0], [1e-9], method=method)[0], rel=1e-12)
