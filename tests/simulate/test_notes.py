"""What a CSV file says beside the numbers: events and how the run ended."""

import json

import numpy as np
import pytest

from lissom import FileError, Trajectory
from lissom.read.table import read_table
from lissom.robots import planar_two_link
from lissom.simulate import Event, Occurrence, Status

HEADER = "t,q_shoulder,q_elbow,qd_shoulder,qd_elbow,qdd_shoulder,qdd_elbow,tau_shoulder,tau_elbow"
START = ([0.3, 0.4], [0.0, 0.0])


@pytest.fixture(scope="module")
def robot():
    return planar_two_link()


def same(a, b):
    for name in ("t", "q", "qd", "qdd", "tau"):
        assert np.array_equal(getattr(a, name), getattr(b, name)), name
    assert a.status is b.status and a.message == b.message and a.unfired == b.unfired and len(a.events) == len(b.events)
    for one, other in zip(a.events, b.events, strict=True):
        assert one.name == other.name and one.t == other.t
        assert np.array_equal(one.q, other.q) and np.array_equal(one.qd, other.qd)


def motions(robot):
    straight = Event(lambda t, q, qd: q[1], 'elbow, "straight"\nor so \u00e9')
    down = Event(lambda t, q, qd: q[0] + np.pi / 2, "down", terminal=True)
    never = Event(lambda t, q, qd: 1.0, "never", required=False)
    yield robot.simulate(*START, 2.0, events=[straight, never])
    yield robot.simulate(*START, 5.0, events=[straight, down, never], sample=5.0)
    yield robot.simulate(*START, 5.0, events=[straight, down], method="rk4", dt=0.01, sample=0.1)
    yield robot.simulate(*START, 0.5, lambda t, q, qd: [0.0, np.nan if t > 0.2 else 0.0], throw=False)
    yield robot.simulate(*START, 50.0, lambda t, q, qd: 10 * qd * np.abs(qd) + 1.0, method="rk4", dt=0.01, throw=False)
    yield robot.simulate(*START, 0.1, events=Event(down.function, "down", required=True), throw=False)
    one = robot.simulate(*START, 0.1)
    yield Trajectory(robot, *(x[:1] for x in (one.t, one.q, one.qd, one.qdd, one.tau)), message='a,\n"b"\x00\ud800')


@pytest.mark.parametrize("ending", [".csv", ".npz"])
def test_files_keep_status_message_and_events(robot, tmp_path, ending):
    statuses = set()
    for k, motion in enumerate(motions(robot)):
        if ending == ".npz" and k == 6:
            continue  # half a character is for text files alone
        same(Trajectory.load(motion.save(tmp_path / f"{k}{ending}"), robot), motion)
        statuses.add(motion.status)
    assert {Status.FINISHED, Status.EVENT, Status.CONTROLLER_FAILED, Status.BLEW_UP, Status.EVENT_MISSED} == statuses


def test_events_stand_beside_the_sample_before_them(robot, tmp_path):
    motion = robot.simulate(*START, 1.0, events=Event(lambda t, q, qd: t - 0.35, "late"), sample=0.1)
    lines = motion.save(tmp_path / "a.csv").read_text().splitlines()
    assert lines[0] == HEADER + ",note"
    assert [k for k, line in enumerate(lines[1:]) if not line.endswith(",")] == [3, 10] and "late" in lines[4]
    assert [line.split(",")[0] for line in (lines[4], lines[11])] == ["0.30000000000000004", "1"]


def test_files_with_notes_are_tables_for_everyone(robot, tmp_path):
    for k, motion in enumerate(motions(robot)):
        table = read_table(motion.save(tmp_path / f"{k}.csv"))
        assert np.array_equal(table.numbers([table.header.index("q_elbow")])[:, 0], motion.q[:, 1])


def test_a_table_without_notes_is_of_a_run_that_finished(robot, tmp_path):
    (tmp_path / "old.csv").write_text(HEADER + "\n0,0.1,0.2,0,0,0,0,0,0\n0.5,0.1,0.2,0,0,0,0,0,0\n")
    old = Trajectory.load(tmp_path / "old.csv", robot)
    assert old.status is Status.FINISHED and old.message == "" and old.events == () and old.t.tolist() == [0.0, 0.5]


EVENT = {"name": "a", "t": 0.1, "q": [0, 0], "qd": [0, 0]}


@pytest.mark.parametrize(
    ("note", "message"),
    [
        ("hello", "it holds 'hello'"),
        ("[" * 100_000, "it holds '"),
        ('{"message": NaN}', "it holds "),
        ('["status"]', r"expected \{...\}"),
        ({"status": "fine"}, "unknown status 'fine'; expected one of 'finished', 'event'"),
        ({"status": 3}, "'status' is not one of events, status, message, unfired, method, choice or has the wrong type"),
        ({"__class__": "os"}, "'__class__' is not one of events"),
        ({"unfired": [1]}, "'unfired' must hold names"),
        ({"events": [3]}, "an event must have a name, t, q and qd, and nothing else"),
        ({"events": [EVENT | {"x": 1}]}, "an event must have a name, t, q and qd, and nothing else"),
        ({"events": [EVENT | {"name": 1}]}, "an event must have a name"),
        ({"events": [EVENT | {"q": [0]}]}, "q of an event must be 2 finite numbers"),
        ({"events": [EVENT | {"qd": "ab"}]}, "qd of an event must be 2 finite numbers"),
        ({"events": [EVENT | {"qd": [True, 0]}]}, "qd of an event must be 2 finite numbers"),
        ({"events": [EVENT | {"t": 10**400}]}, "too large"),
        ('{"events": [{"name": "a", "t": 1e999, "q": [0, 0], "qd": [0, 0]}]}', "t of an event must be 1 finite number"),
    ],
    ids=lambda x: str(x)[:40],
)
def test_notes_that_lissom_did_not_write_are_refused_with_their_line(robot, tmp_path, note, message):
    text = (note if isinstance(note, str) else json.dumps(note)).replace('"', '""')
    (tmp_path / "a.csv").write_text(f'{HEADER},note\n0,0,0,0,0,0,0,0,0,\n\n1,0,0,0,0,0,0,0,0,"{text}"\n')
    with pytest.raises(FileError, match=r"a.csv:4: column 'note' is not as lissom writes it: .*" + message) as caught:
        Trajectory.load(tmp_path / "a.csv", robot)
    assert len(str(caught.value)) < 400


def test_endings_elsewhere_and_ragged_lines_are_refused(robot, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(f'{HEADER},note\n0,0,0,0,0,0,0,0,0,"{{""status"": ""event""}}"\n1,0,0,0,0,0,0,0,0,\n')
    with pytest.raises(FileError, match="a.csv:2: .*'status' belongs in the last line"):
        Trajectory.load(path, robot)
    path.write_text(f"{HEADER},note\n0,0,0,0,0,0,0,0,0\n")
    with pytest.raises(FileError, match="a.csv:2: 9 cells, but the header names 10 columns"):
        Trajectory.load(path, robot)
    path.write_text(f"{HEADER},note\n,,,,,,,,,\n")
    with pytest.raises(FileError, match="holds a header but no states"):
        Trajectory.load(path, robot)
    path.write_text(f'{HEADER},note\n0,0,0,0,0,0,0,0,0,\n,,,,,,,,,"{{""status"": ""blew_up""}}"\n')
    with pytest.raises(FileError, match="is not a table of numbers below a header"):
        Trajectory.load(path, robot)


def test_too_many_events_between_two_samples_go_into_npz_alone(robot, tmp_path):
    motion = robot.simulate(*START, 0.1, sample=0.1)
    many = tuple(Occurrence("again", 0.01, motion.q[0], motion.qd[0]) for _ in range(3000))
    busy = Trajectory(robot, motion.t, motion.q, motion.qd, motion.qdd, motion.tau, events=many)
    with pytest.raises(FileError, match="a line would hold more than 100000 characters about events; use .npz"):
        busy.save(tmp_path / "a.csv")
    assert not (tmp_path / "a.csv").exists()
    assert len(Trajectory.load(busy.save(tmp_path / "a.npz"), robot).events) == 3000


def test_damaged_endings_of_npz_files_are_refused(robot, tmp_path):
    motion = robot.simulate(*START, 0.1, events=Event(lambda t, q, qd: t - 0.05, "half"))
    with np.load(motion.save(tmp_path / "a.npz")) as data:
        parts = dict(data)
    for changes, message in (
        ({"status": "fine"}, "unknown status 'fine'"),
        ({"event_q": np.zeros((1, 3))}, r"event_q has shape \(1, 3\), expected \(1, 2\); it is damaged"),
        ({"t": motion.t.astype(np.float32)}, "t is an array of float32, expected float64; it is damaged"),
        ({"t": np.zeros(0), **{k: np.zeros((0, 2)) for k in ("q", "qd", "qdd", "tau")}}, "holds a header but no states"),
    ):
        np.savez(tmp_path / "b.npz", **{**parts, **changes})
        with pytest.raises(FileError, match=message):
            Trajectory.load(tmp_path / "b.npz", robot)
    np.savez(tmp_path / "b.npz", **{k: v for k, v in parts.items() if k != "event_t"})
    with pytest.raises(FileError, match="lacks 'event_t'; it is damaged"):
        Trajectory.load(tmp_path / "b.npz", robot)
