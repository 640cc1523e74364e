"""Names of processes, from which another process on the same machine sees at once that one of them is gone."""

from __future__ import annotations

import os
import uuid
from pathlib import Path

_PROC = Path("/proc")


def own_name() -> str:
    """A name that no other process ever has; where the system tells, it says which process of which machine it is."""
    start = _started(os.getpid())
    place = machine()
    return uuid.uuid4().hex + (f"@{place}:{os.getpid()}:{start}" if place and start else "")


def is_gone(name: str) -> bool:
    """Whether the process of that name has certainly ended; False also when nobody can know that from here."""
    place, _, process = name.partition("@")[2].partition(":")
    pid, _, start = process.partition(":")
    if not place or place != machine() or not pid.isdigit():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False  # it is there, and another user's
    now = _started(int(pid))
    return now is not None and now != start


def machine() -> str:
    """This start of this machine, and the container in it; empty where the system does not tell."""
    try:
        boot = (_PROC / "sys/kernel/random/boot_id").read_text().strip()
        return f"{boot}.{(_PROC / 'self/ns/pid').stat().st_ino}"
    except OSError:
        return ""


def _started(pid: int) -> str | None:
    """When a process began, in ticks since the start of the machine: another process may get its number later."""
    try:
        return (_PROC / str(pid) / "stat").read_text(errors="replace").rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return None
