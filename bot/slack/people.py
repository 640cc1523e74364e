"""The language, time zone and name of a person, asked of Slack once an hour at most."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from dataclasses import dataclass
from urllib.error import URLError

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

_KEEP_SECONDS = 3600.0
_MOST = 2_000  # people remembered
_NO_MEMBER = ("is_restricted", "is_ultra_restricted", "is_stranger", "is_bot", "deleted")


@dataclass(frozen=True, slots=True)
class Person:
    lang: str = "en"
    zone: str = "UTC"
    name: str | None = None
    member: bool | None = None  # no guest, no bot, of this workspace; None: Slack could not be asked


class People:
    """What Slack tells of a user; of one who cannot be known: English, UTC and no name."""

    def __init__(self, client: WebClient) -> None:
        self._client = client
        self._known: OrderedDict[str, tuple[float, Person]] = OrderedDict()
        self._lock = threading.Lock()

    def lang(self, user: str) -> str:
        """ "zh" for a Chinese locale, otherwise "en"."""
        return self.person(user).lang

    def is_member(self, user: str) -> bool:
        """Whether a person is a full member; one of whom Slack cannot be asked is not taken for one."""
        found = self.person(user)
        if found.member is None:
            found = self._ask(user)
        return found.member is True

    def person(self, user: str) -> Person:
        now = time.monotonic()
        with self._lock:
            found = self._known.get(user)
        if found is not None and now - found[0] < _KEEP_SECONDS:
            return found[1]
        person = self._ask(user)
        with self._lock:
            self._known[user] = (now, person)
            self._known.move_to_end(user)
            while len(self._known) > _MOST:
                self._known.popitem(last=False)
        return person

    def _ask(self, user: str) -> Person:
        try:
            answer = self._client.users_info(user=user, include_locale=True)
        except (SlackApiError, URLError, TimeoutError, OSError):
            return Person()
        found = answer.get("user") or {}
        locale = str(found.get("locale") or "")
        return Person(
            "zh" if locale.lower().startswith("zh") else "en",
            str(found.get("tz") or "UTC"),
            str(found.get("real_name") or found.get("name") or "") or None,
            bool(found) and not any(found.get(name) for name in _NO_MEMBER),
        )
