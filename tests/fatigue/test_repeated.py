"""Repeated motions: the cycle beside the model step by step, strengths that fall, motions that adapt, and where it ends."""

from types import SimpleNamespace

import numpy as np
import pytest

from lissom import PredictionError, StateError, robots, tasks
from lissom.fatigue import JOINTS, Compartments, region_of, repeat
from lissom.fatigue.cycle import cycle_of, made
from lissom.fatigue.repeated import adapt
from lissom.robots.human.strength import Drive

KNEE, BACK = "left_knee_flexion", "spine_1_flexion"


class Motion:
    """A motion of two joints with given moments, for tests: what a prediction knows."""

    person = SimpleNamespace(velocity_names=(KNEE, BACK))

    def __init__(self, moments, duration=2.0, held=False):
        self.held = held
        self.prediction = SimpleNamespace(duration=duration, torques=self.torques)
        self.moments = np.array(moments)

    def torques(self, t):
        rise = 1.0 - np.abs(2.0 * t / self.prediction.duration - 1.0)  # a triangle
        return (1.0 if self.held else rise[:, None]) * self.moments + 0.0 * rise[:, None]


CAN = {KNEE: Drive(0.0, 2.0, 200.0, 100.0), BACK: Drive(-1.0, 1.0, 250.0, 150.0)}


@pytest.mark.parametrize("rest", [0.0, 0.3, 4.0])
def test_a_cycle_is_the_model_step_by_step(rest):
    motion = Motion([-80.0, -150.0])
    cycle = cycle_of(motion, CAN, rest)
    fatigued = np.zeros((2, 2))
    for _ in range(30):
        fatigued = cycle.rested(cycle.tired(fatigued))
    t = np.linspace(0.0, 2.0, 41)
    for k, (joint, share) in enumerate(((KNEE, 0.4), (BACK, 0.6))):
        middle = t[:-1] + 0.025
        once = share * (1.0 - np.abs(middle - 1.0))
        pause = np.zeros(round(rest / 0.05))
        load = np.tile(np.concatenate([once, pause]), 30)
        times = 0.05 * np.arange(len(load) + 1)
        course = JOINTS[region_of(joint)].course(times, np.append(load, 0.0))
        assert fatigued[k, 0] == pytest.approx(course.fatigued[-1], rel=3e-3)  # which begins with no unit active
        assert fatigued[k, 1] == 0.0


def test_units_of_a_constant_load_tire_as_the_equations_say():
    # M_F = F T / R (1 - exp(-R t)), up to F / L of the load
    load = np.full((40, 1, 2), 0.3)
    cycle = made((KNEE,), load, 0.05, load[0], 0.0)
    fatigued = np.zeros((1, 2))
    for _ in range(20):
        fatigued = cycle.tired(fatigued)
    model: Compartments = JOINTS["knee"]
    assert fatigued == pytest.approx(model.F * 0.3 / model.R * (1.0 - np.exp(-model.R * 40.0)), rel=2e-3)


def test_joints_without_published_parameters_take_those_of_neighbors():
    person = robots.human(active=["hip_flexion"])
    assert {region_of(joint) for joint in person.strengths} == {"trunk"}
    assert region_of("left_wrist_flexion") == "hand" and region_of("right_toe_extension") == "ankle"


def test_the_motion_adapts_and_ends_where_strength_is_used_up():
    asked = []

    def predicted(fatigued, start):
        asked.append(fatigued.copy())
        least = 1.0 - fatigued[1, 0]
        if 250.0 * least < 130.0:
            raise PredictionError("too heavy")
        return Motion([-20.0, -120.0], held=True)

    found = adapt(Motion([-20.0, -200.0], held=True), predicted, CAN, 2000, 0.0, 0.1, lambda line: None)
    assert found.motions[0].since == 0 and found.motions[1].since > 0 and found.first is not found.last
    assert 0 < found.done < 2000 and "asks for more strength than is left: too heavy" in found.reason
    assert found.left.shape == (found.done + 1, 2, 2) and (np.diff(found.left[:, 1, 0]) < 0.0).all()
    assert (found.left[0] == 1.0).all() and (found.left[:, :, 1] == 1.0).all()
    # what was planned for was what was left, or a little less where more was asked for than that
    assert asked[0][1, 0] == pytest.approx(1.0 - found.left[found.motions[1].since, 1, 0], abs=0.1)
    assert found.most_tired[0] == BACK
    weak = found.weakness()
    assert weak[BACK] == pytest.approx((1.0 - found.left[-1, 1, 0], 0.0)) and found.weakness(0)[BACK] == (0.0, 0.0)
    assert repr(found).startswith(f"<Repeated: {found.done} of 2000 times")


def test_with_rest_enough_it_goes_on_as_it_is():
    found = adapt(Motion([-20.0, -200.0]), lambda fatigued, start: None, CAN, 5000, 60.0, 0.1, lambda line: None)
    assert found.done == 5000 and len(found.motions) == 1 and found.reason == ""
    assert found.left[-1].min() > 0.95 and found.left[-1] == pytest.approx(found.left[-2], abs=1e-12)


def test_a_motion_that_asks_for_more_than_is_left_is_not_taken():
    found = adapt(
        Motion([-20.0, -200.0]), lambda fatigued, start: Motion([-20.0, -245.0]), CAN, 2000, 0.0, 0.5, lambda line: None
    )
    assert "the motion for it tires spine_1_flexion more than it has strength left" in found.reason


def test_a_step_and_its_mirror_image_tire_both_sides_alike():
    person = robots.human(active=["ankle_flexion", "spine_1_bending"])
    names, can = person.velocity_names, person.strengths
    push = np.zeros(person.nv)
    push[names.index("left_ankle_flexion")], push[names.index("spine_1_bending")] = -60.0, 40.0
    found = SimpleNamespace(duration=0.5, torques=lambda t: np.ones((len(t), 1)) * push)
    step = SimpleNamespace(person=person, prediction=found, steps=1)
    cycle = cycle_of(step, can)
    left, right, back = (list(can).index(name) for name in ("left_ankle_flexion", "right_ankle_flexion", "spine_1_bending"))
    assert cycle.peaks[left] == pytest.approx([60.0 / can["left_ankle_flexion"].negative, 0.0])
    assert cycle.peaks[right] == pytest.approx(cycle.peaks[left])
    assert cycle.peaks[back, 0] == pytest.approx(cycle.peaks[back, 1])  # which bends to the other side in the other step
    done = adapt(step, lambda fatigued, start: None, can, 50, 0.0, 0.5, lambda line: None)
    assert done.left[-1, left] == pytest.approx(done.left[-1, right], abs=1e-12) and done.left[-1, left, 0] < 0.99
    assert done.left[-1, back, 0] == pytest.approx(done.left[-1, back, 1], abs=1e-12)


def test_wrong_input_is_refused():
    for own, match in (
        ({"times": 0}, "times is 0, expected a whole number of repetitions from 1 to 1000000"),
        ({"times": 5, "rest": -1.0}, "rest is -1.0, expected a number of 0 or more"),
        ({"times": 5, "change": 0.0}, "change is 0.0, expected a number of 0.001 or more"),
    ):
        with pytest.raises(StateError, match=match):
            repeat(tasks.lift, 5.0, **own)
    with pytest.raises(StateError, match=r"motion sorted takes no changes= or weakness=, or no start="):
        repeat(sorted, times=3)


@pytest.mark.slow
def test_lifts_without_a_rest_adapt(tmp_path):
    own = {"changes": {"weakness": {"spine_1": 0.2}}}
    found = repeat(tasks.lift, 14.0, (0.4, 0.1), (0.4, 0.9), times=40, rest=0.0, change=0.08, **own)
    assert len(found.motions) > 1 and found.left[-1].min() < 0.93
    rested = found.first.person.strengths
    assert rested[BACK].negative == pytest.approx(0.8 * robots.human().strengths[BACK].negative)
    for number, (since, motion) in enumerate(found.motions):
        # on a fine grid, moments are within the strengths that are left after its last repetition
        until = found.motions[number + 1].since if number + 1 < len(found.motions) else found.done
        t = np.linspace(0.0, motion.duration, 801)
        for joint, moment in motion.moments(t).items():
            left = found.left[until, found.joints.index(joint)]
            can = rested[joint]
            assert moment.min() > -can.negative * left[0] * 1.0 - 0.01 * can.negative, (since, joint)
            assert moment.max() < can.positive * left[1] + 0.01 * can.positive, (since, joint)
    page = found.report(tmp_path / "lifts.html").read_text(encoding="utf-8")
    assert "Strength that is left" in page and "joints that tire most" in page
