"""``gpu-bot serve``: the Slack app as one process, until it is told to stop."""

from __future__ import annotations

import logging
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from bot import metrics
from bot.catalog import Reloader, errors
from bot.feeds.reader import FeedIndex
from bot.jobs import Jobs
from bot.settings import Settings
from bot.slack import app as slack
from bot.slack import daily, mailing, watching
from bot.slack.bench.job import BenchJobs, Connector
from bot.slack.bench.office import Bench
from bot.slack.desk import Desk
from bot.slack.people import People
from bot.slack.posting import Poster
from bot.slack.socket import Socket
from bot.slack.work import Bot
from bot.store import PUBLIC, Database, StoreAwayError, StoreError, open_database
from bot.store import inbox as inbox_rows
from bot.web.endpoints import Delivery, Reply, application
from bot.web.server import Server

log = logging.getLogger(__name__)

REACH_SECONDS = 60.0  # how long a start waits for Slack
STOP_SECONDS = 6.0  # for what is being answered when it has to stop; it must be gone after 10
_RECONCILE_SECONDS = 3600.0  # between two looks whether each digest has its clock
_RELOAD_SECONDS = 5.0  # between two looks at the knowledge folder and the feeds


class CannotServeError(Exception):
    """A start that cannot succeed; ``key`` names a sentence, ``outside`` whether the cause is outside the program."""

    def __init__(self, key: str, *, outside: bool = False, **slots: Any) -> None:
        super().__init__(key)
        self.key, self.outside, self.slots = key, outside, slots


def missing(settings: Settings, *, http: bool) -> list[str]:
    """The settings that are needed and not there."""
    needed = {"SLACK_BOT_TOKEN": settings.slack_bot_token}
    needed |= (
        {"SLACK_SIGNING_SECRET": settings.slack_signing_secret}
        if http
        else {"SLACK_APP_TOKEN": settings.slack_app_token}
    )
    return [name for name, value in needed.items() if not value]


@dataclass(slots=True)
class Parts:
    """What runs."""

    database: Database
    knowledge: Reloader
    desk: Desk
    app: Any
    socket: Socket | None
    server: Server
    jobs: Jobs
    bot: Bot
    benches: BenchJobs


def run(settings: Settings, *, http: bool, say: Callable[[str], None]) -> int:
    """Serve until SIGTERM or SIGINT; ``say`` prints a line to standard output. Raises ``CannotServeError``."""
    lacking = missing(settings, http=http)
    if lacking:
        raise CannotServeError("serve.missing", names=", ".join(lacking))
    stop = threading.Event()
    got: list[int] = []

    def on_signal(number: int, _frame: Any) -> None:
        got.append(number)
        stop.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, on_signal)
    parts = start(settings, http=http, stop=stop)
    if parts is not None:
        say("ready")
        _wait(parts, stop)
        shut_down(parts)
    return 130 if signal.SIGINT in got else 0


def start(settings: Settings, *, http: bool, stop: threading.Event) -> Parts | None:
    """Start everything in the order in which it is needed; None when told to stop before Slack could be reached."""
    knowledge = Reloader(settings.knowledge, settings.overlays)
    wrong = errors(knowledge.problems)
    if wrong:
        raise CannotServeError("serve.knowledge", n=len(wrong), first=str(wrong[0]))
    try:
        database = open_database(settings.database_url)
    except StoreError as error:
        raise CannotServeError("serve.sentence", text=str(error), outside=isinstance(error, StoreAwayError)) from None
    client = slack.client(settings.slack_bot_token, settings.slack_api_url)
    log.info("connecting to Slack")
    me = _reach(client.auth_test, "SLACK_BOT_TOKEN", stop)
    if me is False:
        return None
    jobs = Jobs(database)
    feeds = FeedIndex(database, (PUBLIC, str(me["team_id"])))
    poster, people = Poster(database, client, lambda: datetime.now(UTC)), People(client)
    benches = BenchJobs(settings, database, knowledge, poster, people, jobs, str(me["team_id"]), _connector)
    bot = Bot(
        settings, database, knowledge, poster, people, user=str(me["user_id"]), team=str(me["team_id"]), jobs=jobs,
        feeds=feeds, bench=Bench(benches, poster, people),
    )  # fmt: skip
    desk = Desk(database, bot.answer, bot.fail)
    app = slack.build(bot, desk, me.get("bot_id"))
    socket = None
    if not http:
        web = slack.client(settings.slack_app_token, settings.slack_api_url)
        socket = Socket(app, str(settings.slack_app_token), web)
    health = _health(database, knowledge, desk, socket)
    receive = _receiver(app) if http else None
    server = Server(application(health, metrics.text, receive), settings.bind, settings.port)
    feeds.refresh()
    _warm(bot)
    jobs.kind(mailing.KIND, lambda job: mailing.run(bot, job), lambda job, why: mailing.orphan(bot, job, why))
    jobs.kind(watching.KIND, lambda job: watching.run(bot, job))
    jobs.kind(daily.KIND, lambda job: daily.run(bot, job))
    benches.register()
    jobs.start()
    daily.schedule(bot, jobs)
    desk.start()
    server.start()
    parts = Parts(database, knowledge, desk, app, socket, server, jobs, bot, benches)
    if socket is not None and _reach(socket.connect, "SLACK_APP_TOKEN", stop) is False:
        shut_down(parts)
        return None
    return parts


def _reach(call: Callable[[], Any], token: str, stop: threading.Event) -> Any:
    """What a first call to Slack gives. A network that is not there yet may come; a refused token will not get better.

    Gives False when told to stop meanwhile.
    """
    end = time.monotonic() + REACH_SECONDS
    while not stop.is_set():
        try:
            return slack.ask_slack(call)
        except slack.SlackRefusedError as error:
            if error.is_final or time.monotonic() > end:
                raise CannotServeError("serve.refused", outside=True, token=token, error=str(error)) from None
        except slack.SlackAwayError as error:
            if time.monotonic() > end:
                raise CannotServeError("serve.unreachable", outside=True, error=str(error)) from None
        stop.wait(2)
    return False


def _connector() -> Connector:
    """What reaches GPU hosts; built with the first run."""
    from bot.bench.connect import Connector as Real

    return Real()


def _warm(bot: Bot) -> None:
    """Build what the first question would otherwise wait for."""
    from bot.slack import answering, conversation

    for text, lang in (("cheapest for 72h on 4×A100", "en"), ("4张A100跑72小时哪家最便宜", "zh")):
        heard = conversation.hear(text, None, bot.catalog)
        answering.give(heard.parsed, bot.catalog, bot.now().date(), lang, bot.merge).message("U0", bot.catalog)


def _wait(parts: Parts, stop: threading.Event) -> None:
    """Until told to stop: take new knowledge and new feeds over, and see that every digest has its clock."""
    looked = time.monotonic()
    known: Any = parts.knowledge.problems
    while not stop.wait(_RELOAD_SECONDS):
        try:
            if parts.knowledge.refresh():
                log.info("the knowledge was read again")
            if parts.knowledge.problems is not known:
                known = parts.knowledge.problems
                for problem in errors(known):
                    log.warning("the knowledge has an error, the last good one is used: %s", problem)
            if parts.bot.look_at_feeds():
                log.info("the price feeds were read again")
            if time.monotonic() - looked > _RECONCILE_SECONDS:
                looked = time.monotonic()
                mailing.reconcile(parts.bot, parts.jobs)
        except Exception:
            log.exception("upkeep failed")


def shut_down(parts: Parts) -> None:
    """Take nothing more, finish what is being answered, leave the rest written down for the next process."""
    if parts.socket is not None:
        parts.socket.close()
    parts.server.stop()
    clean = parts.desk.stop(STOP_SECONDS)
    if not clean:
        log.info("unfinished items are left to the next process")
    parts.jobs.stop(grace=1.5)  # a benchmark under way is ended on its host, and goes on in the next process
    parts.benches.close()
    parts.database.close()


def _health(
    database: Database, knowledge: Reloader, desk: Desk, socket: Socket | None
) -> Callable[[], Mapping[str, Any]]:  # fmt: skip
    def health() -> Mapping[str, Any]:
        try:
            waiting: int | None = inbox_rows.waiting(database)
        except StoreAwayError:
            waiting = None
        connected = socket is None or socket.connected
        state: dict[str, Any] = {
            "ok": connected and waiting is not None,
            "database": waiting is not None,
            "knowledge_errors": len(errors(knowledge.problems)),
            "waiting": waiting,
            "open": desk.open_items,
        }
        if socket is not None:
            state |= {"socket": connected, "seconds_since_delivery": round(socket.silent_seconds, 1)}
        return state

    return health


def _receiver(app: Any) -> Callable[[Delivery], Reply]:
    return lambda delivery: Reply(*slack.over_http(app, delivery.body, delivery.query, delivery.headers))


def flush_line(line: str) -> None:
    """One line on standard output, at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
