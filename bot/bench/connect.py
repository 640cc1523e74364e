"""Reach a host, run the benchmark there through the agent, and be sure that it ended.

Local runs and SSH speak the same protocol. All connections live in one thread with its own event loop; the rest of the
program is synchronous. A result is ``ok`` only with the payload's end line, the agent's end line and a reading for
every GPU: closed streams and missing lines are ``lost``, for a cut connection looks like a command that ended.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import secrets
import shlex
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeVar

STATES = (
    "queued", "connecting", "running", "ok", "failed", "cancelled", "timeout", "lost", "hostkey", "unreachable",
    "no_torch", "busy", "dirty",
)  # fmt: skip
Event = Mapping[str, Any]
OnEvent = Callable[[Event], None]
T = TypeVar("T")

MAX_OUTPUT = 4 << 20
MAX_LINE = 1 << 16
_DIGITS = _EXPONENT = 18  # of the numbers that are read: beyond them nothing was measured
MAX_JOBS, MAX_WAITING = 8, 20
_HERE = Path(__file__).resolve().parent
_KEY = re.compile(r"(ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(?:256|384|521)|sk-[a-z0-9@.-]+) ([A-Za-z0-9+/]+={0,2})")

# What the host's shell runs: a reader of exactly the agent's length, which leaves standard input open as the lifeline.
_BOOT = (
    "import os\n"
    'os.write(1,b\'\\n{"ev":"boot"}\\n\')\n'
    "n=%d;b=b''\n"
    "while len(b)<n:\n"
    " c=os.read(0,n-len(b))\n"
    " if not c: raise SystemExit(2)\n"
    " b+=c\n"
    "exec(compile(b,'agent','exec'),{'__name__':'__main__','__file__':'agent'})"
)


@dataclass(frozen=True, slots=True)
class Target:
    """Where to run. ``address`` None is this machine. ``host_key`` is the pinned key, ``key_file`` a path."""

    name: str
    address: str | None = None
    port: int = 22
    login: str = ""
    host_key: str = ""
    key_file: str = ""
    python: str | None = None
    lock: str | None = None  # another lock than the host's own; an installed agent has only that one


LOCAL = Target("local")


@dataclass(frozen=True, slots=True)
class Options:
    dtype: str | None = None
    quick: bool = False
    gpus: tuple[int, ...] = ()  # none: all
    seed: int = 0

    def arguments(self) -> dict[str, Any]:
        """As the agent reads them."""
        given = {"dtype": self.dtype, "gpus": list(self.gpus) or None, "seed": self.seed}
        return {"quick": self.quick, **{name: value for name, value in given.items() if value is not None}}


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds. The agent ends at ``deadline``, whatever runs it 12 s later, this side 10 s after that."""

    deadline: float = 58.0
    beat: float = 2.0  # between signs of life to the host
    quiet: float = 8.0  # without a sign of life, either side takes the other for gone
    connect: float = 10.0
    keepalive: float = 2.0
    cancel: float = 3.0  # for a host to say that all is dead


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run went. ``clean`` False: something of it may still run on the host."""

    run: str
    state: str
    events: tuple[Event, ...] = ()
    note: str = ""
    clean: bool = True
    python: str | None = None  # the interpreter that was used there
    seconds: float = 0.0


class ConnectError(Exception):
    """A host that could not be used: ``state`` is one of STATES, ``note`` says what happened."""

    def __init__(self, state: str, note: str) -> None:
        super().__init__(f"{state}: {note}")
        self.state, self.note = state, note


class QueueFullError(Exception):
    """Too many runs wait already."""


def host_key_line(text: str) -> str | None:
    """The type and key of a line of known_hosts or of a ``.pub`` file; None when it is no key."""
    import base64
    import binascii

    found = _KEY.search(text.strip())
    if found is None:
        return None
    with contextlib.suppress(binascii.Error):
        if found[1].encode() in base64.b64decode(found[2], validate=True)[:64]:
            return f"{found[1]} {found[2]}"
    return None


def parse_line(line: bytes | str) -> dict[str, Any] | None:
    """One event; None for anything that is no JSON object with a word under ``ev``. A number that no measurement has
    reads as none."""
    try:
        value = json.loads(line, parse_constant=lambda _name: None, parse_int=_whole, parse_float=_number)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and isinstance(value.get("ev"), str) else None


def _whole(text: str) -> int | None:
    return int(text) if len(text) <= _DIGITS else None


def _number(text: str) -> float | None:
    value = float(text)
    return value if value == 0 or 10.0**-_EXPONENT <= abs(value) < 10.0**_EXPONENT else None


# ---------------------------------------------------------------- two ways to the same agent


class Link(Protocol):
    """Standard input and output of an agent somewhere."""

    def write(self, data: bytes) -> None: ...

    async def read(self) -> bytes: ...  # b"" at the end

    def end_input(self) -> None: ...  # the lifeline is cut

    async def close(self) -> None: ...


class LocalLink:
    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        assert process.stdin is not None
        assert process.stdout is not None
        self.input, self.output = process.stdin, process.stdout

    def write(self, data: bytes) -> None:
        self.input.write(data)

    async def read(self) -> bytes:
        return await self.output.read(1 << 16)

    def end_input(self) -> None:
        self.input.close()

    async def close(self) -> None:
        self.input.close()
        try:
            await asyncio.wait_for(self.process.wait(), 2)
        except TimeoutError:
            self.process.kill()
            await self.process.wait()


class SshLink:
    def __init__(self, process: Any) -> None:
        self.process = process

    def write(self, data: bytes) -> None:
        self.process.stdin.write(data)

    async def read(self) -> bytes:
        data: bytes = await self.process.stdout.read(1 << 16)
        return data

    def end_input(self) -> None:
        self.process.stdin.write_eof()

    async def close(self) -> None:
        self.process.close()


class Local:
    """This machine."""

    def __init__(self, target: Target) -> None:
        self.python = target.python or sys.executable

    async def __aenter__(self) -> Local:
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    async def link(self, agent: bytes) -> Link:
        # A session of its own: Ctrl-C in a terminal reaches the command, which then cuts the lifeline.
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-I", "-u", "-c", _BOOT % len(agent), stdin=-1, stdout=-1,
            stderr=asyncio.subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        return LocalLink(process)


class Ssh:
    """A host behind SSH: its pinned key or none, one key of ours, and nothing forwarded."""

    def __init__(self, target: Target, timing: Timing) -> None:
        self.target, self.timing = target, timing
        self.python = target.python
        self.connection: Any = None

    async def __aenter__(self) -> Ssh:
        import asyncssh

        target, timing = self.target, self.timing
        try:
            pinned = asyncssh.import_public_key(target.host_key)
            self.connection = await asyncio.wait_for(
                asyncssh.connect(
                    target.address, port=target.port, username=target.login, client_keys=[target.key_file],
                    known_hosts=([pinned], [], []), config=None, agent_path=None, x509_trusted_certs=None,
                    preferred_auth="publickey", keepalive_interval=timing.keepalive, keepalive_count_max=3,
                    connect_timeout=timing.connect, login_timeout=timing.connect,
                ),
                timing.connect + 2,
            )  # fmt: skip
        except asyncssh.HostKeyNotVerifiable:
            raise ConnectError("hostkey", "the host showed another key") from None
        except asyncssh.PermissionDenied:
            raise ConnectError("unreachable", f"{target.login} may not log in with this key") from None
        except (asyncssh.KeyImportError, asyncssh.KeyEncryptionError) as error:
            raise ConnectError("unreachable", f"the key cannot be used: {error}"[:200]) from None
        except (OSError, asyncssh.Error, TimeoutError) as error:
            raise ConnectError("unreachable", _reason(error)) from None
        return self

    async def __aexit__(self, *_: object) -> None:
        self.connection.abort()

    async def link(self, agent: bytes) -> Link:
        import asyncssh

        outer = round(self.timing.deadline + 12)
        boot = shlex.quote(self.target.python or "python3")
        command = f"exec timeout -k 5 {outer} {boot} -I -u -c {shlex.quote(_BOOT % len(agent))}"
        try:
            process = await asyncio.wait_for(
                self.connection.create_process(command, encoding=None, request_pty=False, stderr=asyncssh.DEVNULL),
                self.timing.connect,
            )
        except (OSError, asyncssh.Error, TimeoutError) as error:
            raise ConnectError("lost", _reason(error)) from None
        return SshLink(process)


def _reason(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".rstrip(": ")[:200]


def _gone() -> tuple[type[BaseException], ...]:
    """What reading from or writing to a lost host raises."""
    module = sys.modules.get("asyncssh")
    return (OSError, TimeoutError, *((module.Error,) if module is not None else ()))


# ---------------------------------------------------------------- one conversation with an agent


class Lines:
    """The events of a link, one by one; whatever a login prints between them is dropped."""

    def __init__(self, link: Link) -> None:
        self.link, self.rest, self.events, self.size = link, b"", [], 0  # type: Link, bytes, list[Event], int

    async def next(self, within: float) -> Event | None:
        """The next event; None at the end of the stream. Raises TimeoutError, or ValueError when too much came."""
        while not self.events:
            data = await asyncio.wait_for(self.link.read(), within)
            if not data:
                return None
            self.size += len(data)
            if self.size > 2 * MAX_OUTPUT:
                raise ValueError("the host sends more than it may")
            *lines, self.rest = (self.rest + data).split(b"\n")
            if len(self.rest) > MAX_LINE:
                self.rest = b""
            self.events += [event for line in lines if (event := parse_line(line)) is not None]
        return self.events.pop(0)


class Conversation:
    """Send the agent (or find it installed), a header and a program; read events until its end."""

    def __init__(self, link: Link, timing: Timing, program: bytes, agent: bytes) -> None:
        self.link, self.timing, self.program, self.agent = link, timing, program, agent
        self.lines = Lines(link)

    async def begin(self, header: dict[str, Any], streamed: dict[str, Any]) -> None:
        """``streamed`` are the parts of the header that an installed agent would refuse."""
        while True:
            try:
                event = await self.lines.next(self.timing.connect)
            except TimeoutError:
                raise ConnectError("unreachable", "the host's shell does not answer") from None
            if event is None:
                raise ConnectError("no_torch", "the host has no python3 that could be started")
            if event["ev"] == "boot":
                whole = json.dumps({**header, **streamed}).encode() + b"\n"
                self.link.write(self.agent + whole + (self.program if "look" not in header else b""))
                return
            if event["ev"] == "hello":
                self.link.write(json.dumps(header).encode() + b"\n")
                return

    async def beat(self) -> None:
        """A byte now and then, as long as this side lives."""
        while True:
            await asyncio.sleep(self.timing.beat)
            with contextlib.suppress(*_gone()):
                self.link.write(b".")


@dataclass
class _Heard:
    """What came from the host so far."""

    events: list[Event] = field(default_factory=list)
    agent_end: Event | None = None
    python: str | None = None
    tried: str = ""


class Run:
    """A run that was started: its state, its end, and the way to cancel it. Safe to use from any thread."""

    def __init__(self, target: Target, options: Options, on_event: OnEvent | None) -> None:
        self.id = secrets.token_hex(8)
        self.target, self.options, self.on_event = target, options, on_event
        self.state = "queued"
        self.done: Future[Outcome] = Future()
        self.cancel_asked = threading.Event()
        self._wake: Callable[[], object] | None = None

    def cancel(self) -> None:
        """Ask for its end; ``result`` says how that went."""
        self.cancel_asked.set()
        if self._wake is not None:
            self._wake()

    def result(self, timeout: float | None = None) -> Outcome:
        """Wait for the end. Raises TimeoutError when it takes longer than ``timeout``."""
        return self.done.result(timeout)

    def wakes(self, wake: Callable[[], object]) -> None:
        """How the loop is told that someone asked to cancel."""
        self._wake = wake
        if self.cancel_asked.is_set():
            wake()


class Connector:
    """The one thread that talks to hosts: at most ``jobs`` at once, one for a host, a short queue behind them."""

    def __init__(
        self, timing: Timing | None = None, *, jobs: int = MAX_JOBS, waiting: int = MAX_WAITING,
        program: bytes | None = None, module: str = "torch",
    ) -> None:  # fmt: skip
        self.timing = timing or Timing()
        self.jobs, self.waiting = jobs, waiting
        self.module = module  # what the Python of a host must have
        self.program = (_HERE / "payload.py").read_bytes() if program is None else program
        self.agent = (_HERE / "agent.py").read_bytes()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="bench-connect", daemon=True)
        self._thread.start()
        self._all = asyncio.Semaphore(jobs)
        self._hosts: dict[tuple[str | None, int], asyncio.Lock] = {}
        self._runs: set[Run] = set()
        self._lock = threading.Lock()

    def __enter__(self) -> Connector:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- for other threads

    def start(self, target: Target, options: Options | None = None, on_event: OnEvent | None = None) -> Run:
        """Begin a run. ``on_event`` hears its events in the connector's thread. Raises QueueFullError."""
        run = Run(target, options or Options(), on_event)
        with self._lock:
            if len(self._runs) >= self.jobs + self.waiting:
                raise QueueFullError(f"{len(self._runs)} runs are waiting or running already; try again later")
            self._runs.add(run)
        asyncio.run_coroutine_threadsafe(self._finish(run), self._loop)
        return run

    def python_of(self, target: Target) -> str | None:
        """The interpreter with torch on a host, None when there is none. Raises ConnectError."""
        return self._wait(self._python(target))

    def is_clean(self, target: Target, run: str) -> bool:
        """Whether nothing of a run is left on a host. Raises ConnectError when that cannot be seen."""
        return self._wait(self._left(target, run)) == 0

    def seen_host_key(self, address: str, port: int) -> tuple[str, str]:
        """The key that a host shows now, as a line, and its fingerprint. Raises ConnectError."""
        return self._wait(self._host_key(address, port))

    def close(self) -> None:
        """Cancel all runs, wait for their ends, and stop the thread."""
        with self._lock:
            runs = list(self._runs)
        for run in runs:
            run.cancel()
        for run in runs:
            with contextlib.suppress(Exception):
                run.result(self.timing.cancel + 2 * self.timing.quiet + 5)
        if not self._loop.is_closed():
            asyncio.run_coroutine_threadsafe(self._settle(), self._loop).result(5)
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(5)
            self._loop.close()

    async def _settle(self) -> None:
        """Let transports that were closed report so before the loop ends."""
        await asyncio.sleep(0)
        await self._loop.shutdown_asyncgens()
        await asyncio.sleep(0.05)

    def _wait(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(
            self.timing.connect * 4 + self.timing.quiet * 4
        )

    # -- in the loop

    async def _finish(self, run: Run) -> None:
        began = time.monotonic()
        try:
            outcome = await self._in_turn(run)
        except Exception as error:  # noqa: BLE001  (whatever it is, the run must end for those who wait)
            outcome = Outcome(run.id, "failed", note=_reason(error), clean=False)
        finally:
            with self._lock:
                self._runs.discard(run)
        run.state = outcome.state
        seconds = round(time.monotonic() - began, 2)
        run.done.set_result(
            Outcome(outcome.run, outcome.state, outcome.events, outcome.note, outcome.clean, outcome.python, seconds)
        )

    async def _in_turn(self, run: Run) -> Outcome:
        cancel = asyncio.Event()
        run.wakes(lambda: self._loop.call_soon_threadsafe(cancel.set))
        place = (run.target.address, run.target.port)
        host = self._hosts.setdefault(place, asyncio.Lock())
        for turn in (host, self._all):
            taken = await _first(turn.acquire(), cancel)
            if not taken:
                if turn is self._all:
                    host.release()
                return Outcome(run.id, "cancelled")
        try:
            return await self._on_host(run, cancel)
        finally:
            self._all.release()
            host.release()

    def _reach(self, target: Target) -> Local | Ssh:
        return Local(target) if target.address is None else Ssh(target, self.timing)

    async def _on_host(self, run: Run, cancel: asyncio.Event) -> Outcome:
        run.state = "connecting"
        heard = _Heard()
        try:
            state, note = await asyncio.wait_for(self._talk(run, cancel, heard), self.timing.deadline + 22)
        except ConnectError as error:
            state, note = error.state, error.note
        except TimeoutError:
            state, note = "timeout", "the host did not end in time"
        except _gone() as error:
            state, note = "lost", _reason(error)
        began = run.state == "running"
        ended = heard.agent_end is not None and not heard.agent_end.get("left")
        clean = not began or ended or await self._is_gone(run)
        return Outcome(run.id, state, tuple(heard.events), note, clean, heard.python)

    async def _talk(self, run: Run, cancel: asyncio.Event, heard: _Heard) -> tuple[str, str]:
        reach = self._reach(run.target)
        entered = asyncio.ensure_future(reach.__aenter__())
        if not await _first(entered, cancel):
            return "cancelled", ""
        try:
            link = await reach.link(self.agent)
            try:
                return await self._converse(run, cancel, heard, link, reach.python)
            finally:
                with contextlib.suppress(*_gone()):
                    await link.close()
        finally:
            await reach.__aexit__()

    async def _converse(
        self, run: Run, cancel: asyncio.Event, heard: _Heard, link: Link, python: str | None
    ) -> tuple[str, str]:
        timing = self.timing
        talk = Conversation(link, timing, self.program, self.agent)
        header = {"run": run.id, "args": run.options.arguments(), "deadline": timing.deadline, "quiet": timing.quiet}
        streamed = {"bytes": len(self.program), "python": python, "module": self.module, "lock": run.target.lock}
        if not await _first(talk.begin(header, streamed), cancel):
            return "cancelled", ""
        run.state = "running"
        beat = asyncio.ensure_future(talk.beat())
        asked = asyncio.ensure_future(cancel.wait())
        try:
            while heard.agent_end is None:
                coming = asyncio.ensure_future(talk.lines.next(timing.quiet))
                await asyncio.wait({coming, asked}, return_when=asyncio.FIRST_COMPLETED)
                if not coming.done():
                    coming.cancel()
                    await asyncio.wait({coming})
                    return await self._cancel(run, talk, heard)
                try:
                    event = coming.result()
                except TimeoutError:
                    return "lost", f"nothing came for {timing.quiet:g} s"
                except ValueError as error:
                    return "failed", str(error)
                if event is None:
                    return "lost", "the connection ended before the run did"
                self._hear(run, heard, event)
            return _state_of(heard)
        finally:
            beat.cancel()
            asked.cancel()

    async def _cancel(self, run: Run, talk: Conversation, heard: _Heard) -> tuple[str, str]:
        """Cut the lifeline, and wait for the agent to say that all is dead."""
        with contextlib.suppress(*_gone(), ValueError):
            talk.link.end_input()
            deadline = time.monotonic() + self.timing.cancel
            while heard.agent_end is None and (left := deadline - time.monotonic()) > 0:
                event = await talk.lines.next(left)
                if event is None:
                    break
                self._hear(run, heard, event)
        return "cancelled", ""

    def _hear(self, run: Run, heard: _Heard, event: Event) -> None:
        kind = event["ev"]
        if event.get("run") != run.id and not (kind == "agent_end" and event.get("run") is None):
            return  # a line of somebody else
        if kind == "agent_end":
            heard.agent_end = event
        elif kind == "agent":
            heard.python = event.get("python") if isinstance(event.get("python"), str) else None
            tried = event.get("tried")
            heard.tried = ", ".join(str(one) for one in tried)[:300] if isinstance(tried, list) else ""
        if kind in ("tick", "agent", "agent_end"):
            return
        event = {name: value for name, value in event.items() if name != "run"}
        heard.events.append(event)
        if run.on_event is not None:
            with contextlib.suppress(Exception):  # whoever watches must not end the run
                run.on_event(event)

    # -- short questions to a host

    async def _is_gone(self, run: Run) -> bool:
        """Connect once more and look until nothing of the run is left; False when that cannot be seen."""
        deadline = time.monotonic() + self.timing.quiet + 3
        while True:
            try:
                if await self._left(run.target, run.id) == 0:
                    return True
            except (ConnectError, TimeoutError):
                return False
            if time.monotonic() > deadline:
                return False
            await asyncio.sleep(0.5)

    async def _left(self, target: Target, run: str) -> int:
        event = await self._look(target, {"run": run, "look": "left"}, "left")
        return int(event.get("count", 1))

    async def _python(self, target: Target) -> str | None:
        event = await self._look(target, {"run": secrets.token_hex(8), "look": "python"}, "python")
        return event.get("python") if isinstance(event.get("python"), str) else None

    async def _look(self, target: Target, header: dict[str, Any], answer: str) -> Event:
        async with self._reach(target) as reach:
            link = await reach.link(self.agent)
            try:
                talk = Conversation(link, self.timing, b"", self.agent)
                python = reach.python
                await talk.begin(header, {"python": python, "module": self.module, "lock": target.lock})
                while (event := await talk.lines.next(self.timing.connect + self.timing.quiet)) is not None:
                    if event["ev"] == answer and event.get("run") == header["run"]:
                        return event
                raise ConnectError("lost", "the host gave no answer")
            except TimeoutError:
                raise ConnectError("lost", "the host gave no answer in time") from None
            except _gone() as error:
                raise ConnectError("lost", _reason(error)) from None
            finally:
                with contextlib.suppress(*_gone()):
                    await link.close()

    async def _host_key(self, address: str, port: int) -> tuple[str, str]:
        import asyncssh

        try:
            key = await asyncio.wait_for(asyncssh.get_server_host_key(address, port, config=None), self.timing.connect)
        except (OSError, asyncssh.Error, TimeoutError) as error:
            raise ConnectError("unreachable", _reason(error)) from None
        if key is None:
            raise ConnectError("unreachable", "the host shows no key")
        line = host_key_line(key.export_public_key("openssh").decode())
        if line is None:
            raise ConnectError("unreachable", "the host's key is of no known type")
        return line, str(key.get_fingerprint())


async def _first(work: Any, cancel: asyncio.Event) -> bool:
    """Wait for ``work``, which may raise, or for a wish to cancel; True when the work was done."""
    task, asked = asyncio.ensure_future(work), asyncio.ensure_future(cancel.wait())
    try:
        await asyncio.wait({task, asked}, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            task.result()
            return True
        task.cancel()
        await asyncio.wait({task})
        return not task.cancelled() and task.exception() is None  # it may have been done at the same moment
    finally:
        asked.cancel()


def _state_of(heard: _Heard) -> tuple[str, str]:
    """The state after the agent's end line: ``ok`` only when every GPU that was found has its reading."""
    assert heard.agent_end is not None
    end, why = heard.agent_end, heard.agent_end.get("why")
    inner = next((one for one in reversed(heard.events) if one["ev"] == "end"), {})
    for reason in (why, inner.get("why")):
        if reason in ("no_torch", "busy"):
            return str(reason), heard.tried if reason == "no_torch" else ""
        if reason in ("deadline", "silence"):
            return "timeout", str(reason)
    found = _numbers([one.get("gpu") for one in heard.events if one["ev"] == "identity"])
    measured = _numbers(inner.get("gpus"))
    if end.get("rc") == 0 and inner.get("rc") == 0 and found and found == measured:
        return "ok", ""
    return "failed", str(why or inner.get("why") or end.get("stderr") or "")[:200]


def _numbers(value: Any) -> set[int]:
    return {one for one in value if type(one) is int} if isinstance(value, list) else set()
