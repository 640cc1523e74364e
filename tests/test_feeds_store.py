"""What sources say is kept once, dated as it is, and never lost to a bad day; on SQLite and PostgreSQL."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import kept
import pytest
from jobs_world import databases

from bot import store
from bot.ask import parse
from bot.catalog import load
from bot.feeds import community, importing, refresh
from bot.feeds.importing import Outcome, import_path
from bot.feeds.intake import FeedError
from bot.feeds.names import Names
from bot.store import Database, current
from rules.model import Catalog

database_url = databases.database_url
cluster = databases.cluster

FEEDS = Path(__file__).parent / "feeds"
NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
DAY = timedelta(days=1)
HEADER = "InstanceType,AcceleratorName,AcceleratorCount,Price,SpotPrice,Region\n"


@pytest.fixture
def db(database_url: str) -> Iterator[Database]:
    database = store.open_database(database_url)
    yield database
    database.close()


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load()[0]


@pytest.fixture(scope="module")
def names(catalog: Catalog) -> Names:
    return Names(catalog)


def day(text: str) -> datetime:
    return datetime.combine(date.fromisoformat(text), datetime.min.time(), UTC)


def take(db: Database, path: Path, kind: str, names: Names, seen: str | None = None, **more: bool) -> list[Outcome]:
    return list(import_path(db, path, kind, names, NOW, seen=None if seen is None else day(seen), **more))


def skypilot(folder: Path, rows: int, price: str = "2.00") -> Path:
    file = folder / "somecloud.csv"
    lines = (f"x{n},A100-80GB,1,{price},,us-east-{1 + n % 2}\n" for n in range(rows))
    file.write_text(HEADER + "".join(lines), encoding="utf-8")
    return file


def why(outcomes: list[Outcome]) -> list[str]:
    return [one.refused.key for one in outcomes if one.refused is not None]


# ---------------------------------------------------------------- once, and dated as it is


def test_importing_twice_changes_nothing(db: Database, names: Names) -> None:
    first = take(db, FEEDS / "vast-three-days.csv", "csv", names)
    assert [one.imported.new for one in first if one.imported] == [3, 3, 3]
    before = kept.observations(db)
    again = take(db, FEEDS / "vast-three-days.csv", "csv", names)
    assert [(one.imported.new, one.imported.already_known) for one in again if one.imported] == [(0, True)] * 3
    assert kept.observations(db) == before


def test_the_same_price_on_two_days_is_one_interval(db: Database, names: Names) -> None:
    take(db, FEEDS / "aws-before-june-2025.csv", "karpenter", names)
    take(db, FEEDS / "aws-before-june-2025.csv", "karpenter", names, seen="2025-06-05")
    rows = kept.observations(db, gpu="H100")
    assert [(one.first_seen, one.last_seen) for one in rows] == [(day("2025-05-30"), day("2025-06-05"))]


def test_undated_rows_are_kept_and_never_current(db: Database, names: Names, tmp_path: Path) -> None:
    (outcome,) = take(db, skypilot(tmp_path, 2), "skypilot", names)
    assert outcome.reading is not None
    assert outcome.reading.report.count("undated") == 2
    assert len(kept.observations(db, gpu="A100")) == 2
    assert current.of_database(db, None, NOW).rows == ()


def test_a_list_for_the_same_day_that_says_something_else_is_refused(
    db: Database, names: Names, tmp_path: Path
) -> None:
    take(db, skypilot(tmp_path, 2), "skypilot", names, seen="2026-11-20")
    outcome = take(db, skypilot(tmp_path, 2, "2.50"), "skypilot", names, seen="2026-11-20")
    assert why(outcome) == ["feed.same_time"]
    assert {one.what.amount for one, _ in current.of_database(db, None, NOW).rows} == {Decimal(2)}


def test_a_list_from_the_future_is_refused(db: Database, names: Names, tmp_path: Path) -> None:
    assert why(take(db, skypilot(tmp_path, 2), "skypilot", names, seen="2027-01-01")) == ["feed.future"]


# ---------------------------------------------------------------- a bad day


@pytest.mark.parametrize(
    ("content", "key"),
    [
        (HEADER + "x0,A100-80GB,1,2.00,,us-east-1\nx1,A100-80", "feed.cut"),
        ("<html>rate limited</html>", "feed.web_page"),
        (HEADER + "us-east-1,x0,A100-80GB,1,2.00,\nus-east-1,x1,A100-80GB,1,2.00,\n", "feed.unusable"),
        (HEADER + "x0,A100-80GB,1,0,,us-east-1\n", "feed.nothing"),
        (HEADER, "feed.nothing"),
        (HEADER + "x0,A100-80GB,1,2.00,,us-east-1\n", "feed.shrunk"),  # 1 of 10
    ],
)
def test_after_a_bad_list_the_last_good_one_goes_on_serving(
    db: Database, names: Names, tmp_path: Path, content: str, key: str
) -> None:
    file = skypilot(tmp_path, 10)
    take(db, file, "skypilot", names, seen="2026-11-20")
    before = current.of_database(db, None, NOW)
    file.write_text(content, encoding="utf-8")
    assert why(take(db, file, "skypilot", names, seen="2026-11-21")) == [key]
    after = current.of_database(db, None, NOW)
    assert after == before
    assert {looked for _, looked in after.rows} == {day("2026-11-20")}  # and it does not look any fresher


def test_half_a_list_counts_when_a_person_says_so(db: Database, names: Names, tmp_path: Path) -> None:
    take(db, skypilot(tmp_path, 10), "skypilot", names, seen="2026-11-20")
    (outcome,) = take(db, skypilot(tmp_path, 1), "skypilot", names, seen="2026-11-21", anyway=True)
    assert outcome.imported is not None
    assert len(current.of_database(db, None, NOW).rows) == 1


def test_a_bad_file_of_a_folder_leaves_the_others_alone(db: Database, names: Names, tmp_path: Path) -> None:
    skypilot(tmp_path, 2)
    folder = tmp_path / "v8" / "lambda"
    folder.mkdir(parents=True)
    (folder / "vms.csv").write_text("<html></html>", encoding="utf-8")
    (tmp_path / "v8" / "vast").mkdir()
    (tmp_path / "v8" / "vast" / "vms.csv").write_text(HEADER + "y,A100-80GB,1,1.50,,FR\n", encoding="utf-8")
    outcomes = take(db, tmp_path, "skypilot", names, seen="2026-11-20")
    assert why(outcomes) == ["feed.web_page"]
    assert kept.sources(db) == ["skypilot/somecloud", "skypilot/vast"]


def test_a_folder_without_tables_is_refused(db: Database, names: Names, tmp_path: Path) -> None:
    with pytest.raises(FeedError) as caught:
        take(db, tmp_path, "skypilot", names)
    assert caught.value.key == "feed.no_tables"


def test_a_price_that_moved_far_is_said(db: Database, names: Names, tmp_path: Path) -> None:
    """Over twice on a list; a marketplace may move five times."""
    take(db, skypilot(tmp_path, 2), "skypilot", names, seen="2026-11-20")
    (outcome,) = take(db, skypilot(tmp_path, 2, "4.10"), "skypilot", names, seen="2026-11-21")
    assert outcome.reading is not None
    assert outcome.reading.report.count("moved-far") == 2
    first = take(db, FEEDS / "vast-three-days.csv", "csv", names)
    assert [one.reading.report.count("moved-far") for one in first if one.reading] == [0, 0, 0]  # at most 1.93 times


# ---------------------------------------------------------------- refresh


def vast_only(address: str) -> bytes:
    if "vast.ai" not in address:
        raise FeedError("feed.away", name=address.split("/")[2], reason="refused")
    return (FEEDS / "vast-search.json").read_bytes()


def test_refresh_keeps_what_comes_and_asks_a_host_that_is_away_once(db: Database, names: Names) -> None:
    asked: list[str] = []

    def get(address: str) -> bytes:
        asked.append(address.split("/")[2])
        return vast_only(address)

    outcomes = list(refresh.refresh(db, names, NOW, get=get))
    assert len(asked) == len(set(asked)) == 3
    assert [one.name for one in outcomes if one.reading] == ["vast/search"]
    assert {one.refused.key for one in outcomes if one.refused} == {"feed.away"}
    rows = current.of_database(db, ["RTX4090"], NOW).rows
    assert {looked for _, looked in rows} == {NOW}


def test_yesterdays_list_keeps_its_date_when_the_source_is_away_today(db: Database, names: Names) -> None:
    list(refresh.refresh(db, names, NOW - DAY, get=vast_only))
    before = current.of_database(db, None, NOW)

    def away(address: str) -> bytes:
        raise FeedError("feed.away", name=address, reason="refused")

    assert all(one.reading is None for one in refresh.refresh(db, names, NOW, get=away))
    assert current.of_database(db, None, NOW) == before
    assert {looked for _, looked in before.rows} == {NOW - DAY}


def test_a_published_catalogue_is_dated_by_its_version(db: Database, names: Names) -> None:
    import io
    import zipfile

    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as one:
        one.write(FEEDS / "gpuhunt-runpod.csv", "runpod.csv")

    def get(address: str) -> bytes:
        if address.endswith("/runpod/version"):
            return b"20261128-7\n"
        if address.endswith("/runpod/20261128-7/catalog.zip"):
            return packed.getvalue()
        raise FeedError("feed.not_served", name=address, reason="HTTP 404")

    outcomes = list(refresh.refresh(db, names, NOW, get=get, library=None))
    assert [(one.reading.source, one.reading.seen) for one in outcomes if one.reading] == [
        ("gpuhunt/runpod", day("2026-11-28") + timedelta(seconds=7))
    ]


def test_the_library_of_gpuhunt_is_asked_for_the_providers_it_reads_itself(db: Database, names: Names) -> None:
    def get(address: str) -> bytes:
        raise FeedError("feed.not_served", name=address, reason="HTTP 404")

    def library(provider: str) -> bytes:
        if provider != "vultr":
            raise FeedError("feed.away", name=provider, reason="no account")
        return (FEEDS / "gpuhunt-runpod.csv").read_bytes()

    outcomes = list(refresh.refresh(db, names, NOW, get=get, library=library))
    assert [one.reading.source for one in outcomes if one.reading] == ["gpuhunt/vultr"]


# ---------------------------------------------------------------- reading


def test_both_ways_of_reading_say_the_same(tmp_path: Path, names: Names) -> None:
    """The quick one reads SQLite without the database library."""
    file = tmp_path / "gpu-bot.db"
    database = store.open_database(f"sqlite:///{file}")
    take(database, FEEDS / "vast-three-days.csv", "csv", names)
    take(database, FEEDS / "skypilot-cloud.csv", "skypilot", names, seen="2026-11-20")
    for gpus in (None, ["A100", "H100"], ["RTX4090"], [], ["nothing"]):
        for moment in (NOW, day("2026-10-02"), day("2026-01-01")):
            assert current.of_file(file, gpus, moment) == current.of_database(database, gpus, moment)
    assert current.of_file(file, None, NOW).digest is not None
    database.close()


def test_a_file_that_is_not_there_or_no_database_is_told_apart(tmp_path: Path) -> None:
    assert current.of_file(tmp_path / "none.db", None, NOW) == current.Current()
    assert not (tmp_path / "none.db").exists()
    (tmp_path / "bad.db").write_bytes(b"this is no database at all, whatever its name says" * 50)
    with pytest.raises(sqlite3.DatabaseError):
        current.of_file(tmp_path / "bad.db", None, NOW)


def test_a_workspace_sees_its_own_reports_beside_the_public_lists(db: Database, names: Names, catalog: Catalog) -> None:
    take(db, FEEDS / "vast-three-days.csv", "csv", names)
    said = community.reported(parse("AutoDL 4090 now 1.98", catalog), catalog, "lin", "#gpu", NOW)
    community.save(db, said, "T1", NOW)
    mine = current.of_database(db, ["RTX4090"], NOW, (store.PUBLIC, "T1"))
    theirs = current.of_database(db, ["RTX4090"], NOW, (store.PUBLIC, "T2"))
    assert {one.what.provider for one, _ in mine.rows} == {"autodl", "vast"}
    assert {one.what.provider for one, _ in theirs.rows} == {"vast"}
    assert mine.digest != theirs.digest


# ---------------------------------------------------------------- what colleagues say


def test_a_price_in_a_message_is_read_with_who_when_and_where(catalog: Catalog) -> None:
    said = community.reported(parse("AutoDL 4090 now 1.98", catalog), catalog, "lin", "#gpu", NOW)
    assert (said.provider, said.gpu, said.amount) == ("autodl", "RTX4090", Decimal("1.98"))
    assert (said.currency, said.unit) == ("CNY", "gpu-hour")  # its own prices are in yuan
    assert (said.who, said.where, said.when) == ("lin", "#gpu", NOW)
    english = community.reported(parse("lambda H100 is $4.29 an hour now", catalog), catalog, "lin", "#gpu", NOW)
    assert (english.amount, english.currency) == (Decimal("4.29"), "USD")


@pytest.mark.parametrize("text", ["H100 now 2.10", "Lambda now 2.10", "Lambda H100 got cheaper", "hello"])
def test_a_message_without_provider_gpu_and_price_reports_nothing(catalog: Catalog, text: str) -> None:
    with pytest.raises(FeedError) as caught:
        community.reported(parse(text, catalog), catalog, "lin", "#gpu", NOW)
    assert caught.value.key == "feed.no_quote"


def test_a_later_report_takes_the_place_of_the_earlier_one(db: Database, catalog: Catalog) -> None:
    for amount, when in (("1.98", NOW - DAY), ("1.88", NOW)):
        said = community.reported(parse(f"AutoDL 4090 now {amount}", catalog), catalog, "lin", "#gpu", when)
        community.save(db, said, "T1", NOW)
    rows = current.of_database(db, None, NOW, ("T1",)).rows
    assert [one.what.amount for one, _ in rows] == [Decimal("1.88")]


def test_the_formats_of_the_command_have_a_reader() -> None:
    assert set(importing.FORMATS) <= set(importing.READERS)
