"""A robot beside another: both move as they do alone, and what cannot stand there is refused."""

import numpy as np
import pytest

from lissom import Joint, JointKind, Link, Model, ModelError, Robot, robots
from lissom.model.beside import with_robot
from lissom.model.joint import Coupling
from lissom.model.pose import Pose

TURNED = Pose(((0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)), (0.5, 0.2, 0.1))


def test_both_robots_have_their_own_torques():
    one, two = robots.planar_two_link(), robots.panda()
    both = Robot(with_robot(one.model, two.model, "arm", TURNED))
    rng = np.random.default_rng(0)
    q, qd, qdd = rng.uniform(-1.0, 1.0, (3, 2)), rng.uniform(-1.0, 1.0, (3, 2)), rng.uniform(-1.0, 1.0, (3, 2))
    p, pd, pdd = (rng.uniform(-1.0, 1.0, (3, 7)) for _ in range(3))
    tau = both.inverse_dynamics(*(np.concatenate(x, axis=1) for x in ((q, p), (qd, pd), (qdd, pdd))))
    assert tau[:, :2] == pytest.approx(one.inverse_dynamics(q, qd, qdd), abs=1e-12)
    gravity = tuple(TURNED.R.T @ np.array(one.model.gravity))  # as the arm, which is turned, feels it
    arm = Robot(two.model.replace(gravity=gravity))
    assert tau[:, 2:] == pytest.approx(arm.inverse_dynamics(p, pd, pdd), abs=1e-10)
    own = two.link_pose(p, "flange")
    place = both.link_pose(np.concatenate([q, p], axis=1), "arm_flange")
    assert place[:, :3, 3] == pytest.approx(own[:, :3, 3] @ TURNED.R.T + TURNED.p)
    assert both.joint_names[2:] == tuple(f"arm_{name}" for name in two.joint_names)


def test_couplings_follow_their_leader():
    links = (Link("base"), Link("a", robots.rr_model().links[1].inertia), Link("b", robots.rr_model().links[1].inertia))
    lead = Joint("lead", JointKind.REVOLUTE, "base", "a")
    follow = Joint("follow", JointKind.REVOLUTE, "a", "b", coupling=Coupling("lead", 2.0))
    made = with_robot(robots.panda_model(), Model("pair", links, (lead, follow)), "tool")
    assert made.joint("tool_follow").coupling == Coupling("tool_lead", 2.0)


def test_what_cannot_stand_beside_is_refused():
    with pytest.raises(ModelError, match="robot 'hua_arm' has motors: only one of links and joints"):
        with_robot(robots.panda_model(), robots.hua_arm_model(), "arm")
    twice = with_robot(robots.panda_model(), robots.panda_model(), "arm")
    with pytest.raises(ModelError, match="arm_base"):
        with_robot(twice, robots.panda_model(), "arm")
