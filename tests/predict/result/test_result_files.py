"""Predictions in files: what is written comes back, and what is damaged or of another robot is refused."""

import dataclasses

import numpy as np
import pytest
from typer.testing import CliRunner

import lissom
from lissom import FileError, MotionProblem, Prediction, SplinePath, StateError, Trajectory, Wrench
from lissom.cli.app import app
from lissom.predict import Description
from lissom.predict.result.probes import expect_joints
from lissom.spline import Basis


@pytest.fixture(scope="module")
def found():
    options = {"control_points": 10, "duration": (0.05, 2.0), "external": {"link_2": _push()}, "name": "swing"}
    problem = MotionProblem(lissom.robots.rr(), **options)
    problem.start([0, -2]).end([1, -1]).limit("torque", -10, 10).limit("velocity", None, 50, at=[0.25, 0.5])
    return problem.minimize("time", 0.9).minimize("integral", 1e-4, "torque").solve(refine=1)


@pytest.fixture
def file(found, tmp_path):
    return found.save(tmp_path / "folder" / "swing.npz")


def _push():
    return Wrench([0, 0.5, 0], [0, 0, 0.1], axes="world", point=[0.1, 0, 0])


def arrays(file):
    with np.load(file, allow_pickle=False) as data:
        return {name: data[name] for name in data.files}


def test_a_prediction_comes_back_whole(found, file):
    back = Prediction.load(file, lissom.robots.rr())
    assert repr(back) == repr(found)
    assert np.array_equal(back.path.points, found.path.points)
    assert (back.path.duration, back.path.degree) == (found.path.duration, found.path.degree)
    for name in ("objective", "status", "message", "iterations", "seconds", "setup_seconds", "limits", "rounds", "goals"):
        assert getattr(back, name) == getattr(found, name), name
    assert back.limits[-1].shares == (0.25, 0.5)
    for name in ("x", "constraints", "multipliers", "lower_multipliers", "upper_multipliers"):
        assert np.array_equal(getattr(back.solution, name), getattr(found.solution, name)), name
    assert back.solution.evaluations == found.solution.evaluations
    np.testing.assert_equal(back.solution.history, found.solution.history)  # nan equals nan here
    assert [list(map(type, x)) for x in back.solution.history] == [list(map(type, x)) for x in found.solution.history]


def test_breaks_that_are_not_uniform_come_back(found, file, tmp_path):
    assert not {"breaks", "smooth"} & set(arrays(file))  # uniform knots need none
    even = found.path.basis
    uneven = Basis.with_breaks(even.span_ends**1.3, even.degree)
    other = dataclasses.replace(found, path=SplinePath(found.path.points, found.path.duration, basis=uneven))
    kept = other.save(tmp_path / "uneven.npz")
    back = Prediction.load(kept, lissom.robots.rr())
    assert back.path.basis == uneven
    t = other.times(9)
    assert np.array_equal(back.states(t), other.states(t))
    assert not np.allclose(back.states(t)[0], found.states(t)[0])
    for change, message in (
        ({"smooth": np.full(uneven.spans - 1, 1)}, "points has .* rows, expected the"),
        ({"breaks": uneven.span_ends[::-1].copy()}, "breaks has .* numbers from 1 to 0"),
        ({"breaks": np.zeros((2, 2))}, r"breaks is an array of float64 of shape \(2, 2\)"),
    ):
        damaged = tmp_path / "damaged.npz"
        np.savez(damaged, **{**arrays(kept), **change})
        with pytest.raises(FileError, match=message):
            Prediction.load(damaged, lissom.robots.rr())
    some = arrays(kept)
    del some["smooth"]
    np.savez(damaged, **some)
    with pytest.raises(FileError, match="only one of 'breaks' and 'smooth'"):
        Prediction.load(damaged, lissom.robots.rr())


def test_what_was_asked_comes_back_in_words(found, file):
    back = Prediction.load(file, lissom.robots.rr())
    assert isinstance(back.problem, Description)
    assert str(back.description) == str(found.description)
    for text in ("0.9 x time [s]", "torque of joint_2: -10 to 10 N m", "at most 50 rad/s, at 0.25, 0.5 of the duration"):
        assert text in str(back.description)
    with pytest.raises(StateError, match=r"only a description; make the MotionProblem again.*solve\(start=prediction\)"):
        back.problem.solve()


def test_external_wrenches_count_in_the_forces_of_a_prediction_from_a_file(found, file):
    back = Prediction.load(file, lissom.robots.rr())
    t = found.times(7)
    q, qd, qdd, _ = found.states(t)
    assert np.array_equal(back.torques(t), lissom.robots.rr().inverse_dynamics(q, qd, qdd, external={"link_2": _push()}))
    assert np.abs(back.torques(t) - lissom.robots.rr().inverse_dynamics(q, qd, qdd)).max() > 0.1


def test_a_prediction_from_a_file_can_be_a_start(found, file):
    back = Prediction.load(file, lissom.robots.rr())
    again = found.problem.solve(start=back)
    assert again.success
    assert again.objective == pytest.approx(found.objective, rel=1e-6)
    assert again.rounds[0].control_points == found.rounds[-1].control_points


def test_a_description_stays_as_it_was_when_the_problem_was_solved():
    problem = MotionProblem(lissom.robots.rr(), control_points=8, duration=(0.05, 2.0)).start([0, -2]).end([1, -1])
    solved = problem.limit("torque", -10, 10).minimize("time").solve(restart=False)
    before = str(solved.description)
    problem.limit("velocity", -1, 1).minimize("integral", 1.0, "torque")
    assert str(solved.description) == before
    assert [goal.label for goal in solved.goals] == ["time [s]"]


def test_the_motion_goes_to_a_table_that_others_read(found, tmp_path):
    path = found.save(tmp_path / "swing.csv", points=21)
    assert path.read_text().splitlines()[0] == ",".join(
        ["t", *(f"{part}_joint_{k}" for part in ("q", "qd", "qdd", "tau") for k in (1, 2))]
    )
    back = Trajectory.load(path, lissom.robots.rr())
    assert len(back) == 21
    for have, want in zip((back.q, back.qd, back.qdd), found.states(back.t), strict=False):
        assert np.array_equal(have, want)
    assert np.array_equal(back.tau, found.torques(back.t))


def test_the_command_line_finds_the_same_forces_in_the_table(tmp_path):
    robot = lissom.robots.rr()
    problem = MotionProblem(robot, control_points=8, duration=(0.05, 2.0)).start([0, -2]).end([1, -1]).limit("torque", -10, 10)
    solved = problem.minimize("time").solve(restart=False)
    motion, forces = solved.save(tmp_path / "motion.csv", points=11), tmp_path / "tau.csv"
    done = CliRunner().invoke(app, ["torque", "robots:rr", str(motion), "--out", str(forces)])
    assert done.exit_code == 0, done.output
    header, *rows = forces.read_text().splitlines()
    columns = [header.split(",").index(f"tau_{name}") for name in robot.joint_names]
    table = np.array([[float(x) for x in row.split(",")] for row in rows])[:, columns]
    assert np.allclose(table, solved.torques(solved.times(11)), rtol=0, atol=1e-9)


def test_endings_that_are_not_known_are_refused(found, tmp_path):
    with pytest.raises(FileError, match=r"cannot write a prediction into a file ending in '.txt'; use .npz, or .csv"):
        found.save(tmp_path / "a.txt")
    with pytest.raises(FileError, match="cannot read a prediction from a file ending in '.txt'; expected .npz"):
        Prediction.load(tmp_path / "a.txt", found.robot)
    with pytest.raises(FileError, match=r"a CSV holds the motion alone; lissom.Trajectory.load reads it"):
        Prediction.load(tmp_path / "a.csv", found.robot)
    with pytest.raises(FileError, match="cannot be read: No such file"):
        Prediction.load(tmp_path / "a.npz", found.robot)
    with pytest.raises(StateError, match="points is 1, expected a number of instants from 2"):
        found.save(tmp_path / "a.csv", points=1)


def test_wrenches_that_change_cannot_be_saved(found, tmp_path):
    moving = {"link_2": Wrench(np.zeros((5, 3)), axes="world")}
    other = dataclasses.replace(found, problem=dataclasses.replace(found.description, external=moving), goals=found.goals)
    with pytest.raises(FileError, match="external wrenches that vary cannot be saved"):
        other.save(tmp_path / "a.npz")


def test_another_robot_is_refused(file):
    with pytest.raises(FileError, match="is not a prediction of 'panda': it moves joint_1, joint_2; the robot has joint_1, "):
        Prediction.load(file, lissom.robots.panda())
    model = lissom.robots.rr_model()
    links = [dataclasses.replace(x, inertia=x.inertia and dataclasses.replace(x.inertia, mass=0.6)) for x in model.links]
    with pytest.raises(FileError, match="predicted for another robot than this 'barman_rr': joint torques differ"):
        Prediction.load(file, lissom.Robot(model.replace(links=tuple(links))))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rounds": None}, "lacks 'rounds'; it is damaged, or of another version of lissom"),
        ({"extra": np.zeros(3)}, "holds 'extra'; it is damaged, or of another version"),
        ({"format": np.array("lissom trajectory 1")}, "is not a prediction; expected the format 'lissom prediction 1'"),
        ({"status": np.array("splendid")}, "unknown status 'splendid'; it is damaged"),
        ({"duration": np.array(-1.0)}, "duration is -1.*it is damaged"),
        ({"duration": np.array(0.5)}, "the solution is not that of the path; it is damaged"),
        ({"degree": np.array(2)}, "joint torques differ"),
        ({"degree": np.array(900)}, "degree.*it is damaged"),
        ({"degree": np.array(3.0)}, "degree is an array of float64 of shape"),
        ({"points": np.full((17, 2), np.nan)}, "points.*it is damaged"),
        ({"points": np.zeros((17, 3))}, r"points is an array of float64 of shape \(17, 3\)"),
        ({"multipliers": np.zeros(3)}, r"multipliers is an array of float64 of shape \(3,\)"),
        ({"x": np.zeros(3)}, r"is an array of float64 of shape"),
        ({"rounds": np.full((2, 6), np.inf)}, "rounds has values that are not finite"),
        ({"history": np.full((2, 10), np.nan)}, "history has values that are not finite"),
        ({"objective": np.array(np.nan)}, "the objective of a motion that was found is not finite"),
        ({"evaluations": np.full(8, np.nan)}, "evaluations has values that are not finite"),
        ({"limit_share_counts": np.array([0, 0, 2, 3])}, "the fractions of the limits do not fit their number"),
        ({"limit_share_counts": np.array([0, 0, 5, -1])}, "the fractions of the limits do not fit their number"),
        ({"external_links": np.array([["link_9", "world"]])}, "no link 'link_9'.*it is damaged"),
        ({"external_links": np.array([["link_2", "moon"]])}, "no axes 'moon' of a wrench"),
        ({"joints": np.array([1.0, 2.0])}, "joints is an array of float64"),
        ({"probes": np.zeros((3, 2))}, "probes are not joint torques of its motion"),
    ],
    ids=lambda x: next(iter(x)) if isinstance(x, dict) else "",
)
def test_what_does_not_belong_together_is_refused(file, change, message):
    data = {name: value for name, value in (arrays(file) | change).items() if value is not None}
    np.savez(file, **data)
    with pytest.raises(FileError, match=message):
        Prediction.load(file, lissom.robots.rr())


def test_limits_without_a_scale_are_refused(file):
    data = arrays(file)
    data["limits"][0, 6] = 0.0
    np.savez(file, **data)
    with pytest.raises(FileError, match="a limit has a scale that is not positive"):
        Prediction.load(file, lissom.robots.rr())


def test_objects_are_never_unpickled(file, tmp_path):
    class Trap:
        def __reduce__(self):
            return (tmp_path / "sprung").touch, ()

    np.savez(file, **arrays(file) | {"message": np.array(Trap(), dtype=object)})
    with pytest.raises(FileError, match="is not an (npz file|array) of numbers (and|or) names, or is damaged"):
        Prediction.load(file, lissom.robots.rr())
    assert not (tmp_path / "sprung").exists()


def test_other_files_are_refused(file):
    for content in (b"", b"hello", b"PK\x03\x04"):
        file.write_bytes(content)
        with pytest.raises(FileError, match="is not an npz file"):
            Prediction.load(file, lissom.robots.rr())
    with open(file, "wb") as stream:
        np.save(stream, np.zeros(3))
    with pytest.raises(FileError, match="is not an npz file"):
        Prediction.load(file, lissom.robots.rr())


def test_damage_never_ends_in_anything_but_a_file_error(found, file):
    whole, random, refused = file.read_bytes(), np.random.default_rng(0), 0
    for _ in range(150):
        damaged = bytearray(whole)
        for at in random.integers(len(whole), size=random.integers(1, 4)):
            damaged[at] ^= 1 << int(random.integers(8))
        file.write_bytes(damaged[: len(whole) if random.random() < 0.7 else int(random.integers(len(whole)))])
        try:
            back = Prediction.load(file, lissom.robots.rr())
        except FileError:
            refused += 1
        else:  # what was hit does not matter: a date, or the name of an entry in the list that is not used
            assert np.array_equal(back.path.points, found.path.points)
    assert refused > 100


def test_a_file_says_which_joints_a_robot_has_too_many(tmp_path):
    person = lissom.robots.human()
    own = list(person.velocity_names)
    with pytest.raises(FileError, match="it moves 52 of the robot's 55 joints, without pelvis_y, pelvis_tilt, spine_1"):
        expect_joints(tmp_path / "a.npz", person, [name for k, name in enumerate(own) if k not in (1, 5, 6)])
    with pytest.raises(FileError, match="without .* and 47 more; give the robot that was predicted, with these joints locked"):
        expect_joints(tmp_path / "a.npz", person, [])
    with pytest.raises(FileError, match="it moves box_x, which the robot has not, without pelvis_x$"):
        expect_joints(tmp_path / "a.npz", person, [*own[1:], "box_x"])
    with pytest.raises(FileError, match="the same joints in another order"):
        expect_joints(tmp_path / "a.npz", person, own[::-1])
    expect_joints(tmp_path / "a.npz", person, own)
