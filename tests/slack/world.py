"""A bot as its users run it: the command `serve` as a process, against the peer behind the strict proxy."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from slack import peer as peers
from slack.peer import APP_TOKEN, BOT_TOKEN, BOT_USER, SECRET, Peer, free_port, until
from slack.strict_proxy import Rules, StrictProxy

START_SECONDS = 60


class BotProcess:
    """`gpu-bot serve`. ``lines`` is its standard output, ``log`` its standard error."""

    def __init__(self, home: Path, api_url: str, *, http: bool = False, **settings: str) -> None:
        self.port = free_port()
        self.home = home
        self._http = http
        self.env = {
            name: value for name, value in os.environ.items() if not name.startswith(("SLACK_", "GPU_BOT_"))
        } | {
            "SLACK_BOT_TOKEN": BOT_TOKEN, "SLACK_APP_TOKEN": APP_TOKEN, "SLACK_SIGNING_SECRET": SECRET,
            "SLACK_API_URL": api_url, "GPU_BOT_HOME": str(home), "GPU_BOT_PORT": str(self.port),
            "GPU_BOT_REFRESH": "off", **settings,
        }  # fmt: skip
        self.process: subprocess.Popen[str] | None = None
        self._lines: list[str] = []
        self._log_path = home / f"serve-{self.port}.log"

    def start(self, seconds: float = START_SECONDS) -> None:
        self.home.mkdir(parents=True, exist_ok=True)
        self._lines = []
        with self._log_path.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "bot", "serve", *(["--http"] if self._http else [])],
                env=self.env, stdout=subprocess.PIPE, stderr=log, text=True, cwd=self.home,
            )  # fmt: skip
        threading.Thread(target=self._read, args=(self.process,), daemon=True).start()
        assert until(lambda: "ready" in self._lines, seconds, 0.02), self.log[-3000:]

    def _read(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            self._lines.append(line.strip())
        process.stdout.close()

    @property
    def lines(self) -> list[str]:
        return list(self._lines)

    @property
    def log(self) -> str:
        return self._log_path.read_text(encoding="utf-8", errors="replace") if self._log_path.exists() else ""

    def kill(self) -> None:
        """End the process as a crash does."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(10)

    def stop(self) -> int:
        """Ask it to stop; gives its exit status."""
        if self.process is None or self.process.poll() is not None:
            return -1 if self.process is None else int(self.process.returncode)
        self.process.terminate()
        return int(self.process.wait(15))


class World:
    """A peer, the proxy before it, and any number of bots on one database."""

    def __init__(self, folder: Path, *, http: bool = False, channels: int = 0, rules: Rules | None = None) -> None:
        self.folder = folder
        self.http = http
        port = free_port()
        url = f"http://127.0.0.1:{port}/slack/events" if http else None
        self.peer = Peer(folder, request_url=url, channels=channels)
        self.proxy = StrictProxy(self.peer.base, rules)
        self.first_port = port
        self.bots: list[BotProcess] = []

    def bot(self, **settings: str) -> BotProcess:
        """Start one more bot."""
        bot = BotProcess(self.folder / "home", self.proxy.url, http=self.http, **settings)
        if self.http and not self.bots:
            bot.port = self.first_port
            bot.env["GPU_BOT_PORT"] = str(bot.port)
        self.bots.append(bot)
        bot.start()
        return bot

    def mention(self, text: str, **where: Any) -> str:
        return self.peer.write(f"<@{BOT_USER}> {text}", **where)

    def ask(self, text: str, seconds: float = 10.0, **where: Any) -> dict[str, Any]:
        """Ask with a mention and give the reply."""
        channel = where.get("channel", peers.GENERAL)
        return self.peer.wait_reply(self.mention(text, **where), channel, seconds)

    def ephemeral(self, seconds: float = 10.0, since: float = 0.0) -> dict[str, Any]:
        """The arguments of the last sentence that one person alone was told."""
        found = until(lambda: [c for c in self.proxy.done("chat.postEphemeral") if c.at >= since], seconds)
        assert found, "nobody was told anything"
        return dict(found[-1].arguments)


@contextlib.contextmanager
def running(folder: Path, **options: Any) -> Iterator[World]:
    world = World(folder, **options)
    world.peer.start()
    world.proxy.start()
    try:
        yield world
    finally:
        for bot in world.bots:
            if bot.process is not None and bot.process.poll() is None:
                bot.process.kill()
                bot.process.wait(10)
        world.proxy.stop()
        world.peer.stop()


def settle(seconds: float = 1.0) -> None:
    """Give something that must not happen the time to happen."""
    time.sleep(seconds)
