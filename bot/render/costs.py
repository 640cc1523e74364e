"""What a quote costs and what for, as every sentence says it."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from bot.render import figures, phrases
from bot.render.words import join, say, word
from rules.changes import expected_total
from rules.model import Alternative, Answer, Money, Quote
from rules.prices import currency_of


def cost_of(quote: Quote) -> Decimal:
    """The total, or the cost per hour when the duration is not known."""
    if quote.total_usd is not None:
        return quote.total_usd
    return quote.usd_per_hour if quote.usd_per_hour is not None else Decimal(0)


def cost_said(answer: Answer, quote: Quote, lang: str) -> str:
    said = phrases.amount(answer, cost_of(quote))
    return said if quote.total_usd is not None else say("compare.per_hour", lang, amount=said)


def what_for(answer: Answer, quote: Quote, lang: str) -> str:
    """What the amount pays for: "72 h on 4 × A100 80 GB, spot", or the data when there is no GPU."""
    if quote.offer is None:
        return _data(answer, lang)
    hardware = phrases.quote_hardware(quote, lang)
    if quote.offer.plan != "on_demand":
        hardware = say("with_plan", lang, what=hardware, plan=phrases.plan(quote.offer.plan, lang))
    if quote.hours is None:
        return hardware
    return say("hours_of", lang, hours=phrases.hours(quote.hours, lang), what=hardware)


def _data(answer: Answer, lang: str) -> str:
    question, parts = answer.question, []
    if question.data_gb is not None:
        flow = word("direction", question.data_direction or "out", lang)
        parts.append(say("data", lang, n=question.data_gb, direction=flow))
    if question.storage_gb is not None:
        parts.append(say("storage", lang, n=question.storage_gb))
    return join(parts, lang)


def missing_plan(answer: Answer, first: Quote, lang: str) -> str:
    """Said first when a plan was asked for by name and none of it is on offer."""
    asked = [plan for plan in answer.question.plans if plan != "on_demand"]
    if not asked or first.offer is None or first.offer.plan != "on_demand" or "on_demand" in answer.question.plans:
        return ""
    return say("head.no_plan", lang, plan=join([phrases.plan(plan, lang) for plan in asked], lang, "or"))


def own_accounts(answer: Answer, first: Quote, lang: str) -> str:
    """Said first where the team's own accounts stand before others, which may cost less."""
    others = any(quote.provider not in answer.accounts for quote in answer.quotes)
    return say("head.accounts", lang) if first.provider in answer.accounts and others else ""


def in_own_currency(answer: Answer, stated: Money | None, usd: Decimal) -> str:
    """The amount as the asker said it, with the USD that it was converted to."""
    if stated is None or currency_of(stated, answer.question.lang) == "USD":
        return figures.money(usd)
    return f"{phrases.stated(stated, answer.question.lang)} ({figures.money(usd)})"


def quote_of(answer: Answer, offer: Any) -> Quote | None:
    every = (*answer.quotes, *(one.quote for one in answer.alternatives))
    return next((quote for quote in every if quote.offer is not None and quote.offer.id == offer), None)


def provider_of(answer: Answer, offer: Any, lang: str) -> str:
    """The provider of an offer that the answer names anywhere; the offer's id when it does not."""
    quote = quote_of(answer, offer)
    if quote is not None:
        return phrases.provider_name(answer, quote.provider, lang)
    for row in answer.left_out:
        if row.offer is not None and row.offer.id == offer:
            return phrases.provider_name(answer, row.provider, lang)
    return str(offer)


def alternative_cost(one: Alternative) -> Decimal:
    """What the alternative is expected to cost: spot with its interruptions where their rate is known."""
    return cost_of(one.quote) if one.quote.total_usd is None else expected_total(one.quote)
