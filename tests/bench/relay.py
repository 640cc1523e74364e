"""A wire to a server of this machine that can be held: it takes what comes, and passes nothing more on."""

from __future__ import annotations

import contextlib
import select
import socket
import threading


class Relay:
    """Listens on ``port``. With ``most`` only that many bytes of each connection reach the server; ``held`` is set once
    one waits for more. When its client goes, the server hears of it, as it does when a process dies."""

    def __init__(self, server_port: int) -> None:
        self.server_port = server_port
        self.most: int | None = None
        self.held = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        threading.Thread(target=self._listen, daemon=True).start()

    def stop(self) -> None:
        self._listener.close()

    def _listen(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._carry, args=(client,), daemon=True).start()

    def _carry(self, client: socket.socket) -> None:
        with contextlib.ExitStack() as open_, contextlib.suppress(OSError):
            open_.enter_context(client)
            server: socket.socket | None = None
            sent, waiting, gone = 0, b"", False
            while not gone:
                room = None if self.most is None else self.most - sent
                if server is None and room != 0:
                    server = open_.enter_context(socket.create_connection(("127.0.0.1", self.server_port)))
                if server is not None and (part := waiting[:room]):
                    server.sendall(part)
                    sent, waiting = sent + len(part), waiting[len(part) :]
                elif server is None or waiting:
                    self.held.set()
                ready, _, _ = select.select([client, *([server] if server else [])], [], [], 0.05)
                for one in ready:
                    data = one.recv(1 << 16)
                    gone = gone or not data
                    if one is client:
                        waiting += data
                    else:
                        client.sendall(data)
