"""The catalogue that a command or a server answers from: found, loaded, and reloaded when its folder changes."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

from rules.load import read_folder
from rules.model import Catalog, Problem

Loaded = tuple[Catalog, tuple[Problem, ...]]
Stamp = tuple[tuple[str, int, int], ...]

READ_FOLDERS = ("", "providers", "guidance", "guidance/scenarios", "guidance/topics")


def packaged_folder() -> Path:
    """The knowledge that comes with the program; it lies beside the package ``bot``, in a checkout and in a wheel."""
    return Path(__file__).resolve().parent.parent / "knowledge"


def load(
    knowledge: Path | None = None,
    overlays: Sequence[Path] = (),
    *,
    check_clauses: bool = False,
) -> Loaded:
    """The catalogue of a knowledge folder (None: the packaged one) with its overlays, and everything wrong with it."""
    packaged = packaged_folder()
    folder = packaged if knowledge is None else knowledge
    return read_folder(folder, packaged=packaged, overlays=overlays, check_clauses=check_clauses)


def errors(problems: Sequence[Problem]) -> list[Problem]:
    """The problems that make a catalogue unfit to answer from; the others are warnings."""
    return [problem for problem in problems if problem.level == "error"]


# ---------------------------------------------------------------- while a server runs


class Reloader:
    """The current catalogue of a folder that people edit while a server runs.

    ``catalog`` is the last one without errors (the first one whatever it was), ``problems`` are those of the last
    look. One thread at a time looks; the others go on with what there is.
    """

    def __init__(self, knowledge: Path | None = None, overlays: Sequence[Path] = ()) -> None:
        self._knowledge = knowledge
        self._overlays = tuple(overlays)
        self._lock = threading.Lock()
        self._stamp = self._look()
        self.catalog, self.problems = load(knowledge, overlays)
        keep_out_of_collection()

    def refresh(self) -> bool:
        """Load again if a file changed; True when the catalogue was swapped. A folder with errors changes nothing."""
        if not self._lock.acquire(blocking=False):
            return False
        try:
            stamp = self._look()
            if stamp == self._stamp:
                return False
            self._stamp = stamp
            catalog, self.problems = load(self._knowledge, self._overlays)
            if errors(self.problems):
                return False
            self.catalog = catalog
            keep_out_of_collection()
            return True
        finally:
            self._lock.release()

    def _look(self) -> Stamp:
        own = [] if self._knowledge is None else [self._knowledge]
        return stamp_of([packaged_folder(), *own, *self._overlays])


def keep_out_of_collection() -> None:
    """Spare the garbage collector the catalogue, which lives long: going through it holds an answer up for 20 ms."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def stamp_of(folders: Sequence[Path]) -> Stamp:
    """Name, size and time of change of every file that reading would look at: equal when nothing was touched."""
    found = []
    for path in _files(folders):
        try:
            info = path.stat()
        except OSError:
            continue  # gone between listing and looking: the next look sees it
        found.append((str(path), info.st_size, info.st_mtime_ns))
    return tuple(found)


def _files(folders: Sequence[Path]) -> Iterator[Path]:
    """The files at the places of a knowledge folder, whatever else the folder holds."""
    for folder in folders:
        for sub in READ_FOLDERS:
            try:
                yield from sorted(path for path in (folder / sub).iterdir() if path.is_file())
            except OSError:
                continue  # most have no `guidance/topics`; a folder that is missing altogether is said by the reading
