"""The feed offers of the GPUs that a question names: from the database, never from the network."""

from __future__ import annotations

import gc
import sqlite3
import threading
from collections.abc import Callable, Collection, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from bot.catalog import Feeds, Reader, with_feeds
from bot.feeds.moments import end_of
from bot.feeds.offers import offers
from bot.store import current
from rules.model import Catalog, Offer

if TYPE_CHECKING:
    from bot.store import Database

_PUBLIC = ""  # as in bot.store, which takes long to load
_LOCAL = "local"
_STORE_ERRORS = ("StoreError", "StoreAwayError")  # by name: they come with the database library
_MERGED = 64  # catalogues kept for questions about the same GPUs
_FOREVER = datetime.max.replace(tzinfo=UTC)


def reader(url: str, as_of: date, teams: Sequence[str] = (_PUBLIC,)) -> Reader:
    """Read what was known at the end of a day, only of the models asked for.

    ``url`` is a database's address; an SQLite file that does not exist is no source. Raises ``sqlite3.Error`` or
    ``StoreError`` when the database cannot be read.
    """
    moment = end_of(as_of)

    def read(models: Collection[str] | None) -> Feeds:
        file = sqlite_file(url)
        if file is not None:
            found = current.of_file(file, models, moment, teams)
        else:
            from bot.store import open_database

            database = open_database(url, migrate=False)
            try:
                found = current.of_database(database, models, moment, teams)
            finally:
                database.close()
        return Feeds(offers(found.rows), found.digest)

    return read


def merger(
    url: str, as_of: date, told: Callable[[str], None], teams: Sequence[str] = (_PUBLIC, _LOCAL)
) -> Callable[[Catalog, Collection[str] | None], Catalog]:
    """``with_feeds`` over a database, for ``bot.ask``; why it cannot be read goes to ``told``, and the folder alone
    answers."""
    read = reader(url, as_of, teams)

    def merge(catalog: Catalog, models: Collection[str] | None) -> Catalog:
        try:
            merged = with_feeds(catalog, models, read)
            gc.freeze()  # what answers from it need not have all its rows gone through again and again
            return merged
        except Exception as error:
            if not isinstance(error, (sqlite3.Error, OSError)) and type(error).__name__ not in _STORE_ERRORS:
                raise
            told(str(error) or type(error).__name__)
            return catalog

    return merge


def sqlite_file(url: str) -> Path | None:
    """The file of an SQLite address, None for another kind of database."""
    scheme, _, rest = url.partition(":///")
    return Path(rest.partition("?")[0]) if scheme.partition("+")[0] == "sqlite" else None


class FeedIndex:
    """The newest feed offers by model, held by a server; itself a ``Reader``.

    ``refresh`` reads a new snapshot aside and swaps it in whole, so that answers never wait for it and never see
    half of one.
    """

    def __init__(self, database: Database, teams: Sequence[str] = (_PUBLIC,)) -> None:
        self._database, self._teams = database, tuple(teams)
        self._lock = threading.Lock()
        self._held: tuple[dict[str, tuple[Offer, ...]], str | None] = ({}, None)
        self._merged: dict[tuple[int, Collection[str] | None], tuple[Catalog, Catalog, str | None]] = {}

    @property
    def digest(self) -> str | None:
        """Names all that the sources said; None when they have said nothing."""
        return self._held[1]

    def refresh(self, *, wait: bool = False) -> bool:
        """Look for a new snapshot; True when the index was rebuilt. One thread at a time looks; with ``wait`` all that
        was saved before the call is seen when it returns, without it the look of another thread has to do."""
        if not self._lock.acquire(blocking=wait):
            return False
        try:
            digest = current.of_database(self._database, (), _FOREVER, self._teams).digest
            if digest == self._held[1]:
                return False
            found = current.of_database(self._database, None, _FOREVER, self._teams)
            by_model: dict[str, list[Offer]] = {}
            for offer in offers(found.rows):
                by_model.setdefault(offer.gpu, []).append(offer)
            self._held = ({model: tuple(rows) for model, rows in by_model.items()}, found.digest)
            return True
        finally:
            self._lock.release()

    def __call__(self, models: Collection[str] | None) -> Feeds:
        by_model, digest = self._held
        wanted = sorted(by_model) if models is None else [model for model in models if model in by_model]
        return Feeds(tuple(offer for model in wanted for offer in by_model[model]), digest)

    def merged(self, catalog: Catalog, models: Collection[str] | None) -> Catalog:
        """``with_feeds``, kept while catalogue and feeds are the same, so that what follows from it is kept too."""
        key = (id(catalog), models)
        digest = self._held[1]
        kept = self._merged.get(key)
        if kept is None or kept[0] is not catalog or kept[2] != digest:
            if len(self._merged) >= _MERGED:
                self._merged.clear()
            kept = self._merged[key] = (catalog, with_feeds(catalog, models, self), digest)
        return kept[1]
