"""What was not used: every content word, number or unit that no recogniser took."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.question.sketch import Piece
from bot.question.values import Number
from bot.question.vocabulary import Vocabulary
from rules.model import Leftover

_ASIDE = frozenset(
    (
        "hostname",
        "machines",
        "machine",
        "counted",
        "gpuhours",
        "daily",
        "daysaweek",
        "rated",
        "date",
        "sometime",
        "used",
        "often",
        "name",
        "region_stays",
        "howlong",
        "term",
    )
)
_UNDERSTOOD = frozenset("GPLRWEIQSCFUTMBZ")
_STRONG = frozenset(("must", "only", "not", "without"))
_END = re.compile(r"[,.;:!?。，；：！？()]")
_WORD = re.compile(r"[^\W_]")


def leftovers(pieces: Sequence[Piece], vocabulary: Vocabulary) -> tuple[Leftover, ...]:
    """The unread pieces, neighbours joined; strong where a must, only or not stands before in the clause."""
    out: list[Leftover] = []
    strong = False
    run: list[str] = []
    run_strong = False

    def close() -> None:
        nonlocal run, run_strong
        if run:
            text = (
                " ".join(run)
                if all(r.isascii() for r in run)
                else "".join(r if not r.isascii() else f" {r} " for r in run)
            )
            out.append(Leftover(" ".join(text.split()), run_strong))
        run, run_strong = [], False

    after_place = False
    for piece in pieces:
        if _END.fullmatch(piece.mark):
            close()
            strong = False
            continue
        if piece.mark in _STRONG:
            close()
            strong = True
            continue
        if _read(piece, vocabulary):
            close()
            after_place = piece.mark in ("in", "near", "在", "from")
            continue
        run.append(piece.raw)
        if (
            strong
            or piece.mark in ("strongword", "toolarge")
            or (after_place and piece.raw[:1].isupper() and piece.mark.isalpha())
        ):
            run_strong = True
        after_place = False
    close()
    return tuple(item for item in out if _WORD.search(item.text))


def _read(piece: Piece, vocabulary: Vocabulary) -> bool:
    mark = piece.mark
    if mark in _ASIDE or piece.used or piece.excluded:
        return True
    if len(mark) == 1 and mark in _UNDERSTOOD:
        return mark not in "TMB" or piece.used
    if mark == "N":
        one = isinstance(piece.value, Number) and piece.value.word and piece.value.value == 1  # "which one"
        return one or not piece.raw
    if mark in ("offtopic", "trouble", "mishap", "strongword"):
        return False
    if not _WORD.search(mark):
        return True
    return (
        mark in vocabulary.filler
        or mark.replace("_", " ") in vocabulary.filler
        or (len(mark) == 1 and mark.isascii() and mark.isalpha() and mark != "v")
    )
