"""The headline of a commitment or a purchase: from which use on it pays off."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from bot.render import figures, phrases
from bot.render.costs import in_own_currency, provider_of
from bot.render.words import say
from rules.model import HOURS_PER_MONTH, Answer


def paying_off(answer: Answer, lang: str) -> str:
    part = answer.parts.get("break_even")
    rows = [row for row in part.get("rows", ()) if isinstance(row, Mapping)] if isinstance(part, Mapping) else []
    bought = [row for row in rows if row.get("hours")]
    if isinstance(part, Mapping) and part.get("purchase_usd") is not None and bought:
        return _buying(answer, part["purchase_usd"], bought, lang)
    committed = [row for row in rows if "utilisation" in row]
    if not committed:
        return _limit(answer, lang)
    row = min(committed, key=lambda r: (r.get("utilisation") is None, r.get("utilisation") or 0))
    return _own(answer, row, lang) + _market(answer, row.get("market"), row.get("baseline"), lang)


def _limit(answer: Answer, lang: str) -> str:
    """Without a committed price: what a month on demand costs, below which one would pay off."""
    steady = next((q for q in answer.quotes if q.offer is not None and q.offer.plan == "on_demand"), None)
    if steady is None or steady.usd_per_hour is None:
        return say("head.even.none", lang)
    return say(
        "head.even.limit",
        lang,
        provider=phrases.provider_name(answer, steady.provider, lang),
        what=phrases.quote_hardware(steady, lang),
        amount=phrases.amount(answer, steady.usd_per_hour * HOURS_PER_MONTH),
    )


def _own(answer: Answer, row: Mapping[str, Any], lang: str) -> str:
    use = row.get("utilisation")
    slots = {
        "plan": phrases.plan(str(row.get("plan")), lang),
        "provider": provider_of(answer, row.get("offer"), lang),
        "rate": figures.unit_price(row.get("rate") or Decimal(0)),
    }
    if use is None:
        return say("head.even.own.unknown", lang, **slots)
    if use > 1:
        return say("head.even.own.never", lang, **slots)
    return say("head.even.own", lang, **slots, percent=figures.percent(use), hours=row.get("hours_per_month"))


def _market(answer: Answer, market: Any, baseline: Decimal | None, lang: str) -> str:
    if not isinstance(market, Mapping) or market.get("utilisation") is None:
        return ""
    if market.get("rate") == baseline:
        return say("head.even.market.same", lang)
    use = market["utilisation"]
    return say(
        "head.even.market.never" if use > 1 else "head.even.market",
        lang,
        market=provider_of(answer, market.get("offer"), lang),
        rate=figures.unit_price(market.get("rate") or Decimal(0)),
        percent=figures.percent(use),
    )


def _buying(answer: Answer, price: Decimal, rows: Sequence[Mapping[str, Any]], lang: str) -> str:
    """Against the cheapest rent, which takes the longest to pay back."""
    row = max(rows, key=lambda r: Decimal(r["hours"]))
    hours = row["hours"]
    return say(
        "head.even.buy",
        lang,
        price=in_own_currency(answer, answer.question.purchase_price, price),
        hours=figures.count(hours, 0),
        months=figures.count(hours / HOURS_PER_MONTH, 1),
        provider=provider_of(answer, row.get("offer"), lang),
        rate=figures.money(price / hours),
    )
