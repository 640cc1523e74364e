"""One test at a time has this machine as its GPU host: the lock of a host is the machine's, and so is its CPU."""

from __future__ import annotations

import contextlib
import fcntl
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def whole_host() -> Iterator[None]:
    """Wait until no other test process measures here."""
    with (Path(tempfile.gettempdir()) / f"gpu-bot-tests-host-{os.getuid()}").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
