"""The second line: what a sensible person wants to know at once, beside the headline."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal

from bot.render import figures, phrases
from bot.render.change_lines import spot_row, spot_text
from bot.render.costs import alternative_cost, cost_of, cost_said, quote_of
from bot.render.head_compare import compared_quotes
from bot.render.head_facts import explanation, fit_sentence, topics_of
from bot.render.headline import asks_stock
from bot.render.notes import assumption_text, condition_text, rule_text
from bot.render.words import join, listing, say, word
from rules.model import Alternative, Answer, Conflict, Fired, PriceLine, Quote
from rules.prices import last_look

SAVES = Decimal("0.15")  # another way of buying is worth a sentence from this saving on
OLDER_BEATS = Decimal("0.20")  # an older price is worth a sentence when it is this much lower
_MAX_RULES = 2  # sentences of advice
_MAX_OFFERS = 3  # named in one sentence


def also(answer: Answer, lang: str) -> list[str]:
    """What stands beside the headline; most telling first."""
    parts: Sequence[Callable[[Answer, str], Iterable[str]]] = (
        _strong_unread, _not_converted, _first_beside, _explained, _quoted, _fit, _unknown_lines, _cheaper_way, _older,
        _idle, _disputed, _advice, _guided, _contradictions, _stock, _help_more,
    )  # fmt: skip
    return [sentence for part in parts for sentence in part(answer, lang)]


def _strong_unread(answer: Answer, lang: str) -> Iterable[str]:
    pieces = [piece.text for piece in answer.unread if piece.strong]
    if pieces and answer.status not in ("unsupported",):
        quoted = [say("quote", lang, text=piece) for piece in pieces]
        yield say("also.unread", lang, pieces=("、" if lang == "zh" else ", ").join(quoted))


def _not_converted(answer: Answer, lang: str) -> Iterable[str]:
    """A limit that was not compared, or a currency that is not shown, because no rate is known."""
    for one in answer.assumptions:
        if one.key == "shown_in" or one.key.endswith("_unconverted"):
            yield assumption_text(one, lang)


def _first_beside(answer: Answer, lang: str) -> Iterable[str]:
    """What the first quote's total does not say: interruptions to expect, or its share of a term already held."""
    if not answer.quotes or answer.question.intent in ("break_even", "budget"):
        return
    first = answer.quotes[0]
    if first.expected is not None:
        hours, usd = phrases.hours(first.expected.hours, lang), phrases.amount(answer, first.expected.usd)
        yield say("how.expected", lang, hours=hours, amount=usd)
    elif first.endless:
        yield say("also.endless", lang, hours=phrases.hours(first.hours or Decimal(0), lang))
    elif first.offer is not None and (even := spot_text(answer, first.offer.id, lang)):
        against = quote_of(answer, (spot_row(answer, first.offer.id) or {}).get("against"))
        provider = "?" if against is None else phrases.provider_name(answer, against.provider, lang)
        yield say("also.spot_even", lang, provider=provider) + even
    if first.if_held is not None:
        hours, usd = phrases.hours(first.if_held["hours"], lang), phrases.amount(answer, first.if_held["usd"])
        yield say("how.if_held", lang, hours=hours, amount=usd)


def _explained(answer: Answer, lang: str) -> Iterable[str]:
    """The rest of an explanation, whose first sentence is the headline, and what was observed of its prices."""
    if answer.question.intent != "explain":
        return
    yield from explanation(answer, lang)[1:]
    for cost in (cost for topic in topics_of(answer)[:1] for cost in topic.get("costs", ())):
        if "median" in cost:
            shares = {name: figures.percent(cost[name], 0) for name in ("low", "high", "median")}
            key = "also.share.one" if cost["pairs"] == 1 else "also.share"
            yield say(key, lang, plan=phrases.plan(cost["what"], lang), n=cost["pairs"], **shares)


def _fit(answer: Answer, lang: str) -> Iterable[str]:
    """How the memory was worked out, and what other uses of the model need."""
    fit = answer.parts.get("fit")
    if not isinstance(fit, Mapping):
        return
    if answer.quotes:
        yield fit_sentence(answer, lang)
    note = word("fit.note", fit["per"]["purpose"], lang)
    yield say("fit.formula", lang, formula=fit["formula"], note=note)
    others = [
        say(
            "fit.other",
            lang,
            purpose=word("fit.purpose", row["purpose"], lang),
            dtype=row["dtype"],
            need=figures.count(row["need_gb"], 1),
        )
        for row in fit.get("others", ())
    ]
    if others and answer.question.intent == "specs":
        yield say("fit.others", lang, list=listing(others, lang))


def _quoted(answer: Answer, lang: str) -> Iterable[str]:
    part, stated = answer.parts.get("quoted"), answer.question.quoted
    if not isinstance(part, Mapping) or stated is None or part.get("difference_usd") is None:
        return
    own = part.get("total_usd") if part.get("total_usd") is not None else part.get("usd_per_hour")
    first = quote_of(answer, part.get("against"))
    if own is None or first is None:
        return
    theirs = first.total_usd if part.get("total_usd") is not None else first.usd_per_hour
    if theirs is None:
        return
    key = "same" if own == theirs else "above" if own > theirs else "below"
    percent = figures.percent(abs(own - theirs) / theirs) if theirs else "?"
    unit = "" if part.get("total_usd") is not None else ".hour"
    yield say(
        f"also.quoted.{key}{unit}",
        lang,
        quoted=figures.money(own),
        difference=figures.money(abs(own - theirs)),
        percent=percent,
        provider=phrases.provider_name(answer, first.provider, lang),
        theirs=figures.money(theirs),
    )


def _unknown_lines(answer: Answer, lang: str) -> Iterable[str]:
    if not answer.quotes:
        return
    first = answer.quotes[0]
    items = dict.fromkeys(word("item", line.item, lang) for line in first.lines if line.amount_usd is None)
    if items:
        names = [name if lang == "zh" else name.lower() for name in items]
        provider = phrases.provider_name(answer, first.provider, lang)
        yield say("also.unknown_line", lang, provider=provider, items=join(names, lang))


def _cheaper_way(answer: Answer, lang: str) -> Iterable[str]:
    """The best other way of buying when it saves enough; spot counts with the interruptions to expect."""
    if not answer.quotes:
        if answer.status == "no_match":
            yield from (_instead(answer, one, lang) for one in answer.alternatives[:1])
            yield from _unlocked(answer, lang)
        return
    best = _told(answer)
    if best is not None:
        cost, base = alternative_cost(best), cost_of(answer.quotes[0])
        key = "also.cheaper.expected" if best.quote.expected is not None else "also.cheaper"
        slots = _alternative_slots(answer, best, cost, lang)
        said = say(key, lang, percent=figures.percent(1 - cost / base, 0), **slots)
        yield said + (spot_text(answer, best.quote.offer.id, lang) if best.quote.offer else "")


def told_alternative(answer: Answer) -> str | None:
    """The offer of the other way of buying that the second line names."""
    best = _told(answer)
    return best.quote.offer.id if best is not None and best.quote.offer is not None else None


def _told(answer: Answer) -> Alternative | None:
    if not answer.quotes or answer.question.intent == "break_even":
        return None
    first = answer.quotes[0]
    base = cost_of(first)
    found = [one for one in answer.alternatives if _is_comparable(one.quote, first)]
    best = min(found, key=alternative_cost, default=None)
    return best if best is not None and base and alternative_cost(best) <= base * (1 - SAVES) else None


def _is_comparable(quote: Quote, first: Quote) -> bool:
    """Same unit, all lines known and no older than the price it is held against."""
    return (
        (quote.total_usd is None) == (first.total_usd is None)
        and quote.complete
        and not quote.endless
        and (not quote.old or first.old)
    )


def _alternative_slots(answer: Answer, one: Alternative, cost: Decimal, lang: str) -> dict[str, str]:
    said = phrases.amount(answer, cost)
    return {
        "way": _first_upper(phrases.way(one.quote, one.condition, lang)),
        "provider": phrases.provider_name(answer, one.quote.provider, lang),
        "amount": said if one.quote.total_usd is not None else say("compare.per_hour", lang, amount=said),
        "condition": condition_text(one.condition, lang),
    }


def _first_upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def _instead(answer: Answer, one: Alternative, lang: str) -> str:
    slots = _alternative_slots(answer, one, alternative_cost(one), lang)
    return say("also.alternative", lang, **slots | {"way": phrases.way(one.quote, one.condition, lang)})


def _unlocked(answer: Answer, lang: str) -> Iterable[str]:
    """What there would be without one of the limits."""
    for row in answer.parts.get("unlocks", ()):
        names = [phrases.provider_name(answer, one, lang) for one in answer.question.providers]
        total = row.get("usd")
        amount = phrases.amount(answer, total if total is not None else row["usd_per_hour"])
        yield say(
            "also.unlock",
            lang,
            limit=say(f"unlock.{row['limit']}", lang, **({"names": join(names, lang)} if names else {})),
            provider=phrases.provider_name(answer, row["provider"], lang),
            amount=amount if total is not None else say("compare.per_hour", lang, amount=amount),
        )


def _older(answer: Answer, lang: str) -> Iterable[str]:
    if not answer.quotes or answer.quotes[0].old:
        return
    limit = cost_of(answer.quotes[0]) * (1 - OLDER_BEATS)
    older = [quote for quote in answer.quotes if quote.old and cost_of(quote) <= limit and quote.complete]
    if older:
        best = min(older, key=cost_of)
        yield say(
            "also.older",
            lang,
            provider=phrases.provider_name(answer, best.provider, lang),
            amount=cost_said(answer, best, lang),
            n=phrases.price_age(best),
        )


def _idle(answer: Answer, lang: str) -> Iterable[str]:
    for quote in spoken_of(answer):
        if quote.idle_gpus > 0:
            provider = phrases.provider_name(answer, quote.provider, lang)
            yield say("also.idle", lang, provider=provider, paid=quote.gpus_paid, idle=quote.idle_gpus)


def spoken_of(answer: Answer) -> list[Quote]:
    """The quotes that the headline is about: the first, or the best of each thing that is compared."""
    compared = compared_quotes(answer, "en") if answer.question.intent == "compare" else None
    found = [quote for _, quote in compared or () if quote is not None]
    return list({id(quote): quote for quote in found}.values()) or list(answer.quotes[:1])


def _disputed(answer: Answer, lang: str) -> Iterable[str]:
    """The disagreement about the first quote, if there is one."""
    first = answer.quotes[0].offer if answer.quotes else None
    for conflict in answer.conflicts:
        if first is not None and conflict.offer.id == first.id:
            yield _disagreement(answer, conflict, lang)


def _disagreement(answer: Answer, conflict: Conflict, lang: str) -> str:
    others = [
        say("also.other_says", lang, source=line.source.title, says=_says(line, lang), date=last_look(line).isoformat())
        for line in conflict.others
    ]
    return say(
        "also.disputed",
        lang,
        provider=phrases.provider_name(answer, conflict.offer.provider, lang),
        used=_says(conflict.used, lang),
        others=listing(others, lang),
    )


def _says(line: PriceLine, lang: str) -> str:
    return line.says if line.rate is None else phrases.rate(line.rate, lang)


def _advice(answer: Answer, lang: str) -> Iterable[str]:
    """Cautions about the first quote, and what a rule wants to know."""
    return [rule_text(fired, lang) for fired in told_rules(answer)]


def told_rules(answer: Answer) -> list[Fired]:
    """The rules that the second line says in full."""
    told = {quote.offer.id for quote in spoken_of(answer) if quote.offer is not None}
    telling = [
        fired
        for fired in answer.reasons
        if fired.rule.effect in ("ask", "caution") and (not fired.offers or told & set(fired.offers))
    ]
    return telling[:_MAX_RULES]


def _guided(answer: Answer, lang: str) -> Iterable[str]:
    """Without a quote, the advice is what is left: each option of the first scenario with its condition."""
    part = answer.parts.get("guidance")
    if answer.quotes or not isinstance(part, list) or not part:
        return
    for option in part[0]["options"]:
        slots = {name: option[name].say(lang) for name in ("advice", "condition")}
        yield say("guidance.option", lang, **slots)
    if part[0]["corrects"] is not None:
        yield say("guidance.corrects", lang, text=part[0]["corrects"].say(lang))


def _contradictions(answer: Answer, lang: str) -> Iterable[str]:
    """Each pair of rules once, with the offers on which they disagree."""
    pairs: dict[tuple[str, str], list[str]] = {}
    for one, two, offer in answer.contradictions:
        pairs.setdefault((one, two), []).append(offer)
    for (one, two), offers in pairs.items():
        listed = join(offers[:_MAX_OFFERS], lang)
        if len(offers) > _MAX_OFFERS:
            listed = say("left.names.more", lang, names=listed, n=len(offers) - _MAX_OFFERS)
        yield say("also.contradiction", lang, one=one, two=two, offer=listed)


def _stock(answer: Answer, lang: str) -> Iterable[str]:
    """When stock was asked about: what was last seen, with its date."""
    if not asks_stock(answer):
        return
    for quote in answer.quotes:
        access = quote.access
        if access.stock in ("seen", "none") and access.seen is not None:
            provider = phrases.provider_name(answer, quote.provider, lang)
            yield say(f"also.stock_{access.stock}", lang, provider=provider, date=access.seen.isoformat())


def _help_more(answer: Answer, lang: str) -> Iterable[str]:
    """What can be asked, where that was asked, or where something else was."""
    if answer.status == "unsupported":
        yield say("also.example", lang)
    if answer.question.intent != "help" or answer.status != "answered":
        return
    if answer.names:
        names = sorted(phrases.provider_name(answer, one, lang) for one in answer.names)
        yield say("help.covers", lang, n=len(names), list=join(names, lang))
    yield say("help.fresh", lang)
    yield say("help.try", lang)
