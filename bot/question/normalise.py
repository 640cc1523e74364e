"""Slack text to plain text."""

from __future__ import annotations

import re
import unicodedata
from html import unescape
from typing import NamedTuple

MAX_CHARACTERS = 10_000  # what is longer is cut: nobody asks a question that long

# Some emoji turn into Chinese characters or plain digits under NFKC, so they go first.
_EMOJI = re.compile(
    "[0-9#*]\ufe0f?\u20e3"
    "|[\u3297\u3299\U0001f000-\U0001faff\u2600-\u2712\u2717-\u27bf\u2b00-\u2bff\u200b-\u200f\u2060\ufe00-\ufe0f\ufeff]"
)
_SPECIAL = re.compile(r"<(?:@|#|!)[^>]*>")
_LABELLED = re.compile(r"<[a-z]+:[^|>]*\|([^>]*)>")
_LINK = re.compile(r"<[a-z]+:[^>]*>")
_STRUCK = re.compile(r"(?<!\w)~(?=\S)[^~]*[^~\s]~(?!\w)")
_EMOJI_CODE = re.compile(r":[a-z][a-z0-9_+-]*:")
_URL = re.compile(r"https?://[^\s一-鿿]+")
_BOLD = re.compile(r"(?<![\w*])\*(?=\S)([^*]*[^*\s])\*(?![\w*])")
_ITALIC = re.compile(r"(?<!\w)_(?=\S)([^_]*[^_\s])_(?!\w)")
_SLASH = re.compile(r"^\s*/([a-z][a-z0-9_-]*)(?=\s|$)\s*", re.IGNORECASE)
_HAN = re.compile(r"[㐀-䶿一-鿿]")
_TIMES = re.compile(r"[×✕✖]")
_QUOTES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "½": " 1/2", "–": "-", "—": "-", "−": "-"})


class Plain(NamedTuple):
    """One message without Slack's marks. ``command`` is the slash command it began with, if any."""

    text: str
    lang: str
    command: str


def normalise(text: str) -> Plain:
    """The plain text of a Slack message, its language and its slash command."""
    text = _EMOJI.sub(" ", text[:MAX_CHARACTERS].translate(_QUOTES))
    text = unicodedata.normalize("NFKC", text)
    text = _SPECIAL.sub(" ", text)
    text = _LABELLED.sub(r" \1 ", text)
    text = _LINK.sub(" ", text)
    text = unescape(text)
    text = _STRUCK.sub(" ", text)
    text = _EMOJI_CODE.sub(" ", text)
    text = _URL.sub(" ", text)
    text = _TIMES.sub(" x ", text)
    text = _BOLD.sub(r"\1", text.replace("```", " ").replace("`", ""))
    text = _ITALIC.sub(r"\1", text)
    command = _SLASH.match(text)
    if command:
        text = text[command.end() :]
    lang = "zh" if _HAN.search(text) else "en"
    return Plain(" ".join(text.split()), lang, command.group(1).lower() if command else "")
