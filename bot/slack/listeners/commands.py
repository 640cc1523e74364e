"""The slash commands: ``/gpu``, and the grammar of ``/gpu-bench`` and ``/gpu-prices``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from slack_bolt import Ack, App

from bot import metrics
from bot.slack import payload
from bot.slack.desk import Desk
from bot.slack.work import Bot
from bot.store.inbox import Item

COMMANDS = ("/gpu", "/gpu-bench", "/gpu-prices")
BENCH_WORDS = ("hosts", "status", "cancel", "history", "all", "help")
PRICES_WORDS = ("subscribe", "unsubscribe", "list", "watch", "help")
DTYPES = ("fp64", "fp32", "tf32", "fp16", "bf16", "fp8", "int8", "int4")
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

    def bench(ack: Ack, command: dict[str, Any]) -> None:
        ack()
        say, slots = bench_says(str(command.get("text", "")))
        take(command, "sentence", {"say": say, "slots": slots})

    def prices(ack: Ack, command: dict[str, Any]) -> None:
        ack()
        say, slots = prices_says(str(command.get("text", "")))
        take(command, "sentence", {"say": say, "slots": slots})

    for name, listener in zip(COMMANDS, (gpu, bench, prices), strict=True):
        app.command(name)(listener)


def outside(command: Mapping[str, Any], channels: frozenset[str]) -> Say | None:
    """What is said in a channel that the bot does not answer in."""
    channel = str(command["channel_id"])
    if not channels or channel in channels or channel.startswith("D"):
        return None
    return "error.channels", {"channels": ", ".join(sorted(channels))}


def bench_says(text: str) -> Say:
    """``[HOST] [dtype] [quick]`` or one of the words; what does not fit is named together with the usage."""
    words = text.split()
    first = words[0].lower() if words else ""
    if first == "help":
        return "help.bench", {}
    if first in BENCH_WORDS:
        return "bench.not_yet", {}
    rest = [word.lower() for word in words[1:]]
    wrong = next((word for word in rest if word not in (*DTYPES, "quick")), None)
    return ("bench.not_yet", {}) if wrong is None else ("unknown.sub", {"word": wrong, "usage": "@help.bench"})


def prices_says(text: str) -> Say:
    """One of the words, with what belongs to it."""
    words = text.split()
    first = words[0].lower() if words else "help"
    if first == "help":
        return "help.prices", {}
    if first in PRICES_WORDS:
        return "prices.not_yet", {}
    return "unknown.sub", {"word": words[0], "usage": "@help.prices"}
