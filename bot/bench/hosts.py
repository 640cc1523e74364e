"""The registry of GPU hosts and their readings: what may be written in it, and what a run leaves there.

It is kept in the database. Never in it: key material, only the path of a key and the public key of the host.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot.bench.connect import Outcome, Target, host_key_line
from bot.bench.verdict import Run, Verdict, collect, judge, number, record, resolve
from rules.fields import decimal_of, nearest
from rules.model import Accelerator

if TYPE_CHECKING:
    from bot.store.benches import Host, Reading
    from bot.store.database import Database

RESERVED = ("all", "cancel", "help", "history", "hosts", "local", "run", "script", "status", "verdict")
BLOCKED = ("hostkey", "dirty")  # until someone looks
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}", re.ASCII)
_ADDRESS = re.compile(r"ssh://([A-Za-z_][\w.-]*)@(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9][\w.-]*)(?::([0-9]{1,5}))?/?", re.ASCII)
_PYTHON = re.compile(r"/[\w./+-]+", re.ASCII)
_LARGEST_PORT = 65535


class HostError(Exception):
    """What cannot be registered or used, as a key and the values of its sentence."""

    def __init__(self, key: str, **slots: Any) -> None:
        super().__init__(key)
        self.key, self.slots = key, slots


# ---------------------------------------------------------------- what may be written


@dataclass(frozen=True, slots=True)
class Address:
    login: str
    host: str
    port: int

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"ssh://{self.login}@{host}" + (f":{self.port}" if self.port != 22 else "")


def parse_address(text: str) -> Address:
    """``ssh://USER@HOST[:PORT]``; nothing else, so that no text of a user ever becomes an option of a program."""
    found = _ADDRESS.fullmatch(text)
    port = int(found[3] or 22) if found else 0
    if found is None or not 0 < port <= _LARGEST_PORT:
        raise HostError("error.host.address", text=text)
    return Address(found[1], found[2].strip("[]"), port)


def check_name(text: str) -> str:
    if not _NAME.fullmatch(text) or text in RESERVED:
        raise HostError("error.host.name", text=text, list=", ".join(RESERVED))
    return text


def check_key_file(path: Path) -> str:
    """The absolute path of a private key that exists; it is looked at only when a connection needs it."""
    whole = path.expanduser().absolute()
    try:
        with whole.open("rb") as file:
            begins = file.read(200)
    except OSError:
        begins = b""
    if b"PRIVATE KEY" not in begins:
        raise HostError("error.host.key_file", text=str(path))
    return str(whole)


def check_host_key(text: str) -> str:
    line = host_key_line(text)
    if line is None:
        raise HostError("error.host.host_key", text=text)
    return line


def check_python(text: str | None) -> str | None:
    if text is not None and not _PYTHON.fullmatch(text):
        raise HostError("error.host.python", text=text)
    return text


def check_ordered(text: str | None, table: Mapping[str, Accelerator], aliases: Mapping[str, str]) -> str | None:
    """An id of the table of accelerators, or a model; ``aliases`` lead from other names of a model to it."""
    if text is None:
        return None
    model = aliases.get(text.casefold(), text)
    found = resolve(model, table)
    if not found:
        names = [*table, *(one.model for one in table.values())]
        raise HostError("error.host.ordered_as", text=text, near=nearest(text, names))
    return model if model in table else found[0].model


def check_offer(text: str | None, offers: Collection[str]) -> str | None:
    if text is not None and text not in offers:
        raise HostError("error.host.offer", text=text, near=nearest(text, offers))
    return text


def check_claim(text: str | None) -> Decimal | None:
    if text is None:
        return None
    value = decimal_of(text)
    if value is None or value <= 0:
        raise HostError("error.host.claim", text=text)
    return value


# ---------------------------------------------------------------- the registry


class Registry:
    """The hosts and readings of one workspace (the terminal's own are ``local``)."""

    def __init__(self, database: Database, team: str = "local") -> None:
        self.database, self.team = database, team

    def add(self, host: Host) -> None:
        """Register a host under a name that is free. Raises HostError."""
        from bot.store import benches
        from bot.store.database import StoreError

        if benches.host(self.database, self.team, host.name) is not None:
            raise HostError("error.host.taken", name=host.name)
        try:
            benches.add_host(self.database, replace(host, team_id=self.team))
        except StoreError:  # somebody was faster
            raise HostError("error.host.taken", name=host.name) from None

    def get(self, name: str) -> Host:
        """The host of that name. Raises HostError with the nearest one."""
        from bot.store import benches

        found = benches.host(self.database, self.team, name)
        if found is None:
            raise HostError("error.host.unknown", name=name, near=nearest(name, [one.name for one in self.all()]))
        return found

    def all(self) -> list[Host]:
        from bot.store import benches

        return benches.hosts(self.database, self.team)

    def remove(self, name: str) -> None:
        from bot.store import benches

        self.get(name)
        benches.remove_host(self.database, self.team, name)

    def set_state(self, name: str, state: str, now: datetime, note: str | None = None) -> None:
        from bot.store import benches

        benches.put_host_state(self.database, self.team, name, state, now, note)

    def readings(self, *, host: str | None = None, gpu: str | None = None, limit: int | None = 50) -> list[Reading]:
        """The newest first. ``gpu`` is an id of the table of accelerators."""
        from bot.store import benches

        return benches.readings(self.database, self.team, host=host, gpu=gpu, limit=limit)

    def settle(self, host: Host | None, outcome: Outcome, made: Mapping[str, Any], now: datetime) -> None:
        """Keep what a run left: its reading, when there is one, and the state of its host."""
        from bot.store import benches

        if host is not None:
            state = state_after(outcome)
            note = f"run {outcome.run}" if state == "dirty" else outcome.note or None
            self.set_state(host.name, state, now, note)
        if made.get("tflops") is None:
            return
        reading = benches.Reading(
            team_id=self.team, id=outcome.run, host=host.name if host else "local", at=now, record=made,
            gpu=made.get("gpu"), dtype=made.get("dtype"), verdict=made.get("verdict"),
            offer=host.offer if host else None, tflops=number(made.get("tflops")),
        )  # fmt: skip
        benches.keep_reading(self.database, reading)


def new_host(
    name: str, address: Address, *, key_file: str, host_key: str, now: datetime, python: str | None = None,
    ordered_as: str | None = None, offer: str | None = None, claim: Decimal | None = None,
) -> Host:  # fmt: skip
    """A host as it is registered first."""
    from bot.store.benches import Host

    return Host(
        team_id="local", name=name, address=address.host, port=address.port, login=address.login, host_key=host_key,
        key_file=key_file, state_at=now, added=now, python=python, ordered_as=ordered_as, offer=offer,
        claim_tflops=claim,
    )  # fmt: skip


def address_of(host: Host) -> str:
    return str(Address(host.login, host.address, host.port))


def target_of(host: Host) -> Target:
    """Where to connect. Raises HostError for a host that is not to be used until someone looks."""
    if host.state in BLOCKED:
        raise HostError("error.blocked", name=host.name, state=host.state)
    return look_at(host)


def look_at(host: Host) -> Target:
    """The same for a look whether a blocked host may be used again."""
    return Target(host.name, host.address, host.port, host.login, host.host_key, host.key_file, host.python)


def unfinished_run(host: Host) -> str | None:
    """The run of which something may be left on a dirty host."""
    note = host.state_note or ""
    return note.removeprefix("run ") if host.state == "dirty" and note.startswith("run ") else None


def state_after(outcome: Outcome) -> str:
    """The state of a host after a run: what hinders the next one, else ready."""
    if not outcome.clean:
        return "dirty"
    return outcome.state if outcome.state in ("hostkey", "unreachable", "no_torch", "busy") else "ready"


# ---------------------------------------------------------------- the result of a run


def judged(
    outcome: Outcome, table: Mapping[str, Accelerator], *, seed: int | None, now: datetime, host: Host | None = None
) -> tuple[Verdict, dict[str, Any]]:
    """The verdict on a run and its record, as it is printed and kept."""
    run: Run = collect(outcome.events)
    if outcome.state != "ok" and run.end is not None and run.end.get("rc") == 0:
        run = replace(run, end=None)  # the payload ended well, and yet the run as a whole did not
    ordered = resolve(host.ordered_as, table) if host is not None and host.ordered_as else []
    claim = host.claim_tflops if host is not None else None
    answered = seed if run.start else None  # without a first line there is nothing to compare
    found = judge(run, table, ordered=ordered, claim=claim, seed=answered)
    made = record(
        found, run, state=outcome.state, note=outcome.note or None, id=outcome.run,
        host=host.name if host else "local",
        ordered_as=host.ordered_as if host else None, offer=host.offer if host else None,
        at=now.astimezone(UTC).isoformat(timespec="seconds"),
    )  # fmt: skip
    return found, made
