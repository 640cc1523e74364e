"""Legal but seldom entries and questions, in the world "odd" and in folders written on the spot."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal, localcontext
from pathlib import Path

import pytest

from bot.catalog import load
from bot.cli import run
from bot.render.notes import assumption_text
from bot.render.second_line import also
from rules.decide import decide
from rules.model import Answer, Catalog, GpuAsk, Money, Question
from rules.specs import tflops_of

AS_OF = date(2026, 11, 30)
ODD = Path(__file__).parent / "worlds" / "odd"


@pytest.fixture(scope="module")
def odd() -> Catalog:
    catalog, problems = load(ODD, [])
    assert [str(p) for p in problems if p.level == "error"] == []
    return catalog


def ask(catalog: Catalog, model: str | None, count: int = 1, intent: str = "cheapest", **slots: object) -> Answer:
    gpus = () if model is None else (GpuAsk(model, count=Decimal(count)),)
    return decide(Question(intent=intent, lang="en", gpus=gpus, **slots), catalog, AS_OF)  # type: ignore[arg-type]


@pytest.mark.parametrize("precision", [28, 60])
def test_one_percent_apart_is_no_conflict_in_any_currency(precision: int) -> None:
    """5.05 is 1 % above 5, in CNY as in USD; the division by 7.2 leaves a hair that decides nothing."""
    with localcontext() as context:
        context.prec = precision
        fresh, _ = load(ODD, [])
        answer = ask(fresh, "A100", hours=Decimal(10), providers=("evenkeel",))
    assert [q.offer.id for q in answer.quotes if q.offer] == ["evenkeel-a100"]
    assert answer.conflicts == ()


def test_months_to_pay_back_a_commitment_of_unknown_length_are_unknown(odd: Catalog) -> None:
    """1.50 of 3.00 is half of the time, 365 h a month; of a term that nobody stated no share follows."""
    rows = ask(odd, "H100", intent="break_even").parts["break_even"]["rows"]
    row = next(row for row in rows if row["offer"] == "hastespot-h100-reserved")
    assert (row["utilisation"], row["hours_per_month"], row["months_to_pay"]) == (Decimal("0.5"), 365, None)


def test_every_source_that_a_comparison_names_is_among_the_sources() -> None:
    """The cell for spot rests on a line that is no quote's."""
    small, _ = load(ODD.parent / "small", [])
    answer = ask(small, "A100", intent="compare", providers=("bluestave", "alderwick"), hours=Decimal(10))
    keys = {use.key for use in answer.sources}
    cells = [cell for row in answer.parts["comparison"]["rows"] for cell in row["cells"] if cell is not None]
    named = {cell["source"] for cell in cells if ".yaml" not in cell["source"]}
    assert named
    assert named <= keys


def test_spot_that_is_stopped_too_often_is_no_saving(odd: Catalog) -> None:
    """0.5 × 300 h is 150 interruptions: its listed price of 300.00 is not held against the 900.00 of on demand."""
    answer = ask(odd, "H100", hours=Decimal(300))
    (spot,) = [a.quote for a in answer.alternatives if a.quote.offer and a.quote.offer.plan == "spot"]
    assert spot.total_usd == 300
    assert spot.expected is None
    assert spot.endless
    assert "spot" not in [row["change"] for row in answer.parts.get("changes", ())]
    assert not [sentence for sentence in also(answer, "en") if "less" in sentence]


def test_a_currency_without_a_rate_is_said_and_not_shown(odd: Catalog) -> None:
    yen = replace(odd, display_currency="JPY")
    answer = ask(yen, "V100", hours=Decimal(10))
    said = [assumption_text(one, "en") for one in answer.assumptions if one.value == "JPY"]
    assert said == ["totals in USD alone, no dated JPY rate is known"]
    assert said[0] in also(answer, "en")
    assert answer.display_rate == ()
    assert not [one for one in ask(odd, "V100", hours=Decimal(10)).assumptions if one.key == "shown_in"]


def test_a_limit_that_cannot_be_converted_is_said_at_once(odd: Catalog) -> None:
    answer = ask(odd, "V100", hours=Decimal(10), budget=Money(Decimal(100), "NOK"))
    assert len(answer.quotes) == 2
    assert also(answer, "en")[0] == "budget: not compared, no dated NOK rate is known"
    assert also(answer, "zh")[0] == "预算：没有 NOK 汇率，未参与比较"


def test_a_line_may_not_name_a_region_that_its_offer_does_not_have(tmp_path: Path) -> None:
    """Without regions of its own an offer is the same everywhere; a price for one of them would hold for all."""
    sheet = (ODD / "providers" / "seatfee.yaml").read_text(encoding="utf-8")
    told = sheet.replace("    regions: [us-reed-1]\n", "").replace(
        "1 USD/gpu-hour, source: price-page,", "1 USD/gpu-hour, regions: [us-reed-1], source: price-page,"
    )
    (tmp_path / "providers").mkdir()
    (tmp_path / "providers" / "seatfee.yaml").write_text(told, encoding="utf-8")
    (tmp_path / "regions.yaml").write_text((ODD / "regions.yaml").read_text(encoding="utf-8"), encoding="utf-8")
    _, problems = load(tmp_path, [])
    line = 1 + told.splitlines().index(next(row for row in told.splitlines() if "regions: [us-reed-1]" in row))
    what = "region `us-reed-1` is not one of the offer's; give the offer its `regions` first"
    assert [str(one) for one in problems if one.level == "error"] == [f"providers/seatfee.yaml:{line}: {what}"]


def test_a_cost_in_a_currency_without_a_rate_says_why_it_has_no_usd(capsys: pytest.CaptureFixture[str]) -> None:
    """22 × 4 × 72 = 6,336."""
    cost = ["cost", "--rate", "22", "--gpus", "4", "--hours", "72", "--currency", "NOK", "--knowledge", str(ODD)]
    assert run([*cost, "--as-of", "2026-11-30"]) == 0
    said = capsys.readouterr().out
    assert "6,336.00" in said
    assert said.endswith("No dated NOK rate is known, so there is no total in USD\n")


def test_a_budget_buys_a_countable_number_of_cards_for_a_blink_of_time(odd: Catalog) -> None:
    """Whoever rents at all pays a step, so the number of cards that an amount buys has an end."""
    asked = Question(
        intent="budget", lang="en", gpus=(GpuAsk("H100"),), hours=Decimal("0.0000001"),
        budget=Money(Decimal(1000), "USD"),
    )  # fmt: skip
    rows = decide(asked, odd, AS_OF).parts["budget"]["rows"]
    assert rows
    assert all(row["total_usd"] <= 1000 for row in rows)


def test_what_is_owed_for_a_commitment_of_unknown_length_buys_nothing_that_is_known(odd: Catalog) -> None:
    """The row of on demand beside it is all that an amount can be laid out for."""
    asked = Question(
        intent="budget", lang="en", gpus=(GpuAsk("H100"),), hours=Decimal(10), plans=("reserved",),
        budget=Money(Decimal(5000), "USD"),
    )  # fmt: skip
    answer = decide(asked, odd, AS_OF)
    assert "hastespot-h100-reserved" in {item.offer.id for item in answer.quotes if item.offer}
    assert "hastespot-h100-reserved" not in {row["offer"] for row in answer.parts["budget"]["rows"]}


def test_the_best_value_is_advised_in_the_order_of_its_value() -> None:
    """Where advice is asked by price per TFLOPS, a lower total moves no card up: only what a rule prefers may, within
    a tenth of the first by that figure."""
    known, _ = load(None)
    asked = Question(intent="recommend", lang="en", min_memory_gb=Decimal(24), hours=Decimal(10), sort="per_tflop")
    bare = replace(known, rules=())
    values = []
    for item in decide(asked, bare, AS_OF).quotes:
        tflops = tflops_of(item.offer, bare, None) if item.offer else None
        if not item.old and item.complete and tflops and item.usd_per_gpu_hour:
            values.append(item.usd_per_gpu_hour / tflops)
    assert len(values) > 10
    assert values == sorted(values)
