"""The shortcut on a message: "Ask gpu-bot"."""

from __future__ import annotations

from typing import Any

from slack_bolt import Ack, App

from bot import metrics
from bot.slack import ids, payload
from bot.slack.desk import Desk
from bot.slack.work import Bot
from bot.store.inbox import Item


def register(app: App, bot: Bot, desk: Desk) -> None:
    def ask(ack: Ack, shortcut: dict[str, Any]) -> None:
        ack()
        metrics.events.labels("shortcut").inc()
        place = payload.place_of_shortcut(shortcut)
        key = f"shortcut:{shortcut['trigger_id']}"
        message = shortcut.get("message") or {}
        body = {"place": place.to_json(), "text": str(message.get("text", "")), "fresh": True}
        if message.get("user"):
            body["author"] = str(message["user"])
        desk.begin(desk.take_in(Item(place.team, key, "question", body, bot.now()), [key]))

    app.message_shortcut(ids.ASK_SHORTCUT)(ask)
