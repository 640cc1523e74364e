"""What was not used: every content word, number or unit that no recogniser took."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

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
_BEHIND = frozenset(("only", "required", "mandatory"))  # these may follow what they are said of
_HOST = frozenset(("ram", "vcpu"))
_GENERAL = ("compliance", "interconnect")  # read where a need of that kind is named
_END = re.compile(r"[,.;:!?。，；：！？()]")
_WORD = re.compile(r"[^\W_]")


def leftovers(pieces: Sequence[Piece], vocabulary: Vocabulary, host_asked: bool = True) -> tuple[Leftover, ...]:
    """The unread pieces, neighbours joined; strong where a must, only or not stands in the clause.

    ``host_asked``: memory and cores are those of the host, which no slot holds (else they are the card's).
    """
    out: list[Leftover] = []
    run = _Run()
    read = _reader(pieces, vocabulary, host_asked)
    strong = after_place = False
    clause = 0  # where in ``out`` the clause begins
    for n, piece in enumerate(pieces):
        if _END.fullmatch(piece.mark):
            run.close(out)
            strong, clause = False, len(out)
        elif piece.mark in _STRONG:
            run.close(out)
            if piece.raw.lower() in _BEHIND and len(out) > clause:
                out[-1] = replace(out[-1], strong=True)
            strong = True
        elif read(piece) and not (run.words and _ties(pieces, n)):
            run.close(out)
            after_place = piece.mark in ("in", "near", "在", "from")
        else:
            named = piece.mark in ("strongword", "compliance", "toolarge")
            place = after_place and piece.raw[:1].isupper() and piece.mark.isalpha()
            run.add(piece, strong or named or place)
            after_place = False
    run.close(out)
    return tuple(item for item in out if _WORD.search(item.text))


class _Run:
    """Unread pieces side by side."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.strong = False

    def add(self, piece: Piece, strong: bool) -> None:
        self.words.append(piece.raw)
        self.strong = self.strong or strong

    def close(self, out: list[Leftover]) -> None:
        """Put the run among the leftovers and begin a new one."""
        if self.words:
            plain = all(word.isascii() for word in self.words)
            text = " ".join(self.words) if plain else "".join(w if not w.isascii() else f" {w} " for w in self.words)
            out.append(Leftover(" ".join(text.split()).replace(" - ", "-"), self.strong))
        self.words, self.strong = [], False


def _ties(pieces: Sequence[Piece], n: int) -> bool:
    """Whether a small word ties an unread amount to the host: 2TB of RAM, 512G 的内存, 16-core."""
    return pieces[n].mark in ("of", "的", "-") and n + 1 < len(pieces) and pieces[n + 1].mark in _HOST


def _reader(pieces: Sequence[Piece], vocabulary: Vocabulary, host_asked: bool) -> Callable[[Piece], bool]:
    """What tells for each piece of this message whether it was read."""
    needs = [str(piece.value) for piece in pieces if piece.mark == "E"]
    unread = {word for word in _GENERAL if not any(need.startswith(word) for need in needs)}
    if host_asked:
        unread |= _HOST
    return lambda piece: piece.mark not in unread and _read(piece, vocabulary)


def _read(piece: Piece, vocabulary: Vocabulary) -> bool:
    mark = piece.mark
    if mark in _ASIDE or piece.used or piece.excluded:
        return True
    if len(mark) == 1 and mark in _UNDERSTOOD:
        return mark not in "TMB" or piece.used
    if mark == "N":
        one = isinstance(piece.value, Number) and piece.value.word and piece.value.value == 1  # "which one"
        return one or not piece.raw
    if mark in ("offtopic", "office", "gaming", "trouble", "mishap", "strongword"):
        return False
    if not _WORD.search(mark):
        return True
    return (
        mark in vocabulary.filler
        or mark.replace("_", " ") in vocabulary.filler
        or (len(mark) == 1 and mark.isascii() and mark.isalpha() and mark != "v")
    )
