"""What objects look like when they are printed: short, with the numbers that count, never an error."""

import dataclasses

import numpy as np
import pytest

import lissom
from lissom import BaseMotion, Inertia, Joint, Link, Loop, Motor, Robot, SplinePath, Spring, Wrench, WrenchRate, robots
from lissom.model.fingerprint import full_text
from lissom.model.show import short
from lissom.robots import tree_model
from lissom.simulate import Event, Held, Interpolated


def shown():
    arm = robots.planar_two_link()
    q = np.zeros((300, 2))
    tree = tree_model(30, seed=1, motors=0.5, coupled=0.3, springs=0.3)
    elastic = robots.hua_arm()
    motion = arm.simulate([0.1, 0.2], [0, 0], 0.05, sample=0.01, events=[Event(lambda t, q, qd: t - 0.03, "late")])
    problem = lissom.MotionProblem(arm, control_points=8, duration=1.0).start([0, 0]).end([1, 1]).minimize("time")
    path = SplinePath.between([0, 0], [1, 1], 1.0, 8)
    yield from (arm, arm.model, arm.limits, tree, *tree.links[:3], *tree.joints, *tree.motors, tree.links[1].inertia)
    yield from (robots.delta(), robots.delta().model, *robots.delta().model.loops, robots.delta().mobility())
    yield from (motion, motion.end, *motion.events, problem, path, path.sensitivities(np.linspace(0, 1, 90)))
    yield from (Wrench(np.zeros((300, 3)), axes="world"), WrenchRate(np.zeros((300, 3))))
    yield BaseMotion(acceleration=np.zeros((300, 3)))
    yield from (Held(np.arange(300.0), np.zeros((300, 2))), Interpolated(np.arange(300.0), np.zeros((300, 2))))
    yield from (arm.inverse_dynamics_derivatives(q, q, q), arm.base_parameters(), arm.operation_count("inverse_dynamics"))
    yield arm.hybrid_dynamics(q, q, known={"torque": ["shoulder"], "acceleration": ["elbow"]}, qdd=q, tau=q)
    n = elastic.link_nv
    yield elastic.elastic_inverse_dynamics(*np.zeros((5, 300, n)))
    yield elastic.elastic_blocks(*np.zeros((2, 300, elastic.nq)))
    yield arm.inverse_kinematics(arm.link_names[-1], position=arm.link_pose([0.3, 0.4], arm.link_names[-1])[:3, 3])
    yield arm.inverse_kinematics(arm.link_names[-1], position=np.zeros((50, 3)) + [9.0, 0, 0], throw=False)
    yield lissom.timing.time_optimal(arm, SplinePath.between([0, 0], [1, 1], 1.0, 8, rest=0), torque=200.0, velocity=10.0)


def test_objects_are_shown_in_a_few_short_lines():
    for x in shown():
        text = repr(x)
        assert type(x).__name__ in text or text.startswith(("Derivatives", "OperationCount"))
        assert len(text) <= 420 and text.count("\n") <= 3, text


def test_parts_of_a_model_say_what_they_are():
    body = Inertia(2.5, (0, 0, 0.125), np.diag([0.25, 0.5, 0.75]))
    assert repr(body) == "<Inertia: 2.5 kg at (0, 0, 0.125) m, Ixx Iyy Izz = (0.25, 0.5, 0.75) kg m^2>"
    assert repr(Link("arm", body)) == "<Link 'arm': 2.5 kg>" and repr(Link("tool")) == "<Link 'tool': no mass>"
    joint = Joint("elbow", "revolute", "arm", "hand", spring=Spring(80.0))
    assert repr(joint) == "<Joint 'elbow': revolute, from 'arm' to 'hand', on a spring>"
    follower = Joint("j", "prismatic", "a", "b", coupling=lissom.Coupling("elbow"))
    assert repr(follower) == "<Joint 'j': prismatic, from 'a' to 'b', follows 'elbow'>"
    assert repr(Motor("m", "elbow", ratio=100)) == "<Motor 'm': drives 'elbow' rigidly, ratio 100>"
    assert repr(Loop("pin", "revolute", "a", "b")) == "<Loop 'pin': revolute, between 'a' and 'b'>"
    assert repr(robots.delta().model) == "<Model 'delta': 13 links, 12 joints, 3 loops, nq = 12, nv = 12>"


def test_values_that_cannot_be_shown_do_not_stop_anything():
    class Bad:
        def __repr__(self):
            raise RuntimeError("no")

    assert short(Bad()) == "<Bad: RuntimeError>"
    assert short("x" * 100) == f"'{'x' * 56}..." and short(np.float64(0.5)) == "0.5"
    assert short(np.zeros((2, 3))) == "array(2, 3)" and short(np.arange(3.0)) == "[0, 1, 2]"


def test_results_of_inverse_kinematics_say_how_near_they_came():
    robot = robots.planar_two_link()
    tip = robot.link_names[-1]
    one = robot.inverse_kinematics(tip, position=(9.0, 0.0, 0.0), throw=False)
    assert repr(one).startswith("<IKResult: unreachable within ") and repr(one).endswith(" iterations>")
    many = robot.inverse_kinematics(tip, position=[robot.link_pose([0.3, 0.4], tip)[:3, 3], (9.0, 0.0, 0.0)], throw=False)
    assert repr(many).startswith("<IKResult of (2,) targets: 1 reached, the worst within ")
    none = robot.inverse_kinematics(tip, position=np.zeros((0, 3)))
    assert repr(none) == "<IKResult: no targets>"


@pytest.mark.parametrize("seed", range(4))
def test_fingerprints_see_every_number_that_short_texts_leave_out(seed):
    model = tree_model(3, seed=seed, kinds=["revolute"], motors=0.5)
    link, joint = model.links[1], model.joints[0]
    heavier = dataclasses.replace(link.inertia, mass=np.nextafter(link.inertia.mass, 9.0))
    moved = dataclasses.replace(joint, limits=lissom.Limits(-1.0, 1.0), spring=Spring(1.0))
    others = [
        model.replace(links=tuple(Link(x.name, heavier) if x is link else x for x in model.links)),
        model.replace(joints=tuple(moved if x is joint else x for x in model.joints)),
        model.with_rotors("reflected"),
    ]
    prints = {m.fingerprint for m in (model, *others)}
    assert len(prints) == (4 if model.motors else 3)
    assert Robot(model).model.fingerprint == tree_model(3, seed=seed, kinds=["revolute"], motors=0.5).fingerprint
    assert "spring" not in full_text(joint) and "spring=Spring(stiffness=1.0" in full_text(moved)
