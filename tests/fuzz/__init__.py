"""Mutated inputs for every reader of lissom, each followed on its whole way to a first torque.

    python -m tests.fuzz --minutes 10 --seed 1 --reader urdf

`readers/` has a file for each kind of input: what is mutated and how far it is followed. `worker.py` runs inputs one after the
other in a process of its own, `watch.py` starts it, limits it and counts what becomes of them. An input depends on its reader,
the seed and its number alone, so a failing one is found again by these three.
"""
