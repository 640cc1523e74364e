"""What the message asks, as a cascade from the most to the least particular."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from bot.question.intents.about import is_about, moves_of_others
from bot.question.intents.benchmark import benchmark_action
from bot.question.intents.bot_itself import is_help
from bot.question.intents.context import Context, ends, says
from bot.question.intents.digest import digest_action
from bot.question.intents.explain import is_explain
from bot.question.intents.money_questions import is_break_even, is_budget
from bot.question.intents.offers import (
    FIRST_BY_TOTAL,
    IS_IT_GOOD,
    JUDGES,
    compares_here,
    is_cheapest,
    is_compare,
    is_named,
    is_price,
    is_quoted_price,
    is_recommend,
    is_superlative,
)
from bot.question.intents.specs import is_specs
from bot.question.intents.topics import names_topic
from bot.question.sketch import Sketch
from bot.question.vocabulary import Vocabulary


class Asked(NamedTuple):
    """``explicit``: the words ask for it; otherwise it is what naming things alone amounts to."""

    intent: str
    action: str | None = None
    explicit: bool = True


@dataclass(frozen=True, slots=True)
class Earlier:
    """What a message of a thread builds on.

    ``slots`` are those of all messages; ``bare`` says that the message only goes on ("what about spot?"),
    so that its question words ask nothing.
    """

    slots: Mapping[str, Any]
    bare: bool = False


_CASCADE: tuple[tuple[str, Callable[[Context], bool]], ...] = (
    ("break_even", is_break_even),
    ("budget", is_budget),
    ("cheapest", is_superlative),
    ("specs", is_specs),
    ("explain", is_explain),
    ("cheapest", is_cheapest),
    ("compare", is_compare),
    ("price", is_quoted_price),
    ("price", is_price),
    ("recommend", is_recommend),
    ("price", is_named),
)
_ASKS_MORE = re.compile(r" (?:howmuch|howlong|howmany|enough|fit|spec|risk|interrupt|recommend) ")
_OFFERED = re.compile(r"\byou\b.*\bbenchmarks?\s*\??$")  # "can you do benchmarks?"
_TROUBLE = says(
    r"(?<![a-z])cuda(?![a-z])[^,，。;；]{0,30}(?:out of memory|\boom\b|error|fail|not (?:found|available|working"
    r"|detected)|unavailable|mismatch|装不上|报错|出错|错误|不可用|解决|不兼容|找不到|不匹配|崩|失败|冲突|识别)",
    r"(?:怎么|如何|咋|how (?:to|do i|can i))[^,，。]{0,6}(?:装|安装|install|升级|卸载|降级)[^,，。]{0,6}(?:cuda|cudnn)",
    r"torch\.cuda\.|is_available\(|(?<![a-z])(?:nvcc(?![a-z])|xid ?\d)",
    "(?:显卡|gpu|卡)(?:黑屏|花屏|点不亮|不识别|识别不到|认不到)|(?:识别|认|检测|找)不到(?:显卡|gpu|卡)",
)
_INSTALLS = says(
    r"能够?(?:装|跑|用|上|开|起)(?:得了|个|上|了)?\s*"
    r"(?:windows|win\d|jupyter|k8s|kubernetes|docker|linux|ubuntu)"
)
_HOW_MUCH_OF = re.compile(r" howmuch (?:的 |of |gb )?(?:spec|vram|memory) ")  # how much bandwidth is no price
_SUBJECT = re.compile(r" (?:gpu|card|counted|vram|S|G|Z|P|L|E|I|C|rentverb|platform|cloud|平台|云) ")
_NO_GPU = re.compile(  # a machine without one; "we have no GPUs" says where the asker begins
    r"(?<! have)(?<! has)(?<! got)(?<! with) not (?:- |(?:need|want|use|a|any|the) )*gpu"
    r"(?: (?:needed|need|required|necessary|at all|please|there|attached|inside))*"
    r"(?: (?:on|in|at|from) [PR])? (?:[,.;:!?)] |$)"
)
_WANTS = says(
    r"\b(?:need|want|looking|require|plan|planning|trying|going to|we're|we are|i'm|must"
    r"|budget|would like|like to|hoping)\b",
    "要|想|需|打算|准备|做|跑|训|求|找|预算|租",
)


def intent_of(
    sketch: Sketch,
    slots: Mapping[str, Any],
    command: str,
    source: str,
    vocabulary: Vocabulary,
    earlier: Earlier | None = None,
) -> Asked:
    """The intent of a message. ``source`` is the plain text in lower case, ``command`` its slash command."""
    text = _HOW_MUCH_OF.sub(" spec ", ends(sketch.text))
    if _INSTALLS.search(source):  # 能装Windows: a machine for it is wanted, nothing asks whether a card is enough
        text = text.replace(" fit ", " ")
    ask = Context(text, ends(source), slots)
    special = _special(ask, command)
    if special is not None:
        news = special.action == "show" and " digest " not in ask.text and special.intent == "digest"
        return Asked("unsupported") if news and moves_of_others(sketch, vocabulary) else special
    if ask.said(_TROUBLE):
        return Asked("unsupported")
    if earlier is None and not (is_about(sketch, vocabulary) and _is_gpu_rental(ask)):
        return Asked("explain" if names_topic(ask, vocabulary.topics) else "unsupported")
    whole = ask if earlier is None else Context(ask.text, ask.source, {**slots, **earlier.slots}, slots)
    for intent, test in _CASCADE:
        if earlier is not None and _goes_on(test, ask, earlier):
            continue
        if test(whole):
            return Asked(intent, explicit=test is not is_named)
    amounts_to = _unasked(ask)
    if amounts_to == "unsupported" and earlier is None and names_topic(ask, vocabulary.topics):
        return Asked("explain")
    return Asked(amounts_to, explicit=False)


def _special(ask: Context, command: str) -> Asked | None:
    """Intents that words of their own announce: benchmark, help, digest."""
    helped = is_help(ask)
    of_bot = helped and not command and _OFFERED.search(ask.source) is not None
    action = None if of_bot else benchmark_action(ask, command)
    if action is not None:
        return Asked("benchmark", action)
    if ask.cue("awslambda"):
        return Asked("unsupported")
    if helped:
        return Asked("help")
    action = digest_action(ask)
    return Asked("digest", action) if action is not None else None


def _is_gpu_rental(ask: Context) -> bool:
    """Not a machine without accelerators."""
    if ask.cue("vcpu") and not ask.hardware and not ask.cue("gpu", "vram", "gpuhour"):
        return False
    if ask.drawn(_NO_GPU) and not ask.hardware and ask.cue("vcpu", "node", "instance", "machines", "cpumachine"):
        return False
    return not (ask.cue("cpumachine") and not ask.has("gpus"))


def _goes_on(test: Callable[[Context], bool], ask: Context, earlier: Earlier) -> bool:
    """Whether a test must not be tried on a message of a thread, which inherits what it does not say."""
    if test is is_quoted_price:
        return not (
            (ask.has("quoted") and ask.said(JUDGES)) or ask.said(IS_IT_GOOD)
        )  # "we pay $3/hr" states a slot and asks nothing
    if test is is_price and ask.cue("M") and not ask.cue("howmuch"):  # "they charge $3/hr", "what if it costs $900"
        return earlier.bare or not ask.said(JUDGES)
    if test is is_recommend and ask.has("sort") and not ask.cue("which", "who", "what", "recommend", "howmany"):
        return True  # "per TFLOP" says how to order what is asked
    if test is is_cheapest and not ask.cue("cheapest", "cheap", "cheaper"):
        return not ask.said(FIRST_BY_TOTAL)  # so does "by total cost", or an order that was said before
    if test is is_compare:
        return not compares_here(ask)
    return earlier.bare and test in (is_recommend, is_explain, is_budget, is_specs) and not ask.drawn(_ASKS_MORE)


def _unasked(ask: Context) -> str:
    """What a message amounts to that asks nothing: a scenario is ``recommend``, names alone ``price``."""
    if not ask.drawn(_SUBJECT) and not ask.said(_WANTS):
        return "unsupported"
    scenario = ask.has("workloads", "needs", "team")
    if (
        ask.cue("gpu")
        or scenario
        or ask.has("model_params_b", "min_memory_gb", "budget", "budget_per_hour", "gpu_count")
    ):
        return "price" if ask.has("gpu_count") and not scenario else "recommend"
    return "price" if ask.has("providers", "plans", "hours", "regions") or ask.cue("Z") else "unsupported"
