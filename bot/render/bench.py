"""A benchmark's record in words: what was measured, what that means and why, in English and Chinese side by side."""

# ruff: noqa: E501  (a sentence stands on one line, however long)

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from bot.render.figures import count, percent
from bot.render.terminal import aligned, clean
from bot.render.words import fill, install, join

Record = Mapping[str, Any]
_TEXT = 200  # characters of what a host says that are shown


def say(key: str, lang: str, /, **slots: Any) -> str:
    """The sentence of that key; an unknown key is a mistake in the code and raises ``KeyError``."""
    return fill(SENTENCES[key][1 if lang == "zh" else 0], slots)


def word(prefix: str, value: Any, lang: str) -> str:
    """The word of a closed list; a value without an entry stands for itself."""
    key = f"{prefix}.{value}"
    return say(key, lang) if key in SENTENCES else safe(value)


def safe(value: Any) -> str:
    """What a host sent, as one short line without control characters."""
    return clean(str(value))[:_TEXT]


# ---------------------------------------------------------------- the report


def report_lines(record: Record, lang: str) -> Iterator[str]:
    """The whole report: the verdict on the first line, then what it rests on."""
    yield headline(record, lang)
    yield from shares(record, lang)
    yield from _findings(record.get("findings"), "found", lang)
    for card in record.get("gpus") or ():
        yield from _card_lines(card, lang, many=len(record["gpus"]) > 1)
    yield from between(record, lang)
    yield from _findings(record.get("remarks"), "found", lang)
    if record.get("claim"):
        yield claim_sentence(record, lang)
    table = node_table(record, lang)
    if table:
        yield ""
        yield from table
    yield ""
    yield from _method(record, lang)


def headline(record: Record, lang: str) -> str:
    """One line: the verdict, the rate and where."""
    verdict, state = str(record.get("verdict")), str(record.get("state", "ok"))
    host = record.get("host")
    where = say("where", lang, host=safe(host)) if host else ""
    if state != "ok" and record.get("tflops") is None:
        return say("head.state", lang, state=_state(record, state, lang), where=where)
    name = safe(_name(record))
    if record.get("tflops") is None:
        return say("head.bare", lang, verdict=word("verdict", verdict, lang), name=name or "GPU", where=where)
    slots = {"tflops": rate(record["tflops"]), "dtype": safe(record.get("dtype")), "name": name, "where": where}
    return say("head", lang, verdict=word("verdict", verdict, lang), **slots)


def _state(record: Record, state: str, lang: str) -> str:
    """How a run ended; what to do without torch depends on whose Python it was."""
    if state == "no_torch" and record.get("self_reported"):
        return say("state.no_torch.file", lang)
    if state == "no_torch" and record.get("host") == "local":
        return say("state.no_torch.local", lang, command=install("torch"))
    return word("state", state, lang)


def _name(record: Record) -> str:
    """What the worst GPU calls itself."""
    cards = record.get("gpus") or ()
    worst = next((one for one in cards if one.get("index") == record.get("worst_gpu")), None)
    return str((worst or {}).get("name") or record.get("gpu") or "")


def shares(record: Record, lang: str) -> Iterator[str]:
    """The rate against what healthy cards reach and against the datasheet: always both where both are known."""
    tflops, expected, dense = (_decimal(record.get(name)) for name in ("tflops", "expected_tflops", "dense_tflops"))
    if tflops is not None and expected:
        tier = say(f"tier.{record.get('tier') or 'B'}", lang)
        yield say("share.expected", lang, share=percent(tflops / expected), expected=rate(expected), tier=tier)
    if tflops is not None and dense:
        key = "share.dense" if expected is not None else "share.dense.only"
        healthy = percent(expected / dense) if expected is not None else ""
        yield say(key, lang, share=percent(tflops / dense), dense=rate(dense), healthy=healthy)
    if record.get("verdict") == "cpu":
        yield say("share.cpu", lang)


def _card_lines(card: Record, lang: str, *, many: bool) -> Iterator[str]:
    found = [
        *_findings(card.get("findings"), "found", lang),
        *_findings(card.get("causes"), "found", lang),
        *_findings(card.get("remarks"), "found", lang),
    ]
    for sentence in found:
        yield say("gpu.says", lang, n=card.get("index"), text=sentence) if many else sentence


def _findings(found: Any, prefix: str, lang: str) -> Iterator[str]:
    for one in found or ():
        yield finding(one, lang, prefix)


def finding(one: Record, lang: str, prefix: str = "found") -> str:
    """One finding in words; shares are percentages and texts of the host are made harmless."""
    key = f"{prefix}.{one.get('key')}"
    if key not in SENTENCES:
        return safe(one.get("key"))
    slots = {name: _slot(name, value, lang) for name, value in one.items() if name != "key"}
    return say(key, lang, **slots)


_SHARES = ("share", "cv", "low", "high")
_GBPS = ("gbps", "usual")
_WORDS = {"reason": "reason", "why": "why"}


def _slot(name: str, value: Any, lang: str) -> Any:
    number = _decimal(value)
    if number is not None and name in _SHARES:
        return percent(number)
    if number is not None and name in _GBPS:
        return gbps(number)
    if name in _WORDS:
        return word(_WORDS[name], value, lang)
    if number is not None:
        return count(number) if name != "error" else f"{number:.2g}"
    if isinstance(value, (list, tuple)):
        return ", ".join(safe(item) for item in value)
    return None if value is None else safe(value)


def claim_sentence(record: Record, lang: str) -> str:
    """What the vendor's figure is, before it is compared with anything."""
    claim = record["claim"]
    kinds = [str(one) for one in claim.get("kinds") or ()]
    names = join([word("claim.kind", one, lang) for one in kinds], lang, "or")
    slots = {
        "claim": rate(claim.get("tflops")), "kinds": names, "dense": _rate_or_unknown(record.get("dense_tflops")),
        "expected": _rate_or_unknown(record.get("expected_tflops")), "tflops": _rate_or_unknown(record.get("tflops")),
    }  # fmt: skip
    first = kinds[0] if kinds else "unknown"
    key = f"claim.{first}" if f"claim.{first}" in SENTENCES else "claim.other"
    return say(key, lang, **slots)


def _rate_or_unknown(value: Any) -> str | None:
    return None if _decimal(value) is None else rate(value)


def between(record: Record, lang: str) -> Iterator[str]:
    """What copies between the GPUs of a node reach, and a sum over all of them."""
    rates = [rate for one in record.get("links") or () if (rate := _decimal(one.get("gbps"))) is not None]
    if rates:
        low, high = gbps(min(rates)), gbps(max(rates))
        yield say("links.one", lang, low=low) if low == high else say("links", lang, low=low, high=high)
    indirect = [one for one in record.get("links") or () if one.get("peer") is False]
    if indirect and len(indirect) == len(record["links"]):
        yield say("links.indirect.all", lang)
    elif indirect:
        pairs = [f"{safe(one.get('from'))} → {safe(one.get('to'))}" for one in indirect]
        more = [say("links.indirect.more", lang, n=len(pairs) - _PAIRS)] if len(pairs) > _PAIRS else []
        yield say("links.indirect", lang, pairs=join([*pairs[:_PAIRS], *more], lang))
    total = record.get("all_reduce") or {}
    if (bus := _decimal(total.get("bus_gbps"))) is not None:
        gpus = total.get("gpus")
        slots = {
            "n": len(gpus) if isinstance(gpus, list) else None,
            "bus": gbps(bus),
            "size": _whole(total.get("size_mib")),
        }
        if total.get("method") == "nccl":
            yield say("all_reduce.nccl", lang, version=safe(total.get("version")), **slots)
        else:
            yield say("all_reduce.copies", lang, **slots)


_PAIRS = 6  # that are named


def gbps(value: Decimal) -> str:
    """GB/s as people write them: whole from 100 up, else with one decimal."""
    return count(value, 0 if value >= 100 else 1)


def link_table(record: Record) -> list[str]:
    """A row for each GPU that sends and a column for each that receives, in GB/s; nothing without a link."""
    rates = {(one.get("from"), one.get("to")): _decimal(one.get("gbps")) for one in record.get("links") or ()}
    gpus = sorted({gpu for ends in rates for gpu in ends if isinstance(gpu, int)})
    if not gpus:
        return []
    rows = [("", *(f"→ {gpu}" for gpu in gpus))]
    for source in gpus:
        cells = (rates.get((source, target)) for target in gpus)
        rows.append((str(source), *("-" if cell is None else gbps(cell) for cell in cells)))
    return aligned(rows, right=tuple(range(len(gpus) + 1)))


def node_table(record: Record, lang: str) -> list[str]:
    """One row for each GPU of a node, and below it the copies between them; nothing for a single one."""
    cards = record.get("gpus") or ()
    if len(cards) < 2:
        return []
    names = ("gpu", "verdict", "tflops", "share", "mhz", "watt", "heat")
    rows: list[tuple[str, ...]] = [tuple(say(f"column.{name}", lang) for name in names)]
    for card in cards:
        steady = card.get("steady") or {}
        share = _decimal(card.get("share_expected"))
        row = [str(card.get("index")), word("verdict.short", card.get("verdict"), lang)]
        row += [_rate_or_unknown(card.get("tflops")) or "-", percent(share) if share is not None else "-"]
        row += [_whole(steady.get(name)) for name in ("mean_mhz", "mean_w", "max_c")]
        rows.append(tuple(row))
    links = link_table(record)
    return [*aligned(rows, right=(0, 2, 3, 4, 5, 6)), *(["", say("links.title", lang), *links] if links else [])]


def _whole(value: Any) -> str:
    number = _decimal(value)
    return "-" if number is None else count(number, 0)


def _method(record: Record, lang: str) -> Iterator[str]:
    if record.get("mode") == "quick":
        yield say("method.quick", lang)
    cards: Sequence[Any] = record.get("gpus") or ()
    steady = (cards[0].get("steady") or {}) if cards else {}
    shape = steady.get("shape")
    if isinstance(shape, list) and record.get("tflops") is not None:
        slots = {"shape": "×".join(safe(one) for one in shape), "batches": _whole(steady.get("batches"))}
        cv = _decimal(steady.get("cv"))
        spread = "?" if cv is None else percent(cv)
        yield say(
            "method",
            lang,
            **slots,
            cv=spread,
            torch=safe(cards[0].get("torch")),
            protocol=safe(record.get("protocol_version")),
        )
    if record.get("self_reported"):
        yield say("method.self_reported", lang)
    if record.get("verdict") in ("healthy", "pass", "plausible"):
        yield say("method.consistent", lang)


# ---------------------------------------------------------------- progress, hosts, history


def step_name(event: Mapping[str, Any], lang: str) -> str:
    """What a host is doing now."""
    name = word("step", event.get("step"), lang)
    dtype = event.get("dtype")
    return f"{name} {safe(dtype)}" if dtype else name


def host_lines(rows: Sequence[Record], lang: str) -> Iterator[str]:
    """Registered hosts as a table."""
    yield from _table(rows, ("name", "address", "state", "ordered_as", "offer", "last"), lang, say("hosts.none", lang))


def history_lines(rows: Sequence[Record], lang: str) -> Iterator[str]:
    """Stored readings, the newest first; those of another method are marked, for they do not compare."""
    names = ("at", "host", "gpu", "dtype", "tflops", "verdict", "mode", "protocol_version")
    yield from _table(rows, names, lang, say("history.none", lang))
    if len({row.get("protocol_version") for row in rows}) > 1:
        yield say("history.versions", lang)


def _table(rows: Sequence[Record], names: Sequence[str], lang: str, empty: str) -> Iterator[str]:
    if not rows:
        yield empty
        return
    table = [tuple(say(f"column.{name}", lang) for name in names)]
    table += [tuple(_cell(name, row.get(name), lang) for name in names) for row in rows]
    yield from aligned(table, right=tuple(n for n, name in enumerate(names) if name == "tflops"))


def _cell(name: str, value: Any, lang: str) -> str:
    if value is None or value == "":
        return "-"
    if name == "tflops":
        return _rate_or_unknown(value) or "-"
    if name in ("verdict", "state", "mode"):
        return word({"verdict": "verdict.short"}.get(name, name), value, lang)
    return safe(value)


def rate(value: Any) -> str:
    """TFLOPS as people write them: whole from 100 up, else three digits or more."""
    number = _decimal(value)
    if number is None:
        return "?"
    return count(number, 1 if number >= 10 else 3)


def _decimal(value: Any) -> Decimal | None:
    if isinstance(value, bool) or not isinstance(value, (int, float, Decimal)):
        return None
    found = Decimal(str(value))
    return found if found.is_finite() else None


SENTENCES: dict[str, tuple[str, str]] = {
    # ------------------------------------------------------------ the first line
    "head": ("{verdict}: {tflops} TFLOPS {dtype} on {name}{where}", "{verdict}：{name}{where} 实测 {dtype} {tflops} TFLOPS"),
    "head.bare": ("{verdict}: {name}{where}", "{verdict}：{name}{where}"),
    "head.state": ("No reading{where}: {state}", "没有测得结果{where}：{state}"),
    "where": (" ({host})", "（{host}）"),
    "verdict.not_as_sold": ("NOT WHAT WAS SOLD", "与所售不符"),
    "verdict.faulty": ("FAULTY", "有故障"),
    "verdict.fail": ("FAIL", "不合格"),
    "verdict.implausible": ("IMPLAUSIBLE", "不可信"),
    "verdict.below": ("BELOW EXPECTATION", "低于预期"),
    "verdict.inconclusive": ("INCONCLUSIVE", "无法判定"),
    "verdict.unsupported": ("UNSUPPORTED", "无法测试"),
    "verdict.unknown": ("UNKNOWN", "未知"),
    "verdict.plausible": ("PLAUSIBLE", "可信"),
    "verdict.pass": ("PASS", "合格"),
    "verdict.healthy": ("HEALTHY", "健康"),
    "verdict.cpu": ("NO GPU FOUND", "没有找到 GPU"),
    "verdict.short.not_as_sold": ("not as sold", "与所售不符"),
    "verdict.short.faulty": ("faulty", "有故障"),
    "verdict.short.fail": ("fail", "不合格"),
    "verdict.short.implausible": ("implausible", "不可信"),
    "verdict.short.below": ("below", "低于预期"),
    "verdict.short.inconclusive": ("inconclusive", "无法判定"),
    "verdict.short.unsupported": ("unsupported", "无法测试"),
    "verdict.short.unknown": ("unknown", "未知"),
    "verdict.short.plausible": ("plausible", "可信"),
    "verdict.short.pass": ("pass", "合格"),
    "verdict.short.healthy": ("healthy", "健康"),
    "verdict.short.cpu": ("CPU", "CPU"),
    # ------------------------------------------------------------ how a run went
    "state.queued": ("it waits for its turn", "正在排队"),
    "state.connecting": ("connecting", "正在连接"),
    "state.running": ("it is running", "正在运行"),
    "state.ok": ("done", "已完成"),
    "state.failed": ("the benchmark failed on the host", "测试在主机上失败"),
    "state.cancelled": ("it was cancelled", "已取消"),
    "state.timeout": ("it took too long and was ended", "超时，已终止"),
    "state.lost": ("the connection was lost", "连接中断"),
    "state.hostkey": ("the host showed another key than the registered one; if it was rebuilt, remove it and add it again after checking the key with its provider", "主机出示的密钥与登记的不同；如果主机重装过，请先与平台核对密钥，再删除并重新登记"),
    "state.unreachable": ("the host could not be reached", "无法连接主机"),
    "state.no_torch": ("no Python with torch was found on the host; install torch there, or register the host again and name the right one (gpu-bot hosts add … --python …)", "主机上没有装有 torch 的 Python；请在主机上安装 torch，或用 gpu-bot hosts add … --python 重新登记并指定"),
    "state.no_torch.local": ("no Python with torch was found on this machine; run {command} in the checkout", "本机没有装有 torch 的 Python；请在代码目录里运行 {command}"),
    "state.no_torch.file": ("the Python that ran the script has no torch; run the script with one that has", "运行脚本的 Python 没有 torch；请换一个装有 torch 的 Python 运行"),
    "state.busy": ("the host is busy with another run or another program", "主机正忙：有别的测试或程序在运行"),
    "state.dirty": ("it is not certain that the last run ended; gpu-bot hosts test looks again", "不能确定上次运行已结束；用 gpu-bot hosts test 再检查一次"),
    "state.ready": ("ready", "可用"),
    # ------------------------------------------------------------ shares
    "share.expected": ("{share} of the {expected} TFLOPS that healthy cards of this model reach ({tier})", "达到同型号健康卡水平（{expected} TFLOPS）的 {share}（{tier}）"),
    "share.dense": ("{share} of the dense datasheet figure of {dense}; healthy cards of this model reach {healthy} of it", "是官方稠密峰值 {dense} 的 {share}；同型号健康卡可达其 {healthy}"),
    "share.dense.only": ("{share} of the dense datasheet figure of {dense}; no reading of a healthy card of this model is known", "是官方稠密峰值 {dense} 的 {share}；没有同型号健康卡的已知实测"),
    "share.cpu": ("This is a CPU rate and cannot be compared with a claim about a GPU", "这是 CPU 的速度，不能与 GPU 的宣传值比较"),
    "tier.A": ("several steady readings", "多次稳态实测"),
    "tier.B": ("one reading, or the best of several shapes: a wide band", "单次实测或最佳形状，容差较宽"),
    "gpu.says": ("GPU {n}: {text}", "GPU {n}：{text}"),
    # ------------------------------------------------------------ it is another card
    "found.not.name": ("{wanted} was ordered, the card calls itself {found}", "订购的是 {wanted}，而这张卡自称 {found}"),
    "found.not.sms": ("It has {found} SMs; that model has {wanted}", "它有 {found} 个 SM，该型号应有 {wanted} 个"),
    "found.not.memory": ("It reports {found} GB of memory; that model has {wanted} GB", "它报告的显存是 {found} GB，该型号应为 {wanted} GB"),
    "found.not.cc": ("Its compute capability is {found}; that model's is {wanted}", "它的计算能力是 {found}，该型号应为 {wanted}"),
    "found.not.pci": ("Its PCI id {found} is that of {card}; that model's is {wanted}", "它的 PCI 编号 {found} 属于 {card}，该型号应为 {wanted}"),
    "found.not.fp16-acc": ("With fp16 accumulation it is {found} times as fast, as only GeForce chips are", "用 fp16 累加时快 {found} 倍，只有 GeForce 芯片才会这样"),
    "found.not.fp64": ("Its fp64 rate is {found} of fp32; that model's is {wanted}", "它的 fp64 是 fp32 的 {found}，该型号应为 {wanted}"),
    "found.not.mig": ("It is a slice of a card (MIG), not a whole one", "这只是一张卡的切片（MIG），不是整卡"),
    # ------------------------------------------------------------ faults
    "found.fault.wrong": ("A {dtype} product came out wrong: relative error {error}", "{dtype} 矩阵乘结果错误：相对误差 {error}"),
    "found.fault.unwritten": ("A {dtype} product left entries unwritten or not a number", "{dtype} 矩阵乘有未写入或非数字的元素"),
    "found.fault.ecc": ("{n} uncorrected memory {n:error/errors} appeared during the run", "运行中出现 {n} 个不可纠正的显存错误"),
    "found.fault.remap-failure": ("The remapping of bad memory rows has failed", "坏显存行的重映射失败"),
    "found.fault.remap-pending": ("Bad memory rows wait to be remapped: the card needs a reset", "有坏显存行等待重映射：需要重置该卡"),
    "found.fault.xid": ("The driver reported a fault during the run: {text}", "运行中驱动报告故障：{text}"),
    "found.fault.memory": ("{n} memory {n:word/words} read back other than written", "{n} 个显存字读回与写入不同"),
    "found.fault.link": ("{n} {n:word/words} of a copy from GPU {from} arrived wrong", "从 GPU {from} 拷来的数据有 {n} 个字是错的"),
    "found.fault.all-reduce": ("{n} {n:word/words} of a sum over all GPUs came out wrong", "全部 GPU 的求和（all-reduce）有 {n} 个字是错的"),
    "found.fault.memory-read": ("The memory could not be written and read back: {error}", "显存无法写入并读回：{error}"),
    # ------------------------------------------------------------ nothing can be said
    "found.busy": ("GPU {gpu} was not free before the start: {why}", "开始前 GPU {gpu} 已被占用：{why}"),
    "found.held": ("One run a host at a time: run {by} holds its lock, for {seconds} s (process {process} of {user})", "每台主机同时只运行一个：运行 {by} 占用主机锁已 {seconds} 秒（{user} 的进程 {process}）"),
    "found.no-end": ("The run has no end line: it was cut off", "结果没有结束行：运行被中断"),
    "found.ended": ("The run ended early: {why}", "运行提前结束：{why}"),
    "found.protocol": ("The reading is of method version {found}; this is version {wanted}, and the two do not compare", "读数的方法版本是 {found}，当前是 {wanted}，两者不可比较"),
    "found.seed": ("The reading answers another run than this one", "读数对应的不是这次运行"),
    "found.unsupported": ("The software on the host cannot use this accelerator: {why} {error}", "主机上的软件无法使用该加速器：{why} {error}"),
    "found.no-torch": ("There is no torch on the host", "主机上没有 torch"),
    "found.refused": ("The run was refused: {why}; the card computes {has}", "拒绝运行：{why}；该卡支持 {has}"),
    "found.died": ("The measuring process was killed (signal {signal})", "测量进程被杀死（信号 {signal}）"),
    "found.error": ("The measuring process stopped: {error}", "测量进程中止：{error}"),
    "found.mig": ("It is a slice of a card (MIG): no figure of the whole card applies", "这是一张卡的切片（MIG）：整卡数据不适用"),
    "found.vgpu": ("{name} is a virtual GPU, shared with others", "{name} 是与他人共享的虚拟 GPU"),
    "found.no-reading": ("There is no steady reading", "没有稳态读数"),
    "found.no-check": ("The results were not checked", "结果未经校验"),
    "found.unsteady": ("The rate varied by {cv}; at most 5 % can be judged", "速度波动 {cv}，超过 5 % 无法判定"),
    "found.no-clocks": ("Clocks could not be read during the run, so a low rate could not be explained", "运行中读不到时钟频率，速度偏低时无法解释原因"),
    "found.too-fast": ("{share} of the datasheet figure is more than any such card can do: the clock or the result is not to be trusted", "达到官方峰值的 {share}，超出这种卡的能力：计时或结果不可信"),
    "found.unknown-card": ("“{name}” is not in the table of accelerators, so nothing is expected of it", "加速器表里没有“{name}”，因此没有预期值"),
    "found.no-expectation": ("Nothing is known of what healthy cards reach in {dtype}", "不知道健康卡的 {dtype} 应达到多少"),
    "found.class": ("Cards of this class reach {low} to {high} of the datasheet figure", "这类卡可达官方峰值的 {low} 到 {high}"),
    "found.slower-than-node": ("It reaches {share} of the best GPU of its node", "只达到同机最快 GPU 的 {share}"),
    "found.contended": ("The machine was busy: the benchmark had {share} of its CPU, so no rate is judged", "机器繁忙：测试只得到 {share} 的 CPU，不作判定"),
    # ------------------------------------------------------------ causes
    "found.cause.clocks": ("The clock explains it: {mhz} MHz on average, of which {share} was used", "原因在时钟频率：平均 {mhz} MHz，利用率 {share}"),
    "found.cause.throttle": ("Held down {share} of the time: {reason} (up to {max_c} °C)", "{share} 的时间被限制：{reason}（最高 {max_c} °C）"),
    "found.cause.not-clocks": ("The clock does not explain it: only {share} of what it allowed was used, so look at software, other users, or the card", "不是时钟频率的原因：只用到其允许的 {share}，请检查软件、其他用户或这张卡本身"),
    "reason.power-cap": ("the power limit", "功率上限"),
    "reason.thermal": ("temperature", "温度"),
    "reason.hw-thermal": ("temperature (hardware)", "温度（硬件）"),
    "reason.hw-slowdown": ("hardware slowdown", "硬件降频"),
    "reason.power-brake": ("the power brake of the machine", "整机供电制动"),
    "reason.application-clocks": ("clocks set by someone", "有人设定了时钟"),
    "reason.sync-boost": ("boost shared with other GPUs", "与其他 GPU 同步加速"),
    "reason.display-clocks": ("clocks set for a display", "显示输出设定的时钟"),
    # ------------------------------------------------------------ remarks
    "found.power-limit": ("The power limit is {limit} W, lowered from {default} W", "功率上限被从 {default} W 调低到 {limit} W"),
    "found.slow-memory": ("Copies inside its memory reach {gbps} GB/s, {share} of {of}", "显存内拷贝 {gbps} GB/s，是 {of} 的 {share}"),
    "found.pcie": ("The link to the host is PCIe {gen} ×{width}; it could be {max_gen} ×{max_width}", "与主机的连接是 PCIe {gen} ×{width}，本可为 {max_gen} ×{max_width}"),
    "found.old-ecc": ("{n} uncorrected memory {n:error/errors} {n:is/are} on record from earlier", "此前已记录 {n} 个不可纠正的显存错误"),
    "found.memory-part": ("Only {verified} of {written} GB of memory were read back in time", "时间所限，只读回了 {written} GB 显存中的 {verified} GB"),
    "found.pci-unknown": ("Its PCI id {id} is not in the table", "表中没有它的 PCI 编号 {id}"),
    "found.pci-says": ("Its PCI id {id} is that of {card}", "它的 PCI 编号 {id} 属于 {card}"),
    # ------------------------------------------------------------ between the GPUs of a node
    "links": ("Copies between GPUs reach {low} to {high} GB/s", "GPU 之间的拷贝为 {low} 到 {high} GB/s"),
    "links.one": ("Copies between GPUs reach {low} GB/s", "GPU 之间的拷贝为 {low} GB/s"),
    "links.title": ("Copies between GPUs, GB/s (row → column)", "GPU 之间的拷贝，GB/s（行 → 列）"),
    "links.indirect.all": ("No GPU reaches another's memory directly: copies go through the host", "GPU 之间不能直接访问显存：拷贝都经过主机"),
    "links.indirect": ("Without direct access, so through the host: {pairs}", "不能直接访问、须经过主机的有：{pairs}"),
    "links.indirect.more": ("{n} more", "另外 {n} 对"),
    "all_reduce.nccl": ("All-reduce over {n} GPUs by NCCL {version}: {bus} GB/s on the bus ({size} MiB each)", "{n} 个 GPU 的 all-reduce（NCCL {version}，每卡 {size} MiB）：总线带宽 {bus} GB/s"),
    "all_reduce.copies": ("All-reduce over {n} GPUs by a ring of copies: {bus} GB/s on the bus ({size} MiB each); NCCL was not used and may reach more", "{n} 个 GPU 的 all-reduce（环形拷贝，每卡 {size} MiB）：总线带宽 {bus} GB/s；未使用 NCCL，用它可能更快"),
    "found.link.slow": ("The copy from GPU {from} to GPU {to} reaches {gbps} GB/s, {share} of the {usual} of the other pairs", "GPU {from} 到 GPU {to} 的拷贝为 {gbps} GB/s，只有其他各对（{usual}）的 {share}"),
    "found.link.slow-gpu": ("The links of GPU {gpu} are slow: {gbps} GB/s at most, {usual} between the others", "GPU {gpu} 的连接偏慢：最高 {gbps} GB/s，其他 GPU 之间为 {usual}"),
    "found.link.error": ("The copy from GPU {from} to GPU {to} failed: {why}", "GPU {from} 到 GPU {to} 的拷贝失败：{why}"),
    "found.nvlink.missing": ("This form has NVLink ({nvlink} GB/s, both ways together), but no copy of GPU {gpus} is faster than PCIe allows ({gbps} GB/s): it is off, or not passed to this machine", "该外形自带 NVLink（双向合计 {nvlink} GB/s），但 GPU {gpus} 的拷贝都不超过 PCIe 的速度（{gbps} GB/s）：NVLink 未启用，或没有透传给这台机器"),
    "found.links.none": ("Copies between the GPUs were not measured: {why}", "没有测量 GPU 之间的拷贝：{why}"),
    "found.links.part": ("Not every pair of GPUs was measured: {why}", "没有测完所有 GPU 对：{why}"),
    "found.all-reduce.none": ("The all-reduce was not measured: {why}", "没有测量 all-reduce：{why}"),
    # ------------------------------------------------------------ why nothing was measured
    "why.process": ("another process", "有其他进程"),
    "why.utilisation": ("it was computing", "正在计算"),
    "why.memory": ("its memory was in use", "显存已被占用"),
    "why.time": ("the time was up", "时间已到"),
    "why.deadline": ("the time was up", "时间已到"),
    "why.busy": ("it was busy", "正忙"),
    "why.died": ("the measuring process died", "测量进程死亡"),
    "why.no_torch": ("torch is missing", "缺少 torch"),
    "why.unsupported": ("the software does not fit the card", "软件与卡不匹配"),
    "why.refused": ("what was asked does not exist there", "所要求的内容不存在"),
    "why.gpus": ("no such GPU", "没有这个 GPU"),
    "why.dtype": ("the card lacks this dtype in hardware", "该卡硬件不支持此数据类型"),
    "why.torch": ("torch has no code for it.", "torch 不支持它。"),
    "why.driver": ("driver and torch do not fit.", "驱动与 torch 不匹配。"),
    "why.no-device": ("torch sees no device.", "torch 看不到设备。"),
    "why.orphan": ("whoever started it has gone", "启动它的程序已退出"),
    # ------------------------------------------------------------ a vendor's claim
    "claim.dense": ("The vendor's {claim} is the dense datasheet figure; healthy cards reach {expected}, this one {tflops}", "商家的 {claim} 是官方稠密峰值；健康卡可达 {expected}，这张卡为 {tflops}"),
    "claim.achievable": ("The vendor's {claim} is what healthy cards reach ({expected}); this one reached {tflops}", "商家的 {claim} 与健康卡的实测水平（{expected}）相符；这张卡为 {tflops}"),
    "claim.other": ("The vendor's {claim} is the {kinds} figure; dense {dense}, healthy cards reach {expected}, this one {tflops}", "商家的 {claim} 是{kinds}的数字；稠密峰值 {dense}，健康卡可达 {expected}，这张卡为 {tflops}"),
    "claim.unreachable": ("The vendor's {claim} is not reachable by this hardware: dense {dense}, and no other figure of the card fits", "商家的 {claim} 是该硬件达不到的：稠密峰值 {dense}，也不符合它的其他任何数字"),
    "claim.below-dense": ("The vendor's {claim} is below the dense figure of {dense}; healthy cards reach {expected}, this one {tflops}", "商家的 {claim} 低于稠密峰值 {dense}；健康卡可达 {expected}，这张卡为 {tflops}"),
    "claim.unknown": ("The vendor's {claim} cannot be compared: no peak of this card is known", "商家的 {claim} 无法比较：不知道这张卡的峰值"),
    "claim.kind.sparse": ("sparse (2:4)", "稀疏（2:4）"),
    "claim.kind.fp8": ("fp8", "fp8"),
    "claim.kind.int8": ("int8", "int8"),
    "claim.kind.fp16-accumulate": ("fp16-accumulate", "fp16 累加"),
    "claim.kind.fp16-accumulate-sparse": ("sparse fp16-accumulate", "稀疏 fp16 累加"),
    "claim.kind.fp8-sparse": ("sparse fp8", "稀疏 fp8"),
    "claim.kind.int8-sparse": ("sparse int8", "稀疏 int8"),
    "claim.kind.fp4": ("fp4 or int4", "fp4 或 int4"),
    # ------------------------------------------------------------ method
    "method": ("Median of the second half of {batches} batches of {shape}, spread {cv}; torch {torch}, method version {protocol}", "{shape} 矩阵乘 {batches} 批，取后半段中位数，波动 {cv}；torch {torch}，方法版本 {protocol}"),
    "method.quick": ("Quick run: a short steady phase, and neither other shapes nor other dtypes", "快速模式：稳态时间较短，不测其他形状和数据类型"),
    "method.self_reported": ("Self-reported: the file was made by whoever ran it", "自报结果：文件由运行者提供"),
    "method.consistent": ("Consistent with what was sold; a host that lies about itself is not ruled out", "与所售相符；但不排除主机谎报"),
    # ------------------------------------------------------------ steps of a run
    "step.start": ("starting", "启动"),
    "step.check": ("checking a result", "校验结果"),
    "step.warm": ("warming up", "预热"),
    "step.steady": ("steady rate", "稳态测速"),
    "step.shape": ("other shapes", "其他形状"),
    "step.side": ("other dtypes:", "其他数据类型："),
    "step.memory": ("memory", "显存"),
    "step.links": ("copies between GPUs", "GPU 之间的拷贝"),
    "step.all_reduce": ("all-reduce", "all-reduce"),
    # ------------------------------------------------------------ tables
    "column.gpu": ("GPU", "GPU"),
    "column.verdict": ("Verdict", "结论"),
    "column.tflops": ("TFLOPS", "TFLOPS"),
    "column.share": ("Of healthy", "占健康卡"),
    "column.mhz": ("MHz", "MHz"),
    "column.watt": ("W", "W"),
    "column.heat": ("°C", "°C"),
    "column.name": ("Name", "名称"),
    "column.address": ("Address", "地址"),
    "column.state": ("State", "状态"),
    "column.ordered_as": ("Ordered as", "订购型号"),
    "column.offer": ("Offer", "报价项"),
    "column.last": ("Last reading", "最近结果"),
    "column.at": ("When", "时间"),
    "column.host": ("Host", "主机"),
    "column.dtype": ("Dtype", "数据类型"),
    "column.mode": ("Mode", "模式"),
    "column.protocol_version": ("Method", "方法"),
    "mode.full": ("full", "完整"),
    "mode.quick": ("quick", "快速"),
    "hosts.none": ("No host is registered; add one with gpu-bot hosts add", "还没有登记主机；用 gpu-bot hosts add 添加"),
    "history.none": ("No reading is stored", "没有已存的结果"),
    "history.versions": ("Readings of different method versions do not compare", "不同方法版本的结果不可比较"),
    # ------------------------------------------------------------ what the commands say
    "hosts.key": ("{address} showed this key: {line}", "{address} 出示的密钥：{line}"),
    "hosts.fingerprint": ("Fingerprint {fingerprint}. Compare it with what the provider's console shows.", "指纹 {fingerprint}。请与平台控制台显示的核对。"),
    "hosts.ask": ("Is this the host's key?", "这是该主机的密钥吗？"),
    "hosts.not_confirmed": ("The host was not added: its key was not confirmed", "未添加主机：密钥未经确认"),
    "hosts.no_terminal": ("The key must be confirmed by a person; check it with the provider and give it with --host-key", "密钥必须由人确认；请与平台核对后用 --host-key 给出"),
    "hosts.added": ("{name} is registered", "已登记 {name}"),
    "hosts.removed": ("{name} is forgotten; its readings stay", "已删除 {name}，其结果保留"),
    "hosts.test.ok": ("{name}: ready, torch with {python}", "{name}：可用，torch 在 {python}"),
    "hosts.test.state": ("{name}: {state}{note}", "{name}：{state}{note}"),
    "note": (" ({text})", "（{text}）"),
    "error.host.name": ("“{text}” is no name for a host; use small letters, digits, dots and dashes, and none of {list}", "“{text}”不能作主机名；请用小写字母、数字、点和短横，且不能是 {list}"),
    "error.host.address": ("“{text}” is no address; write ssh://USER@HOST or ssh://USER@HOST:PORT", "“{text}”不是地址；请写 ssh://USER@HOST 或 ssh://USER@HOST:PORT"),
    "error.host.key_file": ("the key file {text} cannot be read; name a private key that exists", "读不到密钥文件 {text}；请给出存在的私钥"),
    "error.host.host_key": ("“{text}” is no host key; write it as ssh-ed25519 AAAA…", "“{text}”不是主机密钥；请写成 ssh-ed25519 AAAA…"),
    "error.host.python": ("“{text}” is no path of a Python; write an absolute path without blanks", "“{text}”不是 Python 的路径；请写不含空格的绝对路径"),
    "error.host.ordered_as": ("“{text}” is no accelerator; write an id or a model{near}", "“{text}”不是加速器；请写标识或型号{near}"),
    "error.host.offer": ("“{text}” is no offer; gpu-bot kb show PROVIDER lists its offers{near}", "“{text}”不是报价项；用 gpu-bot kb show PROVIDER 查看该平台的报价项{near}"),
    "error.host.claim": ("“{text}” is no rate; write TFLOPS as a number above 0", "“{text}”不是速度；请写大于 0 的 TFLOPS 数"),
    "error.host.taken": ("a host named {name} is registered already; remove it first or take another name", "已有名为 {name} 的主机；请先删除或换个名字"),
    "error.host.unknown": ("there is no host named {name}{near}; gpu-bot hosts list shows them", "没有名为 {name} 的主机{near}；用 gpu-bot hosts list 查看"),
    "error.near": (" (did you mean {text}?)", "（是不是 {text}？）"),
    "error.dtype": ("“{text}” is no dtype; write one of {list}", "“{text}”不是数据类型，请写其中之一：{list}"),
    "error.gpus": ("--gpus {text} names no GPUs; write all, or numbers as 0,1", "--gpus {text} 没有指定 GPU；请写 all，或像 0,1 这样的编号"),
    "error.file": ("{text} cannot be read as a reading; give the file that gpu-bot bench script wrote", "无法把 {text} 读作结果；请给出 gpu-bot bench script 写出的文件"),
    "error.blocked": ("{name} is not used until someone looks: {state}", "在有人检查之前不会使用 {name}：{state}"),
    "error.knowledge": ("the knowledge has {n} mistakes; gpu-bot check shows them", "知识库有 {n} 处错误；用 gpu-bot check 查看"),
    "kept.not": ("The reading was not stored: {text}", "结果未保存：{text}"),
}  # fmt: skip
