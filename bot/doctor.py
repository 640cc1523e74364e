"""``gpu-bot serve --check``: what is wrong with the set-up, each finding in one sentence that says what to do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any

from bot import serve
from bot.catalog import Reloader, errors
from bot.settings import Settings
from bot.slack import app as slack
from bot.slack.manifest import NEEDED, OPTIONAL
from bot.slack.text import tell
from bot.slack.work import data_of
from bot.store import Database, StoreError, digests, inbox, jobrows, open_database

OK, WARN, FAIL = "ok", "warn", "fail"
_MOST_SKEW = 60  # seconds; Slack's signatures allow 300
_FAILED_SINCE = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Finding:
    """One check: its state, its sentence, and whether the cause is outside (Slack, network)."""

    state: str
    what: str
    outside: bool = False
    settings: bool = False


class Doctor:
    """Looks at everything in turn; whatever fails, the rest is still looked at."""

    def __init__(self, settings: Settings, lang: str, *, http: bool, live: bool) -> None:
        self._settings = settings
        self._lang = lang
        self._http = http
        self._live = live
        self._database: Database | None = None

    def findings(self) -> Iterator[Finding]:
        """All findings, in the order in which a start needs the things."""
        yield from self._tokens()
        yield from self._opened()
        yield from self._data()
        yield from self._slack()
        yield from self._socket()
        yield from self._jobs()
        if self._database is not None:
            self._database.close()

    def _said(self, state: str, key: str, *, outside: bool = False, settings: bool = False, **slots: Any) -> Finding:
        return Finding(state, tell(key, self._lang, **slots), outside, settings)

    # ------------------------------------------------------------ here

    def _tokens(self) -> Iterator[Finding]:
        lacking = serve.missing(self._settings, http=self._http)
        for name in lacking:
            yield self._said(FAIL, f"check.missing.{name}", settings=True)
        kinds = (
            ("SLACK_BOT_TOKEN", self._settings.slack_bot_token, "xoxb-"),
            ("SLACK_APP_TOKEN", self._settings.slack_app_token, "xapp-"),
        )
        wrong = [(name, prefix) for name, token, prefix in kinds if token and not token.startswith(prefix)]
        for name, prefix in wrong:
            yield self._said(FAIL, "check.settings.token", settings=True, name=name, prefix=prefix)
        if not lacking and not wrong:
            yield self._said(OK, "check.settings.ok")

    def _opened(self) -> Iterator[Finding]:
        try:
            self._database = open_database(self._settings.database_url)
            waiting = inbox.waiting(self._database)
        except StoreError as error:
            yield Finding(FAIL, str(error), settings=True)
            return
        yield self._said(OK, "check.database.ok", database=str(self._database))
        if waiting:
            yield self._said(WARN, "check.inbox", n=waiting)

    def _data(self) -> Iterator[Finding]:
        knowledge = Reloader(self._settings.knowledge, self._settings.overlays)
        wrong = errors(knowledge.problems)
        if wrong:
            yield self._said(FAIL, "serve.knowledge", settings=True, n=len(wrong), first=str(wrong[0]))
            return
        data = data_of(knowledge.catalog, datetime.now(UTC).date())
        newest = "?" if data.newest is None else data.newest.isoformat()
        state = WARN if data.stale * 2 > data.priced else OK
        yield self._said(
            state, "check.data.ok", priced=data.priced, offers=data.offers, newest=newest, stale=data.stale
        )  # fmt: skip

    def _jobs(self) -> Iterator[Finding]:
        if self._database is None:
            return
        alive = jobrows.living_executors(self._database, 60)
        since = datetime.now(UTC) - _FAILED_SINCE
        failed = [row for row in jobrows.job_rows(self._database, since=since) if row.reported]
        yield self._said(WARN if failed else OK, "check.jobs.ok", n=len(alive), failed=len(failed))

    # ------------------------------------------------------------ Slack

    def _slack(self) -> Iterator[Finding]:
        """What the bot token lets be seen; without a good one it is said that this was not looked at."""
        if not self._settings.slack_bot_token:
            yield self._said(WARN, "check.skipped.SLACK_BOT_TOKEN")
            return
        client = slack.client(self._settings.slack_bot_token, self._settings.slack_api_url)
        me = self._asked(client.auth_test, "SLACK_BOT_TOKEN")
        if isinstance(me, Finding):
            yield me
            yield self._said(WARN, "check.skipped.SLACK_BOT_TOKEN")
            return
        yield self._said(OK, "check.bot.ok", bot=me.get("user"), team=me.get("team"))
        yield from self._scopes(me.headers)
        yield from self._clock(me.headers)
        yield from self._channels(client, str(me.get("team_id")))
        if self._live:
            yield from self._templates(client)

    def _socket(self) -> Iterator[Finding]:
        """Whether Socket Mode can connect: it needs the app token alone, whatever the bot token is."""
        if self._http:
            return
        token = self._settings.slack_app_token
        if not token:
            yield self._said(WARN, "check.skipped.SLACK_APP_TOKEN")
            return
        web = slack.client(token, self._settings.slack_api_url)
        opened = self._asked(lambda: web.apps_connections_open(app_token=token), "SLACK_APP_TOKEN")
        yield opened if isinstance(opened, Finding) else self._said(OK, "check.socket.ok")

    def _asked(self, call: Callable[[], Any], token: str) -> Any:
        """What Slack says, or the finding that it does not."""
        try:
            return slack.ask_slack(call)
        except slack.SlackRefusedError as error:
            return self._said(FAIL, "serve.refused", outside=True, token=token, error=str(error))
        except slack.SlackAwayError as error:
            return self._said(FAIL, "serve.unreachable", outside=True, error=str(error))

    def _scopes(self, headers: Any) -> Iterator[Finding]:
        given = _header(headers, "x-oauth-scopes")
        if given is None:
            yield self._said(WARN, "check.scopes.unknown")
            return
        granted = {scope.strip() for scope in given.split(",")}
        lacking = [scope for scope in NEEDED if scope not in granted]
        for scope in lacking:
            yield self._said(FAIL, "check.scopes.missing", settings=True, scope=scope, use=NEEDED[scope])
        for scope in OPTIONAL:
            if scope not in granted:
                yield self._said(WARN, "check.scopes.optional", scope=scope, use=OPTIONAL[scope])
        if not lacking:
            yield self._said(OK, "check.scopes.ok")

    def _clock(self, headers: Any) -> Iterator[Finding]:
        given = _header(headers, "date")
        if given is None:
            return
        seconds = round(abs((datetime.now(UTC) - parsedate_to_datetime(given)).total_seconds()))
        if seconds > _MOST_SKEW:
            yield self._said(FAIL, "check.clock.off", settings=True, seconds=seconds)
        else:
            yield self._said(OK, "check.clock.ok", seconds=seconds)

    def _channels(self, client: Any, team: str) -> Iterator[Finding]:
        wanted = set(self._settings.channels)
        if self._database is not None:
            wanted |= {one.channel for one in digests.subscriptions(self._database, team)}
        for channel in sorted(wanted):
            try:
                found = slack.ask_slack(lambda channel=channel: client.conversations_info(channel=channel))  # type: ignore[misc]
            except (slack.SlackRefusedError, slack.SlackAwayError) as error:
                yield self._said(WARN, "check.channel.unknown", channel=channel, error=str(error))
                continue
            inside = bool((found.get("channel") or {}).get("is_member"))
            key = "check.channel.ok" if inside else "check.channel.out"
            yield self._said(OK if inside else WARN, key, channel=channel)

    def _templates(self, client: Any) -> Iterator[Finding]:
        from bot.slack.templates import templates

        for name, blocks in templates():
            judged = {"blocks": list(blocks)}
            try:
                slack.ask_slack(lambda judged=judged: client.api_call("blocks.validate", json=judged))  # type: ignore[misc]
            except (slack.SlackRefusedError, slack.SlackAwayError) as error:
                yield self._said(FAIL, "check.template.bad", outside=True, template=name, error=str(error))
            else:
                yield self._said(OK, "check.template.ok", template=name)


def _header(headers: Any, name: str) -> str | None:
    for key, value in dict(headers or {}).items():
        if key.lower() == name:
            return str(value[0] if isinstance(value, (list, tuple)) else value)
    return None
