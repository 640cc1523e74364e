"""benchmark: run one, or show what was measured."""

from __future__ import annotations

import re

from bot.question.intents.context import Context, says

_EXPLAINED = re.compile(r" (?:mean|why) .*bench ")
_SCORES = says(r"\bscores?\b", r"\bmeasured (?:results|numbers|tflops)\b", "测出来", "跑出来多少")
_RUN_ZH = says("跑一下", "跑个", "测一下", "跑一遍", "做个", "做一次", "做一下", "^跑")
_MEASURE_ZH = says("测(?:试)?(?:一下|下|个|一测|一遍)")
_RUN_FIRST = re.compile(
    r"^ (?:(?:please|pls|can|could|you|let's|lets|hey|帮我|帮忙|请|麻烦) ?)*"
    r"(?:run|rerun|start|kick|launch|redo|重新|再) ?"
)
_SHOW = re.compile(
    r" (?:results|show|any|did|how|howmany|howmuch|which|what|mean|date|got|have|see|best|fastest) "
    r"|看 ?下|看看|看一下|查|多少|最近|怎么样|有没有|怎样|如何"
)


def benchmark_action(ask: Context, command: str) -> str | None:
    """``run`` or ``show`` when the message is about a benchmark, else None."""
    if command == "gpu-bench" or (ask.cue("bench") and not ask.drawn(_EXPLAINED)):
        return _action(ask)
    if ask.said(_MEASURE_ZH) and ask.has("host", "dtype"):
        return "run"
    scored = ask.said(_SCORES) and ask.has("dtype", "gpus", "host")
    return "show" if scored and not ask.cue("M", "howmuch", "cheapest", "price") else None


def _action(ask: Context) -> str:
    if "多少分" in ask.source or ("实测" in ask.source and not ask.said(_RUN_ZH)):
        return "show"
    if ask.drawn(_RUN_FIRST) and not ask.cue("show"):
        return "run"
    return "show" if ask.drawn(_SHOW) else "run"
