"""The project's own text files: those that git knows, or all but what was built."""

import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
BUILT = frozenset({".git", ".venv", "build", "dist", "__pycache__", ".hypothesis"})


def tracked() -> list[Path]:
    """Return the files that belong to the project."""
    git = shutil.which("git")
    if git is not None and (ROOT / ".git").exists():
        listed = subprocess.run(
            [git, "-c", f"safe.directory={ROOT}", "ls-files", "-z"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=20,
            check=True,
        )
        found = [ROOT / name for name in listed.stdout.split("\0") if name]
    else:
        found = [path for path in ROOT.rglob("*") if not BUILT & set(path.parts)]
    return sorted(path for path in found if path.is_file() and not path.is_symlink())


def texts() -> dict[str, str]:
    """Return the text of each file that is text, by its path in the project."""
    contents = {}
    for path in tracked():
        try:
            contents[path.relative_to(ROOT).as_posix()] = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # not text: a saved ring, an image
    return contents
