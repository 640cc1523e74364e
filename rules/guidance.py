"""Guidance: which rules of the knowledge speak for a question and its quotes, and why.

A rule fires when every clause holds. A fact that is not known leaves its clause undecided, and an undecided rule
does not fire. There are no weights and no order among rules: what fired is a set.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from rules.clauses import ClauseProblem, evaluator, flatten, read_clause
from rules.facts import FACTS, Fact, Subject, Value
from rules.fields import nearest
from rules.model import Answer, Catalog, Fired, Place, Problem, Question, Quote, Rule, Scenario, Topic, TraceStep
from rules.topics import topics_for

if TYPE_CHECKING:
    import rule_engine  # type: ignore[import-untyped]

__all__ = [
    "FACTS", "ClauseProblem", "Guidance", "clause_problem", "evaluate", "examples_problems", "scenarios_for",
    "sentence_problem", "topics_for",
]  # fmt: skip

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class Guidance:
    """What the rules say. ``by_offer`` holds, for each offer, the rules that fired for it, by id."""

    fired: tuple[Fired, ...] = ()
    by_offer: Mapping[str, tuple[Rule, ...]] = field(default_factory=dict)
    trace: tuple[TraceStep, ...] = ()
    contradictions: tuple[tuple[str, str, str], ...] = ()  # (rule that excludes, rule that prefers, offer)


NO_ADVICE = Guidance()


def clause_problem(
    text: str, *, on: str = "rule", known: Mapping[str, Collection[str]] | None = None
) -> ClauseProblem | None:
    """What is wrong with one clause, or None.

    ``on`` is "rule" or "scenario" (only ``question.*``). ``known`` holds the legal words of "provider", "gpu" and
    "region"; left out, those words are not checked.
    """
    found = read_clause(text, on=on, known=known)
    return found if isinstance(found, ClauseProblem) else _library_problem(text)


def _library_problem(text: str) -> ClauseProblem | None:
    """What the library rule-engine has against a clause that this reader takes."""
    import rule_engine

    try:
        compiled(text)
    except rule_engine.errors.EngineError as error:
        return ClauseProblem(f"the rule engine refuses it: {error}", "write it more simply")
    return None


def sentence_problem(text: str, when: Sequence[str]) -> ClauseProblem | None:
    """What is wrong with the ``{facts}`` in a rule's sentence, or None.

    A sentence may name a fact that its clauses name or that is always known, so that it never has a hole.
    """
    named = {name for clause in when for name in _names(clause)}
    tails = {name.partition(".")[2] for name in named}
    sure = {name for name, fact in FACTS.items() if fact.sure}
    for match in _PLACEHOLDER.finditer(text):
        name = match[1]
        if name in named or name in tails or name in sure:
            continue
        what = f"{{{name}}} is not a fact"
        if name in FACTS or any(fact.partition(".")[2] == name for fact in FACTS):
            what = f"{{{name}}} may be unknown when the rule fires"
        near = nearest(name, [*named, *tails])
        fix = "a sentence names facts that the clauses of its rule name"
        return ClauseProblem(what, fix, f"{{{near}}}" if near else "", match.start() + 1)
    return None


def evaluate(rules: Sequence[Rule], question: Question, quotes: Sequence[Quote], catalog: Catalog) -> Guidance:
    """Which active rules fire for the question and for which quotes, by rule id.

    A rule without an ``offer.*`` or ``quote.*`` clause is about the question alone: it is asked once, also when
    there are no quotes, and fires with no offers. A quote without an offer stands under its provider's id.
    """
    return Advisor(rules, question, catalog).evaluate(quotes)


class Advisor:
    """The active rules for one question; what the question alone settles of them is settled once."""

    def __init__(self, rules: Sequence[Rule], question: Question, catalog: Catalog) -> None:
        self._question, self._catalog = question, catalog
        self._alone = Subject(question, catalog)
        self._value = _values(self._alone)
        self._active = sorted((rule for rule in rules if rule.status == "active"), key=lambda rule: rule.id)

    def evaluate(self, quotes: Sequence[Quote]) -> Guidance:
        """What all rules say of these quotes."""
        if not self._active:
            return NO_ADVICE
        subjects = self._subjects(quotes)
        runs = _runs([_asked(rule, self._value) for rule in self._active], subjects)
        fired = tuple(_fired(run, self._alone, subjects) for run in runs if run.fired)
        return Guidance(fired, _by_offer(runs, subjects), tuple(_trace(runs)), _contradictions(runs))

    def exclusion(self, quote: Quote) -> Rule | None:
        """The first rule that leaves this quote out."""
        if not self.may_exclude:
            return None
        runs = _runs(self._refusing, self._subjects([quote]))
        return next((run.rule for run in runs if run.rule.effect == "exclude" and run.offers), None)

    @property
    def may_exclude(self) -> bool:
        """Whether any rule can still leave out a quote of this question."""
        return bool(self._refusing)

    @cached_property
    def _refusing(self) -> list[_Asked]:
        """The rules that may leave a quote of this question out, and those that may silence them."""
        found = (_asked(rule, self._value) for rule in self._active if rule.effect == "exclude")
        excluding = {asked.rule.id: asked for asked in found if asked.each_quote}
        return [
            excluding.get(rule.id) or _asked(rule, self._value)
            for rule in self._active
            if rule.id in excluding or not excluding.keys().isdisjoint(rule.overrides)
        ]

    def _subjects(self, quotes: Sequence[Quote]) -> dict[str, Subject]:
        return {_key(quote): Subject(self._question, self._catalog, quote) for quote in quotes}


def narrowed(fired: Fired, quotes: Sequence[Quote], question: Question, catalog: Catalog) -> Fired:
    """The rule with the facts of these quotes alone, so that its sentence speaks of what is shown."""
    about = [Subject(question, catalog, quote) for quote in quotes if _key(quote) in fired.offers]
    return replace(fired, facts=_facts(fired.rule, about)) if about else fired


def scenarios_for(question: Question, catalog: Catalog) -> tuple[Scenario, ...]:
    """The scenarios whose every clause holds for the question: the one with the most clauses first, then by id."""
    value = _values(Subject(question, catalog))
    applying = (s for s in catalog.scenarios if s.applies and _settle(_clauses(s.applies), value).fired)
    return tuple(sorted(applying, key=lambda scenario: (-len(scenario.applies), scenario.id)))


def examples_problems(
    catalog: Catalog, ask: Callable[[str], Answer], mine: Callable[[Place], bool] = lambda _place: True
) -> tuple[Problem, ...]:
    """Asks the rules' ``fires_on`` and ``silent_on`` and the ``asks`` of scenarios and topics: what is not as said.

    A rule without one of the two kinds of example is an error too: nothing would show that it ever, or not always,
    speaks. Entries whose place is not ``mine`` are not asked: the packaged rules need not fire in another market.
    """
    problems: list[Problem] = []
    for rule in (rule for rule in catalog.rules if rule.status == "active" and mine(rule.place)):
        problems += _rule_problems(rule, ask)
    for scenario in (scenario for scenario in catalog.scenarios if mine(scenario.place)):
        for text in (text for texts in scenario.asks.values() for text in texts):
            if scenario not in scenarios_for(ask(text).question, catalog):
                what = f"{scenario.id} does not apply to its own question “{text}”"
                problems.append(Problem("error", scenario.place, what, "change the question or the clauses of applies"))
    for topic in (topic for topic in catalog.topics if mine(topic.place)):
        problems += _topic_problems(topic, catalog)
    return tuple(problems)


# ---------------------------------------------------------------- clauses


@dataclass(frozen=True, slots=True)
class _Clause:
    text: str
    facts: tuple[Fact, ...]
    holds: Callable[[Mapping[str, Any]], bool]

    @property
    def about_question(self) -> bool:
        return all(fact.name.startswith("question.") for fact in self.facts)


@dataclass(frozen=True, slots=True)
class _Outcome:
    outcome: str  # fired | silent | undecided
    clause: str = ""
    missing: tuple[str, ...] = ()

    @property
    def fired(self) -> bool:
        return self.outcome == "fired"


_FIRED = _Outcome("fired")


@lru_cache(maxsize=4096)
def _names(text: str) -> tuple[str, ...]:
    found = read_clause(text)
    return () if isinstance(found, ClauseProblem) else tuple(found)


def _clauses(texts: Iterable[str]) -> tuple[_Clause, ...]:
    return tuple(_clause(text) for text in texts)


@lru_cache(maxsize=4096)
def _clause(text: str) -> _Clause:
    found = read_clause(text)
    if isinstance(found, ClauseProblem):
        raise ValueError(f"the clause {text!r} cannot be read: {found.what}; {found.fix}")
    return _Clause(text, tuple(FACTS[name] for name in found), evaluator(text))


@lru_cache(maxsize=4096)
def compiled(text: str) -> rule_engine.Rule:
    """The clause as the library reads it, over facts by their flat names."""
    import rule_engine

    return rule_engine.Rule(flatten(text), context=_context())


@lru_cache(maxsize=1)
def _context() -> rule_engine.Context:
    import rule_engine

    data = rule_engine.DataType
    types = {"number": data.FLOAT, "text": data.STRING, "yes/no": data.BOOLEAN, "list": data.ARRAY(data.STRING)}
    flat = {fact.flat: types[fact.kind] for fact in FACTS.values()}
    return rule_engine.Context(
        type_resolver=rule_engine.type_resolver_from_dict(flat), resolver=lambda facts, name: facts[name]
    )


def _settle(clauses: Sequence[_Clause], value: Callable[[Fact], Value]) -> _Outcome:
    """Fired when all hold; silent at the first that does not; else undecided, with the facts that are missing."""
    undecided: _Outcome | None = None
    for clause in clauses:
        values = tuple(value(fact) for fact in clause.facts)
        missing = tuple(fact.name for fact, value in zip(clause.facts, values, strict=True) if value is None)
        if missing:
            undecided = undecided or _Outcome("undecided", clause.text, missing)
        elif not _holds(clause.text, values):
            return _Outcome("silent", clause.text)
    return undecided or _FIRED


@lru_cache(maxsize=65536)
def _holds(text: str, values: tuple[Value, ...]) -> bool:
    """Whether a clause holds for the values of its facts, in their order; the same values are asked once."""
    clause = _clause(text)
    return clause.holds({fact.name: value for fact, value in zip(clause.facts, values, strict=True)})


# ---------------------------------------------------------------- one rule over the quotes


@dataclass(slots=True)
class _Run:
    """One rule's outcomes. ``whole`` is the outcome of the question's clauses; ``each`` those for the quotes."""

    rule: Rule
    whole: _Outcome
    each: dict[str, _Outcome] | None = None  # None: the rule is about the question alone, or settled by it

    @property
    def offers(self) -> tuple[str, ...]:
        return tuple(offer for offer, outcome in (self.each or {}).items() if outcome.fired)

    @property
    def fired(self) -> bool:
        return bool(self.offers) if self.each is not None else self.whole.fired


def _values(subject: Subject) -> Callable[[Fact], Value]:
    """The facts of one subject, each looked up once: many clauses name the same."""
    known: dict[str, Value] = {}

    def value(fact: Fact) -> Value:
        if fact.name not in known:
            known[fact.name] = fact.value(subject)
        return known[fact.name]

    return value


class _Table:
    """The quotes as rows and facts as columns; a column is filled when the first clause names its fact."""

    def __init__(self, subjects: Mapping[str, Subject]) -> None:
        self.offers = tuple(subjects)
        self._subjects = tuple(subjects.values())
        self._columns: dict[str, list[Value]] = {}

    def column(self, fact: Fact) -> list[Value]:
        found = self._columns.get(fact.name)
        if found is None:
            found = self._columns[fact.name] = [fact.value(subject) for subject in self._subjects]
        return found


def _settle_each(clauses: Sequence[_Clause], table: _Table) -> dict[str, _Outcome]:
    """``_settle`` for every row at once: each clause is asked of the rows that still stand."""
    outcomes: list[_Outcome] = [_FIRED] * len(table.offers)
    standing: Sequence[int] = range(len(table.offers))
    for clause in clauses:
        columns = [table.column(fact) for fact in clause.facts]
        silent = _Outcome("silent", clause.text)
        left = []
        for row in standing:
            values = tuple(column[row] for column in columns)
            if None in values:
                if outcomes[row] is _FIRED:
                    missing = tuple(f.name for f, value in zip(clause.facts, values, strict=True) if value is None)
                    outcomes[row] = _Outcome("undecided", clause.text, missing)
                left.append(row)
            elif _holds(clause.text, values):
                left.append(row)
            else:
                outcomes[row] = silent
        standing = left
    return dict(zip(table.offers, outcomes, strict=True))


@dataclass(frozen=True, slots=True)
class _Asked:
    """One rule, the outcome of its clauses about the question, and those that are asked of each quote."""

    rule: Rule
    whole: _Outcome
    rest: tuple[_Clause, ...]

    @property
    def each_quote(self) -> bool:
        return bool(self.rest) and self.whole.fired


def _asked(rule: Rule, value: Callable[[Fact], Value]) -> _Asked:
    about_question, rest = _parted(rule.when)
    return _Asked(rule, _settle(about_question, value), rest)


@lru_cache(maxsize=4096)
def _parted(when: tuple[str, ...]) -> tuple[tuple[_Clause, ...], tuple[_Clause, ...]]:
    """The clauses about the question alone, and the others."""
    clauses = _clauses(when)
    about_question = tuple(clause for clause in clauses if clause.about_question)
    return about_question, tuple(clause for clause in clauses if not clause.about_question)


def _runs(asked: Iterable[_Asked], subjects: Mapping[str, Subject]) -> list[_Run]:
    """What becomes of each rule over the quotes, those that are overridden silent."""
    table = _Table(subjects)
    runs = [_Run(a.rule, a.whole, _settle_each(a.rest, table) if a.each_quote else None) for a in asked]
    _override(runs)
    return runs


def _override(runs: Sequence[_Run]) -> None:
    """Where a rule fires, the rules that it overrides are silent; two that name each other leave both standing."""
    by_id = {run.rule.id: run for run in runs}
    muted = []
    for run in runs:
        for name in run.rule.overrides:
            other = by_id.get(name)
            if other is not None and run.fired and run.rule.id not in other.rule.overrides:
                muted.append((run.rule.id, other, None if run.each is None else run.offers))
    for rule, other, offers in muted:
        silent = _Outcome("silent", f"overridden by {rule}")
        if other.each is None and offers is None:
            other.whole = silent
        elif other.each is not None:
            for offer in other.offers:
                if offers is None or offer in offers:
                    other.each[offer] = silent


def _key(quote: Quote) -> str:
    return quote.offer.id if quote.offer else quote.provider


def _by_offer(runs: Sequence[_Run], subjects: Mapping[str, Subject]) -> dict[str, tuple[Rule, ...]]:
    found: dict[str, list[Rule]] = {offer: [] for offer in subjects}
    for run in runs:
        for offer in run.offers:
            found[offer].append(run.rule)
    return {offer: tuple(rules) for offer, rules in found.items() if rules}


def _contradictions(runs: Sequence[_Run]) -> tuple[tuple[str, str, str], ...]:
    found = []
    for out in (run for run in runs if run.rule.effect == "exclude"):
        for liked in (run for run in runs if run.rule.effect == "prefer"):
            if liked.rule.id in out.rule.overrides or out.rule.id in liked.rule.overrides:
                continue
            both = set(out.offers) & set(liked.offers)
            found += [(out.rule.id, liked.rule.id, offer) for offer in sorted(both)]
    return tuple(found)


def _trace(runs: Iterable[_Run]) -> Iterable[TraceStep]:
    """Fired and undecided offers one by one; silent ones as one step for each clause that decided."""
    for run in runs:
        if run.each is None:
            yield TraceStep(run.rule.id, None, run.whole.outcome, run.whole.clause, run.whole.missing)
            continue
        silent: dict[str, None] = {}
        for offer, outcome in run.each.items():
            if outcome.outcome == "silent":
                silent[outcome.clause] = None
            else:
                yield TraceStep(run.rule.id, offer, outcome.outcome, outcome.clause, outcome.missing)
        for clause in silent:
            yield TraceStep(run.rule.id, None, "silent", clause)


# ---------------------------------------------------------------- what its sentence may name


def _fired(run: _Run, alone: Subject, subjects: Mapping[str, Subject]) -> Fired:
    about = [subjects[offer] for offer in run.offers] or [alone]
    return Fired(run.rule, run.offers, _facts(run.rule, about))


def _facts(rule: Rule, about: Sequence[Subject]) -> dict[str, Any]:
    names = dict.fromkeys(name for clause in rule.when for name in _names(clause))
    facts: dict[str, Any] = {name: _over(FACTS[name], about) for name in names}
    for sentence in (rule.because.en, rule.because.zh):
        for name in _PLACEHOLDER.findall(sentence):
            facts.setdefault(name, _short(name, names, about))
    return facts


def _short(name: str, named: Iterable[str], about: Sequence[Subject]) -> Any:
    """``hours`` means the fact of that name in the rule's clauses, else the question's, the offer's, the quote's."""
    candidates = [full for full in (*named, *FACTS) if name in (full, full.partition(".")[2])]
    values = (_over(FACTS[full], about) for full in candidates)
    return next((value for value in values if value is not None), None)


def _over(fact: Fact, about: Sequence[Subject]) -> Decimal | str | bool | tuple[Any, ...] | None:
    """The fact over the subjects: itself when all agree, else the different values in order."""
    values = dict.fromkeys(value for subject in about if (value := fact.value(subject)) is not None)
    if len(values) == 1:
        return next(iter(values))
    if not values:
        return None
    flat = [part for value in values for part in (value if isinstance(value, tuple) else (value,))]
    return tuple(dict.fromkeys(flat))


# ---------------------------------------------------------------- examples and terms


def _rule_problems(rule: Rule, ask: Callable[[str], Answer]) -> list[Problem]:
    problems = []
    for key, texts in (("fires_on", rule.fires_on), ("silent_on", rule.silent_on)):
        if not texts:
            missing = f"{rule.id} has no {key}", f"give one question on which it must {_MUST[key]}"
            problems.append(Problem("error", rule.place, *missing))
        for text in texts:
            spoke = rule.id in {reason.rule.id for reason in ask(text).reasons}
            if spoke != (key == "fires_on"):
                what = f"{rule.id} {'fires' if spoke else 'does not fire'} on “{text}”"
                problems.append(
                    Problem("error", rule.place, what, f"{key} is a question on which it must {_MUST[key]}")
                )
    return problems


def _topic_problems(topic: Topic, catalog: Catalog) -> Iterable[Problem]:
    for text in (text for texts in topic.asks.values() for text in texts):
        found = topics_for(text, catalog)
        if topic not in found[:1]:
            near = f"it finds {found[0].id}" if found else "it finds nothing"
            what = f"{topic.id} is not what its own question “{text}” finds first: {near}"
            yield Problem("error", topic.place, what, "change the question or the terms")


_MUST = {"fires_on": "fire", "silent_on": "stay silent"}
