"""Legal but seldom entries and questions, in the world "odd" and in folders written on the spot."""

from __future__ import annotations

from datetime import date
from decimal import Decimal, localcontext
from pathlib import Path

import pytest

from bot.catalog import load
from rules.decide import decide
from rules.model import Answer, Catalog, GpuAsk, Question

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
