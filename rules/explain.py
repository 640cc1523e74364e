"""The facts of an explanation: the topics that a message names, what they cost where a number is known, and what is
recorded about the providers that it names. Unknown figures are None or absent, never zero.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from statistics import median
from typing import Any

from rules.changes import cheapest_by_model
from rules.model import (
    Catalog,
    Note,
    Offer,
    PriceLine,
    Provider,
    Question,
    SourceUse,
    Topic,
    Used,
    source_keys,
)
from rules.offers import Listed, listed_price
from rules.prices import choose
from rules.remember import once
from rules.topics import nearest_topics, topics_for, words_of

Row = dict[str, Any]
MOST_TOPICS = 4
MOST_PROVIDERS = 3
MOST_ROWS = 8  # of one cost
MOST_NOTES = 4
_USUAL = ("H100", "A100", "H200", "B200", "L40S", "RTX4090", "L4")  # cards to show a price for when none is named
_PLANS = ("spot", "monthly", "reserved_1y", "reserved_3y")


@dataclass(frozen=True, slots=True)
class Explained:
    """``facts`` is the answer's part of that name; ``nearest`` are topics to name when nothing was found."""

    facts: list[Row]
    nearest: list[Row]
    sources: tuple[SourceUse, ...]


def explain(question: Question, text: str, catalog: Catalog, as_of: date) -> Explained:
    """What is known about what a message asks."""
    topics = (topics_for(text, catalog) or topics_for(_slot_words(question), catalog))[:MOST_TOPICS]
    asked = _Asked(question, catalog, as_of)
    facts = [_topic_row(topic, asked) for topic in topics]
    uses = [use for topic in topics for use in topic_sources(topic)]
    named = [catalog.providers[name] for name in question.providers if name in catalog.providers]
    for provider in named[:MOST_PROVIDERS]:
        facts += _provider_rows(provider, text, bool(topics), asked)
    nearest = [] if topics else [{"topic": one.id, "title": one.title} for one in nearest_topics(text, catalog)]
    found = {use.key: use for use in (*uses, *asked.sources)}
    return Explained(facts, nearest, tuple(found.values()))


def _slot_words(question: Question) -> str:
    """What the message was read as, in words that topics have as terms: for when it uses none of them itself."""
    words = [*(plan.replace("_", " ").replace(" 1y", "").replace(" 3y", "") for plan in question.plans)]
    words += [need.removeprefix("compliance_").replace("_", " ") for need in question.needs]
    words += ["egress"] if question.data_gb is not None else []
    words += ["while stopped"] if question.storage_gb is not None else []
    return ", ".join(words)


def topic_sources(topic: Topic) -> Iterable[SourceUse]:
    for key, source in zip(source_keys(topic.id, topic.sources), topic.sources, strict=True):
        yield SourceUse(key, source, topic.reviewed, None, None, False)


class _Asked:
    """The question with the market it is asked of; collects the sources of the numbers that are given."""

    def __init__(self, question: Question, catalog: Catalog, as_of: date) -> None:
        self.question, self.catalog, self.as_of = question, catalog, as_of
        self.sources: list[SourceUse] = []

    @property
    def models(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(ask.model for ask in self.question.gpus))

    def providers(self) -> list[Provider]:
        """Those named, else all; the big ones first, since most people weigh the others against them."""
        named = [self.catalog.providers[name] for name in self.question.providers if name in self.catalog.providers]
        return named or sorted(self.catalog.providers.values(), key=lambda one: (one.kind != "hyperscaler", one.id))

    def source(self, provider: str, used: Used) -> str:
        """The key of a price's source, which is then listed."""
        line = used.line
        key = f"{provider}/{line.source.key}"
        self.sources.append(SourceUse(key, line.source, line.seen, line.checked, used.age_days, used.stale))
        return key


def _topic_row(topic: Topic, asked: _Asked) -> Row:
    costs = [cost for what in topic.costs if (cost := _cost(what, asked))]
    row = {"topic": topic.id, "title": topic.title, "text": topic.text, "sources": source_keys(topic.id, topic.sources)}
    return {**row, "costs": costs} if costs else row


# ---------------------------------------------------------------- what it costs


def _cost(what: str, asked: _Asked) -> Row | None:
    """The numbers that are known of one thing: {what, rows, and for a plan its share of the on-demand price}."""
    if what in _PLANS:
        return _plan_cost(what, asked)
    build: Callable[[_Asked], list[Row]] | None = _COSTS.get(what)
    rows = build(asked) if build is not None else []
    return {"what": what, "rows": rows} if rows else None


def _line_rows(lines_of: Callable[[Provider], Sequence[PriceLine]]) -> Callable[[_Asked], list[Row]]:
    """A row for each provider that states the rate; one that was named and does not has None."""

    def rows(asked: _Asked) -> list[Row]:
        found = []
        for provider in asked.providers():
            row = _line_row(provider, lines_of(provider), asked)
            if row is None and provider.id in asked.question.providers:
                row = {"provider": provider.id, "rate": None, "source": None}
            if row is not None:
                found.append(row)
        return found[:MOST_ROWS]

    return rows


def _line_row(provider: Provider, lines: Sequence[PriceLine], asked: _Asked) -> Row | None:
    used = choose(lines, asked.as_of, provider.recheck_days).used
    if used is None or used.line.rate is None:
        return None
    rate = used.line.rate
    said = {"amount": rate.amount, "currency": rate.currency, "per": rate.unit}
    row: Row = {"provider": provider.id, "rate": said, "source": asked.source(provider.id, used)}
    if used.line.free_gb_month is not None:
        row["free_gb_month"] = used.line.free_gb_month
    return row


def _fee_rows(asked: _Asked) -> list[Row]:
    found = []
    for provider in asked.providers():
        for name in dict.fromkeys(line.what for line in provider.fees):
            row = _line_row(provider, [line for line in provider.fees if line.what == name], asked)
            if row is not None:
                found.append({**row, "fee": name})
    return found[:MOST_ROWS]


def _on_demand_rows(asked: _Asked) -> list[Row]:
    """The lowest young on-demand price of each card named, or of a few usual ones."""
    prices = cheapest_by_model(asked.catalog, asked.as_of)
    rows = []
    for model in asked.models or _USUAL:
        for price, offer in prices.get(model, ())[:1]:
            rows.append({**_card(offer), "usd_per_gpu_hour": price, "source": _offer_source(offer, asked)})
    return rows


def _serverless_rows(asked: _Asked) -> list[Row]:
    rows = []
    for offer in asked.catalog.offers:
        priced = _price(offer, asked.catalog, asked.as_of) if offer.plan == "serverless" else None
        if priced is not None and (not asked.models or offer.gpu in asked.models):
            source = asked.source(offer.provider, priced.used)
            rows.append({**_card(offer), "usd_per_gpu_hour": priced.usd, "source": source})
    return sorted(rows, key=lambda row: (row["usd_per_gpu_hour"], row["offer"]))[:MOST_ROWS]


def _billing_rows(asked: _Asked) -> list[Row]:
    return [
        {
            "provider": one.id,
            "billing_step": one.billing.step,
            "minimum_hours": one.billing.minimum_hours or None,
            "source": str(one.place),
        }
        for one in asked.providers()
        if one.billing.step is not None
    ][:MOST_ROWS]


_COSTS: Mapping[str, Callable[[_Asked], list[Row]]] = {
    "transfer": _line_rows(lambda provider: provider.transfer_out),
    "storage": _line_rows(lambda provider: provider.storage),
    "fee": _fee_rows,
    "billing": _billing_rows,
    "on_demand": _on_demand_rows,
    "serverless": _serverless_rows,
}


# ---------------------------------------------------------------- a plan against on demand


@dataclass(frozen=True, slots=True)
class Pair:
    """One card of one provider under a plan and on demand, in USD per GPU-hour, both prices young."""

    offer: Offer
    rate: Decimal
    used: Used
    steady: Offer
    steady_rate: Decimal
    steady_used: Used

    @property
    def share(self) -> Decimal:
        return self.rate / self.steady_rate


def _plan_cost(plan: str, asked: _Asked) -> Row | None:
    pairs = [
        pair
        for pair in pairs_of(plan, asked.catalog, asked.as_of)
        if (not asked.question.providers or pair.offer.provider in asked.question.providers)
        and (not asked.models or pair.offer.gpu in asked.models)
    ]
    if not pairs:
        return None
    shares = [pair.share for pair in pairs]
    summary = {"pairs": len(pairs), "low": min(shares), "median": median(shares), "high": max(shares)}
    return {"what": plan, **summary, "rows": [_pair_row(pair, asked) for pair in _telling(pairs)]}


def pairs_of(plan: str, catalog: Catalog, as_of: date) -> tuple[Pair, ...]:
    """Every offer of a plan beside the on-demand offer of the same provider, card and shape."""
    return once(catalog, ("pairs", plan, as_of), lambda: tuple(_pairs(plan, catalog, as_of)))


def _pairs(plan: str, catalog: Catalog, as_of: date) -> Iterable[Pair]:
    for offer in catalog.offers:
        mine = _price(offer, catalog, as_of) if offer.plan == plan else None
        if mine is None:
            continue
        rate, used, region = mine
        steady = [
            (price.usd, other.id, other, price.used)
            for other in catalog.by_gpu.get(offer.gpu, ())
            if other.plan == "on_demand"
            and _shape(other) == _shape(offer)
            and (price := _price(other, catalog, as_of, region)) is not None
        ]
        if steady:
            steady_rate, _, other, steady_used = min(steady, key=lambda one: one[:2])
            yield Pair(offer, rate, used, other, steady_rate, steady_used)


def _shape(offer: Offer) -> tuple[Any, ...]:
    return offer.provider, offer.memory_gb, offer.form, offer.gpus, offer.sold_as


def _price(offer: Offer, catalog: Catalog, as_of: date, region: str | None = None) -> Listed | None:
    """The listed price of a whole GPU while it is young."""
    found = None if offer.gpus < 1 else listed_price(offer, catalog, as_of, region)
    return None if found is None or found.used.old else found


def _telling(pairs: Sequence[Pair]) -> list[Pair]:
    """One pair for each provider and card: the usual cards first, the largest machine of each."""
    rank = {model: n for n, model in enumerate(_USUAL)}
    best: dict[tuple[str, str], Pair] = {}
    for pair in sorted(pairs, key=lambda one: (-one.offer.gpus, one.offer.id)):
        best.setdefault((pair.offer.provider, pair.offer.gpu), pair)
    order = sorted(best.values(), key=lambda one: (rank.get(one.offer.gpu, len(rank)), one.offer.gpu, one.share))
    return order[:MOST_ROWS]


def _pair_row(pair: Pair, asked: _Asked) -> Row:
    return {
        **_card(pair.offer),
        "usd_per_gpu_hour": pair.rate,
        "on_demand_usd_per_gpu_hour": pair.steady_rate,
        "share": pair.share,
        "source": asked.source(pair.offer.provider, pair.used),
        "on_demand_source": asked.source(pair.offer.provider, pair.steady_used),
    }


def _card(offer: Offer) -> Row:
    named = {"offer": offer.id, "provider": offer.provider, "gpu": offer.gpu}
    return {**named, "gpu_memory_gb": offer.memory_gb, "form": offer.form, "gpus": offer.gpus}


def _offer_source(offer: Offer, asked: _Asked) -> str | None:
    priced = _price(offer, asked.catalog, asked.as_of)
    return None if priced is None else asked.source(offer.provider, priced.used)


# ---------------------------------------------------------------- a provider that is named


def _provider_rows(provider: Provider, text: str, explained: bool, asked: _Asked) -> Iterable[Row]:
    """What is noted about a provider that shares a word with the message; without a topic, how it bills and sells."""
    notes = _notes_on(provider, text) or ([] if explained else list(provider.notes))
    if explained and not notes:
        return
    row: Row = {"provider": provider.id, "kind": provider.kind, "source": str(provider.place)}
    if not explained:
        row |= _terms(provider, asked)
    yield {**row, "notes": [_note_row(provider, note, asked) for note in notes[:MOST_NOTES]]}


def _notes_on(provider: Provider, text: str) -> list[Note]:
    """Notes that share a word with the message, its own names aside."""
    names = {word for name in (provider.name.en, provider.name.zh, *provider.aliases) for word in words_of(name)}
    asked = {word for word in words_of(text) if not any(char.isdigit() for char in word)} - names
    return [note for note in provider.notes if asked & {*words_of(note.text.en), *words_of(note.text.zh)}]


def _note_row(provider: Provider, note: Note, asked: _Asked) -> Row:
    if note.source is None:
        return {"text": note.text, "source": None}
    key = f"{provider.id}/{note.source.key}"
    asked.sources.append(SourceUse(key, note.source, note.seen, None, None, False))
    return {"text": note.text, "source": key}


def _terms(provider: Provider, asked: _Asked) -> Row:
    """How a provider bills; what its file does not state is None."""
    lines = {"egress": provider.transfer_out, "ingress": provider.transfer_in, "storage": provider.storage}
    rows = {name: _line_row(provider, of_name, asked) for name, of_name in lines.items()}
    offers = [offer for offer in asked.catalog.offers if offer.provider == provider.id]
    return {
        "billing_step": provider.billing.step,
        "minimum_hours": provider.billing.minimum_hours or None,
        **{name: None if row is None else row["rate"] for name, row in rows.items()},
        "plans": sorted({offer.plan for offer in offers if offer.prices}),
        "gpus": sorted({offer.gpu for offer in offers}),
    }
