"""A reading that somebody else made with the script: what its file holds, and the verdict on it. Pure.

Nothing here is kept, and whatever it says is marked as self-reported: the file proves nothing about a host.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from bot.bench.connect import Event, parse_line
from bot.bench.verdict import Run, collect, judge, record, resolve
from rules.model import Accelerator

MOST_GPUS = 64  # of one host: a file that names others is not answered with a table of all of them
_INDICES = ("gpu", "from", "to")


def events_of(data: bytes) -> list[Event]:
    """The events of a file; none where no line of it is the first one of a run."""
    read = (parse_line(line) for line in data.splitlines())
    found: list[Event] = [event for event in read if event is not None and _is_of_a_host(event)]
    return found if any(event["ev"] == "start" for event in found) else []


def _is_of_a_host(event: Event) -> bool:
    """Whether every GPU that an event is about can be one of a host."""
    named = [event[name] for name in _INDICES if isinstance(event.get(name), int)]
    return all(0 <= one < MOST_GPUS for one in named)


def begins_as_reading(data: bytes) -> bool:
    """Whether the first line that is not blank is the one that the script prints first: nothing else looks like it."""
    first = next((line for line in data.splitlines() if line.strip()), b"")
    event = parse_line(first)
    if event is None or event["ev"] != "start":
        return False
    return isinstance(event.get("protocol_version"), int) and isinstance(event.get("mode"), str)


def judged(
    events: Sequence[Event], table: Mapping[str, Accelerator], *, ordered_as: str | None = None,
    claim: Decimal | None = None,
) -> dict[str, Any]:  # fmt: skip
    """The record of a reading. ``ordered_as`` is an id of the table or a model in it, ``claim`` the vendor's TFLOPS."""
    run = collect(events)
    ordered = resolve(ordered_as, table) if ordered_as else []
    found = judge(run, table, ordered=ordered, claim=claim, self_reported=True)
    return record(found, run, state=state_of(run), host=None, ordered_as=ordered_as, at=run.start.get("at"))


def state_of(run: Run) -> str:
    """How a run went by its own last line; one that was cut off has failed."""
    end = run.end or {}
    if end.get("rc") == 0:
        return "ok"
    return str(end["why"]) if end.get("why") in ("no_torch", "busy") else "failed"
