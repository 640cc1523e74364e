"""What would change this answer: up to three other choices, each computed, with what it would cost.

Rows of {change, offer, usd, saves_usd, percent, …}; the words are render's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from decimal import Context, Decimal, localcontext
from typing import Any

from rules.cost import CHECKPOINT_HOURS, quote
from rules.model import OLD_DAYS, Alternative, Catalog, Offer, Question, Quote
from rules.offers import Candidate, Places, Want, best_region
from rules.prices import usd_per_gpu_hour
from rules.remember import once
from rules.specs import bandwidth_of, tflops_of

Row = dict[str, Any]
MOST = 3
WORTH = Decimal("0.05")  # a change that saves less is not worth a line
_ROUGH = Context(prec=16)  # a rate of interruptions is an estimate, not money
_WAYS = ("spot", "monthly", "reserved_1y", "reserved_3y", "serverless")


def changes(
    question: Question,
    quotes: Sequence[Quote],
    alternatives: Sequence[Alternative],
    anywhere: Callable[[], Quote | None],
    catalog: Catalog,
    as_of: date,
) -> list[Row]:
    """The rows that save most against the first quote; none without a total to compare with.

    ``anywhere`` gives the first quote when the regions of the question are forgotten.
    """
    if not quotes or quotes[0].total_usd is None or quotes[0].offer is None or not quotes[0].complete:
        return []
    first = quotes[0]
    rows = [*_other_ways(question, first, alternatives), *_idle(first), *_other_gpu(question, first, catalog, as_of)]
    if question.regions or question.exclude_regions:
        rows += _elsewhere(first, anywhere())
    worth = [row for row in rows if row["percent"] >= WORTH * 100]
    return sorted(worth, key=lambda row: (-row["percent"], row["change"]))[:MOST]


def _row(change: str, first: Quote, offer: str, usd: Decimal, more: Mapping[str, Any] | None = None) -> Row:
    assert first.total_usd is not None
    saves = first.total_usd - usd
    percent = saves / first.total_usd * 100 if first.total_usd else Decimal(0)
    return {"change": change, "offer": offer, "usd": usd, "saves_usd": saves, "percent": percent, **(more or {})}


def _other_ways(question: Question, first: Quote, alternatives: Iterable[Alternative]) -> Iterable[Row]:
    """Spot at its expected cost, a plan that the job nearly fills, several smaller machines."""
    for alternative in alternatives:
        item = alternative.quote
        if item.offer is None or item.total_usd is None or item.used is None or item.used.age_days > OLD_DAYS:
            continue
        usd = item.expected.usd if item.expected else item.total_usd
        if alternative.condition == "several-machines":
            yield _row("several-machines", first, item.offer.id, usd, {"machines": item.machines})
        elif item.offer.plan == "spot":
            yield _row("spot", first, item.offer.id, usd, _spot_facts(question, first, item))
        elif item.offer.plan in _WAYS:
            yield _row(item.offer.plan, first, item.offer.id, usd)


def _spot_facts(question: Question, first: Quote, item: Quote) -> Row:
    """How often spot may stop before it costs as much as the first quote, where no source gives its rate."""
    if item.expected is not None or item.hours is None or not item.total_usd or first.total_usd is None:
        return {"expected": item.expected is not None}
    stretch = min(CHECKPOINT_HOURS, item.hours) if "checkpointing" in question.needs else item.hours
    rate = break_even_rate(first.total_usd / item.total_usd, stretch)
    return {"expected": False, "break_even_per_hour": rate, "save_every_hours": stretch}


def break_even_rate(ratio: Decimal, stretch: Decimal) -> Decimal | None:
    """Interruptions an hour at which a run saved every ``stretch`` hours takes ``ratio`` times as long.

    Solves (e^x - 1) / x = ratio for x = λc, restarts taken as instant; None when spot is not cheaper.

    >>> round(break_even_rate(Decimal("1.718281828459045"), Decimal(10)), 6)
    Decimal('0.100000')
    """
    if ratio <= 1:
        return None
    low, high = Decimal(0), Decimal(1)
    with localcontext(_ROUGH):
        while (high.exp() - 1) / high < ratio:
            high *= 2
        for _ in range(40):
            middle = (low + high) / 2
            low, high = (middle, high) if (middle.exp() - 1) / middle < ratio else (low, middle)
        return low / stretch


def _idle(first: Quote) -> Iterable[Row]:
    """The same machine with all its GPUs at work: the job ends sooner by the share that was idle."""
    if not first.idle_gpus or first.offer is None or first.total_usd is None:
        return
    usd = first.total_usd * first.gpus_asked / first.gpus_paid
    yield _row("use-idle", first, first.offer.id, usd, {"gpus": first.gpus_paid, "idle": first.idle_gpus})


def _elsewhere(first: Quote, other: Quote | None) -> Iterable[Row]:
    if other is not None and other.offer is not None and other.total_usd is not None and other.complete:
        yield _row("region", first, other.offer.id, other.total_usd, {"region": other.region})


# ---------------------------------------------------------------- another GPU for the same work


def _other_gpu(question: Question, first: Quote, catalog: Catalog, as_of: date) -> Iterable[Row]:
    """The model that does the same work for least, when both its dense TFLOPS and its bandwidth say so.

    The hours follow from the ratio of the two cards; the truth lies between what compute and what memory bound say,
    so the row holds both and counts the dearer.
    """
    offer = first.offer
    assert offer is not None
    mine = _speed(offer, catalog)
    if mine is None or first.hours is None or offer.plan != "on_demand":
        return
    places = Places(question, catalog)
    found = []
    for model, offers in cheapest_by_model(catalog, as_of).items():
        price, other = next(((p, o) for p, o in offers if _would_do(o, question, first, places)), (None, None))
        speed = _speed(other, catalog) if other is not None and model != offer.gpu else None
        if price is not None and other is not None and speed is not None:
            hours = sorted(first.hours * mine[n] / speed[n] for n in (0, 1))
            found.append((price * hours[1], other.id, hours, other))
    if not found:
        return
    _, _, hours, other = min(found, key=lambda row: row[:2])  # by listed price; the totals below hold the rest
    low, high = (_total(other, first, length, places, catalog, as_of) for length in hours)
    if low is not None and high is not None:
        facts = {"gpu": other.gpu, "hours": hours[1], "hours_low": hours[0], "usd_low": low}
        yield _row("gpu", first, other.id, high, facts)


def _would_do(other: Offer, question: Question, first: Quote, places: Places) -> bool:
    """No less memory a card, all cards in one machine, and nothing that the question rules out."""
    assert first.offer is not None
    if other.provider in question.exclude_providers or other.gpu in question.exclude_gpus:
        return False
    if question.providers and other.provider not in question.providers:
        return False
    enough = other.memory_gb is not None and first.offer.memory_gb is not None
    if not enough or (other.memory_gb or 0) < (first.offer.memory_gb or 0):
        return False
    return other.machine_gpus >= first.gpus_asked and places.allow_any(other)


def _speed(offer: Offer, catalog: Catalog) -> tuple[Decimal, Decimal] | None:
    tflops, bandwidth = tflops_of(offer, catalog, None), bandwidth_of(offer, catalog)
    return None if tflops is None or bandwidth is None else (tflops, bandwidth)


def _total(offer: Offer, first: Quote, hours: Decimal, places: Places, catalog: Catalog, as_of: date) -> Decimal | None:
    provider = catalog.providers[offer.provider]
    region, used, _ = best_region(offer, provider, places.of(offer), catalog, as_of)
    if used is None:
        return None
    want = Want(None, first.gpus_asked, None, hours)
    bare = Question("price", "en", hours=hours)
    return quote(Candidate(offer, provider, want, region, used), bare, catalog, as_of).total_usd


def cheapest_by_model(catalog: Catalog, as_of: date) -> Mapping[str, tuple[tuple[Decimal, Offer], ...]]:
    """For each model its on-demand offers with a young price in USD per GPU-hour, the lowest first."""

    def find() -> Mapping[str, tuple[tuple[Decimal, Offer], ...]]:
        priced: dict[str, list[tuple[Decimal, str, Offer]]] = {}
        for offer in catalog.offers:
            if offer.plan != "on_demand" or offer.gpus < 1:
                continue
            provider = catalog.providers[offer.provider]
            _, used, _ = best_region(offer, provider, offer.regions or (None,), catalog, as_of)
            if used is None or used.line.rate is None or used.age_days > OLD_DAYS:
                continue
            price = usd_per_gpu_hour(used.line.rate, offer, as_of, catalog.currencies)
            if price is not None:
                priced.setdefault(offer.gpu, []).append((price, offer.id, offer))
        return {
            model: tuple((p, o) for p, _, o in sorted(rows, key=lambda row: row[:2])) for model, rows in priced.items()
        }

    return once(catalog, ("cheapest", as_of), find)
