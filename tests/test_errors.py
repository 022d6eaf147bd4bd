"""Errors travel between processes: pickled or copied, they keep their type, their text and their attributes."""

import copy
import inspect
import pickle
import re
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

import lissom
from lissom import errors, robots
from lissom.simulate import Status

ARGUMENTS = {
    errors.FileError: ("is no robot", Path("arm.urdf"), 7),
    errors.NameLookupError: ("joint", "elbo", (name for name in ("elbow", "wrist")), " in 'arm'"),
    errors.ConvergenceError: ("not reached", {"q": [1.0, 2.0]}),
    errors.ContactError: ("contact 'sole' cannot be reached", ("sole",)),
    errors.ContradictionError: ("limits contradict each other", 2),
    errors.IdentificationError: ("a joint does not move", ("elbow.viscous",)),
    errors.DeviceError: ("the card is full", 2),
    errors.TimingError: ("the path cannot be passed", 0.25, "elbow", "torque"),
    errors.MissingExtraError: ("mujoco", "mjcf", "reading MJCF files"),
    errors.SingularityError: ("the pose is singular", {"kind": "drive"}, (3,)),
    errors.SimulationError: ("blew up", Status.BLEW_UP, 1.5, "elbow"),
}
KINDS = [kind for _, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, Exception)]
WAYS = {"copy": copy.copy, "deepcopy": copy.deepcopy}
WAYS |= {f"pickle {n}": lambda e, n=n: pickle.loads(pickle.dumps(e, n)) for n in range(pickle.HIGHEST_PROTOCOL + 1)}


@pytest.fixture(params=KINDS, ids=lambda kind: kind.__name__)
def error(request):
    made = request.param(*ARGUMENTS.get(request.param, ("what went wrong",)))
    made.add_note("a note")
    return made


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_every_error_survives(error, way):
    back = way(error)
    assert type(back) is type(error)
    assert (str(back), repr(back), back.args) == (str(error), repr(error), error.args)
    assert vars(back) == vars(error)
    assert getattr(back, "msg", None) == getattr(error, "msg", None)


def test_every_constructor_with_arguments_of_its_own_is_tried():
    own = {kind for kind in KINDS if "__init__" in vars(kind)}
    assert own == set(ARGUMENTS)


def test_every_error_is_in_one_module_in_lissom_and_on_the_page():
    page = (Path(__file__).parents[1] / "docs" / "usage" / "errors.md").read_text(encoding="utf-8")
    for kind in KINDS:
        assert issubclass(kind, (errors.LissomError, UserWarning)) and getattr(lissom, kind.__name__) is kind
        assert f"`{kind.__name__}`" in page
    source = Path(lissom.__file__).parent
    elsewhere = [
        (file.name, found[1])
        for file in source.rglob("*.py")
        for found in re.finditer(r"^class (\w+)\(.*(?:Error|Warning)\b.*\):", file.read_text(encoding="utf-8"), re.MULTILINE)
        if file != source / "errors.py"
    ]
    assert elsewhere == []


def test_a_failed_simulation_keeps_its_trajectory():
    error = errors.SimulationError("blew up", Status.BLEW_UP, 1.5)
    error.trajectory = robots.rr().simulate([0.1, 0.2], [0.0, 0.0], 0.1)
    back = pickle.loads(pickle.dumps(error))
    assert (back.trajectory.q == error.trajectory.q).all()
    assert back.status is Status.BLEW_UP


def test_an_error_of_another_process_arrives():
    with (
        ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool,
        pytest.raises(errors.NameLookupError, match="no joint 'elbow'") as caught,
    ):
        pool.submit(robots.rr_model().joint, "elbow").result()
    assert caught.value.name == "elbow"
