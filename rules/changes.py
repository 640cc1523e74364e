"""What would change this answer: up to three other choices, each computed, with what it would cost.

Rows of {change, offer, provider, usd, saves_usd, percent, …}; the words are render's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from itertools import islice
from typing import Any

from rules.cost import quote
from rules.model import Alternative, Catalog, GpuAsk, Offer, Question, Quote
from rules.offers import Candidate, Places, Want, listed_price
from rules.remember import once
from rules.specs import bandwidth_of, dense_of

Row = dict[str, Any]
Work = tuple[Decimal, str, list[Decimal]]  # listed price of the work, model, fewest and most hours
MOST = 3
WORTH = Decimal("0.05")  # a change that saves less is not worth a line
_WAYS = ("spot", "monthly", "reserved_1y", "reserved_3y", "serverless")
_TRIED = 3  # other GPUs that are priced in full: the cheapest by their listed price
_OFFERS = 12  # offers of such a GPU that are priced: the lowest per GPU-hour that the question allows
FirstFor = Callable[..., Quote | None]  # (question, offers it is asked among)


def changes(
    question: Question,
    quotes: Sequence[Quote],
    alternatives: Sequence[Alternative],
    first_for: FirstFor,
    catalog: Catalog,
    as_of: date,
) -> list[Row]:
    """The rows that save most against the first quote; none without a total to compare with.

    ``first_for`` gives the first quote of another question: filters, rules and limits hold for it as for this one.
    """
    if not quotes or quotes[0].total_usd is None or quotes[0].offer is None or not quotes[0].complete:
        return []
    first = quotes[0]
    rows = [
        *_other_ways(first, alternatives),
        *_use_idle(question, first, catalog, as_of),
        *_elsewhere(question, first, first_for),
        *_other_gpu(question, first, first_for, catalog, as_of),
    ]
    worth = [row for row in rows if row["percent"] >= WORTH * 100]
    return sorted(worth, key=lambda row: (-row["percent"], row["change"]))[:MOST]


def _row(change: str, first: Quote, item: Quote, more: Mapping[str, Any] | None = None) -> Iterable[Row]:
    """A row when the other choice has a young price and a total without an unknown line."""
    if item.offer is None or item.total_usd is None or not first.total_usd or not item.complete:
        return
    if item.used is None or item.used.old:
        return
    usd = expected_total(item)
    saves = first.total_usd - usd
    named = {"change": change, "offer": item.offer.id, "provider": item.provider, "plan": item.offer.plan}
    percent = saves / first.total_usd * 100
    yield {**named, "usd": usd, "saves_usd": saves, "percent": percent, **(more or {})}


def expected_total(item: Quote) -> Decimal:
    """The expected compute of a spot run with its transfer, storage and flat fees; the listed total elsewhere."""
    assert item.total_usd is not None
    if item.expected is None:
        return item.total_usd
    beside = [line.amount_usd or Decimal(0) for line in item.lines if line.item != "compute" and line.unit != "USD"]
    return item.expected.usd + sum(beside, Decimal(0))


def _other_ways(first: Quote, alternatives: Iterable[Alternative]) -> Iterable[Row]:
    """Spot at its expected cost, a plan that the job nearly fills, several smaller machines."""
    for alternative in alternatives:
        item = alternative.quote
        if item.endless:
            continue  # its listed price is not what the run would cost
        if alternative.condition == "several-machines":
            yield from _row("several-machines", first, item, {"machines": item.machines})
        elif item.offer is not None and item.offer.plan == "spot":
            yield from _row("spot", first, item, {"expected": item.expected is not None})
        elif item.offer is not None and item.offer.plan in _WAYS:
            yield from _row(item.offer.plan, first, item)


def _use_idle(question: Question, first: Quote, catalog: Catalog, as_of: date) -> Iterable[Row]:
    """The same machines with all their GPUs at work: the hours shrink by the share that was idle."""
    if not first.idle_gpus or first.offer is None or first.hours is None or first.used is None:
        return
    nodes = Decimal(first.machines)
    want = Want(None, first.gpus_paid / nodes, nodes, first.hours * first.gpus_asked / first.gpus_paid)
    provider = catalog.providers[first.provider]
    busy = quote(Candidate(first.offer, provider, want, first.region, first.used), question, catalog, as_of)
    yield from _row("use-idle", first, busy, {"gpus": first.gpus_paid, "idle": first.idle_gpus, "hours": want.hours})


def _elsewhere(question: Question, first: Quote, first_for: FirstFor) -> Iterable[Row]:
    """The first quote when the regions are forgotten; data that must stay in a country stay there."""
    if question.regions or question.exclude_regions:
        other = first_for(replace(question, regions=(), exclude_regions=()))
        if other is not None:
            yield from _row("region", first, other, {"region": other.region})


def unlocks(question: Question, first_for: FirstFor) -> list[Row]:
    """When nothing matches: for each kind of limit, the first quote without it. Rows of {limit, offer, provider, …}."""
    rows: list[Row] = []
    without_all = replace(
        question, providers=(), exclude_providers=(), regions=(), exclude_regions=(), budget=None,
        budget_per_hour=None, needs=(), plans=(), gpus=_bare(question),
    )  # fmt: skip
    for limit, freed in (*_freed(question), ("all", without_all)):
        if limit == "all" and rows:
            break
        item = first_for(freed)
        if item is not None and item.offer is not None:
            cost = {"usd": item.total_usd} if item.total_usd is not None else {"usd_per_hour": item.usd_per_hour}
            rows.append({"limit": limit, "offer": item.offer.id, "provider": item.provider, **cost})
    return rows[:MOST]


def _bare(question: Question) -> tuple[GpuAsk, ...]:
    return tuple(GpuAsk(gpu.model, count=gpu.count) for gpu in question.gpus)


def _freed(question: Question) -> Iterable[tuple[str, Question]]:
    """The question without one kind of limit, for each kind that it states."""
    if question.providers:
        yield "providers", replace(question, providers=())
    if question.regions or question.exclude_regions:
        yield "regions", replace(question, regions=(), exclude_regions=())
    if question.budget is not None or question.budget_per_hour is not None:
        yield "budget", replace(question, budget=None, budget_per_hour=None)
    if question.needs:
        yield "needs", replace(question, needs=())
    if any(gpu.memory_gb is not None or gpu.form is not None for gpu in question.gpus):
        yield "memory", replace(question, gpus=_bare(question))
    if question.plans:
        yield "plans", replace(question, plans=())
    if question.exclude_providers:
        yield "exclude_providers", replace(question, exclude_providers=())


# ---------------------------------------------------------------- another GPU for the same work


def _other_gpu(question: Question, first: Quote, first_for: FirstFor, catalog: Catalog, as_of: date) -> Iterable[Row]:
    """The model that does the same work for least by dense TFLOPS and bandwidth, and the best of the same vendor.

    The hours follow from the ratio of the two cards; the truth lies between what compute and what memory bound say,
    so the row holds both and counts the dearer. No less memory a card, and as many cards.
    """
    offer, asked = first.offer, {gpu.model for gpu in question.gpus}
    if offer is None or offer.plan != "on_demand" or offer.memory_gb is None or first.hours is None or not asked:
        return
    ranked = _by_work(offer, first.hours, asked, catalog, as_of)
    best = next(_priced(question, first, offer, ranked, first_for, catalog, as_of), None)
    if best is not None:
        yield best
    if best is None or not best["drop_in"]:  # then also the best that needs no porting
        same = [row for row in ranked if _vendor_of(row[1], catalog) == _vendor_of(offer.gpu, catalog)]
        yield from islice(_priced(question, first, offer, same, first_for, catalog, as_of), 1)


def _priced(
    question: Question,
    first: Quote,
    offer: Offer,
    ranked: Sequence[Work],
    first_for: FirstFor,
    catalog: Catalog,
    as_of: date,
) -> Iterator[Row]:
    """Rows for the first few models that can be had on the question's own terms."""
    assert offer.memory_gb is not None
    assert first.hours is not None
    for _, model, hours in ranked[:_TRIED]:
        among = _allowed(question, model, offer.memory_gb, catalog, as_of)
        other = first_for(_instead(question, model, offer.memory_gb, hours[1]), among)
        if other is None or other.offer is None or other.offer.plan != "on_demand":
            continue
        speed, mine = _speed(other.offer, catalog), _speed(offer, catalog)
        if speed is None or mine is None:
            continue
        low, high = sorted(first.hours * mine[n] / speed[n] for n in (0, 1))
        least = first_for(_instead(question, model, offer.memory_gb, low), among)
        most = other if high == hours[1] else first_for(_instead(question, model, offer.memory_gb, high), among)
        if least is not None and most is not None:
            yield from _row("gpu", first, most, _gpu_facts(first, offer, least, most, (low, high), catalog))


def _allowed(question: Question, model: str, memory_gb: Decimal, catalog: Catalog, as_of: date) -> tuple[Offer, ...]:
    """The cheapest listed offers of a model that the question's providers, places and memory allow."""
    places = Places(question, catalog)
    fitting = (
        offer
        for _, offer in cheapest_by_model(catalog, as_of).get(model, ())
        if (offer.memory_gb or 0) >= memory_gb
        and offer.provider not in question.exclude_providers
        and (not question.providers or offer.provider in question.providers)
        and places.allow_any(offer)
    )
    return tuple(islice(fitting, _OFFERS))


def _by_work(offer: Offer, hours: Decimal, asked: set[str], catalog: Catalog, as_of: date) -> list[Work]:
    """Other models by the listed price of the same work on one card: (USD, model, [fewest hours, most hours])."""
    mine = _speed(offer, catalog)
    if mine is None:
        return []
    found = []
    for model, offers in cheapest_by_model(catalog, as_of).items():
        price, other = next(((p, o) for p, o in offers if (o.memory_gb or 0) >= (offer.memory_gb or 0)), (None, None))
        speed = _speed(other, catalog) if other is not None and model not in asked else None
        if price is not None and speed is not None:
            times = sorted(hours * mine[n] / speed[n] for n in (0, 1))
            found.append((price * times[1], model, times))
    return sorted(found)


def _instead(question: Question, model: str, memory_gb: Decimal, hours: Decimal) -> Question:
    """The question with another card in place of those asked for, in the same number."""
    counts = {gpu.count for gpu in question.gpus}
    ask = GpuAsk(model, count=counts.pop() if len(counts) == 1 else None)
    memory = max(memory_gb, question.min_memory_gb or Decimal(0))
    return replace(question, gpus=(ask,), hours=hours, gpu_hours=None, hours_per_day=None, min_memory_gb=memory)


def _gpu_facts(
    first: Quote, offer: Offer, least: Quote, most: Quote, hours: tuple[Decimal, Decimal], catalog: Catalog
) -> Row:
    assert most.offer is not None
    return {
        "gpu": most.offer.gpu,
        "gpu_memory_gb": most.offer.memory_gb,
        "gpus": most.gpus_asked,
        "machines": most.machines,
        "low_hours": hours[0],
        "hours": hours[1],
        "low_usd": None if least.total_usd is None else expected_total(least),
        "drop_in": _vendor_of(most.offer.gpu, catalog) == _vendor_of(offer.gpu, catalog),
        "slower_link": first.gpus_asked > 1
        and ((offer.form == "SXM" and most.offer.form == "PCIe") or most.machines > first.machines),
    }


def _speed(offer: Offer, catalog: Catalog) -> tuple[Decimal, Decimal] | None:
    """Dense peak at half precision and memory bandwidth; None when either is not known."""
    tflops, bandwidth = dense_of(offer, catalog), bandwidth_of(offer, catalog)
    return None if tflops is None or bandwidth is None else (tflops, bandwidth)


def _vendor_of(model: str, catalog: Catalog) -> str | None:
    gpu = catalog.gpus.get(model)
    return gpu.vendor if gpu else None


def cheapest_by_model(catalog: Catalog, as_of: date) -> Mapping[str, tuple[tuple[Decimal, Offer], ...]]:
    """For each model its on-demand offers with a young price in USD per GPU-hour, the lowest first."""

    def find() -> Mapping[str, tuple[tuple[Decimal, Offer], ...]]:
        priced: dict[str, list[tuple[Decimal, str, Offer]]] = {}
        for offer in catalog.offers:
            if offer.plan != "on_demand" or offer.gpus < 1:
                continue
            listed = listed_price(offer, catalog, as_of)
            if listed is not None and not listed.used.old:
                priced.setdefault(offer.gpu, []).append((listed.usd, offer.id, offer))
        return {
            model: tuple((p, o) for p, _, o in sorted(rows, key=lambda row: row[:2])) for model, rows in priced.items()
        }

    return once(catalog, ("cheapest", as_of), find)
