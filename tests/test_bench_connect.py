"""Reaching a host: what ends when, on this machine and over a real SSH server."""

from __future__ import annotations

import dataclasses
import fcntl
import getpass
import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from bench import processes

from bot.bench import agent
from bot.bench.connect import (
    LOCAL,
    ConnectError,
    Connector,
    Options,
    Outcome,
    QueueFullError,
    Run,
    Target,
    Timing,
    host_key_line,
    parse_line,
)

if TYPE_CHECKING:
    from bench.sshd import Server

ROOT = Path(__file__).parent.parent
QUICK = Timing(deadline=20, beat=0.3, quiet=2.0, connect=8.0, keepalive=0.7, cancel=2.0)

READY = """
import json, sys
def say(**more): print(json.dumps(more), flush=True)
say(ev="start", protocol_version=1, seed=int(sys.argv[sys.argv.index("--seed") + 1]))
for gpu in range(2):
    say(ev="identity", gpu=gpu, name="NVIDIA H200")
"""
FINE = (
    READY
    + """
for gpu in range(2):
    say(ev="reading", kind="steady", gpu=gpu, dtype="bf16", tflops_median=789.0)
say(ev="end", rc=0, gpus=[0, 1])
"""
)
# Four processes: itself, a child, a child in a session of its own, and a daemon that nobody is the parent of.
STUBBORN = (
    READY
    + """
import os, signal, subprocess, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
for new in (False, True):
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], start_new_session=new)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(60)
    os._exit(0)
say(ev="progress", step="steady", share=0.1)
time.sleep(60)
"""
)
ALONE = (
    READY
    + """
import time
say(ev="progress", step="steady", share=0.1)
time.sleep(60)
"""
)


def connector(program: str = FINE, timing: Timing = QUICK, **more: Any) -> Connector:
    return Connector(timing, program=program.encode(), module=more.pop("module", "json"), **more)


def wait_for(condition: Callable[[], Any], seconds: float = 10.0) -> Any:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if found := condition():
            return found
        time.sleep(0.02)
    return condition()


class Watch:
    """Collects events and knows when the program on the host is at work."""

    def __init__(self) -> None:
        self.events: list[Any] = []
        self.working = threading.Event()

    def __call__(self, event: Any) -> None:
        self.events.append(event)
        if event["ev"] == "progress":
            self.working.set()


def started(one: Connector, target: Target, options: Options | None = None) -> Run:
    """A run whose program is at work."""
    watch = Watch()
    run = one.start(target, options, watch)
    assert watch.working.wait(15), run.done.result(1) if run.done.done() else run.state
    return run


def marked(run: Run) -> list[int]:
    return processes.marked(run.id)


def alone(tmp_path: Path) -> Target:
    return dataclasses.replace(LOCAL, lock=str(tmp_path / "lock"))


# ---------------------------------------------------------------- this machine


def test_a_local_run_gives_its_events(tmp_path: Path) -> None:
    """Every event of the program, in order, and the seed that was asked for."""
    watch = Watch()
    with connector() as one:
        outcome = one.start(alone(tmp_path), Options(seed=41), watch).result(20)
    assert (outcome.state, outcome.clean) == ("ok", True)
    assert [event["ev"] for event in outcome.events] == ["start", "identity", "identity", "reading", "reading", "end"]
    assert outcome.events[0]["seed"] == 41
    assert watch.events == list(outcome.events)


def test_cancelling_ends_every_process_within_a_second(tmp_path: Path) -> None:
    """Children, sessions of their own and daemons; the caller hears that nothing is left."""
    with connector(STUBBORN) as one:
        run = started(one, alone(tmp_path))
        assert wait_for(lambda: len(marked(run)) == 4)
        asked = time.monotonic()
        run.cancel()
        assert wait_for(lambda: not marked(run), 1.0)
        outcome = run.result(5)
        assert time.monotonic() - asked < 1.5
    assert (outcome.state, outcome.clean) == ("cancelled", True)


def test_closing_cancels_what_runs(tmp_path: Path) -> None:
    """When the bot stops, its runs stop."""
    one = connector(STUBBORN)
    run = started(one, alone(tmp_path))
    one.close()
    assert run.result(0).state == "cancelled"
    assert marked(run) == []


def test_the_deadline_ends_a_run(tmp_path: Path) -> None:
    """A payload that never ends is killed on the host, and called a timeout."""
    with connector(STUBBORN, dataclasses.replace(QUICK, deadline=1.5)) as one:
        run = started(one, alone(tmp_path))
        outcome = run.result(10)
    assert (outcome.state, outcome.clean, marked(run)) == ("timeout", True, [])


def test_a_python_without_torch_is_said(tmp_path: Path) -> None:
    """With the ones that were looked at; nothing is installed."""
    with connector(module="no_such_module") as one:
        outcome = one.start(alone(tmp_path)).result(20)
        assert one.python_of(alone(tmp_path)) is None
    assert outcome.state == "no_torch"
    assert sys.executable in outcome.note


@pytest.mark.parametrize(
    ("program", "note"),
    [
        (READY + "sys.exit(0)", ""),  # no end line
        (FINE.replace("gpus=[0, 1]", "gpus=[0]"), ""),  # one GPU has no reading
        (FINE.replace("rc=0", "rc=1, why='died'"), "died"),
        (READY + "sys.exit(3)", ""),
        ("raise SystemExit('the driver is gone')", "the driver is gone"),
        ("import os; os.abort()", ""),
    ],
)
def test_a_run_without_a_full_result_is_never_ok(program: str, note: str, tmp_path: Path) -> None:
    """Status 0, an end line and a reading for each GPU: all three."""
    with connector(program) as one:
        outcome = one.start(alone(tmp_path)).result(20)
    assert outcome.state == "failed"
    assert note in outcome.note


def test_noise_between_the_lines_is_dropped(tmp_path: Path) -> None:
    """Warnings, other JSON, half lines and endless ones; a line with another run's id is not ours."""
    noise = """
print("UserWarning: something"); print('{"level": "info"}'); print("[1]"); print('{"ev": 3}'); print("{")
print("x" * 300000); print(json.dumps({"ev": "end", "rc": 1, "run": "00000000"}).replace("end", "ignored"))
"""
    with connector(FINE.replace('say(ev="end"', noise + 'say(ev="end"')) as one:
        outcome = one.start(alone(tmp_path)).result(20)
    assert outcome.state == "ok"
    assert [event["ev"] for event in outcome.events][-2:] == ["ignored", "end"]


def test_a_flood_is_stopped(tmp_path: Path) -> None:
    """No host fills the memory of the bot."""
    flood = READY + 'while True: say(ev="progress", text="x" * 10000)'
    with connector(flood) as one:
        outcome = one.start(alone(tmp_path)).result(20)
    assert (outcome.state, outcome.note) == ("failed", "output")
    assert sum(len(str(event)) for event in outcome.events) < 5 << 20


def test_a_watcher_that_fails_does_not_end_the_run(tmp_path: Path) -> None:
    """Showing progress is no part of measuring."""

    def broken(_event: Any) -> None:
        raise RuntimeError

    with connector() as one:
        assert one.start(alone(tmp_path), None, broken).result(20).state == "ok"


def test_two_bots_do_not_measure_one_host_at_once(tmp_path: Path) -> None:
    """The lock is the host's: the second is told that it is busy, and whose run has the lock; it may come again."""
    with connector(ALONE) as first, connector() as second:
        run = started(first, alone(tmp_path))
        refused = second.start(alone(tmp_path)).result(20)
        assert refused.state == "busy"
        [held] = refused.events
        [program] = marked(run)
        assert (held["ev"], held["by"], held["user"]) == ("held", run.id, getpass.getuser())
        assert held["process"] == Path(f"/proc/{program}/stat").read_text().rpartition(")")[2].split()[1]
        assert 0 <= held["seconds"] < 20
        run.cancel()
        run.result(5)
        assert second.start(alone(tmp_path)).result(20).state == "ok"


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "{}", '{"run": "x", "pid": 1, "at": 0}', '{"run": "0123abcd", "pid": 0}', "[" * 4000,
        '{"run": "0123abcd", "pid": 1, "at": NaN}', '{"run": "0123abcd", "pid": 1, "at": -Infinity}',
    ],
)  # fmt: skip
def test_a_lock_that_does_not_tell_whose_it_is_is_a_lock_all_the_same(text: str, tmp_path: Path) -> None:
    """A file that another user wrote, or that names a process that is gone."""
    with Path(alone(tmp_path).lock or "").open("w+") as file:
        file.write(text)
        file.flush()
        fcntl.flock(file, fcntl.LOCK_EX)
        with connector() as one:
            outcome = one.start(alone(tmp_path)).result(20)
    assert (outcome.state, outcome.events) == ("busy", ())


SLOW = """#!/bin/sh
# A Python on a slow disk: it takes {seconds} s to begin when it is tried; the loader, which has -I, begins at once.
case "$1" in -c) sleep {seconds} & wait;; esac
exec {python} "$@"
"""


def slow_python(folder: Path, seconds: float) -> str:
    path = folder / "slow-python"
    path.write_text(SLOW.format(seconds=seconds, python=shlex.quote(sys.executable)))
    path.chmod(0o755)
    return str(path)


def test_a_python_that_begins_slowly_is_waited_for(tmp_path: Path) -> None:
    """Longer than either side bears silence (4 s): the host says that it is there."""
    target = dataclasses.replace(alone(tmp_path), python=slow_python(tmp_path, 6))
    with connector(timing=dataclasses.replace(QUICK, quiet=4.0)) as one:
        outcome = one.start(target).result(30)
    assert (outcome.state, outcome.python) == ("ok", target.python)


def test_a_run_is_cancelled_while_it_looks_for_a_python(tmp_path: Path) -> None:
    """Within the time a host has to say that all is dead; the Python that was tried and its child are gone."""
    target = dataclasses.replace(alone(tmp_path), python=slow_python(tmp_path, 53.7))
    asleep = lambda: [pid for pid in processes.table() if processes.name_of(pid) == "sleep" and "53.7" in line(pid)]  # noqa: E731
    with connector() as one:
        run = one.start(target)
        assert wait_for(asleep)
        run.cancel()
        outcome = run.result(QUICK.cancel)
    assert (outcome.state, outcome.clean, asleep()) == ("cancelled", True, [])


def line(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")
    except OSError:
        return ""


def test_one_bot_runs_one_job_on_a_host(tmp_path: Path) -> None:
    """The second waits for the first, and can be cancelled while it waits."""
    with connector(ALONE) as one:
        first = started(one, alone(tmp_path))
        second, third = one.start(alone(tmp_path)), one.start(alone(tmp_path))
        time.sleep(0.3)
        assert (second.state, third.state) == ("queued", "queued")
        third.cancel()
        assert third.result(2).state == "cancelled"
        first.cancel()
        assert wait_for(lambda: second.state == "running")
        second.cancel()
        assert second.result(5).state == "cancelled"


def test_a_queue_has_an_end(tmp_path: Path) -> None:
    """What cannot be run soon is refused at once."""
    with connector(ALONE, jobs=1, waiting=1) as one:
        one.start(alone(tmp_path))
        one.start(alone(tmp_path))
        with pytest.raises(QueueFullError):
            one.start(alone(tmp_path))


def cpu_of(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_waiting_costs_next_to_nothing(tmp_path: Path) -> None:
    """Agent and controller together use at most 2 % of a core while the GPU works."""
    with connector(ALONE, dataclasses.replace(QUICK, beat=2.0, quiet=8.0)) as one:
        run = started(one, alone(tmp_path))
        [program] = marked(run)
        agents = int(Path(f"/proc/{program}/stat").read_text().rpartition(")")[2].split()[1])
        own, there, began = time.process_time(), cpu_of(agents), time.monotonic()
        time.sleep(4)
        used = time.process_time() - own + cpu_of(agents) - there
        share = used / (time.monotonic() - began)
        run.cancel()
        run.result(5)
    assert share <= 0.02


# A controller in a process of its own, to be killed. Arguments: the fields of its target, as Python.
CONTROLLER = """
import sys, time
sys.path.insert(0, {root!r})
from bot.bench.connect import Connector, Target, Timing
one = Connector(Timing(deadline=20, beat=0.3, quiet=2.0), program={program!r}.encode(), module="json")
run = one.start({target!r}, None, lambda event: print(run.id, event["ev"], flush=True))
time.sleep(60)
"""


def killed_controller(target: Target) -> list[int]:
    """What is left a second after the bot itself was killed in the middle of a run."""
    code = CONTROLLER.format(root=str(ROOT), program=STUBBORN, target=target)
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        run = next(line.split()[0].decode() for line in process.stdout if b"progress" in line)
        wait_for(lambda: len(processes.marked(run)) == 4)
        process.kill()
        wait_for(lambda: not processes.marked(run), 1.0)
    return processes.marked(run)


def test_a_killed_bot_leaves_nothing_here(tmp_path: Path) -> None:
    """SIGKILL to the whole controller: the lifeline closes."""
    assert killed_controller(alone(tmp_path)) == []


def test_a_killed_agent_takes_its_program_along(tmp_path: Path) -> None:
    """Out of memory: the payload, which starts no daemons, dies with the agent; the run is lost and clean."""
    with connector(ALONE) as one:
        run = started(one, alone(tmp_path))
        [program] = marked(run)
        parent = int(Path(f"/proc/{program}/stat").read_text().rpartition(")")[2].split()[1])
        os.kill(parent, signal.SIGKILL)
        assert wait_for(lambda: not marked(run), 1.0)
        outcome = run.result(20)
    assert (outcome.state, outcome.clean) == ("lost", True)


def test_what_may_still_run_is_said(tmp_path: Path) -> None:
    """An agent killed over a program that made daemons: they stay, so the host is not clean."""
    with connector(STUBBORN, dataclasses.replace(QUICK, quiet=1.0)) as one:
        run = started(one, alone(tmp_path))
        program = min(wait_for(lambda: len(marked(run)) == 4 and marked(run)))
        parent = int(Path(f"/proc/{program}/stat").read_text().rpartition(")")[2].split()[1])
        os.kill(parent, signal.SIGKILL)
        outcome = run.result(20)
        assert (outcome.state, outcome.clean) == ("lost", False)
        assert not one.is_clean(alone(tmp_path), run.id)
        for pid in marked(run):
            os.kill(pid, signal.SIGKILL)
        assert wait_for(lambda: one.is_clean(alone(tmp_path), run.id), 5)


# ---------------------------------------------------------------- a real SSH server


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    from bench.sshd import Server

    one = Server(tmp_path)
    one.start()
    yield one
    one.stop()


@pytest.mark.needs_sshd
def test_a_run_over_ssh(server: Server) -> None:
    """The same events as on this machine."""
    with connector() as one:
        outcome = one.start(server.target(), Options(seed=7)).result(20)
        assert one.python_of(server.target()) is not None
    assert (outcome.state, outcome.clean, len(outcome.events)) == ("ok", True, 6)


@pytest.mark.needs_sshd
def test_cancelling_over_ssh_ends_everything_within_a_second(server: Server) -> None:
    """SSH itself ends nothing: the lifeline does, and the agent says so."""
    with connector(STUBBORN) as one:
        run = started(one, server.target())
        assert wait_for(lambda: len(marked(run)) == 4)
        run.cancel()
        assert wait_for(lambda: not marked(run) and not server.programs(), 1.0)
        outcome = run.result(5)
    assert (outcome.state, outcome.clean) == ("cancelled", True)


@pytest.mark.needs_sshd
def test_a_killed_session_ends_the_run_there_and_is_lost_here(server: Server) -> None:
    """A cut connection looks like a command that ended without a status: it is never ok."""
    with connector(STUBBORN) as one:
        run = started(one, server.target())
        for pid in server.sessions():
            os.kill(pid, signal.SIGKILL)
        assert wait_for(lambda: not marked(run), 1.0)
        outcome = run.result(20)
    assert (outcome.state, outcome.clean) == ("lost", True)


@pytest.mark.needs_sshd
def test_a_frozen_link_ends_both_sides(server: Server) -> None:
    """No byte moves and nothing is closed: each side takes the other for gone after its quiet time."""
    with connector(STUBBORN) as one:
        run = started(one, server.target())
        frozen = server.sessions()
        for pid in frozen:
            os.kill(pid, signal.SIGSTOP)
        try:
            assert wait_for(lambda: not marked(run), QUICK.quiet + 2)
            outcome = run.result(20)
        finally:
            for pid in frozen:
                os.kill(pid, signal.SIGKILL)
    assert (outcome.state, outcome.clean) == ("lost", True)


@pytest.mark.needs_sshd
def test_the_deadline_holds_over_ssh(server: Server) -> None:
    """On the host, whatever the controller does."""
    with connector(STUBBORN, dataclasses.replace(QUICK, deadline=1.5)) as one:
        run = started(one, server.target())
        outcome = run.result(15)
    assert (outcome.state, marked(run)) == ("timeout", [])


@pytest.mark.needs_sshd
@pytest.mark.slow
def test_a_hung_agent_is_ended_from_outside(server: Server) -> None:
    """Stopped, it hears neither deadline nor silence; the program around it ends it 12 s after the deadline."""
    with connector(ALONE, dataclasses.replace(QUICK, deadline=1.0)) as one:
        run = started(one, server.target())
        [program] = marked(run)
        parent = int(Path(f"/proc/{program}/stat").read_text().rpartition(")")[2].split()[1])
        os.kill(parent, signal.SIGSTOP)
        outcome = run.result(30)
        assert outcome.state == "lost"
        assert wait_for(lambda: not marked(run), 20)


@pytest.mark.needs_sshd
def test_another_host_key_is_refused_before_anything_is_sent(server: Server, tmp_path: Path) -> None:
    """A wrong key, and a right one that has changed since it was confirmed."""
    from bench.sshd import Server

    (tmp_path / "other").mkdir()
    other = Server(tmp_path / "other")
    with connector() as one:
        wrong = one.start(server.target(host_key=other.host_key)).result(20)
        assert (wrong.state, wrong.clean, wrong.events) == ("hostkey", True, ())
        line, fingerprint = one.seen_host_key("127.0.0.1", server.ports[0])
        assert (line, fingerprint[:7]) == (server.host_key, "SHA256:")
        assert one.start(server.target(host_key=line)).result(20).state == "ok"
        server.stop()
        server.new_host_key()
        server.start()
        assert one.start(server.target(host_key=line)).result(20).state == "hostkey"


@pytest.mark.needs_sshd
def test_a_login_that_is_refused_or_a_key_that_is_none(server: Server, tmp_path: Path) -> None:
    """Unreachable, with the reason, and no traceback."""
    import asyncssh

    stranger = tmp_path / "stranger"
    asyncssh.generate_private_key("ssh-ed25519").write_private_key(str(stranger))
    nonsense = tmp_path / "nonsense"
    nonsense.write_text("no key at all")
    with connector() as one:
        for key, said in ((stranger, "may not log in"), (nonsense, "key"), (tmp_path / "missing", "No such file")):
            outcome = one.start(server.target(key_file=str(key))).result(20)
            assert outcome.state == "unreachable"
            assert said in outcome.note


@pytest.mark.needs_sshd
def test_a_host_that_is_not_there_or_does_not_speak(tmp_path: Path) -> None:
    """A closed port at once; a server without a banner after the time to connect."""
    from bench.sshd import Server

    absent = Server(tmp_path)  # never started
    with connector(timing=dataclasses.replace(QUICK, connect=1.0)) as one:
        assert one.start(absent.target()).result(10).state == "unreachable"
        with socket.create_server(("127.0.0.1", 0)) as silent:
            target = absent.target(port=silent.getsockname()[1])
            began = time.monotonic()
            assert one.start(target).result(10).state == "unreachable"
            assert time.monotonic() - began < 4
            with pytest.raises(ConnectError):
                one.seen_host_key("127.0.0.1", target.port)


@pytest.mark.needs_sshd
def test_a_host_without_python(server: Server) -> None:
    """The shell answers 127: there is nothing to run with."""
    with connector() as one:
        assert one.start(server.target(python="/nowhere/python")).result(20).state == "no_torch"


@pytest.mark.needs_sshd
def test_noise_of_a_login_is_dropped(tmp_path: Path) -> None:
    """A message of the day, JSON of a login script and a line without an end before ours."""
    from bench.sshd import Server

    noise = """sh -c 'echo Welcome; echo \\{\\"level\\":1\\}; printf half; eval "$SSH_ORIGINAL_COMMAND"'"""
    one_server = Server(tmp_path, options=f"ForceCommand {noise}")
    one_server.start()
    try:
        with connector() as one:
            assert one.start(one_server.target()).result(20).state == "ok"
    finally:
        one_server.stop()


@pytest.mark.needs_sshd
def test_twenty_hosts_at_once(tmp_path: Path) -> None:
    """All of them are read, eight at a time."""
    from bench.sshd import Server

    servers = []
    most = 0
    try:
        for n in range(2):  # one server listens on sixteen ports at most
            (tmp_path / str(n)).mkdir()
            servers.append(Server(tmp_path / str(n), ports=10))
            servers[n].start()
        with connector() as one:
            runs = [one.start(servers[n % 2].target(n // 2)) for n in range(20)]
            while not all(run.done.done() for run in runs):
                most = max(most, sum(run.state in ("connecting", "running") for run in runs))
                time.sleep(0.02)
            assert [run.result(60).state for run in runs] == ["ok"] * 20
    finally:
        for server in servers:
            server.stop()
    assert most <= 8


@pytest.mark.needs_sshd
def test_two_bots_on_one_host_over_ssh(server: Server) -> None:
    """The second hears that the host is busy."""
    with connector(ALONE) as first, connector() as second:
        run = started(first, server.target())
        assert second.start(server.target()).result(20).state == "busy"
        run.cancel()
        assert run.result(5).state == "cancelled"


@pytest.mark.needs_sshd
def test_a_killed_bot_leaves_nothing_on_a_host(server: Server) -> None:
    """SIGKILL to the controller."""
    assert killed_controller(server.target()) == []


# ---------------------------------------------------------------- the installed agent


@pytest.fixture
def installed(tmp_path: Path) -> Iterator[Server]:
    """A key that can do nothing but run the benchmark that lies on the host."""
    from bench.sshd import Server

    home = tmp_path / "installed"
    home.mkdir()
    shutil.copy(ROOT / "bot" / "bench" / "agent.py", home / "agent.py")
    (home / "payload.py").write_text(FINE, "utf-8")
    # The lock of an installed agent is the host's own; a copy with another one keeps tests apart.
    text = (home / "agent.py").read_text("utf-8").replace("/tmp/gpu-bot-bench.lock", str(home / "lock"))
    (home / "agent.py").write_text(text.replace('or "torch"', 'or "json"'), "utf-8")
    words = ["timeout", "-k", "5", "70", sys.executable, "-I", str(home / "agent.py"), "--installed"]
    one = Server(tmp_path, command=shlex.join(words))
    one.start()
    yield one
    one.stop()


@pytest.mark.needs_sshd
def test_an_installed_agent_runs_its_own_program(installed: Server) -> None:
    """The program that the bot has is never sent; a run and its cancellation work as streamed."""
    with connector("raise SystemExit('this must not run')") as one:
        assert one.start(installed.target()).result(20).state == "ok"
    (installed.folder / "installed" / "payload.py").write_text(STUBBORN, "utf-8")
    with connector() as one:
        run = started(one, installed.target())
        run.cancel()
        assert wait_for(lambda: not marked(run), 1.0)
        assert (run.result(5).state, run.result(5).clean) == ("cancelled", True)


@pytest.mark.needs_sshd
@pytest.mark.parametrize(
    "header",
    [
        b'{"run": "0123456789abcdef", "python": "/bin/sh"}',
        b'{"run": "0123456789abcdef", "bytes": 4}',
        b'{"run": "0123456789abcdef", "args": {"dtype": "bf16; touch STOLEN"}}',
        b'{"run": "0123456789abcdef", "args": {"gpus": ["0;id"]}}',
        b'{"run": "../../etc", "args": {}}',
        b"import os",
    ],
)
def test_a_stolen_key_runs_a_benchmark_and_nothing_else(installed: Server, header: bytes) -> None:
    """Whatever is asked of the shell is ignored, and a header that asks for more is refused."""
    import asyncio

    import asyncssh

    async def abuse() -> bytes:
        key = asyncssh.import_public_key(installed.host_key)
        async with asyncssh.connect(
            "127.0.0.1", port=installed.ports[0], username=installed.user, client_keys=[str(installed.key)],
            known_hosts=([key], [], []), config=None, agent_path=None,
        ) as connection:  # fmt: skip
            command = shlex.join(["touch", f"{installed.folder}/STOLEN"])
            done = await connection.run(command, input=header + b"\nrest\n", encoding=None, timeout=20)
            return bytes(done.stdout)

    said = asyncio.run(abuse())
    assert b'"agent_end"' in said
    assert b"header" in said
    assert not (installed.folder / "STOLEN").exists()


# ---------------------------------------------------------------- with torch


@pytest.mark.needs_torch
@pytest.mark.needs_sshd
def test_a_real_product_is_cancelled_in_its_middle(server: Server) -> None:
    """The program itself over SSH, on the CPU: dead within a second of the wish."""
    timing = dataclasses.replace(QUICK, deadline=50, quiet=8.0)
    with Connector(timing) as one:
        watch = Watch()
        run = one.start(server.target(python=sys.executable), Options(quick=True), watch)
        assert wait_for(lambda: any(event.get("step") == "warm" for event in watch.events), 45)
        time.sleep(0.5)
        run.cancel()
        assert wait_for(lambda: not marked(run) and not server.programs(), 1.0)
        assert run.result(5).state == "cancelled"


# ---------------------------------------------------------------- small parts


@pytest.mark.parametrize(
    "value",
    [
        None, [], "x", {}, {"run": "xyz"}, {"run": "0" * 8, "more": 1}, {"run": "0" * 8, "deadline": 59},
        {"run": "0" * 8, "deadline": True}, {"run": "0" * 8, "quiet": 0}, {"run": "0" * 8, "bytes": -1},
        {"run": "0" * 8, "bytes": 1 << 40}, {"run": "0" * 8, "args": {"device": "cpu"}},
        {"run": "0" * 8, "args": {"quick": "yes"}}, {"run": "0" * 8, "args": {"gpus": [True]}},
        {"run": "0" * 8, "args": {"seed": 1.5}}, {"run": "0" * 8, "python": "a\0b"}, {"run": "0" * 8, "look": "around"},
    ],
)  # fmt: skip
def test_a_header_that_asks_for_anything_else_is_refused(value: Any) -> None:
    """Only known keys, only known values."""
    with pytest.raises(agent.BadHeader):
        agent.Header(value, installed=False)


def test_arguments_are_made_of_known_words() -> None:
    """Nothing that came over the wire stands in the command as it came."""
    assert agent.arguments({"dtype": "bf16", "quick": True, "gpus": [0, 3], "seed": 5}) == [
        "--dtype", "bf16", "--quick", "--gpus", "0,3", "--seed", "5",
    ]  # fmt: skip
    assert agent.arguments({}) == []


def test_a_pipe_in_the_place_of_the_lock_holds_nothing_up(tmp_path: Path) -> None:
    """Anybody on the host may put one there: opened to be read, it would wait for a writer for ever."""
    os.mkfifo(tmp_path / "lock")
    assert agent.left_of("0" * 8, str(tmp_path / "lock")) == 0


KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKHEChAGXTsTKkUSxYSYfKi1wXBIUaVZEnsqUDHEPYxB"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (KEY, KEY),
        (f"{KEY} root@box", KEY),
        (f"[10.0.0.7]:2222 {KEY}", KEY),  # as in known_hosts
        ("ssh-rsa AAAAC3NzaC1lZDI1NTE5AAAAIKHEChAGXTsTKkUSxYSYfKi1wXBIUaVZEnsqUDHEPYxB", None),  # of another type
        ("ssh-ed25519 notakey", None),
        ("SHA256:abc", None),
        ("", None),
    ],
)
def test_a_host_key_is_its_type_and_its_key(text: str, line: str | None) -> None:
    """From a file of either kind; anything else is none."""
    assert host_key_line(text) == line


@pytest.mark.parametrize(
    ("line", "event"),
    [
        (b'{"ev": "end", "rc": 0}', {"ev": "end", "rc": 0}),
        (b'{"ev": "x", "v": NaN}', {"ev": "x", "v": None}),
        (b'{"rc": 0}', None), (b"[1]", None), (b"{", None), (b"\xff", None), (b"[" * 100000, None),
    ],
)  # fmt: skip
def test_a_line_is_an_event_or_nothing(line: bytes, event: dict[str, Any] | None) -> None:
    """Whatever a host sends."""
    assert parse_line(line) == event


def test_an_outcome_is_plain(tmp_path: Path) -> None:
    """How long it took, and what ran it."""
    with connector() as one:
        outcome: Outcome = one.start(alone(tmp_path)).result(20)
    assert outcome.python == sys.executable
    assert 0 < outcome.seconds < 20
