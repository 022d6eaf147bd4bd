"""The folder of a study: rows and motions survive crashes, cut lines and full disks, and belong to one study at a time."""

import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from lissom import FileError
from lissom.study.design import name_case
from lissom.study.job import Row
from lissom.study.log import Log, line_of, read_log
from lissom.study.results import load_rows
from lissom.study.store import Store, logs, motion_path, read_all, read_description
from lissom.study.table import read_rows, write_rows

SOURCE = Path(__file__).parents[2] / "src"
CASES = [name_case(k, {"a": float(k), "side": "left"}, 0, "base") for k in range(4)]


def row(case, **changes):
    own = Row(case.id, dict(case.values), case.seed, {"y": case.values["a"] / 3}, True, "done", seconds=0.1, worker="here:1")
    return dataclasses.replace(own, **changes)


def test_rows_come_back_exactly_from_logs_and_tables(tmp_path):
    failed = row(CASES[1], success=False, status="failed", reason='says "no",\nand more', responses={"y": float("nan")})
    with Store(tmp_path / "new" / "deep") as store:
        stored = store.put([(row(CASES[0]), b"a motion"), (failed, b"")])
        assert read_all(store.folder).keys() == {CASES[0].id, CASES[1].id}
        assert motion_path(store.folder, stored[0].motion).read_bytes() == b"a motion"
        store.compact(CASES, ("a", "side"), ("y",))
        assert not logs(store.folder) and (store.folder / "table.parquet").exists()
    with Store(store.folder) as again:
        assert again.rows[CASES[0].id] == stored[0]
        assert str(again.rows[CASES[1].id]) == str(failed)  # nan is not equal to itself


def test_equal_motions_are_one_file(tmp_path):
    with Store(tmp_path) as store:
        one, two = store.put([(row(CASES[0]), b"same"), (row(CASES[1]), b"same")])
        assert one.motion == two.motion and len(list((tmp_path / "motions").rglob("*.npz"))) == 1


def test_a_line_cut_short_is_no_row_and_spoils_no_other(tmp_path):
    lines = [line_of(row(case)) for case in CASES]
    file = tmp_path / "x.rows"
    file.write_bytes(lines[0] + lines[1][:40] + b"\n" + lines[2].replace(b"left", b"lefT") + lines[3] + lines[1][:-1])
    assert [found.id for found in read_log(file)] == [CASES[0].id, CASES[3].id]


def test_the_row_with_more_attempts_counts_and_a_retry_adds_them(tmp_path):
    with Store(tmp_path) as store:
        store.put([(row(CASES[0], success=False, attempts=3), b"")])
        assert store.put([(row(CASES[0]), b"")])[0].attempts == 4
    assert read_all(tmp_path)[CASES[0].id].success


def test_rows_of_other_cases_stay(tmp_path):
    with Store(tmp_path) as store:
        store.put([(row(case), b"") for case in CASES])
        store.compact(CASES[:2], ("a", "side"), ("y",))
        assert len(list(read_rows(tmp_path / "table.parquet"))) == 2
    with Store(tmp_path) as store:
        assert len(store.rows) == 4
        store.compact(CASES, ("a", "side"), ("y",))
        assert len(list(read_rows(tmp_path / "table.parquet"))) == 4 and not logs(tmp_path)


def test_two_studies_in_one_folder_refuse_each_other_until_the_first_ends(tmp_path):
    script = (
        "import sys, time; from pathlib import Path; from lissom.study.store import Store\n"
        "store = Store(Path(sys.argv[1])); print('held', flush=True); time.sleep(600)"
    )
    env = {**os.environ, "PYTHONPATH": str(SOURCE)}
    other = subprocess.Popen([sys.executable, "-c", script, str(tmp_path)], env=env, stdout=subprocess.PIPE)
    try:
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(FileError, match=f"another study is running in this folder \\(process {other.pid} on "):
            Store(tmp_path)
    finally:
        other.kill()
        other.wait()
        other.stdout.close()
    with Store(tmp_path), pytest.raises(FileError, match="another study is running"):
        Store(tmp_path)
    Store(tmp_path).close()


def test_a_folder_of_something_else_is_refused(tmp_path):
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(FileError, match="holds 'thesis.tex', and is not the folder of a study"):
        Store(tmp_path)
    with pytest.raises(FileError, match="is not the folder of a study: it has no study.json"):
        read_description(tmp_path)
    (tmp_path / "study.json").write_text("{}")
    with pytest.raises(FileError, match="is not the folder of a study"):
        load_rows(tmp_path)
    with pytest.raises(FileError, match="is not the folder of a study"):
        load_rows(tmp_path / "none")
    with pytest.raises(FileError, match="cannot be written"):
        Store(tmp_path / "thesis.tex")
    (tmp_path / "thesis.tex").unlink()
    with pytest.raises(FileError, match="holds a study.json that is damaged, or not lissom's"):
        Store(tmp_path)


def test_a_damaged_table_is_named(tmp_path):
    (tmp_path / "table.parquet").write_bytes(b"PAR1 no")
    with pytest.raises(FileError, match="is not a table of a study, or is damaged"):
        read_all(tmp_path)


def test_texts_and_numbers_of_one_parameter_are_texts_in_the_table(tmp_path):
    mixed = [name_case(k, {"a": value}, 0, "base") for k, value in enumerate(("left", 2.0))]
    rows = [Row(case.id, dict(case.values), case.seed, {}, True, "done") for case in mixed]
    write_rows(tmp_path / "t.parquet", rows, {case.id: case.number for case in mixed}, ("a",), ())
    assert [found.values["a"] for found in read_rows(tmp_path / "t.parquet")] == ["left", "2.0"]


def test_a_full_disk_leaves_whole_rows(tmp_path):
    resource = pytest.importorskip("resource")
    del resource
    script = """
import resource, signal, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from test_store import CASES, row
from lissom.study.log import Log, line_of
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
log = Log(Path(sys.argv[1]) / "x.rows")
log.append([row(CASES[0])])
resource.setrlimit(resource.RLIMIT_FSIZE, (log.size + 50, log.size + 50))
try:
    log.append([row(CASES[1])])
except OSError as error:
    print("full", error.errno)
log.append([])
"""
    env = {**os.environ, "PYTHONPATH": str(SOURCE)}
    arguments = [sys.executable, "-c", script, str(tmp_path), str(Path(__file__).parent)]
    done = subprocess.run(arguments, env=env, capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.startswith("full"), done.stderr
    assert (tmp_path / "x.rows").read_bytes() == line_of(row(CASES[0]))


def test_a_log_is_never_written_over(tmp_path):
    (tmp_path / "x.rows").write_bytes(b"")
    with pytest.raises(FileExistsError):
        Log(tmp_path / "x.rows")


def test_rows_are_json_that_other_programs_read():
    head, _, text = line_of(row(CASES[2])).partition(b" ")
    assert len(head) == 8 and json.loads(text)["values"] == {"a": 2.0, "side": "left"}
