"""The details under an answer: how it was computed, why, what was left out, from where."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from bot.render import figures, phrases
from bot.render.change_lines import change_text
from bot.render.costs import alternative_cost, cost_said
from bot.render.explained import explained_sections
from bot.render.head_facts import common_dtype, fact_rows
from bot.render.json import price_line
from bot.render.notes import (
    assumption_text,
    condition_text,
    conflict_why,
    left_out_count,
    reason_text,
    rule_text,
    rules_of,
)
from bot.render.second_line import told_alternative
from bot.render.shapes import Column, Row, Section, Table
from bot.render.words import fill, join, listing, natural, say, word
from rules.model import Answer, CurrencyRate, LeftOut, Line, PriceLine, Quote, SourceUse, Text, TraceStep
from rules.prices import last_look

_MAIN = ("changes", "guidance")  # part of the answer itself where there are quotes
_NAMED = 6  # offers named for one reason
_COMPUTED = 8  # quotes whose arithmetic is shown


def sections(answer: Answer, lang: str) -> tuple[Section, ...]:
    """All sections that have something to say, in reading order."""
    builders: Sequence[tuple[str, Callable[[Answer, str], Iterable[str]]]] = (
        ("changes", _changes),
        ("guidance", _guidance),
        ("more_guidance", _more_guidance),
        ("how", _how),
        ("instead", _instead),
        ("reasons", _reasons),
        ("conflicts", _conflicts),
        ("left_out", _left_out),
        ("assumptions", _assumptions),
        ("trace", _trace),
    )
    found = [
        Section(key, say(f"section.{key}", lang), tuple(build(answer, lang)), main=key in _MAIN and bool(answer.quotes))
        for key, build in builders
    ]
    tables = [*_comparison(answer, lang), *_facts(answer, lang), *explained_sections(answer, lang)]
    return (*tables, *(one for one in found if one.lines), *_sources(answer, lang))


# ---------------------------------------------------------------- arithmetic


def _how(answer: Answer, lang: str) -> Iterable[str]:
    for quote in answer.quotes[:_COMPUTED]:
        yield from quote_lines(answer, quote, lang)
    if answer.quotes:
        shown = [_currency(rate, lang) for rate in answer.display_rate]
        yield from (say("how.display", lang, currency=answer.display_currency, rate=line) for line in shown)


def quote_lines(answer: Answer, quote: Quote, lang: str) -> Iterable[str]:
    """The arithmetic of one quote, line by line, with the price line it starts from."""
    name = phrases.provider_name(answer, quote.provider, lang)
    offer = quote.offer.id if quote.offer is not None else phrases.quote_hardware(quote, lang)
    yield say("how.title", lang, rank=quote.rank or "-", provider=name, offer=offer)
    for line in quote.lines:
        yield _line(line, lang)
    yield _sum(answer, quote, lang)
    yield from (say("how.price", lang, **_evidence(line)) for line in _price_lines(quote))
    yield from (_currency(rate, lang) for rate in quote.currency_rates)
    yield from _beside(answer, quote, lang)


def _currency(rate: CurrencyRate, lang: str) -> str:
    pair, value = f"{rate.base}/{rate.quote}", figures.count(rate.rate, 6)
    return say("how.currency", lang, pair=pair, rate=value, date=rate.start.isoformat(), source=rate.source.title)


def _line(line: Line, lang: str) -> str:
    item = line.what.say(lang) if line.what is not None else word("item", line.item, lang)
    key = "how.line.unknown" if line.amount_usd is None else "how.line"
    return say(key, lang, item=item, formula=str(line.formula))


def _sum(answer: Answer, quote: Quote, lang: str) -> str:
    if quote.total_usd is None:
        amount = "?" if quote.usd_per_hour is None else phrases.amount(answer, quote.usd_per_hour)
        return say("how.hour", lang, amount=amount)
    key = "how.total" if quote.complete else "how.total.partial"
    return say(key, lang, amount=phrases.amount(answer, quote.total_usd))


def _price_lines(quote: Quote) -> list[PriceLine]:
    return list(dict.fromkeys(line.used.line for line in quote.lines if line.used is not None))


def _evidence(line: PriceLine) -> dict[str, str]:
    return {
        "says": line.says,
        "place": price_line(line),
        "source": line.source.title,
        "date": last_look(line).isoformat(),
    }


def _beside(answer: Answer, quote: Quote, lang: str) -> Iterable[str]:
    """What the total does not say: interruptions, a term already held, smaller machines."""
    if quote.hours is not None and quote.billed_hours is not None and quote.hours != quote.billed_hours:
        billed, asked = (phrases.hours(value, lang) for value in (quote.billed_hours, quote.hours))
        yield say("how.billed", lang, billed=billed, hours=asked)
    if quote.expected is not None:
        yield say(
            "how.expected",
            lang,
            hours=phrases.hours(quote.expected.hours, lang),
            amount=phrases.amount(answer, quote.expected.usd),
        )
        basis = quote.expected.basis
        rate, restart = basis.get("interruptions_per_hour"), basis.get("restart_hours")
        if rate is not None:
            key = "how.expected.basis" if basis.get("saves") else "how.expected.whole"
            slots = {"rate": figures.count(rate, 6), "restart": restart}
            yield say(key, lang, **slots, **({"save": basis["save_every_hours"]} if basis.get("saves") else {}))
    if quote.if_held is not None:
        share, hours = quote.if_held["usd"], quote.if_held["hours"]
        yield say("how.if_held", lang, amount=phrases.amount(answer, share), hours=phrases.hours(hours, lang))
    if quote.split is not None:
        cost = phrases.amount(answer, quote.split.total_usd)
        yield say("how.split", lang, n=quote.split.machines, offer=quote.split.offer, amount=cost)
    if quote.verified_tflops is not None:
        measured = quote.verified_tflops
        yield say("how.verified", lang, tflops=measured.get("tflops"), date=measured.get("date"))


# ---------------------------------------------------------------- other findings


def _changes(answer: Answer, lang: str) -> Iterable[str]:
    """Other choices with their sums, but for the one that the second line says already."""
    told = told_alternative(answer)
    for row in answer.parts.get("changes", ()):
        if row["change"] not in ("region", "gpu", "use-idle") and row["offer"] == told:
            continue
        yield change_text(answer, row, lang)


def _instead(answer: Answer, lang: str) -> Iterable[str]:
    for one in answer.alternatives:
        cost = phrases.amount(answer, alternative_cost(one))
        yield say(
            "instead.endless" if one.quote.endless else "instead.expected" if one.quote.expected else "instead.line",
            lang,
            way=phrases.way(one.quote, one.condition, lang),
            provider=phrases.provider_name(answer, one.quote.provider, lang),
            amount=cost if one.quote.total_usd is not None else cost_said(answer, one.quote, lang),
            condition=condition_text(one.condition, lang),
        )


def _reasons(answer: Answer, lang: str) -> Iterable[str]:
    for fired in answer.reasons:
        yield say("reason.line", lang, text=rule_text(fired, lang), rule=fired.rule.id)


def _conflicts(answer: Answer, lang: str) -> Iterable[str]:
    for conflict in answer.conflicts:
        others = [
            say("also.other_says", lang, source=line.source.title, says=line.says, date=last_look(line).isoformat())
            for line in conflict.others
        ]
        yield say(
            "conflict.line",
            lang,
            offer=conflict.offer.id,
            used=conflict.used.says,
            source=conflict.used.source.title,
            date=last_look(conflict.used).isoformat(),
            why=conflict_why(conflict, lang),
            others=listing(others, lang),
        )


def _left_out(answer: Answer, lang: str) -> Iterable[str]:
    """Grouped by reason, with the count and the first few names."""
    groups: dict[str, list[LeftOut]] = {}
    for row in answer.left_out:
        groups.setdefault(row.reason, []).append(row)
    rules = rules_of(answer)
    for reason, rows in groups.items():
        n = sum(left_out_count(row) for row in rows)
        names = [row.offer.id if row.offer is not None else row.provider for row in rows]
        text = ("、" if lang == "zh" else ", ").join(names[:_NAMED])
        if len(names) > _NAMED:
            text = say("left.names.more", lang, names=text, n=len(names) - _NAMED)
        yield say("left.line.names", lang, reason=reason_text(reason, rules, lang), n=n, names=text)


def _assumptions(answer: Answer, lang: str) -> Iterable[str]:
    return [assumption_text(one, lang) for one in answer.assumptions]


def _trace(answer: Answer, lang: str) -> Iterable[str]:
    """What became of each rule: one line for each outcome, with the number of offers it holds for."""
    counts: dict[TraceStep, int] = {}
    for step in answer.trace:
        alike = replace(step, offer=None)
        counts[alike] = counts.get(alike, 0) + 1
    for step, n in counts.items():
        missing = join(step.missing, lang) or "?"
        yield say(f"trace.{step.outcome}", lang, rule=step.rule, n=n, clause=step.clause, missing=missing)


def _sources(answer: Answer, lang: str) -> tuple[Section, ...]:
    if not answer.sources:
        return ()
    lines = tuple(_source(use, lang) for use in answer.sources)
    urls = tuple(use.source.url for use in answer.sources)
    return (Section("sources", say("section.sources", lang), lines, urls),)


def _source(use: SourceUse, lang: str) -> str:
    kind = word("kind", use.source.kind, lang)
    if use.seen is None or use.age_days is None:
        return say("source.line.undated", lang, title=use.source.title, kind=kind)
    age = say("source.age.today", lang) if use.age_days == 0 else say("source.age", lang, n=use.age_days)
    if use.stale:
        age = say("source.stale", lang, age=age)
    looked = max(use.seen, use.checked or use.seen).isoformat()
    return say("source.line", lang, title=use.source.title, kind=kind, date=looked, age=age)


# ---------------------------------------------------------------- the intent's own part


def _comparison(answer: Answer, lang: str) -> Iterable[Section]:
    """One column for each thing named, one row for each property."""
    part = answer.parts.get("comparison")
    if not isinstance(part, Mapping) or not part.get("columns"):
        return
    named = [Column(f"column{n}", _column_name(answer, column, lang)) for n, column in enumerate(part["columns"])]
    rows = [row for row in part["rows"] if any(_is_known(cell) for cell in row["cells"])]
    shown = [
        Row((word("compare.row", row["row"], lang), *(_cell(row["row"], cell, lang) for cell in row["cells"])))
        for row in rows
    ]
    table = Table((Column("row", say("column.what", lang)), *named), tuple(shown))
    missing = [row["row"] for row in part["rows"] if row not in rows and (row["row"] != "total" or _is_timed(answer))]
    names = [word("compare.row", name, lang) for name in missing]
    said = tuple([say("compare.unknown", lang, rows=join(names, lang))] if names else [])
    yield Section("comparison", say("section.comparison", lang), said, table=table, main=True)


def _is_known(cell: Mapping[str, Any] | None) -> bool:
    return cell is not None and cell.get("value") is not None


def _is_timed(answer: Answer) -> bool:
    return answer.question.hours is not None or answer.question.gpu_hours is not None


def _facts(answer: Answer, lang: str) -> Iterable[Section]:
    """The figures of each variant of each GPU named; unknown ones stay open."""
    facts = fact_rows(answer)
    if not facts:
        return
    asked = answer.question.dtype
    usual = [common_dtype(answer) if one == "bf16" else one for one in _DTYPES]
    dtypes = [asked] if asked else [one for one in usual if any(row["dense_tflops"].get(one) for row in facts)]
    columns = [
        *(Column(name, say(f"column.{name}", lang)) for name in ("gpu", "form")),
        *(Column(name, say(f"column.{name}", lang), True) for name in ("memory", "bandwidth")),
        *(Column(one, say("column.dtype", lang, dtype=one), True) for one in dtypes),
        Column("link", say("column.link", lang)),
    ]
    rows = tuple(Row(tuple(_fact_cells(row, dtypes, lang))) for row in facts)
    main = "fit" not in answer.parts  # figures of a card are beside the point where a model's memory is asked about
    yield Section("facts", say("section.facts", lang), (), table=Table(tuple(columns), rows), main=main)


_DTYPES = ("fp64", "fp32", "bf16", "fp8", "int8")


def _fact_cells(row: Mapping[str, Any], dtypes: Sequence[str], lang: str) -> Iterable[str]:
    unknown = say("unknown", lang)
    yield phrases.gpu_name(row["gpu"])
    yield row["form"] or ""
    yield unknown if row["memory_gb"] is None else say("memory_gb", lang, n=row["memory_gb"])
    yield unknown if row["bandwidth_gbps"] is None else say("fact.bandwidth", lang, n=row["bandwidth_gbps"])
    for one in dtypes:
        peak = row["dense_tflops"].get(one)
        yield unknown if peak is None else figures.count(peak)
    yield row["interconnect"] or unknown


def _column_name(answer: Answer, column: Mapping[str, Any], lang: str) -> str:
    said = []
    for kind, name in column.items():
        if kind == "provider":
            said.append(phrases.provider_name(answer, name, lang))
        elif kind in ("plan", "region"):
            said.append(phrases.plan(name, lang) if kind == "plan" else phrases.region(name, lang))
        elif kind != "offer" and name is not None:
            model, _, rest = str(name).partition(" ")
            said.append(f"{phrases.gpu_name(model)} {rest}".strip())
    return " ".join(said)


def _cell(row: str, cell: Mapping[str, Any] | None, lang: str) -> str:
    if cell is None or not _is_known(cell):
        return say("unknown", lang)
    value = cell["value"]
    if isinstance(value, Mapping):
        plan = phrases.plan(str(value.get("plan")), lang)
        return say("compare.plan", lang, plan=plan, rate=figures.unit_price(value["usd_per_gpu_hour"]))
    if isinstance(value, Text):
        return value.say(lang)
    if row in ("rate", "spot", "commitments"):
        return say("compare.rate", lang, rate=figures.unit_price(value))
    if row == "total":
        return figures.money(value)
    if row == "egress":
        return phrases.said_rate(str(value), lang)
    if row == "billing_step":
        return word("step", str(value), lang)
    if row == "memory":
        return say("memory_gb", lang, n=value)
    if isinstance(value, (list, tuple)):
        return join([phrases.mark(str(one)) for one in value], lang) or say("none", lang)
    return natural(value)


def _guidance(answer: Answer, lang: str) -> Iterable[str]:
    """The options of the scenario that fits best, with their conditions."""
    return _advice_of(_as_list(answer.parts.get("guidance"))[:1], lang)


def _more_guidance(answer: Answer, lang: str) -> Iterable[str]:
    """The other scenarios that apply."""
    return _advice_of(_as_list(answer.parts.get("guidance"))[1:], lang)


def _advice_of(scenarios: Iterable[Any], lang: str) -> Iterable[str]:
    for scenario in scenarios:
        title = _text(_get(scenario, "title"), lang)
        if title:
            yield title
        for option in _as_list(_get(scenario, "options")):
            advice, condition = (_text(_get(option, name), lang) for name in ("advice", "condition"))
            yield say("guidance.option", lang, advice=advice, condition=condition)
        corrects = _text(_get(scenario, "corrects"), lang)
        if corrects:
            yield say("guidance.corrects", lang, text=corrects)


def _as_list(value: Any) -> Sequence[Any]:
    if value is None:
        return ()
    return value if isinstance(value, (list, tuple)) else (value,)


def _get(record: Any, name: str) -> Any:
    return record.get(name) if isinstance(record, Mapping) else getattr(record, name, None)


def _text(value: Any, lang: str) -> str:
    if value is None:
        return ""
    return fill(value.say(lang), {}) if isinstance(value, Text) else str(value)
