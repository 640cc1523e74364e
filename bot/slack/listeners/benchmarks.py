"""``/gpu-bench``: the command, its form and the buttons under its messages."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from slack_bolt import Ack, App
from slack_sdk import WebClient

from bot import metrics
from bot.slack import ids, payload
from bot.slack.bench import views, wish
from bot.slack.bench.office import wish_of_button
from bot.slack.desk import Desk
from bot.slack.listeners.commands import outside
from bot.slack.posting import Place
from bot.slack.views import forms
from bot.slack.work import Bot
from bot.store.inbox import Item


def register(app: App, bot: Bot, desk: Desk) -> None:
    def take(kind: str, key: str, place: Place, **content: Any) -> None:
        body = {"place": place.to_json(), **content}
        desk.begin(desk.take_in(Item(place.team, key, kind, body, bot.now()), [key]))

    def command(ack: Ack, command: dict[str, Any], client: WebClient) -> None:
        ack()
        metrics.events.labels("command").inc()
        place, key = payload.place_of_command(command), f"command:{command['trigger_id']}"
        text = str(command.get("text", ""))
        asked = wish.read(text)
        said = outside(command, bot.settings.channels)
        if said is None and bot.bench is None:
            said = ("bench.not_yet", {})
        if said is not None:
            take("sentence", key, place, text=text, say=said[0], slots=said[1])
        elif asked.do == "form" and bot.bench is not None:
            bot.bench.open_form(place, str(command["trigger_id"]), client)
        else:
            take("bench", key, place, wish=asked.to_json())

    def form(ack: Ack, view: dict[str, Any], body: dict[str, Any]) -> None:
        ack()
        metrics.events.labels("form").inc()
        given = forms.values(view["state"])
        place = Place.from_json({**json.loads(view["private_metadata"])["place"], "user": body["user"]["id"]})
        asked = {name: given.get(name) for name in ("host", "dtype", "quick")}
        file, ordered = views.file_of(view["state"]), given.get("ordered")
        if file is None:
            asked["do"] = "run"
        else:
            asked = {"do": "file", "file": file, "ordered": None if ordered == views.NOT_SAID else ordered}
        key = f"view:{view.get('id')}:{view.get('hash')}"
        take("bench", key, place, wish=wish.Wish.from_json(asked).to_json())

    def pressed(body: Mapping[str, Any], kind: str, **content: Any) -> None:
        metrics.events.labels("action").inc()
        key = f"action:{body.get('trigger_id')}:{body['actions'][0].get('action_ts')}"
        take(kind, key, payload.place_of_action(body), **content)

    def cancel(ack: Ack, body: dict[str, Any]) -> None:
        ack()
        pressed(body, "bench_cancel", post=str(body["actions"][0]["value"]))

    def again(ack: Ack, body: dict[str, Any]) -> None:
        ack()
        pressed(body, "bench", wish=wish_of_button(str(body["actions"][0]["value"]), "run"))

    def everything(ack: Ack, body: dict[str, Any]) -> None:
        ack()
        pressed(body, "bench", wish=wish_of_button(str(body["actions"][0]["value"]), "everything"))

    app.command("/gpu-bench")(command)
    app.view(ids.BENCH_FORM)(form)
    app.action(ids.BENCH_CANCEL)(cancel)
    app.action(ids.BENCH_AGAIN)(again)
    app.action(ids.BENCH_ALL)(everything)
