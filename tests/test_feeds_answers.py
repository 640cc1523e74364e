"""Feed offers in answers: joined to the folder's, counted when left out, never from the network, quick to read."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from bot import cli, store
from bot.ask import ask, parse
from bot.catalog import Feeds, load, models_of, with_feeds
from bot.feeds.offers import offers
from bot.feeds.reader import FeedIndex, reader
from bot.store import prices
from bot.store.observed import Observation, Seen
from rules.model import Catalog, Offer

WORLD = Path(__file__).parent / "worlds" / "small"
AS_OF = date(2026, 11, 30)
LOOKED = datetime(2026, 11, 28, tzinfo=UTC)


@pytest.fixture(scope="module")
def small() -> Catalog:
    return load(WORLD)[0]


def observed(provider: str, sku: str, amount: str, **facts: object) -> Observation:
    more = {"sku": sku, "plan": "on_demand", "gpus": "8", "memory_gb": "80", "form": "SXM", "region": "us-iris-1"}
    key = f"{provider}|{sku}|{facts.get('plan', 'on_demand')}|{facts.get('region', 'us-iris-1')}"
    gpu = str(facts.pop("gpu", "H100"))
    return Observation(key, provider, gpu, {**more, **facts}, Decimal(amount), "USD", "machine-hour")


def fed(*rows: Observation, source: str = "skypilot/bluestave", looked: datetime = LOOKED) -> tuple[Offer, ...]:
    return offers((Seen(source, row, looked, looked), looked) for row in rows)


def asked(text: str, catalog: Catalog, *made: Offer) -> dict[str, object]:
    from bot.render.json import answer_json

    return answer_json(ask(text, catalog, AS_OF, feeds=lambda c, m: with_feeds(c, m, lambda _: Feeds(made, "d1"))))


# ---------------------------------------------------------------- joining (C14)


def test_the_same_provider_sku_plan_and_region_is_one_offer_with_two_sources(small: Catalog) -> None:
    """bluestave's own list says 41.60, looked at 16 days ago (30 are allowed); the feed says 40.00: 3.8 % apart."""
    answer = asked("8xH100 for 10h on Bluestave", small, *fed(observed("bluestave", "bs-h100-8", "40.00")))
    (quote,) = answer["quotes"]  # type: ignore[misc]
    assert quote["offer"] == "bluestave-h100-x8"
    assert quote["total_usd"] == 416  # 41.60 × 10: official before aggregator
    (conflict,) = answer["conflicts"]  # type: ignore[misc]
    assert conflict["others"] == [
        {"says": "40.00 USD/machine-hour", "source": "skypilot/bluestave", "seen": "2026-11-28"}
    ]


def test_a_feed_that_was_read_since_wins_over_a_price_that_is_due_for_a_check(small: Catalog) -> None:
    """corrievane's cv-h100p was looked at on 2026-05-10, and 10 days are allowed."""
    row = observed("corrievane", "cv-h100p", "2.40", gpus="1", form="PCIe", region="eu-lupin-1")
    answer = asked("1xH100 for 10h on Corrievane", small, *fed(row, source="vast/search"))
    quote = answer["quotes"][0]  # type: ignore[index]
    assert quote["offer"] == "corrievane-h100-pcie"
    assert quote["price_line"] == "vast/search 2026-11-28"
    assert quote["total_usd"] == 24.96  # 2.40 × 10 × 1.04 marketplace fee


def test_another_region_is_another_offer(small: Catalog) -> None:
    answer = asked(
        "8xH100 for 10h on Bluestave",
        small,
        *fed(observed("bluestave", "bs-h100-8", "39.00", region="eu-lupin-1")),
    )
    quotes = {quote["offer"]: quote["total_usd"] for quote in answer["quotes"]}  # type: ignore[attr-defined]
    assert quotes == {"bluestave-h100-x8": 416, "bluestave/bs-h100-8/on_demand": 390}


def test_a_row_of_many_regions_joins_where_it_can_and_stands_alone_elsewhere(small: Catalog) -> None:
    row = observed("bluestave", "bs-h100-8", "39.00", region="", regions=["eu-lupin-1", "us-iris-1"])
    merged = with_feeds(small, None, lambda _: Feeds(fed(row), "d1"))
    own, other = merged.by_id["bluestave-h100-x8"], merged.by_id["bluestave/bs-h100-8/on_demand"]
    assert [line.regions for line in own.prices if line.feed] == [("us-iris-1",)]
    assert [line.regions for line in other.prices] == [("eu-lupin-1",)]
    assert other.regions == ("eu-lupin-1",)


def test_another_shape_under_the_same_sku_is_not_joined(small: Catalog) -> None:
    merged = with_feeds(small, None, lambda _: Feeds(fed(observed("bluestave", "bs-h100-8", "39", gpus="4")), "d1"))
    assert not any(line.feed for line in merged.by_id["bluestave-h100-x8"].prices)
    assert merged.by_id["bluestave/bs-h100-8/on_demand"].gpus == 4


def test_what_a_feed_says_is_not_sold_on_demand_has_no_price(small: Catalog) -> None:
    row = observed("bluestave", "new-h100", "0", not_sold=True)
    answer = asked("8xH100 for 10h on Bluestave", small, *fed(row))
    assert {"provider": "bluestave", "plan": "on_demand", "reason": "no-price", "count": 1} in [
        {key: one[key] for key in ("provider", "plan", "reason", "count")}
        for one in answer["left_out"]  # type: ignore[attr-defined]
        if "count" in one
    ]


def test_feed_offers_left_out_for_one_reason_are_one_row_with_their_number(small: Catalog) -> None:
    rows = [observed("bluestave", f"new-{n}", "39.00", region="eu-lupin-1") for n in range(3)]
    answer = asked("8xH100 for 10h on Alderwick", small, *fed(*rows))
    counted = [one for one in answer["left_out"] if one.get("count")]  # type: ignore[attr-defined]
    assert counted == [
        {
            "offer": None,
            "provider": "bluestave",
            "sku": None,
            "plan": "on_demand",
            "reason": "provider-not-asked",
            "count": 3,
        }
    ]


def test_a_provider_that_only_feeds_know_is_quoted_under_its_own_name(small: Catalog) -> None:
    answer = asked("cheapest 8xH100 for 10h", small, *fed(observed("stranger", "s8", "8.00"), source="csv/quotes"))
    first = answer["quotes"][0]  # type: ignore[index]
    assert (first["provider"], first["total_usd"]) == ("stranger", 80)
    assert str(answer["headline"]).startswith("Stranger is cheapest")


def test_a_country_is_a_place(small: Catalog) -> None:
    """A marketplace names the country alone; the table has Germany as part of the EU."""
    packaged = load()[0]
    world = replace(small, regions=packaged.regions)
    row = observed("stranger", "s8", "8.00", region="de")
    answer = asked("cheapest 8xH100 for 10h in the EU", world, *fed(row))
    assert [quote["region"] for quote in answer["quotes"]][0] == "de"  # type: ignore[attr-defined]  # noqa: RUF015


def test_stock_is_never_implied(small: Catalog) -> None:
    answer = asked("cheapest 8xH100 for 10h", small, *fed(observed("stranger", "s8", "8.00")))
    assert answer["quotes"][0]["access"] == {"how": "unknown", "stock": "unknown"}  # type: ignore[index]


def test_the_snapshot_names_what_the_feeds_said(small: Catalog) -> None:
    row = fed(observed("bluestave", "bs-h100-8", "40.00"))
    none = with_feeds(small, None, lambda _: Feeds())
    one, other = (with_feeds(small, None, lambda _, d=d: Feeds(row, d)) for d in ("d1", "d2"))  # type: ignore[misc]
    assert none is small
    assert none.snapshot.feeds == "none"
    assert (one.snapshot.feeds, other.snapshot.feeds) == ("d1", "d2")
    assert len({none.snapshot.id, one.snapshot.id, other.snapshot.id}) == 3
    assert one.snapshot.knowledge == none.snapshot.knowledge


@pytest.mark.parametrize(
    ("text", "models"),
    [
        ("cheapest 4xA100 or 8xH100 for 72h", ("A100", "H100")),
        ("what is spot", ()),
        ("how much to move 2 TB out of Bluestave", ()),
        ("help", ()),
        ("$500 budget, what can I rent", None),
        ("cheapest 4 GPUs for 72h", ()),  # it asks back, whatever the feeds say
    ],
)
def test_only_the_models_of_the_question_are_read(small: Catalog, text: str, models: tuple[str, ...] | None) -> None:
    assert models_of(parse(text, small).question, small) == models


@pytest.mark.parametrize("text", ["cheapest 4 GPUs for 72h", "4 GPUs under $10 per hour", "4张卡跑72小时哪家最便宜"])
def test_a_question_that_is_asked_back_gets_the_same_answer_as_with_every_row(small: Catalog, text: str) -> None:
    parsed = parse(text, small)
    assert parsed.question.clarify
    row = fed(observed("stranger", "st-a100", "1.00", gpu="A100"))
    every, none = (with_feeds(small, None, lambda _, rows=rows: Feeds(rows, "d")) for rows in (row, ()))  # type: ignore[misc]
    assert asked(text, none) == asked(text, every)


def test_a_question_about_memory_reads_the_cards_that_have_it(small: Catalog) -> None:
    found = models_of(parse("cheapest GPU with at least 141 GB of memory", small).question, small)
    assert found is not None
    assert {"H200", "B200"} <= set(found)
    assert "A100" not in found


# ---------------------------------------------------------------- from the database


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GPU_BOT_HOME", str(tmp_path))
    monkeypatch.setenv("GPU_BOT_KNOWLEDGE", str(WORLD))
    return tmp_path


CSV = "provider,gpu,gpus,says,region,sku\nbluestave,H100 SXM 80GB,8,{price} USD/machine-hour,us-iris-1,{sku}\n"
ASKED = ["ask", "--json", "--as-of", "2026-11-30", "8xH100 for 10h on Bluestave"]


def brought(home: Path, price: str, seen: str | None, sku: str = "bs-new-8") -> int:
    (home / "quotes.csv").write_text(CSV.format(price=price, sku=sku), encoding="utf-8")
    more = [] if seen is None else ["--seen", seen]
    return cli.run(["prices", "import", str(home / "quotes.csv"), "--as", "csv", *more])


def told(capsys: pytest.CaptureFixture[str], *more: str) -> dict[str, object]:
    capsys.readouterr()
    assert cli.run([*ASKED, *more]) == 0
    answer: dict[str, object] = json.loads(capsys.readouterr().out)
    return answer


def test_an_imported_list_is_in_the_next_answer_and_not_with_no_feeds(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = told(capsys)
    assert not (home / "gpu-bot.db").exists()  # asking makes no database
    assert brought(home, "30.00", "2026-11-20") == 0
    answer = told(capsys)
    first = answer["quotes"][0]  # type: ignore[index]
    assert (first["sku"], first["total_usd"]) == ("bs-new-8", 300)
    assert first["price_line"] == "csv/quotes 2026-11-20"
    assert told(capsys, "--no-feeds") == before
    assert told(capsys) == answer  # byte for byte, whenever it is asked


def test_an_undated_list_is_never_ranked(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = told(capsys)
    assert brought(home, "30.00", None) == 0
    assert told(capsys) == before


def test_a_price_of_a_later_day_is_not_known_yet(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    brought(home, "30.00", "2026-11-20")
    capsys.readouterr()
    assert cli.run(["ask", "--json", "--as-of", "2026-11-19", "8xH100 for 10h on Bluestave"]) == 0
    assert "csv/quotes" not in capsys.readouterr().out


def test_a_database_that_cannot_be_read_is_said_and_the_folder_answers(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = told(capsys)
    (home / "gpu-bot.db").write_bytes(b"no database" * 500)
    assert cli.run(ASKED) == 0
    out, err = capsys.readouterr()
    assert json.loads(out) == before
    assert [line for line in err.splitlines() if "price feeds" in line] == [
        "The price feeds cannot be read (file is not a database); this answer rests on the knowledge folder alone."
    ]


def test_a_batch_says_once_that_the_feeds_cannot_be_read(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "gpu-bot.db").write_bytes(b"no database" * 500)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"cheapest A100\ncheapest H100\n")))
    assert cli.run(["ask", "--batch"]) == 0
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 2
    assert err.count("price feeds cannot be read") == 1


def test_a_cold_question_loads_no_database_library(home: Path) -> None:
    import os
    import subprocess

    brought(home, "30.00", "2026-11-20")
    script = (
        "import sys; from bot.cli import run; status = run(sys.argv[1:]);"
        "sys.exit(status or int(any(name in sys.modules for name in ('sqlalchemy', 'alembic', 'dbos'))) * 7)"
    )
    command = [sys.executable, "-c", script, *ASKED]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ, check=False)
    assert done.returncode == 0, done.stderr
    assert "csv/quotes" in done.stdout


# ---------------------------------------------------------------- a server's index


@pytest.fixture
def served(tmp_path: Path) -> Iterator[store.Database]:
    database = store.open_database(f"sqlite:///{tmp_path / 'served.db'}")
    yield database
    database.close()


def kept(database: store.Database, amount: str, seen: datetime) -> None:
    row = observed("bluestave", "bs-new-8", amount)
    prices.import_snapshot(database, "skypilot/bluestave", [row], seen=seen, now=seen)


def test_the_index_of_a_server_says_what_the_database_says(served: store.Database, small: Catalog) -> None:
    index = FeedIndex(served)
    assert index(["H100"]) == Feeds()
    kept(served, "30.00", LOOKED)
    assert index.refresh() is True
    assert index.refresh() is False  # nothing new
    direct = reader(served.url, AS_OF)
    for models in (["H100"], ["L4"], None):
        assert index(models) == direct(models)
    merged = index.merged(small, ("H100",))
    assert index.merged(small, ("H100",)) is merged  # kept, and with it all that follows from it


def test_answers_go_on_with_the_old_list_until_a_new_one_is_complete(served: store.Database, small: Catalog) -> None:
    kept(served, "30.00", LOOKED)
    index = FeedIndex(served)
    index.refresh()
    before = index.merged(small, ("H100",))

    def broken() -> Iterator[Observation]:
        yield observed("bluestave", "bs-new-8", "1.00")
        raise RuntimeError("the line went dead")

    later = datetime(2026, 11, 29, tzinfo=UTC)
    with pytest.raises(RuntimeError):
        prices.import_snapshot(served, "skypilot/bluestave", broken(), seen=later, now=later)
    assert index.refresh() is False
    assert index.merged(small, ("H100",)) is before
    kept(served, "31.00", later)
    assert index.merged(small, ("H100",)) is before  # not looked yet
    assert index.refresh() is True
    assert index.merged(small, ("H100",)) is not before


def test_only_one_thread_rebuilds_at_a_time(served: store.Database) -> None:
    index = FeedIndex(served)
    kept(served, "30.00", LOOKED)
    with index._lock:  # another thread is at it
        assert index.refresh() is False
    assert index.refresh() is True
