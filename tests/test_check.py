"""What looks wrong in a catalogue that reads without a mistake."""

from __future__ import annotations

import shutil
from datetime import date
from pathlib import Path

import pytest

from rules.check import check
from rules.load import read_folder
from rules.model import Problem

HERE = Path(__file__).parent
SMALL = HERE / "worlds" / "small"
BROKEN = HERE / "broken"
AS_OF = date(2026, 11, 30)
FILES = sorted((BROKEN / "check").glob("*.yaml"))


def checked(tmp_path: Path, place: str = "", content: str = "", as_of: date = AS_OF) -> list[Problem]:
    """The problems of the small world with a table of GPUs and one more file, which reads without a mistake."""
    world = tmp_path / "world"
    shutil.copytree(SMALL, world)
    shutil.copy(BROKEN / "gpus.yaml", world / "gpus.yaml")
    if place:
        (world / place).write_text(content, "utf-8")
    catalog, problems = read_folder(world)
    assert problems == ()
    return list(check(catalog, as_of))


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_every_doubt_has_its_sentence(path: Path, tmp_path: Path) -> None:
    """A provider's file that reads well and makes no sense gives exactly the sentences that it expects."""
    lines = path.read_text("utf-8").splitlines()
    expected = [line.removeprefix("# expect: ") for line in lines if line.startswith("# expect: ")]
    found = checked(tmp_path, "providers/broken.yaml", path.read_text("utf-8"))
    assert [str(problem) for problem in found if problem.place.file == "providers/broken.yaml"] == expected
    assert expected


def test_small_world_has_an_open_dispute_and_old_listings(tmp_path: Path) -> None:
    """The small world is sound but for what its cases are about."""
    # alderwick-h100-x8: 24.00 a machine is 3.00 a GPU-hour against the broker's 2.80: 6.7 % apart.
    # corrievane rechecks after 10 days: seen 2026-11-10 (20 days) and 2026-05-10 are late, 2026-11-27 is not.
    found = checked(tmp_path)
    assert [(p.level, str(p.place)) for p in found] == [
        ("warning", "providers/alderwick.yaml:60"),
        ("warning", "providers/corrievane.yaml:44"),
    ]
    assert "2 lines of corrievane listings not checked within 10 days" in found[1].what


def test_disputes_within_one_percent_are_none(tmp_path: Path) -> None:
    """Two sources 1 % apart agree; a little more is a dispute."""
    # 1 % of 2.00 is 0.02: 2.02 agrees, 2.021 does not.
    text = (BROKEN / "check" / "dispute-open.yaml").read_text("utf-8")
    agreed = checked(tmp_path / "a", "providers/broken.yaml", text.replace("2.10 USD/gpu-hour", "2.02 USD/gpu-hour"))
    apart = checked(tmp_path / "b", "providers/broken.yaml", text.replace("2.10 USD/gpu-hour", "2.021 USD/gpu-hour"))
    assert [p for p in agreed if p.place.file == "providers/broken.yaml"] == []
    assert [p.place.line for p in apart if p.place.file == "providers/broken.yaml"] == [17]


def test_settled_dispute_is_quiet_until_a_newer_line(tmp_path: Path) -> None:
    """A settlement ends the warning; a newer line of a named source brings it back."""
    text = (BROKEN / "check" / "dispute-open.yaml").read_text("utf-8")
    because = "because: The broker is late., decided: 2026-11-28"
    settled = text + f"    settled: [{{of: {{page: 2026-10-01, broker: 2026-10-01}}, keep: page, {because}}}]\n"
    reopened = settled.replace(
        "prices: [", "prices: [{from: 2026-11-01, says: 2.20 USD/gpu-hour, source: broker, seen: 2026-11-28}, "
    )
    place = "providers/broken.yaml"
    assert [p for p in checked(tmp_path / "a", place, settled) if p.place.file == place] == []
    again = [p for p in checked(tmp_path / "b", place, reopened) if p.place.file == place]
    assert [p.what for p in again] == ["p-a: page says `8.00 USD/machine-hour` and broker says `2.20 USD/gpu-hour`"]


def test_one_line_for_each_region_is_no_repetition(tmp_path: Path) -> None:
    """Two lines of one source and date may stand beside each other for different regions, and not for a shared one."""
    text = (BROKEN / "check" / "line-twice.yaml").read_text("utf-8")
    text = text.replace("regions: [us-iris-1]", "regions: [us-iris-1, eu-lupin-1]")
    apart = text.replace("source: page, seen: 2026-11-28},", "source: page, seen: 2026-11-28, regions: [us-iris-1]},")
    apart = apart.replace("seen: 2026-11-28}]", "seen: 2026-11-28, regions: [eu-lupin-1]}]")
    shared = apart.replace("regions: [eu-lupin-1]}]", "regions: [eu-lupin-1, us-iris-1]}]")
    place = "providers/broken.yaml"
    assert [p for p in checked(tmp_path / "a", place, apart) if p.place.file == place] == []
    assert [p.place.line for p in checked(tmp_path / "b", place, shared) if p.place.file == place] == [18]


def test_dearer_spot_in_one_region_names_it(tmp_path: Path) -> None:
    """Prices are compared region by region."""
    text = (BROKEN / "check" / "spot-above-on-demand.yaml").read_text("utf-8")
    text = text.replace("regions: [us-iris-1]", "regions: [us-iris-1, eu-lupin-1]")
    dear = "{from: 2026-10-01, says: 9.00 USD/machine-hour, source: page, seen: 2026-11-28"
    cheap = dear.replace("9.00", "7.00")
    text = text.replace(f"[{dear}}}]", f"[{cheap}, regions: [us-iris-1]}}, {dear}, regions: [eu-lupin-1]}}]")
    found = checked(tmp_path, "providers/broken.yaml", text)
    own = [p.what for p in found if p.place.file == "providers/broken.yaml"]
    assert own == ["spot p-a-spot at 2.25 USD a GPU-hour is above on demand at 2.00 in eu-lupin-1"]


def test_rule_that_overrides_no_rule_is_an_error(tmp_path: Path) -> None:
    """A misspelt override would leave a contradiction standing."""
    text = (SMALL / "guidance" / "small.yaml").read_text("utf-8")
    found = checked(tmp_path, "guidance/small.yaml", text + "  overrides: [small-spot-unsavd]\n")
    [error] = [problem for problem in found if problem.level == "error"]
    assert str(error.place) == "guidance/small.yaml:2"
    assert error.what == "rule small-spot-unsaved overrides small-spot-unsavd, which is no rule"
    assert error.near == "small-spot-unsaved"


def test_time_alone_brings_no_error(tmp_path: Path) -> None:
    """What was right stays right: years later there are warnings and no errors."""
    found = checked(tmp_path, as_of=date(2036, 1, 1))
    assert found
    assert {p.level for p in found} == {"warning"}
