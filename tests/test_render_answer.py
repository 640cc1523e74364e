"""An answer as sentences, JSON and document, on the invented world "small"; every amount is worked out beside it."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from bot import ask, catalog
from bot.render.document import document
from bot.render.headline import headline
from bot.render.json import answer_json, plain
from bot.render.second_line import also
from bot.render.terminal import fitting, plain_lines, show, width
from rules.model import Answer, Catalog, Fired, Leftover, Place, Rule, Source, Text
from rules.wire import question_from_json

WORLDS = Path(__file__).parent / "worlds"
AS_OF = date(2026, 11, 30)
FOUR_A100 = {"intent": "cheapest", "lang": "en", "gpus": [{"model": "A100", "count": 4}], "hours": 72}


@cache
def small() -> Catalog:
    loaded, problems = catalog.load(WORLDS / "small")
    assert not catalog.errors(problems)
    return loaded


def answered(question: dict[str, Any], as_of: date = AS_OF, **changes: Any) -> Answer:
    return replace(ask.answer(question_from_json(question), small(), as_of), **changes)


# ---------------------------------------------------------------- headline


def test_the_headline_names_amount_provider_unit_and_age() -> None:
    """Whoever reads one line knows the answer: 1.50 × 4 × 72 = 432.00, + 4 % fee = 449.28, looked at 20 days ago."""
    answer = answered(FOUR_A100)
    assert headline(answer, "en") == (
        "Corrievane is cheapest: $449.28 for 72 h on 4 × A100 80 GB PCIe (price 20 days old, due for a check)"
    )
    assert headline(answer, "zh") == (
        "岭风最便宜：4 张 A100 80 GB PCIe 用 72 小时共 $449.28（20 天前的价格，需重新核对）"
    )


def test_without_hours_the_headline_is_per_hour() -> None:
    """24.00 a machine-hour over 8 GPUs is 3.00 per GPU-hour, looked at on 22 November."""
    answer = answered(
        {
            "intent": "price",
            "lang": "en",
            "gpus": [{"model": "H100", "count": 8, "form": "SXM"}],
            "providers": ["alderwick"],
        }
    )
    assert headline(answer, "en") == (
        "Alderwick charges $24.00 per hour for 8 × H100 80 GB SXM ($3.00 per GPU-hour; price 8 days old)"
    )


def test_a_price_older_than_180_days_is_only_the_last_known() -> None:
    """2.00 × 10 = 20.00, + 4 % = 20.80, looked at 204 days before."""
    answer = answered(
        {
            "intent": "cheapest", "lang": "en", "gpus": [{"model": "H100", "form": "PCIe"}], "hours": 10,
            "providers": ["corrievane"],
        }
    )  # fmt: skip
    assert headline(answer, "en") == (
        "Prices mostly out of date: 0 of 1 checked within 180 days. "
        "Corrievane, last known price: $20.80 for 10 h on 1 × H100 80 GB PCIe (price 204 days old, due for a check)"
    )
    assert headline(answer, "zh").startswith("价格大多已过时：1 条中仅 0 条在 180 天内核对过。岭风最近一次已知价格：")


def test_an_older_price_that_is_much_lower_stands_in_the_second_line() -> None:
    """Elmsgate costs 140.40, Corrievane's old 20.80 is 85 % less."""
    answer = answered({"intent": "cheapest", "lang": "en", "gpus": [{"model": "H100", "form": "PCIe"}], "hours": 10})
    assert "Corrievane would be lower at $20.80, but that price is 204 days old" in also(answer, "en")


def test_a_plan_that_is_not_sold_is_said_first() -> None:
    """Asked for spot, given on demand: the reader must not take it for spot."""
    answer = answered(
        {"intent": "cheapest", "lang": "en", "gpus": [{"model": "RTX4090"}], "hours": 30, "plans": ["spot"]}
    )
    # 0.30 × 48 = 14.40 EUR; + 10 EUR; × 1.08 = 26.352
    assert headline(answer, "en").startswith("No spot price was found; on demand instead: Elmsgate charges $26.35 ")
    assert headline(answer, "zh").startswith("没有竞价价格，改列按需：")


def test_stock_is_told_not_known_first() -> None:
    """No source says what is free now."""
    answer = answered(FOUR_A100, text="who has 4 A100s in stock for 72 h?")
    assert headline(answer, "en").startswith("Stock is not known: ")
    assert headline(replace(answer, text="哪家有4张A100现货"), "zh").startswith("库存未知：")


def test_a_comparison_says_who_is_lower_and_by_how_much() -> None:
    """2.00 × 4 × 20 = 160.00 against 29.60 × 20 = 592.00: 1 − 160/592 = 72.97 %."""
    answer = answered(
        {
            "intent": "compare", "lang": "en", "gpus": [{"model": "A100", "count": 4}], "hours": 20,
            "providers": ["bluestave", "alderwick"],
        }
    )  # fmt: skip
    assert headline(answer, "en") == (
        "Alderwick costs $160.00, Bluestave $592.00 for 20 h on 4 × A100: Alderwick is 73 % less (price 16 days old)"
    )
    assert headline(answer, "zh") == (
        "4 张 A100 用 20 小时：桤威云 $160.00，蓝栅云 $592.00，桤威云低 73 %（16 天前的价格）"
    )


def test_a_comparison_with_one_side_unknown_says_so() -> None:
    """Qingtan sells no L4; the other price alone is no comparison."""
    answer = answered(
        {
            "intent": "compare",
            "lang": "en",
            "gpus": [{"model": "L4"}],
            "hours": 10,
            "providers": ["bluestave", "qingtan"],
        }
    )
    assert headline(answer, "en") == (  # 0.70 × 10
        "Only Bluestave has a price for 10 h on L4: $7.00 (price 4 days old); none for Qingtan"
    )


def test_a_budget_is_answered_with_hours() -> None:
    """490 ÷ (1.50 × 4 × 1.04) = 78.5256 h, never rounded up."""
    answer = answered(
        {
            "intent": "budget", "lang": "en", "gpus": [{"model": "A100", "count": 4}],
            "budget": {"amount": 490, "currency": "USD"},
        }
    )  # fmt: skip
    assert headline(answer, "en").startswith("$490.00 lasts 78.52 h on 4 × A100 80 GB PCIe at Corrievane (")


def test_a_budget_with_hours_and_count_is_enough_or_not() -> None:
    """72 h on four A100s cost 449.28: 500 is enough with 50.72 left, 400 is 49.28 short."""
    asked = FOUR_A100 | {"intent": "budget"}
    enough = answered(asked | {"budget": {"amount": 500, "currency": "USD"}})
    short = answered(asked | {"budget": {"amount": 400, "currency": "USD"}})
    assert headline(enough, "en").startswith(
        "$500.00 is enough: 72 h on 4 × A100 80 GB PCIe cost $449.28 at Corrievane ($50.72 left"
    )
    assert headline(short, "en").startswith(
        "$400.00 is not enough: 72 h on 4 × A100 80 GB PCIe cost $449.28 at Corrievane, $49.28 more"
    )


def test_break_even_says_from_which_use_it_pays() -> None:
    """15.60 ÷ 24.00 = 65 %; 0.65 × 730 = 474.5 h; no on-demand price of the market is lower than 3.00."""
    answer = answered(
        {
            "intent": "break_even", "lang": "en", "gpus": [{"model": "H100", "count": 8, "form": "SXM"}],
            "plans": ["reserved_1y"], "providers": ["alderwick"],
        }
    )  # fmt: skip
    assert headline(answer, "en") == (
        "The 1-year commitment at Alderwick pays off above 65 % use (474.5 h a month); no on-demand price is lower"
    )


def test_nothing_matches_names_the_nearest_filter() -> None:
    """Three shapes of Alderwick fail at the region; anywhere its four cost 2.00 × 4 × 72 = 576.00."""
    answer = answered(FOUR_A100 | {"providers": ["alderwick"], "regions": ["jp"]})
    assert answer.status == "no_match"
    assert headline(answer, "en") == "Nothing matches 4 × A100 at Alderwick: outside the region asked (3 of 3)"
    assert also(answer, "en") == ["Without the limit on regions: Alderwick, $576.00"]


# ---------------------------------------------------------------- second line


def test_spot_is_recommended_at_its_expected_cost_only() -> None:
    """11.20 × 72 = 806.40 looks cheaper than 2131.20, but e^7.2 says that the run would not pay: nothing is said."""
    answer = answered(FOUR_A100 | {"providers": ["bluestave"]})
    assert answer.alternatives[0].quote.total_usd == Decimal("806.40")
    assert not any("spot" in sentence.lower() for sentence in also(answer, "en"))


def test_spot_that_saves_is_in_the_second_line_with_its_condition() -> None:
    """One hour: (1/0.1 + 0.5)(e^0.1 − 1) = 1.104295 h × 11.20 = 12.37 against 29.60, 58 % less."""
    answer = answered(FOUR_A100 | {"providers": ["bluestave"], "hours": 1})
    assert also(answer, "en")[0] == (
        "Spot at Bluestave: about $12.37 with the interruptions to expect (58 % less), if the job may be interrupted"
    )
    assert also(answer, "zh")[0] == "蓝栅云的竞价：计入预期中断约 $12.37（低 58 %），前提是任务可以被中断"


def test_asked_for_spot_the_interruptions_stand_beside_the_price() -> None:
    """11.20 × 10 = 112.00; (1/0.1 + 0.5)(e − 1) = 18.041959 h × 11.20 = 202.07."""
    answer = answered(
        {
            "intent": "price", "lang": "en", "gpus": [{"model": "A100", "count": 8}], "hours": 10, "plans": ["spot"],
            "providers": ["bluestave"],
        }
    )  # fmt: skip
    assert headline(answer, "en").startswith(
        "Bluestave has the lowest price: $112.00 for 10 h on 8 × A100 80 GB SXM, spot ("
    )
    assert also(answer, "en")[0] == "With the interruptions to expect: 18.04 h, $202.07"


def test_a_requirement_that_was_not_read_is_said_at_once() -> None:
    """What stands under "must" may decide; an ordinary leftover does not reach the second line."""
    answer = answered(FOUR_A100, unread=(Leftover("HIPAA", strong=True), Leftover("asap")))
    sentences = also(answer, "en")
    assert sentences[0] == "Not taken into account: “HIPAA”. Check it with the provider"
    assert "asap" not in "".join(sentences)
    assert document(answer, "en").not_used == "Not used: “HIPAA”, “asap”"


def test_a_quoted_price_is_held_against_the_first_quote() -> None:
    """Corrievane is 6.24 per hour: 7.00 is 0.76 above, 0.76 ÷ 6.24 = 12.18 %."""
    answer = answered(FOUR_A100 | {"quoted": {"amount": 7, "currency": "USD", "per": "hour"}})
    assert also(answer, "en")[0] == "Your price of $7.00 per hour is $0.76 (12.2 %) above Corrievane, $6.24"


def test_an_unknown_rate_is_said_and_is_no_zero() -> None:
    """Corrievane states no egress rate: the line is null, the sentence names it."""
    answer = answered(
        {
            "intent": "price", "lang": "en", "gpus": [{"model": "L4"}], "hours": 100, "data_gb": 50,
            "data_direction": "out", "providers": ["corrievane"],
        }
    )  # fmt: skip
    assert "Corrievane states no rate for transfer, so the total is without it" in also(answer, "en")
    transfer = answer_json(answer)["quotes"][0]["lines"][1]
    assert (transfer["item"], transfer["amount_usd"]) == ("transfer", None)


def test_two_sources_that_disagree_are_both_shown() -> None:
    """24.00 a machine against a broker's 2.80 a GPU."""
    answer = answered(
        {
            "intent": "price",
            "lang": "en",
            "gpus": [{"model": "H100", "count": 8, "form": "SXM"}],
            "providers": ["alderwick"],
        }
    )
    said = next(sentence for sentence in also(answer, "en") if "disagree" in sentence)
    assert said == (
        "Sources disagree on Alderwick: $24.00/machine-h was used; "
        "Broker comparison table says $2.80/GPU-h (2026-11-25)"
    )


# ---------------------------------------------------------------- asking back


def test_a_question_without_hardware_gets_complete_questions_to_pick() -> None:
    """What was said stays in them, and none holds a price."""
    answer = answered({"intent": "cheapest", "lang": "en", "clarify": True, "hours": 72})
    block = answer_json(answer)["ask"]
    assert block["text"] == "Which GPU is it for?"
    assert block["answers"][0] == "cheapest H100 for 72 hours"
    assert len(block["answers"]) == 5


def test_a_ready_answer_to_an_unknown_model_keeps_the_words() -> None:
    """Only the model changes."""
    answer = answered({"intent": "cheapest", "lang": "en", "hours": 10}, status="clarify")
    answer = replace(answer, unknown_models=(("H100Z", ("H100", "H200")),))
    answer = replace(answer, text="cheapest H100Z please, 10h")
    said = answer_json(answer)["ask"]
    assert said["text"] == "“H100Z” is not a GPU known here. Did you mean one of these?"
    assert said["answers"] == ["cheapest H100 please, 10h", "cheapest H200 please, 10h"]


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("intent", ["cheapest", "price", "budget", "compare", "recommend", "specs", "break_even"])
def test_every_ready_answer_is_read_without_asking_again(intent: str, lang: str) -> None:
    """A click on a ready answer leads to an answer."""
    answer = answered({"intent": intent, "lang": lang, "clarify": True})
    for text in answer_json(answer)["ask"]["answers"]:
        again = ask.parse(text, small()).question
        assert not again.clarify, text
        assert again.lang == lang, text


# ---------------------------------------------------------------- JSON


def test_the_object_has_its_keys_in_a_fixed_order() -> None:
    """A reader of the object finds everything where it was promised."""
    shown = answer_json(answered(FOUR_A100))
    assert list(shown) == [
        "question", "status", "as_of", "snapshot", "freshness", "headline", "also", "unread", "assumptions", "quotes",
        "alternatives", "left_out", "reasons", "conflicts", "sources",
    ]  # fmt: skip
    assert shown["question"] == FOUR_A100
    first = shown["quotes"][0]
    assert {
        "rank": 1, "offer": "corrievane-a100-80", "provider": "corrievane", "sku": "cv-a100", "gpu": "A100",
        "gpu_memory_gb": 80, "form": "PCIe", "gpus_per_machine": 4, "machines": 1, "gpus_paid": 4, "gpus_asked": 4,
        "idle_gpus": 0, "plan": "on_demand", "region": "eu-lupin-1", "hours": 72, "billed_hours": 72,
        "total_usd": 449.28, "usd_per_hour": 6.24, "usd_per_gpu_hour": 1.56, "age_days": 20, "stale": True,
        "price_line": "providers/corrievane.yaml:23", "sources": ["corrievane/listings"], "cautions": ["stale"],
    }.items() <= first.items()  # fmt: skip
    assert first["rate"] == {"amount": 1.5, "currency": "USD", "per": "gpu-hour"}
    assert [line["amount_usd"] for line in first["lines"]] == [432, 17.28]


def test_every_source_of_a_quote_is_listed() -> None:
    """A key that a quote names leads to a title and a date."""
    shown = answer_json(answered(FOUR_A100))
    listed = {source["key"] for source in shown["sources"]}
    assert listed >= {key for quote in shown["quotes"] for key in quote["sources"]}
    rules = {key for reason in shown["reasons"] for key in reason["sources"]}
    assert listed >= rules


def test_a_total_that_is_not_known_is_absent() -> None:
    """No hours, no total; null would read as a number that was looked for."""
    shown = answer_json(answered({"intent": "price", "lang": "en", "gpus": [{"model": "L4"}]}))
    assert all("total_usd" not in quote for quote in shown["quotes"])
    assert shown["assumptions"][-1]["text"] == "no duration, so prices are per hour"


def test_one_answer_is_said_in_both_languages() -> None:
    """Facts are the same; only sentences differ."""
    answer = answered(FOUR_A100)
    en, zh = answer_json(answer, "en"), answer_json(answer, "zh")
    words = ("headline", "also", "assumptions", "alternatives", "reasons", "conflicts")
    assert {key: value for key, value in en.items() if key not in words} == {
        key: value for key, value in zh.items() if key not in words
    }
    assert all(en[key] != zh[key] for key in words if en[key])


def test_a_chinese_answer_shows_yuan_with_the_dated_rate() -> None:
    """449.28 × 7.2 = 3234.816, half up to the cent."""
    shown = answer_json(answered(FOUR_A100 | {"lang": "zh"}))
    assert shown["quotes"][0]["total_shown"] == {"amount": 3234.82, "currency": "CNY"}
    assert shown["shown_in"]["rates"][0] | {"source": "", "seen": ""} == {
        "pair": "USD/CNY", "rate": 7.2, "from": "2026-01-01", "source": "", "seen": "",
    }  # fmt: skip
    assert "$449.28 (¥3,234.82)" in shown["headline"]


def test_the_object_is_json_whatever_is_asked() -> None:
    """No Decimal, date or text of two languages is left in it, in any intent."""
    for question in (
        FOUR_A100,
        FOUR_A100 | {"intent": "compare", "providers": ["alderwick", "bluestave"]},
        FOUR_A100 | {"intent": "recommend", "workloads": ["training"], "model_params_b": 7},
        {"intent": "specs", "lang": "zh", "gpus": [{"model": "A100"}], "model_params_b": 70},
        {"intent": "help", "lang": "zh"},
        {"intent": "digest", "lang": "en", "action": "show"},
        {"intent": "benchmark", "lang": "en", "action": "run"},
        {"intent": "unsupported", "lang": "en"},
    ):
        for lang in ("en", "zh"):
            shown = answer_json(answered(question), lang)
            assert json.loads(json.dumps(shown, allow_nan=False)) == shown
            assert shown["headline"]


def test_parts_are_rounded_by_the_name_of_their_key() -> None:
    """Amounts to the cent, all else to six decimals; half up."""
    third = Decimal(1) / 3
    assert plain({"left_usd": Decimal("0.005"), "rate": third, "text": Text("a", "甲"), "day": AS_OF}, "zh") == {
        "left_usd": 0.01, "rate": 0.333333, "text": "甲", "day": "2026-11-30",
    }  # fmt: skip


def test_a_rule_says_its_reason_with_the_facts() -> None:
    """{hours} is filled, a fact that is not known reads "?"."""
    rule = Rule(
        id="spot-on-long-runs", status="active", title=Text("Spot", "竞价"), when=(), when_places=(), effect="caution",
        because=Text("A {hours} h run on {who}.", "{who} 上 {hours} 小时的任务。"),
        sources=(Source("spot-on-long-runs-1", "Spot terms", "official"),), reviewed=AS_OF, place=Place("g.yaml", 1),
    )  # fmt: skip
    answer = answered(FOUR_A100, reasons=(Fired(rule, (), {"hours": Decimal(72)}),))
    assert answer_json(answer)["reasons"] == [
        {
            "rule": "spot-on-long-runs", "effect": "caution", "text": "A 72 h run on ?.",
            "sources": ["spot-on-long-runs/1"],
        }
    ]  # fmt: skip


# ---------------------------------------------------------------- document and terminal


def test_the_document_says_how_the_question_was_read() -> None:
    """Silences are said too."""
    answer = answered(FOUR_A100)
    assert document(answer, "en").reading == "Read as: 4 × A100, any memory, one machine, 72 h, on demand"
    assert document(answer, "zh").reading == "理解为：4 张 A100，显存不限，单台机器，72 小时，按需"


def test_every_button_changes_the_question_into_one_that_can_be_read() -> None:
    """A change is slots of the question, nothing else."""
    answer = answered(FOUR_A100)
    actions = document(answer, "zh").actions
    assert {"spot", "hours_730"} <= {action.key for action in actions}
    for action in actions:
        slots = {key: value for key, value in {**FOUR_A100, **action.change}.items() if value is not None}
        question_from_json(slots)


def test_the_first_line_is_the_answer_and_columns_are_aligned() -> None:
    """Plain text for pipes: no control sequences, and every cell of a column ends or begins in one place."""
    lines = plain_lines(document(answered(FOUR_A100), "en"))
    assert lines[0].startswith("Corrievane is cheapest: $449.28")
    assert "\x1b" not in "".join(lines)
    rows = [line for line in lines if line[:1] in "1234" and line[:1]]
    assert len({row.index(" GB ") for row in rows}) == 1
    assert [row.split()[1] for row in rows] == ["Corrievane", "Qingtan", "Alderwick", "Bluestave"]


def test_what_an_asker_typed_cannot_move_the_cursor() -> None:
    """A control sequence in a leftover is shown as blanks."""
    lines = plain_lines(document(answered(FOUR_A100, unread=(Leftover("\x1b[31mred\x07"),)), "en"))
    assert not any(ord(char) < 32 for line in lines for char in line)


def test_rows_beyond_eight_are_counted() -> None:
    """The first eight are shown, --all shows the rest."""
    answer = answered({"intent": "cheapest", "lang": "en", "gpus": [{"model": "A100"}, {"model": "H100"}], "hours": 10})
    many = len(answer.quotes)
    assert many > 8
    assert f"{many - 8} more row" in "\n".join(plain_lines(document(answer, "en")))
    assert "more row" not in "\n".join(plain_lines(document(answer, "en"), everything=True))


def test_a_narrow_terminal_keeps_what_decides() -> None:
    """Provider, hardware and total stay; a column that does not fit is left out rather than broken."""
    table = document(answered(FOUR_A100), "en").table
    assert table is not None
    rows = [row.cells for row in table.rows]
    kept = {space: [table.columns[n].key for n in fitting(table, rows, space)] for space in (200, 80, 60)}
    assert kept[200] == [column.key for column in table.columns]
    assert {"provider", "gpus", "total", "notes"} <= set(kept[60]) < set(kept[80]) < set(kept[200])


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("space", [20, 28, 34, 40, 48, 60, 80])
def test_a_total_is_never_cut(space: int, lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """However narrow the terminal, every total of the table stands whole in one line."""
    monkeypatch.setenv("COLUMNS", str(space))
    budget = {"intent": "budget", "gpus": [{"model": "A100", "count": 4}], "budget": {"amount": 490, "currency": "USD"}}
    for question in (FOUR_A100 | {"hours": 7200}, budget):
        shown = document(answered(question | {"lang": lang}), lang)
        assert shown.table is not None
        column = next(n for n, one in enumerate(shown.table.columns) if one.key == "total")
        out = Terminal()
        show(shown, out, everything=True)
        lines = re.sub(r"\x1b\[[0-9;]*m", "", out.getvalue()).splitlines()
        assert all(width(line) <= space for line in lines)
        for total in {figure for row in shown.table.rows for figure in re.findall(r"[$¥][\d.,]+", row.cells[column])}:
            assert any(re.search(rf"(?<![\w.,]){re.escape(total)}(?![\w.,])", line) for line in lines), total


def test_a_table_too_wide_for_the_terminal_is_read_row_by_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each cell stands under its title instead of a table whose lines are broken."""
    monkeypatch.setenv("COLUMNS", "40")
    out = Terminal()
    show(document(answered({"intent": "specs", "lang": "en", "gpus": [{"model": "A100"}]}), "en"), out)
    assert re.search(r"^    Memory: 40 GB$", re.sub(r"\x1b\[[0-9;]*m", "", out.getvalue()), re.MULTILINE)


def test_a_terminal_shows_a_table_and_the_answer_first() -> None:
    """Where the output is a terminal, colours are used and the first line is still the answer."""
    out = Terminal()
    show(document(answered(FOUR_A100), "en"), out)
    assert "Corrievane is cheapest: $449.28" in out.getvalue().splitlines()[0]
    assert "Bluestave" in out.getvalue()


def test_the_arithmetic_can_be_followed() -> None:
    """Each line shows its sum, and each price where it is written."""
    text = "\n".join(plain_lines(document(answered(FOUR_A100), "en"), explain=True))
    assert "Compute: 1.50 USD/gpu-hour × 4 × 72 h = 432 USD" in text
    assert "Price: 1.50 USD/gpu-hour (providers/corrievane.yaml:23; Corrievane listings, 2026-11-10)" in text
    assert "no longer offered: 1 (bluestave-a100-40-x8)" in text
