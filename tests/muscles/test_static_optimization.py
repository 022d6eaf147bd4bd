"""Static optimization and joint reactions: optimality, bounds, balance of forces, and OpenSim's numbers."""

import numpy as np
import pytest

from lissom import NameLookupError, StateError, Wrench
from lissom.muscles import Ideal, Muscle, Muscles, read_muscles, static_optimization
from lissom.muscles.sharing import share
from muscles.test_paths import PATHS, SAMPLES, arm
from support.osim import published
from support.osim_judge import judge


def some():
    names = ("straight", "cylinder", "two", "moving")
    return Muscles(arm(), [Muscle(name, PATHS[name], 400, 0.1, 0.12) for name in names])


def test_nothing_that_makes_the_torques_has_a_smaller_sum_of_squares():
    rng = np.random.default_rng(0)
    A, low, high = rng.normal(size=(40, 3, 9)), np.full(9, 0.01), np.full(9, 1.0)
    b = np.einsum("kmn,kn->km", A, rng.uniform(0.05, 0.9, (40, 9)))
    x, missing = share(A, b, low, high)
    assert np.abs(missing).max() < 1e-8
    assert (x >= low - 1e-15).all() and (x <= high + 1e-15).all()
    for k in range(40):
        free = np.linalg.svd(A[k])[2][3:]  # directions that change no torque
        for step in rng.normal(size=(30, 6)) @ free:
            other = x[k] + 1e-3 * step
            if (other >= low).all() and (other <= high).all():
                assert other @ other > x[k] @ x[k] - 1e-9


def test_torques_out_of_reach_are_missed_and_said():
    x, missing = share(np.ones((1, 1, 3)), np.array([[5.0]]), np.zeros(3), np.ones(3))
    assert x[0] == pytest.approx([1, 1, 1])
    assert missing[0] == pytest.approx([2.0])


def test_activations_make_the_torques():
    muscles, qd = some(), np.full((12, 2), 0.1)
    given = np.random.default_rng(1).uniform(0.05, 0.5, (12, 4))
    tau = muscles.torques(SAMPLES, muscles.analysis(SAMPLES, qd, given).active)
    found = static_optimization(muscles, SAMPLES, qd, tau, 10.0)
    made = muscles.torques(SAMPLES, found.forces) + 10.0 * found.controls
    assert np.allclose(made, tau, atol=1e-7)
    assert found.found.all() and found.reserves == ("shoulder", "elbow")
    assert (found.objective < np.sum(given**2, axis=1) + 1e-9).all()
    assert (found.activations > 0.01 - 1e-12).all()


def test_passive_forces_count_if_asked():
    muscles, qd = some(), np.zeros((12, 2))
    tau = muscles.torques(SAMPLES, muscles.forces(SAMPLES, qd, np.full((12, 4), 0.3)))
    found = static_optimization(muscles, SAMPLES, qd, tau, {"elbow": 5.0, "shoulder": 5.0}, passive=True)
    assert np.allclose(muscles.torques(SAMPLES, found.forces) + 5.0 * found.controls[:, ::-1], tau, atol=1e-7)


def test_wrenches_of_paths_have_the_torques_of_moment_arms():
    muscles = Muscles(
        arm(), [Muscle(name, PATHS[name], 400, 0.1, 0.12) for name in ("straight", "cylinder", "two", "conditional")]
    )
    forces, still = np.random.default_rng(4).uniform(50, 300, (12, 4)), np.zeros((12, 2))
    loads = muscles.wrenches(SAMPLES, forces)
    assert set(loads) == {"upper", "lower"}
    robot = muscles.robot
    tau = robot.inverse_dynamics(SAMPLES, still, still, external=loads) - robot.inverse_dynamics(SAMPLES, still, still)
    assert np.allclose(-tau, muscles.torques(SAMPLES, forces), atol=1e-9)


@pytest.mark.slow
def test_reactions_add_muscles_to_other_loads():
    muscles, forces = some(), np.full((12, 4), 100.0)
    robot, still = muscles.robot, np.zeros((12, 2))
    push = {"lower": Wrench((1.0, 2.0, 3.0), (0.1, 0.2, 0.3), axes="link", point=(0.1, 0, 0))}
    both = muscles.joint_reactions(SAMPLES, still, still, forces, push)
    pushed, pulled = (muscles.joint_reactions(SAMPLES, still, still, f, w) for f, w in ((0 * forces, push), (forces, None)))
    rest = robot.joint_wrenches(SAMPLES, still, still, axes="world")
    assert np.allclose(both, pushed + pulled - rest, atol=1e-9)


def test_wrong_input_is_refused():
    muscles, q = some(), SAMPLES
    with pytest.raises(StateError, match="no along='bone'"):
        static_optimization(muscles, q, q, q, along="bone")
    with pytest.raises(StateError, match="activations from 0.5 to 0.2 of 'straight'"):
        static_optimization(muscles, q, q, q, least=0.5, most=0.2)
    with pytest.raises(StateError, match="12, 3 and 12 rows"):
        static_optimization(muscles, q, q[:3], q)
    with pytest.raises(NameLookupError, match="no coordinate 'knee'"):
        static_optimization(muscles, q, q, q, {"knee": 1.0})
    with pytest.raises(StateError, match="the reserve on 'elbow' is -1"):
        static_optimization(muscles, q, q, q, {"elbow": -1})


def test_joint_reactions_are_those_of_opensim():
    opensim = judge()
    path = published("gait10dof18musc/gait10dof18musc.osim")
    muscles = read_muscles(path)
    robot, rng = muscles.robot, np.random.default_rng(0)
    model = opensim.Model(str(path))
    state = model.initSystem()
    coordinates = [model.getCoordinateSet().get(joint.name) for joint in robot.model.independent_joints]
    for own in coordinates:
        own.setValue(state, rng.uniform(max(own.getRangeMin(), -0.5), min(own.getRangeMax(), 0.5)), False)
        own.setSpeedValue(state, rng.normal())
    forces = rng.uniform(10, 500, len(muscles))
    for k, force in enumerate(forces):
        muscle = model.getMuscles().get(k)
        muscle.overrideActuation(state, True)
        muscle.setOverrideActuation(state, float(force))
    model.realizeAcceleration(state)
    q, qd = (np.array([getattr(c, name)(state) for c in coordinates]) for name in ("getValue", "getSpeedValue"))
    qdd = np.array([c.getAccelerationValue(state) for c in coordinates])
    assert np.abs(robot.inverse_dynamics(q, qd, qdd) - muscles.torques(q, forces)).max() < 1e-7
    found = dict(zip(robot.moving_joint_names, muscles.joint_reactions(q, qd, qdd, forces), strict=True))
    for joint, last in (("hip_r", "hip_flexion_r"), ("ankle_l", "ankle_angle_l"), ("back", "lumbar_extension")):
        reaction = model.getJointSet().get(joint).calcReactionOnChildExpressedInGround(state)
        expected = [reaction.get(part)[k] for part in (1, 0) for k in range(3)]
        assert found[last] == pytest.approx(expected, abs=1e-6)


@pytest.mark.slow
def test_objectives_of_a_walking_trial_are_no_worse_than_opensims():
    judge()
    published("gait10dof18musc/subject01.osim")
    from benchmarks.muscles import optimized_trial

    times, _, _, own, theirs = optimized_trial()
    assert len(times) > 10
    assert own.found.all()
    assert (own.objective < theirs * (1 + 1e-6)).all()


@pytest.mark.parametrize("power", [1.5, 3.0, 5.0])
def test_other_powers_have_the_least_sum_of_them(power):
    rng = np.random.default_rng(6)
    A, low, high = rng.normal(size=(30, 3, 8)), np.array([0.01] * 6 + [-np.inf] * 2), np.array([1.0] * 6 + [np.inf] * 2)
    b = np.einsum("kmn,kn->km", A, rng.uniform(0.05, 0.9, (30, 8)))
    x, missing = share(A, b, low, high, power)
    assert np.abs(missing).max() < 1e-9
    assert (x >= low - 1e-12).all() and (x <= high + 1e-12).all()
    best = np.sum(np.abs(x) ** power, axis=1)
    assert (best < np.sum(np.abs(share(A, b, low, high)[0]) ** power, axis=1)).all()
    for k in range(30):
        free = np.linalg.svd(A[k])[2][3:]
        for step in rng.normal(size=(30, 5)) @ free:
            other = x[k] + 1e-3 * step
            if (other >= low).all() and (other <= high).all():
                assert np.sum(np.abs(other) ** power) > best[k] - 1e-8


def test_what_is_missing_is_as_small_as_it_can_be():
    A = np.array([[[2.0, 1.0, 0.0], [0.0, 1.0, 1.0]]])
    x, missing = share(A, np.array([[10.0, 1.0]]), np.zeros(3), np.ones(3))
    assert x[0] == pytest.approx([1, 1, 0], abs=1e-6)  # the first row is out of reach, the second one is not
    assert missing[0] == pytest.approx([7, 0], abs=1e-6)


def test_ideal_actuators_share_the_load_within_their_bounds():
    muscles, qd = some(), np.full((12, 2), 0.1)
    tau = muscles.torques(SAMPLES, muscles.analysis(SAMPLES, qd, np.full((12, 4), 0.2)).active) + [0.0, 3.0]
    both = np.array([1.0, 2.0])
    turning = np.stack([both + 0.1 * k for k in range(12)])
    found = static_optimization(muscles, SAMPLES, qd, tau, [Ideal("a", both, -0.05, 0.05), Ideal("b", turning)], taut=True)
    arms = muscles.lengths_and_arms(SAMPLES)[1]
    made = np.einsum("kmv,km->kv", arms, found.forces) + found.controls[:, :1] * both + found.controls[:, 1:] * turning
    assert np.allclose(made + found.missing, tau, atol=1e-7)
    assert found.reserves == ("a", "b") and np.abs(found.controls[:, 0]).max() <= 0.05


def test_wrong_ideal_actuators_and_powers_are_refused():
    muscles, q = some(), SAMPLES
    with pytest.raises(StateError, match=r"the power of activations is 1.0, expected a number above 1"):
        static_optimization(muscles, q, q, q, power=1.0)
    with pytest.raises(StateError, match=r"torques \(2,\) or per time, got 'a' with \(3,\)"):
        static_optimization(muscles, q, q, q, [Ideal("a", np.zeros(3))])
    with pytest.raises(StateError, match=r"or per time, got int"):
        static_optimization(muscles, q, q, q, [3])
    with pytest.raises(StateError, match="controls of 'a' go from 1 to -1"):
        static_optimization(muscles, q, q, q, [Ideal("a", np.zeros(2), 1, -1)])
