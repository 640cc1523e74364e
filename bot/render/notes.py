"""The sentence of a single finding: an assumption, a rule that fired, a condition, why a source was used."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

from bot.render import phrases
from bot.render.words import fill, has, join, natural, say, word
from rules.model import Answer, Assumption, Conflict, Fired, LeftOut, Rule

# Assumptions whose sentence does not depend on the value, or that put the value in it: (key, value) -> sentence.
_FIXED = {
    ("plan", "on_demand, for comparison"): "assume.plan.comparison",
    ("plan", "every plan that is not excluded"): "assume.plan.any",
    ("memory", "any"): "assume.memory",
    ("placement", "one machine"): "assume.placement",
    ("hours", "none, so rates are per hour"): "assume.hours.none",
    ("billing_step", "not known, so hours are not rounded"): "assume.billing_step",
}


def assumption_text(assumption: Assumption, lang: str) -> str:
    """What was taken for granted, as a sentence; a key without one of its own is named with its value."""
    key, value = assumption.key, assumption.value
    fixed = _FIXED.get((key, value))
    if fixed is not None:
        return say(fixed, lang)
    if key == "plan":
        return say("assume.plan", lang, plan=join([phrases.plan(one, lang) for one in value.split(", ")], lang))
    if key == "hours" and (hours := _decimal(value)) is not None:
        return say("assume.hours.term", lang, hours=phrases.hours(hours, lang))
    if key == "per_tflop":
        kinds = join([word("basis", one, lang) for one in value.split(", ")], lang)
        return say("assume.per_tflop", lang, kinds=kinds)
    if key == "data_direction":
        return say("assume.data_direction", lang, direction=word("direction", value, lang))
    for suffix in ("_currency", "_unconverted"):
        if key.endswith(suffix):
            slot = word("slot", key.removesuffix(suffix), lang)
            return say(f"assume{suffix}", lang, slot=slot, value=value)
    named = f"assume.{key}"
    return say(named, lang, value=value) if has(named) else say("assume.other", lang, key=key, value=value)


def _decimal(value: str) -> Decimal | None:
    try:
        return Decimal(value)
    except InvalidOperation:
        return None


def condition_text(condition: str, lang: str) -> str:
    return word("condition", condition, lang)


def rule_text(fired: Fired, lang: str) -> str:
    """Why a rule says what it says, with the facts its sentence names; a fact not known reads "?"."""
    facts = {name: _fact(name, value, lang) for name, value in fired.facts.items()}
    return fill(fired.rule.because.say(lang), facts)


def _fact(name: str, value: object, lang: str) -> object:
    """A fact as a person says it: plans by their name, lists joined."""
    if isinstance(value, str):
        if name.endswith("plan"):
            return phrases.plan(value, lang)
        return phrases.gpu_name(value) if name.endswith("gpu") else value
    if isinstance(value, (list, tuple, set, frozenset)):
        items = sorted(value, key=str) if isinstance(value, (set, frozenset)) else value
        if len(items) > 1 and all(isinstance(item, Decimal) for item in items):
            return f"{natural(min(items))}–{natural(max(items))}"
        return join([natural(_fact(name, item, lang)) for item in items], lang)
    return value


def reason_text(reason: str, rules: dict[str, Rule], lang: str) -> str:
    """A built-in reason in words; a rule by its title."""
    key = f"reason.{reason}"
    if has(key):
        return say(key, lang)
    return say("left.rule", lang, title=rules[reason].title.say(lang) if reason in rules else reason)


def rules_of(answer: Answer) -> dict[str, Rule]:
    """The rules that an answer names, by id."""
    return {fired.rule.id: fired.rule for fired in answer.reasons}


def caution_text(caution: str, rules: dict[str, Rule], lang: str) -> str:
    key = f"caution.{caution}"
    if has(key):
        return say(key, lang)
    return rules[caution].title.say(lang) if caution in rules else caution


def left_out_count(row: LeftOut) -> int:
    return 1 if row.count is None else row.count


def conflict_why(conflict: Conflict, lang: str) -> str:
    """Why one of several disagreeing lines was used."""
    if conflict.why == "settled" and (because := _settled_because(conflict)):
        return say("why.settled.because", lang, because=because)
    if conflict.why == "kind" and conflict.others:
        used, other = (word("kind", line.source.kind, lang) for line in (conflict.used, conflict.others[0]))
        return say("why.kind", lang, used=used, other=other)
    return word("why", conflict.why, lang)


def _settled_because(conflict: Conflict) -> str:
    keys = {conflict.used.source.key}
    return next((one.because for one in conflict.offer.settled if one.keep in keys), "")
