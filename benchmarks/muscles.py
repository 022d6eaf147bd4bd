"""Muscles beside OpenSim: lengths and moment arms of random postures, and static optimization of a walking trial.

CPU time per posture and per frame, on one thread. OpenSim: the model realized at the posture, then all lengths and all moment
arms about the coordinates; equilibrateMuscles, with the median of differences of fibers; static optimization by AnalyzeTool, its
loading of files included, with its activations and reserves as the torques that lissom has to make. Published models and the
trial lie in ../shared/reference/osim; what is not there is left out.
"""

import os
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np

import lissom
from lissom.muscles import read_muscles, static_optimization

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "reference" / "osim"
MODELS = ("arm26.osim", "leg6dof9musc.osim", "gait10dof18musc/gait10dof18musc.osim")
TRIAL = FOLDER / "gait10dof18musc"
POSTURES = 4096


def main() -> None:
    try:
        import opensim
    except ImportError:
        print("opensim is not installed: nothing to compare with")
        return
    opensim.Logger.setLevelString("error")
    warnings.simplefilter("ignore")
    lissom.set_threads(1)
    print(f"{'model':22}{'muscles':>8}{'OpenSim':>14}{'lissom':>12}{'ratio':>9}{'lengths':>12}{'arms':>12}")
    for name in MODELS:
        if (FOLDER / name).exists():
            print(_paths(opensim, FOLDER / name))
    print(f"{'elastic tendons':22}{'muscles':>8}{'OpenSim':>14}{'lissom':>12}{'ratio':>9}{'fibers':>12}")
    for name in MODELS:
        if (FOLDER / name).exists():
            print(_balance(opensim, FOLDER / name))
    if TRIAL.exists():
        print(_trial())


def _paths(opensim, path) -> str:
    muscles = read_muscles(path)
    joints = [joint.name for joint in muscles.robot.model.independent_joints]
    model = opensim.Model(str(path))
    state = model.initSystem()
    coordinates = [model.getCoordinateSet().get(name) for name in joints]
    theirs = [model.getMuscles().get(name) for name in muscles.names]
    rng, spent, errors = np.random.default_rng(0), 0.0, []
    for _ in range(40):
        for own in coordinates:
            own.setValue(state, rng.uniform(max(own.getRangeMin(), -0.8), min(own.getRangeMax(), 0.8)), False)
        model.assemble(state)
        q = np.array([own.getValue(state) for own in coordinates])
        start = time.process_time()
        model.realizePosition(state)
        lengths = [muscle.getLength(state) for muscle in theirs]
        arms = [[muscle.computeMomentArm(state, own) for own in coordinates] for muscle in theirs]
        spent += (time.process_time() - start) / 40
        own_lengths, own_arms = muscles.lengths_and_arms(q)
        errors.append((np.abs(own_lengths - lengths).max(), np.abs(own_arms - arms).max()))
    q = np.tile(q, (POSTURES, 1)) + rng.normal(size=(POSTURES, len(q))) * 0.01
    own = _cpu(lambda: muscles.lengths_and_arms(q)) / POSTURES
    worst = np.max(errors, axis=0)
    times = f"{spent * 1e6:11.0f} us{own * 1e6:9.2f} us{spent / own:8.0f}x"
    return f"{path.stem:22}{len(muscles):8}{times}{worst[0]:10.1e} m{worst[1]:10.1e} m"


def _balance(opensim, path) -> str:
    muscles = read_muscles(path)
    model = opensim.Model(str(path))
    state = model.initSystem()
    coordinates = [model.getCoordinateSet().get(joint.name) for joint in muscles.robot.model.independent_joints]
    theirs = [model.getMuscles().get(name) for name in muscles.names]
    rng, spent, errors = np.random.default_rng(0), 0.0, []
    for _ in range(40):
        a = rng.uniform(0.05, 0.9, len(muscles))
        for own in coordinates:
            own.setValue(state, rng.uniform(max(own.getRangeMin(), -0.3), min(own.getRangeMax(), 0.3)), False)
        model.assemble(state)
        for muscle, activation in zip(theirs, a, strict=True):
            muscle.setActivation(state, float(activation))
        model.realizeVelocity(state)
        start = time.process_time()
        model.equilibrateMuscles(state)
        spent += (time.process_time() - start) / 40
        q = np.array([own.getValue(state) for own in coordinates])
        found = muscles.equilibrium(q, a).fiber_lengths
        errors.append(np.abs(found - [muscle.getFiberLength(state) for muscle in theirs]).max())
    q = np.tile(q, (POSTURES, 1)) + rng.normal(size=(POSTURES, len(q))) * 0.01
    a = rng.uniform(0.05, 0.9, (POSTURES, len(muscles)))
    own = _cpu(lambda: muscles.equilibrium(q, a)) / POSTURES
    times = f"{spent * 1e6:11.0f} us{own * 1e6:9.2f} us{spent / own:8.0f}x"
    return f"{path.stem:22}{len(muscles):8}{times}{np.median(errors):10.1e} m"


def _trial() -> str:
    times, spent, own, found, theirs = optimized_trial()
    ratio = found.objective / theirs
    head = f"static optimization, {len(times)} frames: OpenSim {spent * 1e3:.1f} ms, lissom {own * 1e3:.3f} ms a frame, "
    return f"{head}{spent / own:.0f}x; objective {ratio.min():.4f} to {ratio.max():.4f} of OpenSim's"


def optimized_trial():
    """Return times, CPU times of OpenSim and lissom a frame, what lissom found, and OpenSim's objectives, for a walking trial."""
    import opensim

    from lissom.osim import read, read_table
    from lissom.osim.motion import motion_of

    opensim.Logger.setLevelString("error")
    path = TRIAL / "subject01.osim"
    muscles, model = read_muscles(path), read(path)
    names = [joint.name for joint in muscles.robot.model.independent_joints]
    strengths = {name: 1000.0 if name.startswith("pelvis") else 100.0 for name in names}
    with tempfile.TemporaryDirectory() as folder:
        tool = _tool(opensim, path, strengths, folder)
        start = time.process_time()
        tool.run()
        spent = time.process_time() - start
        table = opensim.TimeSeriesTable(os.path.join(folder, "trial_StaticOptimization_activation.sto"))
        times, labels = np.array(table.getIndependentColumn()), list(table.getColumnLabels())
        values = table.getMatrix().to_numpy()
    a, c = (values[:, [labels.index(start + n) for n in chosen]] for start, chosen in (("", muscles.names), ("reserve_", names)))
    motion = motion_of(model, read_table(TRIAL / "subject01_walk_IK.mot"), 6.0)
    columns = [model.names.index(name) for name in names]
    rows = [int(np.abs(motion.times - t).argmin()) for t in times]
    q, qd = motion.q[rows][:, columns], motion.qd[rows][:, columns]
    full = muscles.analysis(q, qd, np.ones_like(a))
    tau = muscles.torques(q, a * full.active / full.cosines) + c * np.array(list(strengths.values()))
    found = static_optimization(muscles, q, qd, tau, strengths, along="fiber")
    own = _cpu(lambda: static_optimization(muscles, q, qd, tau, strengths, along="fiber")) / len(q)
    return times, spent / len(q), own, found, np.sum(a * a, axis=1) + np.sum(c * c, axis=1)


def _tool(opensim, path, strengths, folder):
    model = opensim.Model(str(path))
    for name, strength in strengths.items():
        actuator = opensim.CoordinateActuator(name)
        actuator.setName(f"reserve_{name}")
        actuator.setOptimalForce(strength)
        actuator.setMinControl(-1000)
        actuator.setMaxControl(1000)
        model.addForce(actuator)
    model.finalizeConnections()
    file = os.path.join(folder, "model.osim")
    model.printToXML(file)
    analysis = opensim.StaticOptimization()
    analysis.setActivationExponent(2)
    tool = opensim.AnalyzeTool()
    tool.setName("trial")
    tool.setModelFilename(file)
    tool.setCoordinatesFileName(str(TRIAL / "subject01_walk_IK.mot"))
    tool.setExternalLoadsFileName(str(TRIAL / "subject01_walk_grf.xml"))
    tool.setLowpassCutoffFrequency(6)
    for part in (tool, analysis):
        set_start = part.setInitialTime if part is tool else part.setStartTime
        set_end = part.setFinalTime if part is tool else part.setEndTime
        set_start(0.6)
        set_end(1.4)
    tool.setResultsDir(folder)
    tool.setReplaceForceSet(False)
    tool.updAnalysisSet().cloneAndAppend(analysis)
    setup = os.path.join(folder, "setup.xml")
    tool.printToXML(setup)
    return opensim.AnalyzeTool(setup)


def _cpu(call) -> float:
    """Return the least CPU time of three calls, after one that compiles [s]."""
    call()
    times = []
    for _ in range(3):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return min(times)


if __name__ == "__main__":
    main()
