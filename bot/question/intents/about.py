"""Whether a message is about renting accelerators at all."""

from __future__ import annotations

from bot.question.sketch import Piece, Sketch
from bot.question.vocabulary import Vocabulary

_HARDWARE = frozenset(("G", "gpu", "vram", "gpuhour", "pergpuhour", "gpuhours"))
_OFF = {"offtopic": 4.0, "gaming": 4.0, "cpumachine": 4.0, "trouble": 8.0, "mishap": 2.0}
_RENTS = frozenset(  # beside them a game is what a rented card is for
    ("rentverb", "howmuch", "price", "cheapest", "cheap", "cheaper", "gpuhour", "P", "M", "L", "W", "C", "E")
)
_PLAYS = 4.0  # more, where nothing of renting is said: which card for a game, how many frames
_LEAST = 0.9  # a message with less than this says nothing of the trade
_MOST_UNKNOWN = 3.0  # words nobody knows count no more than this beside hardware


def is_about(sketch: Sketch, vocabulary: Vocabulary) -> bool:
    """Weighs words of the trade against words of other subjects and words nobody knows."""
    seen: dict[tuple[str, str], float] = {}
    off = unknown = 0.0
    hardware = False
    for piece in sketch.pieces:
        weight = vocabulary.weights.get(piece.mark)
        if weight is not None:
            seen[piece.mark, piece.raw.lower()] = weight
            hardware = hardware or piece.mark in _HARDWARE
        else:
            off += _OFF.get(piece.mark, 0.0)
            unknown += _unknown(piece, vocabulary)
    trade = sum(seen.values())
    if not _RENTS.intersection(mark for mark, _ in seen):
        off += _PLAYS * any(piece.mark == "gaming" for piece in sketch.pieces)
    if trade < _LEAST:
        return False
    if hardware:
        return trade > off + min(unknown, _MOST_UNKNOWN) * (1.0 if off else 0.5)
    return trade > off + unknown


def _unknown(piece: Piece, vocabulary: Vocabulary) -> float:
    """1 for a word that nobody knows, a quarter for a Chinese character."""
    mark = piece.mark
    if mark in _OFF or mark in vocabulary.filler or mark.replace("_", " ") in vocabulary.filler:
        return 0.0
    if len(mark) == 1:
        return 0.25 if "\u3400" <= mark <= "\u9fff" else 0.0
    return 1.0 if mark.isalpha() else 0.0
