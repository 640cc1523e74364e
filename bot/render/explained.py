"""What stands under an explanation: a program, what the thing costs, other topics, notes about the provider named."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bot.render import figures, phrases
from bot.render.head_facts import program, prose, sentences, topics_of
from bot.render.shapes import Column, Row, Section, Table
from bot.render.words import join, listing, say, word
from rules.model import Answer, Rate, Text

Cost = Mapping[str, Any]
_TABLES = 3  # kinds of cost that are shown
_RELATED = 3  # other topics


def explained_sections(answer: Answer, lang: str) -> Iterable[Section]:
    topics = topics_of(answer)
    if topics:
        yield from _code(topics[0]["text"], lang)
        costs = next((topic["costs"] for topic in topics if topic.get("costs")), ())
        yield from (_cost(answer, cost, lang) for cost in costs[:_TABLES])
    yield from _lines("notes", _notes(answer, lang), lang)
    yield from _lines("related", _related(topics[1:], lang), lang)


def _lines(key: str, lines: Iterable[str], lang: str) -> Iterable[Section]:
    found = tuple(lines)
    if found:
        yield Section(key, say(f"section.{key}", lang), found, main=True)


def _code(text: Text, lang: str) -> Iterable[Section]:
    lines = program(text, lang)
    if lines:
        yield Section("code", say("section.code", lang), lines, main=True, whole=True)


def _related(topics: Sequence[Mapping[str, Any]], lang: str) -> Iterable[str]:
    for topic in topics[:_RELATED]:
        first = sentences(prose(topic["text"], lang))[0]
        yield say("related.line", lang, title=topic["title"].say(lang), text=first)


# ---------------------------------------------------------------- a provider


def _notes(answer: Answer, lang: str) -> Iterable[str]:
    for row in answer.parts.get("facts", ()):
        if isinstance(row, Mapping) and "notes" in row:
            provider = phrases.provider_name(answer, row["provider"], lang)
            terms = listing(_terms(row, lang), lang)
            if terms:
                yield say("note.line", lang, provider=provider, text=terms)
            for note in row["notes"]:
                yield say("note.line", lang, provider=provider, text=note["text"].say(lang))


def _terms(row: Mapping[str, Any], lang: str) -> Iterable[str]:
    if row.get("billing_step"):
        yield say("term.billing", lang, step=word("step", row["billing_step"], lang))
    for name in ("egress", "ingress", "storage"):
        if row.get(name):
            yield say(f"term.{name}", lang, rate=_rate(row[name], lang))
    if row.get("plans"):
        yield say("term.plans", lang, plans=join([phrases.plan(plan, lang) for plan in row["plans"]], lang))


# ---------------------------------------------------------------- costs


def _cost(answer: Answer, cost: Cost, lang: str) -> Section:
    what = str(cost["what"])
    if "median" in cost:
        title = say("section.costs.plan", lang, plan=_upper(phrases.plan(what, lang)))
    else:
        title = say(f"section.costs.{what}", lang)
    build = _TABLE.get(what, _prices if what in ("on_demand", "serverless") else _shares)
    return Section(f"costs.{what}", title, (), table=build(answer, cost, lang), main=True)


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def _columns(names: Sequence[str], figures_in: Sequence[str], lang: str) -> tuple[Column, ...]:
    return tuple(Column(name, say(f"column.{name}", lang), name in figures_in) for name in names)


def _rates(answer: Answer, cost: Cost, lang: str) -> Table:
    rows = []
    for row in cost["rows"]:
        free = row.get("free_gb_month")
        said = "" if free is None else say("cell.free", lang, n=free)
        fee = row["fee"].say(lang) if row.get("fee") else ""
        rows.append(Row((phrases.provider_name(answer, row["provider"], lang), fee, _rate(row["rate"], lang), said)))
    return Table(_columns(("provider", "fee", "rate", "free"), ("rate",), lang), tuple(rows))


def _rate(rate: Cost | None, lang: str) -> str:
    return (
        say("unknown", lang)
        if rate is None
        else phrases.rate(Rate(rate["amount"], rate["currency"], rate["per"]), lang)
    )


def _billing(answer: Answer, cost: Cost, lang: str) -> Table:
    rows = []
    for row in cost["rows"]:
        least = "" if row["minimum_hours"] is None else phrases.hours(row["minimum_hours"], lang)
        name = phrases.provider_name(answer, row["provider"], lang)
        rows.append(Row((name, word("step", row["billing_step"], lang), least)))
    return Table(_columns(("provider", "step", "minimum"), (), lang), tuple(rows))


def _prices(answer: Answer, cost: Cost, lang: str) -> Table:
    rows = tuple(Row((*_card(answer, row, lang), figures.unit_price(row["usd_per_gpu_hour"]))) for row in cost["rows"])
    return Table(_columns(("provider", "gpus", "gpu_hour"), ("gpu_hour",), lang), rows)


def _shares(answer: Answer, cost: Cost, lang: str) -> Table:
    rows = []
    for row in cost["rows"]:
        prices = (figures.unit_price(row[key]) for key in ("usd_per_gpu_hour", "on_demand_usd_per_gpu_hour"))
        rows.append(Row((*_card(answer, row, lang), *prices, figures.percent(row["share"], 0))))
    names = ("provider", "gpus", "gpu_hour", "steady", "share")
    return Table(_columns(names, names[2:], lang), tuple(rows))


def _card(answer: Answer, row: Cost, lang: str) -> tuple[str, str]:
    name = phrases.hardware(row["gpu"], row["gpu_memory_gb"], row["form"], lang)
    return phrases.provider_name(answer, row["provider"], lang), phrases.gpus(row["gpus"], name, lang)


_TABLE = {"transfer": _rates, "storage": _rates, "fee": _rates, "billing": _billing}
