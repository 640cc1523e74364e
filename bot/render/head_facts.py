"""Headlines without a price: hardware facts, memory of a model, a term explained, advice."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from bot.render import figures, phrases
from bot.render.words import join, listing, say, word
from rules.model import Answer, Text

_OVERVIEW = ("RTX4090 24 GB", "L40S 48 GB", "A100 80 GB", "H100 80 GB", "H200 141 GB", "MI300X 192 GB")
_NAMED = 12  # cards in one sentence


def hardware(answer: Answer, lang: str) -> str:
    """Whether a model fits, which cards have the memory asked for, or the figures of the cards named."""
    question = answer.question
    if not question.gpus and question.model_params_b is None and fact_rows(answer):
        return _cards_with(answer, lang)
    return fit_sentence(answer, lang) or _figures(answer, lang) or no_figures(answer, lang)


def no_figures(answer: Answer, lang: str) -> str:
    question = answer.question
    if not question.gpus and question.min_memory_gb is not None:
        return say("head.specs.no_card", lang, n=question.min_memory_gb)
    return say("head.specs.none", lang, what=phrases.wanted(question, lang))


def _cards_with(answer: Answer, lang: str) -> str:
    """The cards with at least the memory asked for, the smallest first."""
    rows = fact_rows(answer)
    names = list(dict.fromkeys(phrases.hardware(row["gpu"], row["memory_gb"], None, lang) for row in rows))
    listed = join(names[:_NAMED], lang)
    if len(names) > _NAMED:
        listed = say("left.names.more", lang, names=listed, n=len(names) - _NAMED)
    least = min(row["memory_gb"] for row in rows)
    asked = answer.question.min_memory_gb or least
    return say("head.specs.cards", lang, n=asked, cards=listed)


# ---------------------------------------------------------------- the memory of a model


def fit_sentence(answer: Answer, lang: str) -> str:
    """Whether the model fits on what was named, and what it needs; without a name, how many cards."""
    fit = answer.parts.get("fit")
    if not isinstance(fit, Mapping):
        return ""
    need = fit_need(answer, lang)
    verdicts = [_verdict(row, lang) for row in fit["verdicts"]]
    if verdicts:
        return ("" if lang == "zh" else " ").join([*verdicts, need])
    cards = _cards(fit, lang)
    return need + (say("head.fit.cards", lang, cards=cards) if cards else "")


def fit_need(answer: Answer, lang: str) -> str:
    fit = answer.parts["fit"]
    use = fit["per"]
    return say(
        "head.fit.need",
        lang,
        purpose=word("fit.purpose", use["purpose"], lang),
        n=answer.question.model_params_b,
        dtype=use["dtype"],
        need=figures.count(fit["need_gb"], 1),
    )


def _cards(fit: Mapping[str, Any], lang: str) -> str:
    """How many of a few usual cards that is."""
    needed = [(name, fit["gpus_needed"][name]) for name in _OVERVIEW if name in fit["gpus_needed"]]
    return join([phrases.gpus(Decimal(n), _spaced(name), lang) for name, n in needed], lang, "or")


def _spaced(name: str) -> str:
    model, _, memory = name.partition(" ")
    return f"{phrases.gpu_name(model)} {memory}"


def _verdict(row: Mapping[str, Any], lang: str) -> str:
    have_gb = figures.count(row["have_gb"], 1)
    if row["gpu"] is None:
        have = say("fit.memory", lang, n=have_gb)
        return say(f"head.fit.{row['verdict']}.bare", lang, have=have)
    name = phrases.hardware(row["gpu"], row["gpu_memory_gb"], None, lang)
    slots = {"have": phrases.gpus(row["gpus"], name, lang), "have_gb": have_gb}
    return say(f"head.fit.{row['verdict']}", lang, **slots)


# ---------------------------------------------------------------- figures of cards


def _figures(answer: Answer, lang: str) -> str:
    """Memory, bandwidth and the peak of each GPU named; of two GPUs, how many times the one the other is."""
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for row in fact_rows(answer):
        groups.setdefault(row["gpu"], []).append(row)
    dtype = common_dtype(answer)
    said = [_of_one(gpu, rows, dtype, lang) for gpu, rows in groups.items()]
    peaks = [_peak(rows, dtype) for rows in groups.values()]
    text = listing(said, lang)
    if len(peaks) == 2 and all(peaks):
        (high, strong), (low, weak) = sorted(zip(peaks, groups, strict=True), key=lambda one: one[0] or 0, reverse=True)
        times = figures.count((high or Decimal(0)) / (low or Decimal(1)), 1)
        names = {"strong": phrases.gpu_name(strong), "weak": phrases.gpu_name(weak)}
        text += say("fact.times", lang, times=times, dtype=dtype, **names) if high != low else ""
    return text


def common_dtype(answer: Answer) -> str:
    """The number format asked for; else bf16 when every card named has it, else fp16."""
    if answer.question.dtype is not None:
        return answer.question.dtype
    models = {row["gpu"] for row in fact_rows(answer)}
    with_bf16 = {row["gpu"] for row in fact_rows(answer) if row["dense_tflops"].get("bf16") is not None}
    return "bf16" if models <= with_bf16 else "fp16"


def _peak(rows: Sequence[Mapping[str, Any]], dtype: str) -> Decimal | None:
    """That of the SXM form where there is one, which is what a model is usually quoted for."""
    known = [row for row in rows if row["dense_tflops"].get(dtype)]
    told = [row for row in known if row["form"] == "SXM"] or known
    return max((row["dense_tflops"][dtype] for row in told), default=None)


def _of_one(gpu: str, rows: Sequence[Mapping[str, Any]], dtype: str, lang: str) -> str:
    """A card in one clause: its sizes of memory, the range of bandwidths, its peak."""
    sizes = sorted({row["memory_gb"] for row in rows if row["memory_gb"] is not None})
    bands = sorted({row["bandwidth_gbps"] for row in rows if row["bandwidth_gbps"] is not None})
    peak = _peak(rows, dtype)
    facts = []
    if sizes:
        facts.append(say("memory_gb", lang, n=join([figures.count(size) for size in sizes], lang, "or")))
    if bands:
        band = figures.count(bands[0]) if len(bands) == 1 else f"{figures.count(bands[0])}–{figures.count(bands[-1])}"
        facts.append(say("fact.bandwidth", lang, n=band))
    key = "fact.no_peak" if peak is None else "fact.tflops"
    facts.append(say(key, lang, n=peak, dtype=dtype))
    return say("head.specs", lang, gpu=phrases.gpu_name(gpu), facts=(", " if lang == "en" else "，").join(facts))


def fact_rows(answer: Answer) -> list[Mapping[str, Any]]:
    """The rows of ``facts`` that are about a GPU."""
    facts = answer.parts.get("facts")
    return [row for row in facts if isinstance(row, Mapping) and "gpu" in row] if isinstance(facts, list) else []


def topics_of(answer: Answer) -> list[Mapping[str, Any]]:
    """The rows of ``facts`` that explain a topic, the one asked for first."""
    facts = answer.parts.get("facts")
    return [row for row in facts if isinstance(row, Mapping) and "topic" in row] if isinstance(facts, list) else []


def explanation(answer: Answer, lang: str) -> list[str]:
    """The sentences of the first topic that was found; a program after them is none of them."""
    topics = topics_of(answer)
    return sentences(prose(topics[0]["text"], lang)) if topics else []


def prose(text: Text, lang: str) -> str:
    return text.say(lang).partition("\n\n")[0]


def program(text: Text, lang: str) -> tuple[str, ...]:
    """The lines of a program that a text ends with, after an empty line."""
    return tuple(text.say(lang).partition("\n\n")[2].splitlines())


def sentences(text: str) -> list[str]:
    """A text cut after each sentence; a point within a figure ends none."""
    return [one.strip() for one in re.split(r"(?<=[。！？])|(?<=[.!?])\s+(?=[A-Z“\"])", text) if one.strip()]


def advice(answer: Answer, lang: str) -> str:
    """Advice without a price: the scenario, and how many ways it offers."""
    part = answer.parts.get("guidance")
    if not isinstance(part, list) or not part:
        return ""
    key = "head.guidance.none" if answer.left_out else "head.guidance"
    return say(key, lang, title=part[0]["title"].say(lang), n=len(part[0]["options"]))


def explained(answer: Answer, lang: str) -> str:
    """The first sentence of the topic; without one what is recorded of the provider, or the nearest topics."""
    found = explanation(answer, lang)
    if found:
        return found[0]
    if answer.parts.get("facts"):
        named = [phrases.provider_name(answer, row["provider"], lang) for row in answer.parts["facts"]]
        return say("head.explain.provider", lang, names=join(named, lang))
    near = [row["title"].say(lang) for row in answer.parts.get("nearest", ())]
    if near:
        return say("head.explain.nearest", lang, list=listing(near, lang))
    return say("head.explain.none", lang)
