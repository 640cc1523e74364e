"""The nouns of the digest, as frozen values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any, Protocol

from bot.digest.periods import Period
from rules.model import PriceLine, Rate, Source, Text

UP, DOWN, NEW, GONE, ANNOUNCED, WITHDRAWN = KINDS = ("up", "down", "new", "gone", "announced", "withdrawn")


@dataclass(frozen=True, slots=True)
class Thing:
    """What a price is for."""

    provider: str
    sku: str
    gpu: str
    gpus: Decimal
    plan: str
    memory_gb: Decimal | None = None
    form: str | None = None


@dataclass(frozen=True, slots=True)
class Move:
    """One source saying something else than before; ``percent`` compares per GPU-hour, None without two prices."""

    kind: str  # one of KINDS
    thing: Thing
    source: Source
    seen: date
    regions: tuple[str, ...] = ()
    was: Rate | None = None
    now: Rate | None = None
    percent: Decimal | None = None
    start: date | None = None  # announced: the day it is to hold from
    found_late: bool = False  # it held before the period and was found in it
    far: bool = False  # more than twice or less than half


@dataclass(frozen=True, slots=True)
class Cheapest:
    """The lowest young price of one GPU under one plan, and the one of the day before the period."""

    gpu: str
    memory_gb: Decimal | None
    plan: str
    now: Price | None
    before: Price | None


@dataclass(frozen=True, slots=True)
class Price:
    usd: Decimal  # per GPU-hour
    thing: Thing
    source: Source
    seen: date
    stale: bool
    region: str | None = None


@dataclass(frozen=True, slots=True)
class Dispute:
    offer: str
    thing: Thing
    used: PriceLine
    other: PriceLine
    because: str | None = None  # how it was settled


@dataclass(frozen=True, slots=True)
class Stale:
    """A source nobody looked at in time, since within the period."""

    provider: str
    source: str
    last_look: date
    lines: int


@dataclass(frozen=True, slots=True)
class Cover:
    """A feed: up when it said something within the period."""

    source: str
    up: bool
    last: date
    rows: int
    first_time: bool = False


@dataclass(frozen=True, slots=True)
class Digest:
    period: Period
    until: date  # the last day of the period, or today while it lasts
    moves: tuple[Move, ...] = ()
    cheapest: tuple[Cheapest, ...] = ()
    opened: tuple[Dispute, ...] = ()
    settled: tuple[Dispute, ...] = ()
    stale: tuple[Stale, ...] = ()
    feeds: tuple[Cover, ...] = ()
    looked: int = 0  # sources of the knowledge folder that someone looked at within the period
    sources: int = 0
    readings: tuple[Mapping[str, Any], ...] = ()
    hidden: int = 0  # moves below the threshold of whoever reads it
    names: Mapping[str, Text] = field(default_factory=dict)  # provider id -> its name, for render

    @property
    def has_data(self) -> bool:
        """Whether any source was read within the period."""
        return self.looked > 0 or any(one.up for one in self.feeds)


class Wish(Protocol):
    """What a channel asked for, as ``store.digests.Subscription`` keeps it."""

    @property
    def gpus(self) -> tuple[str, ...]: ...
    @property
    def exclude_gpus(self) -> tuple[str, ...]: ...
    @property
    def threshold(self) -> Decimal | None: ...
