"""What holds for any text: nothing raises, the work is bounded, what is read is a question that the scorer allows."""

from __future__ import annotations

import json
import re

from hypothesis import given, settings
from hypothesis import strategies as st
from question_help import read, scorer, vocabulary

from bot.question import ThreadState, merge, parse, parse_thread
from bot.question.lexer import Reader
from bot.question.normalise import MAX_CHARACTERS, normalise
from bot.question.parse import read as read_message
from rules.wire import question_from_json, question_to_json

WORDS = (
    "cheapest price of how much compare A100 H100 4090 L4 T4 4 8 72 x * , . ? not no or and on aws lambda vast spot"
    " reserved hours day days a week month 24/7 per hour $ 500 2.50 80GB 24G vram 70B 8x7b training inference eu us in"
    " within 最便宜 多少钱 张 卡 跑 三天 一个半月 不要 除了 阿里云 竞价 包月 每小时 块 万 预算 显存"
    " 训练 哪家 和 还是 呢 换成 每天 一 两 半 台 机器 sorry actually forget the budget twice as long make it 8"
    " also add what about NVLink GDPR benchmark digest help < > @ ~ ` _ :"
).split()
sentences = st.lists(st.sampled_from(WORDS), max_size=24).map(" ".join)
texts = st.one_of(st.text(max_size=120), sentences)
quick = settings(max_examples=300, deadline=None)


@quick
@given(texts)
def test_no_text_raises_and_every_answer_is_allowed(text: str) -> None:
    got = read(text)
    assert scorer().problems(got) == []
    assert got["lang"] == ("zh" if re.search("[㐀-䶿一-鿿]", normalise(text).text) else "en")


@quick
@given(st.lists(texts, max_size=5))
def test_no_thread_raises_and_every_answer_is_allowed(messages: list[str]) -> None:
    got = question_to_json(parse_thread(messages, vocabulary()).question)
    assert scorer().problems(got) == []


@quick
@given(texts)
def test_reading_twice_gives_the_same(text: str) -> None:
    assert parse(text, vocabulary()) == parse(text, vocabulary())


@quick
@given(texts)
def test_a_question_goes_through_json_and_back(text: str) -> None:
    question = parse(text, vocabulary()).question
    as_json = json.loads(json.dumps(question_to_json(question)))
    assert question_to_json(question_from_json(as_json)) == as_json


@quick
@given(st.lists(sentences, min_size=1, max_size=4))
def test_a_state_goes_through_json_and_back(messages: list[str]) -> None:
    kept: ThreadState | None = None
    for text in messages:
        fresh, state = merge(kept, text, vocabulary())
        again, _ = merge(
            None if kept is None else ThreadState.from_json(json.loads(json.dumps(kept.to_json()))), text, vocabulary()
        )
        assert scorer().same(question_to_json(fresh.question), question_to_json(again.question))
        kept = state


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=8))
def test_the_work_grows_no_faster_than_the_text(words: list[str]) -> None:
    """Four times the text: at most a little more than four times the steps (counted, not timed)."""
    unit = " ".join(words) + " "
    short, long = unit * (1000 // len(unit)), unit * (4000 // len(unit))
    small = read_message(short, vocabulary()).sketch.steps
    large = read_message(long, vocabulary()).sketch.steps
    assert large <= 6 * small + 2000


def test_a_very_long_text_is_cut() -> None:
    assert len(normalise("A100 " * 100_000).text) <= MAX_CHARACTERS
    reader = Reader(normalise("价格" * 100_000).text, vocabulary())
    reader.read()
    assert reader.steps < 40 * MAX_CHARACTERS
