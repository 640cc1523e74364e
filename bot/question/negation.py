"""What is ruled out, and what is corrected."""

from __future__ import annotations

import re

from bot.question.sketch import Piece, Sketch, rule

_JOIN = r"(?:(?:,|or|and|nor|/|、|, or|, and|or even|also) )"
_LEAD = (
    r"(?: (?:the|a|an|any|in|on|from|at|to|using|use|with|by|going|want|need|for|have|of|-"
    r"|kind|more|into|it|them|be|run|running|rent|rentverb|"
    r"anything|something|marketplaces|marketplace|places|clouds|cloud|like|such|as|located"
    r"|hosted|based|stay|了|用|在|是|考虑|选|放|放在|租|掉|有|任何|走|那个|这个|的"
    r"|recommend|add|show|me|us|list|see|suggest|give|offer"
    r"|(?:and )?(?:再|又|先|老|给|向|对|我|们|把|算|提|提到|说|讲|推|报|列|看|拿|带|加|管)+))*"
)
_SHOWN = (  # what is not to be done with a name that stands before: 别给我推荐了, 就不用再看了
    r"(?: ?(?:的|了|用|要|考虑|吧|租|选|想用|再|给|我|们|看|推|recommend|说|提|列|报|价|price|讲|谈|管|算|放|拿|带|加"
    r"|展示|进|出|去|来|在内|上|啦|哈|啊|一起))*"
)
_NAME = r"[GPRLEFBQWZ]"
_TAIL = (
    r"(?: ?(?:的|机房|region|regions|instance|那边|都|也|云|区|地区|区域|节点|card|gpu|plan|平台|家|就|这家|这些|们"
    r"|一律|全|部|是|很|方案|node|datacenter|datacenters|这种|那种|这类|之类|老|先|暂时|以后|这次|里))*"
)
_CORRECT = r"correct(?: ?(?:,|\.|-|!|…|and|so|了|啊|呃)* ?correct)*"  # no wait, I mean
_FILLER = r"(?: (?:,|:|!|-|\.|…|it|the|a|an|no|that|to|be|in|on|for|是|用|要|on the|should|was|is|not))*"
_ONCE = re.compile(r" (?:once|when|whenever|after|until|till|since|that|before|soon as) (?:the |all |new |more )*$")
_SOON = re.compile(r"^ (?:(?:,|in|by) )*(?:date|already|soon|now|yet|there|T) ")
_NEW_NOT_OLD = rule(  # 8, not 4; 10 days instead of 7 days
    r"(?P<new>[NTBMC]) (?:, not|not|instead of|rather than) (?P<old>[NTBMC])(?= [,.;!?)，。；！？）]| $)"
)
_NO_ZH = rule(r", (?P<no>不) ,")
_NO = rule(r"(?<=[GTBMCPRLN] , )(?P<no>not)(?= , [GTBMCPRLN])")
_POSITIVE = re.compile(
    r"^ (?:is |are |也 |就 |都 )?(?:fine|ok|okay|only|works|good|instead|preferred"
    r"|可以|行|就行|please|add|优先)"
)


def exclude(sketch: Sketch) -> None:
    """Mark pieces under a negation as excluded: not X or Y, 不要X, X除外."""
    _lead_outs(sketch)
    names = rf"(?P<list>{_NAME}(?: {_JOIN}{_NAME})*)"
    negated = " not " in sketch.text
    if negated:
        _mark_all(sketch, rf"not{_LEAD} (?P<list>{_NAME}(?: {_JOIN}(?:(?:in|on|from|the|any|a|用) )*{_NAME})*)")
    if negated and "把" in sketch.text:  # 把T4从周报里拿掉
        _mark_all(sketch, rf"把 {names}(?: (?!not )[^ ,.;，。]{{1,8}}){{0,4}} ?not(?= 了| [,.;，。!]| $)")
    if "outs" in sketch.text:
        for match in rule(rf"{names}{_TAIL} ?outs").finditer(sketch.text):
            if not _comes_out(sketch, match):
                _mark(sketch, match, behind=True)
    _mark_all(sketch, rf"(?:leave|keep|take|count) (?:the )?{names} (?:out|off|aside)")
    if not (negated or "别" in sketch.text):
        return
    post = rule(rf"{names}{_TAIL} (?P<no>not|别 ?){_SHOWN}(?= [,.;!?。，；！？)]| $)")
    for match in post.finditer(sketch.text):
        if "recommend" in match.group() and sketch.piece(match, "no").raw.isascii():
            continue  # is the T4 not recommended?
        if not sketch.text[: match.start()].rstrip().endswith("not"):
            _mark(sketch, match, behind=True)


def _comes_out(sketch: Sketch, match: re.Match[str]) -> bool:
    """Once the B300 is out, the B300 is out soon: on the market, not out of the question."""
    if sketch.span(match)[-1].raw.lower() not in ("is out", "are out"):
        return False
    return bool(_ONCE.search(sketch.text[: match.start()]) or _SOON.match(sketch.text[match.end() :]))


def _mark_all(sketch: Sketch, pattern: str, behind: bool = False) -> None:
    for match in rule(pattern).finditer(sketch.text):
        _mark(sketch, match, behind)


_LEADS = rule(r"(?P<o>outs|unsubscribe) (?:(?:用|在|选|看|带|the|any|in|on|from) ?)*(?P<n>[GPRL])")
_BEHIND = rule(rf"[GPRL]{_TAIL} (?P<o>unsubscribe)(?= [,.;!?。，；！？)]| $)")
_ALSO_NOT = re.compile(r"[也都就]?(?:不要|不行|别|不用|不考虑|免了?)了?$")


def _lead_outs(sketch: Sketch) -> None:
    """也不要 Colab, 别再推 P100: what usually stands behind a name rules out the one that follows it."""
    changed = False
    for match in _LEADS.finditer(sketch.text):
        piece = sketch.piece(match, "o")
        at = sketch.pieces.index(piece)
        before = at - 1
        while before >= 0 and sketch.pieces[before].mark in _NAMED_OR_JOINED:
            before -= 1
        ruled_out = before >= 0 and sketch.pieces[before].mark == "not"  # 不要AWS也不要GCP: of what follows
        behind = at > 0 and sketch.pieces[at - 1].mark in ("G", "P", "R", "L", "F", "B") and not ruled_out
        again = piece.raw.startswith(("别", "不")) or piece.raw.lower() in _NO_MORE
        if again if piece.mark == "unsubscribe" else not behind and _ALSO_NOT.match(piece.raw):
            piece.mark = "not"
            changed = True
    for match in _BEHIND.finditer(sketch.text):  # AWS就别推了
        piece = sketch.piece(match, "o")
        if piece.raw.startswith(("别", "不")):
            piece.mark = "outs"
            changed = True
    if changed:
        sketch.redraw()


_NAMED_OR_JOINED = frozenset(("G", "P", "R", "L", "F", "B", "or", "and", "的"))
_NO_MORE = ("no more", "stop sending", "stop posting", "mute")


def _mark(sketch: Sketch, match: re.Match[str], behind: bool = False) -> None:
    pieces = [p for p in sketch.span(match, "list") if len(p.mark) == 1 and p.mark in "GPRLEFBQWZ"]
    first = pieces[-1] if behind else pieces[0]
    if behind:  # "2 weeks of PoC, serverless not ok": only the run of one kind right before
        same = list(pieces)
        while same and any(p.mark != first.mark and {p.mark, first.mark} != {"G", "Z"} for p in same):
            same.pop(0)
        pieces = same
    for piece in pieces:
        if piece.mark != first.mark and piece.mark in "GPL" and first.mark in "GPL":
            continue  # "not on AWS, H100": another kind of thing after a comma is not ruled out
        piece.excluded = True
    if not behind and _POSITIVE.match(sketch.text[match.end() :]) and len(pieces) > 1 and " , " in match["list"]:
        pieces[-1].excluded = False
    text = match["list"]
    if not behind and len(pieces) > 1 and " , " in text and not re.search(r" (?:or|and|nor|、|not) ", text):
        for piece in pieces[1:]:  # "no AWS, GCP": a bare comma goes on only with providers and regions
            if piece.mark not in "PRL":
                piece.excluded = False


def correct(sketch: Sketch) -> None:
    """T4, sorry, L4: the corrected thing goes without a trace, what hung on it stays."""
    _denied(sketch)
    if " correct " in sketch.text:  # seldom, and its patterns are dear
        _correct_counted(sketch)
        for _ in range(2):
            if not _correct_marks(sketch):
                break
        _correct_parts(sketch)
    # not X but Y with numbers: 不是4张是8张
    if " not " in sketch.text or " instead of " in sketch.text:
        sketch.rewrite(_NEW_NOT_OLD, lambda m: sketch.piece(m, "new") if m["old"] == m["new"] else None)
    if " not " in sketch.text:
        sketch.rewrite(
            rule(r"not (?P<old>[NTBM])(?: [张台块个天])?(?: ,)? ?(?:but|是|而是|而 ?是) ?(?P<new>[NTBM])"),
            lambda m: sketch.piece(m, "new") if m["old"] == m["new"] else None,
        )


def _denied(sketch: Sketch) -> None:
    """4 A100s, no, 8 V100s: a "no" between commas corrects."""
    found = [sketch.piece(m, "no") for m in _NO.finditer(sketch.text)]
    if ", 不" in sketch.text:  # 阿里云上，不，腾讯云上
        alone = [sketch.piece(m, "no") for m in _NO_ZH.finditer(sketch.text)]
        for piece in alone:
            piece.mark = "correct"
        if alone:
            sketch.redraw()
    said = [piece for piece in found if piece.raw.lower() in ("no", "nope")]
    for piece in said:
        piece.mark = "correct"
    if said:
        sketch.redraw()


def _correct_counted(sketch: Sketch) -> None:
    """A count goes with the accelerator that is corrected: 4张A100,不对,是8张V100."""
    counted = r"N (?:(?:x|[张块个片台]|card|gpu) ?)?(?:的 )?G"
    sketch.rewrite(
        rule(rf"(?:{counted}|G)(?: (?:,|\.|-|\(|…|!|\?))* {_CORRECT}{_FILLER} (?P<new>{counted})"),
        lambda m: sketch.span(m, "new"),
    )


def _correct_marks(sketch: Sketch) -> bool:
    """One thing corrected by another of its kind; whether any was."""
    changed = False
    for mark in "GTBMCPRLNFQ":

        def make(match: re.Match[str], mark: str = mark) -> list[Piece] | None:
            pieces = sketch.span(match)
            old, new = sketch.piece(match, "old"), sketch.piece(match, "new")
            between = pieces[1:-1]
            if any(p.mark in ("or", "and", "vs") for p in between):
                return None
            if any(p.mark == "not" and p.raw.lower() not in ("no", "nope") for p in between):
                return None  # "X… actually not X" is an exclusion
            kept = (
                [p for p in sketch.span(match, "mid") if len(p.mark) == 1 and p.mark.isupper()]
                if match["mid"].strip()
                else []
            )
            if kept and mark == "N":
                return None
            if mark == "G":
                new.value.count = new.value.count or old.value.count
            return [new, *kept]

        pattern = rule(
            rf"(?P<old>{mark})(?P<mid>(?: [^{mark} ,.;]{{1,12}}){{0,4}}?)(?: (?:,|\.|-|\("
            rf"|…|!|\?|的))* {_CORRECT}{_FILLER} (?P<new>{mark})(?! (?:is|are)"
            rf" outs)"
        )
        changed = sketch.rewrite(pattern, make) or changed
    return changed


def _correct_parts(sketch: Sketch) -> None:
    """4 T4s, I mean 8; A100 80G，说错了，40G: a part of what hangs on an accelerator is corrected."""
    gap = rf"(?: (?:,|\.|-|\(|…|!))* {_CORRECT}"

    def count(match: re.Match[str]) -> list[Piece]:
        return [sketch.piece(match, "new"), *sketch.span(match, "mid")]

    def part(match: re.Match[str]) -> Piece | None:
        gpu, new = sketch.piece(match, "g").value, sketch.piece(match, "new")
        if new.mark == "B":
            gpu.memory_gb = new.value.gb
        else:
            gpu.form = str(new.value)
        return sketch.piece(match, "g")

    sketch.rewrite(
        rule(
            rf"(?P<old>N) (?P<mid>(?:x |[张块个片] ?|card )?G){gap}{_FILLER} (?P<new>N)(?="
            rf" [,.;?!，。]| $| of| ?[张块台片个]| card)"
        ),
        count,
    )
    sketch.rewrite(rule(rf"(?P<g>G){gap}{_FILLER} (?P<new>[BF])(?! G)"), part)
