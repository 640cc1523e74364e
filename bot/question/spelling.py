"""Slips of the fingers in words, never in digits. The only user of rapidfuzz."""

from __future__ import annotations

from rapidfuzz.distance import OSA

from bot.question.vocabulary import Trie, Vocabulary

_CACHE_WORDS = 20_000


def correct(word: str, vocabulary: Vocabulary) -> str:
    """The known word that was meant, or the word itself. Words below four letters are left alone."""
    if word in vocabulary.known or len(word) < 4 or len(word) > 20:
        return word
    found = vocabulary.corrections.get(word)
    if found is None:
        found = _nearest(word, vocabulary)
        if len(vocabulary.corrections) < _CACHE_WORDS:
            vocabulary.corrections[word] = found
    return found


def _nearest(word: str, vocabulary: Vocabulary) -> str:
    plain = word.removesuffix("'s")
    if plain in vocabulary.known:
        return plain
    if word.endswith("s") and word[:-1] in vocabulary.known:
        return word[:-1]
    allowed = 1 if len(word) < 10 else 2
    best: list[tuple[int, int, str]] = []
    letters = {word[0], word[1]} if len(word) > 4 else {word[0]}
    for letter in sorted(letters):
        for target in vocabulary.targets.get(letter, ()):
            if abs(len(target) - len(word)) > allowed or len(target) < 4:
                continue
            distance = _distance(word, target, allowed)
            if distance <= allowed and (target[0] == word[0] or distance == 1):
                best.append((distance, abs(len(target) - len(word)), target))
    if not best:
        return word
    best.sort()
    same = [b for b in best if b[0] == best[0][0]]
    if len(same) > 1 and not _one_word([b[2] for b in same]):
        return word if best[0][0] > 1 else best[0][2]
    return best[0][2]


def _distance(word: str, target: str, allowed: int) -> int:
    """Slips between two words; the right letters in a wrong order are one slip."""
    if len(word) == len(target) and word[0] == target[0] and sorted(word) == sorted(target):
        return 1
    return int(OSA.distance(word, target, score_cutoff=allowed))


def nearest_unit(word: str, units: Trie) -> str | None:
    """The unit word meant right behind a number: there a word of three letters is enough to tell."""
    if len(word) < 3:
        return None
    for target in sorted(units):
        if (
            len(target) > 2
            and target.isascii()
            and abs(len(target) - len(word)) < 2
            and _distance(word, target, 1) == 1
        ):
            return target
    return None


def _one_word(words: list[str]) -> bool:
    """Whether all of them are forms of one word (hour and hours)."""
    stem = min(words, key=len)
    return all(w.startswith(stem[:-1]) for w in words)


def nearest_models(word: str, models: tuple[str, ...], limit: int = 5) -> tuple[str, ...]:
    """Known models to suggest for an unknown one, nearest first. Only a ranking: never a reading."""
    from rapidfuzz import process
    from rapidfuzz.fuzz import ratio

    squeezed = word.upper().replace(" ", "").replace("-", "")
    found = process.extract(squeezed, {m: m.upper() for m in models}, scorer=ratio, limit=limit)
    return tuple(key for _, _, key in found)
