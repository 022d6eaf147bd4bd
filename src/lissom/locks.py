"""Locks: results are made once, in many threads too, and a forked process never waits for a thread it does not have.

Python's `functools.cache` and `cached_property` may run a function in several threads at once and keep the last result: harmless
for plain values, but fatal where the result owns memory that machine code points to, and wasteful where it takes seconds.
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
    """Identity of the process: locks held at a fork do not count in the child."""

    def __init__(self) -> None:
        self.guard = threading.Lock()


_process = _Process()


def _after_fork() -> None:
    global _process
    _process = _Process()


class Lock:
    """A re-entrant lock that is free in a forked process, even if held in the parent."""

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
                    self._of = _process  # last: threads that see it find the new lock
        self._lock.acquire()

    def release(self) -> None:
        """Release the lock."""
        self._lock.release()


class StillAtFork(Lock):
    """A lock around a library that has locks itself: a fork waits until it is free.

    The locks of a library cannot be renewed in a forked process, so none of them may be held during the fork.
    """

    def __init__(self) -> None:
        super().__init__()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(before=self.acquire, after_in_parent=self.release)


class Once(Generic[P, T]):
    """A function that runs once per set of arguments; concurrent threads wait for the first.

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
    """Make a function run once per set of arguments, in all threads."""
    return Once(function)


class lazy_property(Generic[T]):  # noqa: N801 - a decorator, as functools.cached_property is
    """A property that is computed on first use and kept; concurrent threads may compute it twice.

    `functools.cached_property` of Python 3.11 has one lock for all objects of a class, which may be held in a forked process.
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
        """Compute the value and store it in the object."""
        if instance is None:
            return self
        return instance.__dict__.setdefault(self.name, self.function(instance))


class once_property(lazy_property[T]):  # noqa: N801
    """A property that is computed once per object, under one lock for all such properties of the object."""

    def __get__(self, instance: Any, owner: type) -> Any:
        """Compute and store the value, while other threads wait."""
        if instance is None:
            return self
        values = instance.__dict__
        with lock_of(instance):
            if self.name not in values:
                values[self.name] = self.function(instance)
            return values[self.name]


def lock_of(instance: Any) -> Lock:
    """Return the lock of an object, made on first use."""
    lock = instance.__dict__.get("_lock")
    return lock if lock is not None else instance.__dict__.setdefault("_lock", Lock())  # type: ignore[no-any-return]


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
