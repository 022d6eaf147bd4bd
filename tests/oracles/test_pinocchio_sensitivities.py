"""Sensitivities of every published robot: forces and accelerations beside Pinocchio's, wrenches beside complex steps.

Pinocchio differentiates along the same velocities, in the tangent of a free base too.
"""

import numpy as np
import pytest

from lissom import ModelError, Robot, Wrench
from lissom.algorithms.dynamics import inverse_dynamics
from lissom.read.urdf import read_urdf
from lissom.robots import tree_model
from support.complex_step import jacobians
from support.published import FILES, IDS
from support.states import error, random_states

pin = pytest.importorskip("pinocchio")
from support.peer import Peer  # noqa: E402

pytestmark = [pytest.mark.sweep(6), pytest.mark.filterwarnings("ignore::lissom.errors.ModelWarning")]
ROOT = {"fixed": (), "floating": (pin.JointModelFreeFlyer(),)}
COMPILED = ("ur5_robot.urdf", "panda.urdf", "solo12.urdf")
SAME = 1e-11


class DerivativePeer(Peer):
    """Pinocchio's derivatives in lissom's coordinates."""

    def inverse(self, q, qd, qdd, fext=()):
        found = pin.computeRNEADerivatives(self.model, self.data, self.q(q), self.G @ qd, self.G @ qdd, *fext)
        return [self.G.T @ x @ self.G for x in (*found[:2], _symmetric(found[2]))]

    def forward(self, q, qd, tau):
        """Return d qdd / d q, d qd, d tau; only where no joints are coupled."""
        found = pin.computeABADerivatives(self.model, self.data, self.q(q), qd, tau)
        return [found[0].copy(), found[1].copy(), _symmetric(found[2])]


def _symmetric(upper):
    return np.triu(upper) + np.triu(upper, 1).T


@pytest.mark.sweep("ur5_robot.urdf-fixed", "panda.urdf-floating", "a1.urdf-floating")
@pytest.mark.parametrize("base", ["fixed", "floating"])
@pytest.mark.parametrize("file", FILES, ids=IDS)
def test_published_robots_have_the_sensitivities_of_pinocchio(file, base):
    model = read_urdf(file, base=base, mimic=False)
    robot = Robot(model, backend="llvm" if file.name in COMPILED and base == "fixed" else "numpy")
    q, qd, qdd = random_states(model, seed=8)
    if model.nv == 0:
        assert robot.inverse_dynamics_derivatives(q, qd, qdd).dq.shape == (0, 0)
        assert robot.forward_dynamics_derivatives(q, qd, qdd).dtau.shape == (0, 0)
        return
    peer = DerivativePeer(model, pin.buildModelFromUrdf(str(file), *ROOT[base]))
    ours = robot.inverse_dynamics_derivatives(q, qd, qdd)
    for a, b in zip(ours, peer.inverse(q, qd, qdd), strict=True):
        assert error(a, b) < SAME

    tau = robot.inverse_dynamics(q, qd, qdd)
    condition = np.linalg.cond(ours.dqdd)
    if condition > 1e14:
        # joints that move nothing: no program can tell their accelerations
        with pytest.raises(ModelError, match=r"joint '\w+' has almost no inertia along its axis"):
            robot.forward_dynamics_derivatives(q, qd, tau)
        return
    found = robot.forward_dynamics_derivatives(q, qd, tau)
    # accelerations are as sharp as the mass matrix is regular (icub: condition 1e8), the forces that they stand for always
    for a, b in zip(found, (-ours.dq, -ours.dqd, np.eye(model.nv)), strict=True):
        assert np.abs(ours.dqdd @ a - b).max() <= 1e-13 * (np.abs(ours.dqdd) @ np.abs(a)).max()
    for a, b in zip(found, peer.forward(q, qd, tau), strict=True):
        assert error(a, b) < max(1e-9, 1e-15 * condition)


@pytest.mark.sweep("ur5_robot.urdf", "a1.urdf")
@pytest.mark.parametrize("file", FILES, ids=IDS)
def test_wrenches_inside_the_joints_of_published_robots_change_as_complex_steps_say(file):
    model = read_urdf(file, base="floating", friction=True)
    robot = Robot(model, backend="numpy")
    state = random_states(model, seed=9)
    names = robot.moving_joint_names
    joints = [names[k] for k in sorted({0, len(names) // 3, len(names) // 2, len(names) - 1})]
    rows = [6 * names.index(joint) + c for joint in joints for c in range(6)]
    for axes in ("joint", "world"):
        ours = robot.joint_wrench_derivatives(*state, axes=axes, joints=joints)
        theirs = jacobians(model, inverse_dynamics.joint_wrenches(model, axes=axes), *state)
        for a, b in zip(ours, theirs.values(), strict=True):
            assert error(a.reshape(-1, model.nv), b[rows]) < SAME


TREES = [
    {"n": 7, "seed": 1},
    {"n": 7, "seed": 2, "floating": True, "fixed": 0.4},
    {"n": 9, "seed": 4, "branching": 3, "coupled": 0.5, "tails": 0.3, "fixed": 0.3},
]


@pytest.mark.parametrize("arguments", TREES, ids=lambda a: "-".join(f"{k}{v}" for k, v in a.items()))
def test_trees_of_every_joint_have_the_sensitivities_of_pinocchio(arguments):
    model = tree_model(drives=False, **arguments)
    robot, peer = Robot(model, backend="numpy"), DerivativePeer(model)
    q, qd, qdd = random_states(model, seed=5)
    # wrenches that turn with their links: all that Pinocchio takes
    push = {model.links[-1].name: Wrench((1.0, 2.0, 3.0), (0.3, 0.2, 0.1), axes="link", point=(0.1, 0.2, 0.3))}
    for a, b in zip(
        robot.inverse_dynamics_derivatives(q, qd, qdd, external=push),
        peer.inverse(q, qd, qdd, [peer.external(q, push)]),
        strict=True,
    ):
        assert error(a, b) < SAME
