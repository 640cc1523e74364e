"""The manifest that creates the app in Slack, and what each of its permissions is for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

PATH = Path(__file__).parent / "manifest.json"

# What each scope allows, in the words of the guide and of `serve --check`.
NEEDED = {
    "app_mentions:read": "hear mentions",
    "assistant:write": "suggest questions in the Messages tab",
    "chat:write": "post answers",
    "commands": "/gpu, /gpu-bench, /gpu-prices and the message shortcut",
    "im:history": "hear direct messages",
    "im:write": "tell one person what cannot be said in a channel",
    "users:read": "answer in the language of the reader",
}
OPTIONAL = {
    "channels:history": "follow-ups in threads of public channels without a mention, and no answer twice after a crash",
    "groups:history": "the same in private channels",
    "files:read": "the verdict on a result file that is dropped on /gpu-bench or attached to a message",
    "files:write": "CSV as a file, and a chart as a picture where charts are not taken; without it both are text",
}


def manifest(request_url: str | None = None) -> dict[str, Any]:
    """The manifest for Socket Mode, or for HTTP at ``request_url`` (``https://…``, without a path)."""
    found: dict[str, Any] = json.loads(PATH.read_text(encoding="utf-8"))
    if request_url is not None:
        url = request_url.rstrip("/") + "/slack/events"
        found["settings"]["socket_mode_enabled"] = False
        found["settings"]["interactivity"]["request_url"] = url
        found["settings"]["event_subscriptions"]["request_url"] = url
        for command in found["features"]["slash_commands"]:
            command["url"] = url
    return found
