"""Buttons and menus under an answer."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from slack_bolt import Ack, App
from slack_sdk import WebClient

from bot import metrics
from bot.slack import answering, ids, payload, subscribing
from bot.slack.desk import Desk
from bot.slack.ids import Ref, read_value
from bot.slack.posting import Place
from bot.slack.views import forms
from bot.slack.work import Bot
from bot.store.inbox import Item


def register(app: App, bot: Bot, desk: Desk) -> None:
    def take(body: Mapping[str, Any], kind: str, ref: Ref, content: Mapping[str, Any]) -> None:
        metrics.events.labels("action").inc()
        place = payload.place_of_action(body)
        action = body["actions"][0]
        key = f"action:{body.get('trigger_id')}:{action.get('action_ts')}"
        about = {"place": place.to_json(), "answer": ref.answer, "asker": ref.asker, **content}
        desk.begin(desk.take_in(Item(place.team, key, kind, about, bot.now()), [key]))

    def refine(ack: Ack, body: dict[str, Any]) -> None:
        ack()
        key, ref = read_value(_value(body))
        take(body, "press", ref, {"key": key})

    def ready(ack: Ack, body: dict[str, Any]) -> None:
        ack()
        text, ref = read_value(_value(body))
        take(body, "picked", ref, {"text": text})

    def edit(ack: Ack, body: dict[str, Any], client: WebClient) -> None:
        ack()
        open_form(bot, body, client, Ref.read(_value(body)), ids.EDIT_FORM)

    def more(ack: Ack, body: dict[str, Any], client: WebClient) -> None:
        ack()
        key, ref = read_value(_value(body))
        if key == "share":
            open_form(bot, body, client, ref, ids.SHARE_FORM)
        else:
            take(body, "more", ref, {"key": key})

    def feedback(ack: Ack, body: dict[str, Any], client: WebClient) -> None:
        ack()
        key, ref = read_value(_value(body))
        take(body, "feedback", ref, {"good": key == "good"})
        if key != "good":
            open_form(bot, body, client, ref, ids.FEEDBACK_FORM)

    app.action(re.compile(rf"^{ids.REFINE}_"))(refine)
    app.action(re.compile(rf"^{ids.READY}_\d+$"))(ready)
    app.action(ids.EDIT)(edit)
    app.action(ids.MORE)(more)
    app.action(ids.FEEDBACK)(feedback)

    def change_digest(ack: Ack, body: dict[str, Any], client: WebClient) -> None:
        ack()
        place = replace(payload.place_of_action(body), channel=_value(body))
        view = subscribing.form(bot, place, bot.people.lang(place.user))
        client.views_open(trigger_id=str(body["trigger_id"]), view=view)

    def stop_digest(ack: Ack, body: dict[str, Any]) -> None:
        ack()
        metrics.events.labels("action").inc()
        place = replace(payload.place_of_action(body), channel=_value(body))
        key = f"action:{body.get('trigger_id')}:{body['actions'][0].get('action_ts')}"
        item = Item(place.team, key, "unsubscribe", {"place": place.to_json()}, bot.now())
        desk.begin(desk.take_in(item, [key]))

    app.action(ids.DIGEST_CHANGE)(change_digest)
    app.action(ids.DIGEST_STOP)(stop_digest)


def _value(body: Mapping[str, Any]) -> str:
    """What a button or the chosen option carries."""
    action = body["actions"][0]
    option = action.get("selected_option")
    return str(option["value"] if option else action.get("value", ""))


def open_form(bot: Bot, body: Mapping[str, Any], client: WebClient, ref: Ref, callback: str) -> None:
    """Open a form at once: the right to do so lasts three seconds."""
    place = payload.place_of_action(body)
    found = answering.again(bot.database, place.team, ref.answer)
    if found is None:
        bot.gone(place)
        return
    data = found[1]
    lang = answering.language_of(data)
    about = about_form(place, ref, data["question"])
    if callback == ids.EDIT_FORM:
        view = forms.edit(data["question"], about, lang)
    else:
        view = forms.share(about, lang) if callback == ids.SHARE_FORM else forms.feedback(about, lang)
    client.views_open(trigger_id=str(body["trigger_id"]), view=view)


def about_form(place: Place, ref: Ref, question: Mapping[str, Any]) -> dict[str, Any]:
    """What a form carries with it: where it came from, and the question it changes."""
    return {"place": place.to_json(), "answer": ref.answer, "asker": ref.asker, "question": dict(question)}
