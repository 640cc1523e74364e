"""Between the bot and a lenient local Slack: refuses what Slack refuses, slows down as it does, and fails on demand.

Files that people upload lie in the peer. Their addresses lead through here, where whoever may not read them gets a page
to sign in on, as Slack does it.
"""

from __future__ import annotations

import json
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from slack import limits

POSTS = ("chat.postMessage", "chat.update", "chat.postEphemeral")
SCOPES = {
    "chat.postMessage": "chat:write", "chat.update": "chat:write", "chat.postEphemeral": "chat:write",
    "users.info": "users:read", "conversations.open": "im:write",
    "files.info": "files:read", "files.getUploadURLExternal": "files:write",
    "assistant.threads.setSuggestedPrompts": "assistant:write",
}  # fmt: skip
ALL_SCOPES = frozenset(
    "app_mentions:read assistant:write channels:history chat:write commands files:read files:write groups:history "
    "im:history im:write users:read".split()
)
MOST_TEXT = 40_000
FILES = "/files-pri/"  # where files lie


@dataclass
class Fault:
    """The next call of ``method`` fails: with an error, an HTTP status, or after it was done (``late``). With ``hold``
    it succeeds, and its answer comes that many seconds later."""

    method: str
    error: str = ""
    status: int = 200
    retry_after: int = 1
    late: bool = False
    hold: float = 0.0
    times: int = 1


@dataclass
class Call:
    method: str
    arguments: dict[str, Any]
    error: str | None
    at: float


@dataclass
class Rules:
    """What this Slack allows. ``posts_in``: channels the bot is in; ``rate``: messages a second in a channel."""

    tokens: frozenset[str] = frozenset({"xoxb-test-token", "xapp-test-token"})
    posts_in: frozenset[str] | None = None
    scopes: frozenset[str] = ALL_SCOPES
    rate: float = 1.0
    burst: int = 5
    old: bool = False  # a workspace that does not have the newer blocks
    looks_at_files: int = 0  # messages that are refused until it has looked at a file that they show
    locales: dict[str, str] = field(default_factory=dict)


class StrictProxy:
    """``start`` listens on a free port; ``calls`` is everything that was asked, ``faults`` what is to fail."""

    def __init__(self, upstream: str, rules: Rules | None = None) -> None:
        self.upstream = upstream
        self.rules = rules or Rules()
        self.calls: list[Call] = []
        self.faults: list[Fault] = []
        self.away = threading.Event()
        self._tokens: dict[str, tuple[float, float]] = {}
        self._files: dict[str, int] = {}  # what was uploaded, and how often a message with it is refused yet
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/api/"

    def start(self) -> None:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def done(self, method: str, **wanted: Any) -> list[Call]:
        """Calls that were let through, with these arguments."""
        with self._lock:
            return [
                call
                for call in self.calls
                if call.method == method
                and call.error is None
                and all(call.arguments.get(name) == value for name, value in wanted.items())
            ]

    def refused(self, error: str) -> list[Call]:
        with self._lock:
            return [call for call in self.calls if call.error == error]

    # ------------------------------------------------------------ judging

    def judge(self, method: str, token: str, arguments: dict[str, Any]) -> tuple[int, dict[str, Any], int] | None:
        """Status, answer and Retry-After of a refusal; None to let the call through."""
        rules = self.rules
        if token not in rules.tokens:
            return 200, {"ok": False, "error": "invalid_auth" if token else "not_authed"}, 0
        scope = SCOPES.get(method)
        if scope is not None and scope not in rules.scopes:
            return 200, {"ok": False, "error": "missing_scope", "needed": scope}, 0
        if method in ("conversations.replies", "conversations.history"):
            channel = str(arguments.get("channel", ""))
            needed = "im:history" if channel.startswith("D") else "channels:history"
            if needed not in rules.scopes:
                return 200, {"ok": False, "error": "missing_scope", "needed": needed}, 0
        if method in POSTS:
            return self._judge_post(method, arguments)
        if method in ("views.open", "views.publish", "views.update"):
            view = as_json(arguments.get("view")) or {}
            found = limits.view_problems(view)
            if '"file_input"' in json.dumps(view) and "files:read" not in rules.scopes:
                found.append("a file input needs the scope files:read")
            return (200, {"ok": False, "error": "invalid_arguments", "errors": found}, 0) if found else None
        return None

    def _judge_post(self, method: str, arguments: dict[str, Any]) -> tuple[int, dict[str, Any], int] | None:
        blocks = as_json(arguments.get("blocks")) or []
        channel, text = str(arguments.get("channel", "")), str(arguments.get("text") or "")
        if not text and not blocks:
            return 200, {"ok": False, "error": "no_text"}, 0
        if len(text) > MOST_TEXT:
            return 200, {"ok": False, "error": "msg_too_long"}, 0
        allowed = self.rules.posts_in
        if allowed is not None and channel.startswith("C") and channel not in allowed:
            return 200, {"ok": False, "error": "not_in_channel"}, 0
        found = [*limits.problems(blocks, old=self.rules.old), *self._unknown_files(blocks)]
        if found:
            error = next((one for one in ("msg_blocks_too_long", "only_one_table_allowed") if one in found), None)
            messages = {"messages": [f"[ERROR] {one}" for one in found]}
            return 200, {"ok": False, "error": error or "invalid_blocks", "response_metadata": messages}, 0
        if method == "chat.postMessage" and not self._take(channel):
            return 429, {"ok": False, "error": "ratelimited"}, 1
        return None

    def _unknown_files(self, blocks: list[dict[str, Any]]) -> list[str]:
        found = []
        with self._lock:
            for n, block in enumerate(blocks):
                file = (block.get("slack_file") or {}).get("id")
                if file is not None and self._files.get(file, 1):
                    found.append(f"/blocks/{n}/slack_file: invalid slack file")
                    if file in self._files:
                        self._files[file] -= 1
        return found

    def _take(self, channel: str) -> bool:
        with self._lock:
            left, at = self._tokens.get(channel, (float(self.rules.burst), time.monotonic()))
            now = time.monotonic()
            left = min(float(self.rules.burst), left + (now - at) * self.rules.rate)
            granted = left >= 1
            self._tokens[channel] = (left - 1 if granted else left, now)
            return granted

    def _fault(self, method: str) -> Fault | None:
        with self._lock:
            for fault in self.faults:
                if fault.method == method:
                    fault.times -= 1
                    if fault.times <= 0:
                        self.faults.remove(fault)
                    return fault
        return None

    def answer(
        self, path: str, raw: bytes, headers: Mapping[str, str]
    ) -> tuple[int, bytes, dict[str, str]]:  # fmt: skip
        if path.startswith(FILES):
            return self._file(path, headers)
        method, _, query = path.rsplit("/", 1)[-1].partition("?")
        arguments = arguments_of(raw, headers.get("content-type", "")) | dict(urllib.parse.parse_qsl(query))
        token = headers.get("authorization", "").removeprefix("Bearer ") or str(arguments.get("token", ""))
        fault = self._fault(method)
        if fault is not None and not fault.late and not fault.hold:
            self._note(method, arguments, fault.error or str(fault.status))
            body = json.dumps({"ok": False, "error": fault.error}).encode() if fault.error else b"<html>busy</html>"
            return fault.status, body, {"Retry-After": str(fault.retry_after)}
        refusal = self.judge(method, token, arguments)
        if refusal is not None:
            status, answer, wait = refusal
            self._note(method, arguments, str(answer["error"]))
            return status, json.dumps(answer).encode(), {"Retry-After": str(wait)} if wait else {}
        own = self._own(method, arguments)
        if own is None:
            status, body = self._forward(path, raw, headers)
        else:
            status, body = 200, json.dumps(own).encode()
        if method == "files.completeUploadExternal":
            with self._lock:
                self._files |= {one["id"]: self.rules.looks_at_files for one in json.loads(body).get("files", [])}
        self._note(method, arguments, None)
        if method == "users.info":
            body = self._with_locale(body, arguments)
        if method == "files.info":
            body = body.replace(self.upstream.encode(), self.url.removesuffix("/api/").encode())
        if fault is not None and fault.hold:
            time.sleep(fault.hold)
        elif fault is not None:
            return 500, b"<html>too late</html>", {}
        return status, body, {"x-oauth-scopes": ",".join(sorted(self.rules.scopes))}

    def _file(self, path: str, headers: Mapping[str, str]) -> tuple[int, bytes, dict[str, str]]:
        token = headers.get("authorization", "").removeprefix("Bearer ")
        allowed = token in self.rules.tokens and "files:read" in self.rules.scopes
        self._note("file", {"path": path}, None if allowed else "sign in")
        if not allowed:
            return 200, b"<html>Sign in</html>", {"content-type": "text/html; charset=utf-8"}
        return 200, self.stored(path, headers), {"content-type": "application/octet-stream"}

    def stored(self, path: str, headers: Mapping[str, str]) -> bytes:
        """What lies there."""
        request = urllib.request.Request(self.upstream + path, headers={"authorization": headers["authorization"]})
        with urllib.request.urlopen(request, timeout=20) as response:
            return bytes(response.read())

    def _note(self, method: str, arguments: dict[str, Any], error: str | None) -> None:
        with self._lock:
            self.calls.append(Call(method, arguments, error, time.time()))

    def _own(self, method: str, arguments: dict[str, Any]) -> dict[str, Any] | None:
        """Methods that the peer does not have."""
        if method == "assistant.threads.setSuggestedPrompts":
            return {"ok": True}
        if method == "blocks.validate":
            found = limits.problems(as_json(arguments.get("blocks")) or [], "any")
            return {"ok": not found, **({"error": "invalid_blocks", "errors": found} if found else {})}
        return None

    def _with_locale(self, body: bytes, arguments: dict[str, Any]) -> bytes:
        answer = json.loads(body)
        if answer.get("ok"):
            answer["user"]["locale"] = self.rules.locales.get(str(arguments.get("user")), "en-US")
        return json.dumps(answer).encode()

    def _forward(self, path: str, raw: bytes, headers: Mapping[str, str]) -> tuple[int, bytes]:
        kept = {name: headers[name] for name in ("content-type", "authorization") if name in headers}
        request = urllib.request.Request(self.upstream + path, data=raw, method="POST", headers=kept)
        try:
            with urllib.request.urlopen(request, timeout=20) as response:
                return int(response.status), response.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()
        except OSError:
            return 502, b"<html>nobody there</html>"

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: Any) -> None:
                pass

            def do_POST(self) -> None:
                raw = self.rfile.read(int(self.headers.get("content-length") or 0))
                if proxy.away.is_set():
                    self.close_connection = True
                    self.connection.close()
                    return
                headers = {name.lower(): value for name, value in self.headers.items()}
                status, body, more = proxy.answer(self.path, raw, headers)
                try:
                    self.send_response(status)
                    for name, value in {"content-type": "application/json", **more}.items():
                        self.send_header(name, value)
                    self.send_header("content-length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)
                except OSError:
                    self.close_connection = True

            do_GET = do_POST  # noqa: N815  (the name is the library's)

        return Handler


def arguments_of(raw: bytes, content_type: str) -> dict[str, Any]:
    if "json" in content_type:
        return dict(json.loads(raw or b"{}"))
    return dict(urllib.parse.parse_qsl(raw.decode(errors="replace")))


def as_json(value: Any) -> Any:
    return json.loads(value) if isinstance(value, str) else value
