"""Languages beside C: exported code is compiled or run where it can be, and agrees with the NumPy text."""

import importlib
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import lissom
from lissom.robots import five_bar, hua_arm, panda, stanford, tree
from support.c_compiler import STRICT, build, run, worst
from support.cuda_on_cpu import on_cpu

_HEADERS = Path("/usr/include/eigen3")
ROBOTS = {
    "elastic": (hua_arm, ["inverse_dynamics", "forward_dynamics", "spring_torques"], {}),
    "stanford": (stanford, ["inverse_dynamics", "kinetic_energy", "state_rates", "inverse_dynamics_regressor"], {}),
    "panda": (panda, ["inverse_dynamics", "jacobian", "link_poses"], {"link": "flange"}),
    "tree": (lambda: tree(7, seed=3), ["inverse_dynamics", "forward_dynamics"], {}),
    "five_bar": (five_bar, ["forward_dynamics", "closure"], {}),
    "g1": (lambda: lissom.load("robots:g1"), ["inverse_dynamics", "mass_matrix"], {}),
}


@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.sweep("elastic")
def test_cpp_agrees_with_the_text_without_warnings(tmp_path: Path, name: str) -> None:
    make, functions, options = ROBOTS[name]
    make().export(functions, tmp_path, language="cpp", name="robot", batch=True, **options)
    assert worst(run(build(tmp_path, ["test_robot.cpp"], ["-std=c++17", "-O1", *STRICT], cpp=True))) < 1e-14


@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.sweep("elastic")
def test_python_agrees_with_the_text_without_lissom(tmp_path: Path, name: str) -> None:
    make, functions, options = ROBOTS[name]
    make().export(functions, tmp_path, language="python", name="robot", **options)
    done = subprocess.run([sys.executable, "-I", "-c", _ALONE], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert worst(done.stdout) < 1e-14


_ALONE = "import sys; sys.path.insert(0, ''); sys.modules['lissom'] = None; exec(open('test_robot.py').read())"


@pytest.mark.parametrize("name", ROBOTS)
@pytest.mark.parametrize("how", [{}, {"precision": "single", "layout": "rows"}])
@pytest.mark.sweep("how0-elastic")
def test_cuda_computed_by_the_processor_agrees_with_the_text(tmp_path: Path, name: str, how: dict[str, str]) -> None:
    make, functions, options = ROBOTS[name]
    make().export(functions, tmp_path, language="cuda", name="robot", **how, **options)
    files = [on_cpu(tmp_path, "test_robot.cu")]
    assert worst(run(build(tmp_path, files, ["-std=c++17", "-O1", "-I."], cpp=True))) < (1e-5 if how else 1e-14)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("nvcc") is None, reason="nvcc is not installed: CUDA C is only compiled for the processor")
@pytest.mark.parametrize("name", ["stanford", "elastic", "five_bar"])
@pytest.mark.parametrize("how", [{}, {"precision": "single", "layout": "rows"}])
def test_nvcc_compiles_cuda_without_warnings(tmp_path: Path, name: str, how: dict[str, str]) -> None:
    make, functions, options = ROBOTS[name]
    make().export(functions, tmp_path, language="cuda", name="robot", **how, **options)
    command = ["nvcc", "-Werror", "all-warnings", "-c", "test_robot.cu", "-o", "test.o"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr[-3000:]


_DUAL = """#include <cmath>
struct Dual {
    double x, d;
    Dual(double value = 0.0, double slope = 0.0) : x(value), d(slope) {}
};
Dual operator-(const Dual &a) { return {-a.x, -a.d}; }
Dual operator+(const Dual &a, const Dual &b) { return {a.x + b.x, a.d + b.d}; }
Dual operator-(const Dual &a, const Dual &b) { return {a.x - b.x, a.d - b.d}; }
Dual operator*(const Dual &a, const Dual &b) { return {a.x*b.x, a.d*b.x + a.x*b.d}; }
Dual operator/(const Dual &a, const Dual &b) { return {a.x/b.x, (a.d - a.x/b.x*b.d)/b.x}; }
bool operator>(const Dual &a, const Dual &b) { return a.x > b.x; }
Dual sin(const Dual &a) { return {std::sin(a.x), a.d*std::cos(a.x)}; }
Dual cos(const Dual &a) { return {std::cos(a.x), -a.d*std::sin(a.x)}; }
#include "robot.hpp"
#include <cstdio>
int main()
{
    for (int k = 0; k < 3; k++) {
        const double q[3] = {0.3, -0.7, 1.1}, qd[3] = {0.4, 0.2, -0.6}, tau[3] = {3.0, -2.0, 1.0};
        Dual q_d[3], qd_d[3], tau_d[3], qdd_d[3];
        std::array<std::complex<double>, 3> q_c, qd_c, tau_c;
        for (int i = 0; i < 3; i++) {
            q_d[i] = Dual(q[i], i == k), qd_d[i] = qd[i], tau_d[i] = tau[i];
            q_c[i] = {q[i], i == k ? 1e-30 : 0.0}, qd_c[i] = qd[i], tau_c[i] = tau[i];
        }
        robot::forward_dynamics(q_d, qd_d, tau_d, qdd_d);
        const auto qdd_c = robot::forward_dynamics(q_c, qd_c, tau_c);
        for (int i = 0; i < 3; i++) std::printf("%.17g %.17g\\n", qdd_d[i].d, qdd_c[i].imag()/1e-30);
    }
}
"""


@pytest.mark.slow
def test_cpp_of_dual_and_complex_numbers_has_the_derivatives(tmp_path: Path) -> None:
    robot = _arm()
    robot.export("forward_dynamics", tmp_path, language="cpp", name="robot")
    (tmp_path / "slopes.cpp").write_text(_DUAL)
    printed = run(build(tmp_path, ["slopes.cpp"], ["-std=c++17", "-O1", *STRICT], cpp=True))
    found = np.array([line.split() for line in printed.splitlines()], dtype=float).reshape(3, 3, 2)
    by_q = robot.forward_dynamics_derivatives([0.3, -0.7, 1.1], [0.4, 0.2, -0.6], [3.0, -2.0, 1.0]).dq
    assert np.allclose(found[..., 0].T, by_q, rtol=1e-12, atol=1e-12)
    assert np.allclose(found[..., 1].T, by_q, rtol=1e-12, atol=1e-12)


def _arm() -> lissom.Robot:
    return lissom.Robot(panda().locked({f"joint_{k}": 0.3 for k in (1, 3, 5, 7)}).model, backend="numpy")


def test_eigen_is_used_only_where_it_is(tmp_path: Path) -> None:
    stanford().export("gravity_torques", tmp_path, language="cpp", name="robot")
    text = (tmp_path / "robot.hpp").read_text()
    assert text.index("__has_include(<Eigen/Core>)") < text.index("#ifdef ROBOT_EIGEN")


_FLOAT = """#include "robot.hpp"
#include <cstdio>
int main()
{
    const float q[6] = {0.1f, -0.4f, 0.5f, 0.7f, -0.2f, 0.3f};
    float tau[6];
    robot::inverse_dynamics(q, q, q, tau);
    for (float x : tau) std::printf("%.9g\\n", (double)x);
}
"""


@pytest.mark.slow
def test_cpp_of_floats_computes_with_floats(tmp_path: Path) -> None:
    robot = stanford()
    robot.export("inverse_dynamics", tmp_path, language="cpp", name="robot")
    (tmp_path / "floats.cpp").write_text(_FLOAT)
    printed = run(build(tmp_path, ["floats.cpp"], ["-std=c++17", "-O1", *STRICT, "-Wdouble-promotion"], cpp=True))
    q = [0.1, -0.4, 0.5, 0.7, -0.2, 0.3]
    expected = robot.inverse_dynamics(q, q, q)
    assert np.abs(np.array(printed.split(), dtype=float) - expected).max() < 1e-5 * np.abs(expected).max()


_EIGEN = """#include "robot.hpp"
#include <cstdio>
int main()
{
    Eigen::Matrix<double, 6, 1> q, still;
    q << 0.1, -0.4, 0.5, 0.7, -0.2, 0.3;
    still.setZero();
    const Eigen::Matrix<double, 6, 6> M = robot::mass_matrix(q);
    std::printf("%.17g %.17g %.17g\\n", M(0, 1), M(1, 2), robot::inverse_dynamics(q, still, still)[1]);
}
"""


@pytest.mark.slow
@pytest.mark.skipif(not _HEADERS.exists(), reason="Eigen is not installed: its vectors and matrices are not compiled")
def test_eigen_has_vectors_and_matrices(tmp_path: Path) -> None:
    robot = stanford()
    robot.export(["inverse_dynamics", "mass_matrix"], tmp_path, language="cpp", name="robot")
    (tmp_path / "eigen.cpp").write_text(_EIGEN)
    printed = run(build(tmp_path, ["eigen.cpp"], ["-std=c++17", "-O1", "-I", str(_HEADERS)], cpp=True))
    q, still = [0.1, -0.4, 0.5, 0.7, -0.2, 0.3], [0.0] * 6
    M = robot.mass_matrix(q)
    assert np.allclose([float(x) for x in printed.split()], [M[0, 1], M[1, 2], robot.gravity_torques(q)[1]], rtol=0, atol=1e-13)
    assert robot.inverse_dynamics(q, still, still)[1] == pytest.approx(robot.gravity_torques(q)[1])


def test_languages_are_listed_with_what_they_offer() -> None:
    for emitter in importlib.import_module("lissom.export").LANGUAGES.values():
        assert isinstance(emitter, lissom.export.Language)
        assert set(emitter.precisions) <= {"double", "single"}
