"""Accelerators: memory and form beside them, how many, on how many machines."""

from __future__ import annotations

import re
from decimal import Decimal

from bot.question.quantities import number
from bot.question.sketch import Piece, Sketch, rule
from bot.question.values import Gpu, Number, Size

_ALTERNATIVE = r"(?:or(?: the| a| an)?|/|vs|versus|,|, or|, and|、|and(?: the| a| an)?|against)"
_LEAST_PRICE = 100  # of one card: "N each" is a count below it
_KIND = r"(?:[张块个片枚颗路支](?: (?:card|gpu))?|card|gpu|chips?|芯片|- way|way)"
_STATE = (  # in which a card is: four used 3090s, 两张全新4090
    r"(?:used|new|brand|second|hand|secondhand|refurbished|refurb|preowned|old|older|spare|extra|more|additional|other"
    r"|dedicated|identical|whole|full|shiny|cheap|single|physical|-|二手|全新|新|旧)"
)
_NODE = r"(?:node|instance|台|个 (?:node|instance)|台 instance|机)"

_NOT_DATA = r"(?! ?(?:的?数据|data|upload|download|disk|的?data|of data|move|of|ram|的?disk|dataset|total)(?: |$))"
_PARTS = tuple(  # what may stand beside an accelerator, in the order in which it is tried
    rule(pattern)
    for pattern in (
        r"(?P<g>G) (?P<rest>(?:- )?F)",
        (
            rf"(?P<g>G) (?P<rest>(?:- |_ |with |\( )?B{_NOT_DATA}"
            r"(?: version| variant| model| vram| of vram| memory|版本|版|显存| card(?= \)))?(?: \))?)"
        ),
        r"(?P<g>G) (?P<rest>(?:- |\( )?F(?: \))?)",
        r"(?P<g>G) (?P<rest>(?:,|/) [FB] \))",
        (
            r"(?<!or )(?<!and )(?<!vs )(?<!, )(?<!/ )(?P<g>G)(?: (?:instead|please|then))?"
            r" (?P<rest>(?:, )?[FB])(?= [,.;!?]| $)"
        ),
        (
            r"(?P<rest>B(?: F)?) (?:vram |memory |- )?"
            r"(?:的 |版 |版的 |version of (?:the )?|variant of (?:the )?|of )?(?P<g>G)"
        ),
        r"(?P<rest>F) (?:的 |版 |版的 )?(?P<g>G)",
        r"(?P<g>G) 的 ?(?P<rest>[BF])(?= 版)",
    )
)
_CHOICE = (  # A100, either 40GB or 80GB; H100: SXM, PCIe or NVL
    rf"(?P<g>G) (?:[,:(-] )?(?:(?:either|both|in|as|with|the|any of|whether|on) )*"
    rf"(?P<list>{{0}}(?:(?: ,)?(?: (?:or|and|/|vs|versus|、)| ,) {{0}}{_NOT_DATA})+)"
    r"(?: (?:version|variant|form|card|model|vram|of vram|of memory|memory)(?= ))?(?: \))?"
)
_MEMORY_OF_CARDS = frozenset(map(Decimal, (8, 10, 11, 12, 16, 20, 24, 32, 40, 48, 64, 80, 94, 96, 141, 192, 288)))
_SIZED = rule(  # A100-80, A100 80 on lambda: a size that cards of that kind come with, and no unit
    r"(?P<g>G) (?:[-_] (?P<n>N)(?! (?:x|to|-|gpu|card|node|hour|U|T|[张块台卡个]))"
    r"|(?P<m>N)(?= (?:(?:on|at|in|from|for|or|and|vs|price|with|,|/|[?!.]) |$)))"
)
_SIZES_IN_NAMES = frozenset(map(Decimal, (32, 40, 80, 141)))
_TWINS = r"(?P<a>{0}) (?P<or>or|vs|and|/|versus|against) (?P<b>{0}) (?:的 |version of |versions of )?(?P<g>G)"


def attach(sketch: Sketch) -> None:
    """Give each accelerator the memory size and form written beside it."""
    if " G " in sketch.text and " N " in sketch.text:
        sketch.rewrite(_SIZED, lambda m: _sized(sketch, m))
    if " B " in sketch.text or " F " in sketch.text:
        _attach_memory_and_form(sketch)
        _variants(sketch)


def _attach_memory_and_form(sketch: Sketch) -> None:
    def whole(match: re.Match[str]) -> Piece | None:
        gpu: Gpu = sketch.piece(match, "g").value
        for part in sketch.span(match, "rest"):
            if part.mark == "B" and (gpu.memory_gb is not None or part.value.low is not None):
                return None
            _give(gpu, part)
        return Piece("G", "", gpu)

    def both(match: re.Match[str]) -> list[Piece]:
        """40GB or 80GB A100: two of one model."""
        gpu: Gpu = sketch.piece(match, "g").value
        made = [sketch.piece(match, "a"), sketch.piece(match, "b")]
        for part in made:
            copy = Gpu(gpu.model, gpu.memory_gb, gpu.count, gpu.form)
            _give(copy, part)
            part.mark, part.value = "G", copy
        return [made[0], sketch.piece(match, "or"), made[1]]

    def choice(match: re.Match[str]) -> list[Piece] | None:
        """One model in two or three forms or sizes: an entry for each."""
        gpu: Gpu = sketch.piece(match, "g").value
        parts = [p for p in sketch.span(match, "list") if p.mark in ("B", "F")]
        if any(p.mark == "B" and (p.value.low is not None or p.value.gb not in _MEMORY_OF_CARDS) for p in parts):
            return None
        made: list[Piece] = []
        for part in parts:
            copy = Gpu(gpu.model, gpu.memory_gb, gpu.count, gpu.form)
            _give(copy, part)
            made += [Piece("or", ""), Piece("G", part.raw if made else f"{gpu.model} {part.raw}", copy)]
        return made[1:]

    sketch.rewrite(rule(r"(?<!x )(?P<n>N) (?P<or>or|/|vs) (?P<b>B)"), lambda m: _same_unit(sketch, m))
    for mark in [m for m in "BF" if f" {m} " in sketch.text]:
        sketch.rewrite(rule(_TWINS.format(mark)), both)
        sketch.rewrite(rule(_CHOICE.format(mark)), choice)
    for pattern in _PARTS:
        sketch.rewrite(pattern, whole)


def _sized(sketch: Sketch, match: re.Match[str]) -> Piece | None:
    gpu, size = sketch.piece(match, "g").value, number(sketch.piece(match, "n" if match["n"] else "m"))
    if gpu.memory_gb is not None or size.low is not None or size.value not in _SIZES_IN_NAMES:
        return None
    gpu.memory_gb = size.value
    return Piece("G", "", gpu)


def _same_unit(sketch: Sketch, match: re.Match[str]) -> list[Piece] | None:
    """40 or 80GB beside a model: the unit is said once."""
    first, size = number(sketch.piece(match, "n")), sketch.piece(match, "b").value
    if " G " not in sketch.text or size.low is not None or not {first.value, size.gb} <= _MEMORY_OF_CARDS:
        return None
    return [Piece("B", sketch.piece(match, "n").raw, Size(first.value)), *sketch.span(match)[1:]]


def _give(gpu: Gpu, part: Piece) -> None:
    """Memory (B) or form (F) of an accelerator; other pieces say nothing of it."""
    if part.mark == "B":
        gpu.memory_gb = part.value.gb
    elif part.mark == "F":
        gpu.form = str(part.value)


def _variants(sketch: Sketch) -> None:
    """A100 40G vs 80G, H100 PCIe or SXM: the second one is the same model."""

    def make(match: re.Match[str]) -> list[Piece] | None:
        gpu: Gpu = sketch.piece(match, "g").value
        part = sketch.piece(match, "b")
        if part.mark == "B" and (gpu.memory_gb is None or part.value.low is not None):
            return None
        if part.mark == "F" and gpu.form is None:
            return None
        other = Gpu(gpu.model, gpu.memory_gb, gpu.count, gpu.form)
        if part.mark == "B":
            other.memory_gb = part.value.gb
        else:
            other.form = str(part.value)
        pieces = sketch.span(match)
        last = Piece("G", part.raw, other)
        return [*pieces[: pieces.index(part)], last, *pieces[pieces.index(part) + 1 :]]

    for _ in range(3):
        if not sketch.rewrite(
            rule(
                rf"(?P<g>G) (?:版本? )?{_ALTERNATIVE} (?P<b>[BF])(?: version| variant|版本|版)?(?!"
                rf" ?(?:的?data|upload|download|disk|of data|move|of) )"
            ),
            make,
        ):
            break


# ---------------------------------------------------------------- how many


def count(sketch: Sketch) -> dict[str, Decimal]:
    """Attach counts to accelerators; what is left over is ``gpu_count`` and ``nodes``."""
    found: dict[str, Decimal] = {}
    _sums_up(sketch)
    _machines(sketch, found)
    _counts(sketch)
    _lists(sketch)
    _bare_counts(sketch, found)
    _divide(sketch, found)
    return found


def _n(sketch: Sketch, match: re.Match[str], group: str = "n") -> Decimal:
    return number(sketch.piece(match, group)).value


def _machines(sketch: Sketch, found: dict[str, Decimal]) -> None:
    def nested(match: re.Match[str]) -> Piece:
        gpu: Gpu = sketch.piece(match, "g").value
        found["nodes"] = _n(sketch, match, "m")
        gpu.count = _n(sketch, match, "n")
        return Piece("G", "", gpu)

    def nodes(match: re.Match[str]) -> Piece | None:
        value = _n(sketch, match, "m")
        if number(sketch.piece(match, "m")).word and value == 1 and match["k"] not in ("node", "台"):
            return None
        found["nodes"] = value
        return Piece("machines", "", value)

    def one(_: re.Match[str]) -> Piece:
        return Piece("machine", "")

    def instances(match: re.Match[str]) -> Piece | None:
        gpu: Gpu = sketch.piece(match, "g").value
        if not gpu.machine:
            return None
        found["nodes"] = _n(sketch, match, "m")
        return sketch.piece(match, "g")

    sketch.rewrite(rule(r"(?P<m>N) (?:x |台|个|of |台的)?(?P<g>G)(?: instance| node)?"), instances)
    sketch.rewrite(rule(r"(?P<g>G) (?:x )?(?P<m>N)(?:台|个| instance| node)?"), instances)
    sketch.rewrite(rule(r"(?P<m>N) x (?P<n>N) (?:x )?(?P<g>G)(?: node)?"), nested)

    def cluster(match: re.Match[str]) -> list[Piece] | None:
        """2机16卡: so many cards stand in all the machines; up to eight stand in each."""
        machines, cards = _n(sketch, match, "m"), _n(sketch, match, "n")
        if machines <= 1 or cards <= _IN_A_MACHINE or cards % machines or cards / machines > _IN_A_MACHINE:
            return None
        found["nodes"] = machines
        return [Piece("N", match.group(), Number(cards / machines)), Piece("card", "")]

    sketch.rewrite(rule(r"(?P<m>N) 机 ?(?P<n>N) (?:card|卡|张)"), cluster)
    sketch.rewrite(rule(rf"(?P<m>N) (?:- )?(?P<k>{_NODE})(?: each)?(?: with| of| x| ,| at| each with|的|,)?"), nodes)
    sketch.rewrite(
        rule(r"(?P<m>N) gpu (?P<k>node)"), lambda m: nodes(m) if sketch.span(m)[-1].raw.lower().endswith("s") else None
    )
    sketch.rewrite(rule(r"(?:a|per) node"), one)


def _counts(sketch: Sketch) -> None:
    def take(match: re.Match[str]) -> Piece | None:
        gpu: Gpu = sketch.piece(match, "g").value
        if gpu.count is not None and not gpu.machine:
            return None
        n = number(sketch.piece(match, "n"))
        if n.value != int(n.value) or n.value <= 0 or (n.value >= _MOST_BARE and "N 的" in match.group()):
            return None
        gpu.count = n.value
        return Piece("G", "", gpu)

    if " N " not in sketch.text or " G " not in sketch.text:
        return
    kind = _KIND
    before = rule(rf"(?P<n>N) (?:- )?(?:(?:x|{kind}) )?(?:of (?:the )?|的 |x )?(?P<g>G)(?! (?:x|:) N)(?! N {kind})")
    sketch.rewrite(before, take)
    sketch.rewrite(rule(r"(?P<n>N) atleast (?:x |of )?(?P<g>G)"), take)
    sketch.rewrite(rule(rf"(?P<n>N) (?:{_STATE} ?){{1,3}}(?P<g>G)(?! (?:x|:) N)"), take)
    sketch.rewrite(
        rule(
            rf"(?P<g>G) (?:[,(:] )?(?:x |need |want |about |with )*(?P<n>N) (?:{kind}|of"
            rf" (?:them|those|these|it)|pcs|units)(?: \))?(?! (?:hour|gpuhour))"
        ),
        take,
    )
    sketch.rewrite(rule(r"(?P<g>G) (?:pod|slice|cluster) of (?P<n>N)(?! (?:node|machine))"), take)
    sketch.rewrite(rule(r"(?P<g>G) (?:x|:) (?P<n>N)(?! (?:hour|day|U|x N))"), take)
    sketch.rewrite(rule(rf"(?P<n>N) (?:- )?(?:(?:x|{kind}) )?(?:of (?:the )?|的 |x )?(?P<g>G)"), take)


def _lists(sketch: Sketch) -> None:
    """One count in front of a list of alternatives goes to each of them."""
    between = r"(?:or|/|vs|versus|or a|or an)"
    pattern = rule(rf"G(?: (?:,|、) G)* (?:, )?{between} G(?: {between} G)*")
    for match in pattern.finditer(sketch.text):
        gpus = [p.value for p in sketch.span(match) if p.mark == "G"]
        if gpus[0].count is not None and all(g.count is None for g in gpus[1:]):
            for g in gpus[1:]:
                g.count = gpus[0].count
        elif gpus[-1].count is not None and all(g.count is None for g in gpus[:-1]) and "x" in sketch.text:
            continue


def _bare_counts(sketch: Sketch, found: dict[str, Decimal]) -> None:
    """A count without a model: "8-GPU box", "4卡", or beside a model named elsewhere."""

    def bare(match: re.Match[str]) -> Piece | None:
        value = number(sketch.piece(match, "n"))
        if value.value != int(value.value):
            return None
        found.setdefault("gpu_count", value.value)
        return Piece("counted", "", Number(value.value))

    sketch.rewrite(
        rule(
            r"(?P<n>N) (?:- )?(?:x )?(?:[张块片枚颗路](?: (?:card|gpu))?|个 (?:card|gpu)|card"
            r"|gpu)(?! (?:hour|G|data)| ?(?:照片|截图|海报|插画|[票表纸画屏]|图(?!形)))(?: node)?"
        ),
        bare,
    )
    sketch.rewrite(rule(r"(?P<n>N)(?: x(?= B)|(?= B (?:vram |memory )?(?:card|gpu)))"), bare)
    sketch.rewrite(rule(r"(?P<n>N)(?= (?:spread )?(?:across|on|over|atleast) machines)"), bare)
    sketch.rewrite(rule(r"(?P<n>N) (?:of (?:them|those|these|it)|pcs|units|pieces)"), bare)
    sketch.rewrite(
        rule(
            r"(?P<n>N) (?:x )?(?:each|per node|per machine|a node|in each)(?! (?:perhour"
            r"|perday|permonth))"
        ),
        lambda m: bare(m) if _n(sketch, m) < _LEAST_PRICE else None,
    )
    gpus = [p.value for p in sketch.of("G") if not p.excluded]
    if gpus and "gpu_count" in found:
        value = found.pop("gpu_count")
        if all(g.count is None for g in gpus):
            for g in gpus:
                g.count = value


_IN_A_MACHINE = 8
_MOST_BARE = 100  # 3000的4090: from here on a number without a measure word is a price
_SUM = r"(?:(?P<this>这|那|上面|以上) ?)?(?P<n>N) (?:(?P<sort>[个种款样者类])|[张块片])(?: ?(?P<card>card|gpu))?"
_SUMMED = rule(rf"(?P<list>G(?: (?:and|or|,|、|/) G)+) ?(?:,)? ?{_SUM}")


def _sums_up(sketch: Sketch) -> None:
    """A100、H100、L40S 三个: a number that says how many things were just listed counts no cards."""

    def make(match: re.Match[str]) -> list[Piece] | None:
        listed = sketch.span(match, "list")
        sums = match["sort"] or match["this"] or match["card"]
        if not sums or number(sketch.piece(match, "n")).value != sum(p.mark == "G" for p in listed):
            return None
        summed = Piece("summed", sketch.piece(match, "n").raw)
        summed.used = True
        return [*listed, summed]

    if " N " in sketch.text:
        sketch.rewrite(_SUMMED, make)


_OVER_MACHINES = rule(  # cards, then the machines that they stand in
    r"(?:G|counted) ?(?:(?:spread )?(?:across|on|over|in|atleast|between|to)"
    r"|,? ?(?:一共 ?|总共 ?|total )?(?:要 ?|用 ?)?(?:分布在|分到|分在|分成|分给|分|放在|放|装在|stay|在|跨)?) ?machines"
)
_IN_ALL = rule(
    r"machines ,? ?(?:with |of )?(?:a )?total (?:of |是 ?|有 ?)?(?:G|counted)|machines ,? ?(?:G|counted) total"
)


def _divide(sketch: Sketch, found: dict[str, Decimal]) -> None:
    """16 V100s on 2 servers; 16卡,两台机器; 两台一共16张: the stated total is divided."""
    nodes = found.get("nodes")
    if nodes is None or nodes <= 1:
        return
    if sketch.has(_OVER_MACHINES) or sketch.has(_IN_ALL):
        for piece in sketch.of("G"):
            gpu: Gpu = piece.value
            if gpu.count is not None and gpu.count % nodes == 0:
                gpu.count = gpu.count / nodes
        if found.get("gpu_count", Decimal(1)) % nodes == 0 and "gpu_count" in found:
            found["gpu_count"] /= nodes
