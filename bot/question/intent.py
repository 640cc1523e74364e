"""What the message asks: section 5 of the contract, as a cascade from the most to the least particular."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from bot.question.about import is_about
from bot.question.sketch import Sketch
from bot.question.vocabulary import Vocabulary

COMMITTED = frozenset(("reserved", "reserved_1y", "reserved_3y", "monthly"))

_HELP = re.compile(
    r"\b(?:which|what|how many) (?:\w+ ){0,3}?(?:do|can|does|are|is) (?:you|this bot|the bot|this thing|gpu-bot)\b(?! (?:recommend|suggest|advise|think))"
    r"|\bdo(?:es)? (?:you|this bot|the bot) (?:\w+ )?(?:cover|support|track|know|include|speak|understand|handle|work|do)\b"
    r"|\bcan (?:you|this bot|the bot) (?:do|speak|understand|read|help)\b(?! me)(?! with (?:a|an|the|my)\b)(?! find)"
    r"|\byour (?:data|prices|price data|pricing data|numbers|sources|source|info|information|coverage|price list|figures|commands|knowledge)\b"
    r"|\bhow (?:fresh|old|current|recent|up[ -]to[ -]date|accurate|reliable|stale) (?:is|are) (?:the|your|these|this|that)(?: \w+){0,3} ?(?:data|prices|numbers|pricing|price|info)\b"
    r"|\bhow often (?:\w+ ){0,4}?(?:update|updated|refresh|refreshed|check|checked|synced|scraped)\b"
    r"|\bwhen (?:was|were|did) (?:\w+ ){0,5}?(?:last )?(?:updated|refreshed|update|refresh)\b"
    r"|\bwhere (?:do|does|did) (?:\w+ ){0,4}?(?:data|prices|numbers|figures|pricing) come from\b|\bwhere do you get\b"
    r"|\b(?:this|the) bot\b|\bgpu-bot\b|^\s*/?(?:help|usage|commands|\?)\s*[!?.]*\s*$|\blist (?:all )?(?:the )?commands\b|\bwhat (?:else )?can (?:you|i ask)\b|\bhow (?:do|should|can) i (?:use|talk to|ask) (?:you|this)\b"
    r"|你(?:们)?(?:都|还|目前|现在)?(?:能|可以|会)?(?:支持|覆盖|收录|包含|包括|知道|认识)(?:了)?(?:哪|什么|几|多少|中文|英文|[^,，。]*吗)|你(?:都|还)?(?:能|会)(?:做|干|帮)?(?:些|点)?(?:什么|啥|哪些)|你是(?:谁|什么|机器人|干)"
    r"|(?:你的|你们的|这些|这个)?(?:数据|价格|报价|信息)(?:源)?(?:是|都|的|会|是不是|有)?(?:多久|什么时候|几天|何时|多长时间|每天|哪来|从哪|哪儿来|来自|来源|实时|多新|新不新|准不准|准吗|准确吗|最新|是最新)"
    r"|(?:支持|覆盖|收录|包含)(?:了)?哪些(?:云|平台|厂商|命令|卡|显卡|gpu|服务商|供应商|地区)|哪些(?:云|平台|厂商|服务商)(?:是|被|你)?(?:支持|覆盖|收录)|怎么(?:使用|用)(?:你|这个|本)|有(?:哪些|什么)(?:命令|功能|指令)|(?:命令|指令)(?:有哪些|列表|大全)|^\s*帮助\s*[!?。]*$|这个机器人|机器人怎么",
    re.IGNORECASE,
)
_OWN_WORDS = re.compile(r" (?:cheapest|cheap|cheaper|howmuch|price|recommend|compare|vs|budget|breakeven) ")


class Asked(NamedTuple):
    """``explicit``: the words ask for it; otherwise it is what naming things alone amounts to."""

    intent: str
    action: str | None = None
    explicit: bool = True


def intent_of(
    sketch: Sketch,
    slots: Mapping[str, Any],
    command: str,
    source: str,
    vocabulary: Vocabulary,
    merged: Mapping[str, Any] | None = None,
    bare: bool = False,
) -> Asked:
    """The intent of a message. ``source`` is the plain text in lower case.

    In a thread ``merged`` holds the slots of all messages and ``bare`` says that the message only goes on
    ("what about spot?"), so that its question words ask nothing.
    """
    text, source = _ends(sketch.text), _ends(source)
    if re.search(r"\b(?:can|do|could) you (?:also )?(?:do|run|have|support|offer) (?:gpu )?benchmarks?\s*\??$", source):
        return Asked("help")
    if command == "gpu-bench" or (" bench " in text and not re.search(r" (?:mean|why) .*bench ", text)):
        return Asked("benchmark", _bench_action(text, source))
    if re.search(r"\bscores?\b|\bmeasured (?:results|numbers|tflops)\b|测出来|跑出来多少", source) and (slots.keys() & {"dtype", "gpus", "host"}) and not re.search(r" (?:M|howmuch|cheapest|price) ", text):
        return Asked("benchmark", "show")
    if " awslambda " in text:
        return Asked("unsupported")
    if (" helpask " in text or _HELP.search(source)) and not _asks_something(text, slots):
        return Asked("help")
    digest = _digest(text, slots, source)
    if digest is not None:
        return Asked("digest", digest)
    if merged is None:
        if not is_about(sketch, vocabulary):
            return Asked("unsupported")
        if " vcpu " in text and not _hardware(slots) and not re.search(r" (?:gpu|vram|gpuhour) ", text):
            return Asked("unsupported")
        if " cpumachine " in text and "gpus" not in slots:
            return Asked("unsupported")
    seen = {**slots, **merged} if merged is not None else slots
    for intent, test in _CASCADE:
        if merged is not None and (test is _quoted_price and "quoted" not in slots or test is _compare and not _compares(text, source, slots)):
            continue
        if merged is not None and bare and test in (_recommend, _explain, _budget, _specs) and not _BARE_ASKS.search(text):
            continue
        if test(text, seen, source):
            return Asked(intent, explicit=test is not _named)
    if not re.search(r" (?:gpu|G|Z|P|L|E|I|C|rentverb|platform|cloud|平台|云) ", text) and not _WANTS.search(source):
        return Asked("unsupported", explicit=False)
    if re.search(r" gpu ", text) or slots.keys() & {"workloads", "needs", "team", "model_params_b", "min_memory_gb", "budget", "gpu_count"}:
        counted = "gpu_count" in slots and not slots.keys() & {"workloads", "needs", "team"}
        return Asked("price" if counted else "recommend", explicit=False)
    if slots.keys() & {"providers", "plans", "hours", "regions"} or " Z " in text:
        return Asked("price", explicit=False)
    return Asked("unsupported", explicit=False)


_WANTS = re.compile(r"\b(?:need|want|looking|require|plan|planning|trying|going to|we're|we are|i'm|must|budget|would like|like to|hoping)\b|要|想|需|打算|准备|做|跑|训|求|找|预算|租")


def _ends(text: str) -> str:
    """Beginning and end of a long text: what is asked stands there, and patterns stay cheap."""
    return text if len(text) <= 2 * _END_CHARACTERS else text[:_END_CHARACTERS] + " . " + text[-_END_CHARACTERS:]


_END_CHARACTERS = 400
_BARE_ASKS = re.compile(r" (?:howmuch|howlong|howmany|enough|fit|spec|risk|interrupt|recommend) ")


def _compares(text: str, source: str, slots: Mapping[str, Any]) -> bool:
    """Whether a message in a thread itself weighs things, rather than inheriting two names."""
    if re.search(r" (?:vs|compare|difference|cheaper|better|betterdeal|bestof|against) ", text) or re.search(r"跟.*比|和.*比|还是|\bcompar", source):
        return True
    return _two(slots, "gpus", "providers", "plans")


def _hardware(slots: Mapping[str, Any]) -> bool:
    return bool(slots.keys() & {"gpus", "min_memory_gb", "total_memory_gb", "model_params_b"})


def _asks_something(text: str, slots: Mapping[str, Any]) -> bool:
    """Whether a text with words of help still asks for numbers: "help me find the cheapest A100"."""
    return bool(_OWN_WORDS.search(text)) and bool(slots.keys() & {"gpus", "min_memory_gb", "total_memory_gb", "hours", "model_params_b", "workloads"})


def _two(slots: Mapping[str, Any], *names: str) -> bool:
    return any(len(slots.get(name, ())) > 1 for name in names)


# ---------------------------------------------------------------- benchmark, digest


def _bench_action(text: str, source: str) -> str:
    if "实测" in source and not re.search(r"跑一下|跑个|测一下|跑一遍|做个|做一次|做一下|^跑", source):
        return "show"
    if re.search(r"^ (?:(?:please|pls|can|could|you|let's|lets|hey|帮我|帮忙|请|麻烦) ?)*(?:run|rerun|start|kick|launch|redo|重新|再) ?", text) and not re.search(r" (?:show) ", text):
        return "run"
    if re.search(r" (?:results|show|any|did|how|howmany|howmuch|which|what|mean|date|got|have|see|best|fastest) |看 ?下|看看|看一下|查|多少|最近|怎么样|有没有|怎样|如何", text):
        return "show"
    return "run"


_WRITES = re.compile(r"write|draft|finish my|写|交周报|我的周报")


def _digest(text: str, slots: Mapping[str, Any], source: str) -> str | None:
    named = " digest " in text
    moved = " moved " in text
    if _WRITES.search(source) and not re.search(r" (?:price|subscribe|unsubscribe) ", text):
        return None
    about_prices = bool(re.search(r" (?:price|G|gpu|P|L|market|行情|card) ", text)) or "gpus" in slots
    if named:
        weekly = re.search(r"weekly (?:report|summary|update|email|post)|newsletter|周报", source)
        if weekly and not about_prices and not re.search(r" (?:subscribe|unsubscribe|channel|频道) |price|gpu|channel|频道|这周|本周|上周|看", text):
            return None
        if re.search(r" mean |what is in", text) and not re.search(r" date ", text) and " subscribe " not in text and "in" not in text:
            return None
        return _digest_action(text, slots, source)
    if re.search(r" (?:subscribe|unsubscribe) ", text) and re.search(r" (?:price|moved|alert|alerts|更新|行情) |频道|channel|every|每周|weekly|monday|price", text) and not re.search(r" (?:cheapest|howmuch|L|spot|P) ", text):
        return _digest_action(text, slots, source)
    if re.search(r"(?:send|post|push|share|email) (?:it|this|them|that|us|me|the (?:\w+ )?(?:prices|update|report|summary)|prices)\b.*\b(?:every|each|weekly|monday|tuesday|wednesday|thursday|friday|channel)|每周[一二三四五六日天]?(?:都)?(?:发|推|给)", source):
        return "subscribe"
    if _PAST.search(source) and about_prices and _lately(text, source) and not re.search(r" (?:howmuch|cheapest|recommend|M|difference) ", text):
        return "show"
    if moved and _lately(text, source) and not re.search(r" (?:howmuch|cheapest|recommend) ", text):
        return "show"
    if re.search(r"what(?:'s| has| have|s)? (?:\w+ )?(?:moved|changed|new|happened)\b", source) and about_prices and re.search(r" date |lately|recently|week|pricing|price", text):
        return "show"
    return None


_PAST = re.compile(
    r"\bwhat did .*\b(?:prices?|pricing|rates?|costs?) do\b|\b(?:did|have|has)\b.*\b(?:prices?|pricing|rates?|cheaper|pricier|costs?|expensive)\b.*\b(?:week|month|lately|recently|since|days|yesterday|change[ds]?|moved?|come down|dropped|gone|gotten|risen|fallen)\b"
    r"|\b(?:did|have|has)\b.*\b(?:change[ds]?|moved?|drop(?:ped)?|fallen|risen|gone (?:up|down)|come down|get cheaper|got cheaper|gotten cheaper)\b.*\b(?:prices?|pricing|rates?|week|month|lately|recently|since)\b|\bprice (?:trend|history|moves)\b"
    r"|(?:最近|近期|这周|本周|上周|这个月|上个月|这几天).*(?:价格?|行情).*(?:变|动|波动|走势|如何|怎么样|咋样|情况)|(?:价格?|行情).*(?:最近|近期|这周|本周|上周|这个月|上个月|这几天).*(?:变|动|波动|走势|如何|怎么样|咋样|情况)"
)


def _lately(text: str, source: str) -> bool:
    future = re.search(r"\b(?:will|going to|expected? to|predict|forecast|next (?:year|quarter|month)|in the future|should i wait|when will|when are)\b|什么时候|何时|会降|会涨|会跌|要降|要涨|将来|未来|以后|明年|还会|会不会|会再|会继续|预计|下半年|等等", source)
    return not future and not re.search(r" why ", text)


def _digest_action(text: str, slots: Mapping[str, Any], source: str) -> str:
    if re.search(r"\b(?:drop|remove|exclude|leave out|take out|add|include|only|without|switch|change|move it|also|instead)\b", source) and "unsubscribe" not in source:
        if slots.keys() & {"gpus", "exclude_gpus", "providers", "exclude_providers", "plans", "exclude_plans", "regions", "exclude_regions"} or re.search(r"\b(?:monday|tuesday|wednesday|thursday|friday|daily|add|switch|change)\b", source):
            return "subscribe"
    if " unsubscribe " in text and not re.search(r"(?:加上|加到|改成)", source):
        return "unsubscribe"
    if re.search(r" (?:subscribe|add) |\b(?:every|each) (?:mon|tue|wed|thu|fri|week|morning)|\b(?:send|post|deliver|push)\b.*\b(?:channel|here|every|weekly|us|me)\b|set up|turn on|发到|推|每周|每个?星期|每个?礼拜|加上|加入|去掉|别放|不要放|换成|改成|只看|只要|开通|定时|频道", source + " " + text):
        if re.search(r"^(?:show|what|看|查|给我看|发我看)", source) and not re.search(r"every|频道|channel|订阅|subscribe", source):
            return "show"
        return "subscribe"
    return "show"


# ---------------------------------------------------------------- the cascade


def _break_even(text: str, slots: Mapping[str, Any], source: str) -> bool:
    committed = bool(COMMITTED & set(slots.get("plans", ()))) or bool(re.search(r" buy |commit|\breserv|包年|包月|预留", text + source))
    if re.search(r" mean .*breakeven |breakeven mean ", text) and not committed:
        return False
    plain = re.search(r"break[ -]?even|breaks even|pay(?:s|ing)? (?:off|itself|for itself|back)|payback|amorti[sz]|recoup|\broi\b|回本|盈亏平衡|打平|摊平", source)
    if plain:
        return True
    if " breakeven " in text:
        if committed:
            return not (_two(slots, "gpus", "providers") and len(slots.get("plans", ())) < 2 and " buy " not in text and re.search(r" (?:or|vs|and) ", text) and re.search(r"[GP](?: [^,]{0,12})? (?:or|vs|and) (?:[^,]{0,8} )?[GP]", text))
        if _two(slots, "gpus", "providers") or "quoted" in slots:
            return False
        return _two(slots, "plans") or bool(re.search(r" rentverb ", text)) or not (slots.keys() & {"gpus", "providers", "needs", "workloads", "budget", "budget_per_hour"})
    if re.search(r"\b(?:beats?|cheaper than|better than|vs\.?|versus|instead of|over) (?:just |keep |keeping |continuing |to keep )?(?:rent|renting|rental|rentals|cloud rental)\b", source) and re.search(r" (?:M|buy|howlong) ", text):
        return True
    if " buy " in text and re.search(r" (?:rentverb|or|vs|than|cloud|better|cheaper|betterdeal) ", text) and not re.search(r" (?:howmuch) ", text):
        return bool(re.search(r" rentverb |\bcloud\b|on[ -]demand|spot| L ", text))
    if committed and re.search(r" (?:howlong|when) |at what (?:point|usage|utili[sz]ation|level)|what (?:usage|utili[sz]ation)|什么时候|多少小时|多久|到多少|几小时|从多少|多少个小时", text + source):
        return bool(re.search(r" (?:cheaper|better|beat|beats|cheap|betterdeal|save|win|wins|sense) |make sense|beat|justif|overtake|start saving|合适|省", text + source))
    return committed and bool(re.search(r"makes? (?:\w+ )?sense|sense to (?:commit|reserve|buy)|\bjustif", source)) and not re.search(r" (?:cheapest|howmuch) ", text)


_ZH_CAN = re.compile(
    r"(?:训练?|微调|部署|推理?|带|跑|装|放|塞|撑|吃)(?:得|不)(?:动|了|下|住|起来)|(?:能|可以|可不可以|能不能|能否)(?:够|用来|拿来|直接)?(?:预?训练?|微调|部署|推理|跑|上)[^,，。]{0,16}(?:吗|么|嘛|不\b|不\?|\?|$)|够(?:不够)?(?:预?训练?|微调|部署|推理|跑)"
)


def _specs(text: str, slots: Mapping[str, Any], source: str) -> bool:
    if re.search(r" (?:cheapest|howmuch|breakeven|budget) ", text) or "quoted" in slots:
        return False
    if re.search(r" (?:price|cheap|cheaper|M|rentverb|billing) ", text) and not re.search(r" (?:fit|enough) ", text):
        return False
    if " howmany " in text and not re.search(r" spec ", text):
        return False
    hardware = _hardware(slots) or " gpu " in text or " card " in text or " vram " in text
    if " spec " in text and (hardware or re.search(r"how much|多大|多少|几", source)):
        return not re.search(r" (?:download|upload|recommend) ", text) or bool(re.search(r"how much (?:memory|vram|ram)|多少显存|多大显存", source))
    if " fit " in text and hardware:
        return True
    if hardware and _ZH_CAN.search(source) and not re.search(r" (?:which|recommend|or|vs|cheap) ", text):
        return True
    if " enough " in text and (hardware or "gpu_count" in slots) and not slots.keys() & {"budget", "budget_per_hour", "plans"}:
        return True
    if re.search(r" (?:vram|memory|ram) ", text) and re.search(r"how much|how many|how big|what(?:'s| is| are)|which|多大|多少|几|够|does|哪", source) and not re.search(r" (?:recommend) ", text):
        if hardware and not re.search(r"what (?:gpu|card)|which (?:gpu|card|platform|provider|cloud)", source):
            return True
    if re.search(r"\b(?:which|what|any) (?:gpus?|cards?|accelerators?|ones?)\b.*\b(?:have|has|support|supports|come with|with|got|offer)\b", source) and slots.keys() & {"min_memory_gb", "dtype"} and not slots.keys() & {"workloads", "budget", "hours", "model_params_b"}:
        return True
    if re.search(r"哪些?(?:个)?(?:gpu|卡|显卡|型号).*(?:有|支持|是|达到|超过|带)|(?:支持|有).*的(?:卡|gpu|显卡)?(?:有哪些|是哪些|都有)", source) and (slots.keys() & {"min_memory_gb", "dtype"} or " E " in text) and not slots.keys() & {"workloads", "budget"}:
        return True
    if "gpus" in slots and "dtype" in slots and re.search(r"support|支持|have|native|算力|performance|throughput|fast", source) and not re.search(r" W ", text):
        return True
    if "gpus" in slots and re.search(r"\b(?:does|do|is|are|has)\b (?:\w+ ){0,2}?.*\b(?:have|support|supports|come with|got|use|faster|hbm\w*)\b", source) and re.search(r" (?:does|do|is|are|has) (?:both |either |the |a |an |all )*G(?: [^P]{0,20})?(?: E | Q |have|support)", text) and " P " not in text:
        return True
    if "gpus" in slots and re.search(r"支持.*吗|有.*nvlink.*吗|支不支持|有没有nvlink", source) and re.search(r" (?:E|Q) ", text) and " P " not in text:
        return True
    if "gpus" in slots and re.search(r"\bhow (?:fast|powerful|big|large|hot|much faster|much power)\b|多快|快多少|性能差|哪个快|哪个算力|性能对比", source) and not slots.keys() & {"hours", "providers"}:
        return True
    if re.search(r"^ (?:the )?(?:vram|memory|interconnect|spec) (?:of|on|for|size of|does) ", text) and "gpus" in slots:
        return True
    if "model_params_b" in slots and "gpus" in slots:
        if re.search(r"\b(?:can|could|will|would|does|do|is|are)\b", source.split(",")[0]) and re.search(r"^ (?:[^,]* )?(?:can|could|will|would|does|do|is|are) (?:[^,]*)?(?:G|C)", text) and not re.search(r" (?:which|better|or|vs|recommend|who|price) ", text):
            return True
        if re.search(r"(?:能|可以|可不可以|行|能不能|跑).*(?:吗|么|不|行不行|\?)|行吗|可以吗|能否|行不", source) and not re.search(r" (?:which|or|vs|recommend|cheap|price) ", text):
            return True
    if re.search(r"\b(?:can|will|could)\b .*\b(?:fit|run|train|hold|handle|serve|fine-?tune)\b", source) and "min_memory_gb" in slots and slots.keys() & {"model_params_b", "workloads"} and not re.search(r" (?:which|who|recommend) ", text):
        return True
    return False


_BUYS = re.compile(
    r"\bwhat(?:'s| is| are)? (?:\w+ ){0,4}?(?:can|could|does|do|will|would|gets?|options)\b|\b(?:which|what) (?:gpus?|cards?|hardware|setup|machine|instance)\b.*\b(?:can|could|does|will|would|fits?|afford)\b"
    r"|\b(?:biggest|best|largest|most powerful|fastest|strongest|beefiest|most)\b.*\b(?:i|we|you)\b.*\b(?:can|could|get|afford|rent)\b|\bwill (?:it|that|this|\$?[\d.,k]+\w*) (?:cover|last|buy|get)|\bhow far\b|\b(?:my|our) options\b|\benough\b|\bafford\b|\bcover\b|\blast\b|\bgets? (?:me|us)\b"
    r"|能(?:够)?(?:租|跑|用|买|撑|训|做|换|干|搞|开|玩|上|选|整|弄|拿)|可以(?:租|跑|用|买|撑|训)|够(?:不够|吗|租|跑|用|训|买|我)?|租得?到|能 ?run|买到|买得起|租得起|什么档次",
    re.IGNORECASE,
)
_PLATFORM = re.compile(r"which (?:platform|provider|cloud|service|plan|one)|what (?:platform|provider|cloud|should)|who should|where should|should (?:i|we) (?:use|go|pick|choose|rent)|go with|recommend|suggest|推荐|哪个平台|哪家|什么平台|用什么好|选什么|用哪|选哪|建议", re.IGNORECASE)


def _budget(text: str, slots: Mapping[str, Any], source: str) -> bool:
    if " cheapest " in text:
        return False
    amount = slots.keys() & {"budget", "budget_per_hour"}
    if not amount:
        return " budget " in text and bool(re.search(r" (?:howlong|howmany|enough) |what can|what could|what does|how far|what would|能租|能跑|能做|能用|能干|能买|能撑|够", text + source)) and not re.search(r" (?:M|recommend) ", text)
    if _PLATFORM.search(source) and not re.search(r" (?:howlong|enough) ", text):
        return False
    if re.search(r" (?:howlong|enough|howmany) ", text):
        return True
    if re.search(r" (?:cheap|cheaper|compare|vs) ", text):
        return False
    return bool(_BUYS.search(source)) and not re.search(r"how much (?:does|do|is|are|would|will)", source)


def _explain(text: str, slots: Mapping[str, Any], source: str) -> bool:
    cost = re.search(r" (?:howmuch|cheapest|cheaper) ", text)
    if re.search(r"^ (?:(?:and|so|hey|but) )?(?:is|are) (?:the |a |an )?(?:P|L|G)(?: [^ ]+){0,5} (?:for|to) ", text) and slots.keys() & {"workloads", "hours"}:
        return False  # is X good for Y
    if _two(slots, "gpus", "providers", "plans") and re.search(r"\bmore \w+ than\b|\b\w+er than\b|\bbetter\b|还是|哪个更|哪家更", source) and "why" not in source:
        return False
    if re.search(r"\bwhy\b|\bhow come\b|为什么|为啥|为何|怎么会", source):
        return True
    if re.search(r" happens ", text) or re.search(r"\bwhat (?:do|should) (?:i|we) do\b|\bwhat (?:happens|if)\b", source):
        return not cost
    if re.search(r"什么意思|啥意思|是指|什么叫|啥叫|什么是|是什么(?!价|卡|平台)|是啥|怎么回事|科普|解释|\bmean(?:s|ing)?\b|\bexplain\b|\bdefin|\beli5\b|\bwhat exactly\b", source) and not re.search(r" (?:howmuch|cheapest|price) ", text):
        return not (re.search(r"i mean|by no means", source))
    if re.search(r"^\W*(?:so |hey |ok )?(?:what(?:'s| is| are)|whats) (?:a |an |the )?", source) and " mean " in text and not _hardware(slots) and not re.search(r" (?:howmuch|price|cheapest|cheap|cheaper|recommend|which|M|budget|spec|better|compare|vs|T|or|howlong|W|alternative) ", text) and not re.search(r"what(?:'s| is| are) (?:the )?best\b", source):
        return True
    if re.search(r"\bwhat (?:is|are|does|do) .{2,40}\b(?:do|good for|used for|useful for)\b\s*\??$|有什么用|有啥用|干嘛用|做什么用|什么作用|\btell me (?:more )?about\b", source):
        return not re.search(r" (?:howmuch|price|cheapest) ", text)
    if re.search(r"\bhow long (?:can|does|do|will|is|would|until|before)\b", source) and not slots.keys() & {"budget", "budget_per_hour", "purchase_price"} and not re.search(r" breakeven ", text):
        return True
    if re.search(r" billing ", text) and not re.search(r" (?:howmuch|cheapest) ", text):
        return True
    if re.search(r"\b(?:prices?|costs?|pricing|market|h100s?|a100s?|gpus?|rates?)\b.*\b(?:headed|heading|expected to|outlook|forecast|trend|trending|(?:going to|gonna|will) (?:\w+ )?(?:drop|fall|rise|go|come|get|stay|increase|decrease|change|crash|keep|be (?:cheaper|lower|higher|next)))\b|\b(?:will|are|is)\b.*\b(?:prices?|costs?|get cheaper|drop|fall|rise|go (?:up|down))\b.*\b(?:soon|next|year|future|drop|fall|rise|come down|go (?:up|down))\b|价格.*(?:走势|趋势|会(?:再|继续|不会)?(?:涨|降|跌))|(?:还|会)(?:再|继续|不会|不会再)?(?:涨|降|跌)|未来.*(?:涨|降|跌|价)|(?:什么时候|何时).*(?:降价|跌)|值得等|should (?:i|we) wait", source):
        return True
    if re.search(r" risk ", text) and not cost and not re.search(r" (?:cheap|recommend) ", text):
        return True
    if re.search(r" risk ", text) and re.search(r"what(?:'s| is| are) the (?:catch|risk|downside|drawback|caveat)|会不会|风险|坑|隐藏|pros and cons|hidden|trade-?off", source) and not re.search(r" cheapest ", text):
        return True
    if _difference(text, slots, source):
        return True
    if re.search(r"\bhow (?:do|should|can|would) (?:i|we|you|one) (?:choose|pick|select|decide)\b", source):
        return False
    if re.search(r"怎么(?:选|样|卖|收)|how about|怎样的|怎么用你", source) and not re.search(r"怎么收", source):
        return False
    if re.search(r"\bhow (?:do|does|can|should|would|to|is|are|did|will|could)\b|\bhow's\b", source) and " priced" not in source and not re.search(r"\bhow (?:do|does|is|are|would|can|will|should) (?:(?!i |we |you )\w+ ){0,6}?(?:compare|compares|stack|differ|look|cost|priced)\b(?! of)", source):
        return not re.search(r" (?:cheapest|howmuch|howmany|howlong|compare|vs|spec) ", text) and not (re.search(r" (?:recommend) ", text) and re.search(r"choose|pick|decide", source) and False)
    if re.search(r"\b(?:best|right|easiest|safest|recommended|proper|good) way to\b|\btips\b|\bsteps to\b|\bguide (?:to|for|on)\b|\bwalk me through\b|\bshow me how\b|\btell me how\b|\badvice on (?:how|migrat|mov|protect|reduc)", source) and not cost:
        return True
    if re.search(r"怎么|如何|咋(?!样)", source) and not re.search(r" (?:howmuch|cheapest|cheap|recommend|compare|vs|spec|howmany|howlong) ", text):
        return True
    if re.search(r"(?:怎么|如何)(?:避免|防止|保护|降低|减少|监控|检查|确认|迁移|搬|省|节省|控制|恢复|保存|备份|申请|开通|启动|试用|测试|查看|处理|应对|传|上传|下载|连接|登录|退订|取消|续费|防|把|才能|判断|验证)", source):
        return True
    return _works(text, slots, source)


_WORKS_VERB = r"(?:bill|bills|billed|charge|charges|charged|require|requires|allow|allows|let|lets|refund|refunds|include|includes|keep|keeps|persist|round|rounds|need|needs|come|comes|get|gets|lose|loses|cost extra|free|included|extra|auto-renew|renew|pay|expire|expires|guarantee|guarantees|preempt|preempts|interrupt|interrupts|support|supports|have|has|offer|offers|count|counts|survive|refundable|cancel|resume|resell|transferable|switch|change|upgrade|downgrade|convert|extend|share|combine|mix|transfer|shut|stop|stops|delete|deletes|reclaim|warn|notify|throttle|negotiate)"


def _works(text: str, slots: Mapping[str, Any], source: str) -> bool:
    """Yes or no on how a provider or a plan works: does Lambda bill stopped instances?"""
    if re.search(r" (?:howmuch|cheapest|cheaper|cheap|breakeven|enough|fit|spec|better|or|vs|recommend|compare) ", text) or re.search(r"\b(?:price|cost|pricing|rate|fee)s?\b(?! extra)", source):
        return False
    if "hours" in slots and "gpus" in slots:
        return False
    if re.search(r"^ (?:(?:and|so|but|hey) )?(?:can|do|does|is|are|will|would) (?:the |a |an |my |their )?(?:P|L|instance)(?: instance)? (?!,)", text) and not slots.keys() & {"gpus", "workloads", "min_memory_gb", "needs", "budget", "quoted"}:
        return True
    if re.search(rf"^(?:\W|hey |so |and |ok |quick question[:,]? )*(?:do|does|can|could|is|are|will|would|if|did|has|must)\b.*\b{_WORKS_VERB}\b", source):
        return bool(re.search(r" (?:P|L|instance|node|download|disk|rentverb|billing|data|idle|stopped) ", text)) or bool(re.search(r"\b(?:they|i|we|you)\b", source))
    if re.search(r"吗[?!。]*$|会不会|能不能|是不是|多不多|高不高|大不大", source) and re.search(r" (?:L|P|interrupt) ", text) and not _hardware(slots) and not re.search(r" (?:E|W) ", text):
        return True
    return bool(re.search(r"(?:收费|扣费|计费|收钱|扣钱|要钱|算钱)吗|(?:还|要|会)(?:收|扣)(?:费|钱)|会被(?:中断|回收|抢占)|能(?:退|转|取消|暂停|续)|可以(?:退|转|取消|暂停|续)|支持(?:按|退|暂停)|要不要(?:付|交)|(?:需要|要)(?:预付|押金|实名|申请)|还在吗|会丢吗|会不会丢|丢不丢|还能恢复", source))


def _difference(text: str, slots: Mapping[str, Any], source: str) -> bool:
    """The difference between two plans or terms, or between classes of provider."""
    if not (re.search(r" (?:difference|compare|vs) ", text) or re.search(r"differ|区别|不同|不一样|versus|\bvs\b", source)):
        return False
    if re.search(r"差多少|便宜多少|贵多少|省多少|差价|各要|how much|price gap|price difference|cheaper|cheapest|多少钱|价差|相差|cost difference|saving|save", source) or _hardware(slots):
        return False
    if _two(slots, "gpus", "providers"):
        return bool(re.search(r"hyperscaler|big three|三大云", source)) and bool(re.search(r"marketplace|specialist|neocloud|小平台|垂直|平台|classes|kinds?", source))
    return True


def _compare(text: str, slots: Mapping[str, Any], source: str) -> bool:
    pair = _two(slots, "gpus", "providers", "plans") or (
        _two(slots, "regions") and bool(re.search(r" (?:compare|vs|difference|cheaper|better|betterdeal) |还是", text + source))
    )
    asks = bool(re.search(r" (?:vs|or|compare|difference|cheaper|cheap|better|betterdeal|bestof|breakeven|which|against|than|bi|howmuch|price|/) |各|还是|or|哪", text)) or bool(re.search(r"\bcompar|比", source))
    if pair:
        if _offers(text, source) and not re.search(r" (?:vs|compare|difference|better|cheaper) ", text):
            return False
        if _PICKS.search(source):
            return True
        if re.search(r" (?:recommend) ", text) and not re.search(r" (?:or|vs|compare|difference|better|cheaper|betterdeal|bestof|cheap|against|which|/) ", text):
            return False
        if "plans" in slots and not _two(slots, "gpus", "providers"):
            return asks and bool(re.search(r" L(?: [^L]{0,24})?(?: (?:or|vs|and|,|/|compare|to|than|bi|against|instead of|over)) ?(?:[^L]{0,24} )?L ", text) or re.search(r" (?:difference|compare|cheaper|各) ", text)) and not re.search(r" L (?:or|/|and) L (?:is |are |both |也 |都 ?)*(?:fine|ok|okay|works|可以|行)", text)
        return asks
    named = len(slots.get("gpus", ())) + len(slots.get("providers", ())) + len(slots.get("plans", ()))
    if re.search(r" compare ", text) and not re.search(r" (?:cheapest|howmuch) ", text):
        return named > 0 or bool(re.search(r"\bcompare\b|对比|比较一下", source))
    return False


_PICKS = re.compile(r"(?:选|用|租|买|挑|上)(?:哪|谁)|哪(?:个|家|款|种|一)|\b(?:which (?:one|of|is|would|should)|pick|choose|choosing|deciding|decide)\b")


def _offers(text: str, source: str) -> bool:
    return bool(re.search(r"\bwho (?:offers|has|sells|rents|provides|can)\b|\bwho's got\b|\b(?:which|what) .*\b(?:offer|offers|have|has|carry|stock)\b|有货|哪家有|谁有|in stock", source))


def _cheapest(text: str, slots: Mapping[str, Any], source: str) -> bool:
    if " cheapest " in text or re.search(r"总价最低|总成本最低|cheapest|lowest total", source):
        return True
    if "sort" in slots and slots["sort"] == "total":
        return True
    compared = _two(slots, "gpus", "providers", "plans") or (_two(slots, "regions") and bool(re.search(r" (?:vs|or) |还是", text + source)) and "cheaper" in text)
    if re.search(r"\b(?:rank|sort|order|list)(?:ed)?\b.*\bby (?:\w+ )?(?:price|cost|total)|按(?:价格|费用|成本|总价)(?:从低到高)?(?:排|列)", source):
        return True
    if " cheaper " in text:
        return not compared
    return " cheap " in text and not compared


def _price(text: str, slots: Mapping[str, Any], source: str) -> bool:
    return bool(
        re.search(r" howmuch ", text)
        or re.search(r" (?:what|whats|what's|mean) (?:[^?]*)price ", text)
        or (re.search(r" price ", text) and not re.search(r" recommend ", text) and not (slots.keys() & {"team"}))
        or re.search(r"^ (?:price|quote) ", text)
        or re.search(r"\bwhat (?:would|will|does) (?:that|it|this|these|those) (?:be|cost|come)\b", source)
        or re.search(r"\bwhat (?:would|will|does|do|did|should) .*\b(?:run|runs|set|cost) (?:me|us|you|one)\b|\b(?:come|comes|amount|amounts) to\b|\bwhat am i looking at\b", source)
    )


def _recommend(text: str, slots: Mapping[str, Any], source: str) -> bool:
    if re.match(r"\W*(?:what|how) about\b", source) and not re.search(r" (?:recommend|which|who|howmany) ", text):
        return False
    if re.search(r"\b(?:any|is there an?|are there any) (?:\w+ )?(?:providers?|clouds?|platforms?|services?|vendors?|hosts?|marketplaces?|sites?|company|companies|places?)\b|有没有[^,，。]*的?(?:平台|云|厂商|服务商|供应商)", source):
        return True
    if re.search(r"\bhow (?:do|should|can|would) (?:i|we|you|one) (?:choose|pick|select|decide)\b", source):
        return True
    if re.search(r" (?:recommend|howmany|bestof|alternative) ", text):
        return True
    if re.search(r" (?:which|who|what) ", text) and not re.search(r" (?:price|howmuch) ", text):
        return True
    if re.search(r"^\W*(?:hey |so |and |ok )?should\b|(?:怎么样|咋样|好用吗|好使吗|行吗|可以吗|如何)[?？!。]*$", source) and not re.search(r" (?:price|howmuch) ", text):
        return bool(slots.keys() & {"gpus", "providers", "plans"})
    if re.search(r"\bis .* (?:good|ok|okay|fine|suitable|overkill|right|enough) |\bwhere\b|\bneed\b.*\bhosting\b", source):
        return True
    return False


def _quoted_price(text: str, slots: Mapping[str, Any], source: str) -> bool:
    """Whether a quoted price is good."""
    return "quoted" in slots and not re.search(r" (?:cheapest|cheaper|cheap|compare|vs) ", text) and not _two(slots, "providers")


def _named(text: str, slots: Mapping[str, Any], source: str) -> bool:
    """Hardware named with no other ask."""
    if "gpus" in slots or "gpu_hours" in slots:
        return not (not slots.keys() & {"hours", "providers", "plans", "regions", "quoted", "storage_gb", "data_gb"} and slots.keys() & {"team", "needs"})
    return False


def _wants(text: str, slots: Mapping[str, Any], source: str) -> bool:
    return bool(re.search(r" cheapest ", text))


_CASCADE = (
    ("break_even", _break_even),
    ("budget", _budget),
    ("cheapest", _wants),
    ("specs", _specs),
    ("explain", _explain),
    ("cheapest", _cheapest),
    ("compare", _compare),
    ("price", _quoted_price),
    ("price", _price),
    ("recommend", _recommend),
    ("price", _named),
)
