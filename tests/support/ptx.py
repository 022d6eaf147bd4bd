"""Interpreter of the PTX that lissom writes, on NumPy arrays: all threads of a grid in lockstep, one entry of an array each.

Memory that nothing wrote is NaN; a copy that was asked for (`cp.async`) arrives when it is waited for, and not before; what lies
beside an array must not be touched. Local and shared memory are those of each thread and block.
"""

import re
import struct

import numpy as np

_GAP = 256  # bytes between two arrays


class Ptx:
    """A kernel, ready to run."""

    def __init__(self, text):
        self.text = text
        body = text[text.index("\n{\n") + 3 : text.rindex("}")]
        self.single = not re.search(r"\.reg \.f64 %(bad|sum)\b", text)
        self.number = np.dtype(np.float32 if self.single else np.float64)
        self.parameters = re.findall(r"\.param \.(u\d\d) (\w+)", text[: text.index("\n{\n")])
        found = re.search(r"\.local \.align 16 \.b8 far\[(\d+)\]", body)
        self.local = int(found.group(1)) if found else 0
        self.code, self.labels = [], {}
        for text in body.split(";"):
            *labels, text = (x.strip() for x in text.split(":"))
            self.labels.update(dict.fromkeys(labels, len(self.code)))
            if text and not text.startswith("."):
                self.code.append(_parsed(text))

    def run(self, values, blocks, block, shared, memory, readable=None):
        """Run with the values of the parameters by name on `memory`, an array of bytes; `readable` tells which hold arguments."""
        _Run(self, values, blocks, block, shared, memory, readable).all()


def _parsed(text):
    guard = None
    if text.startswith("@"):
        guard, text = text[1:].split(None, 1)
    op, _, rest = text.partition(" ")
    operands = [x.strip() for x in re.split(r",(?![^\[{]*[\]}])", rest)] if rest else []
    return guard, op, operands


class _Run:
    def __init__(self, ptx, values, blocks, block, shared, memory, readable):
        self.ptx, self.values, self.memory, self.readable = ptx, values, memory, readable
        self.threads = blocks * block
        self.block_of, self.thread = np.divmod(np.arange(self.threads), block)
        self.block = block
        self.shared = np.full((blocks, shared), 0xFF, np.uint8)
        self.far = np.full((self.threads, ptx.local), 0xFF, np.uint8)
        self.r = {}
        self.active = np.ones(self.threads, bool)
        self.waiting, self.groups = [], []
        self.loops = []  # of each that runs, its last instruction, and the threads that wait at its end

    def all(self):
        """Run all threads: together, and those that jump ahead apart from the others, until all wait at a barrier."""
        ready, parked = [(0, self.active)], []
        with np.errstate(all="ignore"):
            while ready or parked:
                if not ready:
                    ready, parked = parked, []
                k, self.active = ready.pop()
                k = self.until_barrier(k, ready)
                if k is not None and self.active.any():
                    parked.append((k, self.active))
        assert not self.waiting
        assert not self.loops
        assert not self.groups

    def until_barrier(self, k, ready):
        """Run from an instruction on; return that after the next barrier, None at the end."""
        code = self.ptx.code
        while k < len(code):
            guard, op, operands = code[k]
            live = self.active if guard is None else self.active & self.r[guard]
            if op == "bra" and self.ptx.labels[operands[0]] > k:
                if live.any():
                    ready.append((self.ptx.labels[operands[0]], live))
                self.active = self.active & ~live
            elif op == "bra":
                k = self.jump(k, self.ptx.labels[operands[0]], live)
                continue
            elif op == "bar.sync":
                return k + 1
            else:
                before = self.r.get(operands[0]) if operands else None
                self.step(op.split("."), operands, live)
                if before is not None and op[:2] not in ("st", "cp"):  # a register that is written again: not by all threads
                    self.r[operands[0]] = np.where(live, self.r[operands[0]], before)
            k += 1
            if not self.active.any():
                return None
        return None

    def jump(self, k, to, live):
        """Return the next instruction after a jump back, which some threads take while the others wait."""
        assert to <= k, "loops jump back"
        if not live.any():
            if self.loops and self.loops[-1][0] == k:
                self.active = self.loops.pop()[1]
            return k + 1
        if not self.loops or self.loops[-1][0] != k:
            self.loops.append((k, self.active))
        self.active = live
        return to

    # -- operands
    def value(self, x, kind):
        if x in self.r:
            return self.r[x]
        if x.startswith("0d"):
            return np.full(self.threads, struct.unpack(">d", bytes.fromhex(x[2:]))[0])
        if x.startswith("0f"):
            return np.full(self.threads, struct.unpack(">f", bytes.fromhex(x[2:]))[0], np.float32)
        if x == "scratch" or x == "far":
            return np.zeros(self.threads, np.uint64)
        special = {"%tid.x": self.thread, "%ctaid.x": self.block_of, "%ntid.y": np.ones(self.threads)}
        if x in special:
            return special[x].astype(np.uint32)
        return np.full(self.threads, int(x, 0) % 2 ** (8 * kind.itemsize), np.uint64).astype(kind)

    def address(self, x):
        base, _, offset = x.strip("[]").partition("+")
        return self.r[base].astype(np.int64) + int(offset or 0)

    def place(self, space, x, size):
        """Return the memory of a space and the places of `size` bytes in it, one row a thread."""
        at = self.address(x)
        assert (at % size == 0).all(), "not aligned"
        where = at[:, None] + np.arange(size)
        if space == "global":
            return self.memory, where, 0
        own = np.arange(self.threads) if space == "local" else self.block_of
        table = self.far if space == "local" else self.shared
        return table.reshape(-1), own[:, None] * table.shape[1] + where, table.shape[1]

    def read(self, space, x, kind, live):
        memory, where, width = self.place(space, x, kind.itemsize)
        if space == "global" and self.readable is not None:
            assert self.readable[where[live]].all(), "what is read was never written"
        where = np.where(live[:, None], where, 0)
        assert where.min() >= 0
        assert where.max() < len(memory)
        return memory[where].view(kind)[:, 0]

    def write(self, space, x, values, live):
        memory, where, width = self.place(space, x, values.dtype.itemsize)
        rows = where[live]
        if len(rows):
            assert rows.min() >= 0
            assert rows.max() < len(memory), "beyond the end"
            memory[rows] = np.ascontiguousarray(values[live])[:, None].view(np.uint8).reshape(len(rows), -1)

    # -- instructions
    def step(self, op, operands, live):
        name, last = op[0], op[-1]
        if name == "ret":
            self.active = self.active & ~live
        elif name == "bar":
            return  # of a warp
        elif name == "ld":
            self.load(op, operands, live)
        elif name == "st":
            kind = _KINDS[last]
            space = next(s for s in ("global", "shared", "local") if s in op)
            self.write(space, operands[0], self.value(operands[1], kind).astype(kind), live)
        elif name == "cp":
            self.copy(op, operands, live)
        elif name == "mov" and operands[0].startswith("{"):
            low, high = operands[0].strip("{}").split(", ")
            bits = self.r[operands[1]].view(np.uint64)
            self.r[low], self.r[high] = bits.astype(np.uint32), (bits >> np.uint64(32)).astype(np.uint32)
        elif name == "mov" and operands[1].startswith("{"):
            low, high = (self.r[x].astype(np.uint64) for x in operands[1].strip("{}").split(", "))
            self.r[operands[0]] = (low | high << np.uint64(32)).view(np.float64)
        elif name == "mov" and last in ("b32", "b64"):
            x = self.value(operands[1], _KINDS["u" + last[1:]])
            self.r[operands[0]] = x.view(_KINDS[{"v": "f", "h": "f"}.get(operands[0][1], "u") + last[1:]])
        else:
            self.r[operands[0]] = self.computed(op, operands[1:])

    def load(self, op, operands, live):
        kind = _KINDS[op[-1]]
        if "param" in op:
            self.r[operands[0]] = np.full(self.threads, self.values[operands[1].strip("[]")], kind)
            return
        space = next(s for s in ("global", "shared", "local") if s in op)
        self.r[operands[0]] = self.read(space, operands[1], kind, live)

    def copy(self, op, operands, live):
        if "commit_group" in op:
            self.groups.append(self.waiting)
            self.waiting = []
        elif "wait_group" in op:
            while len(self.groups) > int(operands[0]):
                for to, values, lanes in self.groups.pop(0):
                    self.write("shared", to, values, lanes)
        else:
            kind = np.dtype(f"u{operands[2]}")
            # the addresses are those of now: registers are written once, so that they are the same when it arrives
            self.waiting.append((operands[0], self.read("global", operands[1], kind, live), live))

    def computed(self, op, operands):
        name, last = op[0], op[-1]
        if name == "selp":
            kind = _KINDS[last.replace("b", "u")]
            a, b = (self.value(x, kind) for x in operands[:2])
            return np.where(self.r[operands[2]], a, b)
        if name == "and" and last == "pred":
            return self.r[operands[0]] & self.r[operands[1]]
        kind = _KINDS[(op[2] if name == "cvt" and op[1] != "rn" else last).replace("b", "u")]
        a = [self.value(x, kind) for x in operands]
        if name == "cvt":
            return a[0].astype(_KINDS[op[1] if op[1] != "rn" else op[2]])
        if name == "setp":
            a = [x.view(kind) if kind.kind == "i" else x.astype(kind) for x in a]
            return np.isnan(a[0]) | np.isnan(a[1]) if op[1] == "nan" else _COMPARE[op[1]](*a)
        if name == "fma":
            return _fused(*a) if kind.itemsize == 8 else (a[0].astype(np.float64) * a[1] + a[2]).astype(kind)
        if name == "mad":
            if "wide" in op:
                a[0], a[1] = (x.astype(np.uint64) for x in a[:2])
            return a[0] * a[1] + a[2].astype(a[0].dtype)
        if name == "mul" and "wide" in op:
            return a[0].astype(np.uint64) * a[1].astype(np.uint64)
        if name == "copysign":
            return np.copysign(a[1], a[0])
        if name in ("shl", "shr"):
            count = self.value(operands[1], np.dtype(np.uint32)).astype(kind)
            return (np.left_shift if name == "shl" else np.right_shift)(a[0], count)
        if name == "div" and kind.kind == "u":
            return a[0] // a[1]
        return _PLAIN[name](*(x.astype(kind) for x in a))


_KINDS = {
    **{name: np.dtype(t) for name, t in (("u32", np.uint32), ("u64", np.uint64), ("f32", np.float32), ("f64", np.float64))},
    **{name: np.dtype(t) for name, t in (("s32", np.int32), ("s64", np.uint64))},  # sums are those of whole words
}
_COMPARE = {"lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal, "eq": np.equal, "ne": np.not_equal}
_PLAIN = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "rem": np.remainder,
    "neg": np.negative,
    "abs": np.abs,
    "mov": np.copy,
    "sqrt": np.sqrt,
    "min": np.minimum,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
}


def _fused(a, b, c):
    """Return a b + c of doubles as if rounded once: by Dekker's product and Knuth's sum, which keep what rounding loses."""
    product = a * b
    (a1, a2), (b1, b2) = _halves(a), _halves(b)
    lost = ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2
    total = product + c
    part = total - product
    rest = (product - (total - part)) + (c - part)
    found = total + (rest + lost)
    # beyond 1e290 halves overflow, and below 1e-290 what is lost is no number of its own
    plain = ~np.isfinite(found) | (np.abs(product) < 1e-290)
    return np.where(plain, total, found)


def _halves(x):
    scaled = x * 134217729.0
    high = scaled - (scaled - x)
    return high, x - high


class Device:
    """Arrays in the memory of an interpreted card: what lies between them must stay as it is."""

    def __init__(self):
        self.size, self.arrays = _GAP, []

    def put(self, array):
        """Return the address of a copy of an array."""
        self.arrays.append((self.size, array))
        at = self.size
        self.size += -(-array.nbytes // _GAP) * _GAP + _GAP
        return at

    def memory(self):
        memory = np.full(self.size, 0xFF, np.uint8)
        for at, array in self.arrays:
            memory[at : at + array.nbytes] = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        return memory


def compute(kernel, program, layouts, rows, n, poison=True):
    """Run a kernel on tables (n, size) of the inputs; return the flag and tables (n, size) of the outputs.

    A table of an input with layout "one" has one row.
    """
    ptx = Ptx(kernel.text)
    device, values = Device(), {"n": n}
    ports = [*program.inputs, *program.outputs]
    tables = [*rows, *(np.full((n, p.size), np.nan) for p in program.outputs)]
    for k, (layout, table) in enumerate(zip(layouts, tables, strict=True)):
        table = np.asarray(table, ptx.number)
        values[f"p{k}"] = device.put(table.T if layout == "columns" else table)
        values[f"s{k}"] = n * ptx.number.itemsize
    values["flag"] = device.put(np.zeros(1, np.uint32))
    memory = device.memory()
    before = memory.copy()
    readable = np.zeros(len(memory), bool)
    for at, array in device.arrays[: len(program.inputs)]:
        readable[at : at + array.nbytes] = True
    ptx.run(values, -(-n // (kernel.samples or kernel.block)), kernel.block, kernel.shared, memory, readable)
    results, touched = [], np.zeros(len(memory), bool)
    for k in range(len(program.inputs), len(ports)):
        count, at = n * ports[k].size, values[f"p{k}"]
        found = memory[at : at + count * ptx.number.itemsize].view(ptx.number)
        touched[at : at + found.nbytes] = True
        results.append(found.reshape(ports[k].size, n).T if layouts[k] == "columns" else found.reshape(n, ports[k].size))
    flag = memory[values["flag"] : values["flag"] + 4].view(np.uint32)[0]
    touched[values["flag"] : values["flag"] + 4] = True
    assert np.array_equal(memory[~touched], before[~touched]), "something else was written"
    return int(flag), results
