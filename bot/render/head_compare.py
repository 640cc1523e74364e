"""The headline of a comparison: the best quote of each thing named, lowest first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from bot.render import figures, phrases
from bot.render.costs import cost_of, cost_said, missing_plan
from bot.render.words import join, say
from rules.model import Answer, GpuAsk, Quote
from rules.parts import on_asked_plans

Thing = TypeVar("Thing")


def compared(answer: Answer, lang: str) -> str:
    """The best quote of each thing named, lowest first."""
    groups = compared_quotes(answer, lang)
    if groups is None or not answer.quotes:
        return ""
    priced = sorted(((name, quote) for name, quote in groups if quote is not None), key=lambda pair: cost_of(pair[1]))
    missing = [name for name, quote in groups if quote is None]
    if not priced:
        return ""
    first = priced[0][1]
    instead = missing_plan(answer, first, lang)
    slots = {
        "what": _compared_for(answer, first, lang),
        "age": phrases.quote_age(max((q for _, q in priced), key=phrases.price_age), lang),
        "first": priced[0][0],
        "a": cost_said(answer, first, lang),
    }
    if len(priced) == 1:
        return instead + say("head.compare.one", lang, **slots, missing=join(missing, lang, "or")) if missing else ""
    if len(priced) == 2 and not missing:
        return instead + _pair(answer, priced, slots, lang)
    listed = [
        say("head.compare.item", lang, name=name, amount=cost_said(answer, quote, lang)) for name, quote in priced
    ]
    listed += [say("head.compare.item", lang, name=name, amount=say("unknown", lang)) for name in missing]
    return instead + say("head.compare.many", lang, **slots, list=("，" if lang == "zh" else ", ").join(listed))


def _pair(answer: Answer, priced: Sequence[tuple[str, Quote]], slots: Mapping[str, str], lang: str) -> str:
    (_, low), (second, high) = priced
    if cost_of(low) == cost_of(high):
        return say("head.compare.even", lang, **slots, second=second)
    share = 1 - cost_of(low) / cost_of(high)
    return say(
        "head.compare.pair",
        lang, **slots, second=second, b=cost_said(answer, high, lang), percent=figures.percent(share),
    )  # fmt: skip


def _compared_for(answer: Answer, quote: Quote, lang: str) -> str:
    """What is compared; GPUs that are themselves compared are not said again."""
    question = answer.question
    by_gpu = len(question.providers) < 2 and len(question.gpus) > 1
    hours = "" if quote.hours is None else phrases.hours(quote.hours, lang)
    if by_gpu:
        what = hours
    else:
        hardware = phrases.wanted(question, lang)
        what = say("hours_of", lang, hours=hours, what=hardware) if hours else hardware
    return say("compare.for", lang, what=what) if what else ""


def compared_quotes(answer: Answer, lang: str) -> list[tuple[str, Quote | None]] | None:
    """The best quote of each thing that is compared: providers, else GPUs, plans or regions."""
    question = answer.question
    ranked = on_asked_plans(question, answer.quotes)
    if len(question.providers) > 1:
        names = {one: phrases.provider_name(answer, one, lang) for one in question.providers}
        return [(names[one], _best(ranked, one, _is_sold_by)) for one in question.providers]
    if len(question.gpus) > 1:
        return [(phrases.asked_gpu(ask, lang), _best(ranked, ask, _is_gpu)) for ask in question.gpus]
    if len(question.plans) > 1:
        return [(phrases.plan(one, lang), _best(ranked, one, _is_plan)) for one in question.plans]
    return None


def _best(quotes: Iterable[Quote], thing: Thing, fits: Callable[[Quote, Thing], bool]) -> Quote | None:
    """The first that fits: quotes come ranked."""
    return next((quote for quote in quotes if fits(quote, thing)), None)


def _is_sold_by(quote: Quote, provider: str) -> bool:
    return quote.provider == provider


def _is_gpu(quote: Quote, ask: GpuAsk) -> bool:
    offer = quote.offer
    return (
        offer is not None
        and offer.gpu == ask.model
        and (ask.memory_gb is None or offer.memory_gb == ask.memory_gb)
        and (ask.form is None or offer.form == ask.form)
    )


def _is_plan(quote: Quote, plan: str) -> bool:
    if quote.offer is None:
        return False
    return quote.offer.plan == plan or (plan == "reserved" and quote.offer.plan.startswith("reserved"))
