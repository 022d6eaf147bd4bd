"""Compiled code on disk: used again if this user wrote it, made again in every other case."""

import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest

from lissom import LissomError, Robot
from lissom.compiler import cache, jit
from lissom.robots import planar_two_link_model, rr_model

pytestmark = pytest.mark.skipif(not hasattr(os, "getuid"), reason="needs the file modes of Unix")
STATE = np.ones((3, 4, 2))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    where = tmp_path / "cache"
    monkeypatch.setenv("LISSOM_CACHE_DIR", str(where))
    return where


@pytest.fixture
def compiled(monkeypatch):
    """A list that grows by one for each module compiled."""
    made = []
    real = jit.compile_object
    monkeypatch.setattr(jit, "compile_object", lambda ir: made.append(ir) or real(ir))
    return made


def wrenches(model=None):
    """Compute with one compiled program: the method of the class needs no built-in function, which would be another."""
    return Robot.joint_wrenches(Robot(model or planar_two_link_model(), backend="llvm"), *STATE, axes="world")


@pytest.fixture(autouse=True, scope="module")
def shared_code():
    """Make what the first call of a process compiles for all robots, so that tests count the code of their own alone."""
    wrenches(rr_model())


@pytest.fixture
def entry(folder, compiled):
    """The path of the only entry, made by a first robot."""
    first = wrenches()
    assert len(compiled) == 1
    compiled.clear()
    assert np.array_equal(wrenches(), first)
    assert not compiled
    (path,) = folder.glob("*.code")
    return path


def assert_made_again(compiled, times=1):
    result = wrenches()
    assert len(compiled) == times
    expected = Robot(planar_two_link_model(), backend="numpy").joint_wrenches(*STATE, axes="world")
    assert np.allclose(result, expected, rtol=1e-13, atol=1e-13)


def test_an_entry_is_used_again_and_private(entry, folder):
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(entry.stat().st_mode) == 0o600
    assert stat.S_IMODE((folder / "key").stat().st_mode) == 0o600
    assert not list(folder.glob("*.part"))


def test_another_robot_algorithm_frame_or_width_has_another_entry(entry, folder, compiled):
    robot = Robot(planar_two_link_model(), backend="llvm")
    wrenches(rr_model())
    wrenches(planar_two_link_model(g=1.0))
    Robot.joint_wrenches(robot, *STATE, axes="parent")
    Robot.joint_wrenches(robot, *STATE[:, 0], axes="world")
    assert len(compiled) == 4
    assert len(list(folder.glob("*.code"))) == 5


@pytest.mark.sweep(4)
@pytest.mark.parametrize("at", [0, 3, 8, 20, 39, 40, 100, -1])
def test_an_altered_byte_is_noticed(entry, compiled, at):
    content = bytearray(entry.read_bytes())
    content[at] ^= 1
    entry.write_bytes(content)
    assert_made_again(compiled)
    compiled.clear()
    wrenches()
    assert not compiled  # and the entry is whole again


@pytest.mark.sweep(4)
@pytest.mark.parametrize("keep", [0, 4, 8, 30, 40, 41, 1000])
def test_a_truncated_entry_is_noticed(entry, compiled, keep):
    entry.write_bytes(entry.read_bytes()[:keep])
    assert_made_again(compiled)


def test_an_entry_with_more_at_its_end_is_noticed(entry, compiled):
    entry.write_bytes(entry.read_bytes() + b"\0")
    assert_made_again(compiled)


def test_an_entry_signed_with_another_key_is_noticed(entry, folder, compiled):
    (folder / "key").write_bytes(bytes(32))
    assert_made_again(compiled)


@pytest.mark.parametrize("content", [b"", b"short", bytes(33)])
def test_a_key_of_the_wrong_length_is_not_used(entry, folder, compiled, content):
    (folder / "key").write_bytes(content)
    assert cache.read(entry.name) is None
    assert_made_again(compiled)
    assert len((folder / "key").read_bytes()) == 32
    compiled.clear()
    wrenches()
    assert not compiled  # a new key took its place
    assert not list(folder.glob("*.part"))


def test_an_entry_under_the_name_of_another_is_noticed(entry, folder, compiled):
    wrenches(rr_model())
    (other,) = (p for p in folder.glob("*.code") if p != entry)
    entry.write_bytes(other.read_bytes())
    compiled.clear()
    assert_made_again(compiled)


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777])
def test_a_folder_that_others_may_write_is_not_used(entry, folder, compiled, mode):
    folder.chmod(mode)
    assert_made_again(compiled)
    assert_made_again(compiled, 2)  # nor written


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620])
def test_a_key_open_to_others_is_not_used(entry, folder, compiled, mode):
    known = (folder / "key").read_bytes()
    (folder / "key").chmod(mode)
    assert cache.read(entry.name) is None
    assert_made_again(compiled)
    assert (folder / "key").read_bytes() != known  # others may have read it
    assert stat.S_IMODE((folder / "key").stat().st_mode) == 0o600


@pytest.mark.parametrize("mode", [0o640, 0o602, 0o666])
def test_an_entry_open_to_others_is_not_used(entry, compiled, mode):
    entry.chmod(mode)
    assert_made_again(compiled)


def test_links_are_not_followed(entry, folder, compiled, tmp_path):
    for path in (entry, folder / "key"):
        moved = tmp_path / "moved"
        path.rename(moved)
        path.symlink_to(moved)
        assert_made_again(compiled)
        compiled.clear()
        path.unlink()
        moved.rename(path)
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    assert_made_again(compiled)


def test_an_entry_that_is_a_folder_is_ignored(entry, compiled):
    entry.unlink()
    entry.mkdir()
    assert_made_again(compiled)


def test_an_entry_that_is_signed_but_no_code_is_made_again(entry, folder, compiled):
    cache.write(entry.name, b"this is no object file")
    assert cache.read(entry.name) == b"this is no object file"
    assert_made_again(compiled)


def test_what_belongs_to_another_user_is_not_used(entry, compiled, monkeypatch):
    mine = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: mine + 1)
    assert_made_again(compiled)
    assert_made_again(compiled, 2)  # nor written


def test_a_folder_that_cannot_be_written_only_costs_time(folder, compiled, monkeypatch):
    def denied(*_, **__):
        raise PermissionError(13, "Permission denied")

    folder.mkdir(mode=0o700)
    monkeypatch.setattr(tempfile, "mkstemp", denied)
    assert_made_again(compiled)
    assert_made_again(compiled, 2)
    assert not list(folder.iterdir())


def test_a_read_only_cache_is_still_read(entry, folder, compiled, monkeypatch):
    def denied(*_, **__):
        raise PermissionError(13, "Permission denied")

    folder.chmod(0o500)
    monkeypatch.setattr(tempfile, "mkstemp", denied)  # root may write anywhere
    wrenches()
    assert not compiled
    wrenches(rr_model())
    assert len(compiled) == 1
    folder.chmod(0o700)


def test_a_folder_that_cannot_be_made_only_costs_time(tmp_path, monkeypatch, compiled):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("LISSOM_CACHE_DIR", str(tmp_path / "file" / "cache"))
    assert_made_again(compiled)


@pytest.mark.parametrize("chosen", ["", "~nobody-has-this-name/cache"])
def test_a_user_without_a_home_only_costs_time(monkeypatch, compiled, chosen):
    def unknown():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setenv("LISSOM_CACHE_DIR", chosen)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", unknown)
    assert_made_again(compiled)
    assert_made_again(compiled, 2)
    assert (cache.info(), cache.clear()) == ((0, 0), 0)
    with pytest.raises(LissomError, match="not kept .*home directory.*set LISSOM_CACHE_DIR"):
        cache.folder()


def test_a_full_disk_only_costs_time(folder, compiled, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert_made_again(compiled)
    assert not list(folder.glob("*.part"))


@pytest.mark.slow
def test_processes_at_once_share_one_empty_cache(folder):
    text = (
        "import numpy as np; from lissom import robots; r = robots.puma560();"
        "x = np.linspace(-1, 1, 54).reshape(3, 3, 6); print(repr(r.inverse_dynamics(*x).tolist()))"
    )
    source = str(Path(__file__).parent.parent.parent / "src")
    environment = {**os.environ, "PYTHONPATH": source}
    running = [
        subprocess.Popen([sys.executable, "-c", text], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(5)
    ]
    said = [p.communicate(timeout=120) for p in running]
    assert [p.returncode for p in running] == [0] * 5, said
    assert len({out for out, _ in said}) == 1
    assert not list(folder.glob("*.part"))
    for path in folder.glob("*.code"):
        assert cache.read(path.name) is not None


def test_entries_can_be_counted_and_cleared(entry, folder, compiled):
    assert cache.info() == (1, entry.stat().st_size)
    assert cache.clear() == 1
    assert cache.info() == (0, 0)
    assert cache.clear() == 0
    assert (folder / "key").exists()
    assert_made_again(compiled)


def test_no_folder_is_an_empty_cache(folder):
    assert cache.info() == (0, 0)
    assert cache.clear() == 0
    assert cache.read("anything.code") is None
    assert not folder.exists()


def test_clearing_leaves_other_files_alone(entry, folder):
    others = [folder / name for name in ("notes.txt", "my.code", "f" * 63 + ".code", "F" * 64 + ".code", "f" * 64 + ".code~")]
    for path in others:
        path.write_text("mine")
    assert cache.info() == (1, entry.stat().st_size)
    assert cache.clear() == 1
    assert [path.read_text() for path in others] == ["mine"] * 5


def test_the_oldest_entries_go_where_all_are_too_large(folder, monkeypatch):
    monkeypatch.setattr(cache, "MAX_BYTES", 3500)
    names = [cache.entry_name(str(k)) for k in range(5)]
    for age, name in enumerate(names[:4]):
        cache.write(name, bytes(1000))
        if age == 0:
            (folder / "my.code").write_bytes(bytes(5000))
        if (folder / name).exists():
            os.utime(folder / name, (1e9 - age, 1e9 - age))  # the first written is the youngest
    kept = {path.name for path in folder.glob("*.code")}
    assert kept == {names[0], names[1], names[3], "my.code"}
    monkeypatch.setattr(cache, "MAX_BYTES", 500)
    cache.write(names[4], bytes(1000))
    assert {path.name for path in folder.glob("*.code")} == {names[4], "my.code"}  # what was just made stays


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {"XDG_CACHE_HOME": "/x"}, "/x/lissom"),
        ("linux", {"HOME": "/home/me"}, "/home/me/.cache/lissom"),
        ("darwin", {"HOME": "/Users/me"}, "/Users/me/Library/Caches/lissom"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/lissom/cache"),
        ("win32", {"HOME": "/u"}, "/u/AppData/Local/lissom/cache"),
        ("linux", {"LISSOM_CACHE_DIR": "~/here", "HOME": "/home/me"}, "/home/me/here"),
    ],
)
def test_the_folder_is_where_the_system_keeps_caches(monkeypatch, platform, variables, expected):
    for name in ("LISSOM_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    assert str(cache.folder()) == expected


def test_the_name_of_an_entry_depends_on_every_part():
    names = {cache.entry_name(*parts) for parts in (("a", "b"), ("a", "c"), ("ab",), ("a", "b", ""), ("b", "a"))}
    assert len(names) == 5


@pytest.mark.slow
def test_code_for_other_features_has_another_entry(entry, folder, python):
    text = "from lissom.robots import *; import lissom, numpy as np\n"
    text += f"lissom.Robot.joint_wrenches(planar_two_link(), *np.ones({STATE.shape}), axes='world')"
    python(text)
    there = set(folder.glob("*.code"))
    assert entry in there
    python(text)
    assert set(folder.glob("*.code")) == there
    python(text, LISSOM_CPU_FEATURES="-avx512f,-avx512vl,-avx2")
    assert len(set(folder.glob("*.code")) - there) == len(there)


def left_by_a_killed_process(folder, age=0.0):
    """Kill a process while it writes an entry, and return the file that it leaves."""
    text = "import os, signal, lissom.compiler.cache as c; os.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL); "
    text += "c.write(c.entry_name('x'), bytes(100))"
    done = subprocess.run([sys.executable, "-c", text], check=False, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    assert done.returncode == -9
    (path,) = [p for p in folder.iterdir() if p.name != "key"]
    os.utime(path, (path.stat().st_mtime - age,) * 2)
    return path


def test_what_a_killed_process_leaves_is_cleared(folder):
    path = left_by_a_killed_process(folder)
    (folder / "tmpmine").write_text("a file of the user's")
    assert cache.clear() == 0
    assert not path.exists() and (folder / "tmpmine").exists()


@pytest.mark.parametrize("age", [0.0, 7200.0])
def test_what_a_killed_process_left_long_ago_goes_with_the_next_entry(folder, age):
    path = left_by_a_killed_process(folder, age)
    cache.write(cache.entry_name("y"), bytes(10))
    assert path.exists() == (age == 0.0)


def test_the_folder_is_looked_through_once_in_a_hundred_entries(folder, monkeypatch):
    looks = []
    by_age = cache._by_age
    monkeypatch.setattr(cache, "_by_age", lambda: looks.append(1) or by_age())
    for k in range(202):
        cache.write(f"{k:064x}.code", b"code")
    assert len(looks) == 2 and cache.info()[0] == 202  # and info looks, too
    # what other processes wrote in the meantime counts from then on
    monkeypatch.setattr(cache, "MAX_BYTES", 10 * (8 + 32 + 4))
    cache.write("f" * 64 + ".code", b"code")
    assert cache.info()[0] == 10
