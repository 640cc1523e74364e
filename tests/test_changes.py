"""What would change an answer, on a small invented market; every sum is worked out beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from bot import ask, catalog
from bot.render.change_lines import change_text
from bot.render.document import document
from bot.render.json import answer_json
from bot.render.second_line import also
from bot.render.terminal import plain_lines
from rules.cost import expected_hours
from rules.model import Answer, Catalog, GpuAsk, Question
from rules.spot import break_even_rate

AS_OF = date(2026, 11, 30)
HEAD = """
name: {{en: {name}, zh: {zh}}}
kind: {kind}
recheck_days: 30
sources: {{page: {{kind: official, title: {name} prices, url: "https://{id}.example/prices"}}}}
offers:
"""
OFFER = """  - {{id: {id}, sku: {id}, gpu: {gpu}, memory_gb: {memory}, form: {form}, gpus: {gpus}, sold_as: machine,
     plan: {plan}, regions: [{region}], prices: [{{from: 2026-11-01, says: {says}, source: page, seen: {seen}}}]}}
"""


def change_lines(answer: Answer, lang: str) -> list[str]:
    """What would change an answer, as it is said."""
    return [change_text(answer, row, lang) for row in answer.parts["changes"]]


def provider(name: str, zh: str, kind: str, region: str, *offers: tuple[str, str, int, int, str, str]) -> str:
    """A file of one provider; an offer is (id, gpu, memory, GPUs of a machine, plan, price)."""
    ident = name.lower()
    text = f"id: {ident}" + HEAD.format(id=ident, name=name, zh=zh, kind=kind)
    for offer, gpu, memory, gpus, plan, says in offers:
        seen = "2026-05-01" if "old" in offer else "2026-11-20"
        form = "PCIe" if gpu.startswith("RTX") else "SXM" if gpu != "MI300X" else "null"
        text += OFFER.format(
            id=f"{ident}-{offer}", gpu=gpu, memory=memory, form=form, gpus=gpus, plan=plan, region=region,
            says=says, seen=seen,
        )  # fmt: skip
    return text.replace("form: null, ", "").replace("from: 2026-11-01, says: 0.10", "from: 2026-05-01, says: 0.10")


@pytest.fixture(scope="module")
def market(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    """Northern rents whole machines of eight in the US; Southern smaller and newer ones in Ireland."""
    folder = tmp_path_factory.mktemp("market")
    (folder / "providers").mkdir()
    files = {
        "northern": provider(
            "Northern", "北岭云", "specialist", "us-east-1",
            ("a100-x8", "A100", 80, 8, "on_demand", "16.00 USD/machine-hour"),
            ("a100-x8-spot", "A100", 80, 8, "spot", "6.40 USD/machine-hour"),
            ("a100-x8-month", "A100", 80, 8, "monthly", "8000 USD/machine-month"),
            ("l40s-old", "L40S", 48, 8, "on_demand", "0.10 USD/machine-hour"),
        ),
        "southern": provider(
            "Southern", "南湾云", "specialist", "eu-west-1",
            ("a100-x4", "A100", 80, 4, "on_demand", "10.00 USD/machine-hour"),
            ("a100-x1", "A100", 80, 1, "on_demand", "1.50 USD/machine-hour"),
            ("h100-x8", "H100", 80, 8, "on_demand", "24.00 USD/machine-hour"),
            ("mi300x-x8", "MI300X", 192, 8, "on_demand", "16.00 USD/machine-hour"),
        ),
        "bazaar": provider(
            "Bazaar", "集市云", "marketplace", "us-east-1",
            ("h200-x8", "H200", 141, 8, "on_demand", "4.00 USD/machine-hour"),
        ),
    }  # fmt: skip
    for name, text in files.items():
        (folder / "providers" / f"{name}.yaml").write_text(text, encoding="utf-8")
    loaded, problems = catalog.load(folder)
    assert [str(one) for one in catalog.errors(problems)] == []
    return loaded


def asked(market: Catalog, lang: str = "en", **slots: Any) -> Answer:
    count = slots.pop("count", 8)
    question = Question(
        "cheapest", lang, gpus=(GpuAsk("A100", count=Decimal(count)),), exclude_providers=("bazaar",),
    )  # fmt: skip
    return ask.answer(replace(question, **slots), market, AS_OF)


def rows(answer: Answer) -> dict[str, Mapping[str, Any]]:
    return {row["change"]: row for row in answer.parts.get("changes", ())}


def test_spot_is_a_change_with_the_rate_of_interruptions_up_to_which_it_pays(market: Catalog) -> None:
    """16 × 100 = 1,600 against 6.40 × 100 = 640, 60 % less; (e^x − 1) / x = 2.5 at x = 1.6188, so once in
    1 ÷ 1.6188 = 0.618 h with a save every hour, and once in 100 ÷ 1.6188 = 61.8 h when nothing is saved."""
    answer = asked(market, hours=Decimal(100), providers=("northern",), exclude_providers=())
    row = rows(answer)["spot"]
    assert (row["usd"], row["saves_usd"], row["percent"]) == (640, 960, 60)
    even = answer.parts["spot_break_even"][0]
    assert round(even["per_hour"], 4) == Decimal("1.6188")
    assert round(even["whole_per_hour"], 6) == Decimal("0.016188")
    assert (even["offer"], even["against"]) == ("northern-a100-x8-spot", "northern-a100-x8")
    assert also(answer, "en")[0] == (
        "Spot at Northern: $640.00 (60 % less), if the job may be interrupted; it stays cheaper while the job is "
        "stopped less than once in 62 h, or once in 0.62 h with a save every hour"
    )
    assert also(answer, "zh")[0] == (
        "北岭云的竞价：$640.00（低 60 %），前提是任务可以被中断；平均 62 小时以上才中断一次就仍然更便宜"
        "（每小时保存一次进度时为 0.62 小时）"
    )


@pytest.mark.parametrize(("ratio", "stretch", "restart"), [("2.5", "1", "0"), ("2.5", "100", "0.5"), ("1.2", "1", "2")])
def test_at_the_break_even_rate_a_spot_run_takes_exactly_that_much_longer(
    ratio: str, stretch: str, restart: str
) -> None:
    """The formula for the expected run (C11), fed with the rate, gives the ratio back."""
    rate = break_even_rate(Decimal(ratio), Decimal(stretch), Decimal(restart))
    assert rate is not None
    took = expected_hours(Decimal(100), rate, Decimal(restart), Decimal(stretch))
    assert took is not None
    assert abs(took / 100 - Decimal(ratio)) < Decimal("0.0001")


def test_spot_that_is_not_cheaper_has_no_break_even_rate() -> None:
    assert break_even_rate(Decimal(1), Decimal(1)) is None


def test_a_job_that_saves_is_told_the_rate_for_saving_alone(market: Catalog) -> None:
    answer = asked(
        market, hours=Decimal(100), providers=("northern",), exclude_providers=(), needs=("checkpointing",)
    )  # fmt: skip
    assert answer.parts["spot_break_even"][0]["whole_per_hour"] is None
    assert (
        "with a save every hour it stays cheaper while the job is stopped less than once in 0.62 h"
        in also(answer, "en")[0]
    )


def test_a_month_is_a_change_when_the_job_nearly_fills_it(market: Catalog) -> None:
    """16 × 600 = 9,600 against 8,000 for the month: 16.67 % less."""
    answer = asked(market, hours=Decimal(600), providers=("northern",), exclude_plans=("spot",), exclude_providers=())
    row = rows(answer)["monthly"]
    assert (row["usd"], row["saves_usd"], round(row["percent"], 2)) == (8000, 1600, Decimal("16.67"))
    assert "Monthly at Northern: $8,000.00 (17 % less), if you pay whole months" in also(answer, "en")


def test_idle_gpus_at_work_end_the_job_sooner(market: Catalog) -> None:
    """Four of eight idle: 16 × 72 = 1,152; on all eight the work takes 36 h, 16 × 36 = 576."""
    answer = asked(market, count=4, hours=Decimal(72), providers=("northern",), exclude_providers=())
    row = rows(answer)["use-idle"]
    assert (row["usd"], row["percent"], row["hours"], row["gpus"]) == (576, 50, 36, 8)
    assert (
        "Put all 8 GPUs of Northern to work: if the job scales, it ends after 36 h and costs $576.00, 50 % less"
        in change_lines(answer, "en")
    )
    assert "把北岭云的 8 张卡全用上：任务若能线性扩展，36 小时就能跑完，共 $576.00，低 50 %" in change_lines(
        answer, "zh"
    )


def test_idle_gpus_at_work_do_not_shrink_the_data(market: Catalog) -> None:
    """No rate for transfer is known here, so the total is not complete and nothing is promised."""
    answer = asked(
        market, count=4, hours=Decimal(72), providers=("northern",), exclude_providers=(), data_gb=Decimal(5)
    )
    assert rows(answer) == {}


def test_several_machines_and_another_region_are_changes(market: Catalog) -> None:
    """In the US 16 × 72 = 1,152; anywhere 10 × 72 = 720 (37.5 % less); split in four 4 × 1.50 × 72 = 432 there."""
    here = asked(market, count=4, hours=Decimal(72), regions=("us",))
    region = rows(here)["region"]
    assert (region["offer"], region["usd"], region["percent"]) == ("southern-a100-x4", 720, Decimal("37.5"))
    anywhere = asked(market, count=4, hours=Decimal(72))
    several = rows(anywhere)["several-machines"]
    assert (several["offer"], several["machines"], several["usd"]) == ("southern-a100-x1", 4, 432)
    assert "Drop the limit on regions: Southern costs $720.00 in eu-west-1, 37 % less" in change_lines(here, "en")
    assert "不限地区：南湾云（eu-west-1）为 $720.00，低 37 %" in change_lines(here, "zh")


def test_another_card_is_compared_by_dense_peak_and_by_bandwidth(market: Catalog) -> None:
    """A100 80 GB SXM: 312 TFLOPS, 2,039 GB/s; H100 SXM: 989.5 and 3,350. 100 h become 312 ÷ 989.5 = 31.53 or
    2,039 ÷ 3,350 = 60.87; at 24 an hour 756.75 to 1,460.78, against 1,600: 8.7 % less at the least."""
    answer = asked(market, hours=Decimal(100), exclude_gpus=("MI300X",), exclude_plans=("spot",))
    row = rows(answer)["gpu"]
    assert (row["gpu"], row["gpus"], row["drop_in"]) == ("H100", 8, True)
    assert [round(row[key], 2) for key in ("low_hours", "hours")] == [Decimal("31.53"), Decimal("60.87")]
    assert [round(row[key], 2) for key in ("low_usd", "usd")] == [Decimal("756.75"), Decimal("1460.78")]
    assert round(row["percent"], 1) == Decimal("8.7")
    assert change_lines(answer, "en")[-1] == (
        "Take 8 × H100 80 GB at Southern instead: by dense TFLOPS and memory bandwidth the same work takes 32 to 61 h "
        "and costs $756.75 to $1,460.78, at least 8 % less"
    )


def test_a_card_with_another_software_stack_is_no_drop_in(market: Catalog) -> None:
    """MI300X: 1,307.4 TFLOPS, 5,300 GB/s. 100 × 2,039 ÷ 5,300 = 38.47 h at 16 = 615.55; the H100 stands beside it."""
    answer = asked(market, hours=Decimal(100), exclude_plans=("spot",))
    row, other = (row for row in answer.parts["changes"] if row["change"] == "gpu")
    assert (row["gpu"], row["drop_in"], round(row["usd"], 2)) == ("MI300X", False, Decimal("615.55"))
    assert (other["gpu"], other["drop_in"]) == ("H100", True)
    assert change_lines(answer, "en")[0].endswith("not a drop-in: it has another software stack")
    assert change_lines(answer, "zh")[0].endswith("软件栈不同，不能直接替换")


def test_no_change_breaks_what_the_question_rules_out(market: Catalog) -> None:
    """Bazaar's H200 would do the work for a tenth, but the asker, or a rule about the team, has ruled it out."""
    allowed = asked(market, hours=Decimal(100), exclude_providers=())
    assert rows(allowed)["gpu"]["provider"] == "bazaar"
    assert "bazaar" not in {row["provider"] for row in asked(market, hours=Decimal(100)).parts["changes"]}
    no_ops = asked(market, hours=Decimal(100), exclude_providers=(), team=("no_ops",))
    assert "bazaar" not in {row["provider"] for row in no_ops.parts["changes"]}
    limited = asked(market, hours=Decimal(100), needs=("no_interruption",))
    assert "spot" not in rows(limited)


def test_a_card_with_less_memory_or_an_old_price_is_no_change(market: Catalog) -> None:
    """Northern's L40S costs next to nothing, but has 48 GB and a price from May."""
    answer = asked(market, hours=Decimal(100), exclude_gpus=("MI300X", "H100"))
    assert "gpu" not in rows(answer)


def test_without_a_total_nothing_is_promised(market: Catalog) -> None:
    assert rows(asked(market)) == {}


def test_at_most_three_changes_and_the_one_that_saves_most_first(market: Catalog) -> None:
    """Four machines of one (62.5 % off 1,152 …) are more than three changes."""
    answer = asked(market, count=4, hours=Decimal(600), regions=("us",))
    shown = answer.parts["changes"]
    assert len(shown) == 3
    assert [row["percent"] for row in shown] == sorted((row["percent"] for row in shown), reverse=True)


def test_the_changes_stand_in_the_answer_and_in_the_object_in_both_languages(market: Catalog) -> None:
    """A line of the object is said as in the terminal; the one of the second line is not said twice."""
    answer = asked(market, hours=Decimal(100))
    for lang, title in (("en", "What would change this answer"), ("zh", "换个条件会怎样")):
        lines = plain_lines(document(answer, lang))
        shown = answer_json(answer, lang)["changes"]
        assert title in lines
        assert [row["text"] for row in shown] == change_lines(answer, lang)
        assert f"  {shown[1]['text']}" in lines or f"  {shown[0]['text']}" in lines
        spot = next(row for row in shown if row["change"] == "spot")
        assert f"  {spot['text']}" not in lines


def test_a_change_moves_no_price_and_no_rank(market: Catalog) -> None:
    """The quotes are the same with and without what could be changed."""
    answer = asked(market, hours=Decimal(100))
    assert [(q.offer.id if q.offer else "", q.total_usd) for q in answer.quotes] == [
        ("northern-a100-x8", Decimal(1600)),  # 16 × 100
        ("southern-a100-x4", Decimal(2000)),  # 2 machines × 10 × 100
    ]
