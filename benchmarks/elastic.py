"""Elastic drives: forward dynamics of links and motors, and simulation with a controller.

"twice the joints": the same arm, rigid, two of them in series. "columns": Hua's Algorithm 2 through lissom's own inverse dynamics
in batches, one call per column of A, and NumPy's solve. MuJoCo: an arm of three joints with springs and armature, by its own RK4.
"""

import dataclasses
import time
import warnings

import numpy as np

import lissom
from lissom import control, robots
from lissom.bench import BATCH, best_times, random_states

SPIN = lissom.Inertia(0.3, (0.0, 0.0, 0.0), ((1e-4, 0.0, 0.0), (0.0, 1e-4, 0.0), (0.0, 0.0, 2e-4)))
ARMS, DURATION, STEP = 1024, 10.0, 1e-3


def main() -> None:
    warnings.simplefilter("ignore", lissom.ModelWarning)  # warnings of the paper's inertias: see the description of the arm
    lissom.set_threads(1)
    panda = robots.panda_model()
    print("forward dynamics, batch of 4096, one thread")
    print("robot                          nv   ns each   operations   twice the joints [ns]   share   columns [ns]   times")
    hua = robots.hua_arm_model()
    bare = hua.replace(motors=())
    _forward("Hua's arm, mixed", hua, in_series(bare))
    for rotor in ("full", "reflected"):
        _forward(f"Panda, all elastic, {rotor}", elastic_panda(panda, rotor), in_series(panda))
    print()
    _closed_loop()
    _stiff()


def elastic_panda(model, rotor):
    """Return the Panda with a motor behind a spring at every joint, each carried by the link before."""
    joints = [joint.name for joint in model.joints if joint.kind.nv]
    spring = lissom.Spring(1e4)
    motors = [lissom.Motor(f"motor_of_{name}", name, None, 100.0, SPIN, spring=spring, rotor=rotor) for name in joints]
    return model.replace(motors=tuple(motors))


def in_series(model):
    """Return two copies of an arm in series, the second on the last link of the first."""
    again = {link.name: f"{link.name}_again" for link in model.links}
    again[model.base] = model.links[-1].name
    links = [dataclasses.replace(link, name=again[link.name]) for link in model.links if link.name != model.base]
    joints = [
        dataclasses.replace(joint, name=f"{joint.name}_again", parent=again[joint.parent], child=again[joint.child])
        for joint in model.joints
    ]
    return model.replace(links=(*model.links, *links), joints=(*model.joints, *joints))


def _forward(name, model, twice):
    robot, double = lissom.Robot(model), lissom.Robot(twice)
    one, two = random_states(robot, BATCH), random_states(double, BATCH)
    weightless = lissom.Robot(without_springs(model).replace(gravity=(0.0, 0.0, 0.0)))
    tau, other = one.qdd, two.qdd
    ours, theirs = np.empty_like(one.qd), np.empty_like(two.qd)
    calls = [
        lambda: robot.forward_dynamics(one.q, one.qd, tau, out=ours),
        lambda: double.forward_dynamics(two.q, two.qd, other, out=theirs),
        lambda: by_columns(robot, weightless, one.q, one.qd, tau),
    ]
    error = np.abs(calls[2]() - calls[0]()).max() / np.abs(ours).max()
    assert error < 1e-6, error
    own, doubled, columns = (1e9 * seconds / BATCH for seconds in best_times(calls))
    count = robot.operation_count("forward_dynamics")
    operations = count.multiplications + count.additions
    print(f"{name:30s} {robot.nv:2d} {own:9.1f} {operations:12d} {doubled:23.1f} {own / doubled:7.2f}", end="")
    print(f" {columns:14.1f} {columns / own:7.1f}")


def without_springs(model):
    """Return the model with nearly zero stiffness of its drives, so that the columns of A are inertia only."""
    still = model.without_friction()
    return still.with_motors(lambda m: dataclasses.replace(m, spring=lissom.Spring(1e-300)) if m.elastic else m)


def by_columns(robot, weightless, q, qd, tau):
    """Return accelerations by Hua's Algorithm 2: A column by column, then a dense solution."""
    nv = robot.nv
    still = np.zeros_like(qd)
    zeta = robot.inverse_dynamics(q, qd, still)
    A = np.empty((*qd.shape, nv))
    for j in range(nv):
        unit = np.zeros_like(qd)
        unit[:, j] = 1.0
        A[..., j] = weightless.inverse_dynamics(q, still, unit)
    return np.linalg.solve(A, (tau - zeta)[..., None])[..., 0]


def _closed_loop():
    robot = robots.hua_arm()
    law = control.MixedControl(robot, control.Sine(0.5, 0.5 * np.pi, n=3), slope=(13, 13, 3.4), damping=(30, 30, 10))
    rng = np.random.default_rng(0)
    q0 = robot.at_rest(np.array([0.0, 0.0, -0.4363]) + 0.1 * rng.standard_normal((ARMS, 3)))
    law.torque(0.0, q0, np.zeros_like(q0))  # compiles
    robot.simulate(q0, np.zeros_like(q0), STEP, law, method="rk4", dt=STEP)
    start = time.perf_counter()
    found = robot.simulate(q0, np.zeros_like(q0), DURATION, law, method="rk4", dt=STEP, sample=0.1)
    seconds = time.perf_counter() - start
    steps = ARMS * DURATION / STEP
    reference = law.reference.derivatives(DURATION, 0)[0]
    error = np.abs(found.q[-1, :, :3] - reference).max()
    print(f"{ARMS} of Hua's arms with the mixed controller, {DURATION:g} s at 1 kHz, RK4: {seconds:.2f} s,", end=" ")
    print(f"{steps / seconds / 1e6:.2f} million states a second; largest error at the end {error:.1e} rad")
    peer = mujoco_states_a_second()
    print(f"MuJoCo, three joints with springs, no controller, RK4 in C: {peer / 1e6:.2f} million states a second")
    print(f"lissom with its controller is {steps / seconds / peer:.1f} times as fast")


ARM = """<mujoco><option timestep="0.001" integrator="RK4"/><worldbody>
<body><joint axis="0 0 1" armature="0.4"/><inertial mass="4.5" pos="0 0 .15" diaginertia=".4 .5 .4"/>
<body pos="0 0 .3"><joint axis="0 -1 0" armature="0.4"/><inertial mass="1.5" pos=".25 0 0" diaginertia=".35 .4 .3"/>
<body pos=".5 0 0"><joint axis="0 -1 0" armature="0.4" stiffness="100"/>
<inertial mass="1" pos=".25 0 0" diaginertia=".3 .25 .25"/></body></body></body></worldbody></mujoco>"""


def mujoco_states_a_second():
    """Return how many steps of one arm MuJoCo makes per second, in one thread, without Python between them."""
    import mujoco
    from mujoco import rollout

    model = mujoco.MjModel.from_xml_string(ARM)
    data = mujoco.MjData(model)
    size = mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    start = np.zeros(size)
    mujoco.mj_getState(model, data, start, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    steps = 20_000
    rollout.rollout(model, data, start[None], nstep=100)
    begin = time.perf_counter()
    rollout.rollout(model, data, start[None], nstep=steps)
    return steps / (time.perf_counter() - begin)


def _stiff():
    print("\nHua's arm swings freely for one second, sampled every 10 ms, default tolerances, stiffness of its drive:")
    print("N m/rad    adaptive [s]   implicit [s]   auto [s]   chosen   implicit, adaptive apart [rad]")
    for stiffness in (1e2, 1e4, 1e6):
        robot = robots.hua_arm(stiffness=stiffness)
        q0, qd0 = robot.at_rest([0.0, 0.5, -0.4]), np.zeros(4)
        times, found = [], []
        for method in ("adaptive", "implicit", "auto"):
            robot.simulate(q0, qd0, 0.01, method=method)  # compiles
            start = time.perf_counter()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", lissom.SimulationWarning)  # that the adaptive method is slow
                found.append(robot.simulate(q0, qd0, 1.0, method=method, sample=0.01))
            times.append(time.perf_counter() - start)
        apart = np.abs(found[1].q - found[0].q).max()
        print(f"{stiffness:7.0e} {times[0]:15.3f} {times[1]:14.3f} {times[2]:10.3f}   {found[2].method:8s} {apart:.1e}")


if __name__ == "__main__":
    main()
