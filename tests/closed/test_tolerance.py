"""Over-constrained linkages with rounded lengths: a closure tolerance, least squares, and what is left open."""

import dataclasses
import re

import numpy as np
import pytest
from typer.testing import CliRunner

import lissom
from lissom import ClosedRobot, Inertia, Joint, Link, Loop, Model, ModelError, Pose, Robot, StateError
from lissom.algorithms.closed.cut_joint import ROWS, Meeting
from lissom.algorithms.dynamics.rnea import rnea
from lissom.cli.app import app
from lissom.manifold import integrate_configuration
from lissom.model import LoopKind
from lissom.tree import lump
from support.loops import spatial_loop
from support.states import error


def about_x(angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])


def bennett(digits=None):
    """Return Bennett's linkage, four revolute joints in a loop that moves, as a / sin alpha = b / sin beta."""
    a, b, alpha = 0.3, 0.4, 0.7
    beta = np.arcsin(b * np.sin(alpha) / a)
    if digits is not None:
        alpha, beta = round(alpha, digits), round(beta, digits)
    links = [Link("base"), *(Link(f"l{k}", Inertia(1.0, (0.1, 0.02, 0.01), np.diag([0.01, 0.02, 0.015]))) for k in (1, 2, 3))]
    ends = [Pose(about_x(alpha), (a, 0, 0)), Pose(about_x(beta), (b, 0, 0))] * 2
    joints = [Joint(f"j{k}", "revolute", links[k].name, links[k + 1].name, Pose() if k == 0 else ends[k - 1]) for k in range(3)]
    loop = Loop("end", "revolute", "l3", "base", ends[2], ends[3].inverse())
    posture = (("j0", (0.8,)), ("j1", (2.0,)), ("j2", (-0.8,)))
    return Model("bennett", tuple(links), tuple(joints), loops=(loop,), active=("j0",), posture=posture)


def tilted_four_bar(size=1e-4):
    """Return a planar linkage of which one axis is written with few digits."""
    model = lissom.robots.four_bar_model()
    tilt = Pose(about_x(size))
    joints = [dataclasses.replace(j, origin=j.origin @ tilt) if j.name == "coupler_joint" else j for j in model.joints]
    return dataclasses.replace(model, joints=tuple(joints))


def test_rounded_linkages_are_refused_with_the_size_of_the_gap_and_the_advice_works():
    with pytest.raises(ModelError, match=r"cannot move.*equations weighs 2e-05.*closure_tolerance=\S+ \[m\]") as caught:
        ClosedRobot(bennett(3)).nq  # noqa: B018
    advised = float(re.search(r"closure_tolerance=(\S+)", str(caught.value)).group(1))
    robot = ClosedRobot(bennett(3), backend="numpy", closure_tolerance=advised)
    assert robot.nq == 1 and robot.inverse_dynamics(robot.home(), [1.0], [1.0]).shape == (1,)
    with pytest.raises(StateError, match=r"stays open by 0.00\d+ m.* at best.*closure_tolerance=0.00\d+ \[m\]") as caught:
        ClosedRobot(offset_four_bar()).nq  # noqa: B018
    advised = float(re.search(r"closure_tolerance=(\S+)", str(caught.value)).group(1))
    assert ClosedRobot(offset_four_bar(), closure_tolerance=advised).nq == 1
    assert "not usable: the loops of 'four_bar' cannot be closed here" in repr(ClosedRobot(offset_four_bar()))


def offset_four_bar(size=1e-3):
    """Return a planar linkage whose cut joint does not lie in the plane."""
    model = lissom.robots.four_bar_model()
    (loop,) = model.loops
    p = np.array(loop.second_pose.translation) + size * np.array(loop.axis)
    return dataclasses.replace(model, loops=(dataclasses.replace(loop, second_pose=Pose(loop.second_pose.rotation, tuple(p))),))


def test_a_rounded_linkage_moves_as_the_exact_one():
    exact, rounded = ClosedRobot(bennett(), backend="numpy"), ClosedRobot(bennett(3), backend="numpy", closure_tolerance=1e-4)
    assert rounded.mobility().redundant == exact.mobility().redundant
    assert 1e-6 < rounded.closure_residual() < 1e-4 and exact.closure_residual() < 1e-15
    q = np.array([[0.7], [0.8], [1.0]])
    assert np.abs(rounded.closure(q) - exact.closure(q)).max() < 2e-3
    tau = exact.inverse_dynamics(q, [1.0], [0.5])
    assert 1e-6 < error(rounded.inverse_dynamics(q, [1.0], [0.5]), tau) < 2e-3
    assert (rounded.closure_residual(q) < 1e-4).all() and rounded.is_closed(rounded.closure(q)).all()
    assert "closed within 1.6e-05 m by least squares, of a tolerance of 0.0001 m" in str(rounded.mobility())


def test_home_is_closed_by_least_squares():
    """No small motion of the passive joints brings the loops nearer to closure."""
    robot = ClosedRobot(bennett(3), backend="numpy", closure_tolerance=1e-4)
    home = robot.home_tree_q()
    assert home[0] == 0.8
    r = robot.constraints.residual(home) / robot.constraints.row_units
    J = robot.constraints.scaled(home)[:, 1:]
    assert np.abs(J.T @ r).max() < 1e-7 * np.abs(r).max()


@pytest.mark.sweep("tilted")
@pytest.mark.parametrize("model", [bennett(3), tilted_four_bar(), offset_four_bar()], ids=["bennett", "tilted", "offset"])
def test_rounded_linkages_keep_energy(model):
    robot = ClosedRobot(model, closure_tolerance=2e-3)
    motion = robot.simulate(robot.home(), [0.5], duration=0.3)
    assert np.ptp(motion.energy) < 1e-10
    assert motion.closure_error.max() < 2e-3


def test_a_motion_through_a_pose_where_kept_equations_say_less_is_an_error():
    """Bennett's linkage folds flat; beyond, the equations that were left out as redundant need not hold."""
    why = "cannot continue at t = 0.5.*(singular pose: loop 'end' stays open|the loops lose an equation)"
    with pytest.raises(lissom.SimulationError, match=why) as caught:
        ClosedRobot(bennett()).simulate([0.8], [0.5], duration=1.0)
    assert caught.value.status.value == "blew_up"


def test_a_tolerance_is_about_rounding():
    with pytest.raises(ModelError, match="closure_tolerance 0.1 m is too large: 'bennett' has a length of 0.4 m"):
        ClosedRobot(bennett(3), closure_tolerance=0.1).nq  # noqa: B018


def test_a_tolerance_that_a_pose_exceeds_is_an_error():
    robot = ClosedRobot(bennett(3), backend="numpy", closure_tolerance=2e-5)
    with pytest.raises(StateError, match="stays open by .*its redundant equations contradict; where .*closure_tol"):
        robot.closure([1.5])


@pytest.mark.parametrize("kind", list(LoopKind))
def test_rows_of_open_loops_are_derivatives_of_residuals(kind):
    """Anywhere: first and second rates by differences, and forces of rows as wrenches on the two links."""
    model = spatial_loop(3, kind, (3, 3))
    tree, rng = lump(model), np.random.default_rng(5)
    start = integrate_configuration(model, Robot(model.without_loops()).neutral(), rng.normal(size=model.nv))
    v, rows, h = rng.normal(size=model.nv), ROWS[kind], 1e-3

    def meeting(t):
        q = integrate_configuration(model, start, t * v)
        return Meeting(tree, [float(x) for x in q], model.loops[0], exact=True)

    def residuals(t):
        return np.array([meeting(t).residual(row) for row in rows])

    here = meeting(0.0)
    K = np.zeros((len(rows), model.nv))
    for column, V in here.columns().items():
        K[:, column] = [here.component(V, row) for row in rows]
    r = {t: residuals(t * h) for t in (-2, -1, 0, 1, 2)}
    assert np.abs((8 * (r[1] - r[-1]) - (r[2] - r[-2])) / (12 * h) - K @ v).max() < 1e-8
    second = (16 * (r[1] + r[-1]) - (r[2] + r[-2]) - 30 * r[0]) / (12 * h * h)
    assert np.abs(second - np.array(here.bias([float(x) for x in v], rows))).max() < 1e-6
    forces = rng.normal(size=len(rows))
    wrenches = {body: (f, m) for body, f, m in here.wrenches(dict(zip(rows, forces.tolist(), strict=True)))}
    still = [0.0] * model.nv
    q = [float(x) for x in start]
    tau = [np.array(rnea(tree, q, still, still, pushed).tau) for pushed in ({}, wrenches)]
    assert np.abs(tau[0] - tau[1] - K.T @ forces).max() < 1e-12


@pytest.mark.slow
def test_files_and_commands_take_a_tolerance_and_active_joints(tmp_path):
    def run(*arguments):
        return CliRunner().invoke(app, [str(x) for x in arguments])

    path = tmp_path / "bennett.yaml"
    lissom.write.save(bennett(3).replace(closure_tolerance=1e-4), path)
    assert "closure_tolerance: 0.0001" in path.read_text()
    assert lissom.load(path).model.closure_tolerance == 1e-4
    assert lissom.load(path, closure_tolerance=2e-3).model.closure_tolerance == 2e-3
    assert lissom.load(path, active=["j1"]).joint_names == ("j1",)
    plain = tmp_path / "plain.yaml"
    lissom.write.save(bennett(3).replace(active=None), plain)
    with pytest.raises(ModelError, match=r"no joint is active.*'j0' for example.*joints are 'j0', 'j1', 'j2'"):
        lissom.load(plain, closure_tolerance=1e-4).nq  # noqa: B018
    with pytest.raises(lissom.NameLookupError, match="no joint 'crank'.*'j0'"):
        lissom.load(plain, active=["crank"])
    with pytest.raises(ModelError, match=r"active joints must be a list of names, got the text 'j0'; write \['j0'\]"):
        lissom.load(plain, active="j0")
    with pytest.raises(ModelError, match="closure_tolerance must be a positive length"):
        lissom.load(plain, closure_tolerance=-1.0)
    with pytest.raises(ModelError, match="closure_tolerance is for closed robots"):
        bennett().replace(loops=(), active=None, posture=(), closure_tolerance=1e-3)
    shown = run("inspect", plain, "--active", "j1", "--closure-tolerance", "1e-4")
    assert shown.exit_code == 0 and "closed within" in shown.output and "active: j1" in shown.output
    assert "no joint is active" in run("inspect", plain, "--closure-tolerance", "1e-4").output
    other = run("inspect", "robots:five_bar", "--active", "left_elbow,right")
    assert other.exit_code == 0 and "active: left_elbow, right" in other.output
