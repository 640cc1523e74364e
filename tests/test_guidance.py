"""Guidance: which clauses can be read, which rules fire, and what is said when one cannot."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from rules.clauses import evaluator, flatten
from rules.facts import FACTS, Fact, Subject
from rules.guidance import (
    ClauseProblem,
    clause_problem,
    compiled,
    evaluate,
    examples_problems,
    scenarios_for,
    sentence_problem,
    topics_for,
)
from rules.load import read_folder
from rules.model import (
    AdviceOption,
    Answer,
    Catalog,
    Fired,
    Freshness,
    GpuAsk,
    Line,
    Money,
    Offer,
    Place,
    Provider,
    Question,
    Quote,
    Region,
    Rule,
    Scenario,
    Snapshot,
    Source,
    SpotTerms,
    Text,
    Topic,
    TraceStep,
    Traits,
)

HERE = Place("guidance/x.yaml", 3)
DAY = date(2026, 11, 30)
SOURCE = Source("s", "Terms", "official", "https://northwind.example/spot")
NORTHWIND = Provider(
    "northwind",
    Text("Northwind", "北风云"),
    "specialist",
    14,
    HERE,
    traits=Traits(compliance=("soc2",), interconnect=("infiniband",), managed=False),
    spot=SpotTerms(Decimal("0.02"), Decimal("0.25"), SOURCE, DAY),
)
BAZAAR = Provider("bazaar", Text("Bazaar", "集市"), "marketplace", 7, HERE)
REGIONS = {"eu-north-1": Region("eu-north-1", "se", "eu")}


def offer(name: str, provider: str = "northwind", plan: str = "on_demand", **more: object) -> Offer:
    base = Offer(name, provider, name, "A100", Decimal(4), "machine", plan, HERE, regions=("eu-north-1",))
    return replace(base, **more)  # type: ignore[arg-type]


def quote(of: Offer | None, provider: str = "northwind", **more: object) -> Quote:
    base = Quote(of, of.provider if of else provider, 1, Decimal(4), Decimal(4), (), region="eu-north-1")
    return replace(base, **more)  # type: ignore[arg-type]


def rule(name: str, *when: str, effect: str = "caution", **more: object) -> Rule:
    text = Text("Mind {hours} h.", "注意 {hours} 小时。")
    places = tuple(HERE for _ in when)
    base = Rule(name, "active", Text("Title", "标题"), when, places, effect, text, (SOURCE,), DAY, HERE)
    return replace(base, **more)  # type: ignore[arg-type]


CATALOG = Catalog(
    providers={"northwind": NORTHWIND, "bazaar": BAZAAR},
    offers=(),
    gpus={},
    regions=REGIONS,
)
ASKED = Question("cheapest", "en", gpus=(GpuAsk("A100", count=Decimal(4)),), hours=Decimal(72))
UNSAVED_SPOT = ("question.hours > 24", 'offer.plan == "spot"', 'not ("checkpointing" in question.needs)')
SPOT = quote(offer("n-spot", plan="spot"))
DEMAND = quote(offer("n-od"))


# ---------------------------------------------------------------- reading a clause


@pytest.mark.parametrize(
    "text",
    [
        "question.hours > 24",
        'offer.plan == "spot"',
        "offer.plan == 'spot'",
        'not ("checkpointing" in question.needs)',
        '"checkpointing" not in question.needs',
        'offer.plan in ["reserved_1y", "reserved_3y"]',
        "offer.managed",
        "not offer.managed",
        "offer.managed == false",
        'question.hours >= 0.5 and (offer.plan == "spot" or offer.provider_kind != "marketplace")',
        "quote.gpus_paid > quote.gpus_asked",
        "question.gpu_count in [8, 16]",
        "quote.usd_per_gpu_hour > -1",
        "offer.gpu in question.gpus",
        "(question.hours < 4) == true",
    ],
)
def test_a_legal_clause_is_read_and_the_library_reads_it_too(text: str) -> None:
    """And over many sets of facts both give the same answers."""
    assert clause_problem(text) is None
    mine, library = evaluator(text), compiled(text)
    dice = random.Random(text)
    for _ in range(60):
        facts = {name: _some_value(fact, dice) for name, fact in FACTS.items()}
        flat = {FACTS[name].flat: value for name, value in facts.items()}
        assert bool(mine(facts)) is bool(library.matches(flat)), facts


def _some_value(fact: Fact, dice: random.Random) -> Any:
    words = fact.words or ("spot", "aws", "A100", "")
    if fact.kind == "number":
        return Decimal(dice.choice((0, 1, 4, 6, 24, 25, 80, 672, 8760)))
    if fact.kind == "yes/no":
        return dice.random() < 0.5
    if fact.kind == "text":
        return dice.choice(words)
    return tuple(word for word in words if dice.random() < 0.4)


@pytest.mark.parametrize(
    ("text", "column", "word", "near"),
    [
        ("", 1, "empty", ""),
        ("question.hourz > 24", 1, "question.hourz", "question.hours"),
        ("hours > 24", 1, "hours", "question.hours"),
        ("questions.hours > 24", 1, "questions.hours", "question.hours"),
        ('question.hours > 24 and offer.plann == "spot"', 25, "offer.plann", "offer.plan"),
        ('offer.plan == "spott"', 15, "spott", "spot"),
        ('"checkpoint" in question.needs', 1, "checkpoint", "checkpointing"),
        ('offer.plan in ["spot", "on-demand"]', 24, "on-demand", "on_demand"),
        ("offer.plan == spot", 15, "spot", '"spot"'),
        ("question.hours", 1, "number", ""),
        ("question.hours + 1 > 3", 16, "arithmetic", ""),
        ("question.hours -1 > 3", 16, "arithmetic", ""),
        ("question.hours = 3", 16, "one =", ""),
        ('offer.plan =~ "s.*"', 12, "one =", ""),
        ('question.hours > "24"', 18, '"24" is a text', ""),
        ('offer.plan > "spot"', 1, "orders numbers", ""),
        ('"spot" in offer.plan', 11, "offer.plan is a text", ""),
        ('question.needs == ["sla"]', 1, "not compared as a whole", ""),
        ("offer.plan.length > 3", 1, "no parts", "offer.plan"),
        ("question.hours.ceiling > 3", 1, "no parts", "question.hours"),
        ("len(question.needs) > 3", 1, "call", ""),
        ("question.needs[0] == 'sla'", 15, "part of a value", ""),
        ("[n for n in question.needs]", 2, "a list holds", ""),
        ("question.hours == null", 19, "null", ""),
        ("1 < 2", 1, "two fixed values", ""),
        ("true", 1, "never changes", ""),
        ("1 < question.hours < 5", 20, "chained", ""),
        ("question.hours > 24 # a day", 21, "comment", ""),
        ('offer.plan == "spot', 15, "never closed", ""),
        ("(question.hours > 3", 20, "never closed", ""),
        ("question.hours >", 17, "too early", ""),
        ("question.hours > 4 weeks", 20, "weeks", ""),
        ('offer.plan in ["spot", 3]', 15, "the list holds", ""),
        ("offer.managed and question.hours", 19, "number", ""),
        ("not question.hours", 5, "number", ""),
        ('"spot" in []', 1, "two fixed values", ""),
        ("offer.plan in []", 15, "empty", ""),
        ('offer.managed == "yes"', 18, "yes or no", ""),
        ("offer.hours > 3", 1, "offer.hours", "question.hours"),
        ("offer.gpuss > 3", 1, "offer.gpuss", "offer.gpus"),
        ('quote.plan == "spot"', 1, "quote.plan", "offer.plan"),
        ("__import__('os')", 1, "call", ""),
        ("question.__class__ == 'x'", 1, "question.__class__", ""),
    ],
)
def test_an_illegal_clause_says_what_where_and_the_nearest_word(text: str, column: int, word: str, near: str) -> None:
    problem = clause_problem(text)
    assert problem is not None
    assert (problem.column, problem.near) == (column, near)
    assert word in problem.what


def test_a_scenario_names_only_the_question() -> None:
    assert clause_problem('"training" in question.workloads', on="scenario") is None
    problem = clause_problem('offer.plan == "spot"', on="scenario")
    assert problem is not None
    assert "scenario" in problem.what


def test_providers_gpus_and_regions_are_checked_when_they_are_given() -> None:
    known = {"provider": ["northwind", "bazaar"], "gpu": ["A100"], "region": ["eu"]}
    assert clause_problem('offer.provider == "nortwind"') is None
    problem = clause_problem('offer.provider == "nortwind"', known=known)
    assert problem == ClauseProblem(
        'offer.provider is never "nortwind"', "it is one of northwind, bazaar", "northwind", 19
    )


def test_a_name_inside_a_text_is_left_alone_when_the_clause_is_flattened() -> None:
    assert flatten('question.hours > 3 and offer.id != "offer.id"') == (
        'question__hours > 3 and offer__id != "offer.id"'
    )


def test_a_sentence_names_only_facts_that_are_known_when_its_rule_fires() -> None:
    assert sentence_problem("A {hours} h run on {offer.plan}, {lang}.", [*UNSAVED_SPOT]) is not None  # {lang}: its tail
    assert sentence_problem("A {hours} h run on {offer.plan}, {question.lang}.", [*UNSAVED_SPOT]) is None
    typo = sentence_problem("A {hors} h run", UNSAVED_SPOT)
    assert typo is not None
    assert (typo.near, typo.column) == ("{hours}", 3)
    unsure = sentence_problem("Move {data_gb} GB", UNSAVED_SPOT)
    assert unsure is not None
    assert "may be unknown" in unsure.what


# ---------------------------------------------------------------- firing


def test_a_rule_fires_for_the_offers_for_which_every_clause_holds() -> None:
    found = evaluate([rule("spot", *UNSAVED_SPOT)], ASKED, [SPOT, DEMAND], CATALOG)
    (fired,) = found.fired
    assert fired.offers == ("n-spot",)
    assert fired.facts["hours"] == Decimal(72)
    assert {offer: [r.id for r in rules] for offer, rules in found.by_offer.items()} == {"n-spot": ["spot"]}
    assert found.trace == (
        TraceStep("spot", "n-spot", "fired"),
        TraceStep("spot", None, "silent", 'offer.plan == "spot"'),
    )


def test_a_clause_of_the_question_that_does_not_hold_settles_the_rule_at_once() -> None:
    found = evaluate([rule("spot", *UNSAVED_SPOT)], replace(ASKED, hours=Decimal(6)), [SPOT, DEMAND], CATALOG)
    assert found.fired == ()
    assert found.trace == (TraceStep("spot", None, "silent", "question.hours > 24"),)


def test_a_limit_is_compared_exactly() -> None:
    at_limit = evaluate([rule("r", "question.hours > 24")], replace(ASKED, hours=Decimal("24.0")), [], CATALOG)
    above = evaluate([rule("r", "question.hours > 24")], replace(ASKED, hours=Decimal("24.000001")), [], CATALOG)
    assert (len(at_limit.fired), len(above.fired)) == (0, 1)


def test_a_list_that_is_not_stated_is_empty_and_a_number_that_is_not_stated_is_unknown() -> None:
    no_hours = replace(ASKED, hours=None)
    found = evaluate([rule("spot", *UNSAVED_SPOT)], no_hours, [SPOT], CATALOG)
    assert found.fired == ()
    assert found.trace == (TraceStep("spot", None, "undecided", "question.hours > 24", ("question.hours",)),)
    saved = evaluate([rule("spot", *UNSAVED_SPOT)], replace(ASKED, needs=("checkpointing",)), [SPOT], CATALOG)
    assert saved.fired == ()
    assert saved.trace[0].outcome == "silent"


def test_a_clause_that_fails_settles_a_rule_whose_other_clause_is_undecided() -> None:
    both = rule("r", "question.data_gb > 100", "question.hours > 100")
    (step,) = evaluate([both], ASKED, [], CATALOG).trace
    assert (step.outcome, step.clause) == ("silent", "question.hours > 100")


def test_a_trait_that_no_file_states_leaves_the_offer_undecided_and_names_it() -> None:
    found = evaluate([rule("r", "offer.managed == false")], ASKED, [DEMAND, quote(offer("b", "bazaar"))], CATALOG)
    assert [fired.offers for fired in found.fired] == [("n-od",)]
    assert TraceStep("r", "b", "undecided", "offer.managed == false", ("offer.managed",)) in found.trace


def test_a_rule_about_the_question_alone_is_asked_once_even_without_quotes() -> None:
    (fired,) = evaluate([rule("ask-size", "question.hours > 24", effect="ask")], ASKED, [], CATALOG).fired
    assert fired.offers == ()
    assert evaluate([rule("ask-size", "question.hours > 24")], ASKED, [SPOT, DEMAND], CATALOG).by_offer == {}


def test_draft_and_retired_rules_say_nothing() -> None:
    rules = [rule("a", "question.hours > 1", status="draft"), rule("b", "question.hours > 1", status="retired")]
    found = evaluate(rules, ASKED, [SPOT], CATALOG)
    assert (found.fired, found.trace) == ((), ())


def test_what_fires_stands_in_the_order_of_rule_ids_whatever_the_order_of_the_files() -> None:
    rules = [rule("b", "question.hours > 1"), rule("a", 'offer.plan == "spot"'), rule("c", "quote.machines == 1")]
    forward = evaluate(rules, ASKED, [SPOT, DEMAND], CATALOG)
    assert [fired.rule.id for fired in forward.fired] == ["a", "b", "c"]
    assert evaluate(rules[::-1], ASKED, [SPOT, DEMAND], CATALOG) == forward


def test_facts_that_differ_between_the_offers_are_all_told() -> None:
    either = rule("r", 'offer.plan in ["spot", "on_demand"]', because=Text("{plan}", "{plan}"))
    (fired,) = evaluate([either], ASKED, [SPOT, DEMAND], CATALOG).fired
    assert fired.facts["plan"] == ("spot", "on_demand")


def test_an_exclude_and_a_prefer_on_one_offer_are_a_contradiction() -> None:
    out = rule("no-spot", 'offer.plan == "spot"', effect="exclude")
    liked = rule("yes-fast", '"infiniband" in offer.interconnect', effect="prefer")
    assert evaluate([out, liked], ASKED, [SPOT, DEMAND], CATALOG).contradictions == (("no-spot", "yes-fast", "n-spot"),)


def test_a_rule_that_overrides_another_silences_it_where_it_fires_itself() -> None:
    out = rule("no-northwind", 'offer.provider == "northwind"', effect="exclude")
    liked = rule("yes-spot", 'offer.plan == "spot"', effect="prefer", overrides=("no-northwind",))
    found = evaluate([out, liked], ASKED, [SPOT, DEMAND], CATALOG)
    assert found.contradictions == ()
    assert {offer: [r.id for r in rules] for offer, rules in found.by_offer.items()} == {
        "n-spot": ["yes-spot"],
        "n-od": ["no-northwind"],
    }
    assert TraceStep("no-northwind", None, "silent", "overridden by yes-spot") in found.trace


def test_transfer_without_a_gpu_stands_under_its_provider() -> None:
    moved = quote(None, lines=(Line("transfer", Decimal(5000), "gb", None, Decimal(450), "5000 × 0.09"),))
    moved = replace(moved, total_usd=Decimal(450))
    found = evaluate([rule("r", "quote.transfer_percent > 50")], ASKED, [moved], CATALOG)
    assert found.fired[0].offers == ("northwind",)  # 450 of 450 is 100 %


# ---------------------------------------------------------------- facts


def test_the_facts_of_a_quote_are_what_the_parts_say() -> None:
    lines = (
        Line("compute", Decimal(72), "h", None, Decimal(300), ""),
        Line("transfer", Decimal(1000), "gb", None, Decimal(100), ""),
    )
    subject = Subject(ASKED, CATALOG, replace(SPOT, lines=lines, total_usd=Decimal(400), gpus_paid=Decimal(8)))
    said = {name: fact.value(subject) for name, fact in FACTS.items()}
    assert said["quote.transfer_percent"] == 25  # 100 of 400
    assert said["quote.idle_gpus"] == 4  # 8 paid, 4 asked
    assert said["offer.interruptions_per_hour"] == Decimal("0.02")
    assert (said["quote.area"], said["offer.countries"]) == ("eu", ("se",))
    assert said["offer.compliance"] == ("soc2",)
    assert said["offer.sla"] is None


def test_an_offers_own_trait_stands_before_its_providers() -> None:
    own = quote(offer("n", traits=Traits(compliance=("gdpr",))))
    subject = Subject(ASKED, CATALOG, own)
    assert FACTS["offer.compliance"].value(subject) == ("gdpr",)
    assert FACTS["offer.interconnect"].value(subject) == ("infiniband",)


@pytest.mark.parametrize(
    ("question", "gpus"),
    [
        (ASKED, 4),
        (replace(ASKED, nodes=Decimal(3)), 12),
        (Question("price", "en", gpu_count=Decimal(8)), 8),
        (Question("price", "en", gpus=(GpuAsk("A100", count=Decimal(2)), GpuAsk("H100", count=Decimal(4)))), None),
        (Question("price", "en", gpus=(GpuAsk("A100"),)), None),
        (Question("price", "en"), None),
    ],
)
def test_gpus_are_counted_over_all_machines(question: Question, gpus: int | None) -> None:
    assert FACTS["question.gpu_count"].value(Subject(question, CATALOG)) == gpus


def test_money_in_another_currency_is_not_known_in_usd() -> None:
    def budget(lang: str, currency: str | None) -> object:
        question = Question("budget", lang, budget=Money(Decimal(500), currency))
        return FACTS["question.budget_usd"].value(Subject(question, CATALOG))

    assert budget("en", None) == 500
    assert budget("zh", "USD") == 500
    assert budget("zh", None) is None
    assert budget("en", "EUR") is None


@pytest.mark.parametrize(
    ("question", "several"),
    [
        (ASKED, False),
        (replace(ASKED, nodes=Decimal(1)), False),
        (replace(ASKED, nodes=Decimal(2)), True),
        (replace(ASKED, needs=("multi_node",)), True),
    ],
)
def test_several_machines_are_asked_for_by_number_or_in_words(question: Question, several: bool) -> None:
    assert FACTS["question.several_machines"].value(Subject(question, CATALOG)) is several


def test_the_stated_slots_are_those_with_a_value_and_any_count_is_one() -> None:
    stated = FACTS["question.stated"].value(Subject(ASKED, CATALOG))
    assert stated == ("gpus", "hours", "gpu_count")
    assert FACTS["question.stated"].value(Subject(Question("recommend", "en"), CATALOG)) == ()


def test_every_fact_has_a_meaning_and_no_two_share_a_flat_name() -> None:
    assert all(fact.about and fact.kind in ("number", "text", "yes/no", "list") for fact in FACTS.values())
    assert len({fact.flat for fact in FACTS.values()}) == len(FACTS)
    assert all(fact.unit for fact in FACTS.values() if fact.kind == "number")


# ---------------------------------------------------------------- scenarios, topics, examples


def scenario(name: str, *applies: str, **more: object) -> Scenario:
    option = AdviceOption("o", Text("Do", "做"), Text("If", "若"), (SOURCE,))
    base = Scenario(name, Text("T", "题"), applies, (option, option), DAY, HERE)
    return replace(base, **more)  # type: ignore[arg-type]


def test_a_scenario_applies_when_every_clause_holds() -> None:
    short = scenario("short", "question.hours <= 672", '"experiment" in question.workloads')
    long = scenario("long", "question.hours > 672")
    world = replace(CATALOG, scenarios=(short, long))
    assert scenarios_for(ASKED, world) == ()
    assert scenarios_for(replace(ASKED, workloads=("experiment",)), world) == (short,)
    assert scenarios_for(replace(ASKED, hours=Decimal(1000)), world) == (long,)


def test_a_topic_is_found_by_its_longest_term_in_either_language() -> None:
    def topic(name: str, en: str, zh: str) -> Topic:
        terms = {"en": (en,), "zh": (zh,)}
        return Topic(name, Text("T", "题"), terms, Text("t", "文"), (SOURCE,), DAY, HERE)

    spot, spots, mig = (
        topic("spot", "spot", "竞价"),
        topic("spot-stop", "spot interruption", "竞价中断"),
        topic("mig", "MIG", "切分"),
    )
    world = replace(CATALOG, topics=(spot, spots, mig))
    assert topics_for("what is a spot interruption?", world) == (spots,)
    assert topics_for("is spot cheaper after a spot interruption?", world) == (spots, spot)
    assert topics_for("竞价实例是什么", world) == (spot,)
    assert topics_for("can I migrate?", world) == ()
    assert topics_for("ＭＩＧ?", world) == (mig,)


def answer(*fired: Rule, question: Question = ASKED) -> Answer:
    reasons = tuple(Fired(each, (), {}) for each in fired)
    return Answer(question, "answered", DAY, Snapshot(), Freshness(1, 1, 0), reasons=reasons)


def test_a_rule_that_never_or_always_fires_is_an_error() -> None:
    good = rule("good", "question.hours > 24", fires_on=("72h",), silent_on=("6h",))
    asleep = rule("asleep", "question.hours > 24", fires_on=("72h",), silent_on=("6h",))
    awake = rule("awake", "question.hours > 24", fires_on=("72h",), silent_on=("6h",))
    bare = rule("bare", "question.hours > 24")
    world = replace(CATALOG, rules=(good, asleep, awake, bare))
    said = {"72h": answer(good, awake), "6h": answer(awake)}
    problems = [problem.what for problem in examples_problems(world, said.__getitem__)]
    assert problems == [
        "asleep does not fire on “72h”",
        "awake fires on “6h”",
        "bare has no fires_on",
        "bare has no silent_on",
    ]


def test_the_scenario_that_asks_most_of_the_question_stands_first() -> None:
    wide = scenario("a-wide", "question.hours > 1")
    narrow = scenario("b-narrow", "question.hours > 1", "question.gpu_count == 4")
    assert scenarios_for(ASKED, replace(CATALOG, scenarios=(wide, narrow))) == (narrow, wide)


def test_a_topic_that_its_own_question_does_not_find_first_is_an_error() -> None:
    def topic(name: str, term: str, ask: str) -> Topic:
        asks = {"en": (ask,)}
        return Topic(name, Text("T", "题"), {"en": (term,)}, Text("t", "文"), (SOURCE,), DAY, HERE, asks=asks)

    good, hidden = topic("good", "spot instance", "what is a spot instance?"), topic("hidden", "spot", "spot instance?")
    (problem,) = examples_problems(replace(CATALOG, topics=(good, hidden)), lambda _: answer())
    assert "hidden is not what its own question" in problem.what
    assert "it finds good" in problem.what


def test_a_scenario_that_its_own_question_does_not_find_is_an_error() -> None:
    lost = scenario("lost", "question.hours > 100", asks={"en": ("three days",)})
    world = replace(CATALOG, scenarios=(lost,))
    (problem,) = examples_problems(world, lambda _: answer())
    assert "lost does not apply" in problem.what


def test_examples_of_entries_that_are_not_mine_are_not_asked() -> None:
    world = replace(CATALOG, rules=(rule("bare", "question.hours > 24"),))
    assert examples_problems(world, lambda _: answer(), mine=lambda place: place != HERE) == ()


# ---------------------------------------------------------------- the packaged guidance


@pytest.fixture(scope="module")
def packaged() -> Catalog:
    catalog, _ = read_folder(Path(__file__).parents[1] / "knowledge")
    return catalog


def test_the_packaged_rules_cover_every_effect_in_both_languages_with_a_public_source(packaged: Catalog) -> None:
    assert {rule.effect for rule in packaged.rules} == {"exclude", "caution", "prefer", "ask"}
    for each in packaged.rules:
        assert each.fires_on, each.id
        assert each.silent_on, each.id
        assert each.title.zh != each.title.en, each.id
        assert each.because.zh != each.because.en, each.id
        assert each.sources, each.id
        assert all(source.url and source.url.startswith("https://") for source in each.sources), each.id


def test_each_packaged_scenario_weighs_two_options_with_condition_and_source(packaged: Catalog) -> None:
    assert {
        "startup", "enterprise-long-term", "hybrid", "short-term-experiment", "enterprise-production", "edge",
        "single-card-debug", "multi-node-training", "aigc-inference", "cross-region-data", "long-term-stable",
        "by-model-size", "by-dev-flow", "by-cost-strategy",
    } <= {each.id for each in packaged.scenarios}  # fmt: skip
    for each in packaged.scenarios:
        assert len(each.options) >= 2, each.id
        assert set(each.asks) == {"en", "zh"}, each.id
        for option in each.options:
            assert option.condition.en != option.condition.zh, each.id
            assert all(source.url for source in option.sources), each.id


def test_each_packaged_topic_is_the_first_that_its_own_questions_find(packaged: Catalog) -> None:
    topics_only = replace(packaged, rules=(), scenarios=())
    assert [str(problem) for problem in examples_problems(topics_only, lambda _: answer())] == []
    for each in packaged.topics:
        assert set(each.asks) == {"en", "zh"}, each.id
        assert all(source.url for source in each.sources), each.id


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("what happens to my data when a spot pod gets reclaimed?", "spot-interruption"),
        ("竞价和按需有什么区别", "spot"),
        ("what's the catch with preemptible machines", "spot"),
        ("does Lambda bill stopped instances?", "stopped-instances"),
        ("AutoDL关机之后还收费吗", "stopped-instances"),
        ("how do I keep the bill down", "cost-control"),
        ("怎么避免被云厂商锁定", "lock-in"),
        ("how can I protect my data on a rented machine?", "attestations"),
        ("what if a node crashes at night", "fault-recovery"),
        ("where are H100 prices heading next year?", "trends"),
        ("show me the boto3 code", "launch-boto3"),
        ("is a flashed 3090 ok?", "modded-cards"),
        ("what is the difference between hyperscalers and specialists?", "provider-classes"),
    ],
)
def test_a_question_in_other_words_finds_its_topic(packaged: Catalog, text: str, topic: str) -> None:
    assert topic in [found.id for found in topics_for(text, packaged)[:2]]


@pytest.mark.parametrize(
    ("entry", "en", "zh"),
    [
        ("tpu", ["275", "32 GiB", "3.22", "no drop-in"], ["275", "32 GiB", "3.22", "不能直接替换"]),
        ("aws-p4d", ["eight A100 40 GB", "400 Gb/s"], ["8 张 A100 40 GB", "400 Gb/s"]),
        ("azure-nd", ["ND H100 v5", "eight A100 40 GB"], ["ND H100 v5", "8 张 A100 40 GB"]),
        ("alibaba-families", ["gn7 is A100 40 GB", "gn7i is A10"], ["gn7 是 A100 40 GB", "gn7i 是 A10"]),
        ("tencent-families", ["GN10Xp is V100 32 GB", "GT4"], ["V100 32 GB", "GT4"]),
        ("sla", ["99.9 %", "99.95 %", "99.99 %", "99.5 %"], ["99.9%", "99.95%", "99.99%", "99.5%"]),
        ("spot-discount", ["35 %", "45 %"], ["35%", "45%"]),
        ("deploy-sagemaker", ["entry_point", "framework_version"], ["entry_point", "framework_version"]),
        ("free-trial", ["Colab Pro is paid", "unverified claim"], ["Colab Pro 是付费", "没有查到证据"]),
        ("peak-tflops", ["V100 125", "A100 312", "989", "7.9 times"], ["V100 为 125", "312", "989", "7.9 倍"]),
        ("memory-estimate", ["126 GB", "180 GB (three", "1,800 GB (23)"], ["126 GB", "180 GB", "1,800 GB（23 张）"]),
        ("serverless", ["SageMaker Serverless Inference has no GPUs"], ["不支持 GPU"]),
        ("paperspace", ["NY2, AMS1 and CA1", "none in Chicago"], ["NY2、AMS1、CA1", "没有芝加哥"]),
        ("data-upload", ["SFTP", "HTTPS"], ["SFTP", "HTTPS"]),
        ("cost-control", ["does not prevent interruptions"], ["不能防止中断"]),
        ("lock-in", ["not portable resources"], ["不能直接搬走"]),
        ("multi-cloud", ["MultiKueue", "archived"], ["MultiKueue", "已归档"]),
        ("large-memory-cards", ["no 128 GB card with HBM3e", "141 GB"], ["没有 128 GB HBM3e", "141 GB"]),
    ],
)
def test_what_is_often_said_wrongly_is_held_rightly(
    packaged: Catalog, entry: str, en: list[str], zh: list[str]
) -> None:
    (topic,) = [each for each in packaged.topics if each.id == entry]
    assert [words for words in en if words not in topic.text.en] == []
    assert [words for words in zh if words not in topic.text.zh] == []


def test_no_packaged_advice_repeats_a_figure_that_was_disproved(packaged: Catalog) -> None:
    said = [t.say(lang) for each in packaged.topics for t in (each.text, each.title) for lang in ("en", "zh")]
    said += [o.advice.say(lang) for each in packaged.scenarios for o in each.options for lang in ("en", "zh")]
    for wrong in ("3.26", "entry_script", "256 TFLOPS", "NDv4 has H100", "1.23"):
        assert not any(wrong in text for text in said), wrong


@pytest.mark.slow
def test_every_packaged_example_fires_or_stays_silent_as_said(packaged: Catalog) -> None:
    from bot.ask import ask

    problems = examples_problems(packaged, lambda text: ask(text, packaged, DAY))
    assert [str(problem) for problem in problems] == []
