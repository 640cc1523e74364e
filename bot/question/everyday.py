"""Names that are also everyday words (vast, together, modal, lambda, replicate, spot): which of the two is meant."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from bot.question.vocabulary import Meaning

_SPOT_NOUNS = frozenset(
    "price prices pricing instance instances rate rates market vs gpu gpus or and cost costs vm vms node nodes".split()
)
_BEFORE_SPOT = frozenset(
    "sweet parking soft blind hot tight weak bright tourist nice lunch holiday vacation picnic you anyone can".split()
)
_AFTER_SPOT = frozenset("any the a an this that anything something what why check checks it them one".split())
_DONE_AT_A_SPOT = frozenset("rent get buy find grab go shop look start".split())
_SPOT_CHECKS = frozenset("check checks checked checking on".split())  # spot-checked, spot-on
_POINTS = frozenset("a this that same".split())
_KINDS_OF_SPOT = frozenset("cheap cheaper cheapest aws azure gcp gpu on".split())
_ENDS = frozenset(
    ("", ",", ".", ":", ";", "!", "?", ")", "-", "for", "to", "with", "on", "right", "now", "here", "and", "but", "so",
     "where", "because", "at", "in", "of", "as", "when", "since", "financially")
)  # fmt: skip
_AFTER_VAST = frozenset(
    "majority amount amounts number numbers pile array difference differences improvement quantity quantities range"
    " sums collection dataset datasets data corpus swaths trove variety library".split()
)
_AFTER_LAMBDA = frozenset(
    "function functions layer layers expression expressions calculus timeout timeouts trigger handler cold invocation"
    " invocations edge runtime execution".split()
)
_AFTER_MODAL = frozenset(
    "dialog dialogs window windows popup popups component components verb verbs box overlay logic close button form"
    " view".split()
)
_BEFORE_MODAL = frozenset("multi cross bi uni single dual mixed non".split())
_LISTED = frozenset("or and vs vs. versus , / on from at than except not no & use with via compare add".split())
_NOT_TOGETHER = frozenset("all work working put get come it them two both".split())


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a word stands: its neighbours in lower case, itself as written, whether Chinese is around."""

    before: str
    after: str
    earlier: str  # the word before the one before
    earliest: str  # and the one before that
    later: str  # the word after the one after
    raw: str
    han: bool
    joined: bool  # a hyphen ties it to a word beside it: multi-modal

    @property
    def capital(self) -> bool:
        return self.raw[:1].isupper()


def is_everyday(tokens: Sequence[Any], at: int, end: int, meaning: Meaning) -> bool:
    """Whether the phrase at ``tokens[at:end]`` is the everyday word and not the name."""
    test = _TESTS.get((meaning.mark, tokens[at].text)) if end == at + 1 else None
    if test is None:
        return False
    after = tokens[end].text if end < len(tokens) else ""
    if end + 1 < len(tokens) and tokens[end + 1].glued and tokens[end + 1].kind == "1":
        after = "#"  # the letter of a name such as A100
    return test(
        _Place(
            before=tokens[at - 1].text if at else "",
            after=after,
            earlier=tokens[at - 2].text if at >= 2 else "",
            earliest=tokens[at - 3].text if at >= 3 else "",
            later=tokens[end + 1].text if end + 1 < len(tokens) else "",
            raw=tokens[at].raw,
            han=any(t.kind == "h" for t in tokens[max(0, at - 2) : end + 2]),
            joined=_joined(tokens, at, end),
        )
    )


def _joined(tokens: Sequence[Any], at: int, end: int) -> bool:
    """Whether a hyphen without spaces joins the phrase to a word of letters before or after it."""
    before = at >= 2 and tokens[at - 1].text == "-" and tokens[at - 2].kind == "a"
    after = end + 1 < len(tokens) and tokens[end].text == "-" and tokens[end + 1].kind == "a"
    return (before and tokens[at - 1].glued and tokens[at].glued) or (
        after and tokens[end].glued and tokens[end + 1].glued
    )


def _vast(word: _Place) -> bool:
    return word.after in _AFTER_VAST or word.before == "a" or word.joined


def _lambda(word: _Place) -> bool:
    return word.after in _AFTER_LAMBDA or word.before in ("aws", "amazon")


def _modal(word: _Place) -> bool:
    if word.joined or word.before in _BEFORE_MODAL:
        return True
    return word.after in _AFTER_MODAL or (word.before == "the" and not word.han)


def _together(word: _Place) -> bool:
    return word.before in _NOT_TOGETHER or word.after == "with" or word.joined or not _stands_as_name(word)


def _replicate(word: _Place) -> bool:
    verb = word.before in ("to", "can", "could", "we", "i", "not", "and") or word.after in ("the", "this", "a", "our")
    return not word.capital if verb else not _stands_as_name(word)


def _stands_as_name(word: _Place) -> bool:
    return word.before in _LISTED or word.after in ("or", "vs", "vs.", "versus", "/", ".") or word.capital or word.han


def _spot(word: _Place) -> bool:
    if word.after in _SPOT_NOUNS or word.han:
        return False
    if word.before in _BEFORE_SPOT or (word.before == "the" and word.earlier == "on"):
        return True
    if word.after == "to" and word.later in _DONE_AT_A_SPOT:
        return True  # the cheapest spot to rent a T4
    if word.after == "on" and word.later in ("", ",", ".", "!", "?", ")", ";"):
        return True
    if _in_a_spot(word) or (word.joined and word.later in _SPOT_CHECKS):
        return True
    return word.after in _AFTER_SPOT and word.before not in ("on", "is", "use", "with", "no")


def _in_a_spot(word: _Place) -> bool:
    """In a tough spot: an article, at most two words, and nothing behind that could be of that plan."""
    between = [word.before, word.earlier]
    alone = word.before in _POINTS or (word.earlier in ("a", "an") and word.before.isalpha())
    article = alone or (word.earliest in ("a", "an") and all(one.isalpha() for one in between))
    return article and word.after in _ENDS and _KINDS_OF_SPOT.isdisjoint(between)


_TESTS: dict[tuple[str, str], Callable[[_Place], bool]] = {
    ("P", "vast"): _vast,
    ("P", "lambda"): _lambda,
    ("P", "modal"): _modal,
    ("P", "together"): _together,
    ("P", "replicate"): _replicate,
    ("L", "spot"): _spot,
}
