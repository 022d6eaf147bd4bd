"""Locks: what is made once is made once in many threads too, and a forked process never waits for a thread it does not have.

Python's own `functools.cache` and `cached_property` may run a function in several threads at once and keep the last result: of no
matter for plain values, but fatal where the result owns memory that machine code points to, and wasteful where it takes seconds.
"""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Callable, Hashable
from typing import Any, Generic, ParamSpec, Self, TypeVar, overload

P = ParamSpec("P")
T = TypeVar("T")


class _Process:
    """One for each process: what was locked when a process was forked is of no account in the child."""

    def __init__(self) -> None:
        self.guard = threading.Lock()


_process = _Process()


def _after_fork() -> None:
    global _process
    _process = _Process()


class Lock:
    """A re-entrant lock that is free in a forked process, whoever held it in the parent."""

    def __init__(self) -> None:
        self._lock, self._of = threading.RLock(), _process

    def __enter__(self) -> Lock:
        self.acquire()
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def acquire(self) -> None:
        """Wait for the lock and take it."""
        if self._of is not _process:
            with _process.guard:
                if self._of is not _process:
                    self._lock = threading.RLock()
                    self._of = _process  # last: whoever sees it finds the new lock
        self._lock.acquire()

    def release(self) -> None:
        """Give the lock back."""
        self._lock.release()


class StillAtFork(Lock):
    """A lock around foreign code with locks of its own: a fork waits until nobody holds it.

    The locks of a library cannot be renewed in a forked process, so that none of them may be held while it is forked.
    """

    def __init__(self) -> None:
        super().__init__()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(before=self.acquire, after_in_parent=self.release)


class Once(Generic[P, T]):
    """A function that runs once for each choice of its arguments; threads that come together wait for the first.

    A call that raises is not remembered.
    """

    def __init__(self, function: Callable[P, T]) -> None:
        functools.update_wrapper(self, function)
        self._function, self._lock = function, Lock()
        self._known: dict[Hashable, T] = {}

    def __call__(self, *arguments: P.args, **options: P.kwargs) -> T:
        """Return the result for these arguments, given by position."""
        assert not options, "by position only"
        if arguments not in self._known:
            with self._lock:
                if arguments not in self._known:
                    self._known[arguments] = self._function(*arguments, **options)
        return self._known[arguments]

    def cache_clear(self) -> None:
        """Forget all results."""
        self._known.clear()


def once(function: Callable[P, T]) -> Once[P, T]:
    """Make a function run once for each choice of its arguments, whatever threads call it."""
    return Once(function)


class lazy_property(Generic[T]):  # noqa: N801 - a decorator, as functools.cached_property is
    """A property that is computed when first asked for and kept; threads that come together may compute it twice.

    `functools.cached_property` of Python 3.11 has one lock for all objects of a class, which a forked process may find taken.
    """

    def __init__(self, function: Callable[[Any], T]) -> None:
        self.function, self.name = function, function.__name__
        self.__doc__ = function.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: Any, owner: type) -> Any:
        """Compute and keep the value; from then on it is found in the object itself."""
        if instance is None:
            return self
        return instance.__dict__.setdefault(self.name, self.function(instance))


class once_property(lazy_property[T]):  # noqa: N801
    """A property that is computed once for each object, under one lock for all such properties of the object."""

    def __get__(self, instance: Any, owner: type) -> Any:
        """Compute and keep the value, while other threads wait."""
        if instance is None:
            return self
        values = instance.__dict__
        with lock_of(instance):
            if self.name not in values:
                values[self.name] = self.function(instance)
            return values[self.name]


def lock_of(instance: Any) -> Lock:
    """Return the lock of an object, made when first asked for."""
    lock = instance.__dict__.get("_lock")
    return lock if lock is not None else instance.__dict__.setdefault("_lock", Lock())  # type: ignore[no-any-return]


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
