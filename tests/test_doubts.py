"""Doubts about models: a warning, or collected by whoever reads, in each thread and task on its own."""

import asyncio
import threading
import warnings

import pytest

import lissom
from lissom import ModelWarning
from lissom.doubts import collected_doubts, doubt, known_doubts

URDF = """<robot name="r"><link name="base"/><link name="arm"><inertial><mass value="1"/>
<inertia ixx="{x}" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j" type="continuous"><parent link="base"/><child link="arm"/></joint></robot>"""


def test_a_doubt_is_a_warning_at_the_line_of_the_caller():
    with pytest.warns(ModelWarning, match="^odd$") as caught:
        doubt("odd", stacklevel=1)
    assert caught[0].filename == __file__


def test_collected_doubts_are_no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with collected_doubts() as found:
            doubt("one")
            with known_doubts():
                doubt("two")
            doubt("three")
    assert found == ["one", "three"]


def test_tasks_of_asyncio_collect_each_their_own():
    async def read(name):
        with collected_doubts() as found:
            for k in range(3):
                doubt(f"{name}{k}")
                await asyncio.sleep(0)
        return found

    async def both():
        return await asyncio.gather(read("a"), read("b"))

    assert asyncio.run(both()) == [["a0", "a1", "a2"], ["b0", "b1", "b2"]]


def test_eight_threads_refuse_all_doubtful_files_and_only_those(tmp_path):
    for name, x in (("good", 0.1), ("doubtful", 9.0)):
        (tmp_path / f"{name}.urdf").write_text(URDF.format(x=x))
    refused = []

    def work(k):
        for i in range(100):
            name = ("good", "doubtful")[(i + k) % 2]
            try:
                lissom.load(tmp_path / f"{name}.urdf", strict=True)
            except lissom.ModelError:
                refused.append(name)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (refused.count("doubtful"), refused.count("good")) == (400, 0)


def test_reading_in_threads_leaves_the_filters_of_warnings_alone(tmp_path):
    (tmp_path / "doubtful.urdf").write_text(URDF.format(x=9.0))
    before = list(warnings.filters)

    def work():
        for _ in range(30):
            with pytest.raises(lissom.ModelError, match="strict=True rejects 1 doubtful part"):
                lissom.load(tmp_path / "doubtful.urdf", strict=True)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert list(warnings.filters) == before
