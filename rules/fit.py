"""How much GPU memory a model needs, and how many cards that is.

Estimates with their formula shown, in decimal GB. Weights and optimiser state follow from the parameters; what the
run adds (activations, KV cache, adapters) does not, so it is a stated share on top, and never more than an estimate.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import ROUND_CEILING, Decimal
from types import MappingProxyType
from typing import Any

from rules.model import Catalog, Gpu, GpuVariant, Question

BYTES_PER_WEIGHT: Mapping[str, Decimal] = MappingProxyType(
    {
        "fp64": Decimal(8), "fp32": Decimal(4), "tf32": Decimal(4), "fp16": Decimal(2), "bf16": Decimal(2),
        "fp8": Decimal(1), "int8": Decimal(1), "int4": Decimal("0.5"),
    }
)  # fmt: skip
# Mixed precision with AdamW: 2 half weights + 4 full weights + 4 gradients + 8 optimiser state.
# https://github.com/stas00/ml-engineering/blob/master/training/performance/README.md
TRAINING_BYTES = Decimal(18)
CACHE_SHARE = Decimal("1.2")  # KV cache at a modest batch and context, and the framework's own buffers
ADAPTER_SHARE = Decimal("1.2")  # LoRA and QLoRA: adapters, their optimiser state, activations
PURPOSES = ("inference", "lora", "qlora", "training")


@dataclass(frozen=True, slots=True)
class Need:
    """Memory over all cards. ``floor_gb`` is what the parameters alone take, ``need_gb`` with the share on top."""

    purpose: str
    dtype: str
    floor_gb: Decimal
    need_gb: Decimal
    formula: str


def purpose_of(question: Question) -> tuple[str, bool]:
    """What the memory is for, and whether the question states it; inference when it does not."""
    if "training" in question.workloads:
        return "training", True
    if "fine_tuning" in question.workloads:
        return ("qlora" if question.dtype == "int4" else "lora"), True
    return "inference", "inference" in question.workloads


def need(params_b: Decimal, purpose: str, dtype: str | None = None) -> Need:
    """The memory that ``params_b`` billion parameters take.

    >>> need(Decimal(7), "training").need_gb
    Decimal('126')
    >>> need(Decimal(175), "inference").floor_gb
    Decimal('350')
    """
    if purpose == "training":
        total = params_b * TRAINING_BYTES
        return Need(purpose, "bf16", total, total, f"{params_b:f} B × {TRAINING_BYTES} = {_show(total)} GB")
    kind = {"qlora": "int4", "lora": "fp16"}.get(purpose) or dtype or "fp16"
    each = BYTES_PER_WEIGHT[kind]
    share = CACHE_SHARE if purpose == "inference" else ADAPTER_SHARE
    floor = params_b * each
    total = floor * share
    formula = f"{params_b:f} B × {each} = {_show(floor)} GB; × {share} = {_show(total)} GB"
    return Need(purpose, kind, floor, total, formula)


def needed_gb(question: Question) -> Decimal | None:
    """VRAM over all cards that a question asks for: as stated, or estimated from the model's size."""
    if question.total_memory_gb is not None:
        return question.total_memory_gb
    if question.model_params_b is None:
        return None
    sized_by_count = question.gpu_count is not None or question.min_memory_gb is not None
    named_without_asking_how_many = bool(question.gpus) and question.intent != "recommend"
    if sized_by_count or named_without_asking_how_many:
        return None
    purpose, _ = purpose_of(question)
    return need(question.model_params_b, purpose, question.dtype).need_gb


def cards(gb: Decimal, memory_gb: Decimal) -> int:
    return max(1, int((gb / memory_gb).to_integral_value(rounding=ROUND_CEILING)))


# ---------------------------------------------------------------- the parts of an answer


def fit_part(question: Question, catalog: Catalog) -> dict[str, Any] | None:
    """`fit` of answer.md section 5; None without a model size."""
    if question.model_params_b is None:
        return None
    purpose, stated = purpose_of(question)
    mine = need(question.model_params_b, purpose, question.dtype)
    have, of = _have(question, catalog)
    return {
        "need_gb": mine.need_gb,
        "per": {"purpose": mine.purpose, "dtype": mine.dtype, "purpose_stated": stated},
        "floor_gb": mine.floor_gb,
        "formula": mine.formula,
        "gpus_needed": {name: cards(mine.need_gb, memory) for name, memory in _cards_to_show(question, catalog)},
        "have_gb": have,
        "have": of,
        "verdict": _verdict(mine, have),
        "others": [_row(need(question.model_params_b, p, question.dtype)) for p in PURPOSES if p != purpose],
    }


def _row(other: Need) -> dict[str, Any]:
    return {"purpose": other.purpose, "dtype": other.dtype, "need_gb": other.need_gb, "formula": other.formula}


def _verdict(mine: Need, have: Decimal | None) -> str | None:
    """`tight`: the parameters fit, but not with what the run adds."""
    if have is None:
        return None
    if have >= mine.need_gb:
        return "fits"
    return "tight" if have >= mine.floor_gb and mine.purpose != "training" else "does-not-fit"


def _have(question: Question, catalog: Catalog) -> tuple[Decimal | None, str | None]:
    """The memory of the cards that the question names, when it names one size of them."""
    if question.total_memory_gb is not None:
        return question.total_memory_gb, None
    nodes = question.nodes or Decimal(1)
    if question.min_memory_gb is not None and not question.gpus:
        return question.min_memory_gb * (question.gpu_count or 1) * nodes, None
    if len(question.gpus) != 1:
        return None, None
    ask = question.gpus[0]
    sizes = {v.memory_gb for v in _variants(catalog.gpus.get(ask.model), ask.memory_gb, ask.form)} - {None}
    if not sizes:
        return None, None
    size = max(s for s in sizes if s is not None)
    count = (ask.count or Decimal(1)) * nodes
    return size * count, f"{count:f} × {ask.model} {size:f} GB"


def _variants(gpu: Gpu | None, memory: Decimal | None, form: str | None) -> Iterable[GpuVariant]:
    for variant in gpu.variants if gpu else ():
        if memory in (None, variant.memory_gb) and form in (None, variant.form):
            yield variant


_COMMON = ("L4", "A10G", "RTX4090", "L40S", "A100", "H100", "H200", "B200", "MI300X")


def _cards_to_show(question: Question, catalog: Catalog) -> list[tuple[str, Decimal]]:
    """Each memory size of the cards asked for, or of a few common ones."""
    found: dict[str, Decimal] = {}
    asked = [(g.model, g.memory_gb, g.form) for g in question.gpus] or [(model, None, None) for model in _COMMON]
    for model, memory, form in asked:
        for variant in _variants(catalog.gpus.get(model), memory, form):
            if variant.memory_gb is not None:
                found[f"{model} {variant.memory_gb:f} GB"] = variant.memory_gb
    return list(found.items())


def facts_part(question: Question, catalog: Catalog) -> list[dict[str, Any]]:
    """`facts` of a specs question: one row for each variant of each card named, unknown figures None."""
    return [
        _facts_row(ask.model, variant)
        for ask in question.gpus
        for variant in _variants(catalog.gpus.get(ask.model), ask.memory_gb, ask.form)
    ]


def _facts_row(model: str, variant: GpuVariant) -> dict[str, Any]:
    return {
        "gpu": model,
        "memory_gb": variant.memory_gb,
        "form": variant.form,
        "bandwidth_gbps": variant.bandwidth_gbps,
        "dense_tflops": dict(variant.peaks),
        "interconnect": variant.interconnect,
        "tdp_w": variant.tdp_w,
        "source": None if variant.source is None else f"gpus/{variant.id or model}",
    }


def _show(value: Decimal) -> str:
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
