"""What was not used is said, and nothing else."""

from __future__ import annotations

import pytest
from question_help import vocabulary

from bot.question import parse


def unread(text: str) -> list[tuple[str, bool]]:
    return [(piece.text, piece.strong) for piece in parse(text, vocabulary()).unread]


@pytest.mark.parametrize(
    "text",
    [
        "cheapest for 72h on 4×A100",
        "hey, could you please tell me the price of an A100 on Lambda, thanks a lot",
        "麻烦帮我看一下8张A100跑三天大概要多少钱，谢谢大佬",
        "2 nodes of 8xH100 SXM for 10 days in the EU, not AWS, under $2.50/hr, lowest total cost?",
        "公司要训练一个130亿参数的模型，８张Ａ１００ 80G SXM，要NVLink，2TB数据要传上去，跑10天不能中断，哪家最便宜？",
        "which one should I use for inference?",
        "what does spot mean and what's the catch?",
        "thanks, that's super helpful!",
    ],
)
def test_nothing_is_left_of_a_question_that_was_read(text: str) -> None:
    assert unread(text) == []


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("cheapest A100 for 3 days, must be HIPAA compliant", "HIPAA compliant"),
        ("A100多少钱，必须能开发票", "开发票"),
        ("A100最便宜，只要有等保三级的", "等保三级"),
        ("cheapest H100 in Lagos", "Lagos"),
        ("cheapest A100 only from carbon-neutral datacenters", "carbon-neutral"),
        ("cheapest A100, no contracts", "contracts"),
    ],
)
def test_a_requirement_that_was_not_used_comes_first(text: str, left: str) -> None:
    assert unread(text) == [(left, True)]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("cheapest A100 with 17 purple unicorns", "17 purple unicorns"),
        ("cheapest A100, 60% utilization", "60"),
        ("cheapest A100 with liquid cooling", "liquid cooling"),
    ],
)
def test_other_words_and_numbers_that_were_not_used_are_said_too(text: str, left: str) -> None:
    assert unread(text) == [(left, False)]


def test_an_unknown_model_is_named_with_the_nearest_known_ones() -> None:
    parsed = parse("cheapest 4090D for a day", vocabulary())
    ((word, near),) = parsed.unknown_models
    assert word == "4090D"
    assert near[0] == "RTX4090"
    assert len(near) <= 5
    assert parsed.question.gpus == ()


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        ("we have a vast pile of images to render on a T4, cheapest?", "providers"),
        ("let's put together 4 T4s for a day, price?", "providers"),
        ("can we replicate the run on a T4, price?", "providers"),
        ("what a sweet spot: T4 price?", "plans"),
        ("the T4 is spot on, price?", "plans"),
        ("can you tell us the price of a T4", "regions"),
    ],
)
def test_everyday_words_are_no_names(text: str, slot: str) -> None:
    question = parse(text, vocabulary()).question
    assert getattr(question, slot) == ()
    assert [g.model for g in question.gpus] == ["T4"]


def test_each_slot_can_be_traced_to_its_words() -> None:
    parsed = parse("cheapest 2 nodes of 8xH100 SXM for 3 days, not on AWS, under $2.50 per gpu hour", vocabulary())
    slots = [slot for _, slot, _ in parsed.trace]
    assert slots == ["nodes", "gpus", "hours", "exclude_providers", "budget_per_hour"]
    words = [said for said, _, _ in parsed.trace]
    assert words == ["2 nodes of", "8 x H100 SXM", "3 days", "AWS", "$ 2.50 per gpu hour"]
