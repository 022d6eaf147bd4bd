"""Motions that muscles make, beside OpenSim Moco: a leg of 9 muscles swings in 0.6 s with the least squared excitations.

The same model for both, written by OpenSim: the right leg of gait10dof18musc on a fixed pelvis, muscles of De Groote and Fregly
with rigid tendons and their activation dynamics. The same ends, number of spans and tolerances of IPOPT, trapezoids. CPU time
of one solve, on one thread, Moco in a process of its own. lissom's first problem of these muscles ("first") includes what is
recorded and compiled of them; a further one has that already. Models that are not in ../shared/reference/osim are left out.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np

import lissom
from lissom.muscles import Muscles, read_muscles

MODEL = Path(__file__).resolve().parents[2] / "shared" / "reference" / "osim" / "gait10dof18musc" / "gait10dof18musc.osim"
DURATION, SPANS, TOLERANCE = 0.6, 25, 1e-4
START = {"hip_flexion_r": -0.2, "knee_angle_r": -0.3, "ankle_angle_r": 0.0}
END = {"hip_flexion_r": 0.5, "knee_angle_r": -0.8, "ankle_angle_r": 0.0}
LEAST, FIRST = 0.01, 0.05  # activations


def main() -> None:
    if not MODEL.exists():
        print(f"{MODEL.name} is not there: nothing to compare with")
        return
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder) / "leg.osim"
        command = [sys.executable, "-m", "benchmarks.moco", str(model)]
        done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).resolve().parents[1])
        if done.returncode:
            print(f"OpenSim Moco does not run here: {(done.stderr.strip().splitlines() or ['no message'])[-1]}")
            return
        moco = json.loads(done.stdout.strip().splitlines()[-1])
        muscles = read_muscles(model)
        cold, own = _lissom(muscles), _lissom(muscles)
    print(f"{'':8}{'CPU':>10}{'iterations':>12}{'objective':>11}")
    print(f"{'Moco':8}{moco['seconds']:8.2f} s{moco['iterations']:12}{moco['objective']:11.5f}")
    for name, found in (("first", cold), ("further", own)):
        print(f"{name:8}{found['seconds']:8.2f} s{found['iterations']:12}{found['objective']:11.5f}")
    print(f"{moco['seconds'] / own['seconds']:.0f} times faster, at first {moco['seconds'] / cold['seconds']:.0f} times")
    print(f"objective over Moco's: {own['objective'] / moco['objective']:.4f}")


def _lissom(muscles: Muscles) -> dict[str, float]:
    began = time.process_time()
    names = [joint.name for joint in muscles.robot.model.independent_joints]
    problem = lissom.MotionProblem(muscles.robot, control_points=SPANS + 3, duration=DURATION, points_per_span=2)
    problem.start([START[name] for name in names]).end([END[name] for name in names]).drive_by(muscles, least=LEAST)
    problem.limit("activation", FIRST, FIRST, at=0.0).minimize("integral", 1.0, "excitation")
    found = problem.solve(tolerance=TOLERANCE, limit_tolerance=None, restart=False)
    spent = time.process_time() - began
    t = np.linspace(0.0, DURATION, SPANS + 1)  # Moco's quadrature
    squares = (found.channel("excitation", t) ** 2).sum(axis=1)
    return {"seconds": spent, "iterations": found.iterations, "objective": float(np.trapezoid(squares, t))}


def _moco(path: str) -> None:
    """Write the model, solve, and print the figures."""
    os.chdir(Path(path).parent)
    import opensim

    opensim.Logger.setLevelString("error")
    leg = opensim.Model(str(MODEL))
    forces = leg.updForceSet()
    for k in reversed(range(forces.getSize())):
        if forces.get(k).getName().endswith("_l"):  # before their joints go, whose coordinates their paths name
            forces.remove(k)
    leg.finalizeConnections()
    leg.printToXML(path)
    processor = opensim.ModelProcessor(path)
    welds = opensim.StdVectorString()
    for joint in ("ground_pelvis", "back", "hip_l", "knee_l", "ankle_l"):
        welds.append(joint)
    for operator in (
        opensim.ModOpReplaceJointsWithWelds(welds),
        opensim.ModOpReplaceMusclesWithDeGrooteFregly2016(),
        opensim.ModOpIgnoreTendonCompliance(),
    ):
        processor.append(operator)
    processor.process().printToXML(path)
    study = opensim.MocoStudy()
    problem = study.updProblem()
    problem.setModelProcessor(opensim.ModelProcessor(path))
    problem.setTimeBounds(0.0, DURATION)
    for name, start in START.items():
        joint = name.split("_")[0]
        problem.setStateInfo(f"/jointset/{joint}_r/{name}/value", [-2.0, 2.0], start, END[name])
    problem.setStateInfoPattern("/jointset/.*/speed", [-30.0, 30.0], 0.0, 0.0)
    problem.setStateInfoPattern("/forceset/.*/activation", [LEAST, 1.0], FIRST)
    problem.setControlInfoPattern("/forceset/.*", [0.0, 1.0])
    problem.addGoal(opensim.MocoControlGoal("effort", 1.0))
    solver = study.initCasADiSolver()
    solver.set_num_mesh_intervals(SPANS)
    solver.set_transcription_scheme("trapezoidal")
    solver.set_optim_convergence_tolerance(TOLERANCE)
    solver.set_optim_constraint_tolerance(TOLERANCE)
    solver.set_parallel(0)
    solver.set_verbosity(0)
    began = time.process_time()
    solution = study.solve()
    spent = time.process_time() - began
    if not solution.success():
        raise SystemExit(f"Moco did not succeed: {solution.getStatus()}")
    print()
    print(json.dumps({"seconds": spent, "iterations": solution.getNumIterations(), "objective": solution.getObjective()}))


if __name__ == "__main__":
    _moco(sys.argv[1])
