"""A Slack that runs on this machine: starts the peer program, plays its users, reads back what was posted."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

TEAM, BOT_USER, ALICE, BOB = "T01TEST", "U0BOT", "U01ALICE", "U02BOB"
GENERAL, OUTSIDE = "C01GENERAL", "C02OUTSIDE"
BOT_TOKEN, APP_TOKEN, SECRET = "xoxb-test-token", "xapp-test-token", "test-signing-secret"
_PLACES = ("GPU_BOT_TEST_PEER", "XDG_CACHE_HOME")


def program() -> Path | None:
    """The peer's program: where GPU_BOT_TEST_PEER says, else where ``install.sh`` puts it."""
    named = os.environ.get(_PLACES[0])
    cache = Path(os.environ.get(_PLACES[1]) or Path.home() / ".cache")
    path = Path(named) if named else cache / "gpu-bot-tests/node_modules/local-slack-linux-x64/bin/local-slack"
    return path if os.access(path, os.X_OK) else None


def free_port() -> int:
    with contextlib.closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def until(look: Callable[[], Any], seconds: float = 30.0, every: float = 0.05) -> Any:
    """The first true value that ``look`` gives, or its last one when the time is over."""
    end = time.monotonic() + seconds
    while True:
        found = look()
        if found or time.monotonic() > end:
            return found
        time.sleep(every)


_STARTS = 15  # the port is free when it is chosen, and may be taken by the time it is wanted


class Peer:
    """One workspace with two people, the bot, and its channels."""

    def __init__(self, folder: Path, *, request_url: str | None = None, channels: int = 0) -> None:
        self.port = free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        members = [ALICE, BOB, BOT_USER]
        more = [{"id": f"C9{n:06d}", "name": f"busy-{n}", "members": members} for n in range(channels)]
        self.channels = [one["id"] for one in more]
        config = {
            "workspace": {"name": "GPU Test", "domain": "gpu-test", "teamId": TEAM},
            "app": {
                "appId": "A01APP", "botUserId": BOT_USER, "botName": "gpubot", "botToken": BOT_TOKEN,
                "appToken": APP_TOKEN, "signingSecret": SECRET,
                "mode": "events" if request_url else "socket", **({"requestUrl": request_url} if request_url else {}),
            },
            "users": [
                {"id": ALICE, "name": "alice", "real_name": "Alice", "email": "alice@example.com"},
                {"id": BOB, "name": "bob", "real_name": "Bob", "email": "bob@example.com"},
            ],
            "channels": [
                {"id": GENERAL, "name": "general", "members": members},
                {"id": OUTSIDE, "name": "outside", "members": [ALICE]},
                *more,
            ],
        }  # fmt: skip
        self._config = folder / f"peer-{self.port}.json"
        self._config.write_text(json.dumps(config))
        self._log = folder / f"peer-{self.port}.log"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        found = program()
        assert found is not None, "the peer is not installed: run tests/slack/install.sh"
        for _ in range(_STARTS):
            with self._log.open("ab") as log:
                self._process = subprocess.Popen(
                    [str(found), "--config", str(self._config), "--port", str(self.port), "--base-host", "127.0.0.1"],
                    stdout=log, stderr=log, cwd=self._config.parent,
                )  # fmt: skip
            assert until(lambda: self._ended() or self.is_up(), 20), self._log.read_text()[-500:]
            time.sleep(0.2)  # what answers may be another program, and ours about to see that
            if not self._ended():
                return
            time.sleep(1)  # somebody else has the port for a moment: a connection of another test, as a rule
        raise AssertionError(self._log.read_text()[-500:])

    def _ended(self) -> bool:
        return self._process is not None and self._process.poll() is not None

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(10)
            self._process = None

    def is_up(self) -> bool:
        try:
            return "error" not in self.control("/state")
        except OSError:
            return False

    # ------------------------------------------------------------ what people do

    def write(self, text: str, *, user: str = ALICE, channel: str = GENERAL, thread_ts: str | None = None) -> str:
        """A person writes a message; gives its timestamp."""
        body = {"channel": channel, "user": user, "text": text, **({"thread_ts": thread_ts} if thread_ts else {})}
        return str(self.control("/message", body)["message"]["ts"])

    def upload(self, name: str, data: bytes, text: str = "", *, user: str = ALICE, channel: str = GENERAL) -> Any:
        """A person writes a message with a file; gives the message."""
        parts = {"channel": channel, "user": user, "text": text}
        mark = "a-line-that-is-in-no-part"
        lines = [
            f'--{mark}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'
            for key, value in parts.items()
        ]
        head = f'--{mark}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
        body = ("".join(lines) + head).encode() + data + f"\r\n--{mark}--\r\n".encode()
        kind = {"content-type": f"multipart/form-data; boundary={mark}"}
        request = urllib.request.Request(f"{self.base}/_control/upload", data=body, headers=kind)
        with urllib.request.urlopen(request, timeout=15) as response:
            return json.loads(response.read())["message"]

    def command(self, command: str, text: str, *, user: str = ALICE, channel: str = GENERAL) -> None:
        self.control("/command", {"channel": channel, "user": user, "command": command, "text": text})

    def press(self, ts: str, action: dict[str, Any], *, user: str = ALICE, channel: str = GENERAL) -> None:
        self.control("/interact", {"channel": channel, "messageTs": ts, "user": user, "action": action})

    def open_home(self, user: str = ALICE) -> None:
        self.control("/open-home", {"user": user})

    def dm(self, user: str = ALICE) -> str:
        """The channel between the bot and a person."""
        return str(self.api("conversations.open", users=user)["channel"]["id"])

    def screen(self) -> contextlib.closing[Screen]:
        return contextlib.closing(Screen(self.base))

    # ------------------------------------------------------------ what can be seen

    def messages(self, channel: str = GENERAL) -> list[dict[str, Any]]:
        return list(self.control(f"/messages/{channel}").get("messages", []))

    def replies(self, ts: str, channel: str = GENERAL) -> list[dict[str, Any]]:
        """What the bot wrote in the thread of a message."""
        return [one for one in self.messages(channel) if one.get("thread_ts") == ts and one.get("bot_id")]

    def wait_reply(self, ts: str, channel: str = GENERAL, seconds: float = 30.0) -> dict[str, Any]:
        found = until(lambda: self.replies(ts, channel), seconds)
        assert found, f"no reply within {seconds} s"
        return dict(found[-1])

    def log(self) -> list[dict[str, Any]]:
        return list(self.control("/log")["log"])

    # ------------------------------------------------------------ the two interfaces of the peer

    def control(self, path: str, body: Any = None) -> dict[str, Any]:
        return self._http("/_control" + path, body, {})

    def api(self, method: str, **arguments: Any) -> dict[str, Any]:
        return self._http(f"/api/{method}", arguments, {"authorization": f"Bearer {BOT_TOKEN}"})

    def _http(self, path: str, body: Any, headers: dict[str, str]) -> dict[str, Any]:
        request = urllib.request.Request(
            self.base + path,
            data=None if body is None else json.dumps(body).encode(),
            headers={"content-type": "application/json", **headers},
        )
        with urllib.request.urlopen(request, timeout=15) as response:
            return dict(json.loads(response.read() or b"{}"))


@contextlib.contextmanager
def running(folder: Path, **options: Any) -> Iterator[Peer]:
    peer = Peer(folder, **options)
    peer.start()
    try:
        yield peer
    finally:
        peer.stop()


class Screen:
    """A person's open window: the only way to submit a form."""

    def __init__(self, base: str) -> None:
        from websocket import create_connection

        self._socket = create_connection(base.replace("http://", "ws://") + "/ui", timeout=5)

    def submit(self, user: str, values: dict[str, Any]) -> dict[str, str]:
        """Submit the form that is open; gives what Slack shows beside its fields."""
        self._socket.send(json.dumps({"t": "view_submit", "user": user, "values": values}))
        end = time.monotonic() + 5
        while time.monotonic() < end:
            seen = json.loads(self._socket.recv())
            if seen.get("t") == "view_errors":
                return dict(seen["errors"])
            if seen.get("t") in ("view_closed", "view_close", "close_view", "view_cleared", "view"):
                if seen.get("t") == "view" and seen.get("view"):
                    continue
                return {}
        raise AssertionError("the form was neither taken nor refused")

    def close(self) -> None:
        self._socket.close()
