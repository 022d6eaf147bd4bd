import os
import stat
import sys
import threading

import pytest

from lissom.errors import FileError
from lissom.files import open_stream, write_whole

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


@posix
def test_a_read_only_file_is_refused(tmp_path):
    (tmp_path / "a").write_bytes(b"old")
    (tmp_path / "a").chmod(0o444)
    with pytest.raises(FileError, match="a: cannot be written: it is read-only, or belongs to somebody else"):
        write_whole(tmp_path / "a", b"new")
    assert (tmp_path / "a").read_bytes() == b"old"


@posix
@pytest.mark.parametrize("content", [b"new", b"new and much longer than before" * 1000])
def test_in_a_folder_that_cannot_be_written_a_file_is_written_over(tmp_path, monkeypatch, content):
    (tmp_path / "a").write_bytes(b"something older")
    inode, allowed = (tmp_path / "a").stat().st_ino, os.access
    monkeypatch.setattr(os, "access", lambda path, mode: str(path) != str(tmp_path) and allowed(path, mode))
    write_whole(tmp_path / "a", content)
    assert (tmp_path / "a").read_bytes() == content and (tmp_path / "a").stat().st_ino == inode


@pytest.mark.skipif(not hasattr(os, "posix_fallocate"), reason="room is asked for beforehand")
def test_a_full_disk_leaves_a_file_that_would_be_written_over(tmp_path, monkeypatch):
    def full(handle, start, size):
        os.ftruncate(handle, start + size // 2)
        raise OSError(28, "No space left on device")

    (tmp_path / "a").write_bytes(b"old")
    monkeypatch.setattr(os, "posix_fallocate", full)
    monkeypatch.setattr(os, "access", lambda path, mode: str(path) != str(tmp_path))
    with pytest.raises(FileError, match="a: cannot be written: No space left on device"):
        write_whole(tmp_path / "a", b"new and longer")
    assert (tmp_path / "a").read_bytes() == b"old"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root may give files away")
def test_a_file_keeps_its_owner(tmp_path):
    (tmp_path / "a").write_bytes(b"old")
    os.chown(tmp_path / "a", 12345, 12345)
    write_whole(tmp_path / "a", b"new")
    assert (tmp_path / "a").read_bytes() == b"new" and (tmp_path / "a").stat().st_uid == 12345


@posix
@pytest.mark.parametrize("name", ["/dev/fd/{}", "/proc/self/fd/{}", "link"])
def test_an_open_stream_is_written_into_at_its_place(tmp_path, name):
    if name.startswith("/proc") and not os.path.exists("/proc/self/fd"):
        pytest.skip("no /proc")
    with open(tmp_path / "log", "wb", buffering=0) as log:
        log.write(b"first, ")
        path = name.format(log.fileno())
        if name == "link":
            path = tmp_path / "link"
            path.symlink_to(f"/dev/fd/{log.fileno()}")
        assert open_stream(path) == log.fileno()
        write_whole(path, b"second, ")
        log.write(b"third")
    assert (tmp_path / "log").read_bytes() == b"first, second, third"


@posix
def test_other_paths_are_no_streams(tmp_path):
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for path in (tmp_path / "1", tmp_path / "loop", "/dev/null", "/proc/1/fd/1", "/dev/fd/x", "1"):
        assert open_stream(path) is None


@posix
def test_a_closed_stream_is_an_error():
    with pytest.raises(FileError, match="cannot be written: Bad file descriptor"):
        write_whole("/dev/fd/987", b"new")


def test_a_long_name_in_many_bytes_is_written(tmp_path):
    # as bytes, where names of files are not UTF-8, which cannot say the letters
    name = os.fsdecode(("\u00e4" * 120).encode())
    write_whole(tmp_path / name, b"new")
    assert (tmp_path / name).read_bytes() == b"new"


@posix
def test_rights_of_a_new_file_are_set_without_changing_those_of_other_threads(tmp_path, monkeypatch):
    before = os.umask(0o027)
    try:
        with monkeypatch.context() as patch:
            # two threads that ask for it at once would leave the process with the rights of nobody taken away
            patch.setattr(os, "umask", lambda mask: pytest.fail("the mask is one of the whole process"))
            write_whole(tmp_path / "a", b"new")
        assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o640
    finally:
        os.umask(before)
