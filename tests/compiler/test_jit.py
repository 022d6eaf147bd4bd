"""The compiler under llvmlite: features, failures, and life without it."""

import ctypes
import sys

import numpy as np
import pytest

from lissom import CompilerError
from lissom.compiler import jit

WIDTH = "from lissom.compiler import jit; print(jit.vector_width())"
TORQUES = """
import numpy as np
from lissom import Robot
from lissom.robots import tree_model
model = tree_model(5, seed=3, floating=True)
x = np.random.default_rng(1)
q, qd, qdd = x.normal(size=(21, model.nq)), x.normal(size=(21, model.nv)), x.normal(size=(21, model.nv))
a, b = (Robot(model, backend=backend).inverse_dynamics(q, qd, qdd) for backend in ("llvm", "numpy"))
print(abs(a - b).max() / abs(b).max())
"""


def host_has(feature):
    return f"+{feature}" in jit.host()[2].split(",")


@pytest.mark.sweep(1)
@pytest.mark.parametrize(
    ("needs", "features", "width"),
    [
        ("avx512f", "", 8),
        ("avx512f", "-avx512f,-avx512vl", 4),
        ("avx512f", "-avx512vl", 4),
        ("avx2", "-avx512f,-avx512vl,-avx2", 2),
        ("avx2", "-avx512f,-avx512vl", 4),
        ("avx2", "-avx512f,-avx512vl,-avx2,-fma,-avx", 2),
    ],
)
def test_features_of_the_machine_set_the_width(python, needs, features, width):
    if not host_has(needs):
        pytest.skip(f"this machine has no {needs}")
    assert int(python(WIDTH, LISSOM_CPU_FEATURES=features)) == width
    assert float(python(TORQUES, LISSOM_CPU_FEATURES=features)) < 1e-12


def test_environment_does_not_choose_a_backend(python):
    text = "from lissom import robots; print(robots.rr().backend)"
    assert python(text, LISSOM_BACKEND="numpy") == "llvm"


def test_bad_ir_is_a_compiler_error():
    with pytest.raises(CompilerError, match="LLVM rejects the generated program"):
        jit.compile_object("define i64 @one( {")


def test_bad_object_files_are_compiler_errors():
    with pytest.raises(CompilerError, match="LLVM cannot load an object file"):
        jit.Loaded(b"this is no object file")
    with pytest.raises(CompilerError, match="LLVM cannot load an object file"):
        jit.Loaded(b"")


def test_a_function_that_is_not_there_is_a_compiler_error():
    code = jit.compile_object("define i64 @one() {\n ret i64 7\n}\n")
    loaded = jit.Loaded(code, "one")
    assert ctypes.CFUNCTYPE(ctypes.c_int64)(loaded.address("one"))() == 7
    with pytest.raises(CompilerError, match="no function 'two' was loaded"):
        loaded.address("two")
    with pytest.raises(CompilerError, match="LLVM cannot load an object file with two: Symbols not found"):
        jit.Loaded(code, "two")


def test_functions_at_given_addresses_can_be_called():
    code = jit.compile_object("declare i64 @given()\ndefine i64 @one() {\n %x = call i64 @given()\n ret i64 %x\n}\n")
    given = ctypes.CFUNCTYPE(ctypes.c_int64)(lambda: 11)
    loaded = jit.Loaded(code, "one", symbols={"given": ctypes.cast(given, ctypes.c_void_p).value})
    assert ctypes.CFUNCTYPE(ctypes.c_int64)(loaded.address("one"))() == 11
    with pytest.raises(CompilerError, match="LLVM cannot load an object file with one: .*Failed to materialize"):
        jit.Loaded(code, "one")


def test_the_older_linker_of_other_systems_works_too():
    code = jit.compile_object("define i64 @one() {\n ret i64 7\n}\n")
    engine, found = jit._load_apart(code, ["one"], {})
    assert ctypes.CFUNCTYPE(ctypes.c_int64)(found["one"])() == 7
    engine.close()
    with pytest.raises(RuntimeError, match="Symbols not found: two"):
        jit._load_apart(code, ["two"], {})


@pytest.mark.skipif(sys.platform != "linux", reason="maps of memory are read as Linux writes them")
def test_code_and_constants_lie_together_where_memory_is_scattered(python):
    # 6 GB of addresses are taken, but for one hole of some pages: code that lay in it could not reach constants elsewhere
    text = """if True:
        import ctypes
        import numpy as np
        import lissom
        lissom.robots.rr().inverse_dynamics([0.0, 0.0], [0.0, 0.0], [0.0, 0.0])
        robot = lissom.robots.panda()
        libc = ctypes.CDLL(None, use_errno=True)
        libc.mmap.restype = ctypes.c_void_p
        libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
        libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
        private, there, size, page = 0x4022, 0x100000, 6 << 30, 4096  # MAP_NORESERVE | ANONYMOUS | PRIVATE, FIXED_NOREPLACE
        base = libc.mmap(None, size, 0, private, -1, 0)
        lines = open("/proc/self/maps").read().split("\\n")[:-1]
        spans = [[int(x, 16) for x in line.split()[0].split("-")] for line in lines]
        for (_, end), (start, _), line in zip(spans, spans[1:], lines[1:]):
            if base < end < start and "[stack]" not in line:  # which may grow
                libc.mmap(end, start - end, 0, private | there, -1, 0)
        libc.munmap(base + size - (1 << 30), PAGES * page)
        q = np.zeros((100, 7))
        print(robot.inverse_dynamics(q, q, q).shape, robot.mass_matrix(q[0]).shape)
    """
    for pages in (1, 6):
        assert python(text.replace("PAGES", str(pages))) == "(100, 7) (7, 7)"


def test_assembly_can_be_read():
    assert "one" in jit.assembly("define i64 @one() {\n ret i64 7\n}\n")


BROKEN = """
import warnings
import numpy as np
import lissom
from lissom.robots import planar_two_link_model, planar_two_link_closed_form
state = np.ones((3, 4, 2))
quiet = lissom.Robot(planar_two_link_model(), backend="numpy")
with warnings.catch_warnings():
    warnings.simplefilter("error")
    assert np.allclose(quiet.inverse_dynamics(*state), planar_two_link_closed_form(*state))
    assert quiet.operation_count("inverse_dynamics").trigonometric
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    robot = lissom.Robot(planar_two_link_model())
    assert np.allclose(robot.inverse_dynamics(*state), planar_two_link_closed_form(*state))
    robot.inverse_dynamics(*state)
assert robot.backend.name == "numpy"
assert len(said) == 1, said
print(said[0].category.__name__, said[0].message)
try:
    lissom.Robot(planar_two_link_model(), backend="llvm").inverse_dynamics(*state)
except lissom.CompilerError as error:
    print(error)
"""


@pytest.mark.sweep(1)
@pytest.mark.parametrize("fault", ["raise ImportError('no llvmlite today')", "raise OSError('libllvm.so: wrong ELF class')"])
def test_without_a_compiler_numpy_serves_with_a_warning(python, tmp_path, fault):
    (tmp_path / "llvmlite").mkdir()
    (tmp_path / "llvmlite" / "__init__.py").write_text(fault)
    warned, refused = python(BROKEN, PYTHONPATH=str(tmp_path)).splitlines()
    assert warned.startswith("RuntimeWarning llvmlite does not work here (")
    assert "computing with NumPy instead: the same results, but slower" in warned
    assert refused.startswith("llvmlite does not work here (")


def test_importing_lissom_leaves_the_compiler_asleep(python):
    text = "import sys, lissom; print([m for m in ('llvmlite', 'matplotlib', 'mujoco', 'scipy', 'casadi') if m in sys.modules])"
    assert python(text) == "[]"


def test_programs_are_dumped_where_asked(tmp_path, monkeypatch):
    from lissom.robots import planar_two_link

    monkeypatch.setenv("LISSOM_DUMP", str(tmp_path / "a" / "dump"))
    monkeypatch.setenv("LISSOM_CACHE_DIR", str(tmp_path / "cache"))
    for _ in range(2):  # also when the code comes from the cache
        planar_two_link().inverse_dynamics(*np.zeros((3, 2)))
        planar_two_link().joint_wrenches(*np.zeros((3, 4, 2)))
        names = sorted(p.name for p in (tmp_path / "a" / "dump").iterdir())
        stems = ["planar_two_link-inverse_dynamics-x1", f"planar_two_link-joint_wrenches_joint_-x{jit.vector_width()}"]
        assert names == [f"{stem}.{end}" for stem in stems for end in ("ll", "s", "txt")]
        assert "define i64 @one" in (tmp_path / "a" / "dump" / names[0]).read_text()
        assert "v0 = " in (tmp_path / "a" / "dump" / names[2]).read_text()
        for name in names:
            (tmp_path / "a" / "dump" / name).unlink()


def test_a_robot_whose_name_is_a_path_is_dumped_inside_the_folder(tmp_path, monkeypatch):
    from lissom import Robot
    from lissom.robots import planar_two_link_model

    monkeypatch.setenv("LISSOM_DUMP", str(tmp_path / "dump"))
    monkeypatch.setenv("LISSOM_CACHE_DIR", str(tmp_path / "cache"))
    Robot(planar_two_link_model().replace(name="../../../etc/" + "x" * 500)).gravity_torques([0.0, 0.0])
    assert len(list((tmp_path / "dump").iterdir())) == 3
    assert sorted(p.name for p in tmp_path.iterdir()) == ["cache", "dump"]


def test_features_without_a_sign_are_refused(python):
    done = python("from lissom.compiler import jit; jit.host()", check=False, LISSOM_CPU_FEATURES="garbage")
    assert "CompilerError: LISSOM_CPU_FEATURES='garbage': features need a sign, like '-avx512f,+fma'" in done.stderr


@pytest.mark.sweep(2)
@pytest.mark.parametrize(
    ("features", "message"),
    [
        ("+nosuch", "unknown feature 'nosuch' of this processor"),
        ("-avx51f", "did you mean 'avx512f'"),
        ("-fma,+soft-float", "unknown feature 'soft-float'"),
        ("-sse2", "no code can be made without 'sse2'"),
        ("-64bit", "no code can be made without '64bit'"),
        ("+sse4a", "this processor has no 'sse4a'"),
    ],
)
def test_features_that_would_end_the_process_are_refused(python, features, message):
    if "sse2" not in jit.host()[2]:
        pytest.skip("features of x86")
    if host_has("sse4a") and features == "+sse4a":
        pytest.skip("this machine has sse4a")
    text = "import lissom; print(lissom.robots.rr().gravity_torques([0.0, 0.0]))"
    done = python(text, check=False, LISSOM_CPU_FEATURES=features)
    assert done.returncode == 1  # an error of Python, not a signal
    assert f"CompilerError: LISSOM_CPU_FEATURES={features!r}: " in done.stderr and message in done.stderr


def test_tuning_is_no_feature_of_the_processor_and_may_be_chosen(python):
    text = "import lissom; print(lissom.robots.rr().gravity_torques([0.0, 0.0]).size)"
    assert python(text, LISSOM_CPU_FEATURES="+prefer-256-bit,") == "2"
