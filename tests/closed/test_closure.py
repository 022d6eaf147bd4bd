"""Closure: assembly, branches, continuation, velocities and accelerations, mobility, singular poses."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lissom
from lissom import ClosedRobot, Joint, Link, Loop, Model, Pose, SingularityError, StateError
from lissom.closed.assembly import assemble, start_configuration
from lissom.closed.constraints import Constraints
from lissom.manifold import integrate_configuration
from support.loops import planar_loop, some_inertia, spatial_loop

KINDS = ("revolute", "prismatic", "spherical", "universal", "rigid")


@pytest.fixture(scope="module")
def stewart():
    return lissom.robots.gough_stewart()


@settings(max_examples=15)
@given(st.integers(0, 10_000), st.sampled_from(KINDS))
def test_equations_of_every_kind_have_the_derivatives_that_differences_have(seed, kind):
    model = spatial_loop(seed, kind, (2, 2))
    constraints = Constraints(model, "numpy")
    rng = np.random.default_rng(seed)
    q = integrate_configuration(model, start_configuration(model, None), rng.normal(size=model.nv))
    h, steps = 1e-6, np.eye(model.nv)
    ahead, back = (constraints.residual(integrate_configuration(model, q, sign * h * steps)) for sign in (1, -1))
    assert np.abs(constraints.jacobian(q) - ((ahead - back) / (2 * h)).T).max() < 1e-8


@pytest.mark.slow
@settings(max_examples=10)
@given(st.integers(0, 10_000), st.sampled_from(KINDS))
def test_motions_of_spatial_loops_keep_them_closed(seed, kind):
    """Velocities and accelerations of the tree, integrated over a short time, leave every loop closed to fourth order."""
    model = spatial_loop(seed, kind, (4, 4))
    constraints = Constraints(model, "numpy")
    try:
        q = assemble(constraints, start_configuration(model, None))
    except StateError:
        return  # limbs that do not reach each other
    single = [joint.name for joint in model.independent_joints if joint.kind.nv == 1]
    try:
        robot = ClosedRobot(model.replace(active=tuple(single)), backend="numpy", posture=q)
        rng = np.random.default_rng(seed)
        qd, qdd = rng.normal(size=(2, robot.nq))
        tree, v, a = robot.tree_motion(None, qd, qdd, tree_q=q)
    except (lissom.ModelError, StateError):
        return  # under-actuated, or a pose that is singular
    K = constraints.scaled(q)
    scale = np.abs(v).max()
    assert np.abs(K @ (v / constraints.column_units)).max() < 1e-8 * scale
    gaps = []
    for h in (1e-3, 5e-4):
        # q (+) (v h + a h^2 / 2) is the motion to second order, for turns in space too
        gaps.append(constraints.error(integrate_configuration(model, q, v * h + a * h * h / 2)))
    assert gaps[1] < gaps[0] / 6 + 1e-13 or gaps[0] < 1e-9


def test_branches_of_a_four_bar():
    """A crank angle has two assemblies: rocker up and down, mirrored about the diagonal."""
    robot = lissom.robots.four_bar()
    found = robot.branches([1.0])
    assert len(found) == 2
    assert np.abs(found[0] - robot.closure([1.0])).max() < 1e-9
    for tree in found:
        assert robot.closure_error(tree) < 1e-14
        again = robot.closure([1.3], near=tree)
        assert np.abs(again - tree).max() < 0.8
        assert robot.closure_error(again) < 1e-14
    other = robot.assemble([1.0], {"crank_joint": 1.0, "coupler_joint": -2.0, "rocker_joint": -1.0})
    assert np.abs(np.exp(1j * other) - np.exp(1j * found[1])).max() < 1e-9
    assert robot.inverse_dynamics([1.0], [0.0], [0.0], near=other) != robot.inverse_dynamics([1.0], [0.0], [0.0])


@pytest.mark.slow
def test_continuation_takes_at_most_five_steps(stewart):
    t = np.linspace(0.0, 1.0, 200)[:, None]
    path = stewart.home() + 0.3 * np.sin(2 * np.pi * t * np.array([1, 2, 1, 2, 1, 2]) + np.arange(6)) * t
    followed = stewart.follow(path)
    assert followed.iterations.max() <= 5
    assert stewart.closure_error(followed.tree_q).max() < 1e-12
    assert np.abs(stewart.coordinates(followed.tree_q) - path).max() < 1e-12


def test_a_whole_turn_of_the_crank():
    robot = lissom.robots.four_bar()
    followed = robot.follow(np.linspace(1.0, 1.0 + 2 * np.pi, 100)[:, None])
    assert followed.iterations.max() <= 5
    assert np.abs(np.exp(1j * followed.tree_q[-1]) - np.exp(1j * followed.tree_q[0])).max() < 1e-11


def test_batches_have_any_leading_axes(stewart):
    q = stewart.home() + 0.02 * np.random.default_rng(0).normal(size=(2, 3, 6))
    tree = stewart.closure(q)
    assert tree.shape == (2, 3, stewart.model.nq)
    assert (stewart.closure(q[1, 2]) == tree[1, 2]).all() or np.abs(stewart.closure(q[1, 2]) - tree[1, 2]).max() < 1e-14


def test_velocity_matrix_is_the_derivative_of_the_closure(stewart):
    q, h = stewart.home() + 0.05, 1e-6
    G = stewart.velocity_matrix(q)
    tree = stewart.closure(q)
    for k, e in enumerate(np.eye(6)):
        from lissom.manifold import configuration_difference

        step = configuration_difference(stewart.model, stewart.closure(q - h * e), stewart.closure(q + h * e)) / (2 * h)
        assert np.abs(G[:, k] - step).max() < 1e-8
    v = G @ np.arange(6.0)
    assert np.abs(stewart.constraints.jacobian(tree) @ v).max() < 1e-12


def test_mobility_of_known_mechanisms():
    for name, (loops, equations, independent, dof) in {
        "four_bar": (1, 5, 2, 1),
        "slider_crank": (1, 5, 2, 1),
        "five_bar": (1, 5, 2, 2),
        "delta": (3, 9, 9, 3),
        "gough_stewart": (6, 18, 18, 6),
    }.items():
        m = getattr(lissom.robots, name)().mobility()
        assert (m.loops, m.equations, m.independent, m.degrees_of_freedom) == (loops, equations, independent, dof)
        assert len(m.redundant) == equations - independent
        assert not m.singular
    planar = lissom.robots.four_bar().mobility()
    assert any("sliding along (0, -1, 0)" in text for text in planar.redundant)
    assert "1 degree of freedom" in str(planar)


def test_a_spatial_linkage_that_counting_says_cannot_move():
    """Bennett's linkage: four revolute joints in space, a / sin(alpha) = b / sin(beta), one degree of freedom."""
    a, alpha, beta = 1.0, 0.7, 1.2
    b = a * np.sin(beta) / np.sin(alpha)
    turn = lambda x: Pose(np.array([[1, 0, 0], [0, np.cos(x), -np.sin(x)], [0, np.sin(x), np.cos(x)]]))  # noqa: E731
    step = [
        Pose(translation=(length, 0.0, 0.0)) @ turn(angle) for length, angle in ((a, alpha), (b, beta), (a, alpha), (b, beta))
    ]
    rng = np.random.default_rng(0)
    links = [Link("base"), *(Link(f"l{k}", some_inertia(rng)) for k in (1, 2, 3))]
    joints = [Joint("j1", "revolute", "base", "l1", step[3])]
    joints += [Joint(f"j{k}", "revolute", f"l{k - 1}", f"l{k}", step[k - 2]) for k in (2, 3)]
    loop = Loop("j4", "revolute", "l3", "base", step[2])
    model = Model(
        "bennett", tuple(links), tuple(joints), loops=(loop,), active=("j1",), posture={"j1": 1.0, "j2": -1.0, "j3": 1.0}
    )
    robot = ClosedRobot(model)
    m = robot.mobility()
    assert (m.equations, m.independent, m.degrees_of_freedom, len(m.redundant)) == (5, 2, 1, 3)
    q = robot.home()
    path = robot.follow(q + np.linspace(0, 0.5, 20)[:, None])
    assert robot.closure_error(path.tree_q).max() < 1e-12
    tau = robot.inverse_dynamics(q, [1.0], [2.0])
    assert abs(robot.forward_dynamics(q, [1.0], tau) - 2.0) < 1e-9


@pytest.mark.slow
def test_a_platform_that_turns_out_to_translate_only():
    """A Delta with a free platform and universal joints at both ends of its forearms: the same forces as with sliders."""
    simple = lissom.robots.delta()
    model = simple.model
    joints = [Joint("pose", "floating", "base", "platform"), *model.joints[3:]]
    links = [link for link in model.links if not link.name.startswith("slide")]
    loops = []
    for k, loop in enumerate(model.loops):
        turn = np.array(model.joint(f"drive_{k + 1}").origin.rotation)
        # at the tip z of the forearm is the axis of its lateral swing, y of the leg's frame that of the arm
        loops.append(
            Loop(
                loop.name,
                "universal",
                loop.first,
                loop.second,
                loop.first_pose,
                Pose(turn, loop.second_pose.translation),
                axis=(0, 0, 1),
                second_axis=(0, 1, 0),
            )
        )
    home = simple.home_tree_q()
    posture = {name: values for name, values in model.posture if name != "z"} | {"pose": (0, 0, home[2], 0, 0, 0, 1)}
    full = ClosedRobot(Model("delta_full", tuple(links), tuple(joints), loops=tuple(loops), active=model.active, posture=posture))
    m = full.mobility()
    assert (m.velocities, m.independent, m.degrees_of_freedom) == (15, 12, 3)
    rng = np.random.default_rng(0)
    q, qd, qdd = simple.home() + 0.1 * rng.normal(size=(4, 3)), rng.normal(size=(4, 3)), rng.normal(size=(4, 3))
    tree, v, _ = full.tree_motion(q, qd)
    place = full.tree.link_pose(tree, "platform")
    assert np.abs(place[:, :3, :3] - np.eye(3)).max() < 1e-12
    assert np.abs(full.inverse_dynamics(q, qd, qdd) - simple.inverse_dynamics(q, qd, qdd)).max() < 1e-10


def test_singular_pose_of_a_five_bar_is_reported_with_its_direction():
    """Forearms in one line: the drives do not hold the pin, which can move across them."""
    base, arm, forearm = 0.3, 0.25, 0.35
    robot = lissom.robots.five_bar(base, arm, forearm)
    # elbows 2 * forearm apart, at equal height
    half = np.arccos((forearm - base / 2) / arm)
    q = np.array([np.pi - half, half])
    tree = robot.assemble(
        posture={"left": q[0], "right": q[1], "left_elbow": half - np.pi + 1e-3, "right_elbow": np.pi - half - 1e-3}
    )
    tree = np.array([q[0], -q[0], q[1], np.pi - q[1]])  # forearms along x
    assert robot.closure_error(tree) < 1e-12
    with pytest.raises(SingularityError, match="do not hold the robot") as caught:
        robot.inverse_dynamics(None, [0.0, 0.0], [1.0, 1.0], tree_q=tree)
    lost = caught.value.singularity
    assert lost.kind == "drive" and set(lost.joints) == {"left_elbow", "right_elbow"}
    assert abs(lost.direction_of("left_elbow") + lost.direction_of("right_elbow")) < 1e-9
    with pytest.raises(SingularityError, match=r"sample \(1,\)"):
        robot.inverse_dynamics(None, np.zeros((2, 2)), np.zeros((2, 2)), tree_q=np.stack([robot.home_tree_q(), tree]))
    assert robot.singularity(robot.home()).kind == "none"


@pytest.mark.slow
def test_singular_pose_of_a_platform(stewart):
    """A platform turned by 90 degrees about the vertical: the lines of its legs depend on each other (Fichter 1986)."""
    x = stewart.home_pose().copy()
    x[3:] = [0.0, 0.0, np.sin(np.pi / 4), np.cos(np.pi / 4)]
    tree = stewart.leg_configuration(x)
    found = stewart.singularity(tree_q=tree)
    assert found.kind == "drive" and found.margin < 1e-9
    with pytest.raises(SingularityError):
        stewart.inverse_dynamics(None, np.zeros(6), np.zeros(6), tree_q=tree)
    assert stewart.singularity(stewart.home()).margin > 0.05


@pytest.mark.slow
def test_open_loops_say_which_and_by_how_much():
    model = lissom.robots.four_bar_model()
    with pytest.raises(StateError, match="loop 'tip' stays open by 0.2"):
        ClosedRobot(lissom.robots.four_bar_model(crank=0.1, coupler=0.2, rocker=0.2, ground=0.75)).home()
    robot = lissom.robots.five_bar()
    with pytest.raises(StateError, match="loop 'pin' stays open by"):
        robot.inverse_dynamics([np.pi, 0.0], [0.0, 0.0], [0.0, 0.0])
    with pytest.raises(StateError, match=r"sample \(1,\).*loop 'pin'"):
        robot.closure([robot.home(), [np.pi, 0.0]])
    with pytest.raises(StateError, match="does not close the loops: loop 'tip' is open by"):
        ClosedRobot(model).closure([1.0], near=[0.0, 0.0, 0.0])


@pytest.mark.parametrize("n", [4, 5])
def test_planar_polygons_of_any_direction(n):
    robot = ClosedRobot(planar_loop(11, n, active=("joint_1", "joint_0")[: n - 3]))
    assert robot.mobility().degrees_of_freedom == n - 3
    assert np.abs(robot.home()).max() < 1e-12


def test_coordinates_of_a_singular_pose_tell_what_is_lost():
    """Both forearms of a five-bar in one line: two branches meet, and its pin moves although both arms are held."""
    robot = lissom.robots.five_bar()
    left = np.pi - np.arccos(0.2 / 0.25)
    for call in (robot.closure, lambda q: robot.inverse_dynamics(q, [0.0, 0.0], [1.0, 1.0])):
        with pytest.raises(
            lissom.SingularityError, match=r"of sample \(1,\) is singular at left = 2.49.*it can move along"
        ) as found:
            call([robot.home(), [left, np.pi - left]])
        assert set(found.value.singularity.joints) == {"left_elbow", "right_elbow"}


@pytest.mark.slow
def test_a_crank_may_have_turned_many_times():
    robot = lissom.robots.four_bar()
    one, many = robot.closure([1.3]), robot.closure([1.3 + 2 * np.pi * 80])
    turns = (many - one) / (2 * np.pi)
    assert np.abs(turns - turns.round()).max() < 1e-11
    with pytest.raises(lissom.StateError, match="too far from home to be followed"):
        robot.closure([1e6])


@pytest.mark.parametrize("angle", [1e-3, 1e-5, 3e-6, 1e-6, 1e-7, 1e-8, 1e-10])
def test_near_a_pose_where_loops_lose_an_equation_forces_are_right_or_refused(angle):
    """A parallelogram almost in one line: the rocker turns as the crank does, and the coupler does not turn at all."""
    model = lissom.robots.four_bar_model(crank=0.2, coupler=0.5, rocker=0.2, ground=0.5)
    posture = (("crank_joint", (1.0,)), ("coupler_joint", (-1.0,)), ("rocker_joint", (1.0,)))
    robot = lissom.ClosedRobot(model.replace(posture=posture))
    exact = 9.81 * 0.2 * np.cos(angle) * (1.0 / 2 + 2.0 + 1.5 / 2)  # weights of crank, coupler, rocker
    try:
        tau = robot.inverse_dynamics([angle], [-8.0], [0.0])
    except lissom.SingularityError as error:
        assert angle < 1e-5 and "the loops lose an equation" in str(error)
    else:
        assert tau[0] == pytest.approx(exact, rel=1e-3)
