"""Observations to offers of the catalogue: one offer for each shape and plan, a price line for each region."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from bot.store.observed import Seen
from rules.model import Offer, Place, PriceLine, Rate, Source
from rules.prices import NOT_SOLD

_UNRANKED = frozenset({"unknown-gpu", "undated", "does-not-add-up"})
_TITLES = {
    "skypilot": ("SkyPilot catalogue", "aggregator", "https://github.com/skypilot-org/skypilot-catalog"),
    "gpuhunt": ("gpuhunt catalogue", "aggregator", "https://github.com/dstackai/gpuhunt"),
    "karpenter": ("Karpenter price table", "aggregator", "https://github.com/kubernetes-sigs/karpenter"),
    "vast": ("Vast.ai search", "official", "https://vast.ai"),
    "csv": ("price list", "aggregator", None),
    "community": ("reported by a teammate", "community", None),
}


def source_of(name: str, facts: Mapping[str, Any]) -> Source:
    """The source of an observation; a row may name its own title, kind and address."""
    family, _, part = name.partition("/")
    title, kind, url = _TITLES.get(family, (family, "aggregator", None))
    return Source(
        key=name,
        title=facts.get("title") or (f"{title} ({part})" if part else title),
        kind=facts.get("kind") or kind,
        url=facts.get("url") or url,
    )


def is_ranked(seen: Seen) -> bool:
    """Whether an observation may count: dated, of a GPU that we know, and without a mark against it."""
    marks = seen.what.facts.get("marks")
    return seen.first_seen is not None and not (marks and _UNRANKED.intersection(marks))


def offers(rows: Iterable[tuple[Seen, datetime]]) -> tuple[Offer, ...]:
    """The offers that current observations make, in a stable order.

    Each comes with the time of the snapshot it was found in, which is when it was looked at last.
    """
    groups: dict[tuple[str, ...], list[tuple[Seen, datetime]]] = {}
    for seen, looked in rows:
        if is_ranked(seen):
            groups.setdefault(_shape(seen), []).append((seen, looked))
    ids: dict[str, int] = {}
    made = []
    for shape in sorted(groups):
        provider, _, sku, plan = shape[:4]
        base = f"{provider}/{sku}/{plan}"
        ids[base] = ids.get(base, 0) + 1
        made.append(_offer(base if ids[base] == 1 else f"{base}/{ids[base]}", groups[shape]))
    return tuple(made)


def _shape(seen: Seen) -> tuple[str, ...]:
    what, facts = seen.what, seen.what.facts
    return (
        what.provider, what.gpu, str(facts["sku"]), str(facts["plan"]), str(facts["gpus"]),
        str(facts.get("memory_gb", "")), str(facts.get("form", "")),
    )  # fmt: skip


def _offer(id_: str, rows: list[tuple[Seen, datetime]]) -> Offer:
    first = rows[0][0].what
    facts = first.facts
    lines = tuple(price_line(seen, looked) for seen, looked in rows)
    somewhere = [line.regions for line in lines]
    return Offer(
        id=id_,
        provider=first.provider,
        sku=str(facts["sku"]),
        gpu=first.gpu,
        gpus=Decimal(str(facts["gpus"])),
        sold_as="machine",
        plan=str(facts["plan"]),
        place=Place(rows[0][0].source, 0),
        memory_gb=Decimal(str(facts["memory_gb"])) if "memory_gb" in facts else None,
        form=facts.get("form"),
        # A line without a region says the same everywhere, which leaves the region of the offer unknown.
        regions=() if () in somewhere else tuple(sorted({code for codes in somewhere for code in codes})),
        prices=lines,
        feed=True,
    )


def regions_of(facts: Mapping[str, Any]) -> tuple[str, ...]:
    if facts.get("region"):
        return (str(facts["region"]),)
    return tuple(str(code) for code in facts.get("regions", ()))


def price_line(seen: Seen, looked: datetime) -> PriceLine:
    """What a source says of an offer, as a line: from the day it first said so, looked at in its last snapshot."""
    what, facts = seen.what, seen.what.facts
    assert seen.first_seen is not None
    first, last = _days(seen.first_seen, looked, facts)
    rate = None if facts.get("not_sold") else Rate(what.amount, what.currency, what.unit)
    return PriceLine(
        start=first,
        says=NOT_SOLD if rate is None else phrase(rate),
        rate=rate,
        source=source_of(seen.source, facts),
        seen=last,
        place=Place(seen.source, 0),
        regions=regions_of(facts),
        feed=True,
    )


def phrase(rate: Rate) -> str:
    """A price as a line of the folder says it, with two decimals at least: "39.00 USD/machine-hour"."""
    whole, _, decimals = f"{rate.amount.normalize():f}".partition(".")
    return f"{whole}.{decimals.ljust(2, '0')} {rate.currency}/{rate.unit}"


def _days(first: datetime, looked: datetime, facts: Mapping[str, Any]) -> tuple[date, date]:
    """Start and last look; a row with an older day of its own was looked at on that day."""
    own = facts.get("seen")
    day = None if own is None else datetime.fromisoformat(own).date()
    return (first.date(), looked.date()) if day is None else (min(day, first.date()), min(day, looked.date()))
