"""The catalogue that a command or a server answers from: found, loaded, and reloaded when its folder changes."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

from rules.load import read_folder
from rules.model import Catalog, Problem

Stamp = tuple[tuple[str, int, int], ...]


def packaged_folder() -> Path:
    """The knowledge that comes with the program; it lies beside the package ``bot``, in a checkout and in a wheel."""
    return Path(__file__).resolve().parent.parent / "knowledge"


def load(
    knowledge: Path | None = None, overlays: Sequence[Path] = (), *, check_clauses: bool = False
) -> tuple[Catalog, tuple[Problem, ...]]:
    """The catalogue of a knowledge folder (None: the packaged one) with its overlays, and everything wrong with it."""
    packaged = packaged_folder()
    return read_folder(
        packaged if knowledge is None else knowledge,
        packaged=None if knowledge is None else packaged,
        overlays=overlays,
        check_clauses=check_clauses,
    )


def errors(problems: Sequence[Problem]) -> list[Problem]:
    """The problems that make a catalogue unfit to answer from; the others are warnings."""
    return [problem for problem in problems if problem.level == "error"]


class Reloader:
    """The current catalogue of a folder that people edit while a server runs.

    ``catalog`` is always the last one without errors; ``problems`` are those of the last look. One thread at a time
    looks, the others go on with what there is.
    """

    def __init__(self, knowledge: Path | None = None, overlays: Sequence[Path] = ()) -> None:
        self._knowledge = knowledge
        self._overlays = tuple(overlays)
        self._lock = threading.Lock()
        self._stamp = stamp_of(self._folders())
        self.catalog, self.problems = load(knowledge, overlays)

    def refresh(self) -> bool:
        """Load again if a file changed; True when the catalogue was swapped. A folder with errors changes nothing."""
        if not self._lock.acquire(blocking=False):
            return False
        try:
            stamp = stamp_of(self._folders())
            if stamp == self._stamp:
                return False
            catalog, problems = load(self._knowledge, self._overlays)
            self._stamp, self.problems = stamp, problems
            if errors(problems):
                return False
            self.catalog = catalog
            return True
        finally:
            self._lock.release()

    def _folders(self) -> list[Path]:
        own = [] if self._knowledge is None else [self._knowledge]
        return [packaged_folder(), *own, *self._overlays]


def stamp_of(folders: Sequence[Path]) -> Stamp:
    """Name, size and time of change of every file in the folders: equal when nothing was touched."""
    return tuple(row for folder in folders for row in sorted(_rows(folder)))


def _rows(folder: Path) -> Iterator[tuple[str, int, int]]:
    for root, _folders, files in os.walk(folder):
        for name in files:
            path = Path(root) / name
            try:
                info = path.stat()
            except OSError:
                continue  # gone between listing and looking: the next look sees it
            yield str(path), info.st_size, info.st_mtime_ns
