"""What a process has in progress: from its record's head and its threads' live stacks."""

from collections.abc import Iterator

from hangbisect.model import Flight, Span
from hangbisect.model.flight import EntryEnd, SpanKind, TextTo
from hangbisect.probe import wire
from hangbisect.record._file import File, Raw
from hangbisect.record._read import opened, read, word

_TEXT_TO: dict[int, TextTo] = {
    wire.TO_STREAM: "stream",
    wire.TO_CLOSED: "closed",
    wire.TO_NULL: "null",
    wire.TO_DELETED: "deleted",
    wire.TO_HOOK: "hook",
}
_ENTRY_END: dict[int, EntryEnd] = {
    wire.RETURNED: "returned",
    wire.LEFT: "left",
    wire.LEFT_ROUGHLY: "left",
}
_KINDS: dict[int, SpanKind] = {wire.IMPORT: "import", wire.CREATE: "create", wire.EXEC: "exec"}


def flight(file: File) -> Flight:
    """Give all that is known of a process, as of now."""
    try:
        with opened(file.path) as descriptor:
            head = read(descriptor, 0, wire.RING)
            slots = _slots(descriptor, file.geometry)
    except OSError:
        head, slots = bytes(wire.RING), []
    length = min(word(head, wire.START_LENGTH), wire.START_SIZE)
    pairs = wire.decode_start(head[wire.START : wire.START + length])
    single = dict(pairs)
    variables = [value.partition("=") for key, value in pairs if key == "env"]
    overflow = word(head, wire.LOST_STRINGS) + word(head, wire.LOST_THREADS)
    return Flight(
        pid=file.pid,
        parent=file.parent,
        began=file.began / 1e9,
        argv=tuple(value for key, value in pairs if key == "argv"),
        cwd=single.get("cwd", ""),
        executable=single.get("executable", ""),
        version=single.get("version", ""),
        implementation=single.get("implementation", "cpython"),
        environment=tuple((name, value) for name, _, value in variables),
        open=tuple(span for slot in slots for span in _open_spans(file, slot)),
        last=file.last,
        entry=_entry(file, head),
        exception=file.text(word(head, wire.EXCEPTION)),
        thrown=file.thrown,
        text_to=_TEXT_TO.get(word(head, wire.TEXT_TO), ""),
        finished=bool(word(head, wire.FINISHED)),
        entry_end=_ENTRY_END.get(word(head, wire.ENTRY_END), ""),
        entry_exact=word(head, wire.ENTRY_END) == wire.LEFT,
        entry_line=word(head, wire.ENTRY_LINE),
        left_import=file.left_import,
        left=file.left,
        becomes=_becomes(file, head),
        events=file.number,
        lost=max(0, file.number - file.geometry.events) + overflow,
        notes=(*(value for key, value in pairs if key == "note"), *file.notes),
    )


def _becomes(file: File, head: bytes) -> str:
    """Name what exec put in the program's place: it was asked for, and nothing came after."""
    asked = file.text(word(head, wire.BECOMES))
    return asked if asked == file.becomes and not word(head, wire.FINISHED) else ""


def _slots(descriptor: int, geometry: wire.Geometry) -> list[bytes]:
    """Read the threads' slots: each seen the same twice, or, if it keeps changing, as it is."""
    slots = []
    for number in range(min(geometry.threads, 256)):
        at = geometry.threads_at + number * geometry.slot_size
        slot = read(descriptor, at, geometry.slot_size)
        for _ in range(5):
            again = read(descriptor, at, geometry.slot_size)
            if again == slot:
                break
            slot = again
        if word(slot, wire.THREAD_TID):
            slots.append(slot)
    return slots


def _open_spans(file: File, slot: bytes) -> Iterator[Span]:
    depth = min(word(slot, wire.THREAD_DEPTH), file.geometry.depth)
    for number in range(depth):
        raw: Raw = wire.EVENT.unpack_from(slot, wire.THREAD_HEAD + number * wire.EVENT_SIZE)
        kind = _KINDS.get(raw[5])
        if kind is None:
            continue
        span = file.span(raw, kind)
        yield span
        if kind == "exec" and span.line:
            yield Span(
                kind="call",
                name="",
                file=span.file,
                line=span.line,
                tid=span.tid,
                began=span.began + raw[7] / 1e3,
            )


def _entry(file: File, head: bytes) -> Span | None:
    raw: Raw = wire.EVENT.unpack_from(head, wire.ENTRY)
    return file.span(raw, "statement") if raw[7] else None
