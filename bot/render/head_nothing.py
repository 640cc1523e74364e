"""The headline when nothing matches: the filter that offers came nearest to passing."""

from __future__ import annotations

from bot.render import phrases
from bot.render.notes import left_out_count, reason_text, rules_of
from bot.render.words import join, say
from rules.model import BUILT_IN_REASONS, Answer


def no_match(answer: Answer, lang: str) -> str:
    """The filter that offers came nearest to passing, with how many it removed."""
    what = _asked(answer, lang)
    counts = _reason_counts(answer)
    if not counts:
        return say("head.no_match.bare", lang, what=what)
    total, rules = sum(counts.values()), rules_of(answer)
    nearest = sorted(counts, key=_depth, reverse=True)[:3]
    said = [
        say("left.of", lang, n=counts[reason], total=total, reason=reason_text(reason, rules, lang))
        for reason in nearest
    ]
    return say("head.no_match", lang, what=what, why=("，" if lang == "zh" else ", ").join(said))


def _asked(answer: Answer, lang: str) -> str:
    """The hardware, and the providers it was asked of."""
    what = phrases.wanted(answer.question, lang)
    if not answer.question.providers:
        return what
    names = [phrases.provider_name(answer, one, lang) for one in answer.question.providers]
    return say("what.at", lang, what=what, providers=join(names, lang, "or"))


def _reason_counts(answer: Answer) -> dict[str, int]:
    """How many each reason refused; that others sell it says nothing about the providers asked."""
    counts: dict[str, int] = {}
    for row in answer.left_out:
        counts[row.reason] = counts.get(row.reason, 0) + left_out_count(row)
    if len(counts) > 1:
        counts.pop("provider-not-asked", None)
    return counts


def _depth(reason: str) -> int:
    """How far an offer came before this reason refused it; a rule stands before the limit."""
    return BUILT_IN_REASONS.index(reason) if reason in BUILT_IN_REASONS else BUILT_IN_REASONS.index("over-budget")
