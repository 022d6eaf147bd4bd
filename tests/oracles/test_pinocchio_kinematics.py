"""Pinocchio as judge of kinematics, energies, momenta and the Coriolis matrix."""

import numpy as np
import pytest

import lissom
from lissom import Robot
from lissom.read.urdf import read_urdf
from lissom.robots import tree_model
from support.published import FILES, IDS
from support.states import error, random_states

pin = pytest.importorskip("pinocchio")
from support.peer import Peer  # noqa: E402

pytestmark = [pytest.mark.sweep(3), pytest.mark.filterwarnings("ignore::lissom.errors.ModelWarning")]
TOLERANCE = 1e-12
ROOT = {"fixed": (), "floating": (pin.JointModelFreeFlyer(),)}
FRAMES = pin.ReferenceFrame
WAYS = {
    FRAMES.LOCAL: {"axes": "link"},
    FRAMES.LOCAL_WORLD_ALIGNED: {"axes": "world"},
    FRAMES.WORLD: {"axes": "world", "point": "origin"},
}


class KinematicPeer(Peer):
    """Pinocchio's answers about links, or points of them: each link is a frame of its model."""

    def __init__(self, model, theirs=None, point=(0.0, 0.0, 0.0)):
        super().__init__(model, theirs)
        self.ids_of_links = {}
        for link, (index, pose) in self.places.items():
            placement = pose * pin.SE3(np.eye(3), np.array(point))
            frame = pin.Frame(f"lissom {link}", index, 0, placement, pin.FrameType.OP_FRAME)
            self.ids_of_links[link] = self.model.addFrame(frame, False)
        self.data = self.model.createData()

    def at(self, q, qd=None, qdd=None):
        n = self.lissom.nv
        qd, qdd = (np.zeros(n) if x is None else x for x in (qd, qdd))
        pin.forwardKinematics(self.model, self.data, self.q(q), self.G @ qd, self.G @ qdd)
        pin.updateFramePlacements(self.model, self.data)
        return self.model, self.data

    def pose(self, link):
        return self.data.oMf[self.ids_of_links[link]].homogeneous

    def velocity(self, link, frame):
        return pin.getFrameVelocity(self.model, self.data, self.ids_of_links[link], frame).vector

    def acceleration(self, link, frame, classical):
        get = pin.getFrameClassicalAcceleration if classical else pin.getFrameAcceleration
        return get(self.model, self.data, self.ids_of_links[link], frame).vector

    def jacobian(self, q, link, frame):
        if not self.places[link][0]:  # Pinocchio reads beyond its arrays for what never moves
            return np.zeros((6, self.lissom.nv))
        pin.computeJointJacobians(self.model, self.data, self.q(q))
        pin.updateFramePlacements(self.model, self.data)
        return pin.getFrameJacobian(self.model, self.data, self.ids_of_links[link], frame) @ self.G

    def jacobian_rate(self, q, qd, link, frame):
        if not self.places[link][0]:
            return np.zeros((6, self.lissom.nv))
        pin.computeJointJacobiansTimeVariation(self.model, self.data, self.q(q), self.G @ qd)
        pin.updateFramePlacements(self.model, self.data)
        return pin.getFrameJacobianTimeVariation(self.model, self.data, self.ids_of_links[link], frame) @ self.G


def load(file, base, mimic=False):
    model = read_urdf(file, base=base, mimic=mimic)
    return model, KinematicPeer(model, pin.buildModelFromUrdf(str(file), *ROOT[base]))


def kinetic_energy(model, data, x, v):
    """Return Pinocchio's energy with that of all rotors; its own sum leaves out those of unaligned revolute joints."""
    rotors = model.armature.copy()
    model.armature = 0 * rotors
    without = pin.computeKineticEnergy(model, data, x, v)
    model.armature = rotors
    return without + 0.5 * rotors @ v**2


def check_whole(robot, peer, q, qd):
    """Compare what concerns the whole robot at states (N, n)."""
    model, data, G = peer.model, peer.data, peer.G
    states = [(peer.q(x), G @ v) for x, v in zip(q, qd, strict=True)]
    theirs = {name: [] for name in ("kinetic", "potential", "com", "jacobian", "momentum", "matrix", "coriolis")}
    for x, v in states:
        theirs["kinetic"].append(kinetic_energy(model, data, x, v))
        theirs["potential"].append(pin.computePotentialEnergy(model, data, x))
        theirs["com"].append(pin.centerOfMass(model, data, x).copy())
        theirs["jacobian"].append(pin.jacobianCenterOfMass(model, data, x) @ G)
        pin.ccrba(model, data, x, v)
        theirs["momentum"].append(data.hg.vector.copy())
        theirs["matrix"].append(data.Ag @ G)
        theirs["coriolis"].append(G.T @ pin.computeCoriolisMatrix(model, data, x, v) @ G)
    ours = {
        "kinetic": robot.kinetic_energy(q, qd),
        "potential": robot.potential_energy(q),
        "com": robot.center_of_mass(q),
        "jacobian": robot.center_of_mass_jacobian(q),
        "momentum": robot.momentum(q, qd),
        "matrix": robot.centroidal_momentum_matrix(q),
        "coriolis": robot.coriolis_matrix(q, qd),
    }
    for name, value in ours.items():
        assert error(value, np.array(theirs[name])) < TOLERANCE, name
    assert robot.total_mass == pytest.approx(pin.computeTotalMass(model), rel=1e-14)


def check_links(robot, peer, q, qd, qdd, links, point=None):
    """Compare the motion of links at one state; sizes are those of the robot, not of one link."""
    peer.at(q, qd, qdd)
    for frame, way in WAYS.items():
        if point is not None and frame == FRAMES.WORLD:
            continue
        more = way if point is None else {**way, "point": point}
        theirs = {
            link: [peer.velocity(link, frame), *(peer.acceleration(link, frame, c) for c in (True, False))] for link in links
        }
        sizes = [max(1.0, *(np.abs(x[k]).max() for x in theirs.values())) for k in range(3)]
        for link in links:
            ours = [
                robot.link_velocity(q, qd, link, **more),
                robot.link_acceleration(q, qd, qdd, link, **more),
                robot.link_acceleration(q, qd, qdd, link, classical=False, **more),
            ]
            for a, b, size in zip(ours, theirs[link], sizes, strict=True):
                assert np.abs(a - b).max() < TOLERANCE * size, (link, frame)
        for link in links:
            far = np.abs(robot.jacobian(q, link, **more) - peer.jacobian(q, link, frame)).max(initial=0)
            assert far < TOLERANCE * 10, (link, frame)
            rate = peer.jacobian_rate(q, qd, link, frame) @ qd
            ours = robot.jacobian_rate_product(q, qd, link, **more)
            assert np.abs(ours - rate).max() < TOLERANCE * max(sizes[1:]), (link, frame)


@pytest.mark.sweep("ur5_robot.urdf-fixed", "a1.urdf-floating", "z1.urdf-floating")
@pytest.mark.parametrize("base", ["fixed", "floating"])
@pytest.mark.parametrize("file", FILES, ids=IDS)
def test_published_robots_have_the_energies_momenta_and_coriolis_matrix_of_pinocchio(file, base):
    model, peer = load(file, base)
    if not peer.model.nv or not pin.computeTotalMass(peer.model):
        pytest.skip("nothing moves")
    q, qd, _ = random_states(model, 3, seed=1)
    check_whole(Robot(model, backend="numpy"), peer, q, qd)


@pytest.mark.sweep("z1.urdf-fixed", "a1.urdf-floating")
@pytest.mark.parametrize("base", ["fixed", "floating"])
@pytest.mark.parametrize("file", FILES, ids=IDS)
def test_published_robots_have_the_links_of_pinocchio(file, base):
    model, peer = load(file, base)
    robot = Robot(model, backend="numpy")
    q, qd, qdd = random_states(model, seed=2)
    peer.at(q)
    poses = robot.link_poses(q)
    assert np.abs(poses - [peer.pose(link) for link in robot.link_names]).max() < TOLERANCE * max(1, np.abs(poses).max())
    links = [link.name for link in model.links]
    check_links(robot, peer, q, qd, qdd, [links[k] for k in np.linspace(0, len(links) - 1, 4).astype(int)])


MIMICS = [file for file in FILES if "<mimic" in file.read_text(errors="replace")]


@pytest.mark.slow
@pytest.mark.parametrize("file", MIMICS, ids=[file.name for file in MIMICS])
def test_mimic_joints_move_links_and_matter_as_in_the_projected_robot(file):
    model, peer = load(file, "floating", mimic=True)
    robot = Robot(model, backend="numpy")
    q, qd, qdd = random_states(model, 2, seed=4)
    check_whole(robot, peer, q, qd)
    followers = [joint.child for joint in model.joints if joint.coupling is not None]
    check_links(robot, peer, q[0], qd[0], qdd[0], followers[-1:] or [model.links[-1].name])


SMALL = [file for file in FILES if file.name in ("panda.urdf", "ur5_robot.urdf", "solo12.urdf")]


@pytest.mark.sweep("ur5_robot.urdf-fixed")
@pytest.mark.parametrize("base", ["fixed", "floating"])
@pytest.mark.parametrize("file", SMALL, ids=[file.name for file in SMALL])
def test_compiled_robots_agree_with_pinocchio(file, base):
    model, peer = load(file, base)
    robot = Robot(model, backend="llvm")
    q, qd, qdd = random_states(model, 9, seed=3)
    check_whole(robot, peer, q, qd)
    check_links(robot, peer, q[0], qd[0], qdd[0], [model.links[-1].name])
    poses = robot.link_poses(q)
    for k, x in enumerate(q):
        peer.at(x)
        assert np.abs(poses[k] - [peer.pose(link) for link in robot.link_names]).max() < TOLERANCE


TREES = [
    {"n": 8, "seed": 1},
    {"n": 9, "seed": 2, "floating": True, "fixed": 0.4},
    {"n": 7, "seed": 3, "branching": 1, "tails": 0.6},
    {"n": 10, "seed": 4, "branching": 3, "coupled": 0.5, "tails": 0.3, "fixed": 0.3},
    {"n": 7, "seed": 5, "branching": 1, "coupled": 0.5, "tails": 0.5, "fixed": 0.5},
]


@pytest.mark.sweep("numpy-n8-seed1")
@pytest.mark.parametrize("arguments", TREES, ids=lambda a: "-".join(f"{k}{v}" for k, v in a.items()))
def test_trees_of_every_joint_agree_with_pinocchio(arguments, backend):
    model = tree_model(**arguments)
    robot, peer = Robot(model, backend=backend), KinematicPeer(model)
    q, qd, qdd = random_states(model, 5, seed=5)
    check_whole(robot, peer, q, qd)
    links = [link.name for link in model.links]
    check_links(robot, peer, q[0], qd[0], qdd[0], links if backend == "numpy" else [links[0], links[-1]])


@pytest.mark.sweep("llvm-n8-seed1", "numpy-n7-seed5")
@pytest.mark.parametrize("arguments", TREES, ids=lambda a: "-".join(f"{k}{v}" for k, v in a.items()))
def test_points_of_links_agree_with_pinocchio(arguments, backend):
    model, point = tree_model(**arguments), np.array([0.3, -0.2, 0.5])
    robot, peer = Robot(model, backend=backend), KinematicPeer(model, point=point)
    links = [link.name for link in model.links]
    check_links(robot, peer, *random_states(model, seed=6), links if backend == "numpy" else [links[-1]], point)


def test_what_is_fixed_to_the_base_is_not_counted_as_in_pinocchio():
    file = next(file for file in FILES if file.name == "ur5_robot.urdf")
    robot = lissom.load(file)
    heavy = [link.inertia.mass for link in robot.model.links if link.inertia is not None]
    theirs = pin.computeTotalMass(pin.buildModelFromUrdf(str(file)))
    assert robot.total_mass == pytest.approx(theirs, rel=1e-14)
    assert robot.total_mass < sum(heavy) - 1.0
    assert lissom.load(file, base="floating").total_mass == pytest.approx(sum(heavy), rel=1e-14)
