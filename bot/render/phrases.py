"""Small phrases said of values: a GPU, a plan, an amount, how a question was read. Sentences are in ``words``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from decimal import Decimal

from bot.render import figures
from bot.render.words import has, join, say, word
from rules.model import TERM_HOURS, Answer, GpuAsk, Money, Question, Quote, Rate
from rules.prices import currency_of
from rules.sums import plain

_MODEL_PARTS = re.compile(r"^(RTX|TPU|Ascend)(?=[\dPv])|(?<=\d)(?=(?:Ada|Ti)$)")


def gpu_name(model: str) -> str:
    """A canonical model as people write it: RTX4090 is "RTX 4090", RTX6000Ada "RTX 6000 Ada".

    >>> gpu_name("RTX6000Ada"), gpu_name("TPUv5e"), gpu_name("A100")
    ('RTX 6000 Ada', 'TPU v5e', 'A100')
    """
    return _MODEL_PARTS.sub(lambda match: f"{match.group(1) or ''} ", model)


def hardware(model: str, memory_gb: Decimal | None, form: str | None, lang: str) -> str:
    parts = [gpu_name(model)]
    if memory_gb is not None:
        parts.append(say("memory_gb", lang, n=memory_gb))
    if form is not None:
        parts.append(form)
    return " ".join(parts)


def gpus(count: Decimal, name: str, lang: str) -> str:
    return say("gpus", lang, n=count, gpu=name)


def asked_gpu(ask: GpuAsk, lang: str) -> str:
    name = hardware(ask.model, ask.memory_gb, ask.form, lang)
    return name if ask.count is None else gpus(ask.count, name, lang)


def quote_hardware(quote: Quote, lang: str) -> str:
    """What the asker gets: the GPUs asked, as this offer sells them; machines when there are several."""
    if quote.offer is None:
        return "-"
    name = hardware(quote.offer.gpu, quote.offer.memory_gb, quote.offer.form, lang)
    if quote.machines > 1 and quote.gpus_asked % quote.machines == 0:
        return say("gpus.nodes", lang, m=quote.machines, gpus=gpus(quote.gpus_asked / quote.machines, name, lang))
    return gpus(quote.gpus_asked, name, lang)


def hours(value: Decimal, lang: str) -> str:
    return say("hours", lang, n=value)


def hours_down(value: Decimal, lang: str) -> str:
    """Hours that an amount pays for, never rounded up."""
    return say("hours", lang, n=figures.count_down(value))


def provider_name(answer: Answer, provider: str, lang: str) -> str:
    """The provider's name in ``lang``; its id when the answer carries no name for it."""
    text = answer.names.get(provider)
    return provider if text is None else text.say(lang)


def plan(value: str, lang: str) -> str:
    return word("plan", value, lang)


def region(code: str, lang: str) -> str:
    key = f"area.{code}"
    if has(key):
        return say(key, lang)
    return code.upper() if len(code) == 2 else code


def age(days: int, stale: bool, lang: str) -> str:
    text = say("age.today", lang) if days == 0 else say("age.days", lang, n=days)
    return say("age.stale", lang, age=text) if stale else text


def price_age(quote: Quote) -> int:
    """Days since the oldest price line of a quote was looked at; exchange rates are another matter."""
    ages = [line.used.age_days for line in quote.lines if line.used is not None]
    return max(ages, default=quote.age_days)


def quote_age(quote: Quote, lang: str) -> str:
    """The age of a quote's prices; that of an exchange rate too when it is older."""
    said = age(price_age(quote), quote.stale, lang)
    return say("age.rate", lang, age=said, n=quote.age_days) if quote.age_days > price_age(quote) else said


def short_age(days: int, lang: str) -> str:
    return say("age.short.today", lang) if days == 0 else say("age.short", lang, n=days)


def rate(value: Rate, lang: str) -> str:
    """A rate as its source says it: "$1.49/GPU-h", "3 %"."""
    if value.unit == "%":
        return figures.rate(value.amount, None)
    return f"{figures.rate(value.amount, value.currency)}/{word('unit', value.unit, lang)}"


_SAID = re.compile(r"([0-9.]+) ([A-Z]{3})/([a-z-]+)")


def said_rate(says: str, lang: str) -> str:
    """A price as its line says it, in the form of ``rate``; other words stay as they are.

    >>> said_rate("0.09 USD/gb", "en"), said_rate("not sold", "en")
    ('$0.09/GB', 'not sold')
    """
    found = _SAID.fullmatch(says)
    return rate(Rate(Decimal(found[1]), found[2], found[3]), lang) if found else says


def mark(value: str) -> str:
    """An attestation or a link as it is written: iso27001 is "ISO 27001"."""
    return _MARKS.get(value, value)


_MARKS = {
    "iso27001": "ISO 27001", "iso27017": "ISO 27017", "iso27018": "ISO 27018", "iso27701": "ISO 27701",
    "iso9001": "ISO 9001", "iso22301": "ISO 22301", "iso20000": "ISO 20000", "soc1": "SOC 1", "soc2": "SOC 2",
    "soc3": "SOC 3", "gdpr": "GDPR", "hipaa": "HIPAA", "pci-dss": "PCI DSS", "fedramp": "FedRAMP", "c5": "C5",
    "csa-star": "CSA STAR", "hds": "HDS", "tisax": "TISAX", "nvlink": "NVLink", "nvswitch": "NVSwitch",
    "infiniband": "InfiniBand", "roce": "RoCE", "efa": "EFA", "rdma": "RDMA", "ethernet": "Ethernet", "pcie": "PCIe",
    "ici": "ICI", "hccs": "HCCS", "mlps": "MLPS",
}  # fmt: skip


def amount(answer: Answer, usd: Decimal) -> str:
    """An amount in USD, and beside it in the currency that the asker reads when a dated rate is known."""
    text = figures.money(usd)
    if answer.display_currency in (None, "USD") or not answer.display_rate:
        return text
    return f"{text} ({figures.money(figures.convert(usd, answer.display_rate), answer.display_currency)})"


def stated(money: Money, lang: str) -> str:
    """An amount as the asker stated it; ``lang`` is that of the question."""
    return figures.money(money.amount, currency_of(money, lang))


def way(quote: Quote, condition: str, lang: str) -> str:
    """How something is bought instead: "spot", "2 smaller machines"."""
    if condition == "several-machines":
        return say("way.several-machines", lang, n=quote.machines)
    return plan(quote.offer.plan if quote.offer else "on_demand", lang)


# ---------------------------------------------------------------- how the question was read


def unread(answer: Answer) -> list[str]:
    """The pieces that were not used, a model that is not known among them, each once."""
    words = (word for word, _ in answer.unknown_models)
    return list(dict.fromkeys([*(piece.text for piece in answer.unread), *words]))


def wanted(question: Question, lang: str) -> str:
    """The hardware asked for, in a few words."""
    if question.gpus:
        names = join([asked_gpu(ask, lang) for ask in question.gpus], lang, "or")
    elif question.gpu_count is not None:
        names = say("gpus.count", lang, n=question.gpu_count)
    else:
        names = say("gpus.any", lang)
    if question.nodes is not None:
        return say("gpus.nodes", lang, m=question.nodes, gpus=names)
    return names


def reading(answer: Answer, lang: str) -> str:
    """How the question was understood, its silences included: "4 × A100, any memory, one machine, 72 h, on demand"."""
    question = answer.question
    assumed = {one.key: one.value for one in answer.assumptions}
    usual = [gpu_name(model) for model in assumed.get("gpus", "").split(", ") if model]
    parts = [join(usual, lang, "or") if usual else wanted(question, lang), *_memory(question, lang)]
    if "placement" in assumed and (not answer.quotes or answer.quotes[0].machines == 1):
        parts.append(say("read.one_machine", lang))
    parts += _time(question, lang)
    parts += [plan(value, lang) for value in question.plans] or ([plan("on_demand", lang)] if "plan" in assumed else [])
    parts += _places(answer, lang)
    for build in (_money, _data, _workload):
        parts += build(question, lang)
    return ("，" if lang == "zh" else ", ").join(parts)


def _memory(question: Question, lang: str) -> list[str]:
    parts = []
    if question.min_memory_gb is not None:
        parts.append(say("read.min_memory", lang, n=question.min_memory_gb))
    if question.total_memory_gb is not None:
        parts.append(say("read.total_memory", lang, n=question.total_memory_gb))
    if not parts and question.gpus and all(ask.memory_gb is None for ask in question.gpus):
        parts.append(say("read.any_memory", lang))
    return parts


def _time(question: Question, lang: str) -> list[str]:
    parts = []
    if question.hours is not None:
        parts.append(hours(question.hours, lang))
    if question.gpu_hours is not None:
        parts.append(say("read.gpu_hours", lang, n=question.gpu_hours))
    if question.hours_per_day is not None:
        parts.append(say("read.hours_per_day", lang, n=question.hours_per_day))
    needless = question.intent in ("budget", "break_even", "specs") or any(
        value in TERM_HOURS for value in question.plans
    )
    return parts or ([] if needless else [say("read.no_hours", lang)])


def _places(answer: Answer, lang: str) -> list[str]:
    question, parts = answer.question, []
    if question.providers:
        names = [provider_name(answer, one, lang) for one in question.providers]
        parts.append(say("read.providers", lang, list=join(names, lang)))
    if question.regions:
        parts.append(
            say("read.regions", lang, list=join([region(code, lang) for code in question.regions], lang, "or"))
        )
    excluded: Iterable[str] = (
        *(gpu_name(model) for model in question.exclude_gpus),
        *(provider_name(answer, one, lang) for one in question.exclude_providers),
        *(plan(value, lang) for value in question.exclude_plans),
        *(region(code, lang) for code in question.exclude_regions),
    )
    if names := list(excluded):
        parts.append(say("read.not", lang, list=join(names, lang)))
    return parts


def _money(question: Question, lang: str) -> list[str]:
    parts = []
    if question.budget is not None:
        parts.append(say("read.budget", lang, amount=stated(question.budget, question.lang)))
    if question.budget_per_hour is not None:
        key = "read.budget_per_gpu_hour" if question.budget_per_hour.per == "gpu" else "read.budget_per_hour"
        parts.append(say(key, lang, amount=stated(question.budget_per_hour, question.lang)))
    if question.quoted is not None:
        parts.append(
            say(f"read.quoted.{question.quoted.per or 'total'}", lang, amount=stated(question.quoted, question.lang))
        )
    if question.purchase_price is not None:
        parts.append(say("read.purchase", lang, amount=stated(question.purchase_price, question.lang)))
    return parts


def _data(question: Question, lang: str) -> list[str]:
    parts = []
    if question.data_gb is not None and question.data_direction is not None:
        flow = word("direction", question.data_direction, lang)
        parts.append(say("data", lang, n=question.data_gb, direction=flow))
    elif question.data_gb is not None:
        parts.append(say("data.plain", lang, n=question.data_gb))
    if question.storage_gb is not None:
        parts.append(say("storage", lang, n=question.storage_gb))
    return parts


def _workload(question: Question, lang: str) -> list[str]:
    parts = [word("workload", value, lang) for value in question.workloads]
    if question.model_params_b is not None:
        parts.append(say("read.params", lang, n=question.model_params_b))
    parts += [word("team", value, lang) for value in question.team]
    parts += [word("need", value, lang) for value in question.needs]
    if question.dtype is not None:
        parts.append(question.dtype)
    if question.sort is not None:
        parts.append(word("sort", question.sort, lang))
    return parts


# ---------------------------------------------------------------- a question said again


def ask_again(question: Question, lang: str) -> str:
    """A question in words that are read as that question, for ready answers and buttons.

    It says what decides the price: intent, hardware, duration, plan, places and data.
    """
    return _again_zh(question) if lang == "zh" else _again_en(question)


def _hardware_again(question: Question, counted: Callable[[str, str], str]) -> list[str]:
    return [
        counted(plain(ask.count) if ask.count is not None else "", " ".join(
            [gpu_name(ask.model), *([f"{plain(ask.memory_gb)}GB"] if ask.memory_gb is not None else []),
             *([ask.form] if ask.form else [])]))
        for ask in question.gpus
    ]  # fmt: skip


def _again_en(question: Question) -> str:
    things = _hardware_again(question, lambda n, gpu: f"{n}x {gpu}" if n else gpu)
    what = " or ".join(things) or ("GPU" if question.gpu_count is None else f"{plain(question.gpu_count)} GPUs")
    if question.nodes is not None:
        what = f"{plain(question.nodes)} nodes of {what}"
    tail = _tail_en(question)
    asked = {
        "price": f"how much is {what}",
        "compare": f"compare {' and '.join(things) or what}",
        "recommend": f"which provider should we use for {what}",
        "specs": _specs_en(question, things, what),
        "break_even": f"does {_first_plan(question, 'a 1-year reservation')} of {what} pay off",
        "budget": f"how long does {_budget(question)} last on {what}",
    }.get(question.intent, f"cheapest {what}")
    return " ".join([asked, *tail])


def _specs_en(question: Question, things: list[str], what: str) -> str:
    if question.model_params_b is None:
        return f"how much memory does {what} have"
    return f"does a {plain(question.model_params_b)}B model fit on {' or '.join(things)}"


def _budget(question: Question) -> str:
    return (
        "$500" if question.budget is None else figures.money(question.budget.amount, question.budget.currency or "USD")
    )


def _first_plan(question: Question, default: str) -> str:
    return f"a {plan(question.plans[0], 'en')}" if question.plans else default


def _tail_en(question: Question) -> list[str]:
    parts = []
    if question.hours is not None:
        parts.append(f"for {plain(question.hours)} hours")
    if question.gpu_hours is not None:
        parts.append(f"for {plain(question.gpu_hours)} GPU hours")
    if question.plans and question.intent != "break_even":
        parts.append(" or ".join(plan(value, "en") for value in question.plans))
    if question.providers:
        parts.append(f"on {' or '.join(question.providers)}")
    if question.regions:
        parts.append(f"in {' or '.join(region(code, 'en') for code in question.regions)}")
    if question.exclude_providers:
        parts.append(f"not {' or '.join(question.exclude_providers)}")
    if question.data_gb is not None:
        flow = {"in": " upload", "out": " egress"}.get(question.data_direction or "", " of data to move")
        parts.append(f"with {plain(question.data_gb)}GB{flow}")
    if question.storage_gb is not None:
        parts.append(f"with {plain(question.storage_gb)}GB of disk")
    return parts


def _again_zh(question: Question) -> str:
    things = _hardware_again(question, lambda n, gpu: f"{n}张{gpu}" if n else gpu)
    what = "或".join(things) or ("GPU" if question.gpu_count is None else f"{plain(question.gpu_count)}卡")
    if question.nodes is not None:
        what = f"{plain(question.nodes)}台{what}"
    if question.intent == "specs":
        if question.model_params_b is None:
            return f"{what}显存多大"
        return f"{what}能跑{plain(question.model_params_b)}B模型吗"
    if question.intent == "compare":
        return f"对比{'和'.join(things) or what}{_middle_zh(question)}"
    if question.intent == "budget":
        return f"预算{_budget_zh(question)}，{what}能租多久{_middle_zh(question)}"
    ending = {"price": "多少钱", "recommend": "推荐哪家", "break_even": "一年预留划算吗"}.get(
        question.intent, "哪家最便宜"
    )
    return f"{what}{_middle_zh(question)}{ending}"


def _budget_zh(question: Question) -> str:
    return (
        "500美元" if question.budget is None else f"{plain(question.budget.amount)}{question.budget.currency or '元'}"
    )


def _middle_zh(question: Question) -> str:
    parts = []
    if question.hours is not None:
        parts.append(f"跑{plain(question.hours)}小时")
    if question.gpu_hours is not None:
        parts.append(f"{plain(question.gpu_hours)}卡时")
    if question.plans and question.intent != "break_even":
        parts.append("或".join(plan(value, "zh") for value in question.plans))
    if question.providers:
        parts.append("，".join(question.providers))
    if question.regions:
        parts.append("、".join(region(code, "zh") for code in question.regions))
    if question.exclude_providers:
        parts.append(f"不要{'、'.join(question.exclude_providers)}")
    if question.data_gb is not None:
        flow = {"in": "上传", "out": "导出"}.get(question.data_direction or "", "数据")
        parts.append(f"{flow}{plain(question.data_gb)}GB")
    if question.storage_gb is not None:
        parts.append(f"存储{plain(question.storage_gb)}GB")
    return "，".join(["", *parts, ""]) if len(parts) > 1 else "".join(parts)
