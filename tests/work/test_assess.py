"""Assessed jobs: sums, limits and words against their definitions, and the command from a file to a page."""

import json
from types import SimpleNamespace

import numpy as np
import pytest
from typer.testing import CliRunner

from lissom.cli import app
from lissom.fatigue import Repeated
from lissom.tasks.spine import ARM, JOINT, SpineLoad
from lissom.work import Assessment, Carry, Design, Exoskeleton, Job, Lift, TaskLoad, assess, dose

UP = Lift("up", 12.0, (0.4, 0.05), (0.4, 1.2), 2.0)


def test_the_dose_of_a_constant_force_all_day_is_force_times_hours():
    t = np.linspace(0.0, dose.SHIFT, 11)
    assert dose.dose(dose.squares(t, np.full(11, 4000.0), "male")) == pytest.approx(8 * 4000.0)
    assert dose.dose(dose.squares(t, np.full(11, 3000.0), "male")) == 0.0  # below the threshold
    assert dose.dose(dose.squares(t, np.full(11, 3000.0), "female")) == pytest.approx(8 * 3000.0)
    assert dose.impulse(t, np.full(11, 2.0)) == pytest.approx(2 * dose.SHIFT)


def test_half_of_the_people_have_the_mean_strength():
    assert dose.strong_enough(1.0) == pytest.approx(0.5)
    assert dose.strong_enough(1.0 - 1.645 * dose.SPREAD) == pytest.approx(0.95, abs=1e-3)
    assert (dose.shear_limit(100), dose.shear_limit(101)) == (1000.0, 700.0)


@pytest.mark.slow
def test_a_job_with_designs_from_a_file_to_a_page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    source = "worker: {stature: 1.75, mass: 75}\nhours: 2\n"
    tasks = "tasks:\n  - {name: up, lift: {mass: 12, origin: [0.4, 0.05], destination: [0.4, 1.2], frequency: 2}}\n"
    designs = "designs:\n  - {name: half, tasks: {up: {mass: 6}}}\n  - {name: helped, exoskeleton: {stiffness: 100}}\n"
    (tmp_path / "job.yaml").write_text("lissom: 1\nkind: work\nname: <b>boxes</b>\n" + source + tasks + designs)
    done = CliRunner().invoke(app, ["work", "job.yaml", "-o", "page.html", "--json"])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    half, helped = found["designs"]
    assert found["lifting_index"] > 1 > half["lifting_index"] and helped["lifting_index"] == found["lifting_index"]
    as_it_is, less, spring = (x["tasks"][0] for x in (found, half, helped))
    assert less["compression_N"] < as_it_is["compression_N"] and spring["compression_N"] < as_it_is["compression_N"]
    assert as_it_is["repetitions"] == 240 and 0.5 < as_it_is["strong_enough"] < 1
    assert any("lifting index" in line for line in found["concerns"]) and half["concerns"] == []
    page = (tmp_path / "page.html").read_text()
    assert "&lt;b&gt;boxes" in page and "<b>boxes" not in page and "Recommended weight limits" in page
    again = CliRunner().invoke(app, ["work", "job.yaml"])
    assert again.exit_code == 0 and "with" not in again.stderr and "helped" in again.stdout


@pytest.mark.slow
def test_an_exoskeleton_takes_its_moment_off_the_disc():
    job = Job("boxes", (UP,), exoskeleton=Exoskeleton(80.0, 0.1))
    (load,) = assess(job).loads
    motion, t = load.motion, load.times
    angle = motion.prediction.coordinates(t)[0][:, motion.person.coordinate_names.index(JOINT)]
    muscles = load.spine.extension - 80.0 * (angle - 0.1)
    assert load.spine.disc == pytest.approx(load.spine.compression + np.abs(muscles) / ARM)
    # what muscles give and what the spring gives at the lowest joint together is the moment in that joint
    q, qd, qdd = motion.prediction.coordinates(t)
    outside = motion.prediction._external(t)
    both = motion.person.joint_wrenches(q, qd, qdd, external=outside)[:, motion.person.wrench_names.index(JOINT)]
    axis = np.array(motion.person.model.joint(JOINT).axis)
    own = motion.prediction.torques(t)[:, motion.person.velocity_names.index(JOINT)] - 80.0 * (angle - 0.1)
    assert both[:, 3:] @ axis == pytest.approx(own, abs=1e-6)


@pytest.mark.slow
def test_a_carry_counts_its_steps():
    job = Job("away", (Carry("go", 8.0, 14.0, 1.0, 1.2),), hours=1.0, designs=(Design("far", {"go": {"distance": 28.0}}),))
    found = assess(job, progress=None)
    (load,), (far,) = found.loads, found.designs[0].loads
    steps = 14.0 / load.motion.step_length
    assert load.impulse == pytest.approx(60 * steps * np.trapezoid(load.spine.disc, load.times) / load.motion.steps)
    assert far.impulse == pytest.approx(2 * load.impulse) and far.motion is load.motion
    assert found.composite_index is None and load.index is None and load.limit() is None


@pytest.mark.slow
def test_fatigue_and_a_cobot_from_a_file_to_a_page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tasks = "tasks:\n  - {name: up, lift: {mass: 10, origin: [0.4, 0.1], destination: [0.4, 0.9], frequency: 12}}\n"
    designs = "designs:\n  - {name: seldom, tasks: {up: {frequency: 2}}}\n  - {name: shared, cobot: {robot: panda}}\n"
    (tmp_path / "job.yaml").write_text("lissom: 1\nkind: work\nname: belt\nhours: 1\nfatigue: true\n" + tasks + designs)
    done = CliRunner().invoke(app, ["work", "job.yaml", "-o", "page.html", "--json"])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    often, seldom, shared = (x["tasks"][0] for x in (found, *found["designs"]))
    assert often["done"] == 720 and seldom["done"] == 120 and often["ended_by"] is None
    assert 0.8 < often["strength_left"] < seldom["strength_left"] < 1.0 and often["motions"] >= 1
    assert seldom["compression_N"] == often["compression_N"]  # the same motion, repeated less
    assert shared["compression_N"] < 0.95 * often["compression_N"] and shared["strength_left"] > often["strength_left"]
    assert shared["lifting_index"] == often["lifting_index"]  # the equation knows no cobot
    page = (tmp_path / "page.html").read_text()
    assert "<h2>Fatigue</h2>" in page and "strengths that are left over the repetitions" in page


def test_a_lift_that_ends_early_is_a_concern():
    motion = SimpleNamespace(person=SimpleNamespace(body=SimpleNamespace(sex="male")))
    t = np.zeros(2)
    spine = SpineLoad(*(np.zeros(2) for _ in range(5)))
    left = np.array([[[1.0, 1.0]], [[0.7, 1.0]]])
    tired = Repeated(("knee",), (), left, 240, 28.5, "repetition 2 asks for more strength than is left: too heavy")
    load = TaskLoad(UP, motion, t, spine, {"knee": 0.2}, {}, 240.0, tired)
    (line,) = Assessment(Job("boxes", (UP,), fatigue=True), (load,)).concerns
    assert line == "up: 1 of 240 times; repetition 2 asks for more strength than is left: too heavy"
