"""What each source says differently than before.

A source that is down says nothing, which is not the same as unchanged: it makes no moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

from bot.digest.market import rate_of, thing_of, thing_of_row
from bot.digest.model import ANNOUNCED, DOWN, GONE, KINDS, NEW, UP, WITHDRAWN, Move
from bot.feeds.offers import is_ranked, regions_of, source_of
from bot.store.current import Span
from bot.store.observed import Seen
from rules.model import Catalog, Offer, PriceLine, Rate
from rules.prices import convert, in_force, is_announced, per_gpu_hour


def moves(catalog: Catalog, before: date, until: date, spans: Sequence[Span]) -> list[Move]:
    found = [*_own_moves(catalog, before, until), *_feed_moves(catalog, until, spans)]
    grouped: dict[tuple[Any, ...], Move] = {}
    for move in found:
        key = (move.kind, move.thing, move.source.key, move.was, move.now, move.start)
        known = grouped.get(key)
        regions = move.regions if known is None else tuple(sorted({*known.regions, *move.regions}))
        grouped[key] = replace(known or move, regions=regions)
    return sorted(_without_echoes(grouped.values()), key=_move_order)


def _move_order(move: Move) -> tuple[Any, ...]:
    thing = move.thing
    return (
        KINDS.index(move.kind) // 2, -abs(move.percent or Decimal(0)), thing.gpu, thing.provider, thing.sku, thing.plan,
        thing.gpus, str(thing.memory_gb), str(thing.form), move.source.key, move.kind, move.regions, str(move.now),
    )  # fmt: skip


def _without_echoes(moves: Iterable[Move]) -> Iterator[Move]:
    """A list that repeats what the provider itself said is no second news."""
    said = {}
    every = list(moves)
    for move in every:
        if move.source.kind == "official":
            said[_news(move)] = move
    for move in every:
        first = said.get(_news(move))
        if first is None or first is move:
            yield move


def _news(move: Move) -> tuple[Any, ...]:
    thing = move.thing
    return (move.kind, thing.provider, thing.sku.lower(), thing.plan, move.now)


def _own_moves(catalog: Catalog, before: date, until: date) -> Iterator[Move]:
    """Moves of the price lines in the folder: what was known on either day decides, not what is known now."""
    for offer in catalog.offers:
        lines = [line for line in offer.prices if not line.feed and line.seen <= until]
        if not any(line.seen > before or before < line.start <= until for line in lines):
            continue
        old, new = [line for line in lines if line.seen <= before], lines
        for region in offer.regions or (None,):
            was = {line.source.key: line for line in in_force(old, before, region)}
            now = {line.source.key: line for line in in_force(new, until, region)}
            for key in sorted({*was, *now}):
                others = any(line.rate is not None for line in was.values())
                move = _own_move(offer, was.get(key), now.get(key), region, catalog, until, before, others=others)
                if move is not None:
                    yield move
        for line in lines:
            if line.seen > before and is_announced(line) and line.start > until and line.rate is not None:
                used = in_force(old, before, (line.regions or (None,))[0])
                was_rate = next((one.rate for one in used if one.source.key == line.source.key), None)
                yield _priced(ANNOUNCED, offer, line, was_rate, line.regions, catalog, until, start=line.start)


def _own_move(
    offer: Offer, was: PriceLine | None, now: PriceLine | None, region: str | None, catalog: Catalog, until: date,
    before: date, *, others: bool,
) -> Move | None:  # fmt: skip
    places = () if region is None else (region,)
    if now is None or now is was:
        return None
    if now.rate is None:
        return None if was is None or was.rate is None else Move(
            WITHDRAWN, thing_of(offer), now.source, now.seen, places, was.rate
        )  # fmt: skip
    if was is None or was.rate is None:
        if others:  # one more source for a price that was known: news only where it differs, which is a conflict
            return None
        return _priced(NEW, offer, now, None, places, catalog, until, found_late=now.start <= before)
    if was.rate == now.rate:
        return None
    return _priced(UP, offer, now, was.rate, places, catalog, until, found_late=now.start <= before)


def _priced(
    kind: str, offer: Offer, line: PriceLine, was: Rate | None, regions: tuple[str, ...], catalog: Catalog, until: date,
    *, start: date | None = None, found_late: bool = False,
) -> Move:  # fmt: skip
    assert line.rate is not None
    percent = None if was is None else _percent(was, line.rate, offer.gpus, catalog, until)
    if kind == UP and percent is not None and percent < 0:
        kind = DOWN
    thing = thing_of(offer)
    return Move(
        kind, thing, line.source, line.seen, regions, was, line.rate, percent, start, found_late, _is_far(percent)
    )


def _percent(was: Rate, now: Rate, gpus: Decimal, catalog: Catalog, day: date) -> Decimal | None:
    old, new = per_gpu_hour(was, gpus), per_gpu_hour(now, gpus)
    if was.currency != now.currency:
        rate = convert(was.currency or "USD", now.currency or "USD", day, catalog.currencies)
        if rate is None:
            return None
        old = rate.apply(old)
    return None if not old else (new - old) / old * 100


def _feed_moves(catalog: Catalog, until: date, spans: Sequence[Span]) -> Iterator[Move]:
    for span in spans:
        if span.before is None or span.before == span.after:
            continue  # its first list is no news about prices, and a source that is down says nothing
        was, now = (
            {one.what.key: one for one in span.rows if span.held(one, end)} for end in (span.before, span.after)
        )
        for key in sorted({*was, *now}):
            old, new = was.get(key), now.get(key)
            if old is not new and is_ranked(old or new) and is_ranked(new or old):  # type: ignore[arg-type]
                move = _feed_move(span, old, new, catalog, until)
                if move is not None:
                    yield move


def _feed_move(span: Span, old: Seen | None, new: Seen | None, catalog: Catalog, until: date) -> Move | None:
    one = new or old
    assert one is not None
    was, now = (rate_of(old), rate_of(new))
    if was == now:
        return None  # what else the source says of it changed
    facts = one.what.facts
    thing, source = thing_of_row(one), source_of(span.source, facts)
    percent = None if was is None or now is None else _percent(was, now, thing.gpus, catalog, until)
    if was is None:
        kind = NEW
    elif now is None:
        kind = GONE if new is None else WITHDRAWN
    else:
        kind = DOWN if (percent or 0) < 0 else UP
    return Move(kind, thing, source, span.after.date(), regions_of(facts), was, now, percent, far=_is_far(percent))


def _is_far(percent: Decimal | None) -> bool:
    """More than twice or less than half: worth a second look."""
    return percent is not None and not -50 <= percent <= 100
