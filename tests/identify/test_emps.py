"""The electro-mechanical positioning system, a published benchmark of identification: its parameters are found again.

A carriage on a ball screw, under cascaded control of position and velocity (Janot, Gautier and Brunot, Data set and reference
models of EMPS, Workshop on Nonlinear System Identification Benchmarks, 2019). What they identified, and their controller, are
public; the recording is not at hand here. So their reference model moves under their controller, with an encoder and a noisy
amplifier of our own, and lissom gets positions and forces alone.
"""

import math

import numpy as np
import pytest

from lissom import Robot
from lissom.identify import Filtering, Measurement, identify
from lissom.model import Friction, Inertia, Joint, JointKind, Link, Model

MASS, VISCOUS, COULOMB, OFFSET = 95.1089, 203.5034, 20.3935, -3.1648  # kg, N/(m/s), N, N
DRIVE, POSITION, VELOCITY, LARGEST = 35.15, 160.18, 243.45, 10.0  # N/V, 1/s, V/(m/s), V
RATE, FINE = 1000, 5  # samples of the controller in a second, steps of the simulation between them
ENCODER, NOISE = 1e-7, 0.02  # a step of the encoder [m], noise of the voltage [V]


def carriage(mass: float, viscous: float, coulomb: float) -> Robot:
    links = (Link("rail"), Link("carriage", Inertia(mass, (0.0, 0.0, 0.0), np.eye(3).tolist())))
    slide = Joint("slide", JointKind.PRISMATIC, "rail", "carriage", axis=(1.0, 0.0, 0.0), friction=Friction(viscous, coulomb))
    return Robot(Model("emps", links, (slide,), gravity=(0.0, 0.0, -9.81)), backend="numpy")


def program(seconds: int) -> np.ndarray:
    """Return positions [m] at RATE: runs to and fro of several speeds, with constant accelerations of 0.83 m/s^2."""
    rates, speed = [], 0.0
    for target in (0.12, 0.0, -0.12, 0.0, 0.04, 0.0, -0.08, 0.0, 0.08, 0.0, -0.04, 0.0) * (1 + seconds // 2):
        while abs(target - speed) > 1e-12:
            speed += math.copysign(min(0.83 / RATE, abs(target - speed)), target - speed)
            rates.append(speed)
        rates += [speed] * (RATE // 3 if target else RATE // 20)
    return np.cumsum(rates[: seconds * RATE]) / RATE


def record(seed: int, seconds: int = 20) -> tuple[np.ndarray, np.ndarray]:
    """Return positions that the encoder shows [m] and forces of the drive [N]."""
    rng = np.random.default_rng(seed)
    noise = NOISE * rng.normal(size=seconds * RATE)
    q = v = before = 0.0
    found = []
    for want, more in zip(program(seconds).tolist(), noise.tolist(), strict=True):
        seen = round(q / ENCODER) * ENCODER
        u = VELOCITY * (POSITION * (want - seen) - (seen - before) * RATE)
        u, before = min(max(u, -LARGEST), LARGEST) + more, seen
        found.append((seen, DRIVE * u))
        for _ in range(FINE):
            free = v + (DRIVE * (u - more) - OFFSET - VISCOUS * v) / (MASS * RATE * FINE)
            rub = COULOMB / (MASS * RATE * FINE)  # what dry friction can take of the speed in a step
            v = free - math.copysign(min(rub, abs(free)), free)
            q += v / (RATE * FINE)
    positions, forces = zip(*found, strict=True)
    return np.array(positions), np.array(forces)


@pytest.mark.parametrize(("method", "share"), [("ordinary", 0.05), ("weighted", 0.05), ("robust", 0.01)])
def test_the_published_parameters_of_a_positioning_system_are_found(method, share):
    q, force = record(seed=1)
    robot = carriage(mass=50.0, viscous=100.0, coulomb=5.0)  # what one might guess before
    data = Measurement(robot, np.arange(len(q)) / RATE, q[:, None], force[:, None])
    found = identify(data, estimate=["links", "friction", "offsets"], method=method, filtering=Filtering(cutoff=40.0))
    published = {"carriage.mass": MASS, "slide.viscous": VISCOUS, "slide.coulomb": COULOMB, "slide.offset": OFFSET}
    # where the carriage sticks, the law of friction does not hold: robust estimation leaves such samples out
    assert dict(zip(found.names, found.values.tolist(), strict=True)) == pytest.approx(published, rel=share)
    slide, body = found.model.joint("slide"), found.model.links[1].inertia
    assert slide.friction.viscous == pytest.approx(VISCOUS, rel=share)
    assert body is not None and body.mass == pytest.approx(MASS, rel=share)
