"""The table of accelerators: read strictly, joined with the table of GPUs, and true to its own arithmetic."""

from __future__ import annotations

import shutil
from collections import Counter
from decimal import Decimal
from pathlib import Path

import pytest

from rules.load import read_folder
from rules.model import Accelerator, Catalog, Problem

ROOT = Path(__file__).parent.parent
KNOWLEDGE = ROOT / "knowledge"
SMALL = Path(__file__).parent / "worlds" / "small"

GPUS = """
- model: Q7
  vendor: Quill
  variants:
    - id: quill-q7
      memory_gb: 40
      peaks: {fp16: 100}
      expect: {fp16: 80}
      source: {kind: official, title: Q7 sheet}
"""
HEAD = """
sources:
  sheet: {kind: official, title: Q7 sheet}
classes:
- {class: slow, low: 0.5, high: 0.7}
accelerators:
"""


@pytest.fixture(scope="module")
def table() -> dict[str, Accelerator]:
    catalog, problems = read_folder(KNOWLEDGE, check_clauses=False, accelerators=True)
    assert [str(one) for one in problems if one.place.file == "accelerators.yaml"] == []
    return dict(catalog.accelerators)


def read(tmp_path: Path, cards: str, *, gpus: str = GPUS) -> tuple[Catalog, list[str]]:
    folder = tmp_path / "world"
    shutil.copytree(SMALL, folder)
    (folder / "gpus.yaml").write_text(gpus, "utf-8")
    (folder / "accelerators.yaml").write_text(HEAD + cards, "utf-8")
    catalog, problems = read_folder(folder, check_clauses=False, accelerators=True)
    return catalog, [str(one) for one in problems if one.place.file == "accelerators.yaml"]


# ---------------------------------------------------------------- reading


def test_a_card_has_the_figures_of_its_variant(tmp_path: Path) -> None:
    """Memory, peaks and expected rates are written once, in gpus.yaml."""
    catalog, problems = read(
        tmp_path,
        '- {id: quill-q7, device_names: [Quill Q7], pci_ids: ["00a1"], class: slow, '
        "expect_from: {fp16: {readings: 2, kind: steady, sources: [sheet]}}}",
    )
    assert problems == []
    [card] = catalog.accelerators.values()
    assert (card.model, card.variant.memory_gb, card.variant.expect) == ("Q7", Decimal(40), {"fp16": Decimal(80)})
    assert card.basis["fp16"].tier == "A"
    assert card.typical is not None
    assert card.typical.high == Decimal("0.7")


@pytest.mark.parametrize(
    ("card", "sentence"),
    [
        ("- {id: quill-q8}", "gpus.yaml has no variant quill-q8; write its id there, or its `name` and"),
        ("- {id: quill-q7, sm: 3}", "an accelerator has no key `sm`"),
        ("- {id: quill-q7, sms: many}", "`sms: many` is not a number"),
        ("- {id: quill-q7, pci_ids: [0xA1]}", "`0xA1` is no PCI id; write four hexadecimal digits"),
        ("- {id: quill-q7, class: slov}", "`class: slov` is not known; one of slow; did you mean slow?"),
        ("- {id: quill-q7, sources: [shet]}", "source `shet` is not declared; add it to `sources`"),
        ("- {id: quill-q7, expect_from: {bf16: {readings: 1, kind: steady}}}", "quill-q7 has no expected bf16 rate"),
        ("- {id: quill-q7, expect_from: {fp16: {readings: 1, kind: peak}}}", "`kind: peak` is not known"),
        ("- {id: quill-q7, name: Q7, figures: {memory_gb: 3}}", "the figures of quill-q7 stand in gpus.yaml"),
        ("- {id: quill-q9, name: Q9, figures: {peaks: {fp16: 3}}}", "figures of quill-q9 have no source"),
        ("- {id: quill-q7}\n- {id: quill-q7}", "accelerator quill-q7 is already at accelerators.yaml:7"),
    ],
)  # fmt: skip
def test_every_mistake_has_its_sentence_and_its_line(tmp_path: Path, card: str, sentence: str) -> None:
    """A mistake is said with file and line, and what would be right."""
    _, problems = read(tmp_path, card)
    line = 8 if "\n" in card else 7  # HEAD has six lines
    assert [one for one in problems if one.startswith(f"accelerators.yaml:{line}: {sentence}")], problems


def test_another_table_of_gpus_passes_over_cards_it_lacks(tmp_path: Path) -> None:
    """A world with its own GPUs does not complain about the packaged table of accelerators."""
    folder = tmp_path / "world"
    shutil.copytree(SMALL, folder)
    (folder / "gpus.yaml").write_text(GPUS, "utf-8")
    catalog, problems = read_folder(folder, packaged=KNOWLEDGE, check_clauses=False, accelerators=True)
    assert [one for one in problems if one.place.file == "accelerators.yaml"] == []
    assert "nvidia-h200-sxm" not in catalog.accelerators
    assert "nvidia-a2" in catalog.accelerators  # has its own figures


def test_an_answer_does_not_pay_for_the_table() -> None:
    """Answering reads neither the file nor counts it: the snapshot of what was known is the same."""
    without: tuple[Catalog, tuple[Problem, ...]] = read_folder(KNOWLEDGE, check_clauses=False)
    with_it, _ = read_folder(KNOWLEDGE, check_clauses=False, accelerators=True)
    assert without[0].accelerators == {}
    assert without[0].snapshot == with_it.snapshot


# ---------------------------------------------------------------- what the packaged table says


def test_every_peak_is_derived_within_one_and_a_half_percent(table: dict[str, Accelerator]) -> None:
    """Dense fp16 (bf16 where there is no fp16) = SMs × FLOP per clock and SM × boost clock."""
    off = {}
    for card in table.values():
        peak = card.variant.peaks.get("fp16") or card.variant.peaks.get("bf16")
        if peak is None or None in (card.sms, card.flop_per_clk_sm, card.boost_mhz):
            continue
        derived = (card.sms or 0) * (card.flop_per_clk_sm or 0) * (card.boost_mhz or 0) / Decimal(1_000_000)
        if abs(derived / peak - 1) > Decimal("0.015"):
            off[card.id] = (derived, peak)
    assert off == {}


def test_peaks_of_one_card_agree_with_each_other(table: dict[str, Accelerator]) -> None:
    """tf32 is half of fp16, fp8 twice, int8 twice or four times: NVIDIA's tensor cores know no other ratio."""
    off = []
    for card in table.values():
        peaks = card.variant.peaks
        fp16 = peaks.get("fp16")
        if not card.id.startswith("nvidia-") or fp16 is None:
            continue
        for dtype, ratios in (("tf32", ("0.5",)), ("fp8", ("2",)), ("int8", ("2", "4"))):
            value = peaks.get(dtype)
            if value is not None and all(abs(value / fp16 / Decimal(one) - 1) > Decimal("0.03") for one in ratios):
                off.append((card.id, dtype, value / fp16))
    assert off == []


def test_reported_memory_is_the_memory_sold(table: dict[str, Accelerator]) -> None:
    """What a driver reported lies within 0.90 and 1.01 of the marketed size."""
    off = []
    for card in table.values():
        size = card.variant.memory_gb
        if card.memory_mib is not None and size is not None:
            ratio = card.memory_mib / (size / card.devices * 1024)
            if not Decimal("0.90") <= ratio <= Decimal("1.01"):
                off.append((card.id, ratio))
    assert off == []


def test_a_device_name_names_one_card_unless_memory_tells(table: dict[str, Accelerator]) -> None:
    """Only cards that differ in memory share a name."""
    names = Counter(name for card in table.values() for name in card.device_names)
    shared = {name for name, n in names.items() if n > 1}
    assert shared == {"NVIDIA GeForce RTX 3080"}  # 10 GB and 12 GB


def test_every_expected_rate_has_its_basis(table: dict[str, Accelerator]) -> None:
    """No expected rate without the readings it rests on; 14 cards have at least two steady ones."""
    assert [card.id for card in table.values() if set(card.variant.expect) != set(card.basis)] == []
    steady = {card.id for card in table.values() if any(one.tier == "A" for one in card.basis.values())}
    assert len(steady) == 14
    assert {"nvidia-h200-sxm", "nvidia-rtx-4090", "nvidia-t4"} <= steady


def test_every_variant_with_an_id_can_be_told_apart(table: dict[str, Accelerator]) -> None:
    """A variant of gpus.yaml that carries an id has its row here."""
    catalog, _ = read_folder(KNOWLEDGE, check_clauses=False)
    ids = {one.id for gpu in catalog.gpus.values() for one in gpu.variants if one.id is not None}
    assert ids - set(table) == set()
