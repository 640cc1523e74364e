"""Serving an application from a thread, so that the program around it stays synchronous."""

from __future__ import annotations

import socket
import threading
import time
from typing import Any

import uvicorn

_START_SECONDS = 10.0


class PortTakenError(Exception):
    """The address cannot be listened at."""

    def __init__(self, host: str, port: int, reason: str) -> None:
        super().__init__(f"{host}:{port}: {reason}")
        self.address, self.reason = f"{host}:{port}", reason


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
        raise PortTakenError(host, port, str(error.strerror)) from None
    listener.listen(512)
    return listener
