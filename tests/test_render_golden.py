"""Whole answers as people see them, kept as files so that a change of wording is seen in the diff.

``UPDATE_GOLDEN=1 pytest tests/test_render_golden.py`` writes them anew; read the difference before it is committed.
"""

from __future__ import annotations

import os
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from bot import ask, catalog
from bot.render.document import document
from bot.render.terminal import plain_lines
from rules.wire import question_from_json

GOLDEN = Path(__file__).parent / "golden"
SMALL = Path(__file__).parent / "worlds" / "small"
QUESTIONS: dict[str, dict[str, Any]] = {
    "cheapest": {"intent": "cheapest", "gpus": [{"model": "A100", "count": 4}], "hours": 72},
    "price-per-hour": {"intent": "price", "gpus": [{"model": "H100", "count": 8, "form": "SXM"}]},
    "spot": {
        "intent": "price", "gpus": [{"model": "A100", "count": 8}], "hours": 10, "plans": ["spot"],
        "providers": ["bluestave"],
    },
    "compare": {
        "intent": "compare", "gpus": [{"model": "A100", "count": 4}], "hours": 20,
        "providers": ["alderwick", "bluestave"],
    },
    "break-even": {
        "intent": "break_even", "gpus": [{"model": "H100", "count": 8, "form": "SXM"}], "plans": ["reserved_1y"],
        "providers": ["alderwick"],
    },
    "budget": {
        "intent": "budget", "gpus": [{"model": "A100", "count": 4}], "budget": {"amount": 490, "currency": "USD"},
    },
    "no-match": {
        "intent": "cheapest", "gpus": [{"model": "A100", "count": 4}], "hours": 72, "providers": ["alderwick"],
        "regions": ["jp"],
    },
    "clarify": {"intent": "cheapest", "clarify": True, "hours": 3},
}  # fmt: skip


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("name", QUESTIONS)
def test_the_answer_reads_as_it_was_reviewed(name: str, lang: str) -> None:
    """A sentence changes only when someone meant it to."""
    loaded, _ = catalog.load(SMALL)
    answer = ask.answer(question_from_json(QUESTIONS[name] | {"lang": lang}), loaded, date(2026, 11, 30))
    text = "\n".join(plain_lines(document(answer), explain=True)) + "\n"
    kept = GOLDEN / f"{name}.{lang}.txt"
    if os.environ.get("UPDATE_GOLDEN") == "1":
        kept.write_text(text, encoding="utf-8")
    assert text == kept.read_text(encoding="utf-8"), f"UPDATE_GOLDEN=1 rewrites {kept.name}"
