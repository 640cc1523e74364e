"""Threads: each message changes what was said before, worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest
from question_help import differences, read_thread, scorer, vocabulary

from bot.question import ThreadState, merge

Turn = tuple[str, dict[str, Any]]
A100 = {"model": "A100"}
H100 = {"model": "H100"}

THREADS: list[list[Turn]] = [
    [  # a fragment keeps what it does not touch; memory, form and count change in place
        (
            "price of 8x A100 80GB for a week",
            {"intent": "price", "gpus": [{**A100, "count": 8, "memory_gb": 80}], "hours": 168},
        ),
        ("what about 40GB?", {"intent": "price", "gpus": [{**A100, "count": 8, "memory_gb": 40}], "hours": 168}),
        ("PCIe", {"intent": "price", "gpus": [{**A100, "count": 8, "memory_gb": 40, "form": "PCIe"}], "hours": 168}),
        (
            "make it 4",
            {"intent": "price", "gpus": [{**A100, "count": 4, "memory_gb": 40, "form": "PCIe"}], "hours": 168},
        ),
        (
            "H100 instead",
            {"intent": "price", "gpus": [{**H100, "count": 4}], "hours": 168},
        ),  # memory and form are not kept
        ("单卡呢", {"intent": "price", "gpus": [{**H100, "count": 1}], "hours": 168}),
    ],
    [  # providers replace, add, leave, and come back
        ("price of an H100 on lambda", {"intent": "price", "gpus": [H100], "providers": ["lambda"]}),
        ("on runpod?", {"intent": "price", "gpus": [H100], "providers": ["runpod"]}),
        ("add nebius", {"intent": "price", "gpus": [H100], "providers": ["runpod", "nebius"]}),
        ("which is cheaper?", {"intent": "compare", "gpus": [H100], "providers": ["runpod", "nebius"]}),
        ("not runpod", {"intent": "compare", "gpus": [H100], "providers": ["nebius"], "exclude_providers": ["runpod"]}),
        ("actually runpod is fine", {"intent": "compare", "gpus": [H100], "providers": ["nebius"]}),
        ("how does that compare to Azure?", {"intent": "compare", "gpus": [H100], "providers": ["nebius", "azure"]}),
        ("which is cheapest?", {"intent": "cheapest", "gpus": [H100], "providers": ["nebius", "azure"]}),
    ],
    [  # time: daily use stays, hours follow; GPU-hours drop both
        (
            "L4 6h a day for 2 weeks, how much?",
            {"intent": "price", "gpus": [{"model": "L4"}], "hours": 84, "hours_per_day": 6},
        ),  # 336 × 6/24
        (
            "3 weeks instead",
            {"intent": "price", "gpus": [{"model": "L4"}], "hours": 126, "hours_per_day": 6},
        ),  # 504 × 6/24
        (
            "12 hours a day",
            {"intent": "price", "gpus": [{"model": "L4"}], "hours": 252, "hours_per_day": 12},
        ),  # 504 × 12/24
        ("500 GPU hours", {"intent": "price", "gpus": [{"model": "L4"}], "gpu_hours": 500}),
        ("for 10 hours", {"intent": "price", "gpus": [{"model": "L4"}], "hours": 10}),
        ("three times as long", {"intent": "price", "gpus": [{"model": "L4"}], "hours": 30}),
        ("twice as many cards", {"intent": "price", "gpus": [{"model": "L4", "count": 2}], "hours": 30}),
    ],
    [  # taking back, needs that grow
        (
            "cheapest H100, budget $300, in the EU",
            {"intent": "cheapest", "gpus": [H100], "budget": {"amount": 300, "currency": "USD"}, "regions": ["eu"]},
        ),
        ("forget the budget", {"intent": "cheapest", "gpus": [H100], "regions": ["eu"]}),
        ("need NVLink", {"intent": "cheapest", "gpus": [H100], "regions": ["eu"], "needs": ["interconnect"]}),
        (
            "and SOC 2",
            {"intent": "cheapest", "gpus": [H100], "regions": ["eu"], "needs": ["interconnect", "compliance_soc2"]},
        ),
        ("地区无所谓了", {"intent": "cheapest", "gpus": [H100], "needs": ["interconnect", "compliance_soc2"]}),
        (
            "不要竞价",
            {
                "intent": "cheapest",
                "gpus": [H100],
                "needs": ["interconnect", "compliance_soc2"],
                "exclude_plans": ["spot"],
            },
        ),
    ],
    [  # what an intent forbids comes back with a later one
        (
            "4x A100 80GB for 72 hours with NVLink, how much?",
            {
                "intent": "price",
                "gpus": [{**A100, "count": 4, "memory_gb": 80}],
                "hours": 72,
                "needs": ["interconnect"],
            },
        ),
        (
            "does 70B fit?",
            {"intent": "specs", "gpus": [{**A100, "count": 4, "memory_gb": 80}], "hours": 72, "model_params_b": 70},
        ),
        (
            "how much would that be?",
            {
                "intent": "price",
                "gpus": [{**A100, "count": 4, "memory_gb": 80}],
                "hours": 72,
                "model_params_b": 70,
                "needs": ["interconnect"],
            },
        ),
    ],
    [  # small talk and help are answered alone; a new question starts from nothing
        ("cheapest 4090 for a weekend", {"intent": "cheapest", "gpus": [{"model": "RTX4090"}], "hours": 48}),
        ("thanks!", {"intent": "unsupported"}),
        ("which clouds do you cover?", {"intent": "help"}),
        ("for a week", {"intent": "cheapest", "gpus": [{"model": "RTX4090"}], "hours": 168}),
        ("另外问一下，T4多少钱", {"intent": "price", "gpus": [{"model": "T4"}]}),
        ("new question: what can you do?", {"intent": "help"}),
    ],
    [  # a count without a model waits for one
        ("cheapest 8-GPU box for a week?", {"intent": "cheapest", "gpu_count": 8, "hours": 168, "clarify": True}),
        ("A100s", {"intent": "cheapest", "gpus": [{**A100, "count": 8}], "hours": 168}),
        (
            "add the H100 to the list",
            {"intent": "cheapest", "gpus": [{**A100, "count": 8}, {**H100, "count": 8}], "hours": 168},
        ),
        ("no A100s", {"intent": "cheapest", "gpus": [{**H100, "count": 8}], "hours": 168, "exclude_gpus": ["A100"]}),
    ],
    [  # the action comes from the message that sets it
        ("/gpu-bench ml01 fp16", {"intent": "benchmark", "action": "run", "host": "ml01", "dtype": "fp16"}),
        ("show me the results", {"intent": "benchmark", "action": "show", "host": "ml01", "dtype": "fp16"}),
        ("now run it in bf16", {"intent": "benchmark", "action": "run", "host": "ml01", "dtype": "bf16"}),
    ],
    [
        ("did H100 prices drop this week?", {"intent": "digest", "action": "show", "gpus": [H100]}),
        ("subscribe us to that", {"intent": "digest", "action": "subscribe", "gpus": [H100]}),
        ("stop it", {"intent": "digest", "action": "unsubscribe", "gpus": [H100]}),
    ],
    [  # Chinese, with counts kept and doubled
        ("8卡H100跑三天多少钱", {"intent": "price", "gpus": [{**H100, "count": 8}], "hours": 72}),
        ("换成A800 80G", {"intent": "price", "gpus": [{"model": "A800", "count": 8, "memory_gb": 80}], "hours": 72}),
        (
            "阿里云呢",
            {
                "intent": "price",
                "gpus": [{"model": "A800", "count": 8, "memory_gb": 80}],
                "hours": 72,
                "providers": ["alibaba"],
            },
        ),
        (
            "跟华为云比呢",
            {
                "intent": "compare",
                "gpus": [{"model": "A800", "count": 8, "memory_gb": 80}],
                "hours": 72,
                "providers": ["alibaba", "huawei"],
            },
        ),
        (
            "时间减半",
            {
                "intent": "compare",
                "gpus": [{"model": "A800", "count": 8, "memory_gb": 80}],
                "hours": 36,
                "providers": ["alibaba", "huawei"],
            },
        ),
        (
            "哪家最便宜",
            {
                "intent": "cheapest",
                "gpus": [{"model": "A800", "count": 8, "memory_gb": 80}],
                "hours": 36,
                "providers": ["alibaba", "huawei"],
            },
        ),
    ],
]
CASES = [
    pytest.param([text for text, _ in thread[: n + 1]], expected, id=" / ".join(text for text, _ in thread[: n + 1]))
    for thread in THREADS
    for n, (_, expected) in enumerate(thread)
]


@pytest.mark.parametrize(("texts", "expected"), CASES)
def test_a_message_changes_just_what_it_says(texts: list[str], expected: dict[str, Any]) -> None:
    expected = {**expected, "lang": scorer().language(texts[-1])}
    assert scorer().problems(expected) == [], "the row itself must be a question that the scorer allows"
    assert differences(expected, read_thread(*texts)) == []


def test_a_state_that_is_none_says_so() -> None:
    with pytest.raises(ValueError, match="no question"):
        ThreadState.from_json({})


def test_a_number_that_changes_the_count_is_not_left_unread() -> None:
    _, state = merge(None, "price of 8 A100s", vocabulary())
    parsed, _ = merge(state, "make it 4", vocabulary())
    assert parsed.unread == ()
