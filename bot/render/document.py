"""One neutral document of an answer: every surface (Slack, terminal, page) is drawn from it and from nothing else.

Texts are raw: whoever draws them escapes what its surface needs, and cuts rows to what fits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from bot.render import figures, phrases
from bot.render.ask_back import ask_block
from bot.render.costs import cost_of
from bot.render.details import sections
from bot.render.headline import headline
from bot.render.notes import caution_text, rules_of
from bot.render.second_line import also, told_rules
from bot.render.shapes import Column, Row, Section, Table
from bot.render.words import listing, say
from rules.model import PRICED_INTENTS, Answer, Question, Quote

__all__ = ["Action", "Column", "Document", "Row", "Section", "Table", "document"]

_ELSEWHERE = frozenset({"stale", "idle-gpus"})  # cautions that stand in another column or are said with a number


@dataclass(frozen=True, slots=True)
class Action:
    """One changed slot, offered as a button: ``change`` holds JSON values of slots, None takes a slot out."""

    key: str
    label: str
    change: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Document:
    """What a person sees, in the order in which it is read."""

    lang: str
    status: str
    headline: str
    also: tuple[str, ...] = ()
    table: Table | None = None
    reading: str = ""  # "Read as: …"
    not_used: str = ""  # "Not used: …"
    ready: tuple[str, ...] = ()  # complete questions to pick from
    sections: tuple[Section, ...] = ()
    actions: tuple[Action, ...] = field(default=())


def document(answer: Answer, lang: str | None = None) -> Document:
    """The document of an answer in ``lang`` (default: the question's)."""
    lang = lang or answer.question.lang
    ready = ask_block(answer, lang)[1] if answer.status == "clarify" else ()
    about_prices = answer.status in ("answered", "no_match") and answer.question.intent in (
        *_PRICED,
        "specs",
        "break_even",
    )
    return Document(
        lang=lang,
        status=answer.status,
        headline=headline(answer, lang),
        also=tuple(also(answer, lang)),
        table=table(answer, lang),
        reading=say("read.as", lang, parts=phrases.reading(answer, lang)) if about_prices else "",
        not_used=_not_used(answer, lang),
        ready=ready,
        sections=sections(answer, lang),
        actions=actions(answer, lang),
    )


def _not_used(answer: Answer, lang: str) -> str:
    unread = phrases.unread(answer)
    if not unread or answer.status == "unsupported":
        return ""
    pieces = [say("quote", lang, text=piece) for piece in unread]
    return say("read.not_used", lang, pieces=("、" if lang == "zh" else ", ").join(pieces))


# ---------------------------------------------------------------- the table


def table(answer: Answer, lang: str) -> Table | None:
    """The rows to compare: what a budget buys, where a commitment pays off, else the quotes."""
    if answer.status != "answered":
        return None
    for name, build in (("break_even", _break_even_table), ("budget", _budget_table)):
        part = answer.parts.get(name)
        if isinstance(part, Mapping) and part.get("rows"):
            return build(answer, part, lang)
    return _quote_table(answer, lang) if answer.quotes else None


def _columns(names: Sequence[str], right: Sequence[str], lang: str) -> tuple[Column, ...]:
    return tuple(Column(name, say(f"column.{name}", lang), name in right) for name in names)


def _quote_table(answer: Answer, lang: str) -> Table:
    timed = any(quote.total_usd is not None for quote in answer.quotes)
    names = [
        "rank",
        "provider",
        "gpus",
        "plan",
        "region",
        "rate",
        "total" if timed else "hour",
        "gpu_hour",
        "age",
        "notes",
    ]
    if all(quote.offer is None for quote in answer.quotes):
        names = ["rank", "provider", "rate", "total" if timed else "hour", "age", "notes"]
    right = ("rank", "rate", "total", "hour", "gpu_hour", "age")
    context = _Context.of(answer)
    rows = [_quote_row(answer, quote, names, context, lang) for quote in answer.quotes]
    return Table(_columns(names, right, lang), tuple(rows))


@dataclass(frozen=True, slots=True)
class _Context:
    """What the notes of a row depend on beside the row: what is said elsewhere, and how many rows look alike."""

    elsewhere: frozenset[str]
    alike: Mapping[tuple[object, ...], int]

    @classmethod
    def of(cls, answer: Answer) -> _Context:
        told = {fired.rule.id for fired in told_rules(answer)}
        return cls(_ELSEWHERE | told, Counter(_looks(quote) for quote in answer.quotes))


def _quote_row(answer: Answer, quote: Quote, names: Sequence[str], context: _Context, lang: str) -> Row:
    cells = {
        "rank": "" if quote.rank is None else str(quote.rank),
        "provider": phrases.provider_name(answer, quote.provider, lang),
        "gpus": phrases.quote_hardware(quote, lang),
        "plan": "" if quote.offer is None else phrases.plan(quote.offer.plan, lang),
        "region": quote.region or "",
        "rate": _rate(quote, lang),
        "total": "" if quote.total_usd is None else phrases.amount(answer, quote.total_usd),
        "hour": phrases.amount(answer, cost_of(quote)),
        "gpu_hour": "" if quote.usd_per_gpu_hour is None else figures.money(quote.usd_per_gpu_hour),
        "age": phrases.short_age(phrases.price_age(quote), lang),
        "notes": listing(_notes(answer, quote, context, lang), lang),
    }
    return Row(tuple(cells[name] for name in names), None if quote.offer is None else quote.offer.id)


def _rate(quote: Quote, lang: str) -> str:
    if quote.used is not None and quote.used.line.rate is not None:
        return phrases.rate(quote.used.line.rate, lang)
    rates = [line.rate for line in quote.lines if line.rate is not None]
    return ", ".join(phrases.rate(rate, lang) for rate in rates) or say("unknown", lang)


def _notes(answer: Answer, quote: Quote, context: _Context, lang: str) -> list[str]:
    rules, notes = rules_of(answer), []
    if quote.old:
        notes.append(say("cell.last_known", lang))
    elif quote.stale:
        notes.append(say("caution.stale", lang))
    if quote.idle_gpus > 0:
        notes.append(say("cell.idle", lang, n=quote.idle_gpus))
    if _is_reference(answer, quote):
        notes.append(say("cell.reference", lang))
    if quote.offer is not None and context.alike[_looks(quote)] > 1:
        notes.append(quote.offer.sku)  # the provider's own name tells rows apart that read the same
    told = [caution for caution in quote.cautions if caution not in context.elsewhere]
    notes += [caution_text(_sharper(caution, quote), rules, lang) for caution in told]
    return notes


def _sharper(caution: str, quote: Quote) -> str:
    return "spot-endless" if caution == "spot-may-stop" and quote.endless else caution


def _looks(quote: Quote) -> tuple[object, ...]:
    offer = quote.offer
    if offer is None:
        return (quote.provider,)
    return quote.provider, offer.gpu, offer.memory_gb, offer.form, offer.plan, quote.region


def _is_reference(answer: Answer, quote: Quote) -> bool:
    """The on-demand row that stands beside the stated plans."""
    asked = any(one.key == "plan" and one.value == "on_demand, for comparison" for one in answer.assumptions)
    return asked and quote is answer.quotes[-1] and quote.offer is not None and quote.offer.plan == "on_demand"


def _budget_table(answer: Answer, part: Mapping[str, Any], lang: str) -> Table:
    quotes = _by_offer(answer)
    timed = any(row.get("hours") for row in part["rows"])
    names = ["provider", "gpus", "plan", *(["hours", "total", "left"] if timed else ["hour"]), "age"]
    rows = [_budget_row(answer, row, quotes.get(row["offer"]), names, lang) for row in part["rows"]]
    return Table(_columns(names, ("hours", "total", "left", "hour", "age"), lang), tuple(rows))


def _budget_row(answer: Answer, row: Mapping[str, Any], quote: Quote | None, names: Sequence[str], lang: str) -> Row:
    cells = {
        "hours": "" if row.get("hours") is None else phrases.hours_down(row["hours"], lang),
        "total": _usd(row.get("total_usd")),
        "left": "" if row.get("left_usd") is None else figures.cents(row["left_usd"]),
        "provider": str(row["offer"]),
    }
    if quote is not None and quote.offer is not None:
        name = phrases.hardware(quote.offer.gpu, quote.offer.memory_gb, quote.offer.form, lang)
        cells |= {
            "provider": phrases.provider_name(answer, quote.provider, lang),
            "gpus": phrases.gpus(Decimal(row.get("gpus") or quote.gpus_asked), name, lang),
            "plan": phrases.plan(quote.offer.plan, lang),
            "hour": _usd(quote.usd_per_hour),
            "age": phrases.short_age(phrases.price_age(quote), lang),
        }
    return Row(tuple(cells.get(name, "") for name in names), str(row["offer"]))


def _usd(value: Decimal | None) -> str:
    return "" if value is None else figures.money(value)


def _break_even_table(answer: Answer, part: Mapping[str, Any], lang: str) -> Table:
    names = ["provider", "plan", "gpu_hour"]
    buying = any(row.get("hours") for row in part["rows"])
    names += ["hours"] if buying else ["baseline", "use", "hours_month", "pay_months"]
    rows = [_break_even_row(answer, row, names, lang) for row in part["rows"] if bool(row.get("hours")) == buying]
    return Table(_columns(names, names[2:], lang), tuple(rows))


def _break_even_row(answer: Answer, row: Mapping[str, Any], names: Sequence[str], lang: str) -> Row:
    quote = _by_offer(answer).get(row["offer"])
    use = row.get("utilisation")
    never = use is not None and use > 1
    unknown = say("unknown", lang)
    cells = {
        "provider": str(row["offer"]) if quote is None else phrases.provider_name(answer, quote.provider, lang),
        "plan": phrases.plan(str(row["plan"]), lang),
        "gpu_hour": _usd(row.get("rate")) or unknown,
        "baseline": _usd(row.get("baseline")) or unknown,
        "use": unknown if use is None else say("cell.never", lang) if never else figures.percent(use),
        "hours_month": "" if use is None or never else figures.count(row["hours_per_month"], 1),
        "pay_months": "" if use is None or never else _months(row["months_to_pay"]) or unknown,
        "hours": "" if row.get("hours") is None else figures.count(row["hours"], 0),
    }
    return Row(tuple(cells[name] for name in names), str(row["offer"]))


def _months(value: Decimal | None) -> str:
    return "" if value is None else figures.count(value, 1)


def _by_offer(answer: Answer) -> dict[str, Quote]:
    every = (*answer.quotes, *(one.quote for one in answer.alternatives))
    return {quote.offer.id: quote for quote in reversed(every) if quote.offer is not None}


# ---------------------------------------------------------------- buttons


def actions(answer: Answer, lang: str) -> tuple[Action, ...]:
    """The slots that are most worth changing for this answer."""
    question = answer.question
    if answer.status not in ("answered", "no_match") or question.intent not in _PRICED:
        return ()
    found = [*_plan_actions(question, lang), *_place_actions(question, lang), *_time_actions(question, lang)]
    if question.budget_per_hour is not None:
        found.append(Action("no_limit", say("action.no_limit", lang), {"budget_per_hour": None}))
    if question.providers and answer.status == "no_match":
        found.append(Action("any_provider", say("action.any_provider", lang), {"providers": None}))
    return tuple(found)


_PRICED = PRICED_INTENTS - {"break_even"}
_MONTH, _THREE_DAYS = 730, 72


def _plan_actions(question: Question, lang: str) -> list[Action]:
    if "spot" in question.plans:
        return [Action("no_spot", say("action.no_spot", lang), {"plans": ["on_demand"]})]
    refused = "spot" in question.exclude_plans or "no_interruption" in question.needs
    return [] if refused else [Action("spot", say("action.spot", lang), {"plans": ["spot"]})]


def _place_actions(question: Question, lang: str) -> list[Action]:
    if question.regions or question.exclude_regions:
        return [Action("any_region", say("action.any_region", lang), {"regions": None, "exclude_regions": None})]
    areas = ("cn", "us") if lang == "zh" else ("us", "eu")
    return [
        Action(f"region_{area}", say("action.region", lang, area=phrases.region(area, lang)), {"regions": [area]})
        for area in areas
    ]


def _time_actions(question: Question, lang: str) -> list[Action]:
    if question.intent == "budget":
        return []
    usual = [_MONTH] if question.hours is not None or question.gpu_hours is not None else [_THREE_DAYS, _MONTH]
    return [
        Action(
            f"hours_{hours}",
            say("action.hours", lang, hours=phrases.hours(Decimal(hours), lang)),
            {"hours": hours, "gpu_hours": None, "hours_per_day": None},
        )
        for hours in usual
        if question.hours != hours
    ]
