"""Jobs from files: what they become, and messages with lines for what they cannot be."""

import math
from pathlib import Path

import pytest

from lissom.errors import FileError, NameLookupError, StateError
from lissom.tasks import Cobot
from lissom.work import Carry, Design, Exoskeleton, Job, Lift, Worker, load_job
from lissom.work.assess import limits_of, place_of

TEXT = """\
lissom: 1
kind: work
name: boxes
worker: {stature: 1.6, mass: 60, sex: female, age: 50}
hours: 2
exoskeleton: {stiffness: 40, angle: 10deg}
tasks:
  - {name: up, lift: {mass: 8, origin: [0.4, 0.05], destination: [0.3, 0.1, 0.9], frequency: 2, coupling: poor, knees: 90deg}}
  - {name: away, carry: {mass: 8, distance: 12, frequency: 0.5, how: right, speed: 1.1}}
designs:
  - {name: lower, tasks: {up: {destination: [0.3, 0.7], size: [0.3, 0.3, 0.2]}, away: {distance: 5}}}
  - {name: stiffer, exoskeleton: {stiffness: 80}}
  - {name: helped, cobot: {robot: panda, base: [0.9, 0, 0.4], turn: 90deg, grip: far, link: flange}}
"""


ARM = """<robot name="arm"><link name="base"/><link name="a"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j" type="revolute"><parent link="base"/><child link="a"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="1" effort="10" velocity="1"/></joint></robot>"""


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "job.yaml"
    path.write_text(text)
    return path


def test_a_file_becomes_a_job(tmp_path):
    job = load_job(write(tmp_path, TEXT))
    up, away = job.tasks
    assert job.worker == Worker(1.6, 60.0, "female", 50.0) and job.hours == 2.0
    assert job.exoskeleton == Exoskeleton(40.0, math.radians(10.0))
    assert up == Lift("up", 8.0, (0.4, 0.05), (0.3, 0.1, 0.9), 2.0, {"knees": pytest.approx(90.0)}, "poor")
    assert away == Carry("away", 8.0, 12.0, 0.5, 1.1, "right")
    lower, stiffer, helped = (job.changed(design) for design in job.designs)
    assert helped.cobot == Cobot("panda", (0.9, 0.0, 0.4), math.pi / 2, "far", "flange") and lower.cobot is None
    assert helped.exoskeleton == job.exoskeleton and not job.fatigue and not helped.fatigue
    assert lower.tasks[0].destination == (0.3, 0.7) and lower.tasks[0].motion["size"] == (0.3, 0.3, 0.2)
    assert lower.tasks[0].motion["knees"] == pytest.approx(90.0) and lower.tasks[1].distance == 5.0
    assert lower.exoskeleton == job.exoskeleton and stiffer.exoskeleton == Exoskeleton(80.0) and stiffer.tasks == job.tasks


def test_hands_are_where_the_box_is_held():
    lift = Lift("up", 8.0, (0.3, 0.1), (0.3, 0.3, 0.9), 2.0, {"size": (0.3, 0.4, 0.2)})
    assert place_of(lift, lift.origin) == pytest.approx((0.3, 0.2, 0.0))
    assert place_of(lift, lift.destination) == pytest.approx((math.hypot(0.3, 0.3), 1.0, 45.0))
    limits = limits_of(lift, 1.0)
    assert limits["origin"].multipliers.distance == pytest.approx(0.82 + 0.045 / 0.8)
    assert limits["destination"].multipliers.asymmetry == pytest.approx(1 - 0.0032 * 45)
    assert list(limits_of(Lift(**{**vars(lift), "placed": False}), 1.0)) == ["origin"]


def test_a_job_with_fatigue_and_a_cobot_has_them_in_every_design(tmp_path):
    (tmp_path / "arm.urdf").write_text(ARM)
    text = TEXT.replace("hours: 2\n", "hours: 2\nfatigue: true\ncobot: {robot: arm.urdf}\n")
    job = load_job(write(tmp_path, text))
    assert job.fatigue and job.cobot.base == (0.9, 0.0, 0.4) and job.cobot.model().name == "arm"
    lower, _, helped = (job.changed(design) for design in job.designs)
    assert lower.fatigue and lower.cobot is job.cobot and helped.cobot.robot == "panda"


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("kind: work", "kind: job", 2, "kind"),
        ("mass: 8, origin", "mas: 8, origin", 8, "unknown key 'mas'.*mass"),
        ("coupling: poor", "coupling: bad", 8, "must be one of good, fair, poor, got 'bad'"),
        ("frequency: 2", "frequency: 20", 8, "frequency of task 'up' is 20.0 per minute, expected more than 0, and at most 15"),
        ("origin: [0.4, 0.05]", "origin: [0.4]", 8, "x and height, or x, y .left. and height .m., got 1 numbers"),
        ("lift: {", "push: {", 8, "unknown key 'push'"),
        ("carry: {mass: 8", "carry: {mass: 0", 9, "mass and distance of task 'away' are 0, 12, expected more than 0"),
        ("how: right", "how: head", 9, "must be one of backpack, left, right, both"),
        ("tasks: {up:", "tasks: {down:", 11, "unknown key 'down'"),
        ("away: {distance: 5}", "away: {coupling: fair}", 11, "unknown key 'coupling'"),
        ("name: stiffer", "name: lower", 12, "two designs of job 'boxes' are called 'lower'"),
        ("{stiffness: 80}", "{stiffness: -80}", 12, "stiffness of the exoskeleton is -80.0, expected zero or more"),
        ("hours: 2", "hours: 12", 1, "hours of job 'boxes' are 12.0, expected more than 0, and at most 8"),
        ("name: away, ", "name: up, ", 1, "two tasks of job 'boxes' are called 'up'"),
        (
            "robot: panda",
            "robot: pandas",
            13,
            "there is no built-in robot and no file 'pandas' beside the job; did you mean 'panda'",
        ),
        ("grip: far", "grip: fart", 13, "grip of the cobot is 'fart'; did you mean 'far'"),
        ("robot: panda", "robot: rr", 13, "joint 'joint_1' of cobot 'barman_rr' lacks a limit of range, speed or torque"),
        ("sex: female", "sex: other", 4, "must be one of male, female"),
    ],
)
def test_what_is_no_job_is_refused_with_its_line(tmp_path, old, new, line, message):
    assert old in TEXT
    with pytest.raises(FileError, match=rf"job\.yaml:{line}: .*{message}"):
        load_job(write(tmp_path, TEXT.replace(old, new, 1)))


def test_a_task_is_one_of_two_kinds(tmp_path):
    with pytest.raises(FileError, match="job.yaml:4: task 'x' has to be either a lift or a carry"):
        load_job(write(tmp_path, "lissom: 1\nkind: work\ntasks:\n  - {name: x}\n"))
    with pytest.raises(FileError, match="'tasks' of the document has 101 items, 100 at most"):
        load_job(write(tmp_path, "lissom: 1\nkind: work\ntasks:\n" + "  - {name: x}\n" * 101))


def test_jobs_made_in_python_are_checked_too():
    up = Lift("up", 8.0, (0.3, 0.1), (0.3, 0.9), 2.0)
    with pytest.raises(StateError, match="job 'empty' has no tasks"):
        Job("empty", ())
    with pytest.raises(StateError, match="coupling of task 'up' is 'god'; did you mean 'good'"):
        Lift("up", 8.0, (0.3, 0.1), (0.3, 0.9), 2.0, coupling="god")
    with pytest.raises(StateError, match="how of task 'go' is 'hand'"):
        Carry("go", 5.0, 3.0, 1.0, how="hand")
    with pytest.raises(NameLookupError, match="no task 'down' of job 'j'"):
        Job("j", (up,), designs=(Design("d", {"down": {"mass": 3.0}}),))
    with pytest.raises(NameLookupError, match="no change 'weight' of task 'up'"):
        Job("j", (up,), designs=(Design("d", {"up": {"weight": 3.0}}),))
