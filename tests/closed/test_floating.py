"""Loops on a floating base, and joints of several axes that carry freedom: coordinates are more than velocities."""

import dataclasses

import numpy as np
import pytest

import lissom
from lissom import ClosedRobot, Inertia, Joint, Link, Loop, Model, ModelError, Pose, Spring, StateError
from lissom.manifold import integrate_configuration
from support.loops import FreeBodies, Pinocchio
from support.states import error

pytestmark = pytest.mark.sweep(3)  # of the mechanisms below, each with all of its functions

BODY = Inertia(3.0, (0.05, 0.02, -0.01), np.diag([0.1, 0.2, 0.15]))


def floated(model, kind="floating"):
    """Return a mechanism whose base is a body of its own, on a joint of several axes."""
    links = (Link("world"), *(Link(link.name, BODY) if link.name == model.base else link for link in model.links))
    joints = (Joint("float", kind, "world", model.base), *model.joints)
    return dataclasses.replace(model, name="floating_" + model.name, links=links, joints=joints)


def rod_mechanism():
    """Return a crank and a rocker, joined by a rod with a ball joint at each end: the rod may spin about its own axis (x)."""
    links = (
        Link("base"),
        Link("crank", Inertia(1.0, (0.1, 0.0, 0.02), np.diag([0.002, 0.004, 0.004]))),
        Link("rod", Inertia(0.4, (0.25, 0.0, 0.0), np.diag([3e-4, 0.01, 0.01]))),
        Link("rocker", Inertia(1.5, (0.2, 0.03, 0.0), np.diag([0.003, 0.02, 0.02]))),
    )
    joints = (
        Joint("crank", "revolute", "base", "crank", axis=(0, 0, 1)),
        Joint("ball", "spherical", "crank", "rod", Pose(translation=(0.2, 0, 0))),
        Joint("rocker", "revolute", "base", "rocker", Pose(translation=(0.4, 0.1, 0.1)), (0.3, 1.0, 0.2)),
    )
    ends = Pose(translation=(0.5, 0, 0)), Pose(translation=(0.35, 0, 0))
    loop = Loop("tip", "spherical", "rod", "rocker", *ends)
    posture = {"crank": [1.0], "rocker": [-2.0]}
    return Model("rod", links, joints, loops=(loop,), active=("crank",), posture=tuple((k, tuple(v)) for k, v in posture.items()))


MODELS = {
    "floating_four_bar": lambda: floated(lissom.robots.four_bar_model()),
    "floating_five_bar": lambda: floated(lissom.robots.five_bar_model()),
    "four_bar_on_a_plane": lambda: floated(lissom.robots.four_bar_model(), "planar"),
    "four_bar_on_a_ball": lambda: floated(lissom.robots.four_bar_model(), "spherical"),
    "rod": rod_mechanism,
    "floating_rod": lambda: floated(rod_mechanism()),
}


def states(robot, count=3, seed=0):
    """Return coordinates of closed configurations around home, the base anywhere, with velocities and accelerations."""
    rng = np.random.default_rng(seed)
    x = 0.1 * rng.normal(size=(count, robot.nv))
    base = [k for k, name in enumerate(robot.velocity_names) if name.startswith("float")]
    x[:, base] *= 10
    tree = integrate_configuration(
        robot.model, robot.home_tree_q(), np.einsum("ij,nj->ni", robot.velocity_matrix(robot.home()), x)
    )
    q = robot.coordinates(tree)
    return robot.coordinates(robot.closure(q)), rng.normal(size=(count, robot.nv)), rng.normal(size=(count, robot.nv))


@pytest.fixture(scope="module", params=MODELS)
def robot(request):
    return ClosedRobot(MODELS[request.param](), backend="numpy")


@pytest.mark.sweep(1)
def test_forward_undoes_inverse(robot):
    q, qd, qdd = states(robot)
    assert error(robot.forward_dynamics(q, qd, robot.inverse_dynamics(q, qd, qdd)), qdd) < 1e-11


def test_equation_of_motion_and_energy(robot):
    q, qd, qdd = states(robot)
    M = robot.mass_matrix(q)
    tau = np.einsum("nij,nj->ni", M, qdd) + robot.bias_torques(q, qd)
    assert error(tau, robot.inverse_dynamics(q, qd, qdd)) < 1e-11
    assert error(np.einsum("ni,nij,nj->n", qd, M, qd) / 2, robot.kinetic_energy(q, qd)) < 1e-12
    assert error(robot.gravity_torques(q), robot.inverse_dynamics(q, 0 * qd, 0 * qdd)) < 1e-11


def test_coordinates_and_closure_undo_each_other(robot):
    q, _, _ = states(robot)
    tree = robot.closure(q)
    assert np.abs(robot.coordinates(tree) - q).max() < 1e-12
    assert robot.closure_error(tree).max() < 1e-14
    followed = robot.follow(q)
    assert np.abs(followed.tree_q - tree).max() < 1e-12
    # a quaternion counts by its direction, and its negative is the same rotation
    scaled = q.copy()
    for k, name in enumerate(robot.coordinate_names):
        scaled[:, k] *= -3.0 if name[-3:] in ("_qx", "_qy", "_qz", "_qw") else 1.0
    assert np.abs(robot.link_poses(scaled) - robot.link_poses(q)).max() < 1e-12
    robot.inverse_dynamics(scaled, 0 * q[:, : robot.nv], 0 * q[:, : robot.nv], tree_q=tree)  # these are coordinates of the tree


def test_velocities_are_rates_of_configurations(robot):
    q, qd, qdd = states(robot)
    tree, v, a = robot.tree_motion(q, qd, qdd)
    h = 1e-5
    there = [robot.closure(robot.coordinates(integrate_configuration(robot.model, tree, s * h * v))) for s in (1, -1)]
    ahead = integrate_configuration(robot.model, tree, h * v)
    assert np.abs(robot.link_poses(None, tree_q=there[0]) - robot.tree.link_poses(ahead)).max() < 1e-8
    speeds = [robot.tree_motion(None, qd + s * h * qdd, tree_q=x)[1] for s, x in zip((1, -1), there, strict=True)]
    assert np.abs((speeds[0] - speeds[1]) / (2 * h) - a).max() < 1e-6


def test_forces_along_a_base_are_those_of_the_tree(robot):
    """Loops push and pull between links: what the whole has to get from outside is what the tree needs."""
    base = [k for k, name in enumerate(robot.torque_names) if name.startswith("float")]
    if not base:
        pytest.skip("it stands on the ground")
    q, qd, qdd = states(robot)
    whole = robot.tree.inverse_dynamics(*robot.tree_motion(q, qd, qdd))
    assert error(robot.inverse_dynamics(q, qd, qdd)[:, base], whole[:, : len(base)]) < 1e-11


def test_wrenches_balance_at_the_base(robot):
    if robot.joint_names[0] != "float" or robot.model.joint("float").kind.nv != 6:
        pytest.skip("its base does not float")
    q, qd, qdd = states(robot)
    wrenches = robot.joint_wrenches(q, qd, qdd)
    assert wrenches.shape[1:] == (len(robot.wrench_names), 6)
    assert error(wrenches[:, 0], robot.inverse_dynamics(q, qd, qdd)[:, :6]) < 1e-10


@pytest.mark.sweep(1)
def test_derivatives_are_those_along_velocities(robot):
    q, qd, qdd = (x[0] for x in states(robot))
    found = robot.inverse_dynamics_derivatives(q, qd, qdd)
    tree, h = robot.closure(q), 1e-5
    G = robot.velocity_matrix(None, tree_q=tree)
    for k in range(robot.nv):
        sides = []
        for s in (h, -h):
            there = robot.closure(robot.coordinates(integrate_configuration(robot.model, tree, s * G[:, k])))
            sides.append(robot.inverse_dynamics(None, qd, qdd, tree_q=there))
        scale = max(np.abs(found.dq).max(), 1.0)
        assert np.abs((sides[0] - sides[1]) / (2 * h) - found.dq[:, k]).max() < 1e-6 * scale
    assert error(found.dqdd, robot.mass_matrix(q)) < 1e-10


@pytest.mark.sweep("floating_four_bar", "four_bar_on_a_plane")
def test_numpy_and_machine_code_agree(robot):
    fast = ClosedRobot(robot.model)
    q, qd, qdd = states(robot)
    tau = robot.inverse_dynamics(q, qd, qdd)
    assert error(fast.inverse_dynamics(q, qd, qdd), tau) < 1e-12
    assert error(fast.inverse_dynamics(q[0], qd[0], qdd[0]), tau[0]) < 1e-12
    assert error(fast.forward_dynamics(q, qd, tau), qdd) < 1e-11
    assert np.abs(fast.closure(q) - robot.closure(q)).max() < 1e-12


def test_pinocchio_gives_the_same_accelerations():
    for model in (rod_mechanism(), floated(rod_mechanism())):
        robot, judge = ClosedRobot(model, backend="numpy"), Pinocchio(model)
        q, qd, qdd = states(robot, 4, seed=1)
        tree, v, a = robot.tree_motion(q, qd, qdd)
        tau = np.zeros((len(q), model.nv))
        tau[:, list(robot.plan.active)] = robot.inverse_dynamics(q, qd, qdd)
        for k in range(len(q)):
            assert error(a[k], judge.accelerations(tree[k], v[k], tau[k])) < 1e-9


@pytest.mark.parametrize("name", ["floating_four_bar", "floating_five_bar"])
def test_free_bodies_give_the_same_motion(name):
    robot = ClosedRobot(MODELS[name](), backend="numpy")
    q, qd, _ = states(robot, 3, seed=2)
    drives = robot.model.active
    for k in range(len(q)):
        tau = np.zeros(len(robot.torque_names))
        tau[6:] = np.arange(1.0, 1.0 + len(drives))
        a = robot.forward_dynamics(q[k], qd[k], tau)
        tree, v, whole = robot.tree_motion(q[k], qd[k], a)
        found = FreeBodies(robot.model, tree, v).solve(dict(zip(drives, tau[6:], strict=True)))
        names = [joint.name for joint in robot.model.joints[1:]]
        assert error(whole[6:], np.array([found[n] for n in names])) < 1e-9


def test_momentum_is_conserved_in_free_fall():
    robot = ClosedRobot(floated(rod_mechanism()), backend="llvm")
    q, qd, _ = states(robot, 1)
    motion = robot.simulate(q[0], qd[0], duration=0.5)
    mass = sum(link.inertia.mass for link in robot.model.links if link.inertia)
    h = robot.tree.momentum(motion.tree_q, motion.tree_qd)
    fall = h[:, :3] - mass * motion.t[:, None] * np.array(robot.model.gravity)
    assert np.abs(fall - h[0, :3]).max() < 1e-10
    assert np.abs(h[:, 3:] - h[0, 3:]).max() < 1e-10
    assert np.ptp(motion.energy) < 1e-9
    assert motion.closure_error.max() < 1e-13
    assert motion.q.shape[1] == robot.nq and motion.qd.shape[1] == motion.tau.shape[1] == robot.nv


@pytest.mark.slow
def test_many_floating_mechanisms_move_side_by_side():
    robot = ClosedRobot(floated(lissom.robots.four_bar_model()))
    q, qd, _ = states(robot, 2)
    many = robot.simulate(q, qd, duration=0.05, method="rk4", dt=1e-3)
    for k in range(2):
        assert np.abs(many.tree_q[-1, k] - robot.simulate(q[k], qd[k], duration=0.05).tree_q[-1]).max() < 1e-7


def test_a_rod_spins_about_its_own_axis():
    """Spin moves nothing else, and needs the moment of inertia about the axis, times its acceleration."""
    robot = ClosedRobot(rod_mechanism(), backend="numpy")
    assert robot.coordinate_names == ("crank", "ball_qx", "ball_qy", "ball_qz", "ball_qw")
    assert robot.velocity_names == robot.torque_names == ("crank", "ball_wx")
    assert robot.free_names == ("ball_wx",) and robot.joint_names == ("crank", "ball")
    assert robot.passive_names == ("ball", "rocker")
    q = robot.home()
    G = robot.velocity_matrix(q)
    assert np.abs(G[:, 1] - [0, 1, 0, 0, 0]).max() < 1e-12
    still = robot.gravity_torques(q)
    spun = robot.inverse_dynamics(q, [0.0, 0.0], [0.0, 2.0])
    assert abs(spun[1] - 2.0 * 3e-4) < 1e-12 and abs(robot.mass_matrix(q)[1, 1] - 3e-4) < 1e-15
    assert abs(still[1]) < 1e-12


def test_names_and_sizes():
    robot = ClosedRobot(floated(lissom.robots.five_bar_model()), backend="numpy")
    assert (robot.nq, robot.nv) == (9, 8)
    assert robot.joint_names == ("float", "left", "right")
    assert robot.coordinate_names[:3] == ("float_x", "float_y", "float_z") and robot.coordinate_names[-2:] == ("left", "right")
    assert robot.torque_names == robot.velocity_names
    assert robot.free_names == ("float_vx", "float_vy", "float_vz", "float_wx", "float_wy", "float_wz")
    assert repr(robot).endswith("1 loop, nq = 9, nv = 8, 2 drives, 6 free velocities>")
    with pytest.raises(StateError, match="q has size 8, expected nq = 9"):
        robot.inverse_dynamics(np.zeros(8), np.zeros(8), np.zeros(8))
    with pytest.raises(StateError, match=r"torque has shape \(2,\), expected \(8,\) .* those of float_vx, .*, left, right"):
        robot.simulate(robot.home(), np.zeros(8), 0.1, [1.0, 2.0])
    q = robot.home()
    q[3:7] = 0.0
    with pytest.raises(StateError, match="the quaternion of joint 'float' is zero"):
        robot.inverse_dynamics(q, np.zeros(8), np.zeros(8))
    q = robot.home()
    for size in (1e200, 1e-200):
        scaled = np.concatenate([q[:3], size * q[3:7], q[7:]])
        assert (robot.inverse_dynamics(scaled, np.zeros(8), np.zeros(8)) == robot.gravity_torques(q)).all()
    q[4] = np.inf
    with pytest.raises(StateError, match="inf for joint 'float_qy'"):
        robot.inverse_dynamics(q, np.zeros(8), np.zeros(8))
    with pytest.raises(StateError, match="nan for joint 'float_x'"):
        robot.closure(np.full(9, np.nan))


def test_a_base_is_put_where_the_posture_says():
    """Assembly tries other starts where one does not close the loops; the base is none of its business."""
    model = floated(lissom.robots.five_bar_model())
    posture = dict(model.posture) | {"float": (1.0, 2.0, 3.0, 0.0, 0.0, 0.6, 0.8), "left_elbow": (3.0,), "right_elbow": (3.0,)}
    robot = ClosedRobot(dataclasses.replace(model, posture=tuple(posture.items())), backend="numpy")
    assert (robot.home()[:7] == [1.0, 2.0, 3.0, 0.0, 0.0, 0.6, 0.8]).all()


def test_joints_on_springs_need_no_drive():
    model = lissom.robots.five_bar_model()
    sprung = model.with_joints(lambda j: dataclasses.replace(j, spring=Spring(10.0)) if j.name == "left_elbow" else j)
    robot = ClosedRobot(sprung.replace(active=("left",)), backend="numpy")
    assert robot.velocity_names == ("left", "left_elbow") and robot.free_names == ("left_elbow",)


def test_a_mechanism_without_joints_to_drive_needs_no_active_ones():
    """A four-bar linkage with a brace is one body: it falls."""
    model = floated(lissom.robots.four_bar_model())
    home = ClosedRobot(model, backend="numpy").home_tree_q()
    poses = ClosedRobot(model, backend="numpy").tree.link_poses(home)
    place = {link.name: k for k, link in enumerate(model.links)}
    relative = np.linalg.inv(poses[place["base"]]) @ poses[place["crank"]]
    brace = Loop("brace", "rigid", "base", "crank", Pose(relative[:3, :3], tuple(relative[:3, 3])))
    robot = ClosedRobot(model.replace(loops=(*model.loops, brace), active=None), backend="numpy")
    assert robot.mobility().degrees_of_freedom == robot.nv == 6 and robot.joint_names == ("float",)
    fall = robot.forward_dynamics(robot.home(), np.zeros(6), np.zeros(6))
    assert np.abs(fall - [*model.gravity, 0, 0, 0]).max() < 1e-12


def test_drives_that_are_missing_are_named_and_the_advice_works():
    model = floated(lissom.robots.five_bar_model())
    with pytest.raises(ModelError, match="still move; make 'left_elbow' active too.*active=\\['left', 'left_elbow'\\]"):
        ClosedRobot(model.replace(active=("left",))).nq  # noqa: B018
    assert ClosedRobot(model.replace(active=("left", "left_elbow"))).nv == 8
    with pytest.raises(ModelError, match="active=\\['crank'\\]"):
        ClosedRobot(rod_mechanism().replace(active=())).nq  # noqa: B018
    with pytest.raises(ModelError, match="active joint 'float' is floating; only joints of one axis.*without being named"):
        model.replace(active=("float", "left", "right"))


def test_floating_coordinates_step_and_have_derivatives():
    """The base turns on its sphere; directions are velocities."""
    robot = ClosedRobot(floated(lissom.robots.five_bar_model()), backend="numpy")
    q, qd, qdd = (x[0] for x in states(robot, 1, seed=4))
    v = np.random.default_rng(8).normal(size=robot.nv)
    there = robot.integrate(q, v, 0.3)
    tree = integrate_configuration(robot.model, robot.closure(q), robot.velocity_matrix(q) @ (0.3 * v))
    base = [k for k, name in enumerate(robot.coordinate_names) if name.startswith("float")]
    assert error(there[base], robot.coordinates(tree)[base]) < 1e-14
    assert error(robot.difference(q, there), 0.3 * v) < 1e-12
    h = 1e-5
    for name, state in (("inverse_dynamics", (q, qd, qdd)), ("momentum", (q, qd)), ("center_of_mass", (q,))):
        ahead, back = (getattr(robot, name)(robot.integrate(q, v, s), *state[1:]) for s in (h, -h))
        along = robot.jvp(name, state, {"q": v})
        assert error(along, (ahead - back) / (2 * h)) < 1e-7
        weights = np.random.default_rng(9).normal(size=along.shape)
        assert abs(robot.vjp(name, state, weights).dq @ v - weights @ along) < 1e-9 * max(1.0, np.abs(weights @ along))


def test_a_rod_that_spins_has_no_step_of_its_own():
    robot = ClosedRobot(rod_mechanism(), backend="numpy")
    with pytest.raises(StateError, match="joint 'ball' moves freely along some of its velocities only, and the loops decide"):
        robot.integrate(robot.home(), np.zeros(robot.nv))
