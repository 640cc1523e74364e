"""Processes that share one database of jobs, started, frozen and killed by a test, and the log of what they did."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

WORLD = Path(__file__).parent / "world.py"
PACE = {"beat": 0.5, "dead": 2.0, "poll": 0.2, "schedules": 0.5, "watch": 0.5, "late": 1.5, "silent": 60.0}
Event = dict[str, Any]


class Cast:
    """The processes of one test, by name."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url = url
        self.folder = folder
        self.log = folder / "log.jsonl"
        self.log.touch()
        self.processes: dict[str, subprocess.Popen[str]] = {}

    def start(self, *names: str, pace: dict[str, float] | None = None, **more: Any) -> None:
        """Start processes and wait until each takes work."""
        for name in names:
            spec = {"url": self.url, "log": str(self.log), "name": name, "pace": {**PACE, **(pace or {})}, **more}
            with (self.folder / f"{name}.err").open("w") as errors:
                self.processes[name] = subprocess.Popen(
                    [sys.executable, WORLD, json.dumps(spec)], stdin=subprocess.PIPE, stderr=errors, text=True
                )
        self.wait(lambda: len(self.events("up")) >= len(self.processes), 60)

    def say(self, name: str, **order: Any) -> None:
        pipe = self.processes[name].stdin
        assert pipe is not None
        pipe.write(json.dumps(order) + "\n")
        pipe.flush()

    def submit(self, name: str, kind: str, key: str, lane: str | None = None, **args: Any) -> str:
        """Submit a job through a process and give its id."""
        known = len(self.events("submitted", key=key))
        self.say(name, submit=kind, key=key, lane=lane, args=args)
        self.wait(lambda: len(self.events("submitted", key=key)) > known)
        return str(self.events("submitted", key=key)[-1]["job"])

    def status(self, name: str, job: str) -> Event:
        known = len(self.events("status", job=job))
        self.say(name, status=job)
        self.wait(lambda: len(self.events("status", job=job)) > known)
        return self.events("status", job=job)[-1]

    def kill(self, *names: str) -> float:
        """kill -9, all at once; gives the moment."""
        for name in names:
            self.processes[name].kill()
        for name in names:
            self.processes[name].wait()
            self._note("killed", pid=self.processes[name].pid, who=name)
        return time.time()

    def freeze(self, name: str) -> None:
        self.processes[name].send_signal(signal.SIGSTOP)

    def thaw(self, name: str) -> None:
        self.processes[name].send_signal(signal.SIGCONT)

    def leave(self, *names: str) -> list[Event]:
        """Let processes stop in good order; gives what they said last."""
        for name in names:
            pipe = self.processes[name].stdin
            assert pipe is not None
            pipe.close()
        for name in names:
            assert self.processes[name].wait(timeout=20) == 0
        return [self.events("bye", who=name)[-1] for name in names]

    def end(self) -> None:
        for process in self.processes.values():
            if process.poll() is None:
                process.kill()
            process.wait()
            if process.stdin is not None:
                process.stdin.close()

    # ------------------------------------------------------------ what happened

    def events(self, event: str | None = None, **which: Any) -> list[Event]:
        lines = self.log.read_text().splitlines()
        found = [json.loads(line) for line in lines]
        return [
            one
            for one in found
            if event in (None, one["event"]) and all(one.get(name) == value for name, value in which.items())
        ]

    def wait(self, condition: Callable[[], Any], seconds: float = 30.0) -> Any:
        """Wait until a condition holds; fails with the last events when it does not in time."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if found := condition():
                return found
            time.sleep(0.05)
        tail = "\n".join(self.log.read_text().splitlines()[-25:])
        errors = "\n".join(path.read_text()[-1500:] for path in sorted(self.folder.glob("*.err")))
        raise AssertionError(f"this did not happen within {seconds} s; the last events:\n{tail}\n{errors}")

    def wait_for(self, event: str, times: int = 1, seconds: float = 30.0, **which: Any) -> list[Event]:
        self.wait(lambda: len(self.events(event, **which)) >= times, seconds)
        return self.events(event, **which)

    def runs_of_parts(self) -> Counter[tuple[str, int]]:
        """How often each part of each job was begun."""
        return Counter((one["job"], one["part"]) for one in self.events("part_start"))

    def most_at_once(self) -> dict[str, int]:
        """The largest number of parts that ran at the same time in each lane."""
        running: dict[str, set[tuple[str, int]]] = defaultdict(set)
        most: dict[str, int] = {}
        for one in self.events():
            lane = one.get("lane")
            if one["event"] == "part_start":
                running[lane].add((one["job"], one["pid"]))
                most[lane] = max(most.get(lane, 0), len(running[lane]))
            elif one["event"] in ("part_end", "part_stopped"):
                running[lane].discard((one["job"], one["pid"]))
            elif one["event"] == "killed":
                for jobs in running.values():
                    jobs -= {job for job in jobs if job[1] == one["pid"]}
        return most

    def executors_errors(self) -> str:
        return "".join(path.read_text() for path in sorted(self.folder.glob("*.err")))

    def _note(self, event: str, **more: Any) -> None:
        with self.log.open("a") as log:
            log.write(json.dumps({"t": time.time(), "event": event, **more}) + "\n")
