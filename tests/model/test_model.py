import dataclasses
import pickle

import pytest

from lissom import Coupling, Friction, Inertia, Joint, Link, Model, ModelError, NameLookupError
from lissom.robots import tree_model

BODY = Inertia(1.0, (0.1, 0, 0), ((1, 0, 0), (0, 1, 0), (0, 0, 1)))


def links(*names):
    return tuple(Link(name, BODY) for name in names)


def hinge(name, parent, child, **more):
    return Joint(name, "revolute", parent, child, **more)


def chain(*joints, names=("a", "b", "c", "d")):
    return Model("m", links(*names[: len(joints) + 1]), joints)


def test_joints_are_sorted_from_the_base_outwards():
    joints = (hinge("3", "c", "d"), hinge("1", "a", "b"), hinge("2", "b", "c"))
    model = Model("m", links("d", "c", "b", "a"), joints)
    assert [j.name for j in model.joints] == ["1", "2", "3"]
    assert model.base == "a"


def test_a_model_is_frozen_and_equal_to_its_copy():
    model = tree_model(5, seed=1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        model.name = "other"
    assert pickle.loads(pickle.dumps(model)) == model
    assert model.replace() == model
    assert hash(model) == hash(model.replace())


def test_fingerprint_tells_models_apart():
    model = tree_model(3, seed=1)
    assert model.fingerprint == tree_model(3, seed=1).fingerprint
    others = [
        model.replace(name="other"),
        model.replace(gravity=(0, 0, -9.8)),
        model.without_friction(),
        tree_model(3, seed=2),
    ]
    assert len({m.fingerprint for m in (model, *others)}) == 5


def test_couplings_chain():
    model = chain(
        hinge("1", "a", "b"),
        hinge("2", "b", "c", coupling=Coupling("1", 2.0, 0.5)),
        hinge("3", "c", "d", coupling=Coupling("2", 3.0, -1.0)),
    )
    assert model.resolve_coupling(model.joint("3")) == Coupling("1", 6.0, 0.5)
    assert model.resolve_coupling(model.joint("1")) == Coupling("1", 1.0, 0.0)
    assert (model.nq, model.nv) == (1, 1)


def test_a_follower_may_come_before_its_leader():
    model = chain(hinge("1", "a", "b", coupling=Coupling("2")), hinge("2", "b", "c"))
    assert [j.name for j in model.independent_joints] == ["2"]


def test_friction_can_be_taken_away():
    model = chain(hinge("1", "a", "b", friction=Friction(1.0, 2.0)))
    assert model.without_friction().joint("1").friction == Friction()


def test_a_single_link_is_a_model():
    model = Model("stone", links("a"), ())
    assert (model.nq, model.nv, model.base) == (0, 0, "a")


def test_wrong_names_come_with_a_suggestion():
    model = chain(hinge("elbow", "a", "b"))
    with pytest.raises(NameLookupError, match="no joint 'elbo' in 'm'; did you mean 'elbow'?") as caught:
        model.joint("elbo")
    assert (caught.value.name, caught.value.choices) == ("elbo", ("elbow",))
    with pytest.raises(NameLookupError, match="no link 'zzz' in 'm'; expected one of 'a', 'b'"):
        model.link("zzz")
    with pytest.raises(KeyError):
        model.link("zzz")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Model("m", (), ()), "a model needs at least one link"),
        (lambda: Model(None, links("a"), ()), "the name of a model must be text, got None"),
        (lambda: Model("", links("a"), ()), "a model has no name"),
        (lambda: Model("m", ("a",), ()), "the links of a model must be a sequence of Link, got 'a'"),
        (lambda: Model("m", Link("a"), ()), r"the links of a model must be a sequence of Link, got <Link 'a': no mass>"),
        (lambda: Model("m", links("a"), None), "the joints of a model must be a sequence of Joint, got None"),
        (lambda: Model("m", links("a"), (("1", "a", "b"),)), r"the joints of a model must be a sequence of Joint, got \('1'"),
        (lambda: Model("m", links("a", " "), ()), "a link has no name"),
        (lambda: Model("m", (Link(None),), ()), "a link has no name"),
        (lambda: chain(hinge("", "a", "b")), "a joint has no name"),
        (lambda: Model("m", links("a", "a"), ()), "two links are called 'a'; names must be unique"),
        (lambda: chain(hinge("1", "a", "b"), hinge("1", "b", "c")), "two joints are called '1'"),
        (
            lambda: chain(hinge("1", "a", "c"), hinge("2", "b", "c")),
            "link 'c' is the child of two joints, '1' and '2'; in a tree, every link has one parent",
        ),
        (
            lambda: Model("m", links("a", "b"), (hinge("1", "a", "b"), hinge("2", "b", "a"))),
            "cycle through 'a' -> 'b' -> 'a'; no link is left as the base",
        ),
        (lambda: Model("m", links("a", "b"), ()), "links 'a', 'b' have no parent joint; expected one base"),
        (
            lambda: Model("m", links("a", "b", "c"), (hinge("1", "b", "c"), hinge("2", "c", "b"))),
            "cycle through 'c' -> 'b' -> 'c', which is not connected to the base",
        ),
        (lambda: chain(hinge("1", "a", "b", coupling=Coupling("1"))), "joints are coupled in a circle: '1' -> '1'"),
        (
            lambda: chain(hinge("1", "a", "b", coupling=Coupling("2")), hinge("2", "b", "c", coupling=Coupling("1"))),
            "joints are coupled in a circle: '1' -> '2' -> '1'",
        ),
        (
            lambda: chain(Joint("1", "spherical", "a", "b"), hinge("2", "b", "c", coupling=Coupling("1"))),
            "joint '2' is coupled to '1', which is spherical; only joints of one coordinate can lead",
        ),
        (lambda: Model("m", links("a"), (), (0, 0)), "gravity must be three numbers"),
    ],
)
def test_impossible_models_are_refused(make, message):
    with pytest.raises(ModelError, match=message):
        make()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: chain(hinge("1", "a", "x")), r"no link 'x' \(child of joint '1'\); expected"),
        (lambda: chain(hinge("1", "y", "b")), r"no link 'y' \(parent of joint '1'\)"),
        (lambda: chain(hinge("1", "a", "b", coupling=Coupling("2"))), r"no joint '2' \(joint '1' is coupled to it\)"),
    ],
)
def test_names_that_point_nowhere_are_refused(make, message):
    with pytest.raises(NameLookupError, match=message):
        make()


def test_long_rings_are_told_in_short():
    n = 3000
    names = [f"l{k}" for k in range(n)]
    ring = tuple(hinge(f"j{k}", names[k], names[(k + 1) % n]) for k in range(n))
    with pytest.raises(ModelError, match="cycle through .* -> \\.\\.\\. -> ") as caught:
        Model("ring", links(*names), ring)
    assert len(str(caught.value)) < 400
