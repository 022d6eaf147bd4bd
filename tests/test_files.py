import os
import stat
import sys
import threading

import pytest

from lissom.errors import FileError
from lissom.files import write_whole

posix = pytest.mark.skipif(sys.platform == "win32", reason="links, pipes and permissions as POSIX has them")


@pytest.mark.parametrize("content", [b"new", lambda file: file.write(b"new")])
def test_a_file_is_written_and_nothing_is_left_beside_it(tmp_path, content):
    (tmp_path / "a").write_bytes(b"something older and longer")
    assert write_whole(tmp_path / "a", content) == tmp_path / "a"
    assert [(p.name, p.read_bytes()) for p in tmp_path.iterdir()] == [("a", b"new")]


def test_a_failure_leaves_the_older_file(tmp_path):
    def fails(file):
        file.write(b"half")
        raise OSError(28, "No space left on device")

    (tmp_path / "a").write_bytes(b"old")
    with pytest.raises(FileError, match="a: cannot be written: No space left on device"):
        write_whole(tmp_path / "a", fails)
    assert [(p.name, p.read_bytes()) for p in tmp_path.iterdir()] == [("a", b"old")]


@posix
@pytest.mark.parametrize("exists", [True, False])
def test_a_link_is_followed(tmp_path, exists):
    (tmp_path / "there").mkdir()
    target, link = tmp_path / "there" / "a", tmp_path / "link"
    link.symlink_to(target)
    if exists:
        target.write_bytes(b"old")
    write_whole(link, b"new")
    assert link.is_symlink() and target.read_bytes() == b"new"


@posix
def test_permissions_are_kept(tmp_path):
    (tmp_path / "a").touch()
    (tmp_path / "a").chmod(0o640)
    write_whole(tmp_path / "a", b"new")
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o640


@posix
def test_a_pipe_is_written_into(tmp_path):
    pipe, got = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    write_whole(pipe, lambda file: file.write(b"x" * 300_000))
    reader.join()
    assert got == [b"x" * 300_000] and stat.S_ISFIFO(pipe.stat().st_mode)


@posix
def test_a_device_is_written_into():
    write_whole("/dev/null", b"new")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


@pytest.mark.parametrize("path", [".", "", "/", ".."])
def test_a_folder_is_refused(tmp_path, monkeypatch, path):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FileError, match="is a folder; give the name of a file to write"):
        write_whole(path, b"new", folders=True)


def test_folders_are_made_only_when_asked(tmp_path):
    with pytest.raises(FileError, match="cannot be written: No such file"):
        write_whole(tmp_path / "new" / "a", b"new")
    write_whole(tmp_path / "new" / "a", b"new", folders=True)
    assert (tmp_path / "new" / "a").read_bytes() == b"new"
