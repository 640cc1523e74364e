"""This machine as a GPU host behind `sshd`, and bots that measure it because somebody in Slack asked them to."""

from __future__ import annotations

import contextlib
import fcntl
import secrets
import shlex
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench import processes
from bench.relay import Relay
from bench.sshd import Server
from bench.turn import whole_host

from bot.bench import agent
from bot.store import LOCAL, open_database
from bot.store.benches import Host, Reading, add_host, readings
from slack import world
from slack.peer import ALICE, BOB, GENERAL, until
from slack.world import BotProcess, World

KNOWLEDGE = str(Path(__file__).parent.parent / "worlds" / "small")
RESULT = "NO GPU FOUND"

# The host's Python. It starts three things: the loader (-I), a look for torch (-c), and the program itself (-u).
_PYTHON = """#!/bin/sh
cd /
note() {{ echo "$1 $GPU_BOT_RUN $(date +%s%N)" >> {folder}/runs; }}
wait_for() {{ while [ -e "{folder}/$1" ]; do sleep 0.1; done; }}
case "$1" in
-c) wait_for hold-look;;
-u) note begin; wait_for hold-run; {python} "$@"; rc=$?; note end; exit $rc;;
esac
exec {python} "$@"
"""


class Box:
    """The host: what it runs, and ways to make it wait."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.folder = folder
        self._mark = f"GPU_BOT_TEST_HOST={secrets.token_hex(8)}"
        self.server = Server(folder, options=f"SetEnv {self._mark}")
        self.python = folder / "python"
        self.python.write_text(_PYTHON.format(folder=shlex.quote(str(folder)), python=shlex.quote(sys.executable)))
        self.python.chmod(0o755)
        self.server.start()
        self.relay = Relay(self.server.ports[0])

    def stop(self) -> None:
        self.relay.stop()
        self.server.stop()

    def register(self, home: Path) -> None:
        """Make it the host cpu-1 of the bots of a home."""
        home.mkdir(exist_ok=True)
        target, now = self.server.target(), datetime.now(UTC)
        database = open_database(_url(home))
        try:
            add_host(database, Host(
                LOCAL, "cpu-1", "127.0.0.1", target.login, target.host_key, target.key_file, now, now,
                port=self.relay.port, python=str(self.python),
            ))  # fmt: skip
        finally:
            database.close()

    def running(self) -> list[int]:
        """Everything that a connection has started here and that lives, whoever its parent is by now."""
        return processes.carrying(self._mark)

    def hold(self, what: str) -> None:
        """Let it wait at "look" (for a Python with torch) or "run" (before the program)."""
        (self.folder / f"hold-{what}").touch()

    def let_go(self) -> None:
        self.relay.most = None
        for one in self.folder.glob("hold-*"):
            one.unlink()

    def runs(self) -> list[tuple[str, str, int]]:
        """("begin" or "end", the id of a run, the moment in nanoseconds), as it happened."""
        path = self.folder / "runs"
        rows = [line.split() for line in path.read_text().splitlines()] if path.exists() else []
        return [(what, run, int(at)) for what, run, at in rows]


def is_unlocked() -> bool:
    """Whether a run could begin on this machine now."""
    path = Path(agent.LOCK)
    if not path.exists():
        return True
    with path.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
    return True


@contextlib.contextmanager
def box(folder: Path) -> Iterator[Box]:
    """The host, for one test at a time: it is this machine, and so is its lock."""
    with whole_host():
        made = Box(folder / "box")
        try:
            yield made
        finally:
            made.let_go()
            made.stop()


@contextlib.contextmanager
def office(folder: Path, host: Box) -> Iterator[World]:
    """A Slack with a channel in which Alice and Bob may measure the host; its bots share one home."""
    folder.mkdir(exist_ok=True)
    host.register(folder / "home")
    with world.running(folder, rules=world.Rules(rate=20, burst=40)) as made:
        yield made


def serve(here: World) -> BotProcess:
    return here.bot(GPU_BOT_KNOWLEDGE=KNOWLEDGE, GPU_BOT_BENCH_USERS=f"{ALICE},{BOB}")


def said(here: World) -> list[str]:
    """What the bot's messages in the channel say now."""
    return [one["text"] for one in here.peer.messages(GENERAL) if one.get("bot_id")]


def says(here: World, words: str, seconds: float, n: int = 1) -> Any:
    """Wait until that many messages have these words."""
    return until(lambda: sum(words in text for text in said(here)) >= n, seconds, 0.2)


def kept(here: World) -> list[Reading]:
    database = open_database(_url(here.folder / "home"))
    try:
        return readings(database, LOCAL)
    finally:
        database.close()


def why(here: World) -> Any:
    """What a failed assertion should show."""
    return said(here), [bot.log[-1500:] for bot in here.bots]


def _url(home: Path) -> str:
    return f"sqlite:///{home / 'gpu-bot.db'}"
