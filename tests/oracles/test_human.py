"""Pinocchio and MuJoCo as judges of the person: torques of all 55 joints."""

import numpy as np
import pytest

from lissom import robots
from support.states import error

PEOPLE = [(1.75, 75.0, "male"), (1.6, 55.0, "female")]


def states(nv):
    return np.random.default_rng(3).uniform(-1.0, 1.0, (3, 6, nv))


@pytest.mark.sweep("who0")
@pytest.mark.parametrize("who", PEOPLE)
def test_a_person_has_the_torques_of_pinocchio(who, backend):
    pytest.importorskip("pinocchio")
    from support.peer import Peer

    person = robots.Human(robots.human_model(*who), backend=backend, body=robots.human(*who).body)
    peer, (q, qd, qdd) = Peer(person.model), states(55)
    theirs = np.array([peer.tau(*state) for state in zip(q, qd, qdd, strict=True)])
    assert error(person.inverse_dynamics(q, qd, qdd), theirs) < 1e-12


@pytest.mark.parametrize("who", PEOPLE)
def test_a_person_has_the_torques_of_mujoco(who, backend):
    pytest.importorskip("mujoco")
    from support.mujoco_judge import Judge

    person = robots.Human(robots.human_model(*who), backend=backend, body=robots.human(*who).body)
    judge, (q, qd, qdd) = Judge(mjcf(person.model)), states(55)
    theirs = np.array([judge.tau(*state) for state in zip(q, qd, qdd, strict=True)])
    assert error(person.inverse_dynamics(q, qd, qdd), theirs) < 1e-10


HEAD = (
    '<mujoco><compiler angle="radian"/><option gravity="0 0 -9.81"><flag contact="disable" limit="disable"/></option><worldbody>'
)


def mjcf(model):
    """Return a person as MJCF: links without mass are joints of the next body, which MuJoCo turns one after the other."""
    return HEAD + _bodies(model, model.base, "", (0, 0, 0)) + "</worldbody></mujoco>"


def _bodies(model, parent, joints, place):
    text = ""
    for joint in model.joints:
        if joint.parent != parent:
            continue
        kind = "slide" if joint.kind.value == "prismatic" else "hinge"
        more = joints + f'<joint name="{joint.name}" type="{kind}" axis="{_row(joint.axis)}"/>'
        at, inertia = np.array(place) + joint.origin.p, model.link(joint.child).inertia
        if inertia is None:
            text += _bodies(model, joint.child, more, at)
            continue
        I = np.array(inertia.tensor)
        full = _row((I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]))
        own = f'<inertial pos="{_row(inertia.com)}" mass="{inertia.mass!r}" fullinertia="{full}"/>'
        text += f'<body name="{joint.child}" pos="{_row(at)}">{own}{more}{_bodies(model, joint.child, "", (0, 0, 0))}</body>'
    return text


def _row(values):
    return " ".join(repr(float(x)) for x in values)
