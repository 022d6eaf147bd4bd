"""Motors beside Pinocchio, which gets every rotor as a body with a joint of its own: any joints, couplings, free bases."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lissom import BaseMotion, Inertia, Joint, Link, Robot, Wrench
from lissom.robots import tree_model
from support.motors import motor_trees, with_motors
from support.spelled import Spelled
from support.states import error, random_states
from support.trees import trees

pin = pytest.importorskip("pinocchio")
from support.peer import Peer  # noqa: E402

seeds = st.integers(0, 1000)
SAME = 1e-10


class MotorPeer(Spelled):
    """Pinocchio's answers for a model with motors."""

    def __init__(self, model) -> None:
        super().__init__(model)
        self.peer = Peer(self.model)
        self.G = self.peer.G @ self.T  # velocities of all of Pinocchio's joints

    def state(self, q, *rates):
        return self.T_q @ q, *(self.T @ x for x in rates)

    def tau(self, q, qd, qdd, wrenches=None):
        state = self.state(q, qd, qdd)
        fext = None if wrenches is None else self.peer.external(state[0], wrenches)
        return self.T.T @ (self.peer.tau(*state, fext) + self.peer.friction(state[1])) + self.spring_forces(q, qd)

    def mass_matrix(self, q):
        M = pin.crba(self.peer.model, self.peer.data, self.peer.q(self.T_q @ q))
        return self.G.T @ (np.triu(M) + np.triu(M, 1).T) @ self.G

    def derivatives(self, q, qd, qdd):
        """Return d tau / d q and d qd of everything but springs and friction."""
        state = self.state(q, qd, qdd)
        data, model = self.peer.data, self.peer.model
        found = pin.computeRNEADerivatives(model, data, self.peer.q(state[0]), self.peer.G @ state[1], self.peer.G @ state[2])
        return [self.G.T @ x @ self.G for x in found[:2]]

    def momentum(self, q, qd):
        """Return linear and angular momentum about the world's origin, in the world."""
        model, data = self.peer.model, self.peer.data
        pin.computeCentroidalMomentum(model, data, self.peer.q(self.T_q @ q), self.G @ qd)
        linear = data.hg.linear
        return np.concatenate([linear, data.hg.angular + np.cross(data.com[0], linear)])


@given(motor_trees(), seeds)
@settings(max_examples=40)
def test_joint_forces_and_mass_matrix_with_motors_are_those_of_pinocchio(model, seed):
    robot, (q, qd, qdd), peer = Robot(model, backend="numpy"), random_states(model, seed=seed), MotorPeer(model)
    assert error(robot.inverse_dynamics(q, qd, qdd), peer.tau(q, qd, qdd)) < SAME
    assert error(robot.mass_matrix(q), peer.mass_matrix(q)) < SAME


@given(motor_trees(), seeds)
@settings(max_examples=20)
def test_joint_wrenches_with_motors_are_those_of_pinocchio(model, seed):
    robot, state, peer = Robot(model, backend="numpy"), random_states(model, seed=seed), MotorPeer(model)
    names = [joint.name for joint in peer.peer.moving]
    order = [names.index(name) for name in robot.moving_joint_names]
    theirs = peer.peer.wrenches(*peer.state(*state))[order]
    assert error(robot.joint_wrenches(*state), theirs) < SAME


@given(motor_trees(), seeds)
@settings(max_examples=20)
def test_derivatives_with_motors_are_those_of_pinocchio(model, seed):
    model = model.without_friction()
    robot, state, peer = Robot(model, backend="numpy"), random_states(model, seed=seed), MotorPeer(model)
    ours = robot.inverse_dynamics_derivatives(*state)
    K, D = peer.spring_matrices()
    dq, dqd = peer.derivatives(*state)
    # rotors turn G times as fast as their drives: what vanishes is the rounded sum of terms of that size squared
    rounded = 1e-3 * max(1.0, np.abs(peer.G).max() ** 2)
    assert error(ours.dq, dq + K, least=rounded) < SAME
    assert error(ours.dqd, dqd + D, least=rounded) < SAME
    assert error(ours.dqdd, peer.mass_matrix(state[0])) < SAME


@given(motor_trees(), seeds)
@settings(max_examples=15)
def test_momentum_with_spinning_rotors_is_that_of_pinocchio(model, seed):
    robot, (q, qd, _), peer = Robot(model, backend="numpy"), random_states(model, seed=seed), MotorPeer(model)
    theirs = peer.momentum(q, qd)
    assert error(robot.momentum(q, qd, point="origin"), theirs) < SAME
    T = 0.5 * qd @ peer.mass_matrix(q) @ qd
    assert robot.kinetic_energy(q, qd) == pytest.approx(T, rel=SAME)


@given(motor_trees(), seeds)
@settings(max_examples=15)
def test_external_wrenches_beside_motors_act_as_in_pinocchio(model, seed):
    robot, state, peer = Robot(model, backend="numpy"), random_states(model, seed=seed), MotorPeer(model)
    rng = np.random.default_rng(seed)
    names = [joint.child for joint in model.joints][::2]
    acting = {
        name: Wrench(*rng.normal(size=(2, 3)), axes=("link", "world")[k % 2], point=rng.normal(size=3) / 5)
        for k, name in enumerate(names)
    }
    assert error(robot.inverse_dynamics(*state, external=acting), peer.tau(*state, acting)) < SAME


@given(trees(n=4, floating=False, motors=0.0), seeds)
@settings(max_examples=15)
def test_rotors_on_a_base_that_moves_feel_it_as_on_a_free_flyer(model, seed):
    """A prescribed motion of the base is that of a floating joint; what the joints feel is the same."""
    model = with_motors(model, seed)
    body = Link("ship", Inertia(1.0, (0, 0, 0), np.eye(3)))
    swim, bolt = Joint("swim", "floating", "sea", "ship"), Joint("bolt", "fixed", "ship", model.base)
    afloat = model.replace(links=(*model.links, body, Link("sea")), joints=(swim, bolt, *model.joints))
    q, qd, qdd = random_states(model, seed=seed)
    rng = np.random.default_rng(seed)
    w, a, dw, v = rng.normal(size=(4, 3))
    turn = rng.normal(size=4)
    turn /= np.linalg.norm(turn)
    # the acceleration of a floating joint is the rate of its velocity's components
    whole = [
        np.concatenate([np.zeros(3), turn, q]),
        np.concatenate([v, w, qd]),
        np.concatenate([a - np.cross(w, v), dw, qdd]),
    ]
    peer = MotorPeer(afloat)
    base = BaseMotion(turn, w, a, dw)
    ours = Robot(model, backend="numpy").inverse_dynamics(q, qd, qdd, base_motion=base)
    assert error(ours, peer.tau(*whole)[6:]) < SAME


def test_compiled_forces_with_motors_are_those_of_pinocchio():
    model = with_motors(tree_model(5, 1.5, seed=3, floating=True, coupled=0.2, springs=0.2), 7)
    robot, peer = Robot(model, backend="llvm"), MotorPeer(model)
    states = random_states(model, 9, seed=3)
    theirs = np.array([peer.tau(*state) for state in zip(*states, strict=True)])
    assert error(robot.inverse_dynamics(*states), theirs) < SAME
    q, qd, qdd = states
    assert error(robot.forward_dynamics(q, qd, theirs), qdd) < 1e-9
