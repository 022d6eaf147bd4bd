import warnings

import numpy as np
import pytest

from lissom import Inertia, Joint, JointKind, Link, Model, ModelError, ModelWarning, Pose
from lissom.model.check import inertia_about

GOOD = Inertia(1.0, (0, 0, 0), np.diag([1.0, 1.0, 1.0]))


def one(inertia, kind="revolute", more=(), more_joints=()):
    return Model("m", (Link("base"), Link("arm", inertia), *more), (Joint("j", kind, "base", "arm"), *more_joints))


def test_sound_models_give_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        one(GOOD)
        one(Inertia(1.0))  # a point mass
        one(Inertia(1.0, (0, 0, 0), np.diag([1.0, 1.0, 2.0])))  # a flat body


def test_joint_without_mass_beyond_is_doubtful():
    with pytest.warns(
        ModelWarning, match="model 'm': joint 'j' moves no mass: neither link 'arm' nor anything beyond it has inertia"
    ):
        one(None)


def test_a_joint_with_next_to_no_mass_beyond_beside_what_carries_it_is_doubtful():
    speck, last = Link("speck", Inertia(1e-14, (0, 0, 0), 1e-18 * np.eye(3))), Joint("k", "revolute", "arm", "speck")
    text = r"joint 'k' moves almost no mass, 1e-14 kg in a mechanism of 1 kg; .* need a mass there, a rotor inertia"
    with pytest.warns(ModelWarning, match=text):
        one(GOOD, more=(speck,), more_joints=(last,))


@pytest.mark.filterwarnings("error")
def test_small_masses_are_not_doubtful_where_they_count():
    tiny = Inertia(1e-14, (0, 0, 0), 1e-18 * np.eye(3))
    one(tiny)  # a robot of its own
    one(tiny, more=(Link("hand", tiny),), more_joints=(Joint("k", "revolute", "arm", "hand"),))
    one(GOOD, more=(Link("mote", tiny),), more_joints=(Joint("k", "revolute", "base", "mote"),))  # not carried by the heavy arm
    one(
        Inertia(100.0, (0, 0, 0), np.eye(3)),
        more=(Link("gram", Inertia(1e-3)),),
        more_joints=(Joint("k", "revolute", "arm", "gram"),),
    )
    heavy = Inertia(1.5e308)
    one(heavy, "prismatic", more=(Link("more", heavy),), more_joints=(Joint("k", "prismatic", "arm", "more"),))


@pytest.mark.filterwarnings("error")
def test_a_rotor_makes_up_for_mass():
    Model("m", (Link("base"), Link("arm")), (Joint("j", "revolute", "base", "arm", rotor_inertia=1e-4),))


@pytest.mark.filterwarnings("error")
def test_a_link_that_is_said_to_be_massless_is_not_doubtful():
    links = (Link("base"), Link("arm", massless=True))
    model = Model("m", links, (Joint("j", "revolute", "base", "arm"),))
    model.without_friction()
    with pytest.raises(ModelWarning, match="joint 'k' moves no mass"):  # its neighbor still is
        model.replace(links=(*links, Link("hand")), joints=(*model.joints, Joint("k", "revolute", "arm", "hand")))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("mass", "height"), [(1.0, 1e200), (1.5e308, 0.0)])
def test_numbers_that_overflow_are_refused(mass, height):
    hand = Joint("k", "fixed", "arm", "hand", Pose(translation=(0, 0, height)))
    with pytest.raises(ModelError, match=r"link 'arm' with the links fixed to it \('hand'\) is too large to compute with; check"):
        one(Inertia(mass), more=(Link("hand", Inertia(mass)),), more_joints=(hand,))


def test_mass_further_out_is_enough():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        one(None, more=(Link("hand", GOOD),), more_joints=(Joint("k", "fixed", "arm", "hand"),))


def test_triangle_inequality_is_doubtful():
    with pytest.warns(ModelWarning, match=r"link 'arm': principal moments violate the triangle inequality \(1 \+ 1 < 3"):
        one(Inertia(1.0, (0, 0, 0), np.diag([1.0, 1.0, 3.0])))


def test_negative_moment_about_the_center_of_mass_is_doubtful_while_the_joint_feels_none():
    with pytest.warns(
        ModelWarning, match="link 'arm': inertia about the center of mass is not positive definite .*link's origin"
    ):
        one(Inertia(1.0, (2.0, 2.0, 2.0), np.diag([-1.0, 1.0, 1.0])))


@pytest.mark.filterwarnings("error")
def test_negative_moment_about_the_joint_is_refused_without_a_warning():
    with pytest.raises(ModelError, match="the inertia of link 'arm' is not positive definite: its smallest .* is -1 kg m"):
        one(Inertia(1.0, (0, 0, 0), np.diag([-1.0, 1.0, 1.0])))


@pytest.mark.filterwarnings("ignore::lissom.errors.ModelWarning")
def test_what_is_fixed_to_a_link_counts_with_it():
    bad = Inertia(1.0, (0, 0, 0), np.diag([-1.0, 1.0, 1.0]))
    far = Joint("k", "fixed", "arm", "hand", Pose(translation=(0, 0, 3.0)))
    one(GOOD, more=(Link("hand", bad),), more_joints=(far,))
    with pytest.raises(ModelError, match=r"link 'arm' with the links fixed to it \('hand'\) is not positive definite"):
        one(Inertia(1.0), more=(Link("hand", bad),), more_joints=(Joint("k", "fixed", "arm", "hand"),))


@pytest.mark.filterwarnings("ignore::lissom.errors.ModelWarning")
def test_what_never_moves_may_have_any_inertia():
    bad = Inertia(1.0, (0, 0, 0), np.diag([-1.0, 1.0, 1.0]))
    one(bad, "fixed")


def test_inertia_moves_by_steiners_rule():
    inertia = Inertia(2.0, (0.1, 0.2, 0.3), np.diag([0.3, 0.4, 0.5]))
    R = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])
    c = R @ [0.1, 0.2, 0.3] + [1, 2, 3]
    expected = np.diag([0.4, 0.3, 0.5]) + 2.0 * (c @ c * np.eye(3) - np.outer(c, c))
    assert np.allclose(inertia_about(inertia, R, np.array([1, 2, 3])), expected)


@pytest.mark.parametrize("moments", [(1e-18, 1e-18, 1e-17), (-1e-20, 1e-18, 1e-18), (-1e-18, -1e-18, -1e-18)])
def test_moments_of_the_size_of_rounding_are_those_of_a_point_mass(moments, recwarn):
    tensor = tuple(tuple(moments[i] if i == j else 0.0 for j in range(3)) for i in range(3))
    links = (Link("base"), Link("finger", Inertia(0.1, (0.02, 0.0, 0.01), tensor)))
    Model("hand", links, (Joint("j", JointKind.REVOLUTE, "base", "finger"),))
    assert not [w for w in recwarn if issubclass(w.category, ModelWarning)]


def test_moments_of_small_bodies_are_judged():
    tensor = ((1e-9, 0.0, 0.0), (0.0, 1e-9, 0.0), (0.0, 0.0, 1e-8))  # a gram of about a millimeter
    links = (Link("base"), Link("finger", Inertia(1e-3, (0.02, 0.0, 0.01), tensor)))
    with pytest.warns(ModelWarning, match="triangle"):
        Model("hand", links, (Joint("j", JointKind.REVOLUTE, "base", "finger"),))
