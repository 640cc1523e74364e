"""The catalogue that a command or a server answers from: found, loaded, and reloaded when its folder changes."""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rules.model import Catalog, Problem

Loaded = tuple[Catalog, tuple[Problem, ...]]
Stamp = tuple[tuple[str, int, int], ...]

READ_FOLDERS = ("", "providers", "guidance", "guidance/scenarios", "guidance/topics")
MOST_BYTES = 8_000_000  # a larger file is refused by the reading; there is nothing to keep
KEPT = 8  # catalogues in the cache: a few folders, overlays and versions of them


def packaged_folder() -> Path:
    """The knowledge that comes with the program; it lies beside the package ``bot``, in a checkout and in a wheel."""
    return Path(__file__).resolve().parent.parent / "knowledge"


def load(
    knowledge: Path | None = None,
    overlays: Sequence[Path] = (),
    *,
    check_clauses: bool = False,
    cache: Path | None = None,
) -> Loaded:
    """The catalogue of a knowledge folder (None: the packaged one) with its overlays, and everything wrong with it.

    ``cache`` is a private folder in which a sound catalogue is kept in its read form, so that the next command does
    not read the YAML again; it may be missing, unwritable or damaged, which costs time only.
    """
    packaged = packaged_folder()
    folder = packaged if knowledge is None else knowledge
    if cache is None or check_clauses:
        return _read(folder, packaged, overlays, check_clauses)
    key = _key([packaged, folder, *overlays])
    kept = None if key is None else _kept(cache / f"catalog-{key}.pickle")
    if kept is not None:
        return kept
    loaded = _read(folder, packaged, overlays, False)
    if key is not None and not errors(loaded[1]):
        _keep(cache / f"catalog-{key}.pickle", loaded)
    return loaded


def _read(folder: Path, packaged: Path, overlays: Sequence[Path], check_clauses: bool) -> Loaded:
    from rules.load import read_folder  # a kept catalogue does without the readers

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
            return True
        finally:
            self._lock.release()

    def _look(self) -> Stamp:
        own = [] if self._knowledge is None else [self._knowledge]
        return stamp_of([packaged_folder(), *own, *self._overlays])


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


# ---------------------------------------------------------------- between two commands


def _key(folders: Sequence[Path]) -> str | None:
    """Names what a catalogue is made of: every byte of the folders and of the code that reads them."""
    digest = hashlib.sha256(sys.version.encode())
    code = sorted((Path(__file__).resolve().parent.parent / "rules").glob("*.py"))
    files = [(f"{n} {folder.name}", path) for n, folder in enumerate(folders) for path in _files([folder])]
    try:
        for name, path in [("code", path) for path in code] + files:
            if path.stat().st_size > MOST_BYTES:
                return None
            content = path.read_bytes()
            digest.update(f"{name} {path.parent.name}/{path.name} {path.is_symlink()} {len(content)} ".encode())
            digest.update(content)
    except OSError:
        return None  # what cannot be read is said by the reading
    return digest.hexdigest()[:32]


def _kept(path: Path) -> Loaded | None:
    """The catalogue in a file of the cache; None unless the file is whole and only this user could have written it."""
    import pickle

    class Unpickler(pickle.Unpickler):
        def find_class(self, module: str, name: str) -> Any:
            if module in ("rules.model", "decimal", "datetime"):
                return super().find_class(module, name)
            raise pickle.UnpicklingError(f"{module}.{name} is no part of a catalogue")

    try:
        with path.open("rb") as file:
            if not (_private(os.fstat(file.fileno())) and _private(path.parent.stat())):
                return None
            catalog, problems = Unpickler(file).load()
    except FileNotFoundError:
        return None
    except Exception:  # noqa: BLE001 - a damaged file may raise anything, and reading the YAML is always possible
        return None
    return (catalog, problems) if isinstance(catalog, Catalog) else None


def _private(info: os.stat_result) -> bool:
    return info.st_uid == os.geteuid() and not info.st_mode & 0o022


def _keep(path: Path, loaded: Loaded) -> None:
    """Write a catalogue into the cache and drop the oldest ones; a cache that cannot be written stays as it is."""
    import pickle

    temporary = path.with_suffix(f".{os.getpid()}")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            pickle.dump(loaded, file, protocol=5)
        temporary.replace(path)
        kept = sorted(path.parent.glob("catalog-*.pickle"), key=lambda old: old.stat().st_mtime_ns)
        for old in kept[:-KEPT]:
            old.unlink(missing_ok=True)
    except OSError:
        with contextlib.suppress(OSError):
            temporary.unlink()
