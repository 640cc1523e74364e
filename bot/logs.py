"""Log lines as JSON on standard error, with every secret taken out."""

from __future__ import annotations

import json
import logging
import sys
import traceback
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

_USUAL = frozenset(logging.LogRecord("", 0, "", 0, "", None, None).__dict__) | {"message", "asctime", "taskName"}
_HIDDEN = "[hidden]"
# These libraries write whole payloads, and with them what people typed, at the level debug.
_TALKATIVE = ("urllib3", "dbos", "asyncio", "alembic", "uvicorn")
_SILENT = ("slack_sdk", "slack_bolt")  # what they would say is said, or handled, by the part that calls them


class Lines(logging.Formatter):
    """One JSON object a line: time, level, where, what, and what the caller added."""

    def __init__(self, secrets: Iterable[str]) -> None:
        super().__init__()
        self._secrets = sorted((one for one in secrets if one), key=len, reverse=True)

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "what": record.getMessage(),
        }
        line |= {name: value for name, value in record.__dict__.items() if name not in _USUAL}
        if record.exc_info and record.exc_info[1] is not None:
            line["error"] = "".join(traceback.format_exception(record.exc_info[1]))
        return self._clean(json.dumps(line, ensure_ascii=False, default=str))

    def _clean(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, _HIDDEN)
        return text


def to_stderr(level: str, secrets: Iterable[str]) -> None:
    """Send the program's log lines to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Lines(secrets))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for name in _TALKATIVE:
        logging.getLogger(name).setLevel(max(logging.WARNING, root.level))
    for name in _SILENT:
        logging.getLogger(name).setLevel(logging.CRITICAL)
