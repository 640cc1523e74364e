"""Providers the asker wants to get away from: cheaper than X, alternatives to X, 比X便宜的."""

from __future__ import annotations

from typing import Any

from bot.question.sketch import Piece, Sketch, rule

_LIST = r"P(?: (?:,|or|and|/|、|, or|, and) P)*"
_AWAY = (
    rf"(?:cheaper|better|lower|cheap|less|below|upto)(?: (?:[^ ,.;PG]{{1,12}}|G|N|x) ?){{0,4}}? ?than (?:what |the )?(?P<list>{_LIST})",
    rf"(?:alternative|instead) (?:to|for|of) (?:the )?(?P<list>{_LIST})",
    rf"(?P<list>{_LIST}) (?:的 )?alternative",
    rf"alternative (?P<list>{_LIST})",
    rf"(?:undercut|undercuts|beat|beats|cheaper) (?:the )?(?P<list>{_LIST})",
    rf"bi (?P<list>{_LIST})(?: (?:的 ?|这 ?|那 ?|家 ?|报 ?|还 ?|官网 ?|price ?)*)?(?: ?G)? ?(?:还 ?|要 ?)*(?:cheaper|cheap|low|低|省)",
    rf"(?:switch|migrate|move|moving|switching|leave|leaving|get|getting) (?:away |off |from |out )+(?:of )?(?P<list>{_LIST})",
)


def get_away(sketch: Sketch, slots: dict[str, Any]) -> None:
    """Mark as excluded what the text wants a better price than, when no other provider is named."""
    named = [p for p in sketch.of("P") if not p.excluded]
    text = sketch.text
    for pattern in _AWAY:
        match = rule(pattern).search(text)
        if match is None:
            continue
        listed = [p for p in sketch.span(match, "list") if p.mark == "P"]
        others = [p for p in named if p not in listed]
        if not others:
            for piece in listed:
                piece.excluded = True
            return
    wish = rule(r"cheaper|alternative|alternatives|做得更好|less").search(text)
    if "quoted" in slots and wish and len({str(p.value) for p in named}) == 1 and not rule(r"is P .*cheaper|P bi").search(text):
        for piece in named:
            piece.excluded = True


def _providers(pieces: list[Piece]) -> list[str]:
    return [str(p.value) for p in pieces if p.mark == "P"]
