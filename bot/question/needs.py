"""Needs, team and workloads that only a few words together state."""

from __future__ import annotations

import re

from bot.question.sketch import Make, Piece, Sketch, rule


def read_needs(sketch: Sketch, ai_models: str) -> None:
    """Turn word groups into marks: must not be interrupted, no ops people, host a model.

    ``ai_models`` are the names of AI models as alternatives of a pattern.
    """

    if " interrupt " in sketch.text:
        sketch.rewrite(
            rule(
                r"(?:(?:can't|cannot|cant|must|should|shouldn't|mustn't|may|never|won't|can|could|don't"
                r"|not|want|wants|to|need|afford|tolerate|risk|handle|要|能|可|想|会|得|怕|不) ){0,4}"
                r"(?:(?:can't|cannot|cant|not|shouldn't|mustn't|never|won't|不|怕)) ?(?:to |be |get "
                r"|getting |being |afford |tolerate |risk |handle |any |an |have |want |能 ?|可 ?|想 ?|会 ?"
                r"|得 ?|被 ?|允许 ?|中途 ?|随便 ?|接受 ?|要 ?|容忍 ?)*"
                r"interrupt(?: 的)?"
            ),
            _made("E", "no_interruption"),
        )
    if " ops " in sketch.text:
        sketch.rewrite(
            rule(
                r"(?:not|nobody) (?:any |a |an |our |own |dedicated |full - time |in - house"
                r" |专门的 ?|专职的? ?|专业的? ?|自己的? ?|real |much |人 ?|有 ?|会 ?|懂 ?|做 ?)*ops(?:"
                r" (?:team|people|folks|guys|engineer|engineers|staff|person|人员|团队|人|的人"
                r"|skills|background|experience|经验))?"
            ),
            _made("I", "no_ops"),
        )
        sketch.rewrite(rule(r"nobody (?:[^ ,.;]{1,12} ){0,4}?ops"), _made("I", "no_ops"))
    if " experience " in sketch.text:
        sketch.rewrite(
            rule(
                r"(?:experience (?:and |in |with |的 ?|ml |platform |in - house )*ops(?:"
                r" (?:team|people|folks|团队|人员|engineers))?|ops (?:(?:team|people|团队|人员|folks"
                r"|engineers|is|are|very|quite|has|have|很|都|也|and|的|挺|非常) ?){0,4}"
                r" ?experience|有 ops experience)"
            ),
            _made("I", "experienced"),
        )
        sketch.rewrite(
            rule(r"experience (?:platform|infra|ml platform|mlops) (?:team|people|engineers)"),
            _made("I", "experienced"),
        )
    if " host" in sketch.text:
        sketch.rewrite(
            rule(
                r"host(?:ing)? (?:(?:a|an|our|my|the|this|some|own|fine - tuned|C|small"
                rf"|large|big|open|source) ){{0,4}}(?:model|C|api|{ai_models})"
            ),
            _keep(sketch, "W", "inference"),
        )
    if " batch " in sketch.text:
        sketch.rewrite(
            rule(
                r"batch(?= (?:W|transcription|scoring|predictions|translation|embedding"
                r"|embeddings)(?! size))"
            ),
            _made("W", "batch"),
        )
    if " N " in sketch.text:
        _read_figures(sketch)


def _made(mark: str, value: str) -> Make:
    return lambda _: Piece(mark, "", value)


def _read_figures(sketch: Sketch) -> None:
    """Latency in milliseconds, availability in percent."""
    if " % " in sketch.text:
        sketch.rewrite(
            rule(r"(?:N % (?:of )?(?P<a>E)|(?P<b>E) (?:of |[(:]? ?)?(?:atleast )?N %(?: \))?)"),
            lambda m: _sla(sketch, m),
        )
        sketch.rewrite(rule(r"N % uptime(?: guarantee)?"), _made("E", "sla"))
    if "ms " not in sketch.text and "毫秒" not in sketch.text and " milli" not in sketch.text:
        return
    sketch.rewrite(
        rule(
            r"latency (?:of |must be |needs to be |should be |要 ?|在 ?|得 ?|is )*(?:upto"
            r" )?N ?(?:ms|毫秒|milliseconds|millis)(?: ?upto)?"
        ),
        _made("E", "low_latency"),
    )
    sketch.rewrite(
        rule(r"E (?:于 ?)?(?:upto )?N (?:ms|毫秒)"),
        lambda m: sketch.piece(m) if sketch.piece(m).value == "low_latency" else None,
    )
    sketch.rewrite(rule(r"(?:upto )?N (?:ms|毫秒|milliseconds)(?: of)? (?:latency|延迟)"), _made("E", "low_latency"))
    sketch.rewrite(
        rule(r"延迟 ?(?:在 ?|要 ?|得 ?|控制在 ?)*(?:upto )?N ?(?:ms|毫秒)(?: ?upto)?"), _made("E", "low_latency")
    )


def _sla(sketch: Sketch, match: re.Match[str]) -> Piece | None:
    """A percentage beside an SLA belongs to it."""
    piece = sketch.piece(match, "a" if match["a"] else "b")
    return piece if piece.value == "sla" else None


def _keep(sketch: Sketch, mark: str, value: str) -> Make:
    """A mark in front of what it was said of."""

    def make(match: re.Match[str]) -> list[Piece]:
        first, *rest = sketch.span(match)
        return [Piece(mark, first.raw, value), *rest]

    return make
