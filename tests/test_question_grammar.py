"""Sentences made from the grammar and the vocabulary: numbers, models, units, order, languages, marks."""

from __future__ import annotations

import random
from decimal import Decimal
from typing import Any

import pytest
from question_help import differences, read, scorer, vocabulary

from bot.catalog import load
from bot.question import parse

CATALOG, _ = load()
WORDS = CATALOG.vocabulary
MODELS = sorted(scorer().MODELS)
PROVIDERS = sorted(scorer().PROVIDERS)
RANDOM = 20_261_130

EN = (
    "price of {x}",
    "how much is {x}?",
    "how much for {x} today",
    "hey, what does {x} cost?",
    "{x} price please",
    "can you quote me {x}",
    "cost of {x}",
    "hi, pricing for {x}?",
    "what's the price of {x} now?",
    "please tell me the price of {x}",
)
ZH = (
    "{x}多少钱",
    "请问{x}什么价",
    "{x} 的价格",
    "想问下{x}多少钱?",
    "{x}要多少钱",
    "帮我看看{x}的价格",
    "现在{x}多少钱",
    "{x}现在什么价格",
    "大家好,{x}多少钱",
    "求{x}的报价,多少钱",
)
EN_COUNTS = {
    "4x {m}": 4,
    "{m} x 6": 6,
    "{m} x8": 8,
    "two {m}s": 2,
    "a pair of {m}s": 2,
    "16 {m} cards": 16,
    "{m}, need 3 of them": 3,
}
ZH_COUNTS = {
    "4张{m}": 4,
    "{m} 8卡": 8,
    "双卡{m}": 2,
    "十六张{m}": 16,
    "俩{m}": 2,
    "3块{m}": 3,
    "{m}*6": 6,
    "单卡{m}": 1,
}
EN_HOURS = {
    "for 72 hours": 72,
    "for 3 days": 72,
    "for 2 weeks": 336,
    "for a month": 730,
    "overnight": 12,
    "for half a day": 12,
    "for a day and a half": 36,
    "for 2-3 days": 72,
    "for a fortnight": 336,
    "for 90 minutes": 1.5,
}
ZH_HOURS = {
    "跑72小时": 72,
    "跑三天": 72,
    "用两周": 336,
    "租一个月": 730,
    "跑通宵": 12,
    "跑半天": 12,
    "跑一天半": 36,
    "跑两三天": 72,
    "租一个半月": 1095,
}


def gpu(model: str, count: float | None = None) -> dict[str, Any]:
    return {"model": model} if count is None else {"model": model, "count": count}


def price(lang: str, model: str, count: float | None = None, **slots: Any) -> dict[str, Any]:
    return {"intent": "price", "lang": lang, "gpus": [gpu(model, count)], **slots}


def aliases() -> list[tuple[str, str]]:
    named = {(str(alias), model) for model, says in WORDS["gpus"].items() for alias in says}
    named |= {(alias, g.model) for g in CATALOG.gpus.values() for alias in g.aliases}
    return sorted(named)


@pytest.mark.parametrize("carriers", [EN, ZH], ids=["en", "zh"])
def test_every_way_to_write_a_gpu_is_read_as_that_gpu(carriers: tuple[str, ...]) -> None:
    wrong = [
        (carrier.format(x=alias), model)
        for alias, model in aliases()
        for carrier in carriers
        if [g["model"] for g in read(carrier.format(x=f" {alias} ")).get("gpus", [])] != [model]
    ]
    assert wrong == []


@pytest.mark.parametrize("carriers", [EN, ZH], ids=["en", "zh"])
def test_every_name_of_a_provider_is_read_as_that_provider(carriers: tuple[str, ...]) -> None:
    named = {(str(alias), key) for key, says in WORDS["providers"].items() for alias in says}
    named |= {(alias, p.id) for p in CATALOG.providers.values() for alias in (p.name.en, p.name.zh, *p.aliases)}
    wrong = []
    for alias, provider in sorted(named):
        for carrier in carriers:
            x = f"an L4 on {alias}" if carriers is EN else f"{alias}的L4"
            got = read(carrier.format(x=x)).get("providers")
            if got != [provider]:
                wrong.append((carrier.format(x=x), provider, got))
    assert wrong == []


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_counts_and_durations_in_any_combination(lang: str) -> None:
    """Only these slots, whatever the model: a change of one part changes just its slot."""
    chance = random.Random(RANDOM)
    counts, lengths = (EN_COUNTS, EN_HOURS) if lang == "en" else (ZH_COUNTS, ZH_HOURS)
    wrong = []
    for _ in range(400):
        model = chance.choice([m for m in MODELS if m != "L40"])  # "two L40s" is just as well an L40S
        count, length = chance.choice(list(counts)), chance.choice(list(lengths))
        thing = count.format(m=model)
        text = f"how much is {thing} {length}?" if lang == "en" else f"{thing}{length}多少钱"
        found = differences(price(lang, model, counts[count], hours=lengths[length]), read(text))
        wrong += [(text, found)] if found else []
    assert wrong == []


def test_a_plain_number_swapped_changes_just_its_slot() -> None:
    for count in (2, 3, 5, 7, 12, 24, 48, 100):
        for hours in (1, 9, 40, 250, 1000):
            text = f"price of {count}x H100 for {hours} hours on lambda"
            expected = price("en", "H100", count, hours=hours, providers=["lambda"])
            assert differences(expected, read(text)) == []


@pytest.mark.parametrize("provider", PROVIDERS)
def test_what_is_ruled_out_is_never_wanted(provider: str) -> None:
    name = {"together": "Together", "replicate": "Replicate"}.get(provider, provider)
    for text in (
        f"cheapest A100, not {name}",
        f"cheapest A100, no {name} please",
        f"cheapest A100 anywhere but {name}",
        f"cheapest A100 except {name}",
        f"cheapest A100 other than {name}",
        f"cheapest A100, leave {name} out",
        f"cheapest A100, {name} is not an option",
        f"除了{name}，A100哪家最便宜",
        f"A100哪家最便宜，不要{name}",
        f"A100哪家最便宜，{name}不行",
    ):
        got = read(text)
        assert got.get("exclude_providers") == [provider], text
        assert "providers" not in got, text


@pytest.mark.parametrize("model", MODELS)
def test_a_ruled_out_gpu_is_no_wanted_gpu(model: str) -> None:
    other = "L4" if model != "L4" else "T4"
    for text in (
        f"price of an {other}, not the {model}",
        f"{other}多少钱，不要{model}",
        f"price of {other} (not {model})",
    ):
        got = read(text)
        assert got.get("exclude_gpus") == [model], text
        assert got["gpus"] == [{"model": other}], text


@pytest.mark.parametrize(
    "text",
    [
        "cheapest for 72h on 4×A100",
        "cheapest for 72h on 4xA100",
        "cheapest for 72h on 4✕A100",
        "cheapest for 72h on 4*A100",
        "cheapest for 72h on A100*4",
        "CHEAPEST FOR 72H ON 4XA100",
        "ｃｈｅａｐｅｓｔ ｆｏｒ ７２ｈ ｏｎ ４×Ａ１００",
        "*cheapest* for `72h` on _4xA100_",
        "<@U02AB34CD> cheapest for 72h on 4xA100 :rocket:",
        "<!here> cheapest for 72h on 4xA100 🚀",
        "~price of T4,~ cheapest for 72h on 4xA100",
        "cheapest for 72h on <https://a.example/x|4xA100>",
        "cheapest for 72h on 4xA100 https://a.example/8xH100",
        "/gpu cheapest for 72h on 4xA100",
        "cheapest  for   72 hours on four A-100s",
        "chepest for 72 horus on 4 a100s",
        "cheapest for 3 days on 4 A1OO",
        "<#C024BE7LR|h100-8x> cheapest for 72h on 4xA100",
    ],
)
def test_the_same_question_however_it_is_typed(text: str) -> None:
    expected = {"intent": "cheapest", "lang": "en", "gpus": [gpu("A100", 4)], "hours": 72}
    assert differences(expected, read(text)) == []


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("price of 4090D", "4090D"),
        ("price of an A1000", "A1000"),
        ("price of H100Z", "H100Z"),
        ("price of Z999", "Z999"),
        ("RTX 3080 Ti 多少钱", "RTX 3080 Ti"),
        ("RTX 4080 Super price", "RTX 4080 Super"),
        ("price of MI300A", "MI300A"),
    ],
)
def test_an_unknown_suffix_never_falls_back_to_the_shorter_name(text: str, word: str) -> None:
    parsed = parse(text, vocabulary())
    assert parsed.question.gpus == ()
    assert [name for name, _ in parsed.unknown_models] == [word]
    assert 0 < len(parsed.unknown_models[0][1]) <= 5


def test_a_wrong_digit_is_never_corrected() -> None:
    for text in ("price of H101", "price of A101", "price of L41", "price of RTX 4091"):
        assert parse(text, vocabulary()).question.gpus == (), text


def test_each_price_of_a_range_and_each_unit_of_money() -> None:
    for written, amount, currency in (
        ("$1.5k", 1500, "USD"),
        ("1,200 dollars", 1200, "USD"),
        ("2万块", 20000, "CNY"),
        ("5千元", 5000, "CNY"),
        ("300刀", 300, "USD"),
        ("£80", 80, "GBP"),
        ("€1,000", 1000, "EUR"),
        ("₹9,000", 9000, "INR"),
        ("五万日元", 50000, "JPY"),
        ("$500-800", 800, "USD"),
    ):
        got = read(f"cheapest L4, budget {written}")
        assert got["budget"] == {"amount": amount, "currency": currency}, written


def test_numbers_are_exact() -> None:
    """730 h × 8/24 is a third that does not end: kept exact, shown with six places."""
    question = parse("L4 8 hours a day for a month, price?", vocabulary()).question
    assert question.hours is not None
    assert abs(question.hours - Decimal(730) / 3) < Decimal("1e-20")
    assert read("L4 8 hours a day for a month, price?")["hours"] == 243.333333
