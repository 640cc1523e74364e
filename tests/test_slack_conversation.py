"""When the bot speaks in a thread, in which language, and what a control does to a question."""

from __future__ import annotations

from decimal import Decimal

import pytest

from bot.catalog import load
from bot.slack import conversation
from bot.slack.conversation import changed, clean, hear, language, overhear, state_of

CATALOG = load()[0]
FIRST = "cheapest for 72h on 4xA100"


def after(*texts: str) -> conversation.Heard:
    heard = hear(texts[0], None, CATALOG)
    for text in texts[1:]:
        heard = hear(text, heard.state, CATALOG)
    return heard


@pytest.mark.parametrize(
    "text",
    [
        "and on spot?", "what about H100", "for a month?", "in the EU", "not AWS", "make it 8", "80GB",
        "which is cheapest?", "how much would that be on runpod?", "换成H100呢", "跑一个月", "不要AWS", "竞价呢",
        "预算300刀",
    ],
)  # fmt: skip
def test_it_answers_a_question_or_a_change(text: str) -> None:
    assert overhear(text, after(FIRST).state, CATALOG).speak


@pytest.mark.parametrize(
    "text",
    [
        "thanks!", "thank you", "谢谢", "好的", "ok", "lol", "great", "👍", "nice, let's do it", "I'll tell my boss",
        "<@U02BOB> can you take this one?", "<@U02BOB> what about the H100?", "see you tomorrow",
        "I will ask Carol about the budget for our H100 tomorrow", "let me check with Dave about the H100s first",
        "we should tell the finance team about these H100 prices", "I'll bring this up: H100, 8 hours",
        "我回头问下老板H100的预算", "我们先跟财务商量一下8小时的H100",
        "our H100 cluster is down again and I will call the vendor tomorrow", "周五开会再说吧",
    ],
)  # fmt: skip
def test_it_is_silent_when_people_talk(text: str) -> None:
    assert not overhear(text, after(FIRST).state, CATALOG).speak


def test_what_it_overhears_continues_the_thread() -> None:
    heard = overhear("for 8 hours?", after(FIRST).state, CATALOG)
    assert heard.parsed.question.hours == Decimal(8)
    assert heard.parsed.question.gpus[0].count == Decimal(4)


def test_a_state_survives_the_database() -> None:
    state = after(FIRST, "8h a day for 3 weeks").state
    assert state is not None
    assert state_of(state.to_json()) == state
    assert state_of({"question": {"intent": "cheapest", "lang": "en", "slot_of_tomorrow": 1}}) is None
    assert state_of(None) is None


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("cheapest for 72h on 4×A100", "en"), ("4张A100跑72小时哪家最便宜", "zh"), ("4xA100 72h", None),
        ("H100 SXM", None), ("A100 runpod 3d", None), ("4xA100 please", "en"),
    ],
)  # fmt: skip
def test_the_language_is_the_messages_or_nobodys(text: str, lang: str | None) -> None:
    assert language(text, hear(text, None, CATALOG).parsed, CATALOG) == lang


def test_the_mention_is_taken_out_wherever_it_stands() -> None:
    assert clean("hey <@U0BOT>, what  about <@U0BOT|gpu-bot> H100", "U0BOT") == "hey , what about H100"


def test_a_change_sets_and_takes_out_slots() -> None:
    question = {"intent": "cheapest", "lang": "en", "gpus": [{"model": "A100"}], "hours": 72, "regions": ["eu"]}
    new = changed(question, {"hours": 24, "regions": None, "plans": ["spot"]})
    assert (new.hours, new.regions, new.plans) == (Decimal(24), (), ("spot",))


def test_a_change_that_names_the_hardware_needs_no_question_back() -> None:
    question = {"intent": "price", "lang": "en", "clarify": True}
    assert changed(question, {}).clarify
    assert not changed(question, {"gpus": [{"model": "A100"}]}).clarify


def test_a_change_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown slot"):
        changed({"intent": "price", "lang": "en"}, {"surprise": 1})
