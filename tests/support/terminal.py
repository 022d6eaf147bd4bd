"""Commands on a terminal of a given width."""

import os
import struct
import sys
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src"


def on_terminal(columns, *arguments, **environment):
    """Return what `lissom` prints on a terminal of this width, which must end with status 0."""
    import fcntl
    import pty
    import termios

    child, fd = pty.fork()
    if child == 0:  # pragma: no cover
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        kept = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "NO_COLOR", "FORCE_COLOR")}
        kept |= {"PYTHONPATH": str(SOURCE), "TERM": "xterm-256color", **environment}
        os.execve(sys.executable, [sys.executable, "-m", "lissom", *arguments], kept)
    out = b""
    while True:
        try:
            piece = os.read(fd, 65536)
        except OSError:  # the terminal is closed
            break
        if not piece:
            break
        out += piece
    os.close(fd)
    assert os.waitpid(child, 0)[1] == 0
    return out.decode().replace("\r\n", "\n")
