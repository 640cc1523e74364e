"""The desk: takes items in, has them answered by a few threads, and takes over those of processes that died.

An item is written down before Slack is told that it arrived. Whatever happens to the process afterwards, some process
answers it: this one, or the next that looks after its owner has not been heard for ``LEASE``.
"""

from __future__ import annotations

import heapq
import logging
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeoutError
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from bot import metrics
from bot.store import Database, StoreAwayError, inbox
from bot.store.inbox import Item

log = logging.getLogger(__name__)

LEASE = timedelta(seconds=20)
TICK = 4.0  # seconds between two looks after lost items
ACK_WITHIN = 1.5  # how long an acknowledgement may wait for the database; Slack's limit is 3 s
MOST_TRIES = 4  # processes that began with an item and died
_WORKERS, _WRITERS = 8, 4


@dataclass(frozen=True, slots=True)
class Later:
    """Go on with an item after some seconds; until then it holds no thread."""

    seconds: float
    step: Step


Step = Callable[[], "Later | None"]
Answer = Callable[[Item], Later | None]
Fail = Callable[[Item, BaseException], "Later | None"]


@dataclass(frozen=True, slots=True)
class Receipt:
    """An item on its way into the database: ``kept`` gives whether it is new."""

    item: Item
    kept: Future[bool]


class Desk:
    """One for each process. ``answer`` does the work of an item; ``fail`` hears of an item that raised."""

    def __init__(self, database: Database, answer: Answer, fail: Fail) -> None:
        self.owner = uuid.uuid4().hex
        self._database = database
        self._answer = answer
        self._fail = fail
        self._writers = ThreadPoolExecutor(_WRITERS, "take-in")
        self._workers = ThreadPoolExecutor(_WORKERS, "answer")
        self._open: dict[tuple[str, str], Item] = {}
        self._changed = threading.Condition()
        self._later: list[tuple[float, int, Item, Step]] = []
        self._n = 0
        self._stopping = threading.Event()
        self._threads = [
            threading.Thread(target=self._clock, name="later", daemon=True),
            threading.Thread(target=self._keeper, name="keeper", daemon=True),
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self, grace: float) -> bool:
        """Take nothing more, finish what runs within ``grace`` seconds, leave the rest to others. True: all is done."""
        self._stopping.set()
        with self._changed:
            self._changed.notify_all()
            end = time.monotonic() + grace
            while self._open and (left := end - time.monotonic()) > 0:
                # what waits for its turn is left to the next process: its wait may be long
                if len(self._later) >= len(self._open):
                    break
                self._changed.wait(left)
            clean = not self._open
        self._writers.shutdown(wait=False, cancel_futures=True)
        self._workers.shutdown(wait=False, cancel_futures=True)
        try:
            inbox.give_up(self._database, self.owner, datetime.now(UTC))
        except StoreAwayError as error:
            log.warning("could not hand over: %s", error)
        return clean

    @property
    def open_items(self) -> int:
        return len(self._open)

    # ------------------------------------------------------------ taking in

    def take_in(self, item: Item, seen: Sequence[str]) -> Receipt:
        """Begin to write an item down; ``seen`` are the names under which its event may come again."""
        return Receipt(item, self._writers.submit(self._keep, item, list(seen)))

    def _keep(self, item: Item, seen: list[str]) -> bool:
        return inbox.take_in(self._database, item, seen, self.owner, datetime.now(UTC) + LEASE)

    def is_new(self, receipt: Receipt) -> bool | None:
        """Whether the item is new; None when the database takes longer than an acknowledgement may wait.

        Raises ``StoreAwayError`` when the database is away: then Slack shall deliver the event again.
        """
        try:
            return receipt.kept.result(ACK_WITHIN)
        except FutureTimeoutError:
            return None

    def begin(self, receipt: Receipt) -> None:
        """Answer an item as soon as it is written down, if it is new."""
        receipt.kept.add_done_callback(lambda kept: self._settled(receipt.item, kept))

    def _settled(self, item: Item, kept: Future[bool]) -> None:
        if kept.cancelled():
            return
        error = kept.exception()
        if error is not None:
            self._run(item, lambda: self._failed(item, error))
        elif kept.result():
            self._run(item, lambda: self._answer(item))
        else:
            metrics.repeats.inc()

    # ------------------------------------------------------------ answering

    def _run(self, item: Item, step: Step) -> None:
        with self._changed:
            self._open[item.team_id, item.key] = item
        try:
            self._workers.submit(self._step, item, step)
        except RuntimeError:  # stopping: the item stays written down
            self._close(item)

    def _step(self, item: Item, step: Step) -> None:
        try:
            later = step()
        except Exception as error:  # noqa: BLE001  (one item must not stop the desk; its asker hears of it)
            later = self._failed(item, error)
        if later is not None:
            with self._changed:
                self._n += 1
                heapq.heappush(self._later, (time.monotonic() + later.seconds, self._n, item, later.step))
                self._changed.notify_all()
            return
        try:
            inbox.done(self._database, item.team_id, item.key)
        except StoreAwayError as error:  # taken over later, and then found to be posted
            log.warning("an answered item could not be closed: %s", error)
        self._close(item)

    def _failed(self, item: Item, error: BaseException) -> Later | None:
        metrics.failures.inc()
        try:
            return self._fail(item, error)
        except Exception:
            log.exception("an item failed, and its asker could not be told")
            return None

    def _close(self, item: Item) -> None:
        with self._changed:
            self._open.pop((item.team_id, item.key), None)
            self._changed.notify_all()

    # ------------------------------------------------------------ the two threads

    def _clock(self) -> None:
        """Send items on whose wait is over."""
        while True:
            with self._changed:
                if self._stopping.is_set():
                    return
                now = time.monotonic()
                if not self._later or self._later[0][0] > now:
                    self._changed.wait(self._later[0][0] - now if self._later else None)
                    continue
                _, _, item, step = heapq.heappop(self._later)
            self._run(item, step)

    def _keeper(self) -> None:
        """Say that this process lives, and take over what dead ones left."""
        while not self._stopping.wait(TICK):
            try:
                self.look_after()
            except StoreAwayError as error:
                log.warning("the inbox cannot be reached: %s", error)
            except Exception:
                log.exception("looking after the inbox failed")

    def look_after(self) -> None:
        """One round of the keeper."""
        now = datetime.now(UTC)
        if self._open:
            inbox.still_mine(self._database, self.owner, now + LEASE)
        for item in inbox.take_over(self._database, self.owner, now, now + LEASE):
            metrics.taken_over.inc()
            log.info("taking over an item of a dead process", extra={"kind": item.kind, "tries": item.tries})
            if item.tries > MOST_TRIES:
                self._run(item, lambda item=item: self._given_up(item))  # type: ignore[misc]
            else:
                self._run(item, lambda item=item: self._answer(item))  # type: ignore[misc]
        metrics.waiting.set(inbox.waiting(self._database))

    def _given_up(self, item: Item) -> Later | None:
        return self._failed(item, RuntimeError(f"{item.tries} processes ended while they answered this"))
