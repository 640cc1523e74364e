"""Cases: what is compared, how exactly, and what a mistake in a file says."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from bot import catalog
from bot.cases import CaseError, case_files, compare, compare_key, read_cases, run

TESTS = Path(__file__).parent
TODAY = date(2026, 11, 30)
ANSWER: dict[str, Any] = {
    "status": "answered",
    "question": {"intent": "cheapest", "lang": "en", "gpus": [{"model": "A100", "count": 1}], "hours": 72.0000001},
    "quotes": [{"offer": "a", "total_usd": 576, "lines": [{"item": "compute", "amount_usd": None}]}, {"offer": "b"}],
    "left_out": [{"offer": "c", "reason": "slice"}],
    "conflicts": [],
    "cautions": ["stale"],
}


def differs(key: str, expected: Any) -> bool:
    return bool(compare_key(key, expected, ANSWER))


@pytest.mark.parametrize(
    ("written", "got", "equal"),
    [
        ("18.04", 18.041959, True),  # rounded to two decimals
        ("18.042", 18.041959, True),
        ("18.05", 18.041959, False),
        ("576", 576.004, True),  # two decimals at least
        ("576", 576.005, False),  # half up to 576.01
        ("576.00", 576, True),
        ("0.65", "0.65", False),  # a text is no number
        ("1", True, False),
    ],
)
def test_numbers_are_compared_to_the_precision_written(written: str, got: Any, equal: bool) -> None:
    """At least to the cent, further when more decimals are written."""
    assert (compare("x", Decimal(written), got) == []) is equal


def test_quotes_are_the_first_rows_in_order() -> None:
    """Only written keys count; a row too many is a difference."""
    assert not differs("quotes", [{"offer": "a"}, {"offer": "b"}])
    assert not differs("quotes", [{"offer": "a"}])
    assert differs("quotes", [{"offer": "b"}, {"offer": "a"}])
    assert differs("quotes", [{"offer": "a"}, {"offer": "b"}, {"offer": "c"}])
    assert differs("quotes", [])


def test_an_empty_list_means_none() -> None:
    """`conflicts: []` holds only when there is none."""
    assert not differs("conflicts", [])
    assert differs("cautions", [])


def test_rows_of_other_lists_match_some_row() -> None:
    """In any order; each written row needs one that has all its values."""
    assert not differs("left_out", [{"reason": "slice"}])
    assert differs("left_out", [{"offer": "c", "reason": "memory"}])
    assert not differs("cautions", ["stale"])
    assert differs("cautions", ["idle-gpus"])


def test_left_out_may_be_written_as_offer_and_reason() -> None:
    """The short form names the offer and why."""
    assert not differs("left_out", {"c": "slice"})
    assert differs("left_out", {"c": "memory"})
    assert differs("left_out", {"d": "slice"})


def test_null_is_null_or_absent() -> None:
    """What is not known may be missing."""
    assert not differs("quotes", [{"total_usd": Decimal(576), "setup": None, "lines": [{"amount_usd": None}]}])
    assert differs("quotes", [{"total_usd": None}])
    assert not differs("budget", None)


def test_the_whole_question_counts_except_its_language() -> None:
    """A count of one is none, numbers are equal within a millionth, an extra slot is a difference."""
    base = {"intent": "cheapest", "gpus": [{"model": "A100"}], "hours": Decimal(72)}
    assert not differs("question", base)
    assert not differs("question", base | {"lang": "en"})
    assert differs("question", base | {"lang": "zh"})
    assert differs("question", {key: value for key, value in base.items() if key != "hours"})
    assert differs("question", base | {"nodes": Decimal(2)})
    assert differs("question", base | {"gpus": [{"model": "A100", "form": "SXM"}]})


def test_pieces_of_what_a_person_reads_are_wanted_or_banned() -> None:
    """Case, spacing and line breaks do not count; a number is a piece like any other."""
    said = {"says": ["A100: 312 TFLOPS", "is  no drop-in"], "never_says": ["A100: 312 TFLOPS", "is  no drop-in"]}
    assert compare_key("says", ["a100", "312 tflops is no"], said) == []
    assert [one.expected for one in compare_key("says", ["H100", Decimal(312)], said)] == ["H100"]
    assert compare_key("never_says", ["H100"], said) == []
    assert [one.key for one in compare_key("never_says", "drop-in", said)] == ["never_says"]


def test_a_difference_says_what_was_expected_and_what_came() -> None:
    """Values are written as a case writes them."""
    assert str(compare_key("quotes", [{"offer": "x"}], ANSWER)[0]) == "quotes[1].offer: expected x, got a"
    assert str(compare_key("left_out", {"c": "memory"}, ANSWER)[0]) == "left_out.c: expected memory, got slice"
    assert str(compare_key("status", "no_match", ANSWER)[0]) == "status: expected no_match, got answered"


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "cases.yaml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("name: x\n", ":1: cases are a list"),
        ("- {name: x, ask: y}\n", ":1: a case lacks `expect`"),
        ("- {name: x, ask: y, expect: {status: answered}, when: z}\n", ":1: a case has no key `when`"),
        ("- {name: x, ask: y, expect: {}}\n", "`expect` compares nothing"),
        ("- {name: x, ask: [], expect: {status: answered}}\n", "`ask` asks nothing"),
        ("- {name: x, ask: [{a: b}], expect: {status: answered}}\n", "`ask` is a question or a list"),
        ("- name: x\n  ask: y\n  as_of: soon\n  expect: {status: answered}\n", ":3: `as_of` is not a date"),
        ("- name: x\n  name: z\n  ask: y\n  expect: {status: answered}\n", ":2: `name` stands twice"),
        ("- name: x\n  ask: y\n  world: mars\n  expect: {status: answered}\n", ":3: there is no world `mars`"),
        ("- {name: x\n", "this cannot be read as YAML"),
    ],
)
def test_a_mistake_in_a_case_file_has_its_place(tmp_path: Path, text: str, sentence: str) -> None:
    """File, line, what is wrong."""
    with pytest.raises(CaseError) as error:
        read_cases(write(tmp_path, text))
    assert str(error.value).startswith(f"{tmp_path / 'cases.yaml'}:")
    assert sentence in str(error.value)


def test_a_folder_is_searched_and_an_empty_one_is_refused(tmp_path: Path) -> None:
    """No cases at all must not look like success."""
    with pytest.raises(CaseError, match=r"there is no \.yaml file in this folder"):
        case_files([tmp_path])
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "a.yml").write_text("", encoding="utf-8")
    assert [path.name for path in case_files([tmp_path])] == ["a.yml"]


def test_one_case_may_be_asked_in_several_ways_and_as_a_thread(tmp_path: Path) -> None:
    """Every way must do; a list within the list is a thread."""
    path = write(
        tmp_path,
        "- name: three ways\n"
        "  ask: [cheapest L4 for 100 hours, L4跑100小时哪家最便宜, [cheapest A100 for 100 hours, make it L4]]\n"
        "  as_of: 2026-11-30\n"
        "  expect: {quotes: [{offer: corrievane-l4, total_usd: 57.20}]}\n",  # 0.55 × 100 = 55; + 4 %
    )
    world, _ = catalog.load(TESTS / "worlds" / "small")
    outcomes = list(run(read_cases(path), lambda _: world, TODAY))
    assert [outcome.differences for outcome in outcomes] == [(), (), ()]


def test_the_cases_of_the_invented_worlds_hold() -> None:
    """Each world with its cases, worked out by hand in the comments beside them."""
    for path in case_files([TESTS / "cases"]):
        folder = TESTS / "worlds" / path.stem
        if not folder.is_dir():
            continue
        world, problems = catalog.load(folder)
        assert not catalog.errors(problems)
        failed = [
            f"{outcome.case.place}: {outcome.asked}: {'; '.join(map(str, outcome.differences))}"
            for outcome in run(read_cases(path), lambda _, world=world: world, TODAY)  # type: ignore[misc]
            if not outcome.passed
        ]
        assert not failed, "\n".join(failed)
