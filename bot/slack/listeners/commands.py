"""The slash commands ``/gpu`` and ``/gpu-prices``, with the grammar of the latter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from slack_bolt import Ack, App
from slack_sdk import WebClient

from bot import metrics
from bot.slack import payload, subscribing
from bot.slack.desk import Desk
from bot.slack.work import Bot
from bot.store.inbox import Item

_PRICES_WORK = {
    "subscribe": "subscribe", "unsubscribe": "unsubscribe", "list": "listed", "watch": "watch",
    "unwatch": "unwatch", "取消盯价": "unwatch",
    "订阅": "subscribe", "退订": "unsubscribe", "列表": "listed", "盯": "watch", "盯价": "watch",
}  # fmt: skip
Say = tuple[str, dict[str, str]]  # a sentence and its slots; a slot "@key" is another sentence


def register(app: App, bot: Bot, desk: Desk) -> None:
    def take(command: Mapping[str, Any], kind: str, content: Mapping[str, Any]) -> None:
        metrics.events.labels("command").inc()
        place = payload.place_of_command(command)
        key = f"command:{command['trigger_id']}"
        body = {"place": place.to_json(), "text": str(command.get("text", "")), **content}
        desk.begin(desk.take_in(Item(place.team, key, kind, body, bot.now()), [key]))

    def gpu(ack: Ack, command: dict[str, Any]) -> None:
        ack()
        text = str(command.get("text", "")).strip()
        said = outside(command, bot.settings.channels)
        if said is None and text.lower() in ("", "help", "帮助"):
            said = ("help.gpu", {})
        if said is None:
            take(command, "question", {"fresh": True})
        else:
            take(command, "sentence", {"say": said[0], "slots": said[1]})

    def prices(ack: Ack, command: dict[str, Any], client: WebClient) -> None:
        ack()
        text = str(command.get("text", ""))
        said = outside(command, bot.settings.channels)
        if said is None and (kind := prices_kind(text)) is None:
            said = prices_says(text)
        if said is not None:
            take(command, "sentence", {"say": said[0], "slots": said[1]})
        elif kind == "subscribe":
            place = payload.place_of_command(command)
            view = subscribing.form(bot, place, bot.people.lang(place.user))
            client.views_open(trigger_id=str(command["trigger_id"]), view=view)
        else:
            take(command, str(kind), {})

    app.command("/gpu")(gpu)
    app.command("/gpu-prices")(prices)


def outside(command: Mapping[str, Any], channels: frozenset[str]) -> Say | None:
    """What is said in a channel that the bot does not answer in."""
    channel = str(command["channel_id"])
    if not channels or channel in channels or channel.startswith("D"):
        return None
    return "error.channels", {"channels": ", ".join(sorted(channels))}


def prices_kind(text: str) -> str | None:
    """The work that ``/gpu-prices`` asks for; None where words answer it."""
    words = text.split()
    return _PRICES_WORK.get(words[0].lower()) if words else None


def prices_says(text: str) -> Say:
    """Help, or that there is no such word."""
    words = text.split()
    if not words or words[0].lower() in ("help", "帮助"):
        return "help.prices", {}
    return "unknown.sub", {"word": words[0], "usage": "@help.prices"}
