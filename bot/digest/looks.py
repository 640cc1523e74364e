"""What was looked at: feeds up and down, sources that went stale."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from bot.digest.market import FEED_RECHECK_DAYS, known_on
from bot.digest.model import Cover, Stale
from bot.digest.periods import Period
from bot.store.current import Span
from rules.model import Catalog, PriceLine, Provider
from rules.prices import age_days, in_force, last_look


def looks(catalog: Catalog, day: date) -> dict[tuple[str, str], date]:
    """The last look at each source of the folder that has a line in force, as known on a day."""
    found: dict[tuple[str, str], date] = {}
    for provider, line in _lines(catalog, day):
        key = (provider.id, line.source.key)
        found[key] = max(found.get(key, date.min), last_look(line))
    return found


def _lines(catalog: Catalog, day: date) -> Iterator[tuple[Provider, PriceLine]]:
    for offer in catalog.offers:
        known = known_on(offer, day)
        yield from ((catalog.providers[offer.provider], line) for line in in_force(known.prices, day) if not line.feed)


def went_stale(catalog: Catalog, before: date, until: date, spans: Sequence[Span]) -> Iterator[Stale]:
    rows: dict[tuple[str, str], list[date]] = {}
    for provider, line in _lines(catalog, until):
        if age_days(line, until) > provider.recheck_days >= age_days(line, before):
            rows.setdefault((provider.id, line.source.key), []).append(last_look(line))
    for (name, source), days in sorted(rows.items()):
        yield Stale(name, source, min(days), len(days))
    for span in spans:
        names = {one.what.provider for one in span.rows}
        limit = min(
            (catalog.providers[n].recheck_days for n in names if n in catalog.providers), default=FEED_RECHECK_DAYS
        )
        look = span.after.date()
        if (until - look).days > limit >= (before - look).days:
            yield Stale(next(iter(names)) if len(names) == 1 else "", span.source, look, span.listed)


def cover(spans: Sequence[Span], period: Period) -> Iterator[Cover]:
    for span in sorted(spans, key=lambda one: one.source):
        last = span.after.date()
        yield Cover(span.source, last >= period.first, last, span.listed, span.first_time)
