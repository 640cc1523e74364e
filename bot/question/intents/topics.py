"""A message without a word of the trade that still asks for something the knowledge folder explains."""

from __future__ import annotations

import re

from bot.question.intents.context import Context, says
from bot.question.intents.explain import is_explain

_OTHER = ("offtopic", "office", "gaming", "trouble", "mishap", "cpumachine", "digest", "vcpu")
_LEAST_LETTERS = 7  # of a term that has a hyphen or several words, so that it is nobody's everyday word
_LEAST_HAN = 3
_HAN = re.compile(r"[\u3400-\u9fff]")
_ASKED_EN = r"^\W*(?:so |hey |ok )*(?:what(?:'s| is| are)|whats|explain|define|what does) (?:an? |the )?"
_BEHIND_EN = re.compile(r"(?: for)?(?: mean)?\W*$")
_ASKED_ZH = re.compile(r"^(?:.{0,4}(?:是什么|是啥|什么意思|啥意思|是干什么的|怎么计费|怎么收费)).{0,2}$")
_AHEAD = re.compile(rf"{_ASKED_EN}$")
_CONVERTS = says(
    r"\bhow (?:do|does|are|is) .*\b(?:convert\w*|exchanged)\b.*\b(?:yuan|rmb|cny|dollars?|usd|euros?|currenc\w+)\b",
    "(?:人民币|美元|日元|欧元|币种|货币).*(?:怎么|如何)(?:换算|折算|转换)",
)


def names_topic(ask: Context, terms: re.Pattern[str] | None) -> bool:
    """Whether a term of a topic is what is asked about: alone in "what is X", or so particular that it says enough."""
    if terms is None or ask.cue(*_OTHER):
        return False
    if ask.said(_CONVERTS):
        return True
    named = list(terms.finditer(ask.source))
    if any(_asked_alone(ask.source, match) for match in named):
        return True
    particular = [match.group() for match in named if _is_particular(match.group())]
    return len(set(particular)) > 1 or bool(particular and is_explain(ask))


def _asked_alone(source: str, match: re.Match[str]) -> bool:
    before, after = source[: match.start()], source[match.end() :]
    if _AHEAD.match(before) and _BEHIND_EN.fullmatch(after):
        return True
    return not before.strip() and _ASKED_ZH.match(after) is not None


def _is_particular(term: str) -> bool:
    han = len(_HAN.findall(term))
    return han >= _LEAST_HAN or (len(term) >= _LEAST_LETTERS and (" " in term or "-" in term))
