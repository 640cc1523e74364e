"""A job as the function that runs it sees it."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from dbos import DBOS, StepOptions

from bot.jobs.state import Cancelled, LetGo, plain
from bot.store import Database, StoreAwayError, jobrows

log = logging.getLogger(__name__)

CANCELLED, LEAVING, TAKEN_OVER = "cancelled", "leaving", "taken over"


class Job:
    """A running job.

    Its function is run again from the top after a crash, so everything it does to the world stands in a ``step``:
    finished steps are not run again, their results are given back. Between steps it only decides, from ``args`` and
    results. A step that was under way is run again: let it bear that.
    """

    def __init__(
        self, database: Database, row: jobrows.JobRow, runner: str, leaving: threading.Event, poll: float
    ) -> None:
        self.id = row.id
        self.kind = row.kind
        self.team_id = row.team_id
        self.lane = row.lane
        self.asked_by = row.asked_by
        self.args: Mapping[str, Any] = row.args
        self._database = database
        self._runner = runner
        self._leaving = leaving
        self._poll = poll
        self._finishing = False  # in a step that a wish to cancel does not stop
        self._looked = float("-inf")
        self._found: str | None = None

    def step(self, name: str, run: Callable[..., Any], *args: Any, always: bool = False, attempts: int = 1) -> Any:
        """The result of ``run(*args)``, which must be JSON, kept so that it happens once.

        Raises ``Cancelled`` before or in it when someone wants the job to end, unless ``always``. What ``run`` raises
        fails the job, after so many ``attempts``; a failure that is to be expected is better a result.
        """

        def body() -> dict[str, Any]:
            self._finishing = always
            try:
                self._sign_of_life()
                self.check()
                return {"value": plain(run(*args), f"the result of step {name}")}
            except Cancelled:
                return {"cancelled": True}  # a result too, so that a resumed job comes the same way
            finally:
                self._finishing = False

        options = StepOptions(name=name, retries_allowed=attempts > 1, max_attempts=max(attempts, 2))
        kept = DBOS.run_step(options, body)
        if "cancelled" in kept:
            raise Cancelled(self.id)
        return kept["value"]

    def report(self, **note: Any) -> None:
        """Tell progress to whoever asks for the job's state; it counts as a sign of life. Inside or between steps."""
        self._sign_of_life(plain(note, "progress"))

    def interrupted(self) -> str | None:
        """Why this job should stop now: "cancelled", "leaving", "taken over" or None. Long parts ask each second.

        After "cancelled" call ``check``. After the others end the work at hand; the job goes on in another process.
        """
        if self._leaving.is_set():
            return LEAVING
        now = time.monotonic()
        if now - self._looked >= self._poll:
            self._looked = now
            try:
                row = jobrows.job_row(self._database, self.id)
            except StoreAwayError:
                return self._visible(self._found)  # nobody knows better at the moment
            if row is None or row.runner != self._runner:
                self._found = TAKEN_OVER
            else:
                self._found = CANCELLED if row.cancel_asked else None
        return self._visible(self._found)

    def check(self) -> None:
        """Raise ``Cancelled`` or ``LetGo`` when the job should stop now."""
        reason = self.interrupted()
        if reason == CANCELLED:
            raise Cancelled(self.id)
        if reason is not None:
            raise LetGo(f"{self.id}: {reason}")

    def pause(self, seconds: float) -> None:
        """Wait inside a step, and stop waiting when the job should stop."""
        until = time.monotonic() + seconds
        self.check()
        while (left := until - time.monotonic()) > 0:
            self._leaving.wait(min(left, self._poll))
            self.check()

    def _visible(self, reason: str | None) -> str | None:
        return None if self._finishing and reason == CANCELLED else reason

    def _sign_of_life(self, note: Mapping[str, Any] | None = None) -> None:
        try:
            ours = jobrows.job_alive(self._database, self.id, self._runner, datetime.now(UTC), note)
        except StoreAwayError as error:
            log.warning("job %s could not tell its progress: %s", self.id, error)
            return
        if not ours:
            raise LetGo(f"{self.id}: {TAKEN_OVER}")
