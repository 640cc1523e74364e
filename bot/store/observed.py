"""What a price source said, as plain values. Names no database, so that a single question need not load one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any


@dataclass(frozen=True, slots=True)
class Observation:
    """One offer at one price, as a source lists it. ``key`` names the offer within the source, for good."""

    key: str
    provider: str
    gpu: str  # canonical model
    facts: Mapping[str, Any]  # the rest of the offer, as JSON values: plan, region, sku, gpus, …
    amount: Decimal
    currency: str
    unit: str  # one of rules.model.PRICE_UNITS


@dataclass(frozen=True, slots=True)
class Seen:
    """An observation and when its source said so; both times None when nobody knows."""

    source: str
    what: Observation
    first_seen: datetime | None
    last_seen: datetime | None


@dataclass(frozen=True, slots=True)
class PriceSnapshot:
    """One complete reading of one source."""

    id: int
    source: str
    seen: datetime | None
    finished: datetime
    rows: int


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did: rows read, and how many of them were new observations."""

    snapshot: int
    rows: int
    new: int
    already_known: bool = False  # this very snapshot had been imported before
