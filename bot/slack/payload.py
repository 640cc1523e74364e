"""From what Slack delivers to items: who said what where, under which names it may come again, and what to ignore."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from bot.slack.bench.wish import file_id
from bot.slack.posting import Place
from bot.store.inbox import Item

Json = Mapping[str, Any]
_THREAD_SUBTYPES = (None, "thread_broadcast")


def of_event(body: Json, bot_user: str, channels: frozenset[str], now: datetime) -> tuple[Item, list[str]] | None:
    """The item of an event and the names it was seen under; None for what is none of the bot's business.

    Edits, bots, the bot's own messages and messages that mention nobody outside a thread are ignored. A mention comes
    as two events; only the one that says so counts, except with a file, for then Slack may send the other one alone.
    """
    event = body.get("event") or {}
    kind, user = event.get("type"), event.get("user")
    if not user or user == bot_user or event.get("bot_id") or event.get("edited"):
        return None
    if kind == "app_home_opened":
        return _home(body, event, now)
    shared = event.get("subtype") == "file_share"
    if kind not in ("app_mention", "message") or not (shared or event.get("subtype") in _THREAD_SUBTYPES):
        return None
    channel = str(event["channel"])
    direct = event.get("channel_type") == "im" or channel.startswith("D")
    if channels and channel not in channels and not direct:
        return None
    mentioned = f"<@{bot_user}" in str(event.get("text", ""))
    overheard = kind == "message" and not direct and not (shared and mentioned)
    if overheard and (shared or mentioned or not event.get("thread_ts")):
        return None
    place = Place(team_of(body), channel, str(user), thread_ts=event.get("thread_ts"))
    ts = str(event["ts"])
    content = {"place": place.to_json(), "text": str(event.get("text", "")), "ts": ts, "overheard": overheard}
    file = _only_file(event)
    if file is not None and not overheard:
        content["file"] = file
    key = f"message:{channel}:{ts}"
    return Item(place.team, key, "question", content, now), [f"event:{body.get('event_id')}", key]


def _only_file(event: Json) -> str | None:
    """The id of the one file that a message carries; None for none or several."""
    files = event.get("files")
    if not isinstance(files, list) or len(files) != 1 or not isinstance(files[0], Mapping):
        return None
    return file_id(files[0].get("id"))


def _home(body: Json, event: Json, now: datetime) -> tuple[Item, list[str]]:
    place = Place(team_of(body), str(event.get("channel", "")), str(event["user"]))
    key = f"event:{body.get('event_id')}"
    return Item(place.team, key, "greet", {"place": place.to_json(), "tab": event.get("tab")}, now), [key]


def team_of(body: Json) -> str:
    """The workspace of any payload."""
    team = body.get("team_id") or (body.get("team") or {}).get("id") or (body.get("user") or {}).get("team_id")
    return str(team or "")


def place_of_command(body: Json) -> Place:
    """A slash command is answered where only its user sees it."""
    return Place(
        team_of(body), str(body["channel_id"]), str(body["user_id"]), response_url=body.get("response_url"),
        ephemeral=True,
    )  # fmt: skip


def place_of_action(body: Json) -> Place:
    """The message under which a control was used."""
    container = body.get("container") or {}
    message = body.get("message") or {}
    channel = (body.get("channel") or {}).get("id") or container.get("channel_id") or ""
    return Place(
        team_of(body),
        str(channel),
        str(body["user"]["id"]),
        thread_ts=message.get("thread_ts") or container.get("thread_ts"),
        message_ts=container.get("message_ts") or message.get("ts"),
        response_url=body.get("response_url"),
        ephemeral=bool(container.get("is_ephemeral")),
    )


def place_of_shortcut(body: Json) -> Place:
    """A shortcut on a message is answered to the person alone."""
    return Place(
        team_of(body), str(body["channel"]["id"]), str(body["user"]["id"]), response_url=body.get("response_url"),
        ephemeral=True,
    )  # fmt: skip


def place_of_anything(body: Json) -> Place | None:
    """Where to tell the person of a payload that something failed; None when it names nobody."""
    event = body.get("event") or {}
    user = body.get("user")
    user_id = user.get("id") if isinstance(user, Mapping) else body.get("user_id") or event.get("user")
    channel = (body.get("channel") or {}).get("id") if isinstance(body.get("channel"), Mapping) else None
    channel = channel or body.get("channel_id") or event.get("channel")
    if not user_id or not (channel or body.get("response_url")):
        return None
    return Place(team_of(body), str(channel or ""), str(user_id), response_url=body.get("response_url"))
