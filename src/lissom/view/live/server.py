"""The server of a live view: one page and a few questions about one robot, for this machine alone.

It listens on 127.0.0.1. Other users of this machine, and pages of other sites in the same browser, are kept out: addresses
begin with a random token, the header Host has to name this machine (a site that points its own name here is refused), and
questions have to come from the page itself (Origin) as JSON, in one piece of limited size. No file is read for a request.
"""

from __future__ import annotations

import hmac
import json
import math
import socket
import sys
import threading
from collections.abc import Callable, Mapping
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from ...errors import LissomError

HOST = "127.0.0.1"
NAMES = (HOST, "localhost")  # with any port: it may be forwarded from another machine
LARGEST = 1 << 16  # bytes of a question
IDLE = 60.0  # [s] after which a silent connection is closed
MANY = 32  # connections at once
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
}

Answer = Callable[[str, Mapping[str, Any]], dict[str, Any]]


class Server(ThreadingHTTPServer):
    """Serves `page` below the token, and `answer(kind, data)` for questions of the given kinds.

    Args:
        page: HTML, encoded.
        policy: its content policy.
        token: first part of all addresses.
        kinds: names of the questions.
        answer: gives the answers; a LissomError becomes {"error": text}.
        port: 0 for a free one.
    """

    daemon_threads = True
    block_on_close = False
    request_queue_size = 2 * MANY
    allow_reuse_address = sys.platform != "win32"  # there, two programs could share the port

    def __init__(
        self, page: bytes, policy: str, token: str, kinds: tuple[str, ...] = (), answer: Answer | None = None, port: int = 0
    ) -> None:
        self.page, self.policy, self.token, self.kinds, self.answer = page, policy, token, kinds, answer
        self.seen = threading.Event()  # the page has been fetched
        self._lock, self._open = threading.Lock(), set[socket.socket]()
        super().__init__((HOST, port), _Requests)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Handle a connection in a thread; more than a few dozen at once are refused."""
        with self._lock:
            crowded = len(self._open) >= MANY
            if not crowded:
                self._open.add(request)
        if crowded:
            super().shutdown_request(request)
        else:
            super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        """Close a connection."""
        with self._lock:
            self._open.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of connections that break off, as closed tabs do."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)

    def end(self) -> None:
        """Stop serving and close all connections."""
        self.shutdown()
        self.server_close()
        with self._lock:
            left = list(self._open)
        for connection in left:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:  # closed already
                continue


class _Requests(BaseHTTPRequestHandler):
    """One connection."""

    server: Server
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "lissom", ""
    wbufsize, disable_nagle_algorithm = -1, True  # headers and data in one piece, at once
    timeout = IDLE

    def do_GET(self) -> None:
        """Send the page."""
        if self.path == "/favicon.ico":  # browsers ask for it by themselves, and complain where it is refused
            self._send(HTTPStatus.NO_CONTENT, b"")
            return
        if self._refused():
            return
        if self._path() != "":
            self._send(HTTPStatus.NOT_FOUND, {"error": "nothing here"})
            return
        self._send(HTTPStatus.OK, self.server.page, "text/html; charset=utf-8")
        self.server.seen.set()

    def do_POST(self) -> None:
        """Answer a question."""
        if self._refused() or (data := self._data()) is None:
            return
        kind = self._path()
        if kind not in self.server.kinds or self.server.answer is None:
            self._send(HTTPStatus.NOT_FOUND, {"error": "nothing here"})
            return
        try:
            found = self.server.answer(kind, data)
        except LissomError as error:
            self._send(HTTPStatus.BAD_REQUEST, {"error": str(error)})
        except Exception as error:  # a page that waits forever would be worse
            self._send(HTTPStatus.INTERNAL_SERVER_ERROR, {"error": f"an error inside lissom: {type(error).__name__}: {error}"})
            raise
        else:
            self._send(HTTPStatus.OK, found)

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing."""

    def _path(self) -> str | None:
        """Return the rest of the path behind the token, or None where that is missing or wrong."""
        parts = self.path.split("?")[0].split("/")
        if len(parts) != 3 or not hmac.compare_digest(parts[1].encode(), self.server.token.encode()):
            return None
        return parts[2]

    def _refused(self) -> bool:
        """Answer requests that do not come from this machine's browser by the address given to it."""
        host = self.headers.get("Host", "")
        if _name(f"//{host}") not in NAMES:
            self._send(HTTPStatus.MISDIRECTED_REQUEST, {"error": f"this server is {HOST} only"}, last=True)
            return True
        origin, site = self.headers.get("Origin"), self.headers.get("Sec-Fetch-Site", "same-origin")
        foreign = self.command == "POST" and (origin != f"http://{host}" or site != "same-origin")
        if foreign or self._path() is None:
            self._send(HTTPStatus.FORBIDDEN, {"error": "open the address that lissom printed, token included"}, last=True)
            return True
        return False

    def _data(self) -> dict[str, Any] | None:
        """Return the data of a question; None where it was refused."""
        length, kind = self.headers.get("Content-Length", ""), self.headers.get("Content-Type", "")
        if not length.isascii() or not length.isdigit() or "Transfer-Encoding" in self.headers:
            self._send(HTTPStatus.LENGTH_REQUIRED, {"error": "the length of the data is missing"}, last=True)
            return None
        if len(length) > 9 or int(length) > LARGEST:
            self._send(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, {"error": f"more than {LARGEST} bytes"}, last=True)
            return None
        if kind.split(";")[0].strip().lower() != "application/json":
            self._send(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, {"error": "expected application/json"}, last=True)
            return None
        try:
            data = json.loads(self.rfile.read(int(length)).decode(), parse_constant=_no_number)
        except (ValueError, RecursionError):
            data = None
        if not isinstance(data, dict):
            self._send(HTTPStatus.BAD_REQUEST, {"error": "expected a JSON object, with finite numbers"})
            return None
        return data

    def _send(
        self, status: HTTPStatus, content: bytes | dict[str, Any], kind: str = "application/json", last: bool = False
    ) -> None:
        """Send an answer in one piece; `last` closes the connection, as after data that were not read."""
        body = content if isinstance(content, bytes) else json.dumps(_plain(content)).encode()
        policy = self.server.policy if isinstance(content, bytes) else "default-src 'none'; frame-ancestors 'none'"
        headers = {"Content-Type": kind, "Content-Length": str(len(body)), "Content-Security-Policy": policy, **HEADERS}
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if last:
            self.send_header("Connection", "close")
            self.close_connection = True
        self.end_headers()
        self.wfile.write(body)


def _name(address: str) -> str | None:
    """Return the host of an address, or None where it has none that can be read."""
    try:
        found = urlsplit(address)
        found.port  # noqa: B018 - raises where it is not a number
    except ValueError:
        return None
    return found.hostname if found.username is None and not found.path else None


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is not finite")


def _plain(content: Any) -> Any:
    """Return content that JSON can write: numbers that are not finite become None."""
    if isinstance(content, float) and not math.isfinite(content):
        return None
    if isinstance(content, dict):
        return {key: _plain(value) for key, value in content.items()}
    return [_plain(value) for value in content] if isinstance(content, list | tuple) else content
