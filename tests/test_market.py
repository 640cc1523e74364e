"""Of what is not shown whole only the first is priced: it must be the first of all, had all been priced."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Context, Decimal, localcontext

import pytest

from benchmarks.synthetic import AS_OF, catalogue
from bot.ask import parse
from bot.catalog import load
from rules.cost import at_least, quote
from rules.decide import decide
from rules.guidance import evaluate
from rules.market import Market, cost_of, rank_key
from rules.model import Answer, Catalog, Discount, Place, Question, Quote
from rules.offers import sort_offers

DAY: date = AS_OF
QUESTIONS = (
    "cheapest 4xA100 for 72h",
    "cheapest A100",
    "cheapest 8xA100 for 72h under $900",
    "cheapest 3xA100 for 30 minutes at most $8/h",
    "cheapest 16xA100 for 100h with 2TB egress and 500GB storage",
    "monthly 4xA100 for 300h",
    "2 machines of 4xA100 for 50h, cheapest",
    "spot 4xA100 for 200h, no checkpoints",
    "cheapest price per gpu hour for 4xA100",
    "1 year reserved 8xA100",
    "recommend 4xA100 for training for 3 days, kubernetes",
    "best value 4xA100 for training, 3 days",
)


def markets() -> list[Catalog]:
    """Three made markets, the second with accounts and a discount, the third with odd ages."""
    base = load(None)[0]
    first, second, third = (catalogue(base, 500, seed=seed) for seed in (1, 2, 3))
    provider = second.offers[0].provider
    second = replace(
        second,
        accounts=tuple(sorted({offer.provider for offer in second.offers}))[::2],
        discounts=(Discount(provider, Decimal(30), Place("discounts.yaml", 1)),),
    )
    new_year = date(2026, 1, 1)
    aged = tuple(
        replace(offer, prices=tuple(replace(line, seen=new_year, start=new_year) for line in offer.prices))
        if n % 3 == 0
        else offer
        for n, offer in enumerate(third.offers)
    )
    by_gpu = {gpu: tuple(offer for offer in aged if offer.gpu == gpu) for gpu in third.by_gpu}
    return [first, second, replace(third, offers=aged, by_gpu=by_gpu, by_id={offer.id: offer for offer in aged})]


MARKETS = markets()
ASKED = [(n, text) for n in range(len(MARKETS)) for text in QUESTIONS]


def acceptable(question: Question, catalog: Catalog, ranked: bool) -> list[Quote]:
    """Every quote of the ranked or of the other candidates that no limit and no rule refuses."""
    market = Market(question, catalog, DAY)
    found = sort_offers(question, catalog, DAY)
    every = [quote(c, question, catalog, DAY) for c in (found.ranked if ranked else found.unranked)]
    spoken = evaluate(catalog.rules, question, every, catalog).by_offer
    return [
        item
        for item in every
        if item.offer
        and not market._limits.refuse(item)
        and not any(rule.effect == "exclude" for rule in spoken.get(item.offer.id, ()))
    ]


def group(item: Quote) -> tuple[str, str, str]:
    assert item.offer is not None
    return item.offer.provider, item.offer.gpu, item.offer.plan


def too_small(item: Quote, fine: list[Quote], question: Question) -> bool:
    """C2: fewer GPUs than asked, though a larger shape of the same provider, model and plan would do."""

    def size(one: Quote) -> Decimal:
        assert one.offer is not None
        return one.offer.machine_gpus

    larger = any(group(other) == group(item) and size(other) > size(item) for other in fine)
    return question.nodes is None and size(item) < item.gpus_asked and larger


def quoted(question: Question, catalog: Catalog, ranked: bool) -> list[Quote]:
    """Every quote that stays of the ranked or of the other candidates."""
    fine = acceptable(question, catalog, ranked)
    return [item for item in fine if not too_small(item, fine, question)]


def order(item: Quote, question: Question, catalog: Catalog) -> tuple[bool, tuple[object, ...]]:
    measure = item.usd_per_gpu_hour if question.sort == "per_gpu_hour" else None
    return (bool(catalog.accounts) and item.provider not in catalog.accounts, rank_key(item, measure))


@pytest.mark.parametrize(("market", "text"), ASKED)
def test_the_first_quote_alone_is_the_first_of_the_whole_answer(market: int, text: str) -> None:
    catalog = MARKETS[market]
    question = parse(text, catalog).question
    with localcontext(Context(prec=60)):
        first = Market(question, catalog, DAY).first()
    answer: Answer = decide(question, catalog, DAY)
    ranked = [item for item in answer.quotes if question.plans == () or item.offer.plan in question.plans]  # type: ignore[union-attr]
    assert (first.offer if first else None) == (ranked[0].offer if ranked else None)


@pytest.mark.parametrize(("market", "text"), ASKED)
def test_each_other_way_is_the_best_quote_of_its_plan(market: int, text: str) -> None:
    catalog = MARKETS[market]
    question = parse(text, catalog).question
    with localcontext(Context(prec=60)):
        every = quoted(question, catalog, ranked=False)
        best: dict[str, str] = {}
        for item in sorted(every, key=lambda item: order(item, question, catalog)):
            assert item.offer is not None
            best.setdefault(item.offer.plan, item.offer.id)
    answer = decide(question, catalog, DAY)
    beside = {item.offer.plan: item.offer.id for item in answer.quotes if item.offer and item.offer.plan in best}
    found = {
        one.quote.offer.plan: one.quote.offer.id
        for one in answer.alternatives
        if one.quote.offer and one.condition != "several-machines"
    }
    assert {**found, **beside} == best


@pytest.mark.parametrize(("market", "text"), ASKED)
def test_what_stays_of_the_ranked_is_what_is_shown(market: int, text: str) -> None:
    catalog = MARKETS[market]
    question = parse(text, catalog).question
    with localcontext(Context(prec=60)):
        stays = sorted(quoted(question, catalog, ranked=True), key=lambda item: order(item, question, catalog))
    answer = decide(question, catalog, DAY)
    shown = [item for item in answer.quotes if item.offer and item.offer.id in {s.offer.id for s in stays if s.offer}]
    assert {item.offer.id for item in shown if item.offer} == {item.offer.id for item in stays if item.offer}
    if question.intent != "recommend":
        assert [cost_of(item) for item in shown] == [cost_of(item) for item in stays]


@pytest.mark.parametrize(("market", "text"), ASKED)
def test_no_quote_costs_less_than_the_bound_that_it_was_left_unpriced_for(market: int, text: str) -> None:
    catalog = MARKETS[market]
    question = parse(text, catalog).question
    found = sort_offers(question, catalog, DAY)
    assert found.ranked or found.unranked
    with localcontext(Context(prec=60)):
        for candidate in (*found.ranked, *found.unranked):
            assert at_least(candidate, catalog) <= cost_of(quote(candidate, question, catalog, DAY))


@pytest.mark.parametrize(("market", "text"), ASKED)
def test_the_smaller_shapes_beside_a_quote_are_the_cheapest_of_its_provider(market: int, text: str) -> None:
    catalog = MARKETS[market]
    question = parse(text, catalog).question
    with localcontext(Context(prec=60)):
        small = [
            item
            for ranked in (True, False)
            for fine in [acceptable(question, catalog, ranked)]
            for item in fine
            if too_small(item, fine, question) and item.total_usd is not None
        ]
        best: dict[tuple[str, str, str], Quote] = {}
        for item in sorted(small, key=rank_key):
            best.setdefault(group(item), item)
        ranked_ids = {candidate.offer.id for candidate in sort_offers(question, catalog, DAY).ranked}
        several = [item for item in small if item.offer and item.offer.id in ranked_ids]
        first = min(several, key=rank_key, default=None)
    answer = decide(question, catalog, DAY)
    ways = [one.quote for one in answer.alternatives if one.condition != "several-machines"]
    for item in (*answer.quotes, *ways):
        other = best.get(group(item))
        cheaper = other is not None and item.total_usd is not None and cost_of(other) < cost_of(item)
        wanted = other.offer if cheaper and other else None
        assert (item.split.offer if item.split else None) == (wanted.id if wanted else None)
    shown = [one.quote.offer for one in answer.alternatives if one.condition == "several-machines"]
    if first is not None and answer.quotes and cost_of(first) < cost_of(answer.quotes[0]):
        assert shown == [first.offer]
