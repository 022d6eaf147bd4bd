"""Where Ctrl-C is ignored, as in a background job, it stays ignored: nothing of lissom takes the signal."""

import os
import signal
import sys

import numpy as np
import pytest

from lissom.interrupt import Interrupt
from lissom.predict import load
from lissom.robots import planar_two_link

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals as POSIX has them")


@pytest.fixture
def background():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    yield lambda: os.kill(os.getpid(), signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    signal.signal(signal.SIGINT, before)


def test_the_command_line_leaves_it_ignored(background):
    with Interrupt(lambda: pytest.fail("nobody pressed Ctrl-C")) as block:
        background()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN and not block.asked


def test_a_simulation_goes_on(background):
    def torque(t, q, qd):
        background()
        return np.zeros(2)

    assert planar_two_link().simulate([0, 0], [0, 0], 0.1, torque, method="rk4", dt=0.01).t[-1] == pytest.approx(0.1)


def test_a_prediction_goes_on(background):
    pytest.importorskip("casadi")

    def progress(iterate):
        background()
        return False

    assert load("rp").solve(progress=progress).success
