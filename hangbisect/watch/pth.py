"""The line of a `.pth` file: it runs as "<string>", and only site's own frame names the file."""

from collections.abc import Iterator, Mapping, Sequence

from hangbisect.model import Frame

READ = 32
"""Lines of a `.pth` file that are looked at: one that runs code has a few."""


def pth_of(frames: Sequence[Frame], i: int) -> str:
    """Return the `.pth` file that a frame's code stands in, "" if in none."""
    if frames[i].file != "<string>" or not i or frames[i - 1].function != "addpackage":
        return ""
    named = (v.text for v in frames[i - 1].locals if v.name == "fullname" and v.text)
    return next(named, "")


def pth_lines(frames: Sequence[Frame]) -> Iterator[tuple[str, int]]:
    """Name the lines of a `.pth` file among which one runs."""
    for i in range(len(frames)):
        if file := pth_of(frames, i):
            yield from ((file, line) for line in range(1, READ + 1))


def pth_line(file: str, name: str, texts: Mapping[tuple[str, int], str]) -> tuple[int, str]:
    """Return the line that runs, with its text: one that imports `name`, else the first import.

    No frame tells its number. site runs the lines that begin with "import", whatever follows.
    """
    lines = [(n, texts.get((file, n), "")) for n in range(1, READ + 1)]
    running = [(n, text) for n, text in lines if text.startswith(("import ", "import\t"))]
    naming = [(n, text) for n, text in running if name and name in text]
    return next(iter([*naming, *running]), (1, ""))
