"""Goals by themselves, and Pareto fronts, beside the closed form of a slider."""

import numpy as np
import pytest

import lissom
from lissom import Inertia, Joint, JointKind, Link, Model, MotionProblem, Robot, StateError, robots
from lissom.predict import pareto
from lissom.predict.problem.description import describe
from lissom.predict.problem.goals import goal_labels

MASS, WAY = 2.0, 0.7


@pytest.fixture(scope="module")
def problem():
    """A mass on a level slide from rest to rest: for a duration T the least integral of F^2 is 12 m^2 d^2 / T^3."""
    slide = Joint("slide", JointKind.PRISMATIC, "ground", "cart", axis=(1.0, 0.0, 0.0))
    model = Model("slider", (Link("ground"), Link("cart", Inertia(MASS))), (slide,))
    start = MotionProblem(Robot(model), control_points=8, duration=(0.1, 20.0)).start([0.0]).end([WAY])
    return start.minimize("time", 0.5).minimize("integral", 0.5, "torque")


def test_the_front_of_a_slider_is_the_closed_form(problem):
    weights = np.array([0.9, 0.7, 0.5, 0.2])
    front = pareto(problem, weights)
    # w T + (1 - w) 12 m^2 d^2 / T^3 is least where its slope vanishes
    T = (36 * MASS**2 * WAY**2 * (1 - weights) / weights) ** 0.25
    assert np.allclose(front.values[:, 0], T, rtol=1e-6)
    assert np.allclose(front.values[:, 1], 12 * MASS**2 * WAY**2 / T**3, rtol=1e-6)
    assert front.best.all()
    assert np.allclose(front.weights, np.stack([weights, 1 - weights], axis=1))
    assert front.labels == ("time [s]", "integral of torque^2 [N^2 s]")


def test_weights_can_be_pairs_and_only_their_ratio_moves_the_optimum(problem):
    front = pareto(problem, [(1.0, 1.0), (10.0, 10.0)])
    assert np.allclose(front.values[0], front.values[1], rtol=1e-6)
    assert front.predictions[1].objective == pytest.approx(10 * front.predictions[0].objective, rel=1e-6)


def test_of_more_goals_two_are_named_and_others_keep_their_weights(problem):
    front = pareto(problem.copy().minimize("integral", 0.0, "velocity"), [0.7, 0.5], goals=(0, 1))
    assert np.allclose(front.values, pareto(problem, [0.7, 0.5]).values, rtol=1e-6)
    turned = pareto(problem, [0.3, 0.5], goals=(1, 0))
    assert turned.labels == front.labels[::-1] and np.allclose(turned.values[:, ::-1], front.values, rtol=1e-6)
    with pytest.raises(StateError, match=r"goals are \(0, 0\), expected two different numbers from 0 to 1"):
        pareto(problem, [0.5], goals=(0, 0))
    with pytest.raises(StateError, match="of more, name two by number: goals="):
        pareto(problem.copy().minimize("integral", 1.0, "velocity"), [0.5])


def test_the_problem_stays_as_it_is(problem):
    before = repr(problem), problem.parts.time, [x.weight for x in problem.parts.integrals]
    pareto(problem, [0.3])
    assert before == (repr(problem), problem.parts.time, [x.weight for x in problem.parts.integrals])


def test_refined_motions_start_the_next_ones_on_the_problems_own_spline(problem):
    front = pareto(problem, [0.6, 0.5, 0.4], refine=1)
    assert [p.rounds[0].control_points for p in front.predictions] == [8, 8, 8]


def test_weighted_goals_sum_up_to_the_objective():
    problem = MotionProblem(lissom.robots.rr(), control_points=9, duration=(0.05, 2.0)).start([0, -2]).end([1, -1])
    problem.limit("torque", -10, 10).minimize("integral", 0.01, "torque", entries="joint_2").minimize("time", 0.5)
    problem.minimize("peak", 0.02, "velocity", scale=2.0).minimize("time", 0.25).minimize("integral", 0.1, "power", square=False)
    goals = problem.solve().goals
    assert [label for label, _, _ in goals] == [
        "integral of torque^2 of joint_2 [(N m)^2 s]",
        "time [s]",
        "peak of |velocity| [of its scale]",
        "integral of power [W s]",
    ]
    assert [weight for _, weight, _ in goals] == [0.01, 0.75, 0.02, 0.1]
    assert sum(weight * value for _, weight, value in goals) == pytest.approx(problem.solve().objective, rel=1e-6)
    # from rest to rest on a level, all work that went in came out again
    assert goals[3].value == pytest.approx(0.0, abs=1e-3)


def test_labels_of_goals_count_entries_where_they_are_many():
    arm = robots.panda()
    problem = MotionProblem(arm, control_points=8, duration=1.0).start([0.0, 0, 0, -1, 0, 1, 0])
    problem.minimize("integral", 1.0, "torque", entries=arm.joint_names[:4])
    problem.minimize("integral", 1.0, "torque", entries=arm.joint_names[:5]).minimize("peak", 1.0, "velocity")
    several = [label for label, _ in goal_labels(problem)]
    assert several == [
        "integral of torque^2 of joint_1, joint_2, joint_3, joint_4 [(N m)^2 s]",
        "integral of torque^2 of 5 joints [(N m)^2 s]",
        "peak of |velocity| [rad/s]",
    ]
    words = [text for what, text in describe(problem).rows if what == "minimize"]
    assert words[1] == "1 x integral of torque^2 of joint_1, joint_2, joint_3, joint_4, joint_5 [(N m)^2 s]"
    base = MotionProblem(robots.go2(), control_points=8, duration=1.0)
    names = [name for name in base.robot.path_columns if name != "root_joint_x"]
    base.minimize("integral", 1.0, "position", entries=names)
    assert goal_labels(base)[0][0].startswith(f"integral of position^2 of {len(names)} entries [")


def test_motions_that_failed_or_are_worse_are_not_on_the_front(problem):
    from lissom.predict import Front

    good = pareto(problem, [0.9, 0.5, 0.1])
    failed = pareto(problem, [0.5], iterations=1).predictions[0]
    assert not failed.success
    values = np.array([*good.values, good.values[1] + [0.1, 0.1], [0.0, 0.0]])
    front = Front(good.labels, np.ones((5, 2)), values, (*good.predictions, good.predictions[1], failed))
    assert front.best.tolist() == [True, True, True, False, False]
    assert repr(front).endswith("3 on the front>")


def test_a_table_has_a_line_for_each_motion(problem):
    front = pareto(problem, [0.7, 0.3])
    head, *lines = front.table().splitlines()
    assert head.split("  ")[0] == "weights"
    assert [line.split()[:2] for line in lines] == [["0.7,", "0.3"], ["0.3,", "0.7"]]
    assert all(line.endswith("solved  yes") for line in lines)


def test_a_picture_shows_every_motion(problem, tmp_path):
    front = pareto(problem, [0.7, 0.5, 0.3])
    (axis,) = front.plot().axes
    x, y = axis.lines[0].get_data()
    assert np.allclose(np.stack([x, y], axis=1), front.values)  # from the shortest on
    assert (axis.get_xlabel(), axis.get_ylabel()) == front.labels
    assert front.plot(tmp_path / "front.svg").stat().st_size > 1000


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([], r"weights has shape \(0,\), expected \(N,\) numbers between 0 and 1, or \(N, 2\) pairs"),
        ([1.5], r"weights has shape \(1,\)"),
        ([[1, 2, 3]], r"weights has shape \(1, 3\)"),
        ([[1, -1]], "weights must be finite, not negative, and not both zero"),
        ([[0, 0]], "not both zero"),
        ("many", "weights is 'many', expected numbers"),
    ],
)
def test_weights_that_are_none_are_refused(problem, weights, message):
    with pytest.raises(StateError, match=message):
        pareto(problem, weights)


def test_a_front_needs_two_goals():
    one = MotionProblem(lissom.robots.rr(), name="one")
    with pytest.raises(StateError, match="a Pareto front needs a problem of two goals, and 'one' minimizes nothing"):
        pareto(one, [0.5])
    with pytest.raises(StateError, match=r"and 'one' minimizes time \[s\]"):
        pareto(one.minimize("time"), [0.5])
