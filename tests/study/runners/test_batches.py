"""Batches: long enough for the scheduler to serve all workers, and short at the end."""

import pytest

from lissom.study.runners.batches import AHEAD, EACH, LONGER, MOST, ROW, TARGET, batch_size

MANY = 10**9


def test_the_first_cases_and_long_ones_go_alone():
    assert batch_size(None, MANY, 4) == batch_size(10.0, MANY, 4) == batch_size(0.1, 0, 4) == 1


def test_short_cases_fill_a_fifth_of_a_second_and_five_hundred_are_the_most():
    assert batch_size(0.002, MANY, 2) == pytest.approx(TARGET / 0.002, abs=1)
    assert batch_size(0.0, MANY, 2) == MOST


@pytest.mark.parametrize("slots", [100, 300, 1000])
@pytest.mark.parametrize("mean", [0.2, 0.5, 2.0])
def test_all_threads_are_served_while_a_batch_lasts(mean, slots):
    n = batch_size(mean, MANY, slots)
    if n > 1 and ROW * slots / mean < 1 - 1 / LONGER:
        assert slots * (EACH + ROW * n) <= (n + 1) * mean
    assert n * mean <= max(LONGER * EACH * slots, mean)


def test_the_last_cases_are_divided():
    assert batch_size(0.001, 40, 4) == 1 + 40 // (2 * AHEAD * 4)
