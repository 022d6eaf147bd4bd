"""Humanoids take a step: balance along the whole motion, soles that hold, and a simulation that returns the motion."""

import numpy as np
import pytest

from support.builtin_problems import solved

SOLES = {"g1_step": ("left_ankle_roll_link", "right_ankle_roll_link"), "talos_step": ("left_sole_link", "right_sole_link")}


@pytest.mark.slow
@pytest.mark.parametrize("name", SOLES)
def test_a_humanoid_takes_a_step(name):
    found = solved(name)
    robot, weight = found.robot, 9.81 * sum(link.inertia.mass for link in found.robot.model.links if link.inertia)
    assert found.success and found.violation <= 1e-3
    t = np.random.default_rng(0).uniform(0.0, found.duration, 500)
    q, qd, qdd = found.coordinates(t)
    root = robot.inverse_dynamics(q, qd, qdd, external=found._external(t))[:, :6]
    assert np.abs(root).max() < 1e-9 * weight
    # forces that balance push and stay in their pyramids 50 times finer than instants are
    fine = np.linspace(0.0, found.duration, 50 * found.problem.points_per_span * found.path.basis.spans + 1)
    for contact in found.problem.contacts:
        force = found.contact_forces(fine)[contact.name]
        assert min(force[..., 2].min(), (force @ contact.grip.rows((0, 1, 2)).T).min()) > -1e-3 * weight
    phases = {phase.name: phase for phase in found.phases}
    for contact in found.problem.contacts:
        link, own = contact.touch.link, phases["shift" if contact.name == "right" else "land"]
        on = (t >= own.start) & (t <= own.end) if contact.during else np.ones(len(t), dtype=bool)
        pose, v = robot.link_pose(q[on], link), robot.link_velocity(q[on], qd[on], link)
        for tip in contact.touch.points:
            arm = pose[:, :3, :3] @ np.asarray(tip)
            place = pose[:, :3, 3] + arm
            assert np.abs(place[:, 2]).max() < 1e-3 and np.ptp(place, axis=0).max() < 2e-3
            assert np.linalg.norm(v[:, :3] + np.cross(v[:, 3:], arm), axis=1).max() < 1e-2
    heights = [(robot.link_pose(q, SOLES[name][1]) @ [*tip, 1.0])[:, 2] for tip in found.problem.contacts[0].touch.points]
    assert np.min(heights) > -1e-3 and np.max(heights) > 0.03
    # a foot under the weight falls over within milliseconds unless it is held, so only short pieces of the motion can be repeated
    for begin in np.linspace(0.05, found.duration - 0.1, 5):
        q0, qd0, _ = found.coordinates(begin)
        run = robot.simulate(q0, qd0, 0.02, lambda t, q, qd, b=begin: found.replay(b + t, q, qd), rtol=1e-10, atol=1e-12)
        assert np.abs(run.q[-1] - found.coordinates(begin + 0.02)[0]).max() < 1e-6
