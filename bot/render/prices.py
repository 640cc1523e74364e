"""What the price commands print: reports of imports, moves, proposals, histories, and why input was refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from bot.render.figures import count, rate
from bot.render.terminal import aligned, clean
from bot.render.words import fill, install, join, word

Object = Mapping[str, Any]


def tell(key: str, lang: str, /, **slots: Any) -> str:
    """The sentence of that key; an unknown one is a mistake in the code and raises ``KeyError``."""
    return fill(SENTENCES[key][1 if lang == "zh" else 0], slots)


# ---------------------------------------------------------------- imports


def import_lines(report: Object, lang: str) -> Iterator[str]:
    """One line a source, then each check with its count and examples, then the names that nobody knows."""
    rows = []
    for one in report["sources"]:
        seen = one["seen"][:10] if one["seen"] else tell("import.undated", lang)
        news = tell("import.known" if one["already_known"] else "import.new", lang, n=one["new"])
        rows.append((one["source"], seen, tell("import.rows", lang, rows=one["rows"], kept=one["kept"]), news))
    yield from aligned(rows)
    checks: dict[str, list[Any]] = {}
    for one in report["sources"]:
        for row in one["checks"]:
            known = checks.setdefault(row["check"], [row["effect"], 0, []])
            known[1] += row["count"]
            known[2] += row["examples"]
    for check, (effect, number, examples) in checks.items():
        if effect == "ignored":
            continue
        slots = {"effect": tell(f"effect.{effect}", lang), "check": tell(f"check.{check}", lang)}
        yield tell("import.check", lang, **slots, n=number)
        yield from (f"    {clean(example)}" for example in examples[:3])
    unknown: dict[str, int] = {}
    for one in report["sources"]:
        for name, number in one["unknown"].items():
            unknown[name] = unknown.get(name, 0) + number
    if unknown:
        names = [f"{clean(name)} ({number})" for name, number in sorted(unknown.items())]
        yield tell("import.unknown", lang, names=join(names, lang))


# ---------------------------------------------------------------- moves


def move_line(move: Object, lang: str, names: Object) -> str:
    """One move in one line: what, from, to, by how much, who says so and when."""
    thing = thing_text(move, lang, names)
    regions = move["regions"]
    if regions:
        place = regions[0] if len(regions) == 1 else tell("move.regions", lang, n=len(regions), first=regions[0])
        thing = f"{thing}, {place}" if lang != "zh" else f"{thing}，{place}"
    slots = {
        "thing": thing,
        "was": price_text(move["was"], lang),
        "now": price_text(move["now"], lang),
        "percent": signed(move["percent"]),
        "date": move["from"] or "",
    }
    kind = "move.changed" if move["kind"] in ("up", "down") else f"move.{move['kind']}"
    text = tell(kind, lang, **slots)
    marks = [tell(f"move.{mark}", lang) for mark in ("found_late", "far") if move[mark]]
    source = tell("move.source", lang, source=source_text(move["source"], lang), date=move["seen"])
    return clean(("" if lang == "zh" else " ").join([text, *marks, source]))


def thing_text(thing: Object, lang: str, names: Object) -> str:
    """ "Lambda gpu_1x_h100: 1 × H100 80 GB SXM, on demand"."""
    memory = "" if thing["memory_gb"] is None else f" {thing['memory_gb']:g} GB"
    form = f" {thing['form']}" if thing["form"] else ""
    slots = {
        "provider": provider_text(thing["provider"], lang, names),
        "sku": thing["sku"],
        "card": f"{count(Decimal(str(thing['gpus'])), 3)} × {thing['gpu']}{memory}{form}",
        "plan": word("plan", thing["plan"], lang),
    }
    return tell("thing", lang, **slots)


def provider_text(provider: str, lang: str, names: Object) -> str:
    """A provider's name, or its id where only feeds know it."""
    return str(names.get(provider, {}).get(lang, provider))


def source_text(source: Object, lang: str) -> str:
    """Title of a source; what a colleague said in passing is shown as that."""
    said = source["key"].startswith("community/")
    return tell("source.teammate", lang, who=source["title"]) if said else str(source["title"])


def price_text(price: Object | None, lang: str) -> str:
    """A price in the words of an answer: "$1.49/GPU-h", "$1.49/卡时"."""
    if price is None:
        return "-"
    return f"{rate(Decimal(str(price['amount'])), price['currency'])}/{word('unit', price['per'], lang)}"


def signed(percent: Any) -> str:
    """A change in percent with its sign.

    >>> signed(-33.0)
    '−33 %'
    """
    if percent is None:
        return "?"
    value = Decimal(str(percent))
    return f"{'+' if value > 0 else '−' if value < 0 else '±'}{count(abs(value), 1)} %"


def diff_lines(report: Object, lang: str) -> Iterator[str]:
    """Every move since a day, and what cannot be known of it."""
    moves = report["moves"]
    yield tell("diff.title" if moves else "diff.none", lang, n=len(moves), since=report["since"], until=report["until"])
    yield from (f"- {move_line(move, lang, report['names'])}" for move in moves)
    down = [feed["source"] for feed in report["feeds"] if not feed["up"]]
    if down:
        yield tell("diff.down", lang, sources=join(down, lang))


# ---------------------------------------------------------------- proposals


def proposal_lines(report: Sequence[Object], lang: str) -> Iterator[str]:
    """YAML to add by hand, a block for each provider's file; what is no YAML is a comment."""
    if not report:
        yield f"# {tell('propose.none', lang)}"
    by_provider: dict[str, list[Object]] = {}
    for one in report:
        by_provider.setdefault(one["provider"], []).append(one)
    for provider, rows in by_provider.items():
        yield f"# providers/{provider}.yaml"
        yield "sources:"
        yield from (f"  {source}" for source in sorted({row["source"] for row in rows}))
        for row in rows:
            yield f"# {row['offer']}: {tell('propose.' + row['why'], lang, was=row['was'] or '-')}"
            yield f"      {row['line']}"


# ---------------------------------------------------------------- refusals


def why_refused(key: str, lang: str, slots: Object) -> str:
    """The one sentence for input or an address that cannot be used."""
    command = install(slots["extra"]) if "extra" in slots else ""
    return clean(tell(key, lang, **{"reason": "", "name": "", "command": command, **slots}))


SENTENCES: dict[str, tuple[str, str]] = {
    "thing": ("{provider} {sku}: {card}, {plan}", "{provider} {sku}：{card}，{plan}"),
    "source.teammate": ("reported by a teammate: {who}", "同事报价：{who}"),
    # ------------------------------------------------------------ imports
    "import.rows": ("{rows} {rows:row/rows}, {kept} kept", "{rows} 行，保留 {kept} 条"),
    "import.new": ("{n} new {n:observation/observations}", "新增 {n} 条"),
    "import.known": ("known already, nothing changed", "此前已导入，没有变化"),
    "import.check": ("{effect} · {check}: {n}", "{effect} · {check}：{n}"),
    "import.undated": ("undated", "无日期"),
    "import.unknown": (
        "GPUs that we do not know, kept and not ranked: {names}",
        "不认识的 GPU，保留但不参与排名：{names}",
    ),
    "effect.rejected": ("rejected", "拒绝"),
    "effect.marked": ("kept, not ranked", "保留，不排名"),
    "effect.noted": ("noted", "说明"),
    "check.no-gpu": ("no GPU in the row", "该行没有 GPU"),
    "check.unreadable": (
        "a number or word that cannot be read (line: column = what stands there)",
        "有读不懂的数字或字段（行：列 = 内容）",
    ),
    "check.zero-price": ("price 0", "价格为 0"),
    "check.spot-zero": ("spot 0.00, which stands for none", "竞价 0.00，意思是没有"),
    "check.spot-equals-on-demand": ("spot equals on demand, which stands for none", "竞价等于按需价，意思是没有"),
    "check.spot-above-on-demand": ("spot above on demand", "竞价高于按需价"),
    "check.host-apart": ("host and GPU are priced apart", "主机与 GPU 分开计价"),
    "check.shape-differs": ("GPU or count differ from our own table", "GPU 型号或数量与本地资料不符"),
    "check.listed-twice": ("one thing at two prices", "同一项有两个价格"),
    "check.does-not-add-up": ("more GPUs for no more money", "GPU 更多却不更贵"),
    "check.unknown-gpu": ("a GPU that we do not know", "不认识的 GPU"),
    "check.undated": ("no date: give --seen, or it is never ranked", "没有日期：请用 --seen 给出，否则不参与排名"),
    "check.not-on-demand": ("not sold on demand", "不按需出售"),
    "check.slice": ("a share of a GPU", "不足一张 GPU 的切片"),
    "check.memory-wrong": ("GPU memory wrong in the source, ours is used", "来源的显存有误，采用本地资料"),
    "check.memory-unstated": (
        "the name fits several cards: memory or form stays open",
        "名称对应多款显卡：显存或规格不确定",
    ),
    "check.alias": ("another spelling of a GPU", "GPU 的另一种写法"),
    "check.everywhere": (
        "every type in every region: a price list, which says nothing of stock",
        "所有型号乘所有区域：只是价目，不代表有货",
    ),
    "check.repeated": ("the same row twice", "重复的行"),
    "check.zones": ("several zones of a region, the cheapest counts", "同一区域有多个可用区，取最低价"),
    "check.region-unknown": ("a region that we do not know", "不认识的区域"),
    "check.shapes-missing": ("one GPU and eight are listed, nothing between", "只列出 1 张和 8 张，缺中间规格"),
    "check.unknown-provider": (
        "a provider that the knowledge does not have: kept, ranks under its own name",
        "资料中没有的平台：保留，以其自身名称参与排名",
    ),
    "check.old": ("older than this provider's prices may be", "已超过该平台价格的有效期"),
    "check.moved-far": ("moved far since the last list", "与上一份价目相差很大"),
    "check.partial": ("by its name the file is a part of a list", "从文件名看只是部分价目"),
    # ------------------------------------------------------------ moves
    "move.changed": ("{thing}: {was} → {now} ({percent})", "{thing}：{was} → {now}（{percent}）"),
    "move.new": ("{thing}: new at {now}", "{thing}：新上架，{now}"),
    "move.gone": ("{thing}: no longer listed (was {was})", "{thing}：不再列出（原价 {was}）"),
    "move.withdrawn": ("{thing}: not sold any more (was {was})", "{thing}：停止销售（原价 {was}）"),
    "move.announced": ("{thing}: announced {was} → {now} from {date}", "{thing}：宣布自 {date} 起 {was} → {now}"),
    "move.found_late": ("(held before, found now)", "（此前已生效，本期才发现）"),
    "move.far": ("(moved far: look again)", "（变动很大，请复核）"),
    "move.source": ("[{source}, {date}]", "（来源：“{source}”，{date}）"),
    "move.regions": ("{n} regions, {first} and others", "{first} 等 {n} 个区域"),
    "diff.title": ("{n} {n:price/prices} moved from {since} to {until}:", "{since} 至 {until} 有 {n} 个价格变动："),
    "diff.none": ("No price moved from {since} to {until}.", "{since} 至 {until} 没有价格变动。"),
    "diff.down": ("Not read since then, so nothing is known of: {sources}", "此后没有再读取，情况未知：{sources}"),
    # ------------------------------------------------------------ proposals
    "propose.none": ("the feeds suggest no line", "价格源没有可建议的价格行"),
    "propose.changed": ("the folder says {was}", "本地资料为 {was}"),
    "propose.confirmed": ("confirms {was}, which is due for a check", "与本地的 {was} 一致，该价格已到复查期"),
    "propose.first": ("the folder has no price", "本地资料没有价格"),
    # ------------------------------------------------------------ history
    "history.title": (
        "{gpu}{memory}, {plan}, USD per GPU-hour, {first} to {last}",
        "{gpu}{memory}，{plan}，美元/卡时，{first} 至 {last}",
    ),
    "history.lowest": ("lowest of all", "最低价"),
    "history.none": ("Nothing dated is known of {gpu} under this plan.", "没有 {gpu} 该计费方式的带日期价格。"),
    "history.more": ("{n} more {n:provider/providers} with higher prices", "另有 {n} 个价格更高的平台"),
    "history.image": ("Chart written to {file}", "图表已写入 {file}"),
    "history.alt": ("Line chart of {title}. {text}", "折线图：{title}。{text}"),
    "history.point": ("{provider}: {first} → {last}", "{provider}：{first} → {last}"),
    # ------------------------------------------------------------ refresh
    "refresh.away": (
        "Not reached: {names}; what they said last stays in use with its own date.",
        "未能访问：{names}；沿用其上一次价目，日期不变。",
    ),
    "refresh.all_away": (
        "No price source could be reached ({reason}); the prices known so far stay in use, dated as they are.",
        "无法访问任何价格源（{reason}）；继续使用已有价格，日期不变。",
    ),
    # ------------------------------------------------------------ refusals
    "feed.no_file": ("there is no file {name}", "没有文件 {name}"),
    "feed.no_tables": ("{name} holds no .csv or .zip file", "{name} 中没有 .csv 或 .zip 文件"),
    "feed.unreadable": ("{name} cannot be read: {reason}", "无法读取 {name}：{reason}"),
    "feed.too_large": (
        "{name} is larger than {mb} MB, which no price list is; give the CSV itself",
        "{name} 超过 {mb} MB，价目不会这么大；请给出 CSV 本身",
    ),
    "feed.long_line": (
        "{name} has a line longer than {n} characters, so it is no table; give a CSV with one row a line",
        "{name} 有一行超过 {n} 个字符，不是表格；请给出每行一条的 CSV",
    ),
    "feed.zip_tables": (
        "{name} holds {n} CSV files; give a zip with one, or a folder",
        "{name} 中有 {n} 个 CSV 文件；请给出只含一个的 zip，或一个文件夹",
    ),
    "feed.zip_bomb": (
        "{name} unpacks to far more than a price list; it was not opened",
        "{name} 解压后远大于价目应有的大小，未打开",
    ),
    "feed.bad_zip": ("{name} is a zip that cannot be unpacked; fetch it again", "{name} 无法解压，请重新下载"),
    "feed.not_utf8": (
        "{name}:{line}: this is not UTF-8 text; save the file as UTF-8",
        "{name}:{line}：不是 UTF-8 文本，请另存为 UTF-8",
    ),
    "feed.empty": ("{name} is empty", "{name} 是空文件"),
    "feed.web_page": (
        "{name} is a web page, not a table; fetch the CSV itself",
        "{name} 是网页而不是表格，请下载 CSV 本身",
    ),
    "feed.not_text": ("{name} is not text; give a CSV in UTF-8", "{name} 不是文本，请给出 UTF-8 的 CSV"),
    "feed.not_json": ("{name} did not answer with a list of offers", "{name} 返回的不是报价列表"),
    "feed.broken": ("{name}:{line}: the CSV is broken ({reason})", "{name}:{line}：CSV 已损坏（{reason}）"),
    "feed.cut": (
        "{name}:{line}: the last row has {got} of {want} columns: the file is cut off, so none of it counts",
        "{name}:{line}：最后一行只有 {got}/{want} 列：文件被截断，整份不采用",
    ),
    "feed.ragged": (
        "{name}:{line}: {got} columns where the first line names {want}, so none of it counts",
        "{name}:{line}：有 {got} 列，而首行有 {want} 列，整份不采用",
    ),
    "feed.column_twice": ("{name}:1: the column “{column}” stands twice", "{name}:1：列“{column}”出现两次"),
    "feed.no_column": (
        "{name}:1: the column “{column}” is missing; the first line has {found}",
        "{name}:1：缺少列“{column}”；首行为 {found}",
    ),
    "feed.no_rows": ("{name} has a first line and no rows", "{name} 只有首行，没有数据"),
    "feed.unusable": (
        "{name}: {n} of {rows} rows cannot be read ({example}); are the columns in order?",
        "{name}：{rows} 行中有 {n} 行读不懂（{example}），列是否错位？",
    ),
    "feed.nothing": (
        "{name}: of {rows} rows none is a GPU with a price that can count",
        "{name}：{rows} 行中没有可用的 GPU 价格",
    ),
    "feed.shrunk": (
        "{name} has {got} rows and the last list had {last}; if that is right, add --anyway",
        "{name} 只有 {got} 条，而上一份有 {last} 条；若无误，请加 --anyway",
    ),
    "feed.same_time": (
        "{name}: {source} already said something else for {seen}; give another --seen",
        "{name}：{source} 在 {seen} 已有另一份价目，请用另一个 --seen",
    ),
    "feed.future": ("{name}: {seen} is still to come", "{name}：{seen} 还没到"),
    "feed.store": ("{name} could not be kept: {reason}", "{name} 无法保存：{reason}"),
    "feed.away": ("{name} could not be reached ({reason})", "无法访问 {name}（{reason}）"),
    "feed.not_served": ("{name} is not published ({reason})", "{name} 没有发布（{reason}）"),
    "feed.no_version": ("{name} names no version", "{name} 没有给出版本"),
    "feed.no_library": (
        "without gpuhunt the providers that only it asks were left out: run {command} in the checkout",
        "未安装 gpuhunt，因此略过只能由它查询的平台：在代码目录里运行 {command}",
    ),
    "feed.no_quote": ("that names no single provider, GPU and price", "其中没有唯一的平台、GPU 和价格"),
    "feed.format": ("--as {text} is no format; write one of {list}", "--as {text} 不是格式，请写其中之一：{list}"),
    "feed.no_gpu.none": (
        "nothing is known as “{text}”; gpu-bot kb list {kind} shows what is",
        "没有“{text}”，用 gpu-bot kb list {kind} 查看",
    ),
    "feed.no_gpu": ("nothing is known as “{text}”; did you mean {near}?", "没有“{text}”，是不是 {near}？"),
    "feed.image": (
        "the chart is written as SVG; name a file that ends in .svg",
        "图表以 SVG 写出，请给出以 .svg 结尾的文件名",
    ),
    "feed.not_written": ("{name} could not be written: {reason}", "无法写入 {name}：{reason}"),
    "feed.week": ("“{text}” is no week; write it as 2026-W48", "“{text}”不是周，请写成 2026-W48"),
    "feed.week_ahead": ("{text} has not begun", "{text} 还没开始"),
    "feed.long_ago": ("no price was noted before {year}", "{year} 年以前没有记录过价格"),
    "feed.plan": ("“{text}” is no plan; write one of {list}", "“{text}”不是计费方式，请写其中之一：{list}"),
}
