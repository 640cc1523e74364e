"""Regions: the pronoun "us" apart, data that must stay somewhere, what is outside."""

from __future__ import annotations

import re

from bot.question.sketch import Piece, Sketch, rule

_OUTSIDE = frozenset(("anywhere but", "outside", "outside of"))  # of the country, and of nobody
_US_BEFORE = frozenset(
    ("in", "within", "the", "or", "and", "not", "outside", "to", "from", "near", "-", "/", ",", "only", "R", "across")
)
_US_AFTER = frozenset(
    (
        "region",
        "regions",
        "-",
        "only",
        "or",
        "and",
        "/",
        "based",
        "datacenter",
        "datacenters",
        "east",
        "west",
        "central",
        "R",
        "hosted",
        "zone",
    )
)


def read_places(sketch: Sketch) -> None:
    _us(sketch)
    _residency(sketch)


def _us(sketch: Sketch) -> None:
    """US the country is written in capitals, or stands where a place stands."""
    changed = False
    pieces = sketch.pieces
    for i, piece in enumerate(pieces):
        if piece.mark != "us":
            continue
        before = pieces[i - 1].mark if i else ""
        after = pieces[i + 1].mark if i + 1 < len(pieces) else ""
        capital = piece.raw == "US" and not all(p.raw.isupper() or not p.raw.isalpha() for p in pieces)
        near_place = before in ("in", "within", "R", "the", "us") or (before in _US_BEFORE and after in _US_AFTER)
        listed = before in ("or", "and", "vs", "/", ",") and i > 1 and pieces[i - 2].mark == "R"  # Europe or us
        outside = i > 0 and pieces[i - 1].raw.lower() in _OUTSIDE
        if (
            capital
            or outside
            or listed
            or near_place
            or after in ("region", "regions", "only", "based", "datacenter", "datacenters", "east", "west", "central")
            or (i == 0 and after in _US_AFTER)
        ):
            piece.mark, piece.value = "R", "us"
            changed = True
    if changed:
        sketch.redraw()
    sketch.rewrite(rule(r"(?P<r>R) - (?:based|hosted|only|east|west)(?: \d)?"), lambda m: sketch.piece(m, "r"))


def _residency(sketch: Sketch) -> None:
    """Data must stay in R; for China it is a need of its own."""
    if " data " not in sketch.text:
        return

    def stay(match: re.Match[str]) -> list[Piece]:
        region = sketch.piece(match, "r")
        pieces = [Piece("region_stays", sketch.words(sketch.index(match.start()), sketch.index(match.start("r"))))]
        if region.value == "cn":
            pieces.append(Piece("E", "", "data_residency_cn"))
        return [*pieces, region]

    sketch.rewrite(
        rule(r"data (?:[^ ,.;。，；]{1,8} ){0,4}?stay (?:(?:in|inside|within|upto|on|only|the|[在到]) )*(?P<r>R)"), stay
    )
    sketch.rewrite(
        rule(
            r"(?:keep|store|process|keeping|storing) (?:all |our |the |my )*data (?:in"
            r"|inside|within|upto) (?:the )?(?P<r>R)"
        ),
        stay,
    )
    sketch.rewrite(rule(r"data residency (?:requirement |must )?(?:in|:|is)? ?(?:the )?(?P<r>R)"), stay)
    sketch.rewrite(rule(r"(?P<r>R) data residency"), stay)
    sketch.rewrite(rule(r"data (?:must |都 |只能 |要 |得 )*stay (?P<r>R)"), stay)
    if "境" in sketch.text or "国" in sketch.text or "海外" in sketch.text:  # 数据禁止出境, 资料不得传到海外
        sketch.rewrite(_NOT_ABROAD, lambda _: Piece("E", "", "data_residency_cn"))


_NOT_ABROAD = rule(
    r"data (?:都 ?|也 ?|必须 ?|must ?|一律 ?|绝对 ?){0,3}"
    r"(?:(?P<stay>stay|not|outs|别|不许|不准|禁止|严禁|不[能得可]?) ?)"
    r"(?:可以 ?|能 ?|流 ?|传 ?|出 ?|离 ?|跨 ?|放 ?|存 ?|upload ?|move ?|download ?|to ?|到 ?|在 ?|开 ?){0,5}"
    r"(?:[出离国]?境外?|国外|出国|海外)"
)
