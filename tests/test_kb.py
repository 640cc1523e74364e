"""Marking a source as checked: only `checked` moves, comments and layout stay."""

from __future__ import annotations

import shutil
from datetime import date
from pathlib import Path

import pytest

from bot import catalog
from bot.kb import KnowledgeError, mark_checked, with_checked

SMALL = Path(__file__).parent / "worlds" / "small"
DAY = date(2026, 11, 29)

FLOW = """\
# a comment: checked: 2020-01-01
prices:
  - {from: 2026-01-01, says: 1 USD/gpu-hour, source: page, seen: 2026-01-02, checked: 2026-02-03}  # 甲
  - {from: 2026-02-01, says: 2 USD/gpu-hour, source: page, seen: 2026-02-02}
  - {source: broker, seen: 2026-02-02, from: 2026-02-01, says: 3 USD/gpu-hour}
"""
BLOCK = """\
prices:
  - from: 2026-01-01
    says: 1 USD/gpu-hour
    seen: 2026-01-02   # the first look
    source: page
notes:
  - {en: a, zh: 甲, source: page, seen: 2026-01-02}
"""


def test_an_existing_date_moves_and_a_missing_one_is_added() -> None:
    """Every line of the source, none of another, nothing else in the file."""
    after, moved, kept = with_checked(FLOW, "page", DAY)
    assert (moved, kept) == (2, 0)
    assert after == FLOW.replace("checked: 2026-02-03", "checked: 2026-11-29").replace(
        "seen: 2026-02-02}\n  - {source", "seen: 2026-02-02, checked: 2026-11-29}\n  - {source"
    )


def test_a_line_written_over_several_lines_gets_one_more() -> None:
    """In the same column as its neighbours; a note is no price line."""
    after, moved, _ = with_checked(BLOCK, "page", DAY)
    assert moved == 1
    assert after == BLOCK.replace("# the first look\n", "# the first look\n    checked: 2026-11-29\n")


def test_chinese_before_the_date_does_not_shift_the_column() -> None:
    """Columns count characters, not bytes."""
    text = "fees: [{what: {en: fee, zh: 平台费}, says: 3 %, source: page, seen: 2026-01-02, checked: 2026-01-03}]\r\n"
    after, _, _ = with_checked(text, "page", DAY)
    assert after == text.replace("2026-01-03", "2026-11-29")


def test_a_later_look_stays() -> None:
    """The date never moves back."""
    after, moved, kept = with_checked(FLOW, "page", date(2026, 2, 2))
    assert (after, moved, kept) == (FLOW, 0, 2)


@pytest.fixture
def world(tmp_path: Path) -> Path:
    shutil.copytree(SMALL, tmp_path / "world")
    return tmp_path / "world"


def test_the_file_changes_only_in_its_dates(world: Path) -> None:
    """The folder still loads, and all lines of the source are of that day."""
    loaded, _ = catalog.load(world)
    before = (world / "providers" / "corrievane.yaml").read_text(encoding="utf-8")
    done = mark_checked(world, loaded, "corrievane", "listings", DAY, date(2026, 11, 30))
    after = done.file.read_text(encoding="utf-8")
    assert done.moved == 5  # a fee and four offers
    assert before.replace("checked: 2026-11-27", "") != before
    assert [line for line in after.splitlines() if line.startswith("#")] == [
        line for line in before.splitlines() if line.startswith("#")
    ]
    again, problems = catalog.load(world)
    assert not catalog.errors(problems)
    looks = {line.checked for offer in again.offers if offer.provider == "corrievane" for line in offer.prices}
    assert looks == {DAY}
    assert sorted(path.name for path in (world / "providers").iterdir()) == sorted(
        path.name for path in (SMALL / "providers").iterdir()
    )  # nothing is left beside it


@pytest.mark.parametrize(
    ("provider", "source", "day", "key"),
    [
        ("corrievan", "listings", DAY, "error.no_provider"),
        ("corrievane", "listing", DAY, "error.no_source"),
        ("corrievane", "listings", date(2026, 12, 1), "error.day_to_come"),
    ],
)
def test_what_cannot_be_marked_changes_nothing(world: Path, provider: str, source: str, day: date, key: str) -> None:
    """A misspelt name or a day to come is refused."""
    loaded, _ = catalog.load(world)
    before = (world / "providers" / "corrievane.yaml").read_bytes()
    with pytest.raises(KnowledgeError) as error:
        mark_checked(world, loaded, provider, source, day, date(2026, 11, 30))
    assert error.value.key == key
    assert (world / "providers" / "corrievane.yaml").read_bytes() == before
