"""What was not used is said, and nothing else."""

from __future__ import annotations

from decimal import Decimal

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
        ("we spot-checked the notes: price of a T4?", "plans"),
        ("can't spot it on the page, price of a T4?", "plans"),
        ("found a nice quiet spot for the photo. price of a T4?", "plans"),
        ("can you tell us the price of a T4", "regions"),
    ],
)
def test_everyday_words_are_no_names(text: str, slot: str) -> None:
    question = parse(text, vocabulary()).question
    assert getattr(question, slot) == ()
    assert [g.model for g in question.gpus] == ["T4"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("most expensive 8xB200 for 720h", "most expensive"),
        ("which is the priciest A100?", "priciest"),
        ("8张B200跑720小时哪家最贵", "最贵"),
    ],
)
def test_an_order_that_no_answer_has_is_said_to_be_unread_in_front(text: str, words: str) -> None:
    """Answers rank from the lowest cost; who asks for the highest must see that it was not done."""
    assert [(one.text, one.strong) for one in parse(text, vocabulary()).unread] == [(words, True)]


def test_each_slot_can_be_traced_to_its_words() -> None:
    parsed = parse("cheapest 2 nodes of 8xH100 SXM for 3 days, not on AWS, under $2.50 per gpu hour", vocabulary())
    slots = [slot for _, slot, _ in parsed.trace]
    assert slots == ["nodes", "gpus", "hours", "exclude_providers", "budget_per_hour"]
    words = [said for said, _, _ in parsed.trace]
    assert words == ["2 nodes of", "8 x H100 SXM", "3 days", "AWS", "$ 2.50 per gpu hour"]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("bare metal A100 for a week, price?", ["bare metal"]),
        ("cheapest A100 with slurm and docker", ["slurm", "docker"]),
        ("cheapest H100 in a container, ubuntu please", ["container", "ubuntu"]),
        ("cheapest A100 with SSH and root access", ["SSH", "root access"]),
        ("can we get quota for 8 H100s, price?", ["quota"]),
        ("8xH100 with a good interconnect, cheapest?", ["interconnect"]),
        ("A100裸金属多少钱", ["裸金属"]),
        ("4张A100跑三天多少钱，最好是容器", ["容器"]),
        ("H100 配额够吗，多少钱", ["配额"]),
        ("租一周4090，要公网IP，多少钱", ["公网IP"]),
    ],
)
def test_what_no_slot_holds_is_said_as_not_used(text: str, left: list[str]) -> None:
    assert unread(text) == [(word, False) for word in left]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("cheapest A100, must be bare metal", ["bare metal"]),
        ("bare metal only, cheapest 8xH100 for 3 days", ["bare metal"]),
        ("cheapest A100 for 3 days, docker is required", ["docker"]),
        ("cheapest A100 without lock-in", ["lock-in"]),
        ("A100最便宜，必须裸金属", ["裸金属"]),
        ("A100多少钱，不要虚拟机", ["虚拟机"]),
        ("A100多少钱，只要容器", ["容器"]),
    ],
)
def test_what_no_slot_holds_comes_first_under_a_must_an_only_or_a_no(text: str, left: list[str]) -> None:
    assert unread(text) == [(word, True) for word in left]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("cheapest 8xH100 with strict compliance for 2 days", ["strict compliance"]),
        ("cheapest A100, FedRAMP and PCI DSS", ["FedRAMP", "PCI DSS"]),
        ("cheapest A100 with an invoice", ["invoice"]),
        ("A100最便宜，要合规", ["合规"]),
        ("4张A100跑三天哪家最便宜，要发票", ["发票"]),
    ],
)
def test_a_compliance_that_was_not_used_comes_first_without_a_must(text: str, left: list[str]) -> None:
    assert unread(text) == [(word, True) for word in left]


@pytest.mark.parametrize(
    "text",
    [
        "cheapest A100 for 3 days, GDPR compliance and SOC2 compliant",
        "A100最便宜，符合GDPR合规要求",
        "8xH100 with NVLink interconnect, cheapest?",
    ],
)
def test_the_name_of_a_kind_is_read_where_a_need_of_the_kind_is_named(text: str) -> None:
    assert unread(text) == []


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("cheapest A100 with 2TB RAM", ["2 TB RAM"]),
        ("cheapest A100 with 1TB of system RAM", ["1 TB of system RAM"]),
        ("cheapest T4 with 16 vCPUs and 64GB RAM", ["16 vCPUs", "64 GB RAM"]),
        ("cheapest A100, 128-core CPU", ["128-core CPU"]),
        ("A100 带 512G 内存多少钱", ["512 G 内存"]),
        ("T4 要16核，多少钱", ["16 核"]),
    ],
)
def test_memory_and_cores_of_the_host_are_no_slot_and_are_said(text: str, left: list[str]) -> None:
    parsed = parse(text, vocabulary())
    assert [piece.text for piece in parsed.unread] == left
    question = parsed.question
    assert (question.min_memory_gb, question.total_memory_gb, question.data_gb, question.gpu_count) == (None,) * 4


@pytest.mark.parametrize("text", ["how much RAM does an A100 have?", "A100的内存多大"])
def test_memory_in_a_question_about_the_card_is_that_of_the_card(text: str) -> None:
    assert unread(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "hi team, hope you're all well! would appreciate a rough number for 8xH100 for a week, kind regards",
        "good morning folks, quick one: who is cheapest for 4 A100s over the weekend? much appreciated",
        "could someone kindly help me find the cheapest L4 for inference please, thanks in advance",
        "strict budget of $500, cheapest A100?",
        "大佬们早上好，麻烦帮忙看看8卡H800包月哪家便宜，感谢感谢",
        "各位老师辛苦了，请教一下4090租一周大概多少钱，谢谢啦",
    ],
)
def test_courtesy_is_never_said_as_not_used(text: str) -> None:
    assert unread(text) == []


def test_the_term_that_is_explained_is_not_said_as_not_used() -> None:
    assert unread("what does compliance mean for spot?") == []


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("serve Mixtral 8x7B, which GPU?", "46.7"),
        ("serve an 8x22B model, which GPU?", "141"),
        ("serve a 3x5B model, which GPU?", "15"),
    ],
)
def test_a_mixture_of_experts_has_its_published_size_else_the_product(text: str, size: str) -> None:
    assert parse(text, vocabulary()).question.model_params_b == Decimal(size)


@pytest.mark.parametrize("name", ["llama", "qwen", "gemma", "chatglm"])
def test_hosting_any_known_ai_model_is_inference(name: str) -> None:
    assert parse(f"cheapest L4 to host {name}", vocabulary()).question.workloads == ("inference",)
