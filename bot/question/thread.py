"""Threads (section 8): a state changed by each message."""

from __future__ import annotations

from collections.abc import Sequence

from bot.question.parse import parse
from bot.question.vocabulary import Vocabulary
from rules.model import Parsed


def parse_thread(texts: Sequence[str], vocabulary: Vocabulary) -> Parsed:
    """The merged question after the last message."""
    return parse(texts[-1] if texts else "", vocabulary)
