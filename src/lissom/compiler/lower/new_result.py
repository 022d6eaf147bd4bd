"""The part of the built-in caller that makes a new array for a result, (n, ...) for a batch of n; see `compiler/caller.py`."""

from __future__ import annotations

from collections.abc import Callable

DECLARATIONS = """
declare ptr @PyLong_FromSsize_t(i64)
declare ptr @PyTuple_New(i64)
declare i32 @PyTuple_SetItem(ptr, i64, ptr)
"""


def new_result(context: Callable[[int], str]) -> str:
    """Return the blocks from %allocate to %made, which go on to %allocated with the array %fresh, or to %error.

    `context` gives the address of a word of the context; see `caller.py` beside this file.
    """
    return f"""
allocate:
  %emptyat = {context(6)}
  %empty = load ptr, ptr %emptyat, align 1
  %lengthat = {context(7)}
  %length = load ptr, ptr %lengthat, align 1
  br i1 %isbatch, label %newcount, label %newone
newone:
  store ptr %length, ptr %emptyargs
  %freshone = call ptr @PyObject_Vectorcall(ptr %empty, ptr %emptyargs, i64 1, ptr null)
  br label %made
newcount:
  %ncount = call ptr @PyLong_FromSsize_t(i64 %n)
  %nocount = icmp eq ptr %ncount, null
  br i1 %nocount, label %error, label %newtuple
newtuple:
  %naxesat = {context(10)}
  %naxes = load i64, ptr %naxesat, align 1
  %nall = add i64 %naxes, 1
  %whole = call ptr @PyTuple_New(i64 %nall)
  %nowhole = icmp eq ptr %whole, null
  br i1 %nowhole, label %dropcount, label %firstlength
dropcount:
  call void @Py_DecRef(ptr %ncount)
  br label %error
firstlength:
  %set0 = call i32 @PyTuple_SetItem(ptr %whole, i64 0, ptr %ncount)
  br label %nextlength
nextlength:
  %k = phi i64 [0, %firstlength], [%knext, %copylength]
  %kmore = icmp slt i64 %k, %naxes
  br i1 %kmore, label %copylength, label %newbatch
copylength:
  %itemsat = getelementptr i8, ptr %length, i64 {tuple.__basicsize__}
  %itemat = getelementptr ptr, ptr %itemsat, i64 %k
  %item = load ptr, ptr %itemat
  call void @Py_IncRef(ptr %item)
  %knext = add i64 %k, 1
  %setk = call i32 @PyTuple_SetItem(ptr %whole, i64 %knext, ptr %item)
  br label %nextlength
newbatch:
  store ptr %whole, ptr %emptyargs
  %freshbatch = call ptr @PyObject_Vectorcall(ptr %empty, ptr %emptyargs, i64 1, ptr null)
  call void @Py_DecRef(ptr %whole)
  br label %made
made:
  %fresh = phi ptr [%freshone, %newone], [%freshbatch, %newbatch]
  %failed = icmp eq ptr %fresh, null
  br i1 %failed, label %error, label %allocated"""
