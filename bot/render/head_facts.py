"""Headlines without a price: hardware facts, memory of a model, a term explained, advice."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from bot.render import figures, phrases
from bot.render.words import join, say, word
from rules.model import Answer, Text


def hardware(answer: Answer, lang: str) -> str:
    return _fit(answer, lang) or _figures(answer, lang) or no_figures(answer, lang)


def no_figures(answer: Answer, lang: str) -> str:
    return say("head.specs.none", lang, what=phrases.wanted(answer.question, lang))


def _fit(answer: Answer, lang: str) -> str:
    """Whether the model fits on what was named, and what it needs; without a name, how many cards."""
    fit = answer.parts.get("fit")
    if not isinstance(fit, Mapping):
        return ""
    use = fit["per"]
    need = say(
        "head.fit.need",
        lang,
        purpose=word("fit.purpose", use["purpose"], lang),
        n=answer.question.model_params_b,
        dtype=use["dtype"],
        need=figures.count(fit["need_gb"], 1),
    )
    if fit.get("verdict") is not None:
        have_gb = figures.count(fit["have_gb"], 1)
        have = fit.get("have") or say("fit.memory", lang, n=have_gb)
        return say(f"head.fit.{fit['verdict']}", lang, have=have, have_gb=have_gb) + need
    cards = [say("gpus", lang, n=n, gpu=gpu) for gpu, n in fit.get("gpus_needed", {}).items()]
    return need + (say("head.fit.cards", lang, cards=join(cards, lang, "or")) if cards else "")


def _figures(answer: Answer, lang: str) -> str:
    """Memory, bandwidth and the peak asked for of each GPU named, in one sentence."""
    dtype = answer.question.dtype or "bf16"
    groups: dict[str, list[str]] = {}
    for row in fact_rows(answer):
        said = [f"{phrases.hardware(row['gpu'], row['memory_gb'], row['form'], lang)}"]
        if row["bandwidth_gbps"] is not None:
            said.append(say("fact.bandwidth", lang, n=row["bandwidth_gbps"]))
        peak = row["dense_tflops"].get(dtype)
        if peak is not None:
            said.append(say("fact.tflops", lang, n=peak, dtype=dtype))
        groups.setdefault(row["gpu"], []).append((", " if lang == "en" else "，").join(said))
    return ("; " if lang == "en" else "；").join(one for rows in groups.values() for one in rows)


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
        return say("head.explain.nearest", lang, list=("；" if lang == "zh" else "; ").join(near))
    return say("head.explain.none", lang)
