"""What became of the rows of one source: how many count, and which were rejected or marked, with examples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from bot.store.observed import Observation

EXAMPLES = 3
# What each check does to a row. rejected: it is not kept. marked: kept, and never ranked. noted: kept, and it counts.
EFFECTS = {
    "no-gpu": "ignored",
    "unreadable": "rejected",
    "zero-price": "rejected",
    "spot-zero": "rejected",
    "spot-equals-on-demand": "rejected",
    "spot-above-on-demand": "rejected",
    "host-apart": "rejected",
    "shape-differs": "rejected",
    "listed-twice": "rejected",
    "does-not-add-up": "marked",
    "unknown-gpu": "marked",
    "undated": "marked",
    "not-on-demand": "noted",
    "slice": "noted",
    "memory-wrong": "noted",
    "memory-unstated": "noted",
    "alias": "noted",
    "everywhere": "noted",
    "repeated": "noted",
    "zones": "noted",
    "region-unknown": "noted",
    "shapes-missing": "noted",
    "unknown-provider": "noted",
    "old": "noted",
    "moved-far": "noted",
    "partial": "noted",
}


@dataclass(slots=True)
class Found:
    count: int = 0
    examples: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Report:
    """Filled while one source is read; ``checks`` holds what was found, by the names of ``EFFECTS``."""

    rows: int = 0
    kept: int = 0
    checks: dict[str, Found] = field(default_factory=dict)
    unknown: dict[str, int] = field(default_factory=dict)  # names of GPUs that we do not know

    def note(self, check: str, *words: object, count: int = 1) -> None:
        """Count rows under a check; the first different examples, ``words`` in a row, are kept."""
        found = self.checks.get(check)
        if found is None:
            assert check in EFFECTS, check
            found = self.checks[check] = Found()
        found.count += count
        if len(found.examples) < EXAMPLES:  # most rows need no example, and writing one takes time
            example = " ".join(map(str, words))
            if example not in found.examples:
                found.examples.append(example)

    def of(self, effect: str) -> Iterator[tuple[str, Found]]:
        """The checks with that effect that found something, in the order of ``EFFECTS``."""
        return ((name, self.checks[name]) for name, what in EFFECTS.items() if what == effect and name in self.checks)

    def count(self, check: str) -> int:
        return self.checks[check].count if check in self.checks else 0


@dataclass(frozen=True, slots=True)
class Reading:
    """What one source says at one time; ``seen`` None: nobody knows when, so it is kept and never ranked."""

    source: str
    seen: datetime | None
    observations: Sequence[Observation]
    report: Report
