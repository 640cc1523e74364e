"""A team's own layer, from `gpu-bot ask --overlay` to the answer.

The market is the invented world `small`: four A100s for 72 hours cost 449.28 USD at Corrievane (1.50 × 288 = 432.00,
+ 4 %), 504.00 at Qingtan, 576.00 at Alderwick (2.00 × 288) and 2131.20 at Bluestave (29.60 × 72).
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot import cli

SMALL = Path(__file__).parent / "worlds" / "small"
QUESTION = "cheapest for 72h on 4×A100"

Ask = Callable[..., dict[str, Any]]


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Ask:
    """The answer to the question with the overlays given, each a mapping of path to text."""
    monkeypatch.chdir(tmp_path)

    def call(*overlays: dict[str, str], text: str = QUESTION, options: tuple[str, ...] = ()) -> dict[str, Any]:
        given = [
            one for n, files in enumerate(overlays) for one in ("--overlay", str(layer(tmp_path / f"o{n}", files)))
        ]
        status = cli.run(["ask", "--json", text, "--knowledge", str(SMALL), "--as-of", "2026-11-30", *given, *options])
        out, err = capsys.readouterr()
        assert (status, err) == (0, "")
        answer: dict[str, Any] = json.loads(out)
        return answer

    return call


def layer(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / "acme" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder / "acme"


def totals(answer: dict[str, Any]) -> dict[str, float]:
    return {quote["offer"]: quote["total_usd"] for quote in answer["quotes"]}


def order(answer: dict[str, Any]) -> list[str]:
    return [quote["provider"] for quote in answer["quotes"]]


OFFER = """id: alderwick
offers:
  - id: alderwick-private-x4
    sku: private pool
    gpu: A100
    memory_gb: 80
    form: SXM
    gpus: 4
    sold_as: machine
    plan: on_demand
    regions: [us-iris-1]
    prices: [{from: 2026-11-01, says: 4.00 USD/machine-hour, source: price-page, seen: 2026-11-20}]
"""
PROVIDER = """id: cellar
name: {en: Our cellar, zh: 自家机房}
kind: specialist
recheck_days: 30
sources: {books: {kind: measured, title: Our own books}}
offers:
  - id: cellar-a100-x4
    sku: rack 2
    gpu: A100
    gpus: 4
    sold_as: machine
    plan: on_demand
    regions: [us-iris-1]
    prices: [{from: 2026-11-01, says: 0.50 USD/gpu-hour, source: books, seen: 2026-11-20}]
"""


def quoted(says: str) -> dict[str, str]:
    return {
        "providers/alderwick.yaml": f"""id: alderwick
sources: {{letter: {{kind: written quote, title: Letter of our account manager}}}}
offers:
  - id: alderwick-a100-40-x4
    prices: [{{from: 2026-11-01, says: {says}, source: letter, seen: 2026-11-18}}]
"""
    }


RULE = """- id: acme-not-abroad
  status: active
  title: {en: Not abroad, zh: 不用境外}
  when:
    - offer.provider == "corrievane"
  then: exclude
  because: {en: Our lawyers said no., zh: 法务不同意。}
  sources: [{kind: written quote, title: Minutes of 12 November}]
  reviewed: 2026-11-12
  fires_on: cheapest A100
  silent_on: cheapest A100 on alderwick
"""


def test_an_offer_of_the_overlay_is_ranked_with_the_others(ask: Ask) -> None:
    """4.00 a machine × 72 h = 288.00, below the 449.28 of the market."""
    answer = ask({"providers/alderwick.yaml": OFFER})
    assert list(totals(answer).items())[:2] == [("alderwick-private-x4", 288), ("corrievane-a100-80", 449.28)]
    assert answer["quotes"][0]["price_line"] == "acme/providers/alderwick.yaml:12"


def test_a_provider_of_the_overlay_is_ranked_with_the_others(ask: Ask) -> None:
    """0.50 × 4 × 72 = 144.00; its name is the overlay's."""
    answer = ask({"providers/cellar.yaml": PROVIDER})
    assert totals(answer)["cellar-a100-x4"] == 144
    assert answer["headline"].startswith("Our cellar")


@pytest.mark.parametrize(("says", "total"), [("1.60 USD/gpu-hour", 460.80), ("2.50 USD/gpu-hour", 720.00)])
def test_a_written_quote_counts_before_the_official_price(ask: Ask, says: str, total: float) -> None:
    """1.60 × 288 = 460.80 and 2.50 × 288 = 720.00, whichever way it differs from the official 2.00; both are shown."""
    answer = ask(quoted(says))
    assert totals(answer)["alderwick-a100-40-x4"] == total
    conflict = next(row for row in answer["conflicts"] if row["offer"] == "alderwick-a100-40-x4")
    assert [other["says"] for other in conflict["others"]] == ["2.00 USD/gpu-hour"]


def test_a_written_quote_that_nobody_looked_at_again_gives_way_to_a_young_price(ask: Ask) -> None:
    """Seen 28 days before, beyond Alderwick's 14: the official 2.00 × 288 = 576.00 counts."""
    old = quoted("1.60 USD/gpu-hour")["providers/alderwick.yaml"].replace("2026-11-18", "2026-11-02")
    assert totals(ask({"providers/alderwick.yaml": old}))["alderwick-a100-40-x4"] == 576


def test_a_rule_of_the_overlay_leaves_an_offer_out(ask: Ask) -> None:
    """Without Corrievane, Qingtan's 504.00 comes first, and the reason is the team's."""
    answer = ask({"guidance/acme.yaml": RULE})
    assert order(answer) == ["qingtan", "alderwick", "bluestave"]
    refused = {row["offer"]: row["reason"] for row in answer["left_out"]}
    assert refused["corrievane-a100-80"] == "acme-not-abroad"
    assert "Our lawyers said no." in [row["text"] for row in answer["reasons"]]


def test_accounts_come_first_as_a_group_whatever_they_cost(ask: Ask) -> None:
    """Two accounts by their total (576.00 before 2131.20), then the rest of the market by theirs."""
    answer = ask({"overlay.yaml": "accounts: [bluestave, alderwick]\n"})
    assert order(answer) == ["alderwick", "bluestave", "corrievane", "qingtan"]


def test_a_discount_lowers_the_prices_of_its_provider(ask: Ask) -> None:
    """576.00 less 25 % is 432.00, now the first; nobody else changes."""
    answer = ask({"overlay.yaml": "discounts: [{provider: alderwick, percent: 25}]\n"})
    assert list(totals(answer).items())[:2] == [("alderwick-a100-40-x4", 432), ("corrievane-a100-80", 449.28)]


def test_a_discount_for_a_plan_leaves_the_other_plans_alone(ask: Ask) -> None:
    """Bluestave's spot: 11.20 × 72 = 806.40, less 50 % is 403.20; on demand stays 2131.20."""
    answer = ask({"overlay.yaml": "discounts: [{provider: bluestave, plan: spot, percent: 50}]\n"})
    assert totals(answer)["bluestave-a100-80-x8"] == 2131.20
    spot = {one["quote"]["offer"]: one["quote"]["total_usd"] for one in nested(answer["alternatives"])}
    assert spot["bluestave-a100-80-x8-spot"] == 403.20


def nested(alternatives: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [one if "quote" in one else {"quote": one} for one in alternatives]


def test_the_currency_of_the_overlay_is_shown_beside_usd(ask: Ask) -> None:
    """449.28 USD ÷ 1.08 = 416.00 EUR; --currency decides otherwise: 449.28 × 7.2 = 3234.82 CNY."""
    files = {"overlay.yaml": "currency: EUR\n"}
    assert ask(files)["quotes"][0]["total_shown"] == {"amount": 416, "currency": "EUR"}
    shown = ask(files, options=("--currency", "CNY"))["quotes"][0]["total_shown"]
    assert shown == {"amount": 3234.82, "currency": "CNY"}


def test_the_later_of_two_overlays_holds(ask: Ask) -> None:
    """Both letters are written quotes; the one looked at later counts: 1.70 × 288 = 489.60."""
    later = quoted("1.70 USD/gpu-hour")
    text = later["providers/alderwick.yaml"].replace("letter", "letter-2").replace("2026-11-18", "2026-11-20")
    answer = ask(
        quoted("1.60 USD/gpu-hour"), {"providers/alderwick.yaml": text, "overlay.yaml": "accounts: [qingtan]\n"}
    )
    assert totals(answer)["alderwick-a100-40-x4"] == 489.60
    assert order(answer)[0] == "qingtan"


def test_the_overlays_of_the_settings_are_used_unless_others_are_named(
    ask: Ask, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """GPU_BOT_OVERLAYS holds folders as PATH does; --overlay takes their place."""
    cheap = layer(tmp_path / "cheap", {"providers/cellar.yaml": PROVIDER})
    first = layer(tmp_path / "first", {"overlay.yaml": "accounts: [bluestave]\n"})
    monkeypatch.setenv("GPU_BOT_OVERLAYS", os.pathsep.join((str(cheap), str(first))))
    assert order(ask())[:2] == ["bluestave", "cellar"]
    assert order(ask({"overlay.yaml": "accounts: [qingtan]\n"}))[:2] == ["qingtan", "corrievane"]


def test_without_an_overlay_nothing_of_it_remains(ask: Ask) -> None:
    """What one call was given does not leak into the next."""
    ask({"overlay.yaml": "accounts: [bluestave]\ndiscounts: [{provider: bluestave, percent: 90}]\n"})
    assert order(ask()) == ["corrievane", "qingtan", "alderwick", "bluestave"]
