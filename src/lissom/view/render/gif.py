"""GIF films, written picture by picture: only two are in memory.

All pictures share 255 colors, and each stores only what differs from the one before it. Pillow finds the colors and compresses;
saving a film with it would keep all pictures until the end.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Sequence
from typing import IO

import numpy as np

COLORS, SAME = 255, 255  # the last index of the palette is a pixel that stays as it was
LONGEST = 65_535  # hundredths of a second that one picture may stay
KEEP = 4  # leave a picture in place below the next one; with 1: index SAME is transparent


class Gif:
    """A GIF that repeats forever.

    Args:
        file: open for writing.
        size: width and height in pixels.
        examples: pictures (height, width, 3) of any size that show all colors of the film.
    """

    def __init__(self, file: IO[bytes], size: tuple[int, int], examples: Sequence[np.ndarray]) -> None:
        from PIL import Image

        self.file, self.before = file, np.empty((0, 0), np.uint8)
        together = Image.fromarray(np.concatenate([example.reshape(-1, 1, 3) for example in examples]).reshape(1, -1, 3))
        colors = (together.quantize(COLORS, dither=Image.Dither.NONE).getpalette() or [])[: 3 * COLORS]
        # a palette may have fewer colors: the last is repeated, so that none appears that is in no picture
        self.palette = bytes((colors + colors[-3:] * COLORS)[: 3 * COLORS]) + bytes(3)
        self.chooser = Image.new("P", (1, 1))
        self.chooser.putpalette(self.palette[: 3 * COLORS])
        file.write(b"GIF89a" + struct.pack("<HHBBB", *size, 0xF7, 0, 0) + self.palette)
        file.write(b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00")

    def add(self, picture: np.ndarray, ticks: int) -> None:
        """Add a picture (height, width, 3) that stays for some hundredths of a second."""
        from PIL import Image

        found = np.asarray(Image.fromarray(picture).quantize(palette=self.chooser, dither=Image.Dither.NONE))
        found = np.minimum(found, COLORS - 1)
        top = left = 0
        part = found
        if self.before.size:
            differs = found != self.before
            rows, columns = np.flatnonzero(differs.any(axis=1)), np.flatnonzero(differs.any(axis=0))
            if len(rows):
                (top, bottom), (left, right) = rows[[0, -1]], columns[[0, -1]]
            else:
                bottom = right = 0
            place = np.s_[top : bottom + 1, left : right + 1]
            part = np.where(differs[place], found[place], np.uint8(SAME))
        self.before = found
        height, width = part.shape
        self.file.write(struct.pack("<BBBBHBB", 0x21, 0xF9, 4, KEEP + 1, min(ticks, LONGEST), SAME, 0))
        self.file.write(struct.pack("<BHHHHB", 0x2C, left, top, width, height, 0) + _compressed(part))

    def close(self) -> None:
        """End the film."""
        self.file.write(b"\x3b")


def _compressed(indices: np.ndarray) -> bytes:
    """Return the compressed data of a picture (height, width) of bytes, cut from a GIF that Pillow makes of it."""
    from PIL import Image

    single = Image.frombytes("P", indices.shape[::-1], indices.tobytes())
    single.putpalette([value for index in range(256) for value in (index, index, index)])
    buffer = io.BytesIO()
    single.save(buffer, "GIF", optimize=False, interlace=False)
    data = buffer.getvalue()
    at = 13 + _table(data[10])
    while data[at] == 0x21:  # an extension: its blocks end with one of length 0
        at += 2
        while data[at]:
            at += data[at] + 1
        at += 1
    return data[at + 10 + _table(data[at + 9]) : -1]


def _table(flags: int) -> int:
    """Return the bytes of the color table that flags announce."""
    return 3 << ((flags & 7) + 1) if flags & 0x80 else 0
