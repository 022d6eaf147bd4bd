"""Published robots: derivatives along directions against complex steps, those of links and momenta against Pinocchio."""

import numpy as np
import pytest

from lissom import Robot
from lissom.algorithms.derivatives import directional
from lissom.algorithms.dynamics import inverse_dynamics
from lissom.read.urdf import read_urdf
from lissom.robots import tree_model
from support.complex_step import directional as complex_step
from support.complex_step import evaluate
from support.published import FILES, IDS
from support.states import error, random_states

pin = pytest.importorskip("pinocchio")
from support.peer import Peer  # noqa: E402

pytestmark = [pytest.mark.sweep(3), pytest.mark.filterwarnings("ignore::lissom.errors.ModelWarning")]
FRAMES = pin.ReferenceFrame
LOCAL, ALIGNED, WORLD = FRAMES.LOCAL, FRAMES.LOCAL_WORLD_ALIGNED, FRAMES.WORLD
WAYS = {LOCAL: {"axes": "link"}, ALIGNED: {"axes": "world"}, WORLD: {"axes": "world", "point": "origin"}}
NAMES = ("q", "qd", "qdd")


@pytest.mark.sweep(1)
@pytest.mark.parametrize("file", FILES, ids=IDS)
def test_published_robots_have_the_directional_derivatives_of_complex_steps(file):
    model = read_urdf(file, base="floating", friction=True)
    rng = np.random.default_rng(0)
    state = random_states(model, seed=1)
    v, w = rng.normal(size=(3, model.nv)), rng.normal(size=model.nv)
    task = inverse_dynamics.inverse_dynamics(model)
    along = complex_step(model, task, state, dict(zip(NAMES, v, strict=True)))
    jvp = directional.jvp(model, of=inverse_dynamics.inverse_dynamics, along=NAMES)
    assert error(evaluate(jvp, [x[None] for x in (*state, *v)])[0], along) < 1e-10
    vjp = directional.vjp(model, of=inverse_dynamics.inverse_dynamics)
    adjoints = evaluate(vjp, [x[None] for x in (*state, w)])[0]
    assert abs(adjoints @ v.ravel() - w @ along) < 1e-10 * np.abs(w * along).sum()


class DerivativePeer(Peer):
    """Pinocchio's derivatives of the motion of links, which are frames of its model."""

    def __init__(self, model, theirs=None):
        super().__init__(model, theirs)
        self.frames = {}
        for link, (index, pose) in self.places.items():
            frame = pin.Frame(f"lissom {link}", index, 0, pose, pin.FrameType.OP_FRAME)
            self.frames[link] = self.model.addFrame(frame, False)
        self.data = self.model.createData()

    def at(self, q, qd, qdd):
        pin.computeForwardKinematicsDerivatives(self.model, self.data, self.q(q), self.G @ qd, self.G @ qdd)
        pin.updateFramePlacements(self.model, self.data)

    def velocity(self, link, frame):
        found = pin.getFrameVelocityDerivatives(self.model, self.data, self.frames[link], frame)
        return [x @ self.G for x in found]

    def acceleration(self, link, frame):
        found = pin.getFrameAccelerationDerivatives(self.model, self.data, self.frames[link], frame)
        return [x @ self.G for x in found[1:]]

    def point(self, link, frame):
        """Return the derivatives of velocity and classical acceleration of a link's origin, linear parts alone."""
        more = (*self.places[link], frame)
        velocity = pin.getPointVelocityDerivatives(self.model, self.data, *more)
        acceleration = pin.getPointClassicAccelerationDerivatives(self.model, self.data, *more)
        return [x @ self.G for x in velocity], [x @ self.G for x in acceleration[1:]]

    def plain(self, link):
        """Tell whether all joints that carry a link, but for the first, have a single axis."""
        k = self.places[link][0]
        while self.model.parents[k]:
            if self.model.joints[k].nv > 1:
                return False
            k = self.model.parents[k]
        return True


def check_links(robot, peer, state, links):
    peer.at(*state)
    for link in links:
        if not peer.places[link][0]:  # Pinocchio reads beyond its arrays for what never moves
            continue
        # in WORLD, by q, Pinocchio 4.1 disagrees with differences of its own accelerations where a joint of several axes
        # is carried by another
        for frame in (LOCAL, WORLD) if peer.plain(link) else (LOCAL,):
            same(robot.link_velocity_derivatives(*state[:2], link, **WAYS[frame]), peer.velocity(link, frame))
            ours = robot.link_acceleration_derivatives(*state, link, **WAYS[frame], classical=False)
            same(ours, peer.acceleration(link, frame))
        for frame in (LOCAL, ALIGNED):
            velocity, acceleration = peer.point(link, frame)
            same([x[:3] for x in robot.link_velocity_derivatives(*state[:2], link, **WAYS[frame])], velocity)
            same([x[:3] for x in robot.link_acceleration_derivatives(*state, link, **WAYS[frame])], acceleration)


def same(ours, theirs):
    size = max(np.abs(x).max(initial=1.0) for x in theirs)
    for a, b in zip(ours, theirs, strict=True):
        assert np.abs(a - b).max(initial=0) < 1e-12 * size


TREES = [
    {"n": 7, "seed": 1},
    {"n": 7, "seed": 2, "floating": True, "fixed": 0.4},
    {"n": 8, "seed": 4, "branching": 3, "coupled": 0.5, "tails": 0.3, "fixed": 0.3},
]


@pytest.mark.sweep("numpy-n7-seed1", "numpy-n8-seed4")
@pytest.mark.parametrize("arguments", TREES, ids=lambda a: "-".join(f"{k}{v}" for k, v in a.items()))
def test_trees_have_the_link_derivatives_of_pinocchio(arguments, backend):
    model = tree_model(**arguments)
    links = [link.name for link in model.links]
    check_links(Robot(model, backend=backend), DerivativePeer(model), random_states(model, seed=5), links[::2] + links[-1:])


@pytest.mark.sweep("numpy-n7-seed1", "numpy-n8-seed4")
@pytest.mark.parametrize("arguments", TREES, ids=lambda a: "-".join(f"{k}{v}" for k, v in a.items()))
def test_trees_have_the_momentum_and_gravity_derivatives_of_pinocchio(arguments, backend):
    model = tree_model(**arguments)
    robot, peer = Robot(model, backend=backend), DerivativePeer(model)
    q, qd, qdd = random_states(model, seed=6)
    theirs = pin.computeCentroidalDynamicsDerivatives(peer.model, peer.data, peer.q(q), peer.G @ qd, peer.G @ qdd)
    ours = robot.momentum_derivatives(q, qd)
    assert error(ours.dq, theirs[0] @ peer.G) < 1e-12
    assert error(ours.dqd, theirs[3] @ peer.G) < 1e-12
    gravity = pin.computeGeneralizedGravityDerivatives(peer.model, peer.data, peer.q(q))
    assert error(robot.jvp("gravity_torques", (q,), (np.eye(model.nv),)).T, peer.G.T @ gravity @ peer.G) < 1e-12
