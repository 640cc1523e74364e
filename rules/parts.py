"""The intent's own part of an answer: break-even, budget, comparison, the price that was quoted.

Plain mappings of keys to Decimals, text and None; unknown is None.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from itertools import product
from typing import Any

from rules.cost import billing_of, hours_of, quote
from rules.model import (
    HOURS_PER_MONTH,
    TERM_HOURS,
    Catalog,
    GpuAsk,
    Money,
    Offer,
    Provider,
    Question,
    Quote,
    Traits,
    Used,
)
from rules.offers import COMMITTED, Candidate, Want, listed_price, plans_of, traits_of, wants
from rules.prices import choose
from rules.remember import usd_per_gpu_hour
from rules.wire import compared

Part = dict[str, Any]


# ---------------------------------------------------------------- break-even


def break_even(
    question: Question, quotes: Sequence[Quote], purchase: Decimal | None, catalog: Catalog, as_of: date
) -> Part:
    """Rows of rate ÷ baseline for each committed quote; with a purchase price, hours until it is paid back."""
    rows = [
        _commitment_row(item, item.offer, question, catalog, as_of)
        for item in quotes
        if item.offer is not None and item.offer.plan in COMMITTED
    ]
    if purchase is not None:
        rows += [
            {
                "offer": item.offer.id,
                "plan": item.offer.plan,
                "rate": item.usd_per_gpu_hour,
                "hours": purchase / item.usd_per_hour,
            }
            for item in quotes
            if item.offer is not None and item.offer.plan == "on_demand" and item.usd_per_hour
        ]
    return {"rows": rows} if purchase is None else {"purchase_usd": purchase, "rows": rows}


def _commitment_row(item: Quote, offer: Offer, question: Question, catalog: Catalog, as_of: date) -> Part:
    rate = _rate(item, offer, catalog, as_of)
    baseline = _baseline(item, offer, catalog, as_of)
    use = rate / baseline if rate is not None and baseline else None
    term = HOURS_PER_MONTH if offer.plan == "monthly" else TERM_HOURS.get(offer.plan)
    market = _market(offer, question, catalog, as_of)
    return {
        "offer": offer.id,
        "plan": offer.plan,
        "rate": rate,
        "baseline": baseline,
        "utilisation": use,
        "hours_per_month": None if use is None else use * HOURS_PER_MONTH,
        "months_to_pay": None if use is None or term is None else use * term / HOURS_PER_MONTH,
        "market": None if market is None or rate is None else {**market, "utilisation": rate / market["rate"]},
    }


def _rate(item: Quote, offer: Offer, catalog: Catalog, as_of: date) -> Decimal | None:
    if item.used is None or item.used.line.rate is None:
        return None
    return usd_per_gpu_hour(item.used.line.rate, offer, catalog, as_of)


def _baseline(item: Quote, offer: Offer, catalog: Catalog, as_of: date) -> Decimal | None:
    """The same provider's on-demand price of the same GPU, memory and form: same shape if sold, else cheapest."""
    found = []
    for other in catalog.by_gpu.get(offer.gpu, ()):
        if not _same_card(offer, other) or other.plan != "on_demand" or other.gpus < 1:
            continue
        price = listed_price(other, catalog, as_of, item.region)
        if price is not None:
            same_shape = (other.gpus, other.sold_as) == (offer.gpus, offer.sold_as)
            found.append((not same_shape, price.used.old, price.usd))
    return min(found)[2] if found else None


def _market(offer: Offer, question: Question, catalog: Catalog, as_of: date) -> Part | None:
    """The cheapest on-demand offer of that GPU anywhere, of the memory and form asked for; young prices first."""
    asked = [gpu for gpu in question.gpus if gpu.model == offer.gpu]
    found = []
    for other in catalog.by_gpu.get(offer.gpu, ()):
        fits = not asked or any(
            gpu.memory_gb in (None, other.memory_gb) and gpu.form in (None, other.form) for gpu in asked
        )
        if not fits or other.plan != "on_demand" or other.gpus < 1:
            continue
        price = listed_price(other, catalog, as_of)
        if price is not None:
            found.append((price.used.old, price.usd, other.id))
    if not found:
        return None
    _, rate, offer_id = min(found)
    return {"offer": offer_id, "rate": rate}


# ---------------------------------------------------------------- budget


def budget_rows(
    question: Question, quotes: Sequence[Quote], amount: Decimal | None, catalog: Catalog, as_of: date
) -> Part:
    """What the amount buys on each quoted offer: the most whole billing steps, or the most GPUs for given hours."""
    rows = []
    counted = question.gpu_count is not None or any(gpu.count is not None for gpu in question.gpus)
    for item in quotes:
        if item.offer is None or item.used is None:
            continue
        row: Part | None
        if amount is None:
            row = _row_per_hour(item)
        elif item.hours is not None and not counted:
            row = _row_of_gpus(item, question, amount, catalog, as_of)
        else:
            row = _row_of_hours(item, question, amount, catalog, as_of)
        if row is not None:
            rows.append(row)
    rows.sort(key=lambda row: (-row["gpus"], -(row["hours"] or 0)))
    return {"amount_usd": amount, "rows": rows}


def _again(item: Quote, question: Question, want: Want, catalog: Catalog, as_of: date) -> Quote:
    assert item.offer is not None
    candidate = Candidate(item.offer, catalog.providers[item.provider], want, item.region, item.used)
    return quote(candidate, question, catalog, as_of)


def _want_of(item: Quote, question: Question) -> Want:
    base = wants(question)[0]
    nodes = base.nodes
    return Want(None, item.gpus_asked / (nodes or 1), nodes, item.hours)


def _row_of_hours(item: Quote, question: Question, amount: Decimal, catalog: Catalog, as_of: date) -> Part | None:
    want = _want_of(item, question)
    assert item.offer is not None
    step = _step(item.offer, catalog)

    def total(steps: int) -> Quote:
        return _again(item, question, replace(want, hours=hours_of(Decimal(steps), step)), catalog, as_of)

    found = _most(total, amount, item.usd_per_hour, step)
    if found is None:
        return None
    steps, priced = found
    return _budget_row(item, item.gpus_asked, hours_of(Decimal(steps), step), priced.total_usd, amount)


def _step(offer: Offer, catalog: Catalog) -> Decimal:
    """The billing step; a whole hour where the step is not known."""
    if offer.plan in TERM_HOURS:
        return TERM_HOURS[offer.plan]
    if offer.plan == "monthly":
        return HOURS_PER_MONTH
    return billing_of(offer, catalog.providers[offer.provider]).step_hours or Decimal(1)


def _row_of_gpus(item: Quote, question: Question, amount: Decimal, catalog: Catalog, as_of: date) -> Part | None:
    assert item.offer is not None
    unit = item.offer.gpus if item.offer.sold_as == "machine" else Decimal(1)
    want = _want_of(item, question)

    def total(units: int) -> Quote:
        return _again(item, question, replace(want, per_machine=units * unit, nodes=None), catalog, as_of)

    one = item.usd_per_hour / (item.gpus_paid / unit) if item.usd_per_hour else None
    found = _most(total, amount, one, item.billed_hours or Decimal(1))
    if found is None:
        return None
    units, priced = found
    if item.offer.max_machines is not None and units * unit > item.offer.max_machines * item.offer.machine_gpus:
        units = int(item.offer.max_machines * item.offer.machine_gpus / unit)
        priced = total(units)
    return _budget_row(item, units * unit, item.hours, priced.total_usd, amount)


def _row_per_hour(item: Quote) -> Part:
    """With a limit per hour alone, the quotes already respect it."""
    assert item.offer is not None
    return {"offer": item.offer.id, "gpus": item.gpus_paid, "hours": None, "total_usd": None, "left_usd": None}


def _most(
    total: Callable[[int], Quote], amount: Decimal, usd_per_hour: Decimal | None, hours: Decimal
) -> tuple[int, Quote] | None:
    """The largest number of steps whose total fits.

    Totals grow with the steps, by about the listed price: each guess is corrected by what it was over or under, and
    the bracket around the answer is halved where the guess does not help.
    """
    if not usd_per_hour:
        return None
    step = usd_per_hour * hours
    if not total(1).total_usd:
        return None  # not known how much is owed, or nothing
    low, best = 0, None  # fits
    high = int(amount / step) + 2
    guess = high - 2
    while (priced := total(high)).total_usd is not None and compared(priced.total_usd) <= compared(amount):
        low, best, high = high, priced, high * 2  # a fee for each machine weighs less on more GPUs
    while high - low > 1:
        guess = guess if low < guess < high else (low + high) // 2
        priced = total(guess)
        assert priced.total_usd is not None
        room = int((amount - priced.total_usd) / step)
        if compared(priced.total_usd) <= compared(amount):
            low, best, guess = guess, priced, guess + max(1, room)
        else:
            high, guess = guess, guess - max(1, -room)
    return None if best is None else (low, best)


def _budget_row(item: Quote, gpus: Decimal, hours: Decimal | None, total: Decimal | None, amount: Decimal) -> Part:
    assert item.offer is not None
    assert total is not None
    return {"offer": item.offer.id, "gpus": gpus, "hours": hours, "total_usd": total, "left_usd": amount - total}


# ---------------------------------------------------------------- comparison

Cell = dict[str, Any] | None
Found = tuple[str, Any, Used] | None  # provider, what is shown, the price line it rests on


@dataclass(frozen=True, slots=True)
class Column:
    """One thing named, with its best quote; without hardware or a price only the provider speaks."""

    names: tuple[tuple[str, str], ...]
    item: Quote | None
    provider: Provider | None
    catalog: Catalog
    as_of: date

    @property
    def offer(self) -> Offer | None:
        return self.item.offer if self.item else None

    @property
    def traits(self) -> Traits | None:
        if self.provider is None:
            return None
        return self.provider.traits if self.offer is None else traits_of(self.offer, self.provider)


def comparison(question: Question, quotes: Sequence[Quote], catalog: Catalog, as_of: date) -> Part:
    """One column for each thing named, the same rows for each; a cell is {value, source} or None when unknown."""
    asked = on_asked_plans(question, quotes)
    columns = [_column(names, asked, catalog, as_of) for names in _columns(question)]
    return {
        "columns": [{**dict(c.names), "offer": c.offer.id if c.offer else None} for c in columns],
        "rows": [{"row": name, "cells": [cell(c) for c in columns]} for name, cell in _ROWS.items()],
    }


def beside_lines(question: Question, quotes: Sequence[Quote], catalog: Catalog, as_of: date) -> list[tuple[str, Used]]:
    """The price lines that only cells of the comparison rest on, each with the key of its source."""
    asked = on_asked_plans(question, quotes)
    columns = [_column(names, asked, catalog, as_of) for names in _columns(question)]
    found = [find(column) for column in columns for find in (_egress, _bought(("spot",)), _bought(COMMITTED))]
    return [(_line_key(one), one[2]) for one in found if one is not None]


def on_asked_plans(question: Question, quotes: Sequence[Quote]) -> list[Quote]:
    """The quotes whose plan was asked for: a row of on demand that stands beside them speaks for no column."""
    plans = plans_of(question).stated
    return [item for item in quotes if not plans or item.offer is None or item.offer.plan in plans]


def _column(names: tuple[tuple[str, str], ...], every: Sequence[Quote], catalog: Catalog, as_of: date) -> Column:
    best = next((q for q in every if q.offer and _named(q, names, catalog)), None)
    provider = best.provider if best else dict(names).get("provider")
    return Column(names, best, catalog.providers.get(provider or ""), catalog, as_of)


def _columns(question: Question) -> list[tuple[tuple[str, str], ...]]:
    """Each thing named, as (kind, name) pairs; two kinds named several times give their combinations."""
    kinds: list[list[tuple[str, str]]] = []
    gpus = list(dict.fromkeys(_gpu_name(g) for g in question.gpus))
    for kind, names in (
        ("provider", question.providers),
        ("gpu", gpus),
        ("plan", question.plans),
        ("region", question.regions),
    ):
        if len(names) >= 2:
            kinds.append([(kind, name) for name in names])
    return list(product(*kinds)) if kinds else []


def _gpu_name(gpu: GpuAsk) -> str:
    memory = f" {gpu.memory_gb:f} GB" if gpu.memory_gb is not None else ""
    return f"{gpu.model}{memory}{' ' + gpu.form if gpu.form else ''}"


def _named(item: Quote, names: Iterable[tuple[str, str]], catalog: Catalog) -> bool:
    offer = item.offer
    assert offer is not None
    for kind, name in names:
        if kind == "provider" and offer.provider != name:
            return False
        if kind == "gpu" and not _is_gpu(offer, name):
            return False
        if kind == "plan" and offer.plan != name and not (name == "reserved" and offer.plan.startswith("reserved")):
            return False
        if kind == "region" and not _is_in(item.region, name, catalog):
            return False
    return True


def _is_gpu(offer: Offer, name: str) -> bool:
    memory = f" {offer.memory_gb:f} GB" if offer.memory_gb is not None else ""
    form = f" {offer.form}" if offer.form else ""
    return name in (offer.gpu, offer.gpu + memory, offer.gpu + form, offer.gpu + memory + form)


def _is_in(code: str | None, name: str, catalog: Catalog) -> bool:
    region = catalog.regions.get((code or "").lower())
    return code is not None and name in {code.lower(), *((region.country, region.area) if region else ())}


# -- cells


def _sourced(value: Any, source: str | None) -> Cell:
    return None if value is None else {"value": value, "source": source}


def _of_quote(pick: Callable[[Quote], Any]) -> Callable[[Column], Cell]:
    """A figure of the column's quote, with the source of its price."""

    def cell(column: Column) -> Cell:
        item = column.item
        if item is None:
            return None
        return _sourced(pick(item), f"{item.provider}/{item.used.line.source.key}" if item.used else None)

    return cell


def _of_traits(pick: Callable[[Traits], Any]) -> Callable[[Column], Cell]:
    """What the provider's file states; its place is the source."""

    def cell(column: Column) -> Cell:
        if column.traits is None or column.provider is None:
            return None
        value = pick(column.traits)
        return _sourced(list(value) if isinstance(value, tuple) else value, str(column.provider.place))

    return cell


def _billing_cell(column: Column) -> Cell:
    if column.provider is None:
        return None
    billing = column.provider.billing if column.offer is None else billing_of(column.offer, column.provider)
    return _sourced(billing.step, str(column.provider.place))


def _of_line(find: Callable[[Column], Found]) -> Callable[[Column], Cell]:
    """A figure that rests on a price line beside the quote's own."""

    def cell(column: Column) -> Cell:
        found = find(column)
        return None if found is None else _sourced(found[1], _line_key(found))

    return cell


def _line_key(found: tuple[str, Any, Used]) -> str:
    provider, _, used = found
    return f"{provider}/{used.line.source.key}"


def _egress(column: Column) -> Found:
    provider = column.provider
    if provider is None:
        return None
    region = column.item.region if column.item else None
    used = choose(provider.transfer_out, column.as_of, provider.recheck_days, region=region).used
    return None if used is None else (provider.id, used.line.says, used)


def _bought(plans: Sequence[str]) -> Callable[[Column], Found]:
    """The lowest USD per GPU-hour at which the same provider sells the same card under one of ``plans``."""

    def find(column: Column) -> Found:
        offer, catalog, as_of = column.offer, column.catalog, column.as_of
        if offer is None:
            return None
        found: list[tuple[bool, Decimal, str, str, Used]] = []
        for other in catalog.by_gpu.get(offer.gpu, ()):
            if not _same_card(offer, other) or other.plan not in plans or other.gpus < 1:
                continue
            price = listed_price(other, catalog, as_of)
            if price is not None:
                old = price.used.old
                found.append((old, price.usd, price.used.line.source.key, other.plan, price.used))
        if not found:
            return None
        _, usd, _, plan, used = min(found, key=lambda x: x[:4])
        return offer.provider, {"plan": plan, "usd_per_gpu_hour": usd} if len(plans) > 1 else usd, used

    return find


def _same_card(offer: Offer, other: Offer) -> bool:
    return (other.provider, other.memory_gb, other.form) == (offer.provider, offer.memory_gb, offer.form)


_ROWS: Mapping[str, Callable[[Column], Cell]] = {
    "rate": _of_quote(lambda item: item.usd_per_gpu_hour),
    "total": _of_quote(lambda item: item.total_usd),
    "memory": _of_quote(lambda item: item.offer.memory_gb if item.offer else None),
    "interconnect": _of_traits(lambda traits: traits.interconnect),
    "billing_step": _billing_cell,
    "egress": _of_line(_egress),
    "spot": _of_line(_bought(("spot",))),
    "commitments": _of_line(_bought(COMMITTED)),
    "compliance": _of_traits(lambda traits: traits.compliance),
    "support": _of_traits(lambda traits: traits.support),
}


# ---------------------------------------------------------------- the price the asker was quoted


def quoted_against(money: Money, usd: Decimal, first: Quote) -> Part:
    """The asker's price against the first quote on the same terms; positive means the asker pays more."""
    against = first.offer.id if first.offer else first.provider
    if money.per == "total":
        mine, theirs, key = usd, first.total_usd, "total_usd"
    else:
        times = {"gpu_hour": first.gpus_asked, "month": 1 / HOURS_PER_MONTH}.get(money.per or "", Decimal(1))
        mine, theirs, key = usd * times, first.usd_per_hour, "usd_per_hour"
    if not theirs:
        return {key: mine, "against": against, "difference_usd": None, "percent": None}
    return {
        key: mine,
        "against": against,
        "difference_usd": mine - theirs,
        "percent": (mine - theirs) / theirs * 100,
    }
