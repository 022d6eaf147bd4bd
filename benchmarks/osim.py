"""OpenSim's steps: inverse dynamics of 1000 frames with ground reactions, inverse kinematics of their markers, beside OpenSim.

A person of ten coordinates walks on the spot: her model is made with OpenSim's interface, her markers by lissom. Times are of one
thread of the processor, each the best of some. Those of OpenSim are of its tools' `run`, with the model read before, and include
the files that the tools read and write; those of lissom are given without files, from tables in memory, and with the same files
read and written. Both filter and fit splines. "reads" is what OpenSim takes to read these tables alone. Forces are measured at
twice the rate of the frames: each frame has a row of them, and lissom fits no spline where it has.
"""

import os
import tempfile
import time
from pathlib import Path

import numpy as np

import lissom
import lissom.osim

FRAMES, RATE = 1000, 100.0
LENGTHS = {"pelvis": 0.1, "thigh": 0.42, "shank": 0.43, "foot": 0.15, "torso": 0.5}
MASSES = {"pelvis": 11.0, "thigh": 9.0, "shank": 3.5, "foot": 1.2, "torso": 34.0}


def main() -> None:
    try:
        import opensim
    except ImportError:
        print("opensim is not installed: pip install opensim==4.6.0")
        return
    opensim.Logger.setLevelString("Off")
    lissom.set_threads(1)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        here = os.getcwd()
        os.chdir(folder)
        try:
            _write(opensim, folder)
            tables = ("walk.mot", "grf.mot")
            _compare(opensim, "inverse dynamics", _their_torques, _our_torques, tables, folder, 1e-6)
            _compare(opensim, "inverse kinematics", _their_fit, _our_fit, ("walk.trc",), folder, 1e-2)
        finally:
            os.chdir(here)


def _compare(opensim, what, theirs, ours, tables, folder, close):
    ours(folder)  # compiles
    slow, fast = _best(lambda: theirs(opensim, folder), 3), _best(lambda: ours(folder), 40)
    error = max(np.abs(fast[1].column(name) - slow[1].column(name)).max() for name in slow[1].names)
    assert error < close * np.abs(slow[1].values).max(), error
    whole = _best(lambda: _with_files(ours, folder), 5)[0]
    kind = {".mot": opensim.Storage, ".trc": opensim.MarkerData}
    reads = sum(_best(lambda name=name: kind[Path(name).suffix](str(folder / name)), 3)[0] for name in tables)
    times = f"OpenSim {1e3 * slow[0]:.1f} ms (reads {1e3 * reads:.1f} ms), "
    times += f"lissom {1e3 * fast[0]:.2f} ms, {slow[0] / fast[0]:.0f} times"
    print(f"{what}, {len(fast[1])} frames: {times}; with files {1e3 * whole:.1f} ms, {slow[0] / whole:.0f} times")
    print(f"    largest difference {error:.1e} of {np.abs(slow[1].values).max():.3g}")


def _with_files(ours, folder):
    start = time.process_time()
    _, found = ours(folder)
    lissom.osim.write_table(found, folder / "ours.sto")
    return time.process_time() - start, found


def _best(call, times):
    found = []
    for _ in range(times):
        start = time.process_time()
        table = call()
        found.append(time.process_time() - start if not isinstance(table, tuple) else table[0])
    return min(found), table[1] if isinstance(table, tuple) else table


def _their_torques(opensim, folder):
    tool = opensim.InverseDynamicsTool()
    model = opensim.Model(str(folder / "walker.osim"))
    tool.setModel(model)
    tool.setCoordinatesFileName(str(folder / "walk.mot"))
    tool.setExternalLoadsFileName(str(folder / "grf.xml"))
    tool.setLowpassCutoffFrequency(6.0)
    tool.setStartTime(0.0)
    tool.setEndTime((FRAMES - 1) / RATE)
    tool.setResultsDir(str(folder))
    tool.setOutputGenForceFileName("theirs.sto")
    start = time.process_time()
    tool.run()
    return time.process_time() - start, lissom.osim.read_table(folder / "theirs.sto")


def _their_fit(opensim, folder):
    tool = opensim.InverseKinematicsTool(str(folder / "tasks.xml"), False)
    model = opensim.Model(str(folder / "walker.osim"))
    tool.setModel(model)
    tool.setMarkerDataFileName(str(folder / "walk.trc"))
    tool.setStartTime(0.0)
    tool.setEndTime(FRAMES / RATE)
    tool.setResultsDir(str(folder))
    tool.setOutputMotionFileName(str(folder / "theirs.mot"))
    tool.set_report_errors(False)
    start = time.process_time()
    tool.run()
    return time.process_time() - start, lissom.osim.read_table(folder / "theirs.mot")


KEPT = {}


def _our_torques(folder):
    model = KEPT.setdefault("model", lissom.osim.read(folder / "walker.osim"))
    motion, loads = lissom.osim.read_table(folder / "walk.mot"), lissom.osim.read_loads(folder / "grf.xml")
    start = time.process_time()
    found = lissom.osim.inverse_dynamics(model, motion, loads, cutoff=6.0, time=(0.0, (FRAMES - 1) / RATE)).table
    return time.process_time() - start, found


def _our_fit(folder):
    model = KEPT.setdefault("model", lissom.osim.read(folder / "walker.osim"))
    markers, tasks = lissom.osim.read_trc(folder / "walk.trc"), lissom.osim.read_tasks(folder / "tasks.xml")
    start = time.process_time()
    found = lissom.osim.inverse_kinematics(model, markers, tasks).table
    return time.process_time() - start, found


def _write(opensim, folder):
    """Write the model, a motion, forces at the feet and the markers of the motion."""
    o, zero = opensim, opensim.Vec3(0)
    model = o.Model()
    model.setName("walker")
    bodies = {}
    for name in ("pelvis", "torso", *(f"{part}_{side}" for side in "rl" for part in ("thigh", "shank", "foot"))):
        part = name.split("_")[0]
        m, h = MASSES[part], LENGTHS[part]
        up = 1.0 if part == "torso" else -1.0
        I = m * h * h / 12
        bodies[name] = o.Body(name, m, o.Vec3(0, up * h / 2, 0), o.Inertia(I, I / 8, I, 0, 0, 0))
        model.addBody(bodies[name])
    planar = o.PlanarJoint("ground_pelvis", model.getGround(), zero, zero, bodies["pelvis"], zero, zero)
    model.addJoint(planar)
    model.addJoint(o.PinJoint("back", bodies["pelvis"], o.Vec3(0, 0.1, 0), zero, bodies["torso"], zero, zero))
    for side, z in (("r", 0.09), ("l", -0.09)):
        chain = (("pelvis", f"thigh_{side}", o.Vec3(0, -0.05, z)), (f"thigh_{side}", f"shank_{side}", o.Vec3(0, -0.42, 0)))
        for parent, child, place in (*chain, (f"shank_{side}", f"foot_{side}", o.Vec3(0, -0.43, 0))):
            model.addJoint(o.PinJoint(f"to_{child}", bodies[parent], place, zero, bodies[child], zero, zero))
    rng = np.random.default_rng(0)
    for name, body in bodies.items():
        for k in range(4):
            model.addMarker(o.Marker(f"{name}_{k}", body, o.Vec3(*(float(x) for x in rng.uniform(-0.1, 0.1, 3)))))
    model.finalizeConnections()
    model.printToXML(str(folder / "walker.osim"))
    read = lissom.osim.read(folder / "walker.osim")
    t = np.arange(FRAMES) / RATE
    names = read.names
    waves = np.column_stack([0.3 * np.sin(2 * np.pi * (0.9 + 0.02 * k) * t + k) for k in range(len(names))])
    table = lissom.osim.Table(names, t, waves)
    lissom.osim.write_table(table, folder / "walk.mot")
    marks = [marker.name for marker in read.parts.markers]
    places = np.stack([read.robot.link_pose(waves, name)[:, :3, 3] for name in marks], axis=1)
    places += 0.002 * rng.normal(size=places.shape)
    lissom.osim.write_trc(lissom.osim.Markers(tuple(marks), t, places, RATE), folder / "walk.trc", "mm")
    tasks = "".join(f'<IKMarkerTask name="{name}"><apply>true</apply><weight>1</weight></IKMarkerTask>' for name in marks)
    head = '<OpenSimDocument Version="30000">'
    (folder / "tasks.xml").write_text(
        f"{head}<InverseKinematicsTool><IKTaskSet><objects>{tasks}</objects></IKTaskSet></InverseKinematicsTool></OpenSimDocument>"
    )
    columns = [f"{side}_{what}{x}" for side in "rl" for what in ("v", "p", "m") for x in "xyz"]
    at = np.arange(2 * FRAMES + 20) / (2 * RATE)
    forces = np.column_stack([50 * np.sin(2 * at + k) for k in range(len(columns))])
    lissom.osim.write_table(lissom.osim.Table(tuple(columns), at, forces), folder / "grf.mot")
    loads = "".join(
        f'<ExternalForce name="{side}"><applied_to_body>foot_{side}</applied_to_body><force_expressed_in_body>ground'
        "</force_expressed_in_body><point_expressed_in_body>ground</point_expressed_in_body>"
        f"<force_identifier>{side}_v</force_identifier><point_identifier>{side}_p</point_identifier>"
        f"<torque_identifier>{side}_m</torque_identifier></ExternalForce>"
        for side in "rl"
    )
    (folder / "grf.xml").write_text(
        f"{head}<ExternalLoads><objects>{loads}</objects><datafile>grf.mot</datafile></ExternalLoads></OpenSimDocument>"
    )
