"""Holds one of the bot's calls to Slack, so that a test can end the bot in the middle of it."""

from __future__ import annotations

import threading
from collections.abc import Mapping

from slack.strict_proxy import StrictProxy, arguments_of


class Gate:
    """Holds the calls of a method whose text has these words: before Slack gets them, which it then never does, or,
    when they ``arrive``, before the bot hears that it did. ``reached`` is set once one is held."""

    def __init__(self, proxy: StrictProxy, method: str, words: str, *, arrives: bool) -> None:
        self.reached = threading.Event()
        self._opened = threading.Event()
        self._method, self._words, self._arrives = method, words, arrives
        self._answer = proxy.answer
        proxy.answer = self._held  # type: ignore[method-assign]

    def open(self) -> None:
        """Let pass what comes from now on."""
        self._opened.set()

    def _held(self, path: str, raw: bytes, headers: Mapping[str, str]) -> tuple[int, bytes, dict[str, str]]:
        said = str(arguments_of(raw, headers.get("content-type", "")).get("text"))
        if self._opened.is_set() or not path.endswith(self._method) or self._words not in said:
            return self._answer(path, raw, headers)
        found = self._answer(path, raw, headers) if self._arrives else (503, b"", {})
        self.reached.set()
        self._opened.wait(120)
        return found
