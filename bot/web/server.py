"""Serving an application from a thread, so that the program around it stays synchronous."""

from __future__ import annotations

import socket
import threading
import time
from typing import Any

import uvicorn

_START_SECONDS = 10.0


class PortTakenError(Exception):
    """Another program listens at that address; ``str()`` is one sentence."""


class Server:
    """One listening address. ``start`` returns when it accepts connections."""

    def __init__(self, application: Any, host: str, port: int) -> None:
        config = uvicorn.Config(
            application, log_config=None, access_log=False, server_header=False, timeout_graceful_shutdown=5,
            lifespan="off",
        )  # fmt: skip
        self._server = uvicorn.Server(config)
        self._socket = _listen(host, port)
        self._thread = threading.Thread(
            target=self._server.run, kwargs={"sockets": [self._socket]}, name="http", daemon=True
        )

    @property
    def port(self) -> int:
        return int(self._socket.getsockname()[1])

    def start(self) -> None:
        self._thread.start()
        end = time.monotonic() + _START_SECONDS
        while not self._server.started and time.monotonic() < end:
            time.sleep(0.01)

    def stop(self) -> None:
        """Accept nothing more and finish what is being answered."""
        self._server.should_exit = True
        self._thread.join(timeout=6)


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        raise PortTakenError(
            f"Cannot listen at {host}:{port}: {error.strerror}. Set GPU_BOT_BIND and GPU_BOT_PORT to a free address"
        ) from None
    listener.listen(512)
    return listener
