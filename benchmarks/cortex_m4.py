"""A Cortex-M4 with floating-point unit, emulated by QEMU: size, stack and instructions of exported C.

QEMU counts instructions, not cycles: with -icount each takes a nanosecond of the machine's clock, which its timer reads.
"""

import re
import shutil
import subprocess
from pathlib import Path

TOOLS = ("arm-none-eabi-gcc", "arm-none-eabi-size", "qemu-system-arm")
_TARGET = ("-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16", "-O2")
_TICK = 40  # nanoseconds, hence instructions, of the machine's timer
_START = """
#include <stdlib.h>
extern int main(void);
extern void initialise_monitor_handles(void);
extern unsigned stack_top, bss_start, bss_end;
void _init(void) {}
void _fini(void) {}
void reset(void)
{
    unsigned *p;
    *(volatile unsigned *)0xE000ED88 |= 0xFu << 20; /* switches the floating-point unit on */
    for (p = &bss_start; p < &bss_end; p++) *p = 0;
    initialise_monitor_handles();
    exit(main());
}
void fault(void) { abort(); }
__attribute__((section(".vectors"), used)) static void *const vectors[16] = {
    &stack_top, (void *)reset, (void *)fault, (void *)fault, (void *)fault, (void *)fault, (void *)fault};
"""
_MEMORY = """
MEMORY { ROM (rx) : ORIGIN = 0, LENGTH = 4M  RAM (rwx) : ORIGIN = 0x20000000, LENGTH = 4M }
ENTRY(reset)
SECTIONS
{
  .text : { KEEP(*(.vectors)) *(.text*) *(.rodata*) *(.ARM.ex*) } > ROM
  .data : { *(.data*) } > RAM
  .bss : { bss_start = .; *(.bss*) *(COMMON) bss_end = .; } > RAM
  end = .;
  stack_top = ORIGIN(RAM) + LENGTH(RAM);
}
"""
_COUNT = """
#include <stdio.h>
#include "robot.h"
#define TIMER ((volatile unsigned *)0xE000E010)
int main(void)
{
    static float q[NV], qd[NV], qdd[NV], tau[NV];
    unsigned start, end;
    int k;
    for (k = 0; k < NV; k++) q[k] = 0.1f*(float)k, qd[k] = 1.0f, qdd[k] = -1.0f;
    TIMER[1] = 0xFFFFFF;
    TIMER[2] = 0;
    TIMER[0] = 5;
    start = TIMER[2];
    for (k = 0; k < 1000; k++) {
        robot_inverse_dynamics(q, qd, qdd, tau);
        __asm volatile("" ::: "memory");
    }
    end = TIMER[2];
    printf("%u\\n", (start - end) & 0xFFFFFF);
    return 0;
}
"""


def missing() -> list[str]:
    """Return the programs that are not installed."""
    return [name for name in TOOLS if shutil.which(name) is None]


def run_on_m4(folder: Path, files: list[str], options: tuple[str, ...] = ()) -> str:
    """Compile C files of a folder, run them on the emulated processor, and return what they print."""
    (folder / "start.c").write_text(_START)
    (folder / "memory.ld").write_text(_MEMORY)
    build = ["arm-none-eabi-gcc", "-std=gnu99", *_TARGET, *options, "-specs=rdimon.specs", "-nostartfiles", "-T", "memory.ld"]
    subprocess.run([*build, "start.c", *files, "-lm", "-o", "m4.elf"], cwd=folder, check=True, capture_output=True)
    emulate = ["qemu-system-arm", "-M", "mps2-an386", "-icount", "shift=0", "-nographic"]
    emulate += ["-semihosting-config", "enable=on,target=native", "-kernel", "m4.elf"]
    return subprocess.run(emulate, cwd=folder, check=True, capture_output=True, text=True, timeout=120).stdout


def footprint(folder: Path, nv: int) -> tuple[int, int, int]:
    """Return bytes of code and constants, bytes of stack, and instructions a call, of `robot_inverse_dynamics` in robot.c."""
    compiler = ["arm-none-eabi-gcc", "-std=c99", *_TARGET, "-fstack-usage", "-c", "robot.c"]
    subprocess.run(compiler, cwd=folder, check=True, capture_output=True)
    said = subprocess.run(["arm-none-eabi-size", "robot.o"], cwd=folder, check=True, capture_output=True, text=True).stdout
    code = int(said.splitlines()[1].split()[0])
    stack = sum(int(x) for x in re.findall(r"\t(\d+)\tstatic", (folder / "robot.su").read_text()))
    (folder / "count.c").write_text(_COUNT)
    ticks = int(run_on_m4(folder, ["robot.c", "count.c"], (f"-DNV={nv}",)))
    return code, stack, round(ticks * _TICK / 1000)
