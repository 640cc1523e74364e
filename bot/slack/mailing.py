"""The digest on its way to the channels: when it is due, once a channel and period, and what becomes of failures."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, datetime
from typing import TYPE_CHECKING, Any
from urllib.error import URLError

from slack_sdk.errors import SlackApiError

from bot import digest as digests
from bot.catalog import no_collection
from bot.digest.due import cron_of, due
from bot.digest.history import history
from bot.digest.trend import Trend, trend
from bot.feeds.moments import end_of, start_of
from bot.slack.posting import CannotPostError, Place, error_name, is_trouble
from bot.slack.text import tell
from bot.slack.views import digest as view
from bot.slack.views.kit import Message
from bot.store import PUBLIC, benches, current
from bot.store import digests as kept
from bot.store.digests import Subscription

if TYPE_CHECKING:
    from bot.jobs import Job, Jobs, JobState
    from bot.slack.work import Bot

log = logging.getLogger(__name__)

KIND = "digest"
POSTED, SKIPPED, BEFORE, CLOSED, MAYBE, AWAY, NOT_DUE = OUTCOMES = (
    "posted", "skipped", "before", "closed", "maybe", "away", "not due",
)  # fmt: skip
_NAME = "digest:"  # of the schedules
_TRIES, _BETWEEN = 48, 900.0  # while Slack is away: half a day
_CHARTED = 6
_HELD_SECONDS = 60.0
_REASONS = ("is_archived", "not_in_channel", "channel_not_found", "account_inactive")
Wait = Callable[[float], Any]


# ---------------------------------------------------------------- schedules


def schedule(jobs: Jobs, wish: Subscription) -> None:
    """Run the digest of a channel by its own clock. Doing it again changes nothing."""
    name = _name(wish.team_id, wish.channel)
    args = {"team": wish.team_id, "channel": wish.channel}
    jobs.schedule(name, cron_of(wish), KIND, args, zone=wish.zone, catch_up="last", team_id=wish.team_id)


def unschedule(jobs: Jobs, team: str, channel: str) -> None:
    jobs.unschedule(_name(team, channel))


def _name(team: str, channel: str) -> str:
    return f"{_NAME}{team}:{channel}"


def reconcile(bot: Bot, jobs: Jobs) -> None:
    """Make the schedules those of the subscriptions: a process may have died between writing the one and the other,
    and a digest that was paused within its job has its clock still."""
    wishes = [one for one in kept.subscriptions(bot.database, bot.team) if one.paused_because is None]
    for wish in wishes:
        schedule(jobs, wish)
    names = {_name(one.team_id, one.channel) for one in wishes}
    mine = _name(bot.team, "")
    for name in jobs.schedules():
        if name.startswith(mine) and name not in names:
            jobs.unschedule(name)


# ---------------------------------------------------------------- the job


def run(bot: Bot, job: Job) -> str:
    """The job of one tick: post what is due to the channel, however long Slack is away, up to half a day."""
    moment = datetime.fromisoformat(str(job.args["scheduled_for"]))
    team, channel = str(job.args["team"]), str(job.args["channel"])

    def once() -> str:
        wish = kept.subscription(bot.database, team, channel)
        if wish is None or wish.paused_because is not None:
            return NOT_DUE
        period = due(wish, moment)
        return NOT_DUE if period is None else post(bot, wish, period, job.id, job.pause)

    for n in range(_TRIES):
        found = str(job.step(f"post-{n}", once))
        if found != AWAY:
            return found
        job.step(f"wait-{n}", job.pause, _BETWEEN)
    job.step("tell", lambda: _not_posted(bot, job.args, job.id, "digest.away", job.pause))
    return AWAY


def orphan(bot: Bot, state: JobState, reason: str) -> None:
    """The watchdog found a digest that nobody will post: tell who asked for it. A silent one waits for Slack."""
    from bot.jobs import SILENT

    args = state.args
    if reason == SILENT or "scheduled_for" not in args:
        return
    _not_posted(bot, args, state.id, "digest.failed", time.sleep)


def _not_posted(bot: Bot, args: Mapping[str, Any], job_id: str, key: str, wait: Wait) -> None:
    """Let the digest of a tick go, so that somebody can post it by hand, and tell who asked for it."""
    wish = kept.subscription(bot.database, str(args["team"]), str(args["channel"]))
    period = None if wish is None else due(wish, datetime.fromisoformat(str(args["scheduled_for"])))
    if wish is None or period is None:
        return
    kept.release_digest(bot.database, wish.team_id, wish.channel, period.name, job_id)
    slots = {"channel": f"<#{wish.channel}>", "period": period.name, "id": job_id}
    _tell_subscriber(bot, wish, tell(key, wish.lang, **slots), wait)


def post(bot: Bot, wish: Subscription, period: digests.Period, job_id: str, wait: Wait) -> str:
    """Post a channel's digest of a period unless that was done; gives one of ``OUTCOMES``."""
    here = (bot.database, wish.team_id, wish.channel)
    if not kept.claim_digest(*here, period.name, job_id, bot.now()):
        return BEFORE
    shown = digests.for_channel(whole(bot, period), wish)
    if digests.is_quiet(shown):
        kept.digest_done(*here, period.name, bot.now(), None)
        return SKIPPED
    message = message_of(bot, shown, wish, subscribed=True)
    arrived: list[str] = []
    place = Place(wish.team_id, wish.channel, wish.asked_by)
    try:
        step = bot.poster.first(f"digest:{wish.channel}:{period.name}", place, message, arrived.append, wish.lang)
        while step is not None:
            wait(step.seconds)
            step = step.step()
    except CannotPostError as error:
        return _refused(bot, wish, period, job_id, str(error), wait)
    except (SlackApiError, URLError, OSError) as error:
        if is_trouble(error):
            return AWAY
        return _refused(bot, wish, period, job_id, error_name(error), wait)
    if not arrived:
        return MAYBE
    kept.digest_done(*here, period.name, bot.now(), arrived[0])
    kept.post_worked(*here)
    return POSTED


def _refused(
    bot: Bot, wish: Subscription, period: digests.Period, job_id: str, error: str, wait: Wait
) -> str:  # fmt: skip
    """Slack does not take it: count that, and after the second time in a row stop and tell who asked for it."""
    log.warning("a digest could not be posted: %s", error, extra={"channel": wish.channel})
    kept.release_digest(bot.database, wish.team_id, wish.channel, period.name, job_id)
    if kept.post_failed(bot.database, wish.team_id, wish.channel, error):
        sentence = tell("digest.paused", wish.lang, channel=f"<#{wish.channel}>", reason=reason(error, wish.lang))
        _tell_subscriber(bot, wish, sentence, wait)
    return CLOSED


def _tell_subscriber(bot: Bot, wish: Subscription, sentence: str, wait: Wait) -> None:
    try:
        opened = bot.poster.client.conversations_open(users=wish.asked_by)
        direct = str((opened.get("channel") or {})["id"])
        step = bot.poster.whisper(Place(wish.team_id, direct, wish.asked_by), Message(sentence))
        while step is not None:
            wait(step.seconds)
            step = step.step()
    except (SlackApiError, URLError, OSError, KeyError) as second:  # the home tab and `list` say it too
        log.warning("the subscriber could not be told: %s", error_name(second))


def reason(error: str, lang: str) -> str:
    """Why a channel is closed, in words."""
    return tell(f"reason.{error}", lang) if error in _REASONS else tell("reason.other", lang, error=error)


# ---------------------------------------------------------------- what a digest says


class _Held:
    """The last digest, for a minute: at one o'clock many channels want the same, and it may take seconds to make."""

    def __init__(self) -> None:
        self.lock = threading.Lock()  # one thread makes it, the others wait for it
        self._key: tuple[object, ...] = ()
        self._found: digests.Digest | None = None
        self._until = 0.0

    def get(self, key: tuple[object, ...], make: Callable[[], digests.Digest]) -> digests.Digest:
        with self.lock:
            if self._found is None or key != self._key or time.monotonic() > self._until:
                self._found = make()
                self._key, self._until = key, time.monotonic() + _HELD_SECONDS
            return self._found


_held = _Held()


def whole(bot: Bot, period: digests.Period) -> digests.Digest:
    """The digest of a period for the workspace; one that a minute ago was the same is not made anew."""
    until = min(period.last, bot.now().date())
    key = (bot.database, bot.catalog.snapshot, bot.team, period, until)
    return _held.get(key, lambda: _made(bot, period, until))


@no_collection()
def _made(bot: Bot, period: digests.Period, until: date) -> digests.Digest:
    spans = current.spans(bot.database, end_of(period.before), end_of(until), (PUBLIC, bot.team))
    return digests.digest(bot.catalog, period, until, spans, _readings(bot, period.first, until))


def _readings(bot: Bot, first: date, last: date) -> list[Mapping[str, Any]]:
    found = benches.readings(bot.database, bot.team, since=start_of(first), until=end_of(last))
    return [
        {
            "host": one.host, "gpu": one.gpu, "dtype": one.dtype,
            "tflops": None if one.tflops is None else float(one.tflops), "verdict": one.verdict,
            "date": one.at.date().isoformat(),
        }
        for one in sorted(found, key=lambda one: (one.at, one.id))
    ]  # fmt: skip


def message_of(bot: Bot, shown: digests.Digest, wish: Subscription, *, subscribed: bool) -> Message:
    """The message of what a channel is shown; ``subscribed`` False offers to subscribe instead of to stop."""
    report = digests.digest_json(shown)
    return view.message(report, _trend(bot, shown, wish), wish.channel, wish.lang, subscribed=subscribed)


def _trend(bot: Bot, shown: digests.Digest, wish: Subscription) -> Trend | None:
    """The lowest prices of the GPUs that a channel asked for, or of those that moved and the first others."""
    named = [*wish.gpus, *(move.thing.gpu for move in shown.moves), *(row.gpu for row in shown.cheapest)]
    gpus = [gpu for gpu in dict.fromkeys(named) if gpu not in wish.exclude_gpus][:_CHARTED]
    teams = (PUBLIC, bot.team)
    found = [
        history(bot.catalog, gpu, shown.until, current.tracks(bot.database, gpu, end_of(shown.until), teams))
        for gpu in gpus
    ]  # fmt: skip
    return trend(found, shown.until)


def post_week(bot: Bot, period: digests.Period, job_id: str, wait: Wait) -> dict[str, int]:
    """Post the digest of a week to every weekly subscriber of the workspace who did not get it; counts outcomes."""
    counts = dict.fromkeys(OUTCOMES, 0)
    for wish in kept.subscriptions(bot.database, bot.team):
        if wish.period == "weekly" and wish.paused_because is None:
            counts[post(bot, wish, period, job_id, wait)] += 1
    return counts


def subscribe(bot: Bot, wish: Subscription) -> bool:
    """Keep a wish and set its clock; True when the channel had none."""
    new = kept.subscribe(bot.database, replace(wish, failures=0, paused_because=None))
    if bot.jobs is not None:
        schedule(bot.jobs, wish)
    return new


def unsubscribe(bot: Bot, team: str, channel: str) -> bool:
    """Forget a wish and its clock; False when there was none."""
    if bot.jobs is not None:
        unschedule(bot.jobs, team, channel)
    return kept.unsubscribe(bot.database, team, channel)
