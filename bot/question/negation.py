"""What is ruled out, and what is corrected."""

from __future__ import annotations

from bot.question.sketch import Piece, Sketch, rule

_JOIN = r"(?:(?:,|or|and|nor|/|、|, or|, and|or the|and the) )"


def exclude(sketch: Sketch) -> None:
    """Mark pieces under a negation as excluded: not X or Y, 不要X, X除外."""
    name = r"[GPRLEWFBQ]"
    lead = r"(?:not|except)(?: (?:the|a|an|any|in|on|from|at|to|using|use|with|by|going|want|need|for|have))*"
    pattern = rule(rf"{lead} (?P<list>{name}(?: {_JOIN}(?:in |on |from |not )?{name})*)")
    for match in pattern.finditer(sketch.text):
        for piece in sketch.span(match, "list"):
            if piece.mark in "GPRLEWFBQ":
                piece.excluded = True
    after = rule(rf"(?P<list>{name}(?: {_JOIN}{name})*)(?: (?:的|机房|region|instance|那边|都|也))* ?outs")
    for match in after.finditer(sketch.text):
        for piece in sketch.span(match, "list"):
            if piece.mark in "GPRLEWFBQ":
                piece.excluded = True


def correct(sketch: Sketch) -> None:
    """T4, sorry, L4: the corrected thing goes without a trace, what hung on it stays."""
    for _ in range(2):
        changed = False
        for mark in "GTBMCPRLNF":
            pattern = rule(rf"(?P<old>{mark}) (?:[,.\-(] |… |\. )*correct(?: [,:!]| it| the| a| an| no| not)* (?P<new>{mark})")

            def make(match: object) -> Piece:
                old, new = sketch.piece(match, "old"), sketch.piece(match, "new")  # type: ignore[arg-type]
                if mark == "G":
                    new.value.count = new.value.count or old.value.count
                return new

            changed = sketch.rewrite(pattern, make) or changed
        if not changed:
            break
