"""Compare choices of kernels on the card: python tools/gpu_variants.py, with the folder that `tools/gpu_pack.py` made."""

import sys

VARIANTS = []
UR5, PANDA, G1, TALOS = "UR5", "Panda", "G1, 29 dof", "Talos, 44 dof"
INVERSE, FORWARD, TABLES, MASS = "inverse_dynamics", "forward_dynamics", "inverse_dynamics_derivatives", "mass_matrix"
for change in ({"registers": None}, {"registers": 50}, {"resident": 4}, {"resident": 3}, {"registers": 45, "resident": 5}):
    VARIANTS.append((PANDA, INVERSE, "columns", change))
    VARIANTS.append((PANDA, FORWARD, "columns", change))
for change in ({"registers": None}, {"registers": 50, "resident": 3}, {"resident": 2}):
    VARIANTS.append((PANDA, TABLES, "columns", change))
    VARIANTS.append((G1, INVERSE, "columns", change))
for change in ({"registers": None}, {"registers": 80}, {"registers": 85}, {"registers": 45, "resident": 3, "shared": 75000}):
    VARIANTS.append((TALOS, INVERSE, "columns", change))
for robot in (UR5, PANDA):
    for change in ({"rows_from": 2**40}, {"rows_from": 0}, {"rows_from": 0, "width": 16}, {"rows_from": 0, "resident": 4}):
        VARIANTS.append((robot, INVERSE, "rows", change))
for change in ({"rows_from": 2**40}, {"width": 16, "buffers": 6}, {"buffers": 5}):
    VARIANTS.append((TALOS, INVERSE, "rows", change))


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
