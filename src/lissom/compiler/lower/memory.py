"""Memory: scratch, and the small functions of LLVM IR that move rows.

`spread` puts rows into a tile, `stream` moves bytes past the caches.
"""

from __future__ import annotations

LINE = 64  # bytes of a line of the cache, and of the longest vectors: one that lies across two lines takes twice as long
STACK = 2**18  # bytes of scratch that may lie on the stack

INTRINSICS = """declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
"""
HEAP = "declare ptr @malloc(i64)\ndeclare void @free(ptr)\n"


def scratch(size: int) -> tuple[str, str, str]:
    """Return how to get `size` bytes of scratch, how to give them back, and the declarations that takes."""
    if size <= STACK:
        return f"  %scratch = alloca i8, i64 {max(size, 8)}, align 64\n  br label %ready\n", "", ""
    get = f"""  %ground = call ptr @malloc(i64 {size + LINE})
  %nomemory = icmp eq ptr %ground, null
  br i1 %nomemory, label %refuse, label %raised
refuse:
  ret i64 2
raised:
{aligned("%ground", "%scratch")}  br label %ready
"""
    return get, "  call void @free(ptr %ground)\n", HEAP


def aligned(raw: str, name: str) -> str:
    """Return instructions that name the first address from `raw` on where a line of the cache begins."""
    number, beyond, down = (f"%{word}.{name[1:]}" for word in ("number", "beyond", "down"))
    return f"""  {number} = ptrtoint ptr {raw} to i64
  {beyond} = add i64 {number}, {LINE - 1}
  {down} = and i64 {beyond}, -{LINE}
  {name} = inttoptr i64 {down} to ptr
"""


def zero(where: str, size: str) -> str:
    """Return the instruction that sets `size` bytes to zero."""
    return f"  call void @llvm.memset.p0.i64(ptr {where}, i8 0, i64 {size}, i1 false)\n"


def spread(width: int) -> str:
    """Return the function that copies rows into a tile, and fills it up with copies of the last."""
    return f"""
define internal void @spread(ptr %to, ptr %from, i64 %bytes, i64 %rows) noinline {{
entry:
  %last = sub i64 %rows, 1
  br label %row
row:
  %r = phi i64 [0, %entry], [%next, %row]
  %past = icmp sgt i64 %r, %last
  %source = select i1 %past, i64 %last, i64 %r
  %so = mul i64 %source, %bytes
  %do = mul i64 %r, %bytes
  %s = getelementptr i8, ptr %from, i64 %so
  %d = getelementptr i8, ptr %to, i64 %do
  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %s, i64 %bytes, i1 false)
  %next = add i64 %r, 1
  %more = icmp slt i64 %next, {width}
  br i1 %more, label %row, label %done
done:
  ret void
}}
"""


# a line that is written whole need not be read first; what lies before the first whole line and after the last is copied
STREAM = """
declare i64 @llvm.umin.i64(i64, i64)
define internal void @stream(ptr %to, ptr %from, i64 %bytes) noinline {
entry:
  %address = ptrtoint ptr %to to i64
  %over = sub i64 0, %address
  %before = and i64 %over, 63
  %head = call i64 @llvm.umin.i64(i64 %before, i64 %bytes)
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %head, i1 false)
  %most = sub i64 %bytes, %head
  %lines = lshr i64 %most, 6
  %inside = shl i64 %lines, 6
  %end = add i64 %head, %inside
  %any = icmp ne i64 %lines, 0
  br i1 %any, label %line, label %rest
line:
  %at = phi i64 [%head, %entry], [%next, %line]
  %s = getelementptr i8, ptr %from, i64 %at
  %d = getelementptr i8, ptr %to, i64 %at
  %x = load <8 x double>, ptr %s, align 8
  store <8 x double> %x, ptr %d, align 64, !nontemporal !0
  %next = add i64 %at, 64
  %more = icmp ult i64 %next, %end
  br i1 %more, label %line, label %rest
rest:
  %tail = sub i64 %bytes, %end
  %st = getelementptr i8, ptr %from, i64 %end
  %dt = getelementptr i8, ptr %to, i64 %end
  call void @llvm.memcpy.p0.p0.i64(ptr %dt, ptr %st, i64 %tail, i1 false)
  ret void
}
!0 = !{i32 1}
"""
