"""The market on one day: the price of every offer, the lowest ones, and the sources that differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from bot.catalog import Feeds, with_feeds
from bot.digest.model import Cheapest, Dispute, Price, Thing
from bot.feeds.offers import is_ranked, offers, regions_of, source_of
from bot.store.current import Span
from bot.store.observed import Seen
from rules.model import OLD_DAYS, Catalog, Offer, Rate
from rules.prices import last_look, offer_price, per_gpu_hour, to_usd

FEED_RECHECK_DAYS = 30  # of a provider that only feeds know


@dataclass(frozen=True, slots=True)
class Lone:
    """A feed row that stands alone: no other source and no file names its offer, so its price is the offer's."""

    span: Span
    seen: Seen
    key: tuple[str, str | None, str]  # GPU, memory, plan
    hourly: Decimal  # per GPU
    currency: str


class Rows:
    """Rows of the feeds over a stretch, sorted once for both of its ends."""

    def __init__(self, catalog: Catalog, spans: Sequence[Span], *, alone: bool = True) -> None:
        """``alone`` False: rows of one source become offers like the others; slower, and keeps providers apart."""
        homes = {(offer.provider, offer.sku.lower(), offer.plan) for offer in catalog.offers}
        named = [(span, one, _name(one)) for span in spans for one in span.rows if is_ranked(one)]
        sources: dict[tuple[str, str, str], str | None] = {}
        for span, _, name in named:
            if sources.setdefault(name, span.source) != span.source or not alone or name in homes:
                sources[name] = None
        self.shared = [(span, one) for span, one, name in named if sources[name] is None]
        self.lone = [row for span, one, name in named if sources[name] is not None and (row := _lone(span, one))]


def _lone(span: Span, seen: Seen) -> Lone | None:
    facts, rate = seen.what.facts, rate_of(seen)
    gpus = Decimal(facts["gpus"])
    if rate is None or gpus < 1:
        return None
    key = (seen.what.gpu, facts.get("memory_gb"), facts["plan"])
    return Lone(span, seen, key, per_gpu_hour(rate, gpus), seen.what.currency)


class State:
    """What was known on one day: the folder with the feeds of offers that several sources know, and the lone rows."""

    def __init__(self, catalog: Catalog, day: date, rows: Rows, *, last: bool) -> None:
        """``last``: the later end of the stretch. What a source said for the first time was not known before."""
        self.day, self.last = day, last
        shared = [(one, moment) for span, one in rows.shared if (moment := self._held(span, one)) is not None]
        self.lone = rows.lone
        known_then = replace(catalog, offers=tuple(known_on(offer, day) for offer in catalog.offers))
        self.catalog = with_feeds(known_then, None, lambda _: Feeds(offers(shared), "digest"))

    def _held(self, span: Span, seen: Seen) -> datetime | None:
        """The snapshot of this end, if it lists the row."""
        moment = span.after if self.last else None if span.first_time else span.before
        return moment if span.held(seen, moment) else None

    def prices(self) -> Iterator[Price]:
        """The price of each offer in each place: the one that the rules would use."""
        for offer in self.catalog.offers:
            if offer.gpus < 1:
                continue
            provider = self.catalog.providers[offer.provider]
            for region in _distinct(offer):
                used = offer_price(offer, provider, self.day, self.catalog.currencies, region).used
                if used is not None and used.line.rate is not None and used.age_days <= OLD_DAYS:
                    usd = self._usd(per_gpu_hour(used.line.rate, offer.gpus), used.line.rate.currency)
                    if usd is not None:
                        yield Price(usd, thing_of(offer), used.line.source, last_look(used.line), used.stale, region)
        yield from self._lone_prices()

    def _lone_prices(self) -> Iterator[Price]:
        """The lowest of each GPU, memory and plan: there may be very many rows."""
        lowest: dict[tuple[str, str | None, str], tuple[Decimal, str, Lone, date]] = {}
        for row in self.lone:
            moment = self._held(row.span, row.seen)
            usd = None if moment is None else self._usd(row.hourly, row.currency)
            if moment is None or usd is None:
                continue
            other = lowest.get(row.key)
            if other is None or (usd, row.seen.what.key) < other[:2]:
                day = _own_day(row.seen, moment.date())
                if (self.day - day).days <= OLD_DAYS:
                    lowest[row.key] = (usd, row.seen.what.key, row, day)
        for usd, _, row, day in lowest.values():
            what = row.seen.what
            provider = self.catalog.providers.get(what.provider)
            limit = provider.recheck_days if provider else FEED_RECHECK_DAYS
            place = next(iter(regions_of(what.facts)), None)
            source = source_of(row.span.source, what.facts)
            yield Price(usd, thing_of_row(row.seen), source, day, (self.day - day).days > limit, place)

    def _usd(self, hourly: Decimal, currency: str | None) -> Decimal | None:
        if currency == "USD":
            return hourly
        conversion = to_usd(currency or "USD", self.day, self.catalog.currencies)
        return None if conversion is None else conversion.apply(hourly)

    def disputes(self) -> Iterator[tuple[tuple[str, str, str], Dispute]]:
        """Offers whose sources differ, once for each pair of sources."""
        for offer in self.catalog.offers:
            if len({line.source.key for line in offer.prices}) < 2:
                continue
            provider = self.catalog.providers[offer.provider]
            for region in _distinct(offer):
                used = offer_price(offer, provider, self.day, self.catalog.currencies, region).used
                for other in used.others if used else ():
                    assert used is not None
                    key = (offer.id, *sorted((used.line.source.key, other.source.key)))
                    yield (key[0], key[1], key[2]), Dispute(offer.id, thing_of(offer), used.line, other)


def _name(seen: Seen) -> tuple[str, str, str]:
    facts = seen.what.facts
    return (seen.what.provider, str(facts["sku"]).lower(), str(facts["plan"]))


def _own_day(seen: Seen, looked: date) -> date:
    own = seen.what.facts.get("seen")
    return looked if own is None else min(looked, date.fromisoformat(own[:10]))


def known_on(offer: Offer, day: date) -> Offer:
    """An offer as it was known on a day."""
    if all(line.seen <= day and (line.checked is None or line.checked <= day) for line in offer.prices):
        return offer
    return replace(
        offer,
        prices=tuple(
            line if line.checked is None or line.checked <= day else replace(line, checked=None)
            for line in offer.prices
            if line.seen <= day
        ),
        settled=tuple(one for one in offer.settled if one.decided <= day),
    )


def _distinct(offer: Offer) -> Sequence[str | None]:
    """Regions with prices of their own; the first stands for those that share all their lines."""
    named = {code for line in offer.prices for code in line.regions}
    if not offer.regions:
        return (None,)
    plain = [code for code in offer.regions if code not in named]
    return (*plain[:1], *(code for code in offer.regions if code in named))


def cheapest(before: State, now: State) -> list[Cheapest]:
    both = [_lowest(state.prices()) for state in (before, now)]
    keys = sorted({*both[0], *both[1]}, key=lambda key: (key[0], str(key[2]), key[1] or 0))
    return [
        Cheapest(gpu, memory, plan, both[1].get((gpu, memory, plan)), both[0].get((gpu, memory, plan)))
        for gpu, memory, plan in keys
    ]


def _lowest(prices: Iterable[Price]) -> dict[tuple[str, Decimal | None, str], Price]:
    found: dict[tuple[str, Decimal | None, str], Price] = {}
    for price in prices:
        thing = price.thing
        key = (thing.gpu, thing.memory_gb, thing.plan)
        other = found.get(key)
        if other is None or _price_order(price) < _price_order(other):
            found[key] = price
    return found


def _price_order(price: Price) -> tuple[Any, ...]:
    return (price.usd, -price.seen.toordinal(), price.thing.provider, price.thing.sku, price.region or "")


def disputes(mine: State, other: State, later: State | None = None) -> list[Dispute]:
    """Disputes of one day that the other day had not; with ``later``, how each came to its end."""
    theirs = {key for key, _ in other.disputes()}
    found: dict[tuple[str, str, str], Dispute] = {}
    for key, one in mine.disputes():
        if key not in theirs:
            found.setdefault(key, one if later is None else replace(one, because=_because(one, later)))
    return [found[key] for key in sorted(found)]


def _because(one: Dispute, later: State) -> str | None:
    offer = later.catalog.by_id.get(one.offer)
    pair = {one.used.source.key, one.other.source.key}
    for settlement in offer.settled if offer else ():
        if settlement.decided <= later.day and pair <= {key for key, _ in settlement.of}:
            return settlement.because
    return None


# ---------------------------------------------------------------- what a price is for


def thing_of(offer: Offer) -> Thing:
    return Thing(offer.provider, offer.sku, offer.gpu, offer.gpus, offer.plan, offer.memory_gb, offer.form)


def rate_of(seen: Seen | None) -> Rate | None:
    if seen is None or seen.what.facts.get("not_sold"):
        return None
    return Rate(seen.what.amount, seen.what.currency, seen.what.unit)


def thing_of_row(seen: Seen) -> Thing:
    what, facts = seen.what, seen.what.facts
    memory = facts.get("memory_gb")
    return Thing(
        what.provider, str(facts["sku"]), what.gpu, Decimal(str(facts["gpus"])), str(facts["plan"]),
        None if memory is None else Decimal(str(memory)), facts.get("form"),
    )  # fmt: skip
