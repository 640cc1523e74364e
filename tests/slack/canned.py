"""A Slack that says yes to every call, for tests inside one process; it still refuses what Slack refuses."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bot.catalog import Reloader
from bot.settings import Settings, read
from bot.slack import app as slack
from bot.slack.bench.office import Bench
from bot.slack.desk import Desk
from bot.slack.people import People
from bot.slack.posting import Poster
from bot.slack.work import Bot
from bot.store import Database, open_database
from slack.peer import APP_TOKEN, BOT_TOKEN, BOT_USER, SECRET, TEAM
from slack.recorded import signed
from slack.strict_proxy import FILES, Rules, StrictProxy, arguments_of, as_json

MakeBench = Callable[[Settings, Database, Reloader, Poster, People], Bench]
SMALL = Path(__file__).parent.parent / "worlds" / "small"


class CannedSlack(StrictProxy):
    """Answers every method itself."""

    def __init__(self, rules: Rules | None = None) -> None:
        super().__init__("http://127.0.0.1:1", rules or Rules(rate=1000, burst=1000))
        self._ts = itertools.count(1)
        self.people: dict[str, dict[str, Any]] = {}  # more about single users
        self.uploaded: list[bytes] = []
        self.shelf: dict[str, bytes] = {}  # files, by their ids
        self.spent = False  # response urls are taken no more
        self.own: dict[str, dict[str, Any]] = {}  # what a test wants a method to answer

    def answer(self, path: str, raw: bytes, headers: Mapping[str, str]) -> tuple[int, bytes, dict[str, str]]:
        if path.endswith("/hook"):  # a response url: no token, a plain answer
            if self.spent:
                return 404, b"used_url", {}
            self._note("hook", arguments_of(raw, headers.get("content-type", "")), None)
            return 200, b"ok", {}
        if path.endswith("/upload"):
            self.uploaded.append(raw)
            return 200, b"OK", {}
        return super().answer(path, raw, headers)

    @property
    def hook(self) -> str:
        return f"{self.url}hook"

    def _own(self, method: str, arguments: dict[str, Any]) -> dict[str, Any] | None:
        own = super()._own(method, arguments)
        if own is not None:
            return own
        answers: dict[str, dict[str, Any]] = {
            "auth.test": {
                "user_id": BOT_USER,
                "team_id": TEAM,
                "team": "GPU Test",
                "user": "gpubot",
                "bot_id": "B0BOT",
            },
            "users.info": {"user": {"id": arguments.get("user"), **self.people.get(str(arguments.get("user")), {})}},
            "conversations.open": {"channel": {"id": "D01DIRECT"}},
            "conversations.replies": {"messages": []},
            "conversations.history": {"messages": []},
            "files.getUploadURLExternal": {"upload_url": f"{self.url}upload", "file_id": f"F{next(self._ts):08d}"},
            "files.completeUploadExternal": {"files": as_json(arguments.get("files"))},
            "files.info": self._file_facts(str(arguments.get("file"))),
            "apps.connections.open": {"url": "ws://127.0.0.1:1/"},
        }
        more = {"ts": f"9.{next(self._ts):06d}"} if method == "chat.postMessage" else {}
        return {"ok": True, **more, **answers.get(method, {}), **self.own.get(method, {})}

    def _file_facts(self, id_: str) -> dict[str, Any]:
        if id_ not in self.shelf:
            return {"ok": False, "error": "file_not_found"}
        url = f"{self.url.removesuffix('/api/')}{FILES}{id_}/reading.jsonl"
        facts = {
            "id": id_, "name": "reading.jsonl", "mimetype": "application/octet-stream", "size": len(self.shelf[id_]),
            "mode": "hosted", "is_external": False, "url_private": url,
        }  # fmt: skip
        return {"file": facts}

    def stored(self, path: str, headers: Mapping[str, str]) -> bytes:
        return self.shelf[path.removeprefix(FILES).partition("/")[0]]


@dataclass
class Inside:
    """The app with everything it needs, in this process."""

    slack: CannedSlack
    bot: Bot
    desk: Desk
    app: Any

    def deliver(self, payload: dict[str, Any], **how: Any) -> tuple[int, str, dict[str, Any]]:
        """Hand a signed payload to the app over its HTTP way; gives status, body and headers."""
        body, headers = signed(payload, **how)
        return slack.over_http(self.app, body, "", headers)


def settings(api_url: str, home: Path, **more: str) -> Settings:
    return read(
        {
            "SLACK_BOT_TOKEN": BOT_TOKEN, "SLACK_APP_TOKEN": APP_TOKEN, "SLACK_SIGNING_SECRET": SECRET,
            "SLACK_API_URL": api_url, "GPU_BOT_HOME": str(home), "GPU_BOT_KNOWLEDGE": str(SMALL), **more,
        },
        home,
    )  # fmt: skip


@contextlib.contextmanager
def inside(folder: Path, *, bench: MakeBench | None = None, **more: str) -> Iterator[Inside]:
    """The app at work; with its desk started. ``bench`` makes what measures hosts."""
    canned = CannedSlack()
    canned.start()
    given = settings(canned.url, folder, **more)
    database = open_database(given.database_url)
    client = slack.client(given.slack_bot_token, given.slack_api_url)
    poster = Poster(database, client, lambda: datetime.now(UTC))
    knowledge = Reloader(given.knowledge, given.overlays)
    people = People(client)
    made = None if bench is None else bench(given, database, knowledge, poster, people)
    bot = Bot(given, database, knowledge, poster, people, user=BOT_USER, team=TEAM, bench=made)
    desk = Desk(database, bot.answer, bot.fail)
    app = slack.build(bot, desk, "B0BOT")
    desk.start()
    try:
        yield Inside(canned, bot, desk, app)
    finally:
        desk.stop(2)
        database.close()
        canned.stop()
