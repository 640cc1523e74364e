"""What is asked back, with ready answers: complete questions that a click or a copy can send."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from bot.render.phrases import ask_again, gpu_name
from bot.render.words import say
from rules.model import Answer, GpuAsk, Question

MAX_ANSWERS = 5
_COMMON = ("H100", "A100", "L40S", "RTX4090", "L4")  # offered when no GPU was named

_SITUATIONS = ("train", "serve", "team", "startup", "enterprise")  # what advice is usually asked for


def ask_block(answer: Answer, lang: str) -> tuple[str, tuple[str, ...]]:
    """The question to the asker and up to five ready answers; none of them holds a price."""
    if answer.unknown_models:
        return _unknown_model(answer, lang)
    question = answer.question
    key = {"budget": "budget", "compare": "compare", "recommend": "recommend", "specs": "specs"}.get(question.intent)
    if question.intent == "break_even":
        key = "break_even"
    return say(f"ask.{key or 'hardware'}", lang), _ready(question, lang)


def _unknown_model(answer: Answer, lang: str) -> tuple[str, tuple[str, ...]]:
    word, nearest = answer.unknown_models[0]
    key = "ask.unknown_model" if nearest else "ask.unknown_model.none"
    ready = tuple(_with_model(answer, word, model, lang) for model in nearest[:MAX_ANSWERS])
    return say(key, lang, word=word), ready or _ready(answer.question, lang)


def _with_model(answer: Answer, word: str, model: str, lang: str) -> str:
    """The asker's own words with the model put right; where that is not possible the question said again."""
    if answer.text.count(word) == 1 and answer.question.lang == lang:
        return answer.text.replace(word, gpu_name(model)).strip()
    question = answer.question
    meant = GpuAsk(model, count=question.gpu_count)
    return ask_again(replace(question, gpus=(*question.gpus, meant), gpu_count=None), lang)


def _ready(question: Question, lang: str) -> tuple[str, ...]:
    if question.intent == "budget":
        return tuple(ask_again(_budget_example(question, model), lang) for model in _models(question)[:MAX_ANSWERS])
    if question.intent == "compare":
        return tuple(ask_again(one, lang) for one in _comparisons(question))
    if question.intent == "specs":
        return tuple(ask_again(_one_gpu(question, model), lang) for model in _COMMON)
    if question.intent == "recommend":
        return tuple(say(f"ready.recommend.{one}", lang) for one in _SITUATIONS)
    return tuple(ask_again(_one_gpu(question, model), lang) for model in _COMMON)


def _models(question: Question) -> tuple[str, ...]:
    return tuple(ask.model for ask in question.gpus) or _COMMON


def _one_gpu(question: Question, model: str) -> Question:
    return replace(question, gpus=(GpuAsk(model, count=question.gpu_count),), gpu_count=None)


def _budget_example(question: Question, model: str) -> Question:
    return question if question.gpus else _one_gpu(question, model)


def _comparisons(question: Question) -> tuple[Question, ...]:
    """The thing named beside others of its kind; without one, two common GPUs."""
    first = question.gpus[0] if question.gpus else GpuAsk("H100", count=question.gpu_count or Decimal(1))
    others = [model for model in _COMMON if model != first.model]
    return tuple(replace(question, gpus=(first, GpuAsk(model, count=first.count)), gpu_count=None) for model in others)
