"""Lowering: from a program to the text of a function in LLVM's language."""
