"""Get a small text file that somebody put into Slack: with the bot's token, from Slack's own host, and nowhere else.

What a file is called and where it claims to lie is text of strangers. Only the path and the query of its address are
used, always on a host that the base address of the Web API names; no redirect is followed.
"""

from __future__ import annotations

import http.client
import logging
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlsplit

from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from bot.slack.posting import error_name

log = logging.getLogger(__name__)

MOST_BYTES = 1 << 20
SECONDS = 8.0  # for one answer of the host, and again for the whole file
_CHUNK = 1 << 16
_ENDINGS = (".jsonl", ".ndjson", ".json", ".txt", ".text", ".log", ".out")
_GONE = frozenset({"file_not_found", "file_deleted", "file_not_visible", "not_visible"})
_CLOSED = frozenset({"missing_scope", "no_permission", "not_allowed_token_type"})


class NoFileError(Exception):
    """Why a file is not read, as a key of ``words.SENTENCES`` and the values of its sentence."""

    def __init__(self, key: str, **slots: Any) -> None:
        super().__init__(key)
        self.key, self.slots = key, slots


def fetch(client: WebClient, id_: str, most: int = MOST_BYTES, seconds: float = SECONDS) -> bytes:
    """The UTF-8 text of a file, undecoded. Raises NoFileError where Slack does not give it or it is no such text."""
    file = _facts(client, id_)
    if file.get("mode") in ("tombstone", "hidden_by_limit"):
        raise NoFileError("file.gone")
    if not is_text(file):
        raise NoFileError("file.kind")
    size = file.get("size")
    if isinstance(size, int) and size > most:
        raise NoFileError("file.large", most=max(most >> 20, 1))
    address = address_at_slack(str(file.get("url_private") or ""), str(client.base_url))
    if file.get("is_external") or address is None:
        raise NoFileError("file.elsewhere")
    data = _download(address, str(client.token), most, seconds)
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        raise NoFileError("file.encoding") from None
    return data


def _facts(client: WebClient, id_: str) -> Mapping[str, Any]:
    """What Slack knows of a file; an event does not always tell it."""
    try:
        found = client.files_info(file=id_).get("file")
    except SlackApiError as error:
        name = error_name(error)
        log.info("Slack does not tell of a file: %s", name)
        key = "file.gone" if name in _GONE else "file.scope" if name in _CLOSED else "file.away"
        raise NoFileError(key) from None
    except (OSError, http.client.HTTPException) as error:
        log.info("Slack cannot be asked for a file: %s", error_name(error))
        raise NoFileError("file.away") from None
    return found if isinstance(found, Mapping) else {}


def is_text(file: Mapping[str, Any]) -> bool:
    """Whether Slack or the ending of its name calls a file a text. Only the ending is looked at, as a word."""
    kind = str(file.get("mimetype") or "")
    return kind.startswith("text/") or "json" in kind or str(file.get("name") or "").lower().endswith(_ENDINGS)


def address_at_slack(url: str, api: str) -> str | None:
    """The address of a file on the host of the Web API or on that host's ``files.``; None for one elsewhere.

    >>> address_at_slack("https://files.slack.com/files-pri/T1-F1/a.jsonl", "https://slack.com/api/")
    'https://files.slack.com/files-pri/T1-F1/a.jsonl'
    >>> address_at_slack("https://slack.com.example/files-pri/T1-F1/a.jsonl", "https://slack.com/api/") is None
    True
    """
    try:
        base, given = urlsplit(api), urlsplit(url)
        port, wanted = given.port, base.port
    except ValueError:
        return None
    host = (base.hostname or "").removeprefix("www.")
    trusted = {host: host, f"files.{host}": f"files.{host}"}.get(given.hostname or "")
    if not host or trusted is None or base.scheme not in ("http", "https"):
        return None
    if (given.scheme, port) != (base.scheme, wanted) or "@" in given.netloc or not given.path.startswith("/"):
        return None
    place = f"[{trusted}]" if ":" in trusted else trusted
    path = quote(given.path, safe="/%:@!$&'()*+,;=~")
    query = "?" + quote(given.query, safe="/%:@!$&'()*+,;=~?") if given.query else ""
    return f"{base.scheme}://{place}{'' if wanted is None else f':{wanted}'}{path}{query}"


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect is an error: whoever sends one must not get the token sent on."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def _download(address: str, token: str, most: int, seconds: float) -> bytes:
    request = urllib.request.Request(address, headers={"Authorization": f"Bearer {token}", "User-Agent": "gpu-bot"})  # noqa: S310  (http or https by address_at_slack)
    opener = urllib.request.build_opener(_NoRedirect)
    try:
        with opener.open(request, timeout=seconds) as response:
            if response.headers.get_content_type() == "text/html":  # its page for those who may not
                raise NoFileError("file.scope")
            return _read(response, most, time.monotonic() + seconds)
    except urllib.error.HTTPError as error:
        log.info("Slack does not give a file: status %d", error.code)
        error.close()
        raise NoFileError("file.scope" if error.code in (301, 302, 303, 307, 308, 401, 403) else "file.away") from None
    except (OSError, http.client.HTTPException) as error:
        log.info("a file could not be loaded: %s", error_name(error))
        raise NoFileError("file.away") from None


def _read(response: http.client.HTTPResponse, most: int, end: float) -> bytes:
    """All of an answer; it ends where it grows too large, takes too long or stops before its length."""
    parts: list[bytes] = []
    left = most
    while chunk := response.read1(_CHUNK):
        left -= len(chunk)
        if left < 0:
            raise NoFileError("file.large", most=max(most >> 20, 1))
        if time.monotonic() > end:
            raise TimeoutError
        parts.append(chunk)
    if response.length:
        raise http.client.IncompleteRead(b"", response.length)
    return b"".join(parts)
