"""The headline of a budget: how long it lasts, how many GPUs it pays for, whether it is enough."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from bot.render import figures, phrases
from bot.render.costs import in_own_currency, quote_of, what_for
from bot.render.words import say
from rules.model import Answer, Quote


def bought(answer: Answer, lang: str) -> str:
    """How long the amount lasts, how many GPUs it pays for, or whether it is enough."""
    part = answer.parts.get("budget")
    if not isinstance(part, Mapping):
        return _budget_per_hour(answer, lang)
    money = part.get("amount_usd")
    rows = [row for row in part.get("rows", ()) if isinstance(row, Mapping)]
    if money is None:
        return _budget_per_hour(answer, lang)
    budget = in_own_currency(answer, answer.question.budget, money)
    if _is_enough_asked(answer):
        return _enough(answer, money, budget, lang)
    rows = [row for row in rows if row.get("hours")]
    if not rows:
        return say("head.budget.none", lang, budget=budget)
    row = max(rows, key=lambda r: _budget_key(answer, r))
    quote = quote_of(answer, row.get("offer"))
    key = "head.budget.gpus" if _counts_gpus(answer) else "head.budget.hours"
    return say(
        key,
        lang,
        budget=budget,
        hours=phrases.hours_down(row["hours"], lang),
        gpus=_gpus_of_row(row, quote, lang),
        provider="?" if quote is None else phrases.provider_name(answer, quote.provider, lang),
        left=figures.cents(row.get("left_usd") or Decimal(0)),
        age="?" if quote is None else phrases.quote_age(quote, lang),
    )


def _counts_gpus(answer: Answer) -> bool:
    question = answer.question
    counted = question.gpu_count is not None or any(ask.count is not None for ask in question.gpus)
    return question.hours is not None and not counted


def _is_enough_asked(answer: Answer) -> bool:
    question = answer.question
    return question.hours is not None and not _counts_gpus(answer)


def _enough(answer: Answer, money: Decimal, budget: str, lang: str) -> str:
    first = next((quote for quote in answer.quotes if quote.total_usd is not None), None)
    if first is None or first.total_usd is None:
        return ""
    fits = first.total_usd <= money
    return say(
        "head.budget.enough" if fits else "head.budget.short",
        lang,
        budget=budget,
        what=what_for(answer, first, lang),
        total=figures.money(first.total_usd),
        provider=phrases.provider_name(answer, first.provider, lang),
        left=figures.money(money - first.total_usd),
        short=figures.money(first.total_usd - money),
        age=phrases.quote_age(first, lang),
    )


def _budget_key(answer: Answer, row: Mapping[str, Any]) -> tuple[bool, Decimal]:
    """Young prices first, then what the amount buys most of."""
    quote = quote_of(answer, row.get("offer"))
    most = row.get("gpus") if _counts_gpus(answer) else row.get("hours")
    return (quote is not None and not quote.old, Decimal(most or 0))


def _gpus_of_row(row: Mapping[str, Any], quote: Quote | None, lang: str) -> str:
    count = row.get("gpus")
    if quote is None or quote.offer is None:
        return say("gpus.count", lang, n=count)
    name = phrases.hardware(quote.offer.gpu, quote.offer.memory_gb, quote.offer.form, lang)
    return phrases.gpus(Decimal(count), name, lang) if count is not None else phrases.quote_hardware(quote, lang)


def _budget_per_hour(answer: Answer, lang: str) -> str:
    """An hourly limit: the best that stays within it."""
    limit = answer.question.budget_per_hour
    if limit is None or not answer.quotes:
        return ""
    first = answer.quotes[0]
    return say(
        "head.budget.rate",
        lang,
        budget=phrases.stated(limit, answer.question.lang),
        gpus=phrases.quote_hardware(first, lang),
        provider=phrases.provider_name(answer, first.provider, lang),
        age=phrases.quote_age(first, lang),
    )
