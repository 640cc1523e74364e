"""The forms: change the question, say what is wrong, choose where to share."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

import slackblocks as sb

from bot.render import phrases
from bot.slack import ids
from bot.slack.text import plain, tell
from bot.slack.views import kit
from bot.slack.views.kit import Json

PLANS = ("on_demand", "spot", "reserved_1y", "reserved_3y", "monthly")
REGIONS = ("us", "eu", "uk", "cn", "apac", "jp", "sg", "in", "ca", "au")
_ANY = "any"
_MOST = 1_000_000_000


def _dump(view: Any) -> Json:
    return dict(json.loads(json.dumps(view._resolve())))  # noqa: SLF001  (its way to JSON)


def form(title: str, submit: str, callback: str, place: Mapping[str, Any], blocks: Sequence[Any], lang: str) -> Json:
    """A modal; ``place`` is what it carries with it."""
    return _dump(
        sb.ModalView(
            title=kit.label(title, kit.MODAL_TITLE),
            submit=kit.label(submit, kit.MODAL_TITLE),
            close=kit.label(tell("cancel", lang), kit.MODAL_TITLE),
            callback_id=callback,
            private_metadata=json.dumps(place, ensure_ascii=False, separators=(",", ":")),
            blocks=list(blocks),
        )
    )


def _text(name: str, lang: str, value: str, *, hint: str | None = None, multiline: bool = False) -> Any:
    element = sb.PlainTextInput(
        action_id=name, initial_value=plain(value)[:300] or None, multiline=multiline, max_length=300
    )
    hints = None if hint is None else kit.label(tell(hint, lang), 200)
    label = tell({"reason": "feedback.reason"}.get(name, f"edit.{name}"), lang)
    return sb.InputBlock(kit.label(label, 200), element, block_id=name, hint=hints, optional=True)


def edit(question: Mapping[str, Any], place: Mapping[str, Any], lang: str) -> Json:
    """The form of a question, filled with what it says."""
    plans = [kit.option(phrases.plan(plan, lang), plan) for plan in PLANS]
    chosen = [one for one, plan in zip(plans, PLANS, strict=True) if plan in question.get("plans", [])]
    regions = [kit.option(tell("menu.region.any", lang), _ANY)]
    regions += [kit.option(phrases.region(place_, lang), place_) for place_ in REGIONS]
    region = next((code for code in question.get("regions", []) if code in REGIONS), _ANY)
    initial = regions[0] if region == _ANY else regions[1 + REGIONS.index(region)]
    limit = question.get("budget_per_hour") or {}
    blocks = [
        _text("gpus", lang, gpus_text(question), hint="edit.gpus.hint"),
        _number("hours", lang, question.get("hours")),
        sb.InputBlock(
            kit.label(tell("edit.plans", lang), 200), sb.CheckboxGroup("plans", plans, chosen or None),
            block_id="plans", optional=True,
        ),
        sb.InputBlock(
            kit.label(tell("edit.region", lang), 200),
            sb.StaticSelectMenu("region", regions, initial_option=initial), block_id="region", optional=True,
        ),
        _text("exclude", lang, ", ".join(question.get("exclude_providers", [])), hint="edit.exclude.hint"),
        _number("limit", lang, limit.get("amount") if limit.get("currency", "USD") == "USD" else None),
    ]  # fmt: skip
    return form(tell("edit.title", lang), tell("edit.submit", lang), ids.EDIT_FORM, place, blocks, lang)


def _number(name: str, lang: str, value: Any) -> Any:
    element = sb.NumberInput(True, action_id=name, initial_value=None if value is None else str(value))
    return sb.InputBlock(kit.label(tell(f"edit.{name}", lang), 200), element, block_id=name, optional=True)


def gpus_text(question: Mapping[str, Any]) -> str:
    parts = []
    for gpu in question.get("gpus", []):
        count = f"{gpu['count']}×" if gpu.get("count") is not None else ""
        memory = f" {gpu['memory_gb']}GB" if gpu.get("memory_gb") is not None else ""
        form = f" {gpu['form']}" if gpu.get("form") is not None else ""
        parts.append(f"{count}{gpu['model']}{memory}{form}")
    return ", ".join(parts)


def values(state: Mapping[str, Any]) -> dict[str, Any]:
    """What a submitted form says, by the name of its field: text, a list of values, or None for an empty one."""
    found: dict[str, Any] = {}
    for block in state.get("values", {}).values():
        for name, element in block.items():
            if "selected_options" in element:
                found[name] = [one["value"] for one in element["selected_options"] or []]
            elif "selected_option" in element:
                found[name] = None if element["selected_option"] is None else element["selected_option"]["value"]
            elif "selected_conversation" in element:
                found[name] = element["selected_conversation"]
            else:
                found[name] = (element.get("value") or "").strip() or None
    return found


def number(text: str | None) -> Decimal | None:
    """A number above 0 and below a billion, None for an empty field. Raises ``ValueError`` for anything else."""
    if text is None:
        return None
    try:
        value = Decimal(text)
    except InvalidOperation:
        raise ValueError(text) from None
    if not value.is_finite() or not 0 < value < _MOST:
        raise ValueError(text)
    return value


def changes(
    given: Mapping[str, Any], question: Mapping[str, Any], gpus: Sequence[Mapping[str, Any]] | None,
    excluded: Sequence[str],
) -> dict[str, Any]:  # fmt: skip
    """The slots of a submitted form: JSON values, None takes a slot out. What the form left alone is not named."""
    found: dict[str, Any] = {}
    if gpus is not None:
        found |= {"gpus": list(gpus) or None, "gpu_count": None}
    hours = number(given.get("hours"))
    if hours != _as_number(question.get("hours")):
        found |= {"hours": None if hours is None else float(hours), "gpu_hours": None, "hours_per_day": None}
    found["plans"] = given.get("plans") or None
    region = given.get("region")
    before = next((code for code in question.get("regions", []) if code in REGIONS), _ANY)
    if region is not None and region != before:
        found |= {"regions": None if region == _ANY else [region], "exclude_regions": None}
    found["exclude_providers"] = list(excluded) or None
    limit = number(given.get("limit"))
    shown = (question.get("budget_per_hour") or {}).get("amount")
    if limit != _as_number(shown):
        per = (question.get("budget_per_hour") or {}).get("per")
        found["budget_per_hour"] = (
            None if limit is None else {"amount": float(limit), "currency": "USD", **({"per": per} if per else {})}
        )
    return found


def _as_number(value: Any) -> Decimal | None:
    return None if value is None else Decimal(str(value))


def feedback(place: Mapping[str, Any], lang: str) -> Json:
    """What is wrong with the answer."""
    blocks = [_text("reason", lang, "", multiline=True)]
    return form(tell("feedback.title", lang), tell("feedback.submit", lang), ids.FEEDBACK_FORM, place, blocks, lang)


def share(place: Mapping[str, Any], lang: str) -> Json:
    """Where the answer is to be shared."""
    element = sb.ConversationSelectMenu(action_id="channel", default_to_current_conversation=True)
    blocks = [sb.InputBlock(kit.label(tell("share.channel", lang), 200), element, block_id="channel")]
    return form(tell("share.title", lang), tell("share.submit", lang), ids.SHARE_FORM, place, blocks, lang)
