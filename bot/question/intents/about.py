"""Whether a message is about renting accelerators at all."""

from __future__ import annotations

from bot.question.sketch import Sketch
from bot.question.vocabulary import Vocabulary

_WEIGHT = {
    "G": 3.0, "gpu": 4.0, "vram": 4.0, "gpuhour": 4.0, "pergpuhour": 4.0, "Z": 2.0, "L": 2.5, "C": 2.0, "B": 1.0, "P": 2.0, "W": 1.2, "E": 1.5,
    "I": 1.0, "S": 1.5, "Q": 2.0, "rentverb": 2.0, "instance": 2.0, "node": 1.0, "model": 1.0, "download": 1.0, "upload": 1.0,
    "price": 1.0, "howmuch": 1.0, "cheapest": 1.0, "cheaper": 1.0, "cheap": 1.0, "recommend": 1.0, "bestof": 1.0, "alternative": 1.0, "which": 0.5, "budget": 1.5,
    "breakeven": 1.5, "T": 0.5, "M": 1.0, "R": 0.5, "card": 1.5, "digest": 3.0, "moved": 2.0, "subscribe": 1.0, "unsubscribe": 0.5,
    "compare": 1.0, "spec": 2.0, "fit": 1.5, "billing": 1.0, "compute": 1.5, "cloud": 1.5, "clouds": 1.5, "provider": 1.5,
    "providers": 1.5, "platform": 1.5, "platforms": 1.5, "平台": 1.5, "云": 1.0, "厂商": 1.0, "云厂商": 2.0, "capacity": 1.0, "cluster": 1.0,
    "hardware": 1.0, "betterdeal": 1.0, "disk": 0.5, "data": 0.5, "howlong": 0.5, "counted": 2.0, "gpuhours": 3.0, "F": 1.0,
    "buy": 0.5, "difference": 0.5, "better": 0.5, "marketplace": 1.0, "集群": 1.0, "服务商": 1.5, "云服务商": 2.0, "vendor": 1.0,
    "idle": 0.5, "stopped": 0.5, "sales": 0.5, "enough": 0.5, "daily": 0.5, "job": 0.3, "machines": 1.0, "risk": 0.5, "quota": 1.0, "quotas": 1.0, "配额": 1.0, "bare_metal": 1.5, "裸金属": 1.5, "虚拟机": 1.0, "happens": 3.0, "interrupt": 1.5,
}  # fmt: skip
_HARDWARE = frozenset(("G", "gpu", "vram", "gpuhour", "pergpuhour", "gpuhours"))
_OFF = 4.0


def is_about(sketch: Sketch, vocabulary: Vocabulary) -> bool:
    """Weighs words of the trade against words of other subjects and words nobody knows."""
    seen: set[str] = set()
    pro, off, unknown = 0.0, 0.0, 0.0
    hardware = False
    for piece in sketch.pieces:
        mark = piece.mark
        if mark in _WEIGHT:
            key = f"{mark}{piece.raw.lower()}"
            if key not in seen:
                pro += _WEIGHT[mark]
                seen.add(key)
            hardware = hardware or mark in _HARDWARE
        elif mark == "offtopic":
            off += _OFF
        elif mark == "trouble":
            off += 2 * _OFF
        elif mark == "mishap":
            off += _OFF / 2
        elif mark in ("cpumachine",):
            off += _OFF
        elif mark not in vocabulary.filler and mark.replace("_", " ") not in vocabulary.filler and len(mark) > 1 and mark.isalpha():
            unknown += 1.0
        elif len(mark) == 1 and "㐀" <= mark <= "鿿" and mark not in vocabulary.filler:
            unknown += 0.25
    if pro < 0.9:
        return False
    if hardware:
        return pro > off + min(unknown, 3.0) * (0.5 if not off else 1.0)
    return pro > off + unknown
