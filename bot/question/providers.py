"""Providers the asker wants to get away from: cheaper than X, alternatives to X, 比X便宜的."""

from __future__ import annotations

from typing import Any

from bot.question.sketch import Sketch, rule

_LIST = r"(?P<list>P(?: (?:,|or|and|/|、|, or|, and) P)*)"
_NEAR = r"(?: (?:[^ ,.;PG]{1,12}|G|N|x) ?){0,4}?"
_AWAY = tuple(
    rule(pattern)
    for pattern in (
        rf"(?:cheaper|better|lower|cheap|less|below|upto){_NEAR} ?than (?:what |the )?{_LIST}",
        rf"(?:alternative|instead) (?:to|for|of) (?:the )?{_LIST}",
        rf"{_LIST} (?:的 )?alternative",
        rf"alternative {_LIST}",
        rf"(?:undercut|undercuts|beat|beats|cheaper) (?:the )?{_LIST}",
        (
            rf"bi {_LIST}(?: (?:的 ?|这 ?|那 ?|家 ?|报 ?|还 ?|官网 ?|price ?)*)?(?: ?G)? ?(?:还 ?|要 ?)*"
            r"(?:cheaper|cheap|low|低|省)"
        ),
        (
            rf"(?:switch|migrate|move|moving|switching|leave|leaving|get|getting) "
            rf"(?:away |off |from |out )+(?:of )?{_LIST}"
        ),
    )
)
_WISH = rule("cheaper|alternative|做得更好|less")
_COMPARED = rule("is P .*cheaper|P bi")


def get_away(sketch: Sketch, slots: dict[str, Any]) -> None:
    """Mark as excluded what the text wants a better price than, when no other provider is named."""
    named = [p for p in sketch.of("P") if not p.excluded]
    for pattern in _AWAY:
        match = pattern.search(sketch.text)
        listed = [p for p in sketch.span(match, "list") if p.mark == "P"] if match else []
        if listed and all(p in listed for p in named):
            for piece in listed:
                piece.excluded = True
            return
    alone = len({str(p.value) for p in named}) == 1
    if alone and "quoted" in slots and sketch.has(_WISH) and not sketch.has(_COMPARED):
        for piece in named:
            piece.excluded = True
