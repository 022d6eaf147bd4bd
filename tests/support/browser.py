"""A headless Chromium, driven through chromedriver by WebDriver's own JSON: opens pages from disk with the network off.

`Browser` is a context manager. Nothing but Chromium and chromedriver (Debian: chromium, chromium-driver) has to be installed.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import re
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

FLAGS = (
    "--headless=new",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--use-angle=swiftshader",  # WebGL in software: machines that test have no graphics card
    "--enable-unsafe-swiftshader",
    "--hide-scrollbars",
    "--proxy-server=127.0.0.1:9",  # nothing listens there: the network is off
)


def missing() -> str | None:
    """Return what tests in a browser lack here, or None."""
    lacks = [name for name in ("chromium", "chromedriver") if not shutil.which(name)]
    return f"{' and '.join(lacks)} not found: tests in a browser are skipped" if lacks else None


class Browser:
    """One window of a browser with a profile of its own."""

    def __init__(self, width: int = 1000, height: int = 700) -> None:
        """Start it, and wait until it answers."""
        self.folder = tempfile.TemporaryDirectory(prefix="lissom-browser-", ignore_cleanup_errors=True)
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.address = f"http://127.0.0.1:{self._port()}/session"
        arguments = [*FLAGS, f"--user-data-dir={self.folder.name}", f"--window-size={width},{height}"]
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            arguments.append("--no-sandbox")
        options = {"args": arguments, "binary": shutil.which("chromium")}
        wanted = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}
        made = self._send("POST", "", {"capabilities": {"alwaysMatch": wanted}})
        self.address += f"/{made['sessionId']}"

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError, RuntimeError):
            self._send("DELETE", "")
        self.driver.terminate()
        try:
            self.driver.wait(20)
        except subprocess.TimeoutExpired:  # a machine with much other work
            self.driver.kill()
            self.driver.wait()
        self.driver.stdout.close()
        self.folder.cleanup()

    def open(self, page: Path) -> None:
        """Open a page from disk."""
        self.visit(Path(page).resolve().as_uri())

    def visit(self, address: str) -> None:
        """Open an address of this machine."""
        self._send("POST", "/url", {"url": address})

    def run(self, script: str, *values: Any) -> Any:
        """Return what a script returns; `arguments` in it are the values."""
        return self._send("POST", "/execute/sync", {"script": script, "args": list(values)})

    def wait(self, condition: str, seconds: float = 10.0) -> Any:
        """Return the value of an expression as soon as it is true."""
        end = time.monotonic() + seconds
        while not (value := self.run(f"return {condition}")):
            if time.monotonic() > end:
                raise TimeoutError(f"{condition} stayed false for {seconds} s")
            time.sleep(0.02)
        return value

    def command(self, name: str, **values: Any) -> Any:
        """Send a command of the DevTools protocol."""
        return self._send("POST", "/goog/cdp/execute", {"cmd": name, "params": values})

    def mouse(self, kind: str, x: float, y: float, **more: Any) -> None:
        """Move or press the mouse, at pixels of the window: kind "mouseMoved", "mousePressed", "mouseReleased"."""
        self.command("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def picture(self, path: Path | None = None) -> bytes:
        """Return the window as PNG."""
        data = base64.b64decode(self._send("GET", "/screenshot"))
        if path is not None:
            Path(path).write_bytes(data)
        return data

    def console(self) -> list[str]:
        """Return what the console says since the last call."""
        return [f"{entry['level']}: {entry['message']}" for entry in self._send("POST", "/se/log", {"type": "browser"})]

    def requests(self) -> list[str]:
        """Return the addresses that were asked for since the last call."""
        events = (json.loads(entry["message"])["message"] for entry in self._send("POST", "/se/log", {"type": "performance"}))
        return [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]

    def _port(self) -> int:
        for line in self.driver.stdout:
            if found := re.search(r"started successfully on port (\d+)", line):
                return int(found[1])
        raise RuntimeError("chromedriver does not start")

    def _send(self, method: str, path: str, data: Any = None) -> Any:
        body = None if data is None else json.dumps(data).encode()
        request = urllib.request.Request(self.address + path, body, {"Content-Type": "application/json"}, method=method)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # this machine needs no proxy
        try:
            with opener.open(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from None
