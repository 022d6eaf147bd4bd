"""Reactions of the ground that follow from the motion: balance, derivatives, closed forms, and force channels beside them."""

import numpy as np
import pytest

import lissom
from lissom.algorithms.contacts.ground_split import Ground, ground_reaction, reaction_entries, reaction_rates
from lissom.algorithms.derivatives import directional
from lissom.errors import NameLookupError, StateError
from lissom.model import Inertia, Joint, JointKind, Link, Model, Pose
from lissom.predict import MotionProblem, State, Support
from lissom.predict.data.motion import idle
from lissom.predict.result.ground_files import ground_text, read_ground
from lissom.predict.search.run import Run
from lissom.spline import SplinePath

UPRIGHT = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
SLOPE = {"normal": (-0.1, 0.05, 1.0), "point": (0.1, -0.2, 0.05)}
SOLE = [(0.1, 0.05, 0.0), (0.1, -0.05, 0.0), (-0.08, 0.05, 0.0), (-0.08, -0.05, 0.0)]
T = 0.6


def walker(root="floating"):
    """Return a trunk on two straight legs with hips of two axes, ankles of one, and a swinging arm."""
    small = np.diag([0.02, 0.03, 0.01])
    links = [
        Link("world"),
        Link("trunk", Inertia(40.0, (0.02, 0.0, 0.3), np.diag([2.0, 1.8, 0.6]))),
        Link("arm", Inertia(4.0, (0.0, 0.0, -0.3), small)),
    ]
    joints = [Joint("arm", JointKind.REVOLUTE, "trunk", "arm", origin=Pose(translation=(0.0, 0.2, 0.5)), axis=(0.0, 1.0, 0.0))]
    if root == "floating":
        joints.insert(0, Joint("base", JointKind.FLOATING, "world", "trunk"))
    else:
        before = "world"
        for k, (name, kind, axis) in enumerate(
            [
                ("x", "prismatic", 0),
                ("y", "prismatic", 1),
                ("z", "prismatic", 2),
                ("yaw", "revolute", 2),
                ("roll", "revolute", 0),
                ("pitch", "revolute", 1),
            ]
        ):
            child = "trunk" if k == 5 else f"_{name}"
            links += [] if k == 5 else [Link(child, massless=True)]
            joints.append(Joint(name, JointKind(kind), before, child, axis=tuple(float(axis == i) for i in range(3))))
            before = child
    for side, y in (("left", 0.1), ("right", -0.1)):
        links += [
            Link(f"{side}_hip", massless=True),
            Link(f"{side}_leg", Inertia(10.0, (0.0, 0.0, -0.4), small * 10)),
            Link(f"{side}_foot", Inertia(1.0, (0.03, 0.0, 0.03), small / 10)),
        ]
        joints += [
            Joint(
                f"{side}_hip",
                JointKind.REVOLUTE,
                "trunk",
                f"{side}_hip",
                origin=Pose(translation=(0.0, y, 0.0)),
                axis=(0.0, 1.0, 0.0),
            ),
            Joint(f"{side}_abduction", JointKind.REVOLUTE, f"{side}_hip", f"{side}_leg", axis=(1.0, 0.0, 0.0)),
            Joint(
                f"{side}_ankle",
                JointKind.REVOLUTE,
                f"{side}_leg",
                f"{side}_foot",
                origin=Pose(translation=(0.0, 0.0, -0.9)),
                axis=(0.0, 1.0, 0.0),
            ),
        ]
    return lissom.Robot(Model("walker", tuple(links), tuple(joints)))


ROOT = ("x", "y", "z", "yaw", "roll", "pitch")


@pytest.fixture(scope="module")
def robots():
    """Return the walker with a floating base, and with slides and turns."""
    return {"floating": walker(), "slides": walker("slides")}


def stepping(robot, root, internal=True, **options):
    """Return a problem: both feet, with anchors that move, then the right one alone."""
    problem = MotionProblem(robot, control_points=8, duration=T, undriven=() if root == "floating" else ROOT)
    problem.phases({"double": 0.25 * T, "single": 0.75 * T})
    rear = Support("left_foot", (-0.05, 0.0, 0.0), to=(0.1, 0.0, 0.0))
    lead = {"link": "right_foot", "point": (-0.08, 0.01, 0.0), "to": (0.02, 0.0, 0.0)}
    return problem.split_ground({"double": (rear, lead), "single": "right_foot"}, internal=internal, **options)


def motion_of(problem, seed=0, durations=(T,)):
    """Return a smooth motion with long strides, and an internal force."""
    rng = np.random.default_rng(seed)
    names = lissom.predict.data.joints.path_names(problem.robot)
    middle = np.array(
        [0.5 if x == "left_hip" else -0.4 if x == "right_hip" else 0.8 if x in ("base_z", "z") else 0.0 for x in names]
    )
    points = middle + rng.uniform(-0.05, 0.05, (problem.basis.count, problem.n))
    first = idle(SplinePath(points, T, basis=problem.basis), problem.channels, problem.timing)
    every = first.points
    every[points.size :] = rng.normal(size=len(every) - points.size) * 0.1
    return first.with_points(every, np.array(durations))


def predicted(problem, seed=0):
    """Return a prediction whose motion was not improved."""
    motion = motion_of(problem, seed)
    problem.minimize("integral", 1.0, "torque")
    if problem.channels:
        problem.minimize("integral", 1.0, "internal_force")
    found = problem.solve(start=motion.path, iterations=0, throw=False, limit_tolerance=None)
    found.channels.update(motion.channels)
    return found


@pytest.mark.sweep("slides")
@pytest.mark.parametrize("root", ["floating", "slides"])
def test_the_root_carries_nothing_at_any_time_under_the_wrenches_of_the_ground(robots, root):
    found = predicted(stepping(robots[root], root, surface=SLOPE if root == "slides" else None))
    weight = robots[root].total_mass * 9.81
    t = np.linspace(0.0, T, 41)
    assert np.abs(found.imbalance(t)).max() < 1e-9 * weight
    forces = found.contact_forces(t)
    assert np.abs(forces["left_foot"][t > 0.25 * T]).max() == 0.0
    problem = found.problem
    state = State.along(found.motion, t, 4, problem.timing)
    torque = problem.quantities.get("torque").values(state)
    driven = [k for k in range(problem.n) if k not in problem.undriven]
    np.testing.assert_allclose(torque[:, driven], found.torques(t)[:, driven], rtol=0, atol=1e-9 * weight)
    wrench = problem.quantities.get("joint_wrench", joint="left_hip").values(state)
    number = robots[root].wrench_names.index("left_hip")
    np.testing.assert_allclose(wrench, found.joint_wrenches(t)[:, number], rtol=0, atol=1e-9 * weight)
    power = problem.quantities.get("power").values(state)
    np.testing.assert_allclose(power[:, driven], (torque * state.rates[1][:, : problem.n])[:, driven], rtol=0, atol=1e-9 * weight)


def test_derivatives_of_reactions_and_rates_are_those_of_complex_steps(robots):
    robot = robots["slides"]
    ground = Ground(("left_foot", "right_foot"), UPRIGHT, (0.0, 0.0, 0.0), 1, 100.0)
    count = robot.nv + 6
    rng = np.random.default_rng(1)
    n, size = robot.nv, reaction_entries(robot.model, ground)["pressure"].stop
    q, qd, qdd, qddd = rng.uniform(-0.3, 0.3, (4, n))
    q[robot.joint_names.index("left_hip")] = 0.5
    where = np.array([-0.05, 0, 0, 0.01, 1, 0, 0.02, 0.01, 0, 0, 0, 1, 1.0])
    for maker, options, whole, values in (
        (ground_reaction, {}, size, [q, qd, qdd, where, [0.3]]),
        (reaction_rates, {"inner": ground_reaction, "count": count}, count, [q, qd, qdd, qddd, where, [0.3], 0.1 * where, [2.0]]),
    ):
        task = maker(robot.model, ground=ground, **options)
        state = [k for k, port in enumerate(task.inputs) if port.name in directional.STATE]
        total = sum(task.inputs[k].size for k in state)
        weights = rng.normal(size=(3, whole))
        arguments = [np.asarray(x, dtype=float)[None, None] for x in values]
        found = robot.path_function(directional.vjp, (total,), of=maker, ground=ground, **options)(*arguments, weights)[0]
        column = 0
        for k in state:
            for i in range(task.inputs[k].size):
                if i % 5 == 0:
                    moved = [np.array(x, dtype=complex)[:, None] for x in values]
                    moved[k][i] += 1e-30j
                    y = np.array([np.broadcast_to(v, (1,))[0] for v in task.texts[0](*moved)[0]])
                    np.testing.assert_allclose(
                        found[:, column], weights @ y.imag / 1e-30, rtol=1e-8, atol=1e-8 * np.abs(found).max()
                    )
                column += 1


def test_rates_are_differences_by_time_with_anchors_that_move(robots):
    problem = stepping(robots["floating"], "floating")
    motion, h = motion_of(problem), 1e-6
    t = np.array([0.05, 0.11, 0.3, 0.5])
    for name, rate, options in (
        ("torque", "torque_rate", {}),
        ("contact_force", "contact_force_rate", {"contact": "left_foot"}),
        ("joint_wrench", "joint_wrench_rate", {"joint": "left_hip", "axes": "parent"}),
    ):

        def at(times, of=name, options=options):
            return problem.quantities.get(of, **options).values(State.along(motion, times, 4, problem.timing))

        slope = (at(t + h) - at(t - h)) / (2 * h)
        found = at(t, rate)
        np.testing.assert_allclose(found, slope, rtol=0, atol=1e-6 * np.abs(slope).max())


def test_rates_under_anchors_that_move_change_with_durations(robots):
    problem = MotionProblem(robots["slides"], control_points=8, duration=T, undriven=ROOT)
    problem.phases({"double": (0.1, 0.3), "single": (0.3, 0.5)})
    rear = Support("left_foot", (-0.05, 0.0, 0.0), to=(0.1, 0.0, 0.0))
    lead = Support("right_foot", (-0.08, 0.01, 0.0), to=(0.02, 0.0, 0.0))
    problem.split_ground({"double": (rear, lead), "single": "right_foot"}, internal=True)
    problem.limit("torque_rate", -900, 900).minimize("integral", 1e-3, "contact_force_rate", contact="left_foot", scale=100.0)
    problem.minimize("integral", 1e-3, "torque_rate", scale=100.0)
    motion = motion_of(problem, durations=(0.16, 0.44))
    found = Run(problem, "ipopt", 1e-8, 10, {}, None)._transcription(motion, {})
    found.exact = False
    x = np.concatenate([motion.points, motion.durations])
    rows, columns = found.jacobian_structure()
    found.evaluate(x)
    slopes, values = found.gradient(x).copy(), found.jacobian(x).copy()
    for column in (found.size, found.size + 1):
        step = 1e-6 * (np.arange(len(x)) == column)
        both = []
        for sign in (1, -1):
            found.evaluate(x + sign * step)
            both.append((found.objective(x + sign * step), found.constraints(x + sign * step).copy()))
        own = np.bincount(rows, np.where(columns == column, values, 0.0), found.rows)
        assert slopes[column] == pytest.approx((both[0][0] - both[1][0]) / 2e-6, rel=1e-6)
        by = (both[0][1] - both[1][1]) / 2e-6
        np.testing.assert_allclose(own, by, rtol=0, atol=1e-6 * np.abs(by).max())
    found.evaluate(x)
    with pytest.raises(StateError, match="has no exact second derivatives; give hessian='gauss-newton'"):
        found.exact = True
        found.hessian(x, 1.0, np.ones(found.rows))


@pytest.mark.slow
def test_one_support_gives_the_torques_of_contact_forces_that_balance_the_root(robots):
    robot = robots["floating"]
    motion = motion_of(stepping(robot, "floating", internal=False))
    t = np.array([0.2, 0.4, 0.55])
    split = stepping(robot, "floating", internal=False)
    own = split.quantities.get("torque").values(State.along(motion, t, 4, split.timing))
    other = MotionProblem(robot, control_points=8, duration=T).contact("foot", "right_foot", SOLE)
    torque = other.quantities.get("torque")
    path = State.along(motion.path, t).rates
    none = np.zeros((3, 12))
    state = State(tuple(np.concatenate([rate, none], axis=1) for rate in path))
    slopes, tau = torque.derivatives(state)[0][:, :, robot.nv :], torque.values(state)
    forces = np.stack([np.linalg.lstsq(A[:6], -b[:6], rcond=None)[0] for A, b in zip(slopes, tau, strict=True)])
    loaded = tau + np.einsum("kej,kj->ke", slopes, forces)
    np.testing.assert_allclose(own[:, 6:], loaded[:, 6:], rtol=0, atol=1e-8 * np.abs(loaded).max())


def standing():
    """A body on a knee and an ankle over a foot, which two slides and a turn about y would let go anywhere."""
    steady = Inertia(2.0, (0, 0, 0.03), ((0.01, 0, 0), (0, 0.01, 0), (0, 0, 0.01)))
    links = [Link("world"), Link("l_x", massless=True), Link("l_z", massless=True), Link("foot", steady)]
    joints = [
        Joint("x", JointKind.PRISMATIC, "world", "l_x", axis=(1, 0, 0)),
        Joint("z", JointKind.PRISMATIC, "l_x", "l_z", axis=(0, 0, 1)),
        Joint("pitch", JointKind.REVOLUTE, "l_z", "foot", axis=(0, 1, 0)),
    ]
    for joint, below, name, mass, up in (("ankle", "foot", "shank", 3.0, 0.05), ("knee", "shank", "body", 10.0, 0.45)):
        links.append(Link(name, Inertia(mass, (0, 0, 0.25), ((0.1 * mass, 0, 0), (0, 0.1 * mass, 0), (0, 0, 0.02 * mass)))))
        joints.append(Joint(joint, JointKind.REVOLUTE, below, name, origin=Pose(translation=(0, 0, up)), axis=(0, 1, 0)))
    return lissom.Robot(Model("standing", tuple(links), tuple(joints)))


def test_a_split_ground_and_contact_forces_find_the_same_motion():
    """Over a sole so wide that no limit of its forces counts."""
    root = ("x", "z", "pitch")

    def problem():
        p = MotionProblem(standing(), control_points=14, duration=0.8, undriven=root)
        return p.start([0, 0, 0, -0.2, 0.5]).end([0, 0, 0, 0.1, -0.1])

    def solved(p):
        return p.minimize("integral", 1e-2, "torque").minimize("integral", 1e-2, "acceleration").solve()

    touched = solved(problem().contact("foot", "foot", [(-0.3, 0, 0), (0.3, 0, 0)]))
    still = problem().split_ground("foot")
    for name in root:
        still.limit("position", 0, 0, entries=name, scale=1.0, at="knots")
    split = solved(still)
    assert touched.objective == pytest.approx(split.objective, rel=1e-8)
    t = touched.times(201)
    assert np.abs(touched.states(t)[0] - split.states(t)[0]).max() < 1e-7
    one, other = touched.torques(t), split.torques(t)
    assert np.abs(one - other).max() < 1e-6 * np.abs(one).max()
    one, other = (found.contact_forces(t)["foot"].sum(axis=1) for found in (touched, split))
    assert np.abs(one - other).max() < 1e-6 * np.abs(one).max()


def test_a_standing_robot_shares_its_weight_by_the_lever_rule(robots):
    robot = robots["slides"]
    problem = MotionProblem(robot, control_points=8, duration=T, undriven=ROOT)
    problem.split_ground(["left_foot", "right_foot"], internal=True)
    q = np.zeros(robot.nv)
    names = list(robot.joint_names)
    q[[names.index("left_hip"), names.index("right_hip")]] = 0.3, -0.2
    q[names.index("z")] = 0.9
    still = np.zeros((1, robot.nv + 1))
    columns = still.copy()
    columns[0, :-1] = q
    rates = (columns, still, still, still)
    get = problem.quantities.get
    weight = robot.total_mass * 9.81
    place = {side: robot.link_pose(q, f"{side}_foot")[:3, 3] for side in ("left", "right")}
    com = robot.center_of_mass(q)
    d = (place["right"] - place["left"])[:2]
    share = (com - place["left"])[:2] @ d / (d @ d)
    state = State(rates, np.array([0.0]))
    np.testing.assert_allclose(get("ground_share").values(state)[0, 0], share, atol=1e-12)
    np.testing.assert_allclose(get("pressure_point").values(state)[0], com[:2], atol=1e-12)
    np.testing.assert_allclose(get("contact_force", contact="right_foot").values(state)[0], [0, 0, share * weight], atol=1e-9)
    pushed = columns.copy()
    pushed[0, -1] = 0.1
    state = State((pushed, still, still, still), np.array([0.0]))
    along = 0.1 * weight * d / np.linalg.norm(d)
    np.testing.assert_allclose(get("contact_force", contact="right_foot").values(state)[0], [*-along, share * weight], atol=1e-9)
    np.testing.assert_allclose(get("contact_force", contact="left_foot").values(state)[0, :2], along, atol=1e-9)
    np.testing.assert_allclose(get("torque").values(state)[0, :6], 0.0, atol=1e-9)
    # both feet's own pressure points add up to that of the whole
    points = [get("pressure_point", contact=f"{side}_foot").values(state)[0] for side in ("left", "right")]
    np.testing.assert_allclose((1 - share) * points[0] + share * points[1], com[:2], atol=1e-12)


@pytest.mark.slow
def test_a_robot_shifts_its_weight_and_torques_replay_it(robots):
    robot = robots["slides"]
    problem = MotionProblem(robot, control_points=8, duration=T, undriven=ROOT)
    problem.split_ground(["left_foot", "right_foot"], internal=True)
    names = list(robot.joint_names)
    start, end = np.zeros(robot.nv), np.zeros(robot.nv)
    start[names.index("z")] = end[names.index("z")] = 0.9
    end[[names.index("y"), names.index("left_abduction"), names.index("right_abduction")]] = -0.05, -0.055, -0.055
    problem.start(start).end(end).minimize("integral", 1e-4, "torque").minimize("integral", 1e-3, "internal_force")
    problem.minimize("integral", 1e-3, "acceleration").minimize("integral", 1e-9, "contact_force_rate", contact="left_foot")
    found = problem.solve(tolerance=1e-6, restart=False)
    share = problem.quantities.get("ground_share").values(State.along(found.motion, np.linspace(0, T, 50), 4, problem.timing))[
        :, 0
    ]
    assert share.min() > -1e-3 and share.max() < 1 + 1e-3
    assert share[-1] > share[0] + 0.2
    q, qd, _ = found.coordinates(0.0)
    run = robot.simulate(q, qd, found.duration, found.replay, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(run.q[-1], found.coordinates(found.duration)[0], atol=1e-6)


@pytest.mark.slow
def test_what_is_kept_in_files_and_told_to_the_solver_is_checked(robots, tmp_path):
    found = predicted(stepping(robots["slides"], "slides"))
    problem = stepping(robots["slides"], "slides").minimize("integral", 1.0, "torque")
    path = motion_of(problem, 0).path
    kept = problem.minimize("integral", 1.0, "internal_force").solve(start=path, iterations=0, throw=False, limit_tolerance=None)
    again, t = lissom.predict.Prediction.load(kept.save(tmp_path / "step.npz"), kept.robot), kept.times(31)
    for name, force in kept.contact_forces(t).items():
        np.testing.assert_allclose(again.contact_forces(t)[name], force, rtol=0, atol=1e-9)
    np.testing.assert_allclose(again.torques(t), kept.torques(t), rtol=0, atol=1e-9)
    text = ground_text(kept.description.ground)
    assert read_ground("", kept.robot, ()) is None
    wrongs = [('"friction": 0', '"friction": -1'), ('"left_foot"', '"left_hoof"'), ('"ends": [0.0', '"ends": [0.5'), ("{", "[")]
    for old, new in wrongs:
        assert old in text
        with pytest.raises(ValueError, match="the ground is not valid"):
            read_ground(text.replace(old, new, 1), kept.robot, ["internal_force"])
    with pytest.raises(ValueError, match="the ground is not valid"):
        read_ground(text, kept.robot, ())
    for wrong in (0.0, np.inf, True, "1"):
        with pytest.raises(StateError, match="magnitude is"):
            found.problem.solve(magnitude=wrong)


def test_flight_keeps_the_equations_of_motion_of_the_root(robots):
    problem = MotionProblem(robots["floating"], control_points=8, duration=T)
    problem.phases({"stance": 0.3, "flight": 0.3}).split_ground({"stance": "left_foot", "flight": ()})
    balanced = lissom.predict.search.balance.with_balance(problem)
    (added,) = balanced.parts.limits[len(problem.parts.limits) :]
    assert added.during == (1,) and added.knots and len(added.entries) == 6


def test_what_a_split_ground_cannot_be_is_refused(robots):
    robot = robots["floating"]

    def problem():
        return MotionProblem(robot, duration=T)

    with pytest.raises(StateError, match="has a drive"):
        MotionProblem(robots["slides"]).split_ground("left_foot")
    with pytest.raises(StateError, match="two links, the rear one first"):
        problem().split_ground(["left_foot", "right_foot", "arm"])
    with pytest.raises(StateError, match="stands twice"):
        problem().split_ground(["left_foot", "left_foot"])
    with pytest.raises(StateError, match="nothing stands"):
        problem().split_ground(())
    with pytest.raises(StateError, match="needs a phase with two supports"):
        problem().split_ground("left_foot", internal=True)
    with pytest.raises(StateError, match="a coefficient"):
        problem().split_ground("left_foot", friction=0)
    with pytest.raises(StateError, match="cannot move with link"):
        problem().split_ground("left_foot", surface={"link": "arm"})
    with pytest.raises(StateError, match="has no 'place'"):
        problem().split_ground({"link": "left_foot", "place": 1})
    with pytest.raises(StateError, match="needs link="):
        problem().split_ground({"point": (0, 0, 0)})
    with pytest.raises(StateError, match="expected a link, or link"):
        problem().split_ground([3.0])
    with pytest.raises(StateError, match="three numbers"):
        problem().split_ground({"link": "left_foot", "point": (0, 0)})
    with pytest.raises(StateError, match="expected a number"):
        problem().split_ground({"link": "left_foot", "height": np.inf})
    with pytest.raises(StateError, match="already"):
        problem().split_ground("left_foot").split_ground("left_foot")
    with pytest.raises(StateError, match="limited or minimized already"):
        problem().limit("torque", -1, 1).split_ground("left_foot")
    with pytest.raises(StateError, match="drawn_power is limited or minimized already"):
        problem().minimize("integral", 1.0, "drawn_power", square=False).split_ground("left_foot")
    with pytest.raises(StateError, match="leave contact 'foot' out"):
        problem().split_ground("left_foot").contact("foot", "left_foot")
    with pytest.raises(StateError, match="use contacts alone"):
        problem().contact("foot", "left_foot").split_ground("left_foot")
    with pytest.raises(StateError, match="leave channel"):
        problem().split_ground("left_foot").channel("push", "fx", link="arm")
    with pytest.raises(StateError, match="supports of phase 'b' are missing"):
        problem().phases({"a": 0.3, "b": 0.3}).split_ground({"a": "left_foot"})
    with pytest.raises(StateError, match="those of every phase by name"):
        problem().phases({"a": 0.3, "b": 0.3}).split_ground("left_foot")
    with pytest.raises(StateError, match="give it first"):
        problem().limit("ground_share", 0, 1)
    with pytest.raises(StateError, match="needs contact="):
        problem().limit("pressure_point", 0, 1)
    with pytest.raises(NameLookupError, match="support"):
        problem().split_ground("left_foot").limit("contact_force", 0, 1, contact="right_foot")
