"""What the tests of the question share: the packaged vocabulary and the scorer of questions."""

from __future__ import annotations

import importlib.util
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

from bot.catalog import load
from bot.question import Vocabulary, parse, parse_thread
from rules.wire import question_to_json

HERE = Path(__file__).resolve().parent


@lru_cache(maxsize=1)
def vocabulary() -> Vocabulary:
    catalog, _ = load()
    return Vocabulary.build(catalog)


@lru_cache(maxsize=1)
def small_vocabulary() -> Vocabulary:
    """The vocabulary beside the invented world of the tests."""
    catalog, _ = load(HERE / "worlds" / "small")
    return Vocabulary.build(catalog)


@lru_cache(maxsize=1)
def scorer() -> ModuleType:
    spec = importlib.util.spec_from_file_location("score", HERE / "contract" / "score.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def read(text: str) -> dict[str, Any]:
    """One message as the object that `parse --json` prints."""
    return question_to_json(parse(text, vocabulary()).question)


def read_thread(*texts: str) -> dict[str, Any]:
    return question_to_json(parse_thread(texts, vocabulary()).question)


def differences(expected: dict[str, Any], got: dict[str, Any]) -> list[str]:
    """What the scorer finds different; a count of 1 is as good as none."""
    score = scorer()
    return list(score.diff(score.plain(expected), score.plain(got)))
