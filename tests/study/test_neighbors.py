"""Neighbors: cases that begin with the motions of others, the same ones whoever runs them."""

from dataclasses import replace

import numpy as np
import pytest

from lissom import FileError, StateError
from lissom.study import Refinement, Study, gait, grid, motion, scenario
from lissom.study.design import Start, digest, name_case
from lissom.study.job import Job, Row
from lissom.study.neighbors import begin_between, plan, split
from lissom.study.read import parse
from lissom.study.refine import Between
from lissom.study.runners import local


def cases(rows):
    return [name_case(k, row, 0, "base") for k, row in enumerate(rows)]


def chosen(found, starts):
    return [case.values for case in split(found, starts)[0]]


def test_the_first_cases_are_the_middle_and_then_the_farthest():
    line = cases([{"x": float(x)} for x in range(11)])
    assert chosen(*plan(line, 1)) == [{"x": 5.0}]
    found, starts = plan(line, 3)
    assert chosen(found, starts) == [{"x": 0.0}, {"x": 5.0}, {"x": 10.0}]
    near = {case.values["x"]: starts[case.id].values["x"] for case in found if case.id in starts}
    assert [near[x] for x in (1, 2, 3, 4, 6, 7, 8, 9)] == [0, 0, 5, 5, 5, 5, 10, 10]
    assert [case.number for case in found] == list(range(11))


def test_units_of_parameters_do_not_matter():
    drawn = np.random.default_rng(1).random((30, 2))
    found = chosen(*plan(cases([{"a": float(a), "b": float(b)} for a, b in drawn]), 4))
    large = chosen(*plan(cases([{"a": float(a), "b": 1024 * float(b)} for a, b in drawn]), 4))
    assert large == [{"a": row["a"], "b": 1024 * row["b"]} for row in found]


def test_texts_that_differ_are_as_far_apart_as_a_whole_range():
    rows = [{"side": side, "x": x} for side in ("left", "right", "up") for x in (0.0, 5.0, 10.0)]
    assert {row["side"] for row in chosen(*plan(cases(rows), 3))} == {"left", "right", "up"}


def test_the_order_of_cases_does_not_matter_and_names_say_where_a_case_begins():
    drawn = np.random.default_rng(0).random((40, 2))
    own = cases([{"a": float(a), "b": float(b)} for a, b in drawn])
    found, starts = plan(own, 5)
    turned, others = plan(own[::-1], 5)
    assert [case.id for case in found] == [case.id for case in turned[::-1]]
    assert {name: first.id for name, first in starts.items()} == {name: first.id for name, first in others.items()}
    same = [a.id == b.id for a, b in zip(own, found, strict=True)]
    assert same == [case.id not in starts for case in found] and sum(same) == 5
    assert len({case.id for case in found} | {case.id for case in own}) == 75
    assert plan(own, 40) == plan(own, 100) == (own, {})


def arms(neighbors=2, **options):
    pytest.importorskip("casadi")
    base = motion("rr", {"limits[0].within": "torque", "solve.refine": "0"})
    return Study(base, {"torque": grid(8, 12, 6)}, ["duration", "iterations"], neighbors=neighbors, **options)


@pytest.fixture(scope="module")
def one(tmp_path_factory):
    return arms().run(tmp_path_factory.mktemp("one"), workers=1)


def same(a, b):
    for name in ("duration", "iterations", "status"):
        np.testing.assert_array_equal(a.column(name), b.column(name))
    assert [(row.id, row.motion) for row in a] == [(row.id, row.motion) for row in b]


def test_motions_are_the_same_for_any_number_of_processes(one, tmp_path):
    assert one.counts == {"solved": 6}
    same(arms().run(tmp_path, workers=2), one)


def test_solutions_are_those_without_neighbors(one, tmp_path):
    alone = arms(None).run(tmp_path, workers=1)
    np.testing.assert_allclose(one.column("duration"), alone.column("duration"), rtol=1e-5)
    assert sum(a.id == b.id for a, b in zip(one, alone, strict=True)) == 2  # those that are solved first


@pytest.mark.parametrize("after", [1, 2, 4])
def test_a_study_that_was_stopped_is_continued(one, tmp_path, monkeypatch, after):
    monkeypatch.setattr(local, "TOGETHER", 0.0)
    stopped = arms().run(tmp_path, workers=1, progress=lambda line: line.done == after)
    assert len(stopped) == after
    seen = []
    found = arms().run(tmp_path, workers=2, progress=seen.append)
    assert len(seen) == 6 - after
    same(found, one)
    assert not arms().run(tmp_path, workers=1, progress=seen.append).counts.get("failed") and len(seen) == 6 - after


def test_a_case_that_does_not_succeed_from_its_neighbor_begins_from_nothing():
    study = arms()
    found, starts = study.plan()
    case = split(found, starts)[1][0]
    broken = replace(case, start=Start({"torque": 8.0}, b"no motion"))
    job = Job(study.base, study.responses)
    row, _ = job(broken)
    alone, _ = job(case)
    assert row.success and row.responses == alone.responses


def refined(neighbors=2):
    return arms(neighbors, refine=Refinement("duration", count=2, rounds=2))


@pytest.fixture(scope="module")
def one_refined(tmp_path_factory):
    return refined().run(tmp_path_factory.mktemp("refined"), workers=1)


def test_cases_of_refinement_begin_with_an_end_of_their_pair(one_refined, one):
    assert one_refined.counts == {"solved": 10}
    assert [row.id for row in one_refined[:6]] == [row.id for row in one]
    by_torque = {row.values["torque"]: row.id for row in one_refined}
    for row in one_refined[6:]:
        x = row.values["torque"]
        plain = name_case(0, row.values, 0, one_refined.study.key).id
        ends = [max(t for t in by_torque if t < x), min(t for t in by_torque if t > x)]
        ends += [t for t in by_torque if t != x]  # a later round may have put a case between them
        assert row.id in {digest(plain, "from", by_torque[t]) for t in ends}
    assert len(refined().results(one_refined.folder)) == 10


def test_refinement_is_the_same_for_any_number_of_processes_and_after_a_stop(one_refined, tmp_path, monkeypatch):
    same(refined().run(tmp_path / "two", workers=2), one_refined)
    monkeypatch.setattr(local, "TOGETHER", 0.0)
    assert len(refined().run(tmp_path / "stopped", workers=1, progress=lambda line: line.done == 7)) == 7
    seen = []
    same(refined().run(tmp_path / "stopped", workers=2, progress=seen.append), one_refined)
    assert len(seen) == 3


def test_a_case_of_refinement_begins_with_the_end_that_succeeded():
    a, b, c = cases([{"x": 0.0}, {"x": 1.0}, {"x": 0.5}])

    def rows(*good):
        return {case.id: Row(case.id, {}, 0, {}, case in good, "") for case in (a, b)}

    for good, first in (((a, b), a), ((a,), a), ((b,), b)):
        (found,), starts = begin_between([Between(c, (a, b))], rows(*good))
        assert starts == {found.id: first} and found.id == digest(c.id, "from", first.id)
    assert begin_between([Between(c, (a, b))], rows()) == ([c], {})


@pytest.mark.slow
def test_walks_begin_with_the_walk_of_a_neighbor_and_take_fewer_iterations(tmp_path):
    pytest.importorskip("casadi")

    def walks(neighbors):
        base = gait({"speed": "v"}, stature=1.8)
        return Study(base, {"v": grid(1.2, 1.3, 3)}, ["objective", "iterations"], neighbors=neighbors)

    alone, begun = (walks(k).run(tmp_path / str(k), workers=1) for k in (None, 1))
    assert all(row.success for row in begun) and all(row.success for row in alone)
    np.testing.assert_allclose(begun.column("objective"), alone.column("objective"), rtol=1e-2)
    assert begun.column("iterations").sum() < alone.column("iterations").sum()
    same_first = [a.motion == b.motion for a, b in zip(alone, begun, strict=True)]
    assert same_first == [False, True, False]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: arms(0), "neighbors is 0, expected how many cases are solved first"),
        (lambda: arms(True), "neighbors is True"),
        (lambda: arms(2, motions=False), "neighbors: cases begin with motions that are kept"),
        (lambda: Study(lambda x: x, {"x": [1, 2]}, neighbors=1), "neighbors: a function does not begin with another's motion"),
        (
            lambda: Study(scenario("five_bar", {"duration": "t"}), {"t": [0.1, 0.2]}, ["duration"], neighbors=1),
            "neighbors: a scenario does not begin with another's motion",
        ),
        (
            lambda: Study(gait({"speed": "v"}, run=True), {"v": [3.0, 3.2]}, ["duration"], neighbors=1),
            "neighbors: a gait does not begin with another's motion; expected a motion problem or a walk",
        ),
    ],
)
def test_studies_without_motions_to_begin_with_are_refused(make, message):
    with pytest.raises(StateError, match=message):
        make()


TEXT = """lissom: 1
kind: study
name: arm
base: {motion: rr}
parameters:
  torque: {grid: [8, 12, 3], into: "limits[0].within"}
responses: [duration]
neighbors: 1
"""


def test_a_file_says_how_many_and_what_is_wrong_has_its_line():
    pytest.importorskip("casadi")
    assert parse(TEXT).neighbors == 1
    with pytest.raises(FileError, match=r"<text>:8: neighbors: cases begin with motions that are kept"):
        parse(TEXT + "motions: false\n")
