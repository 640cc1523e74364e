"""Socket Mode with a watch over its connection: a connection that is lost or silent is made anew within seconds."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import socket
import threading
import time
from typing import Any
from urllib.error import URLError

from slack_bolt import App, BoltRequest
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.socket_mode.builtin import SocketModeClient
from slack_sdk.socket_mode.client import BaseSocketModeClient
from slack_sdk.socket_mode.request import SocketModeRequest
from slack_sdk.socket_mode.response import SocketModeResponse

from bot import metrics
from bot.slack.app import dispatch

log = logging.getLogger(__name__)

_LOOK = 1.0  # seconds between two looks at the connection
_PING = 5.0  # seconds between two pings; four of them unanswered end a connection
_WAITS = (1.0, 2.0, 4.0, 8.0, 10.0)  # seconds between tries to connect
_READERS = 10  # deliveries that are acknowledged at the same time


class Socket:
    """The connection of one process. The library's own way to reconnect is off: it took a minute where this takes
    seconds, and it could give up for good."""

    def __init__(self, app: App, app_token: str, web: WebClient) -> None:
        self._app = app
        self._client = SocketModeClient(
            app_token=app_token, web_client=web, auto_reconnect_enabled=False, ping_interval=_PING,
            concurrency=_READERS, receive_buffer_size=16_384, logger=logging.getLogger("slack_sdk.socket_mode"),
        )  # fmt: skip
        self._client.socket_mode_request_listeners.append(self._take)
        self._client.message_listeners.append(self._hear)
        self._closed = threading.Event()
        self._renew = threading.Event()
        self._heard = time.monotonic()
        self._watch = threading.Thread(target=self._keep, name="socket", daemon=True)

    def connect(self) -> None:
        """Connect for the first time. Raises what Slack or the network says against it."""
        self._connect()
        self._watch.start()

    def close(self) -> None:
        """Take no more deliveries."""
        self._closed.set()
        self._renew.set()
        self._client.closed = True
        self._client.current_session_state.terminated = True
        session = self._client.current_session
        if session is not None and session.sock is not None:
            with contextlib.suppress(OSError):  # wakes the reader, which holds the lock that closing waits for
                session.sock.shutdown(socket.SHUT_RDWR)
        self._client.disconnect()
        metrics.connected.set(0)

    @property
    def connected(self) -> bool:
        return bool(self._client.is_connected())

    @property
    def silent_seconds(self) -> float:
        """Since the last delivery; long silence alone is no fault, a quiet weekend looks the same."""
        return time.monotonic() - self._heard

    def _connect(self) -> None:
        self._client.wss_uri = self._client.issue_new_wss_url()
        self._client.connect()
        metrics.connected.set(1)

    def _keep(self) -> None:
        tries = 0
        while not self._closed.is_set():
            self._renew.wait(_LOOK if tries == 0 else _WAITS[min(tries, len(_WAITS)) - 1])
            if self._closed.is_set():
                return
            wanted = self._renew.is_set()
            self._renew.clear()
            if not wanted and self.connected and not self._ended():
                tries = 0
                continue
            metrics.connected.set(0)
            try:
                self._connect()
            except SlackApiError as error:
                tries += 1
                log.warning("Slack refused a new connection: %s", error.response.get("error"))
            except (OSError, URLError, ValueError) as error:
                tries += 1
                log.warning("Slack cannot be reached: %s", type(error).__name__)
            except Exception:
                tries += 1
                log.exception("connecting failed")
            else:
                log.info("connected to Slack")
                tries = 0

    def _ended(self) -> bool:
        """Whether the other side has hung up: the library notices that only when its pings stay unanswered."""
        session = self._client.current_session
        line = None if session is None else session.sock
        if line is None:
            return True
        try:
            with socket.socket(fileno=os.dup(line.fileno())) as twin:
                return twin.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
        except BlockingIOError:
            return False
        except OSError:
            return True

    def _hear(self, _client: BaseSocketModeClient, message: dict[str, Any], _raw: str | None = None) -> None:
        """Slack announces the end of a connection: have the next one ready before."""
        self._heard = time.monotonic()
        if message.get("type") == "disconnect":
            self._renew.set()

    def _take(self, client: BaseSocketModeClient, request: SocketModeRequest) -> None:
        """One delivery: dispatch and acknowledge. A refusal is not acknowledged, so that Slack delivers again."""
        headers = {} if request.retry_attempt is None else {"x-slack-retry-num": str(request.retry_attempt)}
        response = dispatch(self._app, BoltRequest(mode="socket_mode", body=request.payload, headers=headers))  # type: ignore[arg-type]
        if response.status != 200:
            log.info("a delivery was not acknowledged", extra={"status": response.status})
            return
        payload: dict[str, Any] | None = None
        if response.body:
            kind = response.headers.get("content-type", [""])[0]
            payload = json.loads(response.body) if kind.startswith("application/json") else {"text": response.body}
        client.send_socket_mode_response(SocketModeResponse(envelope_id=request.envelope_id, payload=payload))
