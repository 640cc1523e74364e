"""What Slack sends, by kind. Every listener acknowledges first and leaves the work to the desk."""

from __future__ import annotations

from slack_bolt import App

from bot.slack.desk import Desk
from bot.slack.listeners import actions, benchmarks, commands, events, shortcuts, views
from bot.slack.work import Bot


def register(app: App, bot: Bot, desk: Desk) -> None:
    """Connect all listeners."""
    for module in (events, commands, benchmarks, actions, shortcuts, views):
        module.register(app, bot, desk)
