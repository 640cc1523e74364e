"""The language of a person, asked of Slack once an hour at most."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from urllib.error import URLError

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

_KEEP_SECONDS = 3600.0
_MOST = 2_000  # people remembered


class People:
    """Locales by user; a person whose locale cannot be known reads English."""

    def __init__(self, client: WebClient) -> None:
        self._client = client
        self._known: OrderedDict[str, tuple[float, str]] = OrderedDict()
        self._lock = threading.Lock()

    def lang(self, user: str) -> str:
        """ "zh" for a Chinese locale, otherwise "en"."""
        now = time.monotonic()
        with self._lock:
            found = self._known.get(user)
        if found is not None and now - found[0] < _KEEP_SECONDS:
            return found[1]
        lang = self._ask(user)
        with self._lock:
            self._known[user] = (now, lang)
            self._known.move_to_end(user)
            while len(self._known) > _MOST:
                self._known.popitem(last=False)
        return lang

    def _ask(self, user: str) -> str:
        try:
            answer = self._client.users_info(user=user, include_locale=True)
        except (SlackApiError, URLError, TimeoutError, OSError):
            return "en"
        locale = str((answer.get("user") or {}).get("locale") or "")
        return "zh" if locale.lower().startswith("zh") else "en"
