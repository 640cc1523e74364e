"""Explanations, hardware facts and recommendations on the invented world "guidance"; figures are worked out here."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from bot import ask, catalog
from bot.render.document import document
from bot.render.headline import headline
from bot.render.second_line import also
from bot.render.terminal import plain_lines
from rules.decide import decide
from rules.fit import need
from rules.model import Answer, Catalog, GpuAsk, Question
from rules.topics import nearest_topics, topics_for

AS_OF = date(2026, 11, 30)
WORLD = Path(__file__).parent / "worlds" / "guidance"


@pytest.fixture(scope="module")
def world() -> Catalog:
    loaded, problems = catalog.load(WORLD)
    assert not catalog.errors(problems)
    return loaded


def answered(world: Catalog, intent: str, text: str = "", lang: str = "en", **slots: Any) -> Answer:
    question = Question(intent, lang, **slots)
    names = {one.id: one.name for one in world.providers.values()}
    return replace(decide(question, world, AS_OF, text=text), names=names, text=text)


def h100(count: int, form: str | None = None) -> tuple[GpuAsk, ...]:
    return (GpuAsk("H100", count=Decimal(count), form=form),)


def offers(answer: Answer) -> list[str]:
    return [quote.offer.id for quote in answer.quotes if quote.offer]


# ---------------------------------------------------------------- explanations


def test_an_explanation_says_what_the_thing_costs_and_where_from(world: Catalog) -> None:
    """Fernhold's spot machine: 9.00 against 2.50 × 8 = 20.00 on demand, 45 %; the only pair of this market."""
    answer = answered(world, "explain", "what is a spot instance?")
    first = answer.parts["facts"][0]
    (cost,) = first["costs"]
    assert (first["topic"], cost["what"], cost["pairs"]) == ("spot", "spot", 1)
    assert [cost[key] for key in ("low", "median", "high")] == [Decimal("0.45")] * 3
    (row,) = cost["rows"]
    assert (row["offer"], row["usd_per_gpu_hour"], row["on_demand_usd_per_gpu_hour"]) == (
        "fernhold-h100-x8-spot", Decimal("1.125"), Decimal("2.50"),
    )  # fmt: skip
    assert {row["source"], row["on_demand_source"]} <= {use.key for use in answer.sources}
    assert also(answer, "en")[-1] == "In the one pair of prices recorded here spot is 45 % of on demand"


def test_a_rate_that_a_named_provider_does_not_state_is_null_and_others_are_left_out(world: Catalog) -> None:
    """Greymoor 0.09, Fernhold 0; Stallpost states none."""
    everywhere = answered(world, "explain", "what is egress?").parts["facts"][0]["costs"][0]["rows"]
    assert [(row["provider"], row["rate"]["amount"]) for row in everywhere] == [
        ("greymoor", Decimal("0.09")), ("fernhold", Decimal(0)),
    ]  # fmt: skip
    named = answered(world, "explain", "what is egress at Stallpost?", providers=("stallpost",))
    assert named.parts["facts"][0]["costs"][0]["rows"] == [{"provider": "stallpost", "rate": None, "source": None}]
    assert "Stallpost  not known" in "\n".join(plain_lines(document(named, "en")))


def test_a_term_is_read_from_the_slots_when_the_words_name_none(world: Catalog) -> None:
    answer = answered(world, "explain", "how much do they save me?", plans=("reserved_1y",))
    assert answer.parts["facts"][0]["topic"] == "reserved"


def test_when_nothing_fits_the_nearest_topics_are_named_and_nothing_is_explained(world: Catalog) -> None:
    """One common word is no question about a topic."""
    text = "do I need a driver?"
    assert topics_for(text, world) == ()
    assert "environment" in [topic.id for topic in nearest_topics(text, world)]
    answer = answered(world, "explain", text)
    assert (answer.status, answer.parts.get("facts")) == ("no_match", None)
    assert headline(answer, "en").startswith("No explanation is recorded for exactly that; the nearest are: ")
    assert nearest_topics("how do I bake bread?", world) == ()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_lines_of_a_program_stay_lines(world: Catalog, lang: str) -> None:
    """A program is no sentence of the second line, and its indentation is kept."""
    answer = answered(world, "explain", "show me the boto3 code", lang)
    assert not any("import boto3" in sentence for sentence in also(answer, lang))
    lines = plain_lines(document(answer, lang))
    start = lines.index("  import boto3")
    assert lines[start + 2] == "  reply = ec2.run_instances("
    assert lines[start + 4] == '      InstanceType="p4d.24xlarge",  # ' + (
        "eight A100 40 GB" if lang == "en" else "8 张 A100 40 GB"
    )


# ---------------------------------------------------------------- memory and cards


def test_cards_with_the_memory_asked_for_are_listed_the_smallest_first(world: Catalog) -> None:
    facts = answered(world, "specs", min_memory_gb=Decimal(141)).parts["facts"]
    sizes = [row["memory_gb"] for row in facts]
    assert sizes == sorted(sizes)
    assert sizes[0] == 141
    assert {"H200", "MI300X"} <= {row["gpu"] for row in facts}
    assert all(row["source"] for row in facts)


def test_each_size_of_a_card_has_its_own_verdict_and_the_smallest_is_the_whole_one(world: Catalog) -> None:
    """70B in FP16: 140 GB of weights, 168 with a fifth on top. Two of 40 GB are 80, two of 80 GB are 160."""
    fit = answered(
        world, "specs", gpus=(GpuAsk("A100", count=Decimal(2)),), model_params_b=Decimal(70)
    ).parts["fit"]  # fmt: skip
    assert [(row["gpu_memory_gb"], row["verdict"]) for row in fit["verdicts"]] == [(40, "does-not-fit"), (80, "tight")]
    assert fit["verdict"] == "does-not-fit"


@pytest.mark.parametrize(
    ("params", "purpose", "dtype", "gb"),
    [
        ("7", "training", None, "126"),  # 7 × 18
        ("7", "training", "fp32", "112"),  # 7 × 16: weights and gradients 4 each, AdamW 8
        ("7", "inference", "fp16", "16.8"),  # 7 × 2 × 1.2
        ("7", "inference", "fp8", "8.4"),  # 7 × 1 × 1.2
        ("7", "inference", "int4", "4.2"),  # 7 × 0.5 × 1.2
        ("13", "lora", None, "31.2"),  # 13 × 2 × 1.2
        ("70", "qlora", None, "42"),  # 70 × 0.5 × 1.2
    ],
)
def test_memory_follows_from_parameters_use_and_number_format(
    params: str, purpose: str, dtype: str | None, gb: str
) -> None:
    assert need(Decimal(params), purpose, dtype).need_gb == Decimal(gb)


# ---------------------------------------------------------------- comparisons


def test_a_column_holds_no_price_of_a_plan_that_was_not_asked_for(world: Catalog) -> None:
    """Greymoor sells no spot: its on-demand row stands beside for comparison and speaks for no column."""
    answer = answered(
        world, "compare", gpus=h100(8), providers=("fernhold", "greymoor"), plans=("spot",), hours=Decimal(10)
    )
    assert offers(answer) == ["fernhold-h100-x8-spot", "greymoor-h100-x8"]
    part = answer.parts["comparison"]
    assert [column["offer"] for column in part["columns"]] == ["fernhold-h100-x8-spot", None]
    total = next(row["cells"] for row in part["rows"] if row["row"] == "total")
    assert (total[0]["value"], total[1]) == (90, None)  # 9.00 × 10
    assert (
        headline(answer, "en")
        == "Only Fernhold has a price for 10 h on 8 × H100: $90.00 (price 10 days old); none for Greymoor"
    )


# ---------------------------------------------------------------- recommendations


def test_a_scenario_without_hardware_is_quoted_for_its_usual_cards(world: Catalog) -> None:
    """Debugging is usual on T4, L4 and RTX 4090: 0.30, 0.50 and 0.80 an hour here; the question stays as it was."""
    answer = answered(world, "recommend", workloads=("debugging",))
    assert offers(answer) == ["stallpost-rtx4090", "fernhold-rtx4090-x1", "greymoor-l4-x1"]
    assert answer.question.gpus == ()
    assert ("gpus", "T4, L4, RTX4090") in [(one.key, one.value) for one in answer.assumptions]
    assert document(answer, "en").reading.startswith("Read as: T4, L4 or RTX 4090")


def test_training_is_not_spread_over_hosts_that_no_network_joins(world: Catalog) -> None:
    """7B needs 126 GB: six RTX 4090, which Stallpost has on two hosts; two of its H100 are one host and stay."""
    answer = answered(world, "recommend", workloads=("training",), model_params_b=Decimal(7))
    refused = {row.offer.id: row.reason for row in answer.left_out if row.offer}
    assert refused["stallpost-rtx4090"] == "training-over-marketplace-hosts"
    assert "stallpost-h100-pcie" in offers(answer)
    assert answer.contradictions == ()


def test_when_nothing_matches_each_limit_says_what_there_is_without_it(world: Catalog) -> None:
    """Fernhold has no L4; Greymoor's costs 0.80 an hour."""
    answer = answered(world, "price", gpus=(GpuAsk("L4"),), providers=("fernhold",))
    assert (answer.status, answer.parts["unlocks"]) == (
        "no_match",
        [{"limit": "providers", "offer": "greymoor-l4-x1", "provider": "greymoor", "usd_per_hour": Decimal("0.80")}],
    )
    assert also(answer, "en") == ["Without the limit to Fernhold: Greymoor, $0.80 per hour"]
    assert also(answer, "zh") == ["不限平台（蕨堡云）：灰原云，每小时 $0.80"]


def test_who_wants_help_is_asked_four_things_and_given_whole_questions(world: Catalog) -> None:
    answer = answered(world, "recommend", clarify=True)
    text = headline(answer, "en")
    assert all(word in text for word in ("task", "run it", "cost", "how long"))
    for lang in ("en", "zh"):
        for ready in document(answer, lang).ready:
            assert not ask.parse(ready, world).question.clarify, ready


def test_a_rule_speaks_of_the_quote_in_front(world: Catalog) -> None:
    """Two machines are asked for: the sentence says two, not all the numbers that other offers would take."""
    answer = answered(world, "cheapest", gpus=h100(8), nodes=Decimal(2), plans=("spot",), hours=Decimal(10))
    fired = next(one for one in answer.reasons if one.rule.id == "spot-on-several-machines")
    assert fired.facts["quote.machines"] == 2
