"""Submitted forms."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from slack_bolt import Ack, App

from bot import metrics
from bot.slack import conversation, ids, subscribing
from bot.slack.desk import Desk
from bot.slack.posting import Place
from bot.slack.text import tell
from bot.slack.views import forms
from bot.slack.work import Bot
from bot.store.inbox import Item
from rules.model import Catalog
from rules.wire import question_to_json

_BETWEEN = re.compile(r"[,，、;；]")


def register(app: App, bot: Bot, desk: Desk) -> None:
    def take(view: Mapping[str, Any], body: Mapping[str, Any], kind: str, content: Mapping[str, Any]) -> None:
        metrics.events.labels("form").inc()
        about = json.loads(view["private_metadata"])
        place = Place.from_json({**about["place"], "user": body["user"]["id"]})
        key = f"view:{view.get('id')}:{view.get('hash')}"
        whole = {"place": place.to_json(), "answer": about["answer"], "asker": about["asker"], **content}
        desk.begin(desk.take_in(Item(place.team, key, kind, whole, bot.now()), [key]))

    def edit(ack: Ack, view: dict[str, Any], body: dict[str, Any]) -> None:
        question = json.loads(view["private_metadata"])["question"]
        changes, errors = read_edit(forms.values(view["state"]), question, bot.catalog)
        if errors:
            ack(response_action="errors", errors=errors)
            return
        ack()
        take(view, body, "edited", {"changes": changes})

    def share(ack: Ack, view: dict[str, Any], body: dict[str, Any]) -> None:
        ack()
        take(view, body, "share", {"to": forms.values(view["state"])["channel"]})

    def feedback(ack: Ack, view: dict[str, Any], body: dict[str, Any]) -> None:
        ack()
        reason = forms.values(view["state"]).get("reason")
        if reason is not None:
            take(view, body, "feedback", {"good": False, "reason": reason})

    def subscribe(ack: Ack, view: dict[str, Any], body: dict[str, Any]) -> None:
        about = json.loads(view["private_metadata"])
        wish, errors = subscribing.read_form(forms.values(view["state"]), bot, str(about["lang"]))
        if errors:
            ack(response_action="errors", errors=errors)
            return
        ack()
        metrics.events.labels("form").inc()
        place = Place.from_json({**about["place"], "user": body["user"]["id"]})
        key = f"view:{view.get('id')}:{view.get('hash')}"
        whole = {"place": place.to_json(), "wish": wish, "lang": about["lang"]}
        desk.begin(desk.take_in(Item(place.team, key, "subscribe", whole, bot.now()), [key]))

    app.view(ids.SUBSCRIBE_FORM)(subscribe)
    app.view(ids.EDIT_FORM)(edit)
    app.view(ids.SHARE_FORM)(share)
    app.view(ids.FEEDBACK_FORM)(feedback)


def read_edit(
    given: Mapping[str, Any], question: Mapping[str, Any], catalog: Catalog
) -> tuple[dict[str, Any], dict[str, str]]:
    """The changes that a submitted form asks for, or what is wrong with it by the name of the field."""
    lang = str(question.get("lang", "en"))
    errors: dict[str, str] = {}
    for name in ("hours", "limit"):
        try:
            forms.number(given.get(name))
        except ValueError:
            errors[name] = tell("edit.error.number", lang)
    gpus = _gpus(given.get("gpus"), question, catalog, lang, errors)
    excluded = _providers(given.get("exclude"), catalog, lang, errors)
    if errors:
        return {}, errors
    return forms.changes(given, question, gpus, excluded), {}


def _gpus(
    text: str | None, question: Mapping[str, Any], catalog: Catalog, lang: str, errors: dict[str, str]
) -> list[dict[str, Any]] | None:
    """The GPUs as written; None when the field says what the question said before."""
    if text == (forms.gpus_text(question) or None):
        return None
    if text is None:
        return []
    parsed = conversation.hear(text, None, catalog).parsed
    if parsed.unknown_models:
        word, near = parsed.unknown_models[0]
        errors["gpus"] = tell("edit.error.gpu.near", lang, word=word, near=", ".join(near[:3]) or "–")
    elif not parsed.question.gpus:
        errors["gpus"] = tell("edit.error.gpu", lang)
    return list(question_to_json(parsed.question).get("gpus", []))


def _providers(text: str | None, catalog: Catalog, lang: str, errors: dict[str, str]) -> list[str]:
    known: dict[str, str] = {}
    for provider in catalog.providers.values():
        for name in (provider.id, provider.name.en, provider.name.zh, *provider.aliases):
            known[name.casefold()] = provider.id
    found = []
    for word in _BETWEEN.split(text or ""):
        name = word.strip()
        if not name:
            continue
        if name.casefold() not in known:
            errors["exclude"] = tell("edit.error.provider", lang, word=name)
        else:
            found.append(known[name.casefold()])
    return found
