"""Price lines that the feeds suggest for the folder, for a person to look at and add by hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from bot.feeds.offers import phrase
from rules.model import DISPUTE_SHARE, Catalog, Offer, PriceLine, Source
from rules.prices import age_days, in_force, last_look
from rules.remember import usd_per_gpu_hour

CHANGED, CONFIRMED, FIRST = "changed", "confirmed", "first"


@dataclass(frozen=True, slots=True)
class Proposal:
    """One line for one offer; ``why`` is CHANGED, CONFIRMED (ours is due for a check) or FIRST (we have no price)."""

    provider: str
    offer: str
    why: str
    line: str  # as it would stand under `prices`
    source: str  # as it would stand under `sources`
    was: str | None = None  # what the folder says


def proposals(catalog: Catalog, as_of: date, provider: str | None = None) -> list[Proposal]:
    """The lines that would bring offers of the folder up to date; ``catalog`` is one with its feeds."""
    found = [
        one
        for offer in catalog.offers
        if not offer.feed and provider in (None, offer.provider)
        for one in _of(offer, catalog, as_of)
    ]
    return sorted(found, key=lambda one: (one.provider, one.offer, one.line))


def _of(offer: Offer, catalog: Catalog, as_of: date) -> Iterator[Proposal]:
    recheck = catalog.providers[offer.provider].recheck_days
    merged: dict[tuple[str, str, str | None, str], tuple[PriceLine, list[str]]] = {}
    for region in offer.regions or (None,):
        lines = in_force(offer.prices, as_of, region)
        own = max((one for one in lines if not one.feed), key=last_look, default=None)
        fed = [one for one in lines if one.feed and one.rate is not None and age_days(one, as_of) <= recheck]
        for line in fed:
            why = _why(offer, own, line, catalog, as_of, recheck)
            if why is not None:
                key = (line.source.key, line.says, own.says if own else None, why)
                merged.setdefault(key, (line, []))[1].append(region or "")
    for (_, _, was, why), (line, regions) in merged.items():
        yield _proposal(offer, line, tuple(code for code in regions if code), why, was)


def _why(
    offer: Offer, own: PriceLine | None, line: PriceLine, catalog: Catalog, as_of: date, recheck: int
) -> str | None:
    if own is None:
        return FIRST
    if last_look(line) <= last_look(own) or line.rate is None:
        return None
    mine = None if own.rate is None else usd_per_gpu_hour(own.rate, offer, catalog, as_of)
    theirs = usd_per_gpu_hour(line.rate, offer, catalog, as_of)
    if theirs is None:
        return None
    if mine is None or abs(theirs - mine) > mine * DISPUTE_SHARE:
        return CHANGED
    return CONFIRMED if age_days(own, as_of) > recheck else None


def _proposal(offer: Offer, line: PriceLine, regions: tuple[str, ...], why: str, was: str | None) -> Proposal:
    key = line.source.key.replace("/", "-")
    only = "" if set(regions) >= set(offer.regions) else f", regions: [{', '.join(regions)}]"
    assert line.rate is not None
    text = f"- {{from: {line.start}, says: {phrase(line.rate)}, source: {key}, seen: {line.seen}{only}}}"
    return Proposal(offer.provider, offer.id, why, text, f"{key}: {_source(line.source)}", was)


def _source(source: Source) -> str:
    title = source.title.replace("\\", " ").replace('"', "'")
    url = f", url: {source.url}" if source.url else ""
    return f'{{kind: {source.kind}, title: "{title}"{url}}}'
