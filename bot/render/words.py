"""Every sentence that a person reads, in English and Chinese side by side, and the one function that says it.

A slot is written ``{name}``; ``{n:machine/machines}`` chooses by number. The words are data: a slot is looked up
in what was passed and is never evaluated.
"""

# ruff: noqa: E501  (a sentence stands on one line, however long)

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

from bot.render.figures import count

_SLOT = re.compile(r"\{(\w+(?:\.\w+)*)(?::([^{}/]*)/([^{}]*))?\}")


def say(key: str, lang: str, /, **slots: Any) -> str:
    """The sentence of that key in ``lang``; an unknown key is a mistake in the code and raises ``KeyError``."""
    return fill(SENTENCES[key][1 if lang == "zh" else 0], slots)


def has(key: str) -> bool:
    return key in SENTENCES


def install(extra: str) -> str:
    """The command that brings an optional part to the Python that runs this, to be run in the checkout.

    The project is on no package index. A Python below the current folder is named from there.
    """
    return f"{_python(Path(sys.executable), Path.cwd())} -m pip install -e '.[{extra}]'"


def _python(path: Path, here: Path) -> str:
    """A Python as a shell takes it.

    >>> _python(Path("/src/bot/.venv/bin/python"), Path("/src/bot"))
    '.venv/bin/python'
    >>> _python(Path("/my tools/python3"), Path("/src/bot"))
    "'/my tools/python3'"
    """
    return shlex.quote(str(path.relative_to(here) if path.is_relative_to(here) else path))


def word(prefix: str, value: str, lang: str) -> str:
    """The word of a closed list ("plan", "reason"); a value without an entry stands for itself."""
    key = f"{prefix}.{value}"
    return say(key, lang) if key in SENTENCES else value


def fill(sentence: str, slots: Mapping[str, Any]) -> str:
    """Put values in their slots; what is not known reads "?", so that no sentence is lost for one missing fact."""
    text, end = "", 0
    for match in _SLOT.finditer(sentence):
        text = _joined(_joined(text, sentence[end : match.start()]), _slot(match, slots))
        end = match.end()
    return _joined(text, sentence[end:])


def _joined(left: str, right: str) -> str:
    """Two pieces side by side as Chinese is set: a space between Han and Latin, none between Han and Han."""
    if not left or not right:
        return left + right
    before, after = left.rstrip(" ")[-1:], right.lstrip(" ")[:1]
    if _is_han(before) and _is_han(after):
        return left.rstrip(" ") + right.lstrip(" ")
    if (_is_word(before) and _is_latin(after)) or (_is_latin(before) and _is_word(after)):
        return f"{left.rstrip(' ')} {right.lstrip(' ')}"
    return left + right


def _is_han(char: str) -> bool:
    """A character that takes the place of two: Han, or a sign set as wide."""
    return bool(char) and ("\u4e00" <= char <= "\u9fff" or char in _WIDE_SIGNS)


_WIDE_SIGNS = "（），。：；、！？"


def _is_word(char: str) -> bool:
    return _is_han(char) and char not in _WIDE_SIGNS


def _is_latin(char: str) -> bool:
    return (char.isascii() and char.isalnum()) or char in ("$", "¥", "€", "£")


def join(parts: list[str] | tuple[str, ...], lang: str, last: str = "and") -> str:
    """ "a, b and c" or "a、b 和 c"; ``last`` is "and" or "or"."""
    if len(parts) < 2:
        return "".join(parts)
    comma = "、" if lang == "zh" else ", "
    return _joined(_joined(comma.join(parts[:-1]), say(f"join.{last}", lang)), parts[-1])


def listing(parts: Iterable[str], lang: str) -> str:
    """Parts that may hold commas of their own: "a, b; c" or "a，b；c"."""
    return ("；" if lang == "zh" else "; ").join(parts)


def _slot(match: re.Match[str], slots: Mapping[str, Any]) -> str:
    name, one, many = match.groups()
    value = _known(name, slots)
    if one is None:
        return natural(value)
    return one if natural(value) == "1" else many


def _known(name: str, slots: Mapping[str, Any]) -> Any:
    """A rule's sentence may name a fact by its last part: ``hours`` for ``question.hours``."""
    for candidate in (name, f"question.{name}", f"offer.{name}", f"quote.{name}", f"provider.{name}"):
        if candidate in slots:
            return slots[candidate]
    return None


def natural(value: Any) -> str:
    """A value as a person writes it."""
    if value is None:
        return "?"
    if isinstance(value, bool):
        return "✓" if value else "✗"
    if isinstance(value, (int, Decimal)):
        return count(Decimal(value))
    if isinstance(value, float):
        return count(Decimal(str(value)))
    if isinstance(value, (list, tuple, set, frozenset)):
        items = sorted(value, key=str) if isinstance(value, (set, frozenset)) else value
        return ", ".join(natural(item) for item in items)
    return str(value)


SENTENCES: dict[str, tuple[str, str]] = {
    # ------------------------------------------------------------ small words
    "join.and": (" and ", "和"),
    "join.or": (" or ", "或"),
    "plan.on_demand": ("on demand", "按需"),
    "plan.spot": ("spot", "竞价"),
    "plan.reserved": ("reserved", "预留"),
    "plan.reserved_1y": ("1-year commitment", "预留一年"),
    "plan.reserved_3y": ("3-year commitment", "预留三年"),
    "plan.monthly": ("monthly", "包月"),
    "plan.serverless": ("serverless", "无服务器"),
    "unit.gpu-hour": ("GPU-h", "卡时"),
    "unit.machine-hour": ("machine-h", "台时"),
    "unit.gpu-month": ("GPU-month", "卡月"),
    "unit.machine-month": ("machine-month", "台月"),
    "unit.gb": ("GB", "GB"),
    "unit.gb-month": ("GB-month", "GB·月"),
    "unit.month": ("month", "月"),
    "unit.once": ("once", "次"),
    "unit.hour": ("h", "小时"),
    "item.compute": ("Compute", "计算"),
    "item.transfer": ("Transfer", "流量"),
    "item.storage": ("Storage", "存储"),
    "item.fee": ("Fee", "费用"),
    "item.setup": ("Set-up", "开通费"),
    "total": ("Total", "合计"),
    "unknown": ("not known", "未知"),
    "yes": ("yes", "是"),
    "no": ("no", "否"),
    "step.second": ("second", "秒"),
    "step.minute": ("minute", "分钟"),
    "step.hour": ("hour", "小时"),
    "step.day": ("day", "天"),
    "step.week": ("week", "周"),
    "step.month": ("month", "月"),
    "kind.official": ("official", "官方"),
    "kind.written quote": ("written quote", "书面报价"),
    "kind.measured": ("measured", "实测"),
    "kind.reseller": ("reseller", "代理商"),
    "kind.aggregator": ("aggregator", "比价网站"),
    "kind.community": ("community", "社区"),
    "need.interconnect": ("fast interconnect", "高速互联"),
    "need.multi_node": ("several nodes", "多机"),
    "need.checkpointing": ("checkpoints", "断点续训"),
    "need.compliance_gdpr": ("GDPR", "GDPR 合规"),
    "need.compliance_iso27001": ("ISO 27001", "ISO 27001 认证"),
    "need.compliance_soc2": ("SOC 2", "SOC 2 认证"),
    "need.sla": ("SLA", "服务等级协议"),
    "need.managed": ("managed", "托管"),
    "need.kubernetes": ("Kubernetes", "Kubernetes"),
    "need.jupyter": ("Jupyter", "Jupyter"),
    "need.windows": ("Windows", "Windows"),
    "need.low_latency": ("low latency", "低延迟"),
    "need.data_residency_cn": ("data stays in China", "数据不出境"),
    "need.no_interruption": ("no interruption", "不能中断"),
    "workload.training": ("training", "训练"),
    "workload.fine_tuning": ("fine-tuning", "微调"),
    "workload.inference": ("inference", "推理"),
    "workload.experiment": ("experiment", "实验"),
    "workload.debugging": ("debugging", "调试"),
    "workload.rendering": ("rendering", "渲染"),
    "workload.production": ("production", "生产"),
    "workload.edge": ("edge", "边缘"),
    "workload.hybrid": ("hybrid", "混合架构"),
    "workload.batch": ("batch", "批处理"),
    "workload.notebook": ("notebook", "笔记本环境"),
    "team.startup": ("startup", "初创团队"),
    "team.enterprise": ("enterprise", "大企业"),
    "team.no_ops": ("no operations staff", "没有运维"),
    "team.experienced": ("experienced team", "有运维经验"),
    "direction.in": ("in", "流入"),
    "direction.out": ("out", "流出"),
    "sort.total": ("by total", "按总价"),
    "sort.per_gpu_hour": ("by GPU-hour", "按每卡每小时"),
    "sort.per_tflop": ("by price per TFLOPS", "按性价比"),
    "area.us": ("the US", "美国"),
    "area.eu": ("the EU", "欧洲"),
    "area.uk": ("the UK", "英国"),
    "area.cn": ("China", "中国"),
    "area.apac": ("Asia-Pacific", "亚太"),
    "area.jp": ("Japan", "日本"),
    "area.sg": ("Singapore", "新加坡"),
    "area.in": ("India", "印度"),
    "area.hk": ("Hong Kong", "香港"),
    "area.kr": ("Korea", "韩国"),
    "area.au": ("Australia", "澳大利亚"),
    "area.ca": ("Canada", "加拿大"),
    "area.de": ("Germany", "德国"),
    "area.fr": ("France", "法国"),
    "area.nl": ("the Netherlands", "荷兰"),
    "area.ie": ("Ireland", "爱尔兰"),
    # ------------------------------------------------------------ phrases
    "gpus": ("{n} × {gpu}", "{n} 张 {gpu}"),
    "gpus.nodes": ("{m} {m:machine/machines} of {gpus}", "{m} 台（每台 {gpus}）"),
    "gpus.any": ("any GPU", "任意 GPU"),
    "gpus.count": ("{n} {n:GPU/GPUs}", "{n} 张卡"),
    "machines": ("{n} {n:machine/machines}", "{n} 台"),
    "hours": ("{n} h", "{n} 小时"),
    "hours_of": ("{hours} on {what}", "{what} 用 {hours}"),
    "with_plan": ("{what}, {plan}", "{plan} {what}"),
    "quote": ("“{text}”", "“{text}”"),
    "age.today": ("price checked today", "价格今日核对"),
    "age.days": ("price {n} {n:day/days} old", "{n} 天前的价格"),
    "age.rate": ("{age}, exchange rate {n} days old", "{age}，{n} 天前的汇率"),
    "age.stale": ("{age}, due for a check", "{age}，需重新核对"),
    "age.short": ("{n} d", "{n} 天"),
    "age.short.today": ("today", "今日"),
    "memory_gb": ("{n} GB", "{n} GB"),
    "data": ("{n} GB of data {direction}", "{n} GB 数据{direction}"),
    "data.plain": ("{n} GB of data", "{n} GB 数据"),
    "storage": ("{n} GB stored", "存储 {n} GB"),
    # ------------------------------------------------------------ headline
    "head.out_of_date": (
        "Prices mostly out of date: {recent} of {total} checked within 180 days. ",
        "价格大多已过时：{total} 条中仅 {recent} 条在 180 天内核对过。",
    ),
    "head.stock": (
        "Stock is not known: no source here reports what is free right now. ",
        "库存未知：这里的来源都不提供实时余量。",
    ),
    "head.accounts": ("Of the clouds where you have an account, ", "在你们已有账号的云中，"),
    "head.no_plan": ("No {plan} price was found; on demand instead: ", "没有{plan}价格，改列按需："),
    "head.cheapest.total": (
        "{provider} is cheapest: {amount} for {what} ({age})",
        "{provider} 最便宜：{what}共 {amount}（{age}）",
    ),
    "head.cheapest.hour": (
        "{provider} is cheapest: {amount} per hour for {what} ({per_gpu} per GPU-hour; {age})",
        "{provider} 最便宜：{what}每小时 {amount}（每卡每小时 {per_gpu}；{age}）",
    ),
    "head.single.total": ("{provider} charges {amount} for {what} ({age})", "{provider}：{what}共 {amount}（{age}）"),
    "head.single.hour": (
        "{provider} charges {amount} per hour for {what} ({per_gpu} per GPU-hour; {age})",
        "{provider}：{what}每小时 {amount}（每卡每小时 {per_gpu}；{age}）",
    ),
    "head.last.total": (
        "{provider}, last known price: {amount} for {what} ({age})",
        "{provider} 最近一次已知价格：{what}共 {amount}（{age}）",
    ),
    "head.last.hour": (
        "{provider}, last known price: {amount} per hour for {what} ({per_gpu} per GPU-hour; {age})",
        "{provider} 最近一次已知价格：{what}每小时 {amount}（每卡每小时 {per_gpu}；{age}）",
    ),
    "head.lowest.total": (
        "{provider} has the lowest price: {amount} for {what} ({age})",
        "最低价来自 {provider}：{what}共 {amount}（{age}）",
    ),
    "head.lowest.hour": (
        "{provider} has the lowest price: {amount} per hour for {what} ({per_gpu} per GPU-hour; {age})",
        "最低价来自 {provider}：{what}每小时 {amount}（每卡每小时 {per_gpu}；{age}）",
    ),
    "head.recommend.total": (
        "{provider} fits best: {amount} for {what} ({age})",
        "推荐 {provider}：{what}共 {amount}（{age}）",
    ),
    "head.recommend.hour": (
        "{provider} fits best: {amount} per hour for {what} ({per_gpu} per GPU-hour; {age})",
        "推荐 {provider}：{what}每小时 {amount}（每卡每小时 {per_gpu}；{age}）",
    ),
    "head.guidance": (
        "{title}: {n} ways, depending on the case; name a GPU or the size of the model to get prices",
        "{title}：视情况有 {n} 种做法；说明 GPU 或模型大小即可给出价格",
    ),
    "head.guidance.none": (
        "{title}: no price recorded meets everything asked; {n} ways, depending on the case",
        "{title}：没有完全符合要求的价格记录；视情况有 {n} 种做法",
    ),
    "head.compare.pair": (
        "{first} costs {a}, {second} {b}{what}: {first} is {percent} less ({age})",
        "{what}{first} {a}，{second} {b}，{first} 低 {percent}（{age}）",
    ),
    "head.compare.even": (
        "{first} and {second} cost the same: {a}{what} ({age})",
        "{what}{first} 与 {second} 同价，均为 {a}（{age}）",
    ),
    "head.compare.many": ("Lowest first{what}: {list} ({age})", "{what}由低到高依次为 {list}（{age}）"),
    "head.compare.one": (
        "Only {first} has a price{what}: {a} ({age}); none for {missing}",
        "{what}只有 {first} 有价格，{a}（{age}）；{missing} 没有",
    ),
    "compare.for": (" for {what}", "{what}："),
    "head.compare.item": ("{name} {amount}", "{name} {amount}"),
    "compare.per_hour": ("{amount} per hour", "每小时 {amount}"),
    "head.budget.hours": (
        "{budget} lasts {hours} on {gpus} at {provider} ({left} left; {age})",
        "{budget} 可在 {provider} 租 {gpus} {hours}（剩 {left}；{age}）",
    ),
    "head.budget.gpus": (
        "{budget} pays for {gpus} for {hours} at {provider} ({left} left; {age})",
        "{budget} 可在 {provider} 租 {gpus} 共 {hours}（剩 {left}；{age}）",
    ),
    "head.budget.rate": (
        "{budget} per hour is enough for {gpus} at {provider} ({age})",
        "每小时 {budget} 可在 {provider} 租 {gpus}（{age}）",
    ),
    "head.budget.enough": (
        "{budget} is enough: {what} cost {total} at {provider} ({left} left; {age})",
        "{budget} 够用：{provider} 上{what}共 {total}（剩 {left}；{age}）",
    ),
    "head.budget.short": (
        "{budget} is not enough: {what} cost {total} at {provider}, {short} more ({age})",
        "{budget} 不够：{provider} 上{what}共 {total}，还差 {short}（{age}）",
    ),
    "head.budget.none": (
        "{budget} does not pay for the shortest run of any offer found",
        "{budget} 不够任何已知报价的最短计费时长",
    ),
    "head.even.own": (
        "The {plan} at {provider} pays off above {percent} use ({hours} h a month)",
        "{provider} 的{plan}在使用率超过 {percent}（每月 {hours} 小时）时划算",
    ),
    "head.even.market.same": ("; no on-demand price is lower", "；市场上没有更低的按需价"),
    "head.even.own.never": (
        "The {plan} at {provider} never pays off against its own on-demand price",
        "{provider} 的{plan}比自家按需价还贵，始终不划算",
    ),
    "head.even.own.unknown": (
        "The {plan} at {provider} costs {rate} per GPU-hour; its on-demand price is not known",
        "{provider} 的{plan}折合每卡每小时 {rate}；自家按需价未知",
    ),
    "head.even.market": (
        "; against the market ({market}, {rate} per GPU-hour): above {percent} use",
        "；与市场最低按需价（{market}，每卡每小时 {rate}）相比：使用率超过 {percent} 才划算",
    ),
    "head.even.market.never": (
        "; against the market ({market}, {rate} per GPU-hour): never",
        "；与市场最低按需价（{market}，每卡每小时 {rate}）相比：始终不划算",
    ),
    "head.even.buy": (
        "Buying for {price} pays off after {hours} h of use ({months} months day and night) against {provider} at {rate} per hour; power and staff not included",
        "花 {price} 购买，与 {provider} 每小时 {rate} 的租价相比，用满 {hours} 小时（昼夜不停约 {months} 个月）回本；未计电费和人力",
    ),
    "head.even.none": (
        "No committed price is known for this, so no break-even can be worked out",
        "没有已知的长租价格，无法计算回本点",
    ),
    "head.even.limit": (
        "No committed price is known for this; {what} on demand at {provider} cost {amount} for a full month of 730 h, so a monthly price pays off only below that times the share of the hours you use",
        "没有已知的长租价格；{provider} 的 {what} 按需跑满一个月（730 小时）为 {amount}，包月价低于它乘以实际使用时间占比才划算",
    ),
    "fit.purpose.inference": ("Inference", "推理"),
    "fit.purpose.lora": ("LoRA fine-tuning", "LoRA 微调"),
    "fit.purpose.qlora": ("QLoRA fine-tuning", "QLoRA 微调"),
    "fit.purpose.training": ("Full training", "完整训练"),
    "head.fit.need": (
        "{purpose} of a {n}B model in {dtype} needs about {need} GB of GPU memory",
        "{n}B 模型的 {dtype} {purpose}约需 {need} GB 显存",
    ),
    "head.fit.cards": (": {cards}", "，即 {cards}"),
    "head.fit.fits": ("{have} would be enough ({have_gb} GB).", "{have} 够用（共 {have_gb} GB）。"),
    "head.fit.tight": (
        "{have} would be tight ({have_gb} GB): the weights fit, what a run adds may not.",
        "{have} 偏紧（共 {have_gb} GB）：权重放得下，运行时的额外占用未必放得下。",
    ),
    "head.fit.does-not-fit": ("{have} would not be enough ({have_gb} GB).", "{have} 不够（共 {have_gb} GB）。"),
    "head.fit.fits.bare": ("{have} would be enough.", "{have}够用。"),
    "head.fit.tight.bare": (
        "{have} would be tight: the weights fit, what a run adds may not.",
        "{have}偏紧：权重放得下，运行时的额外占用未必放得下。",
    ),
    "head.fit.does-not-fit.bare": ("{have} would not be enough.", "{have}不够。"),
    "fit.note.inference": (
        "a fifth on top is for the KV cache and buffers; long contexts and many requests at once need more",
        "多出的两成是 KV 缓存和缓冲区；上下文长或并发多时要更多",
    ),
    "fit.note.lora": (
        "a fifth on top is for the adapters and activations",
        "多出的两成是适配器和激活",
    ),
    "fit.note.qlora": (
        "a fifth on top is for the adapters and activations",
        "多出的两成是适配器和激活",
    ),
    "fit.note.training": (
        "weights, gradients and AdamW state, before activations",
        "权重、梯度和 AdamW 状态，不含激活",
    ),
    "fit.memory": ("{n} GB of memory", "{n} GB 显存"),
    "fit.other": ("{purpose} ({dtype}): about {need} GB", "{purpose}（{dtype}）：约 {need} GB"),
    "fit.formula": ("How: {formula} ({note})", "计算：{formula}（{note}）"),
    "fit.others": ("For other uses: {list}", "其他用途：{list}"),
    "head.specs": ("{gpu}: {facts}", "{gpu}：{facts}"),
    "head.specs.cards": ("Cards with {n} GB or more: {cards}", "显存不低于 {n} GB 的卡：{cards}"),
    "head.specs.no_card": ("No card with {n} GB or more is recorded", "没有收录显存不低于 {n} GB 的卡"),
    "fact.times": (
        "; in {dtype} {strong} is {times} times {weak}",
        "；{dtype} 下 {strong} 是 {weak} 的 {times} 倍",
    ),
    "fact.no_peak": ("{dtype} peak not known", "{dtype} 峰值未知"),
    "head.specs.none": ("No figures are recorded for {what}", "没有 {what} 的参数记录"),
    "fact.bandwidth": ("{n} GB/s", "{n} GB/s"),
    "fact.tflops": ("{n} TFLOPS {dtype} dense", "{dtype} 稠密 {n} TFLOPS"),
    "column.gpu": ("GPU", "GPU"),
    "column.form": ("Form", "形态"),
    "column.memory": ("Memory", "显存"),
    "column.bandwidth": ("Bandwidth", "带宽"),
    "column.link": ("Interconnect", "互联"),
    "column.dtype": ("{dtype} TFLOPS", "{dtype} TFLOPS"),
    "head.explain.none": (
        "No explanation is recorded for that; name a term such as spot, egress or reserved",
        "没有相关说明；可以问具体名词，例如竞价实例、出网流量、预留",
    ),
    "head.explain.nearest": (
        "No explanation is recorded for exactly that; the nearest are: {list}",
        "没有完全对应的说明；最接近的有：{list}",
    ),
    "head.explain.provider": (
        "No explanation is recorded for exactly that; this is what is recorded about {names}",
        "没有完全对应的说明；以下是关于{names}的记录",
    ),
    "also.share": (
        "In the prices recorded here {plan} is {low} to {high} of on demand, half of the {n} pairs at {median} or less",
        "按这里收录的价格，{plan}为按需价的 {low} 到 {high}，{n} 组中一半不超过 {median}",
    ),
    "also.share.one": (
        "In the one pair of prices recorded here {plan} is {median} of on demand",
        "这里只收录了一组可比价格，{plan}为按需价的 {median}",
    ),
    "section.code": ("Illustration", "示例"),
    "section.related": ("Related", "相关说明"),
    "section.notes": ("Recorded about the provider", "平台记录"),
    "section.costs": ("What it costs", "费用"),
    "section.costs.transfer": ("Price of data that leaves", "出网流量价格"),
    "section.costs.storage": ("Price of stored data", "存储价格"),
    "section.costs.fee": ("Fees", "费用"),
    "section.costs.billing": ("How time is billed", "计费步长"),
    "section.costs.on_demand": ("Lowest on-demand prices", "最低按需价"),
    "section.costs.serverless": ("Serverless prices", "无服务器价格"),
    "section.costs.plan": ("{plan} beside on demand", "{plan}与按需对比"),
    "related.line": ("{title}: {text}", "{title}：{text}"),
    "note.line": ("{provider}: {text}", "{provider}：{text}"),
    "column.free": ("Free", "免费额度"),
    "column.fee": ("Fee", "项目"),
    "column.steady": ("On demand", "按需价"),
    "column.share": ("Share", "占按需"),
    "column.step": ("Billed by the", "计费步长"),
    "column.minimum": ("At least", "最低"),
    "cell.free": ("{n} GB a month", "每月 {n} GB"),
    "term.billing": ("billed by the {step}", "按{step}计费"),
    "term.egress": ("data out {rate}", "流出 {rate}"),
    "term.ingress": ("data in {rate}", "流入 {rate}"),
    "term.storage": ("storage {rate}", "存储 {rate}"),
    "term.plans": ("sold {plans}", "购买方式：{plans}"),
    "head.benchmark.none": (
        "What was measured is shown by gpu-bot bench history or /gpu-bench history",
        "历史实测结果可用 gpu-bot bench 或 /gpu-bench 查看",
    ),
    "head.benchmark.run": (
        "A benchmark is started with gpu-bot bench or /gpu-bench",
        "用 gpu-bot bench 或 /gpu-bench 启动跑分",
    ),
    "head.digest": (
        "The weekly price digest is shown by gpu-bot digest; /gpu-prices subscribe sends it to a channel",
        "每周价格摘要用 gpu-bot digest 查看；用 /gpu-prices subscribe 订阅到频道",
    ),
    "head.help": (
        "Ask what rented GPUs cost, for example “cheapest 4×A100 for 72 h”; every number comes with its source and date",
        "可以问租 GPU 的价格，例如“4张A100跑72小时哪家最便宜”；每个数字都带来源和日期",
    ),
    "also.example": (
        "For example: “cheapest 4×A100 for 72 h”, “how long does $500 last on 4 × L40S”",
        "例如：“4张A100跑72小时哪家最便宜”、“500美元能租4张L40S多久”",
    ),
    "head.unsupported": (
        "I compare prices of rented GPUs, work out break-even and memory needs, and explain the terms; this question is outside that",
        "我能比较租用 GPU 的价格、计算回本点和显存需求、解释相关名词；这个问题不在其中",
    ),
    "what.at": ("{what} at {providers}", "{providers} 的 {what}"),
    "also.unlock": (
        "Without {limit}: {provider}, {amount}",
        "不限{limit}：{provider}，{amount}",
    ),
    "unlock.providers": ("the limit to {names}", "平台（{names}）"),
    "unlock.regions": ("the limit on regions", "地区"),
    "unlock.exclude_providers": ("the excluded providers", "被排除的平台"),
    "unlock.budget": ("the limit on cost", "预算"),
    "unlock.needs": ("the requirements", "各项要求"),
    "unlock.memory": ("the memory size", "显存大小"),
    "unlock.all": ("all these limits", "以上所有条件"),
    "unlock.plans": ("the plan asked for", "计费方式"),
    "head.no_match": ("Nothing matches {what}: {why}", "没有符合{what}的报价：{why}"),
    "head.no_match.bare": ("Nothing matches {what}: no offer of it is recorded", "没有符合{what}的报价：没有相关记录"),
    "head.nothing": ("Nothing could be worked out from what is recorded", "现有记录不足以得出结果"),
    "help.covers": ("Covered: {n} providers: {list}", "已收录 {n} 家：{list}"),
    "help.fresh": (
        "Every answer says how old its prices are; gpu-bot kb stale lists what is due for a check",
        "每个回答都注明价格的日期；用 gpu-bot kb stale 查看待核对的价格",
    ),
    "help.try": (
        "Also: “compare Lambda and RunPod for one H100, 100 hours”, “does a 70B model fit on 2 × A100 80GB”, “how long does $500 last on 4 × L40S”",
        "还可以问：“对比 Lambda 和 RunPod 的 H100，100小时”、“2张A100 80G能跑70B吗”、“500美元能租4张L40S多久”",
    ),
    # ------------------------------------------------------------ second line
    "also.cheaper": (
        "{way} at {provider}: {amount} ({percent} less), if {condition}",
        "{provider} 的{way}：{amount}（低 {percent}），前提是{condition}",
    ),
    "also.cheaper.expected": (
        "{way} at {provider}: about {amount} with the interruptions to expect ({percent} less), if {condition}",
        "{provider} 的{way}：计入预期中断约 {amount}（低 {percent}），前提是{condition}",
    ),
    "also.endless": (
        "At the published interruption rate {hours} without a stop are not expected: the run would not end. Save the work often, or buy what cannot be reclaimed",
        "按公布的中断率，预计无法连续运行 {hours}，任务跑不完；请频繁保存断点，或改用不会被回收的机器",
    ),
    "also.older": (
        "{provider} would be lower at {amount}, but that price is {n} days old",
        "{provider} 的 {amount} 更低，但价格已是 {n} 天前的",
    ),
    "also.unread": ("Not taken into account: {pieces}. Check it with the provider", "未考虑：{pieces}，请向平台确认"),
    "also.quoted.above": (
        "Your price of {quoted} is {difference} ({percent}) above {provider}, {theirs}",
        "你的价格 {quoted} 比 {provider}（{theirs}）高 {difference}（{percent}）",
    ),
    "also.quoted.below": (
        "Your price of {quoted} is {difference} ({percent}) below {provider}, {theirs}",
        "你的价格 {quoted} 比 {provider}（{theirs}）低 {difference}（{percent}）",
    ),
    "also.quoted.same": ("Your price of {quoted} is what {provider} charges", "你的价格 {quoted} 与 {provider} 相同"),
    "also.quoted.above.hour": (
        "Your price of {quoted} per hour is {difference} ({percent}) above {provider}, {theirs}",
        "你的价格每小时 {quoted}，比 {provider}（{theirs}）高 {difference}（{percent}）",
    ),
    "also.quoted.below.hour": (
        "Your price of {quoted} per hour is {difference} ({percent}) below {provider}, {theirs}",
        "你的价格每小时 {quoted}，比 {provider}（{theirs}）低 {difference}（{percent}）",
    ),
    "also.quoted.same.hour": (
        "Your price of {quoted} per hour is what {provider} charges",
        "你的价格每小时 {quoted}，与 {provider} 相同",
    ),
    "also.unknown_line": (
        "{provider} states no rate for {items}, so the total is without it",
        "{provider} 未公布{items}价格，合计不含此项",
    ),
    "also.idle": (
        "{provider} rents whole machines: {paid} GPUs are paid for, {idle} of them idle",
        "{provider} 按整机出租：付 {paid} 张卡的钱，其中 {idle} 张闲置",
    ),
    "also.disputed": (
        "Sources disagree on {provider}: {used} was used; {others}",
        "{provider} 的价格来源不一致：采用 {used}；{others}",
    ),
    "also.other_says": ("{source} says {says} ({date})", "“{source}”的价格是 {says}（{date}）"),
    "also.stock_seen": ("{provider} was seen with stock on {date}", "{provider} 在 {date} 有货"),
    "also.stock_none": ("{provider} had none free on {date}", "{provider} 在 {date} 无货"),
    "also.contradiction": (
        "Two rules disagree on {offer}: {one} excludes it, {two} prefers it",
        "{offer} 的两条规则相互矛盾：{one} 排除，{two} 推荐",
    ),
    "also.alternative": (
        "Possible instead: {way} at {provider}, {amount}, if {condition}",
        "可以改用：{provider} 的{way}，{amount}，前提是{condition}",
    ),
    "condition.accepts-interruption": ("the job may be interrupted", "任务可以被中断"),
    "condition.commits-month": ("you pay whole months", "按整月付费"),
    "condition.commits-1y": ("you commit to a year", "承诺使用一年"),
    "condition.commits-3y": ("you commit to three years", "承诺使用三年"),
    "condition.several-machines": ("the job can be spread over several machines", "任务能拆到多台机器上"),
    "condition.commits": ("you commit to a term", "承诺一个使用期"),
    "condition.on-demand": ("it is paid by use", "按用量付费"),
    "condition.serverless": ("the job suits serverless calls", "任务适合无服务器调用"),
    "way.several-machines": ("{n} smaller machines", "{n} 台小机器"),
    # ------------------------------------------------------------ what would change the answer
    "change.spot": (
        "Accept interruptions: spot at {provider} costs {amount}, {percent} less",
        "接受中断：{provider} 的竞价为 {amount}，低 {percent}",
    ),
    "change.spot.expected": (
        "Accept interruptions: spot at {provider} costs about {amount} with those to expect, {percent} less",
        "接受中断：{provider} 的竞价计入预期中断约 {amount}，低 {percent}",
    ),
    "change.monthly": (
        "Pay whole months: {provider} costs {amount}, {percent} less",
        "改为包月：{provider} 为 {amount}，低 {percent}",
    ),
    "change.reserved_1y": (
        "Commit to a year: {provider} costs {amount}, {percent} less",
        "签一年：{provider} 为 {amount}，低 {percent}",
    ),
    "change.reserved_3y": (
        "Commit to three years: {provider} costs {amount}, {percent} less",
        "签三年：{provider} 为 {amount}，低 {percent}",
    ),
    "change.serverless": (
        "Run it as serverless calls: {provider} costs {amount}, {percent} less",
        "改用无服务器调用：{provider} 为 {amount}，低 {percent}",
    ),
    "change.several-machines": (
        "Spread the job over {machines} machines: {provider} costs {amount}, {percent} less",
        "拆到 {machines} 台机器上：{provider} 为 {amount}，低 {percent}",
    ),
    "change.use-idle": (
        "Put all {gpus} GPUs of {provider} to work: if the job scales, it ends after {hours} and costs {amount}, {percent} less",
        "把 {provider} 的 {gpus} 张卡全用上：任务若能线性扩展，{hours}就能跑完，共 {amount}，低 {percent}",
    ),
    "change.region": (
        "Drop the limit on regions: {provider} costs {amount}, {percent} less",
        "不限地区：{provider} 为 {amount}，低 {percent}",
    ),
    "change.region.named": (
        "Drop the limit on regions: {provider} costs {amount} in {region}, {percent} less",
        "不限地区：{provider}（{region}）为 {amount}，低 {percent}",
    ),
    "change.gpu": (
        "Take {gpus} at {provider} instead: by dense TFLOPS and memory bandwidth the same work takes {hours} and costs {cost}, at least {percent} less",
        "换成 {provider} 的 {gpus}：按稠密算力和显存带宽折算，同样的任务约需 {hours}，花费 {cost}，至少低 {percent}",
    ),
    "change.gpu.other_stack": (
        "; not a drop-in: it has another software stack",
        "；软件栈不同，不能直接替换",
    ),
    "change.gpu.slower_link": (
        "; its cards are linked more slowly, which multi-GPU training feels",
        "；卡间互联较慢，多卡训练会受影响",
    ),
    "hours.range": ("{low} to {high} h", "{low} 到 {high} 小时"),
    "range": ("{low} to {high}", "{low} 到 {high}"),
    "spot.even": (
        "; it stays cheaper while the job is stopped less than once in {whole}, or once in {saving} with a save every hour",
        "；平均 {whole}以上才中断一次就仍然更便宜（每小时保存一次进度时为 {saving}）",
    ),
    "spot.even.saving": (
        "; with a save every hour it stays cheaper while the job is stopped less than once in {saving}",
        "；每小时保存一次进度时，平均 {saving}以上才中断一次就仍然更便宜",
    ),
    "also.spot_even": (
        "No interruption rate is published for this spot price, held against {provider} on demand",
        "这个竞价没有公布的中断率，与 {provider} 的按需价相比",
    ),
    "section.changes": ("What would change this answer", "换个条件会怎样"),
    # ------------------------------------------------------------ left out, cautions, assumptions, conflicts
    "reason.provider-excluded": ("provider excluded by you", "平台已被排除"),
    "reason.provider-not-asked": ("other provider than asked", "不是所问的平台"),
    "reason.gpu-excluded": ("GPU excluded by you", "GPU 已被排除"),
    "reason.slice": ("only part of a GPU", "只是 GPU 的一部分"),
    "reason.memory": ("other memory size than asked", "显存不符"),
    "reason.form": ("other form than asked", "规格形态不符"),
    "reason.region": ("outside the region asked", "不在所问地区"),
    "reason.plan-excluded": ("plan excluded by you", "计费方式已被排除"),
    "reason.plan-not-asked": ("other plan than asked", "不是所问的计费方式"),
    "reason.commitment-too-long": ("commitment longer than the job", "承诺期长于任务"),
    "reason.needs": ("a requirement is not stated by the provider", "平台未说明满足所需条件"),
    "reason.retired": ("no longer offered", "已下架"),
    "reason.announced": ("announced, not yet in force", "已公布但尚未生效"),
    "reason.no-price": ("no usable price", "没有可用价格"),
    "reason.currency": ("no exchange rate in force", "没有有效汇率"),
    "reason.machine-too-small": ("machine too small", "单机卡数不够"),
    "reason.several-machines": ("would take several machines", "需要多台机器"),
    "reason.over-budget": ("over the limit", "超出预算"),
    "left.rule": ("excluded by a rule: {title}", "被规则排除：{title}"),
    "left.of": ("{reason} ({n} of {total})", "{total} 个中有 {n} 个{reason}"),
    "caution.idle-gpus": ("idle GPUs are paid for", "闲置的卡也要付费"),
    "caution.stale": ("price due for a check", "价格需重新核对"),
    "caution.disputed": ("sources disagree", "来源不一致"),
    "caution.unknown-transfer-rate": ("transfer rate not known", "流量单价未知"),
    "caution.unknown-storage-rate": ("storage rate not known", "存储单价未知"),
    "caution.spot-may-stop": ("may be interrupted", "可能被中断"),
    "caution.spot-endless": ("interrupted too often to end", "中断过于频繁，预计无法完成"),
    "caution.several-machines": ("several machines", "多台机器"),
    "assume.plan": ("plan: {plan}", "计费方式：{plan}"),
    "assume.plan.comparison": ("on demand is shown for comparison", "同时列出按需价供比较"),
    "assume.plan.any": ("plan: every one that is not excluded", "计费方式：未排除的都算"),
    "assume.billing_step": ("hours are not rounded where the billing step is not known", "计费步长未知时不做取整"),
    "assume_currency": ("{slot}: taken as {value}, no currency was said", "{slot}：未注明币种，按 {value} 计"),
    "assume_unconverted": (
        "{slot}: not compared, no dated {value} rate is known",
        "{slot}：没有 {value} 汇率，未参与比较",
    ),
    "slot.budget": ("budget", "预算"),
    "slot.budget_per_hour": ("hourly limit", "每小时预算"),
    "slot.quoted": ("your price", "你的报价"),
    "slot.purchase_price": ("purchase price", "购买价"),
    "assume.memory": ("memory: any", "显存：不限"),
    "assume.gpus": ("cards: {value}, as is usual for this", "卡型：{value}，该场景常用"),
    "assume.placement": ("one machine where one is large enough", "优先单台机器"),
    "assume.hours.none": ("no duration, so prices are per hour", "未说明时长，按每小时计价"),
    "assume.hours.term": ("duration: the whole term, {hours}", "时长按整个承诺期：{hours}"),
    "assume.count": ("number of GPUs: {value}", "卡数：{value}"),
    "assume.data_direction": ("data flows {direction}", "数据方向：{direction}"),
    "assume.per_tflop": ("price per TFLOPS by the figure that is {kinds}", "每 TFLOPS 价格所用数值：{kinds}"),
    "basis.measured": ("measured on your own host", "自有主机实测"),
    "basis.expected": ("expected of a healthy card", "健康卡应达"),
    "basis.dense": ("the dense datasheet peak", "官方稠密峰值"),
    "basis.not known": ("not known", "未知"),
    "assume.shown_in": ("totals in USD alone, no dated {value} rate is known", "没有 {value} 汇率，总价只以美元显示"),
    "assume.save_every_hours": ("work is saved every {value} h", "每 {value} 小时保存一次进度"),
    "assume.other": ("{key}: {value}", "{key}：{value}"),
    "why.settled": ("someone looked into it and decided", "已有人核实并裁定"),
    "why.settled.because": ("decided: {because}", "已裁定：{because}"),
    "why.fresher": ("the other price is out of date", "另一价格已过时"),
    "why.kind": ("{used} source before {other}", "{used}来源优先于{other}来源"),
    "why.later-check": ("checked later", "核对时间较近"),
    # ------------------------------------------------------------ document
    "column.rank": ("#", "#"),
    "column.provider": ("Provider", "平台"),
    "column.gpus": ("Hardware", "硬件"),
    "column.plan": ("Plan", "计费方式"),
    "column.region": ("Region", "地区"),
    "column.rate": ("Rate", "单价"),
    "column.total": ("Total", "总价"),
    "column.hour": ("Per hour", "每小时"),
    "column.gpu_hour": ("Per GPU-h", "每卡时"),
    "column.age": ("Age", "价格天数"),
    "column.notes": ("Notes", "备注"),
    "column.hours": ("Hours", "时长"),
    "column.left": ("Left", "剩余"),
    "column.baseline": ("On demand", "按需价"),
    "column.use": ("Pays off above", "划算使用率"),
    "column.hours_month": ("Hours a month", "每月小时"),
    "column.pay_months": ("Months to pay", "回本月数"),
    "column.what": ("What", "项目"),
    "cell.idle": ("{n} idle", "{n} 张闲置"),
    "cell.never": ("never", "始终不划算"),
    "cell.reference": ("for comparison", "供比较"),
    "cell.last_known": ("last known", "最近已知"),
    "cell.more": ("{n} more {n:row/rows}; --all shows them", "还有 {n} 行；用 --all 查看"),
    "cell.titled": ("  {title}: {cell}", "  {title}：{cell}"),
    "section.more": ("{n} more {n:line/lines}; --explain shows them", "还有 {n} 行；用 --explain 查看"),
    "section.how": ("How it was computed", "计算过程"),
    "section.instead": ("Other ways of buying", "其他购买方式"),
    "section.reasons": ("Advice that applies", "适用的建议"),
    "section.left_out": ("Left out", "未列入"),
    "section.conflicts": ("Sources that disagree", "来源冲突"),
    "section.sources": ("Sources", "来源"),
    "section.assumptions": ("Assumed", "默认假设"),
    "section.guidance": ("Guidance", "建议"),
    "section.more_guidance": ("More guidance", "其他建议"),
    "section.facts": ("Figures", "参数"),
    "section.comparison": ("Side by side", "并列对比"),
    "section.trace": ("Rules tried", "规则过程"),
    "how.title": ("{rank}. {provider}, {offer}", "{rank}. {provider}，{offer}"),
    "store.backed_up": ("The database was copied to {file}", "数据库已备份到 {file}"),
    "store.restored": (
        "The database is that of {file} again; the one before is kept as {before}",
        "数据库已恢复为 {file} 的内容；原来的数据库保存为 {before}",
    ),
    "store.migrated": ("The database is up to date", "数据库已是最新结构"),
    "how.line": ("{item}: {formula}", "{item}：{formula}"),
    "how.line.unknown": ("{item}: not known", "{item}：未知"),
    "how.total": ("Total: {amount}", "合计：{amount}"),
    "how.total.partial": ("Total of the known lines: {amount}", "已知部分合计：{amount}"),
    "how.hour": ("Per hour: {amount}", "每小时：{amount}"),
    "how.price": ("Price: {says} ({place}; {source}, {date})", "价格：{says}（{place}；{source}，{date}）"),
    "how.currency": ("Rate: {pair} {rate}, from {date} ({source})", "汇率：{pair} {rate}，自 {date}（{source}）"),
    "how.billed": ("Billed: {billed} for {hours} asked", "计费 {billed}（所需 {hours}）"),
    "how.expected": ("With the interruptions to expect: {hours}, {amount}", "计入预期中断：{hours}，{amount}"),
    "how.expected.basis": (
        "Interruptions per hour {rate}, restart {restart} h, work saved every {save} h",
        "每小时中断率 {rate}，重启 {restart} 小时，每 {save} 小时保存",
    ),
    "how.expected.whole": (
        "Interruptions per hour {rate}, restart {restart} h, nothing saved before the end",
        "每小时中断率 {rate}，重启 {restart} 小时，结束前不保存进度",
    ),
    "how.if_held": ("If you hold it already: {amount} for {hours}", "若已持有：{hours}折合 {amount}"),
    "how.split": ("{n} smaller machines ({offer}) would cost {amount}", "{n} 台小机器（{offer}）需 {amount}"),
    "how.verified": ("Measured on such a host: {tflops} TFLOPS ({date})", "同类主机实测：{tflops} TFLOPS（{date}）"),
    "how.display": ("Shown in {currency} too. {rate}", "同时以 {currency} 显示。{rate}"),
    "left.line": ("{reason}: {n}", "{reason}：{n}"),
    "left.line.names": ("{reason}: {n} ({names})", "{reason}：{n}（{names}）"),
    "left.names.more": ("{names}, and {n} more", "{names} 等，另有 {n} 个"),
    "conflict.line": (
        "{offer}: {used} from {source} ({date}) was used, {why}; {others}",
        "{offer}：采用“{source}”的 {used}（{date}），{why}；{others}",
    ),
    "source.line": ("{title} ({kind}), looked at {date}, {age}", "{title}（{kind}），核对于 {date}，{age}"),
    "source.line.undated": ("{title} ({kind})", "{title}（{kind}）"),
    "source.age": ("{n} {n:day/days} ago", "{n} 天前"),
    "source.age.today": ("today", "今日"),
    "source.stale": ("{age}, due for a check", "{age}，需重新核对"),
    "reason.line": ("{text} ({rule})", "{text}（{rule}）"),
    "instead.line": (
        "{way} at {provider}: {amount}, if {condition}",
        "{provider} 的{way}：{amount}，前提是{condition}",
    ),
    "instead.endless": (
        "{way} at {provider}: {amount} as listed, but interrupted so often that the run is not expected to end",
        "{provider} 的{way}：标价 {amount}，但中断过于频繁，任务预计无法完成",
    ),
    "instead.expected": (
        "{way} at {provider}: about {amount} with the interruptions to expect, if {condition}",
        "{provider} 的{way}：计入预期中断约 {amount}，前提是{condition}",
    ),
    "guidance.option": ("{advice} When: {condition}", "{advice}适用情形：{condition}"),
    "guidance.corrects": ("Often said, but wrong: {text}", "常见误解：{text}"),
    "compare.unknown": ("Not known for any of them: {rows}", "都没有记录：{rows}"),
    "none": ("none", "无"),
    "compare.rate": ("{rate} per GPU-hour", "每卡每小时 {rate}"),
    "compare.plan": ("{plan} {rate} per GPU-hour", "{plan}每卡每小时 {rate}"),
    "compare.row.rate": ("Rate", "单价"),
    "compare.row.total": ("Total", "总价"),
    "compare.row.memory": ("Memory", "显存"),
    "compare.row.interconnect": ("Interconnect", "互联"),
    "compare.row.billing_step": ("Billed by the", "计费步长"),
    "compare.row.egress": ("Egress", "出网流量"),
    "compare.row.spot": ("Spot", "竞价"),
    "compare.row.commitments": ("Commitments", "长租"),
    "compare.row.compliance": ("Compliance", "合规认证"),
    "compare.row.support": ("Support", "支持"),
    "trace.fired": ("{rule}: applies ({n} {n:time/times})", "{rule}：适用（{n} 次）"),
    "trace.silent": ("{rule}: does not apply ({n} {n:time/times}): {clause}", "{rule}：不适用（{n} 次）：{clause}"),
    "trace.undecided": (
        "{rule}: undecided ({n} {n:time/times}), not known: {missing}",
        "{rule}：无法判断（{n} 次），未知：{missing}",
    ),
    "read.as": ("Read as: {parts}", "理解为：{parts}"),
    "read.not_used": ("Not used: {pieces}", "未使用：{pieces}"),
    "read.any_memory": ("any memory", "显存不限"),
    "read.one_machine": ("one machine", "单台机器"),
    "read.no_hours": ("no duration", "未说明时长"),
    "read.gpu_hours": ("{n} GPU-hours", "{n} 卡时"),
    "read.hours_per_day": ("{n} h a day", "每天 {n} 小时"),
    "read.providers": ("on {list}", "平台：{list}"),
    "read.not": ("not {list}", "排除 {list}"),
    "read.regions": ("in {list}", "地区：{list}"),
    "read.min_memory": ("at least {n} GB a GPU", "每卡显存至少 {n} GB"),
    "read.total_memory": ("{n} GB of GPU memory in all", "总显存 {n} GB"),
    "read.budget": ("up to {amount}", "预算 {amount}"),
    "read.budget_per_hour": ("up to {amount} per hour", "每小时不超过 {amount}"),
    "read.budget_per_gpu_hour": ("up to {amount} per GPU-hour", "每卡每小时不超过 {amount}"),
    "read.quoted.hour": ("quoted {amount} per hour", "已有报价每小时 {amount}"),
    "read.quoted.gpu_hour": ("quoted {amount} per GPU-hour", "已有报价每卡每小时 {amount}"),
    "read.quoted.month": ("quoted {amount} per month", "已有报价每月 {amount}"),
    "read.quoted.total": ("quoted {amount}", "已有报价 {amount}"),
    "read.purchase": ("bought for {amount}", "购买价 {amount}"),
    "read.params": ("a model of {n}B parameters", "{n}B 参数的模型"),
    "action.spot": ("Spot is fine", "可以用竞价实例"),
    "action.no_spot": ("On demand only", "只看按需"),
    "action.region": ("Only in {area}", "只看{area}"),
    "action.any_region": ("Any region", "地区不限"),
    "action.hours": ("For {hours}", "用 {hours}"),
    "action.any_provider": ("Any provider", "平台不限"),
    "action.no_limit": ("Without the limit", "去掉预算限制"),
    # ------------------------------------------------------------ questions back
    "ask.hardware": ("Which GPU is it for?", "想租哪种 GPU？"),
    "ask.unknown_model": (
        "“{word}” is not a GPU known here. Did you mean one of these?",
        "没有收录“{word}”。是不是下面这些？",
    ),
    "ask.unknown_model.none": ("“{word}” is not a GPU known here. Which GPU is it?", "没有收录“{word}”。是哪种 GPU？"),
    "ask.budget": ("What amount do you want to spend?", "预算是多少？"),
    "ask.compare": ("What should be compared with what?", "要拿什么和什么比较？"),
    "ask.recommend": (
        "Four things decide: what is the task and how large is the model, who will run it, what may it cost, and how long will it go on?",
        "取决于四点：做什么任务、模型多大？谁来运维？预算多少？打算用多久？",
    ),
    "ready.recommend.train": (
        "which platform for training a 7B model on 8xA100 for 72 hours?",
        "训练7B模型，8张A100跑72小时，推荐哪家？",
    ),
    "ready.recommend.serve": ("which platform for serving a 7B model for a month?", "7B模型推理，跑一个月，推荐哪家？"),
    "ready.recommend.team": (
        "we have no ops people; which platform for one RTX 4090?",
        "我们没有运维，租一张4090推荐哪家？",
    ),
    "ready.recommend.startup": ("where should a startup rent GPUs?", "初创公司租GPU推荐哪家？"),
    "ready.recommend.enterprise": (
        "which platform for enterprise training on 8xH100 for a year?",
        "企业级训练，8卡H100用一年，推荐哪家？",
    ),
    "ask.break_even": ("Which GPU, and which commitment or purchase?", "哪种 GPU，哪种长租或购买方案？"),
    "ask.specs": ("Which GPU or which model size is it about?", "问的是哪种 GPU 或多大的模型？"),
    # ------------------------------------------------------------ commands
    "parse.unknown": ("Not a known GPU: “{word}”; nearest: {near}", "没有收录的 GPU：“{word}”；相近的有：{near}"),
    "parse.trace": ("From the words:", "来自原文："),
    "cost.no_usd": ("No dated {code} rate is known, so there is no total in USD", "没有 {code} 汇率，因此没有美元总价"),
    "cost.idle": (
        "{gpus_paid} GPUs are paid for in {machines} {machines:machine/machines}, {idle_gpus} of them idle",
        "按 {machines} 台整机付 {gpus_paid} 张卡的钱，其中 {idle_gpus} 张闲置",
    ),
    "level.error": ("error", "错误"),
    "level.warning": ("warning", "警告"),
    "check.counts": (
        "{errors} {errors:error/errors}, {warnings} {warnings:warning/warnings}; {providers} {providers:provider/providers}, {offers} {offers:offer/offers}, {rules} {rules:rule/rules}",
        "{errors} 个错误，{warnings} 个警告；{providers} 家平台，{offers} 个报价项，{rules} 条规则",
    ),
    "cases.failed": ("FAILED {place}: {name}", "未通过 {place}：{name}"),
    "cases.asked": ("  asked: {text}", "  问题：{text}"),
    "cases.difference": ("  {key}: expected {expected}, got {got}", "  {key}：应为 {expected}，实为 {got}"),
    "cases.counts": (
        "{good} of {total} {total:case/cases} passed ({questions} {questions:question/questions})",
        "{total} 个案例中 {good} 个通过（共 {questions} 个问题）",
    ),
    "checked.done": (
        "{file}: {moved} {moved:line/lines} checked on {date}, {kept} left as they were looked at that day or later",
        "{file}：{moved} 行标为 {date} 已核对，{kept} 行因当日或之后已核对过而未改",
    ),
    "coverage.missing": ("missing: {id} ({place})", "缺少：{id}（{place}）"),
    "coverage.counts": (
        "{mapped} of {ids} ids are answered for, {missing} missing",
        "共 {ids} 个标识，已对应 {mapped} 个，缺少 {missing} 个",
    ),
    "kb.id": ("Id", "标识"),
    "kb.name": ("Name", "名称"),
    "kb.kind": ("Kind", "类别"),
    "kb.offers": ("Offers", "报价项"),
    "kb.vendor": ("Vendor", "厂商"),
    "kb.memory_gb": ("GB", "显存 GB"),
    "kb.title": ("Title", "标题"),
    "kb.options": ("Options", "选项"),
    "kb.reviewed": ("Reviewed", "审阅日期"),
    "kb.status": ("Status", "状态"),
    "kb.effect": ("Effect", "作用"),
    "kb.url": ("Address", "网址"),
    "kb.provider": ("Provider", "平台"),
    "kb.source": ("Source", "来源"),
    "kb.lines": ("Lines", "行数"),
    "kb.age_days": ("Days", "天数"),
    "kb.recheck_days": ("Allowed", "期限"),
    "kb.last_look": ("Last look", "上次核对"),
    "kb.gpu": ("GPU", "GPU"),
    "kb.priced": ("Priced", "有价"),
    "kb.oldest": ("Oldest days", "最旧天数"),
    "kb.stale": ("Due", "待核对"),
    "kb.disputed": ("Disputed", "有争议"),
    # ------------------------------------------------------------ what cannot be used
    "usage.line": ("Usage: {usage}", "用法：{usage}"),
    "usage.help": ("Try '{command}' for help.", "用“{command}”查看帮助。"),
    "usage.error": ("Error: {text}", "错误：{text}"),
    "usage.no_option": ("No such option: {name}", "没有选项 {name}"),
    "usage.no_option.near": ("No such option: {name} (possible options: {near})", "没有选项 {name}，可用的有：{near}"),
    "usage.no_command": ("No such command: {name}", "没有命令 {name}"),
    "usage.missing.option": ("Missing option {name}", "缺少选项 {name}"),
    "usage.missing.argument": ("Missing argument {name}", "缺少参数 {name}"),
    "usage.value": ("Invalid value for {name}: {text}", "{name} 的值无效：{text}"),
    "usage.option": ("Option {name} needs another value, or none", "选项 {name} 后面的值不对或缺失"),
    "usage.extra": ("Unexpected arguments: {text}", "多余的参数：{text}"),
    "error.number": (
        "{option} {text} is not a number of zero or more; write it as 3.2",
        "{option} {text} 不是非负数，请写成 3.2 这样的数字",
    ),
    "error.whole": (
        "{option} {text} is not a whole number of GPUs; write 1, 2, 3, …",
        "{option} {text} 不是整数卡数，请写 1、2、3……",
    ),
    "error.currency": (
        "{option} {text} is not a currency; write three letters, as EUR",
        "{option} {text} 不是币种，请写三个字母，例如 EUR",
    ),
    "error.per": ("--per {text} is not a unit; write one of {list}", "--per {text} 不是单位，请写其中之一：{list}"),
    "error.machine_size": (
        "a price per machine needs --gpus-per-machine, to know how many machines are paid",
        "按台计价需要 --gpus-per-machine，才能知道付几台",
    ),
    "error.pair": ("{one} and {two} belong together; give both", "{one} 和 {two} 要一起给出"),
    "error.no_rate": (
        "{one} and {two} cannot be added: no exchange rate is in force on {date}; add one to currencies.yaml",
        "{one} 与 {two} 无法相加：{date} 没有有效汇率，请在 currencies.yaml 中添加",
    ),
    "error.date": (
        "“{text}” is not a date; write YYYY-MM-DD, as 2026-11-30",
        "“{text}”不是日期，请写成 2026-11-30 这样的格式",
    ),
    "error.lang": ("“{text}” is not a language spoken here; write en or zh", "不支持语言“{text}”，请写 en 或 zh"),
    "error.no_text": (
        "there is no question; write it after the command, as gpu-bot ask cheapest 4xA100 for 72h, or use --batch",
        "没有问题，请写在命令后面，例如 gpu-bot ask 4张A100跑72小时哪家最便宜，或使用 --batch",
    ),
    "error.no_input": (
        "standard input is closed; pipe the questions in, one a line",
        "标准输入已关闭，请用管道传入问题，每行一个",
    ),
    "error.output": ("the answer could not be written: {reason}", "回答无法写出：{reason}"),
    "error.batch_text": (
        "--batch reads questions from standard input; leave the text out",
        "--batch 从标准输入读取问题，请不要再写文字",
    ),
    "error.line": ("gpu-bot: line {line} could not be answered", "gpu-bot：第 {line} 行无法回答"),
    "error.no_folder": ("{folder} is not a folder; name one that exists", "{folder} 不是文件夹，请给出存在的文件夹"),
    "error.knowledge": (
        "the knowledge has {n} {n:error/errors}; {command} lists them all",
        "知识库有 {n} 个错误，用 {command} 查看全部",
    ),
    "error.kind": ("“{text}” cannot be listed; write one of {list}", "无法列出“{text}”，请写其中之一：{list}"),
    "error.no_entry": (
        "nothing is known as “{id}”; gpu-bot kb list shows what is",
        "没有“{id}”，用 gpu-bot kb list 查看",
    ),
    "error.no_entry.near": ("nothing is known as “{id}”; did you mean {near}?", "没有“{id}”，是不是 {near}？"),
    "error.no_provider.none": (
        "there is no provider “{id}”; gpu-bot kb list shows them all",
        "没有平台“{id}”，用 gpu-bot kb list 查看全部平台",
    ),
    "error.no_source.none": (
        "{provider} has no source “{id}”; it has {near}",
        "{provider} 没有来源“{id}”，现有：{near}",
    ),
    "error.no_provider": ("there is no provider “{id}”; did you mean {near}?", "没有平台“{id}”，是不是 {near}？"),
    "error.no_source": (
        "{provider} has no source “{id}”; did you mean {near}?",
        "{provider} 没有来源“{id}”，是不是 {near}？",
    ),
    "error.ledger.read": (
        "{file} cannot be read ({reason}); name a file that can",
        "无法读取 {file}（{reason}），请给出可读的文件",
    ),
    "error.ledger.utf8": ("{file} is not UTF-8; save it as UTF-8", "{file} 不是 UTF-8 编码，请另存为 UTF-8"),
    "error.ledger.yaml": ("{place}: {what}; {fix}", "{place}：{what}；{fix}"),
    "error.ledger.shape": (
        "{file} lists no facts; write a mapping with `facts` or `contradictions`, each a list of entries with an `id`",
        "{file} 不是事实清单，请参照 gpu-bot kb coverage --help 中的写法",
    ),
    "error.ledger.id": ("{place}: this entry has no `id`; add it", "{place}：该条目缺少标识，请补上"),
    "error.day_to_come": ("{date} is still to come; give the day of the look", "{date} 还没到，请给出核对当天的日期"),
    "error.not_written": ("{file} was left as it was: {reason}", "{file} 未改动：{reason}"),
    "error.manifest": (
        "--manifest {text} is neither; write socket, or the address of the app, as https://bot.example",
        "--manifest {text} 不对，请写 socket，或应用的地址，例如 https://bot.example",
    ),
    "setting.file": (
        "{file} cannot be read: {reason}; make it a readable UTF-8 file",
        "无法读取 {file}（{reason}），请存为可读的 UTF-8 文件",
    ),
    "setting.line": ("{place}: this is no setting; write NAME=value", "{place}：这不是设置，请写成 NAME=value"),
    "setting.port": (
        "{name} is not a port; write a number from 0 to {most}",
        "{name} 不是端口号，请写 0 到 {most} 之间的数字",
    ),
    "setting.placeholder": (
        "{name} is still the placeholder, or was cut short when it was copied: it holds a character that no token has",
        "{name} 仍是占位文字，或复制时没有复制完整：其中有令牌不会有的字符",
    ),
    "setting.one_of": ("{name} is not one of {list}", "{name} 只能是其中之一：{list}"),
    "setting.unknown": ("{name} is not a setting", "{name} 不是设置项"),
    "setting.unknown.near": ("{name} is not a setting; did you mean {near}?", "{name} 不是设置项，是不是 {near}？"),
    "readings.unread": (
        "The team's own readings cannot be read ({reason}); this answer goes without them.",
        "无法读取团队实测结果（{reason}）；本回答未使用。",
    ),
    "feeds.unread": (
        "The price feeds cannot be read ({reason}); this answer rests on the knowledge folder alone.",
        "无法读取价格源（{reason}）；本回答只依据本地资料。",
    ),
    "error.extra": (
        "this needs the extra “{extra}”: run {command} in the checkout",
        "需要附加组件“{extra}”：请在代码目录里运行 {command}",
    ),
    "error.unforeseen": (
        "something went wrong here ({kind}); GPU_BOT_LOG_LEVEL=debug shows where",
        "程序内部出错（{kind}），设 GPU_BOT_LOG_LEVEL=debug 可查看位置",
    ),
}
