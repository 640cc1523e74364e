"""The answer in one sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, TypeVar

from bot.render import figures, phrases
from bot.render.ask_back import ask_block
from bot.render.notes import left_out_count, reason_text, rules_of
from bot.render.words import join, say, word
from rules.model import (
    BUILT_IN_REASONS,
    HOURS_PER_MONTH,
    Answer,
    GpuAsk,
    Money,
    Quote,
    Text,
)

Thing = TypeVar("Thing")

_STOCK = re.compile(
    r"\b(in[ -]?stock|availab\w*|capacity|sold out|free right now)\b|有货|现货|库存|有没有货|缺货|有卡", re.IGNORECASE
)


def headline(answer: Answer, lang: str) -> str:
    """Amount, provider, unit and age of the price in one sentence; what limits it stands in front."""
    text = _before(answer, lang) + _sentence(answer, lang)
    return text[:1].upper() + text[1:]


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


# ---------------------------------------------------------------- prices


def _price(answer: Answer, lang: str) -> str:
    """The first quote; for a recommendation without one, the guidance."""
    if not answer.quotes:
        return _guidance(answer, lang) or (_no_match(answer, lang) if answer.left_out else say("head.nothing", lang))
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
    return _missing_plan(answer, first, lang) + sentence


def _kind(answer: Answer) -> str:
    if phrases.is_old(answer.quotes[0]):
        return "last"
    if len(answer.quotes) == 1:
        return "single"
    return {"price": "lowest", "recommend": "recommend"}.get(answer.question.intent, "cheapest")


def _missing_plan(answer: Answer, first: Quote, lang: str) -> str:
    """Said first when a plan was asked for by name and none of it is on offer."""
    asked = [plan for plan in answer.question.plans if plan != "on_demand"]
    if not asked or first.offer is None or first.offer.plan != "on_demand" or "on_demand" in answer.question.plans:
        return ""
    return say("head.no_plan", lang, plan=join([phrases.plan(plan, lang) for plan in asked], lang, "or"))


def cost_of(quote: Quote) -> Decimal:
    """The total, or the cost per hour when the duration is not known."""
    if quote.total_usd is not None:
        return quote.total_usd
    return quote.usd_per_hour if quote.usd_per_hour is not None else Decimal(0)


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


# ---------------------------------------------------------------- compare


def _compare(answer: Answer, lang: str) -> str:
    """The best quote of each thing named, lowest first."""
    groups = _groups(answer, lang)
    if groups is None or not answer.quotes:
        return ""
    priced = sorted(((name, quote) for name, quote in groups if quote is not None), key=lambda pair: cost_of(pair[1]))
    missing = [name for name, quote in groups if quote is None]
    if not priced:
        return ""
    first = priced[0][1]
    instead = _missing_plan(answer, first, lang)
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


def cost_said(answer: Answer, quote: Quote, lang: str) -> str:
    said = phrases.amount(answer, cost_of(quote))
    return said if quote.total_usd is not None else say("compare.per_hour", lang, amount=said)


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


def _groups(answer: Answer, lang: str) -> list[tuple[str, Quote | None]] | None:
    """The best quote of each thing that is compared: providers, else GPUs, plans or regions."""
    question = answer.question
    ranked = answer.quotes
    if len(question.providers) > 1:
        names = {one: phrases.provider_name(answer, one, lang) for one in question.providers}
        return [(names[one], _best(ranked, one, _is_sold_by)) for one in question.providers]
    if len(question.gpus) > 1:
        return [(phrases.asked_gpu(ask, lang), _best(ranked, ask, _is_gpu)) for ask in question.gpus]
    if len(question.plans) > 1:
        every = (*ranked, *(one.quote for one in answer.alternatives))
        return [(phrases.plan(one, lang), _best(every, one, _is_plan)) for one in question.plans]
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


# ---------------------------------------------------------------- budget


def _budget(answer: Answer, lang: str) -> str:
    """How long the amount lasts, how many GPUs it pays for, or whether it is enough."""
    part = answer.parts.get("budget")
    if not isinstance(part, Mapping):
        return _budget_per_hour(answer, lang)
    money = part.get("amount_usd")
    rows = [row for row in part.get("rows", ()) if isinstance(row, Mapping)]
    if money is None:
        return _budget_per_hour(answer, lang)
    budget = _in_own_currency(answer, answer.question.budget, money)
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


def _in_own_currency(answer: Answer, stated: Money | None, usd: Decimal) -> str:
    """The amount as the asker said it, with the USD that it was converted to."""
    if stated is None or phrases.currency_of(stated, answer.question.lang) == "USD":
        return figures.money(usd)
    return f"{phrases.stated(stated, answer.question.lang)} ({figures.money(usd)})"


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
    return (quote is not None and not phrases.is_old(quote), Decimal(most or 0))


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


def quote_of(answer: Answer, offer: Any) -> Quote | None:
    every = (*answer.quotes, *(one.quote for one in answer.alternatives))
    return next((quote for quote in every if quote.offer is not None and quote.offer.id == offer), None)


# ---------------------------------------------------------------- break even


def _break_even(answer: Answer, lang: str) -> str:
    part = answer.parts.get("break_even")
    rows = [row for row in part.get("rows", ()) if isinstance(row, Mapping)] if isinstance(part, Mapping) else []
    bought = [row for row in rows if row.get("hours")]
    if isinstance(part, Mapping) and part.get("purchase_usd") is not None and bought:
        return _buying(answer, part["purchase_usd"], bought, lang)
    committed = [row for row in rows if "utilisation" in row]
    if not committed:
        return say("head.even.none", lang)
    row = min(committed, key=lambda r: (r.get("utilisation") is None, r.get("utilisation") or 0))
    return _own(answer, row, lang) + _market(answer, row.get("market"), row.get("baseline"), lang)


def _own(answer: Answer, row: Mapping[str, Any], lang: str) -> str:
    use = row.get("utilisation")
    slots = {
        "plan": phrases.plan(str(row.get("plan")), lang),
        "provider": _provider_of(answer, row.get("offer"), lang),
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
        market=_provider_of(answer, market.get("offer"), lang),
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
        price=_in_own_currency(answer, answer.question.purchase_price, price),
        hours=figures.count(hours, 0),
        months=figures.count(hours / HOURS_PER_MONTH, 1),
        provider=_provider_of(answer, row.get("offer"), lang),
        rate=figures.money(price / hours),
    )


def _provider_of(answer: Answer, offer: Any, lang: str) -> str:
    """The provider of an offer that the answer names anywhere; the offer's id when it does not."""
    quote = quote_of(answer, offer)
    if quote is not None:
        return phrases.provider_name(answer, quote.provider, lang)
    for row in answer.left_out:
        if row.offer is not None and row.offer.id == offer:
            return phrases.provider_name(answer, row.provider, lang)
    return str(offer)


# ---------------------------------------------------------------- hardware, terms, advice


def _specs(answer: Answer, lang: str) -> str:
    return _fit(answer, lang) or _figures(answer, lang) or _no_figures(answer, lang)


def _no_figures(answer: Answer, lang: str) -> str:
    return say("head.specs.none", lang, what=phrases.wanted(answer.question, lang))


def _fit(answer: Answer, lang: str) -> str:
    """Whether the model fits on what was named, and what it needs; without a name, how many cards."""
    fit = answer.parts.get("fit")
    if not isinstance(fit, Mapping):
        return ""
    use = fit["per"]
    need = say(
        "head.fit.need",
        lang,
        purpose=word("fit.purpose", use["purpose"], lang),
        n=answer.question.model_params_b,
        dtype=use["dtype"],
        need=figures.count(fit["need_gb"], 1),
    )
    if fit.get("verdict") is not None:
        have_gb = figures.count(fit["have_gb"], 1)
        have = fit.get("have") or say("fit.memory", lang, n=have_gb)
        return say(f"head.fit.{fit['verdict']}", lang, have=have, have_gb=have_gb) + need
    cards = [say("gpus", lang, n=n, gpu=gpu) for gpu, n in fit.get("gpus_needed", {}).items()]
    return need + (say("head.fit.cards", lang, cards=join(cards, lang, "or")) if cards else "")


def _figures(answer: Answer, lang: str) -> str:
    """Memory, bandwidth and the peak asked for of each GPU named, in one sentence."""
    dtype = answer.question.dtype or "bf16"
    groups: dict[str, list[str]] = {}
    for row in fact_rows(answer):
        said = [f"{phrases.hardware(row['gpu'], row['memory_gb'], row['form'], lang)}"]
        if row["bandwidth_gbps"] is not None:
            said.append(say("fact.bandwidth", lang, n=row["bandwidth_gbps"]))
        peak = row["dense_tflops"].get(dtype)
        if peak is not None:
            said.append(say("fact.tflops", lang, n=peak, dtype=dtype))
        groups.setdefault(row["gpu"], []).append((", " if lang == "en" else "，").join(said))
    return ("; " if lang == "en" else "；").join(one for rows in groups.values() for one in rows)


def fact_rows(answer: Answer) -> list[Mapping[str, Any]]:
    """The rows of ``facts`` that are about a GPU."""
    facts = answer.parts.get("facts")
    return [row for row in facts if isinstance(row, Mapping) and "gpu" in row] if isinstance(facts, list) else []


def explanation(answer: Answer, lang: str) -> list[str]:
    """The sentences of the first topic that was found."""
    facts = answer.parts.get("facts")
    first = facts[0] if isinstance(facts, list) and facts else None
    text = first.get("text") if isinstance(first, Mapping) else None
    return _sentences(text.say(lang)) if isinstance(text, Text) else []


def _sentences(text: str) -> list[str]:
    """A text cut after each sentence; a point within a figure ends none."""
    return [one.strip() for one in re.split(r"(?<=[。！？])|(?<=[.!?])\s+(?=[A-Z“\"])", text) if one.strip()]


def _guidance(answer: Answer, lang: str) -> str:
    """Advice without a price: the scenario, and how many ways it offers."""
    part = answer.parts.get("guidance")
    if not isinstance(part, list) or not part:
        return ""
    key = "head.guidance.none" if answer.left_out else "head.guidance"
    return say(key, lang, title=part[0]["title"].say(lang), n=len(part[0]["options"]))


def _explain(answer: Answer, lang: str) -> str:
    sentences = explanation(answer, lang)
    return sentences[0] if sentences else say("head.explain.none", lang)


def _benchmark(answer: Answer, lang: str) -> str:
    if answer.question.action == "run":
        return say("head.benchmark.run", lang)
    return say("head.benchmark.none", lang)


_BY_INTENT: Mapping[str, Callable[[Answer, str], str]] = {
    "compare": _compare,
    "budget": _budget,
    "break_even": _break_even,
    "specs": _specs,
    "explain": _explain,
    "benchmark": _benchmark,
    "help": lambda _, lang: say("head.help", lang),
    "digest": lambda _, lang: say("head.digest", lang),
}


# ---------------------------------------------------------------- nothing matches


def _nothing(answer: Answer, lang: str) -> str:
    """Why there is no answer, in the terms of what was asked."""
    if answer.question.intent == "specs":
        return _no_figures(answer, lang)
    if answer.question.intent == "explain":
        return say("head.explain.none", lang)
    if answer.question.intent == "break_even":
        return say("head.even.none", lang)
    return _no_match(answer, lang)


def _no_match(answer: Answer, lang: str) -> str:
    """The filter that offers came nearest to passing, with how many it removed."""
    what = phrases.wanted(answer.question, lang)
    counts = _reason_counts(answer)
    if not counts:
        return say("head.no_match.bare", lang, what=what)
    total, rules = sum(counts.values()), rules_of(answer)
    nearest = sorted(counts, key=_depth, reverse=True)[:3]
    said = [
        say("left.of", lang, n=counts[reason], total=total, reason=reason_text(reason, rules, lang))
        for reason in nearest
    ]
    return say("head.no_match", lang, what=what, why=("，" if lang == "zh" else ", ").join(said))


def _reason_counts(answer: Answer) -> dict[str, int]:
    counts: dict[str, int] = {}
    for row in answer.left_out:
        counts[row.reason] = counts.get(row.reason, 0) + left_out_count(row)
    return counts


def _depth(reason: str) -> int:
    """How far an offer came before this reason refused it; a rule stands before the limit."""
    return BUILT_IN_REASONS.index(reason) if reason in BUILT_IN_REASONS else BUILT_IN_REASONS.index("over-budget")
