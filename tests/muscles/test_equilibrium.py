"""Equilibrium of elastic tendons in a batch: balance, single muscles, and OpenSim's equilibrateMuscles."""

import numpy as np
import pytest

from lissom import StateError
from lissom.muscles import DeGrooteFregly, Millard, Muscle, Muscles, Thelen, hill, read_muscles
from muscles.test_paths import PATHS, SAMPLES, arm
from support.osim import published
from support.osim_judge import judge

CURVES = (DeGrooteFregly(), Thelen(), Millard(), Thelen(tendon_strain=0.033))


def some(slack=0.15):
    names = ("straight", "straight", "moving", "conditional")
    return Muscles(
        arm(),
        [
            Muscle(f"m{k}", PATHS[name], 400 + 100 * k, 0.15, slack, 0.1 * k, curves=curves)
            for k, (name, curves) in enumerate(zip(names, CURVES, strict=True))
        ],
    )


def test_a_batch_has_the_fibers_of_single_muscles():
    muscles, a = some(), np.random.default_rng(0).uniform(0.02, 1.0, (12, 4))
    found = muscles.equilibrium(SAMPLES, a)
    assert not found.slack.any() and found.lengths.shape == (12, 4)
    assert np.allclose(found.active + found.passive, found.forces, atol=1e-7)
    assert np.allclose(found.fiber_lengths * found.cosines + found.tendon_lengths, found.lengths)
    for k, own in enumerate(muscles.muscles):
        alone = hill.fiber_length_at_rest(own, a[:, k], found.lengths[:, k])
        assert found.fiber_lengths[:, k] == pytest.approx(alone * own.optimal_fiber_length, abs=1e-9)
        force = hill.tendon_force(own, found.lengths[:, k], hill.elastic_fiber(own, alone))
        assert found.forces[:, k] == pytest.approx(force, abs=1e-5)


def test_activations_are_at_least_a_hundredth_and_spread_over_a_batch():
    muscles = some()
    none, little = (muscles.equilibrium(SAMPLES, np.full(4, a)) for a in (0.0, 0.01))
    assert np.array_equal(none.forces, little.forces)
    assert muscles.equilibrium(SAMPLES[0], np.full(4, 0.3)).forces.shape == (4,)


def test_muscles_shorter_than_their_tendons_are_slack():
    found = some(slack=1.0).equilibrium(SAMPLES, np.full(4, 0.5))
    assert found.slack.all() and (found.forces == 0).all() and (found.active == 0).all()


def test_activations_are_from_zero_to_one():
    with pytest.raises(StateError, match=r"activations must be from 0 to 1, got -0.1 to 0.5"):
        some().equilibrium(SAMPLES, [0.5, 0.5, -0.1, 0.5])


@pytest.mark.parametrize(
    "name", ["gait10dof18musc/gait10dof18musc.osim", "leg6dof9musc.osim", pytest.param("arm26.osim", marks=pytest.mark.slow)]
)
def test_fibers_and_forces_are_those_of_opensim(name):
    opensim = judge()
    path = published(name)
    muscles, rng = read_muscles(path), np.random.default_rng(2)
    model = opensim.Model(str(path))
    state = model.initSystem()
    coordinates = [model.getCoordinateSet().get(joint.name) for joint in muscles.robot.model.independent_joints]
    theirs = [model.getMuscles().get(name) for name in muscles.names]
    most = np.array([muscle.max_isometric_force for muscle in muscles.muscles])
    for _ in range(4):
        a = rng.uniform(0.05, 1.0, len(muscles))
        for own in coordinates:
            own.setValue(state, rng.uniform(max(own.getRangeMin(), -0.3), min(own.getRangeMax(), 0.3)), False)
            own.setSpeedValue(state, rng.normal())
        model.assemble(state)
        for muscle, activation in zip(theirs, a, strict=True):
            muscle.setActivation(state, float(activation))
        model.realizeVelocity(state)
        model.equilibrateMuscles(state)
        model.realizeDynamics(state)
        q, qd = ([getattr(own, what)(state) for own in coordinates] for what in ("getValue", "getSpeedValue"))
        found = muscles.equilibrium(q, a, qd)
        lengths = np.array([muscle.getFiberLength(state) for muscle in theirs])
        forces = np.array([muscle.getTendonForce(state) for muscle in theirs])
        assert found.fiber_lengths == pytest.approx(lengths, abs=1e-6)
        assert found.forces / most == pytest.approx(forces / most, abs=1e-5)
