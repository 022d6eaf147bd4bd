"""The function `fill` in LLVM's language: it puts triangles into the buffers of a picture, the nearest in every pixel.

A vertex is homogeneous: (column w, row w, w) with w the distance in front of the eye. With m0, m1, m2 the vertices of a triangle
and D their determinant, the pixel p = (column, row, 1) has

    (m1 x m2) . p / D = l0 / w,   (m2 x m0) . p / D = l1 / w,   (m0 x m1) . p / D = l2 / w

where l0 + l1 + l2 = 1 are its weights in the triangle, in space and not on the screen. They are linear in p: a row of pixels lies
inside where three linear functions are not negative, their sum is 1/w, the depth, and nothing has to be clipped, because the
sum of pixels behind the eye is negative (Olano and Greer, Triangle scan conversion using 2D homogeneous coordinates, 1997).
NumPy would need some twenty passes over all pixels of the box around each triangle.
"""

from __future__ import annotations


def fill_text() -> str:
    """Return the function in LLVM IR; `%a0`, `%a1`, `%a2` are the same of the three corners or edges."""

    def each(*lines: str) -> str:
        """Return lines for three corners: {i} is one of them, {j} and {k} are the next."""
        return "\n".join("  " + line.format(i=i, j=(i + 1) % 3, k=(i + 2) % 3) for i in range(3) for line in lines)

    def pick(name: str, test: str, first: str, second: str) -> str:
        """Return the lines of the larger ("ogt") or smaller ("olt") of two numbers."""
        chosen = f"select i1 %{name}.t, double {first}, double {second}"
        return f"  %{name}.t = fcmp {test} double {first}, {second}\n  %{name} = {chosen}"

    def cross(name: str, p: str, q: str) -> str:
        """Return the lines of a component p_j q_k - q_j p_k of the cross product of the corners j and k, divided by D below."""
        return each(
            f"%{name}{{i}}.p = fmul double %{p}{{j}}, %{q}{{k}}",
            f"%{name}{{i}}.q = fmul double %{q}{{j}}, %{p}{{k}}",
            f"%{name}{{i}}.d = fsub double %{name}{{i}}.p, %{name}{{i}}.q",
        )

    def total(name: str, terms: str) -> str:
        """Return the lines of the sum of three numbers."""
        return f"  %{name}.s = fadd double %{terms}0, %{terms}1\n  %{name} = fadd double %{name}.s, %{terms}2"

    def box(name: str, values: str, last: str) -> str:
        """Return the lines of the whole numbers from `name`.from to `name`.to between the values, within 0 and last."""
        lines = [
            pick(f"{name}.a", "olt", f"%{values}0", f"%{values}1"),
            pick(f"{name}.low", "olt", f"%{name}.a", f"%{values}2"),
            pick(f"{name}.b", "ogt", f"%{values}0", f"%{values}1"),
            pick(f"{name}.high", "ogt", f"%{name}.b", f"%{values}2"),
            # a corner behind the eye: the triangle may be anywhere
            f"  %{name}.l = select i1 %front, double %{name}.low, double 0.0",
            f"  %{name}.h = select i1 %front, double %{name}.high, double {last}",
            pick(f"{name}.from", "ogt", f"%{name}.l", "0.0"),
            pick(f"{name}.to", "olt", f"%{name}.h", last),
        ]
        return "\n".join(lines)

    def ceiling(name: str, value: str, size: str) -> str:
        """Return the lines of the next whole number from 0 to size, for value >= 0: size - floor(size - value)."""
        return f"""{pick(f"{name}.m", "olt", value, f"%{size}.f")}
  %{name}.r = fsub double %{size}.f, %{name}.m
  %{name}.i = fptosi double %{name}.r to i64
  %{name} = sub i64 %{size}, %{name}.i"""

    def floor(name: str, value: str) -> str:
        """Return the lines of the last whole number from -1, for any value below 2^62."""
        return f"""  %{name}.u = fadd double {value}, 1.0
{pick(f"{name}.m", "ogt", f"%{name}.u", "0.0")}
  %{name}.i = fptosi double %{name}.m to i64
  %{name} = sub i64 %{name}.i, 1"""

    return f"""
define void @fill(ptr %vertices, ptr %faces, i64 %count, i64 %width, i64 %height, double %near,
                  ptr %depth, ptr %face, ptr %weights) {{
entry:
  %width.f = sitofp i64 %width to double
  %height.f = sitofp i64 %height to double
  %right = fsub double %width.f, 1.0
  %bottom = fsub double %height.f, 1.0
  br label %triangles
triangles:
  %n = phi i64 [0, %entry], [%n.next, %done]
  %n.more = icmp slt i64 %n, %count
  br i1 %n.more, label %triangle, label %end
triangle:
  %first = mul i64 %n, 3
{
        each(
            "%at{i} = add i64 %first, {i}",
            "%pv{i} = getelementptr i32, ptr %faces, i64 %at{i}",
            "%v{i} = load i32, ptr %pv{i}",
            "%o{i} = sext i32 %v{i} to i64",
            "%ox{i} = mul i64 %o{i}, 3",
            "%px{i} = getelementptr double, ptr %vertices, i64 %ox{i}",
            "%py{i} = getelementptr double, ptr %px{i}, i64 1",
            "%pw{i} = getelementptr double, ptr %px{i}, i64 2",
            "%x{i} = load double, ptr %px{i}",
            "%y{i} = load double, ptr %py{i}",
            "%w{i} = load double, ptr %pw{i}",
            "%seen{i} = fcmp ogt double %w{i}, %near",
        )
    }
{cross("a", "y", "w")}
{cross("b", "w", "x")}
{cross("c", "x", "y")}
  %d0 = fmul double %x0, %a0.d
  %d1 = fmul double %y0, %b0.d
  %d2 = fmul double %w0, %c0.d
{total("det", "d")}
  %solid = fcmp one double %det, 0.0
  %seen.s = or i1 %seen0, %seen1
  %seen = or i1 %seen.s, %seen2
  %draw = and i1 %solid, %seen
  br i1 %draw, label %setup, label %done
setup:
  %back = fcmp olt double %det, 0.0
  %back.i = zext i1 %back to i64
  %code.l = shl i64 %n, 1
  %code.w = or i64 %code.l, %back.i
  %code = trunc i64 %code.w to i32
  %inverse = fdiv double 1.0, %det
{each(*(f"%{name}{{i}} = fmul double %{name}{{i}}.d, %inverse" for name in "abc"))}
{total("a", "a")}
{total("b", "b")}
{total("c", "c")}
  %front.s = and i1 %seen0, %seen1
  %front = and i1 %front.s, %seen2
{each("%u{i} = fdiv double %x{i}, %w{i}", "%v.{i} = fdiv double %y{i}, %w{i}")}
{box("x", "u", "%right")}
{box("y", "v.", "%bottom")}
{ceiling("row.from", "%y.from", "height")}
{floor("row.to", "%y.to")}
  br label %rows
rows:
  %y = phi i64 [%row.from, %setup], [%y.next, %row.done]
  %y.more = icmp sle i64 %y, %row.to
  br i1 %y.more, label %row, label %done
row:  ; a x + r >= 0: from -r/a on where a > 0, up to -r/a where a < 0, all or nothing where a is 0
  %y.f = sitofp i64 %y to double
{
        each(
            "%r{i}.b = fmul double %b{i}, %y.f",
            "%r{i} = fadd double %r{i}.b, %c{i}",
            "%r{i}.n = fneg double %r{i}",
            "%t{i} = fdiv double %r{i}.n, %a{i}",
            "%rising{i} = fcmp ogt double %a{i}, 0.0",
            "%falling{i} = fcmp olt double %a{i}, 0.0",
            "%sloped{i} = or i1 %rising{i}, %falling{i}",
            "%out{i}.n = fcmp olt double %r{i}, 0.0",
            "%flat{i} = select i1 %out{i}.n, double -1.0, double %x.to",
            "%low{i} = select i1 %rising{i}, double %t{i}, double %x.from",
            "%high{i}.f = select i1 %falling{i}, double %t{i}, double %x.to",
            "%high{i} = select i1 %sloped{i}, double %high{i}.f, double %flat{i}",
        )
    }
{pick("low.a", "ogt", "%low0", "%low1")}
{pick("low.b", "ogt", "%low.a", "%low2")}
{pick("low.c", "ogt", "%low.b", "%x.from")}
{pick("high.a", "olt", "%high0", "%high1")}
{pick("high.b", "olt", "%high.a", "%high2")}
{pick("high.c", "olt", "%high.b", "%x.to")}
{ceiling("from", "%low.c", "width")}
{floor("to", "%high.c")}
  %r.b = fmul double %b, %y.f
  %r = fadd double %r.b, %c
  %line = mul i64 %y, %width
  br label %pixels
pixels:
  %x = phi i64 [%from, %row], [%x.next, %pixel.done]
  %x.more = icmp sle i64 %x, %to
  br i1 %x.more, label %pixel, label %row.done
pixel:
  %x.f = sitofp i64 %x to double
  %s.a = fmul double %a, %x.f
  %s = fadd double %s.a, %r
  %s.f = fptrunc double %s to float
  %place = add i64 %line, %x
  %pd = getelementptr float, ptr %depth, i64 %place
  %old = load float, ptr %pd
  %closer = fcmp ogt float %s.f, %old
  br i1 %closer, label %check, label %pixel.done
check:
  %distance = fdiv double 1.0, %s
  %beyond = fcmp ogt double %distance, %near
  br i1 %beyond, label %put, label %pixel.done
put:
  store float %s.f, ptr %pd
  %pf = getelementptr i32, ptr %face, i64 %place
  store i32 %code, ptr %pf
  %place.2 = shl i64 %place, 1
  %e1.a = fmul double %a1, %x.f
  %e1 = fadd double %e1.a, %r1
  %l1 = fmul double %e1, %distance
  %l1.f = fptrunc double %l1 to float
  %p1 = getelementptr float, ptr %weights, i64 %place.2
  store float %l1.f, ptr %p1
  %e2.a = fmul double %a2, %x.f
  %e2 = fadd double %e2.a, %r2
  %l2 = fmul double %e2, %distance
  %l2.f = fptrunc double %l2 to float
  %p2 = getelementptr float, ptr %p1, i64 1
  store float %l2.f, ptr %p2
  br label %pixel.done
pixel.done:
  %x.next = add i64 %x, 1
  br label %pixels
row.done:
  %y.next = add i64 %y, 1
  br label %rows
done:
  %n.next = add i64 %n, 1
  br label %triangles
end:
  ret void
}}
"""
