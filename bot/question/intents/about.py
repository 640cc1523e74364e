"""Whether a message is about renting accelerators at all."""

from __future__ import annotations

from itertools import pairwise

from bot.question.sketch import Piece, Sketch
from bot.question.vocabulary import Vocabulary

_HARDWARE = frozenset(("G", "gpu", "vram", "gpuhour", "pergpuhour", "gpuhours"))
_OFF = {"offtopic": 4.0, "office": 4.0, "gaming": 4.0, "cpumachine": 4.0, "trouble": 8.0, "mishap": 2.0}
_RENTS = frozenset(  # beside them a game is what a rented card is for
    ("rentverb", "howmuch", "price", "cheapest", "cheap", "cheaper", "gpuhour", "P", "M", "L", "W", "C", "E")
)
_ASKS = frozenset(("howmuch", "cheapest", "cheap", "cheaper", "howmany", "howlong", "recommend", "breakeven"))
_PUT_TO = 1.0  # less, of a subject that a model is for: a card to train one that knows badminton
_OF_OTHERS = frozenset(("offtopic", "gaming"))
_SETTING = 2.0  # at most, of slides and meetings, where a card is named and something of the trade asked
_OF_ANYTHING = frozenset(  # say what is asked, of whatever it may be: cheap haircuts, the price of eggs
    ("howmuch", "price", "cheapest", "cheap", "cheaper", "recommend", "which", "bestof", "better", "moved", "total",
     "T", "M", "R", "compare", "difference", "enough", "daily", "buy", "betterdeal")
)  # fmt: skip
_BEFORE_NOUN = frozenset(("a", "an", "the", "of", "for", "my", "our", "some", "price"))
_PLAYS = 4.0  # more, where nothing of renting is said: which card for a game, how many frames
_LEAST = 0.9  # a message with less than this says nothing of the trade
_STRANGE = 0.5  # two characters or a word that nobody knows are the subject of what they stand beside
_MOST_UNKNOWN = 3.0  # words nobody knows count no more than this beside hardware


def is_about(sketch: Sketch, vocabulary: Vocabulary) -> bool:
    """Weighs words of the trade against words of other subjects and words nobody knows."""
    seen: dict[tuple[str, str], float] = {}
    off = unknown = office = 0.0
    hardware = False
    for piece in sketch.pieces:
        weight = vocabulary.weights.get(piece.mark)
        if weight is not None:
            seen[piece.mark, piece.raw.lower()] = weight
            hardware = hardware or piece.mark in _HARDWARE
        else:
            off += _OFF.get(piece.mark, 0.0)
            office += piece.mark == "office"
            unknown += _unknown(piece, vocabulary)
    trade = sum(seen.values())
    marks = {mark for mark, _ in seen}
    if office and "G" in marks and marks & _ASKS:
        off -= _OFF["office"] * office
        trade -= min(office, _SETTING)
    if off and marks & {"W", "C"} and (hardware or "card" in marks):
        off -= _PUT_TO
    if not _RENTS & marks:
        off += _PLAYS * any(piece.mark == "gaming" for piece in sketch.pieces)
    if trade < _LEAST:
        return False
    if hardware:
        return trade > off + min(unknown, _MOST_UNKNOWN) * (1.0 if off else 0.5)
    return trade > off + unknown + (0.0 if marks - _OF_ANYTHING else _subject(sketch, vocabulary))


def _subject(sketch: Sketch, vocabulary: Vocabulary) -> float:
    """Words nobody knows that stand as a noun: a manicure, 驾照."""
    found, before = 0.0, ""
    for piece in sketch.pieces:
        if before in _BEFORE_NOUN or len(piece.mark) == 1:
            found += _unknown(piece, vocabulary)
        before = piece.mark
    return found


def moves_of_others(sketch: Sketch, vocabulary: Vocabulary) -> bool:
    """Whether prices of something else went up: eggs, the canteen."""
    marks = {piece.mark for piece in sketch.pieces}
    if marks & _HARDWARE:
        return False
    if marks & _OF_OTHERS:
        return True
    if "price" in marks:  # kayak prices
        ahead = (a for a, b in pairwise(sketch.pieces) if b.mark == "price")
        return any(_unknown(piece, vocabulary) for piece in ahead)
    strange = sum(_unknown(piece, vocabulary) for piece in sketch.pieces)
    return strange >= _STRANGE and not (marks & vocabulary.weights.keys()) - _OF_ANYTHING


def _unknown(piece: Piece, vocabulary: Vocabulary) -> float:
    """1 for a word that nobody knows, a quarter for a Chinese character."""
    mark = piece.mark
    if mark in _OFF or mark in vocabulary.filler or mark.replace("_", " ") in vocabulary.filler:
        return 0.0
    if len(mark) == 1:
        return 0.25 if "\u3400" <= mark <= "\u9fff" else 0.0
    return 1.0 if mark.isalpha() else 0.0
