"""C in single precision on a microcontroller: an emulated Cortex-M4 computes the stored states."""

import importlib.util
from pathlib import Path

import pytest

import lissom
from support.c_compiler import worst

_FILE = Path(__file__).parents[3] / "benchmarks" / "cortex_m4.py"
_SPEC = importlib.util.spec_from_file_location("cortex_m4", _FILE)
cortex_m4 = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(cortex_m4)

pytestmark = pytest.mark.skipif(bool(cortex_m4.missing()), reason=f"not installed: {', '.join(cortex_m4.missing())}")


@pytest.mark.parametrize("name", ["robots:panda", "robots:hua_arm", "robots:five_bar"])
def test_a_microcontroller_computes_the_stored_states(tmp_path, name):
    lissom.load(name).export(["inverse_dynamics", "forward_dynamics"], tmp_path, precision="single", name="robot")
    printed = cortex_m4.run_on_m4(tmp_path, ["robot.c", "test_robot.c"])
    assert printed.rstrip().endswith("passed")
    assert worst(printed) < 1e-5


def test_code_takes_no_more_memory_than_a_small_controller_has(tmp_path):
    robot = lissom.robots.panda()
    robot.export("inverse_dynamics", tmp_path, precision="single", name="robot")
    code, stack, instructions = cortex_m4.footprint(tmp_path, robot.nv)
    assert 1000 < code < 12000 and 0 < stack < 2000 and 300 < instructions < 3000
