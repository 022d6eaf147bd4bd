"""LiveView: a served page, from its start to its end."""

from __future__ import annotations

import atexit
import errno
import os
import secrets
import sys
import threading
import webbrowser
from typing import Any, Self

import numpy as np

from ...errors import StateError
from .posing import Posing
from .server import HOST, Server

FIRST_LOOK = 10.0  # [s] that a program waits at its end for the browser to fetch the page
KINDS = ("slide", "drag", "neutral", "random")


class LiveView:
    """A page served to this machine until `close`, the end of a `with` block or the end of the program.

    Args:
        page: HTML, encoded.
        policy: its content policy.
        posing: the robot that the page moves, or None for a motion.
        port: where to listen on 127.0.0.1; None takes a free port.
        browser: True opens a tab, False only prints the address; None opens one where there is a display.
        say: prints a line; None prints nothing.

    Attributes:
        address: of the page, with its token.
        inline: whether it is shown below a cell of a notebook.

    Raises:
        StateError: the port is in use, or cannot be used.
    """

    def __init__(
        self,
        page: bytes,
        policy: str,
        posing: Posing | None = None,
        *,
        port: int | None = None,
        browser: bool | None = None,
        say: Any = print,
    ) -> None:
        self._posing, self._lock = posing, threading.Lock()
        token = secrets.token_urlsafe(16)
        kinds = KINDS if posing is not None else ()
        self._server = _listen(page, policy, token, kinds, self._answer, _port(port))
        self.address = f"http://{HOST}:{self._server.server_address[1]}/{token}/"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.1,), name="lissom view", daemon=True)
        self._thread.start()
        atexit.register(self.close)
        if posing is not None:
            threading.Thread(target=self._prepare, name="lissom view, first drag", daemon=True).start()
        opened = _has_display() if browser is None else browser
        if say is not None:
            say(f"{'shown' if opened else 'open'} at {self.address} (this machine only)")
        if opened:
            self._opened = webbrowser.open(self.address)
        if opened and self._opened:
            atexit.register(self._wait_for_browser)  # runs before `close`: the last one registered is the first

    _opened = False
    inline = False  # shown below a cell of a notebook

    def __repr__(self) -> str:
        return f"<LiveView {'at ' + self.address if self._thread.is_alive() else 'closed'}>"

    def _ipython_display_(self) -> None:
        """Show nothing where the view is already below the cell: an address would be dead in pages made of the notebook."""
        if not self.inline:
            raise NotImplementedError  # IPython then shows the usual text

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @property
    def q(self) -> np.ndarray:
        """Coordinates (nq,) of the pose that was set last, by a slider, a drag or a button of any page.

        Raises:
            StateError: the page shows a motion.
        """
        if self._posing is None:
            raise StateError("this view shows a motion, whose coordinates are those of the trajectory")
        with self._lock:
            return self._posing.q.copy()

    def wait(self) -> None:
        """Wait until `close` is called from another thread, or for Ctrl-C, which raises KeyboardInterrupt."""
        while self._thread.is_alive():
            self._thread.join(0.2)  # without a limit, Ctrl-C would have to wait on Windows

    def close(self) -> None:
        """Stop serving; pages that are open keep what they show. A second call does nothing."""
        if self._thread.is_alive():
            self._server.end()
            self._thread.join()
            self._server.seen.set()  # nobody has to wait for it
            with self._lock:  # an answer under way may be compiling, which the end of the program must not cut off
                pass
        atexit.unregister(self.close)
        atexit.unregister(self._wait_for_browser)

    def _answer(self, kind: str, data: Any) -> dict[str, Any]:
        assert self._posing is not None
        with self._lock:
            if not self._thread.is_alive():
                raise StateError("the view was closed")
            return self._posing.answer(kind, data)

    def _prepare(self) -> None:
        """Make the first drag quick, once the page has been fetched."""
        self._server.seen.wait()
        with self._lock:
            if self._posing is not None and self._thread.is_alive():
                self._posing.prepare()

    def _wait_for_browser(self) -> None:
        """Let a script that ends at once be seen: its page needs no server once it is fetched, but for sliders."""
        if self._thread.is_alive():
            self._server.seen.wait(FIRST_LOOK)


def _listen(page: bytes, policy: str, token: str, kinds: tuple[str, ...], answer: Any, port: int) -> Server:
    try:
        return Server(page, policy, token, kinds, answer, port)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            text = f"port {port} of {HOST} is in use by another program; give another port, or none for a free one"
        else:
            text = f"cannot listen on port {port} of {HOST}: {(error.strerror or str(error)).lower()}"
        raise StateError(text) from None


def _port(port: int | None) -> int:
    if port is None:
        return 0
    if isinstance(port, bool) or not isinstance(port, int) or not 1 <= port <= 65535:
        raise StateError(f"port must be a whole number from 1 to 65535, or None for a free one, got {port!r}")
    return port


def _has_display() -> bool:
    """Return whether a browser's window can be seen; BROWSER is set by editors that know a way to it."""
    if sys.platform in ("win32", "darwin") or os.environ.get("BROWSER"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
