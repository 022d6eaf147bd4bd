import numpy as np
import pytest

from lissom import BaseMotion, StateError, Wrench

nan = float("nan")


def test_parts_are_laid_side_by_side_and_broadcast():
    wrench = Wrench(np.ones((2, 1, 3)), (1, 2, 3), axes="link", point=np.zeros((4, 3)))
    assert wrench.packed().shape == (2, 4, 9)
    assert wrench.packed()[1, 3].tolist() == [1, 1, 1, 1, 2, 3, 0, 0, 0]
    motion = BaseMotion(angular_velocity=np.ones((5, 3)))
    assert motion.packed().shape == (5, 13)
    assert motion.packed()[4].tolist() == [0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0]


def test_the_axes_must_be_named():
    with pytest.raises(TypeError, match="axes"):
        Wrench((0, 0, 1))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Wrench("up", axes="link"), r"force of the wrench must be numbers of shape \(..., 3\), got 'up'"),
        (lambda: Wrench(1.0, axes="link"), r"force of the wrench has shape \(\), expected \(..., 3\)"),
        (lambda: Wrench((0, 0), axes="link"), r"force of the wrench has shape \(2,\), expected \(..., 3\)"),
        (lambda: Wrench(moment=(0, 0, nan), axes="link"), "moment of the wrench is not finite"),
        (lambda: Wrench(axes="link", point=(0, 0, np.inf)), "point of the wrench is not finite"),
        (lambda: Wrench(axes="wrld"), "no axes 'wrld' of a wrench; did you mean 'world'"),
        (lambda: Wrench(axes="joint"), "no axes 'joint' of a wrench; expected one of 'link', 'world'"),
        (lambda: Wrench(np.zeros((2, 3)), np.zeros((4, 3)), axes="link"), "force .*moment.*of the wrench do not fit together"),
        (lambda: BaseMotion(orientation=(0, 0, 1)), r"orientation of the base motion has shape \(3,\), expected \(..., 4\)"),
        (lambda: BaseMotion(orientation=np.zeros((2, 4))), "orientation of the base motion is a zero quaternion"),
        (lambda: BaseMotion(angular_velocity=(0, nan, 0)), "angular_velocity of the base motion is not finite"),
        (lambda: BaseMotion(acceleration=object()), "acceleration of the base motion must be numbers"),
        (lambda: BaseMotion(angular_acceleration=(1, 2)), "angular_acceleration of the base motion has shape"),
        (
            lambda: BaseMotion(acceleration=np.zeros((2, 3)), angular_velocity=np.zeros((3, 3))),
            "of the base motion do not fit together",
        ),
    ],
)
def test_impossible_wrenches_and_motions_are_refused(call, message):
    with pytest.raises(StateError, match=message):
        call()
