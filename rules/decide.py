"""Question × Catalog × date → Answer: compose offers, cost and guidance, rank, add the intent's own part.

Pure: the same arguments give the same Answer. The clock, the catalogue and the readings are arguments.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import Context, localcontext
from typing import Any

from rules import guidance
from rules.changes import changes, unlocks
from rules.cost import rate_age, side_quote
from rules.explain import explain
from rules.fit import facts_part, fit_part, needed_gb, purpose_of
from rules.market import Found, Market, numbered, rank_key
from rules.model import (
    OLD_DAYS,
    PRICED_INTENTS,
    AdviceOption,
    Alternative,
    Answer,
    Assumption,
    Catalog,
    Conflict,
    CurrencyRate,
    Fired,
    Freshness,
    GpuAsk,
    LeftOut,
    Leftover,
    Line,
    Offer,
    PriceLine,
    Question,
    Quote,
    Scenario,
    SourceUse,
    SpotTerms,
    Used,
    source_keys,
)
from rules.offers import side_regions, term_hours, wants
from rules.parts import beside_lines, break_even, budget_rows, comparison, quoted_against
from rules.prices import convert, own_currency
from rules.spot import spot_rows
from rules.wire import number

MOST_SCENARIOS = 3  # several may apply at once; the most specific ones are first
_PRECISION = Context(prec=60)


def decide(
    question: Question,
    catalog: Catalog,
    as_of: date,
    *,
    unread: tuple[Leftover, ...] = (),
    unknown_models: tuple[tuple[str, tuple[str, ...]], ...] = (),
    readings: Sequence[Mapping[str, Any]] = (),
    text: str = "",
) -> Answer:
    """The Answer to a question on a date.

    ``readings`` are benchmark results of the team's own hosts; ``text`` is the message, in which `explain` looks for
    the term that is asked about.
    """
    with localcontext(_PRECISION):
        status = _status_before(question, unknown_models)
        if status is not None:
            return replace(_empty(question, catalog, as_of, status), unread=unread, unknown_models=unknown_models)
        answer = _decide(question, catalog, as_of, readings, text)
        return replace(answer, unread=unread, unknown_models=unknown_models)


def _status_before(question: Question, unknown_models: Sequence[Any]) -> str | None:
    """The status of what needs no offers at all."""
    if question.intent == "unsupported":
        return "unsupported"
    if question.intent == "help":
        return "answered"
    return "clarify" if question.clarify or unknown_models else None


def _empty(question: Question, catalog: Catalog, as_of: date, status: str) -> Answer:
    return Answer(question, status, as_of, catalog.snapshot, Freshness(0, 0, None), trace=())


def _decide(
    question: Question, catalog: Catalog, as_of: date, readings: Sequence[Mapping[str, Any]], text: str
) -> Answer:
    if question.intent == "specs":
        return _specs_answer(question, catalog, as_of)
    if question.intent == "explain":
        return _explain_answer(question, catalog, as_of, text)
    if question.intent not in PRICED_INTENTS:
        return _empty(question, catalog, as_of, "answered")
    if _is_side_question(question):
        return _side_answer(question, catalog, as_of)
    return _Priced(question, catalog, as_of, readings).answer()


# ---------------------------------------------------------------- facts without a price


def _specs_answer(question: Question, catalog: Catalog, as_of: date) -> Answer:
    facts, fit = facts_part(question, catalog), fit_part(question, catalog)
    parts: dict[str, Any] = {"facts": facts} if facts else {}
    if fit is not None:
        parts["fit"] = fit
    answer = _empty(question, catalog, as_of, "answered" if parts else "no_match")
    keys = {row["source"] for row in facts}
    models = dict.fromkeys(row["gpu"] for row in facts)
    uses = [use for model in models for use in _gpu_sources(model, catalog) if use.key in keys]
    return replace(answer, parts=parts, sources=tuple({use.key: use for use in uses}.values()))


def _gpu_sources(model: str, catalog: Catalog) -> Iterable[SourceUse]:
    gpu = catalog.gpus.get(model)
    for variant in gpu.variants if gpu else ():
        if variant.source is not None:
            yield SourceUse(f"gpus/{variant.id or model}", variant.source, None, None, None, False)


def _explain_answer(question: Question, catalog: Catalog, as_of: date, text: str) -> Answer:
    found = explain(question, text, catalog, as_of)
    parts: dict[str, Any] = {"facts": found.facts} if found.facts else {}
    if found.nearest:
        parts["nearest"] = found.nearest
    answer = _empty(question, catalog, as_of, "answered" if found.facts else "no_match")
    return replace(answer, parts=parts, sources=found.sources)


def _advice_sources(options: Iterable[AdviceOption]) -> Iterable[SourceUse]:
    for option in options:
        for key, source in zip(source_keys(option.id, option.sources), option.sources, strict=True):
            yield SourceUse(key, source, None, None, None, False)


# ---------------------------------------------------------------- transfer or storage alone


def _is_side_question(question: Question) -> bool:
    hardware = (
        question.gpus or question.min_memory_gb or question.total_memory_gb or question.model_params_b
        or question.gpu_count or question.budget or question.budget_per_hour
    )  # fmt: skip
    return not hardware and (question.data_gb is not None or question.storage_gb is not None)


def _side_answer(question: Question, catalog: Catalog, as_of: date) -> Answer:
    quotes, left_out = [], []
    for provider in catalog.providers.values():
        if provider.id in question.exclude_providers:
            left_out.append(LeftOut(provider.id, "provider-excluded"))
        elif question.providers and provider.id not in question.providers:
            left_out.append(LeftOut(provider.id, "provider-not-asked"))
        else:
            regions, reason = side_regions(question, provider, catalog)
            if reason is not None:
                left_out.append(LeftOut(provider.id, reason))
                continue
            found = side_quote(provider, question, wants(question)[0].hours, regions, catalog, as_of)
            if any(line.used is not None for line in found.lines):
                quotes.append(found)
            else:
                known = any(line.rate is not None for line in found.lines)
                left_out.append(LeftOut(provider.id, "currency" if known else "no-price"))
    ranked = numbered(sorted(quotes, key=rank_key))
    answer = _empty(question, catalog, as_of, "answered" if ranked else "no_match")
    return replace(
        answer,
        quotes=ranked,
        left_out=tuple(left_out),
        freshness=_freshness([max(used.age_days for used in _used_of(q)) for q in ranked]),
        assumptions=tuple(_side_assumptions(question, catalog, as_of)),
        sources=tuple(_sources(ranked, (), (), as_of)),
        **_display(question, catalog, as_of),
    )


def _side_assumptions(question: Question, catalog: Catalog, as_of: date) -> Iterable[Assumption]:
    yield from _not_shown(question, catalog, as_of)
    if question.data_gb is not None and question.data_direction is None:
        yield Assumption("data_direction", "out")
    if question.storage_gb is not None and question.hours is None:
        yield Assumption("hours", "none, so rates are per hour")


# ---------------------------------------------------------------- a question about offers


class _Priced:
    """The answer to a question about offers: what the market has for it, and the intent's own part."""

    def __init__(
        self, question: Question, catalog: Catalog, as_of: date, readings: Sequence[Mapping[str, Any]]
    ) -> None:
        self.asked, self.catalog, self.as_of = question, catalog, as_of
        self.scenarios = guidance.scenarios_for(question, catalog) if question.intent == "recommend" else ()
        self.assumptions: list[Assumption] = []
        self.question = self._with_hardware(question)
        self.market = Market(self.question, catalog, as_of, readings, asked=question)
        self.advice_sources: list[SourceUse] = []

    def answer(self) -> Answer:
        return self._assemble(self.market.find() if self._names_hardware() else self.market.advised())

    def _with_hardware(self, question: Question) -> Question:
        """The question with the cards that are usual for its scenario, where advice is asked and none is named."""
        if question.intent != "recommend" or _states_hardware(question) or not self.scenarios:
            return question
        usual = self.scenarios[0].gpus
        if not usual:
            return question
        self.assumptions.append(Assumption("gpus", ", ".join(usual)))
        return replace(question, gpus=tuple(GpuAsk(model, count=question.gpu_count) for model in usual))

    def _names_hardware(self) -> bool:
        """Advice and comparisons can be about providers alone; everything else is about some hardware."""
        return _states_hardware(self.question) or self.question.intent not in ("recommend", "compare")

    # -- the whole

    def _assemble(self, found: Found) -> Answer:
        quotes, alternatives = found.quotes, found.alternatives
        question, catalog, as_of = self.question, self.catalog, self.as_of
        every = (*quotes, *(a.quote for a in alternatives))
        parts = self._parts(quotes, alternatives)
        reasons = tuple(self._reasons(every, found))
        answer = Answer(
            question=self.asked,
            status="answered" if quotes or _says_something(parts) else "no_match",
            as_of=as_of,
            snapshot=catalog.snapshot,
            freshness=_freshness(found.ages),
            assumptions=tuple(self._all_assumptions(quotes)),
            quotes=quotes,
            alternatives=alternatives,
            left_out=tuple(_grouped(found.left_out)),
            reasons=reasons,
            contradictions=found.advice.contradictions,
            conflicts=tuple(_conflicts(every)),
            sources=tuple(_sources(every, reasons, self.advice_sources, as_of)),
            parts=parts,
            trace=found.advice.trace,
            accounts=catalog.accounts,
        )
        return replace(answer, **_display(question, catalog, as_of))

    def _reasons(self, every: Sequence[Quote], found: Found) -> Iterable[Fired]:
        """Rules about the question, about an offer that is shown, or that left an offer out.

        A sentence speaks of the first quote where the rule fired for it, else of all that are shown.
        """
        shown = {q.offer.id for q in every if q.offer}
        refused = {(row.rule, row.offer.id) for row in found.left_out if row.rule and row.offer}
        for fired in found.advice.fired:
            offers = tuple(o for o in fired.offers if o in shown or (fired.rule.id, o) in refused)
            if offers or not fired.offers:
                first = [q for q in every[:1] if q.offer and q.offer.id in offers]
                kept = replace(fired, offers=offers)
                yield guidance.narrowed(kept, first or every, self.asked, self.catalog)

    def _parts(self, quotes: tuple[Quote, ...], alternatives: tuple[Alternative, ...]) -> dict[str, Any]:
        parts = self._own_part(quotes)
        question = self.question
        if question.intent in ("cheapest", "price", "recommend"):
            rows = changes(question, quotes, alternatives, self._first_for, self.catalog, self.as_of)
            if rows:
                parts["changes"] = rows
        if not quotes and question.intent != "compare" and question.gpus:
            rows = unlocks(question, self._first_for)
            if rows:
                parts["unlocks"] = rows
        spots = spot_rows(question, quotes, alternatives, self.catalog)
        if spots:
            parts["spot_break_even"] = spots
        if question.quoted is not None and quotes:
            amount = self.market.usd("quoted", question.quoted)
            if amount is not None:
                parts["quoted"] = quoted_against(question.quoted, amount, quotes[0])
        return parts

    def _own_part(self, quotes: tuple[Quote, ...]) -> dict[str, Any]:
        """The part that belongs to the intent."""
        question, catalog, as_of = self.question, self.catalog, self.as_of
        if question.intent == "break_even":
            purchase = self.market.usd("purchase_price", question.purchase_price)
            return {"break_even": break_even(question, quotes, purchase, catalog, as_of)}
        if question.intent == "budget":
            amount = self.market.usd("budget", question.budget)
            return {"budget": budget_rows(question, quotes, amount, catalog, as_of)}
        if question.intent == "compare":
            for key, used in beside_lines(question, quotes, catalog, as_of):
                self.advice_sources.append(_source_use(key, used))
            return {"comparison": comparison(question, quotes, catalog, as_of)}
        return self._recommendation() if question.intent == "recommend" else {}

    def _recommendation(self) -> dict[str, Any]:
        parts: dict[str, Any] = {}
        scenarios = self.scenarios[:MOST_SCENARIOS]
        if scenarios:
            parts["guidance"] = [_scenario_part(scenario) for scenario in scenarios]
            self.advice_sources = [use for s in scenarios for use in _advice_sources(s.options)]
        fit = fit_part(self.asked, self.catalog)
        return parts if fit is None else {**parts, "fit": fit}

    def _first_for(self, question: Question, among: Sequence[Offer] | None = None) -> Quote | None:
        """The first quote of another question on the same market and date, of all offers or ``among`` some."""
        return Market(question, self.catalog, self.as_of).first(among)

    def _all_assumptions(self, quotes: Sequence[Quote]) -> Iterable[Assumption]:
        question = self.question
        if not self.market.plans.stated:
            ranked = dict.fromkeys(q.offer.plan for q in quotes if q.offer)
            default = "every plan that is not excluded" if "on_demand" in self.market.plans.excluded else "on_demand"
            yield Assumption("plan", ", ".join(ranked) if len(ranked) > 1 else default)
        yield from self._gpu_assumptions()
        term = term_hours(question)
        if term is not None:
            yield Assumption("hours", str(term))
        elif question.hours is None and question.gpu_hours is None and question.intent != "budget":
            yield Assumption("hours", "none, so rates are per hour")
        if question.data_gb is not None and question.data_direction is None:
            yield Assumption("data_direction", "out")
        if "checkpointing" in question.needs and any(q.expected for q in quotes):
            yield Assumption("save_every_hours", "1")
        if any(_step_unknown(q, self.catalog) for q in quotes):
            yield Assumption("billing_step", "not known, so hours are not rounded")
        if question.sort == "per_tflop":
            used = {self.market.tflops_basis(q) for q in quotes}
            known = [basis for basis in ("measured", "expected", "dense") if basis in used]
            yield Assumption("per_tflop", ", ".join(known) or "not known")
        yield from dict.fromkeys((*self.assumptions, *self.market.assumptions))
        yield from _not_shown(question, self.catalog, self.as_of)

    def _gpu_assumptions(self) -> Iterable[Assumption]:
        question = self.question
        if any(g.memory_gb is None for g in question.gpus) and question.min_memory_gb is None:
            yield Assumption("memory", "any")
        counted = question.gpu_count is not None or any(g.count is not None for g in question.gpus)
        if not counted and needed_gb(question) is None:
            yield Assumption("count", "1")
        memory = needed_gb(question)
        if memory is not None and question.total_memory_gb is None:
            purpose, stated = purpose_of(question)
            yield Assumption("memory_needed_gb", f"{number(memory)}")
            if not stated:
                yield Assumption("purpose", purpose)
        if question.nodes is None and any(want.gpus > 1 for want in wants(question)):
            yield Assumption("placement", "one machine")


def _states_hardware(question: Question) -> bool:
    return bool(question.gpus or question.min_memory_gb or question.total_memory_gb or question.model_params_b)


def _step_unknown(item: Quote, catalog: Catalog) -> bool:
    if item.offer is None or item.hours is None or item.offer.plan not in ("on_demand", "spot", "serverless"):
        return False
    return (item.offer.billing or catalog.providers[item.provider].billing).step_hours is None


# ---------------------------------------------------------------- what the answer lists


def _freshness(ages: Sequence[int]) -> Freshness:
    return Freshness(sum(age <= OLD_DAYS for age in ages), len(ages), max(ages, default=None))


def _says_something(parts: Mapping[str, Any]) -> bool:
    """Whether the intent's part answers by itself, without a quote."""
    if parts.get("guidance") or (parts.get("fit") or {}).get("verdict"):
        return True
    if any(any(row["cells"]) for row in (parts.get("comparison") or {}).get("rows", ())):
        return True
    return any((parts.get(key) or {}).get("rows") for key in ("break_even", "budget"))


def _scenario_part(scenario: Scenario) -> dict[str, Any]:
    return {
        "scenario": scenario.id,
        "title": scenario.title,
        "options": [
            {"id": o.id, "advice": o.advice, "condition": o.condition, "sources": source_keys(o.id, o.sources)}
            for o in scenario.options
        ],
        "corrects": scenario.corrects,
    }


def _grouped(rows: Sequence[LeftOut]) -> Iterable[LeftOut]:
    """YAML offers singly; feed offers as one row for each provider, plan and reason, with a count."""
    groups: dict[tuple[str, str | None, str], list[LeftOut]] = {}
    for row in rows:
        if row.offer is not None and row.offer.feed:
            groups.setdefault((row.provider, row.plan, row.reason), []).append(row)
        else:
            yield row
    for (provider, plan, reason), members in groups.items():
        yield LeftOut(provider, reason, None, plan, members[0].rule, len(members))


def _conflicts(every: Iterable[Quote]) -> Iterable[Conflict]:
    for item in every:
        if item.offer is not None and item.used is not None and item.used.others:
            yield Conflict(item.offer, item.used.line, item.used.others, item.used.why)


def _sources(
    every: Iterable[Quote], reasons: Sequence[Fired], extra: Sequence[SourceUse], as_of: date
) -> list[SourceUse]:
    """Each source once; of several lines of one source the oldest look counts."""
    found: dict[str, SourceUse] = {}
    for item in every:
        for used in _used_of(item):
            _add(found, f"{item.provider}/{used.line.source.key}", used)
        for rate in item.currency_rates:
            use = _rate_use(rate, as_of)
            found.setdefault(use.key, use)
        if item.expected is not None and item.spot is not None:
            for use in _spot_use(item.provider, item.spot, as_of):
                found.setdefault(use.key, use)
    for fired in reasons:
        for key, source in zip(source_keys(fired.rule.id, fired.rule.sources), fired.rule.sources, strict=True):
            found.setdefault(key, SourceUse(key, source, None, fired.rule.reviewed, None, False))
    for use in extra:
        found.setdefault(use.key, use)
    return list(found.values())


def _used_of(item: Quote) -> Iterable[Used]:
    lines: Iterable[Line] = item.lines
    yield from (line.used for line in lines if line.used is not None)


def _add(found: dict[str, SourceUse], key: str, used: Used) -> None:
    other = found.get(key)
    if other is None or other.age_days is None or other.age_days < used.age_days:
        found[key] = _source_use(key, used)


def _source_use(key: str, used: Used) -> SourceUse:
    line: PriceLine = used.line
    return SourceUse(key, line.source, line.seen, line.checked, used.age_days, used.stale)


def _spot_use(provider: str, terms: SpotTerms, as_of: date) -> Iterable[SourceUse]:
    if terms.source is not None:
        age = None if terms.seen is None else max(0, (as_of - terms.seen).days)
        yield SourceUse(f"{provider}/{terms.source.key}", terms.source, terms.seen, None, age, False)


def _rate_use(rate: CurrencyRate, as_of: date) -> SourceUse:
    key = f"rate/{rate.base}-{rate.quote}"
    return SourceUse(key, rate.source, rate.seen, None, rate_age(rate, as_of), False)


def _not_shown(question: Question, catalog: Catalog, as_of: date) -> Iterable[Assumption]:
    """A currency that was asked for and has no rate; CNY may only follow from the language."""
    currency = catalog.display_currency
    if currency not in (None, "USD", "CNY") and not _display(question, catalog, as_of):
        yield Assumption("shown_in", str(currency))


def _display(question: Question, catalog: Catalog, as_of: date) -> dict[str, Any]:
    """The currency shown beside USD: the one asked for, else CNY in a Chinese answer when a rate is in force."""
    currency = catalog.display_currency or own_currency(question.lang)
    if currency == "USD":
        return {}
    conversion = convert("USD", currency, as_of, catalog.currencies)
    return {} if conversion is None else {"display_currency": currency, "display_rate": conversion.rates}
