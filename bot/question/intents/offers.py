"""cheapest, compare, recommend, price: the intents that look at offers."""

from __future__ import annotations

import re

from bot.question.intents.context import Context, says
from bot.question.intents.explain import CHOOSE

_SUPERLATIVE = says("总价最低|总成本最低|cheapest|lowest total")
_RANKED = says(
    r"\b(?:rank|sort|order|list)(?:ed)?\b.*\bby (?:\w+ )?(?:price|cost|total)",
    "按(?:价格|费用|成本|总价)(?:从低到高)?(?:排|列)",
)


def is_superlative(ask: Context) -> bool:
    return ask.cue("cheapest")


def is_cheapest(ask: Context) -> bool:
    """Options ranked by cost; a comparative between named candidates is ``compare``."""
    by_total = ask.slots.get("sort") == "total" and not (weighs_totals(ask) or _weighed_by_total(ask))
    if ask.cue("cheapest") or ask.said(_SUPERLATIVE) or by_total or ask.said(_RANKED):
        return True
    places = ask.two("regions") and ask.cue("cheaper") and (ask.cue("vs", "or") or "还是" in ask.source)
    places = places or weighs_places(ask) or (ask.two("regions") and "还是" in ask.source)
    if ask.has("quoted") and ask.said(_CALLED_CHEAP):
        return False
    if not ask.cue("cheap", "cheaper"):
        return False
    return not (places or ask.two("gpus", "providers", "plans")) or _seeks_cheap(ask)


_BETWEEN = r"(?:(?!(?:which|who|or|is|are|than|the|vs|compare|if|whether) )[a-z'-]+ ){0,4}?"
_SEEKS_CHEAP = re.compile(  # cheap is what is looked for, and not what one of the named is: a cheap A100 or H100
    rf" (?:something|anything|nothing|somewhere|anywhere|else) {_BETWEEN}(?:cheap|cheaper) "
    r"| (?:find|finding|look|looking|search|searching|seeking|hunting|need|needs|want|wants|is there|are there)"
    rf" {_BETWEEN}(?:cheap|cheaper) "
    r"|(?<! which)(?<! is)(?<! are)(?<!的) cheap (?:(?:N|x|[a-z-]{3,}) ){0,2}?(?:G|B|L|gpu|card|node|instance) "
    r"| (?:any|some|got) (?:a )?cheap(?:er)? (?:recommend|alternative|offers?|deals?|ones?|places?|providers?|clouds?"
    r"|platforms?|hosts?|rates?|gpu|card|G) |[,.;:!?(] cheaper (?:recommend|alternative|ones|offers|deals|places) "
)
_SEEKS_CHEAP_SAID = says(
    r"\b(?:any|some)(?:one|body)\b (?:[a-z]+ ){0,3}?(?:cheap|beat|undercut|do(?:ing)? better)",
    "(?:有|找|求|来|要|想|换|给|买|搞|弄|整|租|推荐|介绍|看)"
    "(?:没有|没|到|个|些|点|几|一|台|张|块|家|款|什么|啥|哪些|再|更|比较|别的|其他|其它|平台|我|们|下){0,6}"
    r"(?:便宜|实惠|省钱|低价|平价|廉价)(?:一?[点些]儿?)?(?:的(?!话|那|是)|平台|卡|显卡|云|机器|算力|方案|[a-z\d])",
    "有(?:没有|没)?[更再]便宜",
    r"(?:^|[,，。;；:!?\s])(?:便宜|实惠|平价|低价|廉价)(?:一?[点些]儿?)?的?(?:[a-z\d]|卡|显卡|竞价|按需)",
)


def _seeks_cheap(ask: Context) -> bool:
    """Whether something cheap is looked for, however many names stand in the message."""
    return ask.drawn(_SEEKS_CHEAP) or ask.said(_SEEKS_CHEAP_SAID)


FIRST_BY_TOTAL = says(r"lowest|least|\bmin|cheapest|\bfirst\b|\b(?:rank|sort|order)|最|排")


def _weighed_by_total(ask: Context) -> bool:
    """AWS vs GCP by total cost: weighed, where nothing says that the least of them is wanted."""
    weighed = ask.cue("vs", "or", "compare", "against") and ask.two("gpus", "providers")
    weighed = weighed or (ask.cue("vs", "compare") and ask.two("plans", "regions"))
    return weighed and not ask.said(FIRST_BY_TOTAL)


_TOTAL = "(?:总价格?|总成本|总费用|总花费|总开销|总账)"
_TOTAL_LOWER = says(  # 哪个总成本低, 总价谁更低: a comparative
    f"{_TOTAL}[^,，。;；]{{0,4}}(?:哪|谁)[^,，。;；最]{{0,3}}(?:低|少|便宜|省)",
    f"(?:哪|谁)[^,，。;；最]{{0,4}}{_TOTAL}[^,，。;；最]{{0,3}}(?:低|少|便宜|省)",
)
_CALLED_CHEAP = says(
    "便宜(?:吗|么|不|吧|嘛|没)[?!。]*(?:$|[,，])|算(?:是|得上)?便宜",
    r"\b(?:is|was) (?:that|it|this) (?:(?:too|really|even|any) )*cheap\b",
)  # a price is judged, none is looked for
_WHICH_PLACE = says(
    "哪(?:个|边|里|儿|头|地|一个|一边|个地方|个区)[^,，。;；最]{0,4}(?:便宜|划算|实惠|省|低)|谁(?:更|家)?便宜"
)

_THAN_PLACE = re.compile(
    r" R (?:[^ ,R]{1,9} ){0,2}?(?:cheaper|cheap|better|betterdeal) than (?:in |the |over |on )*R "
    r"| (?:cheaper|cheap|better|betterdeal) (?:in |the |over |on )*R than (?:in |the |over |on )*R "
    r"| R (?:的 ?)?(?:G ?)?(?:than|bi|比) ?(?:在 ?)?R "
)


def weighs_totals(ask: Context) -> bool:
    """Which of the named ones costs less in all; with a superlative it is ``cheapest``."""
    return ask.two("gpus", "providers", "plans") and not ask.cue("cheapest") and ask.said(_TOTAL_LOWER)


def weighs_places(ask: Context) -> bool:
    """国内租跟香港租，哪个便宜: the regions are what is weighed, and nothing else is named twice."""
    named = ask.two("regions") and not ask.two("gpus", "providers", "plans")
    return named and (ask.said(_WHICH_PLACE) or ask.drawn(_THAN_PLACE)) and not ask.cue("cheapest")


_WEIGHS = says(r"\bcompar|比")
_WEIGHS_DRAWN = re.compile(
    r" (?:vs|or|compare|difference|cheaper|cheap|better|betterdeal|bestof|breakeven|which"
    r"|against|than|bi|howmuch|price|/) "
    r"|各|还是|or|哪"
)
_PICKS = says(
    "(?:选|用|租|买|挑|上)(?:哪|谁)|哪(?:个|家|款|种|一)",
    r"\b(?:which (?:one|of|is|would|should)|pick|choose|choosing|deciding|decide)\b",
)
_OFFERS = says(
    r"\bwho (?:offers|has|sells|rents|provides|can)\b|\bwho's got\b",
    r"\b(?:which|what) .*\b(?:offer|offers|have|has|carry|stock)\b|有货|哪家有|谁有|in stock",
)
_TWO_PLANS = re.compile(
    r" L(?: [^L]{0,24})?(?: (?:or|vs|and|,|/|compare|add|to|than|bi|against|instead of|over)) ?(?:[^L]{0,24} )?L "
)
_PLANS_FINE = re.compile(
    r" L (?:or|/|and) L (?:, )?(?:is |are |both |either |any |也 |都 ?)*(?:fine|ok|okay|works|可以|行)"
)
_EITHER = re.compile(
    r" G(?: (?:or|/|,|and) G)+ ?,? ?(?:is |are |both |either |any |all |也 ?|都 ?|其实 ?|我们 ?|对我 ?)*"
    r"(?:fine|ok|okay|works|work|do|无所谓|随便|均可|都可|皆可|都好|都成|没差|不挑|可以|行|都行|不限|能接受|接受|没问题)"
)
_NAMED_PICK = says(
    "(?:选|用|租|买|挑|上|推荐|建议)哪(?:个|款|张|种|块)|哪(?:个|款|张|种|块)(?:更|比较)?(?:好|强|快|便宜|划算|合适|适合)"
)
_COMPARE_ASKED = says(r"\bcompar(?:e|ison)\b|对比|比较一下")
_HOW_IT_COMPARES = says(r"\bhow (?:do|does|would|will) (?:\w+ ){1,3}compare\b")
_WEIGHED_HERE = says(r"跟.*比|和.*比|还是|\bcompar")


_ROUTE = re.compile(
    r" (?:(?:between|out of|off) (?:the )?[PR](?: [^,PR]{1,14})?|[PR](?= (?:move )?(?:to|-|>|->|→|到|into) ))"
    r" (?:(?:move|-|>|→|and|over) ?)*(?:to|into|onto|到|>|→|move to) ?(?:the )?[PR] "
)


def is_compare(ask: Context) -> bool:
    """Two or more named providers, GPUs, plans or regions are weighed."""
    places = ask.two("regions") and (
        ask.cue("compare", "vs", "difference", "cheaper", "better", "betterdeal") or "还是" in ask.source
    )
    if weighs_totals(ask) or weighs_places(ask):
        return True
    if not (ask.two("gpus", "providers", "plans") or places):
        named = ask.has("gpus", "providers", "plans") or ask.said(_COMPARE_ASKED)
        return (ask.cue("compare") or ask.said(_HOW_IT_COMPARES)) and named and not ask.cue("cheapest", "howmuch")
    weighs = ask.cue("vs", "or", "cheaper", "difference", "which", "compare", "against")
    moved = ask.has("data_gb") or ask.cue("move", "upload", "download", "data")
    if moved and ask.drawn(_ROUTE) and not weighs and not ask.two("gpus", "plans"):
        return False  # from A to B: the way of the data, no alternatives
    if ask.said(_OFFERS) and not ask.cue("vs", "compare", "difference", "better", "cheaper"):
        return False
    if ask.drawn(_EITHER) and ask.cue("recommend", "bestof", "which") and not ask.said(_NAMED_PICK):
        return False  # A100或者H100都行，推荐哪家: a platform is asked for
    if ask.said(_PICKS):
        return True
    weighed = ask.cue(
        "or", "vs", "compare", "difference", "better", "cheaper", "betterdeal", "bestof", "cheap", "against"
    )
    if ask.cue("recommend") and not weighed and not ask.cue("which", "/"):
        return False
    asks = ask.drawn(_WEIGHS_DRAWN) or ask.said(_WEIGHS)
    if ask.has("plans") and not (places or ask.two("gpus", "providers")):
        together = ask.drawn(_TWO_PLANS) or ask.cue("difference", "compare", "cheaper") or "各" in ask.text
        return asks and together and not ask.drawn(_PLANS_FINE)
    return asks


def compares_here(ask: Context) -> bool:
    """Whether a message of a thread itself weighs things, rather than inheriting two names."""
    weighed = ask.cue("vs", "compare", "difference", "cheaper", "better", "betterdeal", "bestof", "against")
    weighed = weighed or (ask.cue("which") and ask.cue("cheap"))  # 哪个便宜
    return weighed or ask.said(_WEIGHED_HERE) or ask.two("gpus", "providers", "plans")


IS_IT_GOOD = says(  # asked of a price that was quoted before
    r"^\W*(?:so |and |ok |hmm )*(?:is|are|was|does|do) (?:that|it|this|those|these|they)(?: sound| seem| look)? "
    r"(?:(?:a|an|still|any|even|really|actually) )*"
    r"(?:good|fair|reasonable|ok|okay|decent|competitive|too much|too high|expensive|steep|normal|high|great|bad)\b",
    r"^\W*(?:那|你看|你觉得|觉得|所以)?(?:这|那)?个?(?:价格?|报价|价钱|价位)?(?:还|算|是|太|很|偏|有点|到底)*"
    r"(?:贵|高|合理|正常|公道|合适|行|坑|划算)(?:吗|么|嘛|不贵|不高|不合理|不行|不|没|了吗|了点吗|了吧)\W*$",
)
JUDGES = says(
    r"\?|\b(?:good|fair|reasonable|ok|okay|decent|normal|competitive|expensive|too much|high|steep"
    r"|overpriced|rip|great)\b",
    "贵|合理|值|高吗|高不高|正常|划算|坑|怎么样|如何|合适|行情|吗",
)


_JUDGED = says(
    r"\b(?:good|fair|reasonable|decent|ok|okay|competitive|overpriced|too (?:much|high|expensive)|rip[- ]?off)\b",
    "贵|合理|值|划算|坑",
)


def is_quoted_price(ask: Context) -> bool:
    """Whether a quoted price is good, or a price was quoted and nothing else is said."""
    if not ask.has("quoted") or asks_where_to_go(ask):
        return False
    cheap = ask.cue("cheap") and not ask.said(_CALLED_CHEAP)
    return not (cheap or ask.cue("cheapest", "cheaper", "compare", "vs")) and not ask.two("providers")


_WHERE_TO = says(
    r"\b(?:which|what) (?:\w+ )?(?:platforms?|providers?|clouds?|services?|vendors?|hosts?)\b",
    r"\b(?:where|who) (?:should|could|would|can|do) (?:i|we)\b|\brecommend|\bsuggest",
    "推荐|哪个平台|什么平台|用什么好|换(?:到)?哪",
)


def asks_where_to_go(ask: Context) -> bool:
    """Whether a platform is asked for, and the price that was quoted is only told beside it."""
    asked = ask.said(_WHERE_TO) or ask.cue("alternative")
    return ask.has("quoted") and asked and not ask.cue("howmuch", "better") and not ask.said(_JUDGED)


_WHAT_PRICE = re.compile(r" (?:what|whats|what's|mean) (?:[^?]*)price ")
_PRICE_FIRST = re.compile(r"^ (?:price|quote) ")
_COMES_TO = says(
    r"\bwhat (?:would|will|does) (?:that|it|this|these|those) (?:be|cost|come)\b|\bwhat would (?:\w+ ){1,4}be\b",
    r"\bwhat (?:would|will|does|do|did|should) .*\b(?:run|runs|set|cost) (?:me|us|you|one)\b",
    r"\bwhat(?:'s| is| was| would be| will be) (?:the|my|our) (?:grand )?(?:total|damage|sum|bill)\b",
    "(?:存储|流量|出网|带宽|传输|租赁|下载|上传|迁移)费用?(?!吗|不|怎)",
    r"\b(?:come|comes|amount|amounts) to\b|\bwhat am i looking at\b",
)


def is_price(ask: Context) -> bool:
    """What a thing costs."""
    if asks_where_to_go(ask):
        return False
    if ask.cue("howmuch") or ask.drawn(_WHAT_PRICE) or ask.drawn(_PRICE_FIRST) or ask.said(_COMES_TO):
        return True
    return ask.cue("price") and not ask.cue("recommend") and not ask.has("team")


_WHAT_ABOUT = says(r"^\W*(?:what|how) about\b")
_ANY = says(
    r"\b(?:any|is there an?|are there any) (?:\w+ )?(?:providers?|clouds?|platforms?|services?|vendors?|hosts?"
    r"|marketplaces?|sites?|company|companies|places?)\b",
    "有没有[^,，。]*的?(?:平台|云|厂商|服务商|供应商)",
    "有没有[^,，。]{0,14}(?:可以租|能租|可租|现货)|(?:能租到|租得到|有现货|还有货|有货)(?:吗|么|不)",
)
_SHOULD = says(r"^\W*(?:hey |so |and |ok )?should\b", r"(?:怎么样|咋样|好用吗|好使吗|行吗|可以吗|如何)[?？!。]*$")
_GOOD = says(r"\bis .* (?:good|ok|okay|fine|suitable|overkill|right|enough) |\bwhere\b|\bneed\b.*\bhosting\b")


def is_recommend(ask: Context) -> bool:
    """Which platform, GPU, plan or how many GPUs for a scenario; who offers X; is X good for Y."""
    if asks_where_to_go(ask):
        return True
    if ask.said(_WHAT_ABOUT) and not ask.cue("recommend", "which", "who", "howmany"):
        return False
    if ask.said(_ANY) or ask.said(CHOOSE) or ask.cue("recommend", "howmany", "bestof", "alternative"):
        return True
    priced = ask.cue("price", "howmuch")
    if ask.slots.get("sort") == "per_tflop" and not priced:
        return True  # best value, 性价比
    if ask.cue("which", "who", "what") and not priced:
        return True
    if ask.said(_SHOULD) and not priced:
        return ask.has("gpus", "providers", "plans")
    return ask.said(_GOOD)


def is_named(ask: Context) -> bool:
    """Hardware named with no other ask is a question for its price; beside needs alone it is a scenario."""
    if not ask.has("gpus", "gpu_hours"):
        return False
    priced = ask.has("hours", "providers", "plans", "regions", "quoted", "storage_gb", "data_gb")
    return priced or not ask.has("team", "needs")
