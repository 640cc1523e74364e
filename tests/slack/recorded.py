"""Payloads as Slack delivers them, and the signature that it puts on them."""

from __future__ import annotations

import hashlib
import hmac
import json
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import Any

from slack.peer import ALICE, BOT_USER, GENERAL, SECRET, TEAM


def event(event_id: str, **event: Any) -> dict[str, Any]:
    """One event in its envelope."""
    return {
        "token": "verification-token", "team_id": TEAM, "api_app_id": "A01APP", "type": "event_callback",
        "event_id": event_id, "event_time": 1796045453, "event": event,
        "authorizations": [{"enterprise_id": None, "team_id": TEAM, "user_id": BOT_USER, "is_bot": True}],
    }  # fmt: skip


def mention(event_id: str, text: str, ts: str, **more: Any) -> dict[str, Any]:
    body = {"user": ALICE, "channel": GENERAL, "text": f"<@{BOT_USER}> {text}", "ts": ts, "event_ts": ts, **more}
    return event(event_id, type="app_mention", **body)


def message(event_id: str, text: str, ts: str, **more: Any) -> dict[str, Any]:
    body = {"user": ALICE, "channel": GENERAL, "channel_type": "channel", "text": text, "ts": ts, "event_ts": ts}
    return event(event_id, type="message", **{**body, **more})


def command(command: str, text: str, **more: Any) -> dict[str, Any]:
    return {
        "token": "verification-token", "team_id": TEAM, "team_domain": "gpu-test", "channel_id": GENERAL,
        "channel_name": "general", "user_id": ALICE, "user_name": "alice", "command": command, "text": text,
        "api_app_id": "A01APP", "is_enterprise_install": "false", "trigger_id": f"1.2.{time.time_ns()}",
        "response_url": "http://127.0.0.1:1/hook", **more,
    }  # fmt: skip


def press(action: dict[str, Any], ts: str, *, user: str = ALICE, **more: Any) -> dict[str, Any]:
    return {
        "type": "block_actions", "api_app_id": "A01APP", "token": "verification-token",
        "team": {"id": TEAM, "domain": "gpu-test"}, "user": {"id": user, "username": "x", "team_id": TEAM},
        "container": {"type": "message", "message_ts": ts, "channel_id": GENERAL, "is_ephemeral": False},
        "trigger_id": f"1.2.{time.time_ns()}", "channel": {"id": GENERAL, "name": "general"},
        "message": {"type": "message", "ts": ts, "thread_ts": "1.0", "blocks": []}, "state": {"values": {}},
        "response_url": "http://127.0.0.1:1/hook", "actions": [{**action, "action_ts": f"{time.time()}"}], **more,
    }  # fmt: skip


def shortcut(text: str, **more: Any) -> dict[str, Any]:
    return {
        "type": "message_action", "callback_id": "ask_gpu_bot", "token": "verification-token",
        "team": {"id": TEAM, "domain": "gpu-test"}, "user": {"id": ALICE, "username": "alice", "team_id": TEAM},
        "channel": {"id": GENERAL, "name": "general"}, "trigger_id": f"1.2.{time.time_ns()}", "message_ts": "3.0",
        "message": {"type": "message", "user": "U02BOB", "ts": "3.0", "text": text},
        "response_url": "http://127.0.0.1:1/hook", **more,
    }  # fmt: skip


def submission(callback: str, about: dict[str, Any], values: dict[str, Any], user: str = ALICE) -> dict[str, Any]:
    return {
        "type": "view_submission", "team": {"id": TEAM, "domain": "gpu-test"}, "api_app_id": "A01APP",
        "token": "verification-token", "user": {"id": user, "username": "x", "team_id": TEAM},
        "trigger_id": f"1.2.{time.time_ns()}", "response_urls": [],
        "view": {
            "id": f"V{time.time_ns()}", "type": "modal", "callback_id": callback, "hash": "1.a",
            "private_metadata": json.dumps(about), "state": {"values": values},
        },
    }  # fmt: skip


def encoded(payload: dict[str, Any]) -> tuple[str, str]:
    """Body and content type of a payload: events come as JSON, commands and interactions as forms."""
    if payload.get("type") == "event_callback":
        return json.dumps(payload), "application/json"
    if "command" in payload:
        return urllib.parse.urlencode(payload), "application/x-www-form-urlencoded"
    return urllib.parse.urlencode({"payload": json.dumps(payload)}), "application/x-www-form-urlencoded"


def signed(payload: dict[str, Any], *, age: float = 0.0, secret: str = SECRET) -> tuple[str, dict[str, str]]:
    """Body and headers of a delivery, signed ``age`` seconds ago."""
    body, kind = encoded(payload)
    stamp = str(int(time.time() - age))
    signature = hmac.new(secret.encode(), f"v0:{stamp}:{body}".encode(), hashlib.sha256).hexdigest()
    return body, {
        "content-type": kind, "x-slack-request-timestamp": stamp, "x-slack-signature": f"v0={signature}",
    }  # fmt: skip


def deliver(port: int, payload: dict[str, Any], **how: Any) -> int:
    """Send a payload over HTTP as Slack does; gives the status."""
    more = how.pop("headers", {})
    body, headers = signed(payload, **how)
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/slack/events", data=body.encode(), headers={**headers, **more}
    )
    try:
        with urllib.request.urlopen(request, timeout=15) as response:
            return int(response.status)
    except urllib.error.HTTPError as error:
        return int(error.code)
