"""What is done once a day, by whichever process comes to it: read feeds, have watches looked at, forget old rows."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from bot.feeds.names import Names
from bot.feeds.refresh import refresh
from bot.slack import mailing, watching
from bot.store import upkeep

if TYPE_CHECKING:
    from bot.jobs import Job, Jobs
    from bot.slack.work import Bot

log = logging.getLogger(__name__)

KIND = "daily"
_CRON = "23 5 * * *"  # UTC: before the digests of a European or American morning


def schedule(bot: Bot, jobs: Jobs) -> None:
    """Set the clock of the daily work and those of the digests."""
    jobs.schedule(KIND, _CRON, KIND, {}, catch_up="last", team_id=bot.team)
    mailing.reconcile(bot, jobs)
    if bot.feeds is not None:  # what came while nobody was there
        watching.look_after(bot, f"feeds {bot.feeds.digest}")


def run(bot: Bot, job: Job) -> dict[str, Any]:
    """The job of one day. What cannot be reached keeps its last snapshot, with its own date."""
    read = job.step("refresh", _refreshed, bot, job) if bot.settings.refresh == "daily" else None
    watching.look_after(bot, job.id)  # also without any news: prices grow too old to count
    gone = job.step("prune", lambda: upkeep.prune(bot.database, bot.now()))
    return {"read": read, "forgotten": gone}


def _refreshed(bot: Bot, job: Job) -> dict[str, int]:
    came, away = 0, 0
    for one in refresh(bot.database, Names(bot.catalog), bot.now()):
        job.check()
        came += one.reading is not None
        away += one.refused is not None
        if one.refused is not None:
            log.warning("a price list was not read and keeps its last state: %s (%s)", one.name, one.refused.key)
        job.report(came=came, away=away)
    if bot.feeds is not None:
        bot.feeds.refresh()
    return {"came": came, "away": away}
