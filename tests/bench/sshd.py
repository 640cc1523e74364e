"""An OpenSSH server of our own on the loopback, with keys that live as long as a test."""

from __future__ import annotations

import getpass
import os
import shutil
import socket
import subprocess
import time
from pathlib import Path

import asyncssh

from bench.processes import below, kill, name_of
from bot.bench.connect import Target, host_key_line

PROGRAM = shutil.which("sshd", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin") or "sshd"


def free_ports(n: int) -> list[int]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(n)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Server:
    """`sshd` on one port or several; whoever runs the tests may log in with ``key``."""

    def __init__(self, folder: Path, *, ports: int = 1, options: str = "", command: str | None = None) -> None:
        self.folder = folder
        self.ports = free_ports(ports)
        self.key, self.host_key = folder / "id", ""
        self.user = getpass.getuser()
        client = asyncssh.generate_private_key("ssh-ed25519")
        client.write_private_key(str(self.key))
        self.key.chmod(0o600)
        line = client.export_public_key("openssh").decode()
        if command is not None:
            line = f'restrict,command="{command}" {line}'
        (folder / "authorized_keys").write_text(line)
        self.options = options
        self.process: subprocess.Popen[bytes] | None = None
        self.new_host_key()

    def new_host_key(self) -> None:
        key = asyncssh.generate_private_key("ssh-ed25519")
        key.write_private_key(str(self.folder / "host_key"))
        (self.folder / "host_key").chmod(0o600)
        self.host_key = host_key_line(key.export_public_key("openssh").decode()) or ""

    def start(self) -> None:
        config = self.folder / "sshd_config"
        lines = [f"Port {port}" for port in self.ports]
        lines += [
            "ListenAddress 127.0.0.1", f'HostKey "{self.folder}/host_key"', "UsePAM no", "StrictModes no",
            f'AuthorizedKeysFile "{self.folder}/authorized_keys"', "PidFile none", "PasswordAuthentication no",
            "PermitRootLogin prohibit-password", "MaxStartups 100:30:200", "PrintMotd no", self.options,
        ]  # fmt: skip
        config.write_text("\n".join(lines) + "\n")
        if os.getuid() == 0:
            Path("/run/sshd").mkdir(exist_ok=True)  # of the privilege separation; the system's own may not run here
        log = (self.folder / "log").open("ab")
        with log:
            self.process = subprocess.Popen([PROGRAM, "-D", "-e", "-f", str(config)], stderr=log)
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.ports[-1])) == 0:
                    return
            time.sleep(0.05)
        raise RuntimeError(f"sshd did not start: {(self.folder / 'log').read_text()}")

    def stop(self) -> None:
        if self.process is not None:
            for pid in below(self.process.pid):
                kill(pid, 9)
            self.process.kill()
            self.process.wait()
            self.process = None

    def target(self, n: int = 0, **changes: object) -> Target:
        values: dict[str, object] = {
            "name": f"box{n}", "address": "127.0.0.1", "port": self.ports[n], "login": self.user,
            "host_key": self.host_key, "key_file": str(self.key), "lock": str(self.folder / f"lock{n}"),
        }  # fmt: skip
        return Target(**{**values, **changes})  # type: ignore[arg-type]

    def sessions(self) -> list[int]:
        """The server's processes of the connections that are open now."""
        assert self.process is not None
        names = ("sshd", "sshd-session", "sshd-auth")
        return [pid for pid in below(self.process.pid) if name_of(pid) in names]

    def programs(self) -> list[int]:
        """What those connections run."""
        assert self.process is not None
        return [pid for pid in below(self.process.pid) if pid not in self.sessions()]
