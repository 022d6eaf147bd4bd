"""Built-in problems of robots and people that stand: free bodies balance, points hold, forces stay in their cones."""

import numpy as np
import pytest

from support.builtin_problems import solved

pytestmark = pytest.mark.slow


def stands(found, left):
    """Check all contacts and the balance of a motion between its instants; `left` is the largest imbalance [N or N m]."""
    assert found.success, found.message
    problem, robot = found.problem, found.robot
    phases = {phase.name: phase for phase in found.phases}
    forces = {}
    for contact in problem.contacts:
        ends = [phases[name] for name in contact.during] if contact.during else []
        start, end = (ends[0].start, ends[-1].end) if ends else (0.0, found.duration)
        t = np.linspace(start, end, 500)[1:-1]
        if contact.surface.link is None:
            holds(contact, found, t)
        force = forces[contact.name] = found.contact_forces(t)[contact.name]
        along, across = np.linalg.norm(force[..., :2], axis=-1), force[..., 2]
        assert across.min() > -0.1 and (along - contact.friction * across).max() < 0.1  # [N]
    t = found.times(1001)
    assert np.abs(found.imbalance(t)).max() < left
    driven = np.delete(np.arange(robot.nv), problem.undriven)
    assert (np.abs(found.torques(t)) <= 1.001 * robot.limits.effort)[:, driven].all()
    return forces


def holds(contact, found, t):
    """Points of a contact with the world stay within 1 mm and 1 cm/s."""
    q, qd = found.coordinates(t)[:2]
    for point in contact.touch.points:
        pose, twist = found.robot.link_pose(q, contact.touch.link), found.robot.link_velocity(q, qd, contact.touch.link)
        arm = pose[:, :3, :3] @ np.array(point)
        place, speed = pose[:, :3, 3] + arm, twist[:, :3] + np.cross(twist[:, 3:], arm)
        assert np.abs(place - place[0]).max() < 1e-3 and np.linalg.norm(speed, axis=1).max() < 1e-2


def test_a_trot_repeats_mirrored_and_its_feet_swing_above_the_ground():
    found = solved("go2_trot")
    forces = stands(found, 0.01)
    robot, weight = found.robot, 9.81 * sum(link.inertia.mass for link in found.robot.model.links if link.inertia is not None)
    t = np.linspace(0.0, found.duration, 1001)
    total = sum(f[..., 2].sum(axis=1) for f in found.contact_forces(t).values())
    q = found.coordinates(t)[0]
    assert np.trapezoid(total, t) == pytest.approx(weight * found.duration, rel=1e-4)  # momentum is the same at both ends
    assert set(forces) == {"FL", "RR"}
    (x0, x1), (v0, v1) = found.states(t[[0, -1]])[:2]
    names = robot.path_columns
    for a, b in (("FL", "FR"), ("FR", "FL"), ("RL", "RR"), ("RR", "RL")):
        for joint, sign in (("hip", -1), ("thigh", 1), ("calf", 1)):
            start, end = names.index(f"{a}_{joint}_joint"), names.index(f"{b}_{joint}_joint")
            assert np.allclose([x1[end], v1[end]], [sign * x0[start], sign * v0[start]], atol=1e-6)
    assert x1[0] - x0[0] == pytest.approx(0.25, abs=1e-9)
    for foot in ("FR_foot", "RL_foot"):
        pose = robot.link_pose(q, foot)
        height = (pose[:, :3, 3] + pose[:, :3, :3] @ [-0.018, 0.0, -0.015])[:, 2]
        assert height.min() > -1e-3 and height.max() > 0.0599 and abs(height[0]) < 1e-3 and abs(height[-1]) < 1e-3
    # two points leave a turn about the line through them to the spline, so that this is less exact than on soles
    for begin in (0.02, 0.1, 0.18):
        q0, qd0, _ = found.coordinates(begin)
        run = robot.simulate(q0, qd0, 0.05, lambda t, q, qd, b=begin: found.replay(b + t, q, qd), rtol=1e-10, atol=1e-12)
        assert np.abs(run.q[-1] - found.coordinates(begin + 0.05)[0]).max() < 5e-6


def test_a_humanoid_rises_from_a_squat_on_both_soles():
    found = solved("squat_to_stand")
    forces = stands(found, 1e-6)
    robot = found.robot
    weight = 9.81 * sum(link.inertia.mass for link in robot.model.links if link.inertia is not None)
    t = np.linspace(0.0, found.duration, 1001)
    q, qd, qdd = found.coordinates(t)
    root = robot.inverse_dynamics(q, qd, qdd, external=found._external(t))[:, :6]
    assert np.abs(root).max() < 1e-9 * weight
    assert set(forces) == {"left", "right"}
    lower, upper = robot.limits.lower, robot.limits.upper
    assert ((q >= lower - 1e-6) & (q <= upper + 1e-6)).all()
    total = sum(f[..., 2].sum(axis=1) for f in found.contact_forces(t).values())
    assert np.trapezoid(total, t) == pytest.approx(weight * found.duration, rel=1e-4)  # at rest at both ends
    height = robot.center_of_mass(q)[:, 2]
    assert height[-1] - height[0] > 0.19 and np.diff(height).min() > -1e-4
    # legs under a weight buckle within milliseconds unless they are held, so only short pieces of the motion can be repeated
    for begin in np.linspace(0.0, found.duration - 0.02, 5):
        q0, qd0, _ = found.coordinates(begin)
        run = robot.simulate(q0, qd0, 0.02, lambda t, q, qd, b=begin: found.replay(b + t, q, qd), rtol=1e-10, atol=1e-12)
        assert np.abs(run.q[-1] - found.coordinates(begin + 0.02)[0]).max() < 1e-6
