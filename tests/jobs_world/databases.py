"""The databases of the tests: a file of SQLite, and a PostgreSQL server of their own on the loopback."""

from __future__ import annotations

import os
import shlex
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import psycopg
import pytest

_names = count(1)


def programs() -> Path:
    """Where the server programs lie; Debian keeps them off the PATH."""
    found = shutil.which("initdb")
    return (Path(found) if found else max(Path("/usr/lib/postgresql").glob("*/bin/initdb"))).resolve().parent


class Cluster:
    """A PostgreSQL server that ends with the tests. The server refuses to run as root, so root lends it a user."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="gpu-bot-pg-"))
        self.user = "postgres" if os.geteuid() == 0 else None
        if self.user:
            shutil.chown(self.folder, self.user)
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            self.port = one.getsockname()[1]
        self._as_user("initdb", "-D", "data", "-U", "tester", "--auth=trust", "--no-sync", "-E", "UTF8")
        self.start()
        # Whatever becomes of the tests, their end closes this pipe, and that ends the server.
        script = 'cat >/dev/null; "$0" -D data -m immediate stop >/dev/null 2>&1; rm -rf "$1"'
        self.guard = subprocess.Popen(
            self._command("sh", "-c", script, str(programs() / "pg_ctl"), str(self.folder)),
            cwd=self.folder,
            stdin=subprocess.PIPE,
            start_new_session=True,
        )

    def start(self) -> None:
        sockets = shlex.quote(str(self.folder))  # a shell reads the options
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={sockets} -c fsync=off"
        self._as_user("pg_ctl", "-D", "data", "-l", "log", "-w", "-o", options, "start")

    def stop(self, mode: str = "immediate") -> None:
        self._as_user("pg_ctl", "-D", "data", "-w", "-m", mode, "stop")

    def new_database(self) -> str:
        """The address of an empty database."""
        name = f"t{next(_names)}"
        address = f"host=127.0.0.1 port={self.port} user=tester dbname=postgres"
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return f"postgresql://tester@127.0.0.1:{self.port}/{name}"

    def remove(self) -> None:
        self.guard.communicate(timeout=60)

    def _command(self, *words: str) -> list[str]:
        return ["runuser", "-u", self.user, "--", *words] if self.user else list(words)

    def _as_user(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            self._command(str(programs() / program), *arguments),
            check=False,
            cwd=self.folder,
            text=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            timeout=60,
        )
        assert done.returncode == 0, f"{program} failed: {done.stderr}"


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    one = Cluster()
    yield one
    one.remove()


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.needs_postgres)])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'world.db'}"
    cluster: Cluster = request.getfixturevalue("cluster")
    return cluster.new_database()
