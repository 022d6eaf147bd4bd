"""The part of the built-in caller that reads keywords; see `compiler/caller.py`.

The table of keywords has their number, then the name and the default of each; the first is `out`. A keyword with its default
counts as absent. Names and defaults are compared as objects: what is equal but another object is left to Python.
"""

from __future__ import annotations

from collections.abc import Callable


def keywords(context: Callable[[int], str]) -> str:
    """Return the blocks from %named on, which go to %shape with the value of `out` in %wout, or null, or else to %python.

    `context` gives the address of a word of the context; see `caller.py` beside this file.
    """
    return f"""
named:
  %kwsizeat = getelementptr i8, ptr %kwnames, i64 {object.__basicsize__}
  %kwsize = load i64, ptr %kwsizeat
  %kwtableat = {context(8)}
  %kwtable = load ptr, ptr %kwtableat, align 1
  %nkw = load i64, ptr %kwtable
  %kwfirst = getelementptr ptr, ptr %kwtable, i64 1
  br label %keyword
keyword:
  %w = phi i64 [0, %named], [%wnext, %settled]
  %wout = phi ptr [null, %named], [%wresult, %settled]
  %wmore = icmp slt i64 %w, %kwsize
  br i1 %wmore, label %word, label %shape
word:
  %wordsat = getelementptr i8, ptr %kwnames, i64 {tuple.__basicsize__}
  %wordat = getelementptr ptr, ptr %wordsat, i64 %w
  %wordname = load ptr, ptr %wordat
  %valueindex = add i64 %nin, %w
  %valueat = getelementptr ptr, ptr %args, i64 %valueindex
  %value = load ptr, ptr %valueat
  br label %known
known:
  %c = phi i64 [0, %word], [%cnext, %other]
  %cmore = icmp slt i64 %c, %nkw
  br i1 %cmore, label %compare, label %python
compare:
  %ctwice = mul i64 %c, 2
  %knownat = getelementptr ptr, ptr %kwfirst, i64 %ctwice
  %knownname = load ptr, ptr %knownat
  %issame = icmp eq ptr %knownname, %wordname
  br i1 %issame, label %found, label %other
other:
  %cnext = add i64 %c, 1
  br label %known
found:
  %defaultat = getelementptr ptr, ptr %knownat, i64 1
  %default = load ptr, ptr %defaultat
  %isdefault = icmp eq ptr %value, %default
  br i1 %isdefault, label %settled, label %chosen
chosen:
  %isout = icmp eq i64 %c, 0
  br i1 %isout, label %settled, label %python
settled:
  %wresult = phi ptr [%wout, %found], [%value, %chosen]
  %wnext = add i64 %w, 1
  br label %keyword"""
