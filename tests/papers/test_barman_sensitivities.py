"""Barman 2020, chapter III: corrected, its sensitivities are those of lissom; each equation that was corrected fails as printed.

The outside reference is a complex step through lissom's recursion, of which nothing was differentiated by hand.
"""

import numpy as np
import pytest

import lissom
from lissom.model.pose import rotation_about
from papers.barman_arms import BY, difference, parts, planar, spatial
from papers.barman_steps import CORRECTED

EXACT = 1e-10
WRONG = 1e-3  # far above rounding: the smallest error of a printed equation is 2e-2

# the symbols that each corrected equation is for
SYMBOLS = {
    **dict.fromkeys(["3.51", "3.52"], "Dxdd"),
    **dict.fromkeys(["3.56", "3.58"], "DxGdd"),
    **dict.fromkeys(["3.67", "3.68"], "FG"),
    **dict.fromkeys(["3.78", "3.79"], "Fp"),
    **dict.fromkeys(["3.82", "3.83", "3.86", "3.87", "3.90", "3.91"], "tp"),
}
SYMBOLS |= {"3.13": "w", "3.18": "Dwd", "3.40": "xd", "3.61": "xGdd", "3.76": "Fe", "3.85": "tef"}
SIGNS = ("3.67", "3.68", "3.78", "3.86", "3.90")


@pytest.mark.sweep(4)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("k", [2, 5, 6])
def test_corrected_the_wrenches_of_joints_and_their_sensitivities_are_those_of_lissom(seed, k):
    arm = spatial(seed, k)
    assert arm.wrench_error() < EXACT
    assert arm.error() < EXACT
    robot = lissom.Robot(arm.model)
    tau = robot.inverse_dynamics(arm.q, arm.qd, arm.qdd, external=arm.external)
    assert np.abs(arm.joint_forces(arm.thesis())["v"] - tau).max() < EXACT * np.abs(tau).max()


@pytest.mark.sweep(3)
@pytest.mark.parametrize("k", [2, 5, 6])
def test_corrected_the_sensitivities_of_joint_forces_are_those_that_lissom_carries_to_ancestors(k, backend):
    arm = spatial(k=k)
    robot = lissom.Robot(arm.model, backend=backend)
    ours = robot.inverse_dynamics_derivatives(arm.q, arm.qd, arm.qdd, external=arm.external)
    found = arm.joint_forces(arm.thesis())
    assert difference({by: found[by] for by in BY}, dict(zip(BY, ours, strict=True))) < EXACT


@pytest.mark.sweep("numpy")
@pytest.mark.parametrize("k", [2, 5, 6])
def test_corrected_the_sensitivities_of_the_wrenches_in_joints_are_those_of_lissom(k, backend):
    arm = spatial(k=k)
    robot, s = lissom.Robot(arm.model, backend=backend), arm.thesis()
    state, load = (arm.q, arm.qd, arm.qdd), {"external": arm.external}
    wrenches, tables = robot.joint_wrenches(*state, **load), robot.joint_wrench_derivatives(*state, **load)
    z = np.array([0.0, 0.0, 1.0])
    for by, table in zip(BY, tables, strict=True):
        expected = {"Fp": np.zeros((arm.n, arm.n, 3)), "tp": np.zeros((arm.n, arm.n, 3))}
        for j, x in enumerate(arm.links):
            turn = rotation_about((1, 0, 0), x.alpha)
            force, moment = table[j, :3].T, table[j, 3:].T  # (i, 3)
            # the thesis takes moments about the origin of frame j-1, d before lissom's joint, and that distance may change
            moment = moment + np.cross((x.d + x.prismatic * arm.q[j]) * z, force)
            if x.prismatic and by == "q":
                moment[j] += np.cross(z, wrenches[j, :3])
            expected["Fp"][j], expected["tp"][j] = force @ turn, moment @ turn
        for name, right in expected.items():
            assert np.abs(s[name].by()[by][1:-1, 1:] - right).max() < EXACT * np.abs(right).max(), (name, by)


@pytest.mark.parametrize("seed", range(2))
def test_corrected_every_sensitivity_is_the_complex_step_of_its_value(seed):
    arm = spatial(seed, 5)
    for name, y in arm.thesis().items():
        assert difference(parts(y), arm.exact[name]) < EXACT, name


def test_positions_velocities_and_accelerations_are_those_of_lissom():
    """With twice omega x d-dot for a sliding joint: (3.50) adds it once more to the one within Delta x-dot, and is right."""
    arm = spatial()
    robot, s = lissom.Robot(arm.model, backend="numpy"), arm.thesis()
    for j, x in enumerate(arm.links, start=1):
        name, com = f"link_{j}", np.subtract(s["dxG"].v[j], s["dx"].v[j])
        pose = robot.link_pose(arm.q, name)
        found = {"R0": pose[:3, :3], "x": pose[:3, :3].T @ pose[:3, 3], "xG": pose[:3, :3].T @ (pose[:3, 3] + pose[:3, :3] @ com)}
        found["xd"], found["w"] = np.split(robot.link_velocity(arm.q, arm.qd, name, axes="link"), 2)
        found["xdd"], found["wd"] = np.split(robot.link_acceleration(arm.q, arm.qd, arm.qdd, name, axes="link"), 2)
        found["xGd"] = robot.link_velocity(arm.q, arm.qd, name, axes="link", point=com)[:3]
        found["xGdd"] = robot.link_acceleration(arm.q, arm.qd, arm.qdd, name, axes="link", point=com)[:3]
        for symbol, value in found.items():
            assert np.allclose(s[symbol].v[j], value, rtol=0, atol=1e-12 * max(1, np.abs(value).max())), (symbol, j, x)


@pytest.mark.parametrize("equation", CORRECTED)
def test_each_equation_that_was_corrected_fails_as_printed(equation):
    arm, symbol = spatial(), SYMBOLS[equation]
    assert difference(parts(arm.thesis()[symbol]), arm.exact[symbol]) < EXACT
    assert difference(parts(arm.thesis([equation])[symbol]), arm.exact[symbol]) > WRONG
    assert arm.error() < EXACT
    # no force depends on the velocity of a frame: accelerations are found from those before, and Delta x-dot
    if equation != "3.40":
        assert arm.error([equation]) > WRONG
        assert arm.wrench_error([equation]) > WRONG


def test_the_printed_velocity_of_a_sliding_link_reaches_no_force():
    arm = spatial()
    assert arm.error(["3.40"]) < EXACT
    assert arm.wrench_error(["3.40"]) < EXACT


# in forces and torques of drives; RR moves in a plane, and the thesis' own PR arm does too
UNSEEN = {
    "RR": {"3.13", "3.18", "3.40", "3.52", "3.56", "3.58", "3.61", "3.78", "3.79", "3.83"},
    "PR": {"3.13", "3.18", "3.40", "3.51", "3.52", "3.61", "3.82", "3.83"},
}


@pytest.mark.parametrize("kinds", UNSEEN)
def test_planar_arms_do_not_expose_most_misprints(kinds):
    arm = planar(kinds)
    assert arm.error() < EXACT
    unseen = {equation for equation in CORRECTED if arm.error([equation]) < EXACT}
    assert unseen == UNSEEN[kinds]
    assert all(arm.error([equation]) > WRONG for equation in set(CORRECTED) - unseen)


def test_the_wrench_in_the_slide_of_the_printed_arm_exposes_what_its_drives_do_not():
    arm = planar("PR")
    assert arm.wrench_error() < EXACT
    seen = {equation for equation in UNSEEN["PR"] if arm.wrench_error([equation]) > WRONG}
    assert seen == {"3.82", "3.83"}


def test_the_printed_signs_want_gravity_upwards_and_loads_on_the_environment():
    arm = spatial()
    assert arm.error(["3.67", "3.68"], gravity=-arm.gravity) < EXACT
    assert arm.error(["3.78", "3.86", "3.90"], load=arm.load.reversed()) < EXACT


def test_at_rest_the_printed_signs_are_those_of_the_printed_reaction():
    """F_jp as the nomenclature has it, of link j on link j-1: gravity and loads are then right, but inertia is not."""
    arm, still = spatial(), np.zeros(6)
    printed, right = (arm.thesis(choice, state=(arm.q, still, still)) for choice in (SIGNS, ()))
    for symbol in ("Fp", "tp"):
        assert np.allclose(printed[symbol].v, -right[symbol].v, rtol=0, atol=1e-12)
        assert np.allclose(printed[symbol].q, -right[symbol].q, rtol=0, atol=1e-12)
    assert arm.wrench_error(SIGNS) > WRONG
    assert difference({"v": -arm.thesis(SIGNS)["Fp"].v}, {"v": arm.exact["Fp"]["v"]}) > WRONG


def test_a_load_that_is_fixed_in_space_turns_only_with_the_joints_before():
    """(3.77) carries zeros: F^e_jd is the load in frame j, so what lies beyond j does not change it."""
    arm = spatial()
    Fe = arm.thesis()["Fe"]
    for j in range(1, arm.n + 1):
        assert np.abs(Fe.q[j, j + 1 :]).max(initial=0) < 1e-14 * np.abs(Fe.q).max()
