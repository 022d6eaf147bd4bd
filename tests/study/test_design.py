"""The cases of a study: what is crossed, what is drawn, and names and seeds that depend on values alone."""

import numpy as np
import pytest
from scipy import stats

from lissom import StateError
from lissom.study import Choice, LogNormal, Normal, Triangular, Uniform, grid, values
from lissom.study.design import METHODS, Design, unit_samples
from lissom.study.expression import Expression


def test_grids_and_lists_are_crossed_the_last_one_changes_first():
    cases = Design({"a": grid(0, 1, 3), "b": values(["left", "right"])}).cases("base")
    assert [tuple(case.values.values()) for case in cases] == [(a, b) for a in (0.0, 0.5, 1.0) for b in ("left", "right")]
    assert [case.number for case in cases] == list(range(6))
    assert grid(1, 100, 3, log=True).values == pytest.approx((1.0, 10.0, 100.0))


def test_tables_grids_samples_and_repeats_are_crossed():
    table = [{"c": 1.0}, {"c": 2.0}]
    design = Design({"a": grid(0, 1, 2), "x": Uniform(0, 1)}, 4, table=table, repeats=3)
    cases = design.cases("base")
    assert len(cases) == design.size == 2 * 2 * 4 * 3
    assert len({case.id for case in cases}) == len({case.seed for case in cases}) == len(cases)
    assert [case.values["repeat"] for case in cases[:4]] == [0.0, 1.0, 2.0, 0.0]


def test_constraints_leave_cases_out_and_rows_that_repeat_are_one_case():
    rule = Expression("a + c < 2", ("a", "c"))
    cases = Design({"a": grid(0, 1, 3)}, table=[{"c": 1.0}, {"c": 1.0}], where=(rule,)).cases("base")
    assert [case.values["a"] for case in cases] == [0.0, 0.5]


def test_names_and_seeds_depend_on_values_and_base_alone():
    few, many = Design({"a": grid(0, 1, 3)}).cases("base"), Design({"a": grid(0, 1, 5)}).cases("base")
    by_value = {case.values["a"]: case for case in many}
    assert all(by_value[case.values["a"]].id == case.id and by_value[case.values["a"]].seed == case.seed for case in few)
    other = Design({"a": grid(0, 1, 3)}).cases("another")
    assert not {case.id for case in few} & {case.id for case in other}
    assert [case.seed for case in few] == [case.seed for case in other]
    assert [case.seed for case in few] != [case.seed for case in Design({"a": grid(0, 1, 3)}, seed=1).cases("base")]


@pytest.mark.parametrize("method", [m for m in METHODS if m != "sensitivity"])
def test_samples_fill_the_unit_cube_and_are_the_same_again(method):
    u = unit_samples(method, 256, 2, 7)
    assert u.shape == (256, 2) and (u >= 0).all() and (u < 1).all()
    assert (u == unit_samples(method, 256, 2, 7)).all() and (u != unit_samples(method, 256, 2, 8)).any()
    limit = 0.11 if method == "random" else 0.02  # of the Kolmogorov-Smirnov distance
    assert max(stats.kstest(column, "uniform").statistic for column in u.T) < limit


def test_a_longer_sobol_sequence_begins_with_the_shorter_one():
    assert (unit_samples("sobol", 40, 3, 1) == unit_samples("sobol", 64, 3, 1)[:40]).all()


@pytest.mark.parametrize(
    "parameter, judge",
    [
        (Uniform(-1, 3), stats.uniform(-1, 4)),
        (Uniform(0.1, 10, log=True), stats.loguniform(0.1, 10)),
        (Normal(2, 0.5), stats.norm(2, 0.5)),
        (Normal(2, 0.5, lower=1.5), stats.truncnorm(-1, np.inf, 2, 0.5)),
        (LogNormal(3, 0.2), stats.lognorm(0.2, scale=3)),
        (Triangular(-1, 0.5, 2), stats.triang(0.5, -1, 3)),
    ],
)
def test_distributions_are_those_of_scipy(parameter, judge):
    u = np.linspace(0.001, 0.999, 97)
    np.testing.assert_allclose(parameter.quantile(u), judge.ppf(u), rtol=1e-9, atol=1e-12)


def test_a_choice_takes_every_value_as_often():
    drawn = Choice(("a", 2.0)).quantile(np.linspace(0.0, 0.999, 100))
    assert (drawn == "a").sum() == 50 and drawn[-1] == 2.0
    assert np.isfinite(Normal(0, 1).quantile(np.array([0.0, 1.0]))).all()


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: values([]), "empty list of values"),
        (lambda: values([1.0, True]), "value True is no finite number or text"),
        (lambda: values([1.0, 1]), "values repeat 1.0; each is a case of its own"),
        (lambda: grid(0, 1, 1), "count is 1, expected a whole number from 2"),
        (lambda: grid(1, 0, 3), "lower 1 is not below upper 0"),
        (lambda: Uniform(0, 1, log=True), "logarithmic range needs positive bounds"),
        (lambda: Uniform(0, float("inf")), "must be finite numbers"),
        (lambda: Normal(0, 0), "deviation is 0, expected a positive number"),
        (lambda: Normal(float("nan"), 1), "mean is nan"),
        (lambda: Normal(0, 1, 3, 2), "lower 3 is not below upper 2"),
        (lambda: Normal(0, 1, 100, 101), "no values of this normal distribution"),
        (lambda: LogNormal(0, 1), "median is 0"),
        (lambda: LogNormal(1, -1), "deviation is -1"),
        (lambda: Triangular(0, 2, 1), "mode 2 is not within 0 to 1"),
        (lambda: Design({"a": Uniform(0, 1)}), "no count says how many samples of a to draw"),
        (lambda: Design({"a": grid(0, 1, 2)}, 5), "count is 5, but no parameter has a distribution"),
        (lambda: Design({"a": Uniform(0, 1)}, 5, "sobel"), "no method 'sobel' to draw samples; did you mean 'sobol'"),
        (lambda: Design({"a": grid(0, 1, 2)}, repeats=0), "repeats is 0"),
        (lambda: Design({f"a{k}": grid(0, 1, 10) for k in range(999)}), "the study has some 1e999 cases"),
        (lambda: Design({f"a{k}": values([0]) for k in range(1001)}), "has 1001 parameters, expected 1000 at most"),
        (lambda: Design({f"a{k}": Uniform(0, 1) for k in range(30)}, 900_000), "samples are 27000000 numbers, expected 20000000"),
        (
            lambda: Design({"a": grid(0, 1, 2)}, where=(Expression("a < 2"),) * 51),
            "51 constraints, expected 50 at most; join them",
        ),
        (lambda: Uniform(-1e308, 1e308), "so wide that its samples are no finite numbers"),
        (lambda: LogNormal(1, 1e3), "so wide that its samples are no finite numbers"),
        (lambda: Normal(0, 1e308), "so wide that its samples are no finite numbers"),
        (lambda: Triangular(-1e308, 0, 1e308), "so wide that its samples are no finite numbers"),
        (lambda: Design({"a": grid(0, 1, 2)}, seed=-1), "seed is -1"),
        (lambda: Design({"a": grid(0, 1, 2)}, method="sensitivity"), "sensitivity needs samples of distributions alone"),
        (
            lambda: Design({"a": grid(0, 1, 10**4), "b": grid(0, 1, 10**4)}),
            "the study has some 1e8 cases, expected 1000000 at most",
        ),
        (lambda: Design({"a": grid(0, 1, 2)}, where=(Expression("a > 1", ("a",)),)).cases("b"), "none of 2 cases keeps"),
    ],
)
def test_what_makes_no_design_is_refused(make, message):
    with pytest.raises(StateError, match=message):
        make()


def test_sensitivities_need_a_power_of_two():
    pytest.importorskip("SALib")
    assert unit_samples("sensitivity", 8, 2, 0).shape == (8 * 4, 2)
    with pytest.raises(StateError, match="count is 12, expected a power of two for sensitivities, such as 16"):
        unit_samples("sensitivity", 12, 2, 0)
