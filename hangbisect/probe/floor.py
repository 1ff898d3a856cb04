"""The floor: where faulthandler writes if the process is ended by a signal that says so."""

import os

from . import mapping, wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .ring import Ring

_LOWEST = 1000


class Floor:
    """Keeps faulthandler pointed at a file of this process, unless the program uses it itself."""

    __slots__ = ("_descriptor", "_folder", "_identity")

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._descriptor: "int | None" = None
        self._identity = (0, 0)

    def lay(self, ring: "Ring") -> None:
        """Enable faulthandler, unless the program or its variables did; say so if we cannot."""
        import faulthandler

        if faulthandler.is_enabled() and not self._is_ours():
            return
        try:
            descriptor = self._open(ring.pid, ring.began)
        except OSError as error:
            why = "no dump at a fatal signal: " + (error.strerror or "no descriptor")
            ring.event(wire.NOTE, why, "", 0, ring.pid)
            return
        faulthandler.enable(file=descriptor, all_threads=True)

    def _open(self, pid: int, began: int) -> int:
        """Open the dump's file at a high number, where no program expects or makes one."""
        path = os.path.join(self._folder, wire.dump_name(pid, began))
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_EXCL
        low = os.open(path, flags, 0o600)
        try:
            high = self._descriptor if self._is_ours() and self._descriptor else _free()
            os.dup2(low, high, inheritable=False)
            self._identity = mapping.identity(low)
        finally:
            os.close(low)
        self._descriptor = high
        return high

    def _is_ours(self) -> bool:
        """Tell whether our number still is our file (the program may have closed and reused it)."""
        if self._descriptor is None:
            return False
        try:
            return mapping.identity(self._descriptor) == self._identity
        except OSError:
            return False


def _free() -> int:
    """Find a free descriptor number, from 1000 on."""
    for number in range(_LOWEST, _LOWEST + 64):
        try:
            os.fstat(number)
        except OSError:
            return number
    return _LOWEST + 64
