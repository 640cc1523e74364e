"""Jobs as values: what they are called, what became of them, and how fast the machinery turns."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

# What somebody who waits for a job may hear about it.
STATES = ("queued", "running", "stopping", "done", "cancelled", "failed")

TELL = "tell"  # the kind of job that passes the watchdog's news on

# Why the watchdog speaks up about a job.
FAILED = "failed"  # it raised an error
GAVE_UP = "gave-up"  # every process that ran it died
SILENT = "silent"  # no sign of life for too long; it may still end well
LEFT_BEHIND = "left-behind"  # written by a version of the program whose jobs this one cannot go on with


class JobError(Exception):
    """A job that cannot be submitted or scheduled as asked; ``str()`` is one sentence."""


class Cancelled(Exception):  # noqa: N818 - not an error: somebody asked for it
    """Someone asked for this job to end. Clean up in steps with ``always=True``, then let it pass."""


class LetGo(BaseException):
    """This process must stop working on the job at once: it is leaving, or another process took over.

    Nothing is recorded and nothing is lost: the job goes on elsewhere, from its last finished step. Never catch it.
    """


@dataclass(frozen=True, slots=True)
class JobState:
    """What is known about a job right now."""

    id: str
    kind: str
    state: str  # one of STATES
    team_id: str
    args: Mapping[str, Any]
    submitted: datetime
    lane: str | None = None
    asked_by: str | None = None
    note: Mapping[str, Any] | None = None  # the last progress it told
    alive: datetime | None = None  # its last sign of life
    result: Any = None  # what it returned, when done
    error: str | None = None  # the error's text, when failed; for logs, not for people
    ahead: int | None = None  # jobs of its lane before it, when queued in one
    runs: int = 0  # how often a process began or resumed it


@dataclass(frozen=True, slots=True)
class Pace:
    """Times in seconds. The defaults are for production; tests turn faster."""

    beat: float = 10.0  # a process says that it is alive this often
    dead: float = 45.0  # one not heard for so long has died
    poll: float = 1.0  # queues and wishes to cancel are looked at this often
    schedules: float = 15.0  # changed schedules are noticed within this time
    watch: float = 30.0  # failed, silent and missed things are looked for this often
    silent: float = 600.0  # a running job without a sign of life for so long is reported
    late: float = 30.0  # a tick that has not come by then was missed
    at_once: int = 8  # jobs that one process runs at the same time
    keep: timedelta = timedelta(days=30)  # finished jobs are remembered for so long


def plain(value: Any, what: str) -> Any:
    """``value`` as JSON gives it back. Raises ``JobError`` that names ``what`` when it is no JSON."""
    try:
        return json.loads(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError) as error:
        raise JobError(f"{what} must be plain JSON: {error}") from None
