"""Studies: overhead per case here and on Dask, two workers beside one, reaches beside solve_many, and UR5 states through Zarr."""

import shutil
import tempfile
import time
from pathlib import Path
from resource import RUSAGE_SELF, getrusage

import numpy as np

import lissom
from lissom.predict import solve_many
from lissom.study import Local, Study, grid
from lissom.study.bases.base import Base, Ran

CASES, REACHES, STATES, PIECE = 20_000, 300, 20_000_000, 500_000


class Nothing(Base):
    """A case that does nothing: what is left is overhead."""

    kind = "function"

    def digest(self):
        """Name it."""
        return "nothing"

    def run(self, values, seed):
        """Run a case."""
        return Ran({"y": values["x"]})


class Busy(Nothing):
    """A case of some 20 ms."""

    def run(self, values, seed):
        """Run a case."""
        until = time.process_time() + 0.02
        while time.process_time() < until:
            pass
        return Ran({"y": values["x"]})


class Reach(Nothing):
    """A fastest motion of a Panda between random positions, as `benchmarks reaches` has."""

    def problem(self):
        """Return the problem without its ends."""
        arm = lissom.robots.panda()
        return lissom.MotionProblem(arm, control_points=10, duration=(0.1, 10.0)).limit_by_model().minimize("time")

    def pairs(self, count):
        """Return random ends."""
        limits = lissom.robots.panda().limits
        return np.random.default_rng(0).uniform(limits.lower, limits.upper, (count, 2, 7))

    def __init__(self, count):
        self.base, self.ends = self.problem(), self.pairs(count)

    def warm(self, values):
        """Compile."""
        self.run({"x": 0.0}, 0)

    def run(self, values, seed):
        """Run a case."""
        start, end = self.ends[int(values["x"])]
        found = self.base.copy().start(start).end(end).solve(throw=False)
        return Ran(found, found.success, found.status.value)


def timed(base, count, responses=("y",), **options):
    with tempfile.TemporaryDirectory() as folder:
        study = Study(base, {"x": grid(0, count - 1, count)}, list(responses))
        began = time.perf_counter()
        found = study.run(folder, **options)
        return (time.perf_counter() - began) / count, found


def main(states: int = STATES, count: int = REACHES, bits: int = 64) -> None:
    for workers in (1, 2):
        each, _ = timed(Nothing(), CASES, workers=workers)
        print(f"overhead of a case, {workers} process{'es' if workers > 1 else ''}: {1e3 * each:.3f} ms", flush=True)
    on_dask()
    one, two = (timed(Busy(), 300, runner=Local(workers, limit=60.0))[0] for workers in (1, 2))
    print(f"cases of 20 ms: two workers are {one / two:.2f} times as fast as one (needs an idle machine)", flush=True)
    reach = Reach(count)
    reach.warm({})
    each, _ = timed(reach, count, ("duration",), workers=2)
    many = solve_many(reach.base, reach.ends, workers=2)
    print(
        f"{count} reaches of a Panda in {each * count:.0f} s: {1 / each:.1f} cases/s with motions kept,"
        f" solve_many {count / many.seconds:.1f}/s",
        flush=True,
    )
    through_zarr(states, bits)


def on_dask() -> None:
    from distributed import LocalCluster

    from lissom.study.runners import batches as module

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        timed(Nothing(), 10, scheduler=cluster)
        each, _ = timed(Nothing(), CASES, scheduler=cluster)
        print(f"overhead of a case on Dask, in batches: {1e3 * each:.3f} ms", flush=True)
        module.MOST = 1
        each, _ = timed(Nothing(), 2000, scheduler=cluster)
        module.MOST = 500
        print(f"overhead of a batch on Dask: {1e3 * each:.2f} ms", flush=True)


def through_zarr(count: int, bits: int) -> None:
    """Measure inverse dynamics of states in a store; of 16 bits, as sensors give them, torques are stored in single precision."""
    import dask
    import dask.array as da

    from lissom.dask import Robot

    from .robots import urdf_files

    file = next(path for path in urdf_files() if path.name == "ur5_robot.urdf")
    arm = lissom.load(file)
    rng = np.random.default_rng(0)
    piece = [rng.uniform(-1, 1, (PIECE, 6)) for _ in range(3)]
    arm.inverse_dynamics(*piece)
    began = time.perf_counter()
    for _ in range(5):
        arm.inverse_dynamics(*piece)
    kernel = 5 * PIECE / (time.perf_counter() - began)
    few, unit = bits == 16, 2.0**-15
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder, dask.config.set(scheduler="threads", num_workers=2):
        store = f"{folder}/states.zarr"
        for name, x in zip(("q", "qd", "qdd"), piece, strict=True):
            kept = np.round(x / unit).clip(-32768, 32767).astype(np.int16) if few else x
            da.tile(da.from_array(kept, chunks=(PIECE, 6)), (count // PIECE, 1)).to_zarr(store, component=name)

        def states(part: int) -> list:
            """Return positions, velocities and accelerations of the first ones, as doubles."""
            read = [da.from_zarr(store, component=name)[:part] for name in ("q", "qd", "qdd")]
            return [x * unit for x in read] if few else read

        def stored(x, name: str) -> float:
            """Store an array and return how many of its rows a second."""
            began = time.perf_counter()
            (x.astype(np.float32) if few else x).to_zarr(store, component=name)
            return len(x) / (time.perf_counter() - began)

        disk = stored(sum(states(min(count, 200_000_000))), "sum")
        shutil.rmtree(f"{store}/sum")
        found = stored(Robot(arm).inverse_dynamics(*states(count)), "tau")
    most = getrusage(RUSAGE_SELF).ru_maxrss / 2**20
    print(f"UR5, {count / 1e6:.0f} M states of {bits} bits a number through Zarr: {found / 1e6:.2f} M states/s;")
    print(f"  a sum of the same arrays {disk / 1e6:.2f}, the kernel alone {kernel / 1e6:.1f}; {most:.2f} GiB of memory at most")
