"""A record in words: both languages, the same slots, both percentages, and nothing of a host that moves a cursor."""

from __future__ import annotations

import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from bench.events import links_of, run_on

from bot.bench.verdict import OUTCOMES, collect, judge, record
from bot.render import bench
from bot.render.bench import SENTENCES
from rules.load import read_folder
from rules.model import Accelerator

TABLE: dict[str, Accelerator] = dict(
    read_folder(Path(__file__).parent.parent / "knowledge", check_clauses=False, accelerators=True)[0].accelerators
)
H100, H200 = TABLE["nvidia-h100-sxm5-80gb"], TABLE["nvidia-h200-sxm"]
SLOT = re.compile(r"\{(\w+)(?::[^{}]*)?\}")
HAN = re.compile(r"[\u4e00-\u9fff]")
# Names, signs of units and what is typed as it stands.
NAMES = set(
    """GPU CPU TFLOPS GB MHz W C SM PCI PCIe MIG GeForce Python torch fp16 fp32 fp64 fp8 fp4 int8 int4 python en zh all
    NVLink NCCL MiB reduce
    gpu bot bench hosts test add host key list kb show check script USER HOST PORT PROVIDER ssh ed25519 AAAA gpus s"""
    .split()
)  # fmt: skip


def lines(card: Accelerator, tflops: float, lang: str = "en", **more: Any) -> list[str]:
    claim = more.pop("claim", None)
    run = collect(run_on(card, tflops, **more))
    return list(bench.report_lines(record(judge(run, TABLE, claim=claim), run, host="box"), lang))


def test_every_sentence_stands_in_both_languages() -> None:
    """No key lacks a language, and both say the same slots."""
    assert [key for key, pair in SENTENCES.items() if len(pair) != 2 or not all(text.strip() for text in pair)] == []
    differ = {key: pair for key, pair in SENTENCES.items() if set(SLOT.findall(pair[0])) != set(SLOT.findall(pair[1]))}
    assert differ == {}


def test_no_language_leaks_into_the_other() -> None:
    """English without Han characters; Chinese without English words, names aside."""
    assert [key for key, (en, _) in SENTENCES.items() if HAN.search(en)] == []
    left = {key: set(re.findall(r"[A-Za-z]+\d*", SLOT.sub("", zh))) - NAMES for key, (_, zh) in SENTENCES.items()}
    assert {key: words for key, words in left.items() if words} == {}


def test_every_outcome_has_its_words() -> None:
    """In the headline and in the table of a node."""
    assert {f"{prefix}.{one}" for one in OUTCOMES for prefix in ("verdict", "verdict.short")} - set(SENTENCES) == set()


def test_a_healthy_card_says_both_percentages() -> None:
    """789.1 of 989.5 is 79.7 %, and healthy cards reach 79.7 % of it."""
    said = lines(H200, 789.1)
    assert said[0] == "HEALTHY: 789.1 TFLOPS bf16 on NVIDIA H200 (box)"
    assert said[1] == "100 % of the 789.1 TFLOPS that healthy cards of this model reach (several steady readings)"
    assert said[2] == ("79.7 % of the dense datasheet figure of 989.5; healthy cards of this model reach 79.7 % of it")
    assert said[-1] == "Consistent with what was sold; a host that lies about itself is not ruled out"


def test_a_sparse_claim_is_named() -> None:
    """The vendor's 1979 is explained, never divided by."""
    said = lines(H100, 784.0, claim=Decimal(1979))
    assert (
        "The vendor's 1,979 is the sparse (2:4), fp8 or int8 figure; dense 989.5, healthy cards reach 783.7, "
        "this one 784" in said
    )


def test_chinese_reads_naturally() -> None:
    """The same facts, in Chinese."""
    said = lines(H200, 500.0, "zh", steady={"mean_mhz": 1000.0, "throttle": {"power-cap": 1.0}})
    assert said[0] == "不合格：NVIDIA H200（box）实测 bf16 500 TFLOPS"
    assert said[1] == "达到同型号健康卡水平（789.1 TFLOPS）的 63.4 %（多次稳态实测）"  # 500 / 789.1 = 0.6336
    assert "100 % 的时间被限制：功率上限（最高 62 °C）" in said


def test_a_node_has_a_table_and_names_the_gpu() -> None:
    """Each GPU has a row; what is wrong with one carries its number."""
    said = lines(H200, 800.0, gpus=4, rates={2: 500.0})
    assert any(one.startswith("GPU 2: It reaches 62.5 % of the best GPU") for one in said)  # 500 / 800
    assert sum(bool(re.match(r"\s+[0-3]  ", one)) for one in said) == 4


def test_what_is_between_gpus_is_said_and_shown() -> None:
    """The range, the sum over all, and a matrix by sender and receiver."""
    more = links_of(3, 391.2, {(2, 1): 372.0}, bus=470.4)
    said = lines(H200, 789.0, gpus=3, more=more)
    assert "Copies between GPUs reach 372 to 391 GB/s" in said
    assert "All-reduce over 3 GPUs by NCCL 2.27.3: 470 GB/s on the bus (1,024 MiB each)" in said
    at = said.index("Copies between GPUs, GB/s (row → column)")
    assert [one.split() for one in said[at + 1 : at + 5]] == [
        ["→", "0", "→", "1", "→", "2"], ["0", "-", "391", "391"], ["1", "391", "-", "391"], ["2", "391", "372", "-"],
    ]  # fmt: skip
    chinese = lines(H200, 789.0, "zh", gpus=3, more=more)
    assert "GPU 之间的拷贝为 372 到 391 GB/s" in chinese
    assert "3 个 GPU 的 all-reduce（NCCL 2.27.3，每卡 1,024 MiB）：总线带宽 470 GB/s" in chinese
    assert not any("GPUs" in one for one in lines(H200, 789.0))


def test_a_slow_link_is_named_with_what_the_others_reach() -> None:
    """24.1 of 391.2 is 6.2 %."""
    more = links_of(4, 391.2, {(2, 1): 24.1}, bus=120.0)
    assert "The copy from GPU 2 to GPU 1 reaches 24.1 GB/s, 6.2 % of the 391 of the other pairs" in lines(
        H200, 789.0, gpus=4, more=more
    )
    assert "GPU 2 到 GPU 1 的拷贝为 24.1 GB/s，只有其他各对（391）的 6.2 %" in lines(
        H200, 789.0, "zh", gpus=4, more=more
    )


def test_copies_through_the_host_are_said() -> None:
    """For all pairs in one sentence, for some by name, of which six at most."""
    every = links_of(2, 11.0, peer=False)
    assert "No GPU reaches another's memory directly: copies go through the host" in lines(
        H200, 789.0, gpus=2, more=every
    )
    some = [{**one, "peer": one["from"] == 0} for one in links_of(4, 50.0)]
    assert "Without direct access, so through the host: 1 → 0, 1 → 2, 1 → 3, 2 → 0, 2 → 1, 2 → 3 and 3 more" in lines(
        H200, 789.0, gpus=4, more=some
    )


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_remark_between_gpus_has_its_words(lang: str) -> None:
    """No key and no empty slot is shown, whatever a host says why."""
    more = [
        *links_of(2, 391.0), {"ev": "link", "from": 1, "to": 0, "error": "no way\x1b"},
        {"ev": "skipped", "step": "links", "why": "time"}, {"ev": "skipped", "step": "all_reduce", "why": "died"},
    ]  # fmt: skip
    said = lines(H200, 789.0, lang, gpus=2, more=more)
    assert not [one for one in said if "link." in one or "links." in one or "?" in one or "\x1b" in one]
    wanted = {
        "en": ["The copy from GPU 1 to GPU 0 failed: no way", "Not every pair of GPUs was measured: the time was up",
               "The all-reduce was not measured: the measuring process died"],
        "zh": ["GPU 1 到 GPU 0 的拷贝失败：no way", "没有测完所有 GPU 对：时间已到",
               "没有测量 all-reduce：测量进程死亡"],
    }  # fmt: skip
    assert [one for one in wanted[lang] if not any(line.startswith(one) for line in said)] == []


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_what_a_host_sends_moves_no_cursor(lang: str) -> None:
    """Escape sequences and endless names are made harmless."""
    evil = {"name": "NVIDIA\x1b[2J\nH200" + "x" * 999}
    for one in lines(H200, 789.0, lang, facts=evil):
        assert "\x1b" not in one
        assert "\n" not in one
        assert len(one) < 400


def test_a_lost_run_has_no_rate() -> None:
    """A state stands where no reading is."""
    run = collect([])
    made = record(judge(run, TABLE), run, state="lost", host="box")
    assert bench.headline(made, "en") == "No reading (box): the connection was lost"
    assert bench.headline(made, "zh") == "没有测得结果（box）：连接中断"
