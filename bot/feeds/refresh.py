"""The published price lists, from the network. What cannot be reached keeps its last snapshot, with its own date."""

from __future__ import annotations

import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from bot.feeds import gpuhunt, skypilot, vast
from bot.feeds.importing import Outcome, Reader, put_all
from bot.feeds.intake import FeedError, Origin, take, unpacked
from bot.feeds.names import Names
from bot.store import PUBLIC, Database

TIMEOUT_SECONDS = 20
Get = Callable[[str], bytes]


@dataclass(frozen=True, slots=True)
class Published:
    """One price list at an address."""

    name: str
    stem: str
    read: Reader
    address: str
    version: str | None = None  # an address whose text begins with the list's day


def published() -> list[Published]:
    """Every list that ``refresh`` asks for, host by host."""
    hunted = [(name, gpuhunt.ADDRESS.format(provider=name)) for name in gpuhunt.PUBLISHED]
    return [
        *(
            Published(f"gpuhunt/{name}", name, gpuhunt.read, f"{base}/{{version}}/catalog.zip", f"{base}/version")
            for name, base in hunted
        ),
        *(
            Published(f"skypilot/{cloud}", cloud, skypilot.read, skypilot.ADDRESS.format(cloud=cloud))
            for cloud in skypilot.CLOUDS
        ),
        Published("vast/search", "search", vast.read, vast.address()),
    ]


def refresh(
    database: Database, names: Names, now: datetime, *, get: Get | None = None,
    library: Callable[[str], bytes] | None = gpuhunt.from_library, team_id: str = PUBLIC,
) -> Iterator[Outcome]:  # fmt: skip
    """Ask for every list and keep what comes; each list is an outcome. A host that is away is asked once.

    ``library`` reads the providers that gpuhunt's library asks itself; None leaves them out.
    """
    fetch, away = get or download, dict[str, FeedError]()
    for one in published():
        host = urlsplit(one.address).netloc
        if host in away:
            yield Outcome(one.name, refused=away[host])
            continue
        try:
            data, seen = _fetched(one, fetch, now)
            readings = one.read(data, Origin(one.name, one.stem, seen), names)
        except FeedError as error:
            if error.key == "feed.away":
                away[host] = error
            yield Outcome(one.name, refused=error)
            continue
        yield from put_all(database, one.name, readings, names, now, team_id=team_id)
    if library is not None and urlsplit(gpuhunt.ADDRESS).netloc not in away:
        yield from _asked_by_library(database, names, now, library, team_id)


def _fetched(one: Published, get: Get, now: datetime) -> tuple[bytes, datetime]:
    """The table of a list, and when it says so: the day of its version, else the moment it was read."""
    if one.version is None:
        return get(one.address), now
    version = get(one.version).decode("ascii", errors="replace").strip()[:64]
    if not version or not all(char.isalnum() or char in "-._" for char in version):
        raise FeedError("feed.no_version", name=one.name)
    data = unpacked(get(one.address.format(version=version)), one.name)
    day = gpuhunt.day_of(version)
    if day is None:
        return data, now
    run = version.rpartition("-")[2]  # of several versions of one day the later must come later
    return data, day + timedelta(seconds=int(run) if run.isdigit() and int(run) < 86_400 else 0)


def _asked_by_library(
    database: Database, names: Names, now: datetime, library: Callable[[str], bytes], team_id: str
) -> Iterator[Outcome]:
    for provider in gpuhunt.LIBRARY:
        name = f"gpuhunt/{provider}"
        try:
            readings = gpuhunt.read(library(provider), Origin(name, provider, now), names)
        except FeedError as error:
            yield Outcome(name, refused=error)
            if error.key == "feed.no_library":
                return
            continue
        yield from put_all(database, name, readings, names, now, team_id=team_id)


def download(address: str) -> bytes:
    """The bytes at an https address, within the limits of ``intake``.

    Raises ``FeedError``: ``feed.away`` when the host does not answer, ``feed.not_served`` when it has no such list.
    """
    host = urlsplit(address).netloc
    request = urllib.request.Request(address, headers={"User-Agent": "gpu-bot"})  # noqa: S310  (addresses are ours)
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as answer:  # noqa: S310
            return take(answer, host, lines=False)
    except urllib.error.HTTPError as error:
        if error.code in (403, 407, 451) or error.code >= 500:
            raise FeedError("feed.away", name=host, reason=f"HTTP {error.code}") from None
        raise FeedError("feed.not_served", name=address, reason=f"HTTP {error.code}") from None
    except (OSError, ValueError) as error:
        cause = getattr(error, "reason", error)
        raise FeedError("feed.away", name=host, reason=getattr(cause, "strerror", None) or str(cause)[:80]) from None
