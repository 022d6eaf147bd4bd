"""The built-in caller in LLVM IR; `compiler/caller.py` explains it.

It reads arrays where NumPy's ABI fixes their fields, and the context, a row of 64-bit words:
    0 table of addresses   1 number of inputs   2 size of the result    3 the Python function    4 type of arrays
    5 float64              6 numpy.empty        7 shape of a result     8 keywords               9 limit of a batch
    10 number of axes of a result, 11.. their lengths, 15 numbers a sample reads and writes, 16.. sizes of the inputs
"""

from __future__ import annotations

from .keywords import keywords
from .new_result import DECLARATIONS, new_result

MAX_INPUTS = 8
MAX_AXES = 4  # of the result of one sample
LARGEST = 1 << 21  # numbers read and written beyond which Python looks for memory for a new result
RELEASE = 256  # samples from which other Python threads may run meanwhile

HEAD = object.__basicsize__  # an object's header ends with its type
DATA, NDIM, DIMS, DESCR, FLAGS = HEAD, HEAD + 8, HEAD + 16, HEAD + 40, HEAD + 48  # fields of an array
PLAIN, WRITEABLE = 0x0101, 0x0400  # flags: contiguous and aligned; writeable


def caller_ir() -> str:
    """Return the module."""

    def context(k: int) -> str:
        return f"getelementptr i64, ptr %context, i64 {k}"

    def checked(obj: str, size: str, good: str, flags: int, prefix: str) -> str:
        """Go to block `good` if obj is a plain array with `size` entries a sample and as many samples as %shape says."""
        return f"""
  %{prefix}typeat = getelementptr i8, ptr {obj}, i64 {HEAD - 8}
  %{prefix}type = load ptr, ptr %{prefix}typeat
  %{prefix}isarray = icmp eq ptr %{prefix}type, %ndarray
  br i1 %{prefix}isarray, label %{prefix}array, label %python
{prefix}array:
  %{prefix}descrat = getelementptr i8, ptr {obj}, i64 {DESCR}
  %{prefix}descr = load ptr, ptr %{prefix}descrat
  %{prefix}isdouble = icmp eq ptr %{prefix}descr, %double
  %{prefix}flagsat = getelementptr i8, ptr {obj}, i64 {FLAGS}
  %{prefix}flags = load i32, ptr %{prefix}flagsat
  %{prefix}plain = and i32 %{prefix}flags, {flags}
  %{prefix}isplain = icmp eq i32 %{prefix}plain, {flags}
  %{prefix}ndat = getelementptr i8, ptr {obj}, i64 {NDIM}
  %{prefix}nd = load i32, ptr %{prefix}ndat
  %{prefix}sameend = icmp eq i32 %{prefix}nd, %nd
  %{prefix}ok1 = and i1 %{prefix}isdouble, %{prefix}isplain
  %{prefix}ok2 = and i1 %{prefix}ok1, %{prefix}sameend
  br i1 %{prefix}ok2, label %{prefix}shape, label %python
{prefix}shape:
  %{prefix}dimsat = getelementptr i8, ptr {obj}, i64 {DIMS}
  %{prefix}dims = load ptr, ptr %{prefix}dimsat
  %{prefix}lastat = getelementptr i64, ptr %{prefix}dims, i64 %lastaxis
  %{prefix}last = load i64, ptr %{prefix}lastat
  %{prefix}rightsize = icmp eq i64 %{prefix}last, {size}
  %{prefix}firstdim = load i64, ptr %{prefix}dims
  %{prefix}count = select i1 %isbatch, i64 %{prefix}firstdim, i64 1
  %{prefix}samecount = icmp eq i64 %{prefix}count, %n
  %{prefix}ok3 = and i1 %{prefix}rightsize, %{prefix}samecount
  %{prefix}dataat = getelementptr i8, ptr {obj}, i64 {DATA}
  %{prefix}data = load ptr, ptr %{prefix}dataat
  br i1 %{prefix}ok3, label %{good}, label %python
"""

    return f"""{DECLARATIONS}
declare ptr @PyObject_Vectorcall(ptr, ptr, i64, ptr)
declare ptr @PyObject_GetItem(ptr, ptr)
declare void @Py_IncRef(ptr)
declare void @Py_DecRef(ptr)
declare ptr @PyEval_SaveThread()
declare void @PyEval_RestoreThread(ptr)
define ptr @call(ptr %self, ptr %args, i64 %nargs, ptr %kwnames) {{
entry:
  %data = alloca [{MAX_INPUTS + 1} x ptr], align 16
  %emptyargs = alloca [1 x ptr], align 16
  %context = getelementptr i8, ptr %self, i64 {bytes.__basicsize__ - 1}
  %tableat = {context(0)}
  %table = load ptr, ptr %tableat, align 1
  %ninat = {context(1)}
  %nin = load i64, ptr %ninat, align 1
  %outsizeat = {context(2)}
  %outsize = load i64, ptr %outsizeat, align 1
  %fallbackat = {context(3)}
  %fallback = load ptr, ptr %fallbackat, align 1
  %ndarrayat = {context(4)}
  %ndarray = load ptr, ptr %ndarrayat, align 1
  %doubleat = {context(5)}
  %double = load ptr, ptr %doubleat, align 1
  %enough = icmp eq i64 %nargs, %nin
  br i1 %enough, label %keywords, label %python
keywords:
  %none = icmp eq ptr %kwnames, null
  br i1 %none, label %shape, label %named{keywords(context)}
shape:
  %out = phi ptr [null, %keywords], [%wout, %keyword]
  %firstobj = load ptr, ptr %args
  %firsttypeat = getelementptr i8, ptr %firstobj, i64 {HEAD - 8}
  %firsttype = load ptr, ptr %firsttypeat
  %firstisarray = icmp eq ptr %firsttype, %ndarray
  br i1 %firstisarray, label %dimension, label %python
dimension:
  %ndat = getelementptr i8, ptr %firstobj, i64 {NDIM}
  %nd = load i32, ptr %ndat
  %isbatch = icmp eq i32 %nd, 2
  %issingle = icmp eq i32 %nd, 1
  %isknown = or i1 %isbatch, %issingle
  br i1 %isknown, label %count, label %python
count:
  %lastaxis = select i1 %isbatch, i64 1, i64 0
  %dimsat = getelementptr i8, ptr %firstobj, i64 {DIMS}
  %dims = load ptr, ptr %dimsat
  %rows = load i64, ptr %dims
  %n = select i1 %isbatch, i64 %rows, i64 1
  %limitat = {context(9)}
  %limitptr = load ptr, ptr %limitat, align 1
  %limit = load i64, ptr %limitptr
  %some = icmp sgt i64 %n, 0
  %eachat = {context(11 + MAX_AXES)}
  %each = load i64, ptr %eachat, align 1
  %numbers = mul i64 %n, %each
  %small = icmp sle i64 %numbers, %limit
  %inrange = and i1 %some, %small
  %codeat = getelementptr ptr, ptr %table, i64 %lastaxis
  %code = load ptr, ptr %codeat
  %compiled = icmp ne ptr %code, null
  %ready = and i1 %inrange, %compiled
  br i1 %ready, label %result, label %python
result:
  %isnew = icmp eq ptr %out, null
  br i1 %isnew, label %newresult, label %oldresult
newresult:
  %modest = icmp sle i64 %numbers, {LARGEST}
  br i1 %modest, label %inputs, label %python
oldresult:
  %otypeat = getelementptr i8, ptr %out, i64 {HEAD - 8}
  %otype = load ptr, ptr %otypeat
  %oisarray = icmp eq ptr %otype, %ndarray
  br i1 %oisarray, label %oarray, label %python
oarray:
  %odescrat = getelementptr i8, ptr %out, i64 {DESCR}
  %odescr = load ptr, ptr %odescrat
  %oisdouble = icmp eq ptr %odescr, %double
  %oflagsat = getelementptr i8, ptr %out, i64 {FLAGS}
  %oflags = load i32, ptr %oflagsat
  %oplain = and i32 %oflags, {PLAIN | WRITEABLE}
  %oisplain = icmp eq i32 %oplain, {PLAIN | WRITEABLE}
  %axesat = {context(10)}
  %axes = load i64, ptr %axesat, align 1
  %ondat = getelementptr i8, ptr %out, i64 {NDIM}
  %ond = load i32, ptr %ondat
  %ond64 = sext i32 %ond to i64
  %wanted = add i64 %axes, %lastaxis
  %osame = icmp eq i64 %ond64, %wanted
  %ook1 = and i1 %oisdouble, %oisplain
  %ook2 = and i1 %ook1, %osame
  %odataat = getelementptr i8, ptr %out, i64 {DATA}
  %odata = load ptr, ptr %odataat
  br i1 %ook2, label %olengths, label %python
olengths:
  %onone = icmp eq i32 %ond, 0
  br i1 %onone, label %inputs, label %oshape
oshape:
  %odimsat = getelementptr i8, ptr %out, i64 {DIMS}
  %odims = load ptr, ptr %odimsat
  %ofirst = load i64, ptr %odims
  %ocount = select i1 %isbatch, i64 %ofirst, i64 1
  %osamecount = icmp eq i64 %ocount, %n
  br i1 %osamecount, label %axis, label %python
axis:
  %a = phi i64 [0, %oshape], [%anext, %samelength]
  %amore = icmp slt i64 %a, %axes
  br i1 %amore, label %onelength, label %inputs
onelength:
  %ain = add i64 %a, %lastaxis
  %alengthat = getelementptr i64, ptr %odims, i64 %ain
  %alength = load i64, ptr %alengthat
  %acontext = add i64 %a, 11
  %awantedat = getelementptr i64, ptr %context, i64 %acontext
  %awanted = load i64, ptr %awantedat, align 1
  %asame = icmp eq i64 %alength, %awanted
  br i1 %asame, label %samelength, label %python
samelength:
  %anext = add i64 %a, 1
  br label %axis
inputs:
  %outdata = phi ptr [null, %newresult], [%odata, %olengths], [%odata, %axis]
  %outwidth = mul i64 %outsize, 8
  %outbytes = mul i64 %outwidth, %n
  %outend = getelementptr i8, ptr %outdata, i64 %outbytes
  br label %input
input:
  %i = phi i64 [0, %inputs], [%inext, %accepted]
  %objat = getelementptr ptr, ptr %args, i64 %i
  %obj = load ptr, ptr %objat
  %sizeindex = add i64 %i, {12 + MAX_AXES}
  %sizeat = getelementptr i64, ptr %context, i64 %sizeindex
  %size = load i64, ptr %sizeat, align 1
{checked("%obj", "%size", "apart", PLAIN, "i")}
apart:
  %inwidth = mul i64 %size, 8
  %inbytes = mul i64 %inwidth, %n
  %inend = getelementptr i8, ptr %idata, i64 %inbytes
  %startsbefore = icmp ult ptr %idata, %outend
  %endsafter = icmp ugt ptr %inend, %outdata
  %overlaps = and i1 %startsbefore, %endsafter
  %clashes = select i1 %isnew, i1 false, i1 %overlaps
  br i1 %clashes, label %python, label %accepted
accepted:
  %slot = getelementptr ptr, ptr %data, i64 %i
  store ptr %idata, ptr %slot
  %inext = add i64 %i, 1
  %more = icmp slt i64 %inext, %nin
  br i1 %more, label %input, label %run
run:
  %outslot = getelementptr ptr, ptr %data, i64 %nin
  br i1 %isnew, label %allocate, label %reuse{new_result(context)}
allocated:
  %freshat = getelementptr i8, ptr %fresh, i64 {DATA}
  %freshdata = load ptr, ptr %freshat
  br label %compute
reuse:
  call void @Py_IncRef(ptr %out)
  br label %compute
compute:
  %answer = phi ptr [%fresh, %allocated], [%out, %reuse]
  %answerdata = phi ptr [%freshdata, %allocated], [%outdata, %reuse]
  store ptr %answerdata, ptr %outslot
  br i1 %isbatch, label %many, label %single_sample
single_sample:
  %flag1 = call i64 %code(ptr %data)
  br label %finish
many:
  %long = icmp sge i64 %n, {RELEASE}
  br i1 %long, label %release, label %hold
hold:
  %flag2 = call i64 %code(ptr %data, i64 %n)
  br label %finish
release:
  %state = call ptr @PyEval_SaveThread()
  %flag3 = call i64 %code(ptr %data, i64 %n)
  call void @PyEval_RestoreThread(ptr %state)
  br label %finish
finish:
  %flag = phi i64 [%flag1, %single_sample], [%flag2, %hold], [%flag3, %release]
  %fine = icmp eq i64 %flag, 0
  br i1 %fine, label %good, label %notfinite
good:
  %gaxesat = {context(10)}
  %gaxes = load i64, ptr %gaxesat, align 1
  %gall = add i64 %gaxes, %lastaxis
  %hasaxes = icmp ne i64 %gall, 0
  %kept = icmp eq ptr %answer, %out
  %isarray = or i1 %hasaxes, %kept
  br i1 %isarray, label %array, label %number
array:
  ret ptr %answer
number:
  %indexat = {context(7)}
  %index = load ptr, ptr %indexat, align 1
  %itself = call ptr @PyObject_GetItem(ptr %answer, ptr %index)
  call void @Py_DecRef(ptr %answer)
  ret ptr %itself
notfinite:
  call void @Py_DecRef(ptr %answer)
  br label %python
python:
  %answered = call ptr @PyObject_Vectorcall(ptr %fallback, ptr %args, i64 %nargs, ptr %kwnames)
  ret ptr %answered
error:
  ret ptr null
}}
"""
