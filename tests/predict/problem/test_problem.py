"""Motion problems as people state them: every refusal says what was wrong and what to do."""

import math

import numpy as np
import pytest

import lissom
from lissom import Inertia, Joint, JointKind, Link, Model, MotionProblem, NameLookupError, Robot, StateError
from lissom.predict import Quantity
from lissom.predict.problem.model_limits import model_bounds

nan, inf = math.nan, math.inf
ARM = lissom.robots.rr()
ONE, TWO = ARM.joint_names
TIP = ARM.link_names[-1]


def problem(**options):
    return MotionProblem(ARM, **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"duration": None}, r"duration is None, expected seconds, or the pair \(shortest, longest\)"),
        ({"duration": (0.1, inf)}, r"expected \(shortest, longest\) \[s\], 0 < shortest <= longest, both finite"),
        ({"duration": (0.0, 1.0)}, "0 < shortest <= longest"),
        ({"duration": (2.0, 1.0)}, "0 < shortest <= longest"),
        ({"duration": nan}, "0 < shortest <= longest"),
        ({"duration": (1.0, nan)}, "0 < shortest <= longest"),
        ({"duration": "long"}, "expected seconds"),
        ({"duration": (1, 2, 3)}, "expected seconds"),
        ({"points_per_span": 3}, r"points_per_span is 3, expected an even number from 2 to 200 \(4 serves most problems\)"),
        ({"points_per_span": 0}, "with too few, limits hold at the instants but not between them"),
        ({"points_per_span": 1}, "points_per_span is 1, expected an even number"),
        ({"points_per_span": 2.0}, r"points_per_span is 2\.0, expected an even number"),
        ({"control_points": 3}, "3"),
        ({"control_points": 4.5}, "4.5"),
        ({"degree": 0}, "degree"),
        ({"external": {"nowhere": lissom.Wrench(force=[1, 0, 0], axes="link")}}, "no link 'nowhere'"),
        ({"external": 3}, "external"),
    ],
)
def test_problems_that_cannot_be_are_refused(options, message):
    with pytest.raises(lissom.LissomError, match=message):
        problem(**options)


def test_only_robots_move():
    with pytest.raises(StateError, match=r"needs a Robot, got Model; lissom\.load\(path\) reads one"):
        MotionProblem(ARM.model)


@pytest.mark.parametrize(
    ("position", "options", "message"),
    [
        ([0.0], {}, r"start's position has shape \(1,\), expected \(2,\): "),
        ([0.0, nan], {}, f"start's position of joint '{TWO}' is not finite"),
        ([0.0, 90.0], {}, rf"'{TWO}' is 90 rad, 14\.3 turns; it looks like degrees: write numpy\.deg2rad\(90\)"),
        ({ONE: 0.1}, {}, f"start's position has no value for joint '{TWO}'"),
        ({ONE: 0.1, TWO: 0.2, "elbo": 0.3}, {}, "start's position: no joint 'elbo'"),
        ("home", {}, "start's position is 'home', expected numbers"),
        ([0.0, 0.0], {"velocity": [1.0, 2.0, 3.0]}, r"start's velocity has shape \(3,\)"),
        ([0.0, 0.0], {"velocity": inf}, "start's velocity of joint .* is not finite"),
        ([0.0, 0.0], {"acceleration": [0.0, 1.0]}, "the start's acceleration must be zero or free; limit"),
    ],
)  # fmt: skip
def test_wrong_ends_are_refused(position, options, message):
    with pytest.raises(StateError, match=message):
        problem().start(position, **options)


def test_lengths_beyond_two_turns_are_no_degrees():
    slide = MotionProblem(lissom.robots.rp()).start([40.0, 0.0])
    assert slide.ends["start"]["position"][0] == 40.0
    fast = problem().start([0.0, 0.0], velocity=90.0)
    assert fast.ends["start"]["velocity"].tolist() == [90.0, 90.0]


def test_ends_are_told_by_names_or_in_order():
    by_name, in_order = problem().end({TWO: 0.2, ONE: 0.1}), problem().end([0.1, 0.2])
    assert np.array_equal(by_name.ends["end"]["position"], in_order.ends["end"]["position"])


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        (("torqe", -1, 1), {}, NameLookupError, "no quantity 'torqe'; did you mean 'torque'"),
        (("torque",), {}, StateError, "limit of torque: give lower, upper or both"),
        (("torque", 1, -1), {}, StateError, f"limit of torque of {ONE}: lower 1 is above upper -1 N m"),
        (("torque", nan, 1), {}, StateError, f"lower bound of torque of {ONE} is nan"),
        (("torque", -1, [1, 2, 3]), {}, StateError, rf"torque is \[1, 2, 3\], expected a number, or 2 for {ONE}, {TWO}"),
        (("torque", -1, "much"), {}, StateError, "upper bound of torque is 'much', expected a number"),
        (("torque", -1, {"elbo": 1}), {}, StateError, "upper bound of torque: no entry 'elbo'; "),
        (("torque", -1, 1), {"entries": ["elbo"]}, StateError, "torque has no entry 'elbo'; "),
        (("torque", -1, 1), {"entries": [ONE, ONE]}, StateError, f"entry '{ONE}' of torque is named twice"),
        (("torque", -1, 1), {"entries": []}, StateError, "entries of torque is empty; leave entries= out for all"),
        (("torque", -1, 1), {"at": 1.5}, StateError, r"at is 1\.5, expected fractions of the duration from 0"),
        (("torque", 10), {}, StateError, r"10 alone is ambiguous; write limit\('torque', -10, 10\) for"),
        (("torque", 10), {}, StateError, r"for both sides, limit\('torque', lower=10\) or limit\('torque', upper=10\)"),
        (("torque", -3), {}, StateError, r"-3 alone is ambiguous; write limit\('torque', -3, 3\)"),
        (("torque", [1, 2]), {}, StateError, r"\[1, 2\] alone is ambiguous; write limit\('torque', lower, upper\)"),
        (("torque", -1, 1), {"upper": 2}, StateError, "bounds are given twice"),
        (("torque", -1), {"lower": -2}, StateError, "bounds are given twice"),
        (("torque", -1, 1, 2), {}, StateError, "bounds are given twice"),
        (("torque", -1, 1), {"at": nan}, StateError, "at is nan, expected fractions"),
        (("torque", -1, 1), {"at": []}, StateError, r"at is \[\], expected fractions"),
        (("torque", -1, 1), {"at": "end"}, StateError, "at is 'end', expected fractions"),
        (("torque", -1, 1), {"scale": 0.0}, StateError, r"scale of torque is 0\.0, expected positive numbers"),
        (("torque", -1, 1), {"scale": [1, 2, 3]}, StateError, r"scale of torque is \[1, 2, 3\], expected a number, or 2 of them"),
        (("torque", -1, 1), {"link": TIP}, StateError, "quantity 'torque' has no option link="),
        (("position", -1, 1), {"scael": 1}, StateError, "quantity 'position' has no option scael=; did you mean 'scale'?"),
        (("link_position", 0, 1), {}, StateError, "quantity 'link_position' needs link=, the name of a link"),
        (("link_position", 0, 1), {"link": "hnad"}, NameLookupError, "no link 'hnad'"),
        (("link_position", 0, 1), {"link": TIP, "entries": "w"}, StateError, "link_position has no entry 'w'"),
        (("joint_wrench", 0, 1), {"joint": "elbo"}, NameLookupError, "'elbo'"),
        (("joint_wrench", 0, 1), {"joint": ONE, "components": ["fw"]}, StateError, "no component 'fw' of a wrench"),
    ],
)  # fmt: skip
def test_wrong_limits_are_refused(arguments, options, error, message):
    with pytest.raises(error, match=message):
        problem().limit(*arguments, **options)


def test_bounds_are_given_by_place_or_by_name():
    ways = ((-1, 2), {}), ((), {"lower": -1, "upper": 2}), ((-1,), {"upper": 2})
    for p in (problem().limit("torque", *bounds, **named) for bounds, named in ways):
        assert p.parts.limits[0].lower.tolist() == [-1, -1] and p.parts.limits[0].upper.tolist() == [2, 2]
    assert np.isinf(problem().limit("torque", lower=1).parts.limits[0].upper).all()


def test_limits_that_contradict_each_other_are_both_named():
    p = problem().limit("torque", -5, 5)
    with pytest.raises(StateError, match=rf"torque of {TWO} .*6.*8.*-5.*5 N m"):
        p.limit("torque", 6, 8, entries=TWO)
    assert len(p.parts.limits) == 1  # nothing is left behind
    p.limit("torque", 5, 8)  # a common bound is enough
    with pytest.raises(StateError, match="contradict"):
        problem().limit("velocity", 1, 2, at=0.5).limit("velocity", -1, 0.5)
    with pytest.raises(StateError, match="contradict"):
        problem().limit("velocity", 1, 2, at=[0.25, 0.5]).limit("velocity", -1, 0.5, at=[0.5, 0.75])
    problem().limit("velocity", 1, 2, at=0.25).limit("velocity", -1, 0.5, at=0.75)


@pytest.mark.parametrize("side", ["start", "end"])
def test_ends_outside_of_limits_are_refused_whichever_comes_first(side):
    with pytest.raises(StateError, match=f"the {side}'s position of {TWO}, 2 rad, "):
        getattr(problem(), side)([0.0, 2.0]).limit("position", -1, 1)
    with pytest.raises(StateError, match=f"the {side}'s position of {TWO}, 2 rad, "):
        getattr(problem().limit("position", -1, 1), side)([0.0, 2.0])
    with pytest.raises(StateError, match=f"the {side}'s velocity of {ONE}, 3 rad/s, "):
        getattr(problem().limit("velocity", -1, 1), side)([0.0, 0.5], velocity=[3.0, 0.0])


@pytest.mark.parametrize("side", ["start", "end"])
def test_ends_that_break_a_limit_of_links_are_refused_whichever_comes_first(side):
    q, share = [0.4, -0.7], 0.0 if side == "start" else 1.0
    place = ARM.link_pose(q, TIP)[:3, 3]
    message = f"the {side}'s distance of {TIP} to center, 0 m, breaks a limit: it must be at least 0.2 m"
    with pytest.raises(StateError, match=message):
        getattr(problem(), side)(q).avoid(TIP, place, 0.2)
    with pytest.raises(StateError, match=message):
        getattr(problem().avoid(TIP, place, 0.2), side)(q)
    with pytest.raises(StateError, match=f"the {side}'s link_position of {TIP}.x, .* m, breaks a limit: it must be exactly 9 m"):
        getattr(problem(), side)(q).limit("link_position", 9, 9, entries="x", at=share, link=TIP)
    # a place that it has but for rounding, one at another instant, and a peak, which bounds nothing
    getattr(problem(), side)(q).limit("link_position", place + 1e-9, place + 1e-9, at=share, scale=1.0, link=TIP)
    getattr(problem(), side)(q).limit("link_position", 9, 9, at=0.5, link=TIP)
    getattr(problem().minimize("peak", 1.0, "position"), side)(q)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (("tiem",), {}, "no goal 'tiem'; did you mean 'time'"),
        (("time", -1.0), {}, r"weight of 'time' is -1\.0, expected a finite number >= 0"),
        (("time", nan), {}, "weight of 'time' is nan"),
        (("integral",), {}, "goal 'integral' needs quantity=, such as 'torque'"),
        (("integral", 1.0, "torqe"), {}, "no quantity 'torqe'"),
        (("integral", 1.0, "torque"), {"entries": "elbo"}, "torque has no entry 'elbo'"),
        (("integral", 1.0, "torque"), {"scale": -2.0}, r"scale of torque is -2\.0, expected positive numbers"),
        (("peak", 1.0, "torque"), {"scale": -2.0}, r"scale of torque is -2\.0, expected positive numbers"),
        (("time", 1.0, "torque"), {}, "goal 'time' takes no quantity="),
        (("time", 1.0), {"link": TIP}, "goal 'time' takes no link="),
        (("peak", 1.0, "torque"), {"square": False}, "goal 'peak' takes no square="),
        (("time", 1.0), {"square": False}, "goal 'time' takes no square="),
        (("integral", "torque"), {}, r"weight of 'integral' is 'torque', .*; write minimize\('integral', 1.0, 'torque'\)"),
        (("torque",), {}, r"no goal 'torque'; minimize\('integral', 1.0, 'torque'\) is the integral of its squares"),
        (
            ("energy",),
            {},
            r"no goal 'energy'; for the energy that drives draw: minimize\('integral', 1.0, 'drawn_power', square=False\)",
        ),
    ],
)
def test_wrong_goals_are_refused(arguments, options, message):
    with pytest.raises(lissom.LissomError, match=message):
        problem().minimize(*arguments, **options)


def test_wrong_repeats_are_refused():
    with pytest.raises(StateError, match="no 'jerk' at both ends"):
        problem().same_at_both_ends("jerk")
    with pytest.raises(StateError, match="no joint 'elbo' with its own coordinates"):
        problem().same_at_both_ends("position", pairs=[(ONE, "elbo", 1.0)])
    with pytest.raises(StateError, match="expected .joint at the start, joint at the end, sign., the sign 1.0 or -1.0"):
        problem().same_at_both_ends("position", pairs=[(ONE, TWO)])
    with pytest.raises(StateError, match="shift is 1.0, expected the finite shifts of 2 pairs, or shifts by the names of joints"):
        problem().same_at_both_ends(shift=1.0)
    with pytest.raises(StateError, match=f"shift: no pair whose joint at the end is {ONE!r}"):
        problem().same_at_both_ends(pairs=[(ONE, TWO, 1.0)], shift={ONE: 1.0})
    with pytest.raises(StateError, match="a sum of joints is 3, expected a joint"):
        problem().same_at_both_ends(pairs=[(3, TWO, 1.0)])


@pytest.mark.parametrize("distance", [0.0, -1.0, nan, "far"])
def test_spheres_need_a_distance(distance):
    with pytest.raises(StateError, match="expected a positive number: the sum of the radii of the two spheres"):
        problem().avoid(TIP, (0.0, 0.0, 0.0), distance)


def test_too_few_control_points_for_both_ends_are_told():
    p = problem(control_points=5).start([0, 0], acceleration=0.0).end([1, 1], acceleration=0.0).minimize("time")
    with pytest.raises(StateError, match="5 control points are too few for the conditions at both ends, expected 6 or more"):
        p.solve()


def test_problems_tell_what_they_are():
    p = problem(name="reach", duration=1.0).limit("torque", -1, 1).limit("velocity", -1, 1)
    assert repr(p) == "<MotionProblem of 'reach': 20 control points of 2 joints, 1 s, 2 limits>"
    p.minimize("time").minimize("integral", 0.1, "torque")
    assert repr(p).endswith("2 limits, minimize time + integral of torque>")


def test_own_limits_come_from_the_description():
    assert model_bounds(ARM, "torque") == ([ONE, TWO], {ONE: -10.0, TWO: -10.0}, {ONE: 10.0, TWO: 10.0})
    limits = problem().limit_by_model("torque").parts.limits
    assert [(x.quantity.name, x.lower.tolist(), x.upper.tolist()) for x in limits] == [("torque", [-10, -10], [10, 10])]
    with pytest.raises(StateError, match="a robot's model has no limits of 'jerk'"):
        problem().limit_by_model("jerk")
    with pytest.raises(StateError, match="robot 'barman_rr' has no limits of velocity; give them: limit"):
        problem().limit_by_model("velocity")
    assert [x.quantity.name for x in problem().limit_by_model().parts.limits] == ["torque"]  # whatever there is


def test_efforts_of_zero_are_unknown_efforts():
    links = (Link("base"), Link("cart", Inertia(1.0)))
    joint = Joint("slide", JointKind.PRISMATIC, "base", "cart", axis=(1, 0, 0), limits=lissom.Limits(0.0, 2.0, velocity=0.0))
    assert model_bounds(Robot(Model("cart", links, (joint,))), "velocity") == ([], {}, {})


def test_scales_are_the_size_of_the_bounds_unless_given():
    def scale(*arguments, **options):
        return problem().limit(*arguments, **options).parts.limits[0].scale.tolist()

    assert scale("torque", [-5, 0], [3, 0]) == [5.0, 1.0]
    assert scale("torque", None, 8) == [8.0, 8.0]
    assert scale("torque", -5, 5, scale=[1.0, 2.0]) == [1.0, 2.0]
    assert scale("velocity", {ONE: -3.0}, 2.0) == [3.0, 2.0]


def test_entries_go_by_their_last_name():
    p = problem().limit("link_position", lower=0.1, entries=["z", f"{TIP}.x"], link=TIP)
    assert p.parts.limits[0].entries.tolist() == [2, 0]
    assert p.parts.limits[0].label(0) == f"link_position of {TIP}.z"


class Sum(Quantity):
    """q_1 + q_2, or what else a test makes of it."""

    name, labels, unit, orders, depends = "sum", ("both",), "rad", (0,), np.ones((1, 2), dtype=bool)

    def __init__(self, **instead):
        self.__dict__ |= instead

    def values(self, state):
        return state.rates[0].sum(axis=1, keepdims=True)

    def derivatives(self, state):
        return np.ones((1, len(state), 1, 2))

    def curvature(self, state, weights):
        return None


def test_labels_of_entries_read_well():
    p = problem().limit("torque", -1, 1).limit(Sum(), -0.1, 0.1).limit(Sum(labels=("sum",)), -0.1, 0.1)
    assert [limit.label(0) for limit in p.parts.limits] == ["torque of joint_1", "sum: both", "sum"]


def test_a_quantity_of_ones_own_takes_a_name_s_place():
    p = problem(control_points=8, duration=0.6).start([0.0, 0.0]).end([1.0, -1.0])
    found = p.limit(Sum(), -0.1, 0.1).minimize("integral", 1.0, "torque").solve()
    assert found.success
    assert np.abs(found.states(found.times())[0].sum(axis=1)).max() < 0.1 + 1e-3


@pytest.mark.parametrize(
    ("instead", "message"),
    [
        ({"labels": ("a", "b")}, r"depends of quantity 'sum' at 2 instants has shape \(1, 2\), expected \(2, 2\)"),
        ({"values": lambda state: state.rates[0]}, r"values of quantity 'sum' .* has shape \(2, 2\), expected \(2, 1\)"),
        ({"derivatives": lambda state: np.ones((2, 1, 2))}, r"derivatives .* has shape \(2, 1, 2\), expected \(1, 2, 1, 2\)"),
        ({"curvature": lambda state, weights: np.ones(3)}, r"curvature .* has shape \(3,\), expected \(2, 1, 2, 1, 2\)"),
        ({"orders": (0, 4)}, r"orders of quantity 'sum' are \(0, 4\), expected some of 0, 1, 2, 3, increasing"),
        ({"orders": ()}, "orders of quantity 'sum'"),
    ],
)
def test_a_quantity_of_the_wrong_shape_is_told(instead, message):
    with pytest.raises(StateError, match=message):
        problem().limit(Sum(**instead), -1, 1)
    with pytest.raises(StateError, match="quantity 'sum' is a Quantity object and takes no option link="):
        problem().limit(Sum(), -1, 1, link=TIP)


def test_paths_of_low_degree_have_no_accelerations():
    with pytest.raises(StateError, match="torque depends on the acceleration, which a path of degree 1 does not have: "):
        problem(degree=1).limit("torque", -1, 1)
    with pytest.raises(StateError, match="jerk depends on the jerk, which a path of degree 2 does not have"):
        problem(degree=2).minimize("integral", 1.0, "jerk")
    problem(degree=2).limit("torque", -1, 1)


def test_external_wrenches_are_one_a_link():
    wrench = lissom.Wrench(force=np.ones((5, 3)), axes="link")
    with pytest.raises(StateError, match=r"external wrenches have leading axes \(5,\), expected one constant wrench per link"):
        problem(external={TIP: wrench})


def test_a_copy_is_changed_apart():
    one = MotionProblem(lissom.robots.rr(), control_points=8, duration=(0.1, 2.0)).start([0.0, -2.0]).end([1.0, -1.0])
    one.limit("torque", -10, 10).minimize("time")
    other = one.copy()
    assert one.limit("velocity", -9, 9) is one  # methods change the problem
    other.end([0.5, -1.0]).minimize("integral", 0.1, "torque").settings["refine"] = 1
    assert (len(one.parts.limits), len(other.parts.limits)) == (2, 1) and one.settings == {}
    assert one.goals == ["time"] and other.goals == ["time", "integral of torque"]
    assert one.ends["end"]["position"].tolist() == [1.0, -1.0] and other.quantities is one.quantities
    assert other.solve().success
