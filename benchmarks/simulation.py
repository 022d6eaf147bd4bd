"""Simulation steps per second: Panda, RK4 at 1 kHz, 1024 states, with MuJoCo's threaded rollout on one thread."""

from dataclasses import replace

import mujoco
import numpy as np
from mujoco import rollout

import lissom
from lissom.bench import best_times
from lissom.write import to_urdf

from .robots import find, open_both

STATES, STEPS, DT = 1024, 100, 1e-3


def main() -> None:
    lissom.set_threads(1)
    robot, _ = open_both(find("panda.urdf"), "fixed")
    # the same robot without shapes, limits and contacts, as in lissom
    model = mujoco.MjModel.from_xml_string(to_urdf(replace(robot.model, shapes=()), lossy=True))
    model.opt.timestep, model.opt.integrator = DT, mujoco.mjtIntegrator.mjINT_RK4
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT | mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    q = np.random.default_rng(0).uniform(-0.5, 0.5, (STATES, robot.nq))
    qd = np.zeros((STATES, robot.nv))
    data, start = mujoco.MjData(model), np.hstack([np.zeros((STATES, 1)), q, qd])
    states = np.empty((STATES, STEPS, start.shape[1]))
    with rollout.Rollout(nthread=1) as roll:
        calls = [
            lambda: robot.simulate(q, qd, STEPS * DT, dt=DT, method="rk4"),
            lambda: roll.rollout([model], data, start, nstep=STEPS, state=states),
        ]
        own, other = best_times(calls, seconds=4.0)
    motion = robot.simulate(q, qd, STEPS * DT, dt=DT, method="rk4")
    difference = np.abs(motion.q[-1] - states[:, -1, 1 : 1 + robot.nq]).max()
    steps = STATES * STEPS
    print(f"lissom {steps / own:.3g} state-steps/s, MuJoCo {steps / other:.3g}: {other / own:.1f}x")
    print(f"largest difference of q after {STEPS} steps: {difference:.1e}")
