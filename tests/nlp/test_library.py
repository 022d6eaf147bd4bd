"""Where IPOPT comes from, and what is said when it is not there."""

import sys

import pytest

from lissom.errors import MissingExtraError
from lissom.nlp import library, solve
from support.programs import HS071_START, hs071


@pytest.fixture
def forget():
    library.load.cache_clear()
    yield
    library.load.cache_clear()


def spec(folder):
    return lambda name: type("Spec", (), {"submodule_search_locations": [str(folder)]})


def test_without_casadi_the_extra_is_named(forget, monkeypatch):
    monkeypatch.setattr(library.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"IPOPT needs the package 'casadi'.*pip install 'lissom\[predict\]'"):
        solve(hs071(), HS071_START)


def test_a_casadi_without_ipopt_is_named(forget, monkeypatch, tmp_path):
    monkeypatch.setattr(library.importlib.util, "find_spec", spec(tmp_path))
    with pytest.raises(MissingExtraError, match="holds no library of IPOPT"):
        library.load()


@pytest.mark.skipif(sys.platform != "linux", reason="names of libraries")
def test_a_library_that_is_none_is_named(forget, monkeypatch, tmp_path):
    (tmp_path / "libipopt.so.3").write_text("no library")
    monkeypatch.setattr(library.importlib.util, "find_spec", spec(tmp_path))
    with pytest.raises(MissingExtraError, match=r"libipopt.so.3 cannot be loaded"):
        library.load()


@pytest.mark.skipif(sys.platform != "linux", reason="names of libraries")
def test_an_ipopt_without_the_interface_is_named(forget, monkeypatch):
    ctypes_library = type("Library", (), {})()
    pytest.importorskip("casadi")
    monkeypatch.setattr(library.ctypes, "CDLL", lambda path: ctypes_library)
    with pytest.raises(MissingExtraError, match="has no function CreateIpoptProblem: not IPOPT 3.14 or later"):
        library.load()


def test_casadi_itself_is_not_imported(python):
    pytest.importorskip("casadi")
    text = "import sys; from lissom.nlp import library; print(library.version()[:5], 'casadi' in sys.modules)"
    assert python(text) == "3.14. False"
