"""Posting once: paced for each channel, plainer when Slack does not take the blocks, and never a second time.

A post is written down before it is sent. When the process dies in between, the next one looks in the thread for the
mark that the message carries before it sends anything.
"""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar
from urllib.error import URLError

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError
from slack_sdk.webhook import WebhookClient

from bot import metrics
from bot.slack import pictures
from bot.slack.desk import Later
from bot.slack.text import tell
from bot.slack.views.kit import Json, Message
from bot.store import Database
from bot.store.conversations import FirstPost, intend_post, posted, reserve

log = logging.getLogger(__name__)
T = TypeVar("T")

EVERY = timedelta(seconds=1)  # Slack takes about one message a second in a channel,
BURST = 3  # and some at once after a rest
PLAINER = frozenset(
    {"invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long", "only_one_table_allowed", "invalid_arguments"}
)
CLOSED = frozenset({"not_in_channel", "channel_not_found", "is_archived", "restricted_action", "no_permission"})
_AWAY = frozenset({"user_not_in_channel"})
_SPENT = "response_url_4"  # used up, or older than half an hour
_TROUBLE = frozenset({"internal_error", "fatal_error", "service_unavailable", "request_timeout"})
_UNREACHED = (ConnectionRefusedError, ConnectionResetError, TimeoutError, URLError)
_WAITS = (1.0, 2.0, 4.0, 8.0, 15.0)  # seconds between tries while Slack cannot be reached
_MOST_TRIES = 45  # about ten minutes of them
_LOOK_BACK = 100  # messages of a thread among which the mark is searched
EVENT_TYPE = "gpu_bot_post"


@dataclass(frozen=True, slots=True)
class Place:
    """Where something was said and where an answer belongs.

    ``message_ts`` is the message to edit; ``response_url`` stands for messages that only one person sees.
    """

    team: str
    channel: str
    user: str
    thread_ts: str | None = None
    message_ts: str | None = None
    response_url: str | None = None
    ephemeral: bool = False

    @property
    def is_direct(self) -> bool:
        return self.channel.startswith("D")

    def to_json(self) -> dict[str, Any]:
        found = {name: getattr(self, name) for name in self.__slots__}
        return {name: value for name, value in found.items() if value not in (None, False)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Place:
        return cls(**{name: data[name] for name in cls.__slots__ if name in data})


class CannotPostError(Exception):
    """Slack does not let the bot write there: it was not invited, or the channel is closed."""


def mark_of(key: str) -> str:
    """The mark that a post carries: in its metadata, and as the id of its first block."""
    return f"gpu-bot-{hashlib.sha256(key.encode()).hexdigest()[:16]}"


class Poster:
    """Sends messages of one workspace's bot."""

    def __init__(self, database: Database, client: WebClient, now: Callable[[], datetime]) -> None:
        self.database = database
        self.client = client
        self._now = now

    # ------------------------------------------------------------ a new message

    def first(self, key: str, place: Place, message: Message, then: Callable[[str], None], lang: str) -> Later | None:
        """Post a message for ``key`` once, then call ``then`` with its timestamp."""
        post = _Post(self, key, place, message, then, lang)
        intent, new = intend_post(self.database, place.team, key, place.channel, self._now(), place.thread_ts)
        return post.begin(intent, new)

    def look_for(self, place: Place, mark: str) -> str | None:
        """The timestamp of the message with that mark in the place. Raises ``SlackApiError`` when it may not look."""
        if place.thread_ts is not None:
            found = self.client.conversations_replies(
                channel=place.channel, ts=place.thread_ts, limit=_LOOK_BACK, include_all_metadata=True
            )
        else:
            found = self.client.conversations_history(
                channel=place.channel, limit=_LOOK_BACK, include_all_metadata=True
            )  # fmt: skip
        for message in found.get("messages") or []:
            payload = (message.get("metadata") or {}).get("event_payload") or {}
            blocks = message.get("blocks") or [{}]
            if payload.get("mark") == mark or blocks[0].get("block_id") == mark:
                return str(message["ts"])
        return None

    def pause(self, place: Place) -> float:
        """Take the channel's next turn; gives the seconds until it."""
        turn = reserve(self.database, place.team, f"post:{place.channel}", self._now(), every=EVERY, burst=BURST)
        return turn.total_seconds()

    # ------------------------------------------------------------ edits and replies to one person

    def update(self, place: Place, message: Message) -> Later | None:
        """Edit the message of a place; repeating it is harmless."""
        if place.ephemeral or place.message_ts is None:
            return self.respond(place, message, replace=True)

        def send(blocks: tuple[Json, ...]) -> None:
            self.client.chat_update(
                channel=place.channel, ts=str(place.message_ts), text=message.text, blocks=list(blocks)
            )  # fmt: skip

        return self.repeatable(lambda: self.richest_first(send, message))

    def respond(self, place: Place, message: Message, *, replace: bool = False) -> Later | None:
        """Say something that only the person sees, where they pressed or typed."""
        if place.response_url is None:
            return self.whisper(place, message)

        def send(blocks: tuple[Json, ...]) -> None:
            answer = WebhookClient(str(place.response_url), timeout=10, retry_handlers=[]).send(
                text=message.text, blocks=list(blocks), response_type="ephemeral", replace_original=replace
            )
            if answer.status_code != 200:
                error = "invalid_blocks" if "invalid_blocks" in answer.body else f"response_url_{answer.status_code}"
                raise SlackApiError("the response url refused", {"ok": False, "error": error})  # type: ignore[no-untyped-call]

        try:
            return self.repeatable(lambda: self.richest_first(send, message))
        except SlackApiError as error:
            if not error_name(error).startswith(_SPENT):
                raise
            log.info("a response url is spent (%s); telling its user another way", error_name(error))
            return self._privately(place, message)

    def _privately(self, place: Place, message: Message) -> Later | None:
        """Tell one person where they are, or in a direct message where the bot may not write."""
        try:
            return self.whisper(place, message)
        except SlackApiError as error:
            if error_name(error) not in CLOSED | _AWAY:
                raise
        opened = self.client.conversations_open(users=place.user)
        direct = str((opened.get("channel") or {})["id"])
        return self.whisper(Place(place.team, direct, place.user), message)

    def whisper(self, place: Place, message: Message) -> Later | None:
        """Say something to one person: unseen by others in a channel, as a message where they are alone."""
        if place.is_direct:
            return self.repeatable(
                lambda: self.client.chat_postMessage(
                    channel=place.channel,
                    thread_ts=place.thread_ts,
                    text=message.text,
                    blocks=list(message.blocks),
                    unfurl_links=False,
                    unfurl_media=False,
                )
            )
        return self.repeatable(
            lambda: self.client.chat_postEphemeral(
                channel=place.channel, user=place.user, text=message.text, blocks=list(message.blocks)
            )
        )

    def richest_first(self, send: Callable[[tuple[Json, ...]], T], message: Message) -> T:
        """Send the blocks, and once more plainer ones when Slack does not take them: a refused message was not posted.

        A picture goes with the plainer ones where there is one and Slack takes it.
        """
        try:
            return send(message.blocks)
        except SlackApiError as error:
            if error_name(error) not in PLAINER or not message.plainer:
                raise
            metrics.refusals.labels(error_name(error)).inc()
            log.warning("Slack refused the blocks (%s); sending plainer ones", error_name(error))
        pictured = pictures.with_picture(self.client, message)
        for wait in pictures.WAITS if pictured else ():
            time.sleep(wait)
            try:
                return send(pictured)
            except SlackApiError as error:
                if error_name(error) not in PLAINER:
                    raise
                log.info("Slack did not take the picture (%s)", error_name(error))
        return send(message.plainer)

    def repeatable(self, send: Callable[[], Any], tries: int = 0) -> Later | None:
        """Send what may be sent twice; waits and tries again while Slack says so or cannot be reached."""
        try:
            send()
        except (SlackApiError, *_UNREACHED) as error:
            wait = retry_after(error)
            if wait is not None:
                return Later(wait, lambda: self.repeatable(send, tries + 1))
            if not is_trouble(error) or tries >= _MOST_TRIES:
                metrics.refusals.labels(error_name(error)).inc()
                raise
            return Later(_WAITS[min(tries, len(_WAITS) - 1)], lambda: self.repeatable(send, tries + 1))
        metrics.posts.labels("edit").inc()
        return None


class _Post:
    """One new message on its way."""

    def __init__(
        self, poster: Poster, key: str, place: Place, message: Message, then: Callable[[str], None], lang: str
    ) -> None:
        self._poster, self._key, self._place, self._then, self._lang = poster, key, place, then, lang
        self._message = message
        self._mark = mark_of(key)
        self._tries = 0

    def begin(self, intent: FirstPost, new: bool) -> Later | None:
        if intent.ts is not None:
            self._then(intent.ts)
            return None
        if not new:
            return self._look_first()
        return self._take_turn()

    def _take_turn(self) -> Later | None:
        wait = self._poster.pause(self._place)
        return Later(wait, self._send) if wait > 0 else self._send()

    def _look_first(self) -> Later | None:
        """Somebody may have sent it and died: look before sending."""
        try:
            found = self._poster.look_for(self._place, self._mark)
        except (SlackApiError, *_UNREACHED) as error:
            wait = retry_after(error)
            if wait is not None:
                return Later(wait, self._look_first)
            if is_trouble(error):
                return self._try_again(error, self._look_first)
            return self._cannot_tell(error)
        if found is not None:
            return self._arrived(found)
        return self._take_turn()

    def _cannot_tell(self, error: Exception) -> Later | None:
        """It may not look, so it cannot know: rather a word to the asker than the same answer twice."""
        log.warning("cannot look whether an answer arrived: %s", error_name(error))
        return self._poster.whisper(self._place, Message(tell("error.maybe", self._lang)))

    def _send(self) -> Later | None:
        try:
            return self._arrived(self._poster.richest_first(self._post, self._message))
        except (SlackApiError, *_UNREACHED) as error:
            metrics.refusals.labels(error_name(error)).inc()
            wait = retry_after(error)
            if wait is not None:
                return Later(wait, self._send)
            if is_trouble(error):
                # Refused at the door: it was not sent. Anything else may have arrived, so look first.
                refused = isinstance(_root(error), ConnectionRefusedError)
                return self._try_again(error, self._send if refused else self._look_first)
            if error_name(error) in CLOSED:
                raise CannotPostError(error_name(error)) from error
            raise

    def _post(self, blocks: tuple[Json, ...]) -> str:
        marked = [dict(block) for block in blocks]
        if marked:
            marked[0]["block_id"] = self._mark
        answer = self._poster.client.chat_postMessage(
            channel=self._place.channel, thread_ts=self._place.thread_ts, text=self._message.text, blocks=marked,
            metadata={"event_type": EVENT_TYPE, "event_payload": {"mark": self._mark}},
            unfurl_links=False, unfurl_media=False,
        )  # fmt: skip
        return str(answer["ts"])

    def _arrived(self, ts: str) -> Later | None:
        posted(self._poster.database, self._place.team, self._key, ts, datetime.now(UTC))
        metrics.posts.labels("new").inc()
        self._then(ts)
        return None

    def _try_again(self, error: Exception, step: Callable[[], Later | None]) -> Later:
        self._tries += 1
        if self._tries > _MOST_TRIES:
            raise error
        log.warning("Slack cannot be reached: %s", type(_root(error)).__name__)
        return Later(_WAITS[min(self._tries - 1, len(_WAITS) - 1)], step)


def error_name(error: BaseException) -> str:
    """Slack's word for what was wrong; the kind of error where Slack said nothing."""
    if not isinstance(error, SlackApiError):
        return type(_root(error)).__name__
    response = error.response
    named = response.get("error") if hasattr(response, "get") else None
    return str(named or "unknown")


def is_trouble(error: BaseException) -> bool:
    """Whether Slack could not be reached or was not itself, so that trying later may help."""
    if not isinstance(error, SlackApiError):
        return isinstance(error, _UNREACHED)
    return int(getattr(error.response, "status_code", 200)) >= 500 or error_name(error) in _TROUBLE


def retry_after(error: BaseException) -> float | None:
    """The seconds that Slack asks to wait, None when it does not."""
    if not isinstance(error, SlackApiError):
        return None
    status = getattr(error.response, "status_code", 200)
    if error_name(error) not in ("ratelimited", "rate_limited") and status != 429:
        return None
    headers = getattr(error.response, "headers", {}) or {}
    given = next((value for name, value in headers.items() if name.lower() == "retry-after"), "1")
    given = given[0] if isinstance(given, (list, tuple)) else given
    try:
        return max(float(given), 0.1)
    except ValueError:
        return 1.0


def _root(error: BaseException) -> BaseException:
    """What a wrapped network error is about."""
    reason = getattr(error, "reason", None)
    return reason if isinstance(reason, BaseException) else error
