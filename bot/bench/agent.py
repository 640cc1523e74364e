"""Runs a benchmark on its host for a controller elsewhere, and leaves nothing behind.

Standard library only, Python 3.7 or later. It is streamed to the host by ``connect.py``, or installed there beside
``payload.py`` as the forced command of a key that can do nothing else:

    restrict,command="timeout -k 5 70 python3 -I /opt/gpu-bench/agent.py --installed" ssh-ed25519 AAAA…

On standard input comes one line, a JSON header, then (streamed only) the payload, then a byte now and then as long as
the controller lives. On standard output go JSON lines, each with the id of the run. Every descendant is killed, also
those that made themselves daemons, when the line closes or falls silent, at the deadline, on a signal, and at the end.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import json
import os
import pwd
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Callable, Iterator, NoReturn, Sequence  # noqa: UP035  (Python 3.7)

VERSION = 1
LOCK = "/tmp/gpu-bot-bench.lock"  # noqa: S108  (one name for every bot and user of the host)
MAX_HEADER = 1 << 16
MAX_OUTPUT = 4 << 20
MAX_LINE = 1 << 16
MAX_DEADLINE = 58
TICK = 2.0
PROBE_SECONDS = 20.0
DTYPES = ("bf16", "fp16", "fp32", "tf32", "fp64", "fp8")
RC_UNUSABLE, RC_NO_TORCH, RC_KILLED, RC_BUSY = 2, 3, 70, 75
RUN_ID = re.compile(r"[0-9a-f]{8,32}")
PYTHONS = (
    "python3", "python", "/opt/conda/bin/python", "/venv/main/bin/python", "/opt/venv/bin/python",
    "/usr/local/bin/python3", "/usr/bin/python3", "/workspace/venv/bin/python", "~/miniconda3/bin/python",
    "~/venv/bin/python",
)  # fmt: skip
PROBE = "import importlib.util, sys; sys.exit(0 if importlib.util.find_spec(sys.argv[1]) else 9)"


class BadHeader(Exception):  # noqa: N818  (what is wrong with what came, as a sentence)
    pass


# ---------------------------------------------------------------- the line to the controller


def put(run: str | None, event: str, **more: Any) -> bool:
    """One JSON line; False when nobody reads any more. It begins on a line of its own, whatever a login printed."""
    try:
        data = ("\n" + json.dumps({"ev": event, "run": run, **more}) + "\n").encode()
        while data:
            data = data[os.write(1, data) :]
    except OSError:
        return False
    return True


def read_exactly(n: int) -> bytes:
    data = b""
    while len(data) < n:
        more = os.read(0, min(1 << 16, n - len(data)))
        if not more:
            sys.exit(RC_UNUSABLE)
        data += more
    return data


def read_header() -> Any:
    data = b""
    while not data.endswith(b"\n"):
        more = os.read(0, 1)
        if not more or len(data) > MAX_HEADER:
            sys.exit(RC_UNUSABLE)
        data += more
    try:
        return json.loads(data.decode("utf-8"))
    except ValueError:
        raise BadHeader("the header is no JSON") from None


class Header:
    """What the controller asks for, checked. An installed agent takes no program, no interpreter and no command."""

    def __init__(self, value: Any, *, installed: bool) -> None:
        allowed = {"run", "args", "deadline", "quiet", "look"}
        allowed |= set() if installed else {"bytes", "python", "module", "lock"}
        if not isinstance(value, dict):
            raise BadHeader("the header is no object")
        if set(value) - allowed:
            raise BadHeader(f"the header has unknown keys: {', '.join(sorted(set(value) - allowed))}"[:200])
        self.run = str(value.get("run"))
        if not RUN_ID.fullmatch(self.run):
            raise BadHeader("the id of the run is not hexadecimal")
        self.look = value.get("look")  # "left": what remains of that run; "python": which one has torch
        if self.look not in (None, "left", "python"):
            raise BadHeader("nothing is known to look for")
        self.deadline = _seconds(value.get("deadline", MAX_DEADLINE), MAX_DEADLINE, "deadline")
        self.quiet = _seconds(value.get("quiet", 8), 60, "quiet")
        self.argv = arguments(value.get("args", {}))
        self.bytes = _count(value.get("bytes", 0))
        self.python = _text(value.get("python"))
        self.module = _text(value.get("module")) or "torch"
        self.lock = _text(value.get("lock")) or LOCK


def _seconds(value: Any, most: float, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= most:
        raise BadHeader(f"{name} is not between 0 and {most} s")
    return float(value)


def _count(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MAX_OUTPUT:
        raise BadHeader("bytes is no length")
    return value


def _text(value: Any) -> str | None:
    if value is not None and (not isinstance(value, str) or "\0" in value or len(value) > 4096):
        raise BadHeader("a text is expected")
    return value


def arguments(value: Any) -> list[str]:
    """The arguments of the payload for ``{"dtype", "quick", "gpus", "seed"}``; nothing else ever reaches it."""
    if not isinstance(value, dict) or set(value) - {"dtype", "quick", "gpus", "seed"}:
        raise BadHeader("args holds dtype, quick, gpus and seed only")
    argv: list[str] = []
    dtype, quick, gpus, seed = (value.get(name) for name in ("dtype", "quick", "gpus", "seed"))
    if dtype is not None:
        if dtype not in DTYPES:
            raise BadHeader(f"dtype is none of {', '.join(DTYPES)}")
        argv += ["--dtype", dtype]
    if quick not in (None, True, False):
        raise BadHeader("quick is not true or false")
    argv += ["--quick"] if quick else []
    if gpus is not None:
        if not isinstance(gpus, list) or not gpus or not all(type(one) is int and 0 <= one < 64 for one in gpus):
            raise BadHeader("gpus is no list of numbers")
        argv += ["--gpus", ",".join(str(one) for one in gpus)]
    if seed is not None:
        if type(seed) is not int or not 0 <= seed < 1 << 31:
            raise BadHeader("seed is no number")
        argv += ["--seed", str(seed)]
    return argv


# ---------------------------------------------------------------- processes


def processes() -> Iterator[tuple[int, int, str]]:
    """(process, its parent, its state) of everything that runs."""
    for path in Path("/proc").iterdir():
        if path.name.isdigit():
            try:
                fields = (path / "stat").read_text(errors="replace").rpartition(")")[2].split()
            except OSError:
                continue
            yield int(path.name), int(fields[1]), fields[0]


def descendants() -> list[int]:
    """All processes that come from this one, the living ones."""
    children: dict[int, list[int]] = {}
    for pid, parent, state in processes():
        if state not in "ZX":
            children.setdefault(parent, []).append(pid)
    found, todo = [], [os.getpid()]
    while todo:
        mine = children.get(todo.pop(), [])
        found += mine
        todo += mine
    return found


def kill_all() -> tuple[int, int]:
    """Kill every descendant; as a subreaper we inherit orphans, so this ends with none. (killed, left)"""
    killed: set[int] = set()
    for _ in range(300):
        alive = descendants()
        if not alive:
            return len(killed), 0
        for pid in alive:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
                killed.add(pid)
        time.sleep(0.01)
        with contextlib.suppress(OSError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
    return len(killed), len(descendants())


def become_subreaper() -> bool:
    """Let orphans of ours become our children (Linux)."""
    with contextlib.suppress(OSError, AttributeError):
        return bool(ctypes.CDLL(None).prctl(36, 1, 0, 0, 0) == 0)
    return False


def leash() -> None:
    """In a child: die when the agent is killed, by whatever."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def left_of(run: str, lock: str) -> int:
    """How many processes of a run are still here: those that carry its id, and an agent that still holds the lock."""
    marked = f"GPU_BOT_RUN={run}".encode()
    found = set()
    for pid, _, state in processes():
        if state in "ZX" or pid == os.getpid():
            continue
        with contextlib.suppress(OSError):
            if marked in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"):
                found.add(pid)
    with contextlib.suppress(OSError, ValueError, AttributeError, RecursionError):
        holder = json.loads(_held_by(lock))
        if holder.get("run") == run and any(
            pid == holder.get("pid") for pid, _, state in processes() if state not in "ZX"
        ):
            found.add(holder["pid"])
    return len(found)


def _held_by(lock: str) -> str:
    """What stands in the file of a lock; anyone may have put something else in its place, which must not block."""
    fd = os.open(lock, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    try:
        return os.read(fd, 1 << 16).decode(errors="replace")
    finally:
        os.close(fd)


# ---------------------------------------------------------------- one run at a time on a host


class Lock:
    """A lock that all bots and users of the host share; it goes with its process, however that ends."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.fd = -1

    def take(self, run: str) -> bool:
        try:
            self.fd = self._open()
            fcntl.flock(self.fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in (errno.EWOULDBLOCK, errno.EACCES):
                return False
            raise BadHeader(f"the lock {self.path} cannot be opened: {error.strerror}") from None
        with contextlib.suppress(OSError):  # another user's file can be locked, and not always written
            os.ftruncate(self.fd, 0)
            os.pwrite(self.fd, json.dumps({"run": run, "pid": os.getpid(), "at": time.time()}).encode(), 0)
        return True

    def holder(self) -> dict[str, Any] | None:
        """Whose it is, as far as the host knows: the run, its process, that one's user and since how many seconds."""
        try:
            told = json.loads(os.pread(self.fd, 4096, 0).decode())
            run, pid, at = str(told["run"]), int(told["pid"]), float(told["at"])
            owner = Path(f"/proc/{pid}").stat().st_uid  # of one that lives
            seconds = max(0, round(time.time() - at))
        except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):  # whatever a user wrote there
            return None
        try:
            user = pwd.getpwuid(owner).pw_name
        except KeyError:
            user = str(owner)
        return {"by": run, "process": str(pid), "user": user, "seconds": seconds} if RUN_ID.fullmatch(run) else None

    def _open(self) -> int:
        flags = os.O_NOFOLLOW | os.O_CLOEXEC
        for way in (os.O_RDWR, os.O_RDONLY, os.O_RDWR | os.O_CREAT | os.O_EXCL):
            try:
                before = os.umask(0)
                try:
                    return os.open(self.path, way | flags, 0o666)
                finally:
                    os.umask(before)
            except (FileNotFoundError, PermissionError, FileExistsError):
                continue
        return os.open(self.path, os.O_RDONLY | flags)


# ---------------------------------------------------------------- the run


def find_python(
    named: str | None, module: str, goes_on: Callable[[], bool] = lambda: True
) -> tuple[str | None, list[str]]:  # fmt: skip
    """A Python that has the module (the named one first), and all that were tried; nothing is imported for it.

    ``goes_on`` is asked again and again, for a Python on a slow disk takes its time; False ends the search.
    """
    tried: list[str] = []
    for one in ([named] if named else []) + list(PYTHONS):
        path = shutil.which(os.path.expanduser(one))  # noqa: PTH111  (a name stays a name)
        if path is None or path in tried:
            continue
        if not goes_on():
            break
        tried.append(path)
        if has_module(path, module, goes_on):
            return path, tried
    return None, tried


def has_module(python: str, module: str, goes_on: Callable[[], bool]) -> bool:
    try:
        child = subprocess.Popen(
            [python, "-c", PROBE, module], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, cwd="/",
        )  # fmt: skip
    except OSError:
        return False
    end = time.monotonic() + PROBE_SECONDS
    while child.poll() is None:
        if time.monotonic() > end or not goes_on():
            child.kill()
            child.wait()
            return False
        time.sleep(0.02)
    return child.returncode == 0


class Agent:
    def __init__(self, header: Header, payload: bytes | None, began: float) -> None:
        self.header, self.payload, self.began = header, payload, began
        self.why: str | None = None
        self.spoke = time.monotonic()  # when the controller was last heard
        self.ticked = 0.0
        self.sent = 0
        self.pending = b""
        self.errors = b""
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(number, self._on_signal)
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)

    def _on_signal(self, number: int, _frame: Any) -> None:
        self.why = self.why or f"signal {number}"

    def say(self, event: str, **more: Any) -> None:
        if not put(self.header.run, event, **more):
            self.why = self.why or "nobody reads"

    def run(self) -> int:
        reaps = become_subreaper()
        lock = Lock(self.header.lock)
        if not lock.take(self.header.run):
            holder = lock.holder()
            if holder is not None:
                self.say("held", **holder)
            return self.end(RC_BUSY, "busy")
        folder = tempfile.mkdtemp(prefix="gpu-bench-")
        rc: int | None = None
        try:
            python, tried = find_python(self.header.python, self.header.module, self.goes_on)
            self.say("agent", pid=os.getpid(), subreaper=reaps, python=python, tried=tried, version=VERSION)
            if python is not None and self.why is None:
                rc = self.watch(self.start(python, folder))
            elif self.why is None:
                rc, self.why = RC_NO_TORCH, "no_torch"
        finally:
            killed, left = kill_all()
            shutil.rmtree(folder, ignore_errors=True)
        return self.end(rc, self.why, killed=killed, left=left)

    def goes_on(self) -> bool:
        """Whether the controller still wants this run, asked before the payload runs."""
        while self.why is None and select.select([0], [], [], 0)[0]:
            self.hear(os.read(0, 1 << 16))
        self.look_at_the_clock()
        return self.why is None

    def hear(self, data: bytes) -> None:
        """What came from the controller: a sign of life, or the end of the line."""
        if data:
            self.spoke = time.monotonic()
        else:
            self.why = self.why or "closed"

    def end(self, rc: int | None, why: str | None, killed: int = 0, left: int = 0) -> int:
        said = self.errors.decode("utf-8", "replace")[-500:] if rc else ""
        seconds = round(time.monotonic() - self.began, 2)
        self.say("agent_end", rc=rc, why=why, killed=killed, left=left, seconds=seconds, stderr=said)
        return 0 if rc == 0 and why is None else rc or RC_KILLED

    def start(self, python: str, folder: str) -> subprocess.Popen[bytes]:
        if self.payload is None:
            program = Path(__file__).resolve().parent / "payload.py"
        else:
            program = Path(folder) / "payload.py"
            program.write_bytes(self.payload)
        return subprocess.Popen(
            [python, "-u", str(program), *self.header.argv], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, cwd=folder, start_new_session=True, preexec_fn=leash,  # noqa: PLW1509  (no threads)
            env={**os.environ, "GPU_BOT_RUN": self.header.run, "PYTHONUNBUFFERED": "1"},
        )  # fmt: skip

    def watch(self, child: subprocess.Popen[bytes]) -> int | None:
        """Pass the payload's lines on until it ends (its status) or something says stop (None)."""
        assert child.stdout is not None
        assert child.stderr is not None
        out, err = child.stdout.fileno(), child.stderr.fileno()
        fds = [0, out, err]
        while self.why is None:
            ready, _, _ = select.select(fds, [], [], 0.5)
            for fd in ready:
                data = os.read(fd, 1 << 16)
                if fd == 0:
                    self.hear(data)
                elif not data:
                    fds.remove(fd)
                elif fd == out:
                    self.pass_on(data)
                else:
                    self.errors = (self.errors + data)[-2000:]
            self.look_at_the_clock()
            if child.poll() is not None and out not in fds:
                return child.returncode
            if child.poll() is not None and not ready:  # a daemon of the payload holds its output open
                return child.returncode
        return None

    def look_at_the_clock(self) -> None:
        now = time.monotonic()
        if now - self.began > self.header.deadline:
            self.why = self.why or "deadline"
        if now - self.spoke > self.header.quiet:
            self.why = self.why or "silence"
        if now - self.ticked > TICK:
            self.ticked = now
            self.say("tick")

    def pass_on(self, data: bytes) -> None:
        """Forward the lines that are JSON objects, marked with the run; drop the rest."""
        *lines, self.pending = (self.pending + data).split(b"\n")
        if len(self.pending) > MAX_LINE:
            self.pending = b""
        for line in lines:
            self.sent += len(line)
            if self.sent > MAX_OUTPUT:
                self.why = self.why or "output"
                return
            try:
                event = json.loads(line.decode("utf-8"))
            except ValueError:
                continue
            if isinstance(event, dict) and isinstance(event.get("ev"), str):
                self.say(event.pop("ev"), **{key: value for key, value in event.items() if key != "run"})


def look(header: Header) -> int:
    """Answer what remains of a run, or which Python would be used; nothing is started."""
    if header.look == "left":
        put(header.run, "left", count=left_of(header.run, header.lock))
    else:
        python, tried = find_python(header.python, header.module)
        put(header.run, "python", python=python, tried=tried)
    return 0


def main(argv: Sequence[str]) -> NoReturn:
    began = time.monotonic()
    installed = "--installed" in argv
    header: Header | None = None
    try:
        if installed:
            put(None, "hello", version=VERSION)
        header = Header(read_header(), installed=installed)
        if installed and "--python" in argv:
            header.python = argv[argv.index("--python") + 1]
        if header.look is not None:
            sys.exit(look(header))
        payload = None if installed else read_exactly(header.bytes)
        sys.exit(Agent(header, payload, began).run())
    except BadHeader as wrong:
        put(header.run if header else None, "agent_end", rc=RC_UNUSABLE, why=f"header: {wrong}", killed=0, left=0)
        sys.exit(RC_UNUSABLE)


if __name__ == "__main__":
    main(sys.argv[1:])
