"""Looking at processes through /proc."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path


def table() -> dict[int, tuple[int, str]]:
    found = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text(errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        found[int(path.parent.name)] = int(fields[1]), fields[0]
    return found


def below(pid: int) -> list[int]:
    """All living descendants of a process."""
    rows = table()
    found, todo = [], [pid]
    while todo:
        parent = todo.pop()
        mine = [one for one, (its, state) in rows.items() if its == parent and state not in "ZX"]
        found += mine
        todo += mine
    return found


def name_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def marked(run: str) -> list[int]:
    """Living processes that carry the id of a run."""
    return carrying(f"GPU_BOT_RUN={run}")


def carrying(setting: str) -> list[int]:
    """Living processes with that in their environment."""
    found = []
    for pid, (_, state) in table().items():
        try:
            environ = Path(f"/proc/{pid}/environ").read_bytes()
        except OSError:
            continue
        if setting.encode() in environ.split(b"\0") and state not in "ZX":
            found.append(pid)
    return found


def kill(pid: int, number: int) -> None:
    with contextlib.suppress(OSError):
        os.kill(pid, number)
