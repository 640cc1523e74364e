"""The team's own readings are used: answers show them, and price per TFLOPS prefers them.

The world is `small`: Corrievane's four A100 cost 1.50 USD a GPU and hour.
"""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from bot import ask as asking
from bot import cli
from bot.catalog import load
from bot.render.json import answer_json
from bot.store import LOCAL, measured, open_database
from bot.store.benches import Reading, keep_reading
from rules.model import Catalog

SMALL = Path(__file__).parent / "worlds" / "small"
QUESTION = "cheapest for 72h on 4×A100"


@pytest.fixture
def catalog() -> Catalog:
    return load(SMALL)[0]


def first_offer(catalog: Catalog) -> str:
    offer = asking.ask(QUESTION, catalog, date(2026, 11, 30)).quotes[0].offer
    assert offer is not None
    return offer.id


def reading(n: int, offer: str | None, tflops: str, day: int = 20, **more: Any) -> Reading:
    values: dict[str, Any] = {"dtype": "bf16", "verdict": "healthy", "gpu": "nvidia-a100", "record": {}, **more}
    at = datetime(2026, 11, day, 12, tzinfo=UTC)
    return Reading(LOCAL, f"run{n}", "ml01", at, offer=offer, tflops=Decimal(tflops), **values)


def keep(url: str, *rows: Reading) -> None:
    database = open_database(url)
    for row in rows:
        keep_reading(database, row)
    database.close()


def test_only_what_was_measured_right_on_a_known_offer_by_that_day_counts(tmp_path: Path) -> None:
    """A faulty card, a host without an offer and a later day say nothing; file and database agree."""
    url = f"sqlite:///{tmp_path / 'db'}"
    assert measured.of_url(url, date(2026, 11, 30)) == []
    keep(
        url, reading(1, "a/b", "260.5"), reading(2, "a/b", "100", verdict="faulty"), reading(3, None, "250"),
        reading(4, "a/b", "270", day=21), reading(5, "a/b", "90", verdict="not_as_sold"),
    )  # fmt: skip
    one = {"offer": "a/b", "dtype": "bf16", "tflops": Decimal("260.5"), "date": "2026-11-20", "host": "ml01"}
    assert measured.of_url(url, date(2026, 11, 20)) == [one]
    assert [row["tflops"] for row in measured.of_url(url, date(2026, 11, 21))] == [Decimal(270), Decimal("260.5")]
    database = open_database(url)
    assert measured.of_database(database, date(2026, 11, 21)) == measured.of_url(url, date(2026, 11, 21))
    database.close()


def test_an_answer_shows_the_reading_with_its_date(
    tmp_path: Path, catalog: Catalog, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In JSON and in the details, in the terminal too."""
    monkeypatch.setenv("GPU_BOT_HOME", str(tmp_path))
    offer = first_offer(catalog)
    keep(f"sqlite:///{tmp_path / 'gpu-bot.db'}", reading(1, offer, "260.5"))
    arguments = ["ask", "--knowledge", str(SMALL), "--as-of", "2026-11-30", "--no-feeds"]
    assert cli.run([*arguments, "--json", QUESTION]) == 0
    shown = json.loads(capsys.readouterr().out)["quotes"][0]["verified_tflops"]
    assert (shown["tflops"], shown["date"], shown["dtype"]) == (260.5, "2026-11-20", "bf16")
    assert cli.run([*arguments, "--explain", QUESTION]) == 0
    assert "260.5 TFLOPS (2026-11-20)" in capsys.readouterr().out


@pytest.mark.parametrize(("lang", "words"), [("en", "measured on your own host"), ("zh", "自有主机实测")])
def test_price_per_tflops_says_which_figure_it_used(catalog: Catalog, lang: str, words: str) -> None:
    """The measured rate decides the order: at 100,000 TFLOPS any host is the best value, at 0.001 none is."""
    text = "best value 4xA100 for 72h by price per TFLOP"
    day = date(2026, 11, 30)
    ids = [one.offer.id for one in asking.ask(text, catalog, day).quotes if one.offer]
    assert len(ids) > 1
    for tflops, place in (("100000", 0), ("0.001", -1)):
        for offer in ids:
            row = {"offer": offer, "dtype": "bf16", "tflops": Decimal(tflops), "date": "2026-11-20"}
            answer = asking.ask(text, catalog, day, [row])
            ranked = [one for one in answer.quotes if one.offer]
            if place == 0 or any(one.key == "per_tflop" and "," in one.value for one in answer.assumptions):
                found = ranked[place].offer
                assert found is not None
                assert found.id == offer
            said = [one["text"] for one in answer_json(answer, lang)["assumptions"] if one["key"] == "per_tflop"]
            assert said
            assert words in said[0]


def test_a_reading_of_another_dtype_is_shown_and_not_compared(catalog: Catalog) -> None:
    """fp32 is no figure of half precision."""
    text = "best value 4xA100 for 72h by price per TFLOP"
    row = {"offer": first_offer(catalog), "dtype": "fp32", "tflops": Decimal(15), "date": "2026-11-20"}
    answer = asking.ask(text, catalog, date(2026, 11, 30), [row])
    assert any(one.verified_tflops for one in answer.quotes)
    [basis] = [one.value for one in answer.assumptions if one.key == "per_tflop"]
    assert "measured" not in basis
