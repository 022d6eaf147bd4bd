"""Compare choices of kernels on the card: python tools/gpu_variants.py, with the folder that `tools/gpu_pack.py` made."""

import sys

VARIANTS = []
UR5, PANDA, G1, TALOS = "UR5", "Panda", "G1, 29 dof", "Talos, 44 dof"
INVERSE, FORWARD, TABLES, MASS = "inverse_dynamics", "forward_dynamics", "inverse_dynamics_derivatives", "mass_matrix"
for change in ({"registers": 50, "fit": 0, "resident": 3}, {"registers": 70, "fit": 0, "block": 64, "shared": 57000}):
    VARIANTS.append((G1, INVERSE, "columns", change))
    VARIANTS.append((TALOS, INVERSE, "columns", change))
for change in ({"registers": 100}, {"registers": 70}, {"registers": 90, "block": 64, "shared": 57000}):
    VARIANTS.append((TALOS, INVERSE, "columns", change))
    VARIANTS.append((PANDA, TABLES, "columns", change))
for change in ({"rows_from": 2**40}, {"rows_from": 2**40, "fit": 0, "registers": 75}):
    VARIANTS.append((G1, INVERSE, "rows", change))


def main() -> None:
    """Measure the variants whose line has all texts of the command line."""
    from benchmarks import gpu

    import lissom
    from lissom.compiler.cuda import module
    from lissom.compiler.cuda.device import Timer
    from lissom.compiler.cuda.kernel import Shape

    backend = lissom.CUDA()
    card = backend.card()
    timer = Timer(card)
    copy = gpu.copy_bandwidth(card, timer)
    robots = gpu.models()
    for robot, function, layout, change in VARIANTS:
        if not all(text in f"{robot} {function} {layout} {change}" for text in sys.argv[1:]):
            continue
        module.shape_for = lambda on, change=change: Shape(**{"shared": on.shared, **change})
        print(change)
        gpu.line(robot, robots[robot], function, "double", backend, layout, card, timer, copy)


if __name__ == "__main__":
    main()
