"""The words themselves: none hides another, every slip is of equal length, a new line is a new word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from bot.catalog import load
from bot.question import Vocabulary, parse
from bot.question.spelling import correct
from rules.model import Gpu, Place, Provider, Text

CATALOG, _ = load()
WORDS: dict[str, Any] = dict(CATALOG.vocabulary)
SLOTS = ("providers", "plans", "regions", "workloads", "needs", "team", "dtypes", "gpus")
HERE = Place("here.yaml", 1)


def phrases(section: str) -> Iterator[tuple[str, str]]:
    for key, says in WORDS[section].items():
        yield from ((str(key), str(phrase).lower()) for phrase in says)


def contains(phrase: str, word: str) -> bool:
    if not word.isascii():
        return word in phrase
    return re.search(rf"(?<![a-z0-9]){re.escape(word)}(?![a-z0-9])", phrase) is not None


def test_no_filler_and_no_requirement_swallows_a_word_of_a_slot() -> None:
    """Such a phrase is taken whole, so 训练 inside one would be lost."""
    slot_words = {word for section in SLOTS for _, word in phrases(section)}
    laboratory = {"实验室"}  # a laboratory is no experiment
    hidden = [
        (str(filler), word)
        for filler in (*WORDS["filler"], *WORDS["requirements"])
        for word in slot_words
        if str(filler).lower() != word and contains(str(filler).lower(), word) and str(filler) not in laboratory
    ]
    assert hidden == []


def test_no_requirement_is_filler() -> None:
    both = {*WORDS["filler"]} & {*WORDS["requirements"], *WORDS["strong"], *WORDS["grammar"]["compliance"]}
    assert both == set()


def test_no_plain_list_holds_a_word_twice() -> None:
    for section in ("filler", "requirements", "ordinary", "strong", "spelling"):
        assert len(WORDS[section]) == len(set(map(str, WORDS[section]))), section


def test_each_ordinary_word_would_otherwise_be_taken_for_another() -> None:
    bare = Vocabulary.build(replace(CATALOG, vocabulary={**WORDS, "ordinary": []}))
    assert [word for word in WORDS["ordinary"] if correct(str(word), bare) == str(word)] == []


def test_no_word_of_a_slot_means_two_things() -> None:
    seen: dict[str, str] = {}
    both = {"jupyter notebook"}
    for section in SLOTS:
        for key, phrase in phrases(section):
            assert seen.setdefault(phrase, key) == key or phrase in both, phrase


def test_every_slip_is_as_long_as_what_it_means() -> None:
    assert [k for k, v in WORDS["slips"].items() if len(str(k)) != len(str(v))] == []


def test_the_closed_lists_of_the_scorer_are_there() -> None:
    from question_help import scorer

    score = scorer()
    assert set(WORDS["gpus"]) >= score.MODELS
    assert set(WORDS["providers"]) == score.PROVIDERS
    assert set(WORDS["plans"]) | {"reserved_3y"} == score.PLANS  # made of a commitment and its term
    assert set(WORDS["workloads"]) == score.WORKLOADS
    assert set(WORDS["needs"]) == score.NEEDS
    assert set(WORDS["team"]) == score.TEAMS
    assert set(WORDS["dtypes"]) == score.DTYPES


def test_a_new_gpu_a_new_provider_and_a_new_word_need_no_code() -> None:
    words = {**WORDS, "plans": {**WORDS["plans"], "spot": [*WORDS["plans"]["spot"], "leftover capacity"]}}
    catalog = replace(
        CATALOG,
        vocabulary=words,
        gpus={**CATALOG.gpus, "Zephyr9": Gpu("Zephyr9", "Zephyr", HERE, aliases=("zephyr 9", "西风9"))},
        providers={
            **CATALOG.providers,
            "northwind": Provider("northwind", Text("Northwind", "北风云"), "specialist", 30, HERE),
        },
    )
    vocabulary = Vocabulary.build(catalog)
    for text in ("price of 4 zephyr 9 on Northwind, leftover capacity", "北风云4张西风9竞价多少钱"):
        question = parse(text, vocabulary).question
        assert [(g.model, g.count) for g in question.gpus] == [("Zephyr9", 4)], text
        assert question.providers == ("northwind",), text
        assert question.plans == ("spot",), text


def test_the_packaged_models_are_read_beside_a_folder_that_has_none_of_them() -> None:
    vocabulary = Vocabulary.build(replace(CATALOG, gpus={}, providers={}))
    question = parse("price of 4 A100s on Lambda", vocabulary).question
    assert [(g.model, g.count) for g in question.gpus] == [("A100", 4)]
    assert question.providers == ("lambda",)
