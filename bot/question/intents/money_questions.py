"""break_even and budget: whether a commitment pays off, what an amount buys."""

from __future__ import annotations

import re

from bot.question.intents.context import COMMITTED, Context, says

_COMMITS = re.compile(r" buy |commit|\breserv|包年|包月|预留")
_TERM = re.compile(r" mean .*breakeven |breakeven mean ")
_PAYS_OFF = says(
    r"break[ -]?even|breaks even|pay(?:s|ing)? (?:off|itself|for itself|back)|payback|amorti[sz]|recoup|\broi\b",
    "回本(?!地|土|国)|盈亏平衡|打平|摊平",
)
_WEIGHED = re.compile(r"[GP](?: [^,]{0,12})? (?:or|vs|and) (?:[^,]{0,8} )?[GP]")
_OVER_RENTING = says(
    r"\b(?:beats?|cheaper than|better than|vs\.?|versus|instead of|over) (?:just |keep "
    r"|keeping |continuing |to keep )?"
    r"(?:rent|renting|rental|rentals|cloud rental)\b"
)
_RENTED = re.compile(r" rentverb |\bcloud\b|on[ -]demand|spot| L ")
_WHEN = re.compile(
    r" (?:howlong|when) |at what (?:point|usage|utili[sz]ation|level)|what (?:usage|utili[sz]ation)"
    r"|什么时候|多少小时|多久|到多少|几小时|从多少|多少个小时"
)
_WINS = re.compile(
    r" (?:cheaper|better|beat|beats|cheap|betterdeal|save|win|wins|sense) "
    r"|make sense|beat|justif|overtake|start saving|合适|省"
)
_BEATS = says(r"\bbeats?\b")
_SHOULD_COMMIT = says(
    r"\bshould (?:i|we) (?:just |really |rather |even )?(?:reserve|commit|prepay|lock in)\b",
    r"\bis it (?:smart|wise|a good idea) to (?:reserve|commit)\b",
    "(?:要不要|该不该|应不应该|有没有必要|有必要)(?:做|买|上|签|用)?(?:个|一年|三年)*(?:包年|包月|预留|承诺)",
)
_SENSE = says(r"makes? (?:\w+ )?sense", r"sense to (?:commit|reserve|buy)", r"\bjustif")


def is_break_even(ask: Context) -> bool:
    """Whether or when committing or buying pays off against on-demand, spot or renting."""
    committed = bool(COMMITTED & ask.plans) or _COMMITS.search(ask.text + ask.source) is not None
    if ask.said(_PAYS_OFF) and (committed or not ask.drawn(_TERM)):
        return True
    if ask.cue("breakeven"):
        return _worth(ask, committed)
    if committed and ask.said(_SHOULD_COMMIT) and not ask.cue("which", "howmuch", "cheapest"):
        return True
    if committed and ask.two("plans") and ask.said(_BEATS):
        return True
    if ask.said(_OVER_RENTING) and ask.cue("M", "buy", "howlong"):
        return True
    weighed = ask.cue("rentverb", "or", "vs", "than", "cloud", "better", "cheaper", "betterdeal")
    if ask.cue("buy") and weighed and not ask.cue("howmuch"):
        return ask.drawn(_RENTED)
    if committed and _WHEN.search(ask.text + ask.source):
        return _WINS.search(ask.text + ask.source) is not None
    return committed and ask.said(_SENSE) and not ask.cue("cheapest", "howmuch")


def _worth(ask: Context, committed: bool) -> bool:
    """Worth it, 划算: of a commitment or of buying; between named providers or GPUs it is ``compare``."""
    if committed:
        named = ask.two("gpus", "providers") and len(ask.plans) < 2 and not ask.cue("buy")
        return not (named and ask.drawn(_WEIGHED))
    if ask.two("gpus", "providers") or ask.has("quoted"):
        return False
    if ask.two("plans") or ask.cue("rentverb"):
        return True
    return not ask.has("gpus", "providers", "needs", "workloads", "budget", "budget_per_hour")


_GETS = says(
    r"\bwhat(?:'s| is| are)? (?:\w+ ){0,4}?(?:can|could|does|do|will|would|gets?|options)\b",
    r"\b(?:which|what) (?:gpus?|cards?|hardware|setup|machine|instance)\b.*\b(?:can|could"
    r"|does|will|would|fits?|afford)\b",
    r"\b(?:biggest|best|largest|most powerful|fastest|strongest|beefiest|most)\b.*\b(?:i|we|you)\b.*"
    r"\b(?:can|could|get|afford|rent)\b",
    r"\b(?:will|would) (?:[\w$€£.,]+ ){1,2}do (?:for|on|it)\b",
    r"\bwill (?:it|that|this|\$?[\d.,k]+\w*) (?:cover|last|buy|get)",
    r"\bhow far\b|\b(?:my|our) options\b|\benough\b|\bafford\b|\bcover\b|\blast\b|\bgets? (?:me|us)\b",
    "能(?:够)?(?:租|跑|用|买|撑|训|做|换|干|搞|开|玩|上|选|整|弄|拿)|可以(?:租|跑|用|买|撑|训)",
    "有(?:什么|啥|哪些|没有)(?:好的?|别的|其他)?(?:选择|选项|可选|能选|可以选|得选|卡|显卡|gpu|机器|配置|型号)"
    "|能(?:挑|有)(?:啥|什么|哪些)|可以(?:选|挑|拿|开|上|玩)(?:到)?(?:啥|什么|哪些)|(?:什么|啥|哪些)(?:选择|选项)|有得选",
    "够(?:不够|吗|租|跑|用|训|买|我)?|租得?到|能 ?run|买到|买得起|租得起|什么档次",
)
_GETS_UNNAMED = re.compile(
    r" (?:howlong|howmany|enough) |what can|how much can|what could|what does|how far|what would"
    r"|能租|能跑|能做|能用|能干|能买|能撑|够"
)
_PLATFORM = says(
    r"which (?:platform|provider|cloud|service|plan|one)|what (?:platform|provider|cloud"
    r"|should)|who should|where should",
    r"should (?:i|we) (?:use|go|pick|choose|rent)|go with|recommend|suggest",
    "推荐|哪个平台|哪(?:些|几个?)(?:平台|云|厂商|家|服务商)|哪家|什么平台|用什么好|选什么|用哪|选哪|建议",
)
_HOW_MUCH_IS = says(r"how much (?:does|do|is|are|would|will)")


def is_budget(ask: Context) -> bool:
    """What an amount buys, how long it lasts, whether it is enough."""
    if ask.cue("cheapest"):
        return False
    if not ask.has("budget", "budget_per_hour"):
        asked = ask.cue("budget", "credits") and _GETS_UNNAMED.search(ask.text + ask.source)
        return bool(asked) and not ask.cue("M", "recommend")
    if ask.said(_PLATFORM) and not ask.cue("howlong", "enough"):
        return False
    if ask.cue("enough") and ask.cue("B", "C") and not ask.cue("M"):
        return False  # in a thread with a budget: enough memory, not enough money
    if ask.cue("howlong", "enough", "howmany"):
        return True
    return (
        ask.cue("M")
        and not ask.cue("cheap", "cheaper", "compare", "vs")
        and ask.said(_GETS)
        and not ask.said(_HOW_MUCH_IS)
    )
