"""Mentions, messages and the opening of the home tab."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from slack_bolt import Ack, App, BoltContext, BoltResponse

from bot import metrics
from bot.slack import payload
from bot.slack.desk import Desk
from bot.slack.work import Bot
from bot.store import StoreAwayError

log = logging.getLogger(__name__)

EVENTS = ("app_mention", "message", "app_home_opened")
_RECEIPT = "gpu_bot_receipt"


def register(app: App, bot: Bot, desk: Desk) -> None:
    """An event is written down before it is acknowledged, so that Slack keeps it until somebody has it; the
    acknowledgement never waits longer for the database than ``desk.ACK_WITHIN``."""

    def take_in(body: dict[str, Any], context: BoltContext, next: Callable[[], BoltResponse]) -> BoltResponse:  # noqa: A002
        if body.get("type") != "event_callback":
            return next()
        kind = str((body.get("event") or {}).get("type"))
        metrics.events.labels(kind if kind in EVENTS else "other").inc()
        found = payload.of_event(body, bot.user, bot.settings.channels, bot.now())
        if found is None:
            return BoltResponse(status=200)
        receipt = desk.take_in(*found)
        try:
            new = desk.is_new(receipt)
        except StoreAwayError as error:
            log.warning("an event could not be written down, Slack shall send it again: %s", error)
            return BoltResponse(status=503)
        if new is False:
            metrics.repeats.inc()
            return BoltResponse(status=200)
        context[_RECEIPT] = receipt
        return next()

    def handle(ack: Ack, context: BoltContext) -> None:
        ack()
        desk.begin(context[_RECEIPT])

    app.use(take_in)
    for event in EVENTS:
        app.event(event)(handle)
