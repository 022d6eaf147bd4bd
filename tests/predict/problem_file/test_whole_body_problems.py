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


def replays(found, pieces=5, piece=0.02):
    """Short pieces of a motion, repeated in a simulation: legs under a weight buckle within a second unless they are held."""
    for begin in np.linspace(0.0, found.duration - piece, pieces):
        q0, qd0, _ = found.coordinates(begin)
        run = found.robot.simulate(q0, qd0, piece, lambda t, q, qd, b=begin: found.replay(b + t, q, qd), rtol=1e-10, atol=1e-12)
        assert np.abs(run.q[-1] - found.coordinates(begin + piece)[0]).max() < 1e-6


def weight_of(robot):
    return 9.81 * sum(link.inertia.mass for link in robot.model.links if link.inertia is not None)


def test_a_trot_repeats_mirrored_and_its_feet_swing_above_the_ground():
    found = solved("go2_trot")
    forces = stands(found, 2e-3)
    robot, weight = found.robot, weight_of(found.robot)
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
    robot, weight = found.robot, weight_of(found.robot)
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
    replays(found)


def test_a_humanoid_lifts_a_box_between_its_palms():
    found = solved("box_lift")
    forces = stands(found, 1e-6)
    robot, box = found.robot, found.robot.model.link("box").inertia
    t = np.linspace(0.0, found.duration, 500)[1:-1]
    q, qd, qdd = found.coordinates(t)
    rows = robot.inverse_dynamics(q, qd, qdd, external=found._external(t))
    assert np.abs(np.concatenate([rows[:, :6], rows[:, -6:]], axis=1)).max() < 1e-9 * weight_of(robot)
    # palms stay at one place of the box, and push towards each other
    into = np.linalg.inv(robot.link_pose(q, "box"))
    assert set(forces) == {"left", "right", "left_palm", "right_palm"}
    for side, sign in (("left", 1.0), ("right", -1.0)):
        pose = into @ robot.link_pose(q, f"{side}_wrist_yaw_link")
        tips = np.stack([pose @ [x, -0.03 * sign, z, 1.0] for x in (0.07, 0.14) for z in (-0.03, 0.03)])[..., :3]
        assert np.abs(tips - tips[:, :1]).max() < 1e-3 and np.abs(tips[..., 1] - 0.15 * sign).max() < 1e-3
        rates = np.gradient(tips, t, axis=1)
        assert np.linalg.norm(rates, axis=-1).max() < 1e-2
    # Newton's law for the box, which feels the opposite of what the palms do
    pushes = sum(force @ _axes(side) for side, force in ((1.0, forces["left_palm"]), (-1.0, forces["right_palm"])))
    R = robot.link_pose(q, "box")[:, :3, :3]
    total = -np.einsum("kij,kj->ki", R, pushes.sum(axis=1))
    a = robot.link_acceleration(q, qd, qdd, "box")[:, :3]
    assert np.allclose(total, box.mass * (a + [0.0, 0.0, 9.81]), atol=1e-6)
    ends = found.coordinates(np.array([0.0, found.duration]))[0][:, -7:]
    assert ends == pytest.approx(np.array([[0.33, 0, 0.45, 0, 0, 0, 1], [0.3, 0, 0.95, 0, 0, 0, 1]]), abs=1e-6)
    replays(found)


def _axes(side):
    """Rows t1, t2, n of the side of the box at y = 0.15 or -0.15, in its frame; t2 = n x t1."""
    along, normal = np.array([1.0, 0.0, 0.0]), np.array([0.0, side, 0.0])
    return np.stack([along, np.cross(normal, along), normal])
