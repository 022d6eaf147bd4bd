"""Contacts in motion problems: closed forms of friction, flight and statics; bodies in balance at all times."""

import re

import numpy as np
import pytest

from lissom import (
    Inertia,
    Joint,
    JointKind,
    Link,
    LissomError,
    Model,
    MotionProblem,
    Pose,
    PredictionError,
    Robot,
    StateError,
    Wrench,
)
from lissom.nlp import Status
from lissom.predict import Prediction, State, Surface
from lissom.robots import go2

G, MASS, HALF = 9.81, 2.0, 0.1
CORNERS = [(-HALF, -HALF, -HALF), (HALF, -HALF, -HALF), (HALF, HALF, -HALF), (-HALF, HALF, -HALF)]
CUBE = tuple(tuple(row) for row in np.diag([MASS * (2 * HALF) ** 2 / 6] * 3).tolist())


def floating_block():
    """A cube on a floating joint."""
    joint = Joint("free", JointKind.FLOATING, "world", "block")
    return Robot(Model("block", (Link("world"), Link("block", Inertia(MASS, (0, 0, 0), CUBE))), (joint,)))


def block_on_table():
    """A cube that may go anywhere, and a table that a drive moves along x."""
    links = (Link("world"), Link("table", Inertia(5.0)), Link("block", Inertia(MASS, (0, 0, 0), CUBE)))
    joints = (
        Joint("drive", JointKind.PRISMATIC, "world", "table", axis=(1, 0, 0)),
        Joint("free", JointKind.FLOATING, "world", "block"),
    )
    return Robot(Model("block on table", links, joints))


def tilted(angle):
    """A slope that falls toward x, and the coordinates of a cube that stands on it: a turn about y."""
    normal = (np.sin(angle), 0.0, np.cos(angle))
    slope = Surface(normal=normal, along=(np.cos(angle), 0.0, -np.sin(angle)))
    q = np.array([*(HALF * np.array(normal)), 0.0, np.sin(angle / 2), 0.0, np.cos(angle / 2)])
    return slope, q


@pytest.mark.slow
@pytest.mark.sweep("cone")
@pytest.mark.parametrize("cone", ["pyramid", "cone"])
def test_a_block_holds_on_a_slope_up_to_its_friction(cone):
    friction, robot = 0.5, floating_block()
    for angle, holds in ((np.arctan(0.49), True), (np.arctan(0.52), False)):
        slope, q = tilted(angle)
        p = MotionProblem(robot, control_points=6, duration=0.5).contact(
            "sole", "block", CORNERS, surface=slope, friction=friction, cone=cone
        )
        p.start(q).end(q).minimize("integral", 1.0, "sole_force")
        if not holds:
            with pytest.raises(PredictionError):
                p.solve()
            continue
        found = p.solve()
        total = found.contact_forces(0.2)["sole"].sum(axis=0)
        assert np.allclose(total, MASS * G * np.array([-np.sin(angle), 0.0, np.cos(angle)]), atol=1e-6)
        assert np.allclose(found.contact_forces(0.2, axes="world")["sole"].sum(axis=0), [0, 0, MASS * G], atol=1e-6)


@pytest.mark.slow
def test_friction_of_a_point_that_carries_nothing_does_not_count_as_reached(tmp_path):
    tipping = MASS * G * HALF * 0.9999  # about y: nearly all of the weight is on the corners at +x
    external = {"block": Wrench(moment=(0.0, tipping, 0.0), axes="world")}
    q = np.array([0, 0, HALF, 0, 0, 0, 1.0])
    p = MotionProblem(floating_block(), control_points=6, duration=0.5, external=external)
    p.contact("sole", "block", CORNERS, friction=0.5).start(q).end(q).minimize("integral", 1.0, "sole_force")
    found = p.solve()
    normal = found.contact_forces(0.2)["sole"][:, 2]
    np.testing.assert_allclose(normal, MASS * G * np.array([0.00005, 0.99995, 0.99995, 0.00005]) / 2, atol=1e-6)
    read = Prediction.load(found.save(tmp_path / "a.npz"), found.robot)
    for limits in (found.limits, read.limits):
        own = [limit for limit in limits if limit.contact == "sole"]
        shares = {limit.label: limit.active for limit in own if not limit.is_equation}
        assert [shares[f"sole_force of {k}.n"] for k in (1, 2, 3, 4)] == [1.0, 0.0, 0.0, 1.0]
        friction = [x for label, x in shares.items() if label.startswith("friction of sole.")]
        assert friction == [0.0] * 16
        assert len(limits) - len(own) == 6 and all(x.contact == "" and x.is_equation for x in limits if x not in own)


@pytest.mark.sweep("cone")
@pytest.mark.parametrize("cone", ["pyramid", "cone"])
def test_friction_of_loaded_points_counts_where_it_is_reached(cone):
    slope, q = tilted(np.arctan(0.5 * (1 - 1e-4)))
    p = MotionProblem(floating_block(), control_points=6, duration=0.5)
    p.contact("sole", "block", CORNERS, surface=slope, friction=0.5, cone=cone)
    found = p.start(q).end(q).minimize("integral", 1.0, "sole_force").solve()
    reached = [limit.active for limit in found.limits if limit.label.startswith("friction")]
    # the force is along -t1, where the pyramid has an edge: both faces beside it
    assert reached == ([1.0] * 4 if cone == "cone" else [0.0, 1.0, 1.0, 0.0] * 4)


@pytest.mark.slow
def test_a_block_goes_with_a_table_as_fast_as_friction_lets_it():
    friction, way, robot = 0.3, 0.4, block_on_table()
    p = MotionProblem(robot, control_points=40, duration=(0.1, 3.0))
    p.contact("sole", "block", CORNERS, surface=Surface(link="table"), friction=friction)
    start = np.array([0.0, 0.0, 0.0, HALF, 0, 0, 0, 1])
    end = np.array([way, way, 0.0, HALF, 0, 0, 0, 1])
    found = p.start(start).end(end).minimize("time").solve()
    # full acceleration, then full braking: way = a (T / 2)^2; a piecewise linear acceleration loses a little at the change
    exact = 2 * np.sqrt(way / (friction * G))
    assert exact < found.duration < 1.02 * exact
    t = found.times(101)
    force = found.contact_forces(t)["sole"].sum(axis=1)
    assert (np.abs(force[:, 0]) <= friction * MASS * G * (1 + 1e-3)).all()
    q, qd, qdd = found.coordinates(t)
    assert np.allclose(force[:, 0], MASS * qdd[:, 1], atol=1e-6) and np.allclose(force[:, 2], MASS * G, atol=1e-6)
    # the table feels the opposite
    assert np.allclose(found.torques(t)[:, 0], (5.0 + MASS) * qdd[:, 0], atol=1e-6)


def hopper():
    """A body on a leg: a slide between body and foot, both on a vertical slide."""
    links = (Link("world"), Link("body", Inertia(4.0)), Link("foot", Inertia(1.0)))
    joints = (
        Joint("height", JointKind.PRISMATIC, "world", "body", axis=(0, 0, 1)),
        Joint("leg", JointKind.PRISMATIC, "body", "foot", axis=(0, 0, -1)),
    )
    return Robot(Model("hopper", links, joints))


def hop(also=None, end=(0.6, 0.6)):
    flight = 0.2
    p = MotionProblem(hopper(), control_points=24, undriven="height")
    p.phases({"push": 0.3, "flight": flight, "land": 0.3}, smooth=1)
    p.contact("take_off", "foot", during="push").contact("landing", "foot", during="land")
    if also is not None:
        p.contact("both", "foot", **also)
    p.start([0.6, 0.6]).end(end)
    p.limit("position", 0.3, 0.9, entries="leg")
    return p.minimize("integral", 1.0, "torque"), flight


def test_a_hop_has_the_impulse_of_its_weight():
    p, flight = hop()
    found = p.solve()
    weight, mass = 5.0 * G, 5.0
    t = np.linspace(0, found.duration, 4001)
    forces = found.contact_forces(t)
    push, land = forces["take_off"][:, 0, 2], forces["landing"][:, 0, 2]
    assert np.trapezoid(push + land, t) == pytest.approx(weight * found.duration, rel=1e-3)  # rest to rest
    air = (t > 0.3 + 1e-9) & (t < 0.5 - 1e-9)
    assert not push[air].any() and not land[air].any()
    # take-off and landing speeds of a throw that comes back to its height
    height = (4.0 * found.states(t)[0][:, 0] + (found.states(t)[0] @ [1.0, -1.0])) / mass
    v = np.gradient(height, t)
    before, after = np.searchsorted(t, [0.3, 0.5])
    assert v[before] - v[after] == pytest.approx(G * flight, rel=1e-2)
    assert (push >= -1e-6 * weight).all() and (land >= -1e-6 * weight).all()


def biped():
    """A planar biped: pelvis on two slides and a turn, two legs of thigh and shank with point feet."""

    def rod(mass):
        return Inertia(mass, (0, 0, -0.2), ((0.015 * mass, 0, 0), (0, 0.015 * mass, 0), (0, 0, 0.0015 * mass)))

    trunk = Inertia(10.0, (0, 0, 0.2), ((0.3, 0, 0), (0, 0.3, 0), (0, 0, 0.3)))
    links = [Link("world"), Link("l_x", massless=True), Link("l_z", massless=True), Link("pelvis", trunk)]
    joints = [
        Joint("x", JointKind.PRISMATIC, "world", "l_x", axis=(1, 0, 0)),
        Joint("z", JointKind.PRISMATIC, "l_x", "l_z", axis=(0, 0, 1)),
        Joint("pitch", JointKind.REVOLUTE, "l_z", "pelvis", axis=(0, 1, 0)),
    ]
    for side in ("left", "right"):
        links += [Link(f"{side}_thigh", rod(2.0)), Link(f"{side}_shank", rod(1.0))]
        joints.append(Joint(f"{side}_hip", JointKind.REVOLUTE, "pelvis", f"{side}_thigh", axis=(0, 1, 0)))
        knee = Pose(translation=(0, 0, -0.4))
        joints.append(Joint(f"{side}_knee", JointKind.REVOLUTE, f"{side}_thigh", f"{side}_shank", origin=knee, axis=(0, 1, 0)))
    return Robot(Model("biped", tuple(links), tuple(joints)))


FOOT = (0.0, 0.0, -0.4)
ROOT = ("x", "z", "pitch")


def stance(left=0.35, right=-0.25, knee=0.4):
    """Coordinates of the biped with both feet on the ground: x z pitch, hips and knees."""
    legs = []
    for hip in (left, right):
        legs += [-hip - knee / 2, knee]
    q = np.array([0.0, 0.0, 0.05, *legs])
    robot = biped()
    # the shorter leg bends less until both feet are at one height
    for _ in range(50):
        poses = robot.link_poses(q)
        feet = [poses[robot.link_names.index(f"{side}_shank")] @ [*FOOT, 1.0] for side in ("left", "right")]
        q[6] += 2.0 * (feet[1][2] - feet[0][2]) / -0.4 * np.sign(q[6])
        q[1] -= min(feet[0][2], feet[1][2])
    return q


def foot_places(robot, q):
    poses = robot.link_poses(q)
    return np.stack(
        [(poses[..., robot.link_names.index(f"{side}_shank"), :, :] @ [*FOOT, 1.0])[..., :3] for side in ("left", "right")],
        axis=-2,
    )


def standing(duration=1.0):
    p = MotionProblem(biped(), control_points=16, duration=duration, undriven=ROOT)
    return p.contact("left", "left_shank", FOOT).contact("right", "right_shank", FOOT)


def test_a_standing_biped_has_the_forces_of_statics():
    robot, q = biped(), stance()
    (xl, _, zl), (xr, _, zr) = foot_places(robot, q)
    assert zl == pytest.approx(0, abs=1e-9) and zr == pytest.approx(0, abs=1e-9)
    p = standing().start(q).end(q)
    p.minimize("integral", 1.0, "left_force").minimize("integral", 1.0, "right_force").minimize("integral", 1e7, "acceleration")
    found = p.solve()
    forces = found.contact_forces(0.5)
    weight, x = 16.0 * G, robot.center_of_mass(q)[0]
    assert forces["left"][0] == pytest.approx([0, 0, weight * (x - xr) / (xl - xr)], abs=1e-3)
    assert forces["right"][0] == pytest.approx([0, 0, weight * (xl - x) / (xl - xr)], abs=1e-3)


def squatted(duration=1.0):
    q = stance()
    p = standing(duration=duration).start(q).end(position=None)
    p.limit("position", q[1] - 0.12, q[1] - 0.12, entries="z", at=1.0)
    p.minimize("integral", 1e-2, "torque").minimize("integral", 1e-4, "left_force").minimize("integral", 1e-4, "right_force")
    return p.minimize("integral", 1e-3, "acceleration")


def test_feet_hold_and_bodies_balance_at_all_times():
    found = squatted().solve()
    t = np.linspace(0, found.duration, 1601)
    weight = 16.0 * G
    q, qd, qdd = found.coordinates(t)
    feet = foot_places(found.robot, q)
    assert np.ptp(feet, axis=0).max() < 1e-3 and np.abs(feet[..., 2]).max() < 1e-3  # 1 mm
    assert np.abs(np.gradient(feet, t, axis=0)).max() < 1e-2  # 1 cm/s
    assert np.abs(found.imbalance(t)).max() < 1e-9 * weight
    assert found.force_correction.left < 1e-9 * weight
    # momentum: the forces of the ground and gravity move the center of mass
    total = sum(f.sum(axis=1) for f in found.contact_forces(t, axes="world").values())
    p = found.robot.momentum(q, qd)[:, :3]
    rate = np.gradient(p, t, axis=0)[5:-5]
    assert np.abs(rate - (total + [0, 0, -weight])[5:-5]).max() < 0.02 * weight
    # forces stay in their cones
    for f in found.contact_forces(t).values():
        assert (np.abs(f[..., 0]) <= 0.8 * f[..., 2] + 1e-3 * weight).all()


def test_forces_that_balance_between_knots_stay_in_their_cones():
    friction, weight = 0.35, 16.0 * G
    q = stance()
    p = MotionProblem(biped(), control_points=9, duration=0.7, undriven=ROOT)
    for side in ("left", "right"):
        p.contact(side, f"{side}_shank", FOOT, friction=friction)
    p.start(q).end(position=None).limit("position", q[1] - 0.12, q[1] - 0.12, entries="z", at=1.0)
    p.minimize("integral", 1e-2, "torque").minimize("integral", 1e-3, "acceleration")

    def outside(found):
        t = np.linspace(0.0, found.duration, 6 * 4 * 50 + 1)
        forces = np.concatenate(list(found.contact_forces(t).values()), axis=1)
        return max(0.0, (np.abs(forces[..., 0]) - friction * forces[..., 2]).max(), -forces[..., 2].min()) / weight

    once = p.solve(limit_tolerance=None)
    assert once.force_correction.change > 1e-3 * weight
    told = [r.violation for r in once.limits if "friction" in r.label or "force" in r.label]
    assert max(told) / weight == pytest.approx(outside(once), rel=0.2, abs=1e-6)
    assert outside(p.solve()) < 1e-3


@pytest.mark.slow
def test_a_squat_is_simulated_again():
    found = squatted(0.4).solve()
    q0, qd0, _ = found.coordinates(0.0)
    again = found.robot.simulate(q0, qd0, found.duration, found.replay, rtol=1e-10, atol=1e-12)
    assert np.abs(again.q - found.coordinates(again.t)[0]).max() < 1e-6
    whole = found.trajectory()
    assert np.allclose(whole.tau[:, :3], 0.0) and set(whole.external) == {"left_shank", "right_shank"}
    assert np.allclose(found.robot.inverse_dynamics(whole.q, whole.qd, whole.qdd, external=whole.external), whole.tau, atol=1e-7)


def test_two_feet_bear_what_the_split_ground_gives_them_at_some_internal_force():
    found = squatted().solve()
    split = MotionProblem(biped(), control_points=16, duration=1.0, undriven=ROOT)
    links = {"left": "left_shank", "right": "right_shank"}
    split.split_ground([{"link": link, "point": FOOT} for link in links.values()], internal=True)
    t = np.unique(found.path.basis.span_ends)[1:-1] * found.duration  # at knots feet are on the ground exactly
    path = [found.path.rate(t, order) for order in range(4)]

    def at(name, h, **options):
        rates = [np.concatenate([rate, (h if k == 0 else np.zeros_like(h))[:, None]], axis=1) for k, rate in enumerate(path)]
        return split.quantities.get(name, **options).values(State(tuple(rates), t / found.duration))

    def forces(h):
        return np.concatenate([at("contact_force", h, contact=link) for link in links.values()], axis=1)

    theirs = found.contact_forces(t)
    theirs = np.concatenate([theirs[side][:, 0] for side in links], axis=1)
    none, one = np.zeros(len(t)), np.ones(len(t))
    begin, way = forces(none), forces(one) - forces(none)
    h = ((theirs - begin) * way).sum(axis=1) / (way * way).sum(axis=1)
    weight = 16.0 * G
    assert np.abs(theirs - forces(h)).max() < 1e-9 * weight and np.abs(h).max() > 1e-3
    assert np.abs(found.torques(t)[:, 3:] - at("torque", h)[:, 3:]).max() < 1e-9 * weight


def box_lift(friction=0.4, lift=0.0):
    """Two hands on slides hold a box from both sides; a third slide lifts them."""
    mass, wide = 3.0, 0.15
    inertia = Inertia(mass, (0, 0, 0), ((0.02, 0, 0), (0, 0.02, 0), (0, 0, 0.02)))
    links = (
        Link("world"),
        Link("frame", Inertia(1.0)),
        Link("left", Inertia(0.5)),
        Link("right", Inertia(0.5)),
        Link("box", inertia),
    )
    joints = (
        Joint("lift", JointKind.PRISMATIC, "world", "frame", axis=(0, 0, 1)),
        Joint("left_slide", JointKind.PRISMATIC, "frame", "left", axis=(1, 0, 0)),
        Joint("right_slide", JointKind.PRISMATIC, "frame", "right", axis=(-1, 0, 0)),
        Joint("free", JointKind.FLOATING, "world", "box"),
    )
    p = MotionProblem(Robot(Model("box", links, joints)), control_points=10, duration=0.6)
    palm = [(0, -0.04, -0.04), (0, 0.04, -0.04), (0, 0.04, 0.04), (0, -0.04, 0.04)]
    for side, sign in (("left", -1.0), ("right", 1.0)):
        face = Surface(normal=(sign, 0, 0), point=(sign * wide, 0, 0), link="box")
        p.contact(f"{side}_hand", side, palm, surface=face, friction=friction)
    start = np.array([0.5, -wide, -wide, 0, 0, 0.5, 0, 0, 0, 1.0])
    end = start + lift * np.array([1.0, 0, 0, 0, 0, 1.0, 0, 0, 0, 0])
    p.start(start).end(end)
    return p.minimize("integral", 1.0, "left_hand_force").minimize("integral", 1.0, "right_hand_force"), mass * G


@pytest.mark.slow
def test_two_hands_hold_a_box_by_friction():
    p, weight = box_lift()
    found = p.solve()
    for side in ("left", "right"):
        force = found.contact_forces(0.3, axes="world")[f"{side}_hand"].sum(axis=0)  # on the hand
        assert force[2] == pytest.approx(-weight / 2, rel=1e-6)
        assert abs(force[0]) == pytest.approx(weight / 2 / 0.4, rel=1e-4)  # mu N = weight / 2
    # the slides squeeze with that force, the frame carries all
    tau = found.torques(0.3)
    assert tau[1:3] == pytest.approx([weight / 0.8] * 2, rel=1e-4) and tau[0] == pytest.approx(weight + 2.0 * G, rel=1e-6)


@pytest.mark.slow
def test_a_box_is_lifted_and_balances():
    p, weight = box_lift(lift=0.3)
    found = p.solve()
    t = np.linspace(0, found.duration, 301)
    assert np.abs(found.imbalance(t)).max() < 1e-9 * weight
    poses = found.robot.link_poses(found.coordinates(t)[0])
    names = found.robot.link_names
    apart = poses[:, names.index("left"), :3, 3] - poses[:, names.index("box"), :3, 3]
    assert np.ptp(apart, axis=0).max() < 1e-3


def test_places_that_are_given_and_found():
    q = stance()
    (xl, _, _), (xr, _, _) = foot_places(biped(), q)
    p = MotionProblem(biped(), control_points=12, duration=1.0, undriven=ROOT)
    p.contact("left", "left_shank", FOOT, place=(xl, 0.0)).contact("right", "right_shank", FOOT)
    found = p.start(q).end(q).minimize("integral", 1.0, "torque").solve()
    assert found.channel("right_place", 0.5) == pytest.approx([xr], abs=1e-7)  # across its plane the robot cannot go
    assert [contact.name for contact in p.contacts] == ["left", "right"]
    other = MotionProblem(biped(), control_points=12, duration=1.0, undriven=ROOT)
    other.contact("left", "left_shank", FOOT, place=(xl + 0.05, 0.0)).contact("right", "right_shank", FOOT)
    with pytest.raises(StateError, match="contact 'left' does not hold at the start: .* gap of left.x is -0.05 m, expected 0"):
        other.start(q).end(q).minimize("integral", 1.0, "torque").solve()


def test_contacts_that_cannot_be_reached_say_how_far_they_are():
    p = MotionProblem(biped(), control_points=12, duration=1.0, undriven=ROOT).contact("left", "left_shank", FOOT)
    p.limit("position", 1.0, 2.0, entries="z").minimize("integral", 1.0, "torque")
    with pytest.raises(StateError, match=r"contact 'left' cannot be reached: .* stay 0.2 m away from it"):
        p.solve()
    p = MotionProblem(biped(), control_points=12, duration=1.0, undriven=ROOT)
    p.contact("left", "left_shank", FOOT, place=(0, 0)).contact("right", "right_shank", FOOT, place=(2.0, 0))
    with pytest.raises(StateError, match=r"contacts 'left', 'right' cannot hold together: 0.2 m are missing"):
        p.minimize("integral", 1.0, "torque").solve()
    with pytest.raises(StateError, match=r"contact 'both' does not hold at the start: .* gap of both.height is -0.1 m"):
        hop(also={"surface": {"height": 0.1}, "during": ["push", "flight"]})
    p = hop(also={"surface": {"height": 0.1}, "during": ["flight", "land"]}, end=None)[0]
    with pytest.raises(StateError, match=r"contacts 'landing', 'both' cannot hold together in phase 'land': 0.05 m are missing"):
        p.solve()


@pytest.mark.slow
def test_contacts_out_of_reach_of_a_floating_robot_say_how_far_they_are():
    foot = (-0.018, 0, -0.015)

    def problem():
        p = MotionProblem(go2(), control_points=8, duration=0.5).minimize("integral", 1.0, "acceleration")
        return p.limit_by_model("position")

    p = problem().limit("position", -1, 1, entries="root_joint_z").contact("left", "FL_foot", foot, surface={"height": 5.0})
    with pytest.raises(StateError, match="contact 'left' cannot be reached: .* stay .* m away from it") as caught:
        p.solve()
    away = float(re.search("stay ([0-9.]+) m", str(caught.value))[1])
    assert 4.0 - 0.7 < away < 4.0  # from z = 1 m, a leg and half the trunk are 0.7 m long at most
    p = problem().contact("left", "FL_foot", foot).contact("step", "FL_foot", foot, surface={"height": 0.5})
    with pytest.raises(StateError, match=r"contacts 'left', 'step' cannot hold together: 0.25 m are missing"):
        p.solve()


def test_a_body_that_nothing_carries_is_said_to_lack_balance():
    p = MotionProblem(hopper(), control_points=8, undriven="height", duration=1.0).start([0.6, 0.6]).end([0.6, 0.6])
    said = r"breaks balance of height \(exactly 0 N\) by 49.* N .* what acts on the robot cannot move it so in 1 s: change its"
    with pytest.raises(PredictionError, match=said):  # 5 kg fall
        p.minimize("integral", 1.0, "torque").solve()


def test_ends_that_slide_or_lift_a_contact_are_refused():
    turn = [0.0, 0.0, np.sin(0.35), np.cos(0.35)]  # a heading of 0.7 rad
    on = np.array([0.3, 0.2, HALF, *turn])
    spin = [HALF, HALF, 0, 0, 0, -1.0]  # about the first point, along the block's axes

    def problem():
        return MotionProblem(floating_block(), control_points=8, duration=1.0)

    def touching(p):
        return p.contact("sole", "block", [CORNERS[1], CORNERS[2], CORNERS[3]])

    for q, qd, said in (
        (on, [0.5 * np.cos(0.7), -0.5 * np.sin(0.7), 0, 0, 0, 0], "move there; gap_rate of sole.x is 0.5 m/s"),
        (on, spin, f"move there; gap_rate of sole.turn is {2 * HALF:g} m/s"),
        (on + [0, 0, 0.05, 0, 0, 0, 0], 0.0, "are not where it holds; gap of sole.height is 0.05 m"),
        (on, [0, 0, 0, 0.4, 0, 0], "move there; gap_rate of sole"),
    ):
        message = f"contact 'sole' does not hold at the start: its points {said}.*, expected 0; change the start, the contact's"
        with pytest.raises(StateError, match=message):
            touching(problem()).start(q, velocity=qd)
        with pytest.raises(StateError, match=message):
            touching(problem().start(q, velocity=qd))
    touching(problem()).start(on).end(on + [0.1, 0, 0, 0, 0, 0, 0])  # each is a place


@pytest.mark.slow
def test_contacts_that_contradict_clearances_are_refused():
    for at in (None, 0.5):
        p = hop(end=None)[0].limit("clearance", lower=0.1, upper=None, scale=0.1, link="foot", during="land", at=at)
        with pytest.raises(StateError, match="contact 'landing' contradicts a limit in phase 'land': .* at least 0.1 m"):
            p.solve()
    foot = {"link": "block", "points": [(0.0, 0.0, -HALF)]}
    p = MotionProblem(floating_block(), control_points=8, duration=1.0).contact("edge", "block", CORNERS[:2])
    p.limit("clearance", lower=0.05, upper=None, scale=0.1, **foot).minimize("integral", 1.0, "acceleration")
    p.copy().start(None).end(None).solve(throw=False, iterations=0)  # it may stand on an edge
    p.limit("clearance", lower=0.05, upper=None, scale=0.1, link="block", points=[(0.05, -HALF, -HALF)])
    with pytest.raises(StateError, match="contact 'edge' contradicts a limit: it holds clearance of block at 0 m, which must be"):
        p.start(None).end(None).solve()


def test_contacts_of_phases_that_meet_have_to_hold_at_once():
    p = MotionProblem(hopper(), control_points=16, undriven="height").phases({"low": 0.3, "high": 0.2})
    p.contact("floor", "foot", during="low").contact("step", "foot", during="high", surface={"height": 0.1})
    said = r"contacts 'floor', 'step' cannot hold together at the end of phase 'low', where 'high' begins: 0.05 m are missing"
    with pytest.raises(StateError, match=said):
        p.minimize("integral", 1.0, "torque").solve()


def test_names_that_are_none_and_pushes_that_change_nothing_are_refused():
    p = MotionProblem(hopper(), duration=1.0, undriven="height").contact("floor", "foot")
    with pytest.raises(StateError, match=r"contacts of contact_force are \[\], expected one or more different ones"):
        p.limit("contact_force", -1, 1, contact=[])
    with pytest.raises(StateError, match="contact is 3, expected the name of one"):
        p.limit("contact_force", -1, 1, contact=[3])
    with pytest.raises(LissomError, match="no contact 'flor'; did you mean 'floor'"):
        p.limit("contact_force", -1, 1, contact=["flor"])
    with pytest.raises(StateError, match="has no use: link 'world' does not move"):
        p.channel("push", "fz", link="world")
    with pytest.raises(StateError, match="undriven= is 1, expected names of joints"):
        MotionProblem(hopper(), undriven=1)


def test_a_motion_without_ends_begins_where_contacts_are_reached():
    p = MotionProblem(biped(), control_points=12, duration=1.0, undriven=ROOT)
    p.contact("left", "left_shank", FOOT, place=(0.2, 0)).contact("right", "right_shank", FOOT, place=(-0.2, 0))
    p.limit("position", 0.6, 0.7, entries="z").start(None).end(None)
    found = p.minimize("integral", 1.0, "torque").minimize("integral", 1.0, "acceleration").solve()
    assert np.abs(foot_places(found.robot, found.coordinates(found.times(50))[0])[..., 2]).max() < 1e-3


def test_bad_contacts_of_a_problem():
    robot = biped()
    p = MotionProblem(robot, undriven=ROOT).contact("left", "left_shank", FOOT)
    with pytest.raises(StateError, match="a contact cannot be called 'right': there is a quantity 'right_force' already"):
        MotionProblem(robot, undriven=ROOT).channel("right_force", "a").contact("right", "right_shank", FOOT)
    with pytest.raises(StateError, match="there is a contact 'left' already; give each contact a name of its own"):
        p.contact("left", "right_shank", FOOT)
    with pytest.raises(LissomError, match="no link 'foot'"):
        p.contact("right", "foot", FOOT)
    with pytest.raises(StateError, match="the problem has no phases"):
        p.contact("right", "right_shank", FOOT, during="stance")
    with pytest.raises(StateError, match="torque is limited or minimized already"):
        MotionProblem(robot, undriven=ROOT).minimize("integral", 1.0, "torque").contact("left", "left_shank", FOOT)
    with pytest.raises(StateError, match="no joint of 'hopper' moves 'foot' toward the surface"):
        MotionProblem(hopper()).contact("side", "foot", surface=Surface(normal=(1, 0, 0)))
    with pytest.raises(StateError, match="no axes 'link' of contact forces"):
        hop()[0].solve().contact_forces(0.1, axes="link")


def test_too_few_unknowns_are_counted():
    q = stance()
    p = MotionProblem(biped(), control_points=5, duration=1.0, undriven=ROOT)
    for side in ("left", "right"):
        p.contact(side, f"{side}_shank", FOOT)
    p.limit("torque", 0, 0, scale=10.0, at="knots")
    p.start(q).end(q + 0.0).minimize("integral", 1.0, "torque", entries="right_hip")
    with pytest.raises(StateError, match=r"\d+ equations for \d+ unknowns"):
        p.solve()


def test_forces_of_contacts_are_drawn_where_they_act():
    from lissom.view.scene.build import scene_of

    found = squatted().solve()
    t = np.linspace(0, found.duration, 5)
    arrows = [arrow for arrow in scene_of(found._scene_motion(t)).arrows if arrow.layer in ("ground_forces", "wrenches")]
    assert [arrow.layer for arrow in arrows] == ["ground_forces"] * 2
    assert np.allclose(arrows[0].at, foot_places(found.robot, found.coordinates(t)[0])[:, 0], atol=1e-9)
    assert np.allclose(arrows[0].vector, found.contact_forces(t, axes="world")["left"][:, 0])


def test_contacts_come_back_from_files(tmp_path):
    found = hop()[0].solve()
    path = found.save(tmp_path / "hop.npz")
    back = Prediction.load(path, found.robot)
    t = np.linspace(0, found.duration, 23)
    for name, forces in found.contact_forces(t).items():
        assert np.array_equal(back.contact_forces(t)[name], forces)
    assert back.description.channels == found.description.channels
    assert np.array_equal(back.torques(t), found.torques(t))
    arrays = dict(np.load(path))
    for damaged in (
        "{",
        "[1]",
        arrays["channel_touches"][1].replace("foot", "fist"),
        arrays["channel_touches"][1].replace("[2]", "[7]"),
        arrays["channel_touches"][1].replace("pyramid", "sphere"),
    ):
        arrays["channel_touches"] = np.array(["", damaged, "", ""])
        np.savez(tmp_path / "damaged.npz", **arrays)
        with pytest.raises(LissomError, match="it is damaged"):
            Prediction.load(tmp_path / "damaged.npz", found.robot)


@pytest.mark.slow
def test_rates_of_torques_include_those_of_contact_forces():
    p = squatted()
    found = p.limit("torque_rate", -4e3, 4e3).solve()
    knots = np.unique(found.path.basis.span_ends) * found.duration
    t = np.setdiff1d(np.round(np.linspace(0.013, 0.987, 40), 6), knots)
    h = 1e-6
    slope = (
        found.robot.inverse_dynamics(*found.coordinates(t + h), external=_raw(found, t + h))
        - found.robot.inverse_dynamics(*found.coordinates(t - h), external=_raw(found, t - h))
    ) / (2 * h)
    assert np.abs(found.torque_rates(t) - slope).max() < 1e-3 * max(1.0, np.abs(slope).max())


def _raw(found, t):
    """External wrenches of the splines of forces themselves."""
    from lissom.predict.result.loads import external_along

    told = found.description
    return external_along(
        told.robot, None, told.channels, lambda name: found.channels[name].at(t), lambda: found.coordinates(t)[0]
    )


def test_contacts_are_described():
    text = str(hop()[0].solve().description)
    assert "contact   take_off: a point of foot on the ground during push, friction 0.8 in a pyramid of 4 faces" in text
    assert "gap" not in text


def rolling(control_points):
    """Return a foot that rolls from heel to toe, as a problem."""
    links = (Link("world"), Link("a", massless=True), Link("b", massless=True), Link("foot", Inertia(1.0, (0.1, 0, 0.05), CUBE)))
    joints = (
        Joint("x", JointKind.PRISMATIC, "world", "a", axis=(1, 0, 0)),
        Joint("z", JointKind.PRISMATIC, "a", "b", axis=(0, 0, 1)),
        Joint("pitch", JointKind.REVOLUTE, "b", "foot", axis=(0, 1, 0)),
    )
    p = MotionProblem(Robot(Model("foot", links, joints)), control_points=control_points)
    p.phases({"strike": 0.2, "flat": 0.3, "push": 0.2})
    heel, toe = ROLLS.values()
    p.contact("heel", "foot", heel, during="strike").contact("sole", "foot", [heel, toe], during="flat")
    p.contact("toe", "foot", toe, during="push")
    p.start([0.0, 0.0, -0.3]).end(None).limit("position", 0.4, 0.4, entries="pitch", at=1.0)
    for name in ("heel", "sole", "toe"):
        p.minimize("integral", 1e-3, f"{name}_force")
    return p.minimize("integral", 1.0, "acceleration")


ROLLS = {"heel": (0.0, 0.0, 0.0), "toe": (0.2, 0.0, 0.0)}


@pytest.mark.parametrize("control_points", [16, 30])  # with 16, knots are doubled until the points hold between them
def test_a_foot_rolls_from_heel_to_toe(control_points):
    found = rolling(control_points).solve()
    t = np.linspace(0, 0.7, 701)
    pose = found.robot.link_poses(found.coordinates(t)[0])[:, -1]
    at = {name: (pose @ [*point, 1.0])[:, :3] for name, point in ROLLS.items()}
    for name, when in (("heel", t <= 0.5), ("toe", t >= 0.2)):
        own = at[name][when]
        assert np.ptp(own, axis=0).max() < 1e-3 and np.abs(own[:, 2]).max() < 1e-3
        assert np.abs(np.gradient(own, t[when], axis=0)).max() < 1e-2
    assert at["toe"][0, 2] == pytest.approx(0.2 * np.sin(0.3)) and at["heel"][-1, 2] == pytest.approx(0.2 * np.sin(0.4))


def test_a_foot_that_slides_between_knots_is_no_success():
    found = rolling(16).solve(throw=False, limit_tolerance=1e-5)
    assert found.status is Status.LIMITS_BROKEN
    assert "But between knots, contact 'toe' is" in found.message and "try more control_points, or spans in" in found.message
    assert rolling(16).solve(limit_tolerance=None).success


def test_an_impossible_hop_names_the_weak_leg():
    found = hop()[0].limit("torque", -30, 30, entries="leg").solve(throw=False)  # it weighs 49 N
    assert found.status is Status.INFEASIBLE
    assert "breaks torque of leg (-30 to 30 N) by" in found.message and "gap" not in found.message
    height = [report for report in found.limits if report.label.startswith("gap of")]
    assert max(report.violation for report in height) < 1e-6  # contacts and balance are kept
