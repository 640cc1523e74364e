"""The answer in one sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from decimal import Decimal

from bot.render import figures, phrases
from bot.render.ask_back import ask_block
from bot.render.costs import cost_of, missing_plan, own_accounts, what_for
from bot.render.head_break_even import paying_off
from bot.render.head_budget import bought
from bot.render.head_compare import compared
from bot.render.head_facts import advice, explained, hardware, no_figures
from bot.render.head_nothing import no_match
from bot.render.words import say
from rules.model import Answer

_STOCK = re.compile(
    r"\b(in[ -]?stock|availab\w*|capacity|sold out|free right now)\b|有货|现货|库存|有没有货|缺货|有卡", re.IGNORECASE
)


def headline(answer: Answer, lang: str) -> str:
    """Amount, provider, unit and age of the price in one sentence; what limits it stands in front."""
    text = _before(answer, lang) + _sentence(answer, lang)
    return _begun(text)


def _begun(text: str) -> str:
    """A capital at the start, unless the first word is a name with figures in it (p4d.24xlarge)."""
    first = text.partition(" ")[0]
    return text if any(char.isdigit() for char in first) else text[:1].upper() + text[1:]


def _before(answer: Answer, lang: str) -> str:
    fresh = answer.freshness
    text = ""
    if asks_stock(answer) and answer.status in ("answered", "no_match"):
        text += say("head.stock", lang)
    if answer.quotes and fresh.recent * 2 < fresh.total:
        text += say("head.out_of_date", lang, recent=fresh.recent, total=fresh.total)
    return text


def asks_stock(answer: Answer) -> bool:
    """Whether the asker wants to know what is free, which no source states."""
    return _STOCK.search(answer.text) is not None


def _sentence(answer: Answer, lang: str) -> str:
    if answer.status == "clarify":
        return ask_block(answer, lang)[0]
    if answer.status == "unsupported":
        return say("head.unsupported", lang)
    if answer.status == "no_match":
        return _nothing(answer, lang)
    special = _BY_INTENT.get(answer.question.intent)
    text = special(answer, lang) if special is not None else ""
    return text or _price(answer, lang)


def _nothing(answer: Answer, lang: str) -> str:
    """Why there is no answer, in the terms of what was asked."""
    if answer.question.intent == "specs":
        return no_figures(answer, lang)
    if answer.question.intent == "explain":
        return explained(answer, lang)
    if answer.question.intent == "break_even":
        return say("head.even.none", lang)
    return no_match(answer, lang)


def _price(answer: Answer, lang: str) -> str:
    """The first quote; for a recommendation without one, the guidance."""
    if not answer.quotes:
        return advice(answer, lang) or (no_match(answer, lang) if answer.left_out else say("head.nothing", lang))
    first = answer.quotes[0]
    unit = "hour" if first.total_usd is None else "total"
    sentence = say(
        f"head.{_kind(answer)}.{unit}",
        lang,
        provider=phrases.provider_name(answer, first.provider, lang),
        amount=phrases.amount(answer, cost_of(first)),
        per_gpu=figures.unit_price(first.usd_per_gpu_hour or Decimal(0)),
        what=what_for(answer, first, lang),
        age=phrases.quote_age(first, lang),
    )
    return own_accounts(answer, first, lang) + missing_plan(answer, first, lang) + sentence


def _kind(answer: Answer) -> str:
    if answer.quotes[0].old:
        return "last"
    if len(answer.quotes) == 1:
        return "single"
    return {"price": "lowest", "recommend": "recommend"}.get(answer.question.intent, "cheapest")


def _benchmark(answer: Answer, lang: str) -> str:
    if answer.question.action == "run":
        return say("head.benchmark.run", lang)
    return say("head.benchmark.none", lang)


_BY_INTENT: Mapping[str, Callable[[Answer, str], str]] = {
    "compare": compared,
    "budget": bought,
    "break_even": paying_off,
    "specs": hardware,
    "explain": explained,
    "benchmark": _benchmark,
    "help": lambda _, lang: say("head.help", lang),
    "digest": lambda _, lang: say("head.digest", lang),
}
