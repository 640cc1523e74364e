"""Questions read as a person reads them, and the two public sets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from question_help import HERE, differences, read, read_thread, scorer
from question_rows import ALL, Row
from question_rows_asked import ALL_ASKED, ASKED_THREADS
from question_rows_english import ALL_ENGLISH, ENGLISH_THREADS
from question_rows_more import ALL_MORE

ROWS = [*ALL, *ALL_MORE, *ALL_ENGLISH, *ALL_ASKED]
THREADS = [*ENGLISH_THREADS, *ASKED_THREADS]


@pytest.mark.parametrize(("text", "expected"), ROWS, ids=[text for text, _ in ROWS])
def test_a_question_states_what_its_words_state(text: str, expected: dict[str, Any]) -> None:
    expected = {**expected, "lang": scorer().language(text)}
    assert scorer().problems(expected) == [], "the row itself must be a question that the scorer allows"
    assert differences(expected, read(text)) == []


@pytest.mark.parametrize("thread", THREADS, ids=[thread[0][0] for thread in THREADS])
def test_each_message_of_a_thread_changes_what_its_words_change(thread: list[Row]) -> None:
    for n, (text, row) in enumerate(thread):
        expected = {**row, "lang": scorer().language(text)}
        assert scorer().problems(expected) == [], "the row itself must be a question that the scorer allows"
        assert differences(expected, read_thread(*(said for said, _ in thread[: n + 1]))) == [], text


SETS = sorted((HERE / "questions").glob("*.jsonl"))


@pytest.mark.parametrize("path", SETS, ids=[path.stem for path in SETS])
def test_every_question_of_the_sets_beside_is_read_exactly(path: Path) -> None:
    """Questions and threads written from the meaning of the slots alone, by people who had not seen the reader."""
    wrong = []
    for item in scorer().load(str(path)):
        turns = item.get("turns") or [item]
        for n, turn in enumerate(turns):
            texts = [one["text"] for one in turns[: n + 1]]
            found = read_thread(*texts) if "turns" in item else read(texts[0])
            if differences(turn["expect"], found):
                wrong.append((item["id"], n, texts[-1], differences(turn["expect"], found)))
    assert wrong == []


def test_the_public_questions_are_read_right_almost_always() -> None:
    cases = scorer().cases(scorer().load(str(HERE / "contract" / "questions-dev.jsonl")))
    right = sum(not differences(case["expect"], read(case["text"])) for case in cases)
    assert right >= 0.96 * len(cases)


def test_the_public_threads_are_read_right_almost_always() -> None:
    items = scorer().load(str(HERE / "contract" / "followups-dev.jsonl"))
    turns = [
        (turn["expect"], [t["text"] for t in item["turns"][: n + 1]])
        for item in items
        for n, turn in enumerate(item["turns"])
    ]
    right = sum(not differences(expected, read_thread(*texts)) for expected, texts in turns)
    assert right >= 0.93 * len(turns)
