"""explain: what a term means, how or why something works, how to do it, where prices are heading."""

from __future__ import annotations

import re

from bot.question.intents.context import Context, says

_GOOD_FOR = re.compile(r"^ (?:(?:and|so|hey|but) )?(?:is|are) (?:the |a |an )?(?:P|L|G)(?: [^ ]+){0,5} (?:for|to) ")
_COMPARATIVE = says(r"\bmore \w+ than\b", r"\b\w+er than\b", r"\bbetter\b", "还是|哪个更|哪家更")
_WHY = says(r"\bwhy\b|\bhow come\b|为什么|为啥|为何|怎么会")
_IF = says(r"\bwhat (?:do|should) (?:i|we) do\b|\bwhat (?:happens|if)\b")
_MEANS = says(
    "什么意思|啥意思|是指|什么叫|啥叫|什么是|是什么(?!价|卡|平台)|是啥|怎么回事|科普|解释",
    r"\bmean(?:s|ing)?\b|\bexplain\b|\bdefin|\beli5\b|\bwhat exactly\b",
)
_NO_TERM = says("i mean|by no means")
_WHAT_IS = says(r"^\W*(?:so |hey |ok )?(?:what(?:'s| is| are)|whats) (?!(?:the )?best\b)(?:a |an |the )?")
_WHAT_FOR = says(
    r"\bwhat (?:is|are|does|do) .{2,40}\b(?:do|good for|used for|useful for)\b\s*\??$",
    r"有什么用|有啥用|干嘛用|做什么用|什么作用|是(?:做|干)(?:什么|啥|嘛)(?:用)?的|\btell me (?:more )?about\b",
)
_HOW_LONG = says(r"\bhow long (?:can|does|do|will|is|would|until|before)\b")
_HEADING = says(
    r"\b(?:prices?|costs?|pricing|market|h100s?|a100s?|gpus?|rates?)\b.*\b(?:headed|heading"
    r"|expected to|outlook|forecast"
    r"|trend|trending|(?:going to|gonna|will) (?:\w+ )?(?:drop|fall|rise|go|come|get|stay"
    r"|increase|decrease|change|crash"
    r"|keep|be (?:cheaper|lower|higher|next)))\b",
    r"\b(?:will|are|is)\b.*\b(?:prices?|costs?|get cheaper|drop|fall|rise|go (?:up|down))\b.*"
    r"\b(?:soon|next|year|future|drop|fall|rise|come down|go (?:up|down))\b",
    r"\b(?:are|is)\b.*\bprices?\b.*\b(?:going|coming|trending) (?:up|down)\b(?!.*\b(?:week|lately|recently)\b)",
    r"\bwhen (?:will|is|are|does|do|can) .*\b(?:available|released?|coming|launch(?:ed|ing)?|ship(?:s|ping)?|arrive)\b",
    "价格.*(?:走势|趋势|会(?:再|继续|不会)?(?:涨|降|跌))|(?:还|会)(?:再|继续|不会|不会再)?(?:涨|降|跌)",
    "未来.*(?:涨|降|跌|价)|(?:什么时候|何时).*(?:降价|跌)|值得等|should (?:i|we) wait",
)
_RISK_ASKED = says(
    r"what(?:'s| is| are) the (?:catch|risk|downside|drawback|caveat)|pros and cons|hidden|trade-?off",
    "会不会|风险|坑|隐藏",
)
CHOOSE = says(r"\bhow (?:do|should|can|would) (?:i|we|you|one) (?:choose|pick|select|decide)\b")
_CHOOSE_ZH = says("怎么(?:选|样|卖)|how about|怎样的|怎么用你")
_HOW_TO = says(r"\bhow (?:do|does|can|should|would|to|is|are|did|will|could)\b|\bhow's\b")
_HOW_COMPARES = says(
    r"\bhow (?:do|does|is|are|would|can|will|should) (?:(?!i |we |you )\w+ ){0,6}?"
    r"(?:compare|compares|stack|differ|look|cost|priced)\b(?! of)",
    " priced",
)
_HOW_GOOD = says(r"\bhow(?:'s| is| does) (?:that|this|the) (?:price|rate|deal|offer|quote)?(?: look| sound| seem)?\W*$")
_WAY = says(
    r"\b(?:best|right|easiest|safest|recommended|proper|good) way to\b|\btips\b|\bsteps to\b|\bguide (?:to|for|on)\b",
    r"\bwalk me through\b|\bshow me how\b|\btell me how\b|\badvice on (?:how|migrat|mov|protect|reduc)",
)
_HOW_ZH = says("怎么|如何|咋(?!样)")
_HOW_TO_ZH = says(
    "(?:怎么|如何)(?:避免|防止|保护|降低|减少|监控|检查|确认|迁移|搬|省|节省|控制|恢复|保存|备份|申请|开通|启动|试用|测试|查看|处理"
    "|应对|传|上传|下载|连接|登录|退订|取消|续费|防|把|才能|判断|验证)"
)


_WHAT_CARD = says(
    "是(?:什么|啥|哪种|哪款|哪个)(?:型号的?)?(?:gpu卡|gpu|显卡|卡|型号|机器|机型|实例)(?!.*(?:便宜|多少钱))",
    r"\bwhich (?:card|gpu)s? (?:is|are) (?:in |inside |behind )?(?:the |an? )?(?!good|best|right|better|enough)",
)
_IS_G = re.compile(  # what is a TPU; not: what is the A100 price
    r"^ (?:(?:so|hey|ok|and) )*mean (?:(?:a|an|exactly) )?[GZ]"
    r"(?: (?:npu|gpu|card|chip|accelerator|and how .*|and why .*))*(?: [?!.]| ,[^?]*\?)? $"
    r"|^ [GZ] (?:npu |gpu |card |芯片 ?)?(?:mean|是什么)(?: (?:card|gpu))?(?: [?!,。，].*)? $"
)
_TRUE = says(
    r"\b(?:claim\w*|rumou?r|myth|really true|is it true|true that)\b",
    r"\btrue\s*\?*$",
    "真的吗|是真的|真的假的|是不是真|可信吗|靠谱吗[?]?$",
)
_CHECKS = says(
    r"\bwhat (?:should|do|must|can|would) (?:i|we|you) (?:\w+ )?(?:check|verify|watch (?:out )?for"
    r"|look (?:out )?for|consider|know|look at|ask|test|be aware|pay attention|worry)\b",
    r"\bshould (?:i|we) (?:really )?(?:worry|care|be (?:worried|concerned|careful)|watch out)\b",
    "(?:检查|注意|确认|核对|留意|小心|考虑)(?:些|点|一下)?(?:什么|啥|哪些)|注意事项|要注意的",
)
_ASKS_CHOICE = says(r"\b(?:recommend|suggest)\b", "推荐")
_MOVES = re.compile(
    r"^ (?:(?:how|help|about|i|we|are|is|to) )*move (?:away )?between (?:[^ ]+ ){1,4}?to (?:the )?P [?!. ]*$"
)


def is_explain(ask: Context) -> bool:
    """Whether knowledge is asked rather than an offer or a number."""
    if ask.drawn(_GOOD_FOR) and ask.has("workloads", "hours"):
        return False  # is X good for Y
    if ask.said(_WHY):
        return True
    if ask.two("gpus", "providers", "plans") and ask.said(_COMPARATIVE):
        return False
    cost = ask.cue("howmuch", "cheapest", "cheaper")
    if ask.cue("happens") or ask.said(_IF):
        return not cost
    if ask.drawn(_IS_G) or (ask.said(_WHAT_CARD) and ask.has("providers") and not ask.hardware and not cost):
        return True
    if ask.said(_CHECKS) or (ask.said(_TRUE) and not ask.cue("howmuch", "cheapest", "M")):
        return not ask.cue("cheap")
    if ask.drawn(_MOVES) and not ask.has("data_gb", "gpus", "hours"):
        return True
    return _term(ask) or _outlook(ask) or _risk(ask, cost) or is_difference(ask) or _how_to(ask, cost) or _works(ask)


_WHAT_IS_TERM = re.compile(
    r"^ (?:(?:and|so|hey|ok|but|wait|,) )*(?:remind me )?mean (?:(?:a|an|the|is) )*"
    r"(?:[LEFQ]|(?<!the )download|(?<!the )gpuhour)(?: (?:instance|plan|pricing|mean|is))?"
    r"(?: (?:exactly|actually|again|anyway|then|even|really|precisely|btw|here|for|about|good|please|by|way|the))*"
    r" (?:, (?:exactly|again|anyway|actually|btw|please|though) )?[?!. ]*$"
    r"|^ (?:(?:那|这个|所以|话说|and) ?)*[LEFQ] ?(?:这 ?个?词?|到底|究竟|又|具体|,)* ?mean ?[呀啊呢来着的?!. ]*$"
)


def _term(ask: Context) -> bool:
    if ask.drawn(_WHAT_IS_TERM):
        return True
    if ask.said(_MEANS) and not ask.cue("howmuch", "cheapest", "price"):
        return not ask.said(_NO_TERM)
    if ask.said(_WHAT_IS) and ask.cue("mean") and not ask.hardware:
        offers = ask.cue(
            "howmuch", "price", "cheapest", "cheap", "cheaper", "recommend", "which", "budget", "alternative"
        )
        return not (offers or ask.cue("M", "spec", "better", "compare", "vs", "T", "or", "howlong", "W"))
    return ask.said(_WHAT_FOR) and not ask.cue("howmuch", "price", "cheapest")


def _outlook(ask: Context) -> bool:
    if ask.said(_HOW_LONG) and not ask.has("budget", "budget_per_hour", "purchase_price") and not ask.cue("breakeven"):
        return True
    if ask.cue("billing") and not ask.cue("howmuch", "cheapest"):
        return True
    return ask.said(_HEADING) or ask.cue("outlook")


def _risk(ask: Context, cost: bool) -> bool:
    if not ask.cue("risk") or (ask.has("quoted") and "坑" in ask.source):  # 是不是被坑了: a price is judged
        return False
    if not cost and not ask.cue("cheap", "recommend"):
        return True
    return ask.said(_RISK_ASKED) and not ask.cue("cheapest")


def _how_to(ask: Context, cost: bool) -> bool:
    if ask.said(CHOOSE) or (ask.said(_CHOOSE_ZH) and "怎么收" not in ask.source):
        return False
    if ask.has("quoted") and ask.said(_HOW_GOOD):
        return False
    if ask.said(_HOW_TO) and not ask.said(_HOW_COMPARES) and not ask.said(_ASKS_CHOICE):
        return not ask.cue("cheapest", "howmuch", "howmany", "howlong", "compare", "vs", "spec")
    if ask.said(_WAY) and not cost:
        return True
    other = ask.cue("howmuch", "cheapest", "cheap", "recommend", "compare", "vs", "spec", "howmany", "howlong")
    return (ask.said(_HOW_ZH) and not other) or ask.said(_HOW_TO_ZH)


_DIFFERS = says(r"differ|区别|不同|不一样|versus|\bvs\b")
_MONEY_GAP = says(
    "差多少|便宜多少|贵多少|省多少|差价|各要|多少钱|价差|相差",
    r"how much|price gap|price difference|cheaper|cheapest|cost difference|difference in (?:the )?(?:price|cost|rate)"
    r"|(?<![a-z])sav(?:e|es|ings?)(?![a-z]| plan)",
)
_COMPARE_ALONE = re.compile(  # 帮我对比一下呗: nothing is named
    r"^ (?:(?:please|can|could|you|me|us|for|just) |[帮忙请麻烦给我们能可以想要来你再先做个] ?)*compare"
    r"(?: (?:it|them|those|these|please|for me)| ?[一下呗吧吗看好行啊哈?!.])* $"
)
_OF_THEM = re.compile(  # compare them, do a comparison for me: of what was talked about
    r" compare (?:(?:it|them|those|these|this|that|both|the|two|three|ones|options?|recommend|price"
    r"|all|of|everything|for|me|us|to|each|other|please|N|offers|now|side|by|again) )*(?:[?!. ])* ?$"
)
_CLASS_ONE = says("hyperscaler|big three|三大云")
_CLASS_TWO = says("marketplace|specialist|neocloud|小平台|垂直|平台|classes|kinds?")


def is_difference(ask: Context) -> bool:
    """The difference between two plans or terms, or between classes of provider, when no money is asked."""
    if not (ask.cue("difference", "compare", "vs") or ask.said(_DIFFERS)):
        return False
    if ask.said(_MONEY_GAP) or ask.drawn(_OF_THEM):
        return False
    if ask.hardware:  # of one card and a class of them: TPU and GPU
        two = ask.two("gpus", "providers", "plans", "regions")
        return ask.cue("gpu") and "differ" in ask.source + ("differ" if ask.said(_DIFFERS) else "") and not two
    if ask.two("gpus", "providers"):
        return ask.said(_CLASS_ONE) and ask.said(_CLASS_TWO)
    return not ask.drawn(_COMPARE_ALONE)


_WORKS_VERBS = (
    "bill bills billed charge charges charged require requires allow allows let lets refund"
    " refunds include includes keep"
    " keeps persist round rounds need needs come comes get gets lose loses free included"
    " extra auto-renew renew pay expire"
    " expires guarantee guarantees preempt preempts interrupt interrupts support supports"
    " have has offer offers count counts"
    " survive refundable cancel resume resell transferable switch change upgrade downgrade"
    " convert extend share combine mix"
    " transfer shut stop stops delete deletes reclaim warn notify throttle negotiate"
).split()
_NO_WORKS = says(r"\b(?:price|cost|pricing|rate|fee)s?\b(?! extra)")
_DOES_IT = re.compile(
    r"^ (?:(?:and|so|but|hey) )?(?:can|do|does|is|are|will|would) (?:the |a |an |my |their )?(?:P|L|instance)"
    r"(?: instance)? (?!,)"
)
_DOES_VERB = says(
    r"^(?:\W|hey |so |and |ok |quick question[:,]? )*(?:do|does|can|could|is|are|will|would|if|did|has|must)\b.*\b(?:"
    + "|".join(_WORKS_VERBS)
    + r")\b"
)
_PERSON = says(r"\b(?:they|i|we|you)\b")
_ZH_YES_NO = says("吗[?!。]*$|会不会|能不能|是不是|多不多|高不高|大不大")
_WORKS_ZH = says(
    "(?:收费|扣费|计费|收钱|扣钱|要钱|算钱)吗|(?:还|要|会)(?:收|扣)(?:费|钱)",
    "会被 ?(?:中断|回收|抢占|preempt|interrupt|evict|reclaim|kill)",
    "(?:能|可以)(?:退|转|取消|暂停|续)|支持(?:按|退|暂停)|要不要(?:付|交)|(?:需要|要)(?:预付|押金|实名|申请)",
    "还在吗|会丢吗|会不会丢|丢不丢|还能恢复",
)


def _works(ask: Context) -> bool:
    """Yes or no on how a provider or a plan works: does Lambda bill stopped instances?"""
    if ask.cue("howmuch", "cheapest", "cheaper", "cheap", "breakeven", "enough", "fit", "spec", "better", "or", "vs"):
        return False
    if ask.cue("recommend", "compare") or ask.said(_NO_WORKS) or (ask.states("hours") and ask.states("gpus")):
        return False
    if ask.drawn(_DOES_IT) and not ask.states("gpus", "workloads", "min_memory_gb", "needs", "budget", "quoted"):
        return True
    if ask.said(_DOES_VERB):
        topic = ask.cue(
            "P", "L", "instance", "node", "download", "disk", "rentverb", "billing", "data", "idle", "stopped"
        )
        return topic or ask.said(_PERSON)
    if ask.said(_ZH_YES_NO) and ask.cue("L", "P", "interrupt") and not ask.hardware and not ask.cue("E", "W"):
        return True
    return ask.said(_WORKS_ZH)
