"""The digest says what moved, what is disputed and what nobody looked at; the same week twice is the same digest."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from bot import cli, store
from bot.catalog import load, with_feeds
from bot.digest import Digest, digest, digest_json, for_channel, is_quiet, last_week, period_of, since
from bot.digest.history import history, history_json
from bot.feeds.importing import import_path
from bot.feeds.moments import end_of
from bot.feeds.names import Names
from bot.feeds.propose import proposals
from bot.feeds.reader import reader
from bot.render import charts
from bot.render.digest import digest_lines, headline
from bot.render.prices import price_text
from bot.store import current
from bot.store.current import Span
from bot.store.digests import Subscription
from rules.model import Catalog

FEEDS = Path(__file__).parent / "feeds"
WORLD = Path(__file__).parent / "worlds" / "small"
TODAY = date(2026, 11, 30)
NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)


@pytest.fixture(scope="module")
def small() -> Catalog:
    return load(WORLD)[0]


@pytest.fixture(scope="module")
def packaged() -> Catalog:
    return load()[0]


@pytest.fixture
def db(tmp_path: Path) -> Iterator[store.Database]:
    database = store.open_database(f"sqlite:///{tmp_path / 'gpu-bot.db'}")
    yield database
    database.close()


def week(catalog: Catalog, name: str, today: date = TODAY, spans: Sequence[Span] = ()) -> Digest:
    return digest(catalog, period_of(name), today, spans)


def spans(db: store.Database, before: str, until: str) -> tuple[Span, ...]:
    return current.spans(db, end_of(date.fromisoformat(before)), end_of(date.fromisoformat(until)))


def moved(one: Digest) -> list[tuple[str, str, str | None, str | None]]:
    """Kind, SKU and both prices of every move."""
    return [(m.kind, m.thing.sku, m.was and f"{m.was.amount:f}", m.now and f"{m.now.amount:f}") for m in one.moves]


# ---------------------------------------------------------------- periods


def test_weeks_run_from_monday_to_sunday_and_may_be_53() -> None:
    w53 = period_of("2026-W53")
    assert (w53.first, w53.last, w53.before) == (date(2026, 12, 28), date(2027, 1, 3), date(2026, 12, 27))
    assert period_of("2027-W01").first == date(2027, 1, 4)
    for name in ("2027-W53", "2026-W00", "2026-W54", "2026-13", "2026-W1", "now"):
        with pytest.raises(ValueError):
            period_of(name)
    month = period_of("2024-02")
    assert (month.first, month.last) == (date(2024, 2, 1), date(2024, 2, 29))


@pytest.mark.parametrize(
    ("today", "name"),
    [("2026-11-30", "2026-W48"), ("2026-11-29", "2026-W47"), ("2027-01-04", "2026-W53"), ("2027-01-03", "2026-W52")],
)
def test_the_week_that_ended_last_is_the_one_before_this_monday(today: str, name: str) -> None:
    assert last_week(date.fromisoformat(today)).name == name


# ---------------------------------------------------------------- the folder alone


def test_a_price_line_that_was_found_in_the_week_is_a_move(small: Catalog) -> None:
    """W36 is 31 August to 6 September; 2.00 was seen on 2 September: (2.00 − 2.40) ÷ 2.40 = −16.67 %."""
    one = week(small, "2026-W36")
    (move,) = [m for m in one.moves if m.thing.provider == "alderwick"]
    assert (move.kind, move.was and move.was.amount, move.now and move.now.amount) == ("down", Decimal("2.40"), 2)
    assert move.percent is not None
    assert round(move.percent, 2) == Decimal("-16.67")
    assert (move.source.key, move.seen, move.regions) == ("price-page", date(2026, 9, 2), ("us-iris-1",))
    assert not move.found_late


def test_a_price_that_is_announced_is_told_and_not_believed(small: Catalog) -> None:
    """1.95 from 2027-01-01 was read on 2026-11-22, the Sunday of W47."""
    one = week(small, "2026-W47")
    (move,) = [m for m in one.moves if m.kind == "announced"]
    assert (move.thing.sku, move.start) == ("aw.a100.4", date(2027, 1, 1))
    assert (move.was and move.was.amount, move.now and move.now.amount) == (2, Decimal("1.95"))
    assert not any(m.kind == "announced" for m in week(small, "2026-W48").moves)


def test_what_is_not_sold_any_more_is_withdrawn(small: Catalog) -> None:
    """retired from 2026-10-01, read on 2026-10-02: W40 is 28 September to 4 October."""
    assert ("withdrawn", "bs-a100-40-8", "12.00", None) in moved(week(small, "2026-W40"))


def test_a_price_that_held_before_is_said_to_be_found_late(small: Catalog) -> None:
    """cv-l4's 0.55 holds since 1 November and was read on the 27th: news of W48, not a change in it."""
    (move,) = [m for m in week(small, "2026-W48").moves if m.thing.sku == "cv-l4"]
    assert (move.kind, move.found_late) == ("new", True)


def test_a_second_source_for_a_known_price_is_a_dispute_and_not_a_move(small: Catalog) -> None:
    """The broker's 2.80 was read on 25 November: 24.00 ÷ 8 = 3.00 a GPU, 6.7 % apart."""
    one = week(small, "2026-W48")
    (opened,) = one.opened
    assert (opened.offer, opened.used.says, opened.other.says) == (
        "alderwick-h100-x8",
        "24.00 USD/machine-hour",
        "2.80 USD/gpu-hour",
    )
    assert not any(m.thing.sku == "aw.h100.8" for m in one.moves)
    assert week(small, "2026-W47").opened == ()


def test_a_dispute_that_somebody_settled_is_closed_with_the_reason(tmp_path: Path) -> None:
    import shutil

    world = tmp_path / "world"
    shutil.copytree(WORLD, world)
    file = world / "providers" / "alderwick.yaml"
    text = file.read_text(encoding="utf-8")
    line = "seen: 2026-11-25}     # 22.40 a machine\n"
    assert line in text
    settled = (
        "    settled:\n      - of: {price-page: 2026-05-01, broker-list: 2026-09-01}\n"
        "        keep: price-page\n        because: The broker trails by weeks.\n        decided: 2026-11-30\n"
    )
    file.write_text(text.replace(line, line + settled), encoding="utf-8")
    catalog, problems = load(world)
    assert not [p for p in problems if p.level == "error"]
    one = week(catalog, "2026-W49", date(2026, 12, 6))
    assert [(d.offer, d.because) for d in one.settled] == [("alderwick-h100-x8", "The broker trails by weeks.")]
    assert len(week(catalog, "2026-W48").opened) == 1  # as it was known that week


def test_a_source_goes_stale_in_the_week_in_which_its_days_run_out(small: Catalog) -> None:
    """corrievane allows 10 days; cv-a100 was read on 10 November: 5 days old on the 15th, 12 on the 22nd."""
    stale = {(s.provider, s.source): (s.last_look, s.lines) for s in week(small, "2026-W47").stale}
    assert stale["corrievane", "listings"] == (date(2026, 11, 10), 1)
    assert "corrievane" not in {s.provider for s in week(small, "2026-W46").stale}


def test_cheapest_per_gpu_and_plan_stands_beside_the_week_before(small: Catalog) -> None:
    """L4 on demand: 0.70 at both in W47; corrievane's 0.55 is read in W48: −21.43 %."""
    rows = {(row.gpu, row.plan): row for row in week(small, "2026-W48").cheapest}
    row = rows["L4", "on_demand"]
    assert row.now is not None
    assert row.before is not None
    assert (row.now.usd, row.now.thing.provider) == (Decimal("0.55"), "corrievane")
    assert (row.before.usd, row.before.thing.provider) == (Decimal("0.70"), "alderwick")  # ties by name
    monthly = rows["L4", "monthly"].now
    assert monthly is not None
    assert round(monthly.usd, 6) == Decimal("0.479452")  # 350 ÷ 730
    assert all(row.now is None or row.now.thing.gpus >= 1 for row in rows.values())  # slices are no GPUs


def test_old_prices_are_nobodys_cheapest(small: Catalog) -> None:
    """cv-h100p's 2.00 was last looked at on 10 May: 203 days before 29 November."""
    rows = {(row.gpu, row.memory_gb, row.plan): row for row in week(small, "2026-W48").cheapest}
    cheapest = rows["H100", Decimal(80), "on_demand"].now
    assert cheapest is not None
    assert cheapest.thing.provider != "corrievane"


def test_coverage_counts_the_sources_that_somebody_looked_at(small: Catalog) -> None:
    """W48: alderwick's broker-list (25th), bluestave's price-page (26th), corrievane's listings (27th)."""
    one = week(small, "2026-W48")
    assert (one.looked, one.has_data) == (3, True)
    assert one.sources > one.looked


def test_a_week_without_any_look_is_said(small: Catalog) -> None:
    one = week(small, "2026-W20")
    assert (one.looked, one.has_data) == (0, False)
    report = digest_json(one)
    assert "no price source was read" in headline(report, "en")
    assert "没有读取" in headline(report, "zh")
    assert not is_quiet(one)  # it is posted as what it is


def test_a_running_week_ends_today_and_says_so(small: Catalog) -> None:
    report = digest_json(week(small, "2026-W49", TODAY))
    assert (report["until"], report["complete"]) == ("2026-11-30", False)
    assert "so far" in headline(report, "en")


def test_the_packaged_knowledge_makes_a_digest_without_any_feed(packaged: Catalog) -> None:
    report = digest_json(week(packaged, "2026-W48"))
    assert report["coverage"]["feeds"] == []
    assert report["cheapest"]
    for lang in ("en", "zh"):
        assert list(digest_lines(report, lang, everything=True))


# ---------------------------------------------------------------- feeds


def test_the_three_days_of_vast_are_moves(db: store.Database, packaged: Catalog) -> None:
    list(import_path(db, FEEDS / "vast-three-days.csv", "csv", Names(packaged), NOW))
    up = digest(packaged, period_of("2026-10-02"), TODAY, spans(db, "2026-10-01", "2026-10-02"))
    feed = {m.thing.sku: m for m in up.moves if m.source.key == "csv/vast-three-days"}
    assert {sku: (m.kind, m.percent and round(m.percent, 1)) for sku, m in feed.items()} == {
        "H100 SXM": ("up", Decimal("92.9")),  # 3.6327 ÷ 1.883
        "H200": ("up", Decimal("40.7")),  # 5.0044 ÷ 3.5556
        "RTX4090": ("down", Decimal("-6.5")),  # 0.363 ÷ 0.3881
    }
    down = digest(packaged, period_of("2026-10-03"), TODAY, spans(db, "2026-10-02", "2026-10-03"))
    back = {m.thing.sku: m.percent for m in down.moves if m.source.key == "csv/vast-three-days"}
    assert {sku: percent and round(percent, 1) for sku, percent in back.items()} == {
        "H100 SXM": Decimal("-47.8"),  # 1.8963 ÷ 3.6327
        "H200": Decimal("-29.0"),  # 3.5556 ÷ 5.0044 = 0.710495
        "RTX4090": Decimal("-7.9"),  # 0.3344 ÷ 0.363
    }


def test_a_list_that_is_new_in_the_week_is_compared_with_its_own_first_day(
    db: store.Database, packaged: Catalog
) -> None:
    list(import_path(db, FEEDS / "vast-three-days.csv", "csv", Names(packaged), NOW))
    one = digest(packaged, period_of("2026-W40"), TODAY, spans(db, "2026-09-27", "2026-10-04"))
    feed = {m.thing.sku: m for m in one.moves if m.source.key == "csv/vast-three-days"}
    assert set(feed) == {"H100 SXM", "RTX4090"}  # the H200 is back where it began
    assert [(c.source, c.up, c.first_time) for c in one.feeds] == [("csv/vast-three-days", True, True)]


def aws_cut(db: store.Database, packaged: Catalog, tmp_path: Path) -> Digest:
    for name in ("aws-before-june-2025.csv", "aws-after-june-2025.csv"):
        file = tmp_path / "aws.csv"  # one source, read twice
        file.write_bytes((FEEDS / name).read_bytes())
        list(import_path(db, file, "karpenter", Names(packaged), NOW))
    return digest(packaged, period_of("2025-W23"), date(2025, 6, 9), spans(db, "2025-06-01", "2025-06-08"))


def test_the_cut_of_aws_in_2025_is_a_move(db: store.Database, packaged: Catalog, tmp_path: Path) -> None:
    one = aws_cut(db, packaged, tmp_path)
    feed = {m.thing.sku: m for m in one.moves if m.source.key == "karpenter/aws"}
    assert {sku: m.percent and round(m.percent, 1) for sku, m in feed.items()} == {
        "p5.48xlarge": Decimal("-44.0"),  # 55.04 ÷ 98.32
        "p4d.24xlarge": Decimal("-33.0"),  # 21.957642 ÷ 32.7726
    }
    report = digest_json(one)
    assert "p5.48xlarge" in headline(report, "en")
    assert "−44 %" in headline(report, "en")
    assert "下跌" in headline(report, "zh")


def test_a_list_that_is_down_moves_nothing_and_is_named(db: store.Database, packaged: Catalog, tmp_path: Path) -> None:
    aws_cut(db, packaged, tmp_path)
    later = digest(packaged, period_of("2025-W24"), date(2025, 6, 16), spans(db, "2025-06-08", "2025-06-15"))
    assert not [m for m in later.moves if m.source.key == "karpenter/aws"]
    assert [(c.source, c.up, c.last) for c in later.feeds] == [("karpenter/aws", False, date(2025, 6, 5))]
    text = "\n".join(digest_lines(digest_json(later), "en"))
    assert "Not read in this period: karpenter/aws (last 2025-06-05)" in text
    assert "not the same as unchanged" in text


def test_a_feed_goes_stale_when_its_provider_days_run_out(db: store.Database, packaged: Catalog) -> None:
    """vast's days after 3 October run out in the week in which it turns older than that."""
    list(import_path(db, FEEDS / "vast-three-days.csv", "csv", Names(packaged), NOW))
    limit = packaged.providers["vast"].recheck_days
    day = date.fromordinal(date(2026, 10, 3).toordinal() + limit + 1)
    year, number, _ = day.isocalendar()
    period = period_of(f"{year}-W{number:02}")
    one = digest(packaged, period, TODAY, current.spans(db, end_of(period.before), end_of(period.last)))
    assert "csv/vast-three-days" in {s.source for s in one.stale}


def test_gone_and_new_rows_of_a_list_are_moves(db: store.Database, packaged: Catalog, tmp_path: Path) -> None:
    header = "InstanceType,AcceleratorName,AcceleratorCount,Price,SpotPrice,Region\n"
    for seen, rows in (
        ("2026-11-20", "a,L4,1,0.50,,us-east-1\nb,L4,1,0.60,,us-east-1\n"),
        ("2026-11-27", "a,L4,1,0.50,,us-east-1\nc,L4,1,0.40,,us-east-1\nb,L4,1,,,us-east-1\n"),
    ):
        (tmp_path / "somecloud.csv").write_text(header + rows, encoding="utf-8")
        at = datetime.fromisoformat(seen).replace(tzinfo=UTC)
        list(import_path(db, tmp_path / "somecloud.csv", "skypilot", Names(packaged), NOW, seen=at))
    one = digest(packaged, period_of("2026-W48"), TODAY, spans(db, "2026-11-22", "2026-11-29"))
    feed = [m for m in one.moves if m.source.key == "skypilot/somecloud"]
    assert sorted((m.kind, m.thing.sku) for m in feed) == [("new", "c"), ("withdrawn", "b")]


def test_the_same_move_in_many_regions_is_one_line(db: store.Database, packaged: Catalog, tmp_path: Path) -> None:
    header = "InstanceType,AcceleratorName,AcceleratorCount,Price,SpotPrice,Region\n"
    for seen, price in (("2026-11-20", "0.50"), ("2026-11-27", "0.60")):
        rows = "".join(f"a,L4,1,{price},,{region}\n" for region in ("us-east-1", "us-east-2", "eu-west-1"))
        (tmp_path / "somecloud.csv").write_text(header + rows, encoding="utf-8")
        at = datetime.fromisoformat(seen).replace(tzinfo=UTC)
        list(import_path(db, tmp_path / "somecloud.csv", "skypilot", Names(packaged), NOW, seen=at))
    one = digest(packaged, period_of("2026-W48"), TODAY, spans(db, "2026-11-22", "2026-11-29"))
    (move,) = [m for m in one.moves if m.source.key == "skypilot/somecloud"]
    assert move.regions == ("eu-west-1", "us-east-1", "us-east-2")
    assert move.percent == 20  # 0.60 ÷ 0.50


# ---------------------------------------------------------------- for a channel


def wish(**values: Any) -> Subscription:
    return Subscription("T1", "C1", "U1", NOW, **values)


def test_a_channel_sees_its_gpus_and_moves_of_its_threshold(
    db: store.Database, packaged: Catalog, tmp_path: Path
) -> None:
    whole = aws_cut(db, packaged, tmp_path)
    assert {m.thing.gpu for m in for_channel(whole, wish(gpus=("H100",))).moves} == {"H100"}
    assert "H100" not in {m.thing.gpu for m in for_channel(whole, wish(exclude_gpus=("H100",))).moves}
    large = for_channel(whole, wish(threshold=Decimal("0.40")))
    assert [m.thing.sku for m in large.moves if m.percent] == ["p5.48xlarge"]
    assert large.hidden == 1  # the 33 % of p4d
    none = for_channel(whole, wish(gpus=("L40S",), threshold=Decimal("0.01")))
    assert is_quiet(none)
    assert not is_quiet(large)


def test_a_digest_below_the_threshold_says_what_it_left_out(
    db: store.Database, packaged: Catalog, tmp_path: Path
) -> None:
    shown = for_channel(aws_cut(db, packaged, tmp_path), wish(gpus=("A100", "H100"), threshold=Decimal("0.90")))
    report = digest_json(shown)
    assert report["hidden_moves"] == 2
    assert "2 smaller moves" in headline(report, "en")


# ---------------------------------------------------------------- the same twice


def test_the_same_week_twice_is_the_same_text(db: store.Database, packaged: Catalog, tmp_path: Path) -> None:
    aws_cut(db, packaged, tmp_path)
    period = period_of("2025-W23")
    found = current.spans(db, end_of(period.before), end_of(period.last))
    shuffled = [replace(span, rows=tuple(reversed(span.rows))) for span in reversed(found)]
    once, again = (json.dumps(digest_json(digest(packaged, period, TODAY, one))) for one in (found, shuffled))
    assert once == again


# ---------------------------------------------------------------- commands


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GPU_BOT_HOME", str(tmp_path))
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    capsys.readouterr()
    status = cli.run(arguments)
    out, err = capsys.readouterr()
    return status, out, err


def test_the_command_prints_the_same_bytes_twice_and_makes_no_database(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ("digest", "--week", "2026-W40", "--dry-run", "--json", "--knowledge", str(WORLD))
    first, second = run(capsys, *arguments), run(capsys, *arguments)
    assert first == second
    status, out, err = first
    assert (status, err) == (0, "")
    assert json.loads(out)["period"] == "2026-W40"
    assert list(home.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("digest", "--week", "2026-W60"), "no week"),
        (("digest", "--week", "48"), "no week"),
        (("digest", "--week", "2030-W01"), "has not begun"),
        (("digest", "--week", "0001-W02"), "before 2000"),
        (("digest", "--as-of", "0001-01-01"), "before 2000"),
        (("digest", "--lang", "fr"), "not a language"),
        (("prices", "diff", "--since", "yesterday"), "date; write YYYY-MM-DD"),
        (("prices", "diff", "--since", "2026-12-24", "--as-of", "2026-11-30"), "still to come"),
        (("prices", "history", "H1000"), "did you mean H100"),
        (("prices", "history", "H100", "--plan", "barter"), "no plan"),
        (("prices", "history", "H100", "--image", "chart.png"), ".svg"),
        (("prices", "history", "H100", "--memory", "lots"), "did you mean 80"),
        (("prices", "import", "none.csv", "--as", "skypilot"), "no file"),
        (("prices", "import", "none.csv", "--as", "excel"), "no format"),
        (("prices", "import", "none.csv", "--as", "csv", "--seen", "2026-02-30"), "date; write YYYY-MM-DD"),
        (("prices", "propose", "--provider", "lamda"), "did you mean lambda"),
    ],
)
def test_what_cannot_be_used_is_one_sentence(
    home: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], says: str
) -> None:
    status, out, err = run(capsys, *arguments)
    assert (status, out) == (2, "")
    assert says in err
    assert err.count("\n") == 1


def test_a_refused_network_is_one_sentence_and_status_4(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import urllib.error
    import urllib.request

    def refuse(*_: Any, **__: Any) -> Any:
        raise urllib.error.URLError(ConnectionRefusedError(111, "Connection refused"))

    monkeypatch.setattr(urllib.request, "urlopen", refuse)
    status, out, err = run(capsys, "prices", "refresh")
    assert (status, out) == (4, "")
    assert err.count("\n") == 1
    assert "No price source could be reached" in err
    assert "Connection refused" in err


def test_diff_and_history_show_what_was_taken_in(
    home: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    status, out, _ = run(capsys, "prices", "import", str(FEEDS / "vast-three-days.csv"), "--as", "csv")
    assert (status, out.count("csv/vast-three-days")) == (0, 3 + 3)  # a line for each day, and each is old by now
    status, out, _ = run(capsys, "prices", "diff", "--since", "2026-10-01", "--as-of", "2026-10-02")
    assert "1.883/GPU-h → $3.6327/GPU-h (+92.9 %)" in out
    _, out, _ = run(capsys, "prices", "diff", "--since", "2026-10-01", "--as-of", "2026-10-02", "--lang", "zh")
    assert "$1.883/卡时 → $3.6327/卡时" in out
    assert "）（来源：“" in out
    assert " （来源" not in out
    image = tmp_path / "h200.svg"
    status, out, _ = run(
        capsys, "prices", "history", "H200", "--as-of", "2026-10-04", "--image", str(image), "--lang", "zh"
    )
    assert status == 0
    assert "Vast.ai" in out
    root = ET.fromstring(image.read_text(encoding="utf-8"))
    assert root.tag.endswith("svg")
    described = [one.text or "" for one in root if one.tag.endswith("desc")]
    assert "Vast.ai" in described[0]
    status, out, _ = run(capsys, "prices", "history", "H200", "--as-of", "2026-10-04", "--json")
    found = {one["provider"]: one["points"] for one in json.loads(out)["series"]}
    assert [point for point in found["vast"] if point is not None][-3:] == [5.0044, 3.5556, 3.5556]


def test_a_gpu_without_a_dated_price_has_no_history(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "prices", "history", "GB300", "--plan", "reserved_3y")
    assert status == 3
    assert "GB300" in out


# ---------------------------------------------------------------- history and proposals


def test_history_is_the_lowest_price_of_each_provider_as_it_was_known(small: Catalog) -> None:
    """L4 on demand: alderwick and bluestave at 0.70, corrievane at 0.55 from 27 November, elmsgate withdrawn."""
    report = history_json(history(small, "L4", TODAY), small)
    points = {one["provider"]: dict(zip(report["days"], one["points"], strict=True)) for one in report["series"]}
    assert points["alderwick"]["2026-11-27"] == 0.7
    assert points["corrievane"]["2026-11-27"] == 0.55
    assert points["corrievane"].get("2026-05-02") is None
    assert points["elmsgate"]["2026-02-03"] == round(0.40 * float(_eur(small)), 6)
    assert points["elmsgate"]["2026-11-30"] is None


def _eur(catalog: Catalog) -> Decimal:
    """Dollars for a euro on 3 February 2026, from the world's table."""
    day = date(2026, 2, 3)
    rates = [r for r in catalog.currencies if {r.base, r.quote} == {"EUR", "USD"} and r.start <= day]
    rate = max(rates, key=lambda r: r.start)
    return rate.rate if rate.base == "EUR" else 1 / rate.rate


def test_a_chart_holds_each_price_until_the_next(small: Catalog) -> None:
    report = history_json(history(small, "L4", TODAY), small)
    lines = list(charts.history_lines(report, "en"))
    assert lines[0].startswith("L4, on demand, USD per GPU-hour")
    assert any("┤" in line and "●" in line for line in lines)
    assert charts.bars([1, None, 3, 2], 1, 3) == "▁ █▅"  # 3 is the top, 2 the middle: 0.5 × 7 = 3.5, even 4
    ET.fromstring(charts.svg(report, "zh"))


@pytest.mark.parametrize(("lang", "name"), [("en", "Corrievane"), ("zh", "岭风")])
def test_a_history_calls_providers_by_name(lang: str, name: str, small: Catalog) -> None:
    """As answers do; an id is for programs."""
    report = history_json(history(small, "L4", TODAY), small)
    shown = "\n".join(charts.history_lines(report, lang))
    assert name in shown
    assert "corrievane" not in shown
    assert name in charts.svg(report, lang)


@pytest.mark.parametrize(
    ("per", "en", "zh"),
    [
        ("gpu-hour", "$1.50/GPU-h", "$1.50/卡时"),
        ("machine-hour", "$1.50/machine-h", "$1.50/台时"),
        ("gpu-month", "$1.50/GPU-month", "$1.50/卡月"),
        ("machine-month", "$1.50/machine-month", "$1.50/台月"),
    ],
)
def test_a_move_has_the_units_of_an_answer(per: str, en: str, zh: str) -> None:
    """One word for one thing, in both languages."""
    price = {"amount": 1.5, "currency": "USD", "per": per}
    assert (price_text(price, "en"), price_text(price, "zh")) == (en, zh)


def test_what_is_proposed_loads_as_it_stands(db: store.Database, tmp_path: Path) -> None:
    """bluestave's bs-h100-8 is 41.60 in the folder, looked at on 14 November; a feed of the 28th says 39.00."""
    import shutil

    small = load(WORLD)[0]
    header = "InstanceType,AcceleratorName,AcceleratorCount,Price,SpotPrice,Region\n"
    (tmp_path / "bluestave.csv").write_text(header + "bs-h100-8,H100,8,39.00,,us-iris-1\n", encoding="utf-8")
    at = datetime(2026, 11, 28, tzinfo=UTC)
    list(import_path(db, tmp_path / "bluestave.csv", "skypilot", Names(small), NOW, seen=at))
    (one,) = proposals(with_feeds(small, None, reader(db.url, TODAY)), TODAY)
    assert (one.offer, one.why, one.was) == ("bluestave-h100-x8", "changed", "41.60 USD/machine-hour")
    assert one.line == (
        "- {from: 2026-11-28, says: 39.00 USD/machine-hour, source: skypilot-bluestave, seen: 2026-11-28}"
    )
    world = tmp_path / "world"
    shutil.copytree(WORLD, world)
    file = world / "providers" / "bluestave.yaml"
    text = file.read_text(encoding="utf-8").replace("sources:\n", f"sources:\n  {one.source}\n", 1)
    old = "{from: 2026-03-01, says: 41.60 USD/machine-hour, source: price-page, seen: 2026-03-03, checked: 2026-11-14}"
    assert f"prices: [{old}]" in text
    text = text.replace(f"prices: [{old}]", f"prices:\n      - {old}\n      {one.line}")
    file.write_text(text, encoding="utf-8")
    catalog, problems = load(world)
    assert not [p for p in problems if p.level == "error"]
    assert [line.says for line in catalog.by_id["bluestave-h100-x8"].prices][-1] == "39.00 USD/machine-hour"


def test_a_price_that_a_feed_confirms_is_proposed_only_when_ours_is_due(db: store.Database, tmp_path: Path) -> None:
    small = load(WORLD)[0]
    header = "InstanceType,AcceleratorName,AcceleratorCount,Price,SpotPrice,Region\n"
    (tmp_path / "bluestave.csv").write_text(header + "bs-h100-8,H100,8,41.60,,us-iris-1\n", encoding="utf-8")
    at = datetime(2026, 11, 28, tzinfo=UTC)
    list(import_path(db, tmp_path / "bluestave.csv", "skypilot", Names(small), NOW, seen=at))

    def offered(day: date) -> list[str]:
        return [one.why for one in proposals(with_feeds(small, None, reader(db.url, day)), day)]

    assert offered(TODAY) == []  # 16 days after 14 November; 30 are allowed
    assert offered(date(2026, 12, 20)) == ["confirmed"]  # 36 days


def test_a_period_may_begin_on_any_day() -> None:
    period = since(date(2026, 10, 1), TODAY)
    assert (period.before, period.first, period.last) == (date(2026, 10, 1), date(2026, 10, 2), TODAY)


# ---------------------------------------------------------------- once a channel and period


def test_a_channel_gets_the_digest_of_a_period_once(db: store.Database) -> None:
    from bot.store import digests

    name = period_of("2026-W53").name
    assert digests.claim_digest(db, "T1", "C1", name, "job-1", NOW)
    assert digests.claim_digest(db, "T1", "C1", name, "job-1", NOW)  # the same job, run again
    assert not digests.claim_digest(db, "T1", "C1", name, "job-2", NOW)
    digests.digest_done(db, "T1", "C1", name, NOW, ts=None)  # skipped: nothing moved
    assert not digests.claim_digest(db, "T1", "C1", name, "job-3", NOW)
    last = digests.last_digest(db, "T1", "C1")
    assert last is not None
    assert (last["period"], last["state"]) == (name, "skipped")
