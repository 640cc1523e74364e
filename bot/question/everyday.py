"""Names that are also everyday words (vast, together, modal, lambda, replicate, spot): which of the two is meant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bot.question.vocabulary import Meaning

_BEFORE_SPOT = frozenset(
    "sweet the a nice good great best parking soft blind hot tight weak bright tourist same right can't you i we could lunch picnic holiday vacation quiet this that your coffee".split()
)
_AFTER_SPOT = frozenset("on check checks any a an the this that what why for anything something where issues errors bugs mistakes".split())
_SPOT_NOUNS = frozenset("price prices pricing instance instances rate rates market vs gpu gpus or and cost costs vm vms node nodes".split())
_AFTER_VAST = frozenset("majority amount amounts number numbers pile array difference differences improvement quantity quantities range sums collection dataset datasets data corpus swaths trove variety library".split())
_AFTER_LAMBDA = frozenset("function functions layer layers expression expressions calculus timeout timeouts trigger handler cold invocation invocations edge runtime execution".split())
_AFTER_MODAL = frozenset("dialog dialogs window windows popup popups component components verb verbs box overlay logic close button form view on-screen is".split())
_LISTED = frozenset("or and vs vs. versus , / on from at than except not no & use with via compare add".split())


def is_everyday(tokens: Sequence[Any], at: int, end: int, meaning: Meaning) -> bool:
    """Whether the phrase at ``tokens[at:end]`` is the everyday word and not the name."""
    if end != at + 1:
        return False
    word = tokens[at].text
    before = tokens[at - 1].text if at else ""
    after = tokens[end].text if end < len(tokens) else ""
    if end + 1 < len(tokens) and tokens[end + 1].glued and tokens[end + 1].kind == "1":
        after = ""  # the letter of a name such as A100
    han = any(t.kind == "h" for t in tokens[max(0, at - 2) : end + 2])
    if meaning.mark == "P":
        if word == "vast":
            return after in _AFTER_VAST or before in ("a", "half-vast")
        if word == "lambda":
            return after in _AFTER_LAMBDA or before in ("aws", "amazon")
        if word == "modal":
            return after in _AFTER_MODAL or (before == "the" and not han)
        if word in ("together", "replicate"):
            named = before in _LISTED or after in ("or", "vs", "vs.", "versus", "/", ".") or tokens[at].raw[0].isupper() or han
            if word == "together" and before in ("all", "work", "working", "put", "get", "come", "it", "them", "two", "both"):
                return True
            if word == "replicate" and (before in ("to", "can", "could", "we", "i", "not", "and") or after in ("the", "this", "a", "our")):
                return not tokens[at].raw[0].isupper()
            return not named
    if meaning.mark == "L" and word == "spot":
        if after in _SPOT_NOUNS or han:
            return False
        if after in ("on", "check", "checks") and after != "on":
            return True
        if before in ("sweet", "parking", "soft", "blind", "hot", "tight", "weak", "bright", "tourist", "nice", "lunch", "holiday", "vacation", "picnic", "you", "anyone", "can"):
            return True
        if before == "the" and at >= 2 and tokens[at - 2].text == "on":
            return True
        return after in ("any", "the", "a", "an", "this", "that", "anything", "something", "what", "why") and before not in ("on", "is", "use", "with", "no")
    return False
