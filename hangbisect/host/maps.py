"""What is mapped where in a process: /proc/PID/maps, and the true extent of each loaded file.

The zero-initialised data of a library lies behind its file's mappings and is anonymous. Its end is
read from the program headers in the process's own memory: the kernel may merge it with a neighbour.
"""

import bisect
import struct
from collections.abc import Callable, Iterator
from os.path import basename

from hangbisect.model._struct import Data

Read = Callable[[int, int], bytes]
"""Reads (address, size) of a process's memory; b"" if that cannot be read."""

_PT_LOAD = 1
_HEADER = struct.Struct("<16sHHIQQQIHHH")
_SEGMENT = struct.Struct("<IIQQQQQQ")
_PAGE = 4096


class Mapping(Data, frozen=True, kw_only=True):
    """A line of maps."""

    start: int
    end: int
    rights: str
    """For example "rw-p": the last letter tells private from shared."""
    offset: int
    path: str
    """As the kernel writes it: a file, "[heap]", "[anon:...]" or ""."""


class Image(Data, frozen=True, kw_only=True):
    """A loaded file, from its first byte to the end of its zero-initialised data."""

    path: str
    start: int
    end: int


class Maps(Data, frozen=True, kw_only=True):
    """All mappings, ascending, and the files that are loaded to be run."""

    mappings: tuple[Mapping, ...] = ()
    images: tuple[Image, ...] = ()

    def at(self, address: int) -> Mapping | None:
        """Find the mapping that an address lies in."""
        index = bisect.bisect_right(self.mappings, address, key=lambda each: each.start) - 1
        found = index >= 0 and address < self.mappings[index].end
        return self.mappings[index] if found else None

    def image_at(self, address: int) -> Image | None:
        """Find the loaded file whose code or data an address belongs to."""
        index = bisect.bisect_right(self.images, address, key=lambda each: each.start) - 1
        found = index >= 0 and address < self.images[index].end
        return self.images[index] if found else None


def parse_maps(text: str) -> tuple[Mapping, ...]:
    """Parse the lines of maps; torn lines are left out."""
    return tuple(_mappings(text))


def load_maps(text: str, read: Read) -> Maps:
    """Parse maps, and find the extents of all loaded files in memory."""
    mappings = parse_maps(text)
    return Maps(mappings=mappings, images=tuple(_images(mappings, read)))


def file_of(path: str) -> str:
    """Take the mark of a deleted file off a path."""
    return path.removesuffix(" (deleted)")


def name_of(path: str) -> str:
    """Give the bare name of a mapped file."""
    return basename(file_of(path))


def _mappings(text: str) -> Iterator[Mapping]:
    for line in text.splitlines():
        fields = line.split(None, 5)
        if len(fields) < 5:
            continue
        start, _, end = fields[0].partition("-")
        yield Mapping(
            start=int(start, 16),
            end=int(end, 16),
            rights=fields[1],
            offset=int(fields[2], 16),
            path=fields[5] if len(fields) > 5 else "",
        )


def _images(mappings: tuple[Mapping, ...], read: Read) -> Iterator[Image]:
    run = {mapping.path for mapping in mappings if "x" in mapping.rights}
    last: Image | None = None
    for mapping in mappings:
        if not mapping.path.startswith("/") or mapping.path not in run:
            continue
        begins = mapping.offset == 0 and (last is None or mapping.start >= last.end)
        if begins or last is None or last.path != mapping.path:
            if last is not None:
                yield last
            size = _extent(mapping.start, read) if mapping.offset == 0 else 0
            end = max(mapping.end, mapping.start + size)
            last = Image(path=mapping.path, start=mapping.start, end=end)
        elif mapping.end > last.end:
            last = Image(path=last.path, start=last.start, end=mapping.end)
    if last is not None:
        yield last


def _extent(start: int, read: Read) -> int:
    """Read how much memory a loaded ELF file takes, 0 if that cannot be read."""
    header = read(start, _HEADER.size)
    if len(header) < _HEADER.size or header[:5] != b"\x7fELF\x02":
        return 0
    _, _, _, _, _, offset, _, _, _, size, count = _HEADER.unpack(header)
    table = read(start + offset, size * count)
    if size != _SEGMENT.size or len(table) < size * count:
        return 0
    segments = [each for each in _SEGMENT.iter_unpack(table) if each[0] == _PT_LOAD]
    if not segments:
        return 0
    first = min(segment[3] for segment in segments) // _PAGE * _PAGE
    last = max(segment[3] + segment[6] for segment in segments)
    return int(last - first)
