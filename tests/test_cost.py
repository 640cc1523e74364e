"""What one offer costs, to the cent, with the arithmetic beside each figure."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from itertools import pairwise
from pathlib import Path

import pytest

from bot.catalog import load
from bot.render.headline import headline
from rules.cost import billed_hours, expected_hours, started
from rules.decide import decide
from rules.fit import cards, need
from rules.model import Answer, Billing, Catalog, Discount, GpuAsk, Place, Question
from rules.wire import number, round_half_up

AS_OF = date(2026, 11, 30)
SMALL = Path(__file__).parent / "worlds" / "small"


@pytest.fixture(scope="module")
def small() -> Catalog:
    catalog, problems = load(SMALL, [])
    assert [str(p) for p in problems if p.level == "error"] == []
    return catalog


def ask(catalog: Catalog, **slots: object) -> Answer:
    return decide(Question(intent="cheapest", lang="en", **slots), catalog, AS_OF)  # type: ignore[arg-type]


def a100(count: int) -> tuple[GpuAsk, ...]:
    return (GpuAsk("A100", count=Decimal(count)),)


@pytest.mark.parametrize(
    ("hours", "billed"),
    [
        ("1.5", "2"),  # a started hour is paid
        ("2", "2"),
        ("2.0000005", "2"),  # half a millionth over is not a started step
        ("2.000002", "3"),
        ("0.2", "1"),
        ("0.0000001", "1"),  # but whoever rents at all has started one
    ],
)
def test_hours_are_rounded_up_to_the_step(hours: str, billed: str) -> None:
    assert billed_hours("on_demand", Billing("hour", Decimal(1), Decimal(0)), Decimal(hours)) == Decimal(billed)


@pytest.mark.parametrize(("plan", "owed"), [("reserved_1y", 8760), ("reserved_3y", 26280), ("monthly", 730)])
def test_a_commitment_is_owed_whole_however_short_the_job(plan: str, owed: int) -> None:
    assert billed_hours(plan, Billing("hour", Decimal(1), Decimal(0)), Decimal("0.0000001")) == owed


def test_minutes_are_exact_sixtieths() -> None:
    """61.25 h are 3,675 minutes."""
    assert billed_hours("on_demand", Billing("minute", Decimal(1) / 60, Decimal(0)), Decimal("61.25")) == Decimal(
        "61.25"
    )


def test_the_minimum_and_an_unknown_step() -> None:
    assert billed_hours("on_demand", Billing("day", Decimal(24), Decimal(48)), Decimal(3)) == 48
    assert billed_hours("on_demand", Billing(), Decimal("3.3")) == Decimal("3.3")


def test_commitments_are_whole_terms() -> None:
    assert billed_hours("reserved_1y", Billing("minute", Decimal(1) / 60, Decimal(0)), Decimal(72)) == 8760
    assert billed_hours("reserved_1y", Billing(), Decimal(8761)) == 17520  # a second year has started
    assert billed_hours("monthly", Billing(), Decimal(800)) == 1460


def test_spot_expectation_follows_the_formula() -> None:
    """(1/0.1 + 0.5)(e - 1) = 10.5 × 1.718281828 = 18.041959 for ten hours without a save."""
    without = expected_hours(Decimal(10), Decimal("0.1"), Decimal("0.5"), Decimal(10))
    assert without is not None
    assert round_half_up(without, 6) == Decimal("18.041959")
    # ten stretches of one hour: 10 × 10.5 × (e^0.1 - 1) = 105 × 0.105170918 = 11.042946
    saved = expected_hours(Decimal(10), Decimal("0.1"), Decimal("0.5"), Decimal(1))
    assert saved is not None
    assert round_half_up(saved, 6) == Decimal("11.042946")


def test_a_run_that_is_not_expected_to_end_has_no_expectation() -> None:
    assert expected_hours(Decimal(1001), Decimal("0.1"), Decimal("0.5"), Decimal(1001)) is None
    assert expected_hours(Decimal(1000), Decimal("0.1"), Decimal("0.5"), Decimal(1000)) is not None  # λc is exactly 100


def test_a_rate_of_no_interruptions_takes_the_hours_themselves() -> None:
    assert expected_hours(Decimal(7), Decimal(0), Decimal("0.5"), Decimal(7)) == 7


def test_started_counts_steps() -> None:
    assert [started(Decimal(h), Decimal(24)) for h in (0, 1, 24, 25)] == [0, 1, 1, 2]


def test_a_half_cent_is_rounded_up_once() -> None:
    assert round_half_up(Decimal("2.345"), 2) == Decimal("2.35")
    assert round_half_up(Decimal(1) / 3 * 3 * Decimal("0.005"), 2) == Decimal(
        "0.01"
    )  # 0.00499… of a division is still a half
    assert number(Decimal("4.0")) == 4


def test_more_hours_never_cost_less(small: Catalog) -> None:
    """Each offer's total grows with the hours, through every step, month and fee."""
    totals: dict[str, list[Decimal]] = {}
    for hours in (1, 2, 23, 24, 25, 72, 729, 730, 731, 1460, 8759):
        for quote in ask(small, gpus=a100(1), hours=Decimal(hours)).quotes:
            assert quote.offer is not None
            assert quote.total_usd is not None
            totals.setdefault(quote.offer.id, []).append(quote.total_usd)
    assert len(totals) >= 4
    for rows in totals.values():
        assert all(a <= b for a, b in pairwise(rows))


def test_more_gpus_never_cost_less_at_one_provider(small: Catalog) -> None:
    cheapest: dict[str, list[Decimal]] = {}
    for count in range(1, 20):
        seen: dict[str, Decimal] = {}
        for quote in ask(small, gpus=a100(count), hours=Decimal(10)).quotes:
            assert quote.total_usd is not None
            seen.setdefault(quote.provider, quote.total_usd)
        for provider, total in seen.items():
            cheapest.setdefault(provider, []).append(total)
    for provider, rows in cheapest.items():
        if provider != "alderwick":  # sells two larger shapes at a lower rate, on purpose
            assert all(a <= b for a, b in pairwise(rows)), provider


def test_every_quote_reaches_its_sources(small: Catalog) -> None:
    answer = ask(small, gpus=a100(4), hours=Decimal(72), data_gb=Decimal(500), storage_gb=Decimal(100))
    keys = {use.key for use in answer.sources}
    for quote in answer.quotes:
        for line in quote.lines:
            if line.used is not None:
                assert f"{quote.provider}/{line.used.line.source.key}" in keys


def test_the_order_of_the_offers_changes_nothing(small: Catalog) -> None:
    turned = replace(small, by_gpu={model: tuple(reversed(rows)) for model, rows in small.by_gpu.items()})
    mine, theirs = (ask(world, gpus=a100(4), hours=Decimal(72)) for world in (small, turned))
    assert mine.quotes == theirs.quotes
    assert [a.quote.offer for a in mine.alternatives] == [a.quote.offer for a in theirs.alternatives]


def test_lines_add_up_to_the_total(small: Catalog) -> None:
    for quote in ask(small, gpus=a100(3), hours=Decimal("33.3"), data_gb=Decimal(250), storage_gb=Decimal(70)).quotes:
        assert quote.total_usd is not None
        parts = sum((line.amount_usd or Decimal(0) for line in quote.lines), Decimal(0))
        assert round_half_up(quote.total_usd, 12) == round_half_up(parts, 12)


def test_a_discount_of_the_team_lowers_only_its_provider(small: Catalog) -> None:
    """2.00 × 4 × 72 = 576.00; 10 % off is 518.40."""
    ours = replace(small, discounts=(Discount("alderwick", Decimal(10), Place("overlay.yaml", 1)),))
    before = {q.provider: q.total_usd for q in ask(small, gpus=a100(4), hours=Decimal(72)).quotes}
    after = {q.provider: q.total_usd for q in ask(ours, gpus=a100(4), hours=Decimal(72)).quotes}
    assert before.pop("alderwick") == 576
    assert after.pop("alderwick") == Decimal("518.4")
    assert before == after
    [line] = next(q for q in ask(ours, gpus=a100(4), hours=Decimal(72)).quotes if q.provider == "alderwick").lines
    assert str(line.formula).endswith("× 72 h × (1 − 10 %) = 518.4 USD")


def test_accounts_are_ranked_first_as_a_group(small: Catalog) -> None:
    ours = replace(small, accounts=("bluestave",))
    assert ask(ours, gpus=a100(4), hours=Decimal(72)).quotes[0].provider == "bluestave"


def test_an_account_that_is_first_is_not_called_the_cheapest_of_all(small: Catalog) -> None:
    """Bluestave's 2131.20 stands before Alderwick's 576.00: the sentence says among which it is the cheapest."""
    ours = replace(small, accounts=("bluestave",))
    answer = ask(ours, gpus=a100(4), hours=Decimal(72))
    assert headline(answer, "en").startswith("Of the clouds where you have an account, ")
    assert headline(answer, "zh").startswith("在你们已有账号的云中，")
    alone = ask(ours, gpus=a100(4), hours=Decimal(72), providers=("bluestave",))
    assert "account" not in headline(alone, "en")


def test_training_state_is_eighteen_bytes_a_parameter() -> None:
    """7 × 18 = 126 GB, two cards of 80 GB; 100 × 18 = 1,800 GB, 22.5 → 23 cards."""
    assert need(Decimal(7), "training").need_gb == 126
    assert cards(Decimal(126), Decimal(80)) == 2
    assert cards(need(Decimal(100), "training").need_gb, Decimal(80)) == 23


def test_weights_alone_of_175_billion_half_floats_are_350_gb() -> None:
    assert need(Decimal(175), "inference").floor_gb == 350
    assert need(Decimal(175), "inference", "int4").floor_gb == Decimal("87.5")
