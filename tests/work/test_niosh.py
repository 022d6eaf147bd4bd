"""The revised NIOSH lifting equation against the worked examples of its manual (publication 94-110), and its rules."""

import math

import pytest

from lissom.errors import StateError
from lissom.work import Part, composite_index, recommended_weight
from lissom.work.niosh import COUPLINGS, FREQUENCIES, SYSTEMS, Multipliers, WeightLimit, frequency_multiplier

# the manual rounds multipliers to two digits before it multiplies, and its table has 0.44 where 10 / 23 is 0.435
ROUNDED = 0.03


def test_example_1_loading_punch_press_stock():
    # stock of 44 lb, once a shift, from 15 in to 64 in above the floor, 23 in ahead, fair coupling, control at the destination
    lift = {"distance": 49.0, "frequency": 0.1, "hours": 1.0, "coupling": "fair", "units": "us"}
    origin = recommended_weight(23.0, 15.0, **lift)
    end = recommended_weight(23.0, 64.0, origin_height=15.0, **lift)
    assert origin.multipliers == pytest.approx((0.44, 0.89, 0.86, 1.0, 1.0, 0.95), abs=0.0075)
    assert end.multipliers == pytest.approx((0.44, 0.75, 0.86, 1.0, 1.0, 1.0), abs=0.0075)
    assert (origin.weight, end.weight) == pytest.approx((16.3, 14.5), rel=ROUNDED)
    assert (origin.index(44.0), end.index(44.0)) == pytest.approx((2.7, 3.0), rel=0.05)


def test_example_4_package_inspection():
    # packages of 26 lb, three a minute for 45 minutes, from 22 in to 59 in, close to the body at the origin
    lift = {"distance": 37.0, "frequency": 3.0, "hours": 0.75, "coupling": "fair", "units": "us"}
    origin = recommended_weight(10.0, 22.0, **lift)
    end = recommended_weight(20.0, 59.0, origin_height=22.0, **lift)
    assert origin.multipliers == pytest.approx((1.0, 0.94, 0.87, 1.0, 0.88, 0.95), abs=0.005)
    assert (origin.weight, end.weight) == pytest.approx((34.8, 15.3), abs=0.05)  # at full precision; 34.9 and 15.2 in print


def test_three_tasks_of_section_2_4_5():
    # loads of 30, 20, 10 lb; limits without frequency of 20, 20, 15 lb; 1, 2, 4 lifts a minute for less than an hour
    def part(mass, alone, frequency, multiplier):
        factors = Multipliers(alone / 51.0, 1.0, 1.0, 1.0, multiplier, 1.0)
        return Part(WeightLimit(alone * multiplier, factors, 51.0), mass, frequency, False)

    parts = [part(10.0, 15.0, 4.0, 0.84), part(30.0, 20.0, 1.0, 0.94), part(20.0, 20.0, 2.0, 0.91)]
    assert [p.limit.without_frequency for p in parts] == pytest.approx([15.0, 20.0, 20.0])
    assert [round(p.limit.index(p.mass), 1) for p in parts] == [0.8, 1.6, 1.1]
    assert round(composite_index(parts, 1.0), 1) == 1.9


def test_a_lift_under_best_conditions_may_weigh_the_load_constant():
    for name, of in SYSTEMS.items():
        best = recommended_weight(of.near, of.table, of.near, units=name)
        assert best.weight == pytest.approx(of.load, rel=1e-12) and best.index(of.load) == pytest.approx(1.0, rel=1e-12)
        assert best == recommended_weight(0.0, of.table, 0.0, frequency=0.0, units=name)  # less counts as the least


@pytest.mark.parametrize(
    ("change", "factor"),
    [
        ({"horizontal": 0.64}, "horizontal"),
        ({"height": 1.76}, "vertical"),
        ({"distance": 1.76}, "distance"),
        ({"asymmetry": 136.0}, "asymmetry"),
        ({"frequency": 15.1}, "frequency"),
        ({"frequency": 13.0, "height": 0.7}, "frequency"),
        ({"frequency": 9.0, "height": 0.7, "hours": 3.0}, "frequency"),
    ],
)
def test_beyond_its_bounds_no_lift_is_allowed(change, factor):
    usual = {"horizontal": 0.3, "height": 0.8, "distance": 0.5}
    limit = recommended_weight(**(usual | change))
    assert getattr(limit.multipliers, factor) == 0.0 and limit.weight == 0.0 and limit.index(1.0) == math.inf


def test_both_systems_of_units_nearly_agree():
    metric = recommended_weight(0.4, 0.3, 0.9, asymmetry=30.0, frequency=4.0, hours=2.0, coupling="poor")
    us = recommended_weight(
        0.4 / 0.0254, 0.3 / 0.0254, 0.9 / 0.0254, asymmetry=30.0, frequency=4, hours=2, coupling="poor", units="us"
    )
    assert us.weight * 0.45359237 == pytest.approx(metric.weight, rel=0.03)


def test_the_table_of_frequencies_is_interpolated_and_never_rises():
    assert frequency_multiplier(2.4, 1.0, True) == pytest.approx(0.91 + 0.4 * (0.88 - 0.91))
    assert [frequency_multiplier(f, 8.0, True) for f in (8.0, 8.5)] == [0.18, 0.0]
    for column in range(1, 7):
        assert all(a >= b for a, b in zip(FREQUENCIES[:, column], FREQUENCIES[1:, column], strict=False))
    for f, low in ((0.3, True), (4.5, False)):
        by_hours = [frequency_multiplier(f, hours, low) for hours in (1.0, 2.0, 8.0)]
        assert by_hours == sorted(by_hours, reverse=True)


def test_more_tasks_never_make_a_job_easier():
    one = Part(recommended_weight(0.4, 0.3, 0.9, frequency=1.0, hours=8.0), 8.0, 1.0, True)
    two = Part(recommended_weight(0.3, 0.8, 0.4, frequency=2.0, hours=8.0), 10.0, 2.0, False)
    alone = composite_index([one], 8.0)
    assert alone == one.limit.index(8.0) and composite_index([one, two], 8.0) > alone
    assert composite_index([one, two], 8.0) == composite_index([two, one], 8.0)
    assert composite_index([one, two._replace(frequency=14.0)], 8.0) == math.inf


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"horizontal": -0.1}, "horizontal is -0.1, expected zero or more"),
        ({"height": math.nan}, "height is nan, expected zero or more"),
        ({"hours": 9.0}, "hours are 9.0, expected more than 0, and at most 8"),
        ({"coupling": "god"}, "coupling is 'god'.*good"),
        ({"units": "imperial"}, "units are 'imperial'"),
    ],
)
def test_numbers_that_the_equation_is_not_for_are_refused(change, message):
    with pytest.raises(StateError, match=message):
        recommended_weight(**({"horizontal": 0.3, "height": 0.8, "distance": 0.5} | change))


def test_a_job_needs_a_task():
    with pytest.raises(StateError, match="there are no tasks"):
        composite_index([], 1.0)


def test_couplings_are_those_of_table_7():
    assert COUPLINGS == {"good": (1.0, 1.0), "fair": (0.95, 1.0), "poor": (0.9, 0.9)}
